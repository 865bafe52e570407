"""New accounts: their kind is set and said, or asked with everything else; later files show more.

What a report tells of each account of a file is what a person checks an import by, before and
after.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.account import AccountChange, AccountKind
from finplan.model.base import Nothing
from finplan.model.errors import Conflict
from finplan.model.statement import FileAccount, ImportReport
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from tests.service import one_truth
from tests.service.conftest import bring, dump, send

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


async def asked(context: Context, files: dict[str, str], **said: Any) -> list[Any]:
    with pytest.raises(Conflict) as refusal:
        await send(context, files, **said)
    assert refusal.value.data is not None
    return list(refusal.value.data["questions"])


async def kinds(context: Context) -> dict[str, tuple[str, str | None]]:
    return {
        each.name: (each.kind, each.subtype) for each in await list_accounts(context, Nothing())
    }


async def test_what_nothing_tells_is_asked(context: Context) -> None:
    """The question has every kind with its meaning and a row of the file; nothing is stored."""
    before = await dump(context)
    (question,) = await asked(context, {"export.csv": PLAIN})

    assert (question["about"], question["option"]) == ("accountKind", "--kind")
    choices = {each["value"]: each for each in question["choices"]}
    assert set(choices) == {"checking", "savings", "credit", "loan", "investment"}
    assert choices["credit"]["sample"] == "640.12 “MARTA WEBER” pays the card, so it is not income"
    assert choices["checking"]["sample"] == "640.12 “MARTA WEBER” is money in, which may be income"
    assert len({each["label"] for each in choices.values()}) == len(choices)
    assert await dump(context) == before


async def test_a_file_without_money_in_is_asked_with_money_out(context: Context) -> None:
    """The row by which a person knows the account is one that goes out where none comes in."""
    (question,) = await asked(context, {"export.csv": HEAD + "2026-03-04,SHOP,-24.10\n"})
    samples = {each["value"]: each["sample"] for each in question["choices"]}

    assert re.match("24.10 “SHOP” .* card purchase; ", samples["credit"])
    assert re.match("24.10 “SHOP” .*withdrawal; ", samples["savings"])


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
    context: Context, answer: str, kind: str, subtype: str | None
) -> None:
    """Each answer makes an account of that kind; `depository` is taken as before."""
    said = [{"file": 0, "about": "accountKind", "value": answer}]
    report = await send(context, {"export.csv": PLAIN}, answers=said)

    assert report.files[0].accounts[0].kind == kind
    assert report.files[0].notes == ()
    assert await kinds(context) == {"export": (kind, subtype)}


async def test_what_is_certain_is_set_and_said(context: Context) -> None:
    """A kind that evidence tells is not asked; the report says it, and why."""
    report = await send(context, {"export.csv": THANKS})

    (note,) = report.files[0].notes
    assert re.match("export.*credit card .*payments received", note)
    assert await kinds(context) == {"export": ("credit", "credit card")}


async def test_a_present_account_is_not_asked_about(context: Context) -> None:
    """Only a new account is asked about; a later file changes no kind."""
    await send(context, {"export.csv": PLAIN}, account_kind="checking")
    report = await send(context, {"export.csv": THANKS.replace("2026-03", "2026-04")})

    assert report.files[0].new == 2
    assert await kinds(context) == {"export": ("depository", "checking")}


async def test_the_name_that_a_person_gives_says_the_kind(context: Context) -> None:
    """A new account that is called a card is one."""
    await send(context, {"export.csv": PLAIN}, account="Blue Visa")
    assert await kinds(context) == {"Blue Visa": ("credit", "credit card")}


async def test_a_kind_said_of_an_account_that_is_there_is_told_how_to_set(context: Context) -> None:
    """A word on the kind of a present account changes nothing, and the report says what does."""
    await send(context, {"export.csv": PLAIN}, account="Blue Visa")
    report = await send(context, {"export.csv": PLAIN}, account="Blue Visa", account_kind="savings")
    (told,) = [note for note in report.files[0].notes if "--kind" in note]
    assert "'Blue Visa' --kind savings`" in told
    assert await kinds(context) == {"Blue Visa": ("credit", "credit card")}
    again = await send(context, {"export.csv": PLAIN}, account="Blue Visa", account_kind="credit")
    assert not any("--kind" in note for note in again.files[0].notes)


async def test_all_files_are_asked_about_at_once(context: Context) -> None:
    """Kinds are asked with all else that a batch leaves open, also where the direction is open."""
    unsigned = HEAD + "2026-03-04,ATM ELM ST,24.10\n2026-03-05,HARBOR BOOKS,4.10\n"
    files = {"a.csv": unsigned, "b.csv": PLAIN, "c.csv": THANKS}
    with pytest.raises(Conflict) as refusal:
        await send(context, files)
    found = [(each["file"], each["about"]) for each in (refusal.value.data or {})["questions"]]

    assert found == [
        (0, "direction"),
        (0, "accountKind"),
        (1, "sameAccount"),
        (1, "accountKind"),
        (2, "sameAccount"),
    ]


async def test_several_unknown_accounts_of_a_file_are_one_question(context: Context) -> None:
    """One answer is for those accounts that say nothing; one that says its kind keeps it."""
    text = (
        "Date,Account Name,Description,Amount\n2026-03-01,Reed,MARTA WEBER,640.12\n"
        "2026-03-02,Moss,HARBOR BOOKS,-24.10\n2026-03-03,Blue Visa,HARBOR BOOKS,-4.10\n"
    )
    (question,) = await asked(context, {"all.csv": text})
    assert "“Reed” and “Moss”" in question["text"]
    await send(context, {"all.csv": text}, account_kind="savings")

    assert await kinds(context) == {
        "Reed": ("depository", "savings"),
        "Moss": ("depository", "savings"),
        "Blue Visa": ("credit", "credit card"),
    }


@pytest.mark.parametrize("is_one_batch", [True, False])
async def test_a_card_is_known_by_who_pays_it(context: Context, *, is_one_batch: bool) -> None:
    """Where a bank account pays exactly what comes in, and more is spent than that, it is a card."""
    if is_one_batch:
        await send(context, {"bank.csv": PAYS, "export.csv": OPAQUE})
    else:
        await send(context, {"bank.csv": PAYS})
        report = await send(context, {"export.csv": OPAQUE})
        (note,) = report.files[0].notes
        assert re.match("export.*card .bank paid", note)
    assert (await kinds(context))["export"] == ("credit", "credit card")


async def test_what_pays_a_card_without_a_kind_is_no_income(context: Context) -> None:
    """An export that names no kind is asked about; as a card, only pay is income, and shops spending."""
    (question,) = await asked(context, {"export.csv": OPAQUE})
    assert question["about"] == "accountKind"
    await send(context, {"export.csv": OPAQUE}, account_kind="credit")
    alone = (await build_plan(context, Nothing())).plan
    assert (alone.income_sources, alone.monthly.income) == ((), 0)

    await send(context, {"bank.csv": PAYS})
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
async def test_other_money_makes_no_card(context: Context, rows: str) -> None:
    """Other days, other amounts, or money from elsewhere leave the question open."""
    await send(context, {"bank.csv": PAYS})
    (question,) = await asked(context, {"export.csv": rows})
    assert question["about"] == "accountKind"


async def test_round_sums_are_moved_not_billed(context: Context) -> None:
    """What is moved to another account of one's own comes in round sums."""
    lines = [(month, 640 + 10 * month) for month in MONTHS]
    bank = PAYS.replace("BIG BANK 4471", "SOMETHING") + "".join(
        f"2026-{month:02d}-21,BIG BANK 4471,-{amount}.00\n" for month, amount in lines
    )
    other = table(*SHOPS) + "".join(
        f"2026-{month:02d}-22,IN,{amount}.00\n" for month, amount in lines
    )
    await send(context, {"bank.csv": bank})
    (question,) = await asked(context, {"export.csv": other})
    assert question["about"] == "accountKind"


