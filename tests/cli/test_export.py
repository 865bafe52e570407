"""`finplan export`, and answers as rows for other programs: `--csv` and `--fields`.

An export is the file as the daemon sends it, on stdout or on disk, whole or not at all.
"""

import csv
import io
import json
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from finplan.cli.console.errors import USAGE
from finplan.cli.console.rows import RowsShape, RowsTable
from finplan.model.base import Amount, Timestamp, Wire
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from tests.cli.conftest import Run
from tests.cli.stub import Stub

CONTENT = b'date,amount\n2026-03-04,"-4,50"\n'


@pytest.fixture
def exporting(stub: Stub) -> Stub:
    stub.answer("GET", "/export", CONTENT)
    return stub


def test_stdout_gets_the_file_byte_for_byte(exporting: Stub, finplan: Run) -> None:
    """Nothing is added, and the format is JSON when nothing says otherwise."""
    ended = finplan("export")
    assert (ended.code, ended.out, ended.err) == (0, CONTENT, "")
    assert exporting.asked[-1].query == {"format": ["json"]}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a.json", "json"),
        ("a.CSV", "csv"),
        ("a.journal", "hledger"),
        ("a.ledger", "hledger"),
        ("a.beancount", "beancount"),
    ],
)
def test_a_files_name_says_its_format(
    exporting: Stub, finplan: Run, tmp_path: Path, name: str, wanted: str
) -> None:
    """The file is written whole, for its owner alone, and stdout stays empty."""
    path = tmp_path / name
    ended = finplan("export", str(path))

    assert (ended.code, ended.out) == (0, b"")
    assert f"Wrote {path}" in ended.err
    assert exporting.asked[-1].query == {"format": [wanted]}
    assert path.read_bytes() == CONTENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".finplan-*"))


def test_what_a_file_cannot_hold_is_said(exporting: Stub, finplan: Run, tmp_path: Path) -> None:
    """Whoever saves rows alone is told where the rest would be; the whole household needs no word."""
    said = {
        "a.json": "",
        "a.csv": "Contains the posted transactions and their accounts.",
        "a.journal": "Contains the posted transactions and their accounts.",
        "a.beancount": "Contains the posted transactions and their accounts.",
    }
    for name, sentence in said.items():
        _, *remarks = finplan("export", str(tmp_path / name)).err.splitlines()
        assert " ".join(remarks).startswith(sentence)
        assert bool(remarks) == bool(sentence)
    _, *remarks = finplan("export", str(tmp_path / "b.json"), "--from", "2025").err.splitlines()
    assert " ".join(remarks).startswith("Contains only the transactions that match")


def test_filters_are_passed_on(exporting: Stub, finplan: Run) -> None:
    """Days, merchants and accounts are those of `finplan transactions`."""
    ended = finplan(
        "export", "--format", "csv", "--from", "2025", "--to", "2025-06", "--merchant", "Blue Bottle",
        "--account", "acc_0000000000000000000000000",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert exporting.asked[-1].query == {
        "format": ["csv"],
        "from": ["2025-01-01"],
        "to": ["2025-06-30"],
        "merchant": ["Blue Bottle"],
        "account": ["acc_0000000000000000000000000"],
    }


def test_a_file_is_not_overwritten_unasked(exporting: Stub, finplan: Run, tmp_path: Path) -> None:
    """What is there stays, unless --force says otherwise."""
    path = tmp_path / "a.csv"
    path.write_text("mine")
    ended = finplan("export", str(path))
    assert (ended.code, path.read_text()) == (3, "mine")
    assert "--force" in ended.err

    assert finplan("export", str(path), "--force").code == 0
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.xlsx"], 2, "a.xlsx"),
        (["--format", "xml"], 2, "--format"),
        (["--json", "--format", "csv"], 2, "--format csv"),
        (["nowhere/a.csv"], 1, "nowhere/a.csv"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    exporting: Stub, finplan: Run, arguments: list[str], code: int, said: str
) -> None:
    """A wrong format or place is said, and nothing is written."""
    ended = finplan("export", *arguments)
    assert (ended.code, ended.out) == (code, b"")
    assert said in ended.err


def test_a_refusal_leaves_no_file(stub: Stub, finplan: Run, tmp_path: Path) -> None:
    """When the daemon refuses, its sentence is shown and the folder stays as it was."""
    stub.refuse("GET", "/export", 400, "BAD_REQUEST", "There is no account acc_1.")
    ended = finplan("export", str(tmp_path / "a.csv"))
    assert (ended.code, ended.out) == (3, b"")
    assert "There is no account acc_1." in ended.err
    assert not list(tmp_path.glob("*.csv"))
    assert not list(tmp_path.glob(".finplan-*"))


def category(name: str, label: str) -> dict[str, Any]:
    return {
        "category": name,
        "label": label,
        "line": "essential",
        "custom": False,
        "reimbursable": False,
    }


def row(number: int, **more: Any) -> dict[str, Any]:
    why = {"source": "default", "ruleId": None, "confidence": None, "text": "Nothing is known."}
    return {
        "id": f"tx_{number}",
        "accountId": "acc_1",
        "date": "2026-03-01",
        "amount": -1234,
        "currency": "USD",
        "payeeKey": "cafe",
        "payee": "Café",
        "raw": "CAFE 12",
        "category": "dining",
        "line": "discretionary",
        "pending": False,
        "transferId": None,
        "note": None,
        "splits": None,
        "why": why,
        **more,
    }


def page(*rows: dict[str, Any], next_cursor: str | None = None) -> dict[str, Any]:
    return {"transactions": list(rows), "nextCursor": next_cursor, "total": None}


SETTINGS = {"currency": "EUR", "timeZone": "UTC", "budgetShares": None, "targetMonths": None}


def read(out: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out.decode())))


