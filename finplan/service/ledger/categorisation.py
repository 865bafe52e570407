"""Categorising payees: what each is for, by the shipped data, its rows, and the person's rules.

It runs inside the transaction that changed the rows or the rules. A payee that the person filed keeps
that category, whatever is decided here; only the pay of an employer stays pay where its shop's charges
were filed.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.service.derived.household import catalogue_of
from finplan.service.ledger.doubted_pay import doubted_pay
from finplan.service.ledger.elsewhere import Asking, here, where_fit
from finplan.service.ledger.judging import (
    LEAST_PAYDAYS,
    FiledPayee,
    SeenPayee,
    judge,
    look_up,
    without_shipped_rule,
)
from finplan.store.queries import categories, payees

_AT_ONCE = 500
"""How many payees are judged at once, so that memory has a bound."""


class _Told(NamedTuple):
    """What rows say of all payees of a person, by number; asked once, however many are judged."""

    flows: Mapping[int, payees.Flows]
    loans: Mapping[int, tuple[str, int]]
    codes: Mapping[int, payees.PayeeCodes]


@contextmanager
def matches_prefetched(found: Sequence[tuple[str, str, str]], ask: Asking = here) -> Iterator[None]:
    """Look new payees up in the shipped data meanwhile, so that categorising them finds it cached.

    A payee is its key, its name, and a descriptor. While SQLite inserts rows it leaves Python alone, so
    that this takes no time of its own.
    """
    with ThreadPoolExecutor(1, "prefetch") as hand:
        hand.submit(ask, partial(look_up, found))
        yield


def categorise_payees(
    connection: Connection, owner: int, numbers: Sequence[int] | None, ask: Asking | None = None
) -> None:
    """Let the shipped and inferred rules decide for some payees, or with None for all.

    The shipped data are asked by `ask`, else where the store has it fit.
    """
    if numbers is not None and not numbers:
        return
    held = _held(connection, owner)
    wanted = held.keys() if numbers is None else held.keys() & set(numbers)
    _categorise(connection, owner, held, sorted(wanted), ask or where_fit(connection))


def categorise_unknown(connection: Connection, owner: int) -> None:
    """Categorise anew what no shipped rule files, after the person's rules changed.

    So one answer files what is like it, and the next rule or its removal takes that back. What a
    purpose tells apart from a payer is offered what the person said of that payer.
    """
    held = _held(connection, owner)
    ask = where_fit(connection)
    unknown = ask(partial(without_shipped_rule, list(held.values())))
    _categorise(connection, owner, held, unknown, ask)


def _held(connection: Connection, owner: int) -> dict[int, payees.KnownPayee]:
    return {payee.no: payee for payee in payees.known_payees(connection, owner)}


def _categorise(
    connection: Connection,
    owner: int,
    held: Mapping[int, payees.KnownPayee],
    wanted: Sequence[int],
    ask: Asking,
) -> None:
    """Have the wanted ones of the payees held judged, and save what is new.

    How much of the income a payer gives is only known once all are judged, and changes with others.
    """
    filed = categories.filed_payees(connection, owner)
    few = len(wanted) + len(filed) <= payees.MOST_NAMED
    numbers = sorted({*wanted, *filed}) if few else None
    flows = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    catalogue = catalogue_of(connection, owner)
    taught = [
        FiledPayee(held[no], filed[no], flows.get(no)) for no in sorted(filed.keys() & held.keys())
    ]
    told = _Told(flows, payees.loan_peers(connection, owner), payees.payee_codes(connection, owner))
    decided = {no: payee.decided for no, payee in held.items()}

    def decide_for(seen: list[SeenPayee]) -> None:
        decisions = ask(partial(judge, seen, taught, catalogue))
        new = {no: decision for no, decision in decisions.items() if decision != decided[no]}
        payees.save_decisions(connection, new)
        decided.update(new)

    for start in range(0, len(wanted), _AT_ONCE):
        some = [held[no] for no in wanted[start : start + _AT_ONCE]]
        decide_for(_seen_payees(connection, owner, some, told))
    if incomes := doubted_pay(connection, owner, decided):
        more = payees.flows(connection, owner, list(incomes))
        told = told._replace(flows={flow.payee: flow for flow in more})
        seen = _seen_payees(connection, owner, [held[no] for no in incomes], told)
        decide_for([payee._replace(income=incomes[payee.no]) for payee in seen])
    if filed:
        _keep_pay(connection, owner, catalogue)


def _seen_payees(
    connection: Connection, owner: int, wanted: Sequence[payees.KnownPayee], told: _Told
) -> list[SeenPayee]:
    """What the rows say of some payees."""
    flowing = [told.flows.get(payee.no) or payees.Flows(payee.no, 0, 0, 0) for payee in wanted]
    both_ways = [flow.payee for flow in flowing if flow.debits and flow.credits]
    descriptors = payees.seen_descriptors(connection, owner, both_ways)
    seen = []
    for payee, flow in zip(wanted, flowing, strict=True):
        pays = flow.credits - flow.card_credits >= LEAST_PAYDAYS
        found = SeenPayee(
            no=payee.no,
            key=payee.key,
            name=payee.name,
            raw=payee.raw,
            debits=flow.debits,
            credits=flow.credits,
            card_credits=flow.card_credits,
            seen=descriptors.get(payee.no),
            codes=told.codes.get(payee.no),
            loan=told.loans.get(payee.no),
            received=payees.credits_of(connection, owner, payee.no) if pays else (),
            paid=payees.paid_to(connection, owner, payee.no) if pays and flow.debits else 0,
        )
        seen.append(found)
    return seen


def save_restored_decisions(
    connection: Connection, owner: int, decisions: Mapping[int, payees.SavedDecision]
) -> None:
    """Let hold what was decided for payees, by number, in another home."""
    payees.save_decisions(connection, decisions)
    _keep_pay(connection, owner, catalogue_of(connection, owner))


def _keep_pay(connection: Connection, owner: int, catalogue: Catalogue) -> None:
    spending = [name for name in catalogue.categories if catalogue.flow(name) == "spending"]
    payees.keep_pay(connection, owner, spending)
