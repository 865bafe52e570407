"""What fuzzing holds: readers give possible rows of any bytes or refuse in a sentence.

The files that the fuzzers start from are good ones, and the judge that they ask can say no; valid
files are damaged as hypothesis chooses; atheris looks for bytes that break a reader, the same each
time; and each file that broke a law is kept, beside the law that it broke.
"""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.statements.detect import READERS
from finplan.statements.statement import (
    AmbiguousStatement,
    Choice,
    Hints,
    ParsedStatement,
    Question,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
    UnreadableStatement,
)
from tests.fuzz import judge as judging
from tests.fuzz.__main__ import TARGETS
from tests.fuzz.judge import judge
from tests.fuzz.seeds import SEEDS, WORDS, WORDS_OF_ALL
from tests.patience import LONG_ENOUGH
from tests.statements.reading_files import read_content

ACCOUNT = StatementAccount("1", "Giro", "EUR")
GOOD = StatementRow(20260304, -150, "Shop")


def test_every_reader_is_fuzzed() -> None:
    """A reader that is added has seeds and a target, and so has the public door."""
    assert set(SEEDS) == {reader.format for reader in READERS}
    assert set(TARGETS) == set(judging.TARGETS)


@pytest.mark.parametrize("wanted", SEEDS)
def test_detection_leads_each_seed_to_its_reader(tmp_path: Path, wanted: str) -> None:
    """What varies a seed begins within the reader that it is meant for."""
    for content in SEEDS[wanted]:
        path = tmp_path / "seed"
        path.write_bytes(content)
        source = SourceFile.of(path)
        assert next(each.format for each in READERS if each.recognises(source)) == wanted
        judging.judge("detection", content, path)


@pytest.mark.parametrize("wanted", SEEDS)
def test_the_first_seed_of_each_format_has_rows(tmp_path: Path, wanted: str) -> None:
    """The fuzzers begin with files that are read, not with refusals alone."""
    path = tmp_path / "seed"
    outcomes = [
        judging.judge(wanted, content, path, Hints(household="USD")) for content in SEEDS[wanted]
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
    with pytest.raises(judging.Broken):
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
    with pytest.raises(judging.Broken):
        _judge(monkeypatch, tmp_path, _parts_that_raise(UnreadableStatement(sentence)))


def test_the_judge_refuses_what_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of Python are counted, so that a slow reader is found and a busy machine is not."""

    def read(_source: SourceFile, _hints: Hints) -> ParsedStatement:
        return ParsedStatement("CSV", "utf-8", _parts_that_take_long())

    monkeypatch.setattr(judging, "TARGETS", {"CSV": read})
    with pytest.raises(judging.Broken, match="lines of Python"):
        judging.judge("CSV", b"x", tmp_path / "statement")


def test_the_judge_counts_what_a_reader_keeps_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first reading that takes long is found, though a second one would have all that it kept."""
    read_once: list[SourceFile] = []

    def read(source: SourceFile, _hints: Hints) -> ParsedStatement:
        parts = iter(()) if read_once else _parts_that_take_long()
        read_once.append(source)
        return ParsedStatement("CSV", "utf-8", parts)

    monkeypatch.setattr(judging, "TARGETS", {"CSV": read})
    with pytest.raises(judging.Broken, match="lines of Python"):
        judging.judge("CSV", b"x", tmp_path / "statement")


@pytest.mark.parametrize("questions", [1, 4])
def test_a_file_that_leaves_much_open_may_be_read_as_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, questions: int
) -> None:
    """Each question is found by another reading, and none of them may take long."""
    question = Question("currency", "It is open.", (Choice("EUR", "euros", "1.00"),))

    def read(_source: SourceFile, _hints: Hints) -> ParsedStatement:
        list(_parts_that_take_long())
        raise AmbiguousStatement(*[question] * questions)

    monkeypatch.setattr(judging, "TARGETS", {"CSV": read})
    if questions == 1:
        with pytest.raises(judging.Broken, match="lines of Python"):
            judging.judge("CSV", b"x", tmp_path / "statement")
    else:
        assert judging.judge("CSV", b"x", tmp_path / "statement")


