"""One account in two files: asked before anything is stored, and every figure as with one file.

Two formats of one account are taken back in either order: no row is lost, and none is there twice.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.detection import DuplicateQuery
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId, ProfileId
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.imports.profiles import forget_import_profile, list_import_profiles
from finplan.service.planning.plans import build_plan
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import list_duplicates
from tests.service import one_truth
from tests.service.conftest import bring, dump, grown, live_in
from tests.service.one_truth import FORMATS
from tests.service.said import all_rows, open_question
from tests.statements.reading_files import Row

Import = Callable[..., Awaitable[Any]]
ROWS = one_truth.rows()
PAIRS = [
    (one, other)
    for one in FORMATS
    for other in FORMATS
    if one != other and not (one.startswith("export") and other.startswith("export"))
]
EVERY_PAIR = pytest.mark.parametrize(("one", "other"), PAIRS)


@pytest.fixture
async def context(newcomer: Context) -> Context:
    """The context of a person whose household is in euros, as the files are, so that all counts."""
    await live_in(newcomer, "EUR")
    return newcomer


async def _import(context: Context, *names: str, **said: object) -> Any:
    """Import the same rows in some formats, in euros where a file does not say it."""
    files = {name: FORMATS[name](ROWS) for name in names}
    return await bring(context, files, currency="EUR", **said)


async def _figures(context: Context) -> dict[str, object]:
    """Every figure that rows enter: the rows themselves, spending by month, and the plan's sums."""
    page = await list_transactions(context, TransactionQuery(limit=500))
    spending = await query_spending(context, SpendingQuery(group_by="month"))
    plan = (await build_plan(context, Nothing())).plan
    return {
        "rows": sorted((row.date.isoformat(), row.amount) for row in page.transactions),
        "spending": spending.model_dump(),
        "accounts": len(await list_accounts(context, Nothing())),
        "income": plan.monthly.model_dump(),
    }


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> dict[str, object]:
    """The figures of a person who imports the one file alone."""
    folder, figures = tmp_path_factory.mktemp("once"), dict[str, object]()

    async def live(context: Context) -> None:
        await live_in(context, "EUR")
        await _import(context, "bank.csv")
        figures.update(await _figures(context))
        assert (await query_spending(context, SpendingQuery())).count > 30

    grown(empty_store, folder, live)
    return figures


@pytest.mark.thorough
@pytest.mark.sampled(8)
@EVERY_PAIR
async def test_one_after_the_other(
    context: Context, once: dict[str, object], one: str, other: str
) -> None:
    """Whatever the formats are, the second file is asked about; as the same account it adds nothing."""
    await _import(context, one)
    (account,) = await list_accounts(context, Nothing())
    before = await dump(context)
    with pytest.raises(Conflict) as asked:
        await _import(context, other)
    assert open_question(asked.value) == ("sameAccount", [account.id, "new"])
    assert await dump(context) == before

    report = await _import(context, other, same_account=account.id)
    assert report.files[0].new == 0
    assert await _figures(context) == once
    again = await _import(context, other)
    assert (again.files[0].new, await _figures(context)) == (0, once)


@pytest.mark.sampled(8)
@EVERY_PAIR
async def test_in_one_import(
    context: Context, once: dict[str, object], one: str, other: str
) -> None:
    """Two formats in one import are asked about as well; undone, nothing is left of either."""
    with pytest.raises(Conflict) as asked:
        await _import(context, one, other)
    about, (name, new) = open_question(asked.value)
    assert (about, new) == ("sameAccount", "new")
    assert await list_accounts(context, Nothing()) == ()

    report = await _import(context, one, other, same_account=name)
    assert [file.new for file in report.files] == [len(ROWS), 0]
    assert await _figures(context) == once
    again = await _import(context, other, one)
    assert ([file.new for file in again.files], await _figures(context)) == ([0, 0], once)
    for each in (again, report):
        await undo_import(context, ImportId(id=each.id))
    assert await list_accounts(context, Nothing()) == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("one", "other"), PAIRS[::7])
async def test_another_account_is_another_account(context: Context, one: str, other: str) -> None:
    """With `new` the rows of both files are there, and neither file is asked about again."""
    await _import(context, one)
    report = await _import(context, other, same_account="new")
    assert report.files[0].new == len(ROWS)
    assert all("treated as checking" in note for note in report.files[0].notes)
    assert len(await list_accounts(context, Nothing())) == 2
    for name in (one, other):
        again = await _import(context, name)
        assert again.files[0].new == 0
    assert len(await list_accounts(context, Nothing())) == 2


