"""Many clients at once on one daemon: each asks over a connection of its own, as fast as it is answered.

Each answer is looked at: its status, its length, and that its body is JSON. Whatever else than success
comes back is kept, to be told.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, Self

from benchmarks.wire import Question, request, told


@dataclass
class Seen:
    """What a crowd's clients have seen: how long each answer took, in seconds, and what was wrong."""

    taken: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def slowest_of_hundred(taken: Sequence[float]) -> float:
    """The 99th percentile of some times."""
    return sorted(taken)[len(taken) * 99 // 100]


class Member:
    """One client, with a number of its own and what it has written last."""

    def __init__(self, number: int, port: int, cookie: str) -> None:
        self.number = number
        self.seen = Seen()
        self.dice = Random(number)
        self.written: dict[str, str] = {}
        self._place = (port, f"Cookie: {cookie}")

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._place[0])
        return self

    async def __aexit__(self, *_raised: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def ask(self, question: Question) -> Any:
        """The answer to a question; None, and a note, where it is no success or not well-formed."""
        begun = perf_counter()
        self._writer.write(request(*self._place, question))
        status, length = told(await self._reader.readuntil(b"\r\n\r\n"))
        body = await self._reader.readexactly(length)
        self.seen.taken.append(perf_counter() - begun)
        try:
            answer = json.loads(body)
        except ValueError:
            status, answer = 0, None
        if 200 <= status < 300:
            return answer
        self.seen.wrong.append(f"{status} {question.method} {question.path}: {body[:200]!r}")
        return None


Life = Callable[[Member], Awaitable[None]]
"""One thing that a client does; it does the next one as soon as it is done."""


async def crowd(
    port: int, cookie: str, size: int, seconds: float, life: Life, again: Sequence[Member] = ()
) -> tuple[Seen, Sequence[Member]]:
    """Let so many clients live for so long; answers what they have seen, and who they were.

    Those who come `again` go on with what they have written.
    """
    seen = Seen()
    members = again or [Member(number, port, cookie) for number in range(size)]
    for member in members:
        member.seen = seen
    end = perf_counter() + seconds

    async def live(member: Member) -> None:
        async with member:
            while perf_counter() < end:
                await life(member)

    await asyncio.gather(*map(live, members))
    return seen, members
