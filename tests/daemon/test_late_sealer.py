"""A key that cannot be had: what needs no secret goes on, and what does is refused in a sentence."""

import asyncio
from pathlib import Path

from finplan.daemon.late_sealer import LateSealer
from finplan.model.errors import SecretsUnreachable
from tests.daemon.running import running_daemon

KEYED = {"Idempotency-Key": "once"}
SENTENCE = "The keyring is locked."


class Keyring:
    """One that is locked at first."""

    def __init__(self) -> None:
        self.locked = True
        self.asked = 0

    def key(self) -> bytes:
        self.asked += 1
        if self.locked:
            raise SecretsUnreachable(SENTENCE)
        return bytes(32)


async def test_only_what_needs_a_secret_waits_for_the_key(
    tmp_path: Path, empty_store: Path
) -> None:
    """Reading and changing go on; a change that is to happen once has happened only with the key."""
    keyring = Keyring()
    sealer = LateSealer(keyring.key)
    async with running_daemon(tmp_path, empty_store, sealer=sealer) as running:
        read = await running.http.get("/api/v1/me")
        changed = await running.http.patch("/api/v1/me", json={"name": "Ada"})
        assert (read.status_code, changed.status_code, keyring.asked) == (200, 200, 0)

        refused = await running.http.patch("/api/v1/me", json={"name": "Eve"}, headers=KEYED)
        still = await running.http.get("/api/v1/me")
        keyring.locked = False
        done = await running.http.patch("/api/v1/me", json={"name": "Eve"}, headers=KEYED)

    assert (refused.status_code, refused.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert refused.json()["message"] == SENTENCE
    assert still.json()["name"] == "Ada"
    assert (done.status_code, done.json()["name"]) == (200, "Eve")
    assert "idempotent-replayed" not in done.headers


async def test_a_key_that_was_given_is_kept() -> None:
    """The keyring is asked once, and not at all where the key was known at the start."""
    keyring = Keyring()
    keyring.locked = False
    late = LateSealer(keyring.key)

    assert await late() is await late()
    assert keyring.asked == 1
    known = await late()
    assert await LateSealer(keyring.key, known)() is known
    assert keyring.asked == 1


async def test_the_loop_goes_on_while_a_keyring_is_asked() -> None:
    """Asking happens in a thread of its own: a prompt that waits for a person holds nobody up."""
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    answered = asyncio.Event()

    def slow() -> bytes:
        loop.call_soon_threadsafe(asked.set)
        # This thread ends when the loop, which would be blocked if it ran there, has gone on.
        asyncio.run_coroutine_threadsafe(answered.wait(), loop).result()
        return bytes(32)

    making = asyncio.create_task(LateSealer(slow)())
    await asked.wait()
    answered.set()
    await making
