"""Categories, the rules that map payees to them, and suggestions for new ones."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Text, Timestamp, Whole, Wire

SpendingLine = Literal["essential", "discretionary"]
BudgetLine = Literal["essential", "discretionary", "not_spending"]
RuleSource = Literal["user", "auto", "curated"]
Theme = Literal[
    "child",
    "pet",
    "commute",
    "vehicle",
    "hobby",
    "home_project",
    "garden",
    "work_trip",
    "event",
    "side_business",
    "study",
    "relative_care",
]


class CategoryChoice(Wire):
    """A category that a payee may be filed under."""

    category: str
    label: str
    line: BudgetLine
    custom: bool
    reimbursable: bool


class CreatedCategory(Wire):
    """A new category, with how many merchants and charges it holds from the start."""

    category: CategoryChoice
    merchants: Whole
    charges: Whole


class SuggestedMerchant(Wire):
    """A merchant that a suggestion would gather."""

    payee: str
    charges: Whole
    total: Amount


class PresentHome(Wire):
    """A present category of the charges that a suggestion would gather."""

    label: str
    charges: Whole


class CategorySuggestion(Wire):
    """A theme in the person's charges that might deserve a category of its own."""

    theme: Theme
    name: str
    line: Literal["needs", "wants"]
    reimbursable: bool
    charges: Whole
    total: Amount
    monthly: Amount
    merchants: tuple[SuggestedMerchant, ...]
    now_in: tuple[PresentHome, ...]


class CategoryRule(Wire):
    """Maps a payee, and optionally one exact amount, to a category; `userId` is null on curated ones.

    `amount` is positive when money goes out.
    """

    id: str
    user_id: str | None
    payee_key: str
    category: str
    source: RuleSource
    confidence: float | None
    alternatives: tuple[str, ...]
    saved_at: Timestamp
    amount: Amount | None = None


class RuleRequest(Wire):
    """File a payee, or only its charges of one exact amount, under a category."""

    payee_key: Text
    category: Annotated[str, Field(min_length=1, max_length=80)]
    amount: Amount | None = None


class RuleId(Wire):
    """Names one rule."""

    id: str


class RuleBatchError(Wire):
    """Why the rule at `index` of a batch was not saved."""

    index: Whole
    message: str


class RuleBatchResult(Wire):
    """What a batch of rules saved, and what it could not."""

    saved: tuple[CategoryRule, ...]
    errors: tuple[RuleBatchError, ...]
