"""What the doors of the store answer to work that fails: always something, whatever was raised."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.store.store import Store
from tests.patience import LONG_ENOUGH

DOORS: dict[str, Callable[[Store, Callable[[Any], Any]], Awaitable[Any]]] = {
    "read": lambda store, work: store.read(work),
    "write": lambda store, work: store.write(work),
    "compute": lambda store, work: store.compute(work),
    "offload": lambda store, work: store.offload(work, large=False),
    "alone": lambda store, work: store._writer.alone(work),
}


@pytest.mark.parametrize("door", DOORS)
async def test_who_asks_for_one_more_than_there_is_is_told(store: Store, door: str) -> None:
    """A StopIteration, which no future carries, ends no wait unless it is raised as another error."""

    def take_from_nothing(_given: object) -> object:
        return next(iter(()))

    async with asyncio.timeout(LONG_ENOUGH):
        with pytest.raises(RuntimeError) as told:
            await DOORS[door](store, take_from_nothing)

    assert isinstance(told.value.__cause__, StopIteration)
