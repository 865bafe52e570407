"""What a writer writes, its reader reads: the same rows of the same accounts, whatever their texts.

What the person said of one row by itself is told by the files that finplan writes.
"""

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from finplan.model.account import AccountKind
from finplan.model.characters import visible
from finplan.statements import export
from finplan.statements.journal.writer import BeancountWriter, HledgerWriter
from finplan.statements.statement import (
    AmbiguousStatement,
    ExportedOrigin,
    StatementAccount,
    StatementRow,
    UnreadableStatement,
)
from tests.judges import judge_named
from tests.statements.reading_files import read_content

WRITERS: dict[str, Callable[[export.Exported], export.StatementWriter]] = {
    "finplan-json": export.JsonWriter,
    "finplan-csv": export.CsvWriter,
    "hledger": HledgerWriter,
    "beancount": BeancountWriter,
}
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f]")
KINDS: tuple[tuple[AccountKind, str], ...] = (("credit", "KWD"), ("depository", "JPY"))
EVERY_FORMAT = pytest.mark.parametrize("wanted", WRITERS)
COUNTERS = {
    "dining": export.CounterAccount("expenses", "dining"),
    "wages": export.CounterAccount("income", "wages"),
    "transfer": export.CounterAccount("equity", "transfer"),
    "cat_1": export.CounterAccount("expenses", "Bücher; & (more)  = |"),
    "cat_2": export.CounterAccount("expenses", "本"),
}
AWKWARD = (
    "2 coffees", "a\nb", "a\r\nb", "a\rb", "tab\there", 'say "hi"', "it's", "back\\slash", "semi;colon",
    "pipe | pipe", "; id: x", "(code) text", "! text", "* text", "= text", "@ 5 USD", "{x}", "-5", "+5",
    "=1+1", "'quoted", "''", " leading", "trailing ", "two  blanks", "Café “Zoë”", "東京", "a\u2028b",
    "a\x85b", "\x1f", "\x00", "\x7f", "a,b", 'finplan-row: "x"', "10 % [2026-01-01]", "date:2020-01-01",
    "\ufeffmark", "\\n", "\\u0041", "#tag ^link", "~", "𝒳",
)  # fmt: skip
COMMANDS = (
    "gone, date:2026-13-45", "DATE: 1", "date2:x", "[2026-13-45]", "[=2026]", "of:: 1 / 0", ":a:b:",
    "assert:: 0", "@@ 5 USD", "; ; x", "{}",
)  # fmt: skip
"""Texts that would say something else to a program that reads them in a comment."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


MOST_ACCOUNTS = 4
texts = st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
some_text = texts.filter(bool)
accounts = st.lists(
    st.builds(
        StatementAccount,
        number=st.none() | some_text,
        name=some_text,
        currency=st.sampled_from(["USD", "EUR", "JPY", "KWD"]),
        institution=st.none() | some_text,
        kind=st.sampled_from(["depository", "credit", "loan", "investment", "other"]),
        subtype=st.none() | some_text,
    ),
    min_size=1,
    max_size=MOST_ACCOUNTS,
).map(
    lambda found: [
        StatementAccount(a.number, a.name, a.currency, a.institution, a.kind, a.subtype, f"acc_{place}")
        for place, a in enumerate(found)
    ]
)  # fmt: skip


def _split(row: export.ExportedRow, into: tuple[str, str, str | None] | None) -> export.ExportedRow:
    """A row in two parts that add up to it, or as it is."""
    if into is None:
        return row
    first = row.amount // 3
    parts = (
        export.ExportedPart(first, into[0]),
        export.ExportedPart(row.amount - first, into[1], into[2]),
    )
    return row._replace(parts=parts)


rows_of_one = st.builds(
    export.ExportedRow,
    account=st.just(""),
    day=st.dates(date(1900, 1, 1), date(2199, 12, 31)).map(lambda d: int(d.strftime("%Y%m%d"))),
    amount=st.integers(-(10**13), 10**13).filter(bool) | st.integers(1, 2000),
    raw=texts,
    external_id=st.none() | some_text,
    payee_key=some_text,
    payee=texts,
    category=st.sampled_from(list(COUNTERS)),
    source=st.sampled_from(["csv", "ofx"]),
    ordinal=st.integers(0, 3),
    code=st.none() | st.just("5411"),
    transfer=st.none() | st.sampled_from(["trf_1", "trf_2"]),
    spends=st.booleans(),
    remarks=st.fixed_dictionaries({"note": st.none() | texts}),
    parts=st.just(()),
)
splits = st.none() | st.tuples(
    st.sampled_from(list(COUNTERS)), st.sampled_from(list(COUNTERS)), st.none() | texts
)
# To make a strategy costs more than to draw from it, so the account alone is drawn of what is held.
drawn_rows = st.lists(
    st.tuples(st.integers(0, MOST_ACCOUNTS - 1), st.builds(_split, rows_of_one, splits)), max_size=8
)


@st.composite
def exports(draw: st.DrawFn) -> tuple[export.Exported, list[export.ExportedRow]]:
    held = draw(accounts)
    ids = [str(account.id) for account in held]
    listed = [row._replace(account=ids[place % len(ids)]) for place, row in draw(drawn_rows)]
    return export.Exported({str(a.id): a for a in held}, COUNTERS), listed


def write(
    make: Callable[[export.Exported], export.StatementWriter],
    exported: export.Exported,
    rows: Sequence[export.ExportedRow],
) -> str:
    """Write in runs of three rows, as a long export comes page by page."""
    writer = make(exported)
    runs = [writer.body(rows[start : start + 3]) for start in range(0, len(rows), 3)]
    return writer.head() + "".join(runs) + writer.tail()


def expected(
    wanted: str, exported: export.Exported, rows: Sequence[export.ExportedRow]
) -> dict[StatementAccount, list[StatementRow]]:
    read: dict[StatementAccount, list[StatementRow]] = {}
    for row in rows:
        name, own_id = (visible(each or "") or None for each in (row.payee_key, row.external_id))
        code = row.code if wanted == "finplan-json" else None
        same = StatementRow(row.day, row.amount, visible(row.raw), own_id, name, code=code)
        account = exported.accounts[row.account]
        shown = replace(
            account,
            number=visible(account.number or "") or None,
            name=visible(account.name) or "Account",
            institution=visible(account.institution or "") or None,
            subtype=visible(account.subtype or "") or None,
        )
        read.setdefault(shown, []).append(same)
    return read


@pytest.mark.thorough
@pytest.mark.sampled(3)
@EVERY_FORMAT
@given(written=exports())
def test_what_is_written_is_read(
    folder: Path, wanted: str, written: tuple[export.Exported, list[export.ExportedRow]]
) -> None:
    """Days, amounts, what is seen of texts, ids, payees and accounts come back, in their order."""
    exported, rows = written
    text = write(WRITERS[wanted], exported, rows)
    # A table that is full of control characters is binary data, and nobody's merchants.
    assume(len(CONTROLS.findall(text)) < 0.01 * len(text))
    found = read_content(folder / "file", text)

    assert found.format == wanted
    read: dict[StatementAccount, list[StatementRow]] = {}
    for part in found.parts:
        read.setdefault(part.account, []).extend(part.rows)
    assert read == expected(wanted, exported, rows)


@given(written=exports())
def test_json_tells_the_source(
    folder: Path, written: tuple[export.Exported, list[export.ExportedRow]]
) -> None:
    """Of each row the JSON keeps its place, source, ordinal and transfer, which no other format can."""
    exported, rows = written
    found = read_content(folder / "file", write(export.JsonWriter, exported, rows))
    told = {
        origin.place: (row.day, row.amount, origin)
        for part in found.parts
        for row, origin in zip(part.rows, part.rows.origins, strict=True)
    }
    assert [told[place] for place in sorted(told)] == [
        (
            row.day,
            row.amount,
            ExportedOrigin(place, row.source, row.ordinal, row.transfer, row.spends),
        )
        for place, row in enumerate(rows, 1)
    ]


@pytest.mark.thorough
@pytest.mark.sampled(3)
@EVERY_FORMAT
@given(written=exports(), where=st.floats(0, 1), cut=st.integers(0, 30), put=some_text)
def test_a_damaged_export_is_read_or_refused(
    folder: Path,
    wanted: str,
    written: tuple[export.Exported, list[export.ExportedRow]],
    where: float,
    cut: int,
    put: str,
) -> None:
    """Whatever somebody does to the file, nothing but the two refusals is raised."""
    text = write(WRITERS[wanted], *written)
    place = int(where * len(text))
    for damaged in (text[:place] + put + text[place + cut :], text[:place]):
        sentence = "Everything is read."
        try:
            read_content(folder / "damaged", damaged)
        except (UnreadableStatement, AmbiguousStatement) as refusal:
            sentence = str(refusal)
        assert sentence.endswith((".", "”", "?"))


@given(text=texts)
def test_no_cell_is_a_formula(text: str) -> None:
    """A spreadsheet computes nothing of what a merchant wrote, and finplan reads the text itself."""
    assert not export.safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert export.unsafe_cell(export.safe_cell(text)) == text


JUDGES = {"hledger": ["hledger", "check", "--strict", "-f"], "beancount": ["bean-check"]}


@pytest.mark.parametrize("wanted", JUDGES)
def test_the_program_accepts_every_text(folder: Path, wanted: str) -> None:
    """Another program finds nothing wrong, whatever accounts, payees and texts are called."""
    program = judge_named(JUDGES[wanted][0])
    held = {
        f"acc_{place}": StatementAccount(text, text, currency, text, kind, text, f"acc_{place}")
        for place, text in enumerate((*AWKWARD, *COMMANDS))
        for kind, currency in [KINDS[place % 2]]
    }
    rows = [
        export.ExportedRow(
            f"acc_{place}",
            20260304,
            1234567 - place,
            text,
            text,
            text,
            text,
            category,
            remarks={"note": text},
            parts=(
                export.ExportedPart(1234567, category, text),
                export.ExportedPart(-place, "dining", text),
            ),
        )
        for place, text in enumerate((*AWKWARD, *COMMANDS))
        for category in COUNTERS
    ]
    path = folder / f"all.{wanted}"
    path.write_text(write(WRITERS[wanted], export.Exported(held, COUNTERS), rows), encoding="utf-8")
    run = subprocess.run(
        [program, *JUDGES[wanted][1:], path], capture_output=True, check=False,
        env={"LANG": "C.UTF-8", "PATH": str(Path(program).parent)},
    )  # fmt: skip
    assert run.returncode == 0, (run.stdout + run.stderr).decode()


@EVERY_FORMAT
def test_an_export_of_nothing_is_read(folder: Path, wanted: str) -> None:
    """Without accounts and rows there is a file all the same, and nothing in it."""
    found = read_content(
        folder / "empty", write(WRITERS[wanted], export.Exported({}, COUNTERS), [])
    )
    assert (found.format, found.rows) == (wanted, [])


def test_the_json_may_be_laid_out_otherwise(folder: Path) -> None:
    """What another program has indented or written in one line is the same."""
    import json

    held = StatementAccount(None, "Giro", "EUR", None, "depository", None, "acc_1")
    rows = [
        export.ExportedRow("acc_1", 20260304, -place, "x" * place, None, "x", "X", "dining")
        for place in range(1, 400)
    ]
    text = write(export.JsonWriter, export.Exported({"acc_1": held}, COUNTERS), rows)
    plain = read_content(folder / "plain", text).rows
    for layout in ({"indent": 4}, {"separators": (",", ":")}, {"ensure_ascii": True}):
        assert read_content(folder / "again", json.dumps(json.loads(text), **layout)).rows == plain


def test_a_newer_export_is_refused(folder: Path) -> None:
    """A file of a version to come says that finplan must be updated."""
    with pytest.raises(UnreadableStatement, match="Update finplan"):
        read_content(folder / "new", '{"finplan": 2, "accounts": [], "transactions": []}')


COUNTERS_OF_WORDS = {
    "dining": export.CounterAccount("expenses", "dining"),
    "gifts": export.CounterAccount("expenses", "gifts"),
}
HELD = {"acc_1": StatementAccount(None, "Giro", "EUR", None, "depository", None, "acc_1")}
SPLIT = export.ExportedRow(
    "acc_1", 20260304, -4250, "SHOP", None, "shop", "Shop", "dining",
    remarks={"note": "Ada's birthday", "tags": ("ada", "gift")},
    parts=(export.ExportedPart(-3000, "dining"), export.ExportedPart(-1250, "gifts", "a book, 16:30")),
)  # fmt: skip
WHOLE = SPLIT._replace(remarks={}, parts=())


HLEDGER = (
    "\n"
    "2026-03-04 * Shop | SHOP\n"
    '    ; finplan-payee: "shop"\n'
    '    ; finplan-note: "Ada\'s birthday"\n'
    '    ; finplan-tags: "#ada #gift"\n'
    "    assets:Giro  -42.50 EUR\n"
    "    expenses:dining  30.00 EUR\n"
    "    expenses:gifts  12.50 EUR  ; a book, 16:30\n"
)
BEANCOUNT = (
    "\n"
    '2026-03-04 * "Shop" "SHOP"\n'
    '  finplan-payee: "shop"\n'
    '  finplan-note: "Ada\'s birthday"\n'
    '  finplan-tags: "#ada #gift"\n'
    "  Assets:Giro  -42.50 EUR\n"
    "  Expenses:Dining  30.00 EUR\n"
    "  Expenses:Gifts  12.50 EUR\n"
    '  finplan-note: "a book, 16:30"\n'
)


def test_a_split_row_has_a_posting_for_each_part() -> None:
    """In a journal each part goes to its own account, with what is noted on it as a comment."""
    hledger = HledgerWriter(export.Exported(HELD, COUNTERS_OF_WORDS)).body([SPLIT])
    assert hledger == HLEDGER
    beancount = BeancountWriter(export.Exported(HELD, COUNTERS_OF_WORDS)).body([SPLIT])
    assert beancount == BEANCOUNT


@pytest.mark.parametrize(
    ("noted", "stands"),
    [
        ("date:2026-13-45", "date 2026-13-45"),
        ("a [2026-01-01] b", "a 2026-01-01 b"),
        ("Date2:x", "Date2 x"),
        ("sum:: 1", "sum : 1"),
        ("at 16:30; home|work", "at 16:30 home work"),
    ],
)
def test_a_note_on_a_part_says_nothing_to_the_program(noted: str, stands: str) -> None:
    """What hledger and ledger would take for a date or a value, behind a posting, is none."""
    part = SPLIT.parts[1]._replace(note=noted)
    written = HledgerWriter(export.Exported(HELD, COUNTERS_OF_WORDS)).body(
        [SPLIT._replace(parts=(part,))]
    )
    assert written.endswith(f"  ; {stands}\n")


def test_a_split_row_is_one_line_of_a_table() -> None:
    """The amounts of a CSV add up to what was booked, and its last cells say what was said."""
    note, splits = SPLIT.remarks["note"], f'"dining -30.00; gifts -12.50 ({SPLIT.parts[1].note})"'
    head = "2026-03-04,Giro,Shop,SHOP,dining,-42.50,EUR,,shop,acc_1,,,depository,"
    writer = export.CsvWriter(export.Exported(HELD, COUNTERS_OF_WORDS))
    assert writer.body([SPLIT, WHOLE]) == f"{head},{note},{splits},#ada #gift\n{head},,,\n"


def test_a_word_is_told_where_there_is_one() -> None:
    """The JSON has note, tags and parts of the rows that have them, and is silent at all others."""
    writer = export.JsonWriter(export.Exported(HELD, COUNTERS_OF_WORDS))
    split, whole = json.loads(f"[{writer.body([SPLIT, WHOLE])}]")
    assert (split["note"], split["tags"]) == ("Ada's birthday", ["ada", "gift"])
    assert split["splits"] == [
        {"amount": -3000, "category": "dining", "note": None},
        {"amount": -1250, "category": "gifts", "note": "a book, 16:30"},
    ]
    assert {"note", "tags", "splits"}.isdisjoint(whole)


@pytest.mark.parametrize("later", [("note", "splits", "tags"), ("tags",)])
def test_a_table_of_an_older_version_is_read(tmp_path: Path, later: tuple[str, ...]) -> None:
    """The columns of notes, parts and tags came later; without them a file is read word for word."""
    writer = export.CsvWriter(export.Exported(HELD, COUNTERS_OF_WORDS))
    head = writer.head().removesuffix("".join(f",{name}" for name in later) + "\n")
    former = f"{head}\n" + writer.body([WHOLE]).removesuffix("," * len(later) + "\n") + "\n"
    found = read_content(tmp_path / "former.csv", former)
    (row,) = found.rows
    assert (found.format, row.amount, row.raw) == ("finplan-csv", -4250, "SHOP")

    with pytest.raises(UnreadableStatement, match=f"17 cells instead of {17 - len(later)}"):
        read_content(tmp_path / "mixed.csv", former.split("\n")[0] + "\n" + writer.body([WHOLE]))
