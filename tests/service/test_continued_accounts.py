"""An account that comes month by month, in files that do not name it: one account, not one for each.

The currency of files is asked of who has none, and never a reason for a second account.
"""

import re
from collections.abc import Awaitable, Callable
from itertools import permutations
from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportId, ImportReport
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.imports.profiles import list_import_profiles
from finplan.service.people import show_settings
from finplan.store.queries import accounts
from tests.present import present
from tests.service.conftest import Files, bring, dump, send
from tests.statements.test_ofx import sgml, statement


async def add(context: Context, files: Files, **said: object) -> Any:
    """Import files given as name=text, of checking accounts in dollars; nothing else is answered."""
    return await send(context, files, **{"account_kind": "checking", "currency": "USD", **said})


def month(number: int, begun: int | None, *, first: int = 3, rows: int = 6) -> str:
    """A statement of one month of 2026, with a running balance where it begins with one."""
    lines = ["Date,Description,Amount" + ("" if begun is None else ",Balance")]
    balance = begun or 0
    for place in range(rows):
        amount = -(number * 10 + place) if place else 100
        balance += amount
        day = f"2026-{number:02}-{first + 4 * place:02}"
        lines.append(
            f"{day},SHOP {place},{amount}.00" + ("" if begun is None else f",{balance}.00")
        )
    return "\n".join([*lines, ""])


def closing(number: int, begun: int, rows: int = 6) -> int:
    """The balance at the end of such a month."""
    return begun + 100 - sum(number * 10 + place for place in range(1, rows))


def questions(refusal: Conflict) -> list[tuple[int, str, list[str]]]:
    """The file, the subject and the answers of each question of a refused import."""
    asked = (refusal.data or {})["questions"]
    return [(q["file"], q["about"], [c["value"] for c in q["choices"]]) for q in asked]


async def balances(context: Context) -> dict[str, int]:
    """The balance of each account, in dollars."""
    return {
        each.name: (each.balance or 0) // 100 for each in await list_accounts(context, Nothing())
    }


