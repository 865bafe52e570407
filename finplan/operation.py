"""What a row of the table is: an operation, its kinds of body, and what they carry."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from finplan.model.base import Wire
from finplan.model.errors import Fault

Asks = TypeVar("Asks", bound=Wire)
Answers = TypeVar("Answers")
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Scope = Literal["read", "write", "session"]


@dataclass(frozen=True, slots=True)
class Json:
    """The question is JSON or a query string, the answer is JSON with status 200."""


class Derived(NamedTuple):
    """As Json, for a GET whose answer follows from the person's data and the day alone.

    It is encoded once for each state of those, and carries an ETag. `page` tells whether it is also
    drawn as a page, for `Accept: text/html`.
    """

    page: bool = False


class Creates(NamedTuple):
    """As Json; the performer answers a `Made`, and the status is 201 when the thing is new, else 200.

    `again` tells whether it may be one that was there already.
    """

    again: bool = False


@dataclass(frozen=True, slots=True)
class Upload:
    """The question is a multipart form with files; the performer takes them as a third argument."""


class Download(NamedTuple):
    """The question is a query string; the performer answers a `StreamedFile`, sent piece by piece.

    `media_types` are those that the file may be of.
    """

    media_types: tuple[str, ...]


class Accepts(NamedTuple):
    """As Json; the answer is about work that goes on: status 202, and `at` tells where to ask for it."""

    at: str


class Streams(NamedTuple):
    """As Json, but the performer answers an `EventStream`, sent as server-sent events.

    Each message has the row's shape, and the last event that of `done`, unless it is an error.
    """

    done: type[Wire]


Body = Json | Derived | Creates | Upload | Download | Accepts | Streams


class Made(NamedTuple, Generic[Answers]):
    """What a creating performer answers: the thing, and whether it is new."""

    answer: Answers
    new: bool


class StreamedFile(NamedTuple):
    """A file that is made while it is sent; what is wrong with the question is said before it begins."""

    name: str
    media_type: str
    content: AsyncGenerator[bytes, None]


class Event(NamedTuple):
    """One event of a stream: `message`, then at last `done` or `error`."""

    name: Literal["message", "done", "error"]
    data: Wire


class EventStream(NamedTuple):
    """Events that are sent as they come; what is wrong with the question is said before they begin."""

    events: AsyncGenerator[Event, None]


class UploadedFile(NamedTuple):
    """A file that has arrived whole on the daemon's disk, with the name the sender gave it."""

    name: str
    path: Path


class Family(NamedTuple):
    """Rows that belong together in what is published: what they are called, and what they are about."""

    name: str
    about: str


class Links(NamedTuple):
    """Where an answer leads: what stands at `pointer` in it is what the rows `to` take.

    `pointer` is a JSON pointer into the answer, `to` holds names of rows, and `parameter` is the
    outside name that these rows know the value by.
    """

    pointer: str
    to: tuple[str, ...]
    parameter: str = "id"


@dataclass(frozen=True, slots=True)
class Operation(Generic[Asks, Answers]):
    """One row: its name, where it is found, what it asks and answers, and which scope it needs.

    `faults` are those that its performer raises; a BadRequest may come from any. What is published of
    a parameter is the description of its field in `asks`.
    """

    family: Family
    name: str
    method: Method
    path: str
    asks: type[Asks]
    answers: type[Answers]
    scope: Scope
    summary: str
    body: Body = Json()
    faults: tuple[type[Fault], ...] = ()
    links: Links | None = None

    @property
    def path_names(self) -> tuple[str, ...]:
        """The names of the path's parameters, in order."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.path) if name)

    @property
    def other_names(self) -> frozenset[str]:
        """The outside names of what is asked besides the path's parameters."""
        names = (field.alias or name for name, field in self.asks.model_fields.items())
        return frozenset(names) - frozenset(self.path_names)


AnyOperation = Operation[Any, Any]
