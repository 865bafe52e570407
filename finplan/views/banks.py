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
    "demo": "the made-up household",
    "simplefin": "SimpleFIN: banks in the US and Canada, by a setup token",
    "plaid": "Plaid: banks in the US and Canada, with keys of your own",
    "enablebanking": "Enable Banking: banks in Europe, with an application of your own",
}
"""What can be linked, and what it is."""

STATES: Mapping[ConnectionStatus, page.TextSpan] = {
    "ok": page.TextSpan("ok", "good"),
    "login_required": page.TextSpan("sign in again", "warn"),
    "error": page.TextSpan("error", "bad"),
}
"""How a bank stands."""

_NONE = "No bank is linked yet: `finplan connect demo` or `finplan import FILE`."


def banks(records: Sequence[ConnectionRecord], how: Locale) -> page.Page:
    """Linked banks with the age of their data, and the trouble that they have."""
    rows = [
        (
            page.name(each.connection.institution_name),
            each.connection.provider,
            STATES[each.connection.status],
            how.age(each.last_synced_at),
            each.connection.id,
        )
        for each in records
    ]
    links = [each.connection for each in records]
    troubles = (_trouble(each.institution_name, each.error) for each in links if each.error)
    bank, age = page.col("bank<", floor=10), page.col("data of", drops=1)
    columns = (bank, page.col("by~", drops=2), "status", age, "id#")
    return page.of(page.listing(columns, rows, _NONE, spoken="Banks"), troubles)


def states(states: Sequence[ConnectionState], how: Locale) -> page.Page:
    """As `banks`, with what needs the person soon."""
    needed = page.sentences(map(" ".join, needs(states, how)), "warn")
    return banks([each.record for each in states], how) + page.of(needed)


def needs(states: Sequence[ConnectionState], how: Locale) -> Iterator[tuple[str, str]]:
    """What needs the person soon, each with the way to it: consents that end, accounts not sure."""
    for each in states:
        bank = each.record.connection.institution_name
        if each.access_ending and each.access_ends_at is not None:
            again = f"`finplan connect {each.bank} --reconnect {quote(bank)}`"
            ends = consent_ends(each.access_ends_at, how.today, how.zone)
            yield f"{bank}: {ends}.", f"Give it again: {again}."
        if each.unsure_accounts:
            one = each.unsure_accounts == 1
            ids = "a new id may be one" if one else "new ids may be some"
            accounts = figures.count(each.unsure_accounts, "account")
            unsure = f"{bank}: {accounts} under {ids} of those that you have, and"
            yield (
                f"{unsure} {'is' if one else 'are'} in no total until you say.",
                "Say which: `finplan duplicates`.",
            )


def _trouble(bank: str, error: str) -> page.Sentence:
    return page.said(error if error.startswith(bank) else f"{bank}: {error}", "warn")


def syncs(reports: Sequence[SyncReport], names: Mapping[str, str]) -> page.Page:
    """What each sync changed, by the names of the banks."""
    called = {each.connection_id: each.connection_id for each in reports} | dict(names)
    rows = (
        (
            page.name(called[each.connection_id]),
            *(f"{each.accounts:,}", f"{each.added:,}", f"{each.modified:,}", f"{each.removed:,}"),
            _remark(each),
        )
        for each in reports
    )
    columns = ("bank<", "accounts>", "new>", "changed>", "gone>", "")
    failed = [each for each in reports if not each.ok]
    troubles = (
        _trouble(called[each.connection_id], each.error or "the sync failed") for each in failed
    )
    return page.of(page.table(columns, rows, spoken="What came"), troubles)


def _remark(report: SyncReport) -> page.TextSpan:
    if report.ok:
        return page.soft("" if report.complete else "more to come")
    # One that failed may have brought a part, whose figures stand beside it.
    return page.TextSpan("in part" if report.accounts else "failed", "warn")


# --- what linking and unlinking do ---------------------------------------------------------------


def taken_over(before: Sequence[ConnectionRecord], after: Sequence[ConnectionRecord]) -> str | None:
    """What became of connections that are gone since a bank was linked, None where none is."""
    there = {each.connection.id for each in after}
    gone = [each.connection for each in before if each.connection.id not in there]
    if not gone:
        return None
    are = "is" if len(gone) == 1 and gone[0].institution_name != UNNAMED_INSTITUTION else "are"
    return (
        f"{' and '.join(map(_called, gone))} {are} part of this link now: it reaches the same accounts,"
        " which go on in it with all you said. Nothing is there twice."
    )


