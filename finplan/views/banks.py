"""Banks: how each stands, what needs the person, what syncs brought, and how one is linked or goes."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from finplan.model import figures
from finplan.model.connection import (
    UNNAMED_INSTITUTION,
    BankLink,
    Connection,
    ConnectionRecord,
    ConnectionState,
    ConnectionStatus,
    RowSpan,
    SyncReport,
    UnlinkEffect,
    consent_ends,
)
from finplan.views import page
from finplan.views.locale import Locale

BANKS: Mapping[str, str] = {
    "demo": "the demo household",
    "simplefin": "SimpleFIN: banks in the US and Canada, with a setup token",
    "plaid": "Plaid: banks in the US and Canada, with your own keys",
    "enablebanking": "Enable Banking: banks in Europe, with your own application",
}
"""What can be linked, and what it is."""

STATES: Mapping[ConnectionStatus, page.TextSpan] = {
    "ok": page.TextSpan("ok", "good"),
    "login_required": page.TextSpan("sign in again", "warn"),
    "error": page.TextSpan("error", "bad"),
}
"""How a bank stands."""

_NONE = "No bank linked yet. Run `finplan connect demo` or `finplan import FILE`."


def banks(records: Sequence[ConnectionRecord], how: Locale) -> page.Page:
    """Linked banks with the age of their data, and the trouble that they have."""
    rows = [
        (
            page.name(record.connection.institution_name),
            record.connection.provider,
            STATES[record.connection.status],
            "by you" if has_own_accounts_alone(record) else how.age(record.last_synced_at),
            record.connection.id,
        )
        for record in records
    ]
    links = [record.connection for record in records]
    troubles = (_trouble(link.institution_name, link.error) for link in links if link.error)
    bank, age = page.col("bank<", floor=10), page.col("updated", drops=1)
    columns = (bank, page.col("provider~", drops=2), "status", age, "id#")
    return page.of(page.listing(columns, rows, _NONE, spoken="Banks"), troubles)


def has_own_accounts_alone(record: ConnectionRecord) -> bool:
    """Whether neither a bank nor a file has brought anything, so that all is the person's own."""
    return record.connection.provider == "manual" and record.last_synced_at is None


def states(states: Sequence[ConnectionState], how: Locale) -> page.Page:
    """As `banks`, with what needs the person soon."""
    needed = page.sentences(map(" ".join, needs(states, how)), "warn")
    return banks([state.record for state in states], how) + page.of(needed)


def needs(states: Sequence[ConnectionState], how: Locale) -> Iterator[tuple[str, str]]:
    """What needs the person soon, each with the way to it: consents that end, accounts not sure."""
    for state in states:
        bank = state.record.connection.institution_name
        if state.access_ending and state.access_ends_at is not None:
            again = f"`finplan connect {state.bank} --reconnect {quote(bank)}`"
            ends = consent_ends(state.access_ends_at, how.today, how.zone)
            yield f"{bank}: {ends}.", f"To renew access: {again}."
        if state.unsure_accounts:
            is_one = state.unsure_accounts == 1
            ids = (
                "with a new id may be an account that you already have. It is"
                if is_one
                else "with new ids may be accounts that you already have. They are"
            )
            accounts = figures.count(state.unsure_accounts, "account")
            yield (
                f"{bank}: {accounts} {ids} excluded from totals until you decide.",
                "To decide: `finplan duplicates`.",
            )


def _trouble(bank: str, error: str) -> page.Sentence:
    return page.sentence(error if error.startswith(bank) else f"{bank}: {error}", "warn")


def syncs(reports: Sequence[SyncReport], names: Mapping[str, str]) -> page.Page:
    """What each sync changed, by the names of the banks."""
    called = {sync.connection_id: sync.connection_id for sync in reports} | dict(names)
    rows = (
        (
            page.name(called[sync.connection_id]),
            *(f"{sync.accounts:,}", f"{sync.added:,}", f"{sync.modified:,}", f"{sync.removed:,}"),
            _remark(sync),
        )
        for sync in reports
    )
    columns = ("bank<", "accounts>", "new>", "changed>", "removed>", "")
    failed = [sync for sync in reports if not sync.ok]
    troubles = (
        _trouble(called[sync.connection_id], sync.error or "the sync failed") for sync in failed
    )
    return page.of(page.table(columns, rows, spoken="Sync results"), troubles)


def _remark(report: SyncReport) -> page.TextSpan:
    if report.ok:
        return page.soft("" if report.complete else "more to come")
    # One that failed may have brought a part, whose figures stand beside it.
    return page.TextSpan("partial" if report.accounts else "failed", "warn")


# --- what linking and unlinking do ---------------------------------------------------------------


