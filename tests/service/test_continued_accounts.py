"""An account that comes month by month, in files that do not name it: one account, not one for each."""

from collections.abc import Awaitable, Callable
from itertools import permutations
from pathlib import Path

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportId, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.imports.header_profiles import list_import_profiles
from finplan.service.imports.imports import import_files, undo_import

Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]
Send = Callable[..., Awaitable[ImportReport]]


@pytest.fixture
def send(context: Context, tmp_path: Path) -> Send:
    """Import files given as name=text, of checking accounts in dollars; nothing else is answered."""

    async def run(files: dict[str, str], **said: object) -> ImportReport:
        uploaded: list[UploadedFile] = []
        for name, text in files.items():
            path = tmp_path / f"{len(uploaded)}.upload"
            path.write_text(text, encoding="utf-8")
            uploaded.append(UploadedFile(name, path))
        request = ImportRequest.model_validate(
            {"account_kind": "checking", "currency": "USD", **said}
        )
        return await import_files(context, request, tuple(uploaded))

    return run


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
async def test_balances_that_go_on_make_one_account(
    context: Context, send: Send, order: tuple[str, ...]
) -> None:
    """Months whose balances go on from one to the next are one account, in whatever order they come."""
    await send({f"export-{place}.csv": text for place, text in enumerate(order)})
    assert await balances(context) == {"export-0": AT_THE_END}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", [(MARCH, APRIL, MAY), (MAY, APRIL, MARCH), (APRIL, MAY, MARCH)])
async def test_balances_go_on_from_import_to_import(
    context: Context, send: Send, order: tuple[str, ...]
) -> None:
    """So they are where each month is imported by itself, the newer first or the older one."""
    for place, text in enumerate(order):
        await send({f"export-{place}.csv": text})
    assert await balances(context) == {"export-0": AT_THE_END}


async def test_a_month_between_is_missing(context: Context, send: Send) -> None:
    """March and May do not touch, so that May is asked about."""
    await send({"march.csv": MARCH})
    with pytest.raises(Conflict, match="looks like the files of"):
        await send({"may.csv": MAY})


async def test_it_is_noted_on_the_file_that_goes_on(send: Send) -> None:
    """The first file is the account's own, and nothing is said of it; each other one says why."""
    report = await send({"a.csv": MARCH, "b.csv": APRIL, "c.csv": MAY})
    first, *others = report.files
    assert first.notes == ()
    why = (
        "“{}” names no account, but its balance goes on with that of “a”, so its rows go there. If it is"
        " another one, say so: `--account` with a new name."
    )
    assert [file.notes for file in others] == [(why.format("b"),), (why.format("c"),)]


@pytest.mark.parametrize("text", [month(4, None), month(4, 700)], ids=["no balance", "another"])
async def test_what_no_balance_shows_is_asked(
    context: Context, send: Send, dump: Dump, text: str
) -> None:
    """The next month of a layout is one account's or another's: asked before anything is stored."""
    await send({"march.csv": month(3, None) if "Balance" not in text else MARCH})
    (account,) = await list_accounts(context, Nothing())
    before = await dump()
    with pytest.raises(Conflict) as refusal:
        await send({"april.csv": text})
    assert questions(refusal.value) == [(0, "sameAccount", [account.id, "new"])]
    assert "looks like the files of “march”," in refusal.value.message
    sample = (refusal.value.data or {})["questions"][0]["choices"][0]["sample"]
    assert sample == "has rows of 3 – 23 Mar 2026, this file of 3 – 23 Apr 2026"
    assert await dump() == before

    await send({"april.csv": text}, same_account="march")
    assert list(await balances(context)) == ["march"]
    again = await send({"april.csv": text})
    assert (again.files[0].new, again.files[0].known) == (0, 6)


