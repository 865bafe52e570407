"""The one commit point of an import, and the preview that goes the same way up to it."""

from typing import Any

from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import FileReport, ImportReport, ImportRequest
from finplan.plan.roles import counted
from finplan.service.homes import Home, claim_homes, find_homes
from finplan.service.household import household_settings, ledger_accounts
from finplan.service.profiles import remember
from finplan.service.reading import ReadAccount, Reading, source_of, widen
from finplan.service.settle import settle_arrivals
from finplan.service.undoing import note_import
from finplan.statements.statement import StatementPart
from finplan.store import accounts, imports, intake, payees, people, transfers


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

    `generation` is the data's that the person saw in a dry run, None without one.
    """
    person = people.get_person(connection, owner)
    if generation is not None and person["generation"] != generation:
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
    replaced = _insert(connection, owner, reading, homes, batch)
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
            "before": note_import(homes, brought, replaced),
        },
    )
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
        reports.append(reading.report(file, tally.known, tally.ambiguous, shown, remembered))
    return tuple(reports)


def _insert(
    connection: Connection,
    owner: int,
    reading: Reading,
    homes: list[Home],
    batch: int,
) -> list[list[Any]]:
    """Insert what is new and settle it; answers the pending rows that were replaced."""
    currency = household_settings(people.get_person(connection, owner)).currency
    held = ledger_accounts(connection, owner)
    numbers = payees.numbers_of(connection, owner)
    missing = [payee for payee in reading.payees if payee[0] not in numbers]
    added = payees.add_payees(connection, owner, missing)
    numbers.update(added)
    local_payees = {local: numbers[key] for local, (key, _, _) in enumerate(reading.payees)}
    newest = transfers.newest_row(connection)
    counting = {
        local: (home.no, counted(held[home.no], currency)) for local, home in enumerate(homes)
    }
    inserted = intake.insert_new(connection, owner, counting, local_payees, batch)
    # Pending rows are left out of an export, so it does not know which there are.
    until = {
        home.no: account.until
        for home, account in zip(homes, reading.accounts, strict=True)
        if home.read.account.id is None
    }
    replaced = intake.replace_pending(connection, owner, until, batch)
    for home, account in zip(homes, reading.accounts, strict=True):
        _update_account(connection, home, account, batch)
    # Where every row was there already, nothing is to be learnt of payees that were there.
    touched = local_payees if inserted else added
    settle_arrivals(connection, owner, newest, sorted(set(touched.values())))
    return replaced


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
        owed = home.kind in {"credit", "loan"}
        balance = -read.balance if owed else read.balance
        day = read.balance_day or read.until
        if day is None:
            raise BadRequest("The statement has a balance but no date that it belongs to.")
        accounts.record_balance(connection, home.no, day, balance, batch)
        if day >= (present.get("balance_day") or 0) and "balance" not in home.kept():
            values |= {"balance": balance, "balance_day": day}
    accounts.change_account(connection, home.no, values)
