"""What a payee's money is for until the person says so: one category out, one in, and why.

The person's own rules are not looked at here; whoever holds them lets them win.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import Match, match, match_code
from finplan.model.category import RuleSource

APPLIES_FROM = 0.85
"""The least confidence that files a payee; anything weaker is only suggested in a question."""

_LOAN_CONFIDENCE = 0.95
_PAY_CONFIDENCE = 0.85
_OTHER_INCOME_CONFIDENCE = 0.7

_OTHER_PAY = ("self_employment", "pension_benefits", "other_income")
_INFLOW_GUESSES = ("wages", "other_income", "transfer")


@dataclass(frozen=True, slots=True)
class PayeeFacts:
    """What a household's rows say of one payee.

    `raw` is a descriptor it was seen under. `debits` and `credits` count rows of money out and in, on
    any account; `card_credits` are those credits that arrived on a credit card. `regular_credits` is
    "pay" when the other credits come as pay does, "other" when they are regular in another way.
    `loan_peer` is the kind of linked loan that outflows to this payee are paired with. `code` is a
    merchant category code, where a bank gives one.
    """

    key: str
    name: str
    raw: str
    debits: int
    credits: int
    card_credits: int = 0
    regular_credits: Literal["no", "pay", "other"] = "no"
    loan_peer: Literal["mortgage", "loan"] | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The category of a payee's outflows and of its inflows, and the sentence that says why.

    `source`, `confidence`, `alternatives`, `suggested` and `text` speak of the outflows, or of the
    inflows of a payee that has no others. `source` is None when nothing is known and the person should
    be asked; `suggested` is the guess to ask with, and then `confidence` is the guess's.
    """

    out: str
    into: str
    source: RuleSource | None
    confidence: float | None
    alternatives: tuple[str, ...]
    suggested: str | None
    text: str


class _Answer(NamedTuple):
    """The category of one direction."""

    category: str
    text: str
    source: RuleSource | None = None
    confidence: float | None = None
    alternatives: tuple[str, ...] = ()
    suggested: str | None = None


def decide(facts: PayeeFacts) -> Decision:
    """Answer for every payee: known from a linked loan, the shipped data or a rhythm, else not known."""
    out = _outflow(facts)
    into = _inflow(facts, out)
    spoken = into if facts.credits and not facts.debits else out
    return Decision(
        out=out.category,
        into=into.category,
        source=spoken.source,
        confidence=spoken.confidence,
        alternatives=spoken.alternatives,
        suggested=spoken.suggested,
        text=spoken.text,
    )


def _outflow(facts: PayeeFacts) -> _Answer:
    if facts.loan_peer == "mortgage":
        return _Answer("mortgage", "Paid to a linked mortgage", "auto", _LOAN_CONFIDENCE)
    if facts.loan_peer == "loan":
        return _Answer("loan_payment", "Paid to a linked loan", "auto", _LOAN_CONFIDENCE)
    said = match(facts.key, facts.raw, "out")
    if said is not None and _applies(said):
        return _curated(said)
    coded = match_code(facts.code) if facts.code else None
    if coded is not None and not (said and said.ask):
        return _curated(coded)
    return _unknown("uncategorized", said)


def _inflow(facts: PayeeFacts, out: _Answer) -> _Answer:
    """Income needs evidence; short of it a credit is a refund, a card payment or not known."""
    said = match(facts.key, facts.raw, "in")
    only_cards = 0 < facts.credits == facts.card_credits
    if only_cards:
        return _card_credit(said, out)
    spends = said is not None and BUILT_IN[said.category].flow == "spending"
    if said is not None and _applies(said) and not spends and said.category != "card_payment":
        return _curated(said)
    asked = said is not None and said.ask
    refunds = facts.debits > 0 or spends
    if facts.regular_credits == "pay" and not asked:
        return _Answer("wages", "Arrives as pay does", "auto", _PAY_CONFIDENCE, _OTHER_PAY)
    if refunds and _is_spending(out) and not _pays_people(said):
        return _refund(out)
    if facts.regular_credits == "other" and not asked:
        text = "Arrives regularly, but not as pay does"
        return _Answer("other_income", text, "auto", _OTHER_INCOME_CONFIDENCE, _OTHER_PAY)
    return _unknown("unknown_inflow", None)._replace(alternatives=_INFLOW_GUESSES)


def _card_credit(said: Match | None, out: _Answer) -> _Answer:
    """On a card a credit is a payment if it says so, else a refund, and never income."""
    if said is not None and said.category == "card_payment":
        return _curated(said)
    if _is_spending(out):
        return _refund(out)
    return _Answer("uncategorized", "A refund on a card")


def _applies(said: Match) -> bool:
    return not said.ask and said.confidence >= APPLIES_FROM


def _is_spending(answer: _Answer) -> bool:
    return BUILT_IN[answer.category].flow == "spending"


def _curated(said: Match) -> _Answer:
    return _Answer(said.category, said.rule_text, "curated", said.confidence, said.alternatives)


def _refund(out: _Answer) -> _Answer:
    """Money back lowers the category that it was spent in."""
    if out.source is None:
        return out._replace(text="Money back from a payee that is not yet known")
    return out._replace(text=f"Money back. {out.text}")


def _unknown(category: str, said: Match | None) -> _Answer:
    if said is None:
        return _Answer(category, "Nothing is known of this payee yet")
    suggested = None if said.category == "uncategorized" else said.category
    confidence = None if suggested is None else said.confidence
    return _Answer(category, said.rule_text, None, confidence, said.alternatives, suggested)


def _pays_people(said: Match | None) -> bool:
    return said is not None and said.ask and said.category == "uncategorized"