async def test_what_is_only_paid_into_is_savings(context: Context) -> None:
    """An account that a bank account pays into, and that spends nothing, is for savings."""
    await send(context, {"bank.csv": PAYS})
    await send(context, {"export.csv": table(PAID)}, direction="in")
    assert (await kinds(context))["export"] == ("depository", "savings")


async def test_a_card_that_was_taken_for_checking_is_found_out_later(context: Context) -> None:
    """When the account that pays it is imported, the change is offered; once it is made, no more."""
    await send(context, {"export.csv": OPAQUE}, account_kind="checking")
    report = await send(context, {"bank.csv": PAYS}, dry_run=True)
    offer = "set export --kind credit`"
    assert len([note for note in report.files[0].notes if offer in note]) == 1
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, kind="checking"))
    kept = await send(context, {"bank.csv": PAYS})

    assert not any(offer in note for note in kept.files[0].notes)


SPENT = {"export.csv": table(*SHOPS)}
AGAIN = {"again.csv": table(*SHOPS)}


async def test_whether_it_is_there_is_asked_before_its_kind(context: Context) -> None:
    """Both are asked at once, the kind for the case that it is another account; there is its own."""
    await send(context, SPENT, account_kind="credit")
    same, kind = await asked(context, AGAIN)
    assert [same["about"], kind["about"]] == ["sameAccount", "accountKind"]
    assert kind["text"].startswith("If “again” ")
    (alone,) = await asked(context, AGAIN, same_account="new")
    assert alone["text"].endswith("is “again”?")

    await send(context, AGAIN, same_account="export")
    assert await kinds(context) == {"export": ("credit", "credit card")}


