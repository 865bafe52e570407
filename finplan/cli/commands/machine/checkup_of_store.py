"""What `finplan doctor` finds in the store and its backups."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import finplan
from finplan.cli.showing.machine.doctor import Finding
from finplan.client.connect import environment_of
from finplan.model.figures import count
from finplan.settings import Places, Settings

OLDEST_BACKUP = 8
"""In days; an older one is worth a word where the data have changed since."""


def findings_of_store(settings: Settings) -> Iterator[Finding]:
    """Whether the store is whole and of this version, and how old its newest backup is.

    A process of its own looks, as the store is read by the daemon's rooms alone.
    """
    looked = subprocess.run(  # noqa: S603 - what is run is this very package.
        [sys.executable, "-m", "finplan.daemon", "--profile", settings.profile, "--check-store"],
        capture_output=True,
        check=False,
        cwd=Path(finplan.__file__).parent.parent,
        # A home may be named from the folder where the person is.
        env=environment_of(settings),
    )
    try:
        check = json.loads(looked.stdout)
    except ValueError:
        said = looked.stderr.decode(errors="replace").strip().splitlines()
        text = f"cannot be looked at: {said[-1] if said else f'exit code {looked.returncode}'}"
        yield Finding("integrity", "bad", text, "`finplan daemon logs` may tell more.")
        return
    if check["unopened"]:
        text = f"cannot be opened: {check['unopened']}"
        yield Finding("integrity", "bad", text, "Nothing tells that it is damaged; try again.")
        return
    yield _integrity(check, settings)
    if check["strange"]:
        told, _, advice = check["strange"].partition(". ")
        yield Finding("rows", "bad", f"{told}.", advice)
    yield from _backups(check, settings.places.backups)


def _integrity(check: dict[str, Any], settings: Settings) -> Finding:
    places = settings.places
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
    advice = (
        "Restore the newest good backup (`finplan backup restore`), or remove the data key to begin"
        " again."
    )
    return Finding("integrity", "bad", "empty, though a data key was made with a store", advice)


def _whole_store(check: dict[str, Any]) -> Finding:
    if check["revision"] > check["newest"]:
        text = f"written by a newer finplan (revision {check['revision']})"
        return Finding("integrity", "bad", text, "Update finplan.")
    if check["revision"] < check["newest"]:
        text = f"whole, of revision {check['revision']}"
        return Finding("integrity", "ok", f"{text}; the next start brings it to {check['newest']}")
    if check["is_changed"]:
        advice = "Its pages are sound. If that was not you, look at what was changed."
        return Finding("integrity", "warn", "changed by another program", advice)
    return Finding("integrity", "ok", f"whole, of revision {check['revision']}")


def _way_back(check: dict[str, Any], places: Places) -> str:
    if check["indexes"]:
        return "Only an index is damaged, no data. `finplan daemon jobs run backup` repairs it."
    sums = places.database.with_name(f"{places.database.name}-sums").name
    accept = f"If you changed it yourself with another program, delete {sums} and start again."
    if check["good_copy"] is None:
        return f"There is no good backup in {places.backups}. {accept}"
    return f"`finplan backup restore` puts {check['good_copy']} in its place. {accept}"


def _backups(check: dict[str, Any], folder: Path) -> Iterator[Finding]:
    if not check["copies"]:
        advice = "One is made each night once something has changed (`finplan daemon jobs`)."
        yield Finding("backup", "ok", f"none yet in {folder}. {advice}")
        return
    days = int((time.time() - check["copied_at"]) // 86_400)
    age = "today" if days < 1 else f"{count(days, 'day')} ago"
    size = f"{check['copy_bytes'] / 2**20:.1f} MB"
    text = f"newest made {age}, {size}, of {check['copies']} in {folder}"
    now = "`finplan backup create` makes one now."
    if check["good_copy"] is None:
        yield Finding("backup", "bad", f"none of {check['copies']} in {folder} is good", now)
    elif not check["is_newest_good"]:
        good = f"{text}; it is damaged, and {check['good_copy']} is the newest good one"
        yield Finding("backup", "warn", good, now)
    elif days > OLDEST_BACKUP and check["changed_at"] - check["copied_at"] > 86_400:
        yield Finding("backup", "warn", f"{text}; the data changed since", now)
    else:
        yield Finding("backup", "ok", text)


def missing_store(places: Places) -> Finding:
    """What is wrong where there is no store."""
    if not places.data_key.exists():
        return Finding("database", "ok", "none yet; the first command makes it")
    advice = (
        "Restore the newest good backup (`finplan backup restore`), or remove the data key to begin"
        " again."
    )
    text = f"{places.database} is gone, though {places.data_key.name} was made with it"
    return Finding("database", "bad", text, advice)
