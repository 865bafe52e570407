"""The shapes of A2A 1.0, as far as they are read and written here.

What is read follows ProtoJSON: fields go by either spelling of their names, null is as if left out, and
what is not known is passed over. What is written has no fields that hold nothing.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    model_validator,
)
from pydantic.alias_generators import to_camel

A2aState = Literal[
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
]
"""The states that a task has here: each message is answered at once, so none is seen working."""

OPEN: Final = "TASK_STATE_INPUT_REQUIRED"
"""The one state that does not end a task."""

_AnyState = Literal[
    "",
    "TASK_STATE_UNSPECIFIED",
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
]
_Id = Annotated[str, Field(min_length=1, max_length=200)]
_MaybeId = Annotated[str, Field(max_length=200)] | None
_HistoryLength = Annotated[int, Field(ge=0, le=2**31 - 1)] | None
_Media = Annotated[str, Field(max_length=200)]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_NO_INSTANT = "Write a time like 2026-03-18T12:00:00.000Z"
_CONTENTS = ("text", "raw", "url", "data")


def read_instant(text: str) -> int:
    """The milliseconds since the epoch of an instant of ISO 8601. Raises ValueError."""
    if _INSTANT.fullmatch(text) is None:
        raise ValueError(_NO_INSTANT)
    try:
        past = datetime.fromisoformat(text) - _EPOCH
    except (ValueError, OverflowError):
        raise ValueError(_NO_INSTANT) from None
    return past // timedelta(milliseconds=1)


def _instant(text: str) -> str:
    if text:
        read_instant(text)
    return text


class A2aShape(BaseModel):
    """A value of the protocol."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


class SentPart(A2aShape):
    """A part of a message as it comes: exactly one content."""

    text: Annotated[str, Field(max_length=2000)] | None = None
    raw: str | None = None
    url: str | None = None
    data: JsonValue = None
    media_type: _Media | None = None

    @model_validator(mode="after")
    def _has_one_content(self) -> "SentPart":
        if sum(getattr(self, name) is not None for name in _CONTENTS) != 1:
            raise ValueError("A part must have exactly one of text, raw, url and data")
        return self


class SentMessage(A2aShape):
    """A message of an agent."""

    message_id: _Id
    context_id: _MaybeId = None
    task_id: _MaybeId = None
    role: Literal["ROLE_USER"]
    parts: Annotated[tuple[SentPart, ...], Field(min_length=1, max_length=20)]
    reference_task_ids: Annotated[tuple[_Id, ...], Field(max_length=20)] | None = None


class SendConfiguration(A2aShape):
    """How the agent would have its message answered."""

    accepted_output_modes: Annotated[tuple[_Media, ...], Field(max_length=50)] | None = None
    task_push_notification_config: JsonValue = None
    history_length: _HistoryLength = None
    return_immediately: bool | None = None


class SendParams(A2aShape):
    """The parameters of SendMessage."""

    message: SentMessage
    configuration: SendConfiguration | None = None


class TaskParams(A2aShape):
    """The parameters of GetTask and CancelTask."""

    id: _Id
    history_length: _HistoryLength = None


class ListParams(A2aShape):
    """The parameters of ListTasks."""

    context_id: _MaybeId = None
    status: _AnyState | None = None
    page_size: Annotated[int, Field(ge=1, le=100)] | None = None
    page_token: Annotated[str, Field(max_length=200)] | None = None
    history_length: _HistoryLength = None
    status_timestamp_after: (
        Annotated[str, Field(max_length=40), AfterValidator(_instant)] | None
    ) = None
    include_artifacts: bool | None = None


class A2aPart(A2aShape):
    """A part as it is written: a text, or data."""

    text: str | None = None
    data: Any = None
    media_type: str
    metadata: dict[str, Any] | None = None


class A2aMessage(A2aShape):
    """A message that was exchanged."""

    message_id: str
    context_id: str
    task_id: str
    role: Literal["ROLE_USER", "ROLE_AGENT"]
    parts: tuple[A2aPart, ...]
    reference_task_ids: tuple[str, ...] | None = None


class A2aArtifact(A2aShape):
    """What a task has come to."""

    artifact_id: str
    name: str
    description: str
    parts: tuple[A2aPart, ...]


class SaidInTask(A2aShape):
    """What was said in a task: messages in their order, finplan's last word, and what came of it."""

    history: tuple[A2aMessage, ...] = ()
    message: A2aMessage | None = None
    artifacts: tuple[A2aArtifact, ...] = ()
