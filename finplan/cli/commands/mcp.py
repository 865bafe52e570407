"""`finplan mcp`: your finances for the desktop agents on this machine."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from finplan.cli.console.errors import NOT_ALLOWED, NOT_THERE, CommandError
from finplan.cli.console.options import (
    CommandApp,
    argument,
    examples,
    flag,
    global_options,
    said_before,
)
from finplan.cli.console.session import Session
from finplan.client import desktop_agents
from finplan.client.connect import start
from finplan.settings import (
    SECRET_VARIABLES,
    Settings,
    environment_of_places,
    environment_of_settings,
)

app = CommandApp(invoke_without_command=True)

AgentName = Annotated[
    str, argument("AGENT", "claude-desktop, claude-code, vscode, cursor, windsurf or gemini-cli.")
]
ReadOnly = Annotated[bool, flag("--read-only", "Let the agent read your data, but not change it.")]
_ON_A_TERMINAL = (
    "Serving MCP on stdin and stdout. Agents start this command themselves. To set up an"
    " agent, run `finplan mcp"
    " install AGENT`. Press Ctrl-D to quit."
)


@app.callback(
    epilog=examples(
        "finplan mcp install claude-desktop    Add finplan to Claude Desktop",
        "finplan mcp install vscode --print    Show the entry, write nothing",
        "finplan mcp uninstall cursor          Remove finplan from Cursor",
        "finplan mcp serve --read-only         Serve without write access",
    )
)
def mcp(context: typer.Context, read_only: ReadOnly = False) -> None:
    """Connect desktop agents to your finances.

    Without a command, this is the same as `finplan mcp serve`.
    """
    if context.invoked_subcommand is None:
        _serve(context, read_only=read_only)


@app.command(epilog=examples("finplan mcp serve", "finplan --demo mcp serve --read-only"))
def serve(context: typer.Context, read_only: ReadOnly = False) -> None:
    """Serve MCP on stdin and stdout; agents start this command themselves.

    The agent can do everything that you can do on this machine. This command starts the background
    service if needed, and saves no key.
    """
    _serve(context, read_only=read_only)


def _serve(context: typer.Context, *, read_only: bool) -> None:
    from finplan.client.mcp_pipe import Pipe

    session = Session.of(context)
    if sys.stdin.isatty():
        session.say(_ON_A_TERMINAL)
    only_read = read_only or said_before(context, "read_only")
    pipe = Pipe(lambda: start(session.settings, session.say), _write, only_read=only_read)
    asyncio.run(pipe.carry(_lines()))


@app.command(
    epilog=examples(
        "finplan mcp install cursor", "finplan mcp install claude-code --read-only --demo"
    )
)
def install(
    context: typer.Context,
    agent: AgentName,
    only_print: Annotated[
        bool, flag("--print", "Show what would be added, and to which file; change nothing.")
    ] = False,
    read_only: ReadOnly = False,
) -> None:
    """Add finplan to an agent's configuration; a backup is saved first."""
    session, chosen = Session.of(context), _agent(agent)
    settings = session.settings
    environment = environment_of_places(settings) | environment_of_settings(settings)
    arguments = _arguments(context, settings, read_only=read_only)
    entry = desktop_agents.entry(chosen, arguments, environment)
    path = chosen.path(Path.home())
    if only_print or session.options.json:
        table = {chosen.table: {desktop_agents.ENTRY: entry}}
        if session.options.json:
            session.print_own({"path": str(path), "entry": table})
        else:
            session.say(
                f"{chosen.title} reads its configuration from {path}. The entry for finplan is:"
            )
            session.print_lines(json.dumps(table, indent=2))
        if only_print:
            _say_what_goes_along(session)
            return
    written = _changed(lambda now: desktop_agents.install(chosen, path, entry, now), path)
    if not written.changed:
        session.say(f"finplan is already set up in {chosen.title}, in {written.path}.")
        return
    session.say(f"Added finplan to {chosen.title}, in {written.path}. Restart {chosen.title}.")
    _say_what_goes_along(session)
    _say_backup(session, written)


@app.command(epilog=examples("finplan mcp uninstall cursor"))
def uninstall(context: typer.Context, agent: AgentName) -> None:
    """Remove finplan from an agent's configuration; its other settings stay."""
    session, chosen = Session.of(context), _agent(agent)
    path = chosen.path(Path.home())
    written = _changed(lambda now: desktop_agents.uninstall(chosen, path, now), path)
    if not written.changed:
        session.say(f"finplan is not set up in {chosen.title}: no entry in {written.path}.")
        return
    session.say(f"Removed finplan from {chosen.title}. Restart {chosen.title}.")
    if written.is_gone:
        session.say(f"Deleted {written.path}: it contained nothing else.")
    _say_backup(session, written)


def _agent(name: str) -> desktop_agents.DesktopAgent:
    agents = desktop_agents.AGENTS
    if name in agents:
        return agents[name]
    near = get_close_matches(name.casefold(), agents, n=3)
    hint = (
        f" Did you mean {' or '.join(map(repr, near))}?"
        if near
        else f" Supported: {', '.join(agents)}."
    )
    raise typer.BadParameter(
        f"Unknown agent {name!r}.{hint} For any other agent that uses stdio, add the entry that"
        " `finplan mcp install cursor --print` shows.",
        param_hint="AGENT",
    )


def _arguments(context: typer.Context, settings: Settings, *, read_only: bool) -> tuple[str, ...]:
    """What the agent's command names besides: whose data, and whether they are only read."""
    read_only = read_only or said_before(context, "read_only")
    # An agent starts with an environment of its own, which knows nothing of this shell's profile.
    is_chosen = global_options(context).profile_name or os.environ.get("FINPLAN_PROFILE")
    chosen = ("--profile", settings.profile) if is_chosen else ()
    return (*chosen, "mcp", "serve", *(("--read-only",) if read_only else ()))


def _say_what_goes_along(session: Session) -> None:
    """Tell which settings of this shell the agent has now, and which secrets it has not."""
    settings = environment_of_settings(session.settings)
    if settings:
        session.say(
            f"The entry includes this shell's settings ({', '.join(settings)}), so the agent starts the"
            " same background service as your commands."
        )
    secrets = [name for name in SECRET_VARIABLES if os.environ.get(name)]
    if secrets:
        session.say(
            f"The entry does not include these secrets: {' and '.join(secrets)}. If the agent"
            " starts the background service, the service does not have these secrets. Start the"
            " service yourself first: `finplan daemon start`."
        )


def _changed(
    change: "Callable[[datetime], desktop_agents.Written]", path: Path
) -> desktop_agents.Written:
    try:
        return change(datetime.now(UTC))
    except desktop_agents.UnreadableConfiguration as refusal:
        raise CommandError(
            f"{refusal} Add the entry by hand: --print shows it.", NOT_THERE
        ) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CommandError(f"Cannot write {path}: {why}.", NOT_ALLOWED) from None


def _say_backup(session: Session, written: desktop_agents.Written) -> None:
    if written.backup is not None:
        session.say(f"Backup: {written.backup}")


def _write(line: str) -> None:
    # Whoever reads has gone: the next line that is read tells.
    with suppress(BrokenPipeError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


async def _lines() -> "AsyncIterator[bytes]":
    """The lines of stdin, as they come; read on a thread, since it may be a file or a terminal."""
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        yield line
