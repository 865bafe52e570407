"""Categorising payees: what each is for, by the shipped data, its rows, and the person's rules.

It runs inside the transaction that changed the rows or the rules. A payee that the person filed keeps
that category, whatever is decided here; only the pay of an employer stays pay where its shop's charges
were filed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.categorise.decide import (
    NOT_FILED,
    SUGGESTS_FROM,
    Decision,
    Knowledge,
    PayeeFacts,
    decide,
)
from finplan.categorise.grammar import grammar
from finplan.categorise.infer import LabelledPayee, train
from finplan.categorise.matching import MATCHES, match
from finplan.categorise.purposes import payer_of, purpose_of
from finplan.categorise.tokens import tokens_of
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.evidence import evidence_of
from finplan.service.derived.household import catalogue_of
from finplan.store.queries import payees, rules

Regularity = Literal["no", "pay", "other"]

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
    """Let the shipped and inferred rules decide for some payees, or with None for all."""
    if numbers is not None and not numbers:
        return
    held = _held(connection, owner)
    wanted = held.keys() if numbers is None else held.keys() & set(numbers)
    _categorise(connection, owner, held, sorted(wanted))


def categorise_unknown(connection: Connection, owner: int) -> None:
    """Categorise anew what no shipped rule files, after the person's rules changed.

    So one answer files what is like it, and the next rule or its removal takes that back. What a
    purpose tells apart from a payer is offered what the person said of that payer.
    """
    held = _held(connection, owner)
    unknown = [
        no
        for no, payee in held.items()
        if payee.decided.source in (None, "auto") or purpose_of(payee.key) is not None
    ]
    _categorise(connection, owner, held, unknown)


def _held(connection: Connection, owner: int) -> dict[int, payees.KnownPayee]:
    return {payee.no: payee for payee in payees.known_payees(connection, owner)}


def _categorise(
    connection: Connection, owner: int, held: Mapping[int, payees.KnownPayee], wanted: Sequence[int]
) -> None:
    """Decide for the wanted ones of the payees held, and save what is new."""
    filed = rules.filed_payees(connection, owner)
    few = len(wanted) + len(filed) <= payees.MOST_NAMED
    numbers = sorted({*wanted, *filed}) if few else None
    flows = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    catalogue = catalogue_of(connection, owner)
    taught = Knowledge(
        catalogue,
        out=train("out", _labelled_payees(held, filed, flows, paying=True)),
        into=train("in", _labelled_payees(held, filed, flows, paying=False)),
    )
    untaught = Knowledge(catalogue)
    loans = payees.loan_peers(connection, owner)
    codes = payees.payee_codes(connection, owner)
    both_ways = [no for no in wanted if no in flows and flows[no].debits and flows[no].credits]
    seen = payees.seen_descriptors(connection, owner, both_ways)
    payers = {
        held[no].key: (held[no].name, category) for no, category in filed.items() if no in held
    }
    decisions = {}
    for number in wanted:
        payee = held[number]
        flow = flows.get(number, payees.Flows(number, 0, 0, 0))
        raw, raw_in = seen.get(number, (payee.raw, None))
        code, code_in = codes.get(number, (None, None))
        facts = PayeeFacts(
            key=payee.key,
            name=payee.name,
            raw=raw,
            raw_in=raw_in,
            debits=flow.debits,
            credits=flow.credits,
            card_credits=flow.card_credits,
            regular_credits=_regularity(connection, owner, payee, flow),
            loan_peer=_loan_kind(loans.get(number), flow.debits),
            code=code,
            code_in=code_in,
        )
        # A payee that the person filed learns nothing from itself, so that without the rule it is as
        # it was before.
        decision = decide(facts, untaught if number in filed else taught)
        decided = _as_kept(_with_payers_rule(decision, facts, payers, taught))
        if decided != payee.decided:
            decisions[number] = decided
    payees.save_decisions(connection, decisions)
    if filed:
        _keep_pay(connection, owner, catalogue)


def _with_payers_rule(
    decision: Decision,
    facts: PayeeFacts,
    payers: Mapping[str, tuple[str, str]],
    knowledge: Knowledge,
) -> Decision:
    """A decision that offers what the person said of the payer whom a purpose is told apart from.

    `payers` are the names and categories of the payees that the person filed, by key. Where the purpose
    says what it is for, the payer's category is the first alternative, and where it is asked, the first
    suggestion, with its reason.
    """
    purpose = purpose_of(facts.key)
    filed = None if purpose is None else payers.get(payer_of(facts.key, purpose))
    if filed is None:
        return decision
    payer, said = filed
    others = tuple(each for each in decision.alternatives if each != said)
    if decision.source is not None:
        if said in (decision.into, decision.out):
            return decision
        return replace(decision, alternatives=(said, *others))
    if decision.suggested == said or not knowledge.fits(said, "out" if facts.debits else "in"):
        return decision
    if decision.suggested is not None:
        others = (decision.suggested, *others)
    text = f"{NOT_FILED} You filed {payer} under {knowledge.label(said)}"
    return replace(
        decision, suggested=said, confidence=SUGGESTS_FROM, alternatives=others, text=text
    )


def save_restored_decisions(
    connection: Connection, owner: int, decisions: Mapping[int, payees.SavedDecision]
) -> None:
    """Let hold what was decided for payees, by number, in another home."""
    payees.save_decisions(connection, decisions)
    _keep_pay(connection, owner, catalogue_of(connection, owner))


def _keep_pay(connection: Connection, owner: int, catalogue: Catalogue) -> None:
    spending = [name for name in catalogue.categories if catalogue.flow(name) == "spending"]
    payees.keep_pay(connection, owner, spending)


def _labelled_payees(
    held: Mapping[int, payees.KnownPayee],
    filed: Mapping[int, str],
    flows: Mapping[int, payees.Flows],
    *,
    paying: bool,
) -> Iterable[LabelledPayee]:
    """The payees that the person filed and that money goes to, or only comes from.

    Marketplaces and rails teach nothing: what was bought there once says nothing of a name.
    """
    for number in sorted(filed.keys() & held.keys()):
        flow, payee = flows.get(number), held[number]
        spends = flow is None or flow.debits > 0 or not flow.credits
        if spends != paying:
            continue
        said = match(payee.key, payee.raw, "out")
        if said is None or not said.ask:
            yield LabelledPayee(payee.key, payee.name, filed[number])


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
    if _pays_a_share(payee) or (flow.debits and _may_be_person(payee.key)):
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


def _pays_a_share(payee: payees.KnownPayee) -> bool:
    """Whether money in says that it is for rent, dinner and the like, for which people pay each other.

    Nobody pays wages as rent; what else is shared is a trade, too, and has to come from a person.
    """
    if grammar().rail_notes.isdisjoint(tokens_of(payee.raw)):
        return False
    said = match(payee.key, payee.raw, "out")
    is_rent = said is not None and not said.merchant and said.category == "rent"
    return is_rent or _may_be_person(payee.key) or _has_initial(payee.key)


def _has_initial(key: str) -> bool:
    """Whether a name opens as people's do whose given name is cut to a letter: "r osei"."""
    return re.match(r"[^\W\d] ", key) is not None


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
