"""Judging payees: what each is for, worked out of what their rows say, in whatever process.

It reads no store and is handed values alone, so that a worker can do it: it needs the shipped data.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

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
from finplan.categorise.matching import MATCHES, match, says_no_wages, says_refund
from finplan.categorise.payments import payer_of, purpose_of
from finplan.categorise.tokens import tokens_of
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.evidence import evidence_of
from finplan.store.queries import payees

Regularity = Literal["no", "pay", "other"]

LEAST_PAYDAYS = 3
"""From how many credits on a payee may pay in a rhythm."""

_PAY_CADENCES = ("weekly", "biweekly", "semimonthly", "monthly")
_PAY_OF_INCOME = 100
"""One of how many parts of the income pay is at least; what is less is no wages by its rhythm alone."""

_EMPLOYERS_SHARE = 4
"""How many times what one spends at an employer's shop the employer pays at least."""


class SeenPayee(NamedTuple):
    """A payee, and what the household's rows say of it: all in one, since thousands go to a worker.

    `debits`, `credits` and `card_credits` count its rows as `Flows` do. `descriptors` are there where
    money goes both ways, `loan` is the subtype of the linked loan that charges were paired with, and how
    many. `received`, by day and amount, and what was `paid` to it are only there where it may pay in a
    rhythm. `income` is all income of these days, its own included, 0 where that is not known.
    """

    no: int
    key: str
    name: str
    raw: str
    debits: int
    credits: int
    card_credits: int
    descriptors: payees.SeenDescriptors | None
    codes: payees.PayeeCodes | None
    loan: tuple[str, int] | None
    received: Sequence[tuple[int, int]]
    paid: int
    income: int = 0


class FiledPayee(NamedTuple):
    """A payee that the person filed, under which category, and how money flows with it if any does."""

    payee: payees.KnownPayee
    category: str
    flow: payees.Flows | None


def judge(
    seen_payees: Sequence[SeenPayee], filed: Sequence[FiledPayee], catalogue: Catalogue
) -> dict[int, payees.SavedDecision]:
    """What some payees of a household are for, by number."""
    taught = Knowledge(
        catalogue,
        out=train("out", _labelled_payees(filed, paying=True)),
        into=train("in", _labelled_payees(filed, paying=False)),
    )
    untaught = Knowledge(catalogue)
    payers = {payee.key: (payee.name, category) for payee, category, _ in filed}
    own = {payee.no for payee, _, _ in filed}
    decisions = {}
    for seen_payee in seen_payees:
        facts = _facts_of(seen_payee)
        # A payee that the person filed learns nothing from itself, so that without the rule it is as
        # it was before.
        decision = decide(facts, untaught if seen_payee.no in own else taught)
        decisions[seen_payee.no] = _to_saved(_with_payers_rule(decision, facts, payers, taught))
    return decisions


def without_shipped_rule(known_payees: Iterable[payees.KnownPayee]) -> list[int]:
    """The numbers of payees that no shipped rule files, and of those a purpose tells apart."""
    return [
        payee.no
        for payee in known_payees
        if payee.decided.source in (None, "auto") or purpose_of(payee.key) is not None
    ]


def look_up(new_payees: Sequence[tuple[str, str, str]]) -> None:
    """Have cached what the shipped data say of new payees: each its key, its name, and a descriptor."""
    for key, _, raw in new_payees[:MATCHES]:
        match(key, raw, "out")
    train("out", ())
    train("in", ())


