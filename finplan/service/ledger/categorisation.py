"""Categorising payees: what each is for, by the shipped data, its rows, and the person's rules.

It runs inside the transaction that changed the rows or the rules. A payee that the person filed keeps
that category, whatever is decided here; only the pay of an employer stays pay where its shop's charges
were filed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from finplan.categorise.curated import Direction
from finplan.categorise.decide import Decision, Knowledge, PayeeFacts, Prior, conclude, prior_of
from finplan.categorise.grammar import grammar
from finplan.categorise.infer import CategoryModel, Counts, LabelledPayee, sharing_evidence, train
from finplan.categorise.matching import MATCHES, match
from finplan.categorise.priors import KeptPrior, edition, read_prior, write_prior
from finplan.categorise.tokens import tokens_of
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.evidence import evidence_of
from finplan.service.derived.household import catalogue_of
from finplan.store.queries import payees, priors

Regularity = Literal["no", "pay", "other"]

_DIRECTIONS: tuple[Direction, ...] = ("out", "in")

_PAY_CADENCES = ("weekly", "biweekly", "semimonthly", "monthly")
_LEAST_PAYDAYS = 3
_EMPLOYERS_SHARE = 4
"""How many times what one spends at an employer's shop the employer pays at least."""


@contextmanager
def matches_prefetched(found: Sequence[tuple[str, str, str]]) -> Iterator[None]:
    """Look new payees up in the shipped data meanwhile, so that categorising them finds it cached.

    A payee is its key, its name, and a descriptor. While SQLite inserts rows it leaves Python alone, so
    that this takes no time of its own.
    """
    with ThreadPoolExecutor(1, "prefetch") as hand:
        hand.submit(_look_up, found[:MATCHES])
        yield


def _look_up(found: Sequence[tuple[str, str, str]]) -> None:
    for key, _, raw in found:
        match(key, raw, "out")


def categorise_payees(connection: Connection, owner: int, numbers: Sequence[int] | None) -> None:
    """Let the shipped and inferred rules decide for some payees, or with None for all.

    What their rows say is looked at afresh.
    """
    if numbers is not None and not numbers:
        return
    held = payees.known_payees(connection, owner, numbers)
    known = _priors(connection, owner, held)
    teachers = priors.teachers(connection, owner, edition())
    learnt = _learn(connection, owner, teachers)
    decided = _decide(connection, held, known, learnt)
    if teachers:
        _keep_pay(connection, owner, learnt, None)
    _keep(connection, owner, held, known, {no for no, each in decided.items() if _unsure(each)})


def categorise_similar(
    connection: Connection, owner: int, taught: Sequence[int] | None = None
) -> None:
    """Judge afresh what no shipped rule files, after rules of the `taught` payees came, changed or went.

    So one answer files what is like it, and the next rule or its removal takes that back. Only payees
    whose names share something with the taught ones can be decided otherwise; None means all.
    """
    unsure = priors.unsure_payees(connection, owner, edition())
    outdated = {each.no for each in unsure if not each.known}
    asked = [each.no for each in unsure]
    if taught is not None:
        keys = payees.keys_of(connection, owner, taught)
        sharing = sharing_evidence([each.key for each in unsure], keys)
        asked = [
            each.no for each in unsure if each.key in sharing or each.no in taught or not each.known
        ]
    held = payees.known_payees(connection, owner, asked)
    stale = [payee for payee in held if payee.no in outdated]
    _keep(connection, owner, stale, _priors(connection, owner, stale), outdated)
    kept = {no: read_prior(body) for no, body in priors.bodies(connection, asked).items()}
    known = {no: each.prior for no, each in kept.items()}
    teachers = priors.teachers(connection, owner, edition())
    learnt = _learn(connection, owner, teachers, list(kept.values()))
    _decide(connection, held, known, learnt)
    _keep_pay(connection, owner, learnt, None if taught is None else [*asked, *taught])


class _Learnt(NamedTuple):
    """What payees are judged by, and what those are judged by that the person filed.

    A filed payee learns nothing from itself, so that without its rule it is as it was before.
    """

    taught: Knowledge
    untaught: Knowledge
    filed: frozenset[int]


def _learn(
    connection: Connection,
    owner: int,
    teachers: Sequence[priors.Teacher],
    asked: Sequence[KeptPrior] | None = None,
) -> _Learnt:
    """What the person's rules teach about some payees, or with None about any.

    Marketplaces and rails teach nothing: what was bought there once says nothing of a name.
    """
    telling = [each for each in teachers if not _asks(each)]
    learnt: dict[Direction, CategoryModel] = {}
    for direction in _DIRECTIONS:
        lessons = [
            LabelledPayee(each.key, each.name, each.category)
            for each in telling
            if each.spends == (direction == "out")
        ]
        shipped: dict[str, Counts] | None = None
        if asked is not None:
            shipped = {}
            for each in asked:
                shipped |= each.evidence[direction]
        learnt[direction] = train(direction, lessons, shipped)
    catalogue = catalogue_of(connection, owner)
    return _Learnt(
        Knowledge(catalogue, out=learnt["out"], into=learnt["in"]),
        Knowledge(catalogue),
        frozenset(each.no for each in teachers),
    )


