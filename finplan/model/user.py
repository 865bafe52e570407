"""The person, and the settings of the person's household."""

from typing import Annotated

from pydantic import Field

from finplan.model.base import NEVER_NULL, CurrencyCode, KnownCurrency, Name, Whole, Wire

TimeZone = Annotated[
    str, Field(min_length=1, max_length=200, json_schema_extra={"format": "time-zone"})
]
"""An IANA name, such as Europe/Berlin."""

# Spelled out, because the readers of regular expressions do not agree on what \s is: pydantic's takes
# U+0085 for white space and not U+FEFF, JavaScript's the other way round.
_VISIBLE = r"[^@\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000\ufeff]"

EMAIL = f"^{_VISIBLE}+@{_VISIBLE}+$"

EmailAddress = Annotated[str, Field(pattern=EMAIL, max_length=254)]
"""An e-mail address as far as looking tells: two parts around one @, without white space."""

Share = Annotated[float, Field(ge=0, le=1)]


class User(Wire):
    """The person who owns the account."""

    id: str
    email: str
    name: str | None


class UserChange(Wire):
    """A change to the person's account; absent fields stay unchanged."""

    email: Annotated[EmailAddress | None, NEVER_NULL] = None
    name: Name | None = None


class DeletedPerson(Wire):
    """A deleted person, and how much of their data was deleted; `backups` lists backup files.

    All their credentials stopped working, including the one that sent this request.
    """

    user: User
    connections: Whole
    accounts: Whole
    transactions: Whole
    imports: Whole
    plans: Whole
    rules: Whole
    answers: Whole
    keys: Whole
    backups: tuple[str, ...]


_ROUNDING = 0.0001
"""How far from 1 shares that were typed may add up to."""


class BudgetShares(Wire):
    """The person's own split of take-home pay; the three add up to 1."""

    essentials: Share
    discretionary: Share
    savings: Share

    @property
    def total(self) -> float:
        """What the three add up to, 1 but for rounding."""
        return self.essentials + self.discretionary + self.savings

    @property
    def is_whole(self) -> bool:
        """Whether the three add up to 1."""
        return abs(self.total - 1) <= _ROUNDING

    @classmethod
    def typed(cls, text: str) -> "BudgetShares":
        """Shares as they are typed, such as "50/30/20" or "50 30 20". Raises ValueError."""
        parts = text.translate(dict.fromkeys(map(ord, "/,:%"), " ")).split()
        percents = [int(part) for part in parts if part.isdecimal()]
        if not len(parts) == len(percents) == 3 or sum(percents) != 100:
            raise ValueError(
                f"{text!r} must be three percentages that add up to 100, like 50/30/20."
            )
        names = ("essentials", "discretionary", "savings")
        return cls(**{name: percent / 100 for name, percent in zip(names, percents, strict=True)})


def is_time_zone(name: str) -> bool:
    """Whether there is a time zone of an IANA name."""
    # A command that only shows settings needs no time zones.
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


class HouseholdSettings(Wire):
    """The settings of the household."""

    currency: CurrencyCode
    time_zone: str
    budget_shares: BudgetShares | None
    target_months: Annotated[int, Field(ge=0, le=60)] | None


class SettingsChange(Wire):
    """A change of settings; absent fields stay unchanged, null clears a field."""

    currency: Annotated[KnownCurrency | None, NEVER_NULL] = None
    time_zone: Annotated[TimeZone | None, NEVER_NULL] = None
    budget_shares: BudgetShares | None = None
    target_months: Annotated[Whole, Field(ge=0, le=60)] | None = None
