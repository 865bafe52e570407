"""A demo household's life, day by day: what follows from the balances of the days before.

Charges that happen of their own accord come from pay, bills, errands and journeys; here the cards
are paid, loans fall, savings earn, and money is moved between the accounts. The bank's own books
of it are the ledger: rows, balances, and card charges not posted yet.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from finplan.banks.answer import day_number
from finplan.banks.base import BankTransaction
from finplan.banks.demo import household
from finplan.banks.demo.bills import bills, pay
from finplan.banks.demo.errands import journeys, shopping
from finplan.banks.demo.household import (
    AUTO,
    BROKERAGE,
    CHECKING,
    MORTGAGE,
    PLATINUM,
    REWARDS,
    SAVINGS,
    DemoCharge,
    DemoHousehold,
    Dice,
)
from finplan.model.money import half_even

_LONGEST_HOLD = 5


class UnpostedCharge(NamedTuple):
    """A card charge that is not posted yet, under the id that its posted row will have."""

    external_id: str
    charge: DemoCharge

    @property
    def pending_id(self) -> str:
        """The id of the row that shows it while it is pending."""
        return f"{self.external_id}-pending"


class DemoLedger:
    """Posts rows day by day; `owned` is what each account is worth, below zero when it owes.

    `shown` says of each pending row that was replaced on which day, YYYYMMDD, it was first shown.
    An id follows from the account, the day and the row's place in that day, so that it is the same
    in every later history.
    """

    def __init__(self, tag: str, owned: dict[str, int]) -> None:
        self.owned = dict(owned)
        self.rows: list[BankTransaction] = []
        self.held: list[UnpostedCharge] = []
        self.shown: dict[str, int] = {}
        self._tag = tag
        self._rows_of: Counter[tuple[str, date]] = Counter()

    def external_account(self, account: str) -> str:
        """The id under which an account is known outside."""
        return f"{self._tag}-{account}"

    def post(self, day: date, account: str, amount: int, raw: str) -> None:
        """Book a row at once."""
        charge = DemoCharge(day, account, amount, raw)
        self._book(day, UnpostedCharge(self._next_id(charge), charge))

    def hold(self, charge: DemoCharge) -> None:
        """Take a card charge that will be posted later."""
        self.held.append(UnpostedCharge(self._next_id(charge), charge))

    def post_pending(self, day: date, keep: int) -> None:
        """Post the oldest held charges until `keep` are left, and any that was held for long."""
        while self.held:
            charged_on = self.held[0].charge.day
            if len(self.held) <= keep and (day - charged_on).days < _LONGEST_HOLD:
                return
            unposted = self.held.pop(0)
            if charged_on < day:
                self.shown[unposted.pending_id] = day_number(charged_on)
            self._book(day, unposted)

    def _next_id(self, charge: DemoCharge) -> str:
        key = (charge.account, charge.day)
        self._rows_of[key] += 1
        return (
            f"{self.external_account(charge.account)}-{day_number(charge.day)}-{self._rows_of[key]}"
        )

    def _book(self, day: date, unposted: UnpostedCharge) -> None:
        charge = unposted.charge
        self.owned[charge.account] += charge.amount
        self.rows.append(
            BankTransaction(
                account=self.external_account(charge.account),
                external_id=unposted.external_id,
                day=day_number(day),
                amount=charge.amount,
                raw=charge.raw,
                replaces=unposted.pending_id if charge.day < day else None,
            )
        )

    def pending_rows(self) -> Iterator[BankTransaction]:
        """What is held, as rows; a tip is not yet in the amount."""
        for unposted in self.held:
            charge = unposted.charge
            yield BankTransaction(
                account=self.external_account(charge.account),
                external_id=unposted.pending_id,
                day=day_number(charge.day),
                amount=charge.amount if charge.hold is None else charge.hold,
                raw=charge.raw,
                pending=True,
            )


_CYCLE = timedelta(days=25)
"""How long before its due day a card's statement closes."""

_YEARLY = 10_000 * 365
"""Divides a sum of daily balances times a rate in hundredths of a percent."""


def opening_balances(home: DemoHousehold) -> dict[str, int]:
    """What each account is worth when the history starts, below zero when it owes."""
    return {
        CHECKING: home.checking,
        SAVINGS: home.savings,
        REWARDS: -home.rewards.owed,
        PLATINUM: -home.platinum.owed,
        MORTGAGE: -home.mortgage.owed,
        AUTO: -home.auto.owed,
        BROKERAGE: home.brokerage,
    }


