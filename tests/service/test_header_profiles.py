"""Header profiles: what was said of a kind of file holds for the next one, until it is taken back."""

import pickle
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.connection import Unlinking
from finplan.model.errors import Conflict, NotFound
from finplan.model.statement import (
    ImportId,
    ImportProfile,
    ImportReport,
    ImportRequest,
    ProfileId,
    Remembered,
)
from finplan.model.transaction import TransactionQuery
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.context import Context
from finplan.service.imports.header_profiles import (
    forget_import_profile,
    hints_for,
    list_import_profiles,
)
from finplan.service.imports.imports import import_files, undo_import
from finplan.service.transactions import list_transactions
from finplan.statements.statement import HeaderAnswers
from finplan.store.queries import accounts, people
from tests.service.asked import open_question

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

MARCH = "Date,Description,Amount\n03/04/2026,RENT,-1200.00\n03/05/2026,SHOP,-3.50\n"
APRIL = "Date,Description,Amount\n04/05/2026,RENT,-1200.00\n04/06/2026,SHOP,-4.50\n"
PLAIN = "Date,Description,Amount\n2026-05-05,CITY BOOKS,-31.20\n"
LATER = "Date,Description,Amount\n2026-06-05,CITY BOOKS,-12.80\n"
OTHER = "Day;Text;Sum\n2026-06-05;CITY BOOKS;-12.80\n"


async def _profiles(context: Context) -> tuple[ImportProfile, ...]:
    return await list_import_profiles(context, Nothing())


async def _homes(context: Context) -> dict[str, int]:
    """How many rows each account has, by its name."""
    names = {account.id: account.name for account in await list_accounts(context, Nothing())}
    page = await list_transactions(context, TransactionQuery())
    counts = dict.fromkeys(names.values(), 0)
    for row in page.transactions:
        counts[names[row.account_id]] += 1
    return counts


def _remembered(**said: str) -> Remembered:
    blank = dict.fromkeys(("encoding", "date_order", "decimal_sign", "currency", "account"))
    return Remembered.model_validate(blank | said)


async def test_an_answer_is_not_asked_for_again(context: Context, import_texts: Import) -> None:
    """What was said of a file decides for the next one with its header, and the report says so."""
    with pytest.raises(Conflict):
        await import_texts({"march.csv": MARCH})
    first = await import_texts({"march.csv": MARCH}, date_order="dmy")
    second = await import_texts({"april.csv": APRIL})

    page = await list_transactions(context, TransactionQuery())
    assert sorted(row.date.isoformat() for row in page.transactions) == [
        "2026-04-03", "2026-05-03", "2026-05-04", "2026-06-04",
    ]  # fmt: skip
    assert first.files[0].remembered is None
    assert second.files[0].remembered == _remembered(date_order="dmy")


async def test_what_is_typed_wins_and_is_the_newest_word(
    context: Context, import_texts: Import
) -> None:
    """A word of now overrules an older one, and holds from then on; the others stay."""
    await import_texts({"march.csv": MARCH}, date_order="dmy", decimal_sign=".")
    typed = await import_texts({"april.csv": APRIL}, date_order="mdy")
    (profile,) = await _profiles(context)

    assert typed.files[0].remembered is None
    assert (profile.date_order, profile.decimal_sign) == ("mdy", ".")
    assert profile.columns == "Date,Description,Amount"


async def test_nothing_is_kept_of_what_nobody_said(context: Context, import_texts: Import) -> None:
    """A file that needed no word leaves no profile, nor does a dry run."""
    await import_texts({"may.csv": PLAIN})
    await import_texts({"march.csv": MARCH}, date_order="dmy", dry_run=True)

    assert await _profiles(context) == ()


UNSIGNED = "Date,Description,Amount,Balance\n" + "".join(
    f"2026-05-1{day},SHOP {day},{day}.00,{100 - sum(range(day + 1))}.00\n" for day in range(1, 6)
)