async def test_one_kind_is_for_accounts_that_are_new(context: Context) -> None:
    """Of a file with several accounts, one of which may be there, the answer is for the others."""
    await send(context, SPENT, account_kind="credit")
    lines = [f"{HEAD.strip()},Account"]
    for name, rows in (("A", table(*SHOPS)), ("B", table((3, "CAR WASH", "-9.00")))):
        lines += [f"{row},{name}" for row in rows.splitlines()[1:]]
    text = {"both.csv": "\n".join(lines)}
    same, kind = await asked(context, text)
    assert same["about"] == "sameAccount"
    assert re.search("“A” and “B”.*all new accounts", kind["text"])
    (alone,) = await asked(context, text, same_account="export")
    assert alone["text"].endswith("is “B”?")


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
    questions = await asked(context, files, currency="EUR")
    (same,) = [each for each in questions if each["about"] == "sameAccount"]
    said = {"currency": "EUR", "same_account": same["choices"][0]["value"]}
    report = await send(context, files, **said)
    assert list((await kinds(context)).values()) == [kind]
    assert not any("--kind" in note for file in report.files for note in file.notes)


async def _money_in(context: Context, files: dict[str, str], **said: Any) -> list[int]:
    report = await send(context, files, **said)
    return [account.money_in for file in report.files for account in file.accounts]


async def test_a_card_that_no_file_calls_so_is_paid_by_payments(context: Context) -> None:
    """Who says that an account is a card and its amounts were spent does not mean what pays it off."""
    text = HEAD + "2026-03-04,SHOP,7.00\n2026-03-09,AUTOMATIC PAYMENT,5.00\n2026-03-11,SHOP,1.00\n"
    said = {"direction": "out", "account_kind": "checking"}
    assert await _money_in(context, {"bank.csv": text}, dry_run=True, **said) == [0]
    said["account_kind"] = "credit"
    assert await _money_in(context, {"bank.csv": text}, **said) == [500]
    assert await _money_in(context, {"bank.csv": text.replace("-03-", "-04-")}) == [500]
    # What the person names is there as a card, whatever kind is typed beside it.
    may = {"x.csv": text.replace("-03-", "-05-").replace("Description", "Text")}
    said = {"direction": "out", "account_kind": "checking", "account": "bank"}
    assert await _money_in(context, may, **said) == [500]