async def test_the_answer_holds_for_the_months_after(context: Context, send: Send) -> None:
    """What a person said of one month is not asked of the next."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None)}, same_account="march")
    report = await send({"may.csv": month(5, None)})
    remembered = report.files[0].remembered
    assert remembered is not None
    assert remembered.account == "march"
    assert list(await balances(context)) == ["march"]


async def test_another_account_stays_another(context: Context, send: Send) -> None:
    """Of two accounts of one layout, a third month may be either's, and both are choices."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None)}, same_account="new")
    first, second = await list_accounts(context, Nothing())
    with pytest.raises(Conflict) as refusal:
        await send({"may.csv": month(5, None)})
    assert questions(refusal.value) == [(0, "sameAccount", [first.id, second.id, "new"])]
    assert "looks like the files of 2 accounts, for other days" in refusal.value.message


async def test_an_account_of_store_and_batch_is_one_choice(context: Context, send: Send) -> None:
    """An account that a file of the batch goes to as well is listed once."""
    await send({"march.csv": month(3, None)})
    (account,) = await list_accounts(context, Nothing())
    said = [{"file": 0, "about": "sameAccount", "value": account.id}]
    with pytest.raises(Conflict) as refusal:
        await send({"april.csv": month(4, None), "may.csv": month(5, None)}, answers=said)
    assert questions(refusal.value) == [(1, "sameAccount", [account.id, "new"])]


async def test_a_word_on_one_of_two_accounts_leads_no_file_astray(
    context: Context, send: Send
) -> None:
    """Where files of a layout went to two accounts, one of them named, the next file is asked about."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None)}, account="Savings")
    with pytest.raises(Conflict, match="may be of any of 2"):
        await send({"may.csv": month(5, None)})
    await send({"june.csv": month(6, None)}, account="Savings")
    assert sorted(await balances(context)) == ["Savings", "march"]


async def test_a_balance_tells_the_two_accounts_of_a_layout_apart(
    context: Context, send: Send
) -> None:
    """With two accounts, named and not, the next month goes to the one whose balance it goes on with."""
    other = month(3, 900, first=4)
    await send({"one.csv": MARCH})
    await send({"two.csv": other}, account="Second")
    await send({"april.csv": APRIL, "april-2.csv": month(4, closing(3, 900), first=4)})
    assert await balances(context) == {
        "one": closing(4, closing(3, 5000)),
        "Second": closing(4, closing(3, 900)),
    }


async def test_rows_on_the_days_of_an_account_are_anothers(context: Context, send: Send) -> None:
    """A file of an account has all its rows, so other rows on its days are another account's."""
    await send({"one.csv": MARCH, "two.csv": month(3, 900, first=4)})
    assert await balances(context) == {"one": closing(3, 5000), "two": closing(3, 900)}
    few = "Date,Description,Amount,Balance\n2026-03-09,FEE,-1.00,51.00\n"
    await send({"three.csv": few})
    assert await balances(context) == {
        "one": closing(3, 5000),
        "two": closing(3, 900),
        "three": 51,
    }


async def test_names_of_two_kinds_are_two_accounts(context: Context, send: Send) -> None:
    """Files that are called checking and savings are no months of one account."""
    await send({"checking.csv": month(3, None), "savings.csv": month(4, None)})
    assert sorted(await balances(context)) == ["checking", "savings"]


async def test_a_name_above_the_rows_is_no_files_name(context: Context, send: Send) -> None:
    """Files that name two accounts are of two, however alike they look."""
    await send({"march.csv": "Account name:,Everyday\n\n" + month(3, None)})
    await send({"april.csv": "Account name:,Holidays\n\n" + month(4, None)})
    assert sorted(await balances(context)) == ["Everyday", "Holidays"]


async def test_a_balance_of_nothing_shows_nothing(context: Context, send: Send) -> None:
    """Every card that is paid off goes on from nothing, so that is asked about."""
    nothing = month(3, 5000 - closing(3, 5000))
    assert nothing.endswith(",0.00\n")
    await send({"march.csv": nothing})
    with pytest.raises(Conflict, match="looks like the files of"):
        await send({"april.csv": month(4, 0)})
    assert list(await balances(context)) == ["march"]


