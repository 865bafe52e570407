"""What one pass over the ledger adds up to: the window, the classes of money and the rhythms.

The rows behind a figure are found on the sheets of the books, without going through the ledger
again.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import Literal

from finplan.model.plan import IncomeCadence
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of
from finplan.plan.ledger.ledger import DAY, InflowSign, Row
from finplan.plan.ledger.planned import FollowedMoney


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """The days that means are taken over, and why they are these.

    `months` is the divisor of every mean: the count of full months, 1 when none is full, 0 without
    rows. `month_keys` are the full months, YYYYMM ascending, [] when none is full.
    `runs` are the first and last days, YYYYMMDD, of what is averaged: more than one where statements are
    missing between `since` and `until`.
    `limited_by` is the number of the account whose coverage shortens the window, None if none does.
    `data_end` is min(today, end of coverage).
    """

    since: date
    until: date
    months: Fraction
    month_keys: tuple[int, ...]
    transaction_count: int
    limited_by: int | None
    data_end: date
    runs: tuple[tuple[int, int], ...]

    @property
    def days(self) -> int:
        """How many days are averaged."""
        return sum(ORDINAL[until] - ORDINAL[since] + 1 for since, until in self.runs)

    @property
    def ordinals(self) -> list[int]:
        """The days that are averaged, in order."""
        return [
            day for since, until in self.runs for day in range(ORDINAL[since], ORDINAL[until] + 1)
        ]

    def holds(self, day: int) -> bool:
        """Whether a day YYYYMMDD is among those that are averaged."""
        return any(since <= day <= until for since, until in self.runs)

    def unseen_days(self, since: int, until: int) -> int:
        """Count the days of holes in the window that lie between two ordinals, both left out."""
        holes = (
            (ORDINAL[before] + 1, ORDINAL[after] - 1)
            for (_, before), (after, _) in pairwise(self.runs)
        )
        return sum(
            max(0, min(last, until - 1) - max(first, since + 1) + 1) for first, last in holes
        )


@dataclass(frozen=True, slots=True)
class CategoryTotal:
    """A category's sum in the window, in the sign of its flow, and how many rows made it.

    Spending, saving and reimbursable sums are positive when money goes out, income when it comes in.
    `by_month` has one sum for each of the window's `month_keys`.
    """

    category: str
    total: int
    count: int
    by_month: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One payee's charges, or one payer's credits, that come again, or a payer's that do not.

    `amount` and the amounts of `recent` are positive. `count` and `total` are the window's, `count_all`
    all history's. `recent` are the last occurrences, at most 24, oldest first. `price_before` is the
    amount before the latest step and `price_changed` its day, None without one. `account` is the
    number of the account that the latest occurrence was on. `payees` are the numbers of the payees in
    it: one, unless several irregular payers were merged. `parts` are the charges that `recent` adds up
    by day, one for each row. `arrival` is how likely the next charge is to come on its day, and
    `probability` to be within a tenth of its amount as well; `signs` are what tells so
    (`detect.arrival`). All three are None for income, for what has ended and for what the person has
    confirmed unseen. `by_law` says that it comes on the days of the law (`detect.estimated_tax`).
    `on` names the account where another series of that name comes on another one, else it is None.
    `resumed` is the day on which it went on after its latest pause, None without one.
    `between_seasons` says that it is silent as it was a year ago at this time. `replaced` says that
    other pay, or another bill of its kind, began since its last one, and that its own is late.

    Of income, `sign` is what its words say, and `running` says that it is planned with: if regular,
    `monthly` is what it brings from now on, else `planned` holds the rows of the window that it is
    planned by. `beside` are the window's bonuses and other single credits that came beside pay: `total`
    holds them, and nothing is planned with them. `other_level` is what the next pay may be instead of
    `amount`: the last one, which came once at another level, or of new pay that came once what the job
    before it paid; None where nothing says so.
    """

    payees: tuple[int, ...]
    name: str
    category: str
    cadence: IncomeCadence
    interval_days: int | None
    amount: int
    monthly: int
    total: int
    count: int
    count_all: int
    first_date: date
    last_date: date
    next_date: date | None
    active: bool
    steady: bool
    recent: tuple[tuple[date, int], ...]
    account: int
    parts: tuple[tuple[date, int], ...] = ()
    price_before: int | None = None
    price_changed: date | None = None
    signs: Mapping[str, int] | None = None
    arrival: float | None = None
    probability: float | None = None
    by_law: bool = False
    on: str | None = None
    resumed: date | None = None
    running: bool = False
    planned: tuple[Row, ...] = ()
    beside: tuple[Row, ...] = ()
    between_seasons: bool = False
    replaced: bool = False
    sign: InflowSign | None = None
    other_level: int | None = None

    @property
    def days(self) -> list[int]:
        """The ordinals of the days in `recent`."""
        return [day.toordinal() for day, _ in self.recent]

    @property
    def title(self) -> str:
        """The name in a list, where no series on another account may read the same."""
        return self.name if self.on is None else f"{self.name} · {self.on}"


def by_payee(series: Iterable[Series]) -> Mapping[int, Sequence[Series]]:
    """The series of each payee, by its number."""
    grouped: defaultdict[int, list[Series]] = defaultdict(list)
    for one_series in series:
        for payee in one_series.payees:
            grouped[payee].append(one_series)
    return grouped


