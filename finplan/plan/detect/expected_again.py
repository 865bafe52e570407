"""What came once and is of a kind that comes every year: it is likely to come again a year later.

A tax bill, an insurance, a licence, a membership, school fees or council charges that came once show no
rhythm yet, but nobody would be surprised by the next one. Each payment is expected again a year after
its day, at its amount. Who paid a tax authority on its last two days in succession is expected to pay on
the days between then and a year later, too. These are days of authorities, and no advice on tax.
Such a payment is never recurring. Source: plan-semantics C33.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, pairwise

from finplan.plan.detect.cadence import per_month
from finplan.plan.detect.series import AsOf, Occurrence, merged_by_day, occurrences_of, return_of
from finplan.plan.ledger.amounts import comparable
from finplan.plan.ledger.books import Series, by_payee
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import AMOUNT, DAY, LedgerPayee

_LEAST_SHARE = 20
"""A payment is expected again from the twentieth part of a month's spending on."""

LAPSED = 45
"""So many days after its day a payment that did not come is expected no more."""

_YEAR = 365

_MOST_A_YEAR: Mapping[str, int] = {"tax": 4, "school": 3}
_ELSE_MOST = 2
"""More payments in a year than these are instalments or visits."""

_INSTALMENTS = (20, 100)
"""Like payments so many days apart are the first instalments of something that comes more often."""

_SURE = frozenset({"taxes", "insurance", "education"})
"""Categories all of whose bills are of a yearly kind."""

_MIXED = """
uncategorized phone_internet utilities car home_upkeep subscriptions hobbies entertainment kids
childcare gifts_donations
"""
_OPEN = frozenset(_MIXED.split())
"""Categories in which the payee's words must say the kind."""

_KIND_OF_CATEGORY: Mapping[str, str] = {
    "taxes": "tax",
    "insurance": "insurance",
    "education": "school",
    "subscriptions": "membership",
}

_WORDS: Mapping[str, str] = {
    "tax": """
        tax taxes hmrc irs finanzamt finanzkasse stadtkasse gemeindekasse dgfip urssaf impot impots taxe
        fonciere ato belastingdienst skatteverket aeat hacienda treasurer revenue imposta tributi bas vat
    """,
    "insurance": """
        insurance insurances assurance assurances insurer versicherung versicherungen haftpflicht
        haftpflichtkasse verzekering verzekeringen assicurazione assicurazioni seguro seguros mutuelle
        underwriters
    """,
    "licence": """
        licence license licences licenses licensing licencing registration dvla dmv rego rundfunk
        rundfunkbeitrag beitragsservice redevance
    """,
    "membership": """
        membership memberships member members dues mitgliedsbeitrag mitgliedschaft jahresbeitrag
        vereinsbeitrag cotisation adhesion lidmaatschap contributie iscrizione quota society association
        assoc subscription
    """,
    "school": """
        school schools tuition university universitaet universite college schule schulgeld ecole lycee
        semesterbeitrag studierendenwerk escuela colegio universidad scuola universita
    """,
    "council": """
        council borough county municipal municipality gemeinde mairie commune comune ayuntamiento
        landkreis
    """,
}
_KIND_OF_WORD: Mapping[str, str] = {
    name: kind for kind, names in _WORDS.items() for name in names.split()
}
_ENDINGS: Mapping[str, str] = {
    "steuer": "tax",
    "versicherung": "insurance",
    "verzekering": "insurance",
    "mitgliedsbeitrag": "membership",
}
"""How German and Dutch words end that say a kind."""

_ONCE = """
penalty penalties fine fines settlement estate probate inheritance cgt pcn bussgeld strafzettel
verwarnungsgeld zwangsgeld saeumniszuschlag erbschaftsteuer schenkungsteuer amende amendes multa
multas boete succession ticket tickets
"""
_NEVER = frozenset(_ONCE.split())
_NEVER_TOGETHER = frozenset({("capital", "gains"), ("capital", "gain")})
"""What comes once: a penalty, a settlement, an estate, the tax on a gain."""

_DAYS_OF_AUTHORITIES: Mapping[str, Sequence[tuple[int, int]]] = {
    "irs": ((1, 15), (4, 15), (6, 15), (9, 15)),
    "hmrc": ((1, 31), (7, 31)),
    "finanzamt": ((3, 10), (6, 10), (9, 10), (12, 10)),
    "dgfip": ((2, 15), (5, 15), (8, 15), (11, 15)),
    "urssaf": ((2, 5), (5, 5), (8, 5), (11, 5)),
    "income tax department": ((3, 15), (6, 15), (9, 15), (12, 15)),
    "australian taxation office": ((2, 28), (4, 28), (7, 28), (10, 28)),
}
"""Month and day on which those who work for themselves pay, by how the payee's key begins."""

