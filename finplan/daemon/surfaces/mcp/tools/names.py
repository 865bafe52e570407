"""Categories, accounts and days as an agent names them: exactly, or as a person says them.

Categories and accounts go by their ids or by what a person reads, days from and to or as a period.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field

from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.account import AccountKind, AccountRecord
from finplan.model.base import Day
from finplan.model.category import CategoryChoice, PayeeName
from finplan.model.errors import BadRequest
from finplan.model.paydays import INCOMES, main_pay, paydays, rows_of_pay
from finplan.model.transaction import RowFilter, as_texts
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_RECURRING
from finplan.operations.plan import SHOW_SNAPSHOT
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.periods.grammar import SpokenPeriod, UnclearPeriod
from finplan.periods.reading import asks_for_paydays, read_period
from finplan.plan.ledger.classes import counts_in_totals
from finplan.questions.names import KnownNames, MoneyWay, way_of, words_of
from finplan.questions.signs import means_income
from finplan.service.lookup import near

CategoryWord = Annotated[str, Field(min_length=1, max_length=80)]
SomeNames = Annotated[tuple[CategoryWord, ...], BeforeValidator(as_texts), Field(max_length=50)]
"""Names or ids, or a single one without a list around it."""

SomePayees = Annotated[tuple[PayeeName, ...], BeforeValidator(as_texts), Field(max_length=50)]
"""Names or keys of payees, or a single one without a list around it."""


class KnownCategories(dict[str, str]):
    """What each category is called, by its id; and the words that people ask for it by."""

    def __init__(self, choices: Iterable[CategoryChoice]) -> None:
        self.choices = tuple(choices)
        super().__init__({each.category: each.label for each in self.choices})

    @cached_property
    def names(self) -> KnownNames:
        """The words that people call the categories by."""
        return KnownNames.of(self.choices, ())

    @cached_property
    def ways(self) -> Mapping[str, MoneyWay]:
        """The flow of each category, by its id: spent, earned, or neither."""
        return {each.category: way_of(each) for each in self.choices}

    def all_of(self, way: MoneyWay) -> tuple[str, ...]:
        """The ids of all categories that hold what is spent, or what is earned."""
        return tuple(key for key, each in self.ways.items() if each == way)


async def categories_of(call: Call) -> KnownCategories:
    """What each category is called, by its id."""
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    return KnownCategories(choices)


def labels_of(known: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    """What some categories are called, each once, by their ids."""
    return {key: known.get(key, key) for key in dict.fromkeys(keys)}


def find_categories(known: KnownCategories, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the categories that some words name, each once; as `find_category`.

    `income` and the like name every category of income.
    """
    found: dict[str, None] = {}
    for word in words:
        of_income = means_income(word) and not known.names.called(words_of(word), "category")
        named_ids = known.all_of("income") if of_income else (find_category(known, word),)
        found.update(dict.fromkeys(named_ids))
    return tuple(found)


def find_category(known: KnownCategories, word: str) -> str:
    """The id of the category that a word names: an id, a name, or what people call it.

    Raises BadRequest for no category, with those that are near or else all, and where several are
    called so.
    """
    if word in known:
        return word
    wanted = word.strip().casefold()
    called = [key for key, label in known.items() if wanted in {label.casefold(), key}]
    if not called:
        called = [name.value for name in known.names.called(words_of(word), "category")]
    if len(called) > 1:
        raise BadRequest(
            f"Several categories are called {word!r}. Use one of these ids: {', '.join(called)}."
        )
    if called:
        return called[0]
    close = _close(
        wanted, ((key, spelling) for key, label in known.items() for spelling in (label, key))
    )
    raise UnknownCategory(word, close, known)


class UnknownCategory(BadRequest):
    """No category is called so; `brief` is told where all are listed beside it."""

    def __init__(self, word: str, close: list[str], known: Mapping[str, str]) -> None:
        self.brief = f"Unknown category {word!r}."
        if close:
            self.brief += f" Did you mean {list_names(close, known)}?"
        all_of_them = (
            "The resource `categories` lists all categories."
            if close
            else f"Use one of {list_names(known, known)}."
        )
        super().__init__(f"{self.brief} {all_of_them}", {"near": close})


def list_names(keys: Iterable[str], known: Mapping[str, str]) -> str:
    """Some categories by their names and ids."""
    return ", ".join(f"{known[key]} ({key})" for key in keys)


