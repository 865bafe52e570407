"""Which charges come again: one series for each payee and price, or bill, that keeps a rhythm.

A payee's charges are read in three ways, from the surest to the loosest (`streams`,
`varying_bills`). How much they may differ depends on what they are for, and what is not known must
keep its price or its day by itself: evidence from the rows carries a series. Visits are no bills:
food, fuel and fun are billed at a fixed price only, and not as often as people go there; cash is
never billed. Of equal charges on one day each is read on its own: their sum is not a price. A
biller whose descriptor changed is read as one. Source: plan-semantics, section 3, and detection,
section 3.

What a bank writes for cash is in no category where the shipped data does not know it, so the words
decide here, whatever the category. A word for a machine says enough by itself; one for cash or for
taking it out only where the payee has no other name: "Cash Converters" is a shop.

A card that is lost or closed takes its rare bills with it, and they say so only when they are due.
That all else on the card has stopped says it sooner: what was charged to it is not expected from
it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain
from operator import itemgetter

from finplan.categorise.tokens import tokens_of
from finplan.plan.detect import series, varying_bills
from finplan.plan.detect.cadence import REVENUE_SERVICE, tax_payments, tax_rhythm
from finplan.plan.detect.streams import (
    MOST_BESIDE_A_PAIR,
    OFTEN,
    AmountTolerance,
    Stream,
    days_of,
    explains_more,
    fixed_price_streams,
    single_bill,
    with_filed_apart,
    with_new_prices,
    yearly_streams,
)
from finplan.plan.ledger.amounts import about_one_dollar, is_steady
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, LedgerPayee, Row

_CASH_MACHINES = """
atm atms abm cashpoint cashpoints cashmachine geldautomat geldautomaten bankautomat bargeldautomat
geldmaat geldautomaat bankomat bankomatu bankomatem bankomata bankomaten minibank
haeveautomat pankkiautomaatti notemachine
"""
_CASH_NAMES = """
cash bargeld bargeldauszahlung bargeldabhebung bargeldbezug barauszahlung barabhebung barbezug especes
liquide liquides efectivo contanti contante dinheiro numerario hotovost hotovosti hotove gotowka gotowki
gotovina gotovine kontant kontanter kontanten kontantuttag kontanthaevning kontanthevning kateinen
kateisnosto kasuttag keszpenz keszpenzfelvetel numerar nakit
"""
_CASH_TAKEN = """
withdrawal withdrawals withdraw withdrawn withdrwl withdrawl wd wdl wdrl wthdrwl wdraw retrait retraits
retiro retiros retirada retiradas reintegro reintegros disposicion prelievo prelievi prelevamento saque
saques levantamento levantamentos opname geldopname geldopnames uttag uttak haevning hevning nosto vyber
vybery vyplata wyplata wyplaty podizanje isplata felvetel keszpenzfelvet retragere cekme auszahlung
abhebung abhebungen geldabhebung
"""
_BESIDE_CASH = """
a al am an at au aus aut automatique automatic bancomat bank banque banco branch by cajero card carte
carta cartao kartou kartu karty karta karte karten counter couloir credit kreditni dab de debit del della
des desk distributeur do du en from fra fran gab guichet i in kasse kort la le machine made med mit na
no of on own par para pokladne por pos ret s schalter self service sportello teller tarjeta terminal the
til to uit v van vom with z za ze zu
"""
_MACHINE_WORDS = frozenset(_CASH_MACHINES.split())
_SAY_CASH = frozenset((*_CASH_NAMES.split(), *_CASH_TAKEN.split()))
_KNOWN_OF_CASH = _SAY_CASH | _MACHINE_WORDS | frozenset(_BESIDE_CASH.split())

_CITY_TRANSIT = "transport"
"""ATM is also what buses and trams of Milan and Barcelona call themselves."""


def is_cash_payee(payee: LedgerPayee, category: str) -> bool:
    """Whether a payee is cash by the words of its key or of its name."""
    if category == _CITY_TRANSIT:
        return False
    return _says_cash(payee.key) or _says_cash(payee.name)


@lru_cache(4096)
def _says_cash(text: str) -> bool:
    tokens = {token for token in tokens_of(text) if not token.isdigit()}
    if not _MACHINE_WORDS.isdisjoint(tokens):
        return True
    return tokens <= _KNOWN_OF_CASH and not _SAY_CASH.isdisjoint(tokens)


_SILENT_CARD_DAYS = 60
"""Days without a charge until the end of the data, after which a card in use is dead."""

_CARD_IN_USE_DAYS = 180
_CARD_IN_USE_CHARGES = 6
"""So many charges in the half year before show that a card was in use."""


def without_dead_cards(
    charges: Iterable[Series], sheets: Sequence[Sheet], cards: Collection[int], data_end: int
) -> list[Series]:
    """The charges; those last seen on a dead card are over.

    `cards` are the numbers of the card accounts, `data_end` is an ordinal.
    """
    series = list(charges)
    silent = {
        charge.account
        for charge in series
        if charge.active
        and charge.account in cards
        and data_end - charge.last_date.toordinal() >= _SILENT_CARD_DAYS
    }
    dead = _dead_cards(silent, sheets, data_end)
    over = partial(
        replace, active=False, next_date=None, signs=None, arrival=None, probability=None
    )
    return [
        over(charge) if charge.active and charge.account in dead else charge for charge in series
    ]


def _dead_cards(silent: Collection[int], sheets: Sequence[Sheet], data_end: int) -> set[int]:
    """Which cards were in use until they fell silent."""
    if not silent:
        return set()
    days: dict[int, list[int]] = {card: [] for card in silent}
    for sheet in sheets:
        for row in sheet.rows:
            if row[ACCOUNT] in days and row[AMOUNT] < 0:
                days[row[ACCOUNT]].append(ORDINAL[row[DAY]])
    return {
        card
        for card, charged in days.items()
        if data_end - (last := max(charged)) >= _SILENT_CARD_DAYS
        and sum(day > last - _CARD_IN_USE_DAYS for day in charged) >= _CARD_IN_USE_CHARGES
    }


_NEVER = frozenset({"cash"})
"""Withdrawals repeat, yet nobody bills them."""

_VISITED = frozenset({"groceries", "transport", "dining", "shopping", "entertainment"})
"""Where people go again and again; only a fixed price is a bill there."""

_CHARGED = frozenset({"interest_fees"})
"""Interest follows what is owed and a fee what was done: only a fixed price of either is a bill."""

_FIXED = _VISITED | _CHARGED

_DELIVERED = frozenset({"groceries"})
"""A box of food may come every second week; what is bought each week, nobody bills."""

_ATM = re.compile(r"\batm\b", re.IGNORECASE)
"""A fee for withdrawing cash is as little a bill as the cash."""

_VISIT_DAYS = 10
"""What a coffee, a paper or a lottery ticket costs at most, in about dollars: so little a week is a
habit, not a bill."""

_BILLED = """
rent mortgage home_upkeep utilities phone_internet insurance childcare education family_support
loan_payment taxes subscriptions unlinked_card
"""
_BILLS = frozenset(_BILLED.split())

_LOOSELY_BILLED = _BILLS - {varying_bills.UNLINKED_CARD} | {
    "uncategorized",
    "car",
    "kids",
    "gifts_donations",
}
"""Where a bill need keep neither its day nor its amount; elsewhere such payments are visits."""

_YEARLY = frozenset(
    {"insurance", "taxes", "subscriptions", "home_upkeep", "car", "education", "hobbies"}
)
"""What comes once a year, so that two charges are enough; of other kinds, two are a coincidence."""

_RARE = frozenset({"twice_yearly", "annual"})

_LEAST_YEARLY = 50
"""Two charges a year apart are told only from the fiftieth part of a month's spending on."""

