"""Facts and decisions of an import in turn: whose its rows are, of which kind, which of them are new.

The stage, which nobody else sees, takes what is decided on its rows; the store is only read.
"""

from dataclasses import replace

from sqlalchemy import Connection

from finplan.intake import rows
from finplan.intake.accounts import resolve_accounts
from finplan.intake.files import ImportRun
from finplan.intake.kinds import resolve_kinds
from finplan.intake.misreadings import MisreadImports, advice_on, find_misread_imports
from finplan.intake.questions import ask
from finplan.intake.reports import describe_accounts, reports_of
from finplan.intake.unsigned import ask_about_ways, let_payments_in
from finplan.service.imports.facts import load_beside, load_facts, load_matched
from finplan.service.ledger.categorisation import ask_where_fit
from finplan.service.ledger.payee_keys import join_payee_names
from finplan.store.queries import payments, repeated_rows, staged_rows


def match_run(connection: Connection, run: ImportRun) -> ImportRun:
    """Resolve accounts and kinds, and match rows; rows that were misread before are reported as such.

    Raises Conflict with all that only the person knows, and MisreadImports for a commit.
    """
    facts = load_facts(connection, run.owner)
    run = resolve_accounts(run, facts)
    staged_rows.merge_accounts(connection, run.merged)
    run = resolve_kinds(run, facts)
    run = ask_about_ways(run, facts)
    if run.questions:
        raise ask(run.questions, run.files)
    payees, exported = run.staged.payees, run.staged.exported
    fit = ask_where_fit(connection, large=run.large)
    run.staged.payees[:] = join_payee_names(connection, run.owner, payees, exported, fit)
    turned = let_payments_in(run, facts)
    across_sources, latest = rows.are_across_sources(run), rows.latest_day(run)
    payments.turn_in(connection, turned)
    staged_rows.match_rows(
        connection,
        {local: None if account.new else account.no for local, account in enumerate(run.accounts)},
        {index: file.source for index, file in enumerate(run.staged.files)},
        across_sources=across_sources,
        pair=rows.pair_left_overs,
    )
    notes = _match_left_over(connection, run, latest)
    matched = load_matched(connection, run, facts)
    described = describe_accounts(run, facts, matched.summaries, matched.samples)
    run = replace(run, reports=reports_of(run, described, notes))
    misread = find_misread_imports(run, matched.beside, matched.imports)
    if not misread:
        return run
    if not run.request.dry_run:
        raise MisreadImports(misread)
    first, *others = run.reports
    noted = first.model_copy(update={"notes": (*first.notes, advice_on(misread))})
    return replace(run, reports=(noted, *others))


def _match_left_over(connection: Connection, run: ImportRun, latest: int) -> dict[int, list[str]]:
    """Match rows that are others in other words or under other days; answers notes on files, by place.

    Rows after the `latest` day, YYYYMMDD, may have been read the wrong way round.
    """
    booked = staged_rows.booked_after(connection, latest) if rows.has_days_to_come(run) else {}
    matched = staged_rows.matched_by_file(connection)
    notes = rows.notes_on_days_to_come(run, booked)
    for index in rows.files_with_new(run, matched):
        pairs = []
        # What an earlier file has may be a row of this one, so each is matched before the next.
        for local, account in rows.accounts_beside(run, index):
            beside = load_beside(connection, local, index, account)
            matches = rows.same_rows_of(beside)
            repeated_rows.note_matches(connection, index, [pair.as_matched for pair in matches])
            pairs += matches
        notes.setdefault(index, []).extend(rows.notes_on_dates(pairs))
    return notes
