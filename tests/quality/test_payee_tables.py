"""The hand-labelled payees: the tables are whole, and the scorer counts what it says it counts."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.quality.payee_table import filing, score
from benchmarks.quality.payee_table.keys import (
    first_word,
    letters_only,
    measure_keys,
    measure_look_alikes,
    merged_pairs,
    one_by_one,
    raw_text,
    split_pairs,
)
from benchmarks.quality.payee_table.rows import LookAlike, Part, Row, read_look_alikes, read_rows
from finplan.categorise.catalogue import BUILT_IN

PARTS: tuple[Part, Part] = ("tuning", "reporting")
ALL_PARTS: tuple[Part, ...] = ("tuning", "abroad", "reporting")
COUNTRIES = {"US", "GB", "DE", "FR", "ES", "IT", "NL", "CA", "AU", "BR", "IN"}
FEW_ROWS = {"SE", "PL", "MX", "ZA", "JP", "KR"}
"""Countries of which some shapes are looked at, too few for a figure of their own."""
IN_BOTH_PARTS = {
    "amazon", "paypal", "cash-withdrawal", "paper-check", "bank-fee-account", "bank-fee-atm",
    "bank-fee-late", "bank-fee-transfer", "bank-interest", "own-savings-transfer",
}  # fmt: skip
"""Payees of both parts: a giant and a rail that everybody pays, and what names nobody."""


def labelled(
    descriptor: str, payee: str, category: str | None = None, direction: str = "out"
) -> Row:
    """One labelled row of no bank's name."""
    return Row(descriptor, None, "US", direction, payee, category, "")


def by_first_letter(descriptor: str, _name: str | None) -> str:
    """A key that a reader can compute by eye."""
    return descriptor[0]


@pytest.mark.parametrize("part", ALL_PARTS)
def test_every_row_is_complete(part: Part) -> None:
    """Each row has a descriptor as a bank prints it, a known country, a direction and a payee's slug."""
    for row in read_rows(part):
        assert row.descriptor == row.descriptor.strip() != "", row
        assert row.country in COUNTRIES | FEW_ROWS, row
        assert row.direction in ("in", "out"), row
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.payee), row


@pytest.mark.parametrize("part", ALL_PARTS)
def test_every_category_is_of_the_catalogue(part: Part) -> None:
    """A label is an id of the catalogue and never says "not known": that is an empty cell."""
    known = BUILT_IN.keys() - {"uncategorized", "unknown_inflow"}
    assert {row.category for row in read_rows(part)} <= known | {None}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_large_and_of_all_countries(part: Part) -> None:
    """Each part has 420 rows or more of all countries, many of them American, of pairs and singles."""
    rows = read_rows(part)
    payees = [row.payee for row in rows]
    assert len(rows) >= 420
    assert {row.country for row in rows} - FEW_ROWS == COUNTRIES
    assert 0.25 <= sum(row.country == "US" for row in rows) / len(rows) <= 0.6
    assert 0.15 <= sum(payees.count(payee) == 1 for payee in set(payees)) / len(set(payees)) <= 0.4
    assert 0.015 <= sum(row.name is not None for row in rows) / len(rows) <= 0.08


def test_every_country_is_there_to_tune_on() -> None:
    """The tuning part has 40 rows or more of each country, so that none is tuned on by a few."""
    countries = Counter(row.country for row in read_rows("tuning"))
    assert min(countries[country] for country in COUNTRIES) >= 40


@pytest.mark.parametrize("parts", [("tuning", "abroad"), ("reporting",)])
def test_every_country_has_pairs_enough_for_a_figure(parts: tuple[Part, ...]) -> None:
    """To tune on and to report, each country has 150 pairs of one payee or more."""
    rows = [row for part in parts for row in read_rows(part)]
    for country in COUNTRIES:
        payees = Counter(row.payee for row in rows if row.country == country)
        assert sum(count * (count - 1) // 2 for count in payees.values()) >= 150, country


@pytest.mark.parametrize("part", ALL_PARTS)
def test_a_payee_is_for_one_thing(part: Part) -> None:
    """A payee's rows of one direction agree on their category, but for those that nobody can know."""
    lines: dict[tuple[str, str], set[str]] = {}
    for row in read_rows(part):
        if row.category:
            lines.setdefault((row.payee, row.direction), set()).add(row.category)
    assert [payee for payee, categories in lines.items() if len(categories) > 1] == []


def test_the_parts_share_no_descriptor_and_few_payees() -> None:
    """No descriptor stands twice, in a part or in both, and only the named payees are of both parts."""
    tuning, reporting = (read_rows(part) for part in PARTS)
    abroad = read_rows("abroad")
    descriptors = Counter(row.descriptor for row in (*tuning, *abroad, *reporting))
    twice = [descriptor for descriptor, count in descriptors.items() if count > 1]
    assert twice == []
    in_both = {row.payee for row in (*tuning, *abroad)} & {row.payee for row in reporting}
    assert sorted(in_both ^ IN_BOTH_PARTS) == []


def test_the_look_alikes_are_distinct_and_mostly_two_payees() -> None:
    """There are 200 pairs or more, none twice, none of equal texts, and each part has both kinds."""
    halves = [read_look_alikes(part) for part in PARTS]
    pairs = [frozenset((pair.left, pair.right)) for half in halves for pair in half]
    assert len(pairs) >= 200
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 for pair in pairs)
    for half in halves:
        assert 0.1 <= sum(pair.same for pair in half) / len(half) <= 0.4


