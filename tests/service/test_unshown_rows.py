"""Rows whose way a file does not show: what the account has tells it, and only the rest is asked."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict
from finplan.model.statement import FileReport, ImportId, ImportReport
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from tests.present import present
from tests.service.conftest import send
from tests.service.said import all_rows

Rows = Sequence[tuple[str, str, int]]
SEPTEMBER: Rows = [
    ("09-01", "PAYROLL ACME", 3200), ("09-02", "RENT HILLSIDE", -1400), ("09-05", "KROGER", -85),
    ("09-09", "SHELL", -40), ("09-15", "ATM", -100), ("09-20", "AMAZON", 25), ("09-28", "COMCAST", -80),
]  # fmt: skip
OCTOBER: Rows = [
    ("10-01", "PAYROLL ACME", 3200), ("10-02", "RENT HILLSIDE", -1400), ("10-05", "KROGER", -91),
    ("10-08", "SHELL", -41), ("10-12", "AMAZON", 10),
]  # fmt: skip
CARD: Rows = [
    ("09-01", "TRADER", -40), ("09-02", "MUSIC", -10), ("09-03", "BANK", 30), ("09-04", "TAXI", -20),
    ("09-06", "FUEL", -35),
]  # fmt: skip
BAR: Rows = [("09-21", "BAR", -5), ("09-22", "PAYMENT THANK YOU", 30), ("09-23", "BAR", -6)]
BEFORE = 1000
AFTER_SEPTEMBER = BEFORE + sum(amount for _, _, amount in SEPTEMBER)
HEADER = "Date,Description,Amount,Balance\n"


def unsigned(rows: Rows, before: int, *, owed: bool = False) -> str:
    """A statement that prints amounts without signs beside a running balance, or what is owed."""
    lines, balance = [HEADER], before
    for day, text, amount in rows:
        balance += amount
        lines.append(f"2026-{day},{text},{abs(amount)}.00,{-balance if owed else balance}.00\n")
    return "".join(lines)


def turned(rows: Rows) -> Rows:
    """The rows with the first one going the other way."""
    (day, text, amount), *rest = rows
    return [(day, text, -amount), *rest]


async def attempt(context: Context, files: dict[str, str], **said: Any) -> Any:
    """Import files into the checking account Everyday with what is said, and without usual answers."""
    return await send(context, files, **{"account": "Everyday", "account_kind": "checking", **said})


async def one(context: Context, text: str, **said: Any) -> FileReport:
    report: ImportReport = await attempt(context, {"export.csv": text}, **said)
    (file,) = report.files
    return file


async def asked(context: Context, files: dict[str, str], **said: Any) -> list[tuple[int, str]]:
    with pytest.raises(Conflict) as refusal:
        await attempt(context, files, **said)
    return [(each["file"], each["about"]) for each in (refusal.value.data or {})["questions"]]


async def amounts(context: Context) -> list[int]:
    """The amounts of all rows by day, in whole units."""
    rows = sorted(await all_rows(context), key=lambda row: (row.date, row.raw))
    return [row.amount // 100 for row in rows]


def amounts_of(*rows: Rows) -> list[int]:
    return [amount for each in rows for _, _, amount in each]


def about_direction(file: FileReport) -> list[tuple[str, str, str, bool]]:
    """Of each note: what was said, whether followed or needed, why not, and whether to undo helps."""
    told = []
    for note in file.notes:
        if "--direction" in note:
            found = re.match(
                r"--direction (\S+) was (not needed|ignored): (\w+ (?:already has|had)(?: [\d.]+)?)",
                note,
            )
            said, outcome, why = present(found).groups()
            told.append((said, outcome, why, "`finplan imports`" in note))
    return told


@pytest.mark.parametrize("first", ["in", "out"])
async def test_a_file_again_asks_nothing_and_adds_nothing(context: Context, first: str) -> None:
    """A row that the account has is not asked about, nor stored again with the other sign."""
    rows = SEPTEMBER if first == "in" else turned(SEPTEMBER)
    text = unsigned(rows, BEFORE)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]
    await one(context, text, direction=f"first:{first}")

    for said in ({"dry_run": True}, {}):
        file = await one(context, text, **said)
        assert (file.new, file.known, about_direction(file)) == (0, 7, [])
    assert await amounts(context) == amounts_of(rows)


@pytest.mark.thorough
@pytest.mark.parametrize("dry_run", [True, False])
async def test_an_answer_that_the_account_contradicts_is_not_followed(
    context: Context, dry_run: bool
) -> None:
    """The report says that it was not followed, and why; of the right one, that it was not needed."""
    text = unsigned(SEPTEMBER, BEFORE)
    await one(context, text, direction="first:in")
    for said in ("first:out", "out", "first:owed"):
        file = await one(context, text, direction=said, dry_run=dry_run)
        assert (file.new, file.known) == (0, 7)
        assert about_direction(file) == [(said, "ignored", "Everyday already has", True)]
    for said in ("first:in", "in"):
        file = await one(context, text, direction=said, dry_run=dry_run)
        assert about_direction(file) == [(said, "not needed", "Everyday already has", False)]
    assert await amounts(context) == amounts_of(SEPTEMBER)


async def test_a_debt_that_is_none_is_not_agreed_with(context: Context) -> None:
    """Who says that a balance is owed is told that it is not, though the row was spent as said."""
    rows = turned(SEPTEMBER)
    await one(context, unsigned(rows, BEFORE), direction="first:out")
    file = await one(context, unsigned(rows, BEFORE), direction="first:owed")
    assert about_direction(file) == [("first:owed", "ignored", "Everyday already has", True)]
    file = await one(context, unsigned(rows, BEFORE), direction="first:out")
    assert about_direction(file) == [("first:out", "not needed", "Everyday already has", False)]
    assert await amounts(context) == amounts_of(rows)


async def test_an_overlapping_file_brings_its_new_rows(context: Context) -> None:
    """A file that begins with a row of the account is read by it; the preview shows what is new."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    before = BEFORE + sum(amounts_of(SEPTEMBER[:5]))
    overlapping = unsigned([*SEPTEMBER[5:], *OCTOBER[:3]], before)
    for said in ({"dry_run": True}, {}):
        file = await one(context, overlapping, **said)
        assert (file.new, file.known) == (3, 2)
        (account,) = file.accounts
        assert {row.date.month for row in account.samples} == {10}
    assert await amounts(context) == amounts_of(SEPTEMBER, OCTOBER[:3])


