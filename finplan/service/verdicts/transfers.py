"""Transfers as the person sees them: pairs found and confirmed, those in doubt, and the last word."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Literal, get_args

from sqlalchemy import Connection

from finplan.model.detection import (
    Transfer,
    TransferLeg,
    TransferQuery,
    TransferStatus,
    TransferVerdict,
)
from finplan.model.errors import Conflict, NotFound
from finplan.model.money import to_text
from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.scoring import Leg, PairScorer, evidence_for
from finplan.plan.pairing.transfers import DoubtReason, find_doubtful_pairs
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of, ledger_accounts
from finplan.service.ledger import transfer_matching
from finplan.service.ledger.categorisation import read_inferred
from finplan.service.ledger.reconciliation import pair_afresh
from finplan.service.lookup import must_be_in_order, must_be_known
from finplan.store.queries import payees, people, transfers as table, verdicts

LOOKED_BACK = 400
"""How many days back pairs in doubt are looked for, unless the question says more."""

_DOUBTS: Mapping[DoubtReason, str] = {
    "rivals": "another row fits as well",
    "fee": "another row fits as well",
    "wordless": "too little in the two rows says that it is a transfer",
    "repeated": "only that it happens again and again speaks for a transfer",
    "currencies": "nothing ties the sums in two currencies for certain",
}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A pair as it stands; `doubt` says why a candidate is not certain."""

    id: str
    status: TransferStatus
    out: Leg
    into: Leg
    doubt: str | None = None

    @property
    def source(self) -> Literal["auto", "user"] | None:
        """Who decided, None where nobody has."""
        if self.status == "candidate":
            return None
        return "auto" if self.status == "paired" else "user"


async def list_transfers(context: Context, query: TransferQuery) -> tuple[Transfer, ...]:
    """The pairs between own accounts and those that a person should look at, newest first."""
    must_be_known("status", "transfers", query.status, get_args(TransferStatus))
    must_be_in_order(query)
    return await read_inferred(context, lambda c: _list(c, context, query))


async def decide_transfer(context: Context, ask: TransferVerdict) -> Transfer:
    """Confirm a pair, reject it, or take that back; what was decided holds from then on.

    A confirmed pair stays one through syncs, imports and corrections, and a rejected one never comes
    again. Raises NotFound for a pair that is none, and Conflict when one of its rows is gone.
    """
    return await context.commit(lambda c: _decide(c, context, ask), event=True)


def _list(connection: Connection, context: Context, query: TransferQuery) -> tuple[Transfer, ...]:
    owner = context.caller.owner
    wanted = set(query.status or get_args(TransferStatus))
    today = context.today(people.get_person(connection, owner)["time_zone"])
    since, until = day_of(query.since or date.min), day_of(query.until or date.max)
    found = []
    if wanted & {"paired", "confirmed"}:
        found += _paired(connection, owner, since, until)
    if "rejected" in wanted:
        found += _rejected(connection, owner)
    if "candidate" in wanted:
        earliest = query.since or today - timedelta(LOOKED_BACK)
        found += _candidates(connection, owner, earliest)
    shown = [each for each in found if each.status in wanted and since <= each.out.day <= until]
    shown.sort(key=lambda each: (-each.out.day, -abs(each.out.amount), each.id))
    return _drawn(connection, owner, shown)


def _paired(connection: Connection, owner: int, since: int, until: int) -> list[_Seen]:
    decided = verdicts.transfer_verdicts(connection, owner)
    confirmed = set(transfer_matching.pairs_said(decided, "confirm").values())
    leg_of = _leg_maker(connection, owner)
    return [
        _Seen(
            pair_id,
            "confirmed" if (out.no, into.no) in confirmed else "paired",
            leg_of(out),
            leg_of(into),
        )
        for pair_id, out, into in table.pairs(connection, owner, since, until)
    ]


def _leg_maker(connection: Connection, owner: int) -> Callable[[table.CandidateRow], Leg]:
    categories = transfer_matching.payee_categories(connection, owner)
    return partial(transfer_matching.leg_of, categories=categories)


def _rejected(connection: Connection, owner: int) -> list[_Seen]:
    decided = verdicts.transfer_verdicts(connection, owner)
    rejected = transfer_matching.pairs_said(decided, "reject")
    rows = table.rows(connection, [number for pair in rejected.values() for number in pair])
    leg_of = _leg_maker(connection, owner)
    return [
        _Seen(pair_id, "rejected", leg_of(rows[out]), leg_of(rows[into]))
        for pair_id, (out, into) in rejected.items()
    ]


def _candidates(connection: Connection, owner: int, since: date) -> list[_Seen]:
    decided = verdicts.transfer_verdicts(connection, owner)
    legs = transfer_matching.free_legs(
        connection, owner, table.unpaired(connection, owner, day_of(since))
    )
    doubts = find_doubtful_pairs(
        legs,
        ledger_accounts(connection, owner),
        set(transfer_matching.pairs_said(decided, "reject").values()),
        catalogue_of(connection, owner),
        transfer_matching.made_pairs(connection, owner),
    )
    ends = {leg.number for doubt in doubts for leg in (doubt.out, doubt.into)}
    was = verdicts.posted_identities(connection, ends)
    found = []
    for doubt in doubts:
        pair_id = transfer_matching.transfer_id(was[doubt.out.number], was[doubt.into.number])
        legs_of = doubt.out, doubt.into
        found.append(_Seen(pair_id, "candidate", *legs_of, _DOUBTS[doubt.reason]))
    return found


