"""Categorising payees: what each is for, by the shipped data, its rows, and the person's rules.

It runs inside the transaction that changed the rows or the rules. A payee that the person filed keeps
that category, whatever is decided here; only the pay of an employer stays pay where its shop's charges
were filed. Nobody lives on a hundredth of an income: what comes as pay does and is less than that is
not wages. The share is of the days on which the payer was seen, and changes with what others pay.

What the person's rules teach of other payees is applied when somebody looks next. A rule files its
payee and is answered; to judge every payee that no shipped rule files takes a hundred times longer,
and of several rules in a row it is done once.

The shipped data are asked in a worker for a sync and over much, which ends at rest; else here. They
occupy some thirty megabytes, which Python keeps for itself where lasting things lie between them.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.model.errors import StorageFull, StoreDamaged
from finplan.plan.ledger.days import ORDINAL
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of
from finplan.service.ledger import judging
from finplan.store.offload import Answer, Work, apply_elsewhere
from finplan.store.queries import categories, payees, people
from finplan.store.queries.transfers import newest_row
from finplan.store.store import LARGE_STORE


class Asking(Protocol):
    """Does work that reads no store, and answers what it does."""

    def __call__(self, work: Callable[[], Answer], /) -> Answer:
        """Do it."""
        ...


def ask_here(work: Callable[[], Answer]) -> Answer:
    """Do it in this process."""
    return work()


def ask_where_fit(connection: Connection, *, large: bool = False) -> Asking:
    """What asks the shipped data for a transaction on a large store, or one of a `large` import."""
    return ask_in_worker(connection) if large or newest_row(connection) >= LARGE_STORE else ask_here


def ask_in_worker(connection: Connection) -> Asking:
    """What asks them for a transaction whose end nobody awaits so much as to mind a worker's start."""
    return partial(apply_elsewhere, connection)


_EARNED = ("wages", "self_employment", "pension_benefits")
"""The income that pay is a share of; what the sale of a home brings says nothing of a salary."""

_DAYS_BEFORE = 31
"""How many days before a payer's first credit count too, so that a salary of that month does."""


def doubted_pay(
    connection: Connection, owner: int, decided: Mapping[int, payees.SavedDecision]
) -> dict[int, int]:
    """The income of the days of each payer whose category its share may change, by number.

    Those are payers of wages that are too small, and of other income that is not.
    """
    paying = [no for no in decided if decided[no].into in ("wages", "other_income")]
    earned = payees.earned(connection, owner, _EARNED) if paying else []
    income = [(ORDINAL[day], payee, amount) for day, payee, amount in earned]
    incomes = {}
    for no in paying:
        received = payees.credits_of(connection, owner, no)
        if len(received) < judging.LEAST_PAYDAYS:
            continue
        first, last = ORDINAL[received[0][0]] - _DAYS_BEFORE, ORDINAL[received[-1][0]]
        own = sum(amount for _, amount in received)
        others = sum(
            amount for day, payee, amount in income if first <= day <= last and payee != no
        )
        if judging.is_pay_by_amount(own, own + others) != (decided[no].into == "wages"):
            incomes[no] = own + others
    return incomes


_AT_ONCE = 4000
"""How many payees are judged at once, so that memory has a bound."""


class _RowFacts(NamedTuple):
    """What rows say of all payees of a person, by number; asked once, however many are judged."""

    flows: Mapping[int, payees.Flows]
    loans: Mapping[int, tuple[str, int]]
    codes: Mapping[int, payees.PayeeCodes]


@contextmanager
def matches_prefetched(
    new_payees: Sequence[tuple[str, str, str]], ask: Asking = ask_here
) -> Iterator[None]:
    """Look new payees up in the shipped data meanwhile, so that categorising them finds it cached.

    A payee is its key, its name, and a descriptor. While SQLite inserts rows it leaves Python alone, so
    that this takes no time of its own.
    """
    with ThreadPoolExecutor(1, "prefetch") as hand:
        hand.submit(ask, partial(judging.look_up, new_payees))
        yield


def categorise_payees(
    connection: Connection, owner: int, numbers: Sequence[int] | None, ask: Asking | None = None
) -> None:
    """Let the shipped and inferred rules decide for some payees, or with None for all.

    The shipped data are asked by `ask`, else where the store has it fit.
    """
    if numbers is not None and not numbers:
        return
    by_number = _load_payees(connection, owner)
    chosen = by_number.keys() if numbers is None else by_number.keys() & set(numbers)
    _categorise(connection, owner, by_number, sorted(chosen), ask or ask_where_fit(connection))


def categorise_unknown(connection: Connection, owner: int) -> None:
    """Categorise anew what no shipped rule files, after the person's rules changed.

    So one answer files what is like it, and the next rule or its removal takes that back. What a
    purpose tells apart from a payer is offered what the person said of that payer.
    """
    by_number = _load_payees(connection, owner)
    ask = ask_where_fit(connection)
    unknown = ask(partial(judging.without_shipped_rule, list(by_number.values())))
    _categorise(connection, owner, by_number, unknown, ask)


def _load_payees(connection: Connection, owner: int) -> dict[int, payees.KnownPayee]:
    return {payee.no: payee for payee in payees.known_payees(connection, owner)}


