"""Where a person looks and where nobody does: colours, prompts, signs, readers that leave.

Lines fit their width whatever stands in them; which program long answers are read by.
"""

import io
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel
from rich.text import Text

from finplan.cli.console.errors import broken
from finplan.cli.console.output import USUAL_PAGER, pager_of
from finplan.terminal import lines as layout
from finplan.terminal.tables import draw_bar
from finplan.views.page import ShareBar, name
from tests.cli import made_up, made_up_bank
from tests.cli.stub import Stub
from tests.patience import LONG_ENOUGH

SETTINGS = made_up.household_settings().model_dump_json().encode()
WEALTH = made_up.wealth().model_dump_json(by_alias=True).encode()
REPORT = made_up_bank.import_report().model_dump_json().encode()
DRY_REPORT = made_up_bank.import_report(dry_run=True).model_dump_json().encode()


def environment(home: Path, **more: str) -> dict[str, str]:
    plain = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")
    }
    return {
        **plain,
        "FINPLAN_HOME": str(home),
        "TERM": "xterm-256color",
        "FINPLAN_PAGER": "",
        **more,
    }


def in_terminal(home: Path, *arguments: str, typed: bytes = b"", **more: str) -> tuple[int, bytes]:
    """Run with a terminal for everything; the exit code and all that the person saw."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "finplan", *arguments],
        stdin=child,
        stdout=child,
        stderr=child,
        env=environment(home, **more),
        start_new_session=True,
    )
    os.close(child)
    os.write(parent, typed)
    seen = b""
    while True:
        try:
            chunk = os.read(parent, 65536)
        except OSError:
            # The other end closes when the process ends, which Linux tells as an error.
            break
        if not chunk:
            break
        seen += chunk
    os.close(parent)
    return process.wait(LONG_ENOUGH), seen


@pytest.fixture
def wealthy(stub: Stub) -> Stub:
    stub.answer("GET", "/settings", SETTINGS)
    stub.answer("GET", "/wealth", WEALTH)
    stub.refuse("GET", "/plan", 404, "NOT_FOUND", "No plan was built yet.")
    return stub


@pytest.mark.thorough
def test_colours_are_for_people(home: Path, wealthy: Stub) -> None:
    """A terminal gets colours; NO_COLOR and a pipe get none."""
    _, coloured = in_terminal(home, "wealth")
    _, plain = in_terminal(home, "wealth", NO_COLOR="1")
    piped = subprocess.run(
        [sys.executable, "-m", "finplan", "wealth"],
        capture_output=True,
        check=True,
        env=environment(home),
    ).stdout
    assert b"\x1b[36m" in coloured
    assert b"\x1b[36m" not in plain
    assert b"\x1b" not in piped
    assert "━".encode() in piped


def test_a_terminal_that_knows_only_ascii(home: Path, wealthy: Stub) -> None:
    """Where a sign cannot be shown, the nearest plain one stands for it."""
    run = subprocess.run(
        [sys.executable, "-m", "finplan", "wealth"],
        capture_output=True,
        check=True,
        env=environment(home, PYTHONIOENCODING="ascii"),
    )
    assert b"2025-10-31 ===" in run.stdout
    assert run.stdout.isascii()


def test_a_reader_that_leaves_is_no_error(home: Path, stub: Stub) -> None:
    """When the reader of a pipe has seen enough, the command ends in silence."""
    stub.answer("GET", "/wealth", b'"' + b"x" * 1_000_000 + b'"')
    process = subprocess.Popen(
        [sys.executable, "-m", "finplan", "wealth", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    assert (process.wait(LONG_ENOUGH), complaint) == (0, b"")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", [("wealth",), ("wealth", "--json"), ("--help",)])
def test_a_full_disk_is_told(home: Path, wealthy: Stub, words: tuple[str, ...]) -> None:
    """Output that cannot be written is one sentence, exit code 1, and no fault of finplan's own."""
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "finplan", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(home),
        )
    told = b"finplan: Could not write the output: no space left on device.\n"
    assert (run.returncode, run.stderr) == (1, told)
    assert not list(home.rglob("crash.log"))


def test_an_import_is_agreed_to(home: Path, stub: Stub, tmp_path: Path) -> None:
    """In a terminal the person sees what would happen, says yes, and it happens."""
    statement = tmp_path / "card.csv"
    statement.write_text("Date,Description,Amount\n")
    stub.answers["POST", "/imports"] = lambda: (
        200,
        DRY_REPORT if b'name="dryRun"' in stub.asked[-1].body else REPORT,
    )
    code, seen = in_terminal(home, "import", str(statement), typed=b"y\n")
    assert code == 0
    assert seen.index(b" new") < seen.index(b"Import this? [Y/n]") < seen.index(b"imports undo")
    assert len(stub.requests("POST", "/imports")) == 2


