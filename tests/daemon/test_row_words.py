"""A row carries its words: what is published of it stands on the row, its shapes and its faults.

What is missing is told in a sentence, with the place where it is to be written; so is what does not
fit a shape, whatever shape it is of.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from finplan.daemon.errors import InvalidInput, refusal_of
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.openapi import description as openapi
from finplan.daemon.surfaces.openapi.answers import faults_of
from finplan.model.base import PathId, Wire, read_json, read_query
from finplan.model.credential import KEY_SCOPES
from finplan.model.errors import Fault, Forbidden
from finplan.operation import AnyOperation, Derived, Family, Links, Operation
from finplan.operations.table import OPERATIONS
from finplan.service.authorization.scopes import OFFLINE, SCOPES
from finplan.service.authorization.server import REFRESH_HOLDS
from finplan.service.context import Caller
from finplan.service.dispatch import check_scope

ITS_ROW = "its row in finplan/operations/"
IN_THE_WORDS_OF_A_SCOPE = {
    "You": ("name", "settings"),
    "Banks": ("banks",),
    "Statement files": ("imports",),
    "Accounts": ("accounts",),
    "Transactions": ("every transaction", "as one file"),
    "Detection": ("transfers", "duplicates", "recurring charges"),
    "Plan": ("plan",),
    "Planned money": ("plan",),
    "Questions": ("tasks",),
    "Categories": ("categories", "rules"),
    "Schedule": ("scheduled jobs",),
    "Webhooks": ("webhooks",),
}
"""What a person reads of a scope by which rows of a family may be asked for."""

WHEN_IT_WRITES = {"Transactions": ("single transactions",)}
"""The same of the rows that write, where reading is told otherwise."""

NOTHING_TO_SHOW = frozenset({"list_duplicates"})
"""Rows that have nothing to list in the demo household."""

RECORD = "GOLDEN=write .venv/bin/python -m pytest tests/daemon/test_openapi.py"


def lacking(row: AnyOperation, rows: Sequence[AnyOperation]) -> Iterator[str]:
    """What a row does not tell yet, each in a sentence that says what to add, and where."""
    if not row.summary.endswith("."):
        yield f"{row.name} has no summary: give it a sentence, in {ITS_ROW}."
    yield from lacking_in_family(row.family, rows)
    if row.scope != "session" and f"service:{row.scope}" not in KEY_SCOPES:
        yield f"The scope {row.scope} is not explained: add it to KEY_SCOPES in model/credential.py."
    if row.name not in openapi.examples():
        yield (
            f"{row.name} has no example: say in tests/daemon/recorded.py what is asked, in ASKED, and"
            f" where an id in its path comes from, in FIRST; then record it with `{RECORD}`."
        )
    elif openapi.examples()[row.name].get("answer") == [] and row.name not in NOTHING_TO_SHOW:
        yield (
            f"The example of {row.name} is an empty list: ask for something that the demo household"
            f" has, in ASKED of tests/daemon/recorded.py, and record it with `{RECORD}`."
        )
    for name in parameters(row):
        if not described(row.asks)[name]:
            yield (
                f"The parameter {name} of {row.name} has no description: give its field of"
                f" {row.asks.__qualname__} in {file_of(row.asks)} a Field(description=…)."
            )
    if row.links is not None:
        yield from lacking_in_links(row.name, row.links, rows)
    for fault in faults_of(row):
        yield from lacking_in_fault(fault)


def lacking_in_family(family: Family, rows: Sequence[AnyOperation]) -> Iterator[str]:
    """What a family does not tell yet; two of one name could not be told apart."""
    if not family.about.endswith("."):
        yield f"The family {family.name} has no `about`: give it a sentence where it is made."
    if any(each.family.name == family.name and each.family != family for each in rows):
        yield f"Two families are called {family.name}: name one differently where it is made."


def lacking_in_links(source: str, links: Links, rows: Sequence[AnyOperation]) -> Iterator[str]:
    """Where the links of a row lead to nothing."""
    by_name = {each.name: each for each in rows}
    for name in links.to:
        if name not in by_name:
            yield f"{source} links to {name}, which is no row: correct `to` in {ITS_ROW}."
        elif links.parameter not in parameters(by_name[name]):
            yield (
                f"{source} links to {name}, which has no parameter {links.parameter}: correct"
                f" `parameter` in {ITS_ROW}."
            )


def lacking_in_fault(fault: type[Fault]) -> Iterator[str]:
    """What a fault does not tell yet."""
    if not fault.example:
        yield f"{fault.__name__} has no example: give it an `example = …` in {file_of(fault)}."


def parameters(row: AnyOperation) -> list[str]:
    """The outside names of what travels in a row's path and query string."""
    outside = row.method in ("GET", "DELETE")
    return [name for name in described(row.asks) if outside or name in row.path_names]


