"""The same question through each surface gives the same answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from finplan.client.client import Client
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Download
from finplan.operations.table import OPERATIONS
from tests.daemon.running import RunningDaemon, running_daemon

WITHOUT_AN_ID = tuple(row for row in OPERATIONS if row.method == "GET" and not row.path_names)
DOWNLOADS = tuple(row for row in WITHOUT_AN_ID if isinstance(row.body, Download))
ANSWERED = tuple(row for row in WITHOUT_AN_ID if row not in DOWNLOADS)


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, household_store) as running:
        yield running


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", ANSWERED, ids=lambda row: row.name)
async def test_client_and_rest_agree(household: RunningDaemon, row: AnyOperation) -> None:
    """The typed client and REST under both roots give one equal JSON, and not an empty one."""
    ask: Wire = row.asks()
    typed = await household.client.call(row, ask)
    raw = await household.client.call_raw(row, ask)
    versioned = await household.http.get(f"/api/v1{row.path}")
    alias = await household.http.get(f"/api{row.path}")

    assert versioned.status_code == alias.status_code == 200
    assert raw == versioned.content == alias.content
    assert json.loads(TypeAdapter(row.answers).dump_json(typed, by_alias=True)) == alias.json()


@pytest.mark.parametrize("row", DOWNLOADS, ids=lambda row: row.name)
async def test_client_and_rest_give_one_file(household: RunningDaemon, row: AnyOperation) -> None:
    """A download is the same file through the client and through REST under both roots."""
    pieces: list[bytes] = []
    with Client(household.base_url, household.token) as client:
        await asyncio.to_thread(client.download, row, row.asks(), pieces.append)
    versioned = await household.http.get(f"/api/v1{row.path}")
    alias = await household.http.get(f"/api{row.path}")

    assert versioned.status_code == alias.status_code == 200
    assert b"".join(pieces) == versioned.content == alias.content
    assert len(versioned.content) > 1000
    assert "attachment" in versioned.headers["content-disposition"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("root", ["/api/v1", "/api"])
@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
async def test_every_row_is_served(household: RunningDaemon, row: AnyOperation, root: str) -> None:
    """Each row is found at its place under both roots, and asks for a credential there."""
    household.http.cookies.clear()
    path = row.path.format(**dict.fromkeys(row.path_names, "x"))

    response = await household.http.request(row.method, root + path)

    assert response.status_code == 401
