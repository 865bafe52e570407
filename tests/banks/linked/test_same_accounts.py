"""An account that is there is known again: under new ids after a relink, and after statement files.

What files brought before a link joins its account, also where the bank tells the same days late.
"""

from datetime import date, timedelta
from pathlib import Path

import pytest

from finplan.model.base import Nothing
from finplan.model.connection import Unlinking
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId, ImportRequest
from finplan.model.transaction import SpendingQuery, TransactionQuery, TransactionWord
from finplan.operation import UploadedFile
from finplan.plan.pairing import repetition
from finplan.service.banking.accounts import list_account_records, list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.imports.imports import import_files, undo_import
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.queries.duplicates import save_account_verdict
from tests.banks.fakes.plaid import HISTORICAL, INITIAL
from tests.banks.fakes.world import Held, World
from tests.banks.linked.household import ComparedHome, LinkedHome, PlaidHome
from tests.present import present
from tests.service.said import open_question


def _live(world: World, *accounts: Held, days: int = 80) -> None:
    """Some life on each account, of its own amounts."""
    for place, account in enumerate(accounts):
        for ago in range(1, days, 3):
            day = world.today - timedelta(days=ago)
            world.book(account, -100 * (place + 1) - ago, "CORNER CAFE 12", day=day)


def _statement(world: World, account: Held, *, since: int, later: int = 0) -> str:
    """A file of an account's rows of the last days, each dated some days later than by the bank."""
    first = world.today - timedelta(days=since)
    lines = [
        f"{row.day + timedelta(days=later)},{row.text},{row.amount / 100:.2f}"
        for row in world.rows_of(account)
        if row.day >= first and not row.pending
    ]
    return "\n".join(["Date,Description,Amount", *lines, ""])


async def test_a_relink_keeps_every_account(home: LinkedHome, world: World) -> None:
    """New ids of accounts and rows add nothing: the accounts, their rows and words stay as they were."""
    card = world.open(world.harbour, "Harbour Visa 4417", kind="credit", subtype="credit card")
    savings = world.open(world.harbour, "Savings", subtype="savings")
    other = world.open(world.harbour, "Savings", subtype="savings")
    _live(world, world.checking, card, savings, other)
    await home.link()
    before = await list_accounts(home.context, Nothing())
    page = await list_transactions(home.context, TransactionQuery(limit=200))
    chosen = page.transactions[7]
    await change_transaction(
        home.context, TransactionWord(id=chosen.id, category="gifts_donations", note="for Bo")
    )

    world.relink(world.harbour)
    home.bridge.disable()
    record = await home.relink()

    assert (record.connection.id, record.connection.status) == (home.connection, "ok")
    assert [each.id for each in await list_accounts(home.context, Nothing())] == [
        each.id for each in before
    ]
    assert await home.posted() == home.true_rows(pending=False)
    after = await list_transactions(home.context, TransactionQuery(limit=200))
    noted = [row for row in after.transactions if row.note]
    assert [(row.date, row.amount, row.account_id, row.category) for row in noted] == [
        (chosen.date, chosen.amount, chosen.account_id, "gifts_donations")
    ]
    assert (await home.sync()).added == 0


async def test_accounts_that_look_alike_are_not_mixed(home: LinkedHome, world: World) -> None:
    """Two empty accounts of one name and balance are not taken for each other after a relink."""
    world.open(world.harbour, "Savings", subtype="savings", opening=5_000)
    world.open(world.harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, world.checking)
    await home.link()
    world.relink(world.harbour)
    await home.relink()

    names = [each.name for each in await list_accounts(home.context, Nothing())]
    assert names.count("Everyday Checking") == 1
    assert names.count("Savings") == 4


@pytest.mark.sampled(3)
@pytest.mark.parametrize("later", [0, 1, 2])
async def test_history_from_a_file_is_joined(home: LinkedHome, world: World, later: int) -> None:
    """A file of before the link and the bank's own list are one account, whose rows are there once."""
    _live(world, world.checking, days=88)
    for twin in range(2):
        world.book(world.checking, -1_111, f"KIOSK {twin}", day=world.today - timedelta(days=20))
    statement = _statement(world, world.checking, since=300, later=later)
    await home.bring({"checking.csv": statement}, account="Everyday Checking")
    (imported,) = await list_accounts(home.context, Nothing())

    await home.link()

    (account,) = await list_accounts(home.context, Nothing())
    assert account.id == imported.id
    (connection,) = await list_connections(home.context, Nothing())
    assert connection.connection.provider == "aggregator"
    await home.must_be_true()
    again = await home.bring({"checking.csv": statement}, account="Everyday Checking")
    assert again.files[0].new == 0
    await home.must_be_true()
    assert (await home.sync()).added == 0


