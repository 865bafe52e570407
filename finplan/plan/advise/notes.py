"""What the person should know to trust the figures: one sentence each, only when true."""

from collections.abc import Callable, Iterator, Sequence

from finplan.plan.advise import notes_data, notes_money, notes_standing
from finplan.plan.advise.assessment import Assessment

Noting = Callable[[Assessment], Iterator[str]]

NOTES: Sequence[Noting] = (
    notes_data.no_transactions,
    notes_data.part_of_a_month,
    notes_data.missing_statements,
    notes_data.contradicted_balances,
    notes_standing.uncertain_balances,
    notes_standing.living_on_savings,
    notes_standing.drawing_down,
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