def test_a_long_sentence_is_broken_between_words(home: Path, stub: Stub) -> None:
    """In a terminal a complaint longer than a line keeps its words whole."""
    stub.refuse("GET", "/wealth", 409, "CONFLICT", "word " * 40)
    code, seen = in_terminal(home, "wealth")
    assert code == 4
    assert set(seen.decode().split()) == {"finplan:", "word"}
    assert seen.count(b"\r\n") > 1


@pytest.mark.thorough
@pytest.mark.parametrize("agreed", [True, False])
def test_a_category_goes_only_when_the_person_says_so(
    home: Path, stub: Stub, *, agreed: bool
) -> None:
    """In a terminal removing is asked about, told where the payees go; an empty line means no."""
    bikes = made_up.BIKES
    choices = [*made_up.category_choices()[:3], bikes]
    stub.answer("GET", "/categories", choices)
    gone = made_up.removed()[0].model_dump_json().encode()
    stub.answer("DELETE", f"/categories/{bikes.category}", gone)
    words = ["categories", "remove", "bikes", "--merge-into", "restaurants"]
    code, seen = in_terminal(home, *words, typed=b"y\n" if agreed else b"\n")

    assert code == 0
    assert b"Remove Bikes? Its payees move to Restaurants" in seen
    assert bool(stub.requests("DELETE", f"/categories/{bikes.category}")) == agreed
    assert (b"Nothing was removed." in seen) != agreed
    assert in_terminal(home, *words, "--yes")[0] == 0
    assert len(stub.requests("DELETE", f"/categories/{bikes.category}")) == 1 + agreed


LONG = "The Extraordinarily Long Name Coffee Company of Northern Vermont and Beyond, Incorporated"


def piped(home: Path, *arguments: str, **more: str) -> str:
    """What a reader that is no person gets of an answer."""
    return subprocess.run(
        [sys.executable, "-m", "finplan", *arguments],
        capture_output=True,
        check=True,
        env=environment(home, **more),
        text=True,
    ).stdout


@pytest.fixture
def wordy(stub: Stub) -> Stub:
    """A household whose payees have long names."""

    def as_json(shape: BaseModel, **changed: object) -> dict[str, object]:
        return shape.model_copy(update=changed).model_dump(mode="json", by_alias=True)

    row = made_up_bank.transactions()[1]
    series, (_, pair, *_) = made_up_bank.recurring(), made_up_bank.duplicates()
    report = made_up.spending_by_merchant()
    groups = tuple(each.model_copy(update={"label": LONG}) for each in report.groups)
    kept = pair.kept.model_copy(update={"raw": LONG})
    stub.answer("GET", "/settings", SETTINGS)
    stub.answer("GET", "/accounts/records", [])
    stub.answer("GET", "/categories", [])
    stub.answer("GET", "/recurring", [as_json(each, name=LONG) for each in series])
    stub.answer("GET", "/duplicates", [as_json(pair, kept=kept)])
    stub.answer("GET", "/spending", as_json(report, groups=groups))
    page = {"transactions": [as_json(row, payee=LONG)], "nextCursor": None}
    stub.answer("GET", "/transactions", page)
    return stub


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    ["transactions", "transactions --why", "recurring", "duplicates", "spending --by merchant"],
)
def test_nothing_is_cut_where_nobody_looks(home: Path, wordy: Stub, words: str) -> None:
    """A pipe gets every name whole, unless COLUMNS says how long its lines are."""
    whole = piped(home, *words.split())
    cut = piped(home, *words.split(), COLUMNS="80")
    assert LONG in whole
    assert "…" not in whole
    assert LONG not in cut
    assert max(map(len, cut.splitlines())) <= 80


@pytest.mark.thorough
def test_sentences_off_a_terminal_are_as_wide_as_a_page(home: Path, wordy: Stub) -> None:
    """What is read, and is no table, breaks its lines for a pipe as on a terminal of 80 columns."""
    heads = [each for each in piped(home, "recurring").splitlines() if each.endswith("a month")]
    assert heads
    assert {len(each) for each in heads} == {80}


