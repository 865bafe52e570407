"""An account that is there is known again: under new ids after a relink, and after statement files."""

from datetime import timedelta
from pathlib import Path

import pytest

from finplan.model.base import Nothing
from finplan.model.connection import Unlinking
from finplan.model.detection import DuplicateQuery
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId, ImportRequest
from finplan.model.transaction import TransactionQuery, TransactionWord
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.imports.imports import import_files, undo_import
from finplan.service.transactions import change_transaction, list_transactions
from finplan.service.verdicts.duplicates import list_duplicates
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome
from tests.service.conftest import Import
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


async def test_a_relink_keeps_every_account(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """New ids of accounts and rows add nothing: the accounts, their rows and words stay as they were."""
    card = world.open(harbour, "Harbour Visa 4417", kind="credit", subtype="credit card")
    savings = world.open(harbour, "Savings", subtype="savings")
    other = world.open(harbour, "Savings", subtype="savings")
    _live(world, checking, card, savings, other)
    await home.link()
    before = await list_accounts(home.context, Nothing())
    page = await list_transactions(home.context, TransactionQuery(limit=200))
    chosen = page.transactions[7]
    await change_transaction(
        home.context,
        TransactionWord(id=chosen.id, category="gifts_donations", note="for Bo"),
    )

    world.relink(harbour)
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


async def test_accounts_that_nothing_tells_apart_are_not_mixed(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Two empty accounts of one name and balance are not taken for each other after a relink."""
    world.open(harbour, "Savings", subtype="savings", opening=5_000)
    world.open(harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, checking)
    await home.link()
    world.relink(harbour)
    await home.relink()

    names = [each.name for each in await list_accounts(home.context, Nothing())]
    assert names.count("Everyday Checking") == 1
    assert names.count("Savings") == 4


@pytest.mark.sampled(3)
@pytest.mark.parametrize("later", [0, 1, 2])
async def test_history_from_a_file_is_joined(
    home: LinkedHome, world: World, checking: Held, import_texts: Import, later: int
) -> None:
    """A file of before the link and the bank's own list are one account, whose rows are there once."""
    _live(world, checking, days=88)
    for twin in range(2):
        world.book(checking, -1_111, f"KIOSK {twin}", day=world.today - timedelta(days=20))
    statement = _statement(world, checking, since=300, later=later)
    await import_texts({"checking.csv": statement}, account="Everyday Checking")
    (imported,) = await list_accounts(home.context, Nothing())

    await home.link()

    (account,) = await list_accounts(home.context, Nothing())
    assert account.id == imported.id
    (connection,) = await list_connections(home.context, Nothing())
    assert connection.connection.provider == "aggregator"
    await home.must_be_true()
    again = await import_texts({"checking.csv": statement}, account="Everyday Checking")
    assert again.files[0].new == 0
    await home.must_be_true()
    assert (await home.sync()).added == 0


async def test_what_a_file_has_beyond_the_bank_stays(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """Years of a file that the bank does not reach are kept beside what it brings."""
    _live(world, checking, days=400)
    statement = _statement(world, checking, since=400)
    await import_texts({"old.csv": statement}, account="Everyday Checking")
    await home.link()
    await home.must_be_true()


async def test_a_file_after_the_link_is_joined(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """A file of a linked account goes to it, adds what the bank did not reach, and can be undone."""
    _live(world, checking, days=300)
    await home.link()
    reached = await home.posted()
    assert reached.total() < home.true_rows(pending=False).total()
    statement = _statement(world, checking, since=300)
    report = await import_texts({"old.csv": statement}, account="Everyday Checking")

    assert len(await list_accounts(home.context, Nothing())) == 1
    await home.must_be_true()
    assert report.id is not None
    await undo_import(home.context, ImportId(id=report.id))
    assert await home.posted() == reached


async def test_a_file_that_names_no_account_is_asked_about(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """A file with the rows of a linked account is asked about as with those of another file's."""
    _live(world, checking, days=85)
    await home.link()
    statement = _statement(world, checking, since=85)
    report = await import_texts({"export.csv": statement}, same_account="Everyday Checking")

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
    home: LinkedHome,
    world: World,
    harbour: HeldAt,
    checking: Held,
    import_texts: Import,
    tmp_path: Path,
    number: str,
    answer: str | None,
    accounts: int,
) -> None:
    """Where a number ends as a linked account's and no rows tell, the person says which it is."""
    world.open(harbour, "Harbour 4417")
    await home.link()
    files = {"old.ofx": _OFX_OF_2024.format(number=number)}
    if answer is not None:
        with pytest.raises(Conflict) as asked:
            await _import_once(home, tmp_path, files["old.ofx"])
        assert open_question(asked.value)[0] == "sameAccount"
    await import_texts(files, **({} if answer is None else {"same_account": answer}))
    assert len(await list_accounts(home.context, Nothing())) == accounts


async def test_undoing_the_file_leaves_the_banks_rows(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """Rows that the bank lists too are the bank's: an import that goes takes its own alone."""
    _live(world, checking, days=200)
    statement = _statement(world, checking, since=200)
    report = await import_texts({"old.csv": statement}, account="Everyday Checking")
    await home.link()
    assert report.id is not None
    await undo_import(home.context, ImportId(id=report.id))
    first = int((world.today - home.bridge.depth).strftime("%Y%m%d"))
    wanted = {key: n for key, n in home.true_rows(pending=False).items() if key[1] >= first}
    assert await home.posted() == wanted


async def test_another_account_of_equal_name_is_another(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """A file whose rows are none of the bank's stays an account of its own."""
    _live(world, checking)
    text = "Date,Description,Amount\n" + "".join(
        f"2026-05-{day:02},GROCER,-{day}.17\n" for day in range(1, 28)
    )
    await import_texts({"mine.csv": text}, account="Everyday Checking")
    await home.link()
    assert len(await list_accounts(home.context, Nothing())) == 2
    assert await list_duplicates(home.context, DuplicateQuery(status=("open",))) == ()


async def test_the_same_access_linked_twice_is_one(
    home: LinkedHome, world: World, checking: Held
) -> None:
    """A second token of the same bridge takes the first one's place: no account is there twice."""
    _live(world, checking)
    await home.link()
    first = home.connection
    await home.link()

    (record,) = await list_connections(home.context, Nothing())
    assert record.connection.id == home.connection != first
    await home.must_be_true()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    assert (await home.posted()).total() == 0


async def test_each_account_of_an_access_that_is_linked_twice_is_itself(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Of several that a second link knows by the same ids each goes on with its own rows."""
    savings = world.open(harbour, "Savings", opening=5_000)
    card = world.open(harbour, "Visa", kind="credit", subtype="credit card")
    _live(world, checking)
    world.book(savings, 700, "INTEREST")
    world.book(card, -900, "BOOKS BY POST")
    await home.link()
    world.book(savings, 800, "INTEREST")
    await home.link()
    await home.must_be_true()
