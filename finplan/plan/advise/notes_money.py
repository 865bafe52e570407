"""Notes about what the figures mean: what is counted how, and what is assumed."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from operator import itemgetter

from finplan.model.plan import SnapshotAccount
from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.books import Series, latest_rows
from finplan.plan.ledger.classes import loan_category, nature_of, shown_accounts
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row
from finplan.plan.sections.budget import above_guide
from finplan.plan.sections.debt import least_minimum
from finplan.plan.sections.emergency import full_months
from finplan.plan.sections.spending import outstanding_reimbursement
from finplan.plan.sections.standing import has_home
from finplan.plan.words import count, listed, percent

_LEAST_PAYMENTS = 3
_OUTSTANDING_DAYS = 90
_TAX_DAYS = 122
_YEAR_DAYS = 365
_NAMED_TAXES = 4

_THINGS = """
property council county borough vehicle car motor fonciere habitation grundsteuer hundesteuer kfzsteuer
rates ibi imu tari
"""
_TAXES_OF_THINGS = frozenset(_THINGS.split())
"""Words of taxes on what somebody has, which say nothing of tax on income."""

_TOLD_FROM = 52
_USUAL_PAYS = {"weekly": 4, "biweekly": 2}

_FROM_PAY = ("401", "403", "457", "retirement", "pension", "thrift", "hsa", "health")
"""Words in the subtypes of accounts that employers pay into before the money reaches a bank."""


def loan_payments(household: Assessment) -> Iterator[str]:
    """Principal is spending in a cash plan."""
    if any(category in household.books.categories for category in ("mortgage", "loan_payment")):
        yield (
            "Loan payments count as essential spending, principal included, so what is left over is"
            " not the change in net worth."
        )


def mortgage_without_home(household: Assessment) -> Iterator[str]:
    """A debt without the thing that it bought, or neither of the two."""
    mortgage = any(
        each.kind == "loan" and loan_category(each) == "mortgage" and each.balance
        for _, each in shown_accounts(household.ledger)
    )
    home = has_home(household.ledger)
    if mortgage and not home:
        yield "Net worth counts the mortgage, but not what the home is worth."
    paid = household.standing.unlinked.mortgages
    if paid and not home:
        yield (
            f"{listed(paid)} {'is' if len(paid) == 1 else 'are'} paid but not linked: net worth counts"
            " neither what is owed on the home nor what it is worth."
        )
    elif paid:
        yield f"Net worth counts the home, but not what is owed to {listed(paid)}, which is not linked."


def rates_unknown(household: Assessment) -> Iterator[str]:
    """Without rates the dearest card cannot be told."""
    payoff = household.payoff
    if payoff.strategy == "paydown" and not payoff.by_rate:
        names = [card.account.name for card in payoff.revolving if card.account.apr is None]
        rates, known = ("rate of", "is") if len(names) == 1 else ("rates of", "are")
        yield (
            f"The interest {rates} {listed(names)} {known} not known: cards are ordered by how full"
            " they are, and the time to clear them leaves that interest out."
        )


def minimums_estimated(household: Assessment) -> Iterator[str]:
    """The issuer's minimum is not known."""
    unknown = [
        card.account.name
        for card in household.payoff.revolving
        if card.account.minimum_payment is None
    ]
    if household.payoff.strategy == "paydown" and unknown:
        least = household.money(least_minimum(household.currency))
        one = len(unknown) == 1
        payments, are = ("payment", "is an estimate") if one else ("payments", "are estimates")
        yield (
            f"The minimum {payments} of {listed(unknown)} {are}: a month's interest and 1% of"
            f" what is owed, at least 2% of it and {least}."
        )


def card_use_assumed(household: Assessment) -> Iterator[str]:
    """Too few payments to tell how a card is used."""
    for card in household.cards:
        if card.assumed and card.owed:
            use = "is paid in full each month" if card.in_full else "carries a balance"
            yield f"Too few payments to {card.account.name} are known; the plan assumes it {use}."