async def test_what_a_file_has_beyond_the_bank_stays(home: LinkedHome, world: World) -> None:
    """Years of a file that the bank does not reach are kept beside what it brings."""
    _live(world, world.checking, days=400)
    statement = _statement(world, world.checking, since=400)
    await home.bring({"old.csv": statement}, account="Everyday Checking")
    await home.link()
    await home.must_be_true()


async def test_a_later_file_is_joined(home: LinkedHome, world: World) -> None:
    """A file of a linked account goes to it, adds what the bank did not reach, and can be undone."""
    _live(world, world.checking, days=300)
    await home.link()
    reached = await home.posted()
    assert reached.total() < home.true_rows(pending=False).total()
    statement = _statement(world, world.checking, since=300)
    report = await home.bring({"old.csv": statement}, account="Everyday Checking")

    assert len(await list_accounts(home.context, Nothing())) == 1
    await home.must_be_true()
    await undo_import(home.context, ImportId(id=present(report.id)))
    assert await home.posted() == reached


async def test_a_file_that_names_no_account_is_asked_about(home: LinkedHome, world: World) -> None:
    """A file with the rows of a linked account is asked about as with those of another file's."""
    _live(world, world.checking, days=85)
    await home.link()
    statement = _statement(world, world.checking, since=85)
    report = await home.bring({"export.csv": statement}, same_account="Everyday Checking")

    assert report.files[0].new == 0
    assert len(await list_accounts(home.context, Nothing())) == 1
    await home.must_be_true()


_OFX_OF_2024 = """\
OFXHEADER:100
DATA:OFXSGML

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>021<ACCTID>000555{number}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240101<DTEND>20240131
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240105<TRNAMT>-12.00<FITID>1<NAME>GROCER</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240109<TRNAMT>-13.00<FITID>2<NAME>GROCER</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""


async def _import_once(home: LinkedHome, folder: Path, text: str) -> None:
    """Import a file, and answer nothing."""
    (folder / "once.upload").write_text(text)
    uploaded = (UploadedFile("old.ofx", folder / "once.upload"),)
    await import_files(home.context, ImportRequest(), uploaded)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("number", "answer", "accounts"),
    [("4417", "Harbour 4417", 2), ("4417", "new", 3), ("9", None, 3)],
)
async def test_an_old_file_with_the_number_of_a_linked_account_is_asked_about(
    home: LinkedHome, world: World, tmp_path: Path, number: str, answer: str | None, accounts: int
) -> None:
    """Where a number ends as a linked account's and no rows tell, the person says which it is."""
    world.open(world.harbour, "Harbour 4417")
    await home.link()
    files = {"old.ofx": _OFX_OF_2024.format(number=number)}
    if answer is not None:
        with pytest.raises(Conflict) as asked:
            await _import_once(home, tmp_path, files["old.ofx"])
        assert open_question(asked.value)[0] == "sameAccount"
    await home.bring(files, **({} if answer is None else {"same_account": answer}))
    assert len(await list_accounts(home.context, Nothing())) == accounts


async def test_undoing_the_file_leaves_the_banks_rows(home: LinkedHome, world: World) -> None:
    """Rows that the bank lists too are the bank's: an import that goes takes its own alone."""
    _live(world, world.checking, days=200)
    statement = _statement(world, world.checking, since=200)
    report = await home.bring({"old.csv": statement}, account="Everyday Checking")
    await home.link()
    await undo_import(home.context, ImportId(id=present(report.id)))
    first = int((world.today - home.bridge.depth).strftime("%Y%m%d"))
    wanted = {key: n for key, n in home.true_rows(pending=False).items() if key[1] >= first}
    assert await home.posted() == wanted


async def test_another_account_of_equal_name_is_another(home: LinkedHome, world: World) -> None:
    """A file whose rows are none of the bank's stays an account of its own."""
    _live(world, world.checking)
    text = "Date,Description,Amount\n" + "".join(
        f"2026-05-{day:02},GROCER,-{day}.17\n" for day in range(1, 28)
    )
    await home.bring({"mine.csv": text}, account="Everyday Checking")
    await home.link()
    assert len(await list_accounts(home.context, Nothing())) == 2
    assert await list_duplicates(home.context, DuplicateQuery(status=("open",))) == ()


async def test_the_same_access_linked_twice_is_one(home: LinkedHome, world: World) -> None:
    """A second token of the same bridge takes the first one's place: no account is there twice."""
    _live(world, world.checking)
    await home.link()
    first = home.connection
    await home.link()

    (record,) = await list_connections(home.context, Nothing())
    assert record.connection.id == home.connection != first
    await home.must_be_true()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    assert (await home.posted()).total() == 0


