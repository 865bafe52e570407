"""Settling: after rows arrive or leave, pairs are found and payees are judged.

It runs inside the transaction that moved the rows, so that nobody ever sees rows that are not settled.
"""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import Connection

from finplan.categorise.decide import Decision, PayeeFacts, decide
from finplan.plan.cadence import rhythm_of
from finplan.plan.days import ORDINAL
from finplan.plan.loan_payments import LoanPayment
from finplan.plan.roles import counted
from finplan.plan.transfers import Leg, find_pairs
from finplan.service.household import household_settings, ledger_accounts
from finplan.service.ids import new_id
from finplan.store import accounts, payees, people, transfers

Regularity = Literal["no", "pay", "other"]

_PAY_CADENCES = ("weekly", "biweekly", "semimonthly", "monthly")


def settle_arrivals(
    connection: Connection, owner: int, since_no: int, touched: Sequence[int] | None
) -> None:
    """Settle the rows above a number, which name the `touched` payees; None means all payees."""
    judge_payees(connection, owner, touched)
    paired = _pair(connection, owner, transfers.new_candidates(connection, owner, since_no))
    # A payee that turns out to be paid into a linked loan is judged again with that knowledge.
    judge_payees(connection, owner, paired)
    people.raise_generation(connection, owner)


def settle_departure(connection: Connection, owner: int, rows: Sequence[int]) -> list[int]:
    """Part the pairs that some rows are in before the rows go; answers the payees left alone by it."""
    staying = transfers.part_from(connection, rows)
    if not staying:
        return []
    recount_accounts(connection, owner)
    return payees.payees_of_rows(connection, staying)


def pair_afresh(connection: Connection, owner: int, account: int) -> None:
    """Look for the transfers of one account again, since what they are depends on its kind."""
    transfers.part_from(connection, transfers.rows_of_account(connection, account))
    recount_accounts(connection, owner)
    _pair(connection, owner, transfers.candidates_of_account(connection, owner, account))
    judge_payees(connection, owner, None)


def recount_accounts(connection: Connection, owner: int) -> None:
    """Decide afresh for every account whether its rows count."""
    currency = household_settings(people.get_person(connection, owner)).currency
    for no, account in ledger_accounts(connection, owner).items():
        accounts.set_counting(connection, no, counted=counted(account, currency))


def judge_payees(connection: Connection, owner: int, numbers: Sequence[int] | None) -> None:
    """Let the curated and inferred rules decide for some payees, or with None for all."""
    if numbers is not None and not numbers:
        return
    flows = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    loans = payees.loan_peers(connection, owner)
    decisions = []
    texts = payees.names_and_texts(connection, owner)
    asked = texts.keys() if numbers is None else texts.keys() & set(numbers)
    for number in sorted(asked):
        key, name, raw = texts[number]
        flow = flows.get(number, payees.Flows(number, 0, 0, 0))
        facts = PayeeFacts(
            key=key,
            name=name,
            raw=raw,
            debits=flow.debits,
            credits=flow.credits,
            card_credits=flow.card_credits,
            regular_credits=_regularity(connection, owner, flow),
            loan_peer=_loan_kind(loans.get(number), flow.debits),
        )
        decisions.append(_columns(number, decide(facts)))
    payees.decide(connection, decisions)


def _pair(
    connection: Connection, owner: int, candidates: Sequence[transfers.Candidate]
) -> list[int]:
    """Join the candidates that belong together; answers their payees."""
    if not candidates:
        return []
    held = ledger_accounts(connection, owner)
    categories = payees.categories_of(connection, owner)
    legs = [
        Leg(
            number=row.no,
            account=row.account,
            day=row.day,
            amount=row.amount,
            raw=row.raw,
            category=categories[row.payee][row.amount > 0],
        )
        for row in candidates
    ]
    earlier: dict[int, list[LoanPayment]] = {}
    for loan, day, amount, extra in transfers.loan_payments(connection, owner):
        earlier.setdefault(loan, []).append(LoanPayment(day, amount, extra))
    pairs = find_pairs(legs, held, earlier=earlier)
    transfers.save_pairs(
        connection,
        owner,
        [(new_id("trf"), pair.out, pair.into, pair.spends) for pair in pairs],
    )
    payee_of = {row.no: row.payee for row in candidates}
    return [payee_of[number] for pair in pairs for number in (pair.out, pair.into)]


def _regularity(connection: Connection, owner: int, flow: payees.Flows) -> Regularity:
    """Whether a payee that only ever pays the person does so in a rhythm."""
    if flow.debits or flow.credits - flow.card_credits < 3:
        return "no"
    days = [day for day, _ in payees.credits_of(connection, owner, flow.payee)]
    return _rhythm(days)


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


def _columns(number: int, decision: Decision) -> dict[str, object]:
    return {
        "no": number,
        "decided_out": decision.out,
        "decided_in": decision.into,
        "source": decision.source,
        "confidence": decision.confidence,
        "alternatives": " ".join(decision.alternatives),
        "suggested": decision.suggested,
        "why": decision.text,
    }