def categories(number: int) -> list[dict[str, object]]:
    told = {"line": "essential", "custom": False, "reimbursable": False}
    return [{"category": f"c{each}", "label": f"Label {each}", **told} for each in range(number)]


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "is_paged"), [(3, False), (80, True)])
def test_a_long_answer_is_read_by_a_pager(
    home: Path, stub: Stub, number: int, is_paged: bool
) -> None:
    """What is longer than the screen goes through the person's pager, and nothing else does."""
    stub.answer("GET", "/categories", categories(number))
    code, seen = in_terminal(home, "categories", FINPLAN_PAGER="sed s/^/read:/")
    assert code == 0
    assert b"Label 2" in seen
    assert (b"read:" in seen) is is_paged
    assert b"read:" not in in_terminal(home, "categories", FINPLAN_PAGER="")[1]
    assert (
        b"read:"
        not in in_terminal(home, "categories", "--quiet", FINPLAN_PAGER="sed s/^/read:/")[1]
    )


@pytest.mark.thorough
def test_a_pager_that_there_is_not_keeps_nobody_from_reading(home: Path, stub: Stub) -> None:
    """Where it is not installed, or written so that no shell would take it, the answer is printed."""
    stub.answer("GET", "/categories", categories(80))
    for pager in ("no-such-program-anywhere", "less '"):
        code, seen = in_terminal(home, "categories", FINPLAN_PAGER=pager)
        assert (code, b"Label 79" in seen) == (0, True)


class _Looked(io.StringIO):
    """A stderr at which somebody looks."""

    def isatty(self) -> bool:
        return True


def test_questions_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal no word or date is cut in two; a program gets remarks and questions on one line."""
    question = "Unlink it? Its 138 rows from 2025-10-25 to 2026-11-28 would be deleted. [y/N]"
    assert broken(question) == question
    monkeypatch.setattr(sys, "stderr", _Looked())
    monkeypatch.setenv("COLUMNS", "48")
    assert broken(question).splitlines() == [
        "Unlink it? Its 138 rows from 2025-10-25 to",
        "2026-11-28 would be deleted. [y/N]",
    ]


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({}, USUAL_PAGER.split()),
        ({"PAGER": "more -d"}, ["more", "-d"]),
        ({"PAGER": "more", "FINPLAN_PAGER": "less -S"}, ["less", "-S"]),
        ({"PAGER": "more", "FINPLAN_PAGER": ""}, None),
        ({"PAGER": ""}, None),
        ({"PAGER": "cat"}, None),
        ({"PAGER": "cat -n"}, None),
        ({"PAGER": "nowhere"}, None),
        ({"PAGER": "less '"}, None),
    ],
)
def test_the_nearest_word_says_by_which(
    environ: dict[str, str], command: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FINPLAN_PAGER, else PAGER, else less; an empty one, `cat` and one that is not there mean none."""
    there = {"less", "more", "cat"}
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name in there else None)
    assert pager_of(environ) == command


texts = st.text(max_size=60)
widths = st.integers(20, 120)


@given(st.lists(st.tuples(texts, st.integers(1, 30), st.booleans()), min_size=1, max_size=5))
def test_a_row_is_as_wide_as_its_cells(cells: list[tuple[str, int, bool]]) -> None:
    """A row takes exactly the width of its cells and the spaces between, also with wide signs."""
    drawn = layout.row(*((text, -width if right else width) for text, width, right in cells))
    assert drawn.cell_len == sum(width for _, width, _ in cells) + len(cells) - 1


@given(texts, st.text("0123456789$,.", max_size=12), widths)
def test_the_right_end_is_never_shortened(left: str, right: str, width: int) -> None:
    """Of two ends the left one gives way."""
    drawn = layout.ends(Text(left), Text(right), width)
    assert drawn.cell_len == width
    assert drawn.plain.endswith(right)


@given(st.integers(-(10**12), 10**12), st.integers(-5, 10**12), st.integers(1, 60), st.booleans())
def test_a_bar_fills_its_cell(part: int, whole: int, width: int, rest: bool) -> None:
    """A bar is as wide as its cell; more than nothing always shows, nothing never does."""
    drawn = draw_bar(ShareBar(part, whole, "cyan", rest=rest), width)
    assert drawn.cell_len == width
    assert any(sign in drawn.plain for sign in "━╸") == (part > 0 and whole > 0)


@given(st.integers(-1000, 1000), st.integers(0, 2000), st.integers(1, 60), st.integers(-5, 1000))
def test_what_is_due_fills_a_bar_behind_it(part: int, whole: int, width: int, due: int) -> None:
    """A part and what is due stand side by side; what is due shows unless the part takes the cell."""
    drawn = draw_bar(ShareBar(part, whole, "cyan", due, rest=True), width).plain
    assert len(drawn) == width
    assert re.fullmatch("━*╸?╍*─*", drawn)
    alone = draw_bar(ShareBar(part, whole, "cyan", rest=True), width).plain
    assert drawn.rstrip("╍─") == alone.rstrip("─")
    assert ("╍" in drawn) == (due > 0 and not re.fullmatch("━*╸?", alone))


