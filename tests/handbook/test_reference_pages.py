"""Pages of the handbook and of the manual made from the code are those that the code makes now.

A formatter of manuals takes the manual's; the page of the numbers names every figure, as it is
called in JSON; a route that a page names is one of the interface.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

import finplan
from finplan.cli.app import COMMANDS
from finplan.client.request import API_ROOT
from finplan.daemon.surfaces.mcp.docs_server import DOCS_TOOLS
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.handbook.pages import FOLDER, handbook, read_page
from finplan.model.base import Wire
from finplan.model.explain import SECTIONS
from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot, Wealth
from finplan.model.webhook import EVENT_SHAPES, WebhookEventType
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.settings import describe, load_settings
from finplan.store.handbook_index import handbook_index
from tests.daemon.running import RunningDaemon
from tests.handbook import reference
from tests.handbook.shown import pages

PAGES: Mapping[str, Callable[[], str]] = {
    "commands": reference.page_of_commands,
    "errors": reference.page_of_errors,
    "events": reference.page_of_events,
    "routes": reference.page_of_routes,
    "settings": reference.page_of_settings,
    "tools": reference.page_of_tools,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_made_from_the_code_is_current(name: str) -> None:
    """What the page tells is what the code holds now; `GOLDEN=write` writes it anew."""
    path, made = FOLDER / "reference" / f"{name}.md", PAGES[name]()
    if os.environ.get("GOLDEN") == "write":
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made


def titles(name: str) -> list[str]:
    return [each.title for each in read_page(name, PAGES[name]()).sections]


def test_every_page_of_references_is_held_to_the_code() -> None:
    """The references are what the code makes, and the numbers, which `test_numbers` compares."""
    stems = {path.stem for path in (FOLDER / "reference").glob("*.md")}
    assert stems == {*PAGES, "numbers"}
    assert stems <= set(handbook())


def test_every_error_code_is_told() -> None:
    """Each code that a caller can be told stands on its page."""
    assert {each.code for each in reference.faults()} <= set(reference.page_of_errors().split("`"))


def test_every_command_is_told() -> None:
    """Each command has a section with its usage; no option stands twice in one of them."""
    found = titles("commands")
    assert {f"finplan {name}" for name in COMMANDS} < set(found)
    assert {"finplan plan build", "finplan webhooks listen", "finplan mcp install"} < set(found)
    for each in read_page("commands", reference.page_of_commands()).sections:
        if each.title.startswith("finplan "):
            rows = [line.split("|")[1] for line in each.text.splitlines() if line[:1] == "|"]
            assert f"    {each.title}" in each.text
            assert len(rows) == len(set(rows)), each.title


def test_every_route_is_told() -> None:
    """Each row of the table of operations has a section with its scope and all that it is asked."""
    sections = {
        each.title: each.text for each in read_page("routes", reference.page_of_routes()).sections
    }
    for row in OPERATIONS:
        told = sections[f"{row.method} {row.path}"]
        assert f"Scope `{row.scope}`; `operationId` `{row.name}`" in told
        for name in (*row.path_names, *row.other_names):
            assert f"| `{name}` |" in told, (row.name, name)


def test_every_tool_is_told() -> None:
    """Each tool of both servers has a section with its arguments, and says whether it writes."""
    sections = {
        each.title: each.text for each in read_page("tools", reference.page_of_tools()).sections
    }
    for tool in TOOLS.values():
        told = sections[tool.name]
        assert ("This tool reads data and changes nothing." in told) is (tool.effect == "reads")
        assert f"`service:{tool.scope}`" in told
        for name, field in tool.asks.model_fields.items():
            assert f"| `{field.alias or name}` |" in told, (tool.name, name)
    assert set(DOCS_TOOLS) < set(sections)


def test_every_setting_is_told() -> None:
    """Each setting of a machine stands there with its variable and what it means, and no other."""
    assert tuple(reference.MEANINGS) == reference.machine_settings()
    assert set(reference.machine_settings()) == {
        name for name, *_ in describe(load_settings(environ={}))
    }
    page = reference.page_of_settings()
    for name in reference.machine_settings():
        assert f"| `{name}` |" in page
        assert f"| `FINPLAN_{name.upper()}` |" in page


def test_every_event_is_told() -> None:
    """Each event has a section, and its example is what a delivery of it may be."""
    assert set(get_args(WebhookEventType)) < set(titles("events"))
    for shape, kind in zip(EVENT_SHAPES, get_args(WebhookEventType), strict=True):
        shape.model_validate_json(json.dumps(reference.example_of(kind)))


MANUAL = Path(finplan.__file__).parent.parent / "man"
MANUAL_PAGES = reference.pages_of_the_manual()


def test_there_is_a_page_for_each_command_and_no_other() -> None:
    """Who types `man finplan-spending` finds it, and finds nothing of what is gone."""
    if os.environ.get("GOLDEN") == "write":
        MANUAL.mkdir(exist_ok=True)
        for name, text in MANUAL_PAGES.items():
            (MANUAL / name).write_text(text, encoding="utf-8")
    kept = {path.name for path in MANUAL.iterdir()}
    assert kept == {"finplan.1", *(f"finplan-{name}.1" for name in COMMANDS)}


@pytest.mark.parametrize("name", MANUAL_PAGES)
def test_a_page_is_current(name: str) -> None:
    """What the page tells is what the command says of itself; `GOLDEN=write` writes it anew."""
    assert (MANUAL / name).read_text(encoding="utf-8") == MANUAL_PAGES[name]


@pytest.mark.thorough
@pytest.mark.skipif(
    shutil.which("groff") is None, reason="groff, which formats manuals, is missing"
)
def test_a_formatter_takes_every_page() -> None:
    """No page makes the formatter of manuals warn, and each shows its name and its synopsis."""
    for name in MANUAL_PAGES:
        ended = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-Kutf8", MANUAL / name],
            capture_output=True,
            check=True,
        )
        assert ended.stderr == b""
        shown = ended.stdout.decode().replace("\N{MINUS SIGN}", "-").replace("\N{HYPHEN}", "-")
        assert f"{name.removesuffix('.1')} - " in " ".join(shown.split())


def shapes_in(kind: Any) -> Iterator[type[Wire]]:
    """The shapes that a field may hold, one by itself or in a list."""
    if isinstance(kind, type) and issubclass(kind, Wire):
        yield kind
    for each in get_args(kind):
        yield from shapes_in(each)


def parts(shape: type[Wire]) -> Iterator[tuple[str, str, type[Wire] | None]]:
    """The parts of a shape: the name in JSON, the name of a figure of it, and the shape within."""
    for name, field in shape.model_fields.items():
        outside = field.alias or name
        inner = next(shapes_in(field.annotation), None)
        many = "tuple" in str(field.annotation)
        yield outside, f"{outside}[]" if many else outside, inner


def figures(shape: type[Wire], above: str = "") -> Iterator[tuple[str, str]]:
    """Every field that holds no other fields: the whole name, and the last one."""
    for outside, leading, inner in parts(shape):
        if inner is None:
            yield f"{above}{outside}", outside
        else:
            yield from figures(inner, f"{above}{leading}.")


def page() -> str:
    return handbook()["numbers"].markdown


@pytest.mark.parametrize("name", [name for name, _ in figures(Plan)])
def test_every_field_of_the_plan_is_told(name: str) -> None:
    """A field of the plan stands on the page by its whole name, or by its own where its list is told."""
    above, _, own = name.rpartition(".")
    told = re.split(r"^#+ ", page(), flags=re.MULTILINE)
    its_list = f"`{above.removesuffix('[]')}`"
    assert f"`{name}`" in page() or any(its_list in text and f"`{own}`" in text for text in told)


@pytest.mark.parametrize("shape", [Snapshot, Wealth])
def test_every_part_of_the_live_view_is_told(shape: type[Wire]) -> None:
    """A part of what is safe to spend, or of wealth, stands on the page by its name."""
    told = page()
    for outside, _, inner in parts(shape):
        assert re.search(rf"`{outside}[`.\[]", told), outside
        if inner is not None and outside in {"allowance", "period", "due", "balances", "gaps"}:
            for own, *_ in parts(inner):
                assert re.search(rf"`{outside}\.{own}[`.\[]", told), f"{outside}.{own}"


def test_every_section_that_is_explained_is_told() -> None:
    """What `finplan plan explain` explains stands on the page."""
    for name in SECTIONS:
        assert name.lower() in page().lower(), name


@pytest.mark.parametrize(
    ("asked", "section"),
    [
        ("monthly.savingsRate", "savings-rate-or-share-left-over-monthlysavingsrate"),
        ("how is the savings rate made", "savings-rate-or-share-left-over-monthlysavingsrate"),
        ("monthly.dailyAllowance", "the-plans-daily-budget-monthlydailyallowance"),
        ("emergencyFund.monthsCovered", "months-it-lasts-emergencyfundmonthscovered"),
        (
            "debt.monthlyPayment",
            "to-be-paid-and-months-until-clear-debtmonthlypayment-debtmonthstoclear",
        ),
        ("budget targetShare", "target-budgettarget-budgettargetshare"),
    ],
)
def test_a_figure_is_found_by_its_name(asked: str, section: str) -> None:
    """Who asks for a figure by its name finds the section that tells of it among the first pages."""
    best = {each.page.name: each.sections[0] for each in handbook_index().find(asked, 3)}
    assert best["numbers"].place == f"numbers#{section}"


NAMED = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^` ]*)(?: ([^`]+))?`")
APART = frozenset({"/ask"})
"""Routes that are no rows of the table."""

Route = tuple[str, str, str]


def routes() -> Iterator[Route]:
    """Method, path and body of each route that a page names."""
    for page in pages():
        if page.parent.name != "reference":
            yield from NAMED.findall(page.read_text())


def row_of(method: str, path: str) -> AnyOperation | None:
    """The row of a route, whose parameters may be written as a page likes."""
    bare = re.sub(r"/(?:\{\w+\}|[A-Z]+)(?=/|$)", "/{}", path.removeprefix(API_ROOT))
    return next(
        (
            row
            for row in OPERATIONS
            if (row.method, re.sub(r"\{\w+\}", "{}", row.path)) == (method, bare)
        ),
        None,
    )


def asked(row: AnyOperation, body: str) -> dict[str, Any]:
    """What a page asks a route; a body of bare names stands for its fields."""
    if not body:
        return {}
    if '"' in body:
        fields: dict[str, Any] = json.loads(body)
        return fields
    return dict.fromkeys(re.findall(r"\w+", body))


@pytest.mark.parametrize("route", sorted(set(routes())), ids=" ".join)
def test_a_route_that_is_named_is_there(route: Route) -> None:
    """Its method and path are a row's, and so are the names of what it is asked."""
    method, target, body = route
    parts = urlsplit(target)
    row = row_of(method, parts.path)
    if row is None:
        assert parts.path in APART
        return
    known = {field.alias or name for name, field in row.asks.model_fields.items()}
    named = {*asked(row, body), *dict(parse_qsl(parts.query))}
    assert named <= known, (named, known)
    if '"' in body:
        row.asks.model_validate_json(body)


ASKED = {"query": {"text": "which files can I import", "max_results": 10}}


async def test_a_question_to_the_handbook_is_answered(daemon: RunningDaemon) -> None:
    """The body that a page shows for it is taken, with the streaming that it speaks of, too."""
    shown = next(page.read_text() for page in pages() if page.name == "programs.md")
    assert '{"query": {"text": "…", "max_results": 10}}' in shown
    assert '"prefer": {"streaming": true}' in shown
    for more in ({}, {"prefer": {"streaming": True}}):
        answered: httpx.Response = await daemon.http.post("/ask", json={**ASKED, **more})
        assert answered.status_code == 200
        assert "statements" in answered.text