def _facts_of(payee: SeenPayee) -> PayeeFacts:
    both = payee.descriptors
    return PayeeFacts(
        key=payee.key,
        name=payee.name,
        raw=payee.raw if both is None else both.out,
        raw_in=None if both is None else both.into,
        debits=payee.debits,
        credits=payee.credits,
        card_credits=payee.card_credits,
        regular_credits=_regularity(payee),
        loan_peer=_loan_kind(payee.loan, payee.debits),
        code=None if payee.codes is None else payee.codes.out,
        code_in=None if payee.codes is None else payee.codes.into,
    )


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
    payer, choice = filed
    others = tuple(alternative for alternative in decision.alternatives if alternative != choice)
    if decision.source is not None:
        if choice in (decision.into, decision.out):
            return decision
        return replace(decision, alternatives=(choice, *others))
    if decision.suggested == choice or not knowledge.fits(choice, "out" if facts.debits else "in"):
        return decision
    if decision.suggested is not None:
        others = (decision.suggested, *others)
    text = f"{NOT_FILED} You put {payer} in {knowledge.label(choice)}"
    return replace(
        decision, suggested=choice, confidence=SUGGESTS_FROM, alternatives=others, text=text
    )


def _labelled_payees(filed: Sequence[FiledPayee], *, paying: bool) -> Iterable[LabelledPayee]:
    """The payees that the person filed and that money goes to, or only comes from.

    Marketplaces and rails teach nothing: what was bought there once says nothing of a name.
    """
    for payee, category, flow in filed:
        spends = flow is None or flow.debits > 0 or not flow.credits
        if spends != paying:
            continue
        hit = match(payee.key, payee.raw, "out")
        if hit is None or not hit.ask:
            yield LabelledPayee(payee.key, payee.name, category)


def _regularity(payee: SeenPayee) -> Regularity:
    """Whether a payee pays the person in a rhythm; one who is paid too must give far more than it gets.

    A friend who pays half of the rent back, or a shop with a refund a month, is no employer; and nobody
    who seems to be a person is one on a rhythm alone, if paid too or if the note names what is shared.
    Nor is the counter where cash and cheques are paid in, or who refunds. What comes as pay does is no
    pay if it is a reward, an association's payout, or below a hundredth of the income.
    """
    if payee.credits - payee.card_credits < LEAST_PAYDAYS:
        return "no"
    raw = payee.raw if payee.descriptors is None else payee.descriptors.into
    text = evidence_of(payee.raw)
    if (text.paper and text.cash_desk) or says_refund(raw):
        return "no"
    if _pays_a_share(payee) or (payee.debits and _may_be_person(payee.key)):
        return "no"
    least = 0
    received = sum(amount for _, amount in payee.received)
    if payee.debits:
        if received < _EMPLOYERS_SHARE * payee.paid:
            return "no"
        # Between the paydays an employer's shop gives small refunds.
        least = max(amount for _, amount in payee.received) // 2
    rhythm = _rhythm([day for day, amount in payee.received if amount >= least])
    is_no_pay = says_no_wages(raw) or not is_pay_by_amount(received, payee.income)
    return "other" if rhythm == "pay" and is_no_pay else rhythm


def is_pay_by_amount(received: int, income: int) -> bool:
    """Whether what a payer gave is enough of an income to be pay by its rhythm alone."""
    return received * _PAY_OF_INCOME >= income


def _may_be_person(key: str) -> bool:
    names = key.split()
    return len(names) > 1 and not grammar().given.isdisjoint(names)


def _pays_a_share(payee: SeenPayee) -> bool:
    """Whether money in says that it is for rent, dinner and the like, for which people pay each other.

    Nobody pays wages as rent; what else is shared is a trade, too, and has to come from a person.
    """
    if grammar().rail_notes.isdisjoint(tokens_of(payee.raw)):
        return False
    hit = match(payee.key, payee.raw, "out")
    is_rent = hit is not None and not hit.merchant and hit.category == "rent"
    # Such as "r osei": a given name that is cut to a letter.
    has_initial = re.match(r"[^\W\d] ", payee.key) is not None
    return is_rent or has_initial or _may_be_person(payee.key)


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


def _to_saved(decision: Decision) -> payees.SavedDecision:
    return payees.SavedDecision(
        decision.out,
        decision.into,
        decision.source,
        decision.confidence,
        " ".join(decision.alternatives),
        decision.suggested,
        decision.text,
    )
