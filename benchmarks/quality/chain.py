"""The product's own chain over a generated household, in process and without a store.

Descriptors become payees, payees are judged, rows are paired, payees that a pair tells more of are
judged again, and the books are kept: what `service.ledger` and `service.derived` do around SQLite.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.world.truth import Household, OwnAccount
from finplan.categorise.catalogue import Catalogue
from finplan.categorise.decide import Decision, PayeeFacts, decide
from finplan.categorise.joining import join_keys as joined_names
from finplan.categorise.matching import inflow_sign
from finplan.categorise.payee import payee_of
from finplan.model.user import HouseholdSettings
from finplan.plan.bookkeeping import keep_books
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.series import LEAST_LIKELY
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import ORDINAL, Interval, day_of, join_intervals
from finplan.plan.ledger.ledger import Ledger, LedgerAccount, LedgerPayee
from finplan.plan.live.expected import amount_due
from finplan.plan.pairing.scoring import Leg
from finplan.plan.pairing.transfers import Pair, find_pairs
from finplan.statements.text.descriptors import fold

CATALOGUE = Catalogue()
_CREDITS_READ = 3
_PAY_CADENCES = ("weekly", "biweekly", "semimonthly", "monthly")


@dataclass(frozen=True, slots=True)
class Reading:
    """A household's rows with their payees: `payee_of_row` by place, `known` by number.

    `credits` are the descriptors of money in by number, newest first.
    """

    payee_of_row: Sequence[int]
    known: Mapping[int, tuple[str, str, str]]
    credits: Mapping[int, Sequence[str]]


def findings_of(household: Household) -> Findings:
    """Everything that the product says of a household."""
    chained = chain_of(household)
    start = time.perf_counter()
    books = keep_books(chained.ledger, household.today)
    return claims_of(household, chained, books, seconds=time.perf_counter() - start)


def expected_of(household: Household) -> list[tuple[Series, Claim]]:
    """Every charge that is said to go on, the unlikely ones too, and the claim that it makes."""
    chained = chain_of(household)
    books, places = keep_books(chained.ledger, household.today), _Places(household, chained)
    going_on = (one for one in (*books.charges, *books.unlikely) if one.signs is not None)
    return [(one, places.claim(one, -1)) for one in going_on]


def ledger_of(household: Household) -> Ledger:
    """The household as the product holds it once its rows are read, judged and paired."""
    return chain_of(household).ledger


class Chained(NamedTuple):
    """A household as the product holds it; `legs` are all its transactions, `pairs` its transfers.

    `counting` are the numbers of the accounts that count in totals.
    """

    ledger: Ledger
    reading: Reading
    counting: Collection[int]
    legs: Sequence[Leg]
    pairs: Sequence[Pair]


def chain_of(household: Household) -> Chained:
    """Read, judge and pair a household's rows."""
    accounts = {one.number: _account(household, one) for one in household.accounts}
    reading = read(household)
    counting = {no for no, one in accounts.items() if counts_in_totals(one, household.currency)}
    decisions = _judged(household, reading, counting, {}, accounts, reading.known)
    legs = [
        Leg(
            place,
            row.account,
            day_of(row.day),
            row.amount,
            fold(row.raw),
            _filed(row.amount, decisions[payee]),
            payee,
        )
        for place, (row, payee) in enumerate(zip(household.rows, reading.payee_of_row, strict=True))
    ]
    pairs = find_pairs(legs, accounts)
    paired = {reading.payee_of_row[place] for pair in pairs for place in (pair.out, pair.into)}
    peers = {pair.out: pair for pair in pairs} | {pair.into: pair for pair in pairs}
    again = _judged(household, reading, counting, peers, accounts, paired)
    ledger = _ledger(household, reading, counting, peers, accounts, {**decisions, **again})
    return Chained(ledger, reading, counting, legs, pairs)


