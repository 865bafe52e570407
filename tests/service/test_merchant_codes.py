"""The bank's own code of a merchant's trade: it files payees that no name does, and says so."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]


def _card(*rows: tuple[str, str, str]) -> str:
    """An OFX card statement with rows of a name, an amount and a code; "" gives no code."""
    booked = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>2026090{place}<TRNAMT>{amount}<FITID>F{name}{place}"
        f"<NAME>{name}" + (f"<SIC>{code}" if code else "") + "</STMTTRN>"
        for place, (name, amount, code) in enumerate(rows, 1)
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>"
        "<CURDEF>USD<CCACCTFROM><ACCTID>4111</CCACCTFROM><BANKTRANLIST><DTSTART>20260901"
        f"<DTEND>20260930{booked}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>"
    )


async def _reasons(context: Context) -> dict[str, tuple[str, str]]:
    page = await list_transactions(context, TransactionQuery())
    return {row.payee_key: (row.category, row.why.text) for row in page.transactions}


async def test_a_code_files_whom_no_name_does(context: Context, import_texts: Import) -> None:
    """An unknown merchant goes where its trade goes; a well-known one keeps what it is known for."""
    await import_texts(
        {
            "card.ofx": _card(
                ("QUILLZWALD", "-25.00", "5812"),
                ("TERRVIXOL", "-9.00", ""),
                ("NETFLIX", "-15.49", "5812"),
            )
        }
    )
    found = await _reasons(context)

    assert found["quillzwald"][0] == "dining"
    assert found["quillzwald"][1] == "Merchant code 5812: restaurants and coffee."
    assert found["terrvixol"][0] == "uncategorized"
    assert found["netflix"][0] == "subscriptions"


async def test_most_charges_tell_the_trade(context: Context, import_texts: Import) -> None:
    """Of two codes the one that more charges carry counts."""
    rows = [("QUILLZWALD", "-25.00", code) for code in ("5812", "8011", "8011")]
    await import_texts({"card.ofx": _card(*rows)})

    assert (await _reasons(context))["quillzwald"][0] == "health"


async def test_undo_takes_the_code_back(context: Context, import_texts: Import, dump: Dump) -> None:
    """A payee that had no code before an import has none after it is undone."""
    await import_texts({"checking.csv": "Date,Description,Amount\n2026-08-01,QUILLZWALD,-5.00\n"})
    before, was = await _reasons(context), await dump()
    report = await import_texts({"card.ofx": _card(("QUILLZWALD", "-25.00", "5812"))})
    between = await _reasons(context)
    await undo_import(context, ImportId(id=report.id))

    assert (before["quillzwald"][0], between["quillzwald"][0]) == ("uncategorized", "dining")
    assert (await _reasons(context), await dump()) == (before, was)