def _decide(connection: Connection, context: Context, ask: TransferVerdict) -> Transfer:
    owner = context.caller.owner
    out, into = _find(connection, owner, ask.id)
    for earlier in verdicts.transfer_verdicts(connection, owner):
        if earlier.id == ask.id:
            verdicts.drop_transfer_verdict(connection, earlier)
    if ask.verdict != "auto":
        was = verdicts.posted_identities(connection, (out, into))
        rows = (was[out], was[into])
        now = context.milliseconds()
        verdicts.save_transfer_verdict(connection, owner, ask.id, ask.verdict, rows, now)
    pair_afresh(connection, owner, [out, into])
    people.raise_generation(connection, owner)
    return _drawn(connection, owner, [_as_it_stands(connection, owner, ask.id, out, into)])[0]


def _find(connection: Connection, owner: int, pair_id: str) -> tuple[int, int]:
    """The rows of a pair: one that the person has decided on, one that is made, or one in doubt."""
    for each in verdicts.transfer_verdicts(connection, owner):
        if each.id == pair_id:
            if each.out is None or each.into is None:
                raise Conflict(
                    f"A row of the transfer {pair_id} is not there any more, so nothing can be said"
                    " of it now. What you said before is kept, should the row come back."
                )
            return each.out, each.into
    if pair := table.find_pair(connection, owner, pair_id):
        return pair
    for seen in _candidates(connection, owner, date.min):
        if seen.id == pair_id:
            return seen.out.number, seen.into.number
    raise NotFound(f"There is no transfer {pair_id}. `finplan transfers` lists them.")


def _as_it_stands(connection: Connection, owner: int, pair_id: str, out: int, into: int) -> _Seen:
    """What a pair is after a verdict on it."""
    decided = {each.id: each.verdict for each in verdicts.transfer_verdicts(connection, owner)}
    rows = table.rows(connection, (out, into))
    leg_of = _leg_maker(connection, owner)
    legs = leg_of(rows[out]), leg_of(rows[into])
    match decided.get(pair_id):
        case "confirm":
            return _Seen(pair_id, "confirmed", *legs)
        case "reject":
            return _Seen(pair_id, "rejected", *legs)
        case _ if table.are_paired(connection, (out, into)):
            return _Seen(pair_id, "paired", *legs)
        case _:
            return _Seen(pair_id, "candidate", *legs, "too little speaks for it")


def _drawn(connection: Connection, owner: int, seen: Sequence[_Seen]) -> tuple[Transfer, ...]:
    accounts = ledger_accounts(connection, owner)
    scorer = PairScorer(accounts, (), catalogue_of(connection, owner))
    keys = payees.keys_of(connection, owner)
    return tuple(
        Transfer.of(
            each,
            currency=accounts[each.out.account].currency,
            out=_wire(each.out, accounts, keys),
            into=_wire(each.into, accounts, keys),
            why=_why(each, accounts, scorer),
        )
        for each in seen
    )


def _wire(leg: Leg, accounts: Mapping[int, LedgerAccount], keys: Mapping[int, str]) -> TransferLeg:
    return TransferLeg(
        transaction_id=f"tx_{leg.number}",
        account_id=accounts[leg.account].id,
        account=accounts[leg.account].name,
        payee_key=keys[leg.payee],
        date=date_of(leg.day),
        amount=leg.amount,
        currency=accounts[leg.account].currency,
        raw=leg.raw,
    )


def _why(seen: _Seen, accounts: Mapping[int, LedgerAccount], scorer: PairScorer) -> str:
    """What speaks for a pair and, of one in doubt, what against it: one sentence."""
    facts = f"{_difference(seen.out, seen.into, accounts)}, {_distance(seen.out, seen.into)}"
    evidence = evidence_for(scorer, seen.out, seen.into)
    against = [] if seen.doubt is None else [f"but {seen.doubt}"]
    text = "; ".join([facts, *evidence, *against])
    return f"{text[0].upper()}{text[1:]}."


def _difference(out: Leg, into: Leg, accounts: Mapping[int, LedgerAccount]) -> str:
    currency, other = accounts[out.account].currency, accounts[into.account].currency
    if currency != other:
        left, arrived = to_text(-out.amount, currency), to_text(into.amount, other)
        return f"{left} {currency} became {arrived} {other}"
    lost = -out.amount - into.amount
    if not lost:
        return "same amount"
    less = f"{to_text(abs(lost), currency)} {currency}"
    return f"{less} {'less' if lost > 0 else 'more'} arrived than left"


def _distance(out: Leg, into: Leg) -> str:
    days = ORDINAL[into.day] - ORDINAL[out.day]
    if not days:
        return "same day"
    unit = "day" if abs(days) == 1 else "days"
    return f"{abs(days)} {unit} {'later' if days > 0 else 'earlier'}"