_EARLY, _LATE = 21, 7
"""How many days before and after a day of an authority a payment is for that day."""


@dataclass(frozen=True, slots=True)
class _Payer:
    """One payee's payments of a yearly kind, by day and oldest first, and the days of its authority."""

    sheet: Sheet
    name: str
    kind: str
    payments: Sequence[Occurrence]
    days: Sequence[tuple[int, int]]

    def due_day(self, ordinal: int) -> date | None:
        """The day of the authority that a payment is for, None if it is near none."""
        first = date.fromordinal(ordinal - _LATE)
        for day in days_of_authority(self.days, first):
            return day if day.toordinal() - ordinal <= _EARLY else None
        return None


def find_expected_again(
    sheets: Sequence[Sheet],
    payees: Mapping[int, LedgerPayee],
    charges: Sequence[Series],
    as_of: AsOf,
    usual_month: Fraction,
) -> list[Series]:
    """The single payments of yearly kinds that are likely to come again, by their next day.

    Each is a series of its own with the payment it was seen by: `recent` and `parts` hold that payment
    (both are empty for a day between, which no payment was seen for), `monthly` is a twelfth of it, and
    `next_date` is a year after it, or today if that day has passed. `charges` are the recurring ones,
    whose payments are left out, and `usual_month` is what a month usually takes, in minor units.
    """
    if usual_month <= 0:
        return []
    least = usual_month / _LEAST_SHARE
    begins = min((ORDINAL[sheet.rows[0][DAY]] for sheet in sheets), default=0)
    expected = chain.from_iterable(
        _again(payer, least, begins, as_of) for payer in _payers(sheets, payees, charges, as_of)
    )
    return sorted(
        expected, key=lambda series: (series.next_date, -series.amount, series.name, series.payees)
    )


def days_of_authority(days: Sequence[tuple[int, int]], since: date) -> Iterator[date]:
    """The days of an authority from a day on, ascending, without end; none where it has none."""
    year = since.year
    while days:
        for month, day in sorted(days):
            due = date(year, month, day)
            if due >= since:
                yield due
        year += 1


def kind_of(payee: LedgerPayee, category: str) -> str | None:
    """The yearly kind of what a payee takes, None where nothing says that it comes every year."""
    names = {*payee.key.casefold().split(), *payee.name.casefold().split()}
    if _comes_once(payee, names):
        return None
    if category not in _SURE and category not in _OPEN:
        return None
    kinds = (kind for name in sorted(names) if (kind := _kind_of_word(name)) is not None)
    return _KIND_OF_CATEGORY.get(category) or next(kinds, None)


def _kind_of_word(name: str) -> str | None:
    by_ending = (kind for ending, kind in _ENDINGS.items() if name.endswith(ending))
    return _KIND_OF_WORD.get(name) or next(by_ending, None)


def _comes_once(payee: LedgerPayee, names: Collection[str]) -> bool:
    ordered = payee.key.casefold().split()
    return not _NEVER.isdisjoint(names) or not _NEVER_TOGETHER.isdisjoint(pairwise(ordered))


def _payers(
    sheets: Sequence[Sheet],
    payees: Mapping[int, LedgerPayee],
    charges: Sequence[Series],
    as_of: AsOf,
) -> Iterator[_Payer]:
    """The payees of a yearly kind whose payments are none of a series that comes more often."""
    data_end = as_of.window.data_end.toordinal()
    of_payee = by_payee(charges)
    for sheet in sheets:
        if sheet.flow != "spending":
            continue
        payee = payees[sheet.payee]
        kind = kind_of(payee, sheet.category)
        series = of_payee.get(sheet.payee, ())
        if kind is None or any(
            known_series.active and known_series.cadence != "annual" for known_series in series
        ):
            continue
        taken = {
            (day.toordinal(), amount)
            for known_series in series
            for day, amount in known_series.parts
        }
        paid = [
            occurrence
            for occurrence in occurrences_of(sheet.rows, outflows=True)
            if occurrence[:2] not in taken and occurrence[0] <= data_end
        ]
        days = chain.from_iterable(
            days
            for key, days in _DAYS_OF_AUTHORITIES.items()
            if f"{payee.key} ".startswith(f"{key} ")
        )
        if paid:
            yield _Payer(sheet, payee.name, kind, merged_by_day(paid), tuple(days))


