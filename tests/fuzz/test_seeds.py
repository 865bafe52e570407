"""The files that the fuzzers start from are good ones, and the judge that they ask can say no."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from finplan.statements.detect import READERS
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
    UnreadableStatement,
)
from tests.fuzz import judge
from tests.fuzz.__main__ import TARGETS
from tests.fuzz.seeds import SEEDS

ACCOUNT = StatementAccount("1", "Giro", "EUR")
GOOD = StatementRow(20260304, -150, "Shop")


def test_every_reader_is_fuzzed() -> None:
    """A reader that is added has seeds and a target, and so has the public door."""
    assert set(SEEDS) == {reader.format for reader in READERS}
    assert set(TARGETS) == set(judge.TARGETS)


@pytest.mark.parametrize("wanted", SEEDS)
def test_detection_leads_each_seed_to_its_reader(tmp_path: Path, wanted: str) -> None:
    """What varies a seed begins within the reader that it is meant for."""
    for content in SEEDS[wanted]:
        path = tmp_path / "seed"
        path.write_bytes(content)
        source = SourceFile.of(path)
        assert next(each.format for each in READERS if each.recognises(source)) == wanted
        judge.judge("detection", content, path)


@pytest.mark.parametrize("wanted", SEEDS)
def test_the_first_seed_of_each_format_has_rows(tmp_path: Path, wanted: str) -> None:
    """The fuzzers begin with files that are read, not with refusals alone."""
    path = tmp_path / "seed"
    outcomes = [
        judge.judge(wanted, content, path, Hints(household="USD")) for content in SEEDS[wanted]
    ]
    assert not isinstance(outcomes[0], str)
    assert outcomes[0][1]


@pytest.mark.parametrize(
    "part",
    [
        StatementPart(ACCOUNT, StatementRows.of([GOOD._replace(day=20260230)])),
        StatementPart(ACCOUNT, StatementRows.of([GOOD._replace(amount=10**13 + 1)])),
        StatementPart(ACCOUNT, StatementRows.of([GOOD._replace(external_id="")])),
        StatementPart(ACCOUNT, StatementRows((20260304,), (1, 2), ("x",), (None,), (None,), (False,))),
        StatementPart(ACCOUNT, balance=-(10**14), balance_day=20260304),
        StatementPart(ACCOUNT, since=20261301),
        StatementPart(StatementAccount("1", "Giro", "")),
    ],
)  # fmt: skip
def test_the_judge_refuses_an_impossible_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: StatementPart
) -> None:
    """A row, a balance or an account that cannot be is found, whatever reader gives it."""
    with pytest.raises(judge.Broken):
        _judge(monkeypatch, tmp_path, iter([part]))


def test_the_judge_refuses_half_a_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a surrogate pair is no text, since it can neither be stored nor be sent."""
    part = StatementPart(ACCOUNT, StatementRows.of([GOOD._replace(raw="\ud800")]))
    with pytest.raises(UnicodeEncodeError):
        _judge(monkeypatch, tmp_path, iter([part]))


@pytest.mark.parametrize("sentence", ["two\nlines.", "no end", "x" * 1000 + "."])
def test_the_judge_refuses_what_is_no_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentence: str
) -> None:
    """A refusal is one sentence in one line."""
    with pytest.raises(judge.Broken):
        _judge(monkeypatch, tmp_path, _parts_that_raise(UnreadableStatement(sentence)))


def test_the_judge_refuses_what_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of Python are counted, so that a slow reader is found and a busy machine is not."""

    def read(_source: SourceFile, _hints: Hints) -> ParsedStatement:
        return ParsedStatement("CSV", "utf-8", _parts_that_take_long())

    monkeypatch.setattr(judge, "TARGETS", {"CSV": read})
    with pytest.raises(judge.Broken, match="lines of Python"):
        judge.judge("CSV", b"x", tmp_path / "statement")


def test_the_judge_lets_other_errors_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anything that a reader raises but its two refusals is a crash."""
    with pytest.raises(IndexError):
        _judge(monkeypatch, tmp_path, _parts_that_raise(IndexError()))


def _parts_that_take_long() -> Iterator[StatementPart]:
    for number in range(2 * judge.MOST_STEPS):
        if number < 0:
            yield StatementPart(ACCOUNT)


def _parts_that_raise(error: Exception) -> Iterator[StatementPart]:
    yield StatementPart(ACCOUNT)
    raise error


def _judge(
    monkeypatch: pytest.MonkeyPatch, folder: Path, parts: Iterator[StatementPart]
) -> judge.Outcome:
    """Judge a reader that gives these parts."""

    def read(_source: SourceFile, _hints: Hints) -> ParsedStatement:
        return ParsedStatement("CSV", "utf-8", parts)

    monkeypatch.setattr(judge, "TARGETS", {"CSV": read})
    return judge.judge("CSV", b"x", folder / "statement")
