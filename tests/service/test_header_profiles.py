"""Header profiles: what was said of a kind of file holds for the next one, until it is taken back.

Of an import that read its file wrongly nothing is added beside its rows until it is undone.
"""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from finplan.intake.misreadings import MisreadImports
from finplan.model import statement
from finplan.model.base import Nothing
from finplan.model.connection import Unlinking
from finplan.model.errors import Conflict, NotFound
from finplan.model.transaction import TransactionQuery
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.context import Context
from finplan.service.imports.imports import import_files, list_imports, undo_import
from finplan.service.imports.profiles import (
    forget_import_profile,
    hints_for,
    list_import_profiles,
)
from finplan.service.transactions import list_transactions
from finplan.statements.statement import HeaderAnswers
from finplan.store.queries import accounts, people
from tests.service.conftest import bring, dump, send
from tests.service.said import all_rows, open_question

MARCH = "Date,Description,Amount\n03/04/2026,RENT,-1200.00\n03/05/2026,SHOP,-3.50\n"
APRIL = "Date,Description,Amount\n04/05/2026,RENT,-1200.00\n04/06/2026,SHOP,-4.50\n"
PLAIN = "Date,Description,Amount\n2026-05-05,CITY BOOKS,-31.20\n"
LATER = "Date,Description,Amount\n2026-06-05,CITY BOOKS,-12.80\n"
OTHER = "Day;Text;Sum\n2026-06-05;CITY BOOKS;-12.80\n"


async def _profiles(context: Context) -> tuple[statement.ImportProfile, ...]:
    return await list_import_profiles(context, Nothing())


async def _homes(context: Context) -> dict[str, int]:
    """How many rows each account has, by its name."""
    names = {account.id: account.name for account in await list_accounts(context, Nothing())}
    page = await list_transactions(context, TransactionQuery())
    counts = dict.fromkeys(names.values(), 0)
    for row in page.transactions:
        counts[names[row.account_id]] += 1
    return counts


def _remembered(**said: str) -> statement.Remembered:
    blank = dict.fromkeys(("encoding", "date_order", "decimal_sign", "currency", "account"))
    return statement.Remembered.model_validate(blank | said)


async def test_an_answer_is_not_asked_for_again(context: Context) -> None:
    """What was said of a file decides for the next one with its header, and the report says so."""
    with pytest.raises(Conflict):
        await bring(context, {"march.csv": MARCH})
    first = await bring(context, {"march.csv": MARCH}, date_order="dmy")
    second = await bring(context, {"april.csv": APRIL})

    assert sorted(row.date.isoformat() for row in await all_rows(context)) == [
        "2026-04-03", "2026-05-03", "2026-05-04", "2026-06-04",
    ]  # fmt: skip
    assert first.files[0].remembered is None
    assert second.files[0].remembered == _remembered(date_order="dmy")


async def test_what_is_typed_wins_and_is_the_newest_word(context: Context) -> None:
    """A word of now overrules an older one, and holds from then on; the others stay."""
    await bring(context, {"march.csv": MARCH}, date_order="dmy", decimal_sign=".")
    typed = await bring(context, {"april.csv": APRIL}, date_order="mdy")
    (profile,) = await _profiles(context)

    assert typed.files[0].remembered is None
    assert (profile.date_order, profile.decimal_sign) == ("mdy", ".")
    assert profile.columns == "Date,Description,Amount"


async def test_nothing_is_kept_of_what_nobody_said(context: Context) -> None:
    """A file that needed no word leaves no profile, nor does a dry run."""
    await bring(context, {"may.csv": PLAIN})
    await bring(context, {"march.csv": MARCH}, date_order="dmy", dry_run=True)

    assert await _profiles(context) == ()


UNSIGNED = "Date,Description,Amount,Balance\n" + "".join(
    f"2026-05-1{day},SHOP {day},{day}.00,{100 - sum(range(day + 1))}.00\n" for day in range(1, 6)
)


async def test_a_word_on_one_row_is_none_on_the_next_file(context: Context) -> None:
    """The way of the row that a balance does not show is asked for in each file."""
    said = {"account_kind": "checking", "account": "Everyday"}
    for month in ("2026-05", "2026-06"):
        files = {"export.csv": UNSIGNED.replace("2026-05", month)}
        with pytest.raises(Conflict) as asked:
            await send(context, files, **said)
        assert open_question(asked.value) == ("direction", ["first:out", "first:in"])
        await send(context, files, **said, direction="first:in")

    (profile,) = await _profiles(context)
    assert profile.direction is None
    assert [row.amount for row in await all_rows(context) if row.date.day == 11] == [100, 100]