_DAY_AND_AMOUNT = itemgetter(0, 1)
_AMOUNT_OF_ROW = itemgetter(AMOUNT)

_MOST_PRICES = 24
"""How many of a payee's repeated amounts are tried: a busy shop has hundreds by chance."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """What is little to a household, in minor units: a visit at most, and a yearly charge at least."""

    visit: int
    yearly: Fraction


def detect_charges(
    sheets: Sequence[Sheet],
    payees: Mapping[int, LedgerPayee],
    as_of: series.AsOf,
    currency: str,
    usual_month: Fraction,
    cards: Collection[int],
) -> list[Series]:
    """The recurring charges of all history, active or not, dearest month first.

    `currency` is that of the amounts: what a visit costs at most depends on it. `usual_month` is
    what a month usually takes, in minor units, and `cards` are the numbers of the card accounts.
    """
    scale = _Scale(_VISIT_DAYS * about_one_dollar(currency), usual_month / _LEAST_YEARLY)
    billing = with_filed_apart(
        sheets,
        lambda sheet: sheet.flow == "spending" and _may_be_billed(sheet, payees),
        lambda sheet: _of_sheet(sheet, payees, scale),
    )
    detected = [
        series.regular_series(origin, stream.charges, stream.rhythm, as_of, others, cards=cards)
        for group in series.successions(billing, payees)
        for origin, stream, others in _of_group(group, payees, scale)
    ]
    detected = varying_bills.as_card_bills(detected, sheets)
    detected = without_dead_cards(detected, sheets, cards, as_of.window.data_end.toordinal())
    return sorted(
        detected,
        key=lambda charge: (-charge.monthly, charge.name, charge.payees, charge.first_date),
    )


def _may_be_billed(sheet: Sheet, payees: Mapping[int, LedgerPayee]) -> bool:
    """Whether regular charges of a sheet can be a bill, by what they are for and whom they pay."""
    if sheet.category == "interest_fees":
        return _ATM.search(payees[sheet.payee].name) is None
    if sheet.category in _NEVER:
        return False
    return not is_cash_payee(payees[sheet.payee], sheet.category)


def _of_group(
    group: Sequence[Sheet], payees: Mapping[int, LedgerPayee], scale: _Scale
) -> Iterator[tuple[series.SeriesOrigin, Stream, int]]:
    """The series of a payee, or of several that may be one, with whose they are.

    The number is of the charges that are in no series.

    What does not run through several payees is each one's own.
    """
    if len(group) > 1:
        latest = group[-1]
        rows = list(chain.from_iterable(sheet.rows for sheet in group))
        streams = _streams(rows, latest.category, scale)
        others = _others(rows, streams)
        through = [
            (origin, stream, others)
            for stream in streams
            if len((origin := _origin(group, stream, payees)).payees) > 1
        ]
        if through:
            yield from through
            return
    for sheet in group:
        streams = _of_sheet(sheet, payees, scale)
        for stream in streams:
            yield _origin([sheet], stream, payees), stream, _others(sheet.rows, streams)


def _of_sheet(sheet: Sheet, payees: Mapping[int, LedgerPayee], scale: _Scale) -> list[Stream]:
    """The series of one payee, whose estimated tax keeps the days of the law and is read first."""
    rows = sheet.rows
    if sheet.category != "taxes" or payees[sheet.payee].key != REVENUE_SERVICE:
        return _streams(rows, sheet.category, scale)
    payments = tax_payments(series.occurrences_of(rows, outflows=True))
    if not payments:
        return _streams(rows, sheet.category, scale)
    days = days_of(payments)
    remaining = [row for row in rows if ORDINAL[row[DAY]] not in days]
    return [Stream(payments, tax_rhythm(days)), *_streams(remaining, sheet.category, scale)]


def _others(rows: Sequence[Row], streams: Sequence[Stream]) -> int:
    """How many charges are in no series."""
    return sum(row[AMOUNT] < 0 for row in rows) - sum(len(stream.charges) for stream in streams)


def _origin(
    group: Sequence[Sheet], stream: Stream, payees: Mapping[int, LedgerPayee]
) -> series.SeriesOrigin:
    """Whose a stream is: those of the successive payees in whose time its charges lie."""
    first, last = stream.charges[0][0], stream.charges[-1][0]
    among = [
        sheet
        for sheet in group
        if ORDINAL[sheet.rows[0][2]] <= last and first <= ORDINAL[sheet.rows[-1][2]]
    ]
    numbers = tuple(dict.fromkeys(sheet.payee for sheet in among))
    return series.SeriesOrigin(numbers, payees[among[-1].payee].name, among[-1].category)


def _amount_tolerance(category: str) -> AmountTolerance:
    """How far the amounts of a category's charges may differ in one series."""
    if category in _FIXED:
        return "fixed"
    return "varying" if category in _BILLS else "even"