@pytest.mark.parametrize(
    ("part", "due", "drawn"),
    [
        (0, 160, "╍╍╍╍╍╍╍╍"),
        (80, 80, "━━━━╍╍╍╍"),
        (80, 40, "━━━━╍╍──"),
        (80, 1, "━━━━╍───"),
        (160, 0, "━━━━━━━━"),
        (0, 0, "────────"),
    ],
)
def test_what_is_due_has_its_share_of_a_bar(part: int, due: int, drawn: str) -> None:
    """A part of 160 in a bar of eight, and what is due of it."""
    assert draw_bar(ShareBar(part, 160, "cyan", due, rest=True), 8).plain == drawn


@given(st.text(max_size=300), widths, st.integers(0, 8))
def test_a_sentence_keeps_to_its_width(text: str, width: int, indent: int) -> None:
    """A wrapped sentence has no line over its width."""
    assert all(
        line.cell_len <= width for line in layout.wrapped(layout.text_of(text), width, indent)
    )


@given(st.lists(texts, max_size=5), st.lists(texts, max_size=5), widths)
def test_blocks_beside_each_other_fit(left: list[str], right: list[str], width: int) -> None:
    """Two blocks take the height of the higher one and no more than the width."""
    half, other = widths = layout.halves(width, 0, (0, 0))
    blocks = [layout.row((t, half)) for t in left], [layout.row((t, other)) for t in right]
    lines = layout.beside(*blocks, widths, width)
    assert len(lines) == max(len(left), len(right))
    assert all(line.cell_len <= width for line in lines)


@pytest.mark.parametrize(
    ("room", "needed", "widths", "wide"),
    [
        (80, (0, 0), (38, 38), 80),
        (80, (90, 90), (38, 38), 80),
        (110, (90, 40), (53, 40), 96),
        (1000, (38, 39), (38, 39), 80),
        (1000, (38, 40), (38, 40), 81),
        (1000, (90, 40), (90, 40), 133),
    ],
)
def test_a_block_takes_the_room_that_its_names_need(
    room: int, needed: tuple[int, int], widths: tuple[int, int], wide: int
) -> None:
    """Each block is half a page, and more where it needs more, up to half of the room there is."""
    assert layout.halves(80, room, needed) == widths
    (line,) = layout.beside(
        [layout.row(("a", widths[0]))], [layout.row(("b", -widths[1]))], widths, 80
    )
    assert line.cell_len == wide


@pytest.mark.parametrize(
    ("room", "needed", "wide"),
    [(0, 200, 80), (80, 81, 80), (90, 81, 81), (90, 91, 90), (90, 9, 80)],
)
def test_a_line_is_longer_than_its_page_only_by_need(room: int, needed: int, wide: int) -> None:
    """A line takes its page's width, and as much of the room beyond that as it needs."""
    assert layout.roomy(80, room, needed) == wide


@given(st.text())
def test_no_text_from_outside_commands_the_terminal(text: str) -> None:
    """No control character reaches a page, and no other character is lost."""
    cleaned = layout.printable(text)
    assert cleaned.isprintable()
    assert len(cleaned) == len(text)
    assert "\x1b" not in layout.join_lines([layout.text_of(name(text))]).plain


@pytest.mark.parametrize(
    ("called", "width", "shown"),
    [
        ("Interest · Visa 1111", 20, "Interest · Visa 1111"),
        ("Interest · Visa 1111", 19, "Intere… · Visa 1111"),
        # What tells them apart takes half of the room at most, or is its last word.
        ("Interest on purchases · Visa 1111", 18, "Inter… · Visa 1111"),
        ("Interest on purchases · Visa 1111", 17, "Interest… · 1111"),
        ("Interest on purchases · Visa 1111", 9, "I… · 1111"),
        # Nothing tells it apart, so its end gives way as in any cell.
        ("Interest on purchases of this month", 20, "Interest on purchases of this month"),
    ],
)
def test_a_name_that_tells_its_account_keeps_it(called: str, width: int, shown: str) -> None:
    """Two names that differ only in their account differ in a narrow column, too."""
    assert layout.titled(called, width) == shown


@given(texts, texts.filter(str.strip), widths)
def test_a_shortened_name_fits(payee: str, account: str, width: int) -> None:
    """Whatever stands in it, a name that was shortened is no wider than its column."""
    whole = f"{payee} · {account}"
    shown = layout.titled(whole, width)
    assert shown == whole or Text(shown).cell_len <= width
