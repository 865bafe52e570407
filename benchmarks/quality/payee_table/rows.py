"""The hand-labelled descriptors: which rows there are, and whom each of them pays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Part = Literal["tuning", "abroad", "reporting"]
"""Two parts that detectors may be tuned on, and the part that is only ever scored.

What was labelled abroad leans to the countries whose descriptors were known least.
"""

_FOLDER = Path(__file__).parent
_FILES: Mapping[Part, tuple[str, ...]] = {
    "tuning": ("tuning.tsv", "tuning2.tsv"),
    "abroad": (
        "tuning3.tsv", "tuning4.tsv", "tuning5.tsv", "tuning6.tsv", "tuning7.tsv", "tuning8.tsv",
        "tuning9.tsv", "tuning10.tsv",
    ),
    "reporting": ("reporting.tsv", "reporting2.tsv", "reporting3.tsv"),
}  # fmt: skip
_ROW_COLUMNS = ("descriptor", "name", "country", "direction", "payee", "category", "note")
_PAIR_COLUMNS = ("left", "right", "same")


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled descriptor.

    `name` is the bank's own name for the merchant, `payee` the label of who was paid, `category` an id
    of the catalogue; `name` and `category` are None where the bank gives none and where nobody can know.
    """

    descriptor: str
    name: str | None
    country: str
    direction: str
    payee: str
    category: str | None
    note: str


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two descriptors that resemble each other, and whether they are one payee."""

    left: str
    right: str
    same: bool


def read_rows(part: Part) -> list[Row]:
    """The labelled rows of a part, in the order of its files."""
    return [
        Row(descriptor, name or None, country, direction, payee, category or None, note)
        for file in _FILES[part]
        for descriptor, name, country, direction, payee, category, note in _cells(
            _FOLDER / file, _ROW_COLUMNS
        )
    ]


def read_look_alikes(part: Part) -> list[LookAlike]:
    """A part's half of the look-alike pairs: reporting has the 2nd, 4th, 6th … pair."""
    pairs = [
        LookAlike(left, right, {"yes": True, "no": False}[same])
        for left, right, same in _cells(_FOLDER / "overmerge.tsv", _PAIR_COLUMNS)
    ]
    return pairs[1 if part == "reporting" else 0 :: 2]


def _cells(path: Path, columns: tuple[str, ...]) -> Iterator[list[str]]:
    """The cells of each row; ValueError with file and line when a row is not complete."""
    heading, *lines = path.read_text(encoding="utf-8").splitlines()
    if tuple(heading.split("\t")) != columns:
        raise ValueError(f"{path.name}: the heading should be {', '.join(columns)}.")
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{path.name}, line {number}: {len(cells)} cells, not {len(columns)}.")
        yield cells