async def test_three_files_at_once_are_one(context: Context, once: dict[str, object]) -> None:
    """Each file after the first is asked about, and all go where the answers say."""
    names = ("bank.csv", "checking.ofx", "money.qif")
    with pytest.raises(Conflict) as asked:
        await _import(context, *names)
    questions = (asked.value.data or {})["questions"]
    offered = [
        (each["file"], [choice["value"] for choice in each["choices"]]) for each in questions
    ]
    assert offered == [(1, ["bank", "new"]), (2, ["bank", "new"])]
    said = [{"file": each, "about": "sameAccount", "value": "bank"} for each in (1, 2)]
    with pytest.raises(Conflict) as still_asked:
        await _import(context, *names, answers=said[:1])
    assert open_question(still_asked.value) == ("sameAccount", ["Checking 1234", "new"])
    await _import(context, *names, answers=said)
    assert await _figures(context) == once
    (account,) = await list_accounts(context, Nothing())
    assert (account.name, account.institution_name, account.mask) == (
        "Checking 1234",
        "Alpha",
        "1234",
    )


async def test_a_file_meets_its_account_by_what_was_learned(context: Context) -> None:
    """After the answer the account goes by the number, the name and the layout of both; undo forgets."""
    await _import(context, "bank.csv")
    before = await dump(context)
    second = await _import(context, "checking.ofx", same_account="bank")
    third = await _import(context, "other.csv", same_account="bank")
    later = one_truth.rows(20, ROWS[-1][0] + timedelta(2))
    files = {name: FORMATS[name](later) for name in ("checking.ofx", "bank.csv", "other.csv")}
    report = await bring(
        context, files | {"renamed.csv": FORMATS["other.csv"](later)}, currency="EUR"
    )
    assert [file.new for file in report.files] == [20, 0, 0, 0]
    assert len(await list_accounts(context, Nothing())) == 1

    known = {profile.columns for profile in await list_import_profiles(context, Nothing())}
    assert any(columns.endswith("named other") for columns in known)
    assert any("77001234" in columns for columns in known)
    for each in (report, third, second):
        await undo_import(context, ImportId(id=each.id))
    assert await dump(context) == before


async def test_what_was_learned_can_be_forgotten(context: Context) -> None:
    """Once its number is forgotten, a file is asked about again."""
    await _import(context, "bank.csv")
    await _import(context, "checking.ofx", same_account="bank")
    listed = await list_import_profiles(context, Nothing())
    (profile,) = [each for each in listed if "number" in each.columns]
    await forget_import_profile(context, ProfileId(id=profile.id))
    with pytest.raises(Conflict, match="the same account"):
        await _import(context, "checking.ofx")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("other", ["checking.ofx", "other.csv", "statement.xml"])
@pytest.mark.parametrize("shift", [1, 2, 3])
async def test_booking_days_and_value_days(
    context: Context, once: dict[str, object], other: str, shift: int
) -> None:
    """A format that dates some rows a few days later is asked about, and no row comes twice."""
    await _import(context, "bank.csv")
    moved = [
        (day + timedelta(shift if place % 3 == 1 and place < 36 else 0), amount, text)
        for place, (day, amount, text) in enumerate(ROWS[:-1])
    ]
    text = {other: FORMATS[other](moved)}
    with pytest.raises(Conflict) as asked:
        await bring(context, text, currency="EUR")
    (question,) = (asked.value.data or {})["questions"]
    assert "12 of them" in question["choices"][0]["sample"]

    report = await bring(context, text, currency="EUR", same_account="bank")
    assert (report.files[0].new, await _figures(context)) == (0, once)
    apart = "one day" if shift == 1 else f"up to {shift} days"
    (note,) = report.files[0].notes
    assert re.match(f"12 transactions .* {apart} earlier or later", note)


@pytest.mark.parametrize("other", ["checking.ofx", "other.csv"])
async def test_files_that_overlap_in_part(context: Context, other: str) -> None:
    """Only the days that both cover are compared, and what is beyond them is added."""
    await bring(context, {"bank.csv": FORMATS["bank.csv"](ROWS[:25])}, currency="EUR")
    text = {other: FORMATS[other](ROWS[15:])}
    with pytest.raises(Conflict) as asked:
        await bring(context, text, currency="EUR")
    (question,) = (asked.value.data or {})["questions"]
    choice = question["choices"][0]
    assert choice["label"].endswith(": Statement files bank")
    assert choice["sample"].startswith("10 of 10 transactions")
    assert "1 Apr to 19 Apr 2026" in choice["sample"]
    report = await bring(context, text, currency="EUR", same_account="bank")
    assert report.files[0].new == 15


