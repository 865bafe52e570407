"""The one commit point of an import, and the preview that goes the same way up to it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import FileReport, ImportReport, ImportRequest
from finplan.plan.ledger.roles import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.imports.accounts import Home, find_homes
from finplan.service.imports.new_accounts import claim_homes
from finplan.service.imports.pending import note_waiting, settle_waiting
from finplan.service.imports.profiles import remember
from finplan.service.imports.read import ReadAccount, Reading, source_of, widen
from finplan.service.imports.undo import note_import
from finplan.service.ledger.categorisation import matches_prefetched
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.statements.statement import StatementPart
from finplan.store.queries import accounts, imports, intake, payees, people, transfers


def preview(
    connection: Connection, owner: int, ask: ImportRequest, reading: Reading
) -> tuple[FileReport, ...]:
    """What posting these files would do, found out by the same steps."""
    homes = find_homes(connection, owner, ask, reading)
    _unite(connection, reading, homes)
    return _match(connection, reading, homes)


def post(
    connection: Connection,
    owner: int,
    ask: ImportRequest,
    reading: Reading,
    batch: int,
    import_id: str,
    digest: str,
    generation: int | None,
    now: int,
) -> ImportReport:
    """Move the staged rows into the store; everything happens in this one transaction.

    `generation` is that of the rows that the person saw in a dry run, None without one.
    """
    person = people.get_person(connection, owner)
    if generation is not None and person["row_generation"] != generation:
        raise Conflict("Your data have changed since the dry run. Do another dry run first.")
    if not imports.move_import(connection, batch, "running", "committed"):
        raise Conflict("The import was cancelled; nothing was changed.")
    homes = find_homes(connection, owner, ask, reading)
    _unite(connection, reading, homes)
    files = _match(connection, reading, homes)
    claim_homes(connection, owner, homes, now)
    brought = None
    if person["currency"] is None and reading.accounts:
        brought = reading.accounts[0].account.currency
        people.change_person(connection, owner, {"currency": brought})
    newest = transfers.newest_row(connection)
    all_new = not any(file.known or file.ambiguous or file.pending for file in files)
    touched = _insert(connection, owner, reading, homes, batch, all_new=all_new)
    for home, account in zip(homes, reading.accounts, strict=True):
        _update_account(connection, home, account, batch)
    remember(connection, owner, ask, reading, homes, batch, now)
    report = ImportReport(id=import_id, dry_run=False, digest=digest, files=files)
    imports.move_import(
        connection,
        batch,
        "committed",
        "committed",
        {
            "committed_at": now,
            "report": report.model_dump_json(),
            "before": note_import(homes, brought, note_waiting(connection, homes, reading)),
        },
    )
    waiting = settle_waiting(connection, owner, [home.id for home in homes])
    if waiting:
        payees.remove_unused(connection, owner, waiting)
    touched.update(waiting)
    reconcile_added_rows(connection, owner, newest, sorted(touched))
    return report


def _unite(connection: Connection, reading: Reading, homes: list[Home]) -> None:
    """Let accounts of the files that have one home be one, so that no row of theirs comes twice."""
    for local, home in enumerate(homes):
        kept = next(
            place
            for place, other in enumerate(homes)
            if other is home or (other.no == home.no and not home.new)
        )
        if kept == local:
            continue
        other = reading.accounts[local]
        widen(
            reading.accounts[kept],
            StatementPart(
                other.account,
                since=other.since,
                until=other.until,
                balance=other.balance,
                balance_day=other.balance_day,
            ),
        )
        reading.accounts[kept].sources |= other.sources
        for number, days in other.stated.items():
            reading.accounts[kept].know(number, days)
        reading.accounts[kept].balances |= other.balances
        intake.unite(connection, kept, local)
        homes[local], reading.accounts[local] = homes[kept], reading.accounts[kept]
        for file in reading.files:
            united = (kept if each == local else each for each in file.accounts)
            file.accounts = list(dict.fromkeys(united))


def _match(connection: Connection, reading: Reading, homes: list[Home]) -> tuple[FileReport, ...]:
    sources = {number: source_of(file.format) for number, file in enumerate(reading.files)}
    across_sources = any(
        homes[local].sources() - {sources[number]}
        for number, file in enumerate(reading.files)
        for local in file.accounts
    )
    intake.match(
        connection,
        {local: home.no if not home.new else None for local, home in enumerate(homes)},
        sources,
        across_sources=across_sources,
    )
    tallies = intake.tallies(connection)
    nothing = intake.Tally(0, 0)
    reports = []
    for number, file in enumerate(reading.files):
        tally = tallies.get(number, nothing)
        own = [homes[each] for each in file.accounts]
        remembered = next((home.name for home in own if home.remembered), None)
        shown = [home.shown for home in own]
        report = reading.report(file, tally.known, tally.ambiguous, shown, remembered)
        told = tuple(dict.fromkeys(note for home in own for note in home.notes))
        reports.append(report.model_copy(update={"notes": told + report.notes}))
    return tuple(reports)


def _insert(
    connection: Connection,
    owner: int,
    reading: Reading,
    homes: list[Home],
    batch: int,
    *,
    all_new: bool,
) -> set[int]:
    """Insert the booked rows that are new; answers the payees that something is to be learnt of.

    `all_new` says that every row of the files is one of those.
    """
    currency = household_settings(people.get_person(connection, owner)).currency
    held = ledger_accounts(connection, owner)
    numbers = payees.numbers_of(connection, owner)
    new = {local: payee for local, payee in enumerate(reading.payees) if payee[0] not in numbers}
    if new and not all_new:
        # Payees that only known rows name have other names already.
        new = {local: new[local] for local in intake.payees_of_new(connection) & new.keys()}
    added = payees.add_payees(connection, owner, [new[local] for local in sorted(new)])
    numbers.update(added)
    local_payees = {
        local: numbers[key] for local, (key, _, _) in enumerate(reading.payees) if key in numbers
    }
    counting = {
        local: (home.no, counts_in_totals(held[home.no], currency))
        for local, home in enumerate(homes)
    }
    with matches_prefetched(list(new.values())):
        inserted = intake.insert_new(connection, owner, counting, local_payees, batch)
    # Where every row was there already, nothing is to be learnt of payees that were there.
    return set((local_payees if inserted else added).values())


def _update_account(connection: Connection, home: Home, read: ReadAccount, batch: int) -> None:
    """Widen what the account covers, and take a newer balance in the sign of its kind."""
    present: dict[str, Any] = dict(home.present or {})
    since = [day for day in (present.get("covered_since"), read.since) if day is not None]
    until = [day for day in (present.get("covered_until"), read.until) if day is not None]
    values: dict[str, object] = {
        "covered_since": min(since, default=None),
        "covered_until": max(until, default=None),
        "sources": " ".join(sorted({*home.sources(), *read.sources})),
    }
    if read.balance is not None:
        sign = -1 if home.kind in {"credit", "loan"} else 1
        balance = sign * read.balance
        day = read.balance_day or read.until
        if day is None:
            raise BadRequest("The statement has a balance but no date that it belongs to.")
        _record_balances(connection, home, read.balances or {day: read.balance}, sign, batch)
        if day >= (present.get("balance_day") or 0) and "balance" not in home.kept():
            values |= {"balance": balance, "balance_day": day}
    accounts.change_account(connection, home.no, values)


def _record_balances(
    connection: Connection, home: Home, balances: Mapping[int, int], sign: int, batch: int
) -> None:
    """Record what the files say; of days that are known already an export says nothing new."""
    known = set()
    if home.read.account.id is not None:
        known = {day for day, _ in accounts.balances_of(connection, home.no)}
    for day in sorted(balances.keys() - known):
        accounts.record_balance(connection, home.no, day, sign * balances[day], batch)
