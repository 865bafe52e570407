"""What `finplan doctor` looks at: each finding says how it stands and what to do."""

import json
import os
import shutil
import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from finplan import __version__, model, operations, views
from finplan.cli.commands.checkup_of_store import findings_of_store, missing_store
from finplan.cli.console.errors import print_remark
from finplan.client.connect import NeedsRestart, Ready, Unreachable, probe
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.figures import count
from finplan.model.installation import Finding, for_profile, sentence_of
from finplan.secret_files import enablebanking_key, plaid_secret
from finplan.setting_values import SettingsError, words_of_command
from finplan.settings import (
    ENABLEBANKING_KEY_VARIABLE,
    PLAID_SECRET_VARIABLE,
    SECRET_VARIABLES,
    SettingFault,
    Settings,
    describe,
    not_in_force,
)

_MISREAD: "dict[model.statement.Misreading, str]" = {
    "signs": "with money in and money out swapped",
    "amounts": "with wrong amounts",
    "days": "with day and month swapped",
    "currency": "in the wrong currency",
}
PACKAGES = ("aiohttp", "alembic", "httpx", "pydantic", "rich", "sqlalchemy", "sqlmodel", "typer")
LITTLE_SPACE, NO_SPACE = 500 * 2**20, 50 * 2**20
OLDEST_PYTHON = (3, 11)


def findings(settings: Settings, faults: Iterable[SettingFault] = ()) -> Iterator[Finding]:
    """Look at everything, one after the other; changes nothing and starts nothing."""
    for finding in _looked_at(settings, faults):
        lines = finding.text, finding.advice
        text, advice = (for_profile(line, settings.profile) for line in lines)
        yield replace(finding, text=text, advice=advice)


def _looked_at(settings: Settings, faults: Iterable[SettingFault]) -> Iterator[Finding]:
    yield _python()
    yield _packages()
    for fault in faults:
        yield Finding("settings", "bad", fault.what, fault.advice)
    yield from _environment(settings)
    yield from _places(settings)
    yield _data_key(settings.places.data_key)
    yield _disk(settings)
    yield from _webhooks(settings)
    yield from _notify_command(settings)
    yield from findings_of_keys(settings)
    yield from _daemon(settings)


def _python() -> Finding:
    text = f"Python {sys.version.split()[0]}, finplan {__version__}"
    if sys.version_info < OLDEST_PYTHON:
        return Finding("python", "bad", text, "Install Python 3.11 or newer.")
    return Finding("python", "ok", text)


def _packages() -> Finding:
    installed, missing = [], []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        text = f"missing: {', '.join(missing)}"
        return Finding(
            "packages", "bad", text, "Install the missing packages: `pip install finplan`."
        )
    return Finding("packages", "ok", ", ".join(installed))


def _webhooks(settings: Settings) -> Iterator[Finding]:
    """What webhooks may reach besides the public internet, as long as a setting says so."""
    if settings.private_targets:
        text = f"can reach private addresses: {', '.join(settings.private_targets)}"
        advice = (
            "Anyone who can add a webhook can make this machine send requests there. In the"
            " setting `webhook_private_targets`, remove the addresses that you do not need."
        )
        yield Finding("webhooks", "warn", text, advice)


def _environment(settings: Settings) -> Iterator[Finding]:
    variables = {f"FINPLAN_{name.upper()}" for name, _, _ in describe(settings)}
    variables |= {"FINPLAN_HOME", "FINPLAN_PROFILE", *SECRET_VARIABLES}
    unknown = sorted(
        name for name in os.environ if name.startswith("FINPLAN_") and name not in variables
    )
    if unknown:
        advice = f"Known variables: {', '.join(sorted(variables))}."
        yield Finding(
            "environment", "warn", f"unknown variables, ignored: {', '.join(unknown)}", advice
        )


def _places(settings: Settings) -> Iterator[Finding]:
    places = settings.places
    yield _folder("data", places.data, private=True)
    yield _folder("logs", places.state, private=False)
    if not places.database.exists():
        yield missing_store(places)
        return
    size = f"{places.database} ({places.database.stat().st_size / 2**20:.1f} MB)"
    yield _guarded("database", places.database, size)
    yield from findings_of_store(settings)


def _data_key(file: Path) -> Finding:
    """Where the key comes from that secrets in the store are sealed under."""
    if not file.exists():
        return Finding("data key", "ok", "none yet; finplan creates it at the first start")
    try:
        source = json.loads(file.read_text(encoding="utf-8"))["source"]
    except (OSError, ValueError, TypeError, KeyError):
        advice = "Restore the file from a backup. finplan does not start without its data key."
        return Finding("data key", "bad", f"{file} cannot be read", advice)
    if source == "file":
        return _guarded("data key", file, f"in {file}")
    if source == "keyring":
        advice = (
            "Commands that run from cron or over ssh often cannot read the keyring. Move the key to"
            " a file: `finplan secrets move file`."
        )
        return Finding("data key", "ok", f"in the system keyring (according to {file})", advice)
    return Finding("data key", "ok", f"from {source} (according to {file})")


