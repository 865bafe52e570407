"""The desktop agents that finplan can be put into: where each keeps its servers of MCP, and how.

The places and shapes are those that their makers document (November 2026). A configuration is changed in
one entry alone, after a copy of it was kept; one that cannot be read is left as it is.
"""

import glob
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

ENTRY = "finplan"
"""What the server is called in a configuration."""


_COPY = ".before-finplan-"
"""What follows the name of a configuration in those of its copies, before the time."""


class UnreadableConfiguration(Exception):
    """A configuration that is no plain JSON object, or not of its maker's shape; it was not touched."""


@dataclass(frozen=True, slots=True)
class DesktopAgent:
    """A program with a configuration: its places by platform in the home, and its table."""

    title: str
    places: Mapping[str, str]
    table: str
    typed: bool = False

    def path(self, home: Path, platform: str = sys.platform) -> Path:
        """Where its configuration is on a platform."""
        location = self.places.get(platform) or self.places["linux"]
        if location.startswith("%APPDATA%"):
            base = os.environ.get("APPDATA")
            appdata = Path(base) if base else home / "AppData" / "Roaming"
            return appdata / location.removeprefix("%APPDATA%/")
        return home / location


def _everywhere(path: str) -> dict[str, str]:
    return dict.fromkeys(("linux", "darwin", "win32"), path)


AGENTS: Mapping[str, DesktopAgent] = {
    "claude-desktop": DesktopAgent(
        "Claude Desktop",
        {
            "linux": ".config/Claude/claude_desktop_config.json",
            "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "%APPDATA%/Claude/claude_desktop_config.json",
        },
        "mcpServers",
    ),
    "claude-code": DesktopAgent(
        "Claude Code", _everywhere(".claude.json"), "mcpServers", typed=True
    ),
    "vscode": DesktopAgent(
        "Visual Studio Code",
        {
            "linux": ".config/Code/User/mcp.json",
            "darwin": "Library/Application Support/Code/User/mcp.json",
            "win32": "%APPDATA%/Code/User/mcp.json",
        },
        "servers",
        typed=True,
    ),
    "cursor": DesktopAgent("Cursor", _everywhere(".cursor/mcp.json"), "mcpServers"),
    "windsurf": DesktopAgent(
        "Windsurf", _everywhere(".codeium/windsurf/mcp_config.json"), "mcpServers"
    ),
    "gemini-cli": DesktopAgent("Gemini CLI", _everywhere(".gemini/settings.json"), "mcpServers"),
}
"""The agents by the names that a person types."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was done: the configuration, the copy of what it was, and whether anything is changed now.

    One that `is_gone` held nothing but the server, for which it had been made.
    """

    path: Path
    backup: Path | None
    changed: bool
    is_gone: bool = False


def entry(
    agent: DesktopAgent, arguments: tuple[str, ...], environment: Mapping[str, str]
) -> dict[str, Any]:
    """What a configuration says of the server: the command that is started, and its environment."""
    server: dict[str, Any] = {"type": "stdio"} if agent.typed else {}
    server |= {"command": sys.executable, "args": ["-m", "finplan", *arguments]}
    return server | ({"env": dict(environment)} if environment else {})


def install(agent: DesktopAgent, path: Path, server: Mapping[str, Any], now: datetime) -> Written:
    """Put the server into a configuration, which is made where there is none.

    Raises UnreadableConfiguration, and OSError where it cannot be written.
    """
    configuration = _read(path, agent)
    table = configuration.setdefault(agent.table, {})
    if table.get(ENTRY) == server:
        return Written(path, None, changed=False)
    table[ENTRY] = dict(server)
    return Written(path, _replace(path, _text(configuration), now), changed=True)


def uninstall(agent: DesktopAgent, path: Path, now: datetime) -> Written:
    """Take the server out of a configuration; everything else in it stays. Raises as `install`.

    Where nothing else was changed since, it is byte for byte what it was before the server came.
    """
    configuration = _read(path, agent) if path.exists() else {}
    if ENTRY not in configuration.get(agent.table, {}):
        return Written(path, None, changed=False)
    del configuration[agent.table][ENTRY]
    target = path.resolve()
    copies = sorted(target.parent.glob(f"{glob.escape(target.name)}{_COPY}*"), reverse=True)
    if not copies and configuration == {agent.table: {}}:
        # Of what was there before it a copy would be here.
        target.unlink()
        return Written(path, None, changed=True, is_gone=True)
    earlier = dict(_kept_without(agent, copies))
    came_with_it = bool(earlier) and not any(agent.table in content for content in earlier.values())
    if came_with_it and not configuration[agent.table]:
        del configuration[agent.table]
    text = _text(configuration)
    before = next((copy for copy, content in earlier.items() if _text(content) == text), None)
    return Written(path, _replace(path, before.read_bytes() if before else text, now), changed=True)


def _kept_without(
    agent: DesktopAgent, copies: Sequence[Path]
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The copies from before the server came, and what they hold."""
    for copy in copies:
        with suppress(UnreadableConfiguration, OSError):
            content = _read(copy, agent)
            if ENTRY not in content.get(agent.table, {}):
                yield copy, content


def _read(path: Path, agent: DesktopAgent) -> dict[str, Any]:
    if not path.exists():
        return {}
    why = None
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8") or "{}")
        # What is read more leniently than it is written is refused while nothing is touched.
        _text(content)
    except RecursionError:
        why = "is nested too deeply"
    except UnicodeEncodeError as error:
        why = f"has an invalid character, {error.object[error.start]!a}"
    except ValueError as error:
        why = f"is not valid JSON ({error})"
    else:
        if not isinstance(content, dict) or not isinstance(content.get(agent.table, {}), dict):
            why = f"lacks a valid {agent.table!r} of {agent.title}"
    if why is not None:
        raise UnreadableConfiguration(f"{path} {why}. It was not changed.")
    return content


def _text(configuration: Mapping[str, Any]) -> bytes:
    """A configuration as it is written. Raises ValueError and RecursionError for what JSON is not."""
    text = json.dumps(configuration, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def _replace(path: Path, text: bytes, now: datetime) -> Path | None:
    """Write a configuration whole or not at all; answers the copy of what it was."""
    # A person may keep it elsewhere and link to it, which stays so.
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    backup = None
    if target.exists():
        backup = _unused(target.with_name(f"{target.name}{_COPY}{now:%Y%m%d-%H%M%S}"))
        shutil.copy2(target, backup)
    with tempfile.NamedTemporaryFile(
        dir=target.parent, prefix=f".{target.name}.", delete=False
    ) as draft:
        draft.write(text)
        draft.flush()
        os.fsync(draft.fileno())
    if backup is not None:
        shutil.copymode(backup, draft.name)
    Path(draft.name).replace(target)
    return backup


def _unused(path: Path) -> Path:
    """A name that nothing has: a copy is never written over another."""
    names = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(name for name in chain((path,), names) if not name.exists())
