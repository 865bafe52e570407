"""What can go wrong between a client and a daemon, told in sentences."""

from typing import Any


class CallFailed(Exception):
    """The daemon refused or could not do what was asked; the fields are its error envelope's."""

    def __init__(self, status: int, code: str, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.data = data

    @property
    def issues(self) -> tuple[str, ...]:
        """One line for each property of the question that does not fit, `name: what is wrong`."""
        if self.message != "Input validation failed" or not isinstance(self.data, dict):
            return ()
        return tuple(
            ": ".join(filter(None, (".".join(map(str, issue["path"])), issue["message"])))
            for issue in self.data.get("issues", ())
        )

    def __str__(self) -> str:
        return "\n".join((self.message, *self.issues))


class DaemonUnreachable(Exception):
    """No daemon answers; the sentence says why and what to do."""
