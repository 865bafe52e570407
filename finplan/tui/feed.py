"""What the screens know: answers of the daemon, asked again when it was away, and the last good ones."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from finplan.client.client import AsyncDaemonClient
from finplan.client.connect import Ready
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.base import Nothing
from finplan.model.user import HouseholdSettings
from finplan.operation import Answers, Asks, Operation
from finplan.operations.person import SHOW_SETTINGS

UNAUTHORIZED = 401
"""What a daemon says that was started anew: the token of the one before is none of its own."""

TellsTime = Callable[[], datetime]
"""Tells what time it is, with its zone."""

Starts = Callable[[], Ready]
"""Finds the daemon or starts it; may take a while, and raises DaemonUnreachable."""


def now() -> datetime:
    """The time that it is."""
    return datetime.now(UTC)


class NotAnswered(Exception):
    """What was asked has no answer; the sentence says why and what to do.

    `away` says that no daemon answers at all, so that what was known before still stands.
    """

    def __init__(self, message: str, *, away: bool, code: str = "", data: object = None) -> None:
        super().__init__(message)
        self.data = data
        self.message = message
        self.away = away
        self.code = code


@dataclass(frozen=True, slots=True)
class Away:
    """That the daemon does not answer: since when, and why."""

    since: datetime
    why: str


class Feed:
    """Asks the daemon for a person's screens.

    A daemon that went away is looked for, and started, with the next question. `away` tells that it
    could not be; `say` is told of what a question waits for. `notice` is the sentence that the last
    answer carried for the person, empty without one.
    """

    def __init__(self, starts: Starts, say: Callable[[str], None], clock: TellsTime) -> None:
        self._starts = starts
        self._say = say
        self.clock = clock
        self._client: AsyncDaemonClient | None = None
        self._connecting = asyncio.Lock()
        self.away: Away | None = None
        self.notice = ""
        self.settings = HouseholdSettings(
            currency="USD", time_zone="UTC", budget_shares=None, target_months=None
        )

    @property
    def currency(self) -> str:
        """The household's currency, as last told."""
        return self.settings.currency

    def today(self) -> date:
        """The day that it is where the household lives."""
        return self.clock().astimezone(ZoneInfo(self.settings.time_zone)).date()

    async def read_settings(self) -> None:
        """Learn the household's currency and zone. Raises NotAnswered."""
        self.settings = await self.ask(SHOW_SETTINGS, Nothing())

    async def ask(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: tuple[Path, ...] = (),
    ) -> Answers:
        """Ask the daemon. Raises NotAnswered.

        Only what changes nothing is asked a second time, since a daemon that went away in the middle
        may have done what it was asked.
        """
        repeatable = operation.method == "GET"
        for again in (False, True):
            client = await self._reached()
            try:
                answer = await client.call(operation, ask, files)
            except DaemonUnreachable as error:
                await self._forget(client)
                if again or not repeatable:
                    raise self._gone(str(error)) from None
            except CallFailed as error:
                if error.status != UNAUTHORIZED or again:
                    told = NotAnswered(str(error), away=False, code=error.code, data=error.data)
                    raise told from None
                await self._forget(client)
            except OSError as error:
                raise NotAnswered(str(error), away=False) from None
            else:
                self.away = None
                return answer
            finally:
                self.notice = client.notice or ""
        raise AssertionError("The second try ends the loop.")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _reached(self) -> AsyncDaemonClient:
        async with self._connecting:
            if self._client is None:
                try:
                    found = await asyncio.to_thread(self._starts)
                except DaemonUnreachable as error:
                    raise self._gone(str(error)) from None
                self._client = AsyncDaemonClient(
                    found.url, found.token, self._say, profile=found.profile
                )
            return self._client

    async def _forget(self, client: AsyncDaemonClient) -> None:
        if self._client is client:
            self._client = None
        await client.close()

    def _gone(self, why: str) -> NotAnswered:
        if self.away is None:
            self.away = Away(self.clock(), why)
        return NotAnswered(why, away=True)
