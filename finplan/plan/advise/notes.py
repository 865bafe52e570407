"""What the person should know to trust the figures: one sentence each, only when true.

How firm the figures are, and what holds for households whose income does not carry them, is said
here; what is about data and about money is in `notes_data` and `notes_money`.
"""

from collections.abc import Callable, Iterator, Sequence

from finplan.model.plan import Role
from finplan.plan.advise import notes_data, notes_money
from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.sections.missing_accounts import unlinked_cards
from finplan.plan.sections.wealth import cash_is_known
from finplan.plan.words import count, lasting, listed
from finplan.views.plan_words import cash_is_unknown

_YEARS_FROM = 25
"""So many months are told in years, over which prices and savings grow."""


def uncertain_balances(household: Assessment) -> Iterator[str]:
    """A balance that nobody told makes figures better or worse than they are."""
    standing = household.standing
    owing, owning = _owing(household), _owning(household)
    owed = f"what is owed on {listed(owing)}"
    owned = f"what {listed(owning)} {'holds' if len(owning) == 1 else 'hold'}"
    if standing.worth == "at most":
        figures = "Net worth is"
        if standing.cards_unknown:
            figures = "Net worth, cash after cards and the months that your reserve lasts are"
        yield f"{figures} at most what is shown, and debts at least: {owed} is not known."
    elif standing.worth == "at least" and cash_is_unknown(household.snapshot.accounts):
        yield f"Net worth is not known, nor what is safe to spend: {owned} is not known."
    elif standing.worth == "at least":
        yield f"Net worth is at least what is shown: {owned} is not known."
    elif standing.worth == "unknown":
        yield f"Net worth is not known: neither {owed} is told, nor {owned}."


def _without_balance(household: Assessment, *roles: Role) -> list[str]:
    """The names of the accounts of some roles whose balance nobody told."""
    return [
        account.name
        for _, account in shown_accounts(household.ledger)
        if account.balance is None and role_of(account, household.currency) in roles
    ]


def _owing(household: Assessment) -> list[str]:
    """The debts of unknown size by name, cards that are not linked among them."""
    names = _without_balance(household, "debt")
    cards = unlinked_cards(household.ledger, household.books, household.means)
    names += [found.account for found in cards if found.account and not found.mistaken]
    names += household.standing.unlinked.loans
    return names or ["a card that is not linked"]


def _owning(household: Assessment) -> list[str]:
    """The cash and investments of unknown size by name, those that are not linked among them."""
    names = _without_balance(household, "cash", "investment")
    return [*names, *household.standing.unlinked.assets]


def benefit_ends(household: Assessment) -> str:
    """What is assumed of a benefit that may end, as a sentence after a blank."""
    benefit = household.living.benefit
    if not benefit.monthly:
        return ""
    monthly, weeks = household.money(benefit.monthly), int(benefit.months * 365 / 84)
    ends = f"in {count(weeks, 'week')}" if weeks else "now"
    return f" That assumes that the benefit of {monthly} a month ends {ends}."


def living_on_savings(household: Assessment) -> Iterator[str]:
    """Income does not carry what is spent: how much is drawn, and how long that lasts."""
    living = household.living
    if not living.applies or living.shortfall <= 0:
        return
    short = household.money(living.shortfall)
    unseen = any(found.missing == "income" for found in household.missing)
    if unseen:
        yield f"{short} a month of spending is not covered by the income that is seen here."
    elif living.regular_draws:
        yield (
            f"You live on savings: income leaves {short} a month to draw, and an investment that is not"
            " linked pays regularly, so how long it lasts cannot be told."
        )
    elif living.drawable and living.months_told is not None:
        grows = living.months_told >= _YEARS_FROM
        assuming = " at today's prices and without growth" if grows else ""
        yield (
            f"You live on savings: at the targets, {household.money(-living.savings)} a month is drawn"
            f" beyond income, and the {household.money(living.drawable)} that can be drawn on lasts"
            f" {lasting(living.months_told)}{assuming}.{benefit_ends(household)}"
        )
    else:
        savings = (
            "there are no savings to draw on"
            if cash_is_known(household.ledger)
            else "what savings there are to draw on is not known"
        )
        yield f"{short} a month more goes out than is expected to come in, and {savings}."


def drawing_down(household: Assessment) -> Iterator[str]:
    """More was taken out of savings and investments than put in."""
    if household.means.saved < 0:
        yield (
            f"{household.money(-household.means.saved)} a month more was taken out of savings and"
            " investments than was put in."
        )


Noting = Callable[[Assessment], Iterator[str]]

NOTES: Sequence[Noting] = (
    notes_data.no_transactions,
    notes_data.part_of_a_month,
    notes_data.missing_statements,
    notes_data.contradicted_balances,
    uncertain_balances,
    living_on_savings,
    drawing_down,
    notes_data.short_window,
    notes_data.limited_window,
    notes_data.data_end,
    notes_data.silent_accounts,
    notes_data.no_balance,
    notes_data.other_currency,
    notes_data.hidden,
    notes_data.duplicates,
    notes_data.pending,
    notes_data.uncategorised,
    notes_data.unknown_inflows,
    notes_data.no_income,
    notes_data.unlinked_cards,
    notes_data.unlinked_savings,
    notes_money.loan_payments,
    notes_money.mortgage_without_home,
    notes_money.rates_unknown,
    notes_money.minimums_estimated,
    notes_money.card_use_assumed,
    notes_money.target_assumed,
    notes_money.no_essentials,
    notes_money.set_aside_elsewhere,
    notes_money.planned_income,
    notes_money.one_off_income,
    notes_money.stopped_source,
    notes_money.extra_payday,
    notes_money.before_tax,
    notes_money.essentials_above_guide,
    notes_money.contributions_from_pay,
    notes_money.long_outstanding,
    notes_money.target_after_cards,
)
"""Every note in the order in which a plan gives them."""


def notes(household: Assessment) -> tuple[str, ...]:
    """The notes that are true of a household."""
    return tuple(sentence for noting in NOTES for sentence in noting(household))
