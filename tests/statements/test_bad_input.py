"""Files that are no statements: one clear sentence each, within a second, whatever their size."""

import gzip
import io
import random
import zipfile
from pathlib import Path

import pytest

from finplan.statements.detect import READERS, read
from finplan.statements.statement import Hints, SourceFile, UnreadableStatement
from tests.statements.reading_files import BytesRead, read_content, read_path
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
    "zeros": (b"\0" * 100_000, "nothing but zero bytes"),
    "pdf": (b"%PDF-1.7\n1 0 obj\n", "That is a PDF"),
    "workbook": (zipped(), "a zip archive or an Excel workbook"),
    "old workbook": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500,
        "an old Excel or Word file",
    ),
    "png": (b"\x89PNG\r\n\x1a\n" + b"\0\1\2" * 50, "a picture"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\0\1" * 50, "a picture"),
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
    "qif": (b"!Type:Cat\nNFood\nE\n^\n", "no transactions, only lists of accounts"),
    "swift message": (b"{1:F01BANKXXXX}{2:I103}{4:\r\n:20:1\r\n-}", "no statement of an account"),
    "camt without a statement": (
        b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>',
        "CAMT but holds no statement",
    ),
    "camt of another sort": (
        b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.03"/>',
        "XML without a bank statement",
    ),
    "prose": (b"Dear customer,\nplease find attached.\n", "no row of it has a date and an amount"),
    "numbers": (b"1\n2\n3\n4\n", "no row of it has a date and an amount"),
    "header": (b"Date,Description,Amount\n", "no row with a date and an amount"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_statement_is_named(tmp_path: Path, name: str) -> None:
    """The sentence says what the file seems to be, and soon; its name does not count."""
    content, words = FILES[name]
    path = tmp_path / "statement.ofx"
    path.write_bytes(content)

    def refuse() -> None:
        with pytest.raises(UnreadableStatement) as refused:
            read_path(path)
        assert words in str(refused.value)
        assert str(refused.value).count(".") == 1

    # What is read once and kept, such as tables of words, is no part of it.
    refuse()
    assert steps(refuse) < 5000


@pytest.mark.parametrize("beginning", [b"\x7fELF\2\1\1", b"\0\1\2\3" * 64, b"%PDF-1.4"])
def test_a_huge_binary_file_is_refused_from_its_head(
    tmp_path: Path, bytes_read: BytesRead, beginning: bytes
) -> None:
    """200 MB are not read to see that they are no statement."""
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(beginning * 300)
        file.truncate(200 << 20)
    with pytest.raises(UnreadableStatement, match="cannot be imported"):
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
    source = SourceFile.of(path)
    for reader in READERS:
        assert not reader.recognises(source)
        with pytest.raises(UnreadableStatement):
            list(reader.read(source, Hints(household="USD")).parts)


def test_an_unknown_encoding_refuses_the_file(tmp_path: Path) -> None:
    """A hint that cannot be followed is said to be wrong, whatever the format."""
    path = tmp_path / "a"
    for content in ("<OFX></OFX>", "Date,Text,Amount\n2026-03-04,A,-1.00\n"):
        path.write_text(content)
        with pytest.raises(UnreadableStatement, match="“klingon” is not an encoding"):
            read(SourceFile.of(path), Hints(encoding="klingon"))
