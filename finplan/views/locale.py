"""How a household's figures and instants are written: amounts in its currency, moments in its zone."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from finplan.model import figures
from finplan.model.user import HouseholdSettings


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units; `units` are the whole units that it is written as, part of a sum.

    Whole if it is `rounded`. One that is `signed` has a plus sign when it is above nothing. One that is
    `calm` is below nothing without that being bad.
    """

    amount: int
    currency: str
    tone: str = ""
    rounded: bool = False
    units: int | None = None
    before: str = ""
    after: str = ""
    signed: bool = False
    calm: bool = False

    @property
    def text(self) -> str:
        """The amount as it is written where there is room."""
        if self.units is not None:
            return self._dressed(figures.units_money(self.units, self.currency))
        write = figures.whole_money if self.rounded else figures.money
        return self._dressed(write(self.amount, self.currency))

    def fitted(self, width: int, *, rounded: bool = False) -> str:
        """The amount in at most `width` columns, rounded where need be."""
        text = self.text
        if len(text) <= width and (self.units is not None or not rounded):
            return text
        room = width - len(self._dressed(""))
        rounded = rounded or self.rounded or self.units is not None
        return self._dressed(figures.fitted(self.amount, self.currency, room, in_units=rounded))

    def _dressed(self, written: str) -> str:
        sign = "+" if self.signed and self.amount > 0 else ""
        return f"{self.before}{sign}{written}{self.after}"


@dataclass(frozen=True, slots=True)
class Locale:
    """How figures and instants are written: the currency, the time zone, and what time it is."""

    currency: str
    now: datetime
    zone: tzinfo | None = None
    """None stands for where this machine is."""

    @classmethod
    def of(cls, settings: HouseholdSettings, now: datetime) -> "Locale":
        """How a household has its figures written, at an instant of its own time zone."""
        return cls(settings.currency, now, now.tzinfo)

    @classmethod
    def on(cls, settings: HouseholdSettings, day: date) -> "Locale":
        """How a household has its figures written on a page that is the same for a whole day."""
        zone = ZoneInfo(settings.time_zone)
        return cls(settings.currency, datetime.combine(day, time(12), zone), zone)

    @property
    def today(self) -> date:
        """The day that it is."""
        return self.now.astimezone(self.zone).date()

    def figure(self, amount: int, tone: str = "", **fields: Any) -> "Money":
        """An amount as a figure of a table or a fact; `fields` are those of the amount."""
        return Money(amount, self.currency, tone, **fields)

    def rounded(self, amount: int, tone: str = "") -> "Money":
        """The same in whole units."""
        return Money(amount, self.currency, tone, rounded=True)

    def money(self, amount: int) -> str:
        """An amount to the last minor unit."""
        return figures.money(amount, self.currency)

    def whole(self, amount: int) -> str:
        """An amount in whole units."""
        return figures.whole_money(amount, self.currency)

    def moment(self, milliseconds: int) -> str:
        """An instant as "21 November 2025, 09:05"."""
        then = figures.moment(milliseconds, self.zone)
        return f"{figures.long_date(then.date())}, {then:%H:%M}"

    def minute(self, milliseconds: int) -> str:
        """An instant as it stands in a table: "2025-11-21 09:05"."""
        return f"{figures.moment(milliseconds, self.zone):%Y-%m-%d %H:%M}"

    def age(self, milliseconds: int | None) -> str:
        """How long ago an instant was, in the largest unit: "2 hours ago", or "never"."""
        return figures.age(milliseconds, self.now)

    def days_ago(self, milliseconds: int) -> str:
        """How many days ago an instant was."""
        days = (self.today - figures.moment(milliseconds, self.zone).date()).days
        return "today" if days <= 0 else "yesterday" if days == 1 else f"{days:,} days ago"


def here(currency: str = "", now: datetime | None = None) -> Locale:
    """The locale of this machine, at the present unless an instant is given."""
    return Locale(currency, now or datetime.now(UTC))
