"""The root of the command line: which command lives where, and how a run ends.

A command's module is imported when the command is called, so that help and version stay quick.
"""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from errno import ENOSPC
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer

from finplan import __version__
from finplan.cli.console.errors import report_failure
from finplan.cli.console.options import (
    CommandApp,
    GlobalOptions,
    Group,
    behind_shared_options,
    examples,
)
from finplan.cli.console.output import print_details, unwritten, writing
from finplan.client.failures import CallFailed
from finplan.setting_values import SettingsError
from finplan.settings import Settings, read_settings


class CommandEntry(NamedTuple):
    """Which module a command lives in, and what it is for."""

    module: str
    summary: str

    def load(self, name: str) -> Any:
        """Import the module, and take the command of a name from there: its `app`, or one of several."""
        module = import_module(f"finplan.cli.commands.{self.module}")
        return getattr(module, "app", None) or getattr(module, f"{name.replace('-', '_')}_app")


COMMANDS_BY_HEADING = {
    "Your money": {
        "tui": CommandEntry("tui", "Open finplan in full screen (TUI), for keyboard and mouse."),
        "plan": CommandEntry("plan", "Build, show, compare and explain plans."),
        "snapshot": CommandEntry("overview", "Show what is safe to spend today, and why."),
        "spending": CommandEntry(
            "spending", "Exact spending totals by category, merchant, tag or month."
        ),
        "forecast": CommandEntry("overview", "Forecast your cash, day by day."),
        "watch": CommandEntry("overview", "Live view of today's figures."),
        "wealth": CommandEntry("overview", "Net worth: what you own and owe, today and over time."),
        "accounts": CommandEntry(
            "accounts", "Accounts and balances; add, edit or hide an account."
        ),
        "transactions": CommandEntry(
            "transactions", "List, find, edit, split and tag transactions."
        ),
        "what-if": CommandEntry("plan", "Try changes: show your plan before and after them."),
        "afford": CommandEntry("plan", "See whether you can afford something."),
        "planned": CommandEntry("planned", "Plan payments and income ahead, once or repeated."),
        "recurring": CommandEntry("detection", "Bills, subscriptions and regular income."),
        "export": CommandEntry("export", "Export transactions as JSON, CSV, hledger or beancount."),
    },
    "Your data": {
        "connect": CommandEntry("connect", "Link a bank and fetch its transactions."),
        "connections": CommandEntry("connections", "List, sync and remove linked banks."),
        "sync": CommandEntry("connections", "Fetch new transactions from your banks."),
        "import": CommandEntry(
            "import_files", "Import bank statements and files exported from other programs."
        ),
        "imports": CommandEntry(
            "import_files", "List and undo imports, and show your saved answers about CSV files."
        ),
        "tasks": CommandEntry("tasks", "List and answer the tasks that need you."),
        "transfers": CommandEntry(
            "detection", "List, confirm and reject transfers between your own accounts."
        ),
        "duplicates": CommandEntry("detection", "Possible duplicate transactions and accounts."),
        "rules": CommandEntry("rules", "List, set and remove rules for payees."),
        "categories": CommandEntry("categories", "List, add, rename and remove categories."),
    },
    "Access": {
        "open": CommandEntry("people", "Open finplan in your browser, signed in as you."),
        "people": CommandEntry("people", "People who use finplan here."),
        "invites": CommandEntry("people", "Create, list and revoke invites to use finplan here."),
        "sessions": CommandEntry(
            "people", "List browsers that are signed in as you, or sign them out."
        ),
        "keys": CommandEntry("programs", "Create, list and revoke API keys for other programs."),
        "mcp": CommandEntry("mcp", "Connect desktop agents to your finances."),
        "clients": CommandEntry(
            "programs", "Create, list and revoke OAuth clients (apps that you allowed)."
        ),
        "agents": CommandEntry("programs", "List and revoke agents that you approved with a code."),
        "webhooks": CommandEntry(
            "webhooks", "Add, test and remove webhooks that send events to your URL."
        ),
        "audit": CommandEntry(
            "people", "Access log: sign-ins, and credentials issued and revoked."
        ),
    },
    "Setup": {
        "settings": CommandEntry(
            "settings", "Currency, time zone, budget targets, emergency fund target."
        ),
        "me": CommandEntry("settings", "Your name, email and password; delete all your data."),
        "secrets": CommandEntry(
            "installation", "Show, rotate or move the key that encrypts stored secrets."
        ),
        "backup": CommandEntry("backup", "Create, list, verify and restore backups."),
        "config": CommandEntry(
            "installation", "Settings on this machine, and where each value comes from."
        ),
        "daemon": CommandEntry("daemon", "Start, stop and inspect the background service."),
        "completions": CommandEntry("installation", "Print a completion script for your shell."),
        "doctor": CommandEntry("installation", "Check the installation for problems."),
    },
}
"""The commands in the order of the help."""

COMMANDS = {
    name: entry for entries in COMMANDS_BY_HEADING.values() for name, entry in entries.items()
}

HOME_COMMAND = "home"
HOME = CommandEntry("overview", "Show what is safe to spend and what to do next.")
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
        entry = HOME if cmd_name == HOME_COMMAND else COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = typer.main.get_command(entry.load(cmd_name))
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
        for heading, entries in COMMANDS_BY_HEADING.items():
            with formatter.section(heading):
                formatter.write_dl([(name, entry.summary) for name, entry in entries.items()])


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
        "finplan plan build --demo      Try finplan with made-up data",
        "finplan import statement.ofx   Import a statement from your bank",
        "finplan spending --by month    Total spending of each month",
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
        return report_failure(error, _settings(choices))
    return ended if isinstance(ended, int) else 0


def _meant(arguments: Sequence[str]) -> list[str]:
    """The command line that was meant: options alone ask how it stands, or in a pipe for the help."""
    typed = list(arguments)
    if behind_shared_options(typed):
        return typed
    return [*typed, HOME_COMMAND if sys.stdout.isatty() or "--json" in typed else "--help"]


def _settings(choices: GlobalOptions) -> Settings | None:
    try:
        return read_settings(choices.profile_name)[0]
    except (SettingsError, typer.BadParameter):
        return None
