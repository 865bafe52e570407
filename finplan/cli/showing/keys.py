"""API keys as lines."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.access.key import ApiKey

NOTHING = Text("No API keys. `finplan keys create NAME` makes one.", style="dim")


def draw_keys(keys: Sequence[ApiKey], now: datetime | None = None) -> RenderableType:
    """List keys with their last use before `now`, which is the present unless given."""
    if not keys:
        return NOTHING
    now = now or datetime.now(UTC)
    short = shortened([key.id for key in keys])
    return listing(
        (
            Column("name", gives_way=True),
            Column("begins"),
            Column("may"),
            Column("made"),
            Column("last used"),
            Column("id", style="dim"),
        ),
        (_row(key, now, short[key.id]) for key in keys),
    )


def _row(key: ApiKey, now: datetime, short: str) -> tuple[Content, ...]:
    may = Text(", ".join(scope.removeprefix("service:") for scope in key.scopes))
    if key.revoked_at is not None:
        may = Text("revoked", style="red")
    made, used = figures.age(key.created_at, now), figures.age(key.last_used_at, now)
    return (key.name, f"{key.prefix}…", may, made, used, short)
