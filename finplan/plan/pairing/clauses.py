"""What speaks for two rows being one movement of money, as clauses for a person."""

from collections.abc import Iterator

from finplan.plan.pairing.evidence import names_bank, names_currency, names_number, share_words
from finplan.plan.pairing.scoring import Leg, PairScorer, states_other


def evidence_for(scorer: PairScorer, out: Leg, into: Leg) -> list[str]:
    """The evidence for a pair, each as a clause."""
    source, target = scorer.accounts[out.account], scorer.accounts[into.account]
    left, arrived = scorer.text(out), scorer.text(into)
    clauses = list(_named(scorer, out, into))
    if source.currency != target.currency:
        if names_currency(left, target) and names_currency(arrived, source):
            clauses.append("both rows say that money is changed into the other currency")
        if states_other(out, into, source, target):
            clauses.append("a row states the other sum")
    if "credit" not in {source.kind, target.kind} and share_words(left, arrived):
        clauses.append("both rows hold the same names")
    return clauses


def _named(scorer: PairScorer, out: Leg, into: Leg) -> Iterator[str]:
    """What the rows call themselves, and what they name of the other account."""
    source, target = scorer.accounts[out.account], scorer.accounts[into.account]
    left, arrived = scorer.text(out), scorer.text(into)
    if names_number(left, target) or names_number(arrived, source):
        number = target.mask if names_number(left, target) else source.mask
        yield f"a row names the other account, {(number or '')[-4:]}"
    words = (scorer.says_so(out, source, target), scorer.says_so(into, source, target))
    if any(words):
        kind = "payment" if {source.kind, target.kind} & {"credit", "loan"} else "transfer"
        whose = "both rows" if all(words) else f"the row on {(source if words[0] else target).name}"
        yield f"{whose} {'say' if all(words) else 'says'} {kind}"
    if scorer.share_reference(out, into):
        yield "both rows hold one reference number"
    if scorer.funds_wallet(out, into):
        yield "a payment service takes money from the bank or sends it there"
    words_of_card = scorer.names.card_words(left, out.account, into.account)
    if source.institution != target.institution and names_bank(left, target):
        yield f"the row on {source.name} names {target.institution}"
    elif target.kind == "credit" and words_of_card:
        said = ", ".join(sorted(words_of_card))
        yield f"the row on {source.name} has the card's name, {said}"
    if scorer.names.names_source(arrived, out.account, into.account):
        yield f"the row on {target.name} names {source.institution}"
