"""Rows that come again: worded or dated otherwise, waiting at first, or told apart by little.

Only those are the ones that are there; what waits is booked once, under any number.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from finplan.intake.evidence import Wording, wordings_agree
from finplan.intake.rows import pair_left_overs
from finplan.model.base import Nothing
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.queries.staged_rows import LeftOver
from tests.service import one_truth
from tests.service.conftest import bring, dump
from tests.statements.reading_files import Row

DayAndAmount = tuple[int, int]
"""Day of March 2026 and amount in cents."""

IBAN = "DE89370400440532013000"
PAIR = "37040044/532013000"


def mt940(*rows: DayAndAmount, until: int, number: str = PAIR) -> str:
    """A statement; its closing balance tells up to which day it knows everything."""
    return (
        f":20:X\n:25:{number}\n:28C:1/1\n:60F:C260301EUR0,00\n{_lines(rows)}"
        f":62F:C2603{until:02d}EUR0,00\n-\n"
    )


def mt942(*rows: DayAndAmount, number: str = PAIR) -> str:
    """An interim report."""
    return f":20:X\n:25:{number}\n:28C:1/1\n:34F:EUR0,\n:13D:2603051200+0100\n{_lines(rows)}-\n"


def _lines(rows: tuple[DayAndAmount, ...]) -> str:
    return "".join(
        f":61:2603{day:02d}{'D' if amount < 0 else 'C'}{abs(amount) // 100},{abs(amount) % 100:02d}"
        f"NMSCNONREF\n:86:Shop {abs(amount)}\n"
        for day, amount in rows
    )


def camt(*rows: DayAndAmount, until: int, message: str = "053", status: str = "BOOK") -> str:
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


async def _booked_and_waiting(context: Context) -> tuple[list[DayAndAmount], list[DayAndAmount]]:
    """What is booked, and what waits."""

    def read(connection: Connection) -> list[list[DayAndAmount]]:
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
async def test_a_statement_books_what_waited(context: Context, interim: str, booked: str) -> None:
    """A later statement replaces the rows of an interim report, in whatever formats the two come."""
    await bring(context, {"interim": INTERIM[interim]})
    assert await _booked_and_waiting(context) == ([], [(4, -150), (5, 2000)])
    report = await bring(context, {"booked": BOOKED[booked]})
    assert (report.files[0].new, report.files[0].ambiguous) == (2, 0)
    assert await _booked_and_waiting(context) == ([(4, -150), (5, 2000)], [])
    assert await _masks(context) == ["3000"]


@EVERY_PAIR
async def test_old_reports_bring_nothing_back(context: Context, interim: str, booked: str) -> None:
    """A report that is imported after its statement adds no row to those that are booked."""
    await bring(context, {"booked": BOOKED[booked]})
    await bring(context, {"interim": INTERIM[interim]})
    assert await _booked_and_waiting(context) == ([(4, -150), (5, 2000)], [])


@EVERY_PAIR
async def test_both_at_once(context: Context, interim: str, booked: str) -> None:
    """A report and its statement in one batch are one account, and each row is there once."""
    await bring(context, {"interim": INTERIM[interim], "booked": BOOKED[booked]})
    assert await _booked_and_waiting(context) == ([(4, -150), (5, 2000)], [])
    assert await _masks(context) == ["3000"]


async def test_a_row_waits_once(context: Context) -> None:
    """Two reports of one day in one batch may both have a row, and two equal rows may be in one."""
    report = mt942((4, -150), (4, -150), (5, 2000))
    await bring(context, {"a": mt942((4, -150)), "b": report, "c": report})
    assert await _booked_and_waiting(context) == ([], [(4, -150), (4, -150), (5, 2000)])


async def test_a_statement_knows_nothing_of_later_days(context: Context) -> None:
    """What waits after the last day of a statement goes on waiting."""
    await bring(context, {"interim": mt942((4, -150), (5, 2000))})
    await bring(context, {"booked": mt940((4, -150), until=4)})
    assert await _booked_and_waiting(context) == ([(4, -150)], [(5, 2000)])


async def test_what_a_statement_lacks_is_gone(context: Context) -> None:
    """A row that waited and that its day's statement does not have will never be booked."""
    await bring(context, {"interim": mt942((4, -150), (4, -990))})
    await bring(context, {"booked": mt940((4, -150), until=4)})
    assert await _booked_and_waiting(context) == ([(4, -150)], [])


async def test_undo_lets_rows_wait_again(context: Context) -> None:
    """When the statement is taken back, the report's rows are there as before."""
    await bring(context, {"interim": mt942((4, -150), (5, 2000))})
    report = await bring(context, {"booked": mt940((4, -150), until=4)})
    await undo_import(context, ImportId(id=report.id or ""))
    assert await _booked_and_waiting(context) == ([], [(4, -150), (5, 2000)])


