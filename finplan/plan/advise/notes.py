"""What the person should know to trust the figures: one sentence each, only when true.

How firm the figures are, and what holds for households whose income does not carry them, is said
here; what is about data and about money is in `notes_data` and `notes_money`.
"""

from collections.abc import Callable, Iterator, Sequence
from shlex import quote

from finplan.model.plan import Role
from finplan.plan.advise import notes_data, notes_money
from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.sections.missing_accounts import unlinked_cards
from finplan.plan.sections.wealth import knows_cash
from finplan.plan.words import count, lasting, listed, way_to_add
from finplan.views.plan_text import cash_is_unknown

_YEARS_FROM = 25
"""So many months are told in years, over which prices and savings grow."""


def uncertain_balances(household: Assessment) -> Iterator[str]:
    """A missing balance makes figures better or worse than they are."""
    standing = household.standing
    owing, owning = _owing(household), _owning(household)
    if standing.worth == "at most":
        figures = "Net worth is"
        if standing.cards_unknown:
            figures = "Net worth, cash after cards and the months your reserve lasts are"
        text = (
            f"{figures} at most the amount shown, and debts are at least the amount shown:"
            f" {_missing(owing)}."
        )
        yield text + _way_to_tell(household, "debt")
    elif standing.worth == "at least":
        worth = "Net worth is at least the amount shown"
        if cash_is_unknown(household.snapshot.accounts):
            worth = "Net worth and safe to spend are unknown"
        way = _way_to_tell(household, "cash", "investment")
        yield f"{worth}: {_missing(owning)}.{way}"
    elif standing.worth == "unknown":
        way = _way_to_tell(household, "debt", "cash", "investment")
        yield f"Net worth is unknown: {_missing([*owing, *owning])}.{way}"


def uncounted_balances(household: Assessment) -> Iterator[str]:
    """A balance is missing of an account that counts in no figure."""
    if names := _without_balance(household, "none"):
        text = _missing(names)
        yield f"{text[:1].upper()}{text[1:]}.{_way_to_set(names)}"


def _way_to_tell(household: Assessment, *roles: Role) -> str:
    """How to give the first of the missing balances of some roles, as a sentence after a blank.

    Empty where none is an account's, nor of a loan or savings that are not linked.
    """
    unlinked = household.standing.unlinked
    names = _without_balance(household, *roles)
    if names:
        return _way_to_set(names)
    if "debt" in roles and unlinked.loans:
        return way_to_add(unlinked.loans[0], "loan")
    if "investment" in roles and unlinked.assets:
        return way_to_add(unlinked.assets[0], "investment")
    return ""


def _way_to_set(names: Sequence[str]) -> str:
    """How to set the first of some missing balances, as a sentence after a blank; empty for none."""
    if not names:
        return ""
    return f" To set it: `finplan accounts set {quote(names[0])} --balance AMOUNT`."


def _missing(names: Sequence[str]) -> str:
    """Whose balance is missing, as the end of a sentence."""
    balance, is_missing = ("balance", "is") if len(names) == 1 else ("balances", "are")
    return f"the {balance} of {listed(names)} {is_missing} missing"


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
    names += [card.account for card in cards if card.account and not card.mistaken]
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
    return f" This assumes that your benefit of {monthly} a month ends {ends}."


def living_on_savings(household: Assessment) -> Iterator[str]:
    """Income does not carry what is spent: how much is drawn, and how long that lasts."""
    living = household.living
    if not living.applies or living.shortfall <= 0:
        return
    short = household.money(living.shortfall)
    unseen = any(finding.missing == "income" for finding in household.missing)
    if unseen:
        yield f"The income in your linked accounts does not cover {short} a month of your spending."
    elif living.regular_draws:
        yield (
            f"You live on savings and draw {short} a month beyond income. An investment that is not"
            " linked pays you regularly, so finplan cannot tell how long your savings last."
        )
    elif living.drawable and living.months_by_targets is not None:
        grows = living.months_by_targets >= _YEARS_FROM
        assuming = " at today's prices and without growth" if grows else ""
        yield (
            f"You live on savings: at your targets, you draw {household.money(-living.savings)} a month"
            f" beyond income. Your savings of {household.money(living.drawable)} last"
            f" {lasting(living.months_by_targets)}{assuming}.{benefit_ends(household)}"
        )
    else:
        savings = (
            "you have no savings to draw on"
            if knows_cash(household.ledger)
            else "your savings are unknown"
        )
        yield f"You spend {short} a month more than your expected income, and {savings}."


def drawing_down(household: Assessment) -> Iterator[str]:
    """More was taken out of savings and investments than put in."""
    if household.means.saved < 0:
        yield (
            f"You took {household.money(-household.means.saved)} a month more out of savings and"
            " investments than you put in."
        )


Noting = Callable[[Assessment], Iterator[str]]

NOTES: Sequence[Noting] = (
    notes_data.no_transactions,
    notes_data.part_of_a_month,
    notes_data.missing_statements,
    notes_data.contradicted_balances,
    uncertain_balances,
    uncounted_balances,
    living_on_savings,
    drawing_down,
    notes_data.short_window,
    notes_data.limited_window,
    notes_data.data_end,
    notes_data.silent_accounts,
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
    notes_money.planned_payments,
    notes_money.overdue_planned,
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
