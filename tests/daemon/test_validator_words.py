"""What does not fit a shape is told in sentences, whatever shape it is of."""

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from finplan.daemon.errors import InvalidInput, refusal_of
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.model.base import Wire, read_json, read_query
from finplan.operations.table import OPERATIONS

SHAPES: dict[str, type[Wire]] = {
    **{row.name: row.asks for row in OPERATIONS},
    **{tool.name: tool.asks for tool in TOOLS.values()},
}

FOOLISH: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 10**17, "", " ", "zzz", "2026-02-30", "x" * 9000, [], {}),
    *([{}], [None], ["", 7], ["a"] * 9000, {"zzz": 1}, [{"kind": "zzz"}]),
)

OF_THE_VALIDATOR = re.compile(
    r"\b(Input|String|Tuple|List|Set|Value|Data|Object|Dictionary|Datetimes|Field) "
    r"|\bvalid (int|str|bool|num|date|list|tuple|dict)|validation|validator|pydantic|unable to"
)


def complaints(asks: type[Wire]) -> Iterator[str]:
    """All that is said of a shape whose fields hold foolish values, in a body and in a query."""
    names = [field.alias or name for name, field in asks.model_fields.items()]
    for name in [*names, "zzz"]:
        for value in FOOLISH:
            try:
                read_json(asks, json.dumps({name: value}))
            except ValidationError as error:
                yield from _said(error)
        for word in ("", "zzz", "1.5", "-1", "9" * 5000, "2026-02-30"):
            try:
                read_query(asks, {name: [word]})
            except ValidationError as error:
                yield from _said(error)


def _said(error: ValidationError) -> list[str]:
    refusal = refusal_of(error)
    assert isinstance(refusal, InvalidInput)
    assert refusal.data is not None
    return [issue["message"] for issue in refusal.data["issues"]]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", SHAPES)
def test_no_validator_speaks(name: str) -> None:
    """Whatever does not fit a row or a tool is refused in a sentence, never as a validator says it."""
    said = set(complaints(SHAPES[name]))
    assert not sorted(each for each in said if OF_THE_VALIDATOR.search(each))
    assert all(each[0].isupper() and not each.endswith(".") for each in said)


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("set_category_rules", {"rules": []}, "This must have at least 1, and has 0"),
        ("change_transaction", {"id": "x", "splits": []}, "This must have at least 2, and has 0"),
        ("get_forecast", {"days": 0}, "This must be 1 or more"),
        ("get_forecast", {"days": 121}, "This must be 120 or less"),
        ("get_forecast", {"days": "7"}, "This must be a whole number"),
        ("query_spending", {"period": ""}, "This must not be empty"),
        ("query_spending", {"period": "x" * 81}, "This must have at most 80 characters"),
        ("query_spending", {"period": 7}, "This must be a text"),
        ("query_spending", {"byMonth": "yes"}, "This must be true or false"),
        (
            "query_spending",
            {"groupBy": "x"},
            "This must be 'category', 'merchant', 'month' or 'account'",
        ),
        ("query_spending", {"category": 7}, "This must be a list"),
        ("query_spending", {"from": "2026-02-30"}, "There is no such day in the calendar"),
        ("query_spending", {"from": "yesterday"}, "A day is written YYYY-MM-DD"),
        ("set_category_rules", {"rules": ["rent"]}, "This must be an object"),
        ("change_transaction", {}, "This property is required"),
        ("get_plan", {"zzz": 1}, "This property is not known here"),
    ],
)
def test_each_complaint_says_what_it_takes(tool: str, given: dict[str, Any], told: str) -> None:
    """What is wrong with a value is told by what may stand there."""
    with pytest.raises(ValidationError) as caught:
        read_json(SHAPES[tool], json.dumps(given))
    assert _said(caught.value) == [told]


def test_a_short_text_is_told_how_long_it_must_be() -> None:
    """A text that must have several characters is told how many."""
    shape: TypeAdapter[str] = TypeAdapter(Annotated[str, Field(min_length=8)])
    with pytest.raises(ValidationError) as caught:
        shape.validate_python("abc")
    assert _said(caught.value) == ["This must have at least 8 characters"]


def test_a_list_of_what_does_not_fit_is_not_called_short() -> None:
    """What is wrong within a list is told, and not that the rest of it would be too short."""
    rules = [{"merchant": "A", "category": ""}, "rent"]
    with pytest.raises(ValidationError) as caught:
        read_json(SHAPES["set_category_rules"], json.dumps({"rules": rules}))
    refusal = refusal_of(caught.value)
    assert refusal.data is not None
    assert [each["path"] for each in refusal.data["issues"]] == [
        ["rules", 0, "category"],
        ["rules", 1],
    ]