async def test_files_of_a_card_and_others_with_its_columns_tell_no_card(context: Context) -> None:
    """A header that two kinds of account share says of neither what its payments are."""
    text = HEAD + "2026-03-04,SHOP,7.00\n2026-03-09,AUTOMATIC PAYMENT,5.00\n2026-03-11,SHOP,1.00\n"
    await send(context, {"a.csv": text}, direction="out", account_kind="credit")
    other = {"b.csv": text.replace("-03-", "-05-")}
    said = {"direction": "out", "account_kind": "checking", "account": "b"}
    assert await _money_in(context, other, **said) == [0]
    assert await _money_in(context, {"b.csv": text.replace("-03-", "-06-")}) == [0]


HEADER = "Date,Description,Amount,Balance\n"
ROWS = (
    "2026-02-03,RENT,-1000.00,900.00\n2026-02-10,GROCER,-10.50,889.50\n"
    "2026-02-11,ACME PAYROLL,2000.00,2889.50\n2026-02-20,GROCER,-89.50,2800.00\n"
    "2026-02-25,GROCER,-50.00,2750.00\n"
)
MARCH = "2026-03-03,RENT,-1000.00,1750.00\n2026-03-25,GROCER,-50.00,1700.00\n"


def _only(report: ImportReport) -> FileAccount:
    (file,) = report.files
    (account,) = file.accounts
    return account


def _ofx(
    rows: str, balance: str, *, since: str, until: str, day: str = "", sort: str = "BANK"
) -> str:
    outer, inner, source = {
        "BANK": ("BANKMSGSRSV1", "STMT", "BANKACCTFROM"),
        "CARD": ("CREDITCARDMSGSRSV1", "CCSTMT", "CCACCTFROM"),
    }[sort]
    return (
        f"OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><{outer}><{inner}TRNRS><{inner}RS>"
        f"<CURDEF>USD<{source}><BANKID>1<ACCTID>77001<ACCTTYPE>CHECKING</{source}><BANKTRANLIST>"
        f"<DTSTART>{since}<DTEND>{until}{rows}</BANKTRANLIST><LEDGERBAL><BALAMT>{balance}"
        f"<DTASOF>{day or until}</LEDGERBAL></{inner}RS></{inner}TRNRS></{outer}></OFX>\n"
    )


def _row(day: str, amount: str) -> str:
    return f"<STMTTRN><TRNTYPE>X<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{day}{amount}<NAME>SHOP</STMTTRN>"


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_an_account_of_a_file_is_described(context: Context, dry_run: bool) -> None:
    """Days, rows, money of both directions and the balance are told, by a preview as afterwards."""
    account = _only(await bring(context, {"giro.csv": HEADER + ROWS}, dry_run=dry_run))
    assert (f"{account.since}", f"{account.until}") == ("2026-02-03", "2026-02-25")
    assert (account.transactions, account.new_rows, account.known, account.pending) == (5, 5, 0, 0)
    assert (account.money_in, account.money_out) == (200_000, 115_000)
    assert (account.closing_balance, account.balance_fits) == (275_000, True)
    assert (account.kind, account.subtype) == ("depository", "checking")
    assert [(f"{span.since}", f"{span.until}") for span in account.coverage] == [
        ("2026-02-03", "2026-02-25")
    ]


@pytest.mark.usefixtures("context")
async def test_samples_are_the_newest_rows_of_both_directions(context: Context) -> None:
    """Three rows, the newest first; where all of these go one way, one of the other is among them."""
    account = _only(await bring(context, {"giro.csv": HEADER + ROWS}))
    assert [(f"{row.date}", row.amount, row.payee, row.raw) for row in account.samples] == [
        ("2026-02-25", -5_000, "Grocer", "GROCER"),
        ("2026-02-20", -8_950, "Grocer", "GROCER"),
        ("2026-02-11", 200_000, "Acme", "ACME PAYROLL"),
    ]
    later = HEADER + "".join(f"2026-05-0{day},GROCER,-1.00,\n" for day in range(1, 6))
    pay = "2026-04-01,ACME PAYROLL,2000.00,\n"
    both = _only(await bring(context, {"b.csv": later.replace(HEADER, HEADER + pay)}, account="B"))
    assert [row.amount for row in both.samples] == [-100, -100, 200_000]
    one_way = _only(await bring(context, {"c.csv": later}, account="C"))
    assert [row.amount for row in one_way.samples] == [-100, -100, -100]


