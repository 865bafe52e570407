"""No crash comes between an effect and its reply: each row that writes, killed before each write."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.daemon.rate_limit import Limiting
from finplan.daemon.surfaces.rest.idempotency import LEASE
from finplan.operations.table import OPERATIONS
from tests.daemon.let_in import claim_an_agent, let_a_client_in
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon

KEY = {"idempotency-key": "the one key"}
HEAD = b"Date,Description,Amount (USD)\n"
FIRST = (
    HEAD + b"2026-01-01,BAKERY,-3.10\n2026-01-05,PLUMBER BILL 88,-120.00\n2026-01-09,CAFE,-4.00\n"
)
LATER = (
    HEAD + b"2026-01-01,BAKERY,-3.10\n2026-01-06,PLUMBER INVOICE,-120.00\n2026-01-09,CAFE,-4.00\n"
)
LAST = HEAD + b"2026-02-01,BAKERY,-3.20\n2026-02-02,FLORIST,-11.00\n"
EMPTY, DEMO, OWN, FILES = "empty", "demo", "own", "files"


class Died(asyncio.CancelledError):
    """The daemon was killed: whatever was going to happen does not."""


@dataclass(frozen=True)
class Scenario:
    """A request in a household; `{}` in the path is the id of the first thing listed at `of`."""

    household: str
    method: str
    path: str
    json: Any = None
    of: str = ""
    file: bytes | None = None


HOOK = {"url": "https://hooks.example.com/finplan", "events": ["plan.built"]}
RULE = {"payeeKey": "bakery", "category": "dining"}
TRIP = {"name": "Trip", "amount": 200_000, "month": "2199-07"}
SCENARIOS = {
    "change_me": Scenario(EMPTY, "PATCH", "/me", {"name": "Ada"}),
    "delete_me": Scenario(DEMO, "DELETE", "/me"),
    "change_settings": Scenario(EMPTY, "PATCH", "/settings", {"targetMonths": 7}),
    "link_connection": Scenario(
        EMPTY,
        "POST",
        "/connections",
        {"provider": "manual", "institution": {"id": None, "name": "Bank"}},
    ),
    "unlink_connection": Scenario(DEMO, "DELETE", "/connections/{}", of="/connections"),
    "sync_connection": Scenario(DEMO, "POST", "/connections/{}/sync", {}, of="/connections"),
    "sync_all": Scenario(FILES, "POST", "/connections/sync", {}),
    "import_files": Scenario(FILES, "POST", "/imports", file=LAST),
    "undo_import": Scenario(FILES, "DELETE", "/imports/{}", of="/imports"),
    "forget_import_profile": Scenario(
        FILES, "DELETE", "/imports/profiles/{}", of="/imports/profiles"
    ),
    "change_account": Scenario(DEMO, "PATCH", "/accounts/{}", {"hidden": True}, of="/accounts"),
    "add_account": Scenario(
        DEMO, "POST", "/accounts", {"name": "Boat", "kind": "other", "balance": 900_000}
    ),
    "remove_account": Scenario(OWN, "DELETE", "/accounts/{}", of="/accounts"),
    "set_balance": Scenario(
        OWN, "PUT", "/accounts/{}/balances", {"date": "2025-01-31", "balance": 7}, of="/accounts"
    ),
    "remove_balance": Scenario(OWN, "DELETE", "/accounts/{}/balances/2025-06-30", of="/accounts"),
    "change_transaction": Scenario(
        DEMO, "PUT", "/transactions/{}", {"category": "pets"}, of="/transactions"
    ),
    "decide_transfer": Scenario(
        DEMO, "PUT", "/transfers/{}", {"verdict": "reject"}, of="/transfers?status=paired"
    ),
    "decide_recurring": Scenario(
        DEMO, "PUT", "/recurring/{}", {"verdict": "dismiss"}, of="/recurring"
    ),
    "decide_duplicate": Scenario(
        FILES, "PUT", "/duplicates/{}", {"verdict": "same"}, of="/duplicates"
    ),
    "add_planned": Scenario(DEMO, "POST", "/planned", TRIP),
    "change_planned": Scenario(OWN, "PATCH", "/planned/{}", {"amount": 7}, of="/planned"),
    "remove_planned": Scenario(OWN, "DELETE", "/planned/{}", of="/planned"),
    "build_plan": Scenario(DEMO, "POST", "/plan", {}),
    "set_income": Scenario(DEMO, "PUT", "/snapshot/income", {"monthly": 250_000}),
    "answer_task": Scenario(DEMO, "POST", "/tasks/{}/answer", {"answer": "groceries"}, of="/tasks"),
    "undo_answer": Scenario(DEMO, "DELETE", "/tasks/{}/answer", of="/tasks?status=answered"),
    "create_category": Scenario(
        FILES,
        "POST",
        "/categories",
        {"name": "Boat", "line": "discretionary", "payeeKeys": ["bakery"]},
    ),
    "change_category": Scenario(FILES, "PATCH", "/categories/{}", {"name": "Ship"}, of="own"),
    "remove_category": Scenario(FILES, "DELETE", "/categories/{}", of="own"),
    "judge_suggestion": Scenario(
        FILES, "PUT", "/categories/suggestions", {"name": "Car costs", "dismissed": True}
    ),
    "set_rule": Scenario(FILES, "PUT", "/categories/rules", RULE),
    "set_rules": Scenario(
        FILES,
        "PUT",
        "/categories/rules/batch",
        {"rules": [RULE, {"payeeKey": "nobody", "category": "dining"}]},
    ),
    "remove_rule": Scenario(FILES, "DELETE", "/categories/rules/{}", of="/categories/rules"),
    "create_key": Scenario(EMPTY, "POST", "/keys", {"name": "another"}),
    "revoke_key": Scenario(FILES, "DELETE", "/keys/{}", of="/keys"),
    "create_client": Scenario(
        EMPTY, "POST", "/clients", {"name": "Mine", "redirectUris": ["https://a.example/cb"]}
    ),
    "revoke_client": Scenario(FILES, "DELETE", "/clients/{}", of="/clients"),
    "revoke_agent": Scenario(FILES, "DELETE", "/agents/{}", of="/agents"),
    "set_password": Scenario(FILES, "PUT", "/me/password", {"password": "four words of a key"}),
    "end_session": Scenario(FILES, "DELETE", "/sessions/{}", of="/sessions"),
    "create_sign_in_link": Scenario(EMPTY, "POST", "/sessions/link"),
    "create_invite": Scenario(EMPTY, "POST", "/invites", {"email": "grace@example.org"}),
    "revoke_invite": Scenario(FILES, "DELETE", "/invites/{}", of="/invites"),
    "run_job": Scenario(FILES, "POST", "/jobs/{}/run", {}, of="/jobs"),
    "create_webhook": Scenario(EMPTY, "POST", "/webhooks", HOOK),
    "change_webhook": Scenario(
        FILES, "PATCH", "/webhooks/{}", {"description": "Flat"}, of="/webhooks"
    ),
    "try_webhook": Scenario(FILES, "POST", "/webhooks/{}/test", {}, of="/webhooks"),
    "retry_delivery": Scenario(
        FILES, "POST", "/webhooks/{}/deliveries/{}/retry", {}, of="/webhooks"
    ),
    "rotate_secret": Scenario(FILES, "POST", "/webhooks/{}/secret", {}, of="/webhooks"),
    "remove_webhook": Scenario(FILES, "DELETE", "/webhooks/{}", of="/webhooks"),
}
ENDED_BY_A_RESTART = {"cancel_import", "start_build", "stream_build", "try_changes"}
"""What these are about ends with the daemon: a running import, and a build that goes on after the reply.
A crash leaves another household than none would. What a stream tells is not replayed at all.
What is only tried changes nothing, so that nothing happens twice."""

BEYOND_THE_STORE = {"begin_link", "rotate_data_key"}
"""A page is open at a bank once it was begun, and the data key is a file: their own tests kill them."""


def test_each_row_that_writes_has_a_scenario() -> None:
    """A new row needs one here before it is done."""
    writing = {row.name for row in OPERATIONS if row.method != "GET"}

    assert writing == set(SCENARIOS) | ENDED_BY_A_RESTART | BEYOND_THE_STORE


@pytest.fixture(scope="module")
def households(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Mapping[str, Path]:
    """A store of each kind: with nothing, the demo, an account of one's own, files and own things."""
    folders = {name: tmp_path_factory.mktemp(name) for name in (EMPTY, DEMO, OWN, FILES)}

    async def fill() -> None:
        async with running_daemon(folders[EMPTY], empty_store) as daemon:
            await daemon.http.get("/api/v1/me")
        async with running_daemon(folders[DEMO], empty_store) as daemon:
            await _do(daemon, "POST", "/connections", json={"provider": "demo"})
            await _do(daemon, "POST", "/plan", json={})
            task = (await daemon.http.get("/api/v1/tasks")).json()[0]["id"]
            await _do(daemon, "POST", f"/tasks/{task}/answer", json={"answer": "groceries"})
        async with running_daemon(folders[OWN], empty_store) as daemon:
            home = {"name": "Home", "kind": "other", "currency": "USD", "balance": 41_000_000}
            await _do(daemon, "POST", "/accounts", json=home | {"asOf": "2025-06-30"})
            await _do(daemon, "POST", "/planned", json=TRIP)
        async with running_daemon(folders[FILES], empty_store) as daemon:
            for content in (FIRST, LATER):
                file = {"file": ("a.csv", content)}
                await _do(daemon, "POST", "/imports", files=file, data={"account": "checking"})
            own = {"name": "Sailing", "line": "discretionary", "payeeKeys": ["cafe"]}
            await _do(daemon, "POST", "/categories", json=own)
            await _do(daemon, "POST", "/keys", json={"name": "nightly"})
            await _do(daemon, "POST", "/invites", json={"days": 1})
            await _do(daemon, "POST", "/webhooks", json=HOOK)
            hook = (await daemon.http.get("/api/v1/webhooks")).json()[0]["id"]
            await _do(daemon, "POST", f"/webhooks/{hook}/test", json={})
            await sign_in_a_browser(daemon)
            await let_a_client_in(daemon)
            await claim_an_agent(daemon)

    asyncio.run(fill())
    return {name: folder / "finplan.db" for name, folder in folders.items()}