async def test_another_layout_is_another_account(context: Context, send: Send) -> None:
    """A file of other columns is no month of the account, as far as anybody can tell."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None).replace("Description", "Payee")})
    assert sorted(await balances(context)) == ["april", "march"]


async def test_formats_without_columns_go_on_too(context: Context, send: Send) -> None:
    """QIF names no account either, and months of it are asked about."""
    qif = "!Type:Bank\nD03/{0}/2026\nT-{0}.00\nPSHOP\n^\nD03/{1}/2026\nT-{1}.00\nPBAR\n^\n"
    await send({"march.qif": qif.format(13, 15)})
    with pytest.raises(Conflict, match="looks like the files of"):
        await send({"april.qif": qif.format(23, 25)})
    await send({"april.qif": qif.format(23, 25)}, same_account="march")
    assert list(await balances(context)) == ["march"]


async def test_a_word_on_an_account_it_cannot_be_is_refused(send: Send) -> None:
    """Rows on the same days that differ say that it is another one, whatever is typed."""
    await send({"one.csv": MARCH})
    with pytest.raises(BadRequest, match="has not the rows of one"):
        await send({"two.csv": month(3, 900, first=4)}, same_account="one")


async def test_undo_takes_back_where_files_of_a_layout_went(
    context: Context, send: Send, dump: Dump
) -> None:
    """What an import taught is gone with it, and nobody sees it as an answer."""
    before = await dump()
    files = {"march.csv": month(3, None), "april.csv": month(4, None)}
    report = await send(files, same_account="new")
    shown = await list_import_profiles(context, Nothing())
    assert [profile.accounts for profile in shown] == [()]
    await undo_import(context, ImportId(id=str(report.id)))
    assert await dump() == before


async def test_what_is_typed_goes_before_an_earlier_answer(context: Context, send: Send) -> None:
    """After one month was said to be of an account, another file can still be said to be none of it."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None)}, same_account="march")
    await send({"mate.csv": month(5, None)}, same_account="new")
    assert sorted(await balances(context)) == ["march", "mate"]


async def test_a_balance_speaks_against_an_earlier_answer(context: Context, send: Send) -> None:
    """A file whose balance does not go on with the account is asked about, whatever was said before."""
    await send({"march.csv": MARCH})
    await send({"may.csv": MAY}, same_account="march")
    (account,) = await list_accounts(context, Nothing())
    other = month(6, 77)
    with pytest.raises(
        Conflict, match="their balances do not go on from one to the other"
    ) as asked:
        await send({"spouse.csv": other})
    assert questions(asked.value) == [(0, "sameAccount", [account.id, "new"])]
    await send({"spouse.csv": other}, same_account="new")
    assert await balances(context) == {"march": AT_THE_END, "spouse": closing(6, 77)}


OTHERS = month(4, None, first=4).replace("SHOP", "BAR").replace(",-4", ",-7")


async def test_rows_and_names_speak_against_an_earlier_answer(context: Context, send: Send) -> None:
    """Other rows on the same days do so as well, and a name of another kind; the word decides."""
    await send({"march.csv": month(3, None)})
    await send({"april.csv": month(4, None)}, same_account="march")
    for name, text, why in (
        ("mate.csv", OTHERS, "other rows on the days"),
        ("my savings.csv", month(5, None), "names speak of two kinds"),
    ):
        if "savings" in name:
            (account,) = await list_accounts(context, Nothing())
            await change_account(context, AccountChange(id=account.id, name="Checking"))
        with pytest.raises(Conflict, match=why):
            await send({name: text})
    await send({"mate.csv": OTHERS}, same_account="Checking")
    assert list(await balances(context)) == ["Checking"]


async def test_a_name_learned_is_no_reason_against_a_balance(context: Context, send: Send) -> None:
    """A file whose balance goes on with one account goes there, though its name was another's once."""
    other = month(3, 900, first=4)
    await send({"one.csv": MARCH, "two.csv": other})
    await send({"transactions.csv": APRIL})
    await send({"x.csv": month(4, closing(3, 900), first=4)})
    later = month(5, closing(4, closing(3, 900)), first=4)
    await send({"transactions.csv": later})
    assert (await balances(context))["two"] == closing(5, closing(4, closing(3, 900)))


