"""The root of the command line: which command lives where, and how a run ends.

A command's module is imported when the command is called, so that help and version stay quick.
"""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from errno import ENOSPC
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from finplan import __version__
from finplan.cli.console.errors import report_failure
from finplan.cli.console.options import (
    PLAIN_OPTIONS,
    CommandApp,
    GlobalOptions,
    Group,
    examples,
)
from finplan.cli.console.output import print_details, unwritten, writing
from finplan.client.failures import CallFailed
from finplan.setting_values import SettingsError
from finplan.settings import read_settings


class CommandEntry(NamedTuple):
    """Where a command lives, under which heading of the help it stands, and what it is for."""

    place: str
    """The module, and behind a colon what the command is called there if it is not `app`."""
    heading: str
    summary: str

    def load(self) -> Any:
        """Import the module, and take the command from there."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(f"finplan.cli.commands.{module}"), name or "app")


COMMANDS = {
    "tui": CommandEntry(
        "tui", "Your money", "Your money on the whole screen, by keys or by mouse."
    ),
    "plan": CommandEntry(
        "plan", "Your money", "Build, show and explain plans, and how they changed."
    ),
    "snapshot": CommandEntry(
        "standing:snapshot_app", "Your money", "What is safe to spend now, and why."
    ),
    "spending": CommandEntry(
        "spending", "Your money", "Exact totals by category, merchant, tag or month."
    ),
    "forecast": CommandEntry(
        "standing:forecast_app", "Your money", "The days ahead: what cash will be, and why."
    ),
    "watch": CommandEntry(
        "standing:watch_app", "Your money", "Today's figures, drawn anew when they change."
    ),
    "wealth": CommandEntry(
        "standing:wealth_app", "Your money", "What you own and owe, today and over time."
    ),
    "accounts": CommandEntry(
        "accounts", "Your money", "Accounts and balances; correct or hide one."
    ),
    "transactions": CommandEntry(
        "transactions:transactions_app",
        "Your money",
        "Single transactions; find some, or say what one is for.",
    ),
    "recurring": CommandEntry(
        "detection:recurring_app", "Your money", "Charges and income that come again."
    ),
    "export": CommandEntry(
        "export:export_app", "Your money", "Transactions as JSON, CSV or a journal."
    ),
    "connect": CommandEntry("connect", "Your data", "Link a bank, and fetch what it has."),
    "connections": CommandEntry(
        "connections:connections_app", "Your data", "The linked banks: list, show, sync, remove."
    ),
    "sync": CommandEntry("connections:sync_app", "Your data", "Fetch what is new at your banks."),
    "import": CommandEntry(
        "import_files", "Your data", "Import files: statements of banks, exports of other programs."
    ),
    "imports": CommandEntry(
        "imports", "Your data", "Past imports: list, undo; how files are read."
    ),
    "tasks": CommandEntry("tasks", "Your data", "Questions that only you can answer."),
    "transfers": CommandEntry(
        "detection:transfers_app", "Your data", "Money moved between your own accounts."
    ),
    "duplicates": CommandEntry(
        "detection:duplicates_app", "Your data", "Rows and accounts seen twice."
    ),
    "rules": CommandEntry("rules", "Your data", "Which payee belongs to which category."),
    "categories": CommandEntry(
        "categories", "Your data", "The categories there are, and your own ones."
    ),
    "open": CommandEntry(
        "people:open_app", "Access", "Open finplan in your browser, signed in as you."
    ),
    "people": CommandEntry("people:people_app", "Access", "Who has an account here."),
    "invites": CommandEntry(
        "people:invites_app",
        "Access",
        "Let another person have an account here: create, list, revoke.",
    ),
    "sessions": CommandEntry(
        "people:sessions_app", "Access", "The browsers that are signed in as you: list, end."
    ),
    "keys": CommandEntry(
        "programs:keys_app", "Access", "API keys for other programs: create, list, revoke."
    ),
    "mcp": CommandEntry(
        "mcp", "Access", "Your finances for desktop agents: serve, install, uninstall."
    ),
    "clients": CommandEntry(
        "programs:clients_app", "Access", "Programs that ask you for access: create, list, revoke."
    ),
    "agents": CommandEntry(
        "programs:agents_app",
        "Access",
        "Agents that act for you since you claimed them: list, revoke.",
    ),
    "webhooks": CommandEntry(
        "webhooks",
        "Access",
        "Addresses that are told of what happens: add, test, deliveries.",
    ),
    "audit": CommandEntry(
        "people:audit_app", "Access", "Who came in with what, and what was given and taken back."
    ),
    "settings": CommandEntry(
        "settings:settings_app", "Setup", "Currency, time zone, budget shares, fund target."
    ),
    "me": CommandEntry(
        "settings:me_app", "Setup", "Who you are; set a password; delete everything of yours."
    ),
    "secrets": CommandEntry(
        "installation:secrets_app", "Setup", "Where the key to the secrets in the store is kept."
    ),
    "backup": CommandEntry(
        "backup", "Setup", "Backups of your data: list, create, verify, restore."
    ),
    "config": CommandEntry(
        "installation:config_app", "Setup", "How finplan is set up on this machine, and why."
    ),
    "daemon": CommandEntry("daemon", "Setup", "The program in the background that holds the data."),
    "completions": CommandEntry(
        "installation:completions_app",
        "Setup",
        "A script by which your shell completes commands, options and names.",
    ),
    "doctor": CommandEntry(
        "installation:doctor_app", "Setup", "Look for what is wrong with the installation."
    ),
}


HOME_COMMAND = "home"
HOME = CommandEntry(
    "standing:home_app", "", "What is safe to spend, what to do next, and where to go on."
)
"""What is meant where no command is named on a terminal; it stands in no list."""

CALLED_OTHERWISE = {
    "answer": ("tasks answer",),
    "backups": ("backup",),
    "restore": ("backup restore",),
    "balance": ("accounts",),
    "balances": ("accounts",),
    "bank": ("connect",),
    "banks": ("connections", "connect"),
    "bills": ("recurring",),
    "budget": ("plan show",),
    "cashflow": ("forecast",),
    "debts": ("plan explain debtStrategy",),
    "find": ("transactions find",),
    "help": ("--help",),
    "income": ("plan show", "recurring"),
    "jobs": ("daemon jobs",),
    "link": ("connect",),
    "login": ("open",),
    "logs": ("daemon logs",),
    "merchants": ("spending --by merchant",),
    "months": ("spending --by month",),
    "net-worth": ("wealth",),
    "networth": ("wealth",),
    "note": ("transactions note",),
    "payees": ("spending --by merchant",),
    "profile": ("config",),
    "questions": ("tasks",),
    "restart": ("daemon stop", "daemon start"),
    "schedule": ("daemon jobs",),
    "search": ("transactions find",),
    "split": ("transactions split",),
    "start": ("daemon start",),
    "status": ("daemon status", "connections"),
    "stop": ("daemon stop",),
    "subscriptions": ("recurring",),
    "tag": ("transactions tag",),
    "tags": ("spending --by tag",),
    "token": ("keys create",),
    "tokens": ("keys",),
    "undo": ("tasks undo", "transactions undo", "imports undo"),
    "upload": ("import",),
    "users": ("people",),
    "version": ("--version",),
}
"""Where what people ask the root for is found: as another command, below one, or as an option."""


_ALIKE = 0.8
"""How alike two words are of which one is a slip of the other."""


class Root(Group):
    """The root group: it knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # Typer names it.
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # Typer names it.
        """Import the module of a command and take its command from there."""
        place = HOME if cmd_name == HOME_COMMAND else COMMANDS.get(cmd_name)
        if place is None:
            return None
        command = typer.main.get_command(place.load())
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or name those with a similar name."""
        if args[0] not in (*COMMANDS, HOME_COMMAND) and not args[0].startswith("-"):
            near = " or ".join(map(repr, _commands_near(args[0])))
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {near}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # Typer names it.
        """List the commands under their headings, without importing any."""
        for heading in dict.fromkeys(place.heading for place in COMMANDS.values()):
            with formatter.section(heading):
                formatter.write_dl(
                    [(name, at.summary) for name, at in COMMANDS.items() if at.heading == heading]
                )


def _commands_near(typed: str) -> Sequence[str]:
    """What may have been meant by a command that does not exist."""
    if typed in CALLED_OTHERWISE:
        return CALLED_OTHERWISE[typed]
    names = get_close_matches(typed, [*CALLED_OTHERWISE, *COMMANDS], cutoff=_ALIKE)
    meant: dict[str, None] = {}
    for name in names or get_close_matches(typed, COMMANDS):
        meant.update(dict.fromkeys(CALLED_OTHERWISE.get(name, (name,))))
    return [*meant]


def _show_version(value: bool) -> None:  # Typer hands it over so.
    if value:
        sys.stdout.write(f"finplan {__version__}\n")
        raise typer.Exit


root = CommandApp(
    cls=Root,
    epilog=examples(
        "finplan plan build --demo      A plan for a made-up household",
        "finplan import statement.ofx   Your own bank's statement",
        "finplan spending --by month    What each month cost",
    ),
)


@root.callback()
def finplan(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Plan your money from your own bank data, on your own machine."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and answer its exit code; never raises, never shows a traceback."""
    choices = GlobalOptions()
    try:
        command = typer.main.get_command(root)
        ended = command.main(
            _meant(arguments), prog_name="finplan", standalone_mode=False, obj=choices
        )
        # Help and version are written by the library, which leaves them to be flushed.
        with writing():
            pass
    except typer.Exit as left:
        return left.exit_code
    except Exception as error:  # noqa: BLE001  # Whatever happens, the person gets a sentence.
        # The library flushes help by itself; nothing but stdout is written in this process.
        if isinstance(error, OSError) and error.errno == ENOSPC:
            error = unwritten(error)
        if choices.json and isinstance(error, CallFailed) and error.status == 409 and error.data:
            print_details(error)
        return report_failure(error, _crash_file(choices))
    return ended if isinstance(ended, int) else 0


def is_looked_at() -> bool:
    """Whether a person looks at what is printed."""
    return sys.stdout.isatty()


def _meant(arguments: Sequence[str]) -> list[str]:
    """The command line that was meant: options alone ask how it stands, or in a pipe for the help."""
    typed = list(arguments)
    rest = list(typed)
    while rest and rest[0].partition("=")[0] in (*PLAIN_OPTIONS, "--profile"):
        takes_next = rest[0] == "--profile"
        rest = rest[1 + takes_next :]
    if rest:
        return typed
    return [*typed, HOME_COMMAND if is_looked_at() or "--json" in typed else "--help"]


def _crash_file(choices: GlobalOptions) -> Path | None:
    try:
        return read_settings(choices.profile_name)[0].places.state / "crash.log"
    except (SettingsError, typer.BadParameter):
        return None