ChangeKind = Literal["began", "resumed", "stepped", "ended", "yearly"]
"""What a source or a bill did in the averaged months or since; `yearly` is a bill that came once and is
expected again a year later, of which the averaged months hold another part than a year."""


@dataclass(frozen=True, slots=True)
class MonthlyChange:
    """A source or a bill that is planned with at another sum than the average month held.

    `since` is the day on which it began, went on, was first paid at its level, or was paid last.
    `averaged` is what it comes to in the mean month and `now` what it comes to from now on; both are
    minor units a month and positive, whether money comes in or goes out.
    """

    series: Series
    kind: ChangeKind
    is_income: bool
    since: date
    averaged: int
    now: int


@dataclass(frozen=True, slots=True)
class RunningFigures:
    """What a month brings and costs from now on, in minor units. Source: plan-semantics, section 2a.

    `by_source` holds what each running source brings and `by_category` what each spending category
    costs; they add up to `income` and to `spend`, which is `essentials` plus `discretionary`.
    `changes` say why these differ from the means of the window, the largest first. `one_offs` are the
    single rows that no running figure holds, and `one_off_totals` what they took of each spending
    category in the window; `one_off_income` is what they brought of its income.
    """

    income: int
    spend: int
    essentials: int
    discretionary: int
    by_source: Sequence[tuple[Series, int]]
    by_category: Mapping[str, int]
    changes: Sequence[MonthlyChange]
    one_offs: frozenset[Row]
    one_off_totals: Mapping[str, int]
    one_off_income: int


@dataclass(frozen=True, slots=True)
class Books:
    """The sums of the window and the rhythms of all history.

    `income`, `spending`, `saving` and `reimbursable` are sums over the window in the sign of their flow;
    `moves` is the signed sum (positive in) of everything else, so that the signed sum of the window's
    rows = income - spending - saving - reimbursable + moves. `saved` is what was really put aside:
    signed rows on savings accounts plus what counted accounts paid to investments, unlinked savings and
    extra principal. `categories` holds every category with rows in the window, any flow. `card_interest`
    is the window's sum of `interest_fees` on credit accounts. `charges` are the recurring charges,
    active or not, and `unlikely` those whose rhythm is so uneven that their day is a guess;
    `expected_again` are single payments of yearly kinds, which are likely to come again a year later and
    are not recurring (`detect.expected_again`); `sources` are the income sources, irregular ones
    included. `young_bills` are those that began so lately that they are no recurring charge yet
    (`detect.young_bills`), and `running` is what a month brings and costs from now on. `sheets` are the
    rows behind it all, every row of the ledger on exactly one. `planned` is planned money with what of
    it has happened.
    """

    window: WindowFacts
    income: int
    spending: int
    saving: int
    reimbursable: int
    moves: int
    saved: int
    card_interest: int
    categories: Mapping[str, CategoryTotal]
    charges: Sequence[Series]
    unlikely: Sequence[Series]
    expected_again: Sequence[Series]
    sources: Sequence[Series]
    young_bills: Sequence[Series]
    running: RunningFigures
    sheets: Sequence[Sheet]
    planned: Sequence[FollowedMoney] = ()

    @property
    def bills(self) -> Sequence[Series]:
        """All that may fall due: recurring charges, those that began lately, yearly ones seen once."""
        return (*self.charges, *self.young_bills, *self.expected_again)


_DAY_OF_ROW = itemgetter(DAY)


def sheets_of(books: Books, categories: Collection[str]) -> Iterator[Sheet]:
    """The sheets of these categories, by payee."""
    return (sheet for sheet in books.sheets if sheet.category in categories)


def rows_between(sheet: Sheet, since: int, until: int) -> Sequence[Row]:
    """A sheet's rows between two days YYYYMMDD, both counted, oldest first."""
    rows = sheet.rows
    if rows[-1][2] < since or rows[0][2] > until:
        return ()
    return rows[
        bisect_left(rows, since, key=_DAY_OF_ROW) : bisect_right(rows, until, key=_DAY_OF_ROW)
    ]


def rows_within(sheet: Sheet, window: WindowFacts) -> Sequence[Row]:
    """A sheet's rows on the days of the window, oldest first."""
    if len(window.runs) == 1:
        return rows_between(sheet, *window.runs[0])
    return [row for run in window.runs for row in rows_between(sheet, *run)]


def rows_in_window(books: Books, categories: Collection[str]) -> list[Row]:
    """The rows of these categories on the days of the window, by payee, then day."""
    return [
        row for sheet in sheets_of(books, categories) for row in rows_within(sheet, books.window)
    ]


def latest_rows(books: Books, categories: Collection[str], days: int) -> list[Row]:
    """The rows of these categories on the last so many days of the data, by payee, then day."""
    end = books.window.data_end
    return rows_of(books, categories, day_of(end - timedelta(days - 1)), day_of(end))


def rows_of(books: Books, categories: Collection[str], since: int, until: int) -> list[Row]:
    """The rows of these categories between two days YYYYMMDD, by payee, then day."""
    return [
        row for sheet in sheets_of(books, categories) for row in rows_between(sheet, since, until)
    ]
