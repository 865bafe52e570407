"""Two processes serve one store: each sees what the other has written in its very next answer."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.client.request import SESSION_COOKIE
from finplan.daemon.auth.sessions import SITE_HEADER, cookie_of
from tests.daemon.let_in import claim_an_agent, let_a_client_in
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

pytestmark = pytest.mark.thorough

PROJECT = Path(__file__).parent.parent.parent

ANSWERS = (
    "/spending?groupBy=category",
    "/spending?groupBy=merchant&from=2026-01-01",
    "/snapshot",
    "/plan/view",
    "/plan/explain/monthly",
    "/transactions?limit=50",
    "/categories/rules",
)
"""What follows from how a payee is filed."""


ME = "/api/v1/me"


@dataclass(frozen=True)
class Two:
    """A client of each of the two processes, and the daemon of this one."""

    here: httpx.AsyncClient
    there: httpx.AsyncClient
    daemon: RunningDaemon

    def turned(self) -> "Two":
        return Two(self.there, self.here, self.daemon)


@pytest.fixture
async def two(tmp_path: Path, household_store: Path) -> AsyncIterator[Two]:
    """A daemon in this process and one in another, both on the demo household's store."""
    async with running_daemon(tmp_path / "home", household_store) as here:
        other = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.daemon.second_daemon"),
            *(str(here.store.path), str(tmp_path / "uploads")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=PROJECT,
        )
        assert other.stdin is not None
        assert other.stdout is not None
        announced = json.loads(await other.stdout.readline())
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{announced['port']}",
            cookies={SESSION_COOKIE: announced["token"]},
            trust_env=False,
            timeout=LONG_ENOUGH,
        ) as there:
            yield Two(here.http, there, here)
        other.stdin.close()
        assert await other.wait() == 0


async def get(client: httpx.AsyncClient, place: str, **headers: str) -> httpx.Response:
    response = await client.get(f"/api/v1{place}", headers=headers)
    assert response.status_code in (200, 304), response.text
    return response


async def do(client: httpx.AsyncClient, method: str, place: str, sent: Any) -> Any:
    response = await client.request(method, f"/api/v1{place}", json=sent)
    assert response.is_success, response.text
    return response.json()


async def test_each_sees_the_others_writes_at_once(two: Two) -> None:
    """After a rule every answer that follows from it is the same at both, under another tag."""
    # One whose rows are among the newest, so that each answer follows from how it is filed.
    newest = (await get(two.here, "/transactions?limit=50")).json()["transactions"]
    key = next(row["payeeKey"] for row in newest if row["category"] == "groceries")
    for each, category in ((two, "savings"), (two.turned(), "travel"), (two, "savings")):
        before = {place: await get(each.there, place) for place in ANSWERS}
        await do(each.here, "PUT", "/categories/rules", {"payeeKey": key, "category": category})
        for place in ANSWERS:
            tag = before[place].headers["etag"]
            there = await get(each.there, place, **{"if-none-match": tag})
            here = await get(each.here, place)
            assert there.status_code == 200, (place, category)
            assert there.json() == here.json()
            assert there.headers["etag"] == here.headers["etag"]


async def test_what_one_built_the_other_shows(two: Two) -> None:
    """A plan, a setting and an account's name are there for both, and so is that nothing changed."""
    await do(two.here, "PATCH", "/settings", {"targetMonths": 9})
    built = await do(two.there, "POST", "/plan", {})
    assert (await get(two.here, "/plan")).json() == built
    assert (await get(two.here, "/plan/view")).json()["plan"] == built["plan"]
    account = (await get(two.here, "/accounts")).json()[0]["id"]
    await do(two.here, "PATCH", f"/accounts/{account}", {"name": "Ours"})

    renamed = await get(two.there, "/accounts")
    assert renamed.json()[0]["name"] == "Ours"
    again = await get(two.here, "/accounts", **{"if-none-match": renamed.headers["etag"]})
    assert again.status_code == 304


async def test_both_write_side_by_side(two: Two) -> None:
    """Of writes to two processes at once none is lost and none refused."""
    names = [f"Category {number}" for number in range(20)]
    await asyncio.gather(
        *(
            do(client, "POST", "/categories", {"name": name, "line": "discretionary"})
            for name, client in zip(names, (two.here, two.there) * 10, strict=True)
        )
    )

    for client in (two.here, two.there):
        listed = (await get(client, "/categories")).json()
        assert set(names) <= {each["label"] for each in listed}


async def test_what_one_takes_back_the_other_refuses(two: Two) -> None:
    """A key, a client's token, an agent's and a browser's session: refused at the very next use.

    Each was used at the other process before, so that nothing of it is remembered there.
    """
    shown, take_back = await _credentials(two)
    for name, headers in shown.items():
        async with _stranger(two.there) as there:
            assert (await there.get(ME, headers=headers)).status_code == 200, name
            await do(two.here, "DELETE", take_back[name], None)
            refused = await there.get(ME, headers=headers)
        assert (name, refused.status_code) == (name, 401)
        assert "resource_metadata=" in refused.headers["www-authenticate"]


async def _credentials(two: Two) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """What each credential shows, and where it is taken back."""
    key = await do(two.here, "POST", "/keys", {"name": "one"})
    client, token = await let_a_client_in(two.daemon)
    agent, agents_token = await claim_an_agent(two.daemon)
    cookie = await sign_in_a_browser(two.daemon)
    session = (await get(two.here, "/sessions")).json()[0]["id"]
    name = cookie_of(str(two.there.base_url), two.there.base_url.port or 0)
    shown = {
        "key": {"x-api-key": key["key"]},
        "client": {"Authorization": f"Bearer {token}"},
        "agent": {"Authorization": f"Bearer {agents_token}"},
        "browser": {"Cookie": f"{name}={cookie}", SITE_HEADER: "same-origin"},
    }
    take_back = {
        "key": f"/keys/{key['id']}",
        "client": f"/clients/{client}",
        "agent": f"/agents/{agent}",
        "browser": f"/sessions/{session}",
    }
    return shown, take_back


def _stranger(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """Somebody without a credential at a process."""
    return httpx.AsyncClient(base_url=client.base_url, trust_env=False, timeout=LONG_ENOUGH)


async def test_a_key_made_anew_by_one_process_is_the_others_too(two: Two) -> None:
    """What either sealed before or after, under whichever key, opens for both."""
    for one in (two, two.turned()):
        keyed = {"Idempotency-Key": f"before {one is two}"}
        made = await one.there.post("/api/v1/keys", json={"name": "a"}, headers=keyed)
        assert (await one.here.post("/api/v1/data-key/rotate", json={})).status_code == 200

        again = await one.there.post("/api/v1/keys", json={"name": "a"}, headers=keyed)
        later = {"Idempotency-Key": f"after {one is two}"}
        fresh = await one.there.post("/api/v1/keys", json={"name": "b"}, headers=later)
        replayed = await one.here.post("/api/v1/keys", json={"name": "b"}, headers=later)

        assert again.headers["idempotent-replayed"] == "true"
        assert (again.json(), replayed.json()) == (made.json(), fresh.json())
        for each in (one.here, one.there):
            shown = (await get(each, "/data-key")).json()
            assert {kind["closed"] for kind in shown["sealed"]} == {0}
            assert not shown["unfinished"]
