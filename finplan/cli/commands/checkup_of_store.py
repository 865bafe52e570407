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
        text = f"cannot be checked: {why}"
        yield Finding("integrity", "bad", text, "See the log: `finplan daemon logs`.")
        return
    if check["unopened"]:
        text = f"cannot be opened: {check['unopened']}"
        yield Finding(
            "integrity", "bad", text, "The store may not be damaged. Check again: `finplan doctor`."
        )
        return
    yield _integrity(check, settings.places)
    if check["strange"]:
        sentence, _, advice = check["strange"].partition(". ")
        yield Finding("rows", "bad", f"{sentence}.", advice)
    yield from _backups(check, settings.places.backups)


def _integrity(check: dict[str, Any], places: Places) -> Finding:
    if check["faults"]:
        others = len(check["faults"]) - 1
        text = f"damaged: {check['faults'][0]}{f', and {others} more' if others else ''}"
        return Finding("integrity", "bad", text, _way_back(check, places))
    if check["revision"] is None:
        return _empty_store(places)
    return _whole_store(check)


def _empty_store(places: Places) -> Finding:
    if not places.data_key.exists():
        return Finding("integrity", "ok", "empty; the first start sets it up")
    advice = _restore_or_begin(places)
    return Finding("integrity", "bad", "empty, but its data key exists", advice)


def _whole_store(check: dict[str, Any]) -> Finding:
    if check["revision"] > check["newest"]:
        text = f"written by a newer finplan (revision {check['revision']})"
        return Finding("integrity", "bad", text, "Update finplan.")
    if check["revision"] < check["newest"]:
        text = f"good, revision {check['revision']}"
        return Finding("integrity", "ok", f"{text}; the next start updates it to {check['newest']}")
    if check["is_changed"]:
        advice = (
            "The store is not damaged. If you did not change it yourself, check that your data is"
            " correct."
        )
        return Finding("integrity", "warn", "changed by another program", advice)
    return Finding("integrity", "ok", f"good, revision {check['revision']}")


def _way_back(check: dict[str, Any], places: Places) -> str:
    if check["indexes"]:
        return (
            "Only an index is damaged; your data is intact. Repair the index:"
            " `finplan daemon jobs run backup`."
        )
    sums = places.database.with_name(f"{places.database.name}-sums")
    accept = (
        f"If you changed the store yourself, run `finplan daemon stop` and delete {sums}."
        if check["single_bits"]
        else ""
    )
    if check["good_copy"] is None:
        return f"No good backup in {places.backups}. {accept}".strip()
    return f"Restore backup {check['good_copy']}: {RESTORE}. {accept}".strip()


def _backups(check: dict[str, Any], folder: Path) -> Iterator[Finding]:
    if not check["copies"]:
        advice = (
            "finplan creates a backup each night if your data has changed."
            " See `finplan daemon jobs`."
        )
        yield Finding("backup", "ok", f"none yet in {folder}. {advice}")
        return
    days = int((time.time() - check["copied_at"]) // 86_400)
    age = "today" if days < 1 else f"{count(days, 'day')} ago"
    size = f"{check['copy_bytes'] / 2**20:.1f} MB"
    text = f"newest of {check['copies']} in {folder}: made {age}, {size}"
    now = "Create one now: `finplan backup create`."
    if check["good_copy"] is None:
        yield Finding("backup", "bad", f"none of {check['copies']} in {folder} is good", now)
    elif not check["is_newest_good"]:
        good = f"{text}; it is damaged. Newest good backup: {check['good_copy']}"
        yield Finding("backup", "warn", good, now)
    elif days > OLDEST_BACKUP and check["changed_at"] - check["copied_at"] > 86_400:
        yield Finding("backup", "warn", f"{text}; your data has changed since then", now)
    else:
        yield Finding("backup", "ok", text)


def _restore_or_begin(places: Places) -> str:
    return (
        "Restore the newest good backup: `finplan backup restore`. To start without your data"
        " instead, delete"
        f" {places.data_key}."
    )


def missing_store(places: Places) -> Finding:
    """What is wrong where there is no store."""
    if not places.data_key.exists():
        return Finding("database", "ok", "none yet; the first command creates it")
    advice = _restore_or_begin(places)
    text = f"{places.database} is missing, but its {places.data_key.name} exists"
    return Finding("database", "bad", text, advice)
