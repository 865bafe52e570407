"""An employer and a shop of one name are one payee; money out and money in are judged apart."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.core import Context
from finplan.service.imports import undo_import
from finplan.service.transactions import list_transactions
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

SHOPPING = csv("2026-06-03,QUILLZWALD STORE 12,-20.00", "2026-06-21,QUILLZWALD STORE 7,-31.50")
UNSAID = csv(*(f"2026-{month:02}-28,QUILLZWALD,2400.00" for month in range(5, 11)))
SAID = csv(*(f"2026-{month:02}-28,QUILLZWALD PAYROLL PPD,2400.00" for month in range(5, 11)))
REFUND = csv("2026-06-25,QUILLZWALD STORE 12,20.00", "2026-07-11,QUILLZWALD,9.00")
GROCER = csv("2026-06-03,SAFEWAY #1711,-20.00", "2026-06-21,SAFEWAY #1711,-31.50")
GROCERS_PAY = csv(*(f"2026-{month:02}-28,SAFEWAY PAYROLL PPD,2400.00" for month in range(5, 11)))


async def _filed(context: Context, *, into: bool) -> set[tuple[str, str]]:
    """The payees and categories of money in, or of money out."""
    page = await list_transactions(context, TransactionQuery(limit=100))
    return {(row.payee_key, row.category) for row in page.transactions if (row.amount > 0) == into}


async def _import_in_order(import_texts: Import, files: dict[str, str], *, backwards: bool) -> None:
    for name in sorted(files, reverse=backwards):
        await import_texts({name: files[name]})


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("shopping", "pay", "payee", "out"),
    [
        (SHOPPING, UNSAID, "quillzwald", "uncategorized"),
        (SHOPPING, SAID, "quillzwald", "uncategorized"),
        (GROCER, GROCERS_PAY, "safeway", "groceries"),
    ],
    ids=["by its rhythm", "by its words", "a well-known shop"],
)
async def test_pay_is_pay_where_one_shops_too(
    context: Context,
    import_texts: Import,
    shopping: str,
    pay: str,
    payee: str,
    out: str,
    *,
    backwards: bool,
) -> None:
    """Pay is pay and charges are charges, whichever of the two was imported first."""
    files = {"a.csv": shopping, "b.csv": pay}
    await _import_in_order(import_texts, files, backwards=backwards)

    assert await _filed(context, into=True) == {(payee, "wages")}
    assert await _filed(context, into=False) == {(payee, out)}


@pytest.mark.parametrize("backwards", [False, True])
async def test_small_refunds_do_not_hide_the_paydays(
    context: Context, import_texts: Import, *, backwards: bool
) -> None:
    """An employer's shop that takes things back between the paydays still pays wages."""
    files = {"a.csv": SHOPPING, "b.csv": UNSAID, "c.csv": REFUND}
    await _import_in_order(import_texts, files, backwards=backwards)

    assert await _filed(context, into=True) == {("quillzwald", "wages")}


async def test_a_refund_every_month_is_no_pay(context: Context, import_texts: Import) -> None:
    """Where about as much comes back in a rhythm as was spent, it lowers the spending."""
    months = range(5, 11)
    await import_texts(
        {
            "checking.csv": csv(
                *(f"2026-{month:02}-03,QUILLZWALD,-60.00" for month in months),
                *(f"2026-{month:02}-28,QUILLZWALD,45.00" for month in months),
            )
        }
    )

    assert await _filed(context, into=True) == {("quillzwald", "uncategorized")}


async def test_a_housemate_is_no_employer(context: Context, import_texts: Import) -> None:
    """A person who pays a share each month, and was paid now and then, pays no wages."""
    months = range(5, 11)
    await import_texts(
        {
            "checking.csv": csv(
                "2026-06-11,BRIAN TAYLOR,-70.00",
                *(f"2026-{month:02}-02,BRIAN TAYLOR,600.00" for month in months),
            )
        }
    )

    assert "wages" not in {category for _, category in await _filed(context, into=True)}


async def test_without_its_pay_an_employer_is_a_shop_again(
    context: Context, import_texts: Import
) -> None:
    """Undoing the import of the pay takes its evidence back."""
    await import_texts({"a.csv": GROCER})
    report = await import_texts({"b.csv": GROCERS_PAY})
    await undo_import(context, ImportId(id=report.id))
    await import_texts({"c.csv": csv("2026-07-01,SAFEWAY #1711,12.00")})

    assert await _filed(context, into=True) == {("safeway", "groceries")}


@pytest.mark.parametrize("backwards", [False, True])
async def test_a_shops_code_says_nothing_of_pay(
    context: Context, import_texts: Import, *, backwards: bool
) -> None:
    """The bank's code of the charges files the charges, that of the credits the credits."""
    files = {"a.ofx": _statement("QUILLZWALD", "-20.00", "5812", day="03")}
    files["b.csv"] = SAID
    await _import_in_order(import_texts, files, backwards=backwards)

    assert await _filed(context, into=True) == {("quillzwald", "wages")}
    assert await _filed(context, into=False) == {("quillzwald", "dining")}


def _statement(name: str, amount: str, code: str, *, day: str) -> str:
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>"
        "<CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>4111<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20260901<DTEND>20260930<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202609{day}"
        f"<TRNAMT>{amount}<FITID>F1<NAME>{name}<SIC>{code}</STMTTRN></BANKTRANLIST></STMTRS>"
        "</STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