def _asks(payee: payees.KnownPayee | priors.Teacher) -> bool:
    """Whether the shipped data say that only the person knows what was bought there."""
    if isinstance(payee, priors.Teacher) and payee.asks is not None:
        return payee.asks
    said = match(payee.key, payee.raw, "out")
    return said is not None and said.ask


def _decide(
    connection: Connection,
    held: Sequence[payees.KnownPayee],
    known: Mapping[int, Prior],
    learnt: _Learnt,
) -> dict[int, payees.SavedDecision]:
    """Decide for the payees held, and save what is new; answers every decision by number."""
    decided = {}
    for payee in held:
        knowledge = learnt.untaught if payee.no in learnt.filed else learnt.taught
        decided[payee.no] = _as_kept(conclude(known[payee.no], knowledge))
    new = {payee.no: decided[payee.no] for payee in held if decided[payee.no] != payee.decided}
    payees.save_decisions(connection, new, learnt.filed)
    return decided


def _keep_pay(
    connection: Connection, owner: int, learnt: _Learnt, numbers: Sequence[int] | None
) -> None:
    catalogue = learnt.untaught.catalogue
    spending = [name for name in catalogue.categories if catalogue.flow(name) == "spending"]
    payees.keep_pay(connection, owner, spending, numbers)


def _unsure(decided: payees.SavedDecision) -> bool:
    return decided.source in (None, "auto")


def _keep(
    connection: Connection,
    owner: int,
    held: Sequence[payees.KnownPayee],
    known: Mapping[int, Prior],
    unsure: Collection[int],
) -> None:
    """Keep the priors of payees, whole for those that a rule for another payee may file."""
    priors.save_priors(
        connection,
        owner,
        edition(),
        [
            (payee.no, _asks(payee), write_prior(known[payee.no]) if payee.no in unsure else None)
            for payee in held
        ],
    )


def _priors(
    connection: Connection, owner: int, held: Sequence[payees.KnownPayee]
) -> dict[int, Prior]:
    """What the shipped data and their rows say of some payees."""
    numbers = [payee.no for payee in held]
    if not numbers:
        return {}
    flows = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    both_ways = [no for no in numbers if no in flows and flows[no].debits and flows[no].credits]
    loans = payees.loan_peers(connection, owner)
    codes = payees.payee_codes(connection, owner, numbers)
    seen = payees.seen_descriptors(connection, owner, both_ways)
    found = {}
    for payee in held:
        flow = flows.get(payee.no, payees.Flows(payee.no, 0, 0, 0))
        raw, raw_in = seen.get(payee.no, (payee.raw, None))
        code, code_in = codes.get(payee.no, (None, None))
        found[payee.no] = prior_of(
            PayeeFacts(
                key=payee.key,
                name=payee.name,
                raw=raw,
                raw_in=raw_in,
                debits=flow.debits,
                credits=flow.credits,
                card_credits=flow.card_credits,
                regular_credits=_regularity(connection, owner, payee, flow),
                loan_peer=_loan_kind(loans.get(payee.no), flow.debits),
                code=code,
                code_in=code_in,
            )
        )
    return found


def _regularity(
    connection: Connection, owner: int, payee: payees.KnownPayee, flow: payees.Flows
) -> Regularity:
    """Whether a payee pays the person in a rhythm; one who is paid too must give far more than it gets.

    A friend who pays half of the rent back, or a shop with a refund a month, is no employer; and nobody
    who seems to be a person is one on a rhythm alone, if paid too or if the note names what is shared.
    Nor is the counter where cash and cheques are paid in.
    """
    if flow.credits - flow.card_credits < _LEAST_PAYDAYS:
        return "no"
    text = evidence_of(payee.raw)
    if text.paper and text.cash_desk:
        return "no"
    if _may_be_person(payee.key) and (flow.debits or _names_what_is_shared(payee.raw)):
        return "no"
    credits_of = payees.credits_of(connection, owner, payee.no)
    least = 0
    if flow.debits:
        received = sum(amount for _, amount in credits_of)
        if received < _EMPLOYERS_SHARE * payees.paid_to(connection, owner, payee.no):
            return "no"
        # Between the paydays an employer's shop gives small refunds.
        least = max(amount for _, amount in credits_of) // 2
    return _rhythm([day for day, amount in credits_of if amount >= least])


def _may_be_person(key: str) -> bool:
    words = key.split()
    return len(words) > 1 and not grammar().given.isdisjoint(words)


def _names_what_is_shared(raw: str) -> bool:
    """Whether a descriptor says rent, dinner and the like, for which people pay each other."""
    return not grammar().rail_notes.isdisjoint(tokens_of(raw))


def _rhythm(days: Sequence[int]) -> Regularity:
    rhythm = rhythm_of(sorted({ORDINAL[day] for day in days}))
    if rhythm is None:
        return "no"
    return "pay" if rhythm.cadence in _PAY_CADENCES else "other"


def _loan_kind(payments: tuple[str, int] | None, debits: int) -> Literal["mortgage", "loan"] | None:
    """The loan that most of a payee's charges go to; a payee of many uses is none."""
    if payments is None or payments[1] * 2 <= debits:
        return None
    return "mortgage" if "mortgage" in payments[0].lower() else "loan"


def _as_kept(decision: Decision) -> payees.SavedDecision:
    return payees.SavedDecision(
        decision.out,
        decision.into,
        decision.source,
        decision.confidence,
        " ".join(decision.alternatives),
        decision.suggested,
        decision.text,
    )
