"""Who asks, and with what: the Caller and the Context that every performer is handed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from finplan.banks.base import Bank
from finplan.operation import Scope
from finplan.store.engine import Store

CallerKind = Literal["session"]
"""Which kind of credential was shown: a first-party session may do everything."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The person whose data are asked for, and what the credential allows."""

    owner: int
    scopes: frozenset[Scope]
    kind: CallerKind


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a performer may use; `now` answers the present instant, in UTC."""

    caller: Caller
    store: Store
    banks: Mapping[str, Bank]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now().timestamp() * 1000)

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.now().astimezone(ZoneInfo(time_zone)).date()
