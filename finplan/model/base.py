"""What every wire shape shares: strictness, naming and the bounds of integers, of texts and names.

Outside, names are camelCase and nothing unknown is accepted; inside, Python names are used.
`read_json` and `read_query` are the two doors for outside input; they accept outside names only.
Names that a person types are all held to one rule: whoever reads them sees what was typed.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails

from finplan.model.money import CODES, LARGEST_AMOUNT

LARGEST = 2**53 - 1
"""The largest integer that every JSON reader holds exactly."""

Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""A bounded integer: counts, days, and whatever is neither money nor an instant."""

Amount = Annotated[int, Field(ge=-LARGEST, le=LARGEST, description="Minor units of the currency.")]
"""Money in minor units of its currency."""

TypedAmount = Annotated[
    int,
    Field(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT, description="Minor units of the currency."),
]
"""Money that a person types: bounded as a statement's is, so that what it adds up to is an Amount."""

Timestamp = Annotated[
    int, Field(ge=-LARGEST, le=LARGEST, description="Milliseconds since the Unix epoch, UTC.")
]
"""Milliseconds since the Unix epoch, UTC."""

MONTH = "^[0-9]{4}-(0[1-9]|1[0-2])$"

Month = Annotated[str, Field(pattern=MONTH)]
"""A calendar month, YYYY-MM."""

PathId = Annotated[str, Field(description="The id.")]
"""The id in a path, which names what an operation is about."""

CURRENCY = "^[A-Z]{3}$"

CurrencyCode = Annotated[str, Field(pattern=CURRENCY)]
"""An ISO 4217 code."""

KnownCurrency = Annotated[CurrencyCode, Field(json_schema_extra={"enum": sorted(CODES)})]
"""A currency that a person chooses: what is published of it are the codes that there are."""

Text = Annotated[str, Field(min_length=1, max_length=200)]
"""A short text that a person typed: a name, a label."""


def _calendar_date(value: object) -> object:
    # Left alone, pydantic takes a number in a text for seconds since 1970, and so "0" for a day.
    if not isinstance(value, str):
        return value
    if not _CALENDAR_DATE.fullmatch(value):
        raise ValueError("Write a day as YYYY-MM-DD")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("This day does not exist in the calendar") from None


_CALENDAR_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")

Day = Annotated[date, BeforeValidator(_calendar_date)]
"""A calendar date that is asked for, YYYY-MM-DD and nothing else."""


def _of_a_statement(day: date) -> date:
    if not 1900 <= day.year <= 2199:
        raise ValueError("A day must be in the years 1900 to 2199")
    return day


BookedDay = Annotated[Day, AfterValidator(_of_a_statement)]
"""A day that a statement may name."""


def one_of(literal: object) -> JsonDict:
    """What is published of a text that must be one of a Literal's words; its performer sees to it.

    A query string's repeated values are read as they are, so that the refusal can name what is known.
    """
    return {"enum": list(get_args(literal))}


class NeverNull:
    """Marks a field that may be left out but not be null, so that its published shape says so.

    The shape inside is the field's with None, its value where it is left out; the performer refuses
    an explicit null with a sentence of its own.
    """

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The published shape: what else the field may be, without null."""
        schema = handler(core_schema)
        options = [option for option in schema["anyOf"] if option != {"type": "null"}]
        return options[0] if len(options) == 1 else {**schema, "anyOf": options}


NEVER_NULL = NeverNull()


def shared_fields(source: object, names: Iterable[str]) -> dict[str, Any]:
    """What a value has by some names: a mapping, such as a row, by its keys; else by its attributes."""
    if isinstance(source, Mapping):
        return {name: source[name] for name in names if name in source}
    return {name: getattr(source, name) for name in names if hasattr(source, name)}


class Wire(BaseModel):
    """A value that crosses a boundary: frozen, strict, without unknown properties."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        # JSON has no such numbers, and no arithmetic here survives them.
        allow_inf_nan=False,
        # A command that prints the daemon's bytes as they are never pays for building validators.
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )

    @classmethod
    def of(cls, source: Any, /, **fields: Any) -> Self:
        """A value of what another one, or a row, has by the same names, and of the `fields` given."""
        return cls(**shared_fields(source, _names_to_share(source.__class__, cls)) | fields)


AnyWire = TypeVar("AnyWire", bound=Wire)


@cache
def _names_to_share(source: type, shape: type[Wire]) -> tuple[str, ...]:
    """The fields of a shape that values of a type may have."""
    if not issubclass(source, Wire):
        return tuple(shape.model_fields)
    # A shape's values all have the same, and to look for another takes one of them long.
    has = source.model_fields
    return tuple(name for name in shape.model_fields if name in has or hasattr(source, name))


class Nothing(Wire):
    """No input."""


class ById(Wire):
    """The object that the id in the path identifies."""

    id: PathId


class DateSpan(Wire):
    """A range of days; both ends are included."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]


def read_json(shape: type[AnyWire], body: bytes | str) -> AnyWire:
    """Read one shape from JSON by its outside names. Raises pydantic's ValidationError."""
    return shape.model_validate_json(body, by_alias=True, by_name=False)


