"""The shapes of the interface as JSON Schema 2020-12: one named component for each wire shape."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from finplan.model.base import Nothing, Wire
from finplan.model.errors import ErrorEnvelope
from finplan.operation import AnyOperation, Download

Schema = dict[str, Any]

_LARGEST_INT32 = 2**31 - 1
"""Integers that may be larger are published as int64, so that clients keep room for them."""

_REFERENCE = "#/components/schemas/{model}"


class Shapes:
    """The questions and answers of some rows, and the components that they are made of."""

    def __init__(self, rows: Iterable[AnyOperation]) -> None:
        self.components: dict[str, Schema] = {}
        self._questions: dict[str, Schema] = {}
        self._answers: dict[str, Schema] = {}
        rows = tuple(rows)
        schemas, kept = TypeAdapter.json_schemas(
            [
                *((("?", row.name), "validation", TypeAdapter(row.asks)) for row in rows),
                *(
                    (("!", row.name), "serialization", TypeAdapter(row.answers))
                    for row in _answered_as_json(rows)
                ),
            ],
            ref_template=_REFERENCE,
        )
        self._defined: dict[str, Schema] = _tidy(kept["$defs"])
        # It leaves out `data` by a function, of which pydantic can tell nothing.
        self._defined["ErrorEnvelope"] = _tidy(TypeAdapter(ErrorEnvelope).json_schema())
        for row in rows:
            self._questions[row.name] = _tidy(schemas[("?", row.name), "validation"])
        for row in _answered_as_json(rows):
            self._answers[row.name] = _tidy(schemas[("!", row.name), "serialization"])

    def question(self, row: AnyOperation) -> Schema:
        """All that a row asks, in one object schema."""
        return self.resolved(self._questions[row.name])

    def parameter(self, row: AnyOperation, name: str) -> Schema:
        """One value of a path or a query string, where nothing can be null."""
        schema = self.question(row)["properties"][name]
        if "anyOf" in schema:
            given = [each for each in schema["anyOf"] if each != {"type": "null"}]
            rest = {key: value for key, value in schema.items() if key != "anyOf"}
            schema = given[0] | rest if len(given) == 1 else {**schema, "anyOf": given}
        return {"minLength": 1, **schema} if name in row.path_names else dict(schema)

    def body(self, row: AnyOperation) -> Schema:
        """What travels in a row's body: its question without what stands in the path."""
        question = self.question(row)
        outside = set(row.path_names)
        schema = {
            **question,
            "properties": {
                name: each for name, each in question["properties"].items() if name not in outside
            },
            "required": [name for name in question.get("required", ()) if name not in outside],
        }
        if not schema["required"]:
            del schema["required"]
        if not schema["properties"]:
            return self.of(Nothing)
        return self.publish(row.asks.__name__, schema)

    def answer(self, row: AnyOperation) -> Schema:
        """What a row answers."""
        return self.use(self._answers[row.name])

    def of(self, shape: type[Wire]) -> Schema:
        """One shape, by name, whether or not a row answers it."""
        if shape.__name__ not in self._defined:
            schema = _tidy(shape.model_json_schema(mode="serialization", ref_template=_REFERENCE))
            self._defined = schema.pop("$defs", {}) | {shape.__name__: schema} | self._defined
        return self.use({"$ref": _REFERENCE.format(model=shape.__name__)})

    def publish(self, name: str, schema: Schema) -> Schema:
        """Make a schema a component with everything it refers to; answers the reference."""
        self.components.setdefault(name, schema)
        self.use(schema)
        return {"$ref": _REFERENCE.format(model=name)}

    def use(self, schema: Schema) -> Schema:
        """Publish whatever a schema refers to, and answer the schema."""
        for name in _references(schema):
            if name not in self.components:
                self.components[name] = self._defined[name]
                self.use(self._defined[name])
        return schema

    def resolved(self, schema: Schema) -> Schema:
        """What a reference stands for; any other schema is its own."""
        if "$ref" not in schema:
            return schema
        name = schema["$ref"].rpartition("/")[2]
        return self.components[name] if name in self.components else self._defined[name]


def _answered_as_json(rows: Sequence[AnyOperation]) -> Iterator[AnyOperation]:
    return (row for row in rows if not isinstance(row.body, Download))


def _references(schema: object) -> Iterator[str]:
    """The names of the components that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for each in schema.values():
            yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _tidy(schema: Any) -> Any:
    """Without titles that only repeat names and defaults that only say what absence is."""
    if isinstance(schema, list):
        return [_tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidied: Schema = {}
    for key, value in schema.items():
        # A property may be called `title`; then its value is a schema and no text.
        if (key == "title" and isinstance(value, str)) or (
            key == "default" and value in (None, [])
        ):
            continue
        tidied[key] = _one_line(value) if key == "description" else _tidy(value)
    if tidied.get("type") == "integer" and tidied.get("maximum", 0) > _LARGEST_INT32:
        tidied["format"] = "int64"
    return tidied


def _one_line(text: object) -> object:
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text) if isinstance(text, str) else _tidy(text)