async def test_a_second_purchase_waits_beside_a_booked_one(context: Context) -> None:
    """Two equal rows of one day, one booked and one waiting in the same file, are two purchases."""
    table = (
        "Date,Description,Amount,Status\n2026-03-04,Coffee,-3.00,{}\n2026-03-04,Coffee,-3.00,{}\n"
    )
    for _ in range(2):
        await bring(context, {"a.csv": table.format("Posted", "Pending")})
        assert await _booked_and_waiting(context) == ([(4, -300)], [(4, -300)])
    await bring(context, {"a.csv": table.format("Posted", "Posted")})
    assert await _booked_and_waiting(context) == ([(4, -300), (4, -300)], [])


@pytest.mark.parametrize("first", [mt940((4, -150), until=4), camt((4, -150), until=4)])
@pytest.mark.parametrize("second", [mt940((4, -150), until=4), camt((4, -150), until=4)])
async def test_one_account_under_two_numbers(context: Context, first: str, second: str) -> None:
    """The IBAN of CAMT and the bank's code with the number of MT940 are one account, in any order."""
    await bring(context, {"a": first})
    report = await bring(context, {"b": second})
    assert report.files[0].new == 0
    assert await _booked_and_waiting(context) == ([(4, -150)], [])
    assert len(await list_accounts(context, Nothing())) == 1


async def test_another_banks_account_is_another(context: Context) -> None:
    """The same number at another bank is another account."""
    await bring(context, {"a": camt((4, -150), until=4)})
    await bring(context, {"b": mt940((4, -150), until=4, number="37040045/532013000")})
    assert len(await list_accounts(context, Nothing())) == 2


ORDINALS = "SELECT ordinal FROM tx ORDER BY ordinal"


@pytest.mark.parametrize("second", [PAIR, IBAN])
async def test_equal_rows_of_a_file_are_told_apart_always(context: Context, second: str) -> None:
    """However a file's second statement calls the account, its equal row is another row, once."""
    text = mt940((4, -150), until=4, number=PAIR) + mt940((4, -150), until=5, number=second)
    first = await bring(context, {"booked": text})
    again = await bring(context, {"booked": text})

    def ordinals(connection: Connection) -> list[int]:
        return [row[0] for row in connection.exec_driver_sql(ORDINALS)]

    assert [(file.new, file.known) for file in (*first.files, *again.files)] == [(2, 0), (0, 2)]
    assert await context.store.read(ordinals) == [0, 1]


async def test_a_dry_run_tells_how_many_rows_wait(context: Context) -> None:
    """A report of nothing but waiting rows is not empty: the preview counts them apart."""
    dry = await bring(
        context, {"a": mt942((4, -150), (5, 2000)), "b": BOOKED["MT940"]}, dry_run=True
    )
    assert [(file.transactions, file.new, file.pending) for file in dry.files] == [
        (0, 0, 2),
        (2, 2, 0),
    ]


Import = Callable[..., Awaitable[Any]]
FIRST = date(2026, 6, 1)


def _rows(*told: tuple[int, str, int]) -> list[Row]:
    return [(FIRST + timedelta(day - 1), amount, text) for day, text, amount in told]


async def test_two_cards_in_one_account_keep_their_rows(context: Context) -> None:
    """Files that a person puts into one account are two where most of their rows are not the same."""
    mine = [(date(2026, 6, day), -day * 1_00, f"MINE {day}") for day in range(1, 20)]
    yours = [
        (day, amount - (7 if day.day % 3 else 0), text.replace("MINE", "YOURS"))
        for day, amount, text in mine
    ]
    await bring(context, {"mine.csv": one_truth.bank_csv(mine)}, account="Visa", currency="EUR")
    report = await bring(context, {"yours.csv": one_truth.bank_csv(yours)}, account="Visa")
    assert (report.files[0].new, report.files[0].ambiguous) == (19, 0)


async def test_two_formats_of_one_number_in_one_import(context: Context) -> None:
    """Files that name one account are matched with each other too; undone, nothing is left."""
    rows = one_truth.rows(30)
    head, *lines = one_truth.bank_csv(rows).splitlines()
    numbered = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    files = {"a.ofx": one_truth.ofx(rows), "b.csv": numbered}
    report = await bring(context, files, currency="EUR")
    assert [(file.new, file.ambiguous) for file in report.files] == [(30, 0), (0, 30)]
    await undo_import(context, ImportId(id=report.id))
    assert (await list_transactions(context, TransactionQuery())).transactions == ()