async def _do(daemon: RunningDaemon, method: str, path: str, **content: Any) -> None:
    answer = await daemon.http.request(method, f"/api/v1{path}", **content)
    assert answer.is_success, answer.text


@pytest.mark.thorough
@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", SCENARIOS)
async def test_a_request_that_is_sent_again_after_a_crash_takes_effect_once(
    tmp_path: Path, households: Mapping[str, Path], name: str
) -> None:
    """Killed before any of its writes, or after all: sent again, it is as if it had run once, whole.

    Of writes only the claim comes on top: the reply is in the effect.
    """
    scenario = SCENARIOS[name]
    household = households[scenario.household]
    path = await _path_of(tmp_path, household, scenario)
    undisturbed, writes = await _ask(tmp_path / "whole", household, scenario, path)
    assert undisturbed is not None
    assert undisturbed.is_success, undisturbed.text
    expected = _rows(tmp_path / "whole" / "finplan.db")

    _, without_a_key = await _ask(tmp_path / "plain", household, scenario, path, headers={})
    assert writes == without_a_key + 1
    for fatal in range(1, writes + 2):
        first, second = tmp_path / f"killed-{fatal}", tmp_path / f"again-{fatal}"
        lost, _ = await _ask(first, household, scenario, path, fatal=fatal)
        assert (lost is None) == (fatal <= writes)
        again, _ = await _ask(second, first / "finplan.db", scenario, path, later=True)

        assert again is not None
        assert again.status_code == undisturbed.status_code, again.text
        assert type(again.json()) is type(undisturbed.json())
        assert _rows(second / "finplan.db") == expected, f"Killed before write {fatal}."