async def account_ids(call: Call, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the accounts that some words name: an id, a name, with its bank's, or a last four.

    A kind, such as `car loan` or `credit card`, names all accounts of it. Raises BadRequest for no
    account, with those that are near or else all, and where several are called so, with their ids.
    """
    asked = tuple(words)
    if not asked:
        return ()
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    found = (account for word in asked for account in _find_accounts(records, word))
    return tuple(dict.fromkeys(found))


def _find_accounts(records: Sequence[AccountRecord], word: str) -> tuple[str, ...]:
    if any(record.account.id == word for record in records):
        return (word,)
    wanted = " ".join(word.casefold().split())
    called = [record for record in records if wanted in _spellings(record)]
    if len(called) == 1:
        return (called[0].account.id,)
    if called:
        raise BadRequest(
            f"Several accounts are called {word!r}. Use one of these ids: {_ids(called)}."
        )
    of_kind = [record.account.id for record in records if wanted in _kind_words(record)]
    if of_kind:
        return tuple(of_kind)
    by_id = {record.account.id: record for record in records}
    close = _close(wanted, ((key, each) for key, one in by_id.items() for each in _spellings(one)))
    if close:
        there = (
            f"Did you mean {_ids(by_id[key] for key in close)}? `list_accounts` shows all accounts."
        )
    else:
        there = f"Use one of {_ids(records)}." if records else "No accounts yet."
    raise BadRequest(f"Unknown account {word!r}. {there}", {"near": close})


def _spellings(record: AccountRecord) -> list[str]:
    """What an account may be called, in small letters."""
    account = record.account
    names = [account.name, f"{account.institution_name} {account.name}"]
    if account.mask is not None:
        names += [account.mask, *(f"{name} {account.mask}" for name in names)]
    return [" ".join(name.casefold().split()) for name in names]


_KIND_WORDS: Mapping[str, tuple[str, ...]] = {
    "checking": ("checking", "checking account", "current account"),
    "savings": ("savings", "savings account"),
    "creditcard": ("card", "cards", "credit card", "credit cards"),
    "auto": ("auto loan", "car loan"),
    "mortgage": ("home loan", "mortgage"),
    "student": ("student loan", "student loans"),
}
"""What people call an account of a subtype, whose letters these are."""


def _kind_words(record: AccountRecord) -> tuple[str, ...]:
    """What an account may be called by its kind alone."""
    subtype = record.account.subtype or ""
    return _KIND_WORDS.get("".join(filter(str.isalpha, subtype.casefold())), ())


def _ids(records: Iterable[AccountRecord]) -> str:
    return ", ".join(
        f"{record.account.name!r}"
        + (f" …{record.account.mask}" if record.account.mask else "")
        + f" ({record.account.id})"
        for record in records
    )


def _close(wanted: str, spelt: Iterable[tuple[str, str]]) -> list[str]:
    """The ids whose spellings are near to what is wanted, the nearest first."""
    keys: dict[str, list[str]] = {}
    for key, spelling in spelt:
        keys.setdefault(spelling.casefold(), []).append(key)
    return list(dict.fromkeys(key for each in near(wanted, keys) for key in keys[each]))


@dataclass(frozen=True, slots=True)
class HouseholdAccounts:
    """What each account is called, by its id, and the ids of those whose rows enter totals."""

    names: Mapping[str, str]
    counted: tuple[str, ...]


async def read_accounts(call: Call, currency: str) -> HouseholdAccounts:
    """Read the accounts of a household whose totals are in a currency."""
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    return HouseholdAccounts(
        {each.account.id: each.account.name for each in records},
        tuple(each.account.id for each in records if enters_totals(each, currency)),
    )


class _Kind(NamedTuple):
    """What tells whether the rows of an account enter totals."""

    kind: AccountKind
    subtype: str | None
    currency: str
    hidden: bool


def enters_totals(record: AccountRecord, currency: str) -> bool:
    """Whether the rows of an account enter totals: shown cash and cards in the currency of these."""
    account = record.account
    kind = _Kind(account.kind, account.subtype, record.currency, record.hidden)
    return counts_in_totals(kind, currency)


PeriodPhrase = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="Days in words, instead of from and to: last month, 2026-Q3, ytd, last 90 days,"
        " march to may, this pay period.",
    ),
]


class DaysQuestion(RowFilter):
    """Which days: the first and the last one, or a period in words."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None


async def read_days(call: Call, ask: DaysQuestion) -> tuple[date | None, date | None, str | None]:
    """The days that are asked for, and what was understood of words.

    Raises BadRequest for words beside days, and with near matches for words that mean none.
    """
    if ask.period is None:
        return ask.since, ask.until, None
    if ask.since is not None or ask.until is not None:
        raise BadRequest("Give `period`, or `from` and `to`, not both.")
    found = await understand_period(call, ask.period)
    return found.since, found.until, found.told


async def understand_period(call: Call, period: str) -> SpokenPeriod:
    """What a period in words means today, where the person lives. Raises BadRequest."""
    today, pay = await today_and_paydays(call, period)
    try:
        return read_period(period, today, pay)
    except UnclearPeriod as refusal:
        raise BadRequest(str(refusal)) from None


async def today_and_paydays(call: Call, words: str) -> tuple[date, list[date]]:
    """What words about days are read by: today, where the person lives, and paydays if they ask so."""
    today = await today_of(call)
    return today, await _paydays(call, today) if asks_for_paydays(words) else []


async def today_of(call: Call) -> date:
    """Today, where the person lives."""
    return call.context.today((await call.settings()).time_zone)


async def _paydays(call: Call, today: date) -> list[date]:
    now = await call.ask(SHOW_SNAPSHOT)
    pay = main_pay(await call.ask(LIST_RECURRING, INCOMES), now)
    if pay is None:
        return []
    found = await call.ask(LIST_TRANSACTIONS, rows_of_pay(pay, today))
    return paydays(pay, found.transactions, now)
