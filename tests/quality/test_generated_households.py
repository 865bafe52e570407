"""What a generated household promises: it is the same for a seed, and its labels agree with its rows."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchmarks.quality import rates
from benchmarks.quality.household import household
from benchmarks.quality.parts import GROUP, REPORTING, TUNING
from benchmarks.quality.truth import Household, LabelledRow, knowable

_QUALITY = Path(__file__).parents[2] / "benchmarks" / "quality"
_JUDGING = {"__main__", "baseline", "chain", "figures", "running", "scoring", "speed"}


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
    making = [path for path in _QUALITY.glob("*.py") if path.stem not in _JUDGING]
    imported = {name for path in making for name in _imports(path)}
    assert len(making) > 10
    assert {name for name in imported if name.startswith("finplan")} <= {
        "finplan.model.account",
        "finplan.model.plan",
    }
    assert not imported & {f"benchmarks.quality.{name}" for name in _JUDGING}


def test_rows_lie_in_the_history_of_their_accounts(noisy: list[Household]) -> None:
    """Every row is on an own account, in two years up to today, with a text and an amount."""
    for one in noisy:
        accounts = {account.number for account in one.accounts}
        assert all(row.account in accounts and row.raw.strip() and row.amount for row in one.rows)
        assert all(0 <= (one.today - row.day).days <= 732 for row in one.rows)
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
    """A pair is two rows on two own accounts, out and in, near in time, equal but for a small fee."""
    for one in noisy:
        legs: dict[int, list[LabelledRow]] = defaultdict(list)
        for row in one.rows:
            if row.pair is not None:
                legs[row.pair].append(row)
        for two in legs.values():
            out, into = sorted(two, key=lambda row: row.amount)
            assert out.account != into.account
            assert out.amount < 0 < into.amount
            assert 0 <= -out.amount - into.amount <= max(2_500, -out.amount // 100)
            assert -1 <= (into.day - out.day).days <= 4


def test_the_next_date_lies_ahead(noisy: list[Household]) -> None:
    """What is due next is due within a period, or was due at most two days ago and is late."""
    for one in noisy:
        for stream in one.streams:
            if stream.next_date is not None:
                assert stream.active
                assert -2 <= (stream.next_date - one.today).days <= 372
            elif stream.cadence != "irregular":
                assert stream.active is False


def test_what_ended_has_missed_two_due_days(clean: list[Household]) -> None:
    """A stream is labelled as ended only after two due days without a row."""
    periods = {"weekly": 7, "biweekly": 14, "semimonthly": 13, "monthly": 28, "quarterly": 89}
    ended = 0
    for one in clean:
        for stream in one.streams:
            if stream.active is False and stream.cadence in periods:
                last = max(row.day for row in one.rows if row.stream == stream.number)
                assert (one.today - last).days >= 2 * periods[stream.cadence]
                ended += 1
    assert ended > 20


def test_only_what_can_be_known_is_truth(noisy: list[Household]) -> None:
    """Three occurrences make a stream, for an annual one two of equal amount; fewer do not."""
    assert knowable("annual", [100, 100])
    assert not knowable("annual", [100, 108])
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
        and stream.what not in {"linked loan", "subscription"}
        and "second at payee" not in stream.quirks
    ]
    of_cadence = Counter(stream.cadence for stream in first)
    for cadence, mean in rates.CHARGES.items():
        assert of_cadence[cadence] / len(noisy) == pytest.approx(mean, rel=0.2)
    stepped = sum("price step" in stream.quirks for stream in first) / len(first)
    assert stepped == pytest.approx(rates.NOISE["noisy"].stepped, abs=0.06)
    late = sum("late" in stream.quirks for stream in first) / len(first)
    assert late == pytest.approx(rates.LATE, abs=0.03)
    second = sum("second at payee" in s.quirks for one in noisy for s in one.streams) / len(noisy)
    assert second == pytest.approx(rates.SECOND_STREAMS, rel=0.35)
    cards = sum(sum(a.kind == "credit" for a in one.accounts) == 2 for one in noisy) / len(noisy)
    assert cards == pytest.approx(rates.SECOND_CARD, abs=0.2)


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
            assert len({row.amount for row in rows[stream.number]}) == 1
            if stream.cadence == "weekly":
                days = [row.day.toordinal() for row in rows[stream.number]]
                assert {day - days[0] for day in days} <= set(range(0, 800, 7))


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