def target_assumed(household: Assessment) -> Iterator[str]:
    """Too few months to tell how steady income is."""
    if household.target.why == "short_history":
        goal = count(household.target.months, "month")
        yield f"The goal of {goal} for the emergency fund is assumed until 3 full months are known."


def no_essentials(household: Assessment) -> Iterator[str]:
    """Nothing known is not the same as nothing needed."""
    if household.books.window.transaction_count and household.planned.essentials <= 0:
        yield "No essential spending is known, so the size of an emergency fund cannot be told."


def set_aside_elsewhere(household: Assessment) -> Iterator[str]:
    """Certificates, health accounts or investments could fill the gap, yet are not at hand."""
    held = [
        each
        for each in household.snapshot.accounts
        if each.role == "investment" and each.kind != "other" and each.balance
    ]
    total = sum(each.balance or 0 for each in held)
    if total > household.fund.gap > 0:
        kinds = list(dict.fromkeys(_set_aside_as(each) for each in held))
        yield (
            f"{household.money(total)} in {listed(sorted(kinds))} is not counted as reserve, because"
            " it is not at hand."
        )


def _set_aside_as(account: SnapshotAccount) -> str:
    """What an account that is not at hand is called, among others of its kind."""
    if account.kind == "investment":
        return "investments"
    subtype = (account.subtype or "").lower()
    return {"cd": "certificates", "529": "education accounts"}.get(subtype, "health accounts")


def planned_income(household: Assessment) -> Iterator[str]:
    """Targets and capacity rest on another income than the one that is shown."""
    if not household.plans_on_other_income:
        return
    own = household.ledger.monthly_income is not None
    why = "your own figure" if own else "what your sources bring from now on"
    yield (
        f"The plan counts on {household.money(household.planned.income)} of income a month, {why}."
        f" The average was {household.money(household.means.income)}."
    )


def one_off_income(household: Assessment) -> Iterator[str]:
    """What came once or twice will not pay next month."""
    books = household.books
    once = sum(_unplanned(source, books.running.one_offs) for source in books.sources)
    if books.window.months >= 3 and 10 * once > books.income > 0:
        yield (
            f"One-time income is not in the plan: {household.money(once)},"
            f" {percent(once, books.income)} of income."
        )


def _unplanned(source: Series, one_offs: Collection[Row]) -> int:
    """What a source brought once or beside its pay, which is not planned with."""
    if source.cadence != "irregular":
        return sum(row[AMOUNT] for row in source.beside)
    return source.total - sum(row[AMOUNT] for row in source.planned if row not in one_offs)


def stopped_source(household: Assessment) -> Iterator[str]:
    """A source that paid in the window and pays no more."""
    for source in household.books.sources:
        if not source.active and not source.running and source.count >= _LEAST_PAYMENTS:
            yield (
                f"The plan no longer counts {source.name}. Last payment:"
                f" {household.day(source.last_date)}."
            )


def extra_payday(household: Assessment) -> Iterator[str]:
    """Pay every two weeks makes two months of the year look rich."""
    if household.full_months >= 6:
        return
    for source in household.books.sources:
        usual = _USUAL_PAYS.get(source.cadence)
        # Pay that went up hides a payday.
        brought_more = source.total > source.monthly * household.books.window.months
        have = _paydays_said(household, source, usual) if usual and brought_more else ""
        if have:
            yield (
                f"{have} paydays of {source.name} instead of {usual}, so income looks higher than"
                f" usual{_planned_with(household)}."
            )


def _paydays_said(household: Assessment, source: Series, usual: int) -> str:
    """How many paydays the averaged days have, where these are more than usual."""
    window = household.books.window
    if window.month_keys:
        paydays = Counter(day.year * 100 + day.month for day, _ in source.recent)
        months = sum(paydays[month] > usual for month in window.month_keys)
        has = f"{'has' if months == 1 else 'have'} {usual + 1}"
        return f"{count(months, 'month')} of the average {has}" if months else ""
    held = sum(window.holds(day_of(day)) for day, _ in source.recent)
    return f"These {count(window.days, 'day')} have {held}" if held > usual else ""


