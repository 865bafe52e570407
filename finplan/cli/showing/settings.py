"""Settings as lines, and the person whose they are.

The household's settings, and those of this machine with where each comes from; of the person what goes
when they are deleted, and what went.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.accounts import facts_table
from finplan.cli.showing.layout import page, row, wrapped
from finplan.cli.showing.listing import Column, listing
from finplan.model import figures
from finplan.model.connection import ConnectionRecord
from finplan.model.credential import PasswordSet
from finplan.model.user import DeletedPerson, HouseholdSettings, User
from finplan.settings import Origin, Settings

_UNSET = {
    "port": "8460 or the next free one, kept from then on",
    "site_url": "http://127.0.0.1 and the port",
    "signed_origins": "none",
}


def draw_household(settings: HouseholdSettings) -> RenderableType:
    """What the plan takes from the person."""
    shares = settings.budget_shares
    budget = "finplan's guide, 50/30/20 where it can be reached"
    if shares is not None:
        parts = (shares.essentials, shares.discretionary, shares.savings)
        budget = "{} essentials, {} discretionary, {} savings".format(*map(figures.share, parts))
    months = "as the household needs"
    if settings.target_months is not None:
        months = figures.count(settings.target_months, "month")
    return facts_table(
        (
            ("currency", settings.currency),
            ("time zone", settings.time_zone),
            ("budget", budget),
            ("emergency fund", months),
        )
    )


_NAME = 18
"""The columns of what a file is."""


def draw_config(
    settings: Settings, entries: Sequence[tuple[str, str, Origin]], paths: Mapping[str, Path]
) -> RenderableType:
    """The profile, each setting with its origin, and the places of files, there or not."""
    rows = (
        (name, Text(_UNSET.get(name, "not set") if value == "None" else value), Text(origin))
        for name, value, origin in entries
    )
    return Group(
        Text(f"Profile {settings.profile}", style="bold"),
        Text(),
        listing(
            (Column("setting"), Column("value", gives_way=True), Column("from", style="dim")), rows
        ),
        Text(),
        page(_place(name, path) for name, path in paths.items()),
    )


def _place(name: str, path: Path) -> Text:
    line = row((Text(name, style="dim"), _NAME)).append(str(path))
    return line if path.exists() else line.append("  none yet", style="dim")


def draw_me(user: User) -> Text:
    """Who the person is, a line for each field."""
    pairs = (("Name", user.name or "not told"), ("Email", user.email), ("Id", user.id))
    return page(
        row((Text(label, style="dim"), 6), (value, cell_len(value))) for label, value in pairs
    )


def told_of_password(done: PasswordSet) -> str:
    """That a password was set, and what it ended."""
    ended = figures.count(done.ended_sessions, "browser")
    was = "was" if done.ended_sessions == 1 else "were"
    signed_out = f" {ended} {was} signed out." if done.ended_sessions else ""
    return f"Set the password; you sign in with it and the address of `finplan me`.{signed_out}"


def what_goes(user: User, banks: Sequence[ConnectionRecord], accounts: int, keys: int) -> str:
    """What will be deleted, before it is."""
    named = ", ".join(record.connection.institution_name for record in banks)
    parts = [
        figures.count(len(banks), "bank") + (f" ({named})" if named else ""),
        f"{figures.count(accounts, 'account')} with all transactions",
        "your plans, rules and answers",
        *([figures.count(keys, "API key")] if keys else []),
        "the copies of the store that were made before updates",
    ]
    return (
        f"This deletes {user.email} for good: {', '.join(parts[:-1])}, and {parts[-1]}. Nothing of"
        " it can be brought back. `finplan export` writes your transactions to a file first."
    )


def draw_deleted(deleted: DeletedPerson, width: int) -> Text:
    """What went."""
    counts = (
        (deleted.connections, "bank"),
        (deleted.accounts, "account"),
        (deleted.transactions, "transaction"),
        (deleted.imports, "import"),
        (deleted.plans, "plan"),
        (deleted.rules, "rule"),
        (deleted.answers, "answer"),
        (deleted.keys, "API key"),
    )
    counted = ", ".join(figures.count(number, thing) for number, thing in counts if number)
    lines = wrapped(f"Deleted {deleted.user.email}{': ' if counted else ''}{counted}.", width)
    if deleted.backups:
        copies = figures.count(len(deleted.backups), "copy", "copies")
        lines += wrapped(f"{copies} of the store: {', '.join(deleted.backups)}.", width)
    return page([*lines, *wrapped("Every key and session of theirs has ended.", width)])