def test_money_has_its_decimals_in_the_currency_of_its_row(finplan: Run, stub: Stub) -> None:
    """A spreadsheet reads what a person would: cents, whole yen, three digits of dinars."""
    stub.answer("GET", "/settings", SETTINGS)
    rows = (row(1), row(2, currency="JPY"), row(3, currency="KWD", amount=1), row(4, amount=5))
    stub.answer("GET", "/transactions", page(*rows))
    told = read(finplan("transactions", "--csv").out)
    assert [each["amount"] for each in told] == ["-12.34", "-1234", "0.001", "0.05"]


def test_money_without_a_currency_of_its_own_is_the_households(finplan: Run, stub: Stub) -> None:
    """Totals are in the household's currency, and so are their decimals."""
    stub.answer("GET", "/settings", {**SETTINGS, "currency": "JPY"})
    group = {"key": "rent", "label": "Rent", "total": 90000, "count": 1, "share": 1.0}
    report = {"from": "2026-01-01", "to": "2026-01-31", "groupBy": "category", "total": 90000}
    stub.answer("GET", "/spending", {**report, "count": 1, "groups": [group], "recorded": None})
    (told,) = read(finplan("spending", "--csv").out)
    assert (told["label"], told["total"], told["count"]) == ("Rent", "90000", "1")


def test_a_list_of_rows_is_whole_unless_it_is_limited(finplan: Run, stub: Stub) -> None:
    """Pages follow each other to the last; with a limit there is one, and that more are is said."""
    stub.answer("GET", "/settings", SETTINGS)
    pages = iter([page(row(1), next_cursor="next"), page(row(2))])
    stub.answers["GET", "/transactions"] = lambda: (200, json.dumps(next(pages)).encode())
    assert [each["id"] for each in read(finplan("transactions", "--csv").out)] == ["tx_1", "tx_2"]
    assert stub.asked[-2].query["cursor"] == ["next"]
    pages = iter([page(row(1), next_cursor="next")])
    ended = finplan("transactions", "--csv", "--limit", "1")
    assert [each["id"] for each in read(ended.out)] == ["tx_1"]
    assert "--cursor next" in ended.err


def test_fields_are_the_columns_in_the_order_they_are_named(finplan: Run, stub: Stub) -> None:
    """With --csv and with --json these fields alone are printed; JSON has the daemon's own values."""
    stub.answer("GET", "/settings", SETTINGS)
    stub.answer("GET", "/transactions", page(row(1)))
    told = finplan("transactions", "--csv", "--fields", "amount, why.text,payee").out.decode()
    assert told == "amount,why.text,payee\r\n-12.34,Nothing is known.,Café\r\n"
    told = finplan("transactions", "--json", "--fields", "amount,payee").out.decode()
    assert json.loads(told) == [{"amount": -1234, "payee": "Café"}]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("categories", "--csv", "--fields", "nothing"), "Unknown field 'nothing'."),
        (("categories", "--csv", "--fields", "?"), "Fields: category, label, line"),
        (("categories", "--csv", "--fields", ","), "--fields needs"),
        (("categories", "--fields", "label"), "--fields needs --csv or --json"),
        (("categories", "--csv", "--json"), "either --csv or --json"),
        (("snapshot", "--csv"), "No such option: --csv"),
        (("accounts", "--csv", "set", "x", "--hide"), "Use --json"),
    ],
)
def test_nonsense_asks_nothing(finplan: Run, stub: Stub, typed: tuple[str, ...], said: str) -> None:
    """A field or an option that there is not is told before anything is asked."""
    ended = finplan(*typed)
    assert (ended.code, ended.out) == (USAGE, b"")
    assert said in ended.err
    assert stub.asked == []


