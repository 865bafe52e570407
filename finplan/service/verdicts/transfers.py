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
from finplan.service.lookup import check_choices, must_be_in_order
from finplan.store.queries import payees, people, transfers as table, verdicts

LOOKED_BACK = 400
"""How many days back pairs in doubt are looked for, unless the question says more."""

_DOUBTS: Mapping[DoubtReason, str] = {
    "rivals": "another transaction fits as well",
    "fee": "another transaction fits as well",
    "wordless": "the descriptions do not suggest a transfer",
    "repeated": "only the fact that it repeats suggests a transfer",
    "currencies": "the two currencies make the amounts hard to compare",
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
    check_choices("status", "transfers", query.status, get_args(TransferStatus))
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
    statuses = set(query.status or get_args(TransferStatus))
    today = context.today(people.get_person(connection, owner)["time_zone"])
    since, until = day_of(query.since or date.min), day_of(query.until or date.max)
    pairs = []
    if statuses & {"paired", "confirmed"}:
        pairs += _paired(connection, owner, since, until)
    if "rejected" in statuses:
        pairs += _rejected(connection, owner)
    if "candidate" in statuses:
        earliest = query.since or today - timedelta(LOOKED_BACK)
        pairs += _candidates(connection, owner, earliest)
    listed = [pair for pair in pairs if pair.status in statuses and since <= pair.out.day <= until]
    listed.sort(key=lambda pair: (-pair.out.day, -abs(pair.out.amount), pair.id))
    return _describe_transfers(connection, owner, listed)


def _paired(connection: Connection, owner: int, since: int, until: int) -> list[_Seen]:
    decided = verdicts.transfer_verdicts(connection, owner)
    confirmed = set(transfer_matching.list_decided_pairs(decided, "confirm").values())
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
    rejected = transfer_matching.list_decided_pairs(decided, "reject")
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
        set(transfer_matching.list_decided_pairs(decided, "reject").values()),
        catalogue_of(connection, owner),
        transfer_matching.made_pairs(connection, owner),
    )
    ends = {leg.number for doubt in doubts for leg in (doubt.out, doubt.into)}
    was = verdicts.posted_identities(connection, ends)
    candidates = []
    for doubt in doubts:
        pair_id = transfer_matching.transfer_id(was[doubt.out.number], was[doubt.into.number])
        legs_of = doubt.out, doubt.into
        candidates.append(_Seen(pair_id, "candidate", *legs_of, _DOUBTS[doubt.reason]))
    return candidates


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
    return _describe_transfers(
        connection, owner, [_as_it_stands(connection, owner, ask.id, out, into)]
    )[0]


def _find(connection: Connection, owner: int, pair_id: str) -> tuple[int, int]:
    """The rows of a pair: one that the person has decided on, one that is made, or one in doubt."""
    for verdict in verdicts.transfer_verdicts(connection, owner):
        if verdict.id == pair_id:
            if verdict.out is None or verdict.into is None:
                raise Conflict(
                    f"A transaction of transfer {pair_id!r} is gone, so you cannot answer it now."
                    " Your earlier answer is saved in case it comes back."
                )
            return verdict.out, verdict.into
    if pair := table.find_pair(connection, owner, pair_id):
        return pair
    for candidate in _candidates(connection, owner, date.min):
        if candidate.id == pair_id:
            return candidate.out.number, candidate.into.number
    raise NotFound(f"No transfer {pair_id!r}. `finplan transfers` lists the transfers.")


def _as_it_stands(connection: Connection, owner: int, pair_id: str, out: int, into: int) -> _Seen:
    """What a pair is after a verdict on it."""
    decided = {past.id: past.verdict for past in verdicts.transfer_verdicts(connection, owner)}
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
            return _Seen(pair_id, "candidate", *legs, "little suggests a transfer")


def _describe_transfers(
    connection: Connection, owner: int, pairs: Sequence[_Seen]
) -> tuple[Transfer, ...]:
    accounts = ledger_accounts(connection, owner)
    scorer = PairScorer(accounts, (), catalogue_of(connection, owner))
    keys = payees.keys_of(connection, owner)
    return tuple(
        Transfer.of(
            pair,
            currency=accounts[pair.out.account].currency,
            out=_wire(pair.out, accounts, keys),
            into=_wire(pair.into, accounts, keys),
            why=_why(pair, accounts, scorer),
        )
        for pair in pairs
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


def _why(pair: _Seen, accounts: Mapping[int, LedgerAccount], scorer: PairScorer) -> str:
    """What speaks for a pair and, of one in doubt, what against it: one sentence."""
    facts = f"{_difference(pair.out, pair.into, accounts)}, {_distance(pair.out, pair.into)}"
    evidence = evidence_for(scorer, pair.out, pair.into)
    against = [] if pair.doubt is None else [f"but {pair.doubt}"]
    text = "; ".join([facts, *evidence, *against])
    return f"{text[0].upper()}{text[1:]}."


def _difference(out: Leg, into: Leg, accounts: Mapping[int, LedgerAccount]) -> str:
    currency, into_currency = accounts[out.account].currency, accounts[into.account].currency
    if currency != into_currency:
        sent, arrived = to_text(-out.amount, currency), to_text(into.amount, into_currency)
        return f"{sent} {currency} became {arrived} {into_currency}"
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