async def test_a_way_said_of_another_kind_is_asked_again(context: Context, send: Send) -> None:
    """What a checking account's unsigned amounts mean says nothing of a card's with the same columns."""
    unsigned = "Date,Description,Amount\n" + "".join(
        f"2026-03-{day:02},PAID BY TENANT {day},{day}00.00\n" for day in range(1, 6)
    )
    await send({"rent.csv": unsigned}, direction="in")
    card = unsigned.replace("PAID BY TENANT", "SHOP").replace("-03-", "-05-")
    said = {"same_account": "new", "account_kind": "credit"}
    with pytest.raises(Conflict, match="of another kind of account") as asked:
        await send({"visa.csv": card}, **said)
    assert questions(asked.value) == [(0, "direction", ["out", "in"])]
    await send({"visa.csv": card}, **said, direction="out")
    with pytest.raises(Conflict, match="of another kind of account"):
        await send({"more.csv": unsigned.replace("-03-", "-06-")}, same_account="new")


async def test_a_way_said_of_one_kind_holds_for_all_of_it(context: Context, send: Send) -> None:
    """Another card with the same columns is read as the first one was said to be."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    await send({"one.csv": unsigned}, direction="out", account_kind="credit")
    other = unsigned.replace("-03-", "-06-")
    report = await send({"two.csv": other}, same_account="new", account_kind="credit")
    remembered = report.files[0].remembered
    assert remembered is not None
    assert remembered.direction == "out"


@pytest.mark.thorough
@pytest.mark.parametrize(("mine", "other"), [("out", "in"), ("in", "out")])
async def test_an_account_keeps_the_way_that_was_said_of_it(
    context: Context, send: Send, mine: str, other: str
) -> None:
    """What is said of another account with the same columns since turns no sign of one that is there."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    said: dict[str, object] = {"account_kind": "credit" if mine == "out" else "savings"}
    await send({"one.csv": unsigned}, **said, direction=mine)
    two = unsigned.replace("-03-", "-06-")
    said = {"same_account": "new", "account_kind": "savings" if mine == "out" else "credit"}
    await send({"two.csv": two}, **said, direction=other)
    with pytest.raises(Conflict, match="the other way was said of another account") as asked:
        await send({"one.csv": unsigned.replace("-03-", "-04-")})
    assert questions(asked.value) == [(0, "direction", [mine, other])]
    await send({"two.csv": unsigned.replace("-03-", "-07-")})
    await send({"one.csv": unsigned.replace("-03-", "-04-")}, direction=mine)
    report = await send({"one.csv": unsigned.replace("-03-", "-05-")})
    assert report.files[0].remembered is not None
    profiles = await list_import_profiles(context, Nothing())
    assert [each.columns for each in profiles] == ["Date,Description,Amount"]


async def test_a_way_said_of_a_numbered_account_is_of_its_kind_alone(
    context: Context, send: Send
) -> None:
    """A file that names its account leads no other kind of account to what was said of it."""
    unsigned = "Date,Description,Amount\n2026-03-02,SHOP,7.00\n2026-03-05,BAR,4.00\n"
    numbered = f"Account number: 4411 8822 0099\n\n{unsigned}"
    await send({"one.csv": numbered}, account_kind="credit", direction="out")
    with pytest.raises(Conflict, match="of another kind of account"):
        await send({"two.csv": unsigned.replace("-03-", "-06-")}, same_account="new")


async def test_a_file_called_like_an_account_is_asked_about_where_its_balance_breaks_off(
    context: Context, send: Send
) -> None:
    """Banks call every export alike, so a name leads nowhere against balances, and holds beside them."""
    await send({"export.csv": MARCH})
    (export,) = await list_accounts(context, Nothing())
    other = month(4, 900, first=4)
    with pytest.raises(Conflict, match="balance of one does not go on in the other") as asked:
        await send({"export.csv": other})
    assert questions(asked.value) == [(0, "account", [export.id, "export 2"])]
    await send({"export.csv": other}, account="export 2")
    await send({"export.csv": APRIL})
    await send({"export.csv": month(5, closing(4, 900), first=4)})
    await send({"export.csv": MAY})
    assert await balances(context) == {
        "export": AT_THE_END,
        "export 2": closing(5, closing(4, 900)),
    }


