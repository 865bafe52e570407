"""Statement files of random rows: as CSV, and as OFX with a balance."""

from collections.abc import Iterable

from tests.crash.household import Row

HEADER = "Date,Description,Amount (USD)"


def csv_of(rows: Iterable[Row]) -> bytes:
    """A table of rows, which names no account."""
    lines = (f"{row.day},{row.text},{money(row.amount)}" for row in rows)
    return "\n".join((HEADER, *lines, "")).encode()


def ofx_of(bank: str, number: str, rows: Iterable[Row], day: str, balance: int) -> bytes:
    """A statement of a checking account, with its balance at the end of a day."""
    listed = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{_digits(row.day)}<TRNAMT>{money(row.amount)}"
        f"<FITID>{_digits(row.day)}{-row.amount}<NAME>{row.text}</STMTTRN>\n"
        for row in rows
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
        f"<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>{bank}<FID>1</FI></SONRS></SIGNONMSGSRSV1>"
        "<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1"
        f"<ACCTID>{number}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{money(balance)}<DTASOF>{_digits(day)}</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    ).encode()


def money(cents: int) -> str:
    """An amount as files write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _digits(day: str) -> str:
    return day.replace("-", "")
