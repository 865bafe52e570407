"""What a generated household promises: it is the same for a seed, and its labels agree with its rows.

Rough ones too: what is missed, moved, cancelled and imitated, with its truth beside it. A stream is
due by its schedule.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import chain, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from benchmarks.quality.frozen import rough_digest
from benchmarks.quality.parts import GROUP, REPORTING, TUNING
from benchmarks.quality.rough import __main__ as command, parts
from benchmarks.quality.rough.household import rough_household
from benchmarks.quality.rough.judging import PARTS_OF_ONE, band_of, calibration_error, judge_group
from benchmarks.quality.rough.quarterly import NOW_AND_THEN, STRAYS
from benchmarks.quality.world import rates
from benchmarks.quality.world.household import household
from benchmarks.quality.world.rates import NOISE
from benchmarks.quality.world.schedule import Schedule, drawn, every_four_weeks, occurrences
from benchmarks.quality.world.truth import Household, LabelledRow, knowable
from finplan.model.plan import Cadence

_QUALITY = Path(__file__).parents[2] / "benchmarks" / "quality"
_NOT_FIRST = {
    "linked loan", "subscription", "mixed bill", "rent share", "unlinked card", "account number",
}  # fmt: skip
"""Charges that have a rate of their own."""


def test_a_seed_makes_one_household() -> None:
    """The same seed and level make the same household; another seed or level makes another."""
    assert household(3, "noisy") == household(3, "noisy")
    assert household(3, "noisy") != household(4, "noisy")
    assert household(3, "noisy").rows != household(3, "clean").rows


def test_the_parts_have_no_seed_in_common() -> None:
    """No household is both tuned on and reported, and each figure has at least five whole groups."""
    seeds = [seed for group in (*TUNING, *REPORTING) for seed in group]
    assert len(seeds) == len(set(seeds))
    assert min(len(TUNING), len(REPORTING)) >= 5
    assert {len(group) for group in (*TUNING, *REPORTING)} == {GROUP}


def test_the_generator_knows_no_detector() -> None:
    """Nothing that makes households or labels imports a room that detects anything."""
    making = list((_QUALITY / "world").glob("*.py"))
    imported = {name for path in making for name in _imports(path)}
    assert len(making) > 10
    assert {name for name in imported if name.startswith("finplan")} <= {
        "finplan.model.account",
        "finplan.model.plan",
    }
    ours = {name for name in imported if name.startswith("benchmarks")}
    assert all(name.startswith("benchmarks.quality.world") for name in ours)


def test_rows_lie_in_the_history_of_their_accounts(noisy: list[Household]) -> None:
    """Every row is on an own account, on a day that its statements hold, with a text and an amount."""
    for one in noisy:
        accounts = {account.number for account in one.accounts}
        assert all(row.account in accounts and row.raw.strip() and row.amount for row in one.rows)
        for row in one.rows:
            spans = one.coverage[row.account]
            assert sum(span.since <= row.day <= span.until for span in spans) == 1
        assert [row.day for row in one.rows] == sorted(row.day for row in one.rows)


def test_no_template_is_left_unfilled(noisy: list[Household]) -> None:
    """A descriptor reads as a bank writes it: no placeholder is left in it."""
    texts = [row.raw for one in noisy for row in one.rows]
    assert not [text for text in texts if "{" in text or "~" in text]


def test_a_stream_label_agrees_with_its_rows(noisy: list[Household]) -> None:
    """A row is of one stream at most, of its payee, its direction and of counted accounts."""
    for one in noisy:
        streams = {stream.number: stream for stream in one.streams}
        assert len(streams) == len(one.streams)
        counted = {held.number for held in one.accounts if held.kind in {"depository", "credit"}}
        for row in one.rows:
            if row.stream is not None:
                stream = streams[row.stream]
                assert row.payee == stream.payee
                assert (row.amount > 0) == (stream.side == "income")
                assert row.account in counted
                assert not row.cash


def test_both_legs_of_a_pair_are_one_movement(noisy: list[Household]) -> None:
    """A pair is two rows on two own accounts, out and in, near in time, equal but for a small fee.

    A card's credit may be booked up to five days before its debit or after; what goes to another
    currency is another amount there.
    """
    for one in noisy:
        held = {account.number: account for account in one.accounts}
        legs: dict[int, list[LabelledRow]] = defaultdict(list)
        for row in one.rows:
            if row.pair is not None:
                legs[row.pair].append(row)
        for two in legs.values():
            out, into = sorted(two, key=lambda row: row.amount)
            assert out.account != into.account
            assert out.amount < 0 < into.amount
            if held[out.account].currency == held[into.account].currency:
                assert 0 <= -out.amount - into.amount <= max(2_500, -out.amount // 100)
            days = (into.day - out.day).days
            assert -5 <= days <= 5 if held[into.account].kind == "credit" else -1 <= days <= 4


def test_the_next_date_lies_ahead(noisy: list[Household]) -> None:
    """What is due next is due within a period, or was due at most two days ago and is late."""
    for one in noisy:
        for stream in one.streams:
            if stream.next_date is not None:
                assert stream.active
                assert -2 <= (stream.next_date - one.today).days <= 400
            elif stream.cadence != "irregular" and stream.active:
                # It is overdue by weeks, and nobody can tell for how many.
                assert stream.next is not None
                assert stream.cadence in {"quarterly", "twice_yearly"}


@pytest.mark.thorough
def test_what_ended_has_missed_what_was_due(clean: list[Household]) -> None:
    """A stream is labelled as ended only after two due days without a row, an annual one after one."""
    periods = {"weekly": 7, "biweekly": 14, "semimonthly": 13, "monthly": 28, "quarterly": 89}
    ended = Counter[str]()
    for one in clean:
        for stream in one.streams:
            last = max((row.day for row in one.rows if row.stream == stream.number), default=None)
            if last is None or stream.active is not False:
                continue
            silent = (one.today - last).days
            if stream.cadence in periods:
                assert silent >= 2 * periods[stream.cadence]
            elif stream.cadence == "annual":
                assert silent > 365 + 40
            assert stream.next is None
            ended[stream.cadence] += 1
    assert sum(ended.values()) > 100
    assert ended["annual"] > 5


@pytest.mark.thorough
def test_what_comes_next_is_the_stream_itself(clean: list[Household]) -> None:
    """Without noise what comes next is what is due, at its amount; of some nothing comes, unseen."""
    stops = 0
    for one in clean:
        for stream in one.streams:
            if stream.next_date is not None and stream.next_amount is not None:
                assert stream.next == (stream.next_date, stream.next_amount)
            stops += stream.active is None and stream.cadence != "irregular"
    assert stops > 10


def test_some_charges_stop_with_their_card(noisy: list[Household]) -> None:
    """On a card that was closed nothing is charged from some day on: it moved, or ended."""
    died = [
        (one, stream) for one in noisy for stream in one.streams if "card died" in stream.quirks
    ]
    assert died
    for one, stream in died:
        card = one.accounts[3].number
        last = max(row.day for row in one.rows if row.account == card and row.pair is None)
        assert (one.today - last).days >= 59
        assert all(row.day <= last for row in one.rows if row.stream == stream.number)


def test_holes_are_empty_and_told(noisy: list[Household]) -> None:
    """Of some accounts statements are missing for weeks: no row is there, and the coverage says so."""
    holes = 0
    for one in noisy:
        for number, spans in one.coverage.items():
            days = sorted(row.day for row in one.rows if row.account == number)
            for before, after in pairwise(spans):
                assert (after.since - before.until).days >= 35
                assert not [day for day in days if before.until < day < after.since]
                holes += 1
    assert 3 <= holes <= 15


def test_only_what_can_be_known_is_truth(noisy: list[Household]) -> None:
    """Three occurrences make a stream, for an annual one two within 15 % at a payee that says so."""
    assert knowable("annual", [100, 115], says_yearly=True)
    assert not knowable("annual", [100, 116], says_yearly=True)
    assert not knowable("annual", [100, 84], says_yearly=True)
    assert not knowable("annual", [100, 100])
    assert knowable("annual", [100, 100, 100])
    assert not knowable("twice_yearly", [100, 100])
    assert knowable("monthly", [100, 110, 120])
    for one in noisy:
        for stream in one.streams:
            days = {row.day for row in one.rows if row.stream == stream.number}
            if stream.knowable:
                assert len(days) >= (2 if stream.cadence == "annual" else 3)


def test_the_base_rates_hold(noisy: list[Household]) -> None:
    """What the rates say is what is generated, within what chance allows over fifty households."""
    first = [
        stream
        for one in noisy
        for stream in one.streams
        if stream.side == "charge"
        and stream.what not in _NOT_FIRST
        and "second at payee" not in stream.quirks
    ]
    of_cadence = Counter(stream.cadence for stream in first)
    for cadence, mean in rates.CHARGES.items():
        assert of_cadence[cadence] / len(noisy) == pytest.approx(mean, rel=0.2)
    step = [stream for stream in first if stream.cadence != "annual"]
    stepped = sum("price step" in stream.quirks for stream in step) / len(step)
    assert stepped == pytest.approx(rates.NOISE["noisy"].stepped, abs=0.06)
    late = sum("late" in stream.quirks for stream in first) / len(first)
    assert late == pytest.approx(rates.LATE, abs=0.03)
    second = sum("second at payee" in s.quirks for one in noisy for s in one.streams) / len(noisy)
    assert second == pytest.approx(rates.SECOND_STREAMS, rel=0.35)
    cards = sum(sum(a.kind == "credit" for a in one.accounts) == 2 for one in noisy) / len(noisy)
    assert cards == pytest.approx(rates.SECOND_CARD, abs=0.2)


@pytest.mark.thorough
def test_clean_data_have_no_noise(clean: list[Household]) -> None:
    """Without noise every amount of a stream is its price and weekly charges are seven days apart."""
    for one in clean:
        rows: dict[int, list[LabelledRow]] = defaultdict(list)
        for row in one.rows:
            if row.stream is not None:
                rows[row.stream].append(row)
        for stream in one.streams:
            if stream.cadence == "irregular" or "split" in stream.quirks:
                continue
            if stream.what != "unlinked card":
                assert len({row.amount for row in rows[stream.number]}) <= 1
            if stream.cadence == "weekly":
                days = [row.day.toordinal() for row in rows[stream.number]]
                assert {day - days[0] for day in days} <= set(range(0, 1300, 7))


def test_habits_and_traps_are_in_no_stream(noisy: list[Household]) -> None:
    """There is cash, and it is in no stream; most rows of shops are in none either."""
    cash = [row for one in noisy for row in one.rows if row.cash]
    assert len(cash) > 200
    assert all(row.stream is None and row.pair is None and row.amount < 0 for row in cash)


def _imports(path: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "benchmarks.quality":
                yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_a_seed_always_makes_the_same_household() -> None:
    """Rows and truth are those of the seed alone."""
    assert rough_household(1) == rough_household(1)
    assert rough_household(1).rows != rough_household(2).rows


def test_the_parts_share_no_seed() -> None:
    """Nothing that is reported was tuned on."""
    tuning, reporting = ({*chain.from_iterable(groups)} for groups in parts.PARTS.values())
    assert not tuning & reporting


def test_noisy_quarterly_bills_stray_and_visits_are_labelled() -> None:
    """Over some households there are both, and bills come about a quarter apart."""
    kinds: Counter[str] = Counter()
    for seed in range(12):
        made = rough_household(seed)
        kinds["visits"] += any(row.payee.endswith(NOW_AND_THEN) for row in made.rows)
        for stream in made.streams:
            if stream.what == "noisy quarterly":
                days = [row.day for row in made.rows if row.stream == stream.number]
                kinds["bills"] += 1
                assert all(
                    (later - earlier).days >= 85 - 2 * STRAYS for earlier, later in pairwise(days)
                )
            kinds["yearly"] += stream.what.startswith("yearly")
    assert min(kinds["visits"], kinds["bills"], kinds["yearly"]) > 2


def test_the_calibration_error_weighs_bands_by_their_forecasts() -> None:
    """Ninety forecasts of 0.9 that come as said and ten of 0.6 that never come are off by 0.06."""
    tally = Counter({"all 9 of": 90, "all 9 said": 81 * PARTS_OF_ONE, "all 9": 81})
    assert calibration_error(tally, "all") == 0
    tally += Counter({"all 6 of": 10, "all 6 said": 6 * PARTS_OF_ONE})
    assert calibration_error(tally, "all") == pytest.approx(0.06)
    assert calibration_error(Counter(), "all") == 0
    assert (band_of(0.5), band_of(0.99), band_of(1.0)) == (5, 9, 9)


@pytest.mark.thorough
def test_a_group_adds_up_its_households() -> None:
    """What is judged of a group is the sum of its households."""
    both = judge_group([0, 1])
    first, second = judge_group([0]), judge_group([1])
    assert both == {name: first[name] + second[name] for name in {*first, *second}}


@pytest.mark.thorough
def test_the_command_prints_every_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall and precision, cash, what came once, and the bands of all accounts and of cards."""
    monkeypatch.setitem(parts.PARTS, "tuning", (range(2),))
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    for figure in ("recall", "precision", "cash", "came true", "0.9 to 1", "Calibration error"):
        assert figure in printed
    assert "Tuning: 2 rough households" in printed
    assert f"Rough {rough_digest()}." in printed


