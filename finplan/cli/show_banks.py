"""Connections and syncs as lines: each bank, how it stands, and what came from it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from rich.console import RenderableType
from rich.text import Text

from finplan.cli import figures
from finplan.cli.choosing import shortened
from finplan.cli.listing import Column, Content, listing
from finplan.model.connection import ConnectionRecord, ConnectionStatus, SyncReport

NOTHING = Text(
    "No bank is linked yet: `finplan connect demo` or `finplan import FILE`.", style="dim"
)
_STATUS: Mapping[ConnectionStatus, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "login_required": ("sign in again", "yellow"),
    "error": ("error", "red"),
}


def draw_connections(
    records: Sequence[ConnectionRecord], now: datetime | None = None
) -> RenderableType:
    """List banks with the age of their data at `now`, which is the present unless given."""
    if not records:
        return NOTHING
    now = now or datetime.now(UTC)
    short = shortened([record.connection.id for record in records])
    return listing(
        (
            Column("bank", gives_way=True),
            Column("by", style="dim"),
            Column("status", gives_way=True),
            Column("data of"),
            Column("id", style="dim"),
        ),
        (_row(record, now, short[record.connection.id]) for record in records),
    )


def _row(record: ConnectionRecord, now: datetime, short: str) -> tuple[Content, ...]:
    link = record.connection
    status, style = _STATUS[link.status]
    said = f"{status}: {link.error}" if link.error else status
    age = figures.age(record.last_synced_at, now)
    return (link.institution_name, link.provider, Text(said, style=style), age, short)


def draw_syncs(reports: Sequence[SyncReport], names: Mapping[str, str]) -> RenderableType:
    """List what each sync changed."""
    if not reports:
        return NOTHING
    return listing(
        (
            Column("bank", gives_way=True),
            Column("accounts", figures=True),
            Column("new", figures=True),
            Column("changed", figures=True),
            Column("gone", figures=True),
            Column("", gives_way=True),
        ),
        (_sync_row(report, names) for report in reports),
    )


def _sync_row(report: SyncReport, names: Mapping[str, str]) -> tuple[Content, ...]:
    remark = Text("" if report.complete else "more to come", style="dim")
    if not report.ok:
        remark = Text(report.error or "failed", style="red")
    counts = (report.accounts, report.added, report.modified, report.removed)
    name = names.get(report.connection_id, report.connection_id)
    return (name, *(f"{number:,}" for number in counts), remark)