def claims_of(
    household: Household, chained: Chained, books: Books, *, seconds: float = 0.0
) -> Findings:
    """What the books of a household say, as claims about its rows."""
    places = _Places(household, chained)
    return Findings(
        charges=[places.claim(one, -1) for one in books.charges],
        sources=[places.claim(one, 1) for one in books.sources],
        pairs=[(pair.out, pair.into) for pair in chained.pairs],
        seconds=seconds,
    )


def read(household: Household) -> Reading:
    """Tell the payee of every row, numbered in the order of their first rows."""
    numbers: dict[str, int] = {}
    known: dict[int, tuple[str, str, str]] = {}
    by_row = []
    payees = [payee_of(fold(row.raw)) for row in household.rows]
    named = {payee.key: payee.name for payee in payees}
    written = joined_names(named)
    for row, payee in zip(household.rows, payees, strict=True):
        key = written.get(payee.key, payee.key)
        number = numbers.setdefault(key, len(numbers) + 1)
        known.setdefault(number, (key, named[key], fold(row.raw)))
        by_row.append(number)
    texts: dict[int, list[str]] = defaultdict(list)
    for row, number in sorted(
        zip(household.rows, by_row, strict=True), key=lambda each: each[0].day, reverse=True
    ):
        if row.amount > 0:
            texts[number].append(fold(row.raw))
    return Reading(by_row, known, texts)


def _account(household: Household, own: OwnAccount) -> LedgerAccount:
    return LedgerAccount(
        id=f"acc_{own.number}",
        connection_id=f"con_{own.institution}",
        institution=own.institution,
        name=own.name.title(),
        mask=own.mask,
        kind=own.kind,
        subtype=own.subtype,
        currency=own.currency,
        balance=500_000,
        coverage=tuple(
            join_intervals(
                (
                    Interval(day_of(span.since), day_of(span.until), span.stated, span.stated)
                    for span in household.coverage[own.number]
                ),
                # No statement of these households tells a balance.
                lambda *_: False,
            )
        ),
    )


def _filed(amount: int, said: Decision) -> str:
    return said.into if amount > 0 else said.out


def _judged(
    household: Household,
    reading: Reading,
    counting: Collection[int],
    peers: Mapping[int, Pair],
    accounts: Mapping[int, LedgerAccount],
    asked: Collection[int],
) -> dict[int, Decision]:
    """What the curated and inferred rules decide for some payees, knowing the pairs so far."""
    debits: Counter[int] = Counter()
    card_credits: Counter[int] = Counter()
    credit_days: dict[int, list[int]] = defaultdict(list)
    loans: dict[int, Counter[str]] = defaultdict(Counter)
    for place, row in enumerate(household.rows):
        pair, payee = peers.get(place), reading.payee_of_row[place]
        spends = pair is not None and pair.spends and pair.out == place
        if spends and pair is not None:
            loan = accounts[household.rows[pair.into].account]
            loans[payee][loan.subtype or ""] += 1
        if row.account not in counting or (pair is not None and not spends):
            continue
        if row.amount < 0:
            debits[payee] += 1
        elif row.amount > 0:
            credit_days[payee].append(day_of(row.day))
            card_credits[payee] += accounts[row.account].kind == "credit"
    decisions = {}
    for number in asked:
        key, name, raw = reading.known[number]
        days = credit_days[number]
        regular = not debits[number] and len(days) - card_credits[number] >= 3
        decisions[number] = decide(
            PayeeFacts(
                key=key,
                name=name,
                raw=raw,
                debits=debits[number],
                credits=len(days),
                card_credits=card_credits[number],
                regular_credits=_regularity(days) if regular else "no",
                loan_peer=_loan_kind(loans[number], debits[number]),
            )
        )
    return decisions


def _regularity(days: Sequence[int]) -> Literal["no", "pay", "other"]:
    rhythm = rhythm_of(sorted({ORDINAL[day] for day in days}))
    if rhythm is None:
        return "no"
    return "pay" if rhythm.cadence in _PAY_CADENCES else "other"