@pytest.mark.parametrize("other", ["bank2.csv", "checking.ofx", "statement.xml"])
async def test_standing_orders_and_fees_are_no_question(context: Context, other: str) -> None:
    """Two accounts that share a fee and two standing orders are two, and nobody is asked."""
    same = ROWS[:3]
    await bring(context, {"bank.csv": FORMATS["bank.csv"](ROWS)}, currency="EUR")
    theirs = sorted([*same, *one_truth.rows(12, account=1)])
    form = FORMATS.get(other, one_truth.bank_csv)
    report = await bring(context, {other: form(theirs)}, currency="EUR")
    assert report.files[0].new == 15
    assert len(await list_accounts(context, Nothing())) == 2


async def test_each_account_of_a_file_has_its_own_answer(context: Context) -> None:
    """One of a file's accounts may be there already while the other is another one."""
    second = one_truth.rows(40, account=1)
    await _import(context, "bank.csv")
    await bring(context, {"second.csv": FORMATS["bank.csv"](second)}, currency="EUR")
    lines = [f"{FORMATS['bank.csv']([]).strip()},Account"]
    for name, rows in (("A", ROWS), ("B", second)):
        lines += [f"{row},{name}" for row in FORMATS["bank.csv"](rows).splitlines()[1:]]
    text = {"both.csv": "\n".join(lines)}
    with pytest.raises(Conflict) as asked:
        await bring(context, text, currency="EUR")
    questions = (asked.value.data or {})["questions"]
    assert [each["text"].split(" the ")[0] for each in questions] == [
        "Is “A”", "Is “B”",
    ]  # fmt: skip
    values = [questions[0]["choices"][0]["value"], "new"]
    said = [{"file": 0, "about": "sameAccount", "value": value} for value in values]
    report = await bring(context, text, currency="EUR", answers=said)
    assert [account.name for account in report.files[0].accounts] == ["bank", "B"]
    assert (report.files[0].new, report.files[0].transactions) == (40, 80)


async def test_two_charges_of_one_day_stay_two(context: Context) -> None:
    """Equal rows are counted, not merged: where the second file has one more, it is added."""
    twice = sorted([*ROWS, ROWS[3]])
    await bring(context, {"bank.csv": FORMATS["bank.csv"](ROWS)}, currency="EUR")
    text = {"other.csv": FORMATS["other.csv"](twice)}
    report = await bring(context, text, currency="EUR", same_account="bank")
    assert report.files[0].new == 1
    again = await bring(
        context, {"checking.ofx": FORMATS["checking.ofx"](twice)}, same_account="bank"
    )
    assert again.files[0].new == 0


def _shared(*amounts: int, months: int = 6) -> list[Row]:
    """Standing orders of these amounts, each on its own day of every month."""
    return [
        (date(2026, month, 3 + 2 * place), amount, f"Order {place}")
        for month in range(1, months + 1)
        for place, amount in enumerate(amounts)
    ]


def _own(count: int, cents: int) -> list[Row]:
    """Rows of one person alone, over the same half year."""
    return [
        (date(2026, 1, 2) + timedelta(4 * place), -1_000 - 37 * place - cents, f"Shop {place}")
        for place in range(count)
    ]


