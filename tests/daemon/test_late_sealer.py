"""A key that cannot be had: what needs no secret goes on, and what does is refused in a sentence."""

import asyncio
import threading
from pathlib import Path

import pytest

from finplan.daemon.startup import WORTH_REMEMBERING, LateSealer
from finplan.model.errors import SecretsUnreachable
from finplan.store.sealing import Sealer
from tests.daemon.running import running_daemon
from tests.patience import LONG_ENOUGH

KEYED = {"Idempotency-Key": "once"}
SENTENCE = "The keyring is locked."


class Keyring:
    """One that is locked at first, and takes so many seconds to answer, by a clock of its own."""

    def __init__(self, takes: float = 0.0) -> None:
        self.locked = True
        self.asked = 0
        self.takes = takes
        self.time = 100.0
        self.at_once = 0

    def now(self) -> float:
        return self.time

    def key(self) -> bytes:
        assert self.at_once == 0
        self.at_once += 1
        self.asked += 1
        self.time += self.takes
        self.at_once -= 1
        if self.locked:
            raise SecretsUnreachable(SENTENCE)
        return bytes(32)


async def test_only_what_needs_a_secret_waits_for_it(tmp_path: Path, empty_store: Path) -> None:
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


async def test_one_request_at_a_time_asks_for_the_key() -> None:
    """Many that need it at once have it by one asking, and a slow refusal is told to all of them."""
    for locked in (False, True):
        keyring = Keyring(takes=8.0)
        keyring.locked = locked
        late = LateSealer(keyring.key, clock=keyring.now)

        answers = await asyncio.gather(*(late() for _ in range(20)), return_exceptions=True)

        assert keyring.asked == 1
        assert {type(answer) for answer in answers} == {SecretsUnreachable if locked else Sealer}


@pytest.mark.parametrize(
    ("takes", "later", "asked"),
    [
        (WORTH_REMEMBERING, WORTH_REMEMBERING - 0.1, 1),
        (WORTH_REMEMBERING, WORTH_REMEMBERING, 2),
        (8.0, 7.9, 1),
        (8.0, 8.0, 2),
        (WORTH_REMEMBERING - 0.1, 0.0, 2),
    ],
)
async def test_a_slow_refusal_holds_for_its_time(takes: float, later: float, asked: int) -> None:
    """Nobody waits again for a keyring that has just kept another waiting; a quick one is asked anew."""
    keyring = Keyring(takes)
    late = LateSealer(keyring.key, clock=keyring.now)
    with pytest.raises(SecretsUnreachable, match=SENTENCE):
        await late()
    keyring.time += later

    with pytest.raises(SecretsUnreachable, match=SENTENCE):
        await late()

    assert keyring.asked == asked
    keyring.locked, keyring.time = False, keyring.time + 100
    assert isinstance(await late(), Sealer)


async def test_who_hangs_up_leaves_the_asking_to_others() -> None:
    """A request that is given up while it waits keeps nobody else from the key."""
    keyring = Keyring()
    keyring.locked = False
    late = LateSealer(keyring.key)
    gone, waiting = asyncio.create_task(late()), asyncio.create_task(late())
    await asyncio.sleep(0)
    gone.cancel()

    assert isinstance(await waiting, Sealer)


async def test_the_thread_of_a_keyring_is_its_own() -> None:
    """What else is done in threads does not wait behind it, and it ends once the key is there."""
    asked = list[threading.Thread]()

    def key() -> bytes:
        asked.append(threading.current_thread())
        return bytes(32)

    await LateSealer(key)()

    (thread,) = asked
    assert thread.name == "data-key_0"
    await asyncio.to_thread(thread.join, LONG_ENOUGH)
    assert not thread.is_alive()
