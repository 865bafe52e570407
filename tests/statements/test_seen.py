"""No format brings a character into the store that a person cannot see, nor a payee that is none."""

from datetime import date
from pathlib import Path

import pytest

from finplan.statements.export import CsvWriter, Exported, ExportedRow, JsonWriter
from finplan.statements.seen import seen
from finplan.statements.statement import (
    ParsedStatement,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
)
from tests.statements.bank_files import camt, mt940
from tests.statements.reading_files import read_content

EVIL = "EVIL\u202e\u009bSHOP"
SHOWN = "EVIL SHOP"


def _own(make: type[CsvWriter] | type[JsonWriter]) -> str:
    account = StatementAccount("1", f"My{EVIL}", "USD", EVIL, "depository", EVIL, "acc_1")
    writer = make(Exported({"acc_1": account}, {}, {}))
    row = ExportedRow("acc_1", 20260304, -450, EVIL, EVIL, EVIL, EVIL, "dining")
    return writer.head() + writer.body([row]) + writer.tail()


FILES = {
    "CSV": f"Date,Payee,Memo,Amount\n2026-03-04,{EVIL},{EVIL} 2,-4.50\n",
    "OFX": (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:UTF-8\nCHARSET:NONE\n\n<OFX><BANKMSGSRSV1>"
        "<STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>12\u202e3<ACCTTYPE>CHECKING"
        "</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260304<TRNAMT>-4.50"
        f"<FITID>a\u202e1<NAME>{EVIL}<MEMO>{EVIL} 2</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS>"
        "</BANKMSGSRSV1></OFX>"
    ),
    "hledger": f"2026-03-04 {EVIL}\n    assets:bank:{EVIL}  $-4.50\n    expenses:food\n",
    "beancount": f'2026-03-04 * "{EVIL}" "{EVIL} 2"\n  Assets:Bank  -4.50 USD\n  Expenses:Food\n',
    "YNAB": (
        "Account,Flag,Date,Payee,Category,Memo,Outflow,Inflow,Cleared\n"
        f"{EVIL},,2026-03-04,{EVIL},,{EVIL},4.50,,C\n"
    ),
    "finplan-csv": _own(CsvWriter),
    "finplan-json": _own(JsonWriter),
    "MT940": mt940([(date(2026, 3, 4), -450, EVIL)]),
    "CAMT": camt([(date(2026, 3, 4), -450, EVIL)]),
    "QIF": f"!Type:Bank\nD03/14/2026\nT-4.50\nP{EVIL}\nM{EVIL} 2\n^\n",
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_no_text_of_a_file_hides_anything(tmp_path: Path, content: str) -> None:
    """Texts, names and ids of every format come without control and bidirectional characters."""
    found = read_content(tmp_path / "file", content)

    (row,) = found.rows
    (account,) = found.accounts
    texts = [row.raw, row.payee, row.external_id, account.name, account.number, account.institution]
    assert all(text.isprintable() for text in texts if text is not None)
    assert SHOWN in row.raw
    assert row.payee in {None, SHOWN}


def test_a_bank_without_payees_gives_none() -> None:
    """In every bank's format a filler and a number of a card are no payee; what a person wrote is."""
    names = ["NOTPROVIDED", "4111 11XX XXXX 1111", "Ann", None]
    rows = [StatementRow(20260304, -1, "x", None, name) for name in names]
    part = StatementPart(
        StatementAccount("1", "\x00", "USD"), StatementRows.of(rows), notes=("a\x1bb",)
    )

    read = {
        format_: next(seen(ParsedStatement(format_, "utf-8", iter([part]))).parts)
        for format_ in ("OFX", "hledger")
    }

    assert list(read["OFX"].rows.payees) == [None, None, "Ann", None]
    assert list(read["hledger"].rows.payees) == names
    assert read["OFX"].account.name == "Account"
    assert read["OFX"].notes == ("a b",)