def test_the_judge_lets_other_errors_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anything that a reader raises but its two refusals is a crash."""
    with pytest.raises(IndexError):
        _judge(monkeypatch, tmp_path, _parts_that_raise(IndexError()))


def _parts_that_take_long() -> Iterator[StatementPart]:
    for number in range(2 * judging.MOST_STEPS):
        if number < 0:
            yield StatementPart(ACCOUNT)


def _parts_that_raise(error: Exception) -> Iterator[StatementPart]:
    yield StatementPart(ACCOUNT)
    raise error


def _judge(
    monkeypatch: pytest.MonkeyPatch, folder: Path, parts: Iterator[StatementPart]
) -> judging.Outcome:
    """Judge a reader that gives these parts."""

    def read(_source: SourceFile, _hints: Hints) -> ParsedStatement:
        return ParsedStatement("CSV", "utf-8", parts)

    monkeypatch.setattr(judging, "TARGETS", {"CSV": read})
    return judging.judge("CSV", b"x", folder / "statement")


Edit = Callable[[str], str]

places = st.floats(0, 1)
lengths = st.sampled_from([1, 2, 8, 40, 400])
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged") / "statement"


def _cut(start: float, length: int) -> Edit:
    return lambda text: text[: _at(start, text)] + text[_at(start, text) + length :]


def _repeat(start: float, length: int, times: int) -> Edit:
    def edit(text: str) -> str:
        place = _at(start, text)
        return text[:place] + text[place : place + length] * times + text[place + length :]

    return edit


def _put(start: float, word: str) -> Edit:
    return lambda text: text[: _at(start, text)] + word + text[_at(start, text) :]


def _move_line(start: float, target: float) -> Edit:
    def edit(text: str) -> str:
        lines = text.splitlines(keepends=True) or [text]
        line = lines.pop(min(int(start * len(lines)), len(lines) - 1))
        lines.insert(int(target * len(lines)), line)
        return "".join(lines)

    return edit


def _end_lines_with(ending: str) -> Edit:
    return lambda text: ending.join(text.splitlines())


def _at(share: float, text: str) -> int:
    return int(share * len(text))


def _edits(words: tuple[str, ...]) -> st.SearchStrategy[list[Edit]]:
    put = st.builds(_put, places, st.sampled_from(words) | st.text(max_size=3))
    return st.lists(
        put
        | st.builds(_cut, places, lengths)
        | st.builds(_repeat, places, lengths, st.sampled_from([2, 3, 30]))
        | st.builds(_move_line, places, places)
        | st.builds(_end_lines_with, st.sampled_from(["\n", "\r", "\r\n", "\n\n", ""])),
        min_size=1,
        max_size=6,
    )


@st.composite
def damaged_files(draw: st.DrawFn, wanted: str) -> bytes:
    """A seed of a format, or two one behind the other, edited and perhaps in another encoding."""
    # What is no UTF-8 comes as Latin-1, so that every byte of it is there.
    seeds = draw(st.lists(st.sampled_from(SEEDS[wanted]), min_size=1, max_size=2))
    text = "".join(_decoded(seed) for seed in seeds)
    for edit in draw(_edits((*WORDS[wanted], *WORDS_OF_ALL))):
        text = edit(text)
    return text.encode(draw(st.sampled_from(ENCODINGS)), "replace")


def _decoded(seed: bytes) -> str:
    try:
        return seed.decode()
    except UnicodeDecodeError:
        return seed.decode("latin-1")


@pytest.mark.thorough
@pytest.mark.sampled(4)
@pytest.mark.parametrize("wanted", SEEDS)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(path: Path, wanted: str, data: st.DataObject) -> None:
    """By detection and by its own reader, a damaged file gives possible rows or one sentence."""
    content = data.draw(damaged_files(wanted))
    judge(wanted, content, path)
    judge("detection", content, path)


@pytest.mark.slow
@pytest.mark.parametrize("wanted", SEEDS)
@given(data=st.data())
def test_a_damaged_file_of_another_format_is_refused(
    path: Path, wanted: str, data: st.DataObject
) -> None:
    """A reader that is handed another format's file bears it as well, without detection before it."""
    other = data.draw(st.sampled_from([each for each in SEEDS if each != wanted]))
    judge(wanted, data.draw(damaged_files(other)), path)


ROOT = Path(__file__).parents[2]
RUNS = {
    "detection": 2000,
    "OFX": 2500,
    "CAMT": 4000,
    "MT940": 5000,
    "QIF": 3000,
    "finplan-json": 12_000,
    "finplan-csv": 10_000,
    "beancount": 1000,
    "hledger": 4000,
    "CSV": 3000,
}
"""How many inputs, so that each target takes about as long; chance and the clock decide nothing."""