def repeatable(shape: type[Wire]) -> frozenset[str]:
    """The outside names of the fields that a query string may repeat: those typed as tuples."""
    return _repeatable(shape)


@cache
def _repeatable(shape: type[Wire]) -> frozenset[str]:
    # Worked out once: to look at how fields are typed takes longer than to read a question.
    return frozenset(
        field.alias or name
        for name, field in shape.model_fields.items()
        if str(field.annotation).startswith("tuple[")
    )


def read_query(shape: type[AnyWire], query: Mapping[str, Sequence[str]]) -> AnyWire:
    """Read one shape from a query string's values by its outside names.

    Strict shapes refuse "5" for an integer, so scalars are read as strings, and an integer is digits
    after at most a minus. A scalar given twice is passed on as a list and so refused by name. Raises
    pydantic's ValidationError.
    """
    _refuse_odd_integers(shape, query)
    many = repeatable(shape)
    scalars: dict[str, object] = {
        name: values[0] if len(values) == 1 else list(values)
        for name, values in query.items()
        if name not in many
    }
    answer = shape.model_validate_strings(scalars, by_alias=True, by_name=False)
    if not many:
        return answer
    by_alias = _inside_names(shape)
    repeated = {by_alias[name]: tuple(query[name]) for name in many if name in query}
    return answer.model_copy(update=repeated) if repeated else answer


def _refuse_odd_integers(shape: type[Wire], query: Mapping[str, Sequence[str]]) -> None:
    # Left alone, pydantic takes "1_0", "+5", " 5" and "5.0" for integers, and digits of any script.
    odd = [
        InitErrorDetails(type="int_parsing", loc=(name,), input=value)
        for name in _integers(shape)
        for value in query.get(name, ())
        if not _DIGITS.fullmatch(value)
    ]
    if odd:
        raise ValidationError.from_exception_data(shape.__name__, odd)


_DIGITS = re.compile("-?[0-9]+")


@cache
def _integers(shape: type[Wire]) -> frozenset[str]:
    """The outside names of the fields that hold one integer, or none."""
    return frozenset(
        field.alias or name
        for name, field in shape.model_fields.items()
        if int in (field.annotation, *get_args(field.annotation))
    )


@cache
def _inside_names(shape: type[Wire]) -> Mapping[str, str]:
    """The names of a shape's fields by their outside names."""
    return {field.alias or name: name for name, field in shape.model_fields.items()}


UNREADABLE_NAME = (
    "A name needs at least one visible character and cannot contain control characters"
)

_JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Signs without which some scripts, and some emoji, cannot be spelt; alone they show nothing."""

_LOOK_ALIKES = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "J": "ЈͿ", "K": "КΚ", "M": "МΜ", "N": "Ν",
    "O": "ОΟՕ0", "P": "РΡ", "Q": "Ԛ", "S": "ЅՏ", "T": "ТΤ", "U": "Ս", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥУ",
    "Z": "Ζ", "a": "аαɑ", "b": "Ь", "c": "сϲ", "d": "ԁ", "e": "е", "g": "ɡց", "h": "һհ", "i": "іιı",
    "j": "јյ", "k": "кκ", "l": "ІΙӀӏI1|", "n": "ոη", "o": "оοօ", "p": "рρ", "q": "ԛզ", "r": "г",
    "s": "ѕ", "u": "սυ", "v": "νѵ", "w": "ԝա", "x": "хχ", "y": "уүγ",
}  # fmt: skip
"""Letters of Latin, and those of Cyrillic, Greek and Armenian, and digits, that are drawn like them."""

_DRAWN_LIKE = str.maketrans({like: sign for sign, likes in _LOOK_ALIKES.items() for like in likes})


def readable_name(typed: str) -> str:
    """A name in normal form, each run of spaces one space. Raises ValueError when nobody can read it."""
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    text = seen_name(name)
    if not text.strip() or not text.isprintable():
        raise ValueError(UNREADABLE_NAME)
    return name


def seen_name(name: str) -> str:
    """What of a name stands on the page by itself: all but the joiners."""
    return name.translate(_JOINERS)


def folded_name(name: str) -> str:
    """A name as it is compared: without differences of spaces, of letters' case and of joiners."""
    return " ".join(unicodedata.normalize("NFKC", seen_name(name)).casefold().split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that a reader would take a name for; None when it is told from all.

    One that is the same name, however its letters are written, is not meant.
    """
    shape = _drawn_name(name)
    alike = (peer for peer in others if _drawn_name(peer) == shape)
    return next((peer for peer in alike if folded_name(peer) != folded_name(name)), None)


def _drawn_name(name: str) -> str:
    # What letters look like is told before their case is: a Cyrillic "Н" is drawn as H, "н" is not.
    drawn = unicodedata.normalize("NFKC", seen_name(name)).translate(_DRAWN_LIKE)
    return " ".join(drawn.casefold().split())


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, json_schema_extra={"format": "label"}),
    AfterValidator(readable_name),
]
"""What a person calls something of theirs."""
