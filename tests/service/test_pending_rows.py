"""Interim reports and the statements that follow them: what waits is booked once, under any number."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.statement import ImportId, ImportReport
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import

Import = Callable[..., Awaitable[ImportReport]]
Row = tuple[int, int]
"""Day of March 2026 and amount in cents."""

IBAN = "DE89370400440532013000"
PAIR = "37040044/532013000"


def mt940(*rows: Row, until: int, number: str = PAIR) -> str:
    """A statement; its closing balance tells up to which day it knows everything."""
    return (
        f":20:X\n:25:{number}\n:28C:1/1\n:60F:C260301EUR0,00\n{_lines(rows)}"
        f":62F:C2603{until:02d}EUR0,00\n-\n"
    )


def mt942(*rows: Row, number: str = PAIR) -> str:
    """An interim report."""
    return f":20:X\n:25:{number}\n:28C:1/1\n:34F:EUR0,\n:13D:2603051200+0100\n{_lines(rows)}-\n"


def _lines(rows: tuple[Row, ...]) -> str:
    return "".join(
        f":61:2603{day:02d}{'D' if amount < 0 else 'C'}{abs(amount) // 100},{abs(amount) % 100:02d}"
        f"NMSCNONREF\n:86:Shop {abs(amount)}\n"
        for day, amount in rows
    )


def camt(*rows: Row, until: int, message: str = "053", status: str = "BOOK") -> str:
    """A statement (053) or a report (052); `status` is that of its entries."""
    root = {"053": "BkToCstmrStmt", "052": "BkToCstmrAcctRpt"}[message]
    part = {"053": "Stmt", "052": "Rpt"}[message]
    entries = "".join(
        f'<Ntry><Amt Ccy="EUR">{abs(amount) / 100:.2f}</Amt>'
        f"<CdtDbtInd>{'DBIT' if amount < 0 else 'CRDT'}</CdtDbtInd><Sts>{status}</Sts>"
        f"<BookgDt><Dt>2026-03-{day:02d}</Dt></BookgDt><AddtlNtryInf>Shop {abs(amount)}</AddtlNtryInf>"
        "</Ntry>"
        for day, amount in rows
    )
    return (
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.{message}.001.02"><{root}><{part}>'
        "<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm>"
        f"<ToDtTm>2026-03-{until:02d}T00:00:00</ToDtTm></FrToDt>"
        f"<Acct><Id><IBAN>{IBAN}</IBAN></Id><Tp><Cd>CACC</Cd></Tp></Acct>{entries}"
        f"</{part}></{root}></Document>"
    )


INTERIM = {
    "MT942": mt942((4, -150), (5, 2000)),
    "CAMT.052": camt((4, -150), (5, 2000), until=5, message="052", status="PDNG"),
}
BOOKED = {
    "MT940": mt940((4, -150), (5, 2000), until=5),
    "CAMT.053": camt((4, -150), (5, 2000), until=5),
}
EVERY_PAIR = pytest.mark.parametrize(
    ("interim", "booked"), [(interim, booked) for interim in INTERIM for booked in BOOKED]
)


async def _rows(context: Context) -> tuple[list[Row], list[Row]]:
    """What is booked, and what waits."""

    def read(connection: Connection) -> list[list[Row]]:
        query = "SELECT day % 100, amount FROM {} ORDER BY day, amount"
        return [
            [(day, amount) for day, amount in connection.exec_driver_sql(query.format(table))]
            for table in ("tx", "pending")
        ]

    booked, waiting = await context.store.read(read)
    return booked, waiting


async def _masks(context: Context) -> list[Any]:
    return [account.mask for account in await list_accounts(context, Nothing())]


@pytest.mark.sampled(3)
@EVERY_PAIR
async def test_a_statement_books_what_waited(
    context: Context, import_texts: Import, interim: str, booked: str
) -> None:
    """A later statement replaces the rows of an interim report, in whatever formats the two come."""
    await import_texts({"interim": INTERIM[interim]})
    assert await _rows(context) == ([], [(4, -150), (5, 2000)])
    report = await import_texts({"booked": BOOKED[booked]})
    assert (report.files[0].new, report.files[0].ambiguous) == (2, 0)
    assert await _rows(context) == ([(4, -150), (5, 2000)], [])
    assert await _masks(context) == ["3000"]


@EVERY_PAIR
async def test_an_older_report_brings_nothing_back(
    context: Context, import_texts: Import, interim: str, booked: str
) -> None:
    """A report that is imported after its statement adds no row to those that are booked."""
    await import_texts({"booked": BOOKED[booked]})
    await import_texts({"interim": INTERIM[interim]})
    assert await _rows(context) == ([(4, -150), (5, 2000)], [])


@EVERY_PAIR
async def test_both_at_once(
    context: Context, import_texts: Import, interim: str, booked: str
) -> None:
    """A report and its statement in one batch are one account, and each row is there once."""
    await import_texts({"interim": INTERIM[interim], "booked": BOOKED[booked]})
    assert await _rows(context) == ([(4, -150), (5, 2000)], [])
    assert await _masks(context) == ["3000"]


async def test_a_row_waits_once(context: Context, import_texts: Import) -> None:
    """Two reports of one day in one batch may both have a row, and two equal rows may be in one."""
    report = mt942((4, -150), (4, -150), (5, 2000))
    await import_texts({"a": mt942((4, -150)), "b": report, "c": report})
    assert await _rows(context) == ([], [(4, -150), (4, -150), (5, 2000)])


async def test_a_statement_knows_nothing_of_later_days(
    context: Context, import_texts: Import
) -> None:
    """What waits after the last day of a statement goes on waiting."""
    await import_texts({"interim": mt942((4, -150), (5, 2000))})
    await import_texts({"booked": mt940((4, -150), until=4)})
    assert await _rows(context) == ([(4, -150)], [(5, 2000)])


async def test_what_a_statement_lacks_is_gone(context: Context, import_texts: Import) -> None:
    """A row that waited and that its day's statement does not have will never be booked."""
    await import_texts({"interim": mt942((4, -150), (4, -990))})
    await import_texts({"booked": mt940((4, -150), until=4)})
    assert await _rows(context) == ([(4, -150)], [])


