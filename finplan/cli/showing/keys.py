"""API keys as lines."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.access.key import ApiKey

NOTHING = Text("No API keys. `finplan keys create NAME` makes one.", style="dim")


def draw_keys(
    keys: Sequence[ApiKey], now: datetime | None = None, *, revoked: bool = True
) -> RenderableType:
    """List keys with their last use before `now`, which is the present unless given.

    Unless `revoked` is asked for, of those that were only how many they are is said.
    """
    shown = [key for key in keys if revoked or key.revoked_at is None]
    listed = _listed(shown, now or datetime.now(UTC)) if shown else NOTHING
    left_out = len(keys) - len(shown)
    if not left_out:
        return listed
    were = "key was" if left_out == 1 else "keys were"
    said = f"{left_out} {were} revoked: `finplan keys list --all`."
    return Group(listed, Text(said, style="dim"))


def _listed(keys: Sequence[ApiKey], now: datetime) -> RenderableType:
    short = shortened([key.id for key in keys])
    # Where no key has an end, there is nothing to tell of ends.
    ends = any(key.expires_at is not None for key in keys)
    return listing(
        (
            Column("name", gives_way=True),
            Column("begins"),
            Column("may"),
            Column("made"),
            Column("last used"),
            *([Column("last day")] if ends else []),
            Column("id", style="dim"),
        ),
        (_row(key, now, short[key.id], ends=ends) for key in keys),
    )


def _row(key: ApiKey, now: datetime, short: str, *, ends: bool) -> tuple[Content, ...]:
    made, used = figures.age(key.created_at, now), figures.age(key.last_used_at, now)
    end = "" if key.expires_at is None else figures.last_day(key.expires_at).isoformat()
    told = (key.name, f"{key.prefix}…", _may(key, now), made, used)
    return (*told, *([end] if ends else []), short)


def _may(key: ApiKey, now: datetime) -> Text:
    if key.revoked_at is not None:
        return Text("revoked", style="red")
    if key.expires_at is not None and key.expires_at <= now.timestamp() * 1000:
        return Text("over", style="red")
    return Text(", ".join(scope.removeprefix("service:") for scope in key.scopes))
