"""Which rows of a table a running balance follows, and which way it shows that each of them goes."""

from dataclasses import dataclass, field
from typing import NamedTuple

from finplan.statements.csv.filter import KeptRows
from finplan.statements.statement import StatementAccount
from finplan.statements.table.amounts import signs_of_steps
from finplan.statements.table.signs import MoneyColumns


class Unshown(NamedTuple):
    """A row whose way neither words tell nor the balance that shows the others'.

    `size` is its amount without a sign, `balance` the one beside the account's oldest row as that of
    what is there, None beside others and where it has none; both are in minor units.
    """

    account: StatementAccount
    row: list[str]
    day: int
    size: int
    balance: int | None


@dataclass(slots=True)
class Steps:
    """What the steps of a balance show of each row, where amounts have no sign.

    `unshown` are the rows of which they show nothing; `risen` and `fallen` are the first row that
    raised what is there and the first that lowered it, `rises` says that no fewer rows raised it.
    Where what raises it may as well be spent, and owed, `is_owed` says how it is read, else it is None.
    """

    unshown: list[Unshown] = field(default_factory=list)
    risen: list[str] | None = None
    fallen: list[str] | None = None
    rises: bool = True
    is_owed: bool | None = None


def places_with_balance(
    kept: KeptRows, balance: int | None, *, is_booked: bool = True
) -> list[int]:
    """Leave out rows that no balance can prove: blank ones, and pending ones if `is_booked`."""
    return [
        place
        for place, row in enumerate(kept.cells.rows)
        if not (is_booked and kept.pending and kept.pending[place])
        and (balance is None or row[balance].strip())
    ]


def signs_by_balance(
    kept: KeptRows, money: MoneyColumns, balance: int | None, currency: str, direction: int
) -> list[int]:
    """Say of each row of an account which way its balance shows it to go: 1 in, -1 out, 0 unshown.

    `direction` is 1 where later rows stand below. A step over a booked row without a balance is by both
    rows, and shows of neither which way it goes.
    """
    places = places_with_balance(kept, balance)
    signs = [0] * len(kept.days)
    if places:
        printed = money.printed(kept.only(places).cells, currency, with_balances=True)
        steps = signs_of_steps(printed.amounts, printed.balances, direction)
        before = [None, *places[:-1]] if direction > 0 else [*places[1:], None]
        for place, earlier, sign in zip(places, before, steps, strict=True):
            if earlier is not None and not _has_booked_between(kept, *sorted((earlier, place))):
                signs[place] = sign
    return signs


def _has_booked_between(kept: KeptRows, first: int, last: int) -> bool:
    between = range(first + 1, last)
    return any(not (kept.pending and kept.pending[place]) for place in between)
