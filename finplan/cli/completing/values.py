"""The values that a shell offers: a person's categories, merchants, accounts and what has an id.

They come from a daemon that runs already, within a moment; none is started, and nothing is said where
none answers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from finplan.cli.completing.command_line import Candidate
from finplan.model.base import Nothing

PERIODS = (
    "this month", "last month", "this year", "last year", "ytd", "this pay period",
    "last pay period", "last 30 days", "last 90 days", "last 12 months", "today", "yesterday",
)  # fmt: skip
_ROWS = 50

AsksDaemon = Callable[..., Any]
"""Asks the daemon a row of the table."""


def values_of(kind: str, path: Sequence[str], ask: AsksDaemon) -> Iterable[Candidate]:
    """What there is of a kind of value; `path` are the commands before it."""
    if kind == "NAME":
        kind = _NAMED_BY.get(path[0] if path else "", "MERCHANT")
    find = _KINDS.get(kind)
    if find is not None:
        return find(ask)
    from finplan.model.transaction import Grouping

    return _groups(ask, kind.casefold()) if kind.casefold() in get_args(Grouping) else ()


def _categories(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.category import LIST_CATEGORIES

    return (Candidate(each.category, each.label) for each in ask(LIST_CATEGORIES, Nothing()))


def _groups(ask: AsksDaemon, grouping: str) -> Iterable[Candidate]:
    """What spending is grouped by."""
    from finplan.model.transaction import SpendingQuery, words_of_group
    from finplan.operations.transaction import QUERY_SPENDING

    report = ask(QUERY_SPENDING, SpendingQuery.model_validate({"group_by": grouping}))
    charges: Counter[str] = Counter()
    for group in report.groups:
        charges.update(dict.fromkeys(words_of_group(grouping, group), group.count))
    return (Candidate(typed, f"{count} charges") for typed, count in charges.items())


def _merchants(ask: AsksDaemon) -> Iterable[Candidate]:
    return _groups(ask, "merchant")


def _accounts(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.account import LIST_ACCOUNTS

    return (Candidate(each.name, each.institution_name) for each in ask(LIST_ACCOUNTS, Nothing()))


def _connections(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.bank import LIST_CONNECTIONS

    found = (each.connection for each in ask(LIST_CONNECTIONS, Nothing()))
    return (Candidate(each.institution_name, each.status) for each in found)


def _transactions(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.characters import shortened
    from finplan.model.transaction import TransactionQuery
    from finplan.operations.transaction import LIST_TRANSACTIONS

    rows = ask(LIST_TRANSACTIONS, TransactionQuery(limit=_ROWS)).transactions
    short = shortened([each.id for each in rows])
    return (Candidate(short[each.id], f"{each.date} {each.payee}") for each in rows)


def _tasks(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.task import TaskQuery
    from finplan.operations.task import LIST_TASKS
    from finplan.views.tasks import about

    return _told_by(ask(LIST_TASKS, TaskQuery()), about)


def _imports(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.statement_file import LIST_IMPORTS

    return _told_by(
        ask(LIST_IMPORTS, Nothing()),
        lambda each: ", ".join(file.file for file in each.report.files),
    )


def _rules(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.category import LIST_RULES

    own = [each for each in ask(LIST_RULES, Nothing()) if each.source == "user"]
    return _told_by(own, lambda each: f"{each.payee_key} → {each.category}")


def _series(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.recurring import RecurringQuery
    from finplan.operations.detection import LIST_RECURRING

    return _told_by(ask(LIST_RECURRING, RecurringQuery()), lambda each: each.name)


def _transfers(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.detection import TransferQuery
    from finplan.operations.detection import LIST_TRANSFERS

    return _told_by(ask(LIST_TRANSFERS, TransferQuery()), lambda _each: "")


def _duplicates(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.detection import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    return _told_by(ask(LIST_DUPLICATES, DuplicateQuery()), lambda _each: "")


def _keys(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.credential import LIST_KEYS

    return (Candidate(each.name) for each in ask(LIST_KEYS, Nothing()))


def _webhooks(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.webhook import LIST_WEBHOOKS

    return _told_by(ask(LIST_WEBHOOKS, Nothing()), lambda each: each.url)


def _jobs(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.operations.schedule import LIST_JOBS

    return (Candidate(each.name, each.schedule) for each in ask(LIST_JOBS, Nothing()))


def _sections(ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.explain import SECTIONS

    yield from (Candidate(name, told) for name, told in SECTIONS.items())
    yield from _categories(ask)


def _currencies(_ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.model.money import CODES

    return map(Candidate, sorted(CODES))


def _banks(_ask: AsksDaemon) -> Iterable[Candidate]:
    from finplan.views.banks import BANKS

    return (Candidate(name, told) for name, told in BANKS.items())


def _periods(_ask: AsksDaemon) -> Iterable[Candidate]:
    return map(Candidate, PERIODS)


def _told_by(things: Sequence[Any], told: Callable[[Any], str]) -> Iterable[Candidate]:
    """Things by the shortest beginning of their ids that a command takes."""
    from finplan.model.characters import shortened

    short = shortened([each.id for each in things])
    return (Candidate(short[each.id], told(each)) for each in things)


_NAMED_BY = {"categories": "CATEGORY", "connect": "CONNECTION", "webhooks": "WEBHOOK"}
"""What a NAME names, by the command; elsewhere it is a merchant's."""

_KINDS: dict[str, Callable[[AsksDaemon], Iterable[Candidate]]] = {
    "CATEGORY": _categories,
    "PAYEE": _merchants,
    "ACCOUNT": _accounts,
    "CONNECTION": _connections,
    "TRANSACTION": _transactions,
    "TASK": _tasks,
    "IMPORT": _imports,
    "RULE": _rules,
    "SERIES": _series,
    "TRANSFER": _transfers,
    "DUPLICATE": _duplicates,
    "KEY": _keys,
    "WEBHOOK": _webhooks,
    "JOB": _jobs,
    "SECTION": _sections,
    "CODE": _currencies,
    "CURRENCY": _currencies,
    "BANK": _banks,
    "WORDS": _periods,
}