async def test_a_word_on_spending_is_none_on_a_debt(context: Context) -> None:
    """That amounts went out, said of a file without a proof, never makes the next balance a debt."""
    rising = "Date,Description,Amount,Balance\n" + "".join(
        f"2026-06-1{day},SHOP {day},{day}.00,{100 + sum(range(day + 1))}.00\n"
        for day in range(1, 6)
    )
    said = {"account_kind": "checking", "account": "Everyday"}
    first = "".join(rising.replace("2026-06", "2026-05").splitlines(keepends=True)[:2])
    await send(context, {"export.csv": first}, **said, direction="out")

    with pytest.raises(Conflict) as asked:
        await send(context, {"export.csv": rising}, **said)
    assert open_question(asked.value) == ("direction", ["first:in", "first:out", "first:owed"])
    assert (await _profiles(context))[0].direction == "out"


async def test_a_dry_run_tells_what_the_import_does(context: Context) -> None:
    """A dry run reads by the same profile as the import after it, and is stale without it."""
    await bring(context, {"march.csv": MARCH}, date_order="dmy")
    how = {"account_kind": "checking", "same_account": "new"}
    dry = await bring(context, {"april.csv": APRIL}, dry_run=True, **how)
    real = await bring(context, {"april.csv": APRIL}, digest=dry.digest, **how)

    assert dry.files == real.files
    assert dry.files[0].remembered == _remembered(date_order="dmy")


async def test_a_dry_run_is_stale_once_its_profile_is_gone(context: Context) -> None:
    """What is forgotten between a dry run and its import refuses the import."""
    await bring(context, {"march.csv": MARCH}, date_order="dmy", account="Checking")
    dry = await bring(context, {"june.csv": LATER}, dry_run=True)
    (profile,) = await _profiles(context)
    assert await forget_import_profile(context, statement.ProfileId(id=profile.id)) == profile
    held = await dump(context)

    with pytest.raises(Conflict, match="changed since"):
        await bring(context, {"june.csv": LATER}, digest=dry.digest)

    assert await dump(context) == held
    assert await _profiles(context) == ()


async def test_what_is_forgotten_is_asked_again(context: Context) -> None:
    """After forgetting, a file is as open as the first of its kind; a second time there is nothing."""
    await bring(context, {"march.csv": MARCH}, date_order="dmy")
    await bring(context, {"other.csv": OTHER}, account="Checking")
    newest, oldest = await _profiles(context)
    await forget_import_profile(context, statement.ProfileId(id=oldest.id))

    with pytest.raises(Conflict) as asked:
        await bring(context, {"april.csv": APRIL}, account_kind="checking")
    assert asked.value.data is not None
    assert open_question(asked.value)[0] == "dateOrder"
    assert await _profiles(context) == (newest,)
    with pytest.raises(NotFound, match="imports profiles"):
        await forget_import_profile(context, statement.ProfileId(id=oldest.id))


async def test_undo_takes_the_word_back(context: Context) -> None:
    """After undo the store is to the row as before, in whatever order imports are undone."""
    empty = await dump(context)
    first = await bring(context, {"march.csv": MARCH}, date_order="dmy", account="Checking")
    held = await dump(context)
    second = await bring(context, {"april.csv": APRIL}, date_order="mdy", account="Savings")
    await undo_import(context, statement.ImportId(id=second.id))
    assert await dump(context) == held

    second = await bring(context, {"april.csv": APRIL}, date_order="mdy", account="Savings")
    await undo_import(context, statement.ImportId(id=first.id))
    (profile,) = await _profiles(context)
    assert (profile.date_order, profile.accounts) == ("mdy", ("Savings",))
    await undo_import(context, statement.ImportId(id=second.id))
    assert await dump(context) == empty


async def test_a_file_goes_to_the_account_of_the_one_before(context: Context) -> None:
    """A file that names no account goes where the person said that such files go, which is told."""
    await bring(context, {"may.csv": PLAIN}, account="Checking")
    report = await bring(context, {"download (3).csv": LATER})

    assert await _homes(context) == {"Checking": 2}
    assert report.files[0].remembered == _remembered(account="Checking")
    assert [account.name for account in report.files[0].accounts] == ["Checking"]


