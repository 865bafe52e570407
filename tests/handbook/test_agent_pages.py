"""Each desktop agent has a page, which says what is really written and where."""

import json
import re
import shlex
from pathlib import Path

import pytest

from finplan.cli.app import run
from finplan.client.desktop_agents import AGENTS, ENTRY, entry
from finplan.handbook.pages import handbook

PYTHON = "/home/ada/.venv/bin/python"


def test_every_agent_has_a_page_and_is_linked() -> None:
    """Each agent that finplan can be put into has a page, and the page about agents leads to it."""
    pages = {each.name for each in handbook().values() if each.shelf == "agents"}
    assert pages == set(AGENTS)
    for name in pages:
        assert f"](agents/{name}.md)" in handbook()["agents"].markdown
        assert AGENTS[name].title in handbook()[name].title


@pytest.mark.parametrize("name", AGENTS)
def test_a_page_says_what_is_written_and_where(name: str) -> None:
    """The entry and the places on a page are those that are written."""
    agent, page = AGENTS[name], handbook()[name].markdown
    shown = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    told = {**entry(agent, ("mcp", "serve"), {}), "command": PYTHON}
    assert json.loads(shown[1]) == {agent.table: {ENTRY: told}}
    for place in set(agent.places.values()):
        assert f"`{place if place.startswith('%') else f'~/{place}'}`" in page
    assert f"`{Path(agent.places['linux']).name}.before-finplan-`" in page


@pytest.mark.parametrize("name", AGENTS)
def test_the_commands_of_a_page_do_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of a page about the agent works, and the last one leaves what was there before."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path / "finplan"))
    monkeypatch.delenv("APPDATA", raising=False)
    path = AGENTS[name].path(tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = {"theme": "dark", AGENTS[name].table: {"other": {"command": "x"}}}
    path.write_text(json.dumps(before))
    lines = re.findall(
        r"(?:`|^ {4})finplan ((?:--demo )?mcp \w+ [^`\n]+)", handbook()[name].markdown, re.MULTILINE
    )
    lines = [line for line in lines if f"install {name}" in line]
    assert {line.split()[-1] for line in lines} >= {name, "--read-only"}
    assert f"mcp uninstall {name}" in lines
    for line in sorted(lines, key=lambda each: "uninstall" in each):
        assert run(shlex.split(line)) == 0
    assert json.loads(path.read_text()) == before
    assert list(path.parent.glob(f"{path.name}.before-finplan-*"))
