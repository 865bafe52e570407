"""`finplan mcp`: desktop agents are told how to start finplan, and nothing else of theirs is touched."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from finplan.client.desktop_agents import AGENTS
from tests.cli.conftest import Run
from tests.patience import LONG_ENOUGH


@pytest.fixture
def person(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a person whose agents are configured below it."""
    own = home / "person"
    own.mkdir()
    monkeypatch.setenv("HOME", str(own))
    monkeypatch.delenv("APPDATA", raising=False)
    return own


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_is_told_and_untold(finplan: Run, person: Path, home: Path, name: str) -> None:
    """Installed twice it stands there once, whatever else is there stays, and a copy is kept."""
    agent = AGENTS[name]
    path = agent.path(person)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = {"theme": "dark", agent.table: {"other": {"command": "x"}}}
    path.write_text(json.dumps(before))
    path.chmod(0o600)

    first = finplan("mcp", "install", name, "--read-only")
    second = finplan("mcp", "install", name, "--read-only")
    told = json.loads(path.read_text())
    removed = finplan("mcp", "uninstall", name)
    again = finplan("mcp", "uninstall", name)

    assert (first.code, second.code, removed.code, again.code) == (0, 0, 0, 0)
    assert agent.title in first.err
    assert "already" in second.err
    assert "finplan is not set up" in again.err
    entry = told[agent.table].pop("finplan")
    assert told == before
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-m", "finplan", "mcp", "serve", "--read-only"]
    assert entry["env"]["FINPLAN_HOME"] == str(home)
    assert entry.get("type") == ("stdio" if agent.typed else None)
    assert json.loads(path.read_text()) == before
    kept = sorted(path.parent.glob(f"{path.name}.before-finplan-*"))
    assert json.loads(kept[0].read_text()) == before
    assert {each.stat().st_mode & 0o777 for each in (path, *kept)} == {0o600}


def test_an_agent_without_a_configuration(finplan: Run, person: Path) -> None:
    """One is made, with the profile that was chosen."""
    ended = finplan("--demo", "mcp", "install", "cursor")
    told = json.loads((person / ".cursor" / "mcp.json").read_text())
    assert ended.code == 0
    assert told["mcpServers"]["finplan"]["args"][2:] == ["--profile", "demo", "mcp", "serve"]


def test_an_agent_starts_the_daemon_that_commands_start(
    finplan: Run, person: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What this shell sets goes along and is said: places, profile, settings; secrets stay here."""
    authorities = home / "authorities.pem"
    authorities.write_text("")
    monkeypatch.chdir(home)
    for name, value in {
        "FINPLAN_HOME": ".",
        "FINPLAN_PROFILE": "work",
        "FINPLAN_PORT": "8499",
        "FINPLAN_WEBHOOK_CA": str(authorities),
        "FINPLAN_DATA_KEY": "c2VjcmV0",
        "XDG_DATA_HOME": str(home / "elsewhere"),
    }.items():
        monkeypatch.setenv(name, value)
    ended = finplan("mcp", "install", "cursor")
    assert ended.code == 0, ended.err
    shown = finplan("mcp", "install", "cursor", "--print")
    entry = json.loads((person / ".cursor" / "mcp.json").read_text())["mcpServers"]["finplan"]

    assert entry["args"] == ["-m", "finplan", "--profile", "work", "mcp", "serve"]
    assert entry["env"] == {
        "FINPLAN_HOME": str(home),
        "FINPLAN_PORT": "8499",
        "FINPLAN_WEBHOOK_CA": str(authorities),
    }
    for said in (ended.err, shown.err):
        assert "(FINPLAN_PORT, FINPLAN_WEBHOOK_CA)" in said
        assert "does not include these secrets: FINPLAN_DATA_KEY." in said
    assert json.loads(shown.out)["mcpServers"]["finplan"] == entry


def test_places_of_the_system_go_along(
    finplan: Run, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a home of its own, finplan's files are where the system's variables say."""
    monkeypatch.delenv("FINPLAN_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(person / "data"))
    ended = finplan("mcp", "install", "cursor", "--print")
    entry = json.loads(ended.out)["mcpServers"]["finplan"]
    assert entry["env"] == {"XDG_DATA_HOME": str(person / "data")}
    assert entry["args"] == ["-m", "finplan", "mcp", "serve"]
    assert "FINPLAN_" not in ended.err


def test_what_was_made_is_taken_back(finplan: Run, person: Path) -> None:
    """A configuration that was made for finplan goes with it; one that holds more by then stays."""
    path = person / ".cursor" / "mcp.json"
    assert finplan("mcp", "install", "cursor").code == 0
    ended = finplan("mcp", "uninstall", "cursor")
    assert ended.err.endswith(f"Deleted {path}: it contained nothing else.\n")
    assert list(path.parent.iterdir()) == []

    assert finplan("mcp", "install", "cursor").code == 0
    told = json.loads(path.read_text())
    told["mcpServers"]["other"] = {"command": "x"}
    path.write_text(json.dumps(told))
    assert "Deleted" not in finplan("mcp", "uninstall", "cursor").err
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {"command": "x"}}}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        '{"mcpServers":{}}',
        '{"zoom":1.50,\r\n\t"mcpServers": {"other": {"command": "x"}}}',
        '{"theme": "\\u00fc", "on": true}\n\n',
    ],
    ids=str,
)
def test_it_is_byte_for_byte_what_it_was(finplan: Run, person: Path, content: str) -> None:
    """Taken back, a configuration is written as its person wrote it, however often it was told."""
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_bytes(content.encode())
    assert finplan("mcp", "install", "cursor").code == 0
    assert finplan("mcp", "install", "cursor", "--read-only").code == 0
    assert finplan("mcp", "uninstall", "cursor").code == 0
    assert path.read_bytes() == content.encode()