def described(shape: type[Wire]) -> dict[str, str | None]:
    """The descriptions of a shape's fields, by their outside names."""
    return {field.alias or name: field.description for name, field in shape.model_fields.items()}


def file_of(thing: type) -> str:
    return f"{thing.__module__.replace('.', '/')}.py"


class BoatQuery(Wire):
    """Which boats: the masts they have."""

    masts: Annotated[int | None, Field(description="Only boats of so many masts.")] = None


class BoatId(Wire):
    """Names one boat."""

    id: PathId


class UnexplainedQuery(Wire):
    """A question that does not tell what its parameter means."""

    masts: int | None = None


class Boat(Wire):
    """One boat."""

    id: str


class Sunk(Fault):
    """The boat went down."""

    code, status = "SUNK", 410


BOATS = Family("Boats", "What floats.")
LIST_BOATS = Operation(
    BOATS,
    *("list_boats", "GET", "/boats"),
    BoatQuery,
    tuple[Boat, ...],
    "read",
    "The boats.",
    Derived(),
    links=Links("/0/id", to=("show_boat",)),
)
SHOW_BOAT = Operation(BOATS, "show_boat", "GET", "/boats/{id}", BoatId, Boat, "read", "One boat.")
WORDLESS = Operation(
    Family("Boats", ""),
    *("sink_boats", "GET", "/boats/sunk"),
    UnexplainedQuery,
    Boat,
    "read",
    "",
    faults=(Sunk,),
    links=Links("/id", to=("show_boat", "raise_boat"), parameter="boat"),
)


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_a_row_tells_all_that_is_published_of_it(row: AnyOperation) -> None:
    """Each row, its family, parameters, links, example and faults are told where they are made."""
    assert not (missing := list(lacking(row, OPERATIONS))), "\n".join(missing)


def test_every_fault_shows_a_sentence() -> None:
    """Each fault of the vocabulary has an example of what it says."""
    vocabulary = [each for each in Fault.__subclasses__() if each is not Sunk]
    missing = [sentence for fault in vocabulary for sentence in lacking_in_fault(fault)]
    assert len(vocabulary) > 15
    assert not missing, "\n".join(missing)


def test_an_example_is_of_a_row() -> None:
    """No example is kept of an operation that is gone."""
    gone = openapi.examples().keys() - {row.name for row in OPERATIONS}
    assert not gone, f"Remove {', '.join(sorted(gone))} from openapi/examples.json."


ALL_THAT_IS_MISSING = [
    "sink_boats has no summary",
    "The family Boats has no `about`",
    "Two families are called Boats",
    "sink_boats has no example",
    "The parameter masts of sink_boats has no description",
    "sink_boats links to show_boat, which has no parameter boat",
    "sink_boats links to raise_boat, which is no row",
    "Sunk has no example",
]


def test_what_is_missing_is_said_in_sentences() -> None:
    """Of a row without words, each missing one is named with the place where it belongs."""
    missing = list(lacking(WORDLESS, (LIST_BOATS, SHOW_BOAT, WORDLESS)))

    assert [sentence.partition(":")[0] for sentence in missing] == ALL_THAT_IS_MISSING
    assert "UnexplainedQuery in tests/daemon/test_row_words.py" in missing[4]