def _called(gone: Connection) -> str:
    if gone.institution_name == UNNAMED_INSTITUTION:
        return UNNAMED_INSTITUTION
    how = "of statement files" if gone.provider == "manual" else "linked before"
    return f"{gone.institution_name} ({how})"


def unlinking(effect: UnlinkEffect, *, keep: bool) -> str:
    """Asks whether to unlink a bank: what goes, what stays, and how to keep it all."""
    bank = effect.record.connection.institution_name
    if keep:
        return f"Unlink {bank}, and keep its accounts as those of statement files?"
    parts = [f"Unlink {bank}?"]
    if effect.rows_gone.count or effect.accounts_gone:
        of = f"{_some(effect.accounts_gone)} with " if effect.accounts_gone else ""
        parts.append(f"{of}{_rows(effect.rows_gone)} would be deleted.")
    if kept := effect.accounts_kept:
        stay = "stays" if len(kept) == 1 else "stay"
        parts.append(f"{_some(kept)} {stay} with {_rows(effect.rows_kept)} from statement files.")
    if effect.record.connection.provider == "aggregator":
        parts.append("(--keep keeps it all.)")
    return " ".join(parts)


_NAMED = 4
"""How many accounts are named at most."""


def _some(names: Sequence[str]) -> str:
    return page.listed(names) if len(names) <= _NAMED else figures.count(len(names), "account")


def _rows(rows: RowSpan) -> str:
    days = f" of {rows.since}" if rows.since else ""
    if rows.since != rows.until:
        days = f" from {rows.since} to {rows.until}"
    return figures.count(rows.count, "row") + days


# --- what agents are told ------------------------------------------------------------------------

LONGEST_ERROR = 300
"""How much of a bank's failure is told."""


def _error(text: str | None) -> page.TextSpan:
    error = text or "for no reason told"
    return page.mentioning(
        error if len(error) <= LONGEST_ERROR else f"{error[: LONGEST_ERROR - 1]}…"
    )


def brief(records: Sequence[ConnectionRecord], how: Locale) -> page.Lines:
    """Each linked bank, how it stands, and when it was last synced."""
    yield f"{figures.count(len(records), 'connection')}."
    for each in records:
        link, at = each.connection, each.last_synced_at
        synced = "never synced" if at is None else f"synced {how.moment(at)}"
        error = (", ", _error(link.error)) if link.error else ()
        state = f": {STATES[link.status].text}, {synced}"
        yield "- ", page.name(link.institution_name), state, *error, f" [{link.id}]"


def brief_linked(link: Connection) -> page.Lines:
    """That a bank is linked, and what comes next."""
    then = "Next: sync_connections."
    if link.provider == "manual":
        then = (
            "No bank is asked for it: the person imports its statement files, by `finplan import FILE`"
            " or in the browser."
        )
    yield page.name(link.institution_name), f" is linked: {STATES[link.status].text}. {then}"


def brief_page(link: BankLink) -> page.Lines:
    """Where the person signs in, and how it goes on from there."""
    if link.status == "failed":
        yield "Nothing is linked: ", _error(link.error), f" [{link.id}]"
        return
    then = f"sign in there; then call link_connection with link {link.id}."
    if link.bank == "enablebanking":
        then = (
            "consent there; then call link_connection with the address that their browser is led to as"
            f" publicToken, or with link {link.id} where finplan's own site showed that it is linked."
        )
    yield f"Have your person open {link.url} and {then}"


def brief_syncs(reports: Sequence[tuple[SyncReport, Connection]]) -> page.Lines:
    """What each bank brought, or why it brought nothing."""
    if not reports:
        yield "No bank is linked that can be asked: link_connection links one."
        return
    asked = sum(link.provider != "manual" for _, link in reports)
    yield f"{figures.count(asked, 'bank')} asked." if asked else "No bank was asked."
    for report, link in reports:
        bank = page.name(link.institution_name)
        if not report.ok:
            yield "- ", bank, ": failed, ", _error(report.error)
            continue
        changed = f", {report.modified} changed" if report.modified else ""
        gone = f", {report.removed} gone" if report.removed else ""
        more = "" if report.complete else "; it has more, sync again"
        files = "; files fill it, which the person imports" if link.provider == "manual" else ""
        count = figures.count(report.added, "new row")
        yield "- ", bank, f": {count}{changed}{gone}{more}{files}"