async def test_a_preview_shows_the_rows_that_are_new(context: Context) -> None:
    """Its sample rows are new ones where there are any, be they older than those that are known."""
    await one(context, signed(SEPTEMBER[3:]))
    for new, days in ((3, [5, 2, 1]), (0, [28, 20, 15])):
        file = await one(context, signed(SEPTEMBER))
        assert file.new == new
        assert [row.date.day for row in file.accounts[0].samples] == days


@pytest.mark.sampled(3)
@pytest.mark.parametrize("count", [5, 3, 2])
@pytest.mark.parametrize("first", ["in", "out"])
async def test_a_next_month_continues_a_balance(context: Context, first: str, count: int) -> None:
    """The balance that an account was left with says which way the next file's first row goes."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    rows = (OCTOBER if first == "in" else turned(OCTOBER))[:count]
    file = await one(context, unsigned(rows, AFTER_SEPTEMBER))
    assert (file.new, file.accounts[0].balance_fits, about_direction(file)) == (count, True, [])
    assert await amounts(context) == amounts_of(SEPTEMBER, rows)

    file = await one(context, unsigned(rows, AFTER_SEPTEMBER))
    assert (file.new, file.known) == (0, count)


async def test_a_remembered_header_leads_to_the_balance(context: Context) -> None:
    """The account need not be named, where an earlier file with the header went to it."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    files = {"october.csv": unsigned(OCTOBER, AFTER_SEPTEMBER)}
    (file,) = (await attempt(context, files, account=None, account_kind=None)).files
    assert (file.new, file.accounts[0].name) == (5, "Everyday")
    assert await amounts(context) == amounts_of(SEPTEMBER, OCTOBER)


