"""How much speaks for two rows being one movement of money, and what rules it out.

A pair is scored by what the banks wrote: words for transfers and payments, the digits of the other
account, the other bank's name. What a payee is filed under may rule a pair out, and so may a
person's name. What speaks for a pair is put into clauses for a person. Sources: field, section 2.4,
and detection, section 3.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from finplan.categorise.catalogue import Catalogue
from finplan.plan.ledger.classes import is_savings_type, nature_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing import evidence

UNKNOWN = frozenset({"uncategorized", "unknown_inflow"})
"""The categories that say nothing yet."""

_LOAN_BOUND = frozenset({"mortgage", "loan_payment", "extra_principal"})
_CARD_BOUND = frozenset({"unlinked_card", "card_payment"})

USUAL_DAYS = range(-1, 5)
"""Days from the money's leaving to its arrival that need no evidence of their own: some banks book an
arrival a day before the departure, and some take four days."""

USUAL_FEE_PERCENT = 3
"""What may be lost on the way when both banks call it a transfer."""

_ROUND = 5_00
"""What strangers pay each other is mostly a multiple of this; what a card bills hardly ever is."""


class Leg(NamedTuple):
    """A posted row that may be one side of a transfer.

    `number` names the row, `account` its account; `day` is YYYYMMDD, `amount` in minor units, positive
    when money comes in. `raw` is the bank's text, `category` what its payee is filed under in this
    direction, `filed` whether the person filed it. `payee` is the number of its payee.
    """

    number: int
    account: int
    day: int
    amount: int
    raw: str
    category: str
    payee: int = 0
    filed: bool = False


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """A possible pair; more `score` is more evidence, `days_apart` counts calendar days either way.

    `sure` is whether the evidence is enough where nothing else fits.
    """

    out: Leg
    into: Leg
    score: int
    days_apart: int
    sure: bool

    @property
    def rank(self) -> tuple[int, int]:
        """Pairs of the same rank are told apart by nothing."""
        return (-self.score, self.days_apart)

    @property
    def rows(self) -> frozenset[int]:
        """The numbers of both rows."""
        return frozenset({self.out.number, self.into.number})


class PairScorer:
    """Scores possible pairs by the evidence in their rows; each text is read once."""

    def __init__(
        self,
        accounts: Mapping[int, LedgerAccount],
        rejected: Collection[tuple[int, int]],
        catalogue: Catalogue,
    ) -> None:
        self._catalogue = catalogue
        self.accounts = accounts
        self._rejected = rejected
        self._texts: dict[str, evidence.Evidence] = {}
        self.names = evidence.OwnNames(accounts)

    def is_eligible(self, leg: Leg) -> bool:
        """Whether a leg may be in a pair: a shop's row only if it names an own account."""
        return (
            self._flow(leg) != "spending"
            or self.names.may_name_own(leg.raw)
            or self._names_own_debt(leg)
            or self.names.names_wallet(self.text(leg), leg.account)
            or "paypal" in self.text(leg).services
        )

    def says_transfer(self, leg: Leg) -> bool:
        """Whether a bank calls the row of a leg a transfer, and nobody's pay."""
        return self._flow(leg) != "income" and self.text(leg).transfer

    def share_reference(self, out: Leg, into: Leg) -> bool:
        """Whether both rows hold the long number of one order, and one is called a movement."""
        sent, arrived = self.text(out), self.text(into)
        if sent.references.isdisjoint(arrived.references):
            return False
        if any(self.names.names_wallet(self.text(leg), leg.account) for leg in (out, into)):
            return True
        return sent.transfer or arrived.transfer or (sent.payment and arrived.payment)

    def candidates(self, near: Iterable[tuple[Leg, Leg, int]]) -> list[CandidatePair]:
        """The possible pairs among legs that are near in time, also those whose score is too low."""
        return [
            candidate
            for out, into, days in near
            if (candidate := self._candidate(out, into, days)) is not None
        ]

    def with_fee(self, out: Leg, into: Leg, days: int, *, often: bool) -> CandidatePair | None:
        """Two legs of which the second is smaller by what a fee may be; None where too little ties them.

        More than 3% is a fee only where a text says so. `often` says that the same was seen three
        times. It is sure where both rows are called transfers, and no pay, or enough ties the two.
        """
        source, target, sent, arrived = self.sides(out, into)
        is_usual = -out.amount <= 100 * into.amount // (100 - USUAL_FEE_PERCENT)
        if (
            source.currency != target.currency
            or not (is_usual or sent.fee or arrived.fee)
            or self._is_ruled_out(out, into)
        ):
            return None
        ties = (
            2 * (evidence.names_number(sent, target) + evidence.names_number(arrived, source))
            + 2 * self.share_reference(out, into)
            + 2 * self._is_by_person(out, into)
            + self.names.names_target(sent, out.account, into.account)
            + self.names.names_source(arrived, out.account, into.account)
            + evidence.share_words(sent, arrived)
        )
        called = self.says_transfer(out) and self.says_transfer(into)
        if not (called or ties) or (target.kind == "credit" and not called and ties < 2):
            return None
        if ties < 2 and (sent.purpose or arrived.purpose):
            return None
        worded = sent.transfer and arrived.transfer
        is_strange = not ties and self.names.name_two_parties(sent, arrived)
        sure = (called and not is_strange) or ties >= 2 or (ties > 0 and (often or worded))
        return CandidatePair(out, into, ties + called, abs(days), sure)

    def is_open(self, leg: Leg) -> bool:
        """Whether nobody has said yet what the row of a leg is for."""
        return leg.category in UNKNOWN

    def says_crossing(self, leg: Leg) -> bool:
        """Whether a bank calls the row of a leg a transfer or an exchange, and nobody's pay."""
        text = self.text(leg)
        return self._flow(leg) != "income" and (text.transfer or text.exchange)

    def crossing(self, out: Leg, into: Leg, days: int) -> CandidatePair | None:
        """Two legs in two currencies that both say so; sure where something ties them."""
        source, target, sent, arrived = self.sides(out, into)
        if {source.kind, target.kind} & {"credit", "loan"} or self._is_ruled_out(out, into):
            return None
        tied = (
            2 * (evidence.names_number(sent, target) + evidence.names_number(arrived, source))
            + 2 * self.share_reference(out, into)
            + 2 * states_other(out, into, source, target)
            + (evidence.names_currency(sent, target) and evidence.names_currency(arrived, source))
            + self.names.names_target(sent, out.account, into.account)
            + evidence.share_words(sent, arrived)
        )
        return CandidatePair(out, into, tied, abs(days), tied > 0)

    def _candidate(self, out: Leg, into: Leg, days: int) -> CandidatePair | None:
        """A pair with its score, so many days from leaving to arriving; None if it is ruled out."""
        if self.accounts[out.account].currency != self.accounts[into.account].currency:
            return None
        if days not in USUAL_DAYS and not self._told_by_both(out, into):
            return None
        if self._is_ruled_out(out, into):
            return None
        source, target, sent, arrived = self.sides(out, into)
        flows = {self._flow(out), self._flow(into)}
        names_number = evidence.names_number(sent, target) + evidence.names_number(arrived, source)
        ties = (
            2 * names_number
            + self.names.names_target(sent, out.account, into.account)
            + ("credit" not in {source.kind, target.kind} and evidence.share_words(sent, arrived))
            + 2 * self.share_reference(out, into)
            + 2 * self.funds_wallet(out, into)
            + 2 * self._is_by_person(out, into)
            + self.names.names_source(arrived, out.account, into.account)
        )
        score = ties + self.says_so(out, source, target) + self.says_so(into, source, target)
        # A relative may transfer the rent on the day on which it is transferred to the landlord.
        is_strange = (
            not ties
            and source.kind == target.kind == "depository"
            and (sent.purpose or arrived.purpose or self.names.name_two_parties(sent, arrived))
        )
        # Nothing but a payment arrives on a loan, and pay is no transfer on one word alone.
        needed = 2 if "income" in flows else 0 if target.kind == "loan" else 1
        # A shop's refund comes to a card too, so the card's own row has to call it a payment.
        called = (
            target.kind != "credit"
            or names_number > 0
            or self._is_by_person(out, into)
            or self.says_so(into, source, target)
        )
        sure = called and score >= needed and not is_strange
        return CandidatePair(out, into, score, abs(days), sure)

    def _is_ruled_out(self, out: Leg, into: Leg) -> bool:
        """Whether two rows cannot be one movement, whatever their amounts and days."""
        source, target = self.accounts[out.account], self.accounts[into.account]
        if (
            out.account == into.account
            or (out.number, into.number) in self._rejected
            or not _may_meet(out, target)
            or not _may_meet(into, source)
        ):
            return True
        if self.funds_wallet(out, into):
            return False
        sent, arrived = self.text(out), self.text(into)
        if (
            # A charge on a card is a purchase, and an equal credit elsewhere a friend's share of it.
            (source.kind == "credit" and not sent.transfer)
            or self.names.names_another(sent, source, target)
            or self.names.names_another(arrived, source, target)
        ):
            return True
        if (
            evidence.names_number(sent, target)
            or evidence.names_number(arrived, source)
            or self._is_by_person(out, into)
        ):
            return False
        if target.kind == "credit" and evidence.name_one_payee(sent, arrived):
            # One payee on both sides is a purchase and its refund, unless it is the card's issuer.
            names = self.names.names_target(sent, out.account, into.account)
            if not names and not _is_filed(out, target):
                return True
        spends = "spending" in {self._flow(out), self._flow(into)}
        if spends and self._flow(into) != "spending":
            spends = not self._names_own_debt(out, into.account)
        of_a_person = sent.person or arrived.person
        # Cash or a cheque that is paid in did not come out of the other account as such.
        of_paper = arrived.paper and not sent.paper
        bound_elsewhere = sent.investment and nature_of(target) != "investment"
        return spends or of_a_person or of_paper or bound_elsewhere

    def _names_own_debt(self, leg: Leg, only: int | None = None) -> bool:
        """Whether a row calls itself a payment and names an own card, loan or investment."""
        return leg.amount < 0 and self.names.is_paid(self.text(leg), leg.raw, leg.account, only)

    def funds_wallet(self, out: Leg, into: Leg) -> bool:
        """Whether a bank's row names a service, and the own account there says that a bank funds it.

        Either way round. Such a service's own statement names each payee, so the bank's row names none.
        """
        return any(
            (
                self.names.names_service(self.text(bank), bank.account, wallet.account)
                and (self.text(wallet).funding or self.share_reference(out, into))
            )
            or (self.text(wallet).of_paypal and "paypal" in self.text(bank).services)
            for bank, wallet in ((out, into), (into, out))
        )

    def _is_by_person(self, out: Leg, into: Leg) -> bool:
        """Whether the person put one of two rows between own accounts, and no text says otherwise."""
        transfers = [leg.category == "transfer" for leg in (out, into) if leg.filed]
        says_other = any(self.text(leg).purpose for leg in (out, into) if not leg.filed)
        return bool(transfers) and all(transfers) and not says_other

    def _told_by_both(self, out: Leg, into: Leg) -> bool:
        """Whether each row tells enough of the other to be booked further apart than is usual."""
        source, target, sent, arrived = self.sides(out, into)
        if self.funds_wallet(out, into):
            return True
        names = evidence.names_number(sent, target) or self.names.names_target(
            sent, out.account, into.account
        )
        if target.kind in {"credit", "loan"}:
            if not self.says_so(into, source, target):
                return False
            if not names and self.names.names_another_card(sent, out.account, into.account):
                return False
            is_round = into.amount % _ROUND == 0
            says = sent.payment and (not is_round or evidence.names_bank(sent, target))
            return names or _is_filed(out, target) or says
        is_named = (
            names or evidence.names_number(arrived, source) or self.share_reference(out, into)
        )
        says = self.says_so(out, source, target) and self.says_so(into, source, target)
        return says and (is_named or evidence.share_words(sent, arrived))

    def _flow(self, leg: Leg) -> str:
        """How a leg's category flows, `move` where it is open or bound for an own account."""
        if leg.category in UNKNOWN | _LOAN_BOUND | _CARD_BOUND:
            return "move"
        return self._catalogue.flow(leg.category) if leg.category in self._catalogue else "spending"

    def sides(
        self, out: Leg, into: Leg
    ) -> tuple[LedgerAccount, LedgerAccount, evidence.Evidence, evidence.Evidence]:
        """The accounts that money left and arrived on, and what the texts of both rows say."""
        source, target = self.accounts[out.account], self.accounts[into.account]
        return source, target, self.text(out), self.text(into)

    def text(self, leg: Leg) -> evidence.Evidence:
        """The evidence in a row's text."""
        evidence_of_raw = self._texts.get(leg.raw)
        if evidence_of_raw is None:
            evidence_of_raw = self._texts[leg.raw] = evidence.evidence_of(leg.raw)
        return evidence_of_raw

    def says_so(self, leg: Leg, source: LedgerAccount, target: LedgerAccount) -> bool:
        """Whether a row is called, or filed as, what it would be between these accounts."""
        return _says_so(self.text(leg), source, target) or _is_filed(leg, target)