async def test_the_account_brings_its_currency(context: Context) -> None:
    """A file that names neither account nor currency is in the currency of the account it goes to."""
    await bring(context, {"household.csv": OTHER})
    await bring(context, {"may.csv": PLAIN}, account="Giro", currency="EUR")
    await bring(context, {"other.csv": OTHER.replace("Day", "Dia")}, account="Giro")
    report = await bring(context, {"another.csv": OTHER.replace("Day", "Dia")})

    assert [account.currency for account in report.files[0].accounts] == ["EUR"]
    assert report.files[0].remembered == _remembered(currency="EUR", account="Giro")
    assert report.files[0].known == 1


async def test_a_typed_currency_wins(context: Context) -> None:
    """A currency that is typed, or that a typed account has, overrules the one said before."""
    await bring(context, {"may.csv": PLAIN}, account="Giro", currency="EUR")
    await bring(context, {"june.csv": LATER}, account="Checking", currency="USD")
    await bring(context, {"may.csv": PLAIN}, account="Pounds", currency="GBP")
    typed = await bring(context, {"june.csv": LATER}, account="Giro")

    held = {account.name: account.id for account in await list_accounts(context, Nothing())}
    currencies = {row.account_id: row.currency for row in await all_rows(context)}
    assert typed.files[0].remembered is None
    assert {name: currencies[held[name]] for name in held} == {
        "Giro": "EUR",
        "Checking": "USD",
        "Pounds": "GBP",
    }


async def test_a_file_in_another_currency_is_of_another_account(context: Context) -> None:
    """A currency that the file proves is no match for the account of before, and no failure."""
    with_currency = "Date,Text,Amount,Currency\n2026-05-05,CITY BOOKS,-31.20,{}\n"
    await bring(context, {"may.csv": with_currency.format("USD")}, account="Checking")
    await bring(context, {"pounds.csv": with_currency.format("GBP")})

    assert await _homes(context) == {"Checking": 1, "pounds": 1}


async def test_a_typed_account_wins(context: Context) -> None:
    """Rows go where the person says now, not where they went before."""
    await bring(context, {"may.csv": PLAIN}, account="Checking")
    report = await bring(context, {"june.csv": LATER}, account="Savings")

    assert await _homes(context) == {"Checking": 1, "Savings": 1}
    assert report.files[0].remembered is None


async def test_files_that_name_their_account_teach_no_account(context: Context) -> None:
    """Where a file says whose it is, nothing is remembered of whose such files are."""
    numbered = "Date,Account number,Text,Amount\n2026-01-02,DE00123456,A,-1.00\n"
    await bring(context, {"n.csv": numbered}, account="Checking")

    assert await _profiles(context) == ()


async def test_several_accounts_are_asked_about(context: Context) -> None:
    """When files with one header went to two accounts, the person says which; nobody guesses."""
    await bring(context, {"may.csv": PLAIN}, account="Checking")
    await bring(context, {"card.csv": LATER}, account="Blue Visa")
    held = await dump(context)
    with pytest.raises(Conflict) as asked:
        await bring(context, {"download.csv": PLAIN + LATER.partition("\n")[2]})
    assert await dump(context) == held

    assert asked.value.data is not None
    (question,) = asked.value.data["questions"]
    ids = {account.name: account.id for account in await list_accounts(context, Nothing())}
    assert (question["file"], question["name"], question["about"]) == (0, "download.csv", "account")
    assert [(choice["value"], choice["label"]) for choice in question["choices"]] == [
        (ids[name], f"Statement files {name}") for name in ("Checking", "Blue Visa")
    ]
    answered = await bring(context, {"download.csv": PLAIN}, account=ids["Checking"])
    assert answered.files[0].known == 1


async def test_a_file_called_like_one_of_them_is_no_question(context: Context) -> None:
    """Among the accounts of a header the one that is called like the file is meant."""
    await bring(context, {"checking.csv": PLAIN}, account="Checking")
    await bring(context, {"card.csv": PLAIN}, account="Blue Visa")
    report = await bring(context, {"Blue Visa.csv": LATER})

    assert await _homes(context) == {"Checking": 1, "Blue Visa": 2}
    assert report.files[0].remembered is None


