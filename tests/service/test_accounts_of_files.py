"""Whose the rows of a file are: accounts that files name however they like, or not at all.

Rows go to the account they were in before; where no name tells, the rows do, or a note asks.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import create_engine

from finplan.intake.evidence import evidence_of
from finplan.intake.facts import Overlap
from finplan.intake.files import ImportRun, StagedAccount
from finplan.intake.kinds import choose_kind, finding_of
from finplan.model.account import KindWord
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId, ImportReport, ImportRequest
from finplan.model.transaction import SpendingQuery
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_account_records, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.imports.reading import stage_files
from finplan.service.spending import query_spending
from finplan.statements.statement import Hints
from finplan.store.offload import ReadDoor
from tests.service.conftest import bring
from tests.service.said import open_question

MINT = (
    '"Date","Description","Original Description","Amount","Transaction Type","Category",'
    '"Account Name","Labels","Notes"\n'
    '"8/30/2016","Starbucks","STARBUCKS STORE 12345","2.45","debit","Coffee","My Credit Card","",""\n'
    '"8/29/2016","Transfer","TRANSFER","66.88","credit","Transfer","My Checking","",""\n'
)
YNAB = (
    "Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,Outflow,Inflow,"
    "Cleared\n"
    "My Visa 2,,11/20/2025,Shop,,,,,$2.00,$0.00,Cleared\n"
    "My Visa,,11/20/2025,Shop,,,,,$1.00,$0.00,Cleared\n"
)
JOURNAL = "2024-01-02 x\n    assets:bank of ada:checking  1 USD\n    income:y\n"


@pytest.mark.parametrize(
    ("name", "text", "accounts"),
    [("m.csv", MINT, 2), ("y.csv", YNAB, 2), ("j.journal", JOURNAL, 1)],
)
async def test_names_may_have_blanks(context: Context, name: str, text: str, accounts: int) -> None:
    """An app's accounts go by their names, which may hold blanks and begin with one another."""
    first = await bring(context, {name: text})
    again = await bring(context, {name: text})
    held = await list_accounts(context, Nothing())

    rows = first.files[0].transactions
    assert (first.files[0].new, again.files[0].known) == (rows, rows)
    assert len(held) == accounts


async def test_a_name_is_no_number_to_show(context: Context) -> None:
    """The last four letters of a name are no mask; the last four digits of a number are."""
    await bring(context, {"m.csv": MINT})
    await bring(
        context, {"o.csv": "Date,Account number,Text,Amount\n2026-01-02,DE00123456,A,-1.00\n"}
    )
    masks = {account.name: account.mask for account in await list_accounts(context, Nothing())}
    assert masks == {"My Credit Card": None, "My Checking": None, "DE00123456": "3456"}


async def test_an_assumed_currency_is_marked(context: Context) -> None:
    """A new account whose currency neither file nor person named says so; no other one does."""
    bare = "Date,Text,Amount\n2026-01-02,A,-1.00\n"
    named = "Date,Text,Amount (EUR)\n2026-01-02,A,-1.00\n"
    files = {"a.csv": bare, "b.csv": named, "c.qif": "!Type:Bank\nD01/13/2026\nT-1.00\nPA\n^\n"}
    dry = await bring(context, files, dry_run=True)
    told = await bring(context, {"a.csv": bare}, dry_run=True, currency="CHF")
    await bring(context, {"a.csv": bare})
    again = await bring(context, {"a.csv": bare}, dry_run=True)

    def marks(report: ImportReport) -> list[tuple[str, bool, bool]]:
        accounts = [account for file in report.files for account in file.accounts]
        return [(each.currency, each.currency_assumed, each.new) for each in accounts]

    assert marks(dry) == [("USD", True, True), ("EUR", False, True), ("USD", True, True)]
    assert marks(told) == [("CHF", False, True)]
    assert marks(again) == [("USD", False, False)]


