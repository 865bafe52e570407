"""What a question of spending is of: its days, its categories and its payees, found in the store."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from sqlalchemy import Connection

from finplan.categorise.catalogue import UNFILED, Catalogue
from finplan.model.errors import BadRequest
from finplan.model.spending import MoneyFilter, MoneyFlow, RecordedDays
from finplan.plan.ledger.days import date_of, day_of
from finplan.service.asker import Asker
from finplan.service.derived.household import catalogue_of, find_accounts
from finplan.service.lookup import find_category, find_payees
from finplan.store.queries import people
from finplan.store.queries import spending as sums


@dataclass(frozen=True, slots=True)
class AskedSpending:
    """A question in the words of the store; `wanted` are the categories that it is of.

    `sign` turns money out, as sums have it, into what is asked for: -1 for income. `since` and `until`
    are its days as they are told: where it leaves them open, those of the rows, which are `recorded`.
    """

    catalogue: Catalogue
    wanted: frozenset[str]
    sign: Literal[1, -1]
    span: sums.Span
    since: date
    until: date
    recorded: RecordedDays | None

    def months(self) -> list[int]:
        """The months that its days touch, YYYYMM, in order."""
        first, last = (day.year * 12 + day.month - 1 for day in (self.since, self.until))
        return [month // 12 * 100 + month % 12 + 1 for month in range(first, last + 1)]


def read_question(connection: Connection, asker: Asker, query: MoneyFilter) -> AskedSpending:
    """Find what a question names. Raises BadRequest for what is not there."""
    owner = asker.owner
    catalogue = catalogue_of(connection, owner)
    wanted = _categories(catalogue, query.category, query.flow)
    payees = find_payees(connection, owner, query.merchant) if query.merchant else None
    today = asker.today(people.get_person(connection, owner)["time_zone"])
    covered = sums.first_and_last_day(connection, owner)
    since, until = _days(query, covered, today)
    span = sums.Span(
        owner,
        None if query.since is None else day_of(query.since),
        None if query.until is None else day_of(query.until),
        payees,
        find_accounts(connection, owner, query.account) if query.account else None,
    )
    recorded = None
    if covered is not None:
        recorded = RecordedDays(since=date_of(covered[0]), until=date_of(covered[1]))
    sign: Literal[1, -1] = -1 if query.flow == "income" else 1
    return AskedSpending(catalogue, wanted, sign, span, since, until, recorded)


def month_name(number: int) -> str:
    """A month YYYYMM as it is told, YYYY-MM."""
    return f"{number // 100:04d}-{number % 100:02d}"


def _days(query: MoneyFilter, covered: tuple[int, int] | None, today: date) -> tuple[date, date]:
    """The days of a question; where it leaves them open, those of the rows, else today."""
    if query.since is not None and query.until is not None and query.since > query.until:
        raise BadRequest(f"The first day, {query.since}, is after the last, {query.until}.")
    first, last = (None, None) if covered is None else (date_of(covered[0]), date_of(covered[1]))
    since = query.since or first or today
    until = query.until or last or today
    if query.since is None:
        since = min(since, until)
    if query.until is None:
        until = max(since, until)
    return since, until


def _categories(catalogue: Catalogue, asked: tuple[str, ...], flow: MoneyFlow) -> frozenset[str]:
    """The categories of money in or out that are asked for, or all.

    Money in that nobody has put in a category is income only where it is asked for by its name.
    """
    among = [find_category(catalogue, each) for each in asked] or catalogue.categories.values()
    unfiled = {UNFILED} if flow == "income" and asked else frozenset()
    return frozenset(each.id for each in among if each.flow == flow or each.id in unfiled)
