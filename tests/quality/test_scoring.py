"""The scorers are fair: the truth scores full marks, and every kind of mistake costs.

The tables of payees are whole; the command runs detectors over households, and prints what they are
worth.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest

import finplan
from benchmarks.quality import __main__ as command, baseline, beside, chain, parts, speed
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.figures import WANTED, Figure, as_markdown, as_text, figures
from benchmarks.quality.frozen import generator_digest
from benchmarks.quality.payee_table import filing, keys, score
from benchmarks.quality.payee_table.rows import LookAlike, Part, Row, read_look_alikes, read_rows
from benchmarks.quality.running import run_group
from benchmarks.quality.scoring import judge
from benchmarks.quality.world.truth import Household, TrueStream
from finplan.categorise.catalogue import BUILT_IN
from tests.quality.perfect import perfect_findings
from tests.says import says


@pytest.fixture
def one(noisy: list[Household]) -> Household:
    return noisy[1]


def _share(household: Household, findings: Findings, figure: str) -> float:
    tally = judge(household, findings).tally
    return tally[figure] / tally[f"{figure} of"]


def test_the_truth_scores_full_marks(noisy: list[Household]) -> None:
    """A detector that says exactly the truth has 1.0 in every figure of the table."""
    for household in noisy:
        verdict = judge(household, perfect_findings(household))
        assert verdict.misses == []
        for wanted in WANTED:
            full = 0 if wanted.is_mistakes else verdict.tally[f"{wanted.tallied} of"]
            assert verdict.tally[wanted.tallied] == full


def test_every_figure_of_the_table_is_judged(noisy: list[Household]) -> None:
    """No figure of the table is empty over many households."""
    tallies = [judge(household, perfect_findings(household)).tally for household in noisy]
    assert all(sum(tally[f"{one.tallied} of"] for tally in tallies) > 0 for one in WANTED)


def test_silence_finds_nothing(one: Household) -> None:
    """A detector that says nothing has recall 0, and no precision at all."""
    tally = judge(one, Findings([], [], [])).tally
    assert tally["charge recall"] == tally["income recall"] == tally["transfer recall"] == 0
    assert tally["charge recall of"] > 10
    assert tally["charge precision of"] == 0


def test_a_dropped_series_lowers_recall_and_its_cadence(one: Household) -> None:
    """A charge that is not found counts against recall, and as a wrong cadence."""
    truth = perfect_findings(one)
    dropped = truth.charges[0]
    verdict = judge(one, replace(truth, charges=truth.charges[1:]))
    assert verdict.tally["charge recall"] == verdict.tally["charge recall of"] - 1
    cadence = f"cadence {dropped.cadence}"
    assert verdict.tally[cadence] == verdict.tally[f"{cadence} of"] - 1
    assert verdict.tally["charge precision"] == verdict.tally["charge precision of"]


def _invented(household: Household, *, cash: bool) -> Claim:
    rows = [
        at
        for at, row in enumerate(household.rows)
        if row.stream is None and row.pair is None and row.amount < 0 and row.cash == cash
    ]
    return Claim(
        "Invented",
        frozenset(rows[:5]),
        frozenset(),
        "monthly",
        active=True,
        next_date=None,
        amount=100,
    )


WITHOUT_CASH = "charge precision without cash"


def test_an_invented_series_lowers_precision(one: Household) -> None:
    """A series of a habit's rows counts against precision, cash left out or not."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[*truth.charges, _invented(one, cash=False)])
    assert _share(one, wrong, "charge precision") < 1
    assert _share(one, wrong, WITHOUT_CASH) < 1
    assert _share(one, wrong, "charge recall") == 1


def test_a_cash_habit_lowers_only_the_headline(noisy: list[Household]) -> None:
    """A series of cash withdrawals is wrong, and left out where the figure says so."""
    household = next(one for one in noisy if sum(row.cash for row in one.rows) > 5)
    truth = perfect_findings(household)
    wrong = replace(truth, charges=[*truth.charges, _invented(household, cash=True)])
    assert _share(household, wrong, "charge precision") < 1
    assert _share(household, wrong, WITHOUT_CASH) == 1