def test_the_handbook_tells_of_these_households() -> None:
    """Whoever changes them measures again."""
    handbook = Path(__file__).parents[2] / "finplan" / "docs" / "quality.md"
    assert f"Rough {rough_digest()}" in handbook.read_text("utf-8")


_CADENCES: tuple[Cadence, ...] = (
    "weekly",
    "biweekly",
    "semimonthly",
    "monthly",
    "quarterly",
    "twice_yearly",
    "annual",
)
_TIMES_IN_FOUR_YEARS = {
    "weekly": (208, 210),
    "biweekly": (104, 105),
    "semimonthly": (95, 97),
    "monthly": (47, 49),
    "quarterly": (15, 17),
    "twice_yearly": (7, 9),
    "annual": (3, 5),
}


def test_the_last_day_of_the_month_moves_with_its_length() -> None:
    """What is due on the 31st is due on the last day of shorter months, on the 29th in a leap year."""
    schedule = Schedule("monthly", date(2024, 1, 31), (31,), 0)
    due = list(schedule.due(date(2024, 1, 1), date(2024, 4, 30)))
    assert due == [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]


@pytest.mark.parametrize(
    ("rule", "day"), [(1, date(2026, 8, 17)), (-1, date(2026, 8, 14)), (0, date(2026, 8, 15))]
)
def test_a_weekend_goes_where_the_rule_says(rule: int, day: date) -> None:
    """The 15th of August 2026 is a Saturday: Monday, the Friday before, or the day itself."""
    schedule = Schedule("monthly", date(2026, 8, 15), (15,), rule)
    assert list(schedule.due(date(2026, 8, 1), date(2026, 8, 31))) == [day]


