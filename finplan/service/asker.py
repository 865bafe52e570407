"""Who asks and when: as much of a Context as may be sent to another process."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Asker:
    """The person of a number, and the present instant in UTC."""

    owner: int
    now: datetime

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now.timestamp() * 1000)

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.now.astimezone(ZoneInfo(time_zone)).date()
