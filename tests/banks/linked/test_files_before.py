"""What files brought before a link joins its account, also where the bank tells the same days late."""

from datetime import date, timedelta

import pytest

from finplan.model.base import Nothing
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.transaction import SpendingQuery, TransactionQuery, TransactionWord
from finplan.plan.pairing import repetition
from finplan.service.banking.accounts import list_account_records, list_accounts
from finplan.service.banking.connections import list_connections
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.queries.duplicates import save_account_verdict
from tests.banks.fakes.plaid_items import HISTORICAL, INITIAL
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import ComparedHome, LinkedHome
from tests.banks.linked.plaid_home import PlaidHome
from tests.service.conftest import Import


def _live(world: World, account: Held, *, since: int, until: int = 0) -> None:
    """A row every third day, each of an amount of its own."""
    for ago in range(until, since, 3):
        day = world.today - timedelta(days=ago)
        world.book(account, -1_000 - 7 * ago, "CORNER CAFE 12", day=day)


def _statement(world: World, account: Held, *, since: int, until: int) -> str:
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


async def test_days_that_plaid_reads_later_join_the_file(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, import_texts: Import
) -> None:
    """Plaid brings the last month first, and the file's days only when it has read all: one account."""
    _live(world, checking, since=150)
    files = {"checking.csv": _statement(world, checking, since=120, until=40)}
    await import_texts(files, currency="USD")
    (imported,) = await list_accounts(plaid.context, Nothing())
    (row, *_) = (await list_transactions(plaid.context, TransactionQuery(limit=1))).transactions
    word = TransactionWord(id=row.id, category="gifts_donations", note="for Bo")
    await change_transaction(plaid.context, word)

    plaid.plaid.progress = INITIAL
    await plaid.link(harbour)
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
    again = await import_texts(files, currency="USD", same_account=imported.id)
    assert again.files[0].new == 0
    assert (await plaid.sync()).added == 0


async def test_days_of_an_older_window_join_the_file(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """SimpleFIN is asked window by window, the newest first, in one sync: one account all the same."""
    _live(world, checking, since=88)
    files = {"checking.csv": _statement(world, checking, since=88, until=64)}
    await import_texts(files, currency="USD")
    (imported,) = await list_accounts(home.context, Nothing())
    await home.link()
    await _must_be_one(home, imported.id)
    await home.must_be_true()


async def test_a_card_joins_its_file(
    plaid: PlaidHome, world: World, harbour: HeldAt, import_texts: Import
) -> None:
    """A card's file and the card are one too, whose debt is the bank's and whose kind stays a card's."""
    card = world.open(harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417")
    _live(world, card, since=150)
    files = {"visa.csv": _statement(world, card, since=120, until=40)}
    await import_texts(files, currency="USD", account_kind="credit")
    (imported,) = await list_accounts(plaid.context, Nothing())
    plaid.plaid.progress = INITIAL
    await plaid.link(harbour)
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    accounts = {each.id: each for each in await list_accounts(plaid.context, Nothing())}
    assert len(accounts) == 2
    assert (accounts[imported.id].kind, accounts[imported.id].mask) == ("credit", "4417")
    assert accounts[imported.id].balance == -world.balance_of(card)
    await plaid.must_be_true()


async def test_a_file_that_came_after_the_link_is_asked_about(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, import_texts: Import
) -> None:
    """The person may have said that it is another account, so it is asked, not joined."""
    _live(world, checking, since=150)
    plaid.plaid.progress = INITIAL
    await plaid.link(harbour)
    files = {"checking.csv": _statement(world, checking, since=120, until=40)}
    await import_texts(files, currency="USD")
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    assert len(await list_accounts(plaid.context, Nothing())) == 2
    (asked,) = await list_duplicates(plaid.context, DuplicateQuery())
    assert (asked.kind, asked.status) == ("accounts", "open")
    assert "one account that came twice?" in (asked.why or "")
    verdict = DuplicateVerdict(id=asked.id, verdict="same")
    assert (await decide_duplicate(plaid.context, verdict)).status == "same"


async def test_one_that_was_left_out_as_the_same_is_counted_once_joined(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, import_texts: Import
) -> None:
    """Of two that were said to be one the file's was hidden: what they became is in every total."""
    _live(world, checking, since=150)
    files = {"checking.csv": _statement(world, checking, since=149, until=0)}
    await import_texts(files, currency="USD")
    (imported,) = await list_accounts(plaid.context, Nothing())
    plaid.plaid.progress = INITIAL
    # As if a month's rows were too few to tell, so that two stand beside each other until more come.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repetition, "DIFFERENT", 99)
        await plaid.link(harbour)
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


async def test_a_number_alone_joins_nothing_later(
    plaid: PlaidHome, world: World, harbour: HeldAt, import_texts: Import
) -> None:
    """Of two accounts with one number's end nobody knows which a file is of, whichever has new rows."""
    joint = world.open(harbour, "Joint", mask="4417")
    world.open(harbour, "Mine", mask="4417")
    await import_texts({"old.ofx": _OFX.format(bank="Harbour Bank")})
    await plaid.link(harbour)
    before = {each.id for each in await list_accounts(plaid.context, Nothing())}
    world.advance()
    world.book(joint, -4_200, "CORNER CAFE 12")
    await plaid.sync()
    assert {each.id for each in await list_accounts(plaid.context, Nothing())} == before


async def test_two_that_the_person_keeps_apart_stay_two(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, import_texts: Import
) -> None:
    """What was said of a file's account and a bank's holds, whatever rows the bank brings later."""
    _live(world, checking, since=150)
    files = {"checking.csv": _statement(world, checking, since=120, until=40)}
    await import_texts(files, currency="USD")
    plaid.plaid.progress = INITIAL
    await plaid.link(harbour)
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
    plaid: PlaidHome,
    world: World,
    harbour: HeldAt,
    import_texts: Import,
    bank: str,
    accounts: int,
) -> None:
    """Where file and bank have no day in common, the bank's name and the number say it together."""
    world.open(harbour, "Everyday", mask="4417")
    await import_texts({"old.ofx": _OFX.format(bank=bank)})
    await plaid.link(harbour)
    held = [each for each in await list_accounts(plaid.context, Nothing()) if each.mask == "4417"]
    assert len(held) == accounts
