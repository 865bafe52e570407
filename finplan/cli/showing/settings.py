"""Settings as lines: the household's, and those of this machine with where each comes from."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.accounts import facts_table
from finplan.cli.showing.layout import page, row
from finplan.cli.showing.listing import Column, listing
from finplan.model import figures
from finplan.model.user import HouseholdSettings
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
