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
ReadOnly = Annotated[bool, flag("--read-only", "Offer only what reads.")]
_ON_A_TERMINAL = (
    "This speaks MCP on stdin and stdout, for an agent that starts it. `finplan mcp install AGENT` tells"
    " one how; Ctrl-D ends this."
)


@app.callback(
    epilog=examples(
        "finplan mcp install claude-desktop    Tell Claude Desktop of finplan",
        "finplan mcp install vscode --print    Only show what would be written",
        "finplan mcp uninstall cursor          Take it back",
        "finplan mcp serve --read-only         Serve, and refuse changes",
    )
)
def mcp(context: typer.Context, read_only: ReadOnly = False) -> None:
    """Your finances for desktop agents: serve, install, uninstall.

    Without a command it does the same as `finplan mcp serve`.
    """
    if context.invoked_subcommand is None:
        _serve(context, read_only=read_only)


@app.command(epilog=examples("finplan mcp serve", "finplan --demo mcp serve --read-only"))
def serve(context: typer.Context, read_only: ReadOnly = False) -> None:
    """Serve MCP on stdin and stdout, for an agent that starts it.

    The agent can do what you can do on this machine. It starts the daemon if needed. No key is saved.
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
        bool, flag("--print", "Only show what would be written, and where.")
    ] = False,
    read_only: ReadOnly = False,
) -> None:
    """Write finplan into an agent's configuration, of which a copy is kept."""
    session, chosen = Session.of(context), _agent(agent)
    settings = session.settings
    environment = environment_of_places(settings) | environment_of_settings(settings)
    arguments = _arguments(context, settings, read_only=read_only)
    told = desktop_agents.entry(chosen, arguments, environment)
    path = chosen.path(Path.home())
    if only_print or session.options.json:
        shown = {chosen.table: {desktop_agents.ENTRY: told}}
        if session.options.json:
            session.print_own({"path": str(path), "entry": shown})
        else:
            session.say(f"{chosen.title} reads {path}:")
            session.print_lines(json.dumps(shown, indent=2))
        if only_print:
            _say_what_goes_along(session)
            return
    written = _changed(lambda now: desktop_agents.install(chosen, path, told, now), path)
    if not written.changed:
        session.say(f"{chosen.title} knows finplan already, by {written.path}.")
        return
    session.say(f"{chosen.title} knows finplan now, by {written.path}; start it anew.")
    _say_what_goes_along(session)
    _say_backup(session, written)


@app.command(epilog=examples("finplan mcp uninstall cursor"))
def uninstall(context: typer.Context, agent: AgentName) -> None:
    """Take finplan out of an agent's configuration; everything else in it stays."""
    session, chosen = Session.of(context), _agent(agent)
    path = chosen.path(Path.home())
    written = _changed(lambda now: desktop_agents.uninstall(chosen, path, now), path)
    if not written.changed:
        session.say(f"{chosen.title} knows no finplan: {written.path} does not name it.")
        return
    session.say(f"{chosen.title} knows finplan no more; start it anew.")
    if written.is_gone:
        session.say(f"{written.path} is gone: it held nothing else.")
    _say_backup(session, written)


def _agent(name: str) -> desktop_agents.DesktopAgent:
    known = desktop_agents.AGENTS
    if name in known:
        return known[name]
    near = get_close_matches(name.casefold(), known, n=3)
    hint = (
        f" Did you mean {' or '.join(map(repr, near))}?"
        if near
        else f" Known are {', '.join(known)}."
    )
    raise typer.BadParameter(
        f"finplan knows no agent {name!r}.{hint} Any other that takes a command over stdio can be told"
        " what `finplan mcp install cursor --print` shows.",
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
            f"With it go the settings of this shell ({', '.join(settings)}), so that a daemon that it"
            " starts is the one that your commands start."
        )
    secrets = [name for name in SECRET_VARIABLES if os.environ.get(name)]
    if secrets:
        session.say(
            f"Not written there, being secret: {' and '.join(secrets)} of this shell. A daemon that the"
            " agent starts does without; start it yourself first, with `finplan daemon start`."
        )


def _changed(
    change: "Callable[[datetime], desktop_agents.Written]", path: Path
) -> desktop_agents.Written:
    try:
        return change(datetime.now(UTC))
    except desktop_agents.UnreadableConfiguration as refusal:
        raise CommandError(f"{refusal} Add by hand what --print shows.", NOT_THERE) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CommandError(f"{path} cannot be written: {why}.", NOT_ALLOWED) from None


def _say_backup(session: Session, written: desktop_agents.Written) -> None:
    if written.backup is not None:
        session.say(f"What it was is kept as {written.backup}.")


def _write(line: str) -> None:
    # Whoever reads has gone: the next line that is read tells.
    with suppress(BrokenPipeError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


async def _lines() -> "AsyncIterator[bytes]":
    """The lines of stdin, as they come; read on a thread, since it may be a file or a terminal."""
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        yield line