async def test_a_name_and_a_header_that_disagree_are_asked_about(context: Context) -> None:
    """An account called like the file, and another one that such files were said to be of, both fit."""
    await bring(context, {"download.csv": PLAIN})
    await bring(context, {"june.csv": LATER}, account="Checking")

    with pytest.raises(Conflict) as asked:
        await bring(context, {"download.csv": LATER})
    assert asked.value.data is not None
    assert len(open_question(asked.value)[1]) == 2


async def test_files_of_one_account_in_one_import_add_nothing_twice(context: Context) -> None:
    """Overlapping files whose account is remembered are told apart as if they had named it."""
    await bring(context, {"may.csv": PLAIN}, account="Checking")
    held = await dump(context)
    both = PLAIN + LATER.partition("\n")[2]
    files = {"a.csv": LATER, "b.csv": both}
    dry = await bring(context, files, dry_run=True)
    report = await bring(context, files, digest=dry.digest)

    assert dry.files == report.files
    assert [(file.new, file.known) for file in report.files] == [(1, 0), (0, 2)]
    assert await _homes(context) == {"Checking": 2}
    await undo_import(context, statement.ImportId(id=report.id))
    assert await dump(context) == held


async def test_two_ways_to_one_account_add_nothing_twice(context: Context) -> None:
    """A file known by its name and one known by its header may be of one account in one import."""
    await bring(context, {"checking.csv": OTHER})
    (account,) = await list_accounts(context, Nothing())
    await bring(context, {"may.csv": PLAIN}, account=account.id)
    again = OTHER.replace("2026-06-05", "2026-07-01")
    header = PLAIN.partition("\n")[0]
    same = f"{header}\n2026-07-01,CITY BOOKS,-12.80\n2026-07-09,CITY BOOKS,-1.00\n"
    report = await bring(context, {"checking.csv": again, "download.csv": same})

    assert [(file.new, file.known) for file in report.files] == [(1, 0), (1, 1)]
    assert await _homes(context) == {"checking": 4}


async def test_an_account_knows_every_kind_of_file_that_fed_it(context: Context) -> None:
    """Files of two formats that lead to one account in one import are both kinds of its source."""
    first = await bring(context, {"may.csv": OTHER}, account="Fresh")
    qif = "!Type:Bank\nD2026-07-01\nT-5.00\nPSHOP\n^\n"
    await bring(context, {"fresh.qif": qif, "download.csv": OTHER})
    await undo_import(context, statement.ImportId(id=first.id))
    owner = context.caller.owner
    held = await context.store.read(lambda c: accounts.list_accounts(c, owner))

    assert {row["name"]: row["sources"] for row in held} == {"Fresh": "csv qif"}


async def test_an_account_that_is_gone_is_forgotten(context: Context) -> None:
    """When its account goes, a profile keeps what else was said, and is gone without that."""
    await bring(context, {"march.csv": MARCH}, account="Checking", date_order="mdy")
    await bring(context, {"other.csv": OTHER}, account="Checking")
    (bank,) = await list_connections(context, Nothing())
    await unlink_connection(context, Unlinking(id=bank.connection.id))

    (profile,) = await _profiles(context)
    assert (profile.columns, profile.accounts) == ("Date,Description,Amount", ())
    await bring(context, {"june.csv": LATER})
    assert await _homes(context) == {"june": 1}


async def test_two_people_share_nothing(context: Context) -> None:
    """What one person said is never another's, in one store and of one header."""
    await bring(context, {"march.csv": MARCH}, account="Checking", date_order="dmy")
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
        await forget_import_profile(eve, statement.ProfileId(id=mine.id))
    with pytest.raises(Conflict) as asked:
        await _import_as(eve, MARCH)
    assert asked.value.data is not None
    assert open_question(asked.value)[0] == "dateOrder"
    await _import_as(eve, PLAIN)
    assert await _homes(eve) == {"eves": 1}
    assert await _profiles(context) == (mine,)


async def test_what_was_said_can_be_sent_to_another_process(context: Context) -> None:
    """Profiles are plain values, equal after a journey to where files are read."""
    await bring(context, {"march.csv": MARCH}, date_order="dmy", encoding="cp1252")
    owner = context.caller.owner
    (hints,) = await context.store.read(lambda c: hints_for(c, owner, [statement.ImportRequest()]))

    answers = HeaderAnswers(encoding="cp1252", date_order="dmy")
    assert list(hints.profiles.values()) == [answers]
    assert pickle.loads(pickle.dumps(hints)) == hints


SAID = statement.ImportRequest(account_kind="checking")