def test_a_weekday_of_a_week_is_the_one_of_each_month() -> None:
    """The third Wednesdays of June to August 2026 are the 17th, the 15th and the 19th."""
    schedule = Schedule("monthly", date(2026, 6, 1), (), 0, nth=(2, 3))
    due = list(schedule.due(date(2026, 6, 1), date(2026, 8, 31)))
    assert due == [date(2026, 6, 17), date(2026, 7, 15), date(2026, 8, 19)]


@pytest.mark.parametrize("seed", range(20))
def test_four_weeks_are_28_days_on_a_working_day(seed: int) -> None:
    """What comes every four weeks comes on one weekday, never on a weekend, thirteen times a year."""
    today = date(2026, 8, 15)
    due = list(every_four_weeks(today, Random(seed)).due(today, today + timedelta(363)))
    assert len(due) == 13
    assert {(later - day).days for day, later in pairwise(due)} == {28}
    assert due[0].weekday() < 5


@given(
    cadence=st.sampled_from(_CADENCES),
    seed=st.integers(0, 10_000),
    rule=st.sampled_from((-1, 0, 1)),
    today=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
)
def test_cadences_are_due_on_time(cadence: Cadence, seed: int, rule: int, today: date) -> None:
    """Over four years a schedule is due as often as its cadence says, each day once, in order."""
    due = list(drawn(cadence, today, rule, Random(seed)).due(today, today + timedelta(1461)))
    least, most = _TIMES_IN_FOUR_YEARS[cadence]
    assert least <= len(due) <= most
    assert due == sorted(set(due))
    if rule:
        assert all(day.weekday() < 5 for day in due)


def test_noise_is_as_frequent_as_it_says() -> None:
    """Of many due days 15 % are booked beside the due day, at most two days off, and 3 % are skipped."""
    dice, today = Random(1), date(2026, 6, 30)
    schedule = Schedule("weekly", today, (), 0)
    since = today - timedelta(7 * 9_999)
    seen = occurrences(schedule, schedule.due(since, today), NOISE["noisy"], dice)
    assert len(seen) / 10_000 == pytest.approx(0.97, abs=0.01)
    off = [(one.booked - one.due).days for one in seen if one.booked != one.due]
    assert len(off) / len(seen) == pytest.approx(0.15, abs=0.015)
    assert set(off) == {-1, 1, 2}