def test_key_figures_of_a_case_by_hand() -> None:
    """Recall is over pairs of one payee, purity over pairs of one key or over rows."""
    rows = [
        labelled("a1", "shop"),
        labelled("a2", "shop"),
        labelled("b3", "shop"),
        labelled("b4", "shop"),
        labelled("b5", "inn"),
        labelled("c6", "inn"),
    ]
    figures = measure_keys(rows, one_by_one(by_first_letter))
    assert (figures.rows, figures.pairs) == (6, 7)
    assert figures.recall == 2 / 7
    assert figures.purity == 2 / 4
    assert figures.row_purity == 5 / 6
    merged = [
        f"{left.descriptor}{right.descriptor}"
        for left, right in merged_pairs(rows, one_by_one(by_first_letter))
    ]
    split = [
        f"{left.descriptor}{right.descriptor}"
        for left, right in split_pairs(rows, one_by_one(by_first_letter))
    ]
    assert merged == ["b3b5", "b4b5"]
    assert split == ["a1b3", "a1b4", "a2b3", "a2b4", "b5c6"]


def test_pairs_of_one_country() -> None:
    """Looked at country by country, neither a payee nor a key reaches over a border."""
    rows = [labelled("a1", "shop"), labelled("a2", "shop"), labelled("a3", "inn")]
    abroad = [replace(row, country="GB") for row in rows[1:]]
    figures = measure_keys([rows[0], *abroad], one_by_one(by_first_letter), at_home=True)
    assert (figures.pairs, figures.recall, figures.purity) == (0, None, 0.0)


def test_key_figures_without_pairs() -> None:
    """Rows of one payee each have no recall, and keys that join nothing are pure."""
    figures = measure_keys(
        [labelled("a1", "shop"), labelled("b2", "inn")], one_by_one(by_first_letter)
    )
    assert (figures.pairs, figures.recall, figures.purity) == (0, None, 1.0)


def test_look_alike_figures_of_a_case_by_hand() -> None:
    """Pairs of two payees must have two keys, and pairs of one payee one."""
    pairs = [
        LookAlike("a1", "b1", same=False),
        LookAlike("a1", "a2", same=False),
        LookAlike("c1", "c2", same=False),
        LookAlike("a1", "a3", same=True),
    ]
    figures = measure_look_alikes(pairs, one_by_one(by_first_letter))
    assert (figures.right, figures.kept_apart, figures.joined) == (2 / 4, 1 / 3, 1.0)


def test_the_plain_keys_are_plain() -> None:
    """The keys beside finplan's are the text, its letters in lower case, and its first word."""
    text = "SQ *JOE'S 12 Café"
    assert raw_text(text, "Joe's") == text
    assert letters_only(text, "Joe's") == "sq joe s café"
    assert first_word(text, "Joe's") == "sq"


def test_filing_of_a_case_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A filed row is right or wrong, an unfiled one open, and both lines of a card payment are one."""
    answers = {
        "food": "groceries",
        "fuel": "dining",
        "odd": None,
        "card": "unlinked_card",
        "bazaar": "shopping",
    }
    monkeypatch.setattr(filing, "filed_under", lambda row: answers[row.descriptor])
    rows = [
        labelled("food", "shop", "groceries"),
        labelled("fuel", "pump", "transport"),
        labelled("odd", "club", "hobbies"),
        labelled("card", "bank", "card_payment"),
        labelled("bazaar", "market"),
        labelled("odd", "person"),
    ]
    assert filing.measure_filing(rows) == (2, 1, 1, 2, 1)


def test_the_reporting_part_shows_no_misses() -> None:
    """Asking for the misses of the reporting part is refused."""
    with pytest.raises(SystemExit):
        score.main(["--report", "--misses", "3"])


@pytest.mark.thorough
def test_the_table_has_a_line_for_all_and_for_each_country(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The tuning part prints one line for all rows, one for each country, and its misses when asked."""
    assert score.main(["--markdown", "--misses", "1"]) == 0
    printed = capsys.readouterr().out
    assert "| All | " in printed
    assert all(f"| {country} | " in printed for country in COUNTRIES)
    assert "One payee under two keys:" in printed
