"""Passwords: hashed with Argon2id, one at a time in a thread, and never kept as they are typed.

A hash takes 64 MiB and a tenth of a second, by the second recommendation of RFC 9106; more than one at a
time would let whoever guesses take the machine's memory.
"""

import asyncio
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from finplan.model.errors import TooManyRequests

if TYPE_CHECKING:
    from argon2 import PasswordHasher


class Cost(NamedTuple):
    """What a hash takes: KiB of memory, passes over it, and lanes that may go at once."""

    memory: int
    passes: int
    lanes: int


RECOMMENDED = Cost(memory=65536, passes=3, lanes=4)


def _nobodys(cost: Cost) -> str:
    """What is compared where nobody is there: it takes as long as any hash, and fits none."""
    return (
        f"$argon2id$v=19$m={cost.memory},t={cost.passes},p={cost.lanes}$ZmlucGxhbi1ub2JvZHktLQ"
        "$qLml5nOMLkUJ8lBw3VoLMFpF/5pgrr8T7V6hQwbNh1I"
    )


MOST_WAITING = 20
"""How many passwords may wait for their turn; more would wait longer than anybody does."""

RETRY_AFTER = 5
"""When whoever comes while so many wait may come again, in seconds."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether a password fits, and its new hash where the one so far is by former parameters."""

    fits: bool
    rehashed: str | None = None


@dataclass(slots=True)
class Passwords:
    """Hashes and compares passwords, one at a time."""

    cost: Cost = RECOMMENDED
    _waiting: int = 0
    _turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    async def hash(self, password: str) -> str:
        """The hash that is kept of a password."""
        async with self._in_turn():
            return await asyncio.to_thread(_hash, self.cost, password)

    async def verify(self, stored: str | None, password: str) -> Verified:
        """Whether a password fits what is kept; without anything kept it takes as long and does not."""
        async with self._in_turn():
            return await asyncio.to_thread(_verify, self.cost, stored, password)

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        if self._waiting >= MOST_WAITING:
            raise TooManyRequests(
                "Too many sign-ins at once. Try again in a few seconds.",
                retry_after=RETRY_AFTER,
            )
        self._waiting += 1
        try:
            async with self._turn:
                yield
        finally:
            self._waiting -= 1


def _hash(cost: Cost, password: str) -> str:
    return _hasher(cost).hash(_as_typed_anywhere(password))


def _as_typed_anywhere(password: str) -> str:
    # Keyboards write an é as one character or as two; NIST SP 800-63B has both mean the same.
    return unicodedata.normalize("NFKC", password)


def _verify(cost: Cost, stored: str | None, password: str) -> Verified:
    from argon2.exceptions import Argon2Error, InvalidHash

    hasher, password = _hasher(cost), _as_typed_anywhere(password)
    try:
        hasher.verify(stored or _nobodys(cost), password)
    except (Argon2Error, InvalidHash):
        return Verified(fits=False)
    if stored is None:
        return Verified(fits=False)
    former = hasher.check_needs_rehash(stored)
    return Verified(fits=True, rehashed=hasher.hash(password) if former else None)


@cache
def _hasher(cost: Cost) -> "PasswordHasher":
    # Most daemons never see a password, so what hashes them is loaded when one comes.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes)