def test_a_row_without_words_is_published_all_the_same() -> None:
    """What a row leaves out is a gap in the description, and stops nobody from reading the rest."""
    document = openapi.document((SHOW_BOAT, WORDLESS), "http://127.0.0.1:8460")
    assert document["paths"]["/boats/sunk"]["get"]["parameters"][0]["description"] == ""


def test_a_new_family_needs_no_entry_elsewhere() -> None:
    """A new family, parameter and link are published from the row and its shapes alone."""
    content = openapi.describe((LIST_BOATS, SHOW_BOAT), "http://127.0.0.1:8460")
    document: dict[str, Any] = json.loads(content)
    listed = document["paths"]["/boats"]["get"]

    assert document["tags"] == [{"name": "Boats", "description": "What floats."}]
    assert listed["tags"] == ["Boats"]
    assert listed["parameters"][0] == {
        "name": "masts",
        "in": "query",
        "required": False,
        "description": described(LIST_BOATS.asks)["masts"],
        "schema": {"type": "integer"},
    }
    assert listed["responses"]["200"]["links"] == {
        "show_boat": {
            "operationId": "show_boat",
            "parameters": {"id": "$response.body#/0/id"},
            "description": "One boat.",
        }
    }


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_a_scope_names_all_that_it_allows(row: AnyOperation) -> None:
    """Whoever grants a scope has read of each family of rows that may be asked for by it."""
    if row.scope == "session":
        return
    words = KEY_SCOPES["service:read" if row.scope == "read" else "service:write"].casefold()
    told = {**IN_THE_WORDS_OF_A_SCOPE, **(WHEN_IT_WRITES if row.scope == "write" else {})}
    wanted: tuple[str, ...] = told[row.family.name]
    assert [word for word in wanted if word not in words] == []


def test_a_scope_tells_how_long_it_holds() -> None:
    """The days that the words promise are those after which an unused access ends."""
    days = timedelta(milliseconds=REFRESH_HOLDS).days
    assert f"{days} days without use" in SCOPES[OFFLINE]


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_a_refusal_reads_as_a_sentence(row: AnyOperation) -> None:
    """A refusal names the action by its whole summary, and then the scope that is missing."""
    with pytest.raises(Forbidden) as refused:
        check_scope(Caller(1, frozenset(), "api_key"), row)

    message = refused.value.message
    action = f"“{row.summary.rstrip('.')}”. "
    assert message.count(action) == 1
    assert ("finplan" if row.scope == "session" else f"service:{row.scope}") in message


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
        ("set_category_rules", {"rules": []}, "This must have at least 1 items, not 0"),
        ("change_transaction", {"id": "x", "splits": []}, "This must have at least 2 items, not 0"),
        ("get_forecast", {"days": 0}, "This must be 1 or more"),
        ("get_forecast", {"days": 121}, "This must be 120 or less"),
        ("get_forecast", {"days": "7"}, "This must be a whole number"),
        ("query_spending", {"period": ""}, "This must not be empty"),
        ("query_spending", {"period": "x" * 81}, "This must have at most 80 characters"),
        ("query_spending", {"period": 7}, "This must be a string"),
        ("query_spending", {"byMonth": "yes"}, "This must be true or false"),
        (
            "query_spending",
            {"groupBy": "x"},
            "This must be 'category', 'merchant', 'tag', 'month' or 'account'",
        ),
        ("query_spending", {"category": 7}, "This must be a list"),
        ("query_spending", {"from": "2026-02-30"}, "This day does not exist in the calendar"),
        ("query_spending", {"from": "yesterday"}, "Write a day as YYYY-MM-DD"),
        ("set_category_rules", {"rules": ["rent"]}, "This must be an object"),
        ("change_transaction", {}, "This property is required"),
        ("get_plan", {"zzz": 1}, "This property is unknown"),
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
    (told,) = _said(caught.value)
    assert "at least 8 characters" in told


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
