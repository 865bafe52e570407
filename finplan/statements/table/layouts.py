"""The layouts of tables that are known: one entry of data proves all that a bank's header can prove.

An entry (`layouts.toml`) has a header's columns and what follows from them: the kind of account, the
currency, what a column means whose name does not say it, which way amounts go, and how dates and numbers
are read. So a bank is added by its entry alone.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

from finplan.model.account import KindWord
from finplan.model.money import CODES
from finplan.statements.kinds import DEPOSITORY, SURE
from finplan.statements.statement import HeaderAnswers, KindClue
from finplan.statements.table.header_words import HEADER_WORDS
from finplan.statements.table.words import ColumnName, column_name, words_of

_FILE = Path(__file__).with_name("layouts.toml")
_KINDS = {"depository": DEPOSITORY, **{kind: (kind,) for kind in get_args(KindWord)}}
_NAMES_OF_MEANINGS: Mapping[str, str] = {
    "owed": "balance owed",
    **{str(meaning): names.split("|")[0].strip() for meaning, names in HEADER_WORDS.items()},
}
"""A name that says each meaning; a balance may be one of what is owed."""

_ANSWERS = {answer.name for answer in fields(HeaderAnswers)} - {"currency", "encoding"}
_KEYS = {"bank", "columns", "besides", "common", "kind", "currency", "reads", *_ANSWERS}


@dataclass(frozen=True, slots=True)
class KnownLayout:
    """The header that a bank gives a table, and what it proves.

    `columns` are those that it always has, `besides` those that it may have as well, None for any. A
    table with all of them is of a bank in `currency`, unless they are so `common` that others may be
    none but those; a table with no others is that bank's own, with all that is said here. `reads` gives
    a column's meaning by its name, `answers` what the person would be asked otherwise.
    """

    bank: str
    columns: frozenset[str]
    besides: frozenset[str] | None
    common: bool = False
    kinds: tuple[KindWord, ...] = ()
    currency: str | None = None
    reads: Mapping[str, str] = field(default_factory=dict)
    answers: HeaderAnswers = field(default_factory=HeaderAnswers)

    def is_whole(self, names: frozenset[str]) -> bool:
        """Say whether a header has all columns, and no others but those that it may have."""
        return self.columns <= names and (
            self.besides is None or names - self.columns <= self.besides
        )

    def tells_currency(self, names: frozenset[str]) -> bool:
        """Say whether a header is of a bank in this currency."""
        return self.currency is not None and (
            self.is_whole(names) if self.common else self.columns <= names
        )


def _plain(name: str) -> str:
    return " ".join(words_of(name))


def _names(header: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_plain, header)) - {""}


def read_layout(entry: Mapping[str, Any]) -> KnownLayout:
    """Read an entry. Raises ValueError that says what of it is wrong."""
    unknown = sorted(entry.keys() - _KEYS)
    wrong = [f"unknown key {key}" for key in unknown]
    wrong += [f"no {key}" for key in ("bank", "columns") if not entry.get(key)]
    wrong += [f"unknown kind {kind}" for kind in [entry.get("kind")] if kind not in {None, *_KINDS}]
    currency, reads = entry.get("currency"), entry.get("reads", {})
    wrong += [f"unknown currency {code}" for code in [currency] if code not in {None, *CODES}]
    wrong += [
        f"unknown meaning {value}" for value in reads.values() if value not in _NAMES_OF_MEANINGS
    ]
    columns = _names(entry.get("columns", ()))
    wrong += [f"{name} is not a column" for name in reads if _plain(name) not in columns]
    if wrong:
        raise ValueError(f"The layout of {entry.get('bank')}: {', '.join(wrong)}.")
    besides = entry.get("besides")
    return KnownLayout(
        bank=entry["bank"],
        columns=columns,
        besides=None if besides is None else _names(besides),
        common=entry.get("common", False),
        kinds=_KINDS[entry["kind"]] if "kind" in entry else (),
        currency=currency,
        reads={_plain(name): meaning for name, meaning in reads.items()},
        answers=HeaderAnswers(**{name: entry[name] for name in _ANSWERS & entry.keys()}),
    )


@cache
def known_layouts() -> tuple[KnownLayout, ...]:
    """All layouts that are known."""
    listed = tomllib.loads(_FILE.read_text("utf-8"))["layout"]
    return tuple(map(read_layout, listed))


def currency_of_header(header: Sequence[str]) -> str | None:
    """The currency of the one country whose banks write this header, None for any other header."""
    names = _names(header)
    codes = {layout.currency for layout in known_layouts() if layout.tells_currency(names)}
    return codes.pop() if len(codes) == 1 else None


def kinds_of_header(names: Sequence[ColumnName]) -> Iterator[KindClue]:
    """What the columns of a bank's own table say of the kind of its account, which is sure."""
    own = frozenset(name.plain for name in names) - {""}
    for layout in known_layouts():
        if layout.kinds and layout.is_whole(own):
            yield KindClue(layout.kinds, SURE, f"columns of {layout.bank}")


def answers_of_header(header: Sequence[str]) -> HeaderAnswers:
    """How a bank's own table is read where it leaves that open; nothing for any other one."""
    names = _names(header)
    candidates = (layout.answers for layout in known_layouts() if layout.is_whole(names))
    return next((answers for answers in candidates if answers != HeaderAnswers()), HeaderAnswers())


def names_by_meaning(names: Sequence[ColumnName]) -> tuple[ColumnName, ...]:
    """The names of columns, with one that says it where a bank's own table has one that does not."""
    own = {name.plain for name in names} - {""}
    matches = (
        layout.reads
        for layout in known_layouts()
        if layout.reads and layout.is_whole(frozenset(own))
    )
    reads = next(matches, {})
    by_name = {name: column_name(_NAMES_OF_MEANINGS[meaning]) for name, meaning in reads.items()}
    return tuple(by_name.get(name.plain, name) for name in names)
