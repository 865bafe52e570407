"""Notes about what the figures mean: what is counted how, and what is assumed."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from operator import itemgetter
from shlex import quote

from finplan.model.plan import Cadence, SnapshotAccount
from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.books import Series, latest_rows
from finplan.plan.ledger.classes import loan_category, nature_of, shown_accounts
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row
from finplan.plan.ledger.planned import FollowedMoney
from finplan.plan.sections.budget import above_guide
from finplan.plan.sections.debt import least_minimum
from finplan.plan.sections.emergency import full_months
from finplan.plan.sections.spending import outstanding_reimbursement
from finplan.plan.sections.standing import has_home
from finplan.plan.words import count, listed, percent, way_to_add

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

_PLANNED_NAMED = 3
"""So many planned payments are named."""

_OFTEN: Mapping[Cadence, str] = {
    "weekly": "a week",
    "biweekly": "every 2 weeks",
    "semimonthly": "twice a month",
    "monthly": "a month",
    "quarterly": "a quarter",
    "twice_yearly": "twice a year",
    "annual": "a year",
}

_TOLD_FROM = 52
_USUAL_PAYS = {"weekly": 4, "biweekly": 2}

_FROM_PAY = ("401", "403", "457", "retirement", "pension", "thrift", "hsa", "health")
"""Words in the subtypes of accounts that employers pay into before the money reaches a bank."""


def loan_payments(household: Assessment) -> Iterator[str]:
    """Principal is spending in a cash plan."""
    if any(category in household.books.categories for category in ("mortgage", "loan_payment")):
        yield (
            "Loan payments count as essential spending, principal included, so the surplus differs from"
            " the change in net worth."
        )


def mortgage_without_home(household: Assessment) -> Iterator[str]:
    """A debt without the thing that it bought, or neither of the two."""
    mortgage = any(
        account.kind == "loan" and loan_category(account) == "mortgage" and account.balance
        for _, account in shown_accounts(household.ledger)
    )
    home = has_home(household.ledger)
    way = way_to_add("Home", "property", "the home")
    if mortgage and not home:
        yield f"Net worth counts the mortgage, but not the value of the home.{way}"
    paid = household.standing.unlinked.mortgages
    if paid and not home:
        yield (
            f"You pay {listed(paid)}, which {'is' if len(paid) == 1 else 'are'} not linked. Net worth"
            f" excludes both the mortgage and the value of the home.{way}"
        )
    elif paid:
        verb = "is" if len(paid) == 1 else "are"
        yield (
            f"Net worth counts the home, but not your debt to {listed(paid)}, which {verb} not linked."
            f"{way_to_add(paid[0], 'mortgage', 'the mortgage')}"
        )


def rates_unknown(household: Assessment) -> Iterator[str]:
    """Without rates the dearest card cannot be told."""
    payoff = household.payoff
    if payoff.strategy == "paydown" and not payoff.by_rate:
        names = [card.account.name for card in payoff.revolving if card.account.apr is None]
        rates = "rate" if len(names) == 1 else "rates"
        yield (
            f"Interest {rates} missing for {listed(names)}. The card closest to its limit comes first,"
            " and the payoff time excludes the missing interest."
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
        single = len(unknown) == 1
        payments, are = ("payment", "is an estimate") if single else ("payments", "are estimates")
        yield (
            f"The minimum {payments} of {listed(unknown)} {are}: a month's interest plus 1% of the"
            f" balance, but at least 2% of the balance and at least {least}."
        )


def card_use_assumed(household: Assessment) -> Iterator[str]:
    """Too few payments to tell how a card is used."""
    for card in household.cards:
        if card.assumed and card.owed:
            use = "you pay it in full each month" if card.in_full else "you carry a balance"
            yield f"Too few payments to {card.account.name} are known. The plan assumes {use}."


def target_assumed(household: Assessment) -> Iterator[str]:
    """Too few months to tell how steady income is."""
    if household.target.why == "short_history":
        goal = count(household.target.months, "month")
        yield (
            f"The emergency fund goal of {goal} is an assumption until 3 full months of data are known."
        )


def no_essentials(household: Assessment) -> Iterator[str]:
    """Nothing known is not the same as nothing needed."""
    if household.books.window.transaction_count and household.planned.essentials <= 0:
        yield "No essential spending is known, so the emergency fund goal is unknown."


def set_aside_elsewhere(household: Assessment) -> Iterator[str]:
    """Certificates, health accounts or investments could fill the gap, yet are not at hand."""
    accounts = [
        account
        for account in household.snapshot.accounts
        if account.role == "investment" and account.kind != "other" and account.balance
    ]
    total = sum(account.balance or 0 for account in accounts)
    if total > household.fund.gap > 0:
        kinds = list(dict.fromkeys(_set_aside_as(account) for account in accounts))
        yield (
            f"{household.money(total)} in {listed(sorted(kinds))} does not count as reserve, because"
            " you cannot use it right away."
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
    why = "set by you" if own else "from your current sources"
    yield (
        f"The plan counts on {household.money(household.planned.income)} of income a month, {why}."
        f" Your average was {household.money(household.means.income)}."
    )


def planned_payments(household: Assessment) -> Iterator[str]:
    """What planned payments take of each month, and whether income leaves so much."""
    saved = [followed for followed in household.books.planned if followed.monthly]
    if not saved:
        return
    names = [
        f"{followed.money.name} ({household.money(followed.money.amount)}"
        f" {_when_planned(followed, household)})"
        for followed in saved[:_PLANNED_NAMED]
    ]
    if others := len(saved) - len(names):
        names.append(count(others, "other payment"))
    total, surplus = household.planned.set_aside, household.planned.surplus
    yield f"The plan sets aside {household.money(total)} a month for {listed(names)}."
    if total > max(0, surplus):
        rest_of_income = f"only {household.money(surplus)}" if surplus > 0 else "nothing"
        yield (
            f"Your planned payments need {household.money(total)} a month, but planned income leaves"
            f" {rest_of_income} after spending."
        )


def _when_planned(followed: FollowedMoney, household: Assessment) -> str:
    money = followed.money
    if money.cadence is not None:
        return _OFTEN[money.cadence]
    when = household.day(money.first)
    return f"in {when.split(' ', 1)[1]}" if money.in_month else f"on {when}"


def overdue_planned(household: Assessment) -> Iterator[str]:
    """Planned money that no transaction shows ten days after its day."""
    for followed in household.books.planned:
        missed = followed.overdue(household.today)
        if missed is not None:
            yield (
                f"{followed.money.name} was planned for {household.day(missed)}, but no transaction"
                f" shows it. Mark it as happened, or change the date: `finplan planned set"
                f" {quote(followed.money.name)}`."
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
        have = _describe_paydays(household, source, usual) if usual and brought_more else ""
        if have:
            yield (
                f"{have} paydays of {source.name} instead of {usual}, so income looks higher than"
                f" usual{_planned_with(household)}."
            )


def _describe_paydays(household: Assessment, source: Series, usual: int) -> str:
    """How many paydays the averaged days have, where these are more than usual."""
    window = household.books.window
    if window.month_keys:
        paydays = Counter(day.year * 100 + day.month for day, _ in source.recent)
        months = sum(paydays[month] > usual for month in window.month_keys)
        has = f"{'has' if months == 1 else 'have'} {usual + 1}"
        return f"{count(months, 'month')} of the average {has}" if months else ""
    pay_count = sum(window.holds(day_of(day)) for day, _ in source.recent)
    return f"These {count(window.days, 'day')} have {pay_count}" if pay_count > usual else ""


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
    missing = ", and no tax payment was found in the last 4 months" if silent else ""
    yield f"Self-employment income is before tax{missing}.{_taxes_paid(household, paid)}"


def _is_of_things(household: Assessment, row: Row) -> bool:
    """Whether a tax is on a home or a car, and none on income."""
    tokens = household.ledger.payees[row[PAYEE]].key.split()
    return not _TAXES_OF_THINGS.isdisjoint(tokens)


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
    payments = [
        f"{household.money(-row[AMOUNT])} on {household.day(date_of(row[DAY]))}" for row in paid
    ]
    return f" Tax paid in 12 months: {listed(payments)}."


def essentials_above_guide(household: Assessment) -> Iterator[str]:
    """What needs take is accepted, and said from 52% on where the budget splits an income."""
    planned = household.planned
    above = above_guide(planned)
    is_much = 100 * planned.essentials >= _TOLD_FROM * planned.income
    own = household.ledger.settings.budget_shares is not None
    splits = planned.essentials < planned.income and not household.living.applies
    if above and is_much and splits and not own:
        of_what = "take-home pay" if planned.income == household.means.income else "planned income"
        yield (
            f"Essentials take {percent(planned.essentials, planned.income)} of {of_what}:"
            f" {household.money(above)} a month more than the 50% guideline."
        )


def contributions_from_pay(household: Assessment) -> Iterator[str]:
    """What an employer pays in never reaches the bank."""
    paid_into = any(
        nature_of(account) == "investment"
        and any(name in (account.subtype or "").lower() for name in _FROM_PAY)
        for _, account in shown_accounts(household.ledger)
    )
    if paid_into and "wages" in household.books.categories:
        yield (
            "Contributions taken from your pay before it reaches the bank (retirement, health account)"
            " count neither as income nor as savings."
        )


def long_outstanding(household: Assessment) -> Iterator[str]:
    """Costs to be repaid that are getting old."""
    owed = outstanding_reimbursement(household.books, household.today, _OUTSTANDING_DAYS)
    if owed is not None:
        yield (
            f"You have been owed {household.money(owed.amount)} of reimbursable costs for more than"
            f" {_OUTSTANDING_DAYS} days, the oldest since {household.day(owed.oldest)}."
        )


def target_after_cards(household: Assessment) -> Iterator[str]:
    """While cards are carried over the goal is a single month."""
    if household.target.why == "starter":
        months, _ = full_months(household.books, household.target.base)
        becomes = f", and {count(months, 'month')} once it is paid off" if months != 1 else ""
        yield (
            f"The emergency fund goal is 1 month of essentials while you carry card debt{becomes}."
        )
