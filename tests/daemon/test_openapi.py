"""The description: valid, whole, true to the table, and reviewed like code; and the page of it.

The page is one file under a strict policy, whole, and fit for everybody.
"""

import base64
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from finplan.daemon.surfaces.openapi import description as openapi, docs
from finplan.daemon.surfaces.openapi.answers import faults_of, takes_a_key
from finplan.daemon.surfaces.openapi.docs import property_table
from finplan.model.errors import Fault
from finplan.operation import Accepts, AnyOperation, Creates, Derived, Upload
from finplan.operations.table import OPERATIONS
from tests.daemon import recorded
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page

SITE = "http://127.0.0.1:8460"
GOLDEN = Path(__file__).parent.parent / "golden" / "openapi.json"
EXAMPLES = Path(openapi.__file__).with_name("examples.json")
WRITING = os.environ.get("GOLDEN") == "write"
EVERY_ROW = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> Document:
    """The description as a program reads it."""
    content: Document = json.loads(openapi.describe(OPERATIONS, SITE))
    return content


def operation(document: Document, row: AnyOperation) -> Document:
    described: Document = document["paths"][row.path][row.method.lower()]
    return described


def resolved(document: Document, schema: Document) -> Document:
    """What a reference stands for."""
    while "$ref" in schema:
        found: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    return schema


