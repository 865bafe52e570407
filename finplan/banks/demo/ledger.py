"""The bank's own books of a demo household: rows, balances, and card charges not posted yet."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from finplan.banks.base import BankTransaction
from finplan.banks.demo.charge import DemoCharge

_LONGEST_HOLD = 5


class UnpostedCharge(NamedTuple):
    """A card charge that is not posted yet, under the id that its posted row will have."""

    external_id: str
    charge: DemoCharge

    @property
    def pending_id(self) -> str:
        """The id of the row that shows it while it is pending."""
        return f"{self.external_id}-pending"


def day_number(day: date) -> int:
    """A day as YYYYMMDD."""
    return day.year * 10_000 + day.month * 100 + day.day


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

    def post_held(self, day: date, keep: int) -> None:
        """Post the oldest held charges until `keep` are left, and any that was held for long."""
        while self.held:
            made = self.held[0].charge.day
            if len(self.held) <= keep and (day - made).days < _LONGEST_HOLD:
                return
            held = self.held.pop(0)
            if made < day:
                self.shown[held.pending_id] = day_number(made)
            self._book(day, held)

    def _next_id(self, charge: DemoCharge) -> str:
        place = (charge.account, charge.day)
        self._rows_of[place] += 1
        return (
            f"{self.external_account(charge.account)}"
            f"-{day_number(charge.day)}-{self._rows_of[place]}"
        )

    def _book(self, day: date, held: UnpostedCharge) -> None:
        charge = held.charge
        self.owned[charge.account] += charge.amount
        self.rows.append(
            BankTransaction(
                account=self.external_account(charge.account),
                external_id=held.external_id,
                day=day_number(day),
                amount=charge.amount,
                raw=charge.raw,
                replaces=held.pending_id if charge.day < day else None,
            )
        )

    def pending_rows(self) -> Iterator[BankTransaction]:
        """What is held, as rows; a tip is not yet in the amount."""
        for held in self.held:
            charge = held.charge
            yield BankTransaction(
                account=self.external_account(charge.account),
                external_id=held.pending_id,
                day=day_number(charge.day),
                amount=charge.amount if charge.held is None else charge.held,
                raw=charge.raw,
                pending=True,
            )
