"""Texts of files are cut to a bound where all rows pass, and rows stay what they were."""

import pytest
from sqlalchemy import Connection

from finplan.model import characters
from finplan.model.characters import LONGEST_TEXT
from finplan.model.errors import BadRequest
from finplan.service.context import Context
from finplan.statements import seen
from tests.service.conftest import Import

BOUNDED = "Paid to somebody for something " * 200
UNBROKEN = "x" * 9000


def ofx(*rows: str) -> str:
    return (
        "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"
        "<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST>{''.join(rows)}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def row(text: str, day: str = "20261103", more: str = "") -> str:
    return f"<STMTTRN><DTPOSTED>{day}<TRNAMT>-4.50{more}<NAME>{text}</STMTTRN>"


FILES = {
    "words": ofx(row(BOUNDED)),
    "one word": ofx(row(UNBROKEN)),
    "two that begin alike": ofx(row(UNBROKEN + "a"), row(UNBROKEN + "b")),
    "ids": ofx(row("Shop", more=f"<FITID>{'7' * 1200}"), row("Shop", more=f"<FITID>{'8' * 1200}")),
    "payees": ofx(row(BOUNDED, more=f"<PAYEE><NAME>{BOUNDED}</PAYEE>")),
    "as long as may be": ofx(row("y" * LONGEST_TEXT)),
}


async def raws(context: Context) -> list[str]:
    """The texts of all rows that are stored."""

    def read(connection: Connection) -> list[str]:
        return [each[0] for each in connection.exec_driver_sql("SELECT raw FROM tx ORDER BY no")]

    return await context.store.read(read)


async def test_a_long_text_is_cut_and_the_report_says_so(
    context: Context, import_texts: Import
) -> None:
    """What is stored has a bound, and the report counts the transactions that were cut."""
    text = ofx(row(UNBROKEN), row("Shop", "20261104"), row(BOUNDED, "20261105"))
    report = await import_texts({"bank.ofx": text})

    (account,) = report.files[0].accounts
    assert account.new_rows == 3
    (sentence,) = account.assumed
    assert sentence.startswith(
        "Shortened the text of 2 transactions. A text has at most 4,000 characters"
    )
    assert sorted(map(len, await raws(context))) == [4, LONGEST_TEXT, LONGEST_TEXT]


@pytest.mark.parametrize("name", FILES)
async def test_a_file_that_an_earlier_version_read_adds_nothing(
    import_texts: Import, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A row whose whole text is stored is known by the part of it that is kept now."""
    with monkeypatch.context() as earlier:
        _without_bounds(earlier)
        first = await import_texts({"bank.ofx": FILES[name]})
    again = await import_texts({"bank.ofx": FILES[name]})

    assert first.files[0].new == first.files[0].transactions > 0
    assert (again.files[0].new, again.files[0].known) == (0, first.files[0].new)


async def test_a_long_text_is_no_other_one_that_begins_alike(import_texts: Import) -> None:
    """Of two rows of one day and amount each stays one, however alike their texts begin."""
    two = FILES["two that begin alike"]
    first, again = await import_texts({"a.ofx": two}), await import_texts({"a.ofx": two})

    assert (first.files[0].new, again.files[0].new, again.files[0].known) == (2, 0, 2)


def _without_bounds(patch: pytest.MonkeyPatch) -> None:
    """Let texts be read as they were before they had a bound."""
    patch.setattr(seen, "visible_text", characters.visible)
    patch.setattr(seen, "visible_name", characters.visible)
    for bound in ("LONGEST_TEXT", "LONGEST_NAME"):
        patch.setattr(seen, bound, 10**9)


async def test_a_file_of_one_transaction_again_and_again_is_refused(import_texts: Import) -> None:
    """Thousands of one day and amount are no statement, and each would be compared with all others."""
    rows = "2026-11-03,Shop,-1.50\n" * 2000
    report = await import_texts({"shop.csv": "Date,Description,Amount\n" + rows})
    with pytest.raises(BadRequest, match="2,001 transactions have the same amount and day"):
        await import_texts({"shop.csv": f"Date,Description,Amount\n{rows}2026-11-03,Other,-1.50\n"})

    assert report.files[0].new == 2000