def _folder(name: str, folder: Path, *, private: bool) -> Finding:
    if not folder.exists():
        parent = next(path for path in folder.parents if path.exists())
        if os.access(parent, os.W_OK):
            return Finding(name, "ok", f"{folder} (created when needed)")
        return Finding(
            name,
            "bad",
            f"cannot create {folder}",
            f"You cannot write to {parent}. Choose another folder with FINPLAN_HOME.",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding(
            name, "bad", f"you cannot write to {folder}", f"Allow writing: `chmod u+rwx {folder}`."
        )
    return _guarded(name, folder, str(folder)) if private else Finding(name, "ok", str(folder))


def _guarded(name: str, path: Path, text: str) -> Finding:
    if path.stat().st_mode & 0o077:
        own = "700" if path.is_dir() else "600"
        return Finding(
            name,
            "warn",
            f"{text} is open to other users of this machine",
            f"Restrict access: `chmod {own} {path}`.",
        )
    return Finding(name, "ok", text)


def _disk(settings: Settings) -> Finding:
    folder = settings.places.data
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    text = f"{free / 2**30:.1f} GB free"
    if free < NO_SPACE:
        return Finding(
            "disk",
            "bad",
            text,
            "Free some disk space now. Otherwise, finplan will soon be unable to save data.",
        )
    if free < LITTLE_SPACE:
        return Finding("disk", "warn", text, "Free some disk space before a large import.")
    return Finding("disk", "ok", text)


def _daemon(settings: Settings) -> Iterator[Finding]:
    state = probe(settings)
    match state:
        case Ready():
            text = f"version {state.version} runs at {state.url} (process {state.pid})"
            yield Finding("daemon", "ok", text)
            if state.notice is not None:
                yield Finding("notice", "bad", sentence_of(state.notice))
            yield from _settings_in_force(settings, state)
            yield from _store(state)
        case NeedsRestart():
            yield Finding("daemon", "warn", state.reason, "The next command restarts the service.")
        case Unreachable(pid=None):
            yield Finding(
                "daemon", "ok", "not running; the next command that needs the service starts it"
            )
            yield from _port(settings)
        case Unreachable():
            advice = f"Try again in a moment. If it still fails, see {settings.places.log}."
            yield Finding("daemon", "warn", state.reason, advice)


def _settings_in_force(settings: Settings, ready: Ready) -> Iterator[Finding]:
    """Which settings were changed in the file since the daemon read it."""
    changed = not_in_force(settings.profile, ready.settings)
    if changed:
        file = settings.places.configuration / "finplan.toml"
        text = f"changed in {file}, not applied yet: {', '.join(changed)}"
        advice = "To apply them, run `finplan daemon stop`. The next command restarts the service."
        yield Finding("settings", "warn", text, advice)


def _notify_command(settings: Settings) -> Iterator[Finding]:
    """Whether the program is there that the owner of the machine is told by."""
    command = settings.notify_command
    if command is None or command == "off":
        return
    program = words_of_command(command)[0]
    if shutil.which(program) is None:
        advice = (
            "You get no alerts until you correct the setting `notify_command` or set it to `off`."
        )
        yield Finding("notices", "warn", f"program not found: {program}", advice)


def _store(ready: Ready) -> Iterator[Finding]:
    from finplan.client.client import Client

    nothing = model.base.Nothing()
    try:
        with Client(ready.url, ready.token, print_remark) as client:
            accounts = client.call(operations.account.LIST_ACCOUNTS, nothing)
            records = client.call(operations.statement_file.LIST_IMPORTS, nothing)
            newest = model.transaction.TransactionQuery(limit=1)
            client.call(operations.transaction.LIST_TRANSACTIONS, newest)
            client.call(operations.person.SHOW_ME, nothing)
            client.call(operations.credential.LIST_KEYS, nothing)
            rules = client.call(operations.category.LIST_RULES, nothing)
            jobs = client.call(operations.schedule.LIST_JOBS, nothing)
            webhooks = client.call(operations.webhook.LIST_WEBHOOK_RECORDS, nothing)
            states = client.call(operations.bank.LIST_CONNECTION_STATES, nothing)
    except (CallFailed, DaemonUnreachable) as error:
        if ready.notice is None or str(error) != sentence_of(ready.notice):
            yield Finding("store", "bad", str(error), "See the log: `finplan daemon logs`.")
        return
    counts = f"{count(len(accounts), 'account')}, {count(len(rules), 'category rule')}"
    yield Finding("store", "ok", f"readable ({counts})")
    yield from misread_imports(records)
    yield from failed_jobs(jobs)
    yield from ailing_webhooks(webhooks)
    yield from banks_that_need_you(states)


def banks_that_need_you(states: Sequence["model.connection.ConnectionState"]) -> Iterator[Finding]:
    """Say which banks wait for the person, or will soon."""
    for state in states:
        link = state.record.connection
        if link.status != "ok":
            text = f"{link.institution_name} does not sync: {link.error}"
            yield Finding("banks", "warn", text, "See your connections: `finplan connections`.")
    for need, way in views.banks.needs(states, views.locale.here("")):
        yield Finding("banks", "warn", need.rstrip("."), way)


def ailing_webhooks(records: Iterable["model.webhook.WebhookRecord"]) -> Iterator[Finding]:
    """Say which webhooks are told nothing, and why."""
    held_up = dict[str, int]()
    for record in records:
        url = record.webhook.url
        if record.held_up is not None:
            held_up[record.held_up] = held_up.get(record.held_up, 0) + record.waiting
        elif record.webhook.disabled_at is None and record.failing_since is not None:
            text = f"the last delivery to {url} failed: {record.last_error}"
            yield Finding(
                "webhooks",
                "warn",
                text,
                "finplan will retry it. To see when, run `finplan webhooks`.",
            )
    for why, waiting in held_up.items():
        text = f"{count(waiting, 'delivery', 'deliveries')} waiting: finplan cannot sign deliveries"
        yield Finding("webhooks", "warn", text, why)


def failed_jobs(jobs: Iterable["model.job.Job"]) -> Iterator[Finding]:
    """Say which of the things that are done unasked failed the last time."""
    for job in jobs:
        if job.last_result == "failed":
            advice = f"finplan will retry it. To run it now: `finplan daemon jobs run {job.name}`."
            yield Finding("schedule", "warn", f"{job.name} failed: {job.error}", advice)


def misread_imports(records: Iterable["model.statement.ImportRecord"]) -> Iterator[Finding]:
    """Say which imports stand that read their files wrongly."""
    for record in records:
        if record.misread is None or record.undone_at is not None:
            continue
        files = ", ".join(file.file for file in record.report.files)
        text = f"{files}: imported {_MISREAD[record.misread]}"
        advice = f"Undo the import, then import the file again: `finplan imports undo {record.id}`."
        yield Finding("import", "warn", text, advice)


def _port(settings: Settings) -> Iterator[Finding]:
    port = settings.port or _kept_port(settings.places.port_file)
    if port is None:
        return
    with socket.socket() as probe_socket:
        if probe_socket.connect_ex(("127.0.0.1", port)) == 0:
            advice = "Stop that program, or choose another port with FINPLAN_PORT."
            yield Finding("port", "warn", f"another program uses port {port}", advice)


def _kept_port(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def findings_of_keys(settings: Settings) -> Iterator[Finding]:
    """What there is to say of the keys whose ids are set."""
    yield from _plaid(settings)
    yield from _enablebanking(settings)


def _plaid(settings: Settings) -> Iterator[Finding]:
    """Whether the person's keys at Plaid are both there."""
    if settings.plaid_client_id is None:
        return
    file = settings.places.plaid_secret
    try:
        secret = plaid_secret(settings.places)
    except SettingsError as error:
        yield Finding(
            "plaid", "bad", str(error), f"Make the file readable only by you: `chmod 600 {file}`."
        )
        return
    if secret is None:
        text = "`plaid_client_id` is set, but the secret is missing"
        yield Finding(
            "plaid", "bad", text, f"Save the secret in {file} or set {PLAID_SECRET_VARIABLE}."
        )
        return
    yield Finding("plaid", "ok", f"credentials for {settings.plaid_environment}")


def _enablebanking(settings: Settings) -> Iterator[Finding]:
    """Whether the application at Enable Banking has its key."""
    if settings.enablebanking_application_id is None:
        return
    file = settings.places.enablebanking_key
    try:
        key = enablebanking_key(settings.places)
    except SettingsError as error:
        advice = f"Save the key's PEM file there, readable only by you: `chmod 600 {file}`."
        yield Finding("eu banks", "bad", str(error), advice)
        return
    if key is None:
        text = "`enablebanking_application_id` is set, but its private key is missing"
        advice = (
            f"Save the key's PEM file as {file}, or set {ENABLEBANKING_KEY_VARIABLE} to the key's"
            " text."
        )
        yield Finding("eu banks", "bad", text, advice)
        return
    yield Finding("eu banks", "ok", "application and key found")