async def test_an_answer_against_the_balance_is_not_followed(context: Context) -> None:
    """What the account had before the row is said where an answer contradicts it."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    file = await one(context, unsigned(OCTOBER, AFTER_SEPTEMBER), direction="first:out")
    assert about_direction(file) == [("first:out", "ignored", "Everyday had 2520.00", False)]
    assert await amounts(context) == amounts_of(SEPTEMBER, OCTOBER)


@pytest.mark.parametrize("first", ["in", "out"])
async def test_a_balance_that_fits_neither_way_is_asked(context: Context, first: str) -> None:
    """Where a month is missing between, the person is asked, and the answer is heeded."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    rows = OCTOBER if first == "in" else turned(OCTOBER)
    text = unsigned(rows, AFTER_SEPTEMBER + 7)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]
    assert about_direction(await one(context, text, direction=f"first:{first}")) == []
    assert await amounts(context) == amounts_of(SEPTEMBER, rows)


@pytest.mark.parametrize(("month", "is_asked"), [("10", False), ("11", True)])
async def test_a_missing_month_cuts_proof(context: Context, month: str, *, is_asked: bool) -> None:
    """What came in meanwhile may make a payment look like money that the account had not got."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    rows: Rows = [(f"{month}{day[2:]}", text, amount) for day, text, amount in turned(OCTOBER)]
    # The months between brought twice what the first row takes, so that it fits as what came in.
    text = unsigned(rows, AFTER_SEPTEMBER + 2 * 3200)
    if is_asked:
        assert await asked(context, {"export.csv": text}) == [(0, "direction")]
        file = await one(context, text, direction="first:out")
        assert (about_direction(file), await amounts(context)) == ([], amounts_of(SEPTEMBER, rows))
    else:
        assert (await one(context, text)).new == len(rows)
        assert await amounts(context) == amounts_of(SEPTEMBER, turned(rows))


@pytest.mark.parametrize("left", [0, 1])
async def test_an_account_that_was_empty_tells_nothing(context: Context, left: int) -> None:
    """A balance of nothing is before the first row of many an account, and is asked about."""
    await one(context, unsigned(SEPTEMBER, left - sum(amounts_of(SEPTEMBER))), direction="first:in")
    text = unsigned(OCTOBER, left)
    if left:
        assert (await one(context, text)).new == len(OCTOBER)
    else:
        assert await asked(context, {"export.csv": text}) == [(0, "direction")]


async def test_an_account_that_is_undone_tells_nothing(context: Context) -> None:
    """After its import is undone a file is asked about like a first one."""
    text = unsigned(SEPTEMBER, BEFORE)
    report = await attempt(context, {"export.csv": text}, direction="first:in")
    await undo_import(context, ImportId(id=report.id or ""))
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]


async def test_rows_after_a_stated_balance_move_it(context: Context) -> None:
    """Between a stated balance and the file, the account's rows are counted."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    await one(context, "Date,Text,Debit,Credit\n2026-09-29,CAFE,7.00,\n2026-09-30,PAY,,90.00\n")
    file = await one(context, unsigned(turned(OCTOBER), AFTER_SEPTEMBER + 83))
    assert (file.new, await amounts(context)) == (
        5,
        [*amounts_of(SEPTEMBER), -7, 90, *amounts_of(turned(OCTOBER))],
    )


async def test_a_file_may_begin_on_the_day_of_the_last_row(context: Context) -> None:
    """The balance after the last row counts, too, where the next row is of the same day."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    rows = [("09-28", "BONUS", 500), *OCTOBER]
    file = await one(context, unsigned(rows, AFTER_SEPTEMBER))
    assert file.new == 6
    again = await one(
        context, "Date,Text,Debit,Credit\n2026-10-13,CAFE,7.00,\n2026-10-13,PAY,,9.00\n"
    )
    assert again.new == 2
    closing = AFTER_SEPTEMBER + sum(amounts_of(rows)) + 2
    file = await one(context, unsigned([("10-13", "LATE", -60), ("10-14", "CAFE", -5)], closing))
    assert sorted(await amounts(context)) == sorted([*amounts_of(SEPTEMBER, rows), -7, 9, -60, -5])


async def test_rows_in_other_words_are_known_by_the_balance(context: Context) -> None:
    """Within the days that an account is covered for, a later balance tells the one before a row."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    rows = [(day, f"{n} other", amount) for n, (day, _, amount) in enumerate(SEPTEMBER)]
    file = await one(context, unsigned(rows[2:], BEFORE + 1800), direction="first:in", dry_run=True)
    assert about_direction(file) == [("first:in", "ignored", "Everyday had 2800.00", False)]