async def test_a_word_on_one_row_is_none_on_the_next_file(context: Context, tmp_path: Path) -> None:
    """The way of the row that a balance does not show is asked for in each file."""
    path = tmp_path / "upload"
    for month in ("2026-05", "2026-06"):
        path.write_text(UNSIGNED.replace("2026-05", month))
        said = ImportRequest(account_kind="checking", account="Everyday")
        with pytest.raises(Conflict) as asked:
            await import_files(context, said, (UploadedFile("export.csv", path),))
        assert open_question(asked.value) == ("direction", ["first:out", "first:in"])
        said = said.model_copy(update={"direction": "first:in"})
        await import_files(context, said, (UploadedFile("export.csv", path),))

    (profile,) = await _profiles(context)
    assert profile.direction is None
    page = await list_transactions(context, TransactionQuery())
    assert [row.amount for row in page.transactions if row.date.day == 11] == [100, 100]


async def test_a_word_on_spending_is_none_on_a_debt(context: Context, tmp_path: Path) -> None:
    """That amounts went out, said of a file without a proof, never makes the next balance a debt."""
    path = tmp_path / "upload"
    rising = "Date,Description,Amount,Balance\n" + "".join(
        f"2026-06-1{day},SHOP {day},{day}.00,{100 + sum(range(day + 1))}.00\n"
        for day in range(1, 6)
    )
    said = ImportRequest(account_kind="checking", account="Everyday", direction="out")
    path.write_text("".join(rising.replace("2026-06", "2026-05").splitlines(keepends=True)[:2]))
    await import_files(context, said, (UploadedFile("export.csv", path),))

    path.write_text(rising)
    with pytest.raises(Conflict) as asked:
        await import_files(
            context,
            said.model_copy(update={"direction": None}),
            (UploadedFile("export.csv", path),),
        )
    assert open_question(asked.value) == ("direction", ["first:in", "first:out", "first:owed"])
    assert (await _profiles(context))[0].direction == "out"


async def test_a_dry_run_tells_what_the_import_does(import_texts: Import) -> None:
    """A dry run reads by the same profile as the import after it, and is stale without it."""
    await import_texts({"march.csv": MARCH}, date_order="dmy")
    how = {"account_kind": "checking", "same_account": "new"}
    dry = await import_texts({"april.csv": APRIL}, dry_run=True, **how)
    real = await import_texts({"april.csv": APRIL}, digest=dry.digest, **how)

    assert dry.files == real.files
    assert dry.files[0].remembered == _remembered(date_order="dmy")