async def test_undo_lets_rows_wait_again(context: Context, import_texts: Import) -> None:
    """When the statement is taken back, the report's rows are there as before."""
    await import_texts({"interim": mt942((4, -150), (5, 2000))})
    report = await import_texts({"booked": mt940((4, -150), until=4)})
    await undo_import(context, ImportId(id=report.id or ""))
    assert await _rows(context) == ([], [(4, -150), (5, 2000)])


async def test_a_second_purchase_waits_beside_a_booked_one(
    context: Context, import_texts: Import
) -> None:
    """Two equal rows of one day, one booked and one waiting in the same file, are two purchases."""
    table = (
        "Date,Description,Amount,Status\n2026-03-04,Coffee,-3.00,{}\n2026-03-04,Coffee,-3.00,{}\n"
    )
    for _ in range(2):
        await import_texts({"a.csv": table.format("Posted", "Pending")})
        assert await _rows(context) == ([(4, -300)], [(4, -300)])
    await import_texts({"a.csv": table.format("Posted", "Posted")})
    assert await _rows(context) == ([(4, -300), (4, -300)], [])


@pytest.mark.parametrize("first", [mt940((4, -150), until=4), camt((4, -150), until=4)])
@pytest.mark.parametrize("second", [mt940((4, -150), until=4), camt((4, -150), until=4)])
async def test_one_account_under_two_numbers(
    context: Context, import_texts: Import, first: str, second: str
) -> None:
    """The IBAN of CAMT and the bank's code with the number of MT940 are one account, in any order."""
    await import_texts({"a": first})
    report = await import_texts({"b": second})
    assert report.files[0].new == 0
    assert await _rows(context) == ([(4, -150)], [])
    assert len(await list_accounts(context, Nothing())) == 1


async def test_another_banks_account_is_another(context: Context, import_texts: Import) -> None:
    """The same number at another bank is another account."""
    await import_texts({"a": camt((4, -150), until=4)})
    await import_texts({"b": mt940((4, -150), until=4, number="37040045/532013000")})
    assert len(await list_accounts(context, Nothing())) == 2


@pytest.mark.parametrize("second", [PAIR, IBAN])
async def test_equal_rows_of_one_file_are_told_apart_under_any_number(
    context: Context, import_texts: Import, second: str
) -> None:
    """However a file's second statement calls the account, its equal row is another row, once."""
    text = mt940((4, -150), until=4, number=PAIR) + mt940((4, -150), until=5, number=second)
    first = await import_texts({"booked": text})
    again = await import_texts({"booked": text})

    def ordinals(connection: Connection) -> list[int]:
        query = "SELECT ordinal FROM tx ORDER BY ordinal"
        return [row[0] for row in connection.exec_driver_sql(query)]

    assert [(file.new, file.known) for file in (*first.files, *again.files)] == [(2, 0), (0, 2)]
    assert await context.store.read(ordinals) == [0, 1]


async def test_a_dry_run_tells_how_many_rows_wait(import_texts: Import) -> None:
    """A report of nothing but waiting rows is not empty: the preview counts them apart."""
    dry = await import_texts({"a": mt942((4, -150), (5, 2000)), "b": BOOKED["MT940"]}, dry_run=True)
    assert [(file.transactions, file.new, file.pending) for file in dry.files] == [
        (0, 0, 2),
        (2, 2, 0),
    ]