MARCH = month(3, 5000)
APRIL = month(4, closing(3, 5000))
MAY = month(5, closing(4, closing(3, 5000)))
AT_THE_END = closing(5, closing(4, closing(3, 5000)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", list(permutations([MARCH, APRIL, MAY])))
async def test_balances_in_a_row_make_one_account(context: Context, order: tuple[str, ...]) -> None:
    """Months whose balances go on from one to the next are one account, in whatever order they come."""
    await add(context, {f"export-{place}.csv": text for place, text in enumerate(order)})
    assert await balances(context) == {"export-0": AT_THE_END}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", [(MARCH, APRIL, MAY), (MAY, APRIL, MARCH), (APRIL, MAY, MARCH)])
async def test_balances_go_on_between_imports(context: Context, order: tuple[str, ...]) -> None:
    """So they are where each month is imported by itself, the newer first or the older one."""
    for place, text in enumerate(order):
        await add(context, {f"export-{place}.csv": text})
    assert await balances(context) == {"export-0": AT_THE_END}


async def test_it_is_noted_on_the_file_that_goes_on(context: Context) -> None:
    """The first file is the account's own, and nothing is said of it; each other one says why."""
    report = await add(context, {"a.csv": MARCH, "b.csv": APRIL, "c.csv": MAY})
    first, *others = report.files
    assert first.notes == ()
    for name, file in zip(("b", "c"), others, strict=True):
        (why,) = file.notes
        assert re.match(f"“{name}” .* balance .* “a”,.* `--account`", why)


@pytest.mark.parametrize("text", [month(4, None), month(4, 700)], ids=["no balance", "another"])
async def test_what_no_balance_shows_is_asked(context: Context, text: str) -> None:
    """The next month of a layout is one account's or another's: asked before anything is stored."""
    await add(context, {"march.csv": month(3, None) if "Balance" not in text else MARCH})
    (account,) = await list_accounts(context, Nothing())
    before = await dump(context)
    with pytest.raises(Conflict) as refusal:
        await add(context, {"april.csv": text})
    assert questions(refusal.value) == [(0, "sameAccount", [account.id, "new"])]
    assert "files of “march”," in refusal.value.message
    sample = (refusal.value.data or {})["questions"][0]["choices"][0]["sample"]
    there, here = sample.split("; ")
    assert there.endswith("3 – 23 Mar 2026")
    assert here.endswith("3 – 23 Apr 2026")
    assert await dump(context) == before

    await add(context, {"april.csv": text}, same_account="march")
    assert list(await balances(context)) == ["march"]
    again = await add(context, {"april.csv": text})
    assert (again.files[0].new, again.files[0].known) == (0, 6)


async def test_the_answer_holds_for_the_months_after(context: Context) -> None:
    """What a person said of one month is not asked of the next."""
    await add(context, {"march.csv": month(3, None)})
    await add(context, {"april.csv": month(4, None)}, same_account="march")
    report = await add(context, {"may.csv": month(5, None)})
    assert present(report.files[0].remembered).account == "march"
    assert list(await balances(context)) == ["march"]


async def test_another_account_stays_another(context: Context) -> None:
    """Of two accounts of one layout, a third month may be either's, and both are choices."""
    await add(context, {"march.csv": month(3, None)})
    await add(context, {"april.csv": month(4, None)}, same_account="new")
    first, second = await list_accounts(context, Nothing())
    with pytest.raises(Conflict) as refusal:
        await add(context, {"may.csv": month(5, None)})
    assert questions(refusal.value) == [(0, "sameAccount", [first.id, second.id, "new"])]
    assert "one of these 2 accounts" in refusal.value.message


async def test_an_account_of_store_and_batch_is_one_choice(context: Context) -> None:
    """An account that a file of the batch goes to as well is listed once."""
    await add(context, {"march.csv": month(3, None)})
    (account,) = await list_accounts(context, Nothing())
    said = [{"file": 0, "about": "sameAccount", "value": account.id}]
    with pytest.raises(Conflict) as refusal:
        await add(context, {"april.csv": month(4, None), "may.csv": month(5, None)}, answers=said)
    assert questions(refusal.value) == [(1, "sameAccount", [account.id, "new"])]


async def test_a_word_on_one_of_two_accounts_leads_no_file_astray(context: Context) -> None:
    """Where files of a layout went to two accounts, one of them named, the next file is asked about."""
    await add(context, {"march.csv": month(3, None)})
    await add(context, {"april.csv": month(4, None)}, account="Savings")
    with pytest.raises(Conflict, match="2 of your accounts"):
        await add(context, {"may.csv": month(5, None)})
    await add(context, {"june.csv": month(6, None)}, account="Savings")
    assert sorted(await balances(context)) == ["Savings", "march"]


async def test_a_balance_tells_the_two_accounts_of_a_layout_apart(context: Context) -> None:
    """With two accounts, named and not, the next month goes to the one whose balance it goes on with."""
    other = month(3, 900, first=4)
    await add(context, {"one.csv": MARCH})
    await add(context, {"two.csv": other}, account="Second")
    await add(context, {"april.csv": APRIL, "april-2.csv": month(4, closing(3, 900), first=4)})
    assert await balances(context) == {
        "one": closing(4, closing(3, 5000)),
        "Second": closing(4, closing(3, 900)),
    }


async def test_rows_on_the_days_of_an_account_are_anothers(context: Context) -> None:
    """A file of an account has all its rows, so other rows on its days are another account's."""
    await add(context, {"one.csv": MARCH, "two.csv": month(3, 900, first=4)})
    assert await balances(context) == {"one": closing(3, 5000), "two": closing(3, 900)}
    few = "Date,Description,Amount,Balance\n2026-03-09,FEE,-1.00,51.00\n"
    await add(context, {"three.csv": few})
    assert await balances(context) == {"one": closing(3, 5000), "two": closing(3, 900), "three": 51}


async def test_a_name_above_the_rows_is_no_files_name(context: Context) -> None:
    """Files that name two accounts are of two, however alike they look."""
    await add(context, {"march.csv": "Account name:,Everyday\n\n" + month(3, None)})
    await add(context, {"april.csv": "Account name:,Holidays\n\n" + month(4, None)})
    assert sorted(await balances(context)) == ["Everyday", "Holidays"]


async def test_a_balance_of_nothing_shows_nothing(context: Context) -> None:
    """Every card that is paid off goes on from nothing, so that is asked about."""
    nothing = month(3, 5000 - closing(3, 5000))
    assert nothing.endswith(",0.00\n")
    await add(context, {"march.csv": nothing})
    with pytest.raises(Conflict, match="looks like"):
        await add(context, {"april.csv": month(4, 0)})
    assert list(await balances(context)) == ["march"]


async def test_formats_without_columns_go_on_too(context: Context) -> None:
    """QIF names no account either, and months of it are asked about."""
    qif = "!Type:Bank\nD03/{0}/2026\nT-{0}.00\nPSHOP\n^\nD03/{1}/2026\nT-{1}.00\nPBAR\n^\n"
    await add(context, {"march.qif": qif.format(13, 15)})
    with pytest.raises(Conflict, match="looks like"):
        await add(context, {"april.qif": qif.format(23, 25)})
    await add(context, {"april.qif": qif.format(23, 25)}, same_account="march")
    assert list(await balances(context)) == ["march"]


async def test_a_word_on_an_account_it_cannot_be_is_refused(context: Context) -> None:
    """Rows on the same days that differ say that it is another one, whatever is typed."""
    await add(context, {"one.csv": MARCH})
    with pytest.raises(BadRequest, match="look like one"):
        await add(context, {"two.csv": month(3, 900, first=4)}, same_account="one")


async def test_undo_takes_back_where_files_of_a_layout_went(context: Context) -> None:
    """What an import taught is gone with it, and nobody sees it as an answer."""
    before = await dump(context)
    files = {"march.csv": month(3, None), "april.csv": month(4, None)}
    report = await add(context, files, same_account="new")
    shown = await list_import_profiles(context, Nothing())
    assert [profile.accounts for profile in shown] == [()]
    await undo_import(context, ImportId(id=str(report.id)))
    assert await dump(context) == before


OTHERS = month(4, None, first=4).replace("SHOP", "BAR").replace(",-4", ",-7")


async def test_rows_and_names_speak_against_an_earlier_answer(context: Context) -> None:
    """Other rows on the same days do so as well, and a name of another kind; the word decides."""
    await add(context, {"march.csv": month(3, None)})
    await add(context, {"april.csv": month(4, None)}, same_account="march")
    for name, text, why in (
        ("mate.csv", OTHERS, "other transactions"),
        ("my savings.csv", month(5, None), "different kinds"),
    ):
        if "savings" in name:
            (account,) = await list_accounts(context, Nothing())
            await change_account(context, AccountChange(id=account.id, name="Checking"))
        with pytest.raises(Conflict, match=why):
            await add(context, {name: text})
    await add(context, {"mate.csv": OTHERS}, same_account="Checking")
    assert list(await balances(context)) == ["Checking"]


async def test_a_name_learned_is_no_reason_against_a_balance(context: Context) -> None:
    """A file whose balance goes on with one account goes there, though its name was another's once."""
    await add(context, {"one.csv": MARCH, "two.csv": month(3, 900, first=4)})
    await add(context, {"transactions.csv": APRIL})
    await add(context, {"x.csv": month(4, closing(3, 900), first=4)})
    await add(context, {"transactions.csv": month(5, closing(4, closing(3, 900)), first=4)})
    assert (await balances(context))["two"] == closing(5, closing(4, closing(3, 900)))


async def test_a_way_said_of_another_kind_is_asked_again(context: Context) -> None:
    """What a checking account's unsigned amounts mean says nothing of a card's with the same columns."""
    unsigned = "Date,Description,Amount\n" + "".join(
        f"2026-03-{day:02},PAID BY TENANT {day},{day}00.00\n" for day in range(1, 6)
    )
    await add(context, {"rent.csv": unsigned}, direction="in")
    card = unsigned.replace("PAID BY TENANT", "SHOP").replace("-03-", "-05-")
    said = {"same_account": "new", "account_kind": "credit"}
    with pytest.raises(Conflict, match="another kind of") as asked:
        await add(context, {"visa.csv": card}, **said)
    assert questions(asked.value) == [(0, "direction", ["out", "in"])]
    await add(context, {"visa.csv": card}, **said, direction="out")
    with pytest.raises(Conflict, match="another kind of"):
        await add(context, {"more.csv": unsigned.replace("-03-", "-06-")}, same_account="new")


async def test_a_way_said_of_one_kind_holds_for_all_of_it(context: Context) -> None:
    """Another card with the same columns is read as the first one was said to be."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    await add(context, {"one.csv": unsigned}, direction="out", account_kind="credit")
    other = unsigned.replace("-03-", "-06-")
    report = await add(context, {"two.csv": other}, same_account="new", account_kind="credit")
    assert present(report.files[0].remembered).direction == "out"


@pytest.mark.thorough
@pytest.mark.parametrize(("mine", "other"), [("out", "in"), ("in", "out")])
async def test_an_account_keeps_the_way_that_was_said_of_it(
    context: Context, mine: str, other: str
) -> None:
    """What is said of another account with the same columns since turns no sign of one that is there."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    said: dict[str, object] = {"account_kind": "credit" if mine == "out" else "savings"}
    await add(context, {"one.csv": unsigned}, **said, direction=mine)
    two = unsigned.replace("-03-", "-06-")
    said = {"same_account": "new", "account_kind": "savings" if mine == "out" else "credit"}
    await add(context, {"two.csv": two}, **said, direction=other)
    with pytest.raises(Conflict, match="the opposite") as asked:
        await add(context, {"one.csv": unsigned.replace("-03-", "-04-")})
    assert questions(asked.value) == [(0, "direction", [mine, other])]
    await add(context, {"two.csv": unsigned.replace("-03-", "-07-")})
    await add(context, {"one.csv": unsigned.replace("-03-", "-04-")}, direction=mine)
    report = await add(context, {"one.csv": unsigned.replace("-03-", "-05-")})
    assert report.files[0].remembered is not None
    profiles = await list_import_profiles(context, Nothing())
    assert [each.columns for each in profiles] == ["Date,Description,Amount"]


async def test_a_way_said_of_a_numbered_account_is_of_its_kind_alone(context: Context) -> None:
    """A file that names its account leads no other kind of account to what was said of it."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    numbered = f"Account number: 4411 8822 0099\n\n{unsigned}"
    await add(context, {"one.csv": numbered}, account_kind="credit", direction="out")
    with pytest.raises(Conflict, match="another kind of"):
        await add(context, {"two.csv": unsigned.replace("-03-", "-06-")}, same_account="new")


async def test_a_file_called_like_an_account_is_asked_about_after_a_break(context: Context) -> None:
    """Banks call every export alike, so a name leads nowhere against balances, and holds beside them."""
    await add(context, {"export.csv": MARCH})
    (export,) = await list_accounts(context, Nothing())
    other = month(4, 900, first=4)
    with pytest.raises(Conflict, match="not continue") as asked:
        await add(context, {"export.csv": other})
    assert questions(asked.value) == [(0, "account", [export.id, "export 2"])]
    await add(context, {"export.csv": other}, account="export 2")
    await add(context, {"export.csv": APRIL})
    await add(context, {"export.csv": month(5, closing(4, 900), first=4)})
    await add(context, {"export.csv": MAY})
    assert await balances(context) == {
        "export": AT_THE_END,
        "export 2": closing(5, closing(4, 900)),
    }


async def test_another_account_of_a_name_never_gets_one_that_is_taken(context: Context) -> None:
    """The choice of a name of its own leads to a new account, also where one is called so already."""
    await add(context, {"export.csv": MARCH, "export 2.csv": month(3, 70, first=2)})
    (export, _) = sorted(await list_accounts(context, Nothing()), key=lambda each: each.name)
    with pytest.raises(Conflict) as asked:
        await add(context, {"export.csv": month(4, 900, first=4)})
    assert questions(asked.value) == [(0, "account", [export.id, "export 3"])]


async def test_a_batch_reaches_an_account_of_its_name_by_another_file(context: Context) -> None:
    """A month between two files of one name that another file of the import brings is not missing."""
    await add(context, {"export.csv": MARCH})
    await add(context, {"april.csv": APRIL, "export.csv": MAY})
    assert await balances(context) == {"export": AT_THE_END}


async def test_an_account_left_at_nothing_goes_on_by_earlier_answers(context: Context) -> None:
    """A balance that goes on from nothing shows nothing, but speaks against no earlier answer either."""
    rows = "{0}-03,SHOP,-50.00,-50.00\n{0}-19,PAYMENT,30.00,-20.00\n{0}-21,PAYMENT,20.00,0.00\n"
    text = f"Date,Description,Amount,Balance\n{rows}"
    await add(context, {"first.csv": text.format("2026-03")}, account="Visa", account_kind="credit")
    await add(context, {"second.csv": text.format("2026-04")})
    off = text.replace("-50.00\n", "-57.00\n").replace("-20.00\n", "-27.00\n")
    with pytest.raises(Conflict, match="not continue"):
        await add(context, {"third.csv": off.replace("0.00\n", "-7.00\n").format("2026-05")})


async def test_files_of_one_name_are_no_reason_to_be_one_account(context: Context) -> None:
    """Banks call every export alike, so each file is an account until balances or the person join it."""
    other = month(3, 900, first=4)
    files = [("export.csv", MARCH), ("Export.csv", other), ("export 2.csv", month(3, 70, first=2))]
    await add(context, files)
    assert await balances(context) == {
        "export": closing(3, 5000),
        "Export 3": closing(3, 900),
        "export 2": closing(3, 70),
    }


async def test_months_of_one_name_are_joined_as_those_of_several_are(context: Context) -> None:
    """A balance that goes on joins files of one name; without one the person is asked."""
    bare = [("export.csv", month(3, None)), ("export.csv", month(4, None))]
    with pytest.raises(Conflict) as asked:
        await add(context, bare)
    assert questions(asked.value) == [(1, "sameAccount", ["export", "new"])]
    await add(context, [("export.csv", APRIL), ("export.csv", MARCH)])
    assert await balances(context) == {"export": closing(4, closing(3, 5000))}


async def test_a_file_called_like_an_account_of_other_columns_is_asked(context: Context) -> None:
    """Two banks' files of one name are two accounts; rows in common show that it is one."""
    await add(context, {"transactions.csv": month(3, None)})
    (account,) = await list_accounts(context, Nothing())
    other = month(4, None).replace("Date,Description", "Booked on,Merchant")
    with pytest.raises(Conflict, match="other columns") as asked:
        await add(context, {"transactions.csv": other})
    assert questions(asked.value) == [(0, "account", [account.id, "transactions 2"])]
    both = month(3, None).replace("Date,Description", "Day,Text") + other.partition("\n")[2]
    await add(context, {"transactions.csv": both})
    await add(context, {"transactions.csv": month(5, None)})
    assert len(await list_accounts(context, Nothing())) == 1


Import = Callable[..., Awaitable[ImportReport]]

BARE = "Date,Description,Amount\n2026-01-02,RENT,-1200.00\n2026-01-03,SHOP,-3.50\n"
ROWS = "".join(f"2026-01-{day:02d};LADEN {day};-{day},50\n" for day in range(1, 13))
FILE = f"Datum;Text;Summe\n{ROWS}"
GERMAN = f"Datum;Buchungstext;Betrag\n{ROWS}"


async def held(context: Context) -> list[tuple[str, str]]:
    """The name and the currency of each account."""
    owner = context.caller.owner
    rows = await context.store.read(lambda c: accounts.list_accounts(c, owner))
    return sorted((row["name"], row["currency"]) for row in rows)


async def asked(importing: Awaitable[ImportReport]) -> dict[str, Any]:
    """The one question of a refused import."""
    with pytest.raises(Conflict) as question:
        await importing
    (only,) = present(question.value.data)["questions"]
    return dict(only)


async def test_a_newcomer_is_asked_and_has_the_currency_then(newcomer: Context) -> None:
    """Nothing is imported until the currency is said; it is the household's, and the next file's."""
    question = await asked(bring(newcomer, {"export.csv": BARE}, account_kind="checking"))
    assert question["about"] == "currency"
    assert {"USD", "EUR", "GBP"} <= {choice["value"] for choice in question["choices"]}
    assert await held(newcomer) == []

    await bring(newcomer, {"export.csv": BARE}, currency="GBP")
    report = await bring(newcomer, {"other.csv": "Day,Text,Amount\n2026-02-02,FARE,-2.00\n"})

    assert (await show_settings(newcomer, Nothing())).currency == "GBP"
    assert [account.currency for account in report.files[0].accounts] == ["GBP"]
    assert [account.currency_assumed for account in report.files[0].accounts] == [True]


async def test_a_file_that_tells_its_currency_asks_nothing(newcomer: Context) -> None:
    """A newcomer's file with a language, a sign or an IBAN is read without a question."""
    await bring(newcomer, {"konto.csv": GERMAN})
    assert await held(newcomer) == [("konto", "EUR")]


async def test_rows_that_are_kept_in_another_currency_are_asked_about(context: Context) -> None:
    """The same rows in a currency that is read better make no second account; both ways out work."""
    await bring(context, {"konto.csv": FILE}, currency="USD")

    question = await asked(bring(context, {"konto.csv": GERMAN}))
    assert question["about"] == "account"
    assert "is in EUR" in question["text"]
    assert "amounts in USD" in question["text"]
    assert question["choices"][0]["label"].endswith("konto, in USD")
    assert "undo" in question["text"]
    assert await held(context) == [("konto", "USD")]

    report = await bring(context, {"konto.csv": GERMAN}, account="konto")
    assert (report.files[0].new, report.files[0].known) == (0, 12)
    assert await held(context) == [("konto", "USD")]


async def test_a_new_account_in_another_currency_has_a_name_of_its_own(context: Context) -> None:
    """The choice of a new account leads to one, though the account with the same rows is called so."""
    await bring(context, {"konto.csv": FILE}, currency="USD")
    question = await asked(bring(context, {"konto.csv": GERMAN}))
    await bring(context, {"konto.csv": GERMAN}, account=question["choices"][1]["value"])
    assert await held(context) == [("konto", "USD"), ("konto 2", "EUR")]


async def test_rows_of_their_own_are_no_question(context: Context) -> None:
    """An account in another currency with other rows is a second account without a word."""
    await bring(context, {"konto.csv": FILE.replace(",50", ",75")}, currency="USD")
    await bring(context, {"konto.csv": GERMAN})
    assert await held(context) == [("konto", "EUR"), ("konto", "USD")]


async def test_a_known_account_brings_its_currency(context: Context) -> None:
    """A file that names no currency and goes to a named account is in that account's."""
    await bring(context, {"may.csv": BARE.replace("Amount", "Amount (SEK)")}, account="Lön")
    report = await bring(context, {"june.csv": BARE.replace("2026-01", "2026-06")}, account="Lön")
    assert [account.currency for account in report.files[0].accounts] == ["SEK"]


async def test_what_one_file_names_is_offered_first_for_the_others(newcomer: Context) -> None:
    """A statement in a currency beside tables that name none makes it the first choice, told by whom."""
    files = {"a.csv": BARE, "b.ofx": sgml(statement(currency="<CURDEF>NOK"))}
    with pytest.raises(Conflict) as refused:
        await bring(newcomer, files, account_kind="checking")
    (question,) = present(refused.value.data)["questions"]
    codes = [choice["value"] for choice in question["choices"]]
    assert codes[:2] == ["NOK", "USD"]
    assert len(set(codes)) == len(codes)
    assert question["choices"][0]["label"] == "NOK, as in b.ofx"


async def test_dates_of_another_country_are_asked_about(newcomer: Context) -> None:
    """In a household of euros, dates with the month first speak of dollars; an answer settles it."""
    await bring(newcomer, {"konto.csv": GERMAN})
    american = "Date,Description,Amount\n03/13/2026,SHOP,-5.00\n03/14/2026,PAYROLL DEP,90.00\n"
    question = await asked(bring(newcomer, {"us.csv": american}, account_kind="checking"))
    assert [choice["value"] for choice in question["choices"]] == ["USD", "EUR"]
    report = await bring(newcomer, {"us.csv": american}, account_kind="checking", currency="EUR")
    assert [account.currency for account in report.files[0].accounts] == ["EUR"]
    british = american.replace("03/13", "13/03").replace("03/14", "14/03").replace("-5", "-6")
    report = await bring(newcomer, {"uk.csv": british}, account_kind="checking")
    (account,) = report.files[0].accounts
    (assumed,) = account.assumed
    assert "assumed EUR" in assumed
    assert "`--currency CODE`" in assumed
