"""What a generated household promises: it is the same for a seed, and its labels agree with its rows."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.quality.parts import GROUP, REPORTING, TUNING
from benchmarks.quality.world import rates
from benchmarks.quality.world.household import household
from benchmarks.quality.world.truth import Household, LabelledRow, knowable

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