def test_a_second_living_series_of_one_stream_is_wrong(one: Household) -> None:
    """A stream told twice is wrong while both are active; an old part that stopped counts nowhere."""
    truth = perfect_findings(one)
    again = truth.charges[0]
    part = replace(again, shown=frozenset(sorted(again.shown)[:3]), active=True)
    assert _share(one, replace(truth, charges=[*truth.charges, part]), "charge precision") < 1
    rest = replace(truth, charges=[*truth.charges, replace(part, active=False)])
    assert _share(one, rest, "charge precision") == 1
    assert judge(one, rest).tally["charge remainders"] == 1


def _ended(household: Household, cadence: str) -> tuple[TrueStream, Claim] | None:
    truth = perfect_findings(household)
    for stream in household.streams:
        if stream.side == "charge" and stream.active is False and stream.cadence == cadence:
            for claim in truth.charges:
                if household.rows[min(claim.shown)].stream == stream.number:
                    return stream, claim
    return None


def test_what_ended_is_wrong_if_it_is_said_to_go_on(noisy: list[Household]) -> None:
    """An ended charge need not be told; that it goes on is false, and that it is dormant right."""
    household, claim = next(
        (one, found[1]) for one in noisy if (found := _ended(one, "annual")) is not None
    )
    truth = perfect_findings(household)
    rest = [one for one in truth.charges if one is not claim and one.shown != claim.shown]
    untold = judge(household, replace(truth, charges=rest)).tally
    whole = judge(household, truth).tally
    assert untold["charge recall of"] == whole["charge recall of"] == untold["charge recall"]
    assert untold["charge precision of"] == whole["charge precision of"] - 1
    living = replace(truth, charges=[*rest, replace(claim, active=True)])
    for figure in ("charge precision", "annual precision", "charge active"):
        assert _share(household, living, figure) < 1, figure


def test_an_annual_claim_must_be_truly_annual(one: Household) -> None:
    """A monthly charge and an invention that are said to be annual lower the annual precision."""
    truth = perfect_findings(one)
    monthly = next(claim for claim in truth.charges if claim.cadence == "monthly" and claim.active)
    rest = [claim for claim in truth.charges if claim is not monthly]
    wrong = replace(truth, charges=[*rest, replace(monthly, cadence="annual")])
    assert _share(one, wrong, "annual precision") < 1
    invented = replace(_invented(one, cash=False), cadence="annual")
    assert _share(one, replace(truth, charges=[*truth.charges, invented]), "annual precision") < 1


def test_an_annual_charge_that_nobody_could_know_is_annual(noisy: list[Household]) -> None:
    """A guess about an annual charge counts as annual though nobody could know it, and nowhere else."""
    for one in noisy:
        for stream in one.streams:
            places = frozenset(at for at, row in enumerate(one.rows) if row.stream == stream.number)
            guessed = stream.cadence == "annual" and not stream.knowable and stream.active
            if guessed and len(places) == 2:
                truth = perfect_findings(one)
                guess = Claim("", places, frozenset(), "annual", True, None, 100)  # noqa: FBT003
                before, after = (
                    judge(one, replace(truth, charges=[*truth.charges, *more])).tally
                    for more in ([], [guess])
                )
                assert after["annual precision"] == before["annual precision"] + 1
                assert after["charge precision of"] == before["charge precision of"]
                return
    raise AssertionError


def test_false_series_are_counted_per_payee_without_a_bill(one: Household) -> None:
    """Each living invention is one false series; the payees are those paid twice or more for no bill."""
    truth = perfect_findings(one)
    whole = judge(one, truth).tally
    billed = {stream.payee for stream in one.streams if stream.side == "charge"}
    paid = Counter(
        row.payee for row in one.rows if row.amount < 0 and row.pair is None and not row.cash
    )
    assert whole["false series of"] == sum(
        times > 1 and payee not in billed for payee, times in paid.items()
    )
    invented = replace(_invented(one, cash=False), active=True)
    for active, more in ((True, 1), (False, 0)):
        made_up = [*truth.charges, replace(invented, active=active)]
        tally = judge(one, replace(truth, charges=made_up)).tally
        assert tally["false series"] == whole["false series"] + more