async def test_accounts_of_an_access_linked_twice_stay(home: LinkedHome, world: World) -> None:
    """Of several that a second link knows by the same ids each goes on with its own rows."""
    savings = world.open(world.harbour, "Savings", opening=5_000)
    card = world.open(world.harbour, "Visa", kind="credit", subtype="credit card")
    _live(world, world.checking)
    world.book(savings, 700, "INTEREST")
    world.book(card, -900, "BOOKS BY POST")
    await home.link()
    world.book(savings, 800, "INTEREST")
    await home.link()
    await home.must_be_true()


def _live_before(world: World, account: Held, *, since: int, until: int = 0) -> None:
    """A row every third day, each of an amount of its own."""
    for ago in range(until, since, 3):
        day = world.today - timedelta(days=ago)
        world.book(account, -1_000 - 7 * ago, "CORNER CAFE 12", day=day)


def _statement_before(world: World, account: Held, *, since: int, until: int) -> str:
    """A file of an account's rows between two days, which are so long ago."""
    first, last = (world.today - timedelta(days=ago) for ago in (since, until))
    lines = [
        f"{row.day},{row.text},{row.amount / 100:.2f}"
        for row in world.rows_of(account)
        if first <= row.day <= last and not row.pending
    ]
    return "\n".join(["Date,Description,Amount", *lines, ""])


async def _must_be_one(home: ComparedHome, imported: str) -> None:
    """There is one account, under the id that the file's had, with each row once."""
    (account,) = await list_accounts(home.context, Nothing())
    assert account.id == imported
    (linked,) = await list_connections(home.context, Nothing())
    assert linked.connection.provider == "aggregator"
    rows = await home.posted()
    assert set(rows.values()) == {1}
    assert await list_duplicates(home.context, DuplicateQuery()) == ()


async def test_days_that_plaid_reads_later_join_the_file(plaid: PlaidHome, world: World) -> None:
    """Plaid brings the last month first, and the file's days only when it has read all: one account."""
    _live_before(world, world.checking, since=150)
    files = {"checking.csv": _statement_before(world, world.checking, since=120, until=40)}
    await plaid.bring(files, currency="USD")
    (imported,) = await list_accounts(plaid.context, Nothing())
    (row, *_) = (await list_transactions(plaid.context, TransactionQuery(limit=1))).transactions
    word = TransactionWord(id=row.id, category="gifts_donations", note="for Bo")
    await change_transaction(plaid.context, word)

    plaid.plaid.progress = INITIAL
    await plaid.link(world.harbour)
    assert len(await list_accounts(plaid.context, Nothing())) == 2
    plaid.item.progress = HISTORICAL
    assert (await plaid.sync()).ok

    await _must_be_one(plaid, imported.id)
    await plaid.must_be_true()
    noted = [
        each
        for each in (
            await list_transactions(plaid.context, TransactionQuery(limit=200))
        ).transactions
        if each.note
    ]
    assert [(each.date, each.amount, each.category) for each in noted] == [
        (row.date, row.amount, "gifts_donations")
    ]
    again = await plaid.bring(files, currency="USD", same_account=imported.id)
    assert again.files[0].new == 0
    assert (await plaid.sync()).added == 0


async def test_days_of_an_older_window_join_the_file(home: LinkedHome, world: World) -> None:
    """SimpleFIN is asked window by window, the newest first, in one sync: one account all the same."""
    _live_before(world, world.checking, since=88)
    files = {"checking.csv": _statement_before(world, world.checking, since=88, until=64)}
    await home.bring(files, currency="USD")
    (imported,) = await list_accounts(home.context, Nothing())
    await home.link()
    await _must_be_one(home, imported.id)
    await home.must_be_true()


async def test_a_card_joins_its_file(plaid: PlaidHome, world: World) -> None:
    """A card's file and the card are one too, whose debt is the bank's and whose kind stays a card's."""
    card = world.open(
        world.harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417"
    )
    _live_before(world, card, since=150)
    files = {"visa.csv": _statement_before(world, card, since=120, until=40)}
    await plaid.bring(files, currency="USD", account_kind="credit")
    (imported,) = await list_accounts(plaid.context, Nothing())
    plaid.plaid.progress = INITIAL
    await plaid.link(world.harbour)
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    accounts = {each.id: each for each in await list_accounts(plaid.context, Nothing())}
    assert len(accounts) == 2
    assert (accounts[imported.id].kind, accounts[imported.id].mask) == ("credit", "4417")
    assert accounts[imported.id].balance == -world.balance_of(card)
    await plaid.must_be_true()


