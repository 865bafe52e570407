"""What `finplan doctor` finds in the store and its backups."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from finplan.client.connect import ask_program
from finplan.model.figures import count
from finplan.model.installation import RESTORE, Finding
from finplan.settings import Places, Settings

OLDEST_BACKUP = 8
"""In days; an older one is a warning if the data changed after it."""


def findings_of_store(settings: Settings) -> Iterator[Finding]:
    """Whether the store is whole and of this version, and how old its newest backup is.

    A process of its own looks, as the store is read by the daemon's rooms alone.
    """
    try:
        check = ask_program(settings, "--check-store")
    except ValueError as why:
        text = f"cannot be looked at: {why}"
        yield Finding("integrity", "bad", text, "`finplan daemon logs` may tell more.")
        return
    if check["unopened"]:
        text = f"cannot be opened: {check['unopened']}"
        yield Finding("integrity", "bad", text, "Nothing tells that it is damaged; try again.")
        return
    yield _integrity(check, settings.places)
    if check["strange"]:
        sentence, _, advice = check["strange"].partition(". ")
        yield Finding("rows", "bad", f"{sentence}.", advice)
    yield from _backups(check, settings.places.backups)


def _integrity(check: dict[str, Any], places: Places) -> Finding:
    if check["faults"]:
        more = len(check["faults"]) - 1
        text = f"damaged: {check['faults'][0]}{f', and {more} more' if more else ''}"
        return Finding("integrity", "bad", text, _way_back(check, places))
    if check["revision"] is None:
        return _empty_store(places)
    return _whole_store(check)


def _empty_store(places: Places) -> Finding:
    if not places.data_key.exists():
        return Finding("integrity", "ok", "empty; the first start fills it")
    advice = _restore_or_begin(places)
    return Finding("integrity", "bad", "empty, though a data key was made with a store", advice)


def _whole_store(check: dict[str, Any]) -> Finding:
    if check["revision"] > check["newest"]:
        text = f"written by a newer finplan (revision {check['revision']})"
        return Finding("integrity", "bad", text, "Update finplan.")
    if check["revision"] < check["newest"]:
        text = f"whole, of revision {check['revision']}"
        return Finding("integrity", "ok", f"{text}; the next start brings it to {check['newest']}")
    if check["is_changed"]:
        advice = "The store is not damaged. If you did not change it, check your data."
        return Finding("integrity", "warn", "changed by another program", advice)
    return Finding("integrity", "ok", f"whole, of revision {check['revision']}")


def _way_back(check: dict[str, Any], places: Places) -> str:
    if check["indexes"]:
        return "Only an index is damaged, no data. Repair it: `finplan daemon jobs run backup`."
    sums = places.database.with_name(f"{places.database.name}-sums")
    accept = (
        f"If you changed the store yourself, run `finplan daemon stop` and delete {sums}."
        if all(" differs in one bit " in fault for fault in check["faults"])
        else ""
    )
    if check["good_copy"] is None:
        return f"No good backup in {places.backups}. {accept}".strip()
    return f"Restore backup {check['good_copy']}: {RESTORE}. {accept}".strip()


def _backups(check: dict[str, Any], folder: Path) -> Iterator[Finding]:
    if not check["copies"]:
        advice = "finplan creates one each night if your data changed (`finplan daemon jobs`)."
        yield Finding("backup", "ok", f"none yet in {folder}. {advice}")
        return
    days = int((time.time() - check["copied_at"]) // 86_400)
    age = "today" if days < 1 else f"{count(days, 'day')} ago"
    size = f"{check['copy_bytes'] / 2**20:.1f} MB"
    text = f"newest made {age}, {size}, of {check['copies']} in {folder}"
    now = "Create one now: `finplan backup create`."
    if check["good_copy"] is None:
        yield Finding("backup", "bad", f"none of {check['copies']} in {folder} is good", now)
    elif not check["is_newest_good"]:
        good = f"{text}; it is damaged. Newest good backup: {check['good_copy']}"
        yield Finding("backup", "warn", good, now)
    elif days > OLDEST_BACKUP and check["changed_at"] - check["copied_at"] > 86_400:
        yield Finding("backup", "warn", f"{text}; your data changed after it", now)
    else:
        yield Finding("backup", "ok", text)


def _restore_or_begin(places: Places) -> str:
    return (
        "Restore the newest good backup: `finplan backup restore`. Or start without your data: remove"
        f" {places.data_key}."
    )


def missing_store(places: Places) -> Finding:
    """What is wrong where there is no store."""
    if not places.data_key.exists():
        return Finding("database", "ok", "none yet; the first command makes it")
    advice = _restore_or_begin(places)
    text = f"{places.database} is gone, though {places.data_key.name} was made with it"
    return Finding("database", "bad", text, advice)
