"""Tasks: the questions that only the person can answer. There are three kinds and no fourth."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from typing_extensions import TypeAliasType

from finplan.model.base import Amount, ById, TypedAmount, Whole, Wire
from finplan.model.category import CategoryId, MoneyDirection


class Charge(Wire):
    """One charge of the payee asked about; positive when money went out."""

    date: date
    amount: Amount


class Alternative(Wire):
    """Another category that the payee might belong to."""

    category: str
    label: str


class CategorizePayee(Wire):
    """What is this payee?"""

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
    """A bank wants the person to sign in again."""

    kind: Literal["reconnect_connection"] = "reconnect_connection"
    id: str
    connection_id: str
    institution_name: str
    error: str | None


class ConnectMissingAccount(Wire):
    """The data show an account that is not linked."""

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
    """Open questions, or the ones the person has answered."""

    status: Annotated[Literal["open", "answered"], Field(description="Only this status.")] = "open"


class TaskId(ById):
    """Names one task."""


class TaskAnswer(ById):
    """The category for the payee, or `each` to be asked about each row, or a dismissal; one of them.

    A category may be for one `direction` of money alone, or for one exact `amount`, positive when money
    goes out. With `each` every row of the payee is a question of its own. With `preview` nothing is
    stored, and the answer is what it would move.
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
    """What is safe to spend a day, before and after.

    It is `known` where the balance of cash is; else it follows from what is not, and nobody is told it.
    """

    before: Annotated[Amount, Field(alias="from")]
    after: Annotated[Amount, Field(alias="to")]
    known: bool


class Effect(Wire):
    """What an answer would move: the charges that go to another category, and the daily allowance.

    `total` is positive when money went out; `monthly` is what of it a month of the plan's window has.
    """

    charges: Whole
    total: Amount
    monthly: Amount
    allowance: DailyAllowance


TaskOutcome = TypeAliasType("TaskOutcome", Task | Effect)
"""What answering comes to: the question as it was answered, or with `preview` what it would move."""
