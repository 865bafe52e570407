"""Files that name no account, under ever other names: their rows tell whose they are, or a note asks."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery
from finplan.service.banking.accounts import list_account_records, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.imports.row_evidence import evidence_of
from finplan.service.spending import query_spending
from finplan.store.queries.repeated_rows import Overlap
from tests.service.asked import open_question

Import = Callable[..., Awaitable[Any]]

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
async def test_an_export_under_another_name_is_the_same_account(
    context: Context, import_texts: Import, name: str
) -> None:
    """A file that holds an account's rows is asked about, whatever it is called, and goes to it then."""
    await import_texts({"export.csv": _csv(1, 20)})
    (account,) = await list_accounts(context, Nothing())
    with pytest.raises(Conflict, match="Is it the same account") as asked:
        await import_texts({name: _csv(10, 25)})
    assert open_question(asked.value) == ("sameAccount", [account.id, "new"])

    dry = await import_texts({name: _csv(10, 25)}, same_account=account.id, dry_run=True)
    report = await import_texts({name: _csv(10, 25)}, same_account=account.id, digest=dry.digest)

    (file,) = report.files
    assert (file.new, file.known, file.notes) == (5, 11, ())
    assert [(account.name, account.new) for account in file.accounts] == [("export", False)]
    assert dry.files == report.files
    assert await _names(context) == ["export"]
    assert (await query_spending(context, SpendingQuery())).total == sum(range(1, 26)) * 100


async def test_another_accounts_file_is_another_account(
    context: Context, import_texts: Import
) -> None:
    """A file of the same bank and the same days, with other rows, gets an account of its own."""
    await import_texts({"export.csv": _csv(1, 20)})
    report = await import_texts({"export (1).csv": _csv(1, 20, cents=50)})

    (file,) = report.files
    assert (file.new, file.notes) == (20, ())
    assert [(account.name, account.new) for account in file.accounts] == [("export (1)", True)]


async def test_a_row_or_two_are_asked_about(context: Context, import_texts: Import) -> None:
    """A short overlap proves nothing: the preview names the account, and the person's word decides."""
    await import_texts({"export.csv": _csv(1, 20)})
    dry = await import_texts({"next.csv": _csv(19, 25)}, dry_run=True)
    (file,) = dry.files
    assert file.accounts[0].new
    assert "some of its rows are those of export" in file.notes[0]
    assert "--account export" in file.notes[0]

    report = await import_texts({"next.csv": _csv(19, 25)}, account="export")

    assert (report.files[0].new, report.files[0].known) == (5, 2)
    assert await _names(context) == ["export"]


async def test_another_format_of_an_account_is_asked_about(
    context: Context, import_texts: Import
) -> None:
    """Equal days and amounts under other texts are a question, and come once after the answer."""
    await import_texts({"export.csv": _csv(1, 20)})
    other = _csv(1, 20).replace("COFFEE", "Cafe").replace("RENT", "Miete").replace("GYM", "Sport")
    with pytest.raises(Conflict, match="Is it the same account"):
        await import_texts({"other.csv": other})
    report = await import_texts({"other.csv": other}, same_account="Export")
    assert (report.files[0].new, await _names(context)) == (0, ["export"])


async def test_two_accounts_with_the_same_rows_are_a_question(
    context: Context, import_texts: Import
) -> None:
    """Where the rows are those of two accounts, nobody guesses: a conflict names both."""
    await import_texts({"a.csv": _csv(1, 20)}, account="One")
    await import_texts({"b.csv": _csv(1, 20)}, account="Two")
    with pytest.raises(Conflict, match="any of 2") as failure:
        await import_texts({"export.csv": _csv(1, 20)})
    assert failure.value.data is not None
    assert len(open_question(failure.value)[1]) == 2


async def test_rows_of_two_accounts_may_be_of_a_third(
    context: Context, import_texts: Import
) -> None:
    """Where the rows are those of two accounts that nobody named, a new account is a choice too."""
    number = "Date,Description,Amount,Account\n"
    rows = _csv(1, 20).splitlines()[1:]
    for account in ("DE89370400440532013000", "DE02120300000000202051"):
        text = number + "".join(f"{row},{account}\n" for row in rows)
        await import_texts({"all.csv": text}, same_account="new")
    with pytest.raises(Conflict, match="2 accounts") as failure:
        await import_texts({"export.csv": _csv(1, 20)}, currency="EUR")
    assert failure.value.data is not None
    assert open_question(failure.value)[1][2:] == ["new"]