def _loan_kind(paid: Counter[str], debits: int) -> Literal["mortgage", "loan"] | None:
    if not paid:
        return None
    subtype, count = paid.most_common(1)[0]
    if count * 2 <= debits:
        return None
    return "mortgage" if "mortgage" in subtype else "loan"


def _ledger(
    household: Household,
    reading: Reading,
    counting: Collection[int],
    peers: Mapping[int, Pair],
    accounts: Mapping[int, LedgerAccount],
    decisions: Mapping[int, Decision],
) -> Ledger:
    rows = []
    for place, row in enumerate(household.rows):
        if row.account not in counting:
            continue
        pair, peer, counts = peers.get(place), 0, 1
        if pair is not None:
            other = pair.into if pair.out == place else pair.out
            peer = household.rows[other].account
            counts = int(pair.spends and pair.out == place)
        payee = reading.payee_of_row[place]
        rows.append((payee, row.account, day_of(row.day), row.amount, peer, counts))
    return Ledger(
        settings=HouseholdSettings(
            currency=household.currency, time_zone="UTC", budget_shares=None, target_months=None
        ),
        accounts=accounts,
        payees={number: _payee(reading, number, said) for number, said in decisions.items()},
        rows=sorted(rows, key=lambda row: (row[0], row[2])),
        pending=[],
        catalogue=CATALOGUE,
    )


def _payee(reading: Reading, number: int, said: Decision) -> LedgerPayee:
    key, name, _ = reading.known[number]
    return LedgerPayee(
        key=key,
        name=name,
        out=said.out,
        into=said.into,
        by_amount={},
        suggested=said.suggested,
        confidence=said.confidence,
        alternatives=said.alternatives,
        inflow_sign=inflow_sign(key, reading.credits.get(number, ())[:_CREDITS_READ]),
    )


class _Places:
    """Finds the rows that a series is made of by payee, direction, day and amount."""

    def __init__(self, household: Household, chained: Chained) -> None:
        self._found: dict[tuple[int, date, int], list[int]] = defaultdict(list)
        self._of_payee: dict[int, list[tuple[date, int, int]]] = defaultdict(list)
        for place, row in enumerate(household.rows):
            if row.account in chained.counting:
                payee = chained.reading.payee_of_row[place]
                self._found[payee, row.day, row.amount].append(place)
                self._of_payee[payee].append((row.day, row.amount, place))

    def claim(self, series: Series, sign: int) -> Claim:
        """The series as a claim about rows."""
        parts = series.parts or series.recent
        shown = frozenset(self._shown(series, parts, sign))
        since = min((day for day, _ in parts), default=series.last_date)
        before = {
            place
            for payee in series.payees
            for day, amount, place in self._of_payee[payee]
            if series.first_date <= day < since and amount * sign > 0
        }
        return Claim(
            name=series.name,
            shown=shown,
            before=frozenset(before),
            cadence=series.cadence,
            active=series.active,
            next_date=series.next_date,
            amount=series.amount
            if series.next_date is None
            else amount_due(series, series.next_date),
            # A bill on its day of an open amount is claimed as one; nothing is said of its next.
            probability=series.probability if (series.probability or 0) >= LEAST_LIKELY else None,
        )

    def _shown(self, series: Series, parts: Sequence[tuple[date, int]], sign: int) -> Iterator[int]:
        for (day, amount), times in Counter(parts).items():
            for payee in series.payees:
                equal = self._found.get((payee, day, sign * amount), ())
                yield from equal[:times] if equal else self._added_up(payee, day, sign * amount)

    def _added_up(self, payee: int, day: date, amount: int) -> Sequence[int]:
        """The rows of a day that a series shows as one, such as pay that is split over accounts."""
        same = [
            (part, place)
            for when, part, place in self._of_payee[payee]
            if when == day and (part > 0) == (amount > 0)
        ]
        return [place for _, place in same] if sum(part for part, _ in same) == amount else []