def _planned_with(household: Assessment) -> str:
    """What a month is planned with instead, where that is less than what came in."""
    means, planned = household.means, household.planned.income
    if household.ledger.monthly_income is not None or planned >= means.income:
        return ""
    return f": the plan counts on {household.money(planned)} a month"


def before_tax(household: Assessment) -> Iterator[str]:
    """Nobody withholds tax from self-employment: what was paid in a year, and when. No advice on tax."""
    earned = household.books.categories.get("self_employment")
    if not earned or earned.total <= 0:
        return
    end = household.books.window.data_end
    rows = latest_rows(household.books, {"taxes"}, _YEAR_DAYS + 1)
    paid = sorted(
        (row for row in rows if row[AMOUNT] < 0 and not _is_of_things(household, row)),
        key=itemgetter(DAY),
    )
    lately = day_of(end - timedelta(_TAX_DAYS))
    silent = not any(row[DAY] >= lately for row in paid)
    missing = ", and no tax payment was seen in 4 months" if silent else ""
    yield f"Self-employment income is shown before tax{missing}.{_taxes_paid(household, paid)}"


def _is_of_things(household: Assessment, row: Row) -> bool:
    """Whether a tax is on a home or a car, and none on income."""
    words = household.ledger.payees[row[PAYEE]].key.split()
    return not _TAXES_OF_THINGS.isdisjoint(words)


def _taxes_paid(household: Assessment, paid: Sequence[Row]) -> str:
    """The tax payments of a year, oldest first, as a sentence after a blank."""
    if not paid:
        return ""
    if len(paid) > _NAMED_TAXES:
        total = household.money(-sum(row[AMOUNT] for row in paid))
        last = household.day(date_of(paid[-1][DAY]))
        return (
            f" Tax paid in 12 months: {total} in {count(len(paid), 'payment')}, the last on {last}."
        )
    each = [
        f"{household.money(-row[AMOUNT])} on {household.day(date_of(row[DAY]))}" for row in paid
    ]
    return f" Tax paid in 12 months: {listed(each)}."


def essentials_above_guide(household: Assessment) -> Iterator[str]:
    """What needs take is accepted, and said from 52 % on where the budget splits an income."""
    planned = household.planned
    above = above_guide(planned)
    is_much = 100 * planned.essentials >= _TOLD_FROM * planned.income
    own = household.ledger.settings.budget_shares is not None
    splits = planned.essentials < planned.income and not household.living.applies
    if above and is_much and splits and not own:
        of_what = "take-home" if planned.income == household.means.income else "planned income"
        yield (
            f"Essentials take {percent(planned.essentials, planned.income)} of {of_what}; the guide is"
            f" 50%: {household.money(above)} a month above it."
        )


def contributions_from_pay(household: Assessment) -> Iterator[str]:
    """What an employer pays in never reaches the bank."""
    paid_into = any(
        nature_of(each) == "investment"
        and any(word in (each.subtype or "").lower() for word in _FROM_PAY)
        for _, each in shown_accounts(household.ledger)
    )
    if paid_into and "wages" in household.books.categories:
        yield (
            "Contributions that leave pay before it reaches the bank (retirement, health account)"
            " are not visible: they are neither income nor saved here."
        )


def long_outstanding(household: Assessment) -> Iterator[str]:
    """Costs to be repaid that are getting old."""
    found = outstanding_reimbursement(household.books, household.today, _OUTSTANDING_DAYS)
    if found is not None:
        yield (
            f"{household.money(found.amount)} of costs to be repaid has been outstanding for more"
            f" than {_OUTSTANDING_DAYS} days, the oldest since {household.day(found.oldest)}."
        )


def target_after_cards(household: Assessment) -> Iterator[str]:
    """While cards are carried over the goal is a single month."""
    if household.target.why == "starter":
        months, _ = full_months(household.books, household.target.base)
        becomes = (
            f" and becomes {count(months, 'month')} once they are clear" if months != 1 else ""
        )
        yield (
            "The emergency fund's goal is 1 month of essentials while cards are carried over"
            f"{becomes}."
        )