def _ofx(institution: str, number: str, *amounts: str) -> str:
    """A statement of an account with a charge on each day of June 2026."""
    rows = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202606{day:02d}<TRNAMT>{amount}<FITID>{day}<NAME>FEE</STMTTRN>"
        for day, amount in enumerate(amounts, 1)
    )
    return (
        f"OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>{institution}</FI></SONRS>"
        "</SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM>"
        f"<ACCTID>{number}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>{rows}</BANKTRANLIST>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )


async def test_a_short_number_at_two_banks_is_two_accounts_in_one_import(context: Context) -> None:
    """Files of two institutions that come together lose no row that both have."""
    files = {"a.ofx": _ofx("Alpha", "0001", "-5", "-7"), "b.ofx": _ofx("Beta", "0001", "-5", "-8")}
    report = await bring(context, files)
    assert [(file.new, file.known) for file in report.files] == [(2, 0), (2, 0)]
    held = await list_accounts(context, Nothing())
    assert sorted(account.institution_name for account in held) == ["Alpha", "Beta"]


async def test_a_file_without_rows_goes_to_no_account(context: Context) -> None:
    """A table whose every row is declined holds nothing, also where the person names an account."""
    declined = "Date,Description,Amount,Status\n2026-01-02,A,-1.00,declined\n"
    report = await bring(context, {"a.csv": declined}, account="Everyday")
    assert (report.files[0].transactions, report.files[0].accounts) == (0, ())
    assert await list_accounts(context, Nothing()) == ()


NAMES = ("COFFEE", "GROCER", "RENT", "BOOKS", "FUEL", "PHONE", "GYM")


def _csv(first: int, last: int, cents: int = 0) -> str:
    """A statement with one charge a day of June 2026."""
    rows = (
        f"2026-06-{day:02d},{NAMES[day % 7]} {day},-{day}.{cents:02d}\n"
        for day in range(first, last + 1)
    )
    return "Date,Description,Amount\n" + "".join(rows)


async def _names(context: Context) -> list[str]:
    return [account.name for account in await list_accounts(context, Nothing())]


@pytest.mark.parametrize("name", ["export (1).csv", "export-2026-11.csv"])
async def test_an_export_of_another_name_is_one_account(context: Context, name: str) -> None:
    """A file that holds an account's rows is asked about, whatever it is called, and goes to it then."""
    await bring(context, {"export.csv": _csv(1, 20)})
    (account,) = await list_accounts(context, Nothing())
    with pytest.raises(Conflict, match="the same account") as asked:
        await bring(context, {name: _csv(10, 25)})
    assert open_question(asked.value) == ("sameAccount", [account.id, "new"])

    dry = await bring(context, {name: _csv(10, 25)}, same_account=account.id, dry_run=True)
    report = await bring(context, {name: _csv(10, 25)}, same_account=account.id, digest=dry.digest)

    (file,) = report.files
    assert (file.new, file.known, file.notes) == (5, 11, ())
    assert [(account.name, account.new) for account in file.accounts] == [("export", False)]
    assert dry.files == report.files
    assert await _names(context) == ["export"]
    assert (await query_spending(context, SpendingQuery())).total == sum(range(1, 26)) * 100


async def test_another_accounts_file_is_another_account(context: Context) -> None:
    """A file of the same bank and the same days, with other rows, gets an account of its own."""
    await bring(context, {"export.csv": _csv(1, 20)})
    report = await bring(context, {"export (1).csv": _csv(1, 20, cents=50)})

    (file,) = report.files
    assert (file.new, file.notes) == (20, ())
    assert [(account.name, account.new) for account in file.accounts] == [("export (1)", True)]


async def test_a_row_or_two_are_asked_about(context: Context) -> None:
    """A short overlap proves nothing: the preview names the account, and the person's word decides."""
    await bring(context, {"export.csv": _csv(1, 20)})
    dry = await bring(context, {"next.csv": _csv(19, 25)}, dry_run=True)
    (file,) = dry.files
    assert file.accounts[0].new
    assert "are in export" in file.notes[0]
    assert "--account export" in file.notes[0]

    report = await bring(context, {"next.csv": _csv(19, 25)}, account="export")

    assert (report.files[0].new, report.files[0].known) == (5, 2)
    assert await _names(context) == ["export"]


async def test_another_format_of_an_account_is_asked_about(context: Context) -> None:
    """Equal days and amounts under other texts are a question, and come once after the answer."""
    await bring(context, {"export.csv": _csv(1, 20)})
    other = _csv(1, 20).replace("COFFEE", "Cafe").replace("RENT", "Miete").replace("GYM", "Sport")
    with pytest.raises(Conflict, match="the same account"):
        await bring(context, {"other.csv": other})
    report = await bring(context, {"other.csv": other}, same_account="Export")
    assert (report.files[0].new, await _names(context)) == (0, ["export"])


async def test_two_accounts_with_the_same_rows_are_a_question(context: Context) -> None:
    """Where the rows are those of two accounts, nobody guesses: a conflict names both."""
    await bring(context, {"a.csv": _csv(1, 20)}, account="One")
    await bring(context, {"b.csv": _csv(1, 20)}, account="Two")
    with pytest.raises(Conflict, match="2 of your accounts") as failure:
        await bring(context, {"export.csv": _csv(1, 20)})
    assert failure.value.data is not None
    assert len(open_question(failure.value)[1]) == 2


async def test_rows_of_two_accounts_may_be_of_a_third(context: Context) -> None:
    """Where the rows are those of two accounts that nobody named, a new account is a choice too."""
    number = "Date,Description,Amount,Account\n"
    rows = _csv(1, 20).splitlines()[1:]
    for account in ("DE89370400440532013000", "DE02120300000000202051"):
        text = number + "".join(f"{row},{account}\n" for row in rows)
        await bring(context, {"all.csv": text}, same_account="new")
    with pytest.raises(Conflict, match="2 accounts") as failure:
        await bring(context, {"export.csv": _csv(1, 20)}, currency="EUR")
    assert failure.value.data is not None
    assert open_question(failure.value)[1][2:] == ["new"]


async def test_an_account_known_by_its_iban_has_a_name_to_say(context: Context) -> None:
    """It is called by the last digits, its number is kept, and files find it by the number again."""
    iban = "DE89370400440532013000"
    for account in (iban, "123-45-678"):
        text = "Date,Description,Amount,Account\n" + "".join(
            f"{row},{account}\n" for row in _csv(1, 20).splitlines()[1:]
        )
        await bring(context, {"all.csv": text}, same_account="new", currency="EUR")
    records = await list_account_records(context, Nothing())
    assert [(each.account.name, each.number) for each in records] == [
        ("Account 3000", iban),
        ("123-45-678", "123-45-678"),
    ]
    later = "Date,Description,Amount,Account\n2026-06-30,RENT,-1.00," + iban + "\n"
    report = await bring(context, {"later.csv": later}, currency="EUR")
    (found,) = report.files[0].accounts
    assert (found.name, report.files[0].new) == ("Account 3000", 1)
    assert len(await list_accounts(context, Nothing())) == 2


async def test_an_account_without_a_number_has_none(context: Context) -> None:
    """What a file's name or an app calls an account is no number of it; one that is partly hidden is."""
    await bring(context, {"2025-4711.csv": _csv(1, 20)})
    for account in ("Cash 2024-17", "fda3c638-checking", "**** 4711"):
        text = "Date,Description,Amount,Account\n" + "".join(
            f"{row},{account}\n" for row in _csv(1, 20).splitlines()[1:]
        )
        await bring(context, {"all.csv": text}, same_account="new")
    records = await list_account_records(context, Nothing())
    assert [record.number for record in records] == [None, None, None, "**** 4711"]


@pytest.mark.thorough
async def test_what_a_bank_knows_an_account_by_is_no_number(context: Context) -> None:
    """The id of a linked bank's account means nothing to a person."""
    await link_connection(context, LinkRequest(provider="demo"))
    records = await list_account_records(context, Nothing())
    assert {record.number for record in records} == {None}


async def test_rows_tell_accounts_of_one_header_apart(context: Context) -> None:
    """Of two accounts whose files have the same header, the one whose rows it holds is meant."""
    await bring(context, {"a.csv": _csv(1, 20)}, account="One")
    await bring(context, {"b.csv": _csv(1, 20, cents=50)}, account="Two")
    report = await bring(context, {"export.csv": _csv(15, 22, cents=50)})
    assert [account.name for account in report.files[0].accounts] == ["Two"]
    assert (report.files[0].new, report.files[0].known) == (2, 6)


async def test_two_exports_of_one_account_in_one_import(context: Context) -> None:
    """Files of one import that hold each other's rows are asked about; as one, nothing comes twice."""
    files = {"export.csv": _csv(1, 20), "export (1).csv": _csv(10, 25)}
    with pytest.raises(Conflict) as asked:
        await bring(context, files)
    assert open_question(asked.value) == ("sameAccount", ["export", "new"])
    report = await bring(context, files, same_account="export")
    assert [(file.new, file.known) for file in report.files] == [(20, 0), (5, 11)]
    assert await _names(context) == ["export"]

    await undo_import(context, ImportId(id=report.id))
    assert await _names(context) == []


POCKET_MONEY = "Date,Description,Amount\n" + "".join(
    f"2026-{month:02d}-01,Pocket money,50.00\n2026-{month:02d}-15,Child benefit,100.00\n"
    for month in range(1, 7)
)
"""Standing orders alone, as two children may get them at one bank."""


def _without(text: str, *rows: str) -> str:
    for row in rows:
        assert row in text
        text = text.replace(row, "")
    return text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("held", "file"),
    [
        (POCKET_MONEY, POCKET_MONEY),
        (_csv(1, 20), _without(_csv(1, 20), "2026-06-11,FUEL 11,-11.00\n")),
        (_without(_csv(1, 20), "2026-06-11,FUEL 11,-11.00\n"), _csv(1, 20)),
        (_csv(1, 20), _csv(1, 20).replace("BOOKS 10,-10.00", "BOOKS 10,-10.01")),
    ],
)
async def test_similar_accounts_are_never_merged(context: Context, held: str, file: str) -> None:
    """Standing orders alone, or most rows but not all, leave a question that either answer settles."""
    await bring(context, {"anna.csv": held})
    (anna,) = await list_accounts(context, Nothing())
    with pytest.raises(Conflict, match="Is “ben” the same account") as asked:
        await bring(context, {"ben.csv": file})
    assert asked.value.data is not None
    assert open_question(asked.value) == ("sameAccount", [anna.id, "new"])

    rows = file.count("2026-")
    other = await bring(context, {"ben.csv": file}, same_account="new")
    assert (other.files[0].new, await _names(context)) == (rows, ["anna", "ben"])
    await undo_import(context, ImportId(id=other.id))
    same = await bring(context, {"ben.csv": file}, same_account=anna.id)
    assert same.files[0].known >= rows - 1
    assert await _names(context) == ["anna"]