def live(home: DemoHousehold, through: date) -> DemoLedger:
    """The books of a household after a day; what a day holds never depends on how far one looks."""
    life = _Life(home)
    charges = _charges(home, through)
    orders = _orders(life, through)
    day = home.start
    while day <= through:
        life.pass_day(day, charges.get(day, []), orders.get(day, []))
        day += household.ONE_DAY
    return life.ledger


def _charges(home: DemoHousehold, through: date) -> dict[date, list[DemoCharge]]:
    travel, is_away = journeys(home, through)
    by_day: dict[date, list[DemoCharge]] = defaultdict(list)
    for source in (
        pay(home, through),
        bills(home, through),
        travel,
        shopping(home, through, is_away),
    ):
        for charge in source:
            by_day[charge.day].append(charge)
    return by_day


def _orders(life: "_Life", through: date) -> dict[date, list[Callable[[date], None]]]:
    """What the family has ordered once and for all, by the day on which it is done."""
    by_day: dict[date, list[Callable[[date], None]]] = defaultdict(list)
    for day, order in _monthly_orders(life, through):
        by_day[day].append(order)
    return by_day


def _monthly_orders(life: "_Life", through: date) -> Iterator[tuple[date, Callable[[date], None]]]:
    home = life.home
    # The statement that closes this month may be due in the next.
    for _, month in household.months(home.start, household.month_of(through, 1)):
        for number, order in (
            (home.mortgage.pay_day, partial(life.pay_loan, MORTGAGE)),
            (home.to_savings_day, life.save),
            (home.auto.pay_day, partial(life.pay_loan, AUTO)),
            (home.rewards.due_day, life.pay_rewards),
            (home.platinum.due_day, life.pay_platinum),
            (home.to_brokerage_day, life.invest),
            (27, life.invest_the_rest),
        ):
            yield household.workday_from(month.replace(day=number)), order
        yield month.replace(day=home.rewards.due_day) - _CYCLE, life.close_rewards
        yield month.replace(day=home.platinum.due_day) - _CYCLE, life.close_platinum
        yield household.month_end(month), life.earn_interest
        if month.month % 3 == 0:
            yield household.workday_from(month.replace(day=21)), life.earn_dividend