def _streams(rows: Sequence[Row], category: str, scale: _Scale) -> list[Stream]:
    """The series among charges of one category; no charge is in two of them."""
    if len(rows) < 2:
        return []
    tolerance = _amount_tolerance(category)
    repeated = _repeated_amounts(rows)
    prices, tries = _prices(repeated), len(repeated)
    # Most rows of a ledger are visits, so little is done about those that hold no fixed price.
    if tolerance == "fixed" and not prices:
        return []
    ordered = series.occurrences_of(rows, outflows=True)
    is_visited = tolerance == "fixed" and len(ordered) > MOST_BESIDE_A_PAIR
    if is_visited and not fixed_price_streams(ordered, prices, tries):
        return []
    bill = varying_bills.card_bill(ordered) if category == varying_bills.UNLINKED_CARD else None
    if bill is not None:
        return [bill]
    streams = [
        stream
        for layer in _layers(ordered)
        for stream in _of_layer(layer, prices, tries, tolerance)
        if not _is_habit(stream, category, scale.visit)
        # Two charges a year apart are for what comes yearly, and not too small to matter.
        and (len(stream.charges) > 2 or (category in _YEARLY and stream.price >= scale.yearly))
    ]
    if category in _LOOSELY_BILLED and not _explain(streams, len(ordered)):
        loose = varying_bills.loose_quarterly(ordered)
        return streams if loose is None else [loose]
    return streams


