"""Tasks: the questions that only the person can answer, of three kinds."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from typing_extensions import TypeAliasType

from finplan.model.base import Amount, ById, TypedAmount, Whole, Wire
from finplan.model.category import CategoryId, MoneyDirection


class Charge(Wire):
    """One transaction of the payee of a question; positive when money went out."""

    date: date
    amount: Amount


class Alternative(Wire):
    """Another category that the payee might belong to."""

    category: str
    label: str


class CategorizePayee(Wire):
    """Which category does this payee belong in?"""

    kind: Literal["categorize_payee"] = "categorize_payee"
    id: str
    payee_key: str
    payee: str
    count: Whole
    total: Amount
    charges: tuple[Charge, ...]
    suggested: str
    suggested_label: str
    confidence: float | None
    alternatives: tuple[Alternative, ...]
    options: tuple[str, ...]
    last_date: date
    answer: str | None


class ReconnectConnection(Wire):
    """A bank needs the person to sign in again."""

    kind: Literal["reconnect_connection"] = "reconnect_connection"
    id: str
    connection_id: str
    institution_name: str
    error: str | None


class ConnectMissingAccount(Wire):
    """An account with income or spending seems to be missing."""

    kind: Literal["connect_missing_account"] = "connect_missing_account"
    id: str
    missing: Literal["income", "spending"]
    reason: str


Task = TypeAliasType(
    "Task",
    Annotated[
        CategorizePayee | ReconnectConnection | ConnectMissingAccount, Field(discriminator="kind")
    ],
)
"""Any of the three, told apart by its kind; it is published under this name."""


EACH = "each"
"""The `answer` of a question whose payee is asked about row by row, where others have a category."""


class TaskQuery(Wire):
    """Open questions, or questions that the person has answered."""

    status: Annotated[Literal["open", "answered"], Field(description="Only this status.")] = "open"


class TaskId(ById):
    """Identifies one task."""


class TaskAnswer(ById):
    """Exactly one of a category (`answer`), `each` and `dismiss`.

    A category can be for one `direction` of money only, or for one exact `amount`, positive when money
    goes out. With `each`, every transaction of the payee becomes a separate question. With `preview`,
    nothing is saved, and the reply is the effect.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {
                "anyOf": [
                    {"properties": {"dismiss": {"const": True}}, "required": ["dismiss"]},
                    {"properties": {"each": {"const": True}}, "required": ["each"]},
                ]
            },
            "then": {
                "properties": {
                    "answer": {"type": "null"},
                    "direction": {"const": "both"},
                    "amount": {"type": "null"},
                },
                "not": {
                    "properties": {"dismiss": {"const": True}, "each": {"const": True}},
                    "required": ["dismiss", "each"],
                },
            },
            "else": {"properties": {"answer": {"type": "string"}}, "required": ["answer"]},
        }
    )

    answer: CategoryId | None = None
    direction: MoneyDirection = "both"
    amount: TypedAmount | None = None
    each: bool = False
    preview: bool = False
    dismiss: bool = False


class DailyAllowance(Wire):
    """Safe to spend a day, before and after.

    `known` is false when a balance of cash is missing: do not show the amounts then.
    """

    before: Annotated[Amount, Field(alias="from")]
    after: Annotated[Amount, Field(alias="to")]
    known: bool


class Effect(Wire):
    """The effect of an answer: the transactions that change category, and safe daily spending.

    `total` is positive when money went out; `monthly` is its monthly average in the plan's window.
    """

    charges: Whole
    total: Amount
    monthly: Amount
    allowance: DailyAllowance


TaskOutcome = TypeAliasType("TaskOutcome", Task | Effect)
"""What answering comes to: the question as it was answered, or with `preview` what it would move."""
