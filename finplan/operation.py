"""What a row of the table is: an operation, its kinds of body, and what they carry."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, Generic, Literal, TypeVar

from finplan.model.base import Wire

Asks = TypeVar("Asks", bound=Wire)
Answers = TypeVar("Answers")
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Scope = Literal["read", "write", "session"]


@dataclass(frozen=True, slots=True)
class Json:
    """The question is JSON or a query string, the answer is JSON with status 200."""


@dataclass(frozen=True, slots=True)
class Creates:
    """As Json; the performer answers a `Made`, and the status is 201 when the thing is new, else 200."""


@dataclass(frozen=True, slots=True)
class Upload:
    """The question is a multipart form with files; the performer takes them as a third argument."""


@dataclass(frozen=True, slots=True)
class Download:
    """The question is a query string; the performer answers a `StreamedFile`, sent piece by piece."""


Body = Json | Creates | Upload | Download


@dataclass(frozen=True, slots=True)
class Made(Generic[Answers]):
    """What a creating performer answers: the thing, and whether it is new."""

    answer: Answers
    new: bool


@dataclass(frozen=True, slots=True)
class StreamedFile:
    """A file that is made while it is sent; what is wrong with the question is said before it begins."""

    name: str
    media_type: str
    content: AsyncGenerator[bytes, None]


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that has arrived whole on the daemon's disk, with the name the sender gave it."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Operation(Generic[Asks, Answers]):
    """One row: its name, where it is found, what it asks and answers, and which scope it needs."""

    name: str
    method: Method
    path: str
    asks: type[Asks]
    answers: type[Answers]
    scope: Scope
    summary: str
    body: Body = Json()

    @property
    def path_names(self) -> tuple[str, ...]:
        """The names of the path's parameters, in order."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.path) if name)


AnyOperation = Operation[Any, Any]