def test_two_streams_told_as_one_are_both_missed(one: Household) -> None:
    """A series of two equally frequent streams holds most of neither: two misses and an invention."""
    truth = perfect_findings(one)
    first, second = next(
        (one, other)
        for one, other in combinations([claim for claim in truth.charges if claim.active], 2)
        if one.cadence == other.cadence and 0.7 < len(one.shown) / len(other.shown) < 1.4
    )
    merged = replace(first, shown=first.shown | second.shown)
    rest = [claim for claim in truth.charges if claim not in (first, second)]
    tally = judge(one, replace(truth, charges=[*rest, merged])).tally
    assert tally["charge recall"] == tally["charge recall of"] - 2
    assert tally["charge precision"] == tally["charge precision of"] - 1


_MISTAKES: dict[str, Callable[[Claim], Claim]] = {
    "charge active": lambda claim: replace(claim, active=not claim.active),
    "next date": lambda claim: replace(
        claim, next_date=claim.next_date and claim.next_date + timedelta(4)
    ),
    "charge next date and amount": lambda claim: replace(claim, amount=claim.amount * 2),
    "charge next date": lambda claim: replace(claim, next_date=None),
}


@pytest.mark.parametrize("figure", _MISTAKES)
def test_a_wrong_fact_of_a_series_costs(one: Household, figure: str) -> None:
    """A wrong state, date or amount counts against its figure."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[_MISTAKES[figure](claim) for claim in truth.charges])
    assert _share(one, wrong, figure) < 0.5
    assert _share(one, wrong, "charge recall") == 1


def test_a_wrong_cadence_is_no_match_of_its_cadence(one: Household) -> None:
    """The rows are found, the cadence is not."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[replace(claim, cadence="irregular") for claim in truth.charges])
    assert _share(one, wrong, "cadence twice_yearly") == 0
    assert _share(one, wrong, "charge recall") == 1


def test_a_series_that_shows_its_latest_rows_claims_the_earlier_ones(one: Household) -> None:
    """Rows before those shown count if the series began before them, else they are missed."""
    truth = perfect_findings(one)
    weekly = next(claim for claim in truth.charges if len(claim.shown) > 60)
    latest = frozenset(sorted(weekly.shown)[-20:])
    rest = [claim for claim in truth.charges if claim is not weekly]
    whole = replace(weekly, shown=latest, before=weekly.shown - latest)
    assert _share(one, replace(truth, charges=[*rest, whole]), "charge recall") == 1
    part = replace(weekly, shown=latest, before=frozenset())
    assert _share(one, replace(truth, charges=[*rest, part]), "charge recall") < 1


def test_a_pair_of_strangers_costs_precision(one: Household) -> None:
    """Two rows that are not one movement count against precision, a missing pair against recall."""
    truth = perfect_findings(one)
    strangers = [at for at, row in enumerate(one.rows) if row.pair is None][:2]
    wrong = replace(truth, pairs=[*truth.pairs[1:], (strangers[0], strangers[1])])
    assert _share(one, wrong, "transfer precision") < 1
    assert _share(one, wrong, "transfer recall") < 1


@pytest.mark.parametrize("finder", [chain, baseline])
def test_findings_are_about_rows_of_the_household(finder: object, noisy: list[Household]) -> None:
    """What a detector says names rows of its own direction; charges go out and income comes in."""
    household = noisy[0]
    found: Findings = finder.findings_of(household)  # type: ignore[attr-defined]
    assert len(found.charges) > 5
    assert len(found.pairs) > 10
    for claim in found.charges:
        assert claim.shown
        assert all(household.rows[place].amount < 0 for place in claim.shown | claim.before)
    for claim in found.sources:
        assert claim.shown
        assert all(household.rows[place].amount > 0 for place in claim.shown | claim.before)
    for out, into in found.pairs:
        assert household.rows[out].amount < 0 < household.rows[into].amount