async def test_similar_files_of_one_import_are_two_accounts(context: Context) -> None:
    """Files of one import that may be of one account are two once the person says so."""
    files = {"anna.csv": POCKET_MONEY, "ben.csv": POCKET_MONEY}
    with pytest.raises(Conflict) as asked:
        await bring(context, files, direction="in")
    assert open_question(asked.value) == ("sameAccount", ["anna", "new"])
    report = await bring(context, files, same_account="new", direction="in")
    assert [(file.new, file.known) for file in report.files] == [(12, 0), (12, 0)]
    assert report.files[1].notes == ()
    assert await _names(context) == ["anna", "ben"]


async def test_a_question_on_one_file_is_no_question_on_others(context: Context) -> None:
    """Only the file that may be another's is asked about, and only it goes where the answer says."""
    await bring(context, {"anna.csv": POCKET_MONEY})
    files = {"shop.csv": _csv(1, 20), "ben.csv": POCKET_MONEY}
    with pytest.raises(Conflict) as asked:
        await bring(context, files)
    assert asked.value.data is not None
    assert [question["file"] for question in asked.value.data["questions"]] == [1]
    said = {"file": 1, "about": "sameAccount", "value": "anna"}
    report = await bring(context, files, answers=[said])
    assert report.files[1].new == 0
    assert await _names(context) == ["anna", "shop"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("last", [20, 21, 25])
async def test_an_unfinished_day_proves_nothing_against_it(context: Context, last: int) -> None:
    """A file lacks rows of its own last day when the day was not over; it is the same account's."""
    more = "2026-06-20,FUEL later,-99.00\n2026-06-20,GYM later,-98.00\n"
    await bring(context, {"export.csv": _csv(1, 20)})
    report = await bring(context, {"export (1).csv": _csv(5, last) + more}, same_account="export")
    assert (report.files[0].known, report.files[0].new) == (16, last - 20 + 2)
    assert await _names(context) == ["export"]


async def test_a_header_leads_nowhere_that_other_rows_speak_against(context: Context) -> None:
    """Where a file with a known header shares rows with another account alone, the person is asked."""
    may = POCKET_MONEY.replace("2026-06-15,Child benefit,100.00", "2026-06-15,Toys,-70.00")
    await bring(context, {"anna.csv": POCKET_MONEY})
    await bring(context, {"ben.csv": _csv(1, 20)}, account="Ben")
    with pytest.raises(Conflict, match="2 of your accounts"):
        await bring(context, {"export.csv": _without(may, *may.splitlines(keepends=True)[1:10])})
    assert await _names(context) == ["anna", "Ben"]


async def test_a_shared_header_leads_to_no_account(context: Context) -> None:
    """A word on a file that looks like another account's is of that file, not of all with its header."""
    await bring(context, {"anna.csv": POCKET_MONEY})
    await bring(context, {"ben.csv": POCKET_MONEY}, account="ben")
    later = POCKET_MONEY.replace("2026-", "2027-")
    report = await bring(context, {"export.csv": later}, dry_run=True)
    remembered = report.files[0].remembered
    assert remembered is None or remembered.account is None
    assert report.files[0].accounts[0].new
    assert await _names(context) == ["anna", "ben"]


COUNTS = st.integers(0, 50)


@given(ours=COUNTS, theirs=COUNTS, same=COUNTS, alike=COUNTS, amounts=COUNTS, apart=COUNTS)
def test_what_is_certain_is_all_of_both(
    ours: int, theirs: int, same: int, alike: int, amounts: int, apart: int
) -> None:
    """Three rows, four fifths of either side, make it likely; six amounts and no other row, certain."""
    seen = Overlap(ours, theirs, min(same, ours), min(max(same, alike), ours), amounts, apart)
    found = evidence_of({1: seen})
    is_most = seen.same >= 3 and 5 * seen.same >= 4 * ours and 5 * seen.same >= 4 * theirs
    is_all = amounts >= 6 and apart == 0
    assert (found.certain == (1,)) == (is_most and is_all)
    assert (found.likely == (1,)) == (is_most and not is_all)
    assert len(found.certain + found.likely + found.perhaps) <= 1
    told = found.certain or found.likely or found.perhaps
    assert told or seen.same < 3 or 2 * seen.same < min(ours, theirs)


Stage = Callable[[str], StagedAccount]


@pytest.fixture
def staged(tmp_path: Path) -> Stage:
    """Read a table that names no account, and whose rows say nothing, from a file with this name."""

    def stage(name: str) -> StagedAccount:
        path = tmp_path / "uploaded"
        path.write_text("Date,Text,Amount\n2026-03-04,A,-1.00\n")
        request = ImportRequest()
        files, at = (UploadedFile(name, path),), tmp_path / "stage"
        run = ImportRun(1, "imp_1", request, files, (request,), at)
        (account,) = stage_files(
            ReadDoor(create_engine("sqlite://")), run, [Hints(household="USD")]
        ).accounts
        return account

    return stage


@pytest.mark.parametrize(
    "name",
    [
        "Alliant Credit Union.csv",
        "navy_federal_credit_unions.csv",
        "discarded rows.csv",
        "postcards shop.csv",
        "accredited.csv",
        "lifesavings.csv",
        "debit card.csv",
        "visa debit 2026.csv",
        "debit_credit.csv",
        "Umsaetze_Sparkasse.csv",
        "export.csv",
    ],
)
def test_a_name_without_words_of_a_kind_says_nothing(staged: Stage, name: str) -> None:
    """Only whole words speak; a credit union is no card, and nothing is assumed."""
    assert finding_of(staged(name)).kind is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("alliant credit union checking.csv", "checking"),
        ("Visa checking.csv", "checking"),
        ("savings to checking.csv", "checking"),
        ("Umsätze_Girokonto.csv", "checking"),
        ("Lönekonto 2026.csv", "checking"),
        ("conta corrente.csv", "checking"),
        ("Credit Card.csv", "credit"),
        ("chase_credit_2026.csv", "credit"),
        ("my-card.csv", "credit"),
        ("VISA2026.csv", "credit"),
        ("CreditCard.csv", "credit"),
        ("amex.csv", "credit"),
        ("Alliant Credit Union Visa.csv", "credit"),
        ("Kreditkartenumsätze.csv", "credit"),
        ("carte de crédit.csv", "credit"),
        ("cartão.csv", "credit"),
        ("Savings 2026.csv", "savings"),
        ("my_saving.csv", "savings"),
        ("Money Market.csv", "savings"),
        ("Tagesgeldkonto.csv", "savings"),
        ("Livret A.csv", "savings"),
        ("mortgage 2026.csv", "loan"),
        ("Hypothekendarlehen.csv", "loan"),
        ("roth ira.csv", "investment"),
    ],
)
def test_a_name_with_the_word_of_a_kind_is_of_it(staged: Stage, name: str, kind: str) -> None:
    """Whole words speak in a bank's language; checking is said louder than all else."""
    assert finding_of(staged(name)).kind == kind


@pytest.mark.parametrize(
    ("name", "word", "said"),
    [
        ("export.csv", "checking", ("depository", "checking")),
        ("export.csv", "savings", ("depository", "savings")),
        ("export.csv", "credit", ("credit", "credit card")),
        ("export.csv", "loan", ("loan", None)),
        ("export.csv", "depository", ("depository", None)),
        ("Savings 2026.csv", "depository", ("depository", "savings")),
        ("Savings 2026.csv", "checking", ("depository", "checking")),
        ("savings to checking.csv", "depository", ("depository", None)),
        ("Savings 2026.csv", "investment", ("investment", None)),
    ],
)
def test_the_word_of_a_person_is_the_kind(
    staged: Stage, name: str, word: KindWord, said: tuple[str, str | None]
) -> None:
    """Checking and savings are said in one word; `depository` alone leaves them to the name."""
    assert choose_kind(staged(name), word) == said
