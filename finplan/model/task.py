"""Tasks: the questions that only the person can answer. There are three kinds and no fourth."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from typing_extensions import TypeAliasType

from finplan.model.base import Amount, PathId, Whole, Wire
from finplan.model.category import CategoryId


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


class TaskQuery(Wire):
    """Open questions, or the ones the person has answered."""

    status: Annotated[Literal["open", "answered"], Field(description="Only this status.")] = "open"


class TaskId(Wire):
    """Names one task."""

    id: PathId


class TaskAnswer(Wire):
    """The category for the payee, or a dismissal; exactly one of the two."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"dismiss": {"const": True}}, "required": ["dismiss"]},
            "then": {"properties": {"answer": {"type": "null"}}},
            "else": {"properties": {"answer": {"type": "string"}}, "required": ["answer"]},
        }
    )

    id: PathId
    answer: CategoryId | None = None
    dismiss: bool = False
