"""What kind new accounts are: set and said, or asked with everything else; and what later files show."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.errors import Conflict
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import import_files
from finplan.service.planning.plans import build_plan
from tests.service import one_truth

Import = Callable[..., Awaitable[Any]]

HEAD = "Date,Description,Amount\n"
MONTHS = range(1, 7)
PLAIN = HEAD + "2026-03-01,MARTA WEBER,640.12\n2026-03-04,HARBOR BOOKS,-24.10\n"
THANKS = HEAD + "2026-03-04,HARBOR BOOKS,-24.10\n2026-03-20,PAYMENT THANK YOU,24.10\n"


def table(*rows: tuple[int, str, str]) -> str:
    """Rows of a day of each month, whose amounts grow by a cent and a dollar a month."""
    lines = []
    for month in MONTHS:
        for day, text, amount in rows:
            grown = f"{float(amount) + (1.01 * month if float(amount) > 0 else -1.01 * month):.2f}"
            lines.append(f"2026-{month:02d}-{day:02d},{text},{grown}\n")
    return HEAD + "".join(lines)


BILLS = (20, "BIG BANK 4471", "-640.12")
PAYS = table((1, "ASHGROVE PAYROLL", "2400.00"), BILLS)
SHOPS = ((4, "HARBOR BOOKS", "-24.10"), (9, "TRAIN TICKETS", "-61.00"))
PAID = (22, "BIG BANK 4471", "640.12")
OPAQUE = table(*SHOPS, PAID)


async def send(context: Context, folder: Path, files: dict[str, str], **said: Any) -> Any:
    """Import files as a program does that says only what is given."""
    uploaded = []
    for place, (name, text) in enumerate(files.items()):
        path = folder / f"{place}.upload"
        path.write_text(text)
        uploaded.append(UploadedFile(name, path))
    request = ImportRequest(**said)
    return await import_files(context, request, tuple(uploaded))


async def asked(context: Context, folder: Path, files: dict[str, str], **said: Any) -> list[Any]:
    with pytest.raises(Conflict) as refusal:
        await send(context, folder, files, **said)
    assert refusal.value.data is not None
    return list(refusal.value.data["questions"])


async def kinds(context: Context) -> dict[str, tuple[str, str | None]]:
    return {
        each.name: (each.kind, each.subtype) for each in await list_accounts(context, Nothing())
    }


async def test_what_nothing_tells_is_asked(context: Context, tmp_path: Path, dump: Any) -> None:
    """The question has every kind with its meaning and a row of the file; nothing is stored."""
    before = await dump()
    (question,) = await asked(context, tmp_path, {"export.csv": PLAIN})

    assert (question["about"], question["option"]) == ("accountKind", "--kind")
    choices = {each["value"]: each for each in question["choices"]}
    assert set(choices) == {"checking", "savings", "credit", "loan", "investment"}
    assert choices["credit"]["sample"] == "640.12 “MARTA WEBER” paid the card"
    assert choices["checking"]["sample"] == "640.12 “MARTA WEBER” came in"
    assert len({each["label"] for each in choices.values()}) == len(choices)
    assert await dump() == before


async def test_a_file_without_money_in_is_asked_with_money_out(
    context: Context, tmp_path: Path
) -> None:
    """The row by which a person knows the account is one that goes out where none comes in."""
    (question,) = await asked(context, tmp_path, {"export.csv": HEAD + "2026-03-04,SHOP,-24.10\n"})
    samples = {each["value"]: each["sample"] for each in question["choices"]}

    assert samples["credit"] == "24.10 “SHOP” was bought with the card"
    assert samples["savings"] == "24.10 “SHOP” was taken out"


@pytest.mark.parametrize(
    ("answer", "kind", "subtype"),
    [
        ("checking", "depository", "checking"),
        ("savings", "depository", "savings"),
        ("credit", "credit", "credit card"),
        ("loan", "loan", None),
        ("investment", "investment", None),
        ("depository", "depository", None),
    ],
)
async def test_an_answer_is_the_kind(
    context: Context, tmp_path: Path, answer: str, kind: str, subtype: str | None
) -> None:
    """Each answer makes an account of that kind; `depository` is taken as before."""
    said = [{"file": 0, "about": "accountKind", "value": answer}]
    report = await send(context, tmp_path, {"export.csv": PLAIN}, answers=said)

    assert report.files[0].accounts[0].kind == kind
    assert report.files[0].notes == ()
    assert await kinds(context) == {"export": (kind, subtype)}


async def test_what_is_certain_is_set_and_said(context: Context, tmp_path: Path) -> None:
    """A kind that evidence tells is not asked; the report says it, and why."""
    report = await send(context, tmp_path, {"export.csv": THANKS})

    assert report.files[0].notes == (
        "export is taken for a credit card: payments to it are received with thanks.",
    )
    assert await kinds(context) == {"export": ("credit", "credit card")}


async def test_a_present_account_is_not_asked_about(context: Context, tmp_path: Path) -> None:
    """Only a new account is asked about; a later file changes no kind."""
    await send(context, tmp_path, {"export.csv": PLAIN}, account_kind="checking")
    later = THANKS.replace("2026-03", "2026-04")
    report = await send(context, tmp_path, {"export.csv": later})

    assert report.files[0].new == 2
    assert await kinds(context) == {"export": ("depository", "checking")}


async def test_the_name_that_a_person_gives_says_the_kind(context: Context, tmp_path: Path) -> None:
    """A new account that is called a card is one."""
    await send(context, tmp_path, {"export.csv": PLAIN}, account="Blue Visa")
    assert await kinds(context) == {"Blue Visa": ("credit", "credit card")}


async def test_a_kind_said_of_an_account_that_is_there_is_told_how_to_set(
    context: Context, tmp_path: Path
) -> None:
    """A word on the kind of a present account changes nothing, and the report says what does."""
    await send(context, tmp_path, {"export.csv": PLAIN}, account="Blue Visa")
    report = await send(
        context, tmp_path, {"export.csv": PLAIN}, account="Blue Visa", account_kind="savings"
    )
    told = (
        "`--kind savings` is for new accounts, and “Blue Visa” is there as another kind."
        " `finplan accounts set 'Blue Visa' --kind savings` changes it."
    )
    assert [note for note in report.files[0].notes if "--kind" in note] == [told]
    assert await kinds(context) == {"Blue Visa": ("credit", "credit card")}
    again = await send(
        context, tmp_path, {"export.csv": PLAIN}, account="Blue Visa", account_kind="credit"
    )
    assert not any("--kind" in note for note in again.files[0].notes)


async def test_all_files_are_asked_about_at_once(context: Context, tmp_path: Path) -> None:
    """Kinds are asked with all else that a batch leaves open, also where the direction is open."""
    unsigned = HEAD + "2026-03-04,ATM ELM ST,24.10\n2026-03-05,HARBOR BOOKS,4.10\n"
    files = {"a.csv": unsigned, "b.csv": PLAIN, "c.csv": THANKS}
    with pytest.raises(Conflict) as refusal:
        await send(context, tmp_path, files)
    found = [(each["file"], each["about"]) for each in (refusal.value.data or {})["questions"]]

    assert found == [
        (0, "direction"),
        (0, "accountKind"),
        (1, "sameAccount"),
        (1, "accountKind"),
        (2, "sameAccount"),
    ]


async def test_several_unknown_accounts_of_a_file_are_one_question(
    context: Context, tmp_path: Path
) -> None:
    """One answer is for those accounts that say nothing; one that says its kind keeps it."""
    text = (
        "Date,Account Name,Description,Amount\n2026-03-01,Reed,MARTA WEBER,640.12\n"
        "2026-03-02,Moss,HARBOR BOOKS,-24.10\n2026-03-03,Blue Visa,HARBOR BOOKS,-4.10\n"
    )
    (question,) = await asked(context, tmp_path, {"all.csv": text})
    assert "accounts “Reed” and “Moss” are; one answer is for all." in question["text"]
    await send(context, tmp_path, {"all.csv": text}, account_kind="savings")

    assert await kinds(context) == {
        "Reed": ("depository", "savings"),
        "Moss": ("depository", "savings"),
        "Blue Visa": ("credit", "credit card"),
    }


@pytest.mark.parametrize("is_one_batch", [True, False])
async def test_a_card_is_known_by_who_pays_it(
    context: Context, tmp_path: Path, *, is_one_batch: bool
) -> None:
    """Where a bank account pays exactly what comes in, and more is spent than that, it is a card."""
    if is_one_batch:
        await send(context, tmp_path, {"bank.csv": PAYS, "export.csv": OPAQUE})
    else:
        await send(context, tmp_path, {"bank.csv": PAYS})
        report = await send(context, tmp_path, {"export.csv": OPAQUE})
        assert report.files[0].notes == (
            "export is taken for a credit card: bank pays exactly what comes in.",
        )
    assert (await kinds(context))["export"] == ("credit", "credit card")


async def test_what_pays_a_card_without_a_kind_is_no_income(
    context: Context, tmp_path: Path
) -> None:
    """An export that names no kind is asked about; as a card, only pay is income, and shops spending."""
    (question,) = await asked(context, tmp_path, {"export.csv": OPAQUE})
    assert question["about"] == "accountKind"
    await send(context, tmp_path, {"export.csv": OPAQUE}, account_kind="credit")
    alone = (await build_plan(context, Nothing())).plan
    assert (alone.income_sources, alone.monthly.income) == ((), 0)

    await send(context, tmp_path, {"bank.csv": PAYS})
    plan = (await build_plan(context, Nothing())).plan
    assert [source.name for source in plan.income_sources] == ["Ashgrove"]
    # 85.10 a month, and from January to May 2.02 more each month.
    assert plan.monthly.total_spend == 85_10 + 3 * 2_02
    assert "unlinked_card" not in {each.category for each in plan.categories}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "rows",
    [
        table(*SHOPS, (24, "BIG BANK 4471", "640.12")),
        table(*SHOPS, (22, "BIG BANK 4471", "640.13")),
        table(SHOPS[0], PAID),
        table(*SHOPS, (15, "CAFE", "-3.00"), PAID, (5, "MARTA WEBER", "33.00")),
    ],
    ids=["four days later", "a cent more", "no more spent than paid", "only half is paid"],
)
async def test_other_money_makes_no_card(context: Context, tmp_path: Path, rows: str) -> None:
    """Other days, other amounts, or money from elsewhere leave the question open."""
    await send(context, tmp_path, {"bank.csv": PAYS})
    (question,) = await asked(context, tmp_path, {"export.csv": rows})
    assert question["about"] == "accountKind"


async def test_round_sums_are_moved_not_billed(context: Context, tmp_path: Path) -> None:
    """What is moved to another account of one's own comes in round sums."""
    lines = [(month, 640 + 10 * month) for month in MONTHS]
    bank = PAYS.replace("BIG BANK 4471", "SOMETHING") + "".join(
        f"2026-{month:02d}-21,BIG BANK 4471,-{amount}.00\n" for month, amount in lines
    )
    other = table(*SHOPS) + "".join(
        f"2026-{month:02d}-22,IN,{amount}.00\n" for month, amount in lines
    )
    await send(context, tmp_path, {"bank.csv": bank})
    (question,) = await asked(context, tmp_path, {"export.csv": other})
    assert question["about"] == "accountKind"


