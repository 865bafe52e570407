"""Downloads that nobody takes: however many there are, they hold nothing that others need."""

import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection

from finplan.model.household import ExportedHome
from finplan.model.transaction import ExportQuery
from finplan.service import export
from finplan.service.context import Context
from finplan.service.export import export_transactions
from finplan.service.restoring.collection import collect_home
from finplan.store.store import READERS, Store
from tests.patience import LONG_ENOUGH

Piece = TypeVar("Piece")
WHOLE = ExportQuery(format="json")

pytestmark = [pytest.mark.usefixtures("demo"), pytest.mark.thorough]


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages so small that a download of the demo household has hundreds of them."""
    monkeypatch.setattr(export, "PAGE", 7)


@asynccontextmanager
async def every_turn_taken(store: Store) -> AsyncIterator[None]:
    """While the block runs, other downloads are in the middle of their pages."""
    go_on = threading.Event()

    def wait(_connection: Connection) -> None:
        assert go_on.wait(LONG_ENOUGH)

    others = [asyncio.create_task(store.read_in_turn(wait)) for _ in range(READERS - 1)]
    await asyncio.sleep(0)
    try:
        yield
    finally:
        go_on.set()
        await asyncio.gather(*others)


async def must_wait(store: Store, work: Awaitable[Piece]) -> Piece:
    """What some work answers, which had to wait for its turn while everybody else was answered."""
    async with every_turn_taken(store):
        task = asyncio.ensure_future(work)
        # The thread that is left works in the order of asking: what does not wait is done by then.
        for _ in range(10):
            await asyncio.wait_for(store.read(lambda _: None), LONG_ENOUGH)
        assert not task.done()
    return await task


async def test_a_download_begins_and_goes_on_in_turn(context: Context) -> None:
    """Its head and each of its pages are read in turn, so that a thread is left for other questions."""
    content = (await must_wait(context.store, export_transactions(context, WHOLE))).content
    head = await anext(content)
    pages = [await must_wait(context.store, anext(content)) for _ in range(3)]

    assert all((head, *pages))
    await content.aclose()


async def test_who_takes_nothing_holds_nothing(context: Context) -> None:
    """A hundred downloads stop after their first page; others are read whole, and so is the store."""
    held = [(await export_transactions(context, WHOLE)).content for _ in range(100)]
    for content in held:
        await anext(content)
        await anext(content)

    async def read_whole() -> int:
        file = await export_transactions(context, WHOLE)
        return sum([len(piece) async for piece in file.content])

    assert await asyncio.wait_for(read_whole(), LONG_ENOUGH) > 100_000
    for content in held:
        await content.aclose()


@pytest.mark.parametrize("are_begun", [False, True])
async def test_the_downloads_of_one_do_not_hold_up_anothers(
    context: Context, are_begun: bool
) -> None:
    """Another one's first pieces come while most of a hundred of somebody else still wait."""
    another = replace(context, caller=replace(context.caller, credential="key_another"))
    begun = [(await export_transactions(context, WHOLE)).content for _ in range(100 * are_begun)]
    for content in begun:
        await anext(content)

    async def read_some() -> int:
        content = (await export_transactions(another, WHOLE)).content
        taken = [await anext(content) for _ in range(10)]
        await content.aclose()
        return len(taken)

    async def ask(place: int) -> object:
        return await (anext(begun[place]) if begun else export_transactions(context, WHOLE))

    async with every_turn_taken(context.store):
        pieces = [asyncio.create_task(ask(place)) for place in range(100)]
        await asyncio.sleep(0)
        some = asyncio.create_task(read_some())
        await asyncio.sleep(0)
    assert await asyncio.wait_for(some, LONG_ENOUGH) == 10
    waited = sum(not piece.done() for piece in pieces)
    for piece in pieces:
        piece.cancel()
    await asyncio.gather(*pieces, return_exceptions=True)

    assert waited > 80


async def test_what_waits_to_be_taken_is_text_alone(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The household is not kept while a download waits: it is written as soon as it is collected."""
    homes: list[weakref.ref[object]] = []

    def collect(*asked: Any) -> ExportedHome:
        home = collect_home(*asked)
        homes.append(weakref.ref(home.household))
        return home

    monkeypatch.setattr(export, "collect_home", collect)
    file = await export_transactions(context, WHOLE)
    gc.collect()

    assert [home() for home in homes] == [None]
    assert b'"household"' in await anext(file.content)
    await file.content.aclose()