def validator(document: Document, schema: Document) -> Draft202012Validator:
    return Draft202012Validator(
        {**schema, "components": document["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


def inside(content: Any) -> Iterator[Any]:
    """Everything in a document, however deep."""
    yield content
    for each in content.values() if isinstance(content, dict) else content:
        if isinstance(each, dict | list):
            yield from inside(each)


@pytest.mark.skipif(not WRITING, reason="Only to record the examples anew, with GOLDEN=write.")
async def test_the_examples_are_recorded(household: RunningDaemon, daemon: RunningDaemon) -> None:
    """The examples are what the demo household's daemon answers.

    Those that are kept stay, since their ids are others at each recording; remove one to have it anew.
    """
    fresh = await recorded.record(household, daemon)
    kept = openapi.examples()
    examples = {name: kept.get(name, fresh[name]) for name in fresh}
    EXAMPLES.write_text(recorded.write(examples), encoding="utf-8")
    openapi.examples.cache_clear()


def test_it_is_the_golden_copy(document: Document) -> None:
    """What is published changes only with the kept copy, which is read like code."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if WRITING:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_it_is_valid(document: Document) -> None:
    """A validator of OpenAPI 3.1 that we did not write finds nothing."""
    validate(document)
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    assert document["servers"][0]["url"] == f"{SITE}/api/v1"


def test_it_has_every_operation_and_no_other(document: Document) -> None:
    """The paths and methods are the table's."""
    places = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert places == {(row.path, row.method.lower()) for row in OPERATIONS}


def test_a_pattern_means_the_same_to_every_reader(document: Document) -> None:
    """No published pattern has a class that Rust, JavaScript and Python hold different letters for."""
    told = [each for each in inside(document) if isinstance(each, dict)]
    patterns = {each["pattern"] for each in told if isinstance(each.get("pattern"), str)}
    assert len(patterns) > 3
    assert not [each for each in patterns if re.search(r"\\[dDwWsSbB]", each)]


@EVERY_ROW
def test_an_operation_is_told_in_full(document: Document, row: AnyOperation) -> None:
    """Name, family, sentence, description, credentials: each operation has them."""
    told = operation(document, row)
    families = [tag["name"] for tag in document["tags"]]

    assert told["operationId"] == row.name
    assert len(told["tags"]) == 1
    assert told["tags"][0] in families
    assert told["summary"]
    assert told["description"]
    schemes = {name for each in told["security"] for name in each}
    if row.scope == "session":
        assert schemes == {"session"}
    else:
        assert schemes == {"apiKey", "oauth", "session"}
        assert {"oauth": [f"service:{row.scope}"]} in told["security"]


@EVERY_ROW
def test_what_is_asked_stands_in_one_place(document: Document, row: AnyOperation) -> None:
    """Each field of the question is a parameter or a property of the body, by its outside name."""
    told = operation(document, row)
    parameters = [resolved(document, each) for each in told["parameters"]]
    places = {each["name"]: each["in"] for each in parameters if each["in"] != "header"}
    properties: Mapping[str, Any] = {}
    if "requestBody" in told:
        (content,) = told["requestBody"]["content"].values()
        properties = resolved(document, content["schema"])["properties"]
    fields = {field.alias or name for name, field in row.asks.model_fields.items()}

    assert {name for name, place in places.items() if place == "path"} == set(row.path_names)
    assert not set(places) & set(properties)
    extra = {"file"} if isinstance(row.body, Upload) else set()
    assert set(places) | set(properties) == fields | extra
    assert all(each["description"] for each in parameters)


@EVERY_ROW
def test_its_answers_are_the_rows(document: Document, row: AnyOperation) -> None:
    """Success is said as the row's body says, and each fault of the row is there by its code."""
    responses = operation(document, row)["responses"]
    successes = {"200"}
    if isinstance(row.body, Creates):
        successes = {"200", "201"} if row.body.again else {"201"}
    if isinstance(row.body, Accepts):
        successes = {"202"}
    if isinstance(row.body, Derived):
        successes.add("304")
    faults = faults_of(row)

    assert set(responses) == successes | {str(fault.status) for fault in faults} | {"500"}
    for fault in faults:
        assert fault.code in codes(document, responses[str(fault.status)])
    assert "INTERNAL_SERVER_ERROR" in codes(document, responses["500"])
    for response in responses.values():
        headers = set(resolved(document, response)["headers"])
        assert headers >= {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}


def codes(document: Document, response: Document) -> set[str]:
    """The codes that an error answer may carry."""
    schema = resolved(document, response)["content"]["application/json"]["schema"]
    schemas = [resolved(document, each) for each in schema.get("oneOf", [schema])]
    return {each["properties"]["code"]["const"] for each in schemas}


def test_every_object_is_closed(document: Document) -> None:
    """No shape takes or has properties that it does not name, as the wire shapes are strict."""
    for name, schema in document["components"]["schemas"].items():
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False, name


def test_every_component_is_used(document: Document) -> None:
    """Nothing is described that no operation has."""
    used = {each["$ref"] for each in inside(document) if isinstance(each, dict) and "$ref" in each}
    assert {
        f"#/components/{kind}/{name}"
        for kind in ("schemas", "responses", "parameters", "headers")
        for name in document["components"][kind]
    } == used


@EVERY_ROW
def test_its_examples_fit(document: Document, row: AnyOperation) -> None:
    """Every example of a parameter, a body or an answer fits the schema beside it."""
    told = operation(document, row)
    shown = [each for each in inside(told) if isinstance(each, dict) and "schema" in each]
    shown += [resolved(document, each) for each in told["parameters"]]
    for each in shown:
        if "example" in each:
            validator(document, each["schema"]).validate(each["example"])
        for example in each.get("examples", {}).values():
            validator(document, each["schema"]).validate(example["value"])


def test_the_shared_examples_fit(document: Document) -> None:
    """The example of each error that operations share fits the error's shape."""
    for response in document["components"]["responses"].values():
        content = response["content"]["application/json"]
        validator(document, content["schema"]).validate(content["example"])


def test_links_lead_to_parameters(document: Document) -> None:
    """Each link names an operation and a parameter that it has."""
    told = {
        each["operationId"]: each
        for methods in document["paths"].values()
        for each in methods.values()
    }
    links = [
        link
        for each in told.values()
        for response in each["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert len(links) > 15
    for link in links:
        names = {
            resolved(document, each)["name"] for each in told[link["operationId"]]["parameters"]
        }
        assert set(link["parameters"]) <= names


def test_a_row_names_its_own_faults() -> None:
    """What every row of its method may meet is not repeated in a row."""
    for row in OPERATIONS:
        assert len(set(row.faults)) == len(row.faults)
        assert all(issubclass(fault, Fault) for fault in row.faults)


async def test_it_is_served_to_anybody(daemon: RunningDaemon) -> None:
    """No credential is needed; the site is this daemon's; who holds it already is told so."""
    daemon.http.cookies.clear()
    first = await daemon.http.get("/api/openapi.json")
    again = await daemon.http.get(
        "/api/openapi.json", headers={"If-None-Match": first.headers["etag"]}
    )

    assert first.status_code == 200
    assert first.headers["content-type"] == "application/json"
    assert first.json()["servers"][0]["url"] == f"{daemon.base_url}/api/v1"
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(docs.render(openapi.document(OPERATIONS, "http://127.0.0.1:8460")).decode())


@pytest.mark.thorough
def test_it_is_one_file_without_scripts(page: Page) -> None:
    """Nothing is loaded and nothing runs: no script, no picture, no style from elsewhere."""
    tags = set(page.tags)
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in page.elements:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
    assert "url(" not in page.text
    assert "@import" not in page.text


def test_its_links_lead_somewhere(page: Page) -> None:
    """Each link is to the description, the handbook or a place here, and no place is there twice."""
    places = Counter(page.values("id"))
    assert [place for place, count in places.items() if count > 1] == []
    for link in page.all("a"):
        elsewhere = link["href"] in {"/api/openapi.json", "/api/docs/handbook"}
        assert elsewhere or link["href"].removeprefix("#") in places


def test_it_tells_every_operation(page: Page) -> None:
    """Each row has a part of its own with its heading, and is in the contents."""
    articles, links = set(page.values("id", "article")), set(page.values("href", "a"))
    assert articles == {row.name for row in OPERATIONS}
    assert {f"#{name}" for name in articles} <= links


def test_what_has_to_be_there_is_marked() -> None:
    """Of what an object has, all that is required is marked as such, and nothing else is."""
    kind = {"type": "string"}
    told = property_table(
        "Fields", {"properties": {"id": kind, "note": kind, "day": kind}, "required": ["id", "day"]}
    )
    assert re.findall(r'<code>(\w+)</code> <span class="required">', told) == ["id", "day"]


def test_everybody_can_find_their_way(page: Page) -> None:
    """A language, a title, landmarks with labels, headings without a gap, named tables and columns."""
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("title")) == len(page.all("main")) == len(page.all("h1")) == 1
    assert [each["aria-label"] for each in page.all("nav")] == ["Contents"]
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(each["scope"] in ("row", "col") for each in page.all("th"))
    for each in page.all("section", "article"):
        assert each["aria-labelledby"] in page.values("id")


def test_no_two_landmarks_are_called_alike(page: Page) -> None:
    """Who steps from landmark to landmark hears each name once, and a dozen or two of them."""
    labels = [each["aria-labelledby"] for each in page.all("section")]
    titles = [re.search(f'id="{label}">([^<]+)<', page.text) for label in labels]
    heard = Counter(title[1] for title in titles if title is not None)
    assert sum(heard.values()) == len(labels) <= 24
    assert [name for name, count in heard.items() if count > 1] == []


def test_no_key_can_be_copied(page: Page) -> None:
    """A command that is copied twice and changed is two requests, since each makes up its own key."""
    description = openapi.document(OPERATIONS, "http://127.0.0.1:8460")
    told = description["components"]["parameters"]["IdempotencyKey"]
    assert "example" not in told
    assert "example" not in told["schema"]
    writing = [row for row in OPERATIONS if takes_a_key(row)]
    assert page.text.count('-H "Idempotency-Key: $(uuidgen)"') == len(writing) > 20


async def test_it_is_served_under_a_strict_policy(daemon: RunningDaemon) -> None:
    """Anybody may read it; the policy allows its own style by hash, and nothing else at all."""
    daemon.http.cookies.clear()
    answer = await daemon.http.get("/api/docs")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    (style,) = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.pop("style-src") == f"'sha256-{digest}'"
    assert set(policy.values()) == {"'none'"}
    assert set(policy) == {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_it_tells_of_this_daemon(daemon: RunningDaemon) -> None:
    """The commands on the page ask the daemon that serves it."""
    answer = await daemon.http.get("/api/docs")
    assert f"curl '{daemon.base_url}/api/v1/me'" in answer.text
