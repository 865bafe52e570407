"""The books of a ledger: every row in one class, the window's sums, the rhythms of all history."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import chain
from operator import itemgetter
from statistics import median_low

from finplan.categorise.catalogue import Flow
from finplan.plan.detect.expected_again import find_expected_again
from finplan.plan.detect.income import detect_sources
from finplan.plan.detect.new_series import find_young_bills
from finplan.plan.detect.recurring import detect_charges
from finplan.plan.detect.series import AsOf
from finplan.plan.detect.verdicts import accepted_charges, accepted_sources, carries_a_forecast
from finplan.plan.ledger.books import Books, CategoryTotal, Series, WindowFacts, rows_within
from finplan.plan.ledger.classes import Sheet, classify_rows, is_savings_type
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Ledger, Row
from finplan.plan.ledger.window import window_of
from finplan.plan.one_offs import find_one_offs
from finplan.plan.planned import follow_planned, planned_rows
from finplan.plan.running import DetectedMonth, take_running

_DAY = itemgetter(DAY)

_MONTHS_FOR_MIDDLE = 3
"""Of fewer months none is the middle one."""

_OUTWARD: frozenset[Flow] = frozenset({"spending", "saving", "reimbursable"})
"""The flows whose sums are positive when money goes out."""


def keep_books(ledger: Ledger, today: date) -> Books:
    """Add a ledger up for a day, so that the signed sum of the window's rows is fully explained.

    Rows must be of counted accounts and ordered by payee, then day, as `Ledger` says; rows of one
    payee and day may stand in any order. Amounts are minor units of the household's currency.
    """
    ledger = _up_to(ledger, day_of(today))
    as_of = AsOf(window_of(ledger, today), today)
    sheets = classify_rows(ledger)
    windowed = [(sheet, rows_within(sheet, as_of.window)) for sheet in sheets]
    categories = _by_category(windowed, as_of.window)
    flows = _by_flow(ledger, categories)
    usual = _usual_month(ledger, categories, as_of.window)
    currency = ledger.settings.currency
    cards = {number for number, account in ledger.accounts.items() if account.kind == "credit"}
    savings = {number for number, account in ledger.accounts.items() if is_savings_type(account)}
    candidates = detect_charges(sheets, ledger.payees, as_of, currency, usual, cards)
    accepted = accepted_charges(candidates, ledger, sheets, as_of)
    still, young = find_young_bills(sheets, accepted, ledger.payees, as_of)
    charges = _told_apart(still, ledger)
    sources = accepted_sources(
        detect_sources(sheets, ledger.payees, ledger.catalogue, as_of), ledger, sheets, as_of
    )
    # Payments of a series that the person has dismissed are not expected again, either.
    regular = [*charges, *young, *(series for series in candidates if carries_a_forecast(series))]
    again = find_expected_again(sheets, ledger.payees, regular, as_of, usual)
    detected = DetectedMonth(as_of.window, categories, sources, charges, young, again, sheets)
    series = [*charges, *young, *again, *sources]
    one_offs = find_one_offs(ledger, as_of.window, sheets, [*candidates, *series])
    planned = follow_planned(ledger, sheets, series, today)
    return Books(
        window=as_of.window,
        income=flows["income"],
        spending=flows["spending"],
        saving=flows["saving"],
        reimbursable=flows["reimbursable"],
        moves=flows["move"],
        saved=flows["saving"] + _sum_on(savings, windowed),
        card_interest=-_sum_on(
            cards, [pair for pair in windowed if pair[0].category == "interest_fees"]
        ),
        categories=categories,
        charges=charges,
        unlikely=[series for series in candidates if not carries_a_forecast(series)],
        expected_again=again,
        sources=sources,
        young_bills=young,
        running=take_running(detected, ledger.catalogue, one_offs | planned_rows(planned)),
        sheets=sheets,
        planned=planned,
    )


def _told_apart(charges: Sequence[Series], ledger: Ledger) -> list[Series]:
    """The charges, of which those that go on under one name on several accounts name theirs."""
    accounts: dict[str, set[int]] = {}
    for charge in charges:
        if charge.active:
            accounts.setdefault(charge.name, set()).add(charge.account)
    return [
        replace(charge, on=ledger.accounts[charge.account].name)
        if charge.active and len(accounts[charge.name]) > 1
        else charge
        for charge in charges
    ]


_Windowed = Sequence[tuple[Sheet, Sequence[Row]]]
"""Every sheet with those of its rows that lie in the window."""


def _up_to(ledger: Ledger, present: int) -> Ledger:
    """The ledger without rows that its banks have dated after today: they have not happened yet."""
    if max(map(_DAY, ledger.rows), default=0) <= present:
        return ledger
    return replace(ledger, rows=[row for row in ledger.rows if row[DAY] <= present])


def _by_category(windowed: _Windowed, window: WindowFacts) -> dict[str, CategoryTotal]:
    """What every category with rows in the window comes to, in the sign of its flow, by id."""
    gathered: dict[str, list[Sequence[Row]]] = {}
    flows: dict[str, Flow] = {}
    for sheet, rows in windowed:
        if rows:
            gathered.setdefault(sheet.category, []).append(rows)
            flows[sheet.category] = sheet.flow
    return {
        category: _total(category, list(chain.from_iterable(parts)), flows[category], window)
        for category, parts in sorted(gathered.items())
    }


def _total(category: str, rows: Sequence[Row], flow: Flow, window: WindowFacts) -> CategoryTotal:
    sign = -1 if flow in _OUTWARD else 1
    by_month = dict.fromkeys(window.month_keys, 0)
    total = 0
    for _, _, day, amount, _, _ in rows:
        total += amount
        if by_month:
            by_month[day // 100] += amount
    months = tuple(sign * amount for amount in by_month.values())
    return CategoryTotal(category, sign * total, len(rows), months)


def _by_flow(ledger: Ledger, categories: Mapping[str, CategoryTotal]) -> Counter[Flow]:
    """The sum of each class over its categories."""
    flows: Counter[Flow] = Counter()
    for category, total in categories.items():
        flows[ledger.catalogue.flow(category)] += total.total
    return flows


def _usual_month(
    ledger: Ledger, categories: Mapping[str, CategoryTotal], window: WindowFacts
) -> Fraction:
    """The middle month's spending, which a car bought once leaves as it is, else the mean month's.

    One or two months have no middle, and that of few charges may be a month without any.
    """
    spent = [
        entry for name, entry in categories.items() if ledger.catalogue.flow(name) == "spending"
    ]
    by_month = [sum(month) for month in zip(*(entry.by_month for entry in spent), strict=True)]
    middle = median_low(by_month) if len(by_month) >= _MONTHS_FOR_MIDDLE else 0
    if middle > 0 or not window.months:
        return Fraction(max(0, middle))
    return sum(entry.total for entry in spent) / window.months


def _sum_on(accounts: set[int], windowed: _Windowed) -> int:
    """What rows together brought onto some accounts, whatever they were for."""
    if not accounts:
        return 0
    return sum(row[AMOUNT] for _, rows in windowed for row in rows if row[ACCOUNT] in accounts)
