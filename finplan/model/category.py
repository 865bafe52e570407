"""Categories, the rules that map payees to them, and suggestions for new ones."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import NEVER_NULL, Amount, ById, Timestamp, TypedAmount, Whole, Wire

SpendingLine = Literal["essential", "discretionary"]
BudgetLine = Literal["essential", "discretionary", "not_spending"]
MoneyDirection = Literal["in", "out", "both"]
"""Which money of a payee: what comes in, what goes out, or both."""

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
    """A category that a payee can be in."""

    category: str
    label: str
    line: BudgetLine
    custom: bool
    reimbursable: bool


CategoryName = Annotated[
    str, Field(min_length=1, max_length=80, json_schema_extra={"format": "label"})
]
"""What a category is called."""

CategoryId = Annotated[
    str, Field(min_length=1, max_length=80, json_schema_extra={"format": "category"})
]
"""Names one of the person's categories by its id."""

OwnCategory = Annotated[str, Field(description="One of your own categories, by its id.")]
"""The id in a path, which names a category of the person's own."""

PayeeName = Annotated[
    str, Field(min_length=1, max_length=200, json_schema_extra={"format": "payee"})
]
"""Names a payee by its key or its display name."""


class NewCategory(Wire):
    """A category to create, and the payees to put in it (`payeeKeys`).

    If `reimbursable` is true, somebody pays you back, so transactions in the category are not spending.
    """

    name: CategoryName
    line: BudgetLine
    reimbursable: bool = False
    payee_keys: Annotated[tuple[PayeeName, ...], Field(max_length=1000)] = ()


class CreatedCategory(Wire):
    """A new category, and how many merchants and transactions are in it."""

    category: CategoryChoice
    merchants: Whole
    charges: Whole


class CategoryChange(Wire):
    """Change one of the person's own categories; absent fields stay unchanged."""

    category: OwnCategory
    name: Annotated[CategoryName | None, NEVER_NULL] = None
    line: Annotated[BudgetLine | None, NEVER_NULL] = None
    reimbursable: Annotated[bool | None, NEVER_NULL] = None


class CategoryRemoval(Wire):
    """Remove one of the person's own categories; its rules go to `mergeInto`, or are removed."""

    category: OwnCategory
    merge_into: Annotated[
        CategoryId | None, Field(description="The category that gets its rules.")
    ] = None


class RemovedCategory(Wire):
    """The removed category, and how many merchants and transactions changed category.

    If `mergedInto` is null, finplan categorizes the transactions itself.
    """

    category: CategoryChoice
    merged_into: CategoryChoice | None
    merchants: Whole
    charges: Whole


class SuggestedMerchant(Wire):
    """A merchant of a suggested category."""

    payee: str
    charges: Whole
    total: Amount


class PresentHome(Wire):
    """A category that some of the suggestion's transactions are in now."""

    label: str
    charges: Whole


class CategorySuggestion(Wire):
    """A suggestion for a new category."""

    theme: Theme
    name: str
    line: Literal["needs", "wants"]
    reimbursable: bool
    charges: Whole
    total: Amount
    monthly: Amount
    merchants: tuple[SuggestedMerchant, ...]
    now_in: tuple[PresentHome, ...]


class SuggestionVerdict(Wire):
    """Dismiss a suggested category by its name, or allow it again."""

    name: CategoryName
    dismissed: bool


class CategoryRule(Wire):
    """A rule that puts a payee, or only its transactions of one exact amount, in a category.

    `userId` is null on built-in rules. `amount` is positive when money goes out. The id begins with
    `rule_in_` if the rule is for money in alone, and with `rule_out_` if for money out alone.
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
    """Put a payee in a category, or only its transactions of one exact amount."""

    payee_key: PayeeName
    category: CategoryId
    amount: TypedAmount | None = None


class RuleBatch(Wire):
    """At most a hundred rules; each is saved or refused separately."""

    rules: Annotated[tuple[RuleRequest, ...], Field(max_length=100)]


class RuleMove(Wire):
    """The effect of one rule: the transactions that change category, including past transactions.

    Money out is positive. `held` counts transactions that do not change: transfers, and those with an
    override or with a rule for their amount or direction. `total` covers only transactions in the
    household's currency.
    """

    merchant: str
    category: str
    label: str | None = None
    rows: Whole
    held: Whole
    at_least: bool
    total: Amount
    error: str | None = None


class RuleId(ById):
    """Identifies one rule."""


class RuleBatchError(Wire):
    """Why the rule at `index` of a batch was not saved."""

    index: Whole
    message: str


class RuleBatchResult(Wire):
    """The rules that were saved, and the errors of those that were not."""

    saved: tuple[CategoryRule, ...]
    errors: tuple[RuleBatchError, ...]
