"""What goes wrong in a call over A2A, as JSON-RPC tells it (A2A 1.0, 5.4)."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from finplan.daemon.errors import refusal_of

_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
_DOMAIN = "a2a-protocol.org"


class A2aError(Exception):
    """A call that is refused: its code, a sentence for people, and a reason for programs."""

    code = -32603
    reason: str | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def told(self) -> Mapping[str, Any]:
        """The error as it is sent."""
        details = self.details()
        told: dict[str, Any] = {"code": self.code, "message": self.message}
        return {**told, "data": details} if details else told

    def details(self) -> Sequence[Mapping[str, Any]]:
        """What programs read of it."""
        if self.reason is None:
            return []
        return [{"@type": _ERROR_INFO, "reason": self.reason, "domain": _DOMAIN}]


class UnparsedCall(A2aError):
    """The body is no JSON."""

    code = -32700


class InvalidCall(A2aError):
    """The body is JSON, and no call."""

    code = -32600


class UnknownMethod(A2aError):
    """The method is none of A2A."""

    code = -32601


class InvalidParams(A2aError):
    """The parameters are not those of the method; `violations` are fields with what is wrong."""

    code = -32602

    def __init__(self, message: str, violations: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.violations = violations

    def details(self) -> Sequence[Mapping[str, Any]]:
        """Which fields are wrong, and how."""
        fields = [{"field": field, "description": told} for field, told in self.violations]
        return [{"@type": _BAD_REQUEST, "fieldViolations": fields}] if fields else []


class TaskNotFound(A2aError):
    """The caller has no task of the id; one of somebody else is told in the same words."""

    code, reason = -32001, "TASK_NOT_FOUND"

    def __init__(self) -> None:
        super().__init__(
            "You have no task of this id. Tasks are kept for thirty days; ListTasks lists yours."
        )


class TaskNotCancelable(A2aError):
    """The task has ended already."""

    code, reason = -32002, "TASK_NOT_CANCELABLE"


class PushNotificationNotSupported(A2aError):
    """Nobody is told of a task: what is asked is answered at once."""

    code, reason = -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"

    def __init__(self) -> None:
        super().__init__(
            "There are no push notifications, since each message is answered at once: leave the"
            " configuration of them out."
        )


class UnsupportedOperation(A2aError):
    """The method is one of A2A and none of finplan's, or the task does not take it any more."""

    code, reason = -32004, "UNSUPPORTED_OPERATION"


class ContentTypeNotSupported(A2aError):
    """Something else than words is sent, or something else than what finplan sends is wanted."""

    code, reason = -32005, "CONTENT_TYPE_NOT_SUPPORTED"


class VersionNotSupported(A2aError):
    """The call is one of another version."""

    code, reason = -32009, "VERSION_NOT_SUPPORTED"

    def __init__(self) -> None:
        super().__init__(
            "Only A2A 1.0 is spoken here: send the header `A2A-Version: 1.0`. A call without it is one"
            " of 0.3."
        )


def invalid_params(error: ValidationError) -> InvalidParams:
    """The refusal of parameters of another shape; it never repeats a value."""
    data = refusal_of(error).data or {}
    violations = [
        (".".join(map(str, issue["path"])) or "params", issue["message"])
        for issue in data.get("issues", ())
    ]
    return InvalidParams("The parameters are not those of this method.", violations)