def _says_so(text: evidence.Evidence, source: LedgerAccount, target: LedgerAccount) -> bool:
    """Whether a text calls its row what it would be between these accounts."""
    if text.transfer or (text.investment and nature_of(target) == "investment"):
        return True
    if {source.kind, target.kind} & {"credit", "loan"}:
        return text.payment
    return (text.cash_desk or text.saving) and (is_savings_type(source) or is_savings_type(target))


def _is_filed(leg: Leg, target: LedgerAccount) -> bool:
    """Whether a leg's payee is known for payments to a card or a loan, and the other account is one."""
    return (target.kind == "credit" and leg.category in _CARD_BOUND) or (
        target.kind == "loan" and leg.category in _LOAN_BOUND
    )


def states_other(out: Leg, into: Leg, source: LedgerAccount, target: LedgerAccount) -> bool:
    """Whether one of two rows in two currencies states the sum of the other."""
    return evidence.states_amount(out.raw, into.amount, target.currency) or evidence.states_amount(
        into.raw, out.amount, source.currency
    )


def _may_meet(leg: Leg, ledger_account: LedgerAccount) -> bool:
    """Whether what a leg's payee is filed under can be money to or from that account."""
    if leg.amount > 0:
        return True
    if leg.category in _LOAN_BOUND:
        return ledger_account.kind in {"loan", "credit"}
    return leg.category not in _CARD_BOUND or ledger_account.kind == "credit"