@pytest.mark.usefixtures("context")
async def test_rows_that_are_there_are_told_by_account(context: Context) -> None:
    """Each account of a file has its own rows, and the file their sums."""
    header = "Date,Account Name,Description,Amount\n"
    one, two = "2026-02-03,One,RENT,-10.00\n", "2026-02-04,Two,RENT,-20.00\n"
    await bring(context, {"a.csv": header + one + two})
    again = header + one + two + "2026-02-05,Two,PAY,30.00\n2026-02-06,Two,PAY,40.00\n"
    (file,) = (await bring(context, {"a.csv": again})).files
    told = {each.name: (each.transactions, each.new_rows, each.known) for each in file.accounts}
    assert told == {"One": (1, 0, 1), "Two": (3, 2, 1)}
    assert (file.transactions, file.new, file.known) == (4, 2, 2)
    assert [(each.money_in, each.money_out) for each in file.accounts] == [(0, 1000), (7000, 2000)]


@pytest.mark.usefixtures("context")
async def test_pending_rows_are_counted_apart(context: Context) -> None:
    """A row that waits is in no sum, no sample and no day."""
    rows = "2026-02-03,A,-1.00,Booked\n2026-02-04,B,-2.00,Pending\n2026-02-05,C,-4.00,Declined\n"
    account = _only(await bring(context, {"a.csv": "Date,Description,Amount,Status\n" + rows}))
    assert (account.transactions, account.pending, account.money_out) == (1, 1, 100)
    assert [row.raw for row in account.samples] == ["A"]
    assert f"{account.until}" == "2026-02-03"
    assert [(each.reason, each.count) for each in account.left_out] == [("declined", 1)]


@pytest.mark.usefixtures("context")
async def test_an_assumed_currency_is_said_in_a_sentence(context: Context) -> None:
    """What was taken for granted is told; an account that is there has its currency."""
    first = _only(await bring(context, {"a.csv": HEADER + ROWS}, account="A"))
    (assumed,) = first.assumed
    assert "assumed USD" in assumed
    assert "`--currency CODE`" in assumed
    assert _only(await bring(context, {"a.csv": HEADER + MARCH}, account="A")).assumed == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("balance", "fits"), [("190.00", True), ("190.01", False), ("210.00", False)]
)
@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_a_balance_is_compared_with_the_one_before(
    context: Context, balance: str, fits: bool, dry_run: bool
) -> None:
    """The rows since an earlier statement's balance explain the next one, or a row is missing."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    assert _only(await bring(context, {"a.ofx": first})).balance_fits is None
    second = _ofx(_row("20260310", "-10.00"), balance, since="20260301", until="20260331")
    account = _only(await bring(context, {"b.ofx": second}, dry_run=dry_run))
    assert account.closing_balance == round(float(balance) * 100)
    assert account.balance_fits is fits


@pytest.mark.usefixtures("context")
async def test_what_is_owed_is_compared_with_its_sign(context: Context) -> None:
    """On a card more is owed after a charge, whatever sign the bank prints."""
    first = _ofx(
        _row("20260210", "-5.00"), "-200.00", since="20260201", until="20260228", sort="CARD"
    )
    second = _ofx(
        _row("20260310", "-10.00"), "-210.00", since="20260301", until="20260331", sort="CARD"
    )
    report = await bring(context, {"a.ofx": first, "b.ofx": second})
    told = [
        (each.closing_balance, each.balance_fits) for file in report.files for each in file.accounts
    ]
    assert told == [(20_000, None), (21_000, True)]


@pytest.mark.usefixtures("context")
async def test_a_balance_across_a_hole_is_not_compared(context: Context) -> None:
    """Where statements are missing between two balances, that they differ says nothing."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    later = _ofx(_row("20260610", "-10.00"), "150.00", since="20260601", until="20260630")
    await bring(context, {"a.ofx": first})
    account = _only(await bring(context, {"b.ofx": later}))
    assert account.balance_fits is None
    assert len(account.coverage) == 2