async def test_a_batch_goes_on_with_an_account_of_its_name_by_way_of_another_file(
    context: Context, send: Send
) -> None:
    """A month between two files of one name that another file of the import brings is not missing."""
    await send({"export.csv": MARCH})
    await send({"april.csv": APRIL, "export.csv": MAY})
    assert await balances(context) == {"export": AT_THE_END}


async def test_an_account_that_is_left_at_nothing_goes_on_by_earlier_answers(
    context: Context, send: Send
) -> None:
    """A balance that goes on from nothing shows nothing, but speaks against no earlier answer either."""
    rows = "{0}-03,SHOP,-50.00,-50.00\n{0}-19,PAYMENT,30.00,-20.00\n{0}-21,PAYMENT,20.00,0.00\n"
    text = f"Date,Description,Amount,Balance\n{rows}"
    await send({"first.csv": text.format("2026-03")}, account="Visa", account_kind="credit")
    await send({"second.csv": text.format("2026-04")})
    off = text.replace("-50.00\n", "-57.00\n").replace("-20.00\n", "-27.00\n")
    with pytest.raises(Conflict, match="do not go on"):
        await send({"third.csv": off.replace("0.00\n", "-7.00\n").format("2026-05")})


async def _send_all(
    context: Context, folder: Path, files: list[tuple[str, str]], **said: object
) -> ImportReport:
    """Import files of which several may have one name, as from several folders."""
    uploaded = []
    for place, (name, text) in enumerate(files):
        path = folder / f"{place}.upload"
        path.write_text(text, encoding="utf-8")
        uploaded.append(UploadedFile(name, path))
    known = {"account_kind": "checking", "currency": "USD", **said}
    return await import_files(context, ImportRequest.model_validate(known), tuple(uploaded))


async def test_files_of_one_name_are_no_reason_to_be_one_account(
    context: Context, tmp_path: Path
) -> None:
    """Banks call every export alike, so each file is an account until balances or the person join it."""
    other = month(3, 900, first=4)
    files = [("export.csv", MARCH), ("Export.csv", other), ("export 2.csv", month(3, 70, first=2))]
    await _send_all(context, tmp_path, files)
    assert await balances(context) == {
        "export": closing(3, 5000),
        "Export 3": closing(3, 900),
        "export 2": closing(3, 70),
    }


async def test_months_of_one_name_are_joined_as_those_of_several_are(
    context: Context, tmp_path: Path
) -> None:
    """A balance that goes on joins files of one name; without one the person is asked."""
    bare = [("export.csv", month(3, None)), ("export.csv", month(4, None))]
    with pytest.raises(Conflict) as asked:
        await _send_all(context, tmp_path, bare)
    assert questions(asked.value) == [(1, "sameAccount", ["export", "new"])]
    await _send_all(context, tmp_path, [("export.csv", APRIL), ("export.csv", MARCH)])
    assert await balances(context) == {"export": closing(4, closing(3, 5000))}


async def test_a_file_called_like_an_account_of_other_columns_is_asked_about(
    context: Context, send: Send
) -> None:
    """Two banks' files of one name are two accounts; rows in common show that it is one."""
    await send({"transactions.csv": month(3, None)})
    (account,) = await list_accounts(context, Nothing())
    other = month(4, None).replace("Date,Description", "Booked on,Merchant")
    with pytest.raises(Conflict, match="its files had other columns so far") as asked:
        await send({"transactions.csv": other})
    choices = [account.id, "transactions 2"]
    assert questions(asked.value) == [(0, "account", choices)]
    both = month(3, None).replace("Date,Description", "Day,Text") + other.partition("\n")[2]
    await send({"transactions.csv": both})
    await send({"transactions.csv": month(5, None)})
    assert len(await list_accounts(context, Nothing())) == 1