def _categorise(
    connection: Connection,
    owner: int,
    by_number: Mapping[int, payees.KnownPayee],
    chosen: Sequence[int],
    ask: Asking,
) -> None:
    """Have the wanted ones of the payees held judged, and save what is new.

    How much of the income a payer gives is only known once all are judged, and changes with others.
    """
    filed = categories.filed_payees(connection, owner)
    few = len(chosen) + len(filed) <= payees.MOST_NAMED
    numbers = sorted({*chosen, *filed}) if few else None
    flows = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    catalogue = catalogue_of(connection, owner)
    taught = [
        judging.FiledPayee(by_number[no], filed[no], flows.get(no))
        for no in sorted(filed.keys() & by_number.keys())
    ]
    facts = _RowFacts(
        flows, payees.loan_peers(connection, owner), payees.payee_codes(connection, owner)
    )
    decided = {no: payee.decided for no, payee in by_number.items()}

    def decide_for(batch: list[judging.SeenPayee]) -> None:
        decisions = ask(partial(judging.judge, batch, taught, catalogue))
        new = {no: decision for no, decision in decisions.items() if decision != decided[no]}
        payees.save_decisions(connection, new)
        decided.update(new)

    for start in range(0, len(chosen), _AT_ONCE):
        some = [by_number[no] for no in chosen[start : start + _AT_ONCE]]
        decide_for(_seen_payees(connection, owner, some, facts))
    if incomes := doubted_pay(connection, owner, decided):
        income_flows = payees.flows(connection, owner, list(incomes))
        facts = facts._replace(flows={flow.payee: flow for flow in income_flows})
        earners = _seen_payees(connection, owner, [by_number[no] for no in incomes], facts)
        decide_for([payee._replace(income=incomes[payee.no]) for payee in earners])
    if filed:
        _keep_pay(connection, owner, catalogue)


def _seen_payees(
    connection: Connection, owner: int, chosen: Sequence[payees.KnownPayee], facts: _RowFacts
) -> list[judging.SeenPayee]:
    """What the rows say of some payees."""
    flowing = [facts.flows.get(payee.no) or payees.Flows(payee.no, 0, 0, 0) for payee in chosen]
    both_ways = [flow.payee for flow in flowing if flow.debits and flow.credits]
    descriptors = payees.seen_descriptors(connection, owner, both_ways)
    seen_payees = []
    for payee, flow in zip(chosen, flowing, strict=True):
        pays = flow.credits - flow.card_credits >= judging.LEAST_PAYDAYS
        seen_payee = judging.SeenPayee(
            no=payee.no,
            key=payee.key,
            name=payee.name,
            raw=payee.raw,
            debits=flow.debits,
            credits=flow.credits,
            card_credits=flow.card_credits,
            descriptors=descriptors.get(payee.no),
            codes=facts.codes.get(payee.no),
            loan=facts.loans.get(payee.no),
            received=payees.credits_of(connection, owner, payee.no) if pays else (),
            paid=payees.paid_to(connection, owner, payee.no) if pays and flow.debits else 0,
        )
        seen_payees.append(seen_payee)
    return seen_payees


def save_restored_decisions(
    connection: Connection, owner: int, decisions: Mapping[int, payees.SavedDecision]
) -> None:
    """Let hold what was decided for payees, by number, in another home."""
    payees.save_decisions(connection, decisions)
    _keep_pay(connection, owner, catalogue_of(connection, owner))


def _keep_pay(connection: Connection, owner: int, catalogue: Catalogue) -> None:
    spending = [name for name in catalogue.categories if catalogue.flow(name) == "spending"]
    payees.keep_pay(connection, owner, spending)


log = logging.getLogger(__name__)


class _Looked(NamedTuple, Generic[Answer]):
    answer: Answer


async def read_inferred(context: Context, work: Work[Answer], *, in_turn: bool = False) -> Answer:
    """As `context.store.read`, of payees to which all that the person's rules teach is applied.

    With `in_turn` as `context.store.read_in_turn`.
    """
    if in_turn:
        return await _inferred(
            context, partial(context.store.read_in_turn, whose=context.caller.credential), work
        )
    return await _inferred(context, context.store.read, work)


async def compute_inferred(context: Context, work: Work[Answer]) -> Answer:
    """As `context.store.compute`, of payees to which all that the person's rules teach is applied."""
    compute = partial(context.store.compute, whose=context.caller.owner)
    return await _inferred(context, compute, work)


async def _inferred(
    context: Context, door: Callable[[Work[Any]], Awaitable[Any]], work: Work[Answer]
) -> Answer:
    looked: _Looked[Answer] | None = await door(
        partial(_unless_due, owner=context.caller.owner, work=work)
    )
    if looked is not None:
        return looked.answer
    await _infer(context)
    answer: Answer = await door(work)
    return answer


def apply_inference(connection: Connection, owner: int) -> None:
    """Apply what is due, in the transaction of a change that rests on what payees are for."""
    if people.is_inference_due(connection, owner):
        categorise_unknown(connection, owner)
        people.set_inference_due(connection, owner, due=False)
        people.raise_generation(connection, owner, rows=False)


async def _infer(context: Context) -> None:
    try:
        await context.store.write(partial(apply_inference, owner=context.caller.owner))
    except StorageFull:
        log.warning("The disk is full. The newest rules are not applied to other payees yet.")
    except StoreDamaged:
        # The daemon tells of it by itself, and who looks has its answer all the same.
        return


def _unless_due(connection: Connection, owner: int, work: Work[Answer]) -> _Looked[Answer] | None:
    return None if people.is_inference_due(connection, owner) else _Looked(work(connection))