async def test_a_dry_run_is_stale_once_its_profile_is_gone(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """What is forgotten between a dry run and its import refuses the import."""
    await import_texts({"march.csv": MARCH}, date_order="dmy", account="Checking")
    dry = await import_texts({"june.csv": LATER}, dry_run=True)
    (profile,) = await _profiles(context)
    assert await forget_import_profile(context, ProfileId(id=profile.id)) == profile
    held = await dump()

    with pytest.raises(Conflict, match="changed since the dry run"):
        await import_texts({"june.csv": LATER}, digest=dry.digest)

    assert await dump() == held
    assert await _profiles(context) == ()


async def test_what_is_forgotten_is_asked_again(context: Context, import_texts: Import) -> None:
    """After forgetting, a file is as open as the first of its kind; a second time there is nothing."""
    await import_texts({"march.csv": MARCH}, date_order="dmy")
    await import_texts({"other.csv": OTHER}, account="Checking")
    newest, oldest = await _profiles(context)
    await forget_import_profile(context, ProfileId(id=oldest.id))

    with pytest.raises(Conflict) as asked:
        await import_texts({"april.csv": APRIL}, account_kind="checking")
    assert asked.value.data is not None
    assert open_question(asked.value)[0] == "dateOrder"
    assert await _profiles(context) == (newest,)
    with pytest.raises(NotFound, match="imports profiles"):
        await forget_import_profile(context, ProfileId(id=oldest.id))


async def test_undo_takes_the_word_back(context: Context, import_texts: Import, dump: Dump) -> None:
    """After undo the store is to the row as before, in whatever order imports are undone."""
    empty = await dump()
    first = await import_texts({"march.csv": MARCH}, date_order="dmy", account="Checking")
    held = await dump()
    second = await import_texts({"april.csv": APRIL}, date_order="mdy", account="Savings")
    await undo_import(context, ImportId(id=second.id))
    assert await dump() == held

    second = await import_texts({"april.csv": APRIL}, date_order="mdy", account="Savings")
    await undo_import(context, ImportId(id=first.id))
    (profile,) = await _profiles(context)
    assert (profile.date_order, profile.accounts) == ("mdy", ("Savings",))
    await undo_import(context, ImportId(id=second.id))
    assert await dump() == empty


async def test_a_file_goes_to_the_account_of_the_one_before(
    context: Context, import_texts: Import
) -> None:
    """A file that names no account goes where the person said that such files go, which is told."""
    await import_texts({"may.csv": PLAIN}, account="Checking")
    report = await import_texts({"download (3).csv": LATER})

    assert await _homes(context) == {"Checking": 2}
    assert report.files[0].remembered == _remembered(account="Checking")
    assert [account.name for account in report.files[0].accounts] == ["Checking"]


async def test_the_account_brings_its_currency(context: Context, import_texts: Import) -> None:
    """A file that names neither account nor currency is in the currency of the account it goes to."""
    await import_texts({"household.csv": OTHER})
    await import_texts({"may.csv": PLAIN}, account="Giro", currency="EUR")
    await import_texts({"other.csv": OTHER.replace("Day", "Dia")}, account="Giro")
    report = await import_texts({"another.csv": OTHER.replace("Day", "Dia")})

    assert [account.currency for account in report.files[0].accounts] == ["EUR"]
    assert report.files[0].remembered == _remembered(currency="EUR", account="Giro")
    assert report.files[0].known == 1


async def test_a_typed_currency_wins(context: Context, import_texts: Import) -> None:
    """A currency that is typed, or that a typed account has, overrules the one said before."""
    await import_texts({"may.csv": PLAIN}, account="Giro", currency="EUR")
    await import_texts({"june.csv": LATER}, account="Checking", currency="USD")
    await import_texts({"may.csv": PLAIN}, account="Pounds", currency="GBP")
    typed = await import_texts({"june.csv": LATER}, account="Giro")

    held = {account.name: account.id for account in await list_accounts(context, Nothing())}
    page = await list_transactions(context, TransactionQuery())
    currencies = {row.account_id: row.currency for row in page.transactions}
    assert typed.files[0].remembered is None
    assert {name: currencies[held[name]] for name in held} == {
        "Giro": "EUR",
        "Checking": "USD",
        "Pounds": "GBP",
    }


async def test_a_file_in_another_currency_is_of_another_account(
    context: Context, import_texts: Import
) -> None:
    """A currency that the file proves is no match for the account of before, and no failure."""
    with_currency = "Date,Text,Amount,Currency\n2026-05-05,CITY BOOKS,-31.20,{}\n"
    await import_texts({"may.csv": with_currency.format("USD")}, account="Checking")
    await import_texts({"pounds.csv": with_currency.format("GBP")})

    assert await _homes(context) == {"Checking": 1, "pounds": 1}


async def test_a_typed_account_wins(context: Context, import_texts: Import) -> None:
    """Rows go where the person says now, not where they went before."""
    await import_texts({"may.csv": PLAIN}, account="Checking")
    report = await import_texts({"june.csv": LATER}, account="Savings")

    assert await _homes(context) == {"Checking": 1, "Savings": 1}
    assert report.files[0].remembered is None


async def test_files_that_name_their_account_teach_no_account(
    context: Context, import_texts: Import
) -> None:
    """Where a file says whose it is, nothing is remembered of whose such files are."""
    numbered = "Date,Account number,Text,Amount\n2026-01-02,DE00123456,A,-1.00\n"
    await import_texts({"n.csv": numbered}, account="Checking")

    assert await _profiles(context) == ()


async def test_several_accounts_are_asked_about(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """When files with one header went to two accounts, the person says which; nobody guesses."""
    await import_texts({"may.csv": PLAIN}, account="Checking")
    await import_texts({"card.csv": LATER}, account="Blue Visa")
    held = await dump()
    with pytest.raises(Conflict) as asked:
        await import_texts({"download.csv": PLAIN + LATER.partition("\n")[2]})
    assert await dump() == held

    assert asked.value.data is not None
    (question,) = asked.value.data["questions"]
    ids = {account.name: account.id for account in await list_accounts(context, Nothing())}
    assert (question["file"], question["name"], question["about"]) == (0, "download.csv", "account")
    assert [(choice["value"], choice["label"]) for choice in question["choices"]] == [
        (ids["Checking"], "Statement files Checking"),
        (ids["Blue Visa"], "Statement files Blue Visa"),
    ]
    answered = await import_texts({"download.csv": PLAIN}, account=ids["Checking"])
    assert answered.files[0].known == 1


async def test_a_file_called_like_one_of_them_is_no_question(
    context: Context, import_texts: Import
) -> None:
    """Among the accounts of a header the one that is called like the file is meant."""
    await import_texts({"checking.csv": PLAIN}, account="Checking")
    await import_texts({"card.csv": PLAIN}, account="Blue Visa")
    report = await import_texts({"Blue Visa.csv": LATER})

    assert await _homes(context) == {"Checking": 1, "Blue Visa": 2}
    assert report.files[0].remembered is None


async def test_a_name_and_a_header_that_disagree_are_asked_about(
    context: Context, import_texts: Import
) -> None:
    """An account called like the file, and another one that such files were said to be of, both fit."""
    await import_texts({"download.csv": PLAIN})
    await import_texts({"june.csv": LATER}, account="Checking")

    with pytest.raises(Conflict) as asked:
        await import_texts({"download.csv": LATER})
    assert asked.value.data is not None
    assert len(open_question(asked.value)[1]) == 2


async def test_files_of_one_account_in_one_import_add_nothing_twice(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Overlapping files whose account is remembered are told apart as if they had named it."""
    await import_texts({"may.csv": PLAIN}, account="Checking")
    held = await dump()
    both = PLAIN + LATER.partition("\n")[2]
    files = {"a.csv": LATER, "b.csv": both}
    dry = await import_texts(files, dry_run=True)
    report = await import_texts(files, digest=dry.digest)

    assert dry.files == report.files
    assert [(file.new, file.known) for file in report.files] == [(1, 0), (0, 2)]
    assert await _homes(context) == {"Checking": 2}
    await undo_import(context, ImportId(id=report.id))
    assert await dump() == held


async def test_two_ways_to_one_account_add_nothing_twice(
    context: Context, import_texts: Import
) -> None:
    """A file known by its name and one known by its header may be of one account in one import."""
    await import_texts({"checking.csv": OTHER})
    (account,) = await list_accounts(context, Nothing())
    await import_texts({"may.csv": PLAIN}, account=account.id)
    again = OTHER.replace("2026-06-05", "2026-07-01")
    header = PLAIN.partition("\n")[0]
    same = f"{header}\n2026-07-01,CITY BOOKS,-12.80\n2026-07-09,CITY BOOKS,-1.00\n"
    report = await import_texts({"checking.csv": again, "download.csv": same})

    assert [(file.new, file.known) for file in report.files] == [(1, 0), (1, 1)]
    assert await _homes(context) == {"checking": 4}


async def test_an_account_knows_every_kind_of_file_that_fed_it(
    context: Context, import_texts: Import
) -> None:
    """Files of two formats that lead to one account in one import are both kinds of its source."""
    first = await import_texts({"may.csv": OTHER}, account="Fresh")
    qif = "!Type:Bank\nD2026-07-01\nT-5.00\nPSHOP\n^\n"
    await import_texts({"fresh.qif": qif, "download.csv": OTHER})
    await undo_import(context, ImportId(id=first.id))
    owner = context.caller.owner
    held = await context.store.read(lambda c: accounts.list_accounts(c, owner))

    assert {row["name"]: row["sources"] for row in held} == {"Fresh": "csv qif"}


async def test_an_account_that_is_gone_is_forgotten(context: Context, import_texts: Import) -> None:
    """When its account goes, a profile keeps what else was said, and is gone without that."""
    await import_texts({"march.csv": MARCH}, account="Checking", date_order="mdy")
    await import_texts({"other.csv": OTHER}, account="Checking")
    (bank,) = await list_connections(context, Nothing())
    await unlink_connection(context, Unlinking(id=bank.connection.id))

    (profile,) = await _profiles(context)
    assert (profile.columns, profile.accounts) == ("Date,Description,Amount", ())
    await import_texts({"june.csv": LATER})
    assert await _homes(context) == {"june": 1}


async def test_two_people_share_nothing(context: Context, import_texts: Import) -> None:
    """What one person said is never another's, in one store and of one header."""
    await import_texts({"march.csv": MARCH}, account="Checking", date_order="dmy")
    (mine,) = await _profiles(context)
    values = {
        "id": "usr_eve", "email": "eve@localhost", "name": None, "created_at": 0,
        "time_zone": "UTC",
    }  # fmt: skip
    number = await context.store.write(lambda c: people.add_person(c, values))
    await context.store.write(lambda c: people.change_person(c, number, {"currency": "USD"}))
    eve = replace(context, caller=replace(context.caller, owner=number))

    assert await _profiles(eve) == ()
    with pytest.raises(NotFound):
        await forget_import_profile(eve, ProfileId(id=mine.id))
    with pytest.raises(Conflict) as asked:
        await _import_as(eve, MARCH)
    assert asked.value.data is not None
    assert open_question(asked.value)[0] == "dateOrder"
    await _import_as(eve, PLAIN)
    assert await _homes(eve) == {"eves": 1}
    assert await _profiles(context) == (mine,)


async def test_what_was_said_can_be_sent_to_another_process(
    context: Context, import_texts: Import
) -> None:
    """Profiles are plain values, equal after a journey to where files are read."""
    await import_texts({"march.csv": MARCH}, date_order="dmy", encoding="cp1252")
    owner = context.caller.owner
    hints = await context.store.read(lambda c: hints_for(c, owner, ImportRequest()))

    answers = HeaderAnswers(encoding="cp1252", date_order="dmy")
    assert list(hints.profiles.values()) == [answers]
    assert pickle.loads(pickle.dumps(hints)) == hints


SAID = ImportRequest(account_kind="checking")


async def _import_as(context: Context, text: str) -> ImportReport:
    path = Path(context.store.path).with_name("eves.upload")
    path.write_text(text)
    return await import_files(context, SAID, (UploadedFile("eves.csv", path),))


async def test_a_file_that_contradicts_what_was_said_is_asked_about(import_texts: Import) -> None:
    """A currency that was said for the header and another in the file leave a question."""
    header = "Date,Description,Amount\n"
    january = f"{header}2026-01-14,KAFFE,-4.50 kr\n2026-01-15,KAFFE,-5.50 kr\n"
    february = f"Account currency: USD\n{header}2026-02-14,KAFFE,-4.50 kr\n"
    await import_texts({"jan.csv": january}, account="Lön", currency="SEK")

    with pytest.raises(Conflict) as caught:
        await import_texts({"feb.csv": february})
    assert caught.value.data is not None
    assert open_question(caught.value)[0] == "currency"