@pytest.mark.thorough
@pytest.mark.parametrize("said", ["first:owed", "out"])
async def test_a_debt_stays_one(context: Context, said: str) -> None:
    """Whether a balance is owed is told by the account as well, for the same file and the next one."""
    card = {"account": "Visa", "account_kind": "credit"}
    text = unsigned(CARD, -500, owed=True)
    assert await asked(context, {"export.csv": text}, **card) == [(0, "direction")]
    await one(context, text, direction=said, **card)

    file = await one(context, text, **card)
    assert (file.new, file.known) == (0, 5)
    file = await one(context, text, direction="first:in", **card)
    assert about_direction(file) == [("first:in", "ignored", "Visa already has", True)]
    file = await one(context, text, direction=said, **card)
    assert about_direction(file) == [(said, "not needed", "Visa already has", False)]
    later = [("09-21", "HOTEL", -70), ("09-24", "TAXI", -20), ("09-25", "BAR", -5)]
    file = await one(context, unsigned(later, -575, owed=True), **card)
    assert (file.new, file.accounts[0].balance_fits) == (3, True)
    assert file.accounts[0].closing_balance == 67000
    assert await amounts(context) == amounts_of(CARD, later)


@pytest.mark.parametrize("name", ["Balance", "Balance owed"])
async def test_a_debt_that_the_file_tells_continues(context: Context, name: str) -> None:
    """Where words or the header say that a balance is owed, the next one is compared as owed."""
    card = {"account": "Visa", "account_kind": "credit"}
    text = unsigned(CARD, -500, owed=True).replace("BANK", "PAYMENT THANK YOU")
    await one(context, text.replace("Balance", name), direction="first:out", **card)
    later: Rows = [
        ("09-11", "REFUND", 70),
        *((f"09-1{day[4:]}", text, amount) for day, text, amount in CARD[1:]),
    ]
    text = unsigned(later, -575, owed=True).replace("BANK", "PAYMENT THANK YOU")
    file = await one(context, text.replace("Balance", name), **card)
    assert (file.new, file.accounts[0].closing_balance) == (5, 54000)
    after = sum(amounts_of(CARD, later)) - 500
    spent = unsigned([("09-20", "HOTEL", -70), *BAR], after, owed=True).replace("Balance", name)
    file = await one(context, spent, direction="first:owed", dry_run=True, **card)
    assert [note[:2] for note in about_direction(file)] == [("first:owed", "not needed")]
    assert await amounts(context) == amounts_of(CARD, later)


async def test_savings_that_rise_are_no_debt(context: Context) -> None:
    """A balance that mostly rises is what is there again, where it continues what was there."""
    rows = [(f"09-0{day}", "DEPOSIT", 10 * day) for day in range(1, 6)]
    await one(context, unsigned(rows, 100), direction="first:in")
    later = [(f"09-2{day}", "DEPOSIT", 10 * day) for day in range(1, 6)]
    file = await one(context, unsigned(later, 250))
    assert (file.new, file.accounts[0].closing_balance) == (5, 40000)
    assert await amounts(context) == amounts_of(rows, later)
    file = await one(context, unsigned(later, 250), direction="first:owed")
    assert about_direction(file) == [("first:owed", "ignored", "Everyday already has", True)]
    assert await amounts(context) == amounts_of(rows, later)