@pytest.mark.parametrize(
    ("before", "since"),
    [
        ({"theme": "dark"}, {"theme": "light"}),
        ({"on": True}, {"on": 1}),
        ({"mcpServers": {"other": {}}}, {"mcpServers": {}}),
        ({"mcpServers": {}}, {"mcpServers": {}, "theme": "dark"}),
    ],
    ids=str,
)
def test_what_was_changed_since_stays(
    finplan: Run, person: Path, before: dict[str, object], since: dict[str, object]
) -> None:
    """A copy from before is no word against what the person, or the agent, wrote later."""
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(json.dumps(before))
    assert finplan("mcp", "install", "cursor").code == 0
    servers = {"finplan": json.loads(path.read_text())["mcpServers"]["finplan"]}
    path.write_text(
        json.dumps(
            {"mcpServers": servers}
            | {name: value for name, value in since.items() if name != "mcpServers"}
        )
    )
    assert finplan("mcp", "uninstall", "cursor").code == 0
    assert json.dumps(json.loads(path.read_text())) == json.dumps(since)


def test_print_writes_nothing(finplan: Run, person: Path) -> None:
    """--print shows on stdout what would be written, and on stderr where."""
    ended = finplan("mcp", "install", "vscode", "--print")
    path = AGENTS["vscode"].path(person)
    assert json.loads(ended.out)["servers"]["finplan"]["type"] == "stdio"
    assert (
        ended.err
        == f"Visual Studio Code reads its configuration from {path}. The entry for finplan is:\n"
    )
    assert not path.exists()


@pytest.mark.parametrize(
    "content", ["{ // mine\n}", "[]", '{"mcpServers": []}', '{"mcpServers": '], ids=str
)
def test_a_configuration_that_is_not_understood(finplan: Run, person: Path, content: str) -> None:
    """It is was not changed, byte for byte, and the person is told what to add by hand."""
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(content)
    ended = finplan("mcp", "install", "cursor")
    assert ended.code == 4
    assert "was not changed" in ended.err
    assert "--print" in ended.err
    assert path.read_text() == content
    assert list(path.parent.iterdir()) == [path]


LENIENT = {
    "half a character": ('{"theme": "\\ud83d"}', "invalid character, '\\ud83d'"),
    "no number": ('{"zoom": NaN}', "not valid JSON"),
    "without end": ('{"zoom": -Infinity}', "not valid JSON"),
    "too large": ('{"zoom": 1e999}', "not valid JSON"),
    "deep": ('{"a": ' * 5000 + "1" + "}" * 5000, "nested too deeply"),
}


@pytest.mark.parametrize("case", LENIENT)
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_what_could_not_be_written_again(finplan: Run, person: Path, case: str, verb: str) -> None:
    """What is read but is no JSON to write is refused in words, and nothing stands beside the file."""
    content, said = LENIENT[case]
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(content)
    ended = finplan("mcp", verb, "cursor")
    assert ended.code == 4
    assert said in ended.err
    assert "was not changed" in ended.err
    assert path.read_text() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_configuration_that_is_kept_elsewhere(finplan: Run, person: Path) -> None:
    """A link to a file of the person's own stays one."""
    kept = person / "dotfiles.json"
    kept.write_text("{}")
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.symlink_to(kept)
    assert finplan("mcp", "install", "cursor").code == 0
    assert path.is_symlink()
    assert "finplan" in json.loads(kept.read_text())["mcpServers"]


def test_an_agent_that_nobody_knows(finplan: Run, person: Path) -> None:
    """A near name is offered."""
    ended = finplan("mcp", "install", "claud-desktop")
    assert ended.code == 2
    assert "'claude-desktop'" in ended.err


@pytest.mark.thorough
@pytest.mark.parametrize("words", [("mcp", "serve"), ("mcp",)], ids=" ".join)
def test_it_serves_on_stdin_and_stdout(finplan: Run, home: Path, words: tuple[str, ...]) -> None:
    """A real process answers what it is asked, one line each, and ends when nothing more comes.

    Configurations of an earlier install start `finplan mcp` alone, which serves too.
    """
    assert finplan("--demo", "daemon", "start").code == 0
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "list_accounts", "arguments": {}, "_meta": meta},
        },
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "finplan", "--demo", *words],
        input="".join(json.dumps(each) + "\n" for each in asked),
        capture_output=True,
        text=True,
        env=dict(os.environ),
        timeout=LONG_ENOUGH,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = {each["id"]: each["result"] for each in map(json.loads, ended.stdout.splitlines())}
    assert {each["name"] for each in told[1]["tools"]} > {"get_plan", "build_plan"}
    assert told[2]["structuredContent"]["accounts"]
