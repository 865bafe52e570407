"""`python -m benchmarks.quality.payee_table.score`: payee keys against labels, beside plain keys."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from benchmarks.quality.payee_table.filing import (
    FilingFigures,
    filed_under,
    how_filed,
    measure_filing,
)
from benchmarks.quality.payee_table.keys import (
    KeyFigures,
    KeysOf,
    first_word,
    in_households,
    is_told,
    letters_only,
    measure_keys,
    measure_look_alikes,
    merged_pairs,
    one_by_one,
    raw_text,
    shipped,
    split_pairs,
)
from benchmarks.quality.payee_table.rows import LookAlike, Part, Row, read_look_alikes, read_rows

METHODS: Mapping[str, KeysOf] = {
    "payee key": in_households,
    "row alone": one_by_one(shipped),
    "raw text": one_by_one(raw_text),
    "letters only": one_by_one(letters_only),
    "first word": one_by_one(first_word),
}
TARGET = "recall ≥ 0.920 at purity ≥ 0.997"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of one part, and the tuning part's misses when asked for."""
    options = _parser().parse_args(arguments)
    parts: tuple[Part, ...] = ("reporting",) if options.report else ("tuning", "abroad")
    rows = [row for part in parts for row in read_rows(part)]
    look_alikes = read_look_alikes(parts[0])
    table = figures_table(rows, look_alikes)
    named = " and ".join(parts)
    print(f"Payee keys, {named} part; recall / purity over pairs of rows. Target: {TARGET}.\n")
    print(_as_markdown(table) if options.markdown else _as_text(table))
    print("\n" + filing_sentence(measure_filing(rows)))
    if options.misses:
        print("\n" + "\n".join(misses(rows, look_alikes, options.misses)))
    return 0


def figures_table(rows: Sequence[Row], look_alikes: Sequence[LookAlike]) -> list[list[str]]:
    """The figures as lines of cells, the heading first: all rows, look-alikes, then each country."""
    by_country: dict[str, list[Row]] = {}
    for row in rows:
        by_country.setdefault(row.country, []).append(row)
    everywhere = [measure_keys(rows, keys_of) for keys_of in METHODS.values()]
    at_home = [measure_keys(rows, keys_of, at_home=True) for keys_of in METHODS.values()]
    one_payee = sum(pair.same for pair in look_alikes)
    alike = [measure_look_alikes(look_alikes, keys_of) for keys_of in METHODS.values()]
    return [
        ["", "rows", "pairs", *METHODS],
        ["All", *_counts(everywhere[0]), *map(_recall_and_purity, everywhere)],
        ["– pairs of one country", "", str(at_home[0].pairs), *map(_recall_and_purity, at_home)],
        ["Rows with their key's main payee", "", "", *(f"{one.row_purity:.3f}" for one in everywhere)],
        ["Look-alikes judged correctly", "", str(len(look_alikes)),
         *(f"{one.right:.3f}" for one in alike)],
        ["– two payees kept apart", "", str(len(look_alikes) - one_payee),
         *(f"{one.kept_apart:.3f}" for one in alike)],
        ["– one payee joined", "", str(one_payee), *(f"{one.joined:.3f}" for one in alike)],
        *(_country_line(country, by_country[country]) for country in sorted(by_country)),
    ]  # fmt: skip


def filing_sentence(filing: FilingFigures) -> str:
    """What the shipped rules do with the rows, in words."""
    known = filing.right + filing.wrong + filing.open
    return (
        f"Shipped categories, of {known} rows of known category: {filing.right / known:.1%} right, "
        f"{filing.wrong / known:.1%} wrong, {filing.open / known:.1%} left open "
        f"({filing.right}, {filing.wrong}, {filing.open}). "
        f"Of {filing.unknowable} that nobody can know, {filing.guessed} are filed."
    )


def misses(rows: Sequence[Row], look_alikes: Sequence[LookAlike], most: int) -> Iterator[str]:
    """What the shipped keys and categories get wrong, at most so many of each kind."""
    merged = (_pair(left, right) for left, right in merged_pairs(rows, in_households))
    split = (_pair(left, right) for left, right in split_pairs(rows, in_households))
    alike = (
        f"{'split' if pair.same else 'merged'}: {_key(pair.left)} | {_key(pair.right)}"
        for pair in look_alikes
        if not is_told(pair, in_households)
    )
    filed = (
        f"{row.descriptor} → {filed_under(row)}, not {row.category}"
        for row in rows
        if row.category and how_filed(row) == "wrong"
    )
    yield from _listed("Two payees under one key", merged, most)
    yield from _listed("One payee under two keys", split, most)
    yield from _listed("Look-alikes", alike, most)
    yield from _listed("Filed wrongly", filed, most)


def _listed(title: str, lines: Iterable[str], most: int) -> Iterator[str]:
    yield f"{title}:"
    yield from (f"  {line}" for line in islice(lines, most))


def _pair(left: Row, right: Row) -> str:
    labels = left.payee if left.payee == right.payee else f"{left.payee} / {right.payee}"
    return f"{labels}: {_key(left.descriptor, left.name)} | {_key(right.descriptor, right.name)}"


def _key(descriptor: str, name: str | None = None) -> str:
    return f"{descriptor} [{shipped(descriptor, name)}]"


def _country_line(country: str, rows: Sequence[Row]) -> list[str]:
    figures = [measure_keys(rows, keys_of) for keys_of in METHODS.values()]
    return [country, *_counts(figures[0]), *map(_recall_and_purity, figures)]


def _counts(figures: KeyFigures) -> tuple[str, str]:
    return str(figures.rows), str(figures.pairs)


def _recall_and_purity(figures: KeyFigures) -> str:
    recall = "–" if figures.recall is None else f"{figures.recall:.3f}"
    return f"{recall} / {figures.purity:.3f}"


def _as_text(table: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    )


def _as_markdown(table: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(line) + " |" for line in table]
    return "\n".join([lines[0], "|" + " --- |" * len(table[0]), *lines[1:]])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks.quality.payee_table.score")
    parser.add_argument("--markdown", action="store_true", help="the table for the handbook")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--report", action="store_true", help="the reporting part; figures only")
    shown.add_argument("--misses", type=int, default=0, metavar="N", help="N misses of each kind")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