async def test_an_account_that_goes_by_an_iban_alone_has_a_name_that_can_be_said(
    context: Context, import_texts: Import
) -> None:
    """It is called by the last digits, its number is kept, and files find it by the number again."""
    iban = "DE89370400440532013000"
    for account in (iban, "123-45-678"):
        text = "Date,Description,Amount,Account\n" + "".join(
            f"{row},{account}\n" for row in _csv(1, 20).splitlines()[1:]
        )
        await import_texts({"all.csv": text}, same_account="new", currency="EUR")
    records = await list_account_records(context, Nothing())
    assert [(each.account.name, each.number) for each in records] == [
        ("Account 3000", iban),
        ("123-45-678", "123-45-678"),
    ]
    later = "Date,Description,Amount,Account\n2026-06-30,RENT,-1.00," + iban + "\n"
    report = await import_texts({"later.csv": later}, currency="EUR")
    (found,) = report.files[0].accounts
    assert (found.name, report.files[0].new) == ("Account 3000", 1)
    assert len(await list_accounts(context, Nothing())) == 2


async def test_an_account_without_a_number_has_none(context: Context, import_texts: Import) -> None:
    """What a file's name or an app calls an account is no number of it; one that is partly hidden is."""
    await import_texts({"2025-4711.csv": _csv(1, 20)})
    for account in ("Cash 2024-17", "fda3c638-checking", "**** 4711"):
        text = "Date,Description,Amount,Account\n" + "".join(
            f"{row},{account}\n" for row in _csv(1, 20).splitlines()[1:]
        )
        await import_texts({"all.csv": text}, same_account="new")
    records = await list_account_records(context, Nothing())
    assert [record.number for record in records] == [None, None, None, "**** 4711"]


@pytest.mark.thorough
async def test_what_a_bank_knows_an_account_by_is_no_number(context: Context) -> None:
    """The id of a linked bank's account means nothing to a person."""
    await link_connection(context, LinkRequest(provider="demo"))
    records = await list_account_records(context, Nothing())
    assert {record.number for record in records} == {None}


async def test_rows_tell_accounts_of_one_header_apart(
    context: Context, import_texts: Import
) -> None:
    """Of two accounts whose files have the same header, the one whose rows it holds is meant."""
    await import_texts({"a.csv": _csv(1, 20)}, account="One")
    await import_texts({"b.csv": _csv(1, 20, cents=50)}, account="Two")
    report = await import_texts({"export.csv": _csv(15, 22, cents=50)})
    assert [account.name for account in report.files[0].accounts] == ["Two"]
    assert (report.files[0].new, report.files[0].known) == (2, 6)


async def test_two_exports_of_one_account_in_one_import(
    context: Context, import_texts: Import
) -> None:
    """Files of one import that hold each other's rows are asked about; as one, nothing comes twice."""
    files = {"export.csv": _csv(1, 20), "export (1).csv": _csv(10, 25)}
    with pytest.raises(Conflict) as asked:
        await import_texts(files)
    assert open_question(asked.value) == ("sameAccount", ["export", "new"])
    report = await import_texts(files, same_account="export")
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
async def test_similar_accounts_are_never_merged(
    context: Context, import_texts: Import, held: str, file: str
) -> None:
    """Standing orders alone, or most rows but not all, leave a question that either answer settles."""
    await import_texts({"anna.csv": held})
    (anna,) = await list_accounts(context, Nothing())
    with pytest.raises(Conflict, match="“ben” has mostly the same rows as “anna”") as asked:
        await import_texts({"ben.csv": file})
    assert asked.value.data is not None
    assert open_question(asked.value) == ("sameAccount", [anna.id, "new"])

    rows = file.count("2026-")
    other = await import_texts({"ben.csv": file}, same_account="new")
    assert (other.files[0].new, await _names(context)) == (rows, ["anna", "ben"])
    await undo_import(context, ImportId(id=other.id))
    same = await import_texts({"ben.csv": file}, same_account=anna.id)
    assert same.files[0].known >= rows - 1
    assert await _names(context) == ["anna"]


async def test_similar_files_of_one_import_are_two_accounts(
    context: Context, import_texts: Import
) -> None:
    """Files of one import that may be of one account are two once the person says so."""
    files = {"anna.csv": POCKET_MONEY, "ben.csv": POCKET_MONEY}
    with pytest.raises(Conflict) as asked:
        await import_texts(files, direction="in")
    assert open_question(asked.value) == ("sameAccount", ["anna", "new"])
    report = await import_texts(files, same_account="new", direction="in")
    assert [(file.new, file.known) for file in report.files] == [(12, 0), (12, 0)]
    assert report.files[1].notes == ()
    assert await _names(context) == ["anna", "ben"]