def describe_takeover(
    before: Sequence[ConnectionRecord], after: Sequence[ConnectionRecord]
) -> str | None:
    """What became of connections that are gone since a bank was linked, None where none is."""
    there = {record.connection.id for record in after}
    gone = [record.connection for record in before if record.connection.id not in there]
    if not gone:
        return None
    are = "is" if len(gone) == 1 and gone[0].institution_name != UNNAMED_INSTITUTION else "are"
    return (
        f"{' and '.join(map(_describe_link, gone))} {are} now part of this link, because the link"
        " reaches the same accounts. Your changes stay, and no transaction counts twice."
    )


def _describe_link(gone: Connection) -> str:
    if gone.institution_name == UNNAMED_INSTITUTION:
        return UNNAMED_INSTITUTION
    how = "statement files" if gone.provider == "manual" else "linked before"
    return f"{gone.institution_name} ({how})"


def ask_to_unlink(effect: UnlinkEffect, *, keep: bool) -> str:
    """Asks whether to unlink a bank: what goes, what stays, and how to keep it all."""
    bank = effect.record.connection.institution_name
    if keep:
        return f"Unlink {bank}, and keep its accounts and transactions?"
    parts = [f"Unlink {bank}?"]
    if effect.rows_gone.count or effect.accounts_gone:
        of = f"{_some(effect.accounts_gone)} and " if effect.accounts_gone else ""
        parts.append(f"This deletes {of}{_rows(effect.rows_gone)}.")
    if accounts := effect.accounts_kept:
        stay = "stays" if len(accounts) == 1 else "stay"
        parts.append(
            f"{_some(accounts)} {stay}: statement files contain {_rows(effect.rows_kept)}."
        )
    if effect.record.connection.provider == "aggregator":
        parts.append("Add --keep to keep everything.")
    return " ".join(parts)


_NAMED = 4
"""How many accounts are named at most."""


def _some(names: Sequence[str]) -> str:
    return page.listed(names) if len(names) <= _NAMED else figures.count(len(names), "account")


def _rows(rows: RowSpan) -> str:
    days = f" of {rows.since}" if rows.since else ""
    if rows.since != rows.until:
        days = f" from {rows.since} to {rows.until}"
    return figures.count(rows.count, "transaction") + days


# --- what agents are told ------------------------------------------------------------------------

LONGEST_ERROR = 300
"""How much of a bank's failure is told."""


def _error(text: str | None) -> page.TextSpan:
    error = text or "no reason given"
    return page.mentioning(
        error if len(error) <= LONGEST_ERROR else f"{error[: LONGEST_ERROR - 1]}…"
    )


def brief(records: Sequence[ConnectionRecord], how: Locale) -> page.Lines:
    """Each linked bank, how it stands, and when it was last synced."""
    yield f"{figures.count(len(records), 'connection')}."
    for record in records:
        link, at = record.connection, record.last_synced_at
        synced = "never synced" if at is None else f"synced {how.moment(at)}"
        error = (", ", _error(link.error)) if link.error else ()
        state = f": {STATES[link.status].text}, {synced}"
        yield "- ", page.name(link.institution_name), state, *error, f" [{link.id}]"


def brief_link(link: Connection) -> page.Lines:
    """That a bank is linked, and what comes next."""
    then = "Next: sync_connections."
    if link.provider == "manual":
        then = (
            "To update it, the person imports statement files with `finplan import FILE` or"
            " in the browser."
        )
    yield page.name(link.institution_name), f" is linked: {STATES[link.status].text}. {then}"


def brief_page(link: BankLink) -> page.Lines:
    """Where the person signs in, and how it goes on from there."""
    if link.status == "failed":
        yield "No bank was linked: ", _error(link.error), f" [{link.id}]"
        return
    then = f"sign in there. Then call link_connection with link {link.id}."
    if link.bank == "enablebanking":
        then = (
            "give consent there. Then call link_connection, and set publicToken to the"
            " address that their browser opened. If finplan's own site showed that the bank"
            " is linked, pass link"
            f" {link.id} instead."
        )
    yield f"Ask the person to open {link.url} and {then}"


def brief_syncs(reports: Sequence[tuple[SyncReport, Connection]]) -> page.Lines:
    """What each bank brought, or why it brought nothing."""
    if not reports:
        yield "No linked bank to sync. Link one with link_connection."
        return
    checked = sum(link.provider != "manual" for _, link in reports)
    yield f"{figures.count(checked, 'bank')} checked." if checked else "No bank was checked."
    for report, link in reports:
        bank = page.name(link.institution_name)
        if not report.ok:
            yield "- ", bank, ": failed, ", _error(report.error)
            continue
        changed = f", {report.modified} changed" if report.modified else ""
        gone = f", {report.removed} removed" if report.removed else ""
        again = "" if report.complete else "; the bank has more transactions, so sync again"
        files = (
            "; the person adds transactions by importing files" if link.provider == "manual" else ""
        )
        count = figures.count(report.added, "new transaction")
        yield "- ", bank, f": {count}{changed}{gone}{again}{files}"