async def _path_of(folder: Path, household: Path, scenario: Scenario) -> str:
    if not scenario.of:
        return scenario.path
    async with _daemon(folder / "look", household) as daemon:
        place = "/categories" if scenario.of == "own" else scenario.of
        listed = (await daemon.http.get(f"/api/v1{place}")).json()
        sent = ""
        if place == "/webhooks":
            hook = f"/api/v1/webhooks/{listed[0]['id']}/deliveries"
            sent = (await daemon.http.get(hook)).json()["deliveries"][0]["id"]
    if scenario.of == "own":
        found = next(each["category"] for each in listed if each["custom"])
    else:
        first = (listed if isinstance(listed, list) else listed["transactions"])[0]
        found = first.get("id") or first.get("name") or first["connection"]["id"]
    return scenario.path.format(found, sent)


def _daemon(folder: Path, household: Path, *, later: bool = False) -> Any:
    now = NOW + timedelta(milliseconds=LEASE) if later else NOW
    return running_daemon(folder, household, limiting=Limiting(1000), clock=lambda: now)


async def _ask(
    folder: Path,
    household: Path,
    scenario: Scenario,
    path: str,
    *,
    fatal: int | None = None,
    later: bool = False,
    headers: Mapping[str, str] = KEY,
) -> tuple[httpx.Response | None, int]:
    """Send the request to a new daemon, which dies at a write; answers the reply and the writes."""
    writes = 0
    async with _daemon(folder, household, later=later) as daemon:
        write = daemon.store.write

        async def write_or_die(*work: Any, **how: Any) -> Any:
            nonlocal writes
            writes += 1
            if fatal is not None and writes >= fatal:
                raise Died
            return await write(*work, **how)

        daemon.store.write = write_or_die
        files = None if scenario.file is None else {"file": ("new checking.csv", scenario.file)}
        form = None if scenario.file is None else {"account": "checking"}
        try:
            answer = await daemon.http.request(
                scenario.method,
                f"/api/v1{path}",
                json=scenario.json,
                files=files,
                data=form,
                headers=headers,
            )
        except httpx.TransportError:
            answer = None
    return answer, writes


UNCOUNTED = {
    # What a crash leaves of a request is not what the request is about.
    "kept_reply": "0",
    # An import that never was committed stays in the list of attempts.
    "import_batch": "status IN ('committed', 'undone')",
    # What was shown is noted beside the answer, and may be lost with or without a key.
    "shown_allowance": "0",
}


def _rows(path: Path) -> Counter[str]:
    """How many rows each table has."""
    with sqlite3.connect(path) as database:
        names = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        counts = {
            name: database.execute(
                f"SELECT count(*) FROM {name} WHERE {UNCOUNTED.get(name, '1')}"
            ).fetchone()[0]
            for name in names
        }
    database.close()
    return Counter(counts)
