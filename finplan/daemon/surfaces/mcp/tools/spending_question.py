"""A question of money: what `query_spending` is asked, and what it names.

What is named is found among the household's own categories and accounts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

from pydantic import Field

from finplan.categorise.catalogue import UNFILED, UNKNOWN
from finplan.daemon.surfaces.mcp.tools import names
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted, sentence
from finplan.model.errors import BadRequest
from finplan.model.spending import MoneyGrouping
from finplan.model.transaction import MoneyFilter, MoneyFlow
from finplan.questions.names import words_of
from finplan.questions.signs import MeanUnit

MOST_SHOWN = 20
"""How many transactions an answer shows one by one, however many there are."""


class SpendingQuestion(names.DaysQuestion):
    """Which money, of which days, and how to arrange it."""

    flow: Annotated[
        MoneyFlow | None,
        Field(description="Default: spending, or income for income categories."),
    ] = None
    group_by: Annotated[
        MoneyGrouping | None,
        Field(description="For income, merchant is the source. Default: one total."),
    ] = None
    by_month: Annotated[bool, Field(description="Totals by month for each group.")] = False
    category: Annotated[
        names.SomeNames, Field(description="Names, ids or words: eating out, salary.")
    ] = ()
    left_out: Annotated[
        names.SomeNames, Field(alias="except", description="Excluded categories.")
    ] = ()
    merchant: Annotated[names.SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[
        names.SomeNames, Field(description="Names or ids. For a loan: its charges.")
    ] = ()
    largest: Annotated[
        int | None,
        Field(ge=1, le=MOST_SHOWN, description="How many of the largest transactions to list."),
    ] = None
    mean: Annotated[MeanUnit | None, Field(description="Average per unit.")] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum number of groups.")] = 20


@dataclass(frozen=True)
class AskedMoney:
    """A question's filter, in ids; without categories it is of all that its flow has.

    `accounts` are known where some are asked for; `outside` are those of them that enter no total, where
    no other is asked for. `not_spending` and `notes` are sentences and labels for the answer.
    """

    filter: MoneyFilter
    understood: str | None
    categories: names.KnownCategories | None
    accounts: names.HouseholdAccounts | None
    currency: str
    not_spending: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flow(self) -> MoneyFlow:
        """Whether the question is about money in or money out."""
        return self.filter.flow

    @cached_property
    def outside(self) -> tuple[str, ...]:
        """The names of the accounts, where all that are asked for enter no total."""
        accounts = self.accounts
        if accounts is None or not set(accounts.counted).isdisjoint(self.filter.account):
            return ()
        return tuple(accounts.names[each] for each in self.filter.account)

    def of_flow(self, flow: MoneyFlow) -> "AskedMoney":
        """The same of money in or money out."""
        return replace(self, filter=self.filter.model_copy(update={"flow": flow}))

    def of_no_category(self, flow: MoneyFlow) -> "AskedMoney":
        """The same of the rows in no category, which is said."""
        narrowed = self.filter.model_copy(update={"flow": flow, "category": tuple(UNKNOWN)})
        outside = ", ".join(map(quoted, self.outside))
        note = f"Transactions of {outside} have no category, so `category` was ignored."
        return replace(self, filter=narrowed, not_spending=(), notes=(*self.notes, note))


async def find_money(call: Call, ask: SpendingQuestion) -> AskedMoney:
    """Find what a question names. Raises BadRequest with what may be meant for what is not there."""
    since, until, understood = await names.read_days(call, ask)
    named = bool(ask.category or ask.left_out)
    known = await names.categories_of(call) if named or ask.largest is not None else None
    currency = (await call.settings()).currency
    accounts = None
    if ask.account or ask.group_by == "account" or ask.largest is not None:
        accounts = await names.read_accounts(call, currency)
    flow: MoneyFlow = ask.flow or "spending"
    categories: tuple[str, ...] = ()
    not_spending: tuple[str, ...] = ()
    notes: list[str] = []
    if known is not None and named:
        asked = names.find_categories(known, ask.category)
        left_out = names.find_categories(known, ask.left_out)
        flow = _flow_of(known, asked, left_out, ask.flow)
        if ask.flow not in (None, flow):
            notes.append(f"These categories are {flow}, so this is {flow}.")
        not_spending = tuple(known[key] for key in asked if not _is_of(known, key, flow))
        categories = _without(known, asked, left_out, flow)
        notes += describe_readings(known, (*ask.category, *ask.left_out))
        notes += describe_parts(known, (*ask.category, *ask.left_out))
    account = await names.account_ids(call, ask.account)
    if accounts is not None:
        if len(account) > len(ask.account):
            several = ", ".join(quoted(accounts.names[each]) for each in account)
            notes.append(f"The accounts are {several}.")
        uncounted = [each for each in account if each not in accounts.counted]
        if 0 < len(uncounted) < len(account):
            several = ", ".join(quoted(accounts.names[each]) for each in uncounted)
            notes.append(f"Excluded from totals: {several}. Ask for each separately.")
    return AskedMoney(
        MoneyFilter.of(
            ask, since=since, until=until, category=categories, account=account, flow=flow
        ),
        understood,
        known,
        accounts,
        currency,
        not_spending,
        tuple(notes),
    )


def describe_readings(known: names.KnownCategories, words: Iterable[str]) -> list[str]:
    """What to say of ids and words that call a whole category by another name than its own."""
    notes = []
    for word in words:
        keys = names.find_categories(known, (word,))
        # All of income has no one name, and a part is told of by `describe_parts`.
        is_named = len(keys) == 1 and word.strip().casefold() != known[keys[0]].casefold()
        if is_named and not _is_part(known, word):
            notes.append(f"{quoted(word)} is the category {quoted(known[keys[0]])}.")
    return notes


def _is_part(known: names.KnownCategories, word: str) -> bool:
    words, spelled = known.names, words_of(word)
    return any(words.is_part(spelled, each.value) for each in words.called(spelled, "category"))


def describe_parts(known: names.KnownCategories, words: Iterable[str]) -> list[str]:
    """What to say of words that call a part of a category, whose whole is answered."""
    spoken = known.names
    return [
        describe_part(word, each.label)
        for word in words
        if word not in known
        for each in spoken.called(words_of(word), "category")
        if spoken.is_part(words_of(word), each.value)
    ]


def describe_part(words: str, label: str) -> str:
    """What to say of words that call a part of a category, whose whole is answered."""
    return f"{quoted(words)} is part of {quoted(label)}. This is the total of all {quoted(label)}."


def _flow_of(
    known: names.KnownCategories,
    asked: Sequence[str],
    left_out: Sequence[str],
    flow: MoneyFlow | None,
) -> MoneyFlow:
    """What all categories that are named hold, whatever else was said; else what was said."""
    flows: tuple[MoneyFlow, ...] = ("income", "spending")
    for each in flows:
        named = asked or (left_out if flow is None else ())
        if named and all(_is_of(known, key, each) for key in named):
            return each
    return flow or "spending"


def _is_of(known: names.KnownCategories, category: str, flow: MoneyFlow) -> bool:
    """Whether a category holds what is asked for; of money in also what is in no category yet."""
    return known.ways[category] == flow or (flow == "income" and category == UNFILED)


def _without(
    known: names.KnownCategories, asked: tuple[str, ...], left_out: tuple[str, ...], flow: MoneyFlow
) -> tuple[str, ...]:
    """The categories that are asked for, or all, without some of them."""
    if not left_out:
        return asked
    strange = [key for key in left_out if not _is_of(known, key, flow)]
    if strange:
        labels = ", ".join(sentence(known[key]) for key in strange)
        raise BadRequest(f"{labels} is not {flow} and cannot be excluded. Remove it from `except`.")
    rest = tuple(key for key in asked or known.all_of(flow) if key not in left_out)
    if not rest:
        raise BadRequest(
            "`except` excludes everything in `category`. Remove categories from `except`."
        )
    return rest
