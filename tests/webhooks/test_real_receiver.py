"""The daemon as it is started, and a receiver at home: allowed by one setting, trusted by another."""

import asyncio
import base64
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, MappingKeyResolver, algorithms
from standardwebhooks import Webhook

from finplan.client.announcement import read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.settings import load_settings
from finplan.webhooks.signing import DIRECTORY_PATH, REQUEST_TAG
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.webhooks.receiver import Authority, Got, Receiver, make_authority, receiving

pytestmark = pytest.mark.thorough

LONG = 10 * 2**20


async def answer(request: web.Request) -> web.StreamResponse:
    """What the path says."""
    if request.path == "/long":
        return web.Response(body=bytes(LONG))
    status = int(request.path.removeprefix("/"))
    return web.Response(status=status, headers={"Location": "/204"} if status == 302 else {})


@asynccontextmanager
async def daemon(home: Path, settings: str) -> AsyncIterator[httpx.AsyncClient]:
    """A daemon of its own process, with a file of settings; asked as its owner."""
    clean = {name: value for name, value in os.environ.items() if name[:8] != "FINPLAN_"}
    environment = clean | {
        "FINPLAN_HOME": str(home),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    (home / "default").mkdir()
    (home / "default" / "finplan.toml").write_text(settings, encoding="utf-8")
    file = load_settings(environ=environment).places.daemon_file
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "finplan.daemon"), env=environment
    )
    try:
        async with asyncio.timeout(LONG_ENOUGH):
            while (found := read_announcement(file)) is None:
                assert process.returncode is None
                await asyncio.sleep(0.02)
        async with httpx.AsyncClient(
            base_url=found.url,
            cookies={SESSION_COOKIE: found.token},
            trust_env=False,
            verify=False,
            timeout=LONG_ENOUGH,
        ) as http:
            yield http
    finally:
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), LONG_ENOUGH)


async def sent(http: httpx.AsyncClient, url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A new webhook, and a test delivery to it once there was an attempt."""
    made = await http.post(f"{API_ROOT}/webhooks", json={"url": url, "events": ["plan.built"]})
    assert made.status_code == 201, made.text
    path = f"{API_ROOT}/webhooks/{made.json()['id']}"
    await http.post(f"{path}/test")
    async with asyncio.timeout(LONG_ENOUGH):
        while True:
            (delivery,) = (await http.get(f"{path}/deliveries")).json()["deliveries"]
            if delivery["attempts"]:
                return made.json(), delivery
            await asyncio.sleep(0.02)


@dataclass
class Request:
    """What a receiver hands to the verifier."""

    url: str
    headers: dict[str, str]
    method: str = "POST"


async def verify(http: httpx.AsyncClient, got: Got, url: str, secret: str) -> None:
    """Both signatures hold, by packages of others and the directory that the daemon publishes."""
    Webhook(secret).verify(got.body.decode(), got.headers)
    public = {
        each["kid"]: Ed25519PublicKey.from_public_bytes(
            base64.urlsafe_b64decode(each["x"] + "=" * (-len(each["x"]) % 4))
        )
        for each in (await http.get(DIRECTORY_PATH)).json()["keys"]
    }
    HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys=public, private_keys={}),
    ).verify(
        Request(url, got.headers),
        max_age=timedelta(minutes=5),
        expect_tag=REQUEST_TAG,
        require_components=("@method", "@authority", "@target-uri", "content-digest"),
        body=got.body,
    )


async def test_a_receiver_at_home(tmp_path: Path) -> None:
    """Each answer comes to what the handbook says; who is not trusted, or not named, gets nothing."""
    authority, stranger = _authority(tmp_path, "own"), _authority(tmp_path, "stranger")
    settings = (
        f"port = {free_ports(1)}\n"
        'webhook_private_targets = "127.0.0.1"\n'
        f'webhook_ca = "{authority.authorities}"\n'
    )
    async with (
        receiving(authority) as receiver,
        receiving(stranger) as other,
        daemon(tmp_path, settings) as http,
    ):
        receiver.answer = answer
        hook, delivery = await sent(http, _at(receiver, "/204"))
        assert (delivery["status"], delivery["lastStatus"]) == ("delivered", 204)
        (got,) = receiver.got
        await verify(http, got, hook["url"], hook["secret"])
        assert json.loads(got.body)["data"] == {"webhookId": hook["id"]}

        for path, status, told in (
            ("/500", "pending", "answered 500."),
            ("/302", "pending", "redirected (302)"),
            ("/410", "failed", "no longer wants deliveries (410)"),
        ):
            _, delivery = await sent(http, _at(receiver, path))
            assert delivery["status"] == status
            assert told in delivery["lastError"]
        _, delivery = await sent(http, _at(receiver, "/long"))
        assert delivery["status"] == "delivered"
        paths = [got.path for got in receiver.got]
        assert paths.count("/204") == 1
        assert {*paths} == {"/204", "/500", "/302", "/410", "/long"}

        _, delivery = await sent(http, _at(other, "/204"))
        assert "certificate is not" in delivery["lastError"]
        assert other.got == []
        unnamed = {"url": receiver.url("/204", "127.0.0.2"), "events": ["plan.built"]}
        refused = await http.post(f"{API_ROOT}/webhooks", json=unnamed)
        assert refused.status_code == 400
        assert "`webhook_private_targets`" in refused.json()["message"]


def _authority(folder: Path, name: str) -> Authority:
    (folder / name).mkdir()
    return make_authority(folder / name, "127.0.0.1")


def _at(receiver: Receiver, path: str) -> str:
    return receiver.url(path, "127.0.0.1")