HOUSEHOLDS = {
    "partners who share a rent and a few transfers": (
        sorted([*_own(40, 1), *_shared(-600_00, -45_00, 300_00)]),
        sorted([*_own(30, 2), *_shared(-600_00, -45_00, 300_00)]),
    ),
    "cards of partners with the same subscriptions": (
        sorted([*_own(40, 1), *_shared(-13_99, -9_99, -4_99, -17_99)]),
        sorted([*_own(8, 2), *_shared(-13_99, -9_99, -4_99, -17_99)]),
    ),
    "checking and savings that mirror each other": (
        sorted([*_own(40, 1), *_shared(-300_00, -50_00, -25_00)]),
        _shared(300_00, 50_00, 25_00),
    ),
    "savings with equal amounts every month": (
        _shared(300_00, 50_00),
        [(day, amount, "Ben saves") for day, amount, _ in _shared(300_00, 50_00)],
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("one", "other"), HOUSEHOLDS.values(), ids=HOUSEHOLDS.keys())
@pytest.mark.parametrize("form", ["checking.ofx", "other.csv"])
async def test_two_accounts_of_one_household_are_two(
    context: Context, one: list[Row], other: list[Row], form: str
) -> None:
    """What a household shares is no sign of one account: nothing is asked, nothing is shown."""
    await bring(context, {"bank.csv": one_truth.bank_csv(one)}, currency="EUR")
    report = await bring(context, {form: FORMATS[form](other)}, currency="EUR")
    assert report.files[0].new == len(other)
    assert len(await list_accounts(context, Nothing())) == 2
    assert await list_duplicates(context, DuplicateQuery()) == ()


async def test_an_account_called_new_is_meant_by_its_id(context: Context) -> None:
    """`new` is another account, also where an account is called so; that one has another value."""
    await _import(context, "bank.csv", account="New")
    report = await _import(context, "checking.ofx", same_account="new")
    assert report.files[0].accounts[0].new
    await undo_import(context, ImportId(id=report.id))
    await bring(context, {"new.csv": one_truth.bank_csv(ROWS[:30])}, currency="EUR")
    assert len(await list_accounts(context, Nothing())) == 1


async def test_a_file_called_new_is_offered_under_another_value(context: Context) -> None:
    """The two choices differ also where the other file of the import is called like the answer."""
    files = {"new.csv": one_truth.bank_csv(ROWS), "checking.ofx": one_truth.ofx(ROWS)}
    with pytest.raises(Conflict) as asked:
        await bring(context, files, currency="EUR")
    about, values = open_question(asked.value)
    assert (about, values) == ("sameAccount", ["name:new", "new"])
    report = await bring(context, files, currency="EUR", same_account="name:new")
    assert [file.new for file in report.files] == [40, 0]


async def test_columns_of_a_numbered_table_lead_to_no_account(context: Context) -> None:
    """A table with the account's number teaches that alone, since other accounts share its columns."""
    await _import(context, "bank.csv")
    head, *lines = one_truth.bank_csv(ROWS).splitlines()
    numbered = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    await bring(context, {"n.csv": numbered}, currency="EUR", same_account="bank")
    (learned,) = [each for each in await list_import_profiles(context, Nothing()) if each.accounts]
    assert learned.columns == "account number 77001234"


_ALL = one_truth.rows(50)
_TWICE = _ALL[25]
"""A charge that is there twice on a day that both files have."""

ROWS_OF_BOTH = {"first": sorted([*_ALL[:30], _TWICE]), "second": sorted([*_ALL[20:], _TWICE])}
PAIRS_OF_FORMATS = [
    *permutations(("checking.ofx", "bank.csv"), 2),
    *permutations(("bank.csv", "other.csv"), 2),
    *permutations(("money.qif", "bank.csv"), 2),
    *permutations(("money.qif", "other.csv"), 2),
]


def _dated(*parts: list[Row]) -> Counter[tuple[date, int]]:
    """Day and amount of the rows of files, of which each has every row of its days."""
    found = Counter[tuple[date, int]]()
    for part in parts:
        found |= Counter((day, amount) for day, amount, _ in part)
    return found


class _Household:
    """Imports the two files of one account under their names, and takes them back."""

    def __init__(self, context: Context, files: dict[str, tuple[str, str]]) -> None:
        self._context = context
        self._files = files
        self._ids: dict[str, list[str]] = {}

    async def bring(self, which: str) -> int:
        """Import a file; answers how many rows were new."""
        name, text = self._files[which]
        report = await bring(self._context, {name: text}, account="Giro", currency="EUR")
        self._ids.setdefault(which, []).append(report.id)
        return int(report.files[0].new)

    async def undo(self, which: str) -> None:
        """Take the newest import of a file back."""
        await undo_import(self._context, ImportId(id=self._ids[which].pop()))

    async def rows(self) -> Counter[tuple[date, int]]:
        """Day and amount of every row."""
        return Counter((row.date, row.amount) for row in await all_rows(self._context))


@pytest.mark.thorough
@pytest.mark.sampled(6)
@pytest.mark.parametrize("undone", ["first", "second"])
@pytest.mark.parametrize("brought", ["first", "second"])
@pytest.mark.parametrize(("one", "other"), PAIRS_OF_FORMATS)
async def test_what_one_file_leaves_is_the_other(
    context: Context, one: str, other: str, brought: str, undone: str
) -> None:
    """Whichever came first and whichever goes first; what goes may come again, and all may go."""
    names = {"first": one, "second": other}
    texts = {which: (name, FORMATS[name](ROWS_OF_BOTH[which])) for which, name in names.items()}
    home = _Household(context, texts)
    later = "second" if brought == "first" else "first"
    stays = "second" if undone == "first" else "first"
    union, left = _dated(*ROWS_OF_BOTH.values()), _dated(ROWS_OF_BOTH[stays])

    await home.bring(brought)
    await home.bring(later)
    assert await home.rows() == union
    await home.undo(undone)
    assert await home.rows() == left
    assert await home.bring(stays) == 0
    assert await home.rows() == left
    await home.undo(stays)
    assert await home.rows() == left
    assert await home.bring(undone) == 20
    assert await home.rows() == union
    await home.undo(stays)
    assert await home.rows() == _dated(ROWS_OF_BOTH[undone])
    await home.undo(undone)
    assert await home.rows() == Counter()
    assert await list_accounts(context, Nothing()) == ()
    for which in (later, brought):
        await home.bring(which)
    assert await home.rows() == union