@pytest.mark.parametrize("begins", ["=", "+", "-", "@"])
def test_no_spreadsheet_runs_what_a_stranger_wrote(finplan: Run, stub: Stub, begins: str) -> None:
    """What a spreadsheet would take for a formula has an apostrophe before it."""
    stub.answer("GET", "/settings", SETTINGS)
    stub.answer("GET", "/transactions", page(row(1, payee=f"{begins}HYPERLINK(1)")))
    (told,) = read(finplan("transactions", "--csv").out)
    assert (told["payee"], told["amount"]) == (f"'{begins}HYPERLINK(1)", "-12.34")


def test_months_beside_each_other_are_columns(finplan: Run, stub: Stub) -> None:
    """A table of months has a column for each, named by it."""
    stub.answer("GET", "/settings", SETTINGS)
    group = {"key": "rent", "label": "Rent", "totals": [100, 0], "total": 100, "count": 1}
    months = {"from": "2026-01-01", "to": "2026-02-28", "groupBy": "category", "total": 100}
    months |= {"months": ["2026-01", "2026-02"], "totals": [100, 0], "recorded": None}
    stub.answer("GET", "/spending/months", {**months, "groups": [group]})
    (told,) = read(finplan("spending", "--monthly", "--csv").out)
    assert (told["2026-01"], told["2026-02"], told["total"]) == ("1.00", "0.00", "1.00")


def test_instants_are_days_and_times(finplan: Run, stub: Stub) -> None:
    """An instant is written in UTC, as programs read it, and not as a number of milliseconds."""
    stub.answer("GET", "/settings", SETTINGS)
    job = {"name": "sync", "schedule": "twice", "nextAt": 1_767_225_600_000, "lastAt": None}
    stub.answer("GET", "/jobs", [{**job, "lastResult": None, "error": None}])
    (told,) = read(finplan("daemon", "jobs", "--csv").out)
    assert (told["nextAt"], told["lastAt"]) == ("2026-01-01T00:00:00+00:00", "")


LISTS = [
    each
    for each in OPERATIONS
    if each.method == "GET" and each.name.startswith("list_") and each.name != "list_accounts"
]


@pytest.mark.parametrize("operation", LISTS, ids=lambda each: each.name)
def test_every_list_has_rows_with_columns(operation: AnyOperation) -> None:
    """Whatever is listed has things for rows, and each thing has columns."""
    shape = RowsShape(operation)
    assert shape.rows_at is not None
    assert shape.columns()


class Inside(Wire):
    """What a row may have, or not."""

    amount: Amount
    at: Timestamp | None


class Outside(Wire):
    """A row that has it."""

    name: str
    inside: Inside | None


class Listed(Wire):
    """An answer that has one list of things, and a list of words, which is none."""

    words: tuple[str, ...]
    rows: tuple[Outside, ...] | None


@pytest.mark.parametrize(("answers", "place"), [(tuple[Outside, ...], ""), (Listed, "rows")])
def test_what_may_be_absent_has_its_columns(answers: Any, place: str) -> None:
    """A thing inside a row that may be null is columns of its own, empty where it is null."""
    operation: Any = SimpleNamespace(answers=answers)
    assert RowsShape(operation).rows_at == place
    assert list(RowsShape(operation).columns()) == ["name", "inside.amount", "inside.at"]
    rows = [
        {"name": "a", "inside": {"amount": -105, "at": 0}},
        {"name": "b", "inside": {"amount": 5, "at": None}},
        {"name": "c", "inside": None},
    ]
    table = RowsTable(operation, None)
    table.take(json.dumps({"words": ["x"], "rows": rows} if place else rows).encode())
    assert table.as_csv("USD").decode().split() == [
        "name,inside.amount,inside.at",
        "a,-1.05,1970-01-01T00:00:00+00:00",
        "b,0.05,",
        "c,,",
    ]


def test_two_lists_of_things_are_no_rows() -> None:
    """Where an answer has two lists, neither is the one that is meant."""

    class Two(Wire):
        """An answer with two lists of things."""

        these: tuple[Outside, ...]
        those: tuple[Outside, ...]

    operation: Any = SimpleNamespace(answers=Two)
    assert RowsShape(operation).rows_at is None
