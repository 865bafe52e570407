"""What every wire shape shares: strictness, naming and the bounds of integers.

Outside, names are camelCase and nothing unknown is accepted; inside, Python names are used.
`read_json` and `read_query` are the two doors for outside input; they accept outside names only.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

LARGEST = 2**53 - 1
"""The largest integer that every JSON reader holds exactly."""

Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""A bounded integer: counts, days, and whatever is neither money nor an instant."""

Amount = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""Money in minor units of its currency."""

Timestamp = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""Milliseconds since the Unix epoch, UTC."""

Month = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")]
"""A calendar month, YYYY-MM."""

CurrencyCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
"""An ISO 4217 code."""

Text = Annotated[str, Field(min_length=1, max_length=200)]
"""A short text that a person typed: a name, a label."""


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


AnyWire = TypeVar("AnyWire", bound=Wire)


class Nothing(Wire):
    """The empty question: an operation that needs no input."""


def read_json(shape: type[AnyWire], body: bytes | str) -> AnyWire:
    """Read one shape from JSON by its outside names. Raises pydantic's ValidationError."""
    return shape.model_validate_json(body, by_alias=True, by_name=False)


def repeatable(shape: type[Wire]) -> frozenset[str]:
    """The outside names of the fields that a query string may repeat: those typed as tuples."""
    return frozenset(
        field.alias or name
        for name, field in shape.model_fields.items()
        if str(field.annotation).startswith("tuple[")
    )


def read_query(shape: type[AnyWire], query: Mapping[str, Sequence[str]]) -> AnyWire:
    """Read one shape from a query string's values by its outside names.

    Strict shapes refuse "5" for an integer, so scalars are read as strings. A scalar given twice is
    passed on as a list and so refused by name. Raises pydantic's ValidationError.
    """
    many = repeatable(shape)
    scalars: dict[str, object] = {
        name: values[0] if len(values) == 1 else list(values)
        for name, values in query.items()
        if name not in many
    }
    answer = shape.model_validate_strings(scalars, by_alias=True, by_name=False)
    by_alias = {field.alias or name: name for name, field in shape.model_fields.items()}
    repeated = {by_alias[name]: tuple(query[name]) for name in many if name in query}
    return answer.model_copy(update=repeated) if repeated else answer