async def test_a_third_file_does_not_take_what_the_second_took(context: Context) -> None:
    """A row that an earlier file repeated already is no partner for another one."""
    rows = one_truth.rows(30)
    more = sorted([*rows, (rows[4][0], rows[4][1], "Someone else")])
    head, *lines = one_truth.bank_csv(rows).splitlines()
    numbered = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    head, *lines = one_truth.bank_csv(more).splitlines()
    longer = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    files = {"a.ofx": one_truth.ofx(rows), "b.csv": numbered, "c.csv": longer}
    report = await bring(context, files, currency="EUR")
    assert [file.new for file in report.files] == [30, 0, 1]


async def test_undo_gives_rows_to_the_other_file(context: Context) -> None:
    """Rows that a second format repeated stay when the first import is undone."""
    rows = one_truth.rows(20)
    first = await bring(
        context, {"a.csv": one_truth.bank_csv(rows)}, account="Giro", currency="EUR"
    )
    moved = [
        (day + timedelta(place % 2), amount, text) for place, (day, amount, text) in enumerate(rows)
    ]
    second = await bring(context, {"a.ofx": one_truth.ofx(moved)}, account="Giro")
    assert second.files[0].new == 0
    await undo_import(context, ImportId(id=first.id))
    assert len((await list_transactions(context, TransactionQuery())).transactions) == 20
    await undo_import(context, ImportId(id=second.id))
    assert (await list_transactions(context, TransactionQuery())).transactions == ()


@contextmanager
def _counted() -> Iterator[list[int]]:
    """Count what SQLite does, a thousand instructions at a time."""
    taken = [0]

    def count() -> None:
        taken[0] += 1

    def watch(_connection: object, cursor: Any, *_rest: object) -> None:
        cursor.connection.set_progress_handler(count, 1000)

    event.listen(Engine, "before_cursor_execute", watch)
    try:
        yield taken
    finally:
        event.remove(Engine, "before_cursor_execute", watch)


