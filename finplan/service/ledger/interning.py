"""Payees by what rows say of them: each is added once, and a name that writes another's is it."""

from collections.abc import Iterable, Mapping
from functools import partial

from sqlalchemy import Connection

from finplan.categorise.joining import joined
from finplan.service.ledger.elsewhere import Asking
from finplan.store.queries import payees

Named = tuple[str, str, str]
"""A payee's key, its name, and a descriptor that it was seen under."""


def intern_payees(
    connection: Connection, owner: int, named: Iterable[Named], ask: Asking
) -> dict[str, int]:
    """The number of every payee by its key, and by each of the `named` keys that of who is meant."""
    numbers = payees.numbers_of(connection, owner)
    new = {payee[0]: payee for payee in named if payee[0] not in numbers}
    written = ask(partial(joined, list(new), list(numbers))) if new else {}
    added = [payee for key, payee in new.items() if key not in written]
    numbers |= payees.add_payees(connection, owner, added)
    return numbers | {key: numbers[lead] for key, lead in written.items()}


def with_names_joined(
    connection: Connection,
    owner: int,
    named: Iterable[Named],
    kept: Mapping[str, object],
    ask: Asking,
) -> list[Named]:
    """The payees in their order, each as the one whose name it writes; those that are `kept` stay."""
    listed = list(named)
    names = {key: name for _, key, name in payees.names_of(connection, owner)}
    new = {payee[0]: payee[1] for payee in listed if payee[0] not in names}
    compared = [key for key in new if key not in kept]
    written = ask(partial(joined, compared, [*names, *kept])) if compared else {}
    names = new | names
    return [
        (written[key], names[written[key]], raw) if key in written else (key, name, raw)
        for key, name, raw in listed
    ]