def _again(payer: _Payer, least: Fraction, begins: int, as_of: AsOf) -> Iterator[Series]:
    """What of one payee is expected again; nothing where its payments come more often than yearly."""
    data_end = as_of.window.data_end.toordinal()
    # A year that holds 29 February is a day longer.
    since = data_end - _YEAR - 1 - LAPSED
    recent = [paid for paid in payer.payments if paid[0] >= since]
    if not recent or _comes_often(payer, recent, data_end):
        return
    for payment in recent:
        day, amount, _ = payment
        due = a_year_after(date.fromordinal(day))
        is_answered = any(abs(later - due.toordinal()) <= LAPSED for later, _, _ in recent)
        lapsed = data_end - due.toordinal() > LAPSED
        if amount >= least and not is_answered and not lapsed and not _is_repaid(payer, payment):
            yield _series(payer, payment, due, _signs(payer, payment, begins), as_of)
    for payment, due in _between(payer, data_end):
        if payment[1] >= least:
            signs = _signs(payer, payment, begins)
            yield _series(payer, payment, due, signs, as_of, was_paid=False)


def a_year_after(day: date) -> date:
    """The same day of the next year; of 29 February the day before."""
    return day.replace(year=day.year + 1, day=min(day.day, 28) if day.month == 2 else day.day)


def _comes_often(payer: _Payer, recent: Sequence[Occurrence], data_end: int) -> bool:
    """Whether payments of the last year are too many, or two are the first of some instalments."""
    of_a_year = [paid for paid in recent if paid[0] > data_end - _YEAR]
    if len(of_a_year) > _MOST_A_YEAR.get(payer.kind, _ELSE_MOST):
        return True
    fewest, most = _INSTALMENTS
    return not payer.days and any(
        fewest <= later[0] - earlier[0] <= most and comparable(earlier[1], later[1])
        for earlier, later in pairwise(of_a_year)
        if payer.kind != "school"
    )


def _is_repaid(payer: _Payer, payment: Occurrence) -> bool:
    """Whether the payee has paid back half of a payment or more since."""
    back = sum(
        row[AMOUNT]
        for row in payer.sheet.rows
        if row[AMOUNT] > 0 and ORDINAL[row[DAY]] >= payment[0]
    )
    return 2 * back >= payment[1]


def _between(payer: _Payer, data_end: int) -> Iterator[tuple[Occurrence, date]]:
    """The days of an authority before a year is over, for who kept its last two in succession.

    Only authorities that take four payments a year say so much by two.
    """
    if len(payer.days) < 4 or len(payer.payments) < 2:
        return
    earlier, latest = payer.payments[-2], payer.payments[-1]
    first, last = payer.due_day(earlier[0]), payer.due_day(latest[0])
    if first is None or last is None:
        return
    following = days_of_authority(payer.days, first + timedelta(1))
    if next(following) != last or not comparable(earlier[1], latest[1]):
        return
    start = min(
        (due for day, _, _ in payer.payments if (due := payer.due_day(day)) is not None),
        default=last,
    )
    for due in days_of_authority(payer.days, last + timedelta(1)):
        if due >= a_year_after(start) or due >= a_year_after(last):
            return
        if data_end - due.toordinal() > LAPSED:
            # A day of the authority that was left out shows that the payments are over.
            return
        yield latest, due


def _signs(payer: _Payer, payment: Occurrence, begins: int) -> Mapping[str, int]:
    """What is seen of a single payment, by the names of the weights; see `detect.arrival`."""
    day = payment[0]
    came = any(abs(day - earlier - _YEAR) <= LAPSED for earlier, _, _ in payer.payments)
    due = payer.due_day(day)
    return {
        "always": 1,
        payer.kind: 1,
        "on a day of its authority": due is not None,
        "came the year before": came,
        "not in the year before": not came and begins <= day - _YEAR - LAPSED,
    }


def _series(
    payer: _Payer,
    payment: Occurrence,
    due: date,
    signs: Mapping[str, int],
    as_of: AsOf,
    *,
    was_paid: bool = True,
) -> Series:
    """A payment as a series whose next one is due on a day; `was_paid` if it stands for itself."""
    day, amount, account = payment
    when, probability = date.fromordinal(day), return_of(signs)
    is_held = was_paid and as_of.holds(day)
    parts = [
        (when, -row[AMOUNT])
        for row in payer.sheet.rows
        if was_paid and row[AMOUNT] < 0 and ORDINAL[row[DAY]] == day
    ]
    return Series(
        payees=(payer.sheet.payee,),
        name=payer.name,
        category=payer.sheet.category,
        cadence="annual",
        interval_days=_YEAR,
        amount=amount,
        monthly=per_month(amount, "annual"),
        total=amount if is_held else 0,
        count=int(is_held),
        count_all=int(was_paid),
        first_date=when,
        last_date=when,
        next_date=max(due, as_of.today),
        active=True,
        steady=True,
        recent=((when, amount),),
        account=account,
        parts=tuple(parts),
        signs=signs,
        arrival=probability,
        probability=probability,
    )
