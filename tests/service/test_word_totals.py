"""Whatever is said of rows, in any order: every total is a recount of the rows, whoever adds it up."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from random import Random
from typing import Any, Literal, NamedTuple

import pytest
from sqlalchemy import Connection

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.detection import TransferQuery, TransferVerdict
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingMonthsQuery, SpendingQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.ledger.categorisation import read_inferred
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_snapshot
from finplan.service.rules import remove_rule, set_rule
from finplan.service.spending import query_spending, query_spending_months
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from tests.service.rich_household import elsewhere, exported, taken
from tests.service.said import all_rows, say

__all__ = ["elsewhere"]

Import = Callable[..., Awaitable[Any]]
Row = tuple[str, int, int, str, int]
"""What a row is: its account, day, amount, text and ordinal."""

SHOPS = ("SAFEWAY", "SHELL OIL", "ZORBLAX UNLIMITED", "BLUE HERON", "QUILLZWALD", "ONLINE TRANSFER")
MONTHS = range(5, 12)
CATEGORIES = ("groceries", "dining", "pets", "savings", "wages", "work_expenses", "transfer")
VERDICTS: tuple[Literal["confirm", "reject", "auto"], ...] = ("confirm", "reject", "auto")
MONTHLY: tuple[Literal["category", "merchant"], ...] = ("category", "merchant")
HEAD = "Date,Description,Amount\n"


class Part(NamedTuple):
    """What lies in a category, as on a statement."""

    payee: str
    category: str
    day: int
    amount: int


@dataclass
class Household:
    """What a household was told, beside the one that was told it."""

    context: Context
    dice: Random
    files: dict[str, str]
    imported: dict[str, str] = field(default_factory=dict)
    words: dict[Row, list[tuple[int, str]]] = field(default_factory=dict)
    notes: dict[Row, str] = field(default_factory=dict)
    amounts: dict[tuple[str, int], str] = field(default_factory=dict)

    async def recount(self) -> list[Part]:
        """Every part of every row that counts, in the category that the person or its payee says."""

        def rows(connection: Connection) -> list[Any]:
            return list(
                connection.exec_driver_sql(
                    "SELECT account.name, day, amount, tx.raw, ordinal, key, counts, transfer_no,"
                    " category_out, category_in FROM tx JOIN payee ON payee.no = payee_no"
                    " JOIN account ON account.no = account_no"
                )
            )

        found = []
        for *row, key, counts, transfer, out, into in await read_inferred(self.context, rows):
            is_, amount = tuple(row), row[2]
            said = None if transfer else self.words.get(is_)
            rule = None if transfer else self.amounts.get((key, -amount))
            if counts:
                own = [(amount, rule or (out if amount < 0 else into))]
                found += [Part(key, category, row[1], part) for part, category in said or own]
        return found

    async def rows(self) -> dict[Row, str]:
        """The public id of every posted row, by what it is."""

        def read(connection: Connection) -> dict[Row, str]:
            return {
                (account, day, amount, raw, ordinal): f"tx_{no}"
                for no, account, day, amount, raw, ordinal in connection.exec_driver_sql(
                    "SELECT tx.no, account.name, day, amount, tx.raw, ordinal FROM tx"
                    " JOIN account ON account.no = account_no ORDER BY tx.no"
                )
            }

        return await self.context.store.read(read)


def file(dice: Random, months: range) -> str:
    """Some months of pay, shops of few sizes, so that many are equal, and moves."""
    lines = [f"2026-{month:02d}-13,ACME CORP PAYROLL,5600.00" for month in months]
    for _ in range(22):
        sign = dice.choice(("-", "-", ""))
        day = f"2026-{dice.choice(months):02d}-{dice.randint(1, 20):02d}"
        lines.append(f"{day},{dice.choice(SHOPS)},{sign}{dice.choice((20, 20, 45, 130.5, 700))}")
    return HEAD + "\n".join(sorted(lines)) + "\n"


def split(dice: Random, amount: int) -> list[tuple[int, str]]:
    """Parts of an amount, some of the other sign."""
    parts = [dice.choice((-1, 1)) * dice.randint(1, 90_00) for _ in range(dice.randint(1, 3))]
    rest = amount - sum(parts)
    amounts = [*parts, rest] if rest else [*parts, 1, -1]
    return [(each, dice.choice(CATEGORIES)) for each in amounts]


async def say_something(home: Household) -> None:
    """Give a row a category, parts, a note, or take its word back."""
    rows = await home.rows()
    if not rows:
        return
    row = home.dice.choice(sorted(rows))
    kind = home.dice.choice(("category", "splits", "splits", "note", "nothing"))
    word: dict[str, Any] = {"category": None, "splits": None, "note": None}
    parts: list[tuple[int, str]] = []
    if kind == "category":
        category = home.dice.choice(CATEGORIES)
        word, parts = {"category": category}, [(row[2], category)]
    elif kind == "splits":
        parts = split(home.dice, row[2])
        word = {"splits": parts}
    elif kind == "note":
        word = {"note": home.dice.choice(("ours", "hers"))}
    present = next(each for each in await all_rows(home.context) if each.id == rows[row])
    try:
        await say(home.context, present, **word)
    except Conflict:
        return
    if kind == "note":
        home.notes[row] = word["note"]
        return
    home.words.pop(row, None)
    if parts:
        home.words[row] = parts
    if kind == "nothing":
        home.notes.pop(row, None)


async def rule(home: Household) -> None:
    """File a payee, or its rows of one size, or take such a rule back."""
    rows = await all_rows(home.context)
    if not rows:
        return
    row = home.dice.choice(rows)
    amount = home.dice.choice((None, -row.amount))
    category = home.dice.choice(CATEGORIES)
    ask = RuleRequest(payee_key=row.payee_key, category=category, amount=amount)
    saved = await set_rule(home.context, ask)
    if amount is not None:
        home.amounts[row.payee_key, amount] = category
    if home.dice.random() < 0.3:
        await remove_rule(home.context, RuleId(id=saved.id))
        if amount is not None:
            del home.amounts[row.payee_key, amount]


async def decide(home: Household) -> None:
    """Confirm or reject a transfer, or take that back."""
    listed = await list_transfers(home.context, TransferQuery())
    if listed:
        verdict, pair = home.dice.choice(VERDICTS), home.dice.choice(listed)
        await decide_transfer(home.context, TransferVerdict(id=pair.id, verdict=verdict))


async def come_and_go(home: Household, import_texts: Import) -> None:
    """Undo an import, or import a file again."""
    name = home.dice.choice(sorted(home.files))
    if name in home.imported:
        await undo_import(home.context, ImportId(id=home.imported.pop(name)))
    else:
        await bring(home, import_texts, name)


async def bring(home: Household, import_texts: Import, name: str) -> None:
    account = name.partition("-")[0]
    report = await import_texts({name: home.files[name]}, account=account)
    home.imported[name] = report.id


def spends(category: str) -> bool:
    """Whether a category is one of spending."""
    return BUILT_IN[category].flow == "spending"


def sums(parts: list[Part], by: Callable[[Part], Any]) -> dict[Any, tuple[int, int]]:
    """What parts come to, positive when money went out, and how many they are."""
    total, count = Counter[Any](), Counter[Any]()
    for part in parts:
        total[by(part)] -= part.amount
        count[by(part)] += 1
    return {key: (total[key], count[key]) for key in count}


BY: dict[Any, Callable[[Part], Any]] = {
    "category": lambda part: part.category,
    "merchant": lambda part: part.payee,
    "month": lambda part: f"{part.day // 10000}-{part.day // 100 % 100:02d}",
}


def questions(dice: Random, parts: list[Part]) -> Iterator[tuple[dict[str, Any], list[Part]]]:
    """Questions of spending with the parts that they are of."""
    spent = [part for part in parts if spends(part.category)]
    yield {}, spent
    wanted = tuple(dice.sample(CATEGORIES, 2))
    yield {"category": wanted}, [part for part in spent if part.category in wanted]
    since, until = date(2026, 7, 3), date(2026, 9, 13)
    within = [part for part in spent if 20260703 <= part.day <= 20260913]
    yield {"since": since, "until": until}, within
    if parts:
        shop = dice.choice(parts).payee
        yield {"merchant": (shop,)}, [part for part in spent if part.payee == shop]


async def check(home: Household) -> None:
    """Compare every total with the recount."""
    context, parts = home.context, await home.recount()
    for asked, of in questions(home.dice, parts):
        for grouping, by in BY.items():
            report = await query_spending(context, SpendingQuery(group_by=grouping, **asked))
            told = {each.key: (each.total, each.count) for each in report.groups if each.count}
            assert told == sums(of, by), (asked, grouping)
            assert (report.total, report.count) == (-sum(each.amount for each in of), len(of))
        for grouping in MONTHLY:
            table = await query_spending_months(
                context, SpendingMonthsQuery(group_by=grouping, **asked)
            )
            cells = {
                (group.key, month): total
                for group in table.groups
                for month, total in zip(table.months, group.totals, strict=True)
                if total
            }
            of_cell = sums(of, partial(cell_of, by=grouping))
            assert cells == {cell: total for cell, (total, _) in of_cell.items() if total}
    await check_plan(home, parts)
    await check_rows(home)
    await check_filed(home)


def cell_of(part: Part, by: str) -> tuple[str, str]:
    """The group and month that a part is in."""
    return BY[by](part), BY["month"](part)


async def check_plan(home: Household, parts: list[Part]) -> None:
    """The plan's categories and the snapshot's are the recount's, of the window and of this month."""
    if not home.imported:
        return
    plan = (await build_plan(home.context, Nothing())).plan
    first, last = (int(f"{day:%Y%m%d}") for day in (plan.window.since, plan.window.until))
    spent = [part for part in parts if spends(part.category)]
    of_window = [part for part in spent if first <= part.day <= last]
    # Where statements are missing in between, the plan leaves months out that no face names.
    if plan.window.days == (plan.window.until - plan.window.since).days + 1:
        told = {each.category: (each.total, each.count) for each in plan.categories}
        assert told == sums(of_window, BY["category"])
    snapshot = await show_snapshot(home.context, Nothing())
    now = {each.category: each.spent for group in snapshot.groups for each in group.categories}
    this_month = sums([part for part in spent if part.day // 100 == 202611], BY["category"])
    assert {key: total for key, total in now.items() if total} == {
        key: total for key, (total, _) in this_month.items() if total
    }


async def check_rows(home: Household) -> None:
    """Each row shows the word on it, and none shows another's."""
    rows = await home.rows()
    shown = {row.id: row for row in await all_rows(home.context)}
    for row, known in rows.items():
        assert shown[known].note == home.notes.get(row)
        if shown[known].transfer_id is None:
            parts = [(part.amount, part.category) for part in shown[known].splits or ()]
            word = home.words.get(row, [])
            assert parts == (word if len(word) > 1 else [])
            if len(word) == 1:
                assert shown[known].category == word[0][1]


async def check_filed(home: Household) -> None:
    """What is noted on a row of the word on it is what the word says, and on no row without one."""

    def noted(connection: Connection) -> dict[Row, str]:
        query = (
            "SELECT account.name, day, amount, tx.raw, ordinal, filed FROM tx"
            " JOIN account ON account.no = account_no WHERE filed IS NOT NULL"
        )
        return {tuple(row): filed for *row, filed in connection.exec_driver_sql(query)}

    rows = await home.rows()
    said = {row: word for row, word in home.words.items() if row in rows}
    assert await home.context.store.read(noted) == {
        row: word[0][1] if len(word) == 1 else "" for row, word in said.items()
    }


async def live(home: Household, import_texts: Import, steps: int) -> None:
    """Let things happen, and see each time that all totals hold."""
    for name in home.files:
        await bring(home, import_texts, name)
    for step in range(steps):
        happen = home.dice.choices((say_something, rule, decide, None), weights=(6, 2, 1, 1))[0]
        await (come_and_go(home, import_texts) if happen is None else happen(home))
        if step % 4 == 3:
            await check(home)


def furnished(context: Context, seed: int) -> Household:
    """A household with two accounts and two files of each."""
    dice = Random(seed)
    files = {
        f"{account}-{months.start}.csv": file(dice, months)
        for account in ("Checking", "Savings")
        for months in (range(5, 8), range(8, 12))
    }
    return Household(context, dice, files)


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
async def test_every_total_is_a_recount(
    seed: int, context: Context, elsewhere: Context, import_texts: Import
) -> None:
    """After words, splits, rules, transfers, undos and re-imports, and in a home restored from them."""
    home = furnished(context, seed)
    await live(home, import_texts, 24)
    text = await exported(context)
    restored = Household(
        elsewhere, home.dice, home.files, {"": ""}, home.words, home.notes, home.amounts
    )
    if json.loads(text)["accounts"]:
        await taken(elsewhere, text)
        await check(restored)