def of_accounts(*statements: tuple[str, str]) -> str:
    """One file of the statements of several accounts."""
    lines = [
        f"{number},{line}\n"
        for number, text in statements
        for line in text.removeprefix(HEADER).splitlines()
    ]
    return f"Account,{HEADER}" + "".join(lines)


NO_NAME: dict[str, Any] = {"account": None}


async def test_each_account_of_a_file_tells_its_own_row(context: Context) -> None:
    """First rows that go two ways are read by two accounts; what one does not tell is asked."""
    first = of_accounts(
        ("111222333", unsigned(SEPTEMBER, BEFORE)), ("444555666", unsigned(SEPTEMBER, 5000))
    )
    await one(context, first, direction="first:in", **NO_NAME)
    both = [turned(OCTOBER), OCTOBER]
    texts = [unsigned(both[0], AFTER_SEPTEMBER), unsigned(both[1], 5000 + AFTER_SEPTEMBER - BEFORE)]
    off = of_accounts(("111222333", texts[0]), ("444555666", unsigned(both[1], 77)))
    assert await asked(context, {"export.csv": off}, **NO_NAME) == [(0, "direction")]
    file = await one(context, off, direction="first:in", dry_run=True, **NO_NAME)
    assert [each.money_in for each in file.accounts] == [1000, 321000]
    assert about_direction(file) == []

    second = of_accounts(("111222333", texts[0]), ("444555666", texts[1]))
    file = await one(context, second, **NO_NAME)
    assert file.new == 10
    assert sorted(await amounts(context)) == sorted(amounts_of(SEPTEMBER, SEPTEMBER, *both))


async def test_files_of_one_import_continue_each_other(context: Context) -> None:
    """Of several months at once only the first is asked about."""
    november = [(f"11-{day[3:]}", text, amount) for day, text, amount in OCTOBER]
    after = AFTER_SEPTEMBER + sum(amounts_of(turned(OCTOBER)))
    files = {
        "september.csv": unsigned(SEPTEMBER, BEFORE),
        "october.csv": unsigned(turned(OCTOBER), AFTER_SEPTEMBER),
        "november.csv": unsigned(november, after),
    }
    assert await asked(context, files) == [(0, "direction")]
    answers = [{"file": 0, "about": "direction", "value": "first:in"}]
    report = await attempt(context, files, answers=answers)
    assert [file.new for file in report.files] == [7, 5, 5]
    assert await amounts(context) == amounts_of(SEPTEMBER, turned(OCTOBER), november)


@pytest.mark.parametrize("said", ["first:owed", "first:out"])
async def test_one_answer_on_a_debt_is_for_all_of_an_import(context: Context, said: str) -> None:
    """Whether the balance is owed is asked of the first month, and the next one follows it."""
    rows: Rows = [("09-01", "TRADER", -40), ("09-02", "MUSIC", -10), ("09-04", "TAXI", -20)]
    later: Rows = [(f"10{day[2:]}", text, amount) for day, text, amount in rows]
    files = {
        "september.csv": unsigned(rows, -500, owed=True),
        "october.csv": unsigned(later, -570, owed=True),
    }
    assert await asked(context, files) == [(0, "direction")]
    answers = [{"file": 0, "about": "direction", "value": said}]
    report = await attempt(context, files, answers=answers)
    closings = [file.accounts[0].closing_balance for file in report.files]
    if said == "first:owed":
        assert (await amounts(context), closings) == (amounts_of(rows, later), [-57000, -64000])
    else:
        assert (await amounts(context), closings) == ([-40, 10, 20, 40, 10, 20], [57000, 64000])


async def test_files_of_one_import_that_overlap_ask_once(context: Context) -> None:
    """A first row that another file of the import shows goes the way that it goes there."""
    whole = unsigned(turned(SEPTEMBER), BEFORE + 6400)
    part = unsigned(SEPTEMBER[3:], BEFORE + sum(amounts_of(SEPTEMBER[:3])))
    files = {"part.csv": part, "whole.csv": whole}
    assert await asked(context, files, direction=None) == [(1, "direction")]
    report = await attempt(context, files, direction="first:out")
    assert [file.new for file in report.files] == [4, 3]
    assert await amounts(context) == amounts_of(turned(SEPTEMBER))


