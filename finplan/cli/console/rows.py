"""Answers as rows for other programs: `--csv`, and `--fields` for the columns of them.

The rows are the items of an answer that is a list, or of the one list of things that it has. What
stands inside a thing is a column of its own, as `account.name`. Money is written with its decimals, in
the row's own currency or the household's, and an instant as a day and time in UTC; `--json` has both as
the integers that they are.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter

from finplan.cli.console.errors import USAGE, CommandError
from finplan.model.base import Amount, Timestamp
from finplan.model.money import to_text
from finplan.operation import AnyOperation

FlatRow = dict[str, Any]
_MONEY = TypeAdapter(Amount).json_schema()["description"]
_INSTANT = TypeAdapter(Timestamp).json_schema()["description"]
_CURRENCIES = ("currency", "account.currency")
"""Where a row says the currency of its money, if it does."""

_BY_MONTH = "totals"
"""The sums of a row, one for each of the answer's months."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""With what a text begins that a spreadsheet would take for a formula."""


class RowsShape:
    """What an operation answers, as its published schema says it."""

    def __init__(self, operation: AnyOperation) -> None:
        self._schema = TypeAdapter(operation.answers).json_schema(by_alias=True)
        self._root = self._resolved(self._schema)
        self.rows_at = self._place_of_rows()

    def _place_of_rows(self) -> str | None:
        """The name of the list whose items are rows, empty where the answer is one, None for no rows."""
        if self._root.get("type") == "array":
            return ""
        lists = [
            name
            for name, schema in self._root.get("properties", {}).items()
            if self._is_list_of_things(self._resolved(schema))
        ]
        return lists[0] if len(lists) == 1 else None

    def columns(self) -> dict[str, str | None]:
        """The columns of a row in their order, each with the description of what it holds."""
        at = self.rows_at
        listed = self._resolved(self._root["properties"][at]) if at else self._root
        kinds: dict[str, str | None] = {}
        self._gather(self._resolved(listed["items"]), "", kinds)
        return kinds

    def _gather(self, schema: Mapping[str, Any], before: str, kinds: dict[str, str | None]) -> None:
        for choice in schema.get("oneOf", ()):
            self._gather(self._resolved(choice), before, kinds)
        for name, field in schema.get("properties", {}).items():
            inner = self._resolved(field)
            if "properties" in inner:
                self._gather(inner, f"{before}{name}.", kinds)
            else:
                kinds.setdefault(f"{before}{name}", self._description(field))

    def _description(self, schema: Mapping[str, Any]) -> str | None:
        schemas = [schema, *(self._resolved(choice) for choice in schema.get("anyOf", ()))]
        texts = (choice.get("description") for choice in schemas)
        return next((text for text in texts if text in (_MONEY, _INSTANT)), None)

    def _is_list_of_things(self, schema: Mapping[str, Any]) -> bool:
        if schema.get("type") != "array":
            return False
        item = self._resolved(schema["items"])
        return "properties" in item or "oneOf" in item

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema that a reference leads to; of one that may be null, what it is otherwise."""
        while True:
            if "$ref" in schema:
                schema = self._schema["$defs"][schema["$ref"].rpartition("/")[2]]
                continue
            others = [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]
            if len(others) != 1:
                return schema
            schema = others[0]


class RowsTable:
    """The rows of an operation's answers, of one page or of several, with the columns that are wanted.

    Raises a CommandError for a field that there is not; `?` lists those that there are.
    """

    def __init__(self, operation: AnyOperation, fields: str | None) -> None:
        self._shape = RowsShape(operation)
        self._kinds = self._shape.columns()
        self._fields = fields
        self._names = _chosen(fields, self._kinds)
        self._months: list[str] = []
        self._rows: list[FlatRow] = []

    def take(self, content: bytes) -> str | None:
        """Add the rows of an answer's JSON, and answer where the next page begins, None for no other."""
        answer = json.loads(content)
        key = self._shape.rows_at
        things = answer if key == "" else answer[key] or ()
        if key != "" and "months" in answer:
            self._months = answer["months"]
        self._rows += [dict(_flat(record, "")) for record in things]
        return None if key == "" else answer.get("nextCursor")

    def as_csv(self, currency: str) -> bytes:
        """The rows under their names, as RFC 4180 has it; months beside each other are columns."""
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow([head for name in self._names for head in self._heads(name)])
        for row in self._rows:
            own = next((row[key] for key in _CURRENCIES if row.get(key)), currency)
            table.writerow([cell for name in self._names for cell in self._cells(row, name, own)])
        return written.getvalue().encode()

    def as_json(self) -> bytes:
        """The rows with these fields alone, each value as the daemon has it."""
        rows = [{name: row.get(name) for name in self._names} for row in self._rows]
        return json.dumps(rows).encode()

    def _heads(self, name: str) -> Sequence[str]:
        return self._months if name == _BY_MONTH and self._months else (name,)

    def _cells(self, row: FlatRow, name: str, currency: str) -> Sequence[str]:
        value, kind = row.get(name), self._kinds.get(name)
        if name == _BY_MONTH and self._months:
            return [_cell(amount, _MONEY, currency) for amount in value or ()]
        return (_cell(value, kind, currency),)


def _chosen(fields: str | None, columns: Iterable[str]) -> list[str]:
    """The columns that were asked for, all of them where none were. Raises a CommandError."""
    available = list(columns)
    if fields is None:
        return available
    names = [name.strip() for name in fields.split(",") if name.strip()]
    unknown = [name for name in names if name not in available]
    if unknown or not names:
        what = f"Unknown field {unknown[0]!r}." if unknown else "--fields needs at least one field."
        if names == ["?"]:
            what = ""
        raise CommandError(f"{what} Fields: {', '.join(available)}.".strip(), USAGE)
    return names


def _flat(thing: Mapping[str, Any], before: str) -> Iterable[tuple[str, Any]]:
    for name, value in thing.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _cell(value: Any, kind: str | None, currency: str) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() if kind == _MONEY:
            return f"{'-' if value < 0 else ''}{to_text(abs(value), currency)}"
        case int() if kind == _INSTANT:
            return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
        case list():
            return json.dumps(value, ensure_ascii=False)
    text = str(value)
    # A program that opens it must not run what a stranger wrote into a payee's name.
    return f"'{text}" if isinstance(value, str) and text.startswith(_RISKY) else text
