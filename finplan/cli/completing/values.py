"""The values that a shell offers: a person's categories, merchants, accounts and what has an id.

They come from a daemon that runs already, within a moment; none is started, and nothing is said where
none answers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from typing import Any, get_args

from finplan import model, operations, views
from finplan.cli.completing.command_line import Candidate
from finplan.model.characters import shortened

PERIODS = (
    "this month", "last month", "this year", "last year", "ytd", "this pay period",
    "last pay period", "last 30 days", "last 90 days", "last 12 months", "today", "yesterday",
)  # fmt: skip
_ROWS = 50

AsksDaemon = Callable[..., Any]
"""Asks the daemon a row of the table, and a question if there is more to it."""


def values_of(kind: str, path: Sequence[str], ask: AsksDaemon) -> Iterable[Candidate]:
    """What there is of a kind of value; `path` are the commands before it."""
    if kind == "NAME":
        kind = _NAMED_BY.get(path[0] if path else "", "MERCHANT")
    find = _KINDS.get(kind)
    if find is not None:
        return find(ask)
    is_grouping = kind.casefold() in get_args(model.transaction.Grouping)
    return _groups(ask, kind.casefold()) if is_grouping else ()


def _categories(ask: AsksDaemon) -> Iterable[Candidate]:
    listed = ask(operations.category.LIST_CATEGORIES)
    return (Candidate(choice.category, choice.label) for choice in listed)


def _groups(ask: AsksDaemon, grouping: str) -> Iterable[Candidate]:
    """What spending is grouped by."""
    query = model.transaction.SpendingQuery.model_validate({"group_by": grouping})
    charges: Counter[str] = Counter()
    for group in ask(operations.transaction.QUERY_SPENDING, query).groups:
        names = model.transaction.words_of_group(grouping, group)
        charges.update(dict.fromkeys(names, group.count))
    return (
        Candidate(typed, model.figures.count(number, "transaction"))
        for typed, number in charges.items()
    )


def _accounts(ask: AsksDaemon) -> Iterable[Candidate]:
    listed = ask(operations.account.LIST_ACCOUNTS)
    return (Candidate(account.name, account.institution_name) for account in listed)


def _connections(ask: AsksDaemon) -> Iterable[Candidate]:
    records = (state.connection for state in ask(operations.bank.LIST_CONNECTIONS))
    return (Candidate(record.institution_name, record.status) for record in records)


def _transactions(ask: AsksDaemon) -> Iterable[Candidate]:
    query = model.transaction.TransactionQuery(limit=_ROWS)
    rows = ask(operations.transaction.LIST_TRANSACTIONS, query).transactions
    return _list_by_id(rows, lambda row: f"{row.date} {row.payee}")


def _imports(ask: AsksDaemon) -> Iterable[Candidate]:
    listed = ask(operations.statement_file.LIST_IMPORTS)
    return _list_by_id(listed, lambda record: ", ".join(file.file for file in record.report.files))


def _rules(ask: AsksDaemon) -> Iterable[Candidate]:
    own = [rule for rule in ask(operations.category.LIST_RULES) if rule.source == "user"]
    return _list_by_id(own, lambda rule: f"{rule.payee_key} → {rule.category}")


def _sections(ask: AsksDaemon) -> Iterable[Candidate]:
    yield from starmap(Candidate, model.explain.SECTIONS.items())
    yield from _categories(ask)


def _currencies(_ask: AsksDaemon) -> Iterable[Candidate]:
    return map(Candidate, sorted(model.money.CODES))


def _list_by_id(
    things: Sequence[Any], describe: Callable[[Any], str] = lambda _: ""
) -> Iterable[Candidate]:
    """Things by the shortest beginning of their ids that a command takes."""
    short = shortened([record.id for record in things])
    return (Candidate(short[record.id], describe(record)) for record in things)


_NAMED_BY = {"categories": "CATEGORY", "connect": "CONNECTION", "webhooks": "WEBHOOK"}
"""What a NAME names, by the command; elsewhere it is a merchant's."""

_KINDS: dict[str, Callable[[AsksDaemon], Iterable[Candidate]]] = {
    "CATEGORY": _categories,
    "PAYEE": lambda ask: _groups(ask, "merchant"),
    "ACCOUNT": _accounts,
    "CONNECTION": _connections,
    "TRANSACTION": _transactions,
    "TASK": lambda ask: _list_by_id(ask(operations.task.LIST_TASKS), views.tasks.about),
    "IMPORT": _imports,
    "RULE": _rules,
    "SERIES": lambda ask: _list_by_id(
        ask(operations.detection.LIST_RECURRING), lambda series: series.name
    ),
    "TRANSFER": lambda ask: _list_by_id(ask(operations.detection.LIST_TRANSFERS)),
    "DUPLICATE": lambda ask: _list_by_id(ask(operations.detection.LIST_DUPLICATES)),
    "KEY": lambda ask: (Candidate(key.name) for key in ask(operations.credential.LIST_KEYS)),
    "WEBHOOK": lambda ask: _list_by_id(
        ask(operations.webhook.LIST_WEBHOOKS), lambda webhook: webhook.url
    ),
    "JOB": lambda ask: (
        Candidate(job.name, job.schedule) for job in ask(operations.schedule.LIST_JOBS)
    ),
    "SECTION": _sections,
    "CODE": _currencies,
    "CURRENCY": _currencies,
    "BANK": lambda _: starmap(Candidate, views.banks.BANKS.items()),
    "WORDS": lambda _: map(Candidate, PERIODS),
}
