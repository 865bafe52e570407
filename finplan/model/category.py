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
    """A category that a payee may be filed under."""

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

OwnCategory = Annotated[str, Field(description="Only this category, by its id; may be repeated.")]
"""The id in a path, which names a category of the person's own."""

PayeeName = Annotated[
    str, Field(min_length=1, max_length=200, json_schema_extra={"format": "payee"})
]
"""Names a payee by its key or its display name."""


class NewCategory(Wire):
    """A category to make; the payees of `payeeKeys` are filed under it at once.

    With `reimbursable` somebody pays its charges back, so that they are no spending on any line.
    """

    name: CategoryName
    line: BudgetLine
    reimbursable: bool = False
    payee_keys: Annotated[tuple[PayeeName, ...], Field(max_length=1000)] = ()


class CreatedCategory(Wire):
    """A new category, with how many merchants and charges it holds from the start."""

    category: CategoryChoice
    merchants: Whole
    charges: Whole


class CategoryChange(Wire):
    """What to change of a person's own category; what is left out stays as it is."""

    category: OwnCategory
    name: Annotated[CategoryName | None, NEVER_NULL] = None
    line: Annotated[BudgetLine | None, NEVER_NULL] = None
    reimbursable: Annotated[bool | None, NEVER_NULL] = None


class CategoryRemoval(Wire):
    """Remove a person's own category; its rules move to `mergeInto`, or without one are removed."""

    category: OwnCategory
    merge_into: Annotated[
        CategoryId | None, Field(description="The category that takes over the rules.")
    ] = None


class RemovedCategory(Wire):
    """The category that went, where its rules went, and how many merchants and charges that moved.

    With `mergedInto` null the charges are filed as finplan itself would file them.
    """

    category: CategoryChoice
    merged_into: CategoryChoice | None
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


class SuggestionVerdict(Wire):
    """Whether the suggestion of a name is to stay away from now on."""

    name: CategoryName
    dismissed: bool


class CategoryRule(Wire):
    """Maps a payee, and optionally one exact amount, to a category; `userId` is null on curated ones.

    `amount` is positive when money goes out. The id of a rule for money in alone begins with `rule_in_`,
    that of one for money out alone with `rule_out_`.
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

    payee_key: PayeeName
    category: CategoryId
    amount: TypedAmount | None = None


class RuleBatch(Wire):
    """At most a hundred rules; each is saved or refused by itself."""

    rules: Annotated[tuple[RuleRequest, ...], Field(max_length=100)]


class RuleMove(Wire):
    """What one rule moves: the rows of all time that are elsewhere now; money out is positive.

    `held` rows stay: they are paid between the person's own accounts, or filed by what the person said
    of them alone, of their amount or of their direction. `total` is of rows in the household's currency.
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
    """Names one rule."""


class RuleBatchError(Wire):
    """Why the rule at `index` of a batch was not saved."""

    index: Whole
    message: str


class RuleBatchResult(Wire):
    """What a batch of rules saved, and what it could not."""

    saved: tuple[CategoryRule, ...]
    errors: tuple[RuleBatchError, ...]