@pytest.mark.usefixtures("context")
async def test_a_balance_of_a_later_day_is_not_compared(context: Context) -> None:
    """A balance of the day of the download counts rows that the file does not hold."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    later = _ofx(
        _row("20260310", "-10.00"), "170.00", since="20260301", until="20260331", day="20260415"
    )
    await bring(context, {"a.ofx": first})
    assert _only(await bring(context, {"b.ofx": later})).balance_fits is None


@pytest.mark.usefixtures("context")
async def test_rows_of_the_day_of_a_balance_leave_it_open(context: Context) -> None:
    """A balance that was fetched during its day does not tell which of that day's rows it counts."""
    first = _ofx(_row("20260210", "-5.00"), "200.00", since="20260201", until="20260228")
    rows = _row("20260228", "-7.00") + _row("20260310", "-10.00")
    later = _ofx(rows, "183.00", since="20260228", until="20260331")
    await bring(context, {"a.ofx": first})
    assert _only(await bring(context, {"b.ofx": later})).balance_fits is None


@pytest.mark.parametrize("kind", ["credit", "loan", "depository"])
async def test_a_closing_balance_has_its_kinds_sign(context: Context, kind: AccountKind) -> None:
    """What a bank prints below zero is owed on cards and loans, and missing on any other account."""
    assert context.caller.owner
    file = _ofx(_row("20260210", "-5.00"), "-40.00", since="20260201", until="20260228")
    account = _only(await bring(context, {"a.ofx": file}, account_kind=kind))
    assert account.closing_balance == (-4000 if kind == "depository" else 4000)


@pytest.mark.usefixtures("context")
async def test_a_file_under_two_names_of_one_account_is_one(context: Context) -> None:
    """What is said of an account under several numbers in one file is told once, added up."""
    head = ":20:STARTUMS\n:25:{}\n:28C:1/1\n:60F:C260201EUR100,00\n"
    tail = ":62F:C260228EUR{}\n-\n"
    iban, number = "DE89370400440532013000", "37040044/532013000"
    first = head.format(iban) + ":61:2602100210D10,00NMSC\n" + tail.format("90,00")
    second = (
        head.format(number).replace("C260201EUR100,00", "C260228EUR90,00")
        + ":61:2603100310D10,00NMSC\n"
        + tail.format("80,01").replace("260228", "260331")
    )
    await bring(context, {"a.sta": first})
    (file,) = (await bring(context, {"b.sta": first + second})).files
    (account,) = file.accounts
    assert (account.transactions, account.known, account.money_out) == (2, 1, 2000)
    assert (account.closing_balance, account.balance_fits) == (8001, False)


@pytest.mark.parametrize(("amounts", "fits"), [(("9,00", "10,00"), False), (("10,00",) * 2, True)])
@pytest.mark.usefixtures("context")
async def test_every_statement_of_a_file_must_fit(
    context: Context, amounts: tuple[str, str], fits: bool
) -> None:
    """A file of several statements fits when each of them does; of one day the last balance counts."""
    statement = (
        ":20:STARTUMS\n:25:10020030/1234567\n:28C:1/1\n:60F:C260201EUR{},00\n"
        ":61:2602100210D{}NMSC\n:62F:C260228EUR{},00\n-\n"
    )
    text = statement.format(100, amounts[0], 90) + statement.format(90, amounts[1], 80)
    account = _only(await bring(context, {"a.sta": text}))
    assert account.balance_fits is fits
    assert account.closing_balance == 8000


@pytest.mark.usefixtures("context")
async def test_days_and_balances_that_were_not_known_are_told(context: Context) -> None:
    """A quiet month brings no row, but days without any and a balance; once known, they are no news."""
    bought = _row("20260210", "-10.50")
    february = _ofx(bought, "889.50", since="20260201", until="20260228")
    quiet = _ofx(bought, "889.50", since="20260201", until="20260331")
    corrected = _ofx(bought, "889.50", since="20260201", until="20260331", day="20260315")
    for text, is_news in (
        (february, True), (february, False), (quiet, True), (quiet, False), (corrected, True),
    ):  # fmt: skip
        assert _only(await bring(context, {"a.ofx": text}, dry_run=True)).extends == is_news
        assert _only(await bring(context, {"a.ofx": text})).extends == is_news