async def _import_as(context: Context, text: str) -> statement.ImportReport:
    path = Path(context.store.path).with_name("eves.upload")
    path.write_text(text)
    return await import_files(context, SAID, (UploadedFile("eves.csv", path),))


async def test_a_file_that_contradicts_what_was_said_is_asked_about(context: Context) -> None:
    """A currency that was said for the header and another in the file leave a question."""
    header = "Date,Description,Amount\n"
    january = f"{header}2026-01-14,KAFFE,-4.50 kr\n2026-01-15,KAFFE,-5.50 kr\n"
    february = f"Account currency: USD\n{header}2026-02-14,KAFFE,-4.50 kr\n"
    await bring(context, {"jan.csv": january}, account="Lön", currency="SEK")

    with pytest.raises(Conflict) as caught:
        await bring(context, {"feb.csv": february})
    assert caught.value.data is not None
    assert open_question(caught.value)[0] == "currency"


HEAD = "Date,Description,Amount\n"
ROWS = [("2026-05-02", "RENT", -900), ("2026-05-09", "BAKER", -3), ("2026-05-12", "PAY", 2000)]
WRONGLY: dict[statement.Misreading, list[tuple[str, str, int]]] = {
    "signs": [(day, text, -amount) for day, text, amount in ROWS],
    "amounts": [(day, text, 5000 + amount) for day, text, amount in ROWS],
    "days": [(f"2026-{day[8:]}-05", text, amount) for day, text, amount in ROWS],
}


def _csv(rows: list[tuple[str, str, int]]) -> str:
    return HEAD + "".join(f"{day},{text},{amount}.00\n" for day, text, amount in rows)


async def _misread(context: Context) -> dict[str, statement.Misreading | None]:
    return {each.id: each.misread for each in await list_imports(context, Nothing())}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", WRONGLY)
async def test_what_was_read_wrongly_is_undone_first(
    context: Context, how: statement.Misreading
) -> None:
    """The preview says which import, the import is refused, and after undoing it everything is right."""
    wrong = await bring(context, {"card.csv": _csv(WRONGLY[how])})
    held = (await dump(context))["tx"]

    preview = await bring(context, {"card.csv": _csv(ROWS)}, dry_run=True)
    assert await _misread(context) == {wrong.id: None}
    with pytest.raises(MisreadImports) as refused:
        await bring(context, {"card.csv": _csv(ROWS)})

    assert preview.files[0].notes[-1] == str(refused.value)
    assert f"`finplan imports undo {wrong.id}`" in str(refused.value)
    assert str(refused.value).startswith("You imported card.csv ")
    assert "on 21 November 2026" in str(refused.value)
    assert (await dump(context))["tx"] == held
    assert await _misread(context) == {wrong.id: how}
    undone = await undo_import(context, statement.ImportId(id=wrong.id))
    assert (undone.misread, undone.undone_at is not None) == (how, True)
    right = await bring(context, {"card.csv": _csv(ROWS)})
    assert right.files[0].new == 3
    assert not any("imported on" in note for note in right.files[0].notes)


async def test_another_currency_is_another_reading(context: Context) -> None:
    """A file that was taken for dollars and is in yen would be an account beside its own."""
    wrong = await bring(context, {"card.csv": _csv(ROWS)}, currency="USD")
    with pytest.raises(MisreadImports, match="in another currency"):
        await bring(context, {"card.csv": _csv(ROWS)}, currency="JPY")
    assert await _misread(context) == {wrong.id: "currency"}


async def test_a_few_wrong_rows_among_right_ones_are_seen(context: Context) -> None:
    """Where only refunds were taken for purchases, the file and the rows within its days still tell."""
    right = [(f"2026-05-{day}", f"SHOP {day}", -day) for day in range(10, 20)]
    wrong = [(day, text, abs(n) if n in {-12, -14} else n) for day, text, n in right]
    await bring(context, {"card.csv": _csv(wrong)})
    with pytest.raises(MisreadImports):
        await bring(context, {"other.csv": _csv(right)}, account="card")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "later",
    [
        [*ROWS, ("2026-05-12", "BAKER", 3), ("2026-05-12", "RENT", 900)],
        [("2026-05-12", "REFUND OF BAKER", 3)],
        [("2026-05-12", "PAY", 2000), ("2026-05-13", "PAY", 300), ("2026-05-14", "BAKER", -4)],
        [("2026-06-02", "RENT", -900), ("2026-06-09", "BAKER", -4), ("2026-06-12", "PAY", 2100)],
        [("2026-05-09", "BAKER", -4)],
        [("2026-05-09", "BAKER", -number) for number in (4, 5, 6)],
    ],
)
async def test_new_rows_read_the_same(context: Context, later: list[tuple[str, str, int]]) -> None:
    """Refunds of the day, other prices and the next month are added as they always were."""
    await bring(context, {"card.csv": _csv(ROWS)})
    report = await bring(context, {"later.csv": _csv(later)}, account="card")
    assert report.files[0].new == len([row for row in later if row not in ROWS])
    assert set((await _misread(context)).values()) == {None}