async def test_a_question_on_one_file_is_no_question_on_others(
    context: Context, import_texts: Import
) -> None:
    """Only the file that may be another's is asked about, and only it goes where the answer says."""
    await import_texts({"anna.csv": POCKET_MONEY})
    files = {"shop.csv": _csv(1, 20), "ben.csv": POCKET_MONEY}
    with pytest.raises(Conflict) as asked:
        await import_texts(files)
    assert asked.value.data is not None
    assert [question["file"] for question in asked.value.data["questions"]] == [1]
    said = {"file": 1, "about": "sameAccount", "value": "anna"}
    report = await import_texts(files, answers=[said])
    assert report.files[1].new == 0
    assert await _names(context) == ["anna", "shop"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("last", [20, 21, 25])
async def test_a_day_that_was_not_over_proves_nothing_against_it(
    context: Context, import_texts: Import, last: int
) -> None:
    """A file lacks rows of its own last day when the day was not over; it is the same account's."""
    more = "2026-06-20,FUEL later,-99.00\n2026-06-20,GYM later,-98.00\n"
    await import_texts({"export.csv": _csv(1, 20)})
    report = await import_texts({"export (1).csv": _csv(5, last) + more}, same_account="export")
    assert (report.files[0].known, report.files[0].new) == (16, last - 20 + 2)
    assert await _names(context) == ["export"]


async def test_a_name_alone_does_not_hide_another_account(import_texts: Import) -> None:
    """A file called like an account, but with hardly any of its rows on its days, is remarked upon."""
    await import_texts({"export.csv": _csv(1, 28)})
    with_a_fee = _csv(1, 28, cents=50).replace("-7.50", "-7.00")
    other = await import_texts({"export.csv": with_a_fee}, dry_run=True)
    later = await import_texts({"export.csv": _csv(28, 30)}, dry_run=True)
    assert "so the file may be another account's" in other.files[0].notes[0]
    assert later.files[0].notes == ()


@pytest.mark.parametrize("fee", ["-7.50", "-7.00"])
async def test_rows_overrule_what_was_said_of_a_header(
    context: Context, import_texts: Import, fee: str
) -> None:
    """A file goes where files with its header went unless its rows are those of another account."""
    await import_texts({"anna.csv": _csv(1, 20)})
    ben = _csv(1, 20, cents=50).replace("-7.50", fee)
    await import_texts({"b.csv": ben}, account="Ben")
    report = await import_texts({"export.csv": _csv(5, 22)})
    assert [account.name for account in report.files[0].accounts] == ["anna"]
    assert (report.files[0].known, report.files[0].new) == (16, 2)
    assert await _names(context) == ["anna", "Ben"]


async def test_a_header_leads_nowhere_that_other_rows_speak_against(
    context: Context, import_texts: Import
) -> None:
    """Where a file with a known header shares rows with another account alone, the person is asked."""
    may = POCKET_MONEY.replace("2026-06-15,Child benefit,100.00", "2026-06-15,Toys,-70.00")
    await import_texts({"anna.csv": POCKET_MONEY})
    await import_texts({"ben.csv": _csv(1, 20)}, account="Ben")
    with pytest.raises(Conflict, match="any of 2"):
        await import_texts({"export.csv": _without(may, *may.splitlines(keepends=True)[1:10])})
    assert await _names(context) == ["anna", "Ben"]


async def test_a_shared_header_leads_to_no_account(context: Context, import_texts: Import) -> None:
    """A word on a file that looks like another account's is of that file, not of all with its header."""
    await import_texts({"anna.csv": POCKET_MONEY})
    await import_texts({"ben.csv": POCKET_MONEY}, account="ben")
    later = POCKET_MONEY.replace("2026-", "2027-")
    report = await import_texts({"export.csv": later}, dry_run=True)
    remembered = report.files[0].remembered
    assert remembered is None or remembered.account is None
    assert report.files[0].accounts[0].new
    assert await _names(context) == ["anna", "ben"]


async def test_rows_overrule_a_name_that_they_deny(context: Context, import_texts: Import) -> None:
    """A file called like an account, but with none of its rows and all of another's, is the other's."""
    await import_texts({"anna.csv": _csv(1, 20)})
    await import_texts({"export.csv": _csv(1, 20, cents=50)})
    report = await import_texts({"export.csv": _csv(5, 22)})
    assert [account.name for account in report.files[0].accounts] == ["anna"]
    assert (report.files[0].known, report.files[0].new) == (16, 2)
    assert await _names(context) == ["anna", "export"]


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
