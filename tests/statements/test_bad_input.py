"""Files that are no statements, and what no format may bring: one clear sentence each, and soon.

Files that are no statements are refused within a second, whatever their size. No format brings a
character into the store that a person cannot see, nor a payee that is none.
"""

import gzip
import io
import random
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.intake.candidates import is_same_number
from finplan.model.money import to_text
from finplan.statements import export_household, statement
from finplan.statements.detect import READERS, read
from finplan.statements.export import CsvWriter, Exported, ExportedRow, JsonWriter
from finplan.statements.seen import clean_statement
from finplan.statements.table import layout
from tests.statements import reading_files
from tests.statements.reading_files import BytesRead, Row, camt, mt940, read_content, read_path
from tests.steps import steps

LOL = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(2, 10))
    + "]><OFX><BANKMSGSRSV1>&lol9;</BANKMSGSRSV1></OFX>"
)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return buffer.getvalue()


FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "The file is empty."),
    "blank": (b" \r\n\t\n", "The file is empty."),
    "byte order mark": (b"\xef\xbb\xbf", "The file is empty."),
    "zeros": (b"\0" * 100_000, "only zero bytes"),
    "pdf": (b"%PDF-1.7\n1 0 obj\n", "This is a PDF"),
    "workbook": (zipped(), "a zip archive or an Excel workbook"),
    "old workbook": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500,
        "an old Excel or Word file",
    ),
    "png": (b"\x89PNG\r\n\x1a\n" + b"\0\1\2" * 50, "an image"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\0\1" * 50, "an image"),
    "gzip": (gzip.compress(b"Date,Amount\n2026-03-04,1.00\n"), "a compressed file"),
    "noise": (random.Random(5).randbytes(50_000), "binary data"),
    "sound": (b"RIFF" + bytes(range(32)) * 1000, "binary data"),
    "database": (b"SQLite format 3\0" + b"\0" * 1000, "a database"),
    "web page": (b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "a web page"),
    "table in a web page": (
        b"\n<html><table><tr><td>2026-03-04</td><td>1.00</td></tr>",
        "a web page",
    ),
    "entity bomb": (LOL.encode(), "XML that declares its own entities"),
    "xml": (b'<?xml version="1.0"?><rss></rss>', "XML without a bank statement"),
    "litas": (
        b"000\t20260304\t\tAGBLLT2X\t\r\n020\tLikutisPR\t20260301\t\t500\r\n",
        "a Lithuanian LITAS-ESIS statement",
    ),
    "json": (b'[{"date": "2026-03-04", "amount": 1.00}]', "JSON"),
    "qif": (b"!Type:Cat\nNFood\nE\n^\n", "no transactions, only lists"),
    "swift message": (b"{1:F01BANKXXXX}{2:I103}{4:\r\n:20:1\r\n-}", "no account statement"),
    "camt without a statement": (
        b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>',
        "no account statement",
    ),
    "camt of another sort": (
        b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.03"/>',
        "XML without a bank statement",
    ),
    "prose": (b"Dear customer,\nplease find attached.\n", "No line of this text"),
    "numbers": (b"1\n2\n3\n4\n", "No line of this text"),
    "header": (b"Date,Description,Amount\n", "No line of the table"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_statement_is_named(tmp_path: Path, name: str) -> None:
    """The sentence says what the file seems to be, and soon; its name does not count."""
    content, words = FILES[name]
    path = tmp_path / "statement.ofx"
    path.write_bytes(content)

    def refuse() -> None:
        with pytest.raises(statement.UnreadableStatement) as refused:
            read_path(path)
        assert words in str(refused.value)
        assert str(refused.value).count(".") <= 2

    # What is read once and kept, such as tables of words, is no part of it.
    refuse()
    assert steps(refuse) < 5000


@pytest.mark.parametrize("beginning", [b"\x7fELF\2\1\1", b"\0\1\2\3" * 64, b"%PDF-1.4"])
def test_huge_binaries_are_refused(tmp_path: Path, bytes_read: BytesRead, beginning: bytes) -> None:
    """200 MB are not read to see that they are no statement."""
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(beginning * 300)
        file.truncate(200 << 20)
    with pytest.raises(statement.UnreadableStatement, match="cannot import"):
        read_path(path)
    assert bytes_read() <= 1 << 16


def test_content_counts_and_not_the_name(tmp_path: Path) -> None:
    """A table named .ofx is a table, and an OFX file named .csv is OFX."""
    table = "Date,Text,Amount\n2026-03-04,A,-1.00\n"
    assert read_content(tmp_path / "a.ofx", table).format == "CSV"
    ofx = "<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1</BANKACCTFROM></STMTRS></OFX>"
    assert read_content(tmp_path / "a.csv", ofx).format == "OFX"


def test_an_entity_is_never_expanded(tmp_path: Path) -> None:
    """Even where a declaration comes late, an entity of the file's own stays as it is printed."""
    body = "<STMTTRN><DTPOSTED>20260304<TRNAMT>1.00<NAME>&lol9; &amp;c</STMTTRN>"
    ofx = f"<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM>{body}</STMTRS></OFX>"
    assert read_content(tmp_path / "a.ofx", ofx).raws == ["&lol9; &c"]


def test_every_reader_refuses_what_is_not_its_own(tmp_path: Path) -> None:
    """A reader that is asked for a file it does not recognise says so and does nothing else."""
    path = tmp_path / "a"
    path.write_text("Dear customer,\n")
    source = statement.SourceFile.of(path)
    for reader in READERS:
        assert not reader.recognises(source)
        with pytest.raises(statement.UnreadableStatement):
            list(reader.read(source, statement.Hints(household="USD")).parts)


def test_an_unknown_encoding_refuses_the_file(tmp_path: Path) -> None:
    """A hint that cannot be followed is said to be wrong, whatever the format."""
    path = tmp_path / "a"
    for content in ("<OFX></OFX>", "Date,Text,Amount\n2026-03-04,A,-1.00\n"):
        path.write_text(content)
        with pytest.raises(statement.UnreadableStatement, match="“klingon”"):
            read(statement.SourceFile.of(path), statement.Hints(encoding="klingon"))


EVIL = "EVIL\u202e\u009bSHOP"
SHOWN = "EVIL SHOP"


def _own(make: type[CsvWriter] | type[JsonWriter]) -> str:
    account = statement.StatementAccount("1", f"My{EVIL}", "USD", EVIL, "depository", EVIL, "acc_1")
    writer = make(Exported({"acc_1": account}, {}, {}))
    row = ExportedRow("acc_1", 20260304, -450, EVIL, EVIL, EVIL, EVIL, "dining")
    return writer.head() + writer.body([row]) + writer.tail()


UNSEEN_IN_FILES = {
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


@pytest.mark.parametrize("content", UNSEEN_IN_FILES.values(), ids=UNSEEN_IN_FILES)
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
    rows = [statement.StatementRow(20260304, -1, "x", None, name) for name in names]
    part = statement.StatementPart(
        statement.StatementAccount("1", "\x00", "USD"),
        statement.StatementRows.of(rows),
        notes=("a\x1bb",),
    )

    read = {
        format_: next(
            clean_statement(statement.ParsedStatement(format_, "utf-8", iter([part]))).parts
        )
        for format_ in ("OFX", "hledger")
    }

    assert list(read["OFX"].rows.payees) == [None, None, "Ann", None]
    assert list(read["hledger"].rows.payees) == names
    assert read["OFX"].account.name == "Account"
    assert read["OFX"].notes == ("a b",)


SAME = [
    ("DE02100100109307118603", "10010010/9307118603"),
    ("DE89370400440532013000", "37040044/532013000"),
    ("DE89370400440532013000", "37040044/0532013000"),
    ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ("DE89370400440532013000", "370400440532013000"),
    ("AT611904300234573201", "19043/234573201"),
    ("CH9300762011623852957", "00762/11623852957"),
    ("BE68539007547034", "539-0075470-34"),
    ("BE68539007547034", "539007547034"),
    ("NL91ABNA0417164300", "ABNA0417164300"),
    ("PL61109010140000071219812874", "109010140000071219812874"),
    ("PL61109010140000071219812874", "61 1090 1014 0000 0712 1981 2874"),
]
OTHERS = [
    ("DE89370400440532013000", "37040044/532013001"),
    ("DE89370400440532013000", "37040045/532013000"),
    # Without the bank's code, an account of another bank may have the number.
    ("DE89370400440532013000", "532013000"),
    ("DE89370400440532013000", "37040044/"),
    ("NL91ABNA0417164300", "0417164300"),
    # A typing error is no account's number.
    ("DE88370400440532013000", "37040044/532013000"),
    # A pair is certain only where the country's numbers are such a pair.
    ("BE68539007547034", "539/7547034"),
    ("Giro-Konto", "giro konto"),
    ("1234567", "01234567"),
]


@pytest.mark.parametrize(("iban", "number"), SAME)
def test_an_iban_meets_what_it_is_made_of(iban: str, number: str) -> None:
    """The bank's code with the account's number, or the whole national one, is the IBAN's account."""
    assert is_same_number(iban, number)
    assert is_same_number(number, iban)


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_nothing_is_guessed(first: str, second: str) -> None:
    """Numbers that only resemble one another are of two accounts."""
    assert not is_same_number(first, second)
    assert not is_same_number(second, first)


@given(
    bank=st.integers(10_000_000, 99_999_999),
    account=st.integers(1, 10**10 - 1),
    other=st.integers(1, 10**10 - 1),
)
def test_every_german_pair_is_in_one_iban(bank: int, account: int, other: int) -> None:
    """An IBAN that is made of a bank's code and an account's number meets these two, and no others."""
    digits = 98 - int(f"{bank}{account:010d}131400") % 97
    iban = f"DE{digits:02d}{bank}{account:010d}"
    assert statement.is_iban(iban)
    assert is_same_number(iban, f"{bank}/{account}")
    assert is_same_number(iban, f"{bank}/{other}") == (account == other)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_texts_are_compared(first: str, second: str) -> None:
    """Whatever files give for a number, the answer is the same both ways, and equal ones are one's."""
    assert is_same_number(first, first)
    assert is_same_number(first, second) == is_same_number(second, first)


HINTS = statement.Hints(household="USD")


def table(folder: Path, rows: int) -> Path:
    path = folder / f"table{rows}.csv"
    first = date(2015, 1, 1)
    balance = 0
    lines = ["Date,Description,Amount,Balance"]
    for number in range(rows):
        cents = (number * 7919) % 90_000 - 80_000
        balance += cents
        day = first + timedelta(days=number // 30)
        shop = f"TRADER JOES #{number % 997:04} SEATTLE WA"
        lines.append(f"{day:%m/%d/%Y},{shop},{to_text(cents, 'USD')},{to_text(balance, 'USD')}")
    path.write_text("\n".join(lines) + "\n")
    return path


def ofx(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.ofx"
    first = date(2015, 1, 1)
    body = "".join(
        f"<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>{first + timedelta(days=number // 30):%Y%m%d}120000\n"
        f"<TRNAMT>{to_text((number * 7919) % 90_000 - 80_000, 'USD')}\n<FITID>{number}\n"
        f"<NAME>TRADER JOES #{number % 997:04}\n<MEMO>SEATTLE WA\n</STMTTRN>\n"
        for number in range(rows)
    )
    account = "<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>"
    path.write_text(f"<OFX><STMTRS><CURDEF>USD{account}{body}</STMTRS></OFX>")
    return path


def generated(rows: int) -> Iterator[Row]:
    first = date(2015, 1, 1)
    for number in range(rows):
        shop = f"TRADER JOES #{number % 997:04} SEATTLE WA"
        yield first + timedelta(days=number // 30), (number * 7919) % 90_000 - 80_000, shop


def qif(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.qif"
    path.write_text(reading_files.qif(generated(rows)))
    return path


def mt940_file(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.sta"
    path.write_text(reading_files.mt940(generated(rows)))
    return path


def camt_file(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.xml"
    path.write_text(reading_files.camt(generated(rows), version=8))
    return path


def export(folder: Path, rows: int) -> Path:
    """An export of finplan's own, whose rows come after everything else."""
    path = folder / f"home{rows}.json"
    listed = ",\n".join(
        f'{{"accountId": "acc_1", "date": "{day}", "amount": {amount}, "raw": "{shop}",'
        f' "payeeKey": "trader joes", "source": "csv"}}'
        for day, amount, shop in generated(rows)
    )
    account = '{"id": "acc_1", "name": "Everyday", "currency": "USD"}'
    path.write_text(f'{{"finplan": 1, "accounts": [{account}],\n"transactions": [\n{listed}\n]}}\n')
    return path


def peak_of(path: Path, rows: int) -> int:
    """The most bytes that reading a file of so many rows takes at once."""
    tracemalloc.start()
    try:
        assert count(path) == rows
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def count(path: Path) -> int:
    return sum(len(part.rows) for part in read(statement.SourceFile.of(path), HINTS).parts)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("write", "most"),
    [(table, 200_000), (qif, 200_000)]
    + [(write, 80_000) for write in (ofx, mt940_file, camt_file, export)],
)
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, write: Callable[[Path, int], Path], most: int
) -> None:
    """Many times the rows take no more memory at once; small tables alone are kept whole."""
    few, many = (peak_of(write(tmp_path, rows), rows) for rows in (20_000, most))
    assert many < 1.5 * few


@pytest.mark.thorough
def test_lines_without_rows_cost_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not kept until the columns are known, nor for the second pass."""
    monkeypatch.setattr(layout, "_MOST_CELLS", 3_000)
    path = tmp_path / "table.csv"
    peaks = []
    for lines in (20_000, 60_000):
        path.write_text(
            "Date,Description,Amount\n2026-03-04,SHOP,-3.50\n" + f"{'x' * 40},\n" * lines
        )
        peaks.append(peak_of(path, 1))
    assert peaks[1] < 1.2 * peaks[0]


def test_an_endless_value_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes some of its bound, and not as much as the file has."""
    bound = 1 << 16
    monkeypatch.setattr(export_household, "_LONGEST_VALUE", bound)
    path = tmp_path / "home.json"
    path.write_text('{"finplan": 1, "accounts": [{"id": "' + "x" * (128 * bound))
    tracemalloc.start()
    try:
        with pytest.raises(statement.UnreadableStatement):
            count(path)
        assert tracemalloc.get_traced_memory()[1] < 32 * bound
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("most", [0, 40, 1_500, 3_000])
def test_kept_rows_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Also where it is too large before enough rows of data have shown what its columns mean."""
    path = table(tmp_path, 700)
    path.write_text(path.read_text().replace("\n", "\n,,,\n", 400))
    rows = [row for part in read(statement.SourceFile.of(path), HINTS).parts for row in part.rows]
    monkeypatch.setattr(layout, "_MOST_CELLS", most)
    monkeypatch.setattr(layout, "_ROWS_FOR_COLUMNS", 500)
    again = [row for part in read(statement.SourceFile.of(path), HINTS).parts for row in part.rows]
    assert len(rows) == 700
    assert again == rows
