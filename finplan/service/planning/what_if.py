"""What if: changes that a person tries, found among their accounts and series, and not stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model import figures, what_if as model
from finplan.model.errors import BadRequest
from finplan.plan import what_if
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import PlannedMoney
from finplan.plan.live.schedule import cash_accounts
from finplan.plan.what_if import Tried
from finplan.service.context import Asker, Context
from finplan.service.derived.books import Household, household_of
from finplan.service.ledger.categorisation import compute_inferred
from finplan.service.lookup import near
from finplan.service.planning.plans import must_have_plan
from finplan.service.verdicts.recurring import series_by_id


class _Outcome(NamedTuple):
    """A household with a change made, and what is to be said of it."""

    tried: Tried
    notes: tuple[str, ...] = ()


async def try_changes(context: Context, ask: model.WhatIfRequest) -> model.WhatIf:
    """The plan before and after some changes; stores nothing.

    Raises NoConnections, and BadRequest for a change that names nothing there is or lacks an amount.
    """
    await must_have_plan(context)
    return await compute_inferred(context, partial(_try, asker=context.asker, ask=ask))


def _try(connection: Connection, asker: Asker, ask: model.WhatIfRequest) -> model.WhatIf:
    household = household_of(connection, asker)
    ledger, books, today = household
    before = what_if.figures_of(ledger, books, today, ask.days)
    tried, notes = Tried(ledger, books), list[str]()
    for index, change in enumerate(ask.changes):
        outcome = _WAYS[change.kind](_Trial(household, tried, change, index))
        tried, notes = outcome.tried, [*notes, *outcome.notes]
    after = what_if.figures_of(*tried, today, ask.days) if ask.changes else before
    return model.WhatIf(today=today, before=before, after=after, notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class _Trial:
    """A change that is to be made to a household in which others were made before."""

    household: Household
    tried: Tried
    change: model.WhatIfChange
    index: int

    @property
    def today(self) -> date:
        """The day on which changes are tried."""
        return self.household.today

    @property
    def amount(self) -> int:
        """The amount. Raises BadRequest without one."""
        if self.change.amount is None:
            raise BadRequest(f"The change {self.change.kind!r} needs an amount.")
        return self.change.amount

    @property
    def since(self) -> date:
        """The first day. Raises BadRequest for one that is over."""
        since = self.change.since or self.today
        if since < self.today:
            raise BadRequest(f"{since} is in the past. Give today or a later date.")
        return since

    def money(self, name: str, **details: object) -> PlannedMoney:
        """Planned money of this change."""
        fields: dict[str, object] = {
            "id": f"what_if_{self.index}",
            "name": self.change.name or name,
            "amount": self.change.amount or 0,
            "incoming": False,
            "first": self.since,
            "in_month": False,
            "cadence": None,
            "until": self.change.until,
            "account": None,
            "category": None,
            "planned_on": self.today,
        }
        return PlannedMoney(**{**fields, **details})  # type: ignore[arg-type]

    def find_source(self) -> Series:
        """The income source that the change names. Raises BadRequest for none."""
        return self._find_series(what_if.active_sources(self.tried.books), "income source")

    def find_charge(self) -> Series:
        """The recurring charge that the change names. Raises BadRequest for none."""
        return self._find_series(what_if.active_charges(self.tried.books), "recurring charge")

    def find_account(self) -> int:
        """The number of the account that the change names. Raises BadRequest for none."""
        accounts = self.tried.ledger.accounts
        numbers = {account.id: number for number, account in accounts.items()}
        names = {number: account.name for number, account in accounts.items()}
        target = self._target("account")
        if target in numbers:
            return numbers[target]
        return _pick(target, names, "account", "finplan accounts")

    def _find_series(self, series: Sequence[Series], what: str) -> Series:
        target = self._target(what)
        by_id = series_by_id(self.household).get(target)
        for candidate in series:
            if by_id is not None and _is_same(candidate, by_id):
                return candidate
        names = {index: candidate.title for index, candidate in enumerate(series)}
        return series[_pick(target, names, what, "finplan recurring")]

    def _target(self, what: str) -> str:
        if self.change.target is None:
            raise BadRequest(f"The change {self.change.kind!r} needs the {what} that it is about.")
        return self.change.target


def _is_same(series: Series, other: Series) -> bool:
    return (series.payees, series.last_date, series.account) == (
        other.payees,
        other.last_date,
        other.account,
    )


def _pick(target: str, names: Mapping[int, str], what: str, listing: str) -> int:
    """Which of some names is meant: the whole name, else the only one that contains the text."""
    typed = target.casefold()
    exact = [key for key, name in names.items() if name.casefold() == typed]
    partly = [key for key, name in names.items() if typed in name.casefold()]
    for matches in (exact, partly):
        if len(matches) == 1:
            return matches[0]
    if partly:
        several = ", ".join(names[key] for key in partly[:5])
        raise BadRequest(f"{target!r} matches several: {several}. Give the whole name or the id.")
    close = near(typed, [name.casefold() for name in names.values()])
    meant = [name for name in names.values() if name.casefold() in close]
    hint = f" Did you mean {' or '.join(meant[:3])}?" if meant else ""
    raise BadRequest(f"Unknown {what} {target!r}.{hint} `{listing}` lists them.")


def _one_time(trial: _Trial) -> _Outcome:
    money = trial.money("One-time payment", amount=trial.amount)
    return _Outcome(what_if.with_planned(trial.tried, money, trial.today))


def _spending(trial: _Trial) -> _Outcome:
    if trial.change.target is not None:
        return _Outcome(what_if.with_charge(trial.tried, trial.find_charge(), trial.amount))
    money = trial.money(
        "Monthly payment", amount=trial.amount, cadence=trial.change.every or "monthly"
    )
    return _Outcome(
        what_if.with_planned(trial.tried, money, trial.today), tuple(_later(trial, money))
    )


def _later(trial: _Trial, money: PlannedMoney) -> Iterable[str]:
    """That a payment which begins later is in no monthly figure yet."""
    if money.first > what_if.month_later(trial.today):
        yield (
            f"{money.name} begins on {figures.long_date(money.first)}. Until a month before, only"
            " the forecast includes it."
        )


def _income(trial: _Trial) -> _Outcome:
    cadence = trial.change.every or "monthly"
    money = trial.money("Income", amount=trial.amount, cadence=cadence, incoming=True)
    tried = what_if.with_planned(trial.tried, money, trial.today)
    if money.first > trial.today:
        begins = figures.long_date(money.first)
        return _Outcome(
            tried,
            (f"{money.name} begins on {begins}. Until then, only the forecast includes it.",),
        )
    return _Outcome(what_if.with_income(tried, trial.amount, cadence, money.name, trial.today))


def _lose_income(trial: _Trial) -> _Outcome:
    return _Outcome(what_if.without_source(trial.tried, trial.find_source()))


def _cancel(trial: _Trial) -> _Outcome:
    return _Outcome(what_if.with_charge(trial.tried, trial.find_charge(), None))


def _balance(trial: _Trial) -> _Outcome:
    return _Outcome(what_if.with_balance(trial.tried, trial.find_account(), trial.amount))


def _lump_sum(trial: _Trial) -> _Outcome:
    """Pay a debt from the cash account that holds the most."""
    number, accounts = trial.find_account(), trial.tried.ledger.accounts
    debt = accounts[number]
    if debt.kind not in {"credit", "loan"} or debt.balance is None:
        raise BadRequest(f"{debt.name} is not a card or a loan with a known debt.")
    cash = {
        account: accounts[account].balance or 0 for account in cash_accounts(trial.tried.ledger)
    }
    source = max(cash, key=lambda account: (cash[account], -account), default=None)
    if source is None:
        raise BadRequest("You have no cash account to pay from. Add one, or import its statements.")
    paid = min(trial.amount, max(0, debt.balance))
    tried = what_if.with_balance(trial.tried, number, debt.balance - paid)
    tried = what_if.with_balance(tried, source, cash[source] - paid)
    return _Outcome(tried, (f"{debt.name} is paid from {accounts[source].name}.",))


def _loan(trial: _Trial) -> _Outcome:
    change = trial.change
    if change.apr is None or change.months is None:
        raise BadRequest("A loan needs its yearly rate and its months.")
    terms = what_if.loan_terms(trial.amount, change.apr, change.months)
    money = trial.money(
        "Loan",
        amount=terms.payment,
        first=what_if.month_later(trial.since),
        until=what_if.month_later(trial.since, terms.months),
        cadence="monthly",
    )
    currency = trial.household.ledger.settings.currency
    payment, interest = (
        figures.money(amount, currency) for amount in (terms.payment, terms.interest)
    )
    note = (
        f"{money.name} costs {payment} a month for {figures.count(terms.months, 'month')}:"
        f" {interest} of interest in total."
    )
    tried = what_if.with_planned(trial.tried, money, trial.today)
    return _Outcome(tried, (note, *_later(trial, money)))


_WAYS: Mapping[model.WhatIfKind, Callable[[_Trial], _Outcome]] = {
    "one_time": _one_time,
    "spending": _spending,
    "income": _income,
    "lose_income": _lose_income,
    "cancel": _cancel,
    "balance": _balance,
    "lump_sum": _lump_sum,
    "loan": _loan,
}
