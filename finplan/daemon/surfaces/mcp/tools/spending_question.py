"""A question of money: what `query_spending` is asked and answers, what it names, how it is said.

What is named is found among the household's own categories and accounts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from finplan.categorise.catalogue import UNFILED, UNKNOWN
from finplan.daemon.surfaces.mcp.tools.names import (
    HouseholdAccounts,
    KnownCategories,
    PeriodPhrase,
    SomeNames,
    SomePayees,
    account_ids,
    categories_of,
    find_categories,
    read_accounts,
    read_days,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted, sentence
from finplan.model.base import Amount, Day, Month, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.transaction import Grouping, MoneyFilter, MoneyFlow, RowFilter
from finplan.questions.names import words_of
from finplan.questions.signs import MeanUnit

MoneyGrouping = Literal[Grouping, "account"]

MOST_SHOWN = 20
"""How many transactions an answer shows one by one, however many there are."""


class SpendingQuestion(RowFilter):
    """Which money, of which days, and how to arrange it."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    flow: Annotated[
        MoneyFlow | None,
        Field(description="Left out: spending, or income where category is."),
    ] = None
    group_by: Annotated[
        MoneyGrouping | None,
        Field(description="merchant: of income its source. Left out: one total."),
    ] = None
    by_month: Annotated[bool, Field(description="Each group month by month.")] = False
    category: Annotated[
        SomeNames, Field(description="Names, ids or words: eating out, salary.")
    ] = ()
    left_out: Annotated[
        SomeNames, Field(alias="except", description="Categories to leave out.")
    ] = ()
    merchant: Annotated[SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[SomeNames, Field(description="Names or ids. A loan: what it charged.")] = ()
    largest: Annotated[
        int | None, Field(ge=1, le=MOST_SHOWN, description="How many of the largest transactions.")
    ] = None
    mean: Annotated[MeanUnit | None, Field(description="The mean of a unit.")] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Most groups.")] = 20


class SpentGroup(Wire):
    """One group's exact total, positive when money went out; `totals` by month where asked.

    Of income it is positive when money came in.
    """

    key: str
    label: str
    total: Amount
    count: Whole
    totals: tuple[Amount, ...] | None = None


class LeftOutGroups(Wire):
    """The groups beyond the limit, together: with them the groups add up to the total."""

    groups: Whole
    total: Amount
    count: Whole


class LargestRow(Wire):
    """One of the largest transactions; `amount` is of what is asked for, so of a split one its parts."""

    id: str
    date: date
    payee: str
    amount: Amount
    category: str
    account: str


class SpendingTold(Wire):
    """Exact totals; the groups and what is left out add up to the total.

    `largest` are single transactions, and `total` is then of these; `mean` is `total` over `units` of
    the calendar, or over purchases, half-even. `unfiled` came in and is in no category yet.
    `notSpending` are the categories of the question that hold nothing of what is added up, and
    `outsideTotals` the accounts whose own transactions these are, since they enter no other total.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str | None
    beyond_rows: str | None
    flow: MoneyFlow = "spending"
    group_by: MoneyGrouping | None
    total: Amount
    count: Whole
    months: tuple[Month, ...] | None = None
    totals: tuple[Amount, ...] | None = None
    groups: tuple[SpentGroup, ...]
    left_out: LeftOutGroups | None
    mean: Amount | None = None
    unit: str | None = None
    units: Whole | None = None
    largest: tuple[LargestRow, ...] | None = None
    unfiled: Amount = 0
    unfiled_count: Whole = 0
    not_spending: tuple[str, ...] = ()
    outside_totals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class AskedMoney:
    """A question's filter, in ids; without categories it is of all that its flow has.

    `accounts` are known where some are asked for; `outside` are those of them that enter no total, where
    no other is asked for. `not_spending` and `notes` are sentences and labels for the answer.
    """

    filter: MoneyFilter
    understood: str | None
    categories: KnownCategories | None
    accounts: HouseholdAccounts | None
    currency: str
    not_spending: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flow(self) -> MoneyFlow:
        """Whether money in or money out is asked for."""
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
        names = ", ".join(map(quoted, self.outside))
        note = f"Transactions of {names} are in no category, so `category` was not used."
        return replace(self, filter=narrowed, not_spending=(), notes=(*self.notes, note))


async def find_money(call: Call, ask: SpendingQuestion) -> AskedMoney:
    """Find what a question names. Raises BadRequest with what may be meant for what is not there."""
    since, until, understood = await read_days(call, ask.period, ask.since, ask.until)
    named = bool(ask.category or ask.left_out)
    known = await categories_of(call) if named or ask.largest is not None else None
    currency = (await call.settings()).currency
    accounts = None
    if ask.account or ask.group_by == "account" or ask.largest is not None:
        accounts = await read_accounts(call, currency)
    flow: MoneyFlow = ask.flow or "spending"
    categories: tuple[str, ...] = ()
    not_spending: tuple[str, ...] = ()
    notes: list[str] = []
    if known is not None and named:
        asked = find_categories(known, ask.category)
        left_out = find_categories(known, ask.left_out)
        flow = _flow_of(known, asked, left_out, ask.flow)
        if ask.flow not in (None, flow):
            notes.append(f"The categories that you named are {flow}, so this is {flow}.")
        not_spending = tuple(known[key] for key in asked if not _is_of(known, key, flow))
        categories = _without(known, asked, left_out, flow)
        notes += describe_readings(known, (*ask.category, *ask.left_out))
        notes += describe_parts(known, (*ask.category, *ask.left_out))
    account = await account_ids(call, ask.account)
    if accounts is not None:
        if len(account) > len(ask.account):
            several = ", ".join(quoted(accounts.names[each]) for each in account)
            notes.append(f"The accounts are {several}.")
        uncounted = [each for each in account if each not in accounts.counted]
        if 0 < len(uncounted) < len(account):
            several = ", ".join(quoted(accounts.names[each]) for each in uncounted)
            notes.append(
                f"Not counted, because totals exclude it: {several}. Ask for each by itself."
            )
    return AskedMoney(
        MoneyFilter(
            since=since,
            until=until,
            category=categories,
            account=account,
            flow=flow,
            **ask.taken_as_said,
        ),
        understood,
        known,
        accounts,
        currency,
        not_spending,
        tuple(notes),
    )


def describe_readings(known: KnownCategories, words: Iterable[str]) -> list[str]:
    """What to say of ids and words that call a whole category by another name than its own."""
    notes = []
    for word in words:
        keys = find_categories(known, (word,))
        # All of income has no one name, and a part is told of by `describe_parts`.
        is_named = len(keys) == 1 and word.strip().casefold() != known[keys[0]].casefold()
        if is_named and not _is_part(known, word):
            notes.append(f"{quoted(word)} is the category {quoted(known[keys[0]])}.")
    return notes


def _is_part(known: KnownCategories, word: str) -> bool:
    names, spelled = known.names, words_of(word)
    return any(names.is_part(spelled, each.value) for each in names.called(spelled, "category"))


def describe_parts(known: KnownCategories, words: Iterable[str]) -> list[str]:
    """What to say of words that call a part of a category, whose whole is answered."""
    names = known.names
    return [
        describe_part(word, each.label)
        for word in words
        if word not in known
        for each in names.called(words_of(word), "category")
        if names.is_part(words_of(word), each.value)
    ]


def describe_part(words: str, label: str) -> str:
    """What to say of words that call a part of a category, whose whole is answered."""
    return (
        f"{quoted(words)} has no total of its own: it is filed under {quoted(label)}, and this is all of"
        " that."
    )


def _flow_of(
    known: KnownCategories,
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


def _is_of(known: KnownCategories, category: str, flow: MoneyFlow) -> bool:
    """Whether a category holds what is asked for; of money in also what is in no category yet."""
    return known.ways[category] == flow or (flow == "income" and category == UNFILED)


def _without(
    known: KnownCategories, asked: tuple[str, ...], left_out: tuple[str, ...], flow: MoneyFlow
) -> tuple[str, ...]:
    """The categories that are asked for, or all, without some of them."""
    if not left_out:
        return asked
    strange = [key for key in left_out if not _is_of(known, key, flow)]
    if strange:
        labels = ", ".join(sentence(known[key]) for key in strange)
        raise BadRequest(
            f"{labels} is not {flow}, so there is nothing to leave out: take it out of `except`."
        )
    rest = tuple(key for key in asked or known.all_of(flow) if key not in left_out)
    if not rest:
        raise BadRequest("`except` leaves out all that `category` names: name fewer there.")
    return rest


def say_spending(told: SpendingTold, currency: str) -> str:
    """An answer as lines: its figure, the groups or transactions, and what they do not hold."""
    rest = told.left_out
    of_nothing = told.not_spending and not told.count
    return lines(
        None if of_nothing else _say_figure(told, currency),
        told.beyond_rows,
        listed(say_group(each, told.group_by, currency) for each in told.groups),
        None
        if rest is None
        else f"- {counted(rest.groups, 'more group')}: {money(rest.total, currency)}",
        *_say_months(told, currency),
        listed(
            f"{say_purchase(each.date, each.payee, each.amount, each.category, currency)}, on"
            f" {quoted(each.account)} [{each.id}]"
            for each in told.largest or ()
        ),
        sentence(say_unfiled(told.unfiled, told.unfiled_count, currency))
        if told.unfiled_count
        else None,
        _say_outside(told),
        *told.notes,
        _say_not_spending(told),
    )


def _say_figure(told: SpendingTold, currency: str) -> str:
    days, total = f"{told.since} to {told.until}", money(told.total, currency)
    if told.mean is not None:
        return say_mean(told.mean, told.unit or "", told.units or 0, told.total, days, currency)
    if told.largest is not None:
        which = "largest transaction" if told.count == 1 else f"{told.count} largest transactions"
        beside = "" if told.flow == "income" else "; refunds are left out"
        return f"The {which}, together {total}, {days}{beside}."
    if told.outside_totals:
        verb = "Received" if told.flow == "income" else "Charged"
        names = ", ".join(map(quoted, told.outside_totals))
        return f"{verb} on {names}: {total} in {counted(told.count, 'transaction')}, {days}."
    if told.flow == "income":
        return say_income(told.total, told.count, days, currency)
    return f"Spent {total} in {counted(told.count, 'row')}, {days}."


def say_income(total: int, count: int, days: str, currency: str) -> str:
    """What was earned, in a sentence."""
    return (
        f"Received {money(total, currency)} of income in {counted(count, 'transaction')}, {days}."
    )


def _say_outside(told: SpendingTold) -> str | None:
    """What to say of accounts whose own transactions an answer is of."""
    if not told.outside_totals:
        return None
    names = ", ".join(map(quoted, told.outside_totals))
    return (
        f"These are transactions of {names} itself, without transfers. No other total of spending or"
        " income counts them."
    )


def say_mean(mean: int, unit: str, units: int, total: int, days: str, currency: str) -> str:
    """A mean in a sentence, with what it is of."""
    of = "purchases (rows)" if unit == "purchase" else f"whole {unit}s"
    if units == 1:
        of = "purchase (row)" if unit == "purchase" else f"whole {unit}"
    return (
        f"On average {money(mean, currency)} a {unit}: {money(total, currency)} over {units:,} {of},"
        f" {days}."
    )


def say_unfiled(total: int, count: int, currency: str) -> str:
    """What to say of money in that is in no category yet."""
    return (
        f"Another {money(total, currency)} came in by {counted(count, 'row')} in no category yet; it may"
        " be income, too. `finplan tasks` asks what it is."
    )


def say_group(group: SpentGroup, group_by: str | None, currency: str) -> str:
    """One group in a line."""
    label = group.label if group_by == "month" else quoted(group.label)
    return f"{label}: {money(group.total, currency)}"


def say_purchase(day: date, payee: str, amount: int, label: str, currency: str) -> str:
    """One of the largest transactions in a line; without a label it is in no category."""
    what_for = f", {quoted(label)}" if label else ""
    return f"{day} {quoted(payee)} {money(amount, currency)}{what_for}"


def _say_months(told: SpendingTold, currency: str) -> Iterable[str]:
    """What each month of a table comes to; those of each group are beside the text."""
    if told.months is None or told.totals is None:
        return
    yield "All of it by month (each group's months are its `totals`):"
    yield listed(
        f"{month}: {money(total, currency)}"
        for month, total in zip(told.months, told.totals, strict=True)
    )


def _say_not_spending(told: SpendingTold) -> str | None:
    if not told.not_spending:
        return None
    labels = ", ".join(map(sentence, told.not_spending))
    return (
        f"{labels} is not {told.flow}, so nothing of it is counted here. Ask for income by itself;"
        " list_transactions shows transfers and savings."
    )
