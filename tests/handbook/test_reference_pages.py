"""Pages of the handbook that are made from the code are those that the code makes now."""

import json
import os
from collections.abc import Callable, Mapping
from typing import get_args

import pytest

from finplan.cli.app import COMMANDS
from finplan.daemon.surfaces.mcp.docs_server import DOCS_TOOLS
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.handbook.pages import FOLDER, handbook, read_page
from finplan.model.webhook import EVENT_SHAPES, WebhookEventType
from finplan.operations.table import OPERATIONS
from finplan.settings import describe, load_settings
from tests.handbook.reference.commands import page_of_commands
from tests.handbook.reference.errors import faults, page_of_errors
from tests.handbook.reference.events import example_of, page_of_events
from tests.handbook.reference.routes import page_of_routes
from tests.handbook.reference.settings import MEANINGS, machine_settings, page_of_settings
from tests.handbook.reference.tools import page_of_tools

PAGES: Mapping[str, Callable[[], str]] = {
    "commands": page_of_commands,
    "errors": page_of_errors,
    "events": page_of_events,
    "routes": page_of_routes,
    "settings": page_of_settings,
    "tools": page_of_tools,
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
    assert {each.code for each in faults()} <= set(page_of_errors().split("`"))


def test_every_command_is_told() -> None:
    """Each command has a section with its usage; no option stands twice in one of them."""
    found = titles("commands")
    assert {f"finplan {name}" for name in COMMANDS} < set(found)
    assert {"finplan plan build", "finplan webhooks listen", "finplan mcp install"} < set(found)
    for each in read_page("commands", page_of_commands()).sections:
        if each.title.startswith("finplan "):
            rows = [line.split("|")[1] for line in each.text.splitlines() if line[:1] == "|"]
            assert f"    {each.title}" in each.text
            assert len(rows) == len(set(rows)), each.title


def test_every_route_is_told() -> None:
    """Each row of the table of operations has a section with its scope and all that it is asked."""
    sections = {each.title: each.text for each in read_page("routes", page_of_routes()).sections}
    for row in OPERATIONS:
        told = sections[f"{row.method} {row.path}"]
        assert f"Scope `{row.scope}`; `operationId` `{row.name}`" in told
        for name in (*row.path_names, *row.other_names):
            assert f"| `{name}` |" in told, (row.name, name)


def test_every_tool_is_told() -> None:
    """Each tool of both servers has a section with its arguments, and says whether it writes."""
    sections = {each.title: each.text for each in read_page("tools", page_of_tools()).sections}
    for tool in TOOLS.values():
        told = sections[tool.name]
        assert ("Reads; changes nothing." in told) is (tool.effect == "reads")
        assert f"`service:{tool.scope}`" in told
        for name, field in tool.asks.model_fields.items():
            assert f"| `{field.alias or name}` |" in told, (tool.name, name)
    assert set(DOCS_TOOLS) < set(sections)


def test_every_setting_is_told() -> None:
    """Each setting of a machine stands there with its variable and what it means, and no other."""
    assert tuple(MEANINGS) == machine_settings()
    assert set(machine_settings()) == {name for name, *_ in describe(load_settings(environ={}))}
    page = page_of_settings()
    for name in machine_settings():
        assert f"| `{name}` |" in page
        assert f"| `FINPLAN_{name.upper()}` |" in page


def test_every_event_is_told() -> None:
    """Each event has a section, and its example is what a delivery of it may be."""
    assert set(get_args(WebhookEventType)) < set(titles("events"))
    for shape, kind in zip(EVENT_SHAPES, get_args(WebhookEventType), strict=True):
        shape.model_validate_json(json.dumps(example_of(kind)))