async def test_what_is_only_paid_into_is_savings(context: Context, tmp_path: Path) -> None:
    """An account that a bank account pays into, and that spends nothing, is for savings."""
    await send(context, tmp_path, {"bank.csv": PAYS})
    await send(context, tmp_path, {"export.csv": table(PAID)}, direction="in")
    assert (await kinds(context))["export"] == ("depository", "savings")


async def test_a_card_that_was_taken_for_checking_is_found_out_later(
    context: Context, tmp_path: Path
) -> None:
    """When the account that pays it is imported, the change is offered; once it is made, no more."""
    await send(context, tmp_path, {"export.csv": OPAQUE}, account_kind="checking")
    report = await send(context, tmp_path, {"bank.csv": PAYS}, dry_run=True)
    offer = (
        "bank pays exactly what comes into export, which looks like a credit card:"
        " `finplan accounts set export --kind credit`."
    )
    assert offer in report.files[0].notes
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, kind="checking"))
    kept = await send(context, tmp_path, {"bank.csv": PAYS})

    assert offer not in kept.files[0].notes


SPENT = {"export.csv": table(*SHOPS)}
AGAIN = {"again.csv": table(*SHOPS)}


async def test_whether_it_is_there_is_asked_before_its_kind(
    context: Context, tmp_path: Path
) -> None:
    """Both are asked at once, the kind for the case that it is another account; there is its own."""
    await send(context, tmp_path, SPENT, account_kind="credit")
    same, kind = await asked(context, tmp_path, AGAIN)
    assert [same["about"], kind["about"]] == ["sameAccount", "accountKind"]
    assert kind["text"] == (
        "As another account, “again” needs a kind, and nothing says for sure which."
    )
    (alone,) = await asked(context, tmp_path, AGAIN, same_account="new")
    assert alone["text"] == "Nothing says for sure what kind of account “again” is."

    await send(context, tmp_path, AGAIN, same_account="export")
    assert await kinds(context) == {"export": ("credit", "credit card")}