async def test_the_account_is_asked_about_first(context: Context) -> None:
    """Where a file may be an account's that is there, its first row is asked about only if it is not."""
    text = unsigned(SEPTEMBER, BEFORE)
    await one(context, text.replace("Amount", "Sum"), direction="first:in", account="Everyday")
    files = {"other.csv": text}
    unnamed: dict[str, Any] = {"account": None}
    assert await asked(context, files, **unnamed) == [(0, "sameAccount")]
    (account,) = await list_accounts(context, Nothing())
    (file,) = (
        await attempt(context, files, same_account=account.id, dry_run=True, **unnamed)
    ).files
    assert (file.new, file.known) == (0, 7)
    assert await asked(context, files, same_account="new", **unnamed) == [(0, "direction")]


@pytest.mark.thorough
async def test_a_row_and_its_like_the_other_way_are_told_apart(context: Context) -> None:
    """Of two rows of one day, size and text, the one that the file shows is not the other one."""
    rows: Rows = [
        ("09-01", "HOTEL", -50), ("09-01", "HOTEL", 50), ("09-02", "RENT", -400), ("09-05", "CAFE", -5),
        ("09-09", "FUEL", -40),
    ]  # fmt: skip
    for account, first in (("One", rows), ("Other", [rows[1], rows[0], *rows[2:]])):
        text = unsigned(first, BEFORE)
        way = "first:in" if first[0][2] > 0 else "first:out"
        await one(context, text, direction=way, account=account)
        for said in (None, "first:in", "first:out"):
            file = await one(context, text, direction=said, account=account)
            assert (file.new, file.known) == (0, 5)


async def test_a_row_that_was_set_aside_is_known(context: Context) -> None:
    """What the person said is a copy of another row is not asked about, either."""
    signed = "Date,Description,Amount\n2026-09-01,BAKERY,-3.00\n{}\n2026-09-12,CAFE,-4.00\n"
    for row in ("2026-09-05,PLUMBER BILL 88,-120.00", "2026-09-06,PLUMBER INVOICE,-120.00"):
        await one(context, signed.format(row))
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    aside = duplicate.other
    text = unsigned([(f"{aside.date:%m-%d}", aside.raw or "", -120), *OCTOBER], BEFORE)
    file = await one(context, text)
    assert (file.new, file.known) == (5, 1)
    assert -120 in await amounts(context)


def signed(rows: Rows) -> str:
    """A statement without balances, of which each row says its way."""
    lines = [f"2026-{day},{text},{amount}.00\n" for day, text, amount in rows]
    return "Date,Description,Amount\n" + "".join(lines)


@pytest.mark.parametrize("first", ["in", "out"])
async def test_rows_alone_tell_where_no_balance_was_stated(context: Context, first: str) -> None:
    """An account whose files had no balances knows its rows all the same."""
    rows = SEPTEMBER if first == "in" else turned(SEPTEMBER)
    await one(context, signed(rows))
    file = await one(context, unsigned(rows, BEFORE))
    assert (file.new, file.known) == (0, 7)
    assert await amounts(context) == amounts_of(rows)


async def test_a_row_that_the_file_shows_is_no_other_one(context: Context) -> None:
    """A row that came back the same day is there, the one before it is not: that one is asked."""
    rows: Rows = [("09-01", "HOTEL", -50), ("09-01", "HOTEL", 50), *SEPTEMBER[1:]]
    await one(context, signed(rows[1:]))
    text = unsigned(rows, BEFORE)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]
    file = await one(context, text, direction="first:out")
    assert (file.new, file.known) == (1, 7)