class _Life:
    """The state of a household between two days: its books and what they do not show."""

    def __init__(self, home: DemoHousehold) -> None:
        self.home = home
        self.ledger = DemoLedger(home.tag, opening_balances(home))
        self._statement = home.rewards.owed
        self._platinum_days = home.platinum.owed * 25
        self._savings_days = 0
        self._dice = Dice(home.seed, "numbers")
        self._arriving: dict[date, list[DemoCharge]] = defaultdict(list)

    def pass_day(
        self, day: date, charges: list[DemoCharge], orders: list[Callable[[date], None]]
    ) -> None:
        """Live through one day: charges, what arrives, orders, the cards, and the market."""
        dice = Dice(self.home.seed, "day", day)
        for charge in charges + self._arriving.pop(day, []):
            if charge.account in household.CARDS:
                self.ledger.hold(charge)
            else:
                self.ledger.post(*charge[:4])
        self.ledger.post_pending(day, keep=dice.number(2, 5))
        for order in orders:
            order(day)
        self._keep_checking_afloat(day)
        self._savings_days += self.ledger.owned[SAVINGS]
        self._platinum_days += max(0, -self.ledger.owned[PLATINUM])
        if household.is_workday(day):
            permillion = 340 + sum(dice.number(-5_500, 5_500) for _ in range(3))
            worth = self.ledger.owned[BROKERAGE] * (1_000_000 + permillion)
            self.ledger.owned[BROKERAGE] = half_even(worth, 1_000_000)

    def close_rewards(self, _: date) -> None:
        """Take the statement balance that autopay will pay."""
        self._statement = max(0, -self.ledger.owned[REWARDS])

    def close_platinum(self, day: date) -> None:
        """Charge interest on the average daily balance."""
        interest = half_even(self._platinum_days * self.home.platinum.apr, _YEARLY)
        self._platinum_days = 0
        if interest:
            self.ledger.post(day, PLATINUM, -interest, "INTEREST CHARGE ON PURCHASES")

    def pay_rewards(self, day: date) -> None:
        """Pay the statement balance in full."""
        amount = min(self._statement, -self.ledger.owned[REWARDS])
        if amount > 0:
            raw = f"LARKMOOR CARD AUTOPAY {day:%y%m%d} XXXX{self.home.masks[REWARDS]}"
            self.ledger.post(day, CHECKING, -amount, raw)
            self.ledger.post(day, REWARDS, amount, "AUTOMATIC PAYMENT - THANK YOU")

    def pay_platinum(self, day: date) -> None:
        """Pay the same modest sum as every month."""
        amount = min(self.home.platinum_payment, -self.ledger.owned[PLATINUM])
        if amount > 0:
            raw = f"Payment to Larkmoor card ending in {self.home.masks[PLATINUM]} {day:%m/%d}"
            self.ledger.post(day, CHECKING, -amount, raw)
            self.ledger.post(day, PLATINUM, amount, "Payment Thank You-Mobile")

    def pay_loan(self, account: str, day: date) -> None:
        """Pay a loan, and book interest and escrow on the loan itself: the rest is principal."""
        loan = self.home.loan(account)
        owed = -self.ledger.owned[account]
        if owed <= 0:
            return
        interest = half_even(owed * loan.apr, 120_000)
        amount = min(loan.installment, owed + interest) + loan.escrow
        self.ledger.post(day, CHECKING, -amount, loan.name)
        self.ledger.post(day, account, amount, "PAYMENT RECEIVED - THANK YOU")
        self.ledger.post(day, account, -interest, "INTEREST PORTION OF PAYMENT")
        if loan.escrow:
            self.ledger.post(day, account, -loan.escrow, "ESCROW DEPOSIT")

    def save(self, day: date) -> None:
        """Move the monthly sum to savings."""
        self._between_own(day, CHECKING, SAVINGS, self.home.to_savings)

    def invest(self, day: date) -> None:
        """Move the monthly sum to the brokerage."""
        self._to_brokerage(day, self.home.to_brokerage)

    def invest_the_rest(self, day: date) -> None:
        """Invest what has piled up on checking beyond the card's bill and a cushion."""
        spent = -self.ledger.owned[REWARDS]
        spare = self.ledger.owned[CHECKING] - spent - self.home.scaled(240_000)
        if spare >= self.home.scaled(40_000):
            self._to_brokerage(day, spare // 10_000 * 10_000)

    def _to_brokerage(self, day: date, amount: int) -> None:
        number = self._dice.fill("~~~~~~~~", "~")
        self.ledger.post(day, CHECKING, -amount, f"LARKMOOR BROKERAGE ONLINE XFER REF {number}")
        arrival = household.workday_from(day + household.ONE_DAY)
        self._arriving[arrival].append(
            DemoCharge(arrival, BROKERAGE, amount, "ELECTRONIC FUNDS TRANSFER RECEIVED")
        )

    def earn_interest(self, day: date) -> None:
        """Credit the savings' interest for the month, on the average daily balance."""
        interest = half_even(self._savings_days * self.home.savings_rate, _YEARLY)
        self._savings_days = 0
        if interest > 0:
            self.ledger.post(day, SAVINGS, interest, "INTEREST PAYMENT")

    def earn_dividend(self, day: date) -> None:
        """Credit a quarter's dividend, 0.35 % of the holding."""
        amount = half_even(self.ledger.owned[BROKERAGE] * 35, 10_000)
        self.ledger.post(day, BROKERAGE, amount, "DIVIDEND RECEIVED TOTAL MARKET INDEX")

    def _keep_checking_afloat(self, day: date) -> None:
        """Draw on savings when checking runs low, in whole hundreds."""
        if self.ledger.owned[CHECKING] >= self.home.scaled(30_000):
            return
        shortfall = self.home.scaled(90_000) - self.ledger.owned[CHECKING]
        amount = min(shortfall, self.ledger.owned[SAVINGS] // 2) // 10_000 * 10_000
        if amount > 0:
            self._between_own(day, SAVINGS, CHECKING, amount)

    def _between_own(self, day: date, source: str, target: str, amount: int) -> None:
        """Move money between checking and savings, as the bank's site names it on both sides."""
        short = {CHECKING: "CHK", SAVINGS: "SAV"}
        number = self._dice.fill("2~~~~~~~~~~", "~")
        labels = {
            account: f"{short[account]} ...{self.home.masks[account]} transaction#: {number}"
            for account in short
        }
        out = f"Online Transfer to {labels[target]} {day:%m/%d}"
        self.ledger.post(day, source, -amount, out)
        self.ledger.post(day, target, amount, f"Online Transfer from {labels[source]} {day:%m/%d}")