@pytest.mark.thorough
def test_pay_that_is_split_is_found_on_both_accounts(clean: list[Household]) -> None:
    """A source that adds up the parts of a payday names the rows of both accounts."""
    split = [(one, stream) for one in clean for stream in one.streams if "split" in stream.quirks]
    accounts = []
    for household, stream in split:
        places = {at for at, row in enumerate(household.rows) if row.stream == stream.number}
        accounts += [
            {household.rows[at].account for at in claim.shown & places}
            for claim in chain.findings_of(household).sources
            if len(claim.shown & places) > 3
        ]
    assert accounts
    assert all(len(one) == 2 for one in accounts)


@pytest.mark.thorough
def test_a_group_adds_up_its_households() -> None:
    """The tally of a group is the sum of its households', for each detector."""
    both = run_group([0, 1], "noisy")
    first, second = run_group([0], "noisy"), run_group([1], "noisy")
    assert both.rows == first.rows + second.rows
    for name, tally in both.tallies.items():
        assert tally == first.tallies[name] + second.tallies[name]


def test_a_figure_is_the_median_of_its_groups() -> None:
    """Of three groups the middle one is the figure, and the outer ones are its spread."""
    outcome = run_group([2], "noisy")
    groups = []
    for right in (5, 7, 10):
        tallies = {name: tally.copy() for name, tally in outcome.tallies.items()}
        tallies["finplan"].update({"charge recall": 0, "charge recall of": 0})
        tallies["finplan"]["charge recall"], tallies["finplan"]["charge recall of"] = right, 10
        groups.append(tallies)
    recall = figures(groups, "noisy")[0]
    assert recall.values[0] == 0.7
    assert recall.spread == (0.5, 1.0)
    assert recall.verdict == "missed"
    assert replace(recall, target=0.7).verdict == "met"


def test_a_figure_that_counts_mistakes_has_a_most() -> None:
    """Fewer false series than the target meet it, more do not; the table says which way it goes."""
    few = Figure("False", 100, (0.02, 0.5), (0.01, 0.03), 0.02, is_mistakes=True)
    assert (few.verdict, few.aim) == ("met", "≤ 0.02")
    assert replace(few, values=(0.021, 0.5)).verdict == "missed"
    least = replace(few, is_mistakes=False)
    assert (least.verdict, least.aim) == ("met", "≥ 0.02")
    assert replace(least, values=(0.019, 0.5)).verdict == "missed"
    assert replace(few, target=None).aim == ""


def test_both_tables_have_a_line_for_each_figure() -> None:
    """Text and Markdown have the same cells."""
    lines = [["recall", "1"], ["precision", "22"]]
    assert as_text(("Figure", "Value"), lines, [1]).split() == [
        "Figure", "Value", "recall", "1", "precision", "22",
    ]  # fmt: skip
    assert as_markdown(("Figure", "Value"), lines, [1]).splitlines()[1] == "| --- | ---: |"


@pytest.mark.thorough
def test_the_command_prints_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """Seeds of one's own are judged as a part is, with examples of what went wrong."""
    assert command.main(["--seeds", "0-2", "--misses", "1"]) == 0
    printed = capsys.readouterr().out
    assert all(wanted.shown in printed for wanted in WANTED)
    assert says(printed, "Own seeds, noisy:", "medians of 1")
    assert "wrong" in printed