async def test_every_import_with_wrong_rows_is_named(context: Context) -> None:
    """Where several imports brought the rows, all of them are to be undone."""
    wrong = WRONGLY["signs"] + [(f"2026-05-{day}", f"SHOP {day}", day) for day in range(20, 26)]
    first = await bring(context, {"card.csv": _csv(wrong[:5])})
    second = await bring(context, {"card.csv": _csv(wrong[5:])})
    with pytest.raises(MisreadImports) as refused:
        await bring(context, {"card.csv": _csv([(day, text, -n) for day, text, n in wrong])})
    assert [each.id for each in refused.value.found] == [first.id, second.id]


HEAD_IN_CURRENCIES = "Date,Description,Amount,Currency\n"
IN_TWO = HEAD_IN_CURRENCIES + "2026-05-02,RENT,-900.00,USD\n2026-05-09,BAKER,3.00,EUR\n"
IN_ONE = HEAD_IN_CURRENCIES + "2026-05-02,RENT,-900.00,USD\n2026-05-09,BAKER,3.00,USD\n"


async def test_rows_of_a_known_account_may_have_had_another_currency(context: Context) -> None:
    """A file whose rows were divided between two currencies is known by its name and its length."""
    wrong = await bring(context, {"card.csv": IN_TWO})
    with pytest.raises(MisreadImports, match="in another currency"):
        await bring(context, {"card.csv": IN_ONE})
    assert await _misread(context) == {wrong.id: "currency"}


async def test_an_account_in_two_currencies_may_have_equal_rows(context: Context) -> None:
    """A fee that both accounts of one name pay is no wrong reading of either, though it is the only row.

    The account in euros is one of the file's own, so that its rows are compared with its own alone.
    """
    fees = "2026-05-09,FEE,-3.00,EUR\n"
    await bring(context, {"card.csv": HEAD_IN_CURRENCIES + "2026-05-02,RENT,-9.00,USD\n" + fees})
    later = HEAD_IN_CURRENCIES + "2026-05-09,FEE,-3.00,USD\n2026-05-10,CAFE,-4.00,EUR\n"
    assert (await bring(context, {"card.csv": later})).files[0].new == 2
    assert set((await _misread(context)).values()) == {None}


async def test_another_file_proves_no_other_currency_by_a_row_or_two(context: Context) -> None:
    """A single row that another currency's account has, too, is new in a file of another length."""
    await bring(context, {"card.csv": IN_TWO})
    later = "2026-05-20,CAFE,-4.00,USD\n"
    await bring(context, {"card.csv": HEAD_IN_CURRENCIES + later})
    assert (await bring(context, {"card.csv": IN_ONE + later})).files[0].new == 1
    assert set((await _misread(context)).values()) == {None}


async def test_rows_of_a_new_account_may_have_had_the_currency_of_others(context: Context) -> None:
    """Rows that were all taken for euros, and of which some are dollars, are found in the euros."""
    wrong = await bring(context, {"card.csv": IN_ONE.replace("USD", "EUR")})
    with pytest.raises(MisreadImports, match="in another currency"):
        await bring(context, {"card.csv": IN_TWO})
    assert await _misread(context) == {wrong.id: "currency"}


async def test_an_account_of_another_name_is_no_other_reading(context: Context) -> None:
    """Equal rows of an account that is called otherwise say nothing, whatever the file is called."""
    await bring(context, {"card.csv": HEAD_IN_CURRENCIES + "2026-05-02,RENT,-900.00,USD\n"})
    await bring(context, {"card.csv": IN_ONE.replace("USD", "EUR")}, account="Trip")
    assert (await bring(context, {"card.csv": IN_ONE})).files[0].new == 1
    assert set((await _misread(context)).values()) == {None}
