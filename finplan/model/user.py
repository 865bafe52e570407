"""The person, and the settings of the person's household."""

from typing import Annotated

from pydantic import Field

from finplan.model.base import CurrencyCode, Text, Whole, Wire

Share = Annotated[float, Field(ge=0, le=1)]


class User(Wire):
    """The person who owns the account."""

    id: str
    email: str
    name: str | None


class UserChange(Wire):
    """What the person may change about themself; what is absent stays."""

    email: Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$", max_length=254)] | None = None
    name: Text | None = None


class BudgetShares(Wire):
    """The person's own split of take-home pay; the three add up to 1."""

    essentials: Share
    discretionary: Share
    savings: Share


class HouseholdSettings(Wire):
    """What the plan takes from the person rather than from the data."""

    currency: CurrencyCode
    time_zone: str
    budget_shares: BudgetShares | None
    target_months: Annotated[int, Field(ge=0, le=60)] | None


class SettingsChange(Wire):
    """A change of settings; what is absent stays, null clears what may be null."""

    currency: CurrencyCode | None = None
    time_zone: Text | None = None
    budget_shares: BudgetShares | None = None
    target_months: Annotated[Whole, Field(ge=0, le=60)] | None = None