@pytest.mark.thorough
def test_the_reporting_part_needs_its_flag(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --report the tuning part is judged, with it the other, of which no misses are shown."""
    monkeypatch.setattr(beside, "_HOUSEHOLDS", 1)
    monkeypatch.setitem(parts.PARTS, "tuning", (range(1),))
    monkeypatch.setitem(parts.PARTS, "reporting", (range(1, 2),))
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    assert "Tuning, noisy" in printed
    assert f"Generator {generator_digest()}." in printed
    assert "Came true" in printed
    assert "Other rows in" in printed
    assert command.main(["--report", "--markdown", "--noise", "clean"]) == 0
    assert "Reporting, clean" in capsys.readouterr().out
    for refused in (["--report", "--misses", "3"], ["--report", "--seeds", "1"]):
        with pytest.raises(SystemExit):
            command.main(refused)


def test_bills_beside_other_rows_are_counted_of_a_hundred() -> None:
    """For each number of other rows there is one line, with shares of a hundred for each detector."""
    counts = beside.count(1, households=1)
    assert [one.others for one in counts] == list(range(7))
    assert all(0 <= each <= 100 for one in counts for each in (*one.found, *one.false))
    assert counts[0].found[1] > counts[-1].found[1]
    assert len(beside.table(counts)[0]) == len(beside.HEADINGS)


def test_the_report_names_the_generator_that_the_handbook_names() -> None:
    """The figures of the handbook are of this generator: a change of its sources calls for new ones."""
    handbook = Path(finplan.__file__).parent / "docs" / "quality.md"
    assert f"Generator {generator_digest()}" in handbook.read_text("utf-8")


def test_the_busy_ledger_has_one_payee_with_a_tenth() -> None:
    """A ledger to be timed has exactly so many rows, in the order that the plan reads them."""
    ledger = speed.busy_ledger(2_000)
    assert len(ledger.rows) == 2_000
    assert sum(row[0] == 1 for row in ledger.rows) == 200
    assert [row[0] for row in ledger.rows] == sorted(row[0] for row in ledger.rows)
    assert speed.measure([2_000], rounds=1)[0].seconds > 0


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
    assert [descriptor for descriptor, count in descriptors.items() if count > 1] == []
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
    figures = keys.measure_keys(rows, keys.one_by_one(by_first_letter))
    assert (figures.rows, figures.pairs) == (6, 7)
    assert figures.recall == 2 / 7
    assert figures.purity == 2 / 4
    assert figures.row_purity == 5 / 6
    merged = [
        f"{left.descriptor}{right.descriptor}"
        for left, right in keys.merged_pairs(rows, keys.one_by_one(by_first_letter))
    ]
    split = [
        f"{left.descriptor}{right.descriptor}"
        for left, right in keys.split_pairs(rows, keys.one_by_one(by_first_letter))
    ]
    assert merged == ["b3b5", "b4b5"]
    assert split == ["a1b3", "a1b4", "a2b3", "a2b4", "b5c6"]


def test_pairs_of_one_country() -> None:
    """Looked at country by country, neither a payee nor a key reaches over a border."""
    rows = [labelled("a1", "shop"), labelled("a2", "shop"), labelled("a3", "inn")]
    abroad = [replace(row, country="GB") for row in rows[1:]]
    figures = keys.measure_keys([rows[0], *abroad], keys.one_by_one(by_first_letter), at_home=True)
    assert (figures.pairs, figures.recall, figures.purity) == (0, None, 0.0)


def test_key_figures_without_pairs() -> None:
    """Rows of one payee each have no recall, and keys that join nothing are pure."""
    figures = keys.measure_keys(
        [labelled("a1", "shop"), labelled("b2", "inn")], keys.one_by_one(by_first_letter)
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
    figures = keys.measure_look_alikes(pairs, keys.one_by_one(by_first_letter))
    assert (figures.right, figures.kept_apart, figures.joined) == (2 / 4, 1 / 3, 1.0)


def test_the_plain_keys_are_plain() -> None:
    """The keys beside finplan's are the text, its letters in lower case, and its first word."""
    text = "SQ *JOE'S 12 Café"
    assert keys.raw_text(text, "Joe's") == text
    assert keys.letters_only(text, "Joe's") == "sq joe s café"
    assert keys.first_word(text, "Joe's") == "sq"


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
    assert "under two keys:" in printed