def evidence_for(scorer: PairScorer, out: Leg, into: Leg) -> Iterator[str]:
    """The evidence for a pair, each as a clause."""
    source, target, sent, arrived = scorer.sides(out, into)
    yield from _named_by_rows(scorer, out, into)
    if source.currency != target.currency:
        if evidence.names_currency(sent, target) and evidence.names_currency(arrived, source):
            yield "both transactions mention the currency exchange"
        if states_other(out, into, source, target):
            yield "one transaction states the other amount"
    if "credit" not in {source.kind, target.kind} and evidence.share_words(sent, arrived):
        yield "both transactions have the same names"


def _named_by_rows(scorer: PairScorer, out: Leg, into: Leg) -> Iterator[str]:
    """What the rows call themselves, and what they name of the other account."""
    source, target, sent, arrived = scorer.sides(out, into)
    if evidence.names_number(sent, target) or evidence.names_number(arrived, source):
        number = target.mask if evidence.names_number(sent, target) else source.mask
        yield f"one transaction contains the other account's number, {(number or '')[-4:]}"
    names = (scorer.says_so(out, source, target), scorer.says_so(into, source, target))
    if any(names):
        kind = "payment" if {source.kind, target.kind} & {"credit", "loan"} else "transfer"
        row_text = f"the transaction on {(source if names[0] else target).name}"
        yield f"both transactions say {kind}" if all(names) else f"{row_text} says {kind}"
    if scorer.share_reference(out, into):
        yield "both transactions have the same reference number"
    if scorer.funds_wallet(out, into):
        yield "a payment service transfers money from or to your bank"
    words_of_card = scorer.names.card_words(sent, out.account, into.account)
    if source.institution != target.institution and evidence.names_bank(sent, target):
        yield f"the transaction on {source.name} names {target.institution}"
    elif target.kind == "credit" and words_of_card:
        card_words = ", ".join(sorted(words_of_card))
        yield f"the transaction on {source.name} names the card, {card_words}"
    if scorer.names.names_source(arrived, out.account, into.account):
        yield f"the transaction on {target.name} names {source.institution}"