async def test_one_kind_is_for_accounts_that_are_new(context: Context, tmp_path: Path) -> None:
    """Of a file with several accounts, one of which may be there, the answer is for the others."""
    await send(context, tmp_path, SPENT, account_kind="credit")
    lines = [f"{HEAD.strip()},Account"]
    for name, rows in (("A", table(*SHOPS)), ("B", table((3, "CAR WASH", "-9.00")))):
        lines += [f"{row},{name}" for row in rows.splitlines()[1:]]
    text = {"both.csv": "\n".join(lines)}
    same, kind = await asked(context, tmp_path, text)
    assert same["about"] == "sameAccount"
    assert kind["text"] == (
        "Nothing says for sure what kind of accounts “A” and “B” are; one answer is for all of them that"
        " are new. `finplan accounts set NAME --kind` changes one of them afterwards."
    )
    (alone,) = await asked(context, tmp_path, text, same_account="export")
    assert alone["text"] == "Nothing says for sure what kind of account “B” is."


CARD = (
    ("BANKMSGSRSV1", "CREDITCARDMSGSRSV1"),
    ("STMTTRNRS", "CCSTMTTRNRS"),
    ("<STMTRS>", "<CCSTMTRS>"),
    ("</STMTRS>", "</CCSTMTRS>"),
    ("<ACCTTYPE>CHECKING", ""),
    ("BANKACCTFROM", "CCACCTFROM"),
)
"""What makes an OFX statement of an account one of a card."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("changed", "kind"),
    [((("CHECKING", "SAVINGS"),), ("depository", "savings")), (CARD, ("credit", "credit card"))],
)
@pytest.mark.parametrize("order", [("a.csv", "b.ofx"), ("b.ofx", "a.csv")])
async def test_an_account_of_two_files_has_the_kind_that_either_says(
    context: Context,
    tmp_path: Path,
    changed: tuple[tuple[str, str], ...],
    kind: tuple[str, str],
    order: tuple[str, str],
) -> None:
    """Where one file says the kind of the account that both bring, nobody is asked for it."""
    spent = [row for row in one_truth.rows(30) if row[1] < 0]
    text = one_truth.ofx(spent)
    for former, after in changed:
        text = text.replace(former, after)
    texts = {"a.csv": one_truth.bank_csv(spent), "b.ofx": text}
    files = {name: texts[name] for name in order}
    questions = await asked(context, tmp_path, files, currency="EUR")
    (same,) = [each for each in questions if each["about"] == "sameAccount"]
    said = {"currency": "EUR", "same_account": same["choices"][0]["value"]}
    report = await send(context, tmp_path, files, **said)
    assert list((await kinds(context)).values()) == [kind]
    assert not any("--kind" in note for file in report.files for note in file.notes)


async def _money_in(
    context: Context, folder: Path, files: dict[str, str], **said: Any
) -> list[int]:
    report = await send(context, folder, files, **said)
    return [account.money_in for file in report.files for account in file.accounts]


async def test_a_card_that_no_file_calls_so_is_paid_by_payments(
    context: Context, tmp_path: Path
) -> None:
    """Who says that an account is a card and its amounts were spent does not mean what pays it off."""
    text = HEAD + "2026-03-04,SHOP,7.00\n2026-03-09,AUTOMATIC PAYMENT,5.00\n2026-03-11,SHOP,1.00\n"
    said = {"direction": "out", "account_kind": "checking"}
    assert await _money_in(context, tmp_path, {"bank.csv": text}, dry_run=True, **said) == [0]
    said["account_kind"] = "credit"
    assert await _money_in(context, tmp_path, {"bank.csv": text}, **said) == [500]
    april = {"bank.csv": text.replace("-03-", "-04-")}
    assert await _money_in(context, tmp_path, april) == [500]
    # What the person names is there as a card, whatever kind is typed beside it.
    may = {"x.csv": text.replace("-03-", "-05-").replace("Description", "Text")}
    said = {"direction": "out", "account_kind": "checking", "account": "bank"}
    assert await _money_in(context, tmp_path, may, **said) == [500]


async def test_files_of_a_card_and_others_with_its_columns_tell_no_card(
    context: Context, tmp_path: Path
) -> None:
    """A header that two kinds of account share says of neither what its payments are."""
    text = HEAD + "2026-03-04,SHOP,7.00\n2026-03-09,AUTOMATIC PAYMENT,5.00\n2026-03-11,SHOP,1.00\n"
    await send(context, tmp_path, {"a.csv": text}, direction="out", account_kind="credit")
    other = {"b.csv": text.replace("-03-", "-05-")}
    said = {"direction": "out", "account_kind": "checking", "account": "b"}
    assert await _money_in(context, tmp_path, other, **said) == [0]
    june = {"b.csv": text.replace("-03-", "-06-")}
    assert await _money_in(context, tmp_path, june) == [0]