AS_A_CHILD = ("sh", "-c", '"$@"; exit $?', "sh")
"""Started by a small program: at first, Linux counts the memory of whoever starts one as its own."""


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_bytes_break_a_reader(tmp_path: Path, target: str) -> None:
    """Thousands of inputs of any bytes: no crash, none that takes seconds, and no growing memory.

    They are the same ones in every run, so that a change that breaks nothing never fails by chance.
    """
    if find_spec("atheris") is None:
        pytest.skip(
            "atheris is not installed; `make fuzz` says why. It has no wheel for every system, as "
            f"perhaps for Python {platform.python_version()} on {platform.platform()}."
        )
    options = ["--runs", str(RUNS[target]), "--seed", "1", "--folder", str(tmp_path)]
    run = subprocess.run(
        [*AS_A_CHILD, *_at_fixed_addresses(), sys.executable, "-m", "tests.fuzz", target, *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=False,
        timeout=12 * LONG_ENOUGH,
    )
    found = {path.name: path.read_bytes() for path in tmp_path.glob(f"{target}-*")}
    said = run.stderr.decode(errors="replace") + run.stdout.decode(errors="replace")
    assert run.returncode == 0, f"{found}\n{said[-4000:]}"
    assert "number_of_executed_units" in said


def test_every_target_has_its_runs() -> None:
    """No reader is left out."""
    assert RUNS.keys() == set(TARGETS)


@cache
def _at_fixed_addresses() -> tuple[str, ...]:
    """What keeps addresses in memory the same, where the system allows it.

    Before Python 3.12 the hash of None is one, and so is the order of a set with None in it.
    """
    setarch = shutil.which("setarch")
    if setarch is None:
        return ()
    command = (setarch, "--addr-no-randomize")
    return command if subprocess.run([*command, "true"], check=False).returncode == 0 else ()


JOURNAL = """\
2026-01-01 open Assets:Bank
2026-03-04 * "Shop"
  Assets:Bank  -1,"34.56 USD
  ! Expenses:Food
2026-03-05 * x" y
"""
IN_SENTENCES: dict[str, tuple[str, str]] = {
    "a cell that is no amount": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,-1.50\n2026-03-05,B,"1,5\nx\ny"\n',
    ),
    "a cell that is no date": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,-1.50\n"2026-\n\n03-32",B,-2.50\n',
    ),
    "cells with both decimal signs": (
        "CSV",
        'Date,Text,Amount\n2026-03-04,A,"9,99°.C\n"\n2026-03-05,A,9999.5\n',
    ),
    "an amount of a journal that is a text": ("beancount", JOURNAL),
    "an included file's name": ("beancount", 'option "title" "x"\ninclude "a\nb.beancount"\n'),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", IN_SENTENCES)
def test_a_quoted_text_keeps_its_sentence_in_one_line(tmp_path: Path, name: str) -> None:
    """What a sentence quotes of the file has its line ends folded, whatever stands within a cell."""
    reader, content = IN_SENTENCES[name]
    assert isinstance(
        judge(reader, content.encode(), tmp_path / "statement", Hints(household="USD")), str
    )


LATE_CURRENCY = """\
:20:REPORT
:25:12345678/1234567890
:28C:1
:13D:2603051200+0100
:61:2603050305C2000,NTRFNONREF//1
:61:2603050305C3000,NTRFNONREF//2
:90D:0EUR0,
:34F:EURD0,
:61:2603060306D7,25NTRFNONREF//2
"""


def test_what_stands_behind_a_line_is_not_said_of_it(tmp_path: Path) -> None:
    """Wherever a block of the file ends, a balance behind a line does not name that line's currency."""
    found = judge("MT940", LATE_CURRENCY.encode(), tmp_path / "statement", Hints("JPY"))
    assert not isinstance(found, str)


def test_an_amount_with_a_control_character_stumbles_nobody(tmp_path: Path) -> None:
    """A control character beside an amount is a space or no amount, and nobody stumbles over it."""
    row = "<STMTTRN><DTPOSTED>20260304<TRNAMT>\x1d-12.50</STMTTRN>"
    content = f"<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM>{row}</STMTRS></OFX>"
    judge("OFX", content.encode(), tmp_path / "statement", Hints(household="USD"))


def test_a_refusal_may_quote_half_a_character(tmp_path: Path) -> None:
    """An escape of half a surrogate pair, which JSON allows, is told of in text that can be written."""
    account = '{"id": "1", "name": "A", "currency": "\\ud800EUR"}'
    content = f'{{"format": "finplan", "version": 1, "accounts": [{account}]}}'
    judge("finplan-json", content.encode(), tmp_path / "statement", Hints(household="USD"))


@pytest.mark.parametrize("zeros", [10, 37, 50, 5000])
def test_an_amount_is_read_whole_or_not_at_all(tmp_path: Path, zeros: int) -> None:
    """However many digits an amount is printed with, none is cut off: else 1.50 becomes 0.00."""
    row = f"<STMTTRN><DTPOSTED>20260304<TRNAMT>{'0' * zeros}1.50</STMTTRN>"
    content = f"<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM>{row}</STMTRS></OFX>"
    try:
        found = read_content(tmp_path / "statement", content).amounts
    except UnreadableStatement:
        found = []
    assert found in ([150], [])
    assert bool(found) == (zeros < 30)


def test_a_table_without_a_row_of_cells_is_refused(tmp_path: Path) -> None:
    """A header within a quotation mark, and no row below it, is no table to look for amounts in."""
    content = b'Date,Description,Amount,Balan INC","0,000.00",1098.50\n\xdb'
    assert isinstance(judge("detection", content, tmp_path / "statement", Hints()), str)
