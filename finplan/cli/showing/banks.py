"""Connections and syncs as lines: each bank, how it stands, and what came from it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from shlex import quote
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import printable
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import connection as connections, figures
from finplan.model.characters import shortened

NOTHING = Text(
    "No bank is linked yet: `finplan connect demo` or `finplan import FILE`.", style="dim"
)
_STATUS: Mapping[connections.ConnectionStatus, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "login_required": ("sign in again", "yellow"),
    "error": ("error", "red"),
}


def draw_connections(
    records: Sequence[connections.ConnectionRecord], now: datetime | None = None
) -> RenderableType:
    """List banks with the age of their data at `now`, which is the present unless given."""
    if not records:
        return NOTHING
    now = now or datetime.now(UTC)
    short = shortened([record.connection.id for record in records])
    table = listing(
        (
            Column("bank", gives_way=True),
            Column("by", style="dim"),
            Column("status"),
            Column("data of"),
            Column("id", style="dim"),
        ),
        (_row(record, now, short[record.connection.id]) for record in records),
    )
    links = [record.connection for record in records]
    return Group(
        table, *(_trouble(each.institution_name, each.error) for each in links if each.error)
    )


def draw_states(
    states: Sequence[connections.ConnectionState], now: datetime | None = None
) -> RenderableType:
    """List banks as `draw_connections`, with what needs the person soon."""
    drawn = draw_connections([each.record for each in states], now)
    needs = needs_of(states, now)
    told = [Text(printable(f"{each.said} {each.way}"), style="yellow") for each in needs]
    return Group(drawn, *told) if told else drawn


class BankNeed(NamedTuple):
    """What a bank needs the person for soon, and the way to it."""

    said: str
    way: str


def needs_of(
    states: Sequence[connections.ConnectionState], now: datetime | None = None
) -> Iterator[BankNeed]:
    """What needs the person soon: consents that end, accounts that are not sure."""
    here = (now or datetime.now(UTC)).astimezone()
    for each in states:
        link = each.record.connection
        if each.access_ending and each.access_ends_at is not None:
            ends = connections.consent_ends(each.access_ends_at, here.date(), here.tzinfo or UTC)
            yield BankNeed(
                f"{link.institution_name}: {ends}.",
                f"Give it again: `finplan connect {each.bank} --reconnect"
                f" {quote(link.institution_name)}`.",
            )
        if each.unsure_accounts:
            is_one = each.unsure_accounts == 1
            accounts = figures.count(each.unsure_accounts, "account")
            yield BankNeed(
                f"{link.institution_name}: {accounts} under {'a new id' if is_one else 'new ids'} may"
                f" be {'one' if is_one else 'some'} of those that you have, and"
                f" {'is' if is_one else 'are'} in no total until you say.",
                "Say which: `finplan duplicates`.",
            )


def unlink_question(effect: connections.UnlinkEffect, *, keep: bool) -> str:
    """Ask whether to unlink a bank: what goes, what stays, and how to keep it all."""
    name = effect.record.connection.institution_name
    if keep:
        return f"Unlink {name}, and keep its accounts as those of statement files?"
    told = [f"Unlink {name}?"]
    if effect.rows_gone.count or effect.accounts_gone:
        gone = _rows_said(effect.rows_gone)
        if effect.accounts_gone:
            gone = f"{_listed(effect.accounts_gone)} with {gone}"
        told.append(f"{gone} would be deleted.")
    if effect.accounts_kept:
        kept = _rows_said(effect.rows_kept)
        stay = "stays" if len(effect.accounts_kept) == 1 else "stay"
        told.append(f"{_listed(effect.accounts_kept)} {stay} with {kept} from statement files.")
    if effect.record.connection.provider == "aggregator":
        told.append("(--keep keeps it all.)")
    return " ".join(told)


_NAMED = 4
"""How many accounts are named at most."""


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return figures.count(len(names), "account")
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _rows_said(rows: connections.RowSpan) -> str:
    said = figures.count(rows.count, "row")
    if rows.since is None or rows.until is None:
        return said
    if rows.since == rows.until:
        return f"{said} of {rows.since.isoformat()}"
    return f"{said} from {rows.since.isoformat()} to {rows.until.isoformat()}"


def _trouble(bank: str, error: str) -> Text:
    told = error if error.startswith(bank) else f"{bank}: {error}"
    return Text(printable(told), style="yellow")


def _row(record: connections.ConnectionRecord, now: datetime, short: str) -> tuple[Content, ...]:
    link = record.connection
    status, style = _STATUS[link.status]
    age = figures.age(record.last_synced_at, now)
    return (link.institution_name, link.provider, Text(status, style=style), age, short)


def draw_syncs(
    reports: Sequence[connections.SyncReport], names: Mapping[str, str]
) -> RenderableType:
    """List what each sync changed."""
    table = listing(
        (
            Column("bank", gives_way=True),
            Column("accounts", figures=True),
            Column("new", figures=True),
            Column("changed", figures=True),
            Column("gone", figures=True),
            Column(""),
        ),
        (_sync_row(report, names) for report in reports),
    )
    failed = (report for report in reports if not report.ok)
    return Group(
        table, *(_trouble(_name(each, names), each.error or "the sync failed") for each in failed)
    )


def _sync_row(report: connections.SyncReport, names: Mapping[str, str]) -> tuple[Content, ...]:
    remark = Text("" if report.complete else "more to come", style="dim")
    if not report.ok:
        # One that failed may have brought a part, whose figures stand beside it.
        remark = Text("in part" if report.accounts else "failed", style="yellow")
    counts = (report.accounts, report.added, report.modified, report.removed)
    return (_name(report, names), *(f"{number:,}" for number in counts), remark)


def _name(report: connections.SyncReport, names: Mapping[str, str]) -> str:
    return names.get(report.connection_id, report.connection_id)