async def test_two_balances_that_tell_two_ways_tell_none(context: Context) -> None:
    """Where rows of the first row's day may stand on either side of it, both fit, and it is asked."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    await one(
        context, signed([("10-01", "BONUS", 100), ("10-20", "SHOP", -3), ("10-21", "BAR", -4)])
    )
    rows: Rows = [("10-01", "GIFT", 50), *OCTOBER[1:]]
    text = unsigned(rows, AFTER_SEPTEMBER)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]


async def test_later_rows_of_the_first_day_do_not_move_its_opening(context: Context) -> None:
    """The balance before the first row is that of the days before, whatever else its day brought."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    await one(context, signed([("10-01", "CAFE", -7), ("10-20", "SHOP", -3), ("10-21", "BAR", -4)]))
    rows: Rows = [OCTOBER[0], ("10-01", "CAFE", -7), *OCTOBER[1:]]
    file = await one(context, unsigned(rows, AFTER_SEPTEMBER))
    assert (file.new, file.known) == (5, 1)


async def test_days_before_all_statements_are_asked_about(context: Context) -> None:
    """The balance that the oldest statement began with is none of an older file's first row."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    august: Rows = [
        ("08-01", "GIFT", -50),
        ("08-02", "RENT", -60),
        ("08-03", "PAY", 10),
        ("08-09", "BAR", -1),
    ]
    text = unsigned(august, BEFORE + 100)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]


async def test_known_rows_leave_open_whether_a_balance_is_owed(context: Context) -> None:
    """Where no balance was stated before, the row is known, and what the balance is, is asked."""
    await one(context, signed(CARD))
    text = unsigned(CARD, -500, owed=True)
    assert await asked(context, {"export.csv": text}) == [(0, "direction")]
    file = await one(context, text, direction="first:owed")
    assert (file.new, file.known) == (0, 5)


async def test_a_file_does_not_continue_itself(context: Context) -> None:
    """Of an account with two equal rows of one day, the closing balance is none before the first."""
    day: Rows = [("09-09", "CAFE", -5), ("09-09", "CAFE X", -5)]
    text = of_accounts(
        ("111222333", unsigned(SEPTEMBER, BEFORE)), ("444555666", unsigned(day, 700))
    )
    await one(context, text, direction="first:out", **NO_NAME)
    assert sorted(await amounts(context)) == sorted(amounts_of(turned(SEPTEMBER), day))


async def test_a_row_behind_a_missing_one_is_not_told_by_balances(context: Context) -> None:
    """Only of the oldest row the balance before it is the account's; others are asked about."""
    await one(context, unsigned(SEPTEMBER, BEFORE), direction="first:in")
    small: Rows = [(f"10-{day:02}", f"SHOP {day}", -1) for day in range(2, 25)]
    rows: Rows = [("10-01", "GIFT", 100), *small[:10], ("10-12", "MISSING", -50),
                  ("10-12", "FUEL", -20), *small[11:]]  # fmt: skip
    lines = unsigned(rows, AFTER_SEPTEMBER).splitlines(keepends=True)
    # Read as money in, the row behind the gap would begin with the balance of September.
    gap = "".join(line for line in lines if "MISSING" not in line)
    assert await asked(context, {"export.csv": gap}) == [(0, "direction")]
    file = await one(context, gap, direction="first:out")
    assert (file.new, about_direction(file)) == (24, [])
    left = [row for row in rows if row[1] != "MISSING"]
    assert sorted(await amounts(context)) == sorted(amounts_of(SEPTEMBER, left))


async def test_a_statement_missing_between_two_tells_no_first_row(context: Context) -> None:
    """What one file ends with is no opening of another file where months between them are missing."""
    gift = 25
    november: Rows = [("11-01", "GIFT", gift), ("11-05", "BAR", -6), ("11-06", "BAR", -7),
                      ("11-08", "BAR", -8), ("11-20", "REST", 9)]  # fmt: skip
    september = unsigned(SEPTEMBER, BEFORE)
    # What is missing of October is just what makes the gift look like twice as much spent.
    files = {"sep.csv": september, "nov.csv": unsigned(november, AFTER_SEPTEMBER - 2 * gift)}
    with pytest.raises(Conflict, match=r"Is 25\.00"):
        await attempt(context, files)
    report = await attempt(context, files, direction="first:in")
    assert [account.money_in for account in report.files[1].accounts] == [100 * (gift + 9)]
    assert not any("ignored" in note for note in report.files[1].notes)