async def test_a_later_file_of_plaids_is_asked_about(plaid: PlaidHome, world: World) -> None:
    """The person may have said that it is another account, so it is asked, not joined."""
    _live_before(world, world.checking, since=150)
    plaid.plaid.progress = INITIAL
    await plaid.link(world.harbour)
    files = {"checking.csv": _statement_before(world, world.checking, since=120, until=40)}
    await plaid.bring(files, currency="USD")
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    assert len(await list_accounts(plaid.context, Nothing())) == 2
    (asked,) = await list_duplicates(plaid.context, DuplicateQuery())
    assert (asked.kind, asked.status) == ("accounts", "open")
    assert "imported twice" in (asked.why or "")
    verdict = DuplicateVerdict(id=asked.id, verdict="same")
    assert (await decide_duplicate(plaid.context, verdict)).status == "same"


async def test_one_left_out_as_the_same_counts_once_joined(plaid: PlaidHome, world: World) -> None:
    """Of two that were said to be one the file's was hidden: what they became is in every total."""
    _live_before(world, world.checking, since=150)
    files = {"checking.csv": _statement_before(world, world.checking, since=149, until=0)}
    await plaid.bring(files, currency="USD")
    (imported,) = await list_accounts(plaid.context, Nothing())
    plaid.plaid.progress = INITIAL
    # As if a month's rows were too few to tell, so that two stand beside each other until more come.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repetition, "DIFFERENT", 99)
        await plaid.link(world.harbour)
        await plaid.sync()
    assert len(await list_accounts(plaid.context, Nothing())) == 2
    (asked,) = await list_duplicates(plaid.context, DuplicateQuery())
    await decide_duplicate(plaid.context, DuplicateVerdict(id=asked.id, verdict="same"))

    plaid.item.progress = HISTORICAL
    assert (await plaid.sync()).ok
    (record,) = await list_account_records(plaid.context, Nothing())
    assert (record.account.id, record.hidden) == (imported.id, False)
    assert await list_duplicates(plaid.context, DuplicateQuery()) == ()
    spent = (await query_spending(plaid.context, SpendingQuery(since=date(2026, 1, 1)))).total
    assert spent == -sum(amount * n for (_, _, amount), n in (await plaid.posted()).items())


async def test_a_number_alone_joins_nothing_later(plaid: PlaidHome, world: World) -> None:
    """Of two accounts with one number's end nobody knows which a file is of, whichever has new rows."""
    joint = world.open(world.harbour, "Joint", mask="4417")
    world.open(world.harbour, "Mine", mask="4417")
    await plaid.bring({"old.ofx": _OFX.format(bank="Harbour Bank")})
    await plaid.link(world.harbour)
    before = {each.id for each in await list_accounts(plaid.context, Nothing())}
    world.advance()
    world.book(joint, -4_200, "CORNER CAFE 12")
    await plaid.sync()
    assert {each.id for each in await list_accounts(plaid.context, Nothing())} == before


async def test_two_that_the_person_keeps_apart_stay_two(plaid: PlaidHome, world: World) -> None:
    """What was said of a file's account and a bank's holds, whatever rows the bank brings later."""
    _live_before(world, world.checking, since=150)
    files = {"checking.csv": _statement_before(world, world.checking, since=120, until=40)}
    await plaid.bring(files, currency="USD")
    plaid.plaid.progress = INITIAL
    await plaid.link(world.harbour)
    one, other = sorted(each.id for each in await list_accounts(plaid.context, Nothing()))
    await plaid.context.store.write(
        lambda c: save_account_verdict(c, 1, "dup_1", "different", (one, other), 0)
    )
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    assert len(await list_accounts(plaid.context, Nothing())) == 2


_OFX = """\
OFXHEADER:100
DATA:OFXSGML

<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>{bank}<FID>021</FI></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>021<ACCTID>0005554417<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240101<DTEND>20240131
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240105<TRNAMT>-12.00<FITID>1<NAME>GROCER</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""


@pytest.mark.parametrize(("bank", "accounts"), [("Harbour Bank", 1), ("Elsewhere", 2)])
async def test_a_file_of_the_banks_name_and_number_is_its_account(
    plaid: PlaidHome, world: World, bank: str, accounts: int
) -> None:
    """Where file and bank have no day in common, the bank's name and the number say it together."""
    world.open(world.harbour, "Everyday", mask="4417")
    await plaid.bring({"old.ofx": _OFX.format(bank=bank)})
    await plaid.link(world.harbour)
    held = [each for each in await list_accounts(plaid.context, Nothing()) if each.mask == "4417"]
    assert len(held) == accounts