async def test_another_format_of_a_long_account_is_matched_row_by_row(context: Context) -> None:
    """Each row is looked up: four times as many rows take about four times the work, not sixteen."""
    taken = []
    for size in (500, 2000):
        rows = [(FIRST + timedelta(place // 8), -1_00 - place, "SHOP") for place in range(size)]
        moved = [(day + timedelta(amount % 2), amount, text) for day, amount, text in rows]
        name = f"Giro {size}"
        await bring(context, {"a.csv": one_truth.bank_csv(rows)}, account=name, currency="EUR")
        with _counted() as work:
            report = await bring(context, {"a.ofx": one_truth.ofx(moved)}, account=name)
        assert report.files[0].new == 0
        taken.append(work[0])
    assert taken[1] < 8 * taken[0]


async def test_rows_of_one_kind_of_source_are_told_by_their_texts(context: Context) -> None:
    """That another format brought some rows makes no two of the first format one."""
    coffee, tea = _rows((5, "COFFEE", -4_00)), _rows((5, "TEA", -4_00))
    await bring(context, {"a.csv": one_truth.bank_csv(coffee)}, account="Giro", currency="EUR")
    await bring(context, {"a.ofx": one_truth.ofx(_rows((9, "SHOP", -7_00)))}, account="Giro")
    report = await bring(context, {"b.csv": one_truth.bank_csv(tea)}, account="Giro")
    assert (report.files[0].new, report.files[0].ambiguous) == (1, 0)


async def test_rows_are_looked_for_in_their_own_account(context: Context) -> None:
    """In an import into two accounts an equal row of the other account is another one."""
    mine, yours = _rows((25, "COFFEE", -4_00)), _rows((27, "TEA", -3_00))
    await bring(context, {"a.csv": one_truth.bank_csv(mine)}, account="One", currency="EUR")
    await bring(context, {"b.csv": one_truth.bank_csv(yours)}, account="Two", currency="EUR")
    names = ("One", "Two")
    said = [{"file": file, "about": "account", "value": name} for file, name in enumerate(names)]
    again = _rows((27, "Tee", -3_00))
    files = {"a.ofx": one_truth.ofx(again), "b.qif": one_truth.FORMATS["money.qif"](again)}
    report = await bring(context, files, answers=said, currency="EUR")
    assert [(file.new, file.ambiguous) for file in report.files] == [(1, 0), (0, 1)]


@pytest.mark.parametrize(
    ("read", "stored", "are_one"),
    [
        (Wording("ACME Lohn Mai"), Wording("lohn ACME"), True),
        (Wording("ACME"), Wording("ACME Lohn"), True),
        (Wording(""), Wording("ACME"), True),
        (Wording("ACME"), Wording(""), True),
        (Wording("Cafe Nord"), Wording("Cafe Sud"), False),
        (Wording("Cafe"), Wording("Cafeteria"), False),
        (Wording("Albert", "Card payment"), Wording("Card payment"), True),
        (Wording("Albert", "Card payment"), Wording("Albert payment"), True),
        (Wording("Albert", "Card payment"), Wording("Berta payment"), False),
        (Wording("SHOP"), Wording("SH\u202eOP"), True),
        (Wording("A", external_id="1001"), Wording("A", external_id="1002"), False),
        (Wording("A", external_id="99"), Wording("A", external_id="100"), False),
        (Wording("A", external_id="4f9e-11"), Wording("A", external_id="b0-77ac"), False),
        (Wording("A", external_id="100"), Wording("A", external_id="100"), True),
        (Wording("A", external_id="TRX-77812"), Wording("A", external_id="100"), True),
        (Wording("A", external_id="100"), Wording("A"), True),
        (Wording("A"), Wording("A", external_id="100"), True),
    ],
)
def test_texts_of_one_row(read: Wording, stored: Wording, *, are_one: bool) -> None:
    """All words of one stand in the other or beside it, and no ids of one kind tell the rows apart."""
    assert wordings_agree(read, stored) is are_one


def _rows_worded(*texts: str) -> list[LeftOver]:
    return [LeftOver(number, text, "", None) for number, text in enumerate(texts)]


def test_very_many_equal_rows_are_paired_all_the_same() -> None:
    """Of thousands of rows of one day and amount each has its own, without comparing all with all."""
    texts = [f"FEE {number}" for number in range(3000)]
    assert len(pair_left_overs(_rows_worded(*texts), _rows_worded(*texts))) == 3000


FORMER = (
    "Date,Purpose,Amount\n2026-05-01,COFFEE,-3.00\n2026-05-01,BAKER,-3.00\n"
    "2026-05-02,RENT,-900.00\n"
)
AFTER = (
    "Date,Payee,Purpose,Amount\n2026-05-01,NORTH,COFFEE,-3.00\n2026-05-01,SOUTH,BAKER,-3.00\n"
    "2026-05-01,EAST,TEA,-3.00\n2026-05-02,Landlord,RENT,-900.00\n"
)


async def test_a_row_that_says_more_is_known(context: Context) -> None:
    """Texts that have grown add nothing; a row whose text says something else is new."""
    await bring(context, {"a.csv": FORMER})
    held = (await dump(context))["tx"]
    report = await bring(context, {"a.csv": AFTER})

    assert (report.files[0].known, report.files[0].new) == (3, 1)
    assert [row for row in (await dump(context))["tx"] if row in held] == held
    again = await bring(context, {"a.csv": FORMER})
    assert (again.files[0].known, again.files[0].new) == (3, 0)


async def test_two_files_of_a_batch_know_the_same_row(context: Context) -> None:
    """Each file of a batch may hold the stored row in its own words."""
    await bring(context, {"a.csv": FORMER})
    report = await bring(context, {"b.csv": FORMER, "c.csv": AFTER}, account="a")
    assert [(file.known, file.new) for file in report.files] == [(3, 0), (3, 1)]


async def test_another_name_and_other_words_are_the_same_account(context: Context) -> None:
    """A file that names no account is asked about also when their texts are put otherwise."""
    days = range(11, 29)
    former = "".join(f"2026-05-{day},SHOP {day},-{day}.00\n" for day in days)
    after = "".join(f"2026-05-{day},ANN {day},SHOP {day},-{day}.00\n" for day in days)
    await bring(context, {"a.csv": f"Date,Purpose,Amount\n{former}"})
    other = {"b.csv": f"Date,Payee,Purpose,Amount\n{after}"}
    with pytest.raises(Conflict, match="Is “b” the same"):
        await bring(context, other)
    report = await bring(context, other, same_account="a")
    assert [(file.known, file.new) for file in report.files] == [(18, 0)]
    assert [account.name for account in report.files[0].accounts] == ["a"]


async def test_a_row_that_was_set_aside_stays_so(context: Context) -> None:
    """The person's word that a row is a copy holds when its file says more of it."""
    head, rows = "Date,Purpose,Amount\n", "2026-09-01,BAKERY,-3.10\n2026-09-09,CAFE,-4.00\n"
    await bring(context, {"a.csv": f"{head}2026-09-05,PLUMBER BILL,-120.00\n{rows}"}, account="c")
    copy = f"{head}2026-09-06,PLUMBER INVOICE,-120.00\n{rows}"
    await bring(context, {"b.csv": copy}, account="c")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    grown = copy.replace("Purpose,", "Payee,Purpose,").replace(",PLUMBER", ",Joe,PLUMBER")
    grown = grown.replace(",BAKERY", ",,BAKERY").replace(",CAFE", ",,CAFE")

    report = await bring(context, {"b.csv": grown}, account="c")

    assert (report.files[0].known, report.files[0].new) == (3, 0)
    assert len((await list_transactions(context, TransactionQuery())).transactions) == 3
