"""What changed at Plaid since a cursor: all pages of an update, gathered into one.

The pages of an update are one unit: where rows change while they are read, all are read anew from the
cursor that the first one began at.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from finplan.banks.fields import Unreadable, is_id
from finplan.banks.plaid.api import PlaidRefused
from finplan.banks.plaid.errors import MUTATION

RESTARTS = 4
"""How often an update is read from its cursor before it is given up."""

MOST_PAGES = 2_000
"""More pages than this, of 500 rows, are no update but a mistake."""

MOST_ROWS = 50_000
"""Of one update; two years of a busy household are half of it."""

NOT_READY = "NOT_READY"
ENDED = frozenset({"HISTORICAL_UPDATE_COMPLETE", "TRANSACTIONS_UPDATE_STATUS_UNKNOWN"})
"""How far Plaid has read a history where it announces no more of it.

Where it does not know, the usual syncs bring whatever comes; asking every minute would never end.
"""

AskPage = Callable[[str | None], Awaitable[dict[str, Any]]]
"""Asks for the page after a cursor. Raises PlaidRefused."""


class NeverStill(Exception):
    """The rows changed each time that they were read."""


@dataclass(slots=True)
class Changes:
    """An update: rows and accounts as Plaid tells them, by its ids, and the cursor after it.

    `from_beginning` says that nothing was known before, so that whatever it lacks is not there.
    `cursor` is None where Plaid has read nothing yet. `nameless` are the rows that have no id, those
    that were removed among them.
    """

    from_beginning: bool
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    modified: set[str] = field(default_factory=set)
    removed: dict[str, None] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    nameless: list[dict[str, Any]] = field(default_factory=list)
    cursor: str | None = None
    is_complete: bool = False

    def take(self, page: dict[str, Any]) -> None:
        """Let a page follow those before."""
        for kind in ("added", "modified"):
            for row in page[kind]:
                name = self._name(row)
                if name is None:
                    continue
                self.rows[name] = row
                self.removed.pop(name, None)
                if kind == "modified":
                    self.modified.add(name)
        for row in page["removed"]:
            name = self._name(row)
            if name is not None:
                self.rows.pop(name, None)
                self.removed[name] = None
        for account in page["accounts"]:
            # What has no id here has none in the list of all accounts either, which tells it.
            if is_id(account.get("account_id")):
                self.accounts[account["account_id"]] = account

    def _name(self, row: dict[str, Any]) -> str | None:
        name = row.get("transaction_id")
        if is_id(name):
            return str(name)
        self.nameless.append(row)
        return None


async def gather(ask: AskPage, cursor: str | None) -> Changes:
    """All that changed since a cursor; from the beginning where Plaid does not take that one any more.

    Raises PlaidRefused, Unreadable, and NeverStill.
    """
    for start in dict.fromkeys((cursor, None)):
        for _ in range(RESTARTS):
            try:
                return await _read(ask, start)
            except PlaidRefused as refused:
                if refused.code == MUTATION:
                    continue
                if start is not None and _is_about_the_cursor(refused):
                    break
                raise
    raise NeverStill


async def _read(ask: AskPage, start: str | None) -> Changes:
    changes = Changes(from_beginning=start is None)
    cursor = start
    for _ in range(MOST_PAGES):
        page = await ask(cursor)
        following = page.get("next_cursor")
        status = page.get("transactions_update_status")
        if not following or status == NOT_READY:
            return Changes(from_beginning=start is None, is_complete=status in ENDED)
        changes.take(page)
        if len(changes.rows) + len(changes.removed) + len(changes.nameless) > MOST_ROWS:
            raise Unreadable(f"it lists more than {MOST_ROWS:,} rows")
        if page.get("has_more") is not True:
            changes.cursor = str(following)
            changes.is_complete = status in ENDED
            return changes
        if following == cursor:
            raise Unreadable("its next page is the same one again")
        cursor = str(following)
    raise Unreadable("its pages do not end")


def _is_about_the_cursor(refused: PlaidRefused) -> bool:
    return refused.code == "INVALID_FIELD" and "cursor" in refused.said.casefold()
