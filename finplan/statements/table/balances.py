"""What a table's running balance shows: which way its rows go, its decimal sign, and what it lacks.

It tells which rows it follows, and which way each of them goes; by a table's first rows which way its
money goes, with its holds where the balance counts them; which sign is decimal where each separator has
three digits behind it; and whether it follows from the amounts at last, and where it does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter, neg, sub
from typing import NamedTuple

from finplan.statements.statement import StatementAccount
from finplan.statements.table.accounts import AccountColumns, by_account, is_called_card
from finplan.statements.table.amounts import explained_sizes, signs_of_steps
from finplan.statements.table.columns import Columns
from finplan.statements.table.dates import DateReading
from finplan.statements.table.evidence import TableEvidence
from finplan.statements.table.filter import KeptRows, TransactionFilter
from finplan.statements.table.marks import spoken
from finplan.statements.table.signs import MoneyColumns, Orientation, Printed, orient, told_by_minus
from finplan.statements.table.table import Cells, Table


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
    kept_rows: KeptRows, balance: int | None, *, is_booked: bool = True
) -> list[int]:
    """Leave out rows that no balance can prove: blank ones, and pending ones if `is_booked`."""
    return [
        index
        for index, row in enumerate(kept_rows.cells.rows)
        if not (is_booked and kept_rows.pending and kept_rows.pending[index])
        and (balance is None or row[balance].strip())
    ]


def signs_by_balance(
    kept_rows: KeptRows, money: MoneyColumns, balance: int | None, currency: str, direction: int
) -> list[int]:
    """Say of each row of an account which way its balance shows it to go: 1 in, -1 out, 0 unshown.

    `direction` is 1 where later rows stand below. A step over a booked row without a balance is by both
    rows, and shows of neither which way it goes.
    """
    places = places_with_balance(kept_rows, balance)
    signs = [0] * len(kept_rows.days)
    if places:
        printed = money.printed(kept_rows.only(places).cells, currency, with_balances=True)
        steps = signs_of_steps(printed.amounts, printed.balances, direction)
        before = [None, *places[:-1]] if direction > 0 else [*places[1:], None]
        for index, earlier, sign in zip(places, before, steps, strict=True):
            if earlier is not None and not _has_booked_between(
                kept_rows, *sorted((earlier, index))
            ):
                signs[index] = sign
    return signs


def _has_booked_between(kept_rows: KeptRows, first: int, last: int) -> bool:
    between = range(first + 1, last)
    return any(not (kept_rows.pending and kept_rows.pending[index]) for index in between)


def find_orientation(
    kept_rows: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    is_owed: bool,
    tells_sign: bool,
) -> Orientation:
    """Find how amounts follow from what is printed, and whether the balance counts what is held.

    `is_owed` says that the header calls the balance a debt, `tells_sign` that the column of amounts
    itself tells which way they go.
    """
    options = {"is_owed": is_owed, "tells_sign": tells_sign}
    orientation = _orient_first_rows(kept_rows, columns, money, accounts, **options)
    if kept_rows.holds and not orientation.is_proven:
        without = _orient_first_rows(kept_rows.transactions, columns, money, accounts, **options)
        if without.is_proven or not orientation.direction:
            return replace(without, counts_holds=False)
    return orientation


def by_steps(
    orientation: Orientation,
    kept_rows: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    ways: Mapping[tuple[str, ...], int],
) -> tuple[Orientation, Steps]:
    """Say what words make of a balance that alone shows which way rows go, and which rows are unshown.

    Rows whose own words tell their way show by it whether what raises the balance came in, or was spent
    and is owed, unless the steps are too few to be a proof. The rows of which nothing tells the way,
    above all each account's oldest one, are answered, but for those whose `ways` are known.
    """
    convention, votes = orientation.convention, set[int]()
    steps, raised = Steps(), 0
    for account, own in by_account(kept_rows, accounts):
        signs = signs_by_balance(own, money, columns.balance, account.currency, convention.stepped)
        amounts = money.printed(own.cells, account.currency).amounts
        booked = places_with_balance(own, columns.balance)
        oldest = booked[0 if convention.stepped > 0 else -1] if booked else None
        rows = zip(own.cells.rows, own.days, amounts, signs, strict=True)
        for index, (row, day, amount, sign) in enumerate(rows):
            way = spoken(columns, row)
            moved = sign * orientation.balance_sign
            votes.add(moved * way)
            raised += moved
            if moved > 0:
                steps.risen = steps.risen or row
            elif moved < 0:
                steps.fallen = steps.fallen or row
            elif amount and not way and tuple(row) not in ways:
                balance = None
                if index == oldest and columns.balance is not None:
                    balance = money.balance(row[columns.balance], account.currency)
                steps.unshown.append(Unshown(account, row, day, abs(amount), balance))
    votes.discard(0)
    steps.rises = raised >= 0
    if len(votes) == 1 and orientation.is_proven:
        balance_sign = orientation.balance_sign * votes.pop()
        convention = replace(convention, unstepped=-1)
        orientation = replace(orientation, balance_sign=balance_sign, convention=convention)
    if orientation.balance_sign < 0:
        steps.unshown = [
            step if step.balance is None else step._replace(balance=-step.balance)
            for step in steps.unshown
        ]
    steps.is_owed = None if convention.unstepped else False
    is_told = bool(convention.unstepped) and not steps.unshown
    return replace(orientation, is_told=is_told), steps


def _orient_first_rows(
    rows: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    is_owed: bool,
    tells_sign: bool,
) -> Orientation:
    all_rows: list[Printed] = []
    followed: tuple[list[Printed], list[Printed]] = [], []
    types: list[str] = []
    texts: list[str] = []
    for account, kept_rows in by_account(rows, accounts):
        all_rows.append(money.printed(kept_rows.cells, account.currency))
        for groups, is_booked in zip(followed, (True, False), strict=True):
            places = places_with_balance(kept_rows, columns.balance, is_booked=is_booked)
            own = kept_rows.only(places) if places else kept_rows
            groups.append(money.printed(own.cells, account.currency, with_balances=True))
        for index, row in enumerate(kept_rows.cells.rows):
            # A hold's words speak of no payment, and so of no direction.
            is_spoken = not (kept_rows.holds and kept_rows.holds[index])
            types.append(row[columns.type] if is_spoken and columns.type is not None else "")
            texts.append(
                " ".join(row[column] for column in columns.descriptions) if is_spoken else ""
            )
    default = accounts.default
    # Most banks' balances follow booked rows alone; some print one beside rows that wait, too.
    orientations = (
        orient(
            all_rows,
            groups,
            rows.days,
            types,
            texts,
            is_card=default.kind == "credit" or is_called_card(default.name),
            is_owed=is_owed,
            tells_sign=tells_sign,
        )
        for groups in (followed if rows.pending else followed[:1])
    )
    orientation = max(orientations, key=attrgetter("is_told"))
    if not (columns.is_named or orientation.is_proven) and columns.debit is not None:
        return told_by_minus(orientation, all_rows)
    return orientation


_OF_THREE_DECIMALS = "KWD"
"""A currency in which both readings of 1.000 are exact, so that no rounding decides."""


def sign_by_balance(
    table: Table, columns: Columns, dates: DateReading, evidence: TableEvidence
) -> str | None:
    """Say which decimal sign alone makes the balance follow from the amounts, None where both do.

    It tells only where some numbers have a separator and others none: 850 + 12.345 is either 862.345 or
    13.195.
    """
    if columns.balance is None:
        return None
    signs = [sign for sign in ".," if _explains_balances(sign, table, columns, dates, evidence)]
    return signs[0] if len(signs) == 1 else None


def _explains_balances(
    sign: str, table: Table, columns: Columns, dates: DateReading, evidence: TableEvidence
) -> bool:
    money = MoneyColumns(columns, sign, evidence.numbers.facts)
    rows = TransactionFilter(table, columns, dates, money).keep(Cells(evidence.sample)).transactions
    followed = rows.only(places_with_balance(rows, columns.balance))
    if not followed.days:
        return False
    printed = money.printed(followed.cells, _OF_THREE_DECIMALS, with_balances=True)
    sizes = [abs(size) for size in printed.amounts]
    if printed.debits:
        sizes = [size + abs(debit) for size, debit in zip(sizes, printed.debits, strict=True)]
    return explained_sizes(sizes, printed.balances) > 0


class Booked(NamedTuple):
    """The booked rows of a run: cells, amounts and balances, equally long unless these are not read."""

    rows: list[list[str]]
    amounts: list[int]
    balances: list[int]


@dataclass(slots=True)
class RunningBalances:
    """Follows each account's balance from row to row: balance before + amount = balance.

    `direction` is 1 when later rows stand below and -1 when they stand above. `broken` counts the rows
    whose balance does not follow, of `steps` in all; `first` is the first of them, with its account.
    `fits` says of each account with a step whether all of its steps follow.
    """

    direction: int
    steps: int = 0
    broken: int = 0
    first: tuple[StatementAccount, list[str]] | None = None
    fits: dict[StatementAccount, bool] = field(default_factory=dict)
    _last: dict[StatementAccount, Booked] = field(default_factory=dict)

    def follow(self, account: StatementAccount, run: Booked) -> None:
        """Take in the next rows of an account, in the order of the file."""
        if not run.amounts:
            return
        if account in self._last:
            self._compare(account, _joined_bookings(self._last[account], run))
        self._compare(account, run)
        self._last[account] = run

    def adds_up(self, account: StatementAccount, run: Booked, first: int, last: int) -> bool:
        """Take in the next rows of an account by the balances at their ends alone, if that proves them.

        A row that is missing or changed makes the sum of the amounts another one. Of the run's rows
        only the last is looked at, and none of its balances, so the rest need not have been read. Takes
        in nothing when it answers no: then the rows are to be followed one by one.
        """
        amounts, before = run.amounts, self._last.get(account)
        between = sum(amounts[1:]) if self.direction > 0 else -sum(amounts[:-1])
        if last - first != between:
            return False
        if before is not None:
            step = amounts[0] if self.direction > 0 else -before.amounts[-1]
            if first - before.balances[-1] != step:
                return False
        steps = len(amounts) - (before is None)
        if steps:
            self.steps += steps
            self.fits.setdefault(account, True)
        self._last[account] = Booked(run.rows[-1:], amounts[-1:], [last])
        return True

    def _compare(self, account: StatementAccount, run: Booked) -> None:
        balances, amounts = run.balances, run.amounts
        moved = list(map(sub, balances[1:], balances))
        expected = amounts[1:] if self.direction > 0 else list(map(neg, amounts[:-1]))
        self.steps += len(moved)
        if moved:
            self.fits.setdefault(account, True)
        if moved == expected:
            return
        moving = run.rows[1:] if self.direction > 0 else run.rows[:-1]
        # A row without money proves nothing.
        broken = [
            row
            for row, step, amount in zip(moving, moved, expected, strict=True)
            if amount and step != amount
        ]
        self.broken += len(broken)
        if broken:
            self.fits[account] = False
        if broken and self.first is None:
            self.first = account, broken[0]


def _joined_bookings(before: Booked, after: Booked) -> Booked:
    """The last row of one run and the first of the next."""
    return Booked(
        [before.rows[-1], after.rows[0]],
        [before.amounts[-1], after.amounts[0]],
        [before.balances[-1], after.balances[0]],
    )