def _explain(streams: Sequence[Stream], paid: int) -> bool:
    """Whether series hold four in five of a payee's charges, and are no parts of a quarterly bill.

    Every second and every fourth of its charges may look like bills of their own, but keep no price.
    """
    explained = sum(len(stream.charges) for stream in streams)
    parts = len(streams) > 1 and all(
        stream.rhythm.cadence in _RARE
        and not is_steady([amount for _, amount, _ in stream.charges])
        for stream in streams
    )
    return 5 * explained >= 4 * paid and not parts


def _is_habit(stream: Stream, category: str, visit: int) -> bool:
    """Whether a rhythm is that of somebody who goes there often."""
    cadence = stream.rhythm.cadence
    if category in _BILLS or cadence not in OFTEN:
        return False
    if category in _FIXED:
        return cadence == "weekly" or category not in _DELIVERED
    return cadence == "weekly" and stream.price <= visit


def _layers(paid: Sequence[series.Occurrence]) -> Sequence[Sequence[series.Occurrence]]:
    """Ordered charges such that equal ones of a day are apart: the first of each day, the second, ..."""
    if len(set(map(_DAY_AND_AMOUNT, paid))) == len(paid):
        return [paid]
    times: Counter[tuple[int, int]] = Counter()
    layers: defaultdict[int, list[series.Occurrence]] = defaultdict(list)
    for charge in paid:
        day_and_amount = _DAY_AND_AMOUNT(charge)
        layers[times[day_and_amount]].append(charge)
        times[day_and_amount] += 1
    return list(layers.values())


def _of_layer(
    paid: Sequence[series.Occurrence],
    prices: frozenset[int],
    tries: int,
    tolerance: AmountTolerance,
) -> list[Stream]:
    """The series of a payee: fixed prices, one bill that varies, or chains of near amounts."""
    equal = fixed_price_streams(paid, prices, tries)
    if len(equal) < 2 and tolerance != "fixed":
        bill = single_bill(paid, tolerance)
        if bill and (not equal or explains_more(bill, equal[0], len(paid))):
            return [bill]
    taken = {charge for stream in equal for charge in stream.charges}
    remaining = [charge for charge in paid if charge not in taken]
    repriced = [with_new_prices(stream, remaining) for stream in equal]
    if tolerance == "fixed":
        return repriced
    repriced += yearly_streams(remaining)
    taken = {charge for stream in repriced for charge in stream.charges}
    remaining = [charge for charge in remaining if charge not in taken]
    chains = varying_bills.find_chains(remaining, tolerance)
    if not chains and (bill := varying_bills.monthly_bill(remaining)):
        chains = [bill]
    return repriced + chains


def _repeated_amounts(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """How often each amount came that came twice or more, negative, and the amount; the commonest first.

    Each might have come a third time, when it suits.
    """
    times = Counter(map(_AMOUNT_OF_ROW, rows))
    return sorted((-count, -amount) for amount, count in times.items() if count > 1 and amount < 0)


def _prices(repeated: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The amounts that came three times or more, the most frequent if they are many."""
    return frozenset(amount for count, amount in repeated[:_MOST_PRICES] if count < -2)
