"""What query_spending says of days that no row reaches: never $0.00 without a word."""

import pytest
from mcp.types import TextContent

from tests.daemon.mcp.connected import connected
from tests.daemon.running import RunningDaemon

FIRST, LAST = "The first row is of {from}", "The last row is of {to}."
BEHIND = "before these days: nothing of them is known."


@pytest.mark.sampled(3)
@pytest.mark.parametrize("by_month", [False, True])
@pytest.mark.parametrize(
    ("asks", "said"),
    [
        ({"period": "next month"}, (BEHIND,)),
        ({"from": "2030-01-01", "to": "2030-01-31"}, (BEHIND,)),
        ({"period": "2019"}, (f"{FIRST}, after these days: nothing of them is known.",)),
        ({"from": "2024-01-01", "to": "2026-12-31"}, (f"{FIRST}.", LAST)),
        ({"period": "2025"}, None),
        ({}, None),
    ],
)
async def test_days_beyond_the_rows(
    household: RunningDaemon,
    asks: dict[str, str],
    said: tuple[str, ...] | None,
    by_month: bool,
) -> None:
    """The first and the last row are named, in the text and in the data, by month and without."""
    async with connected(household) as client:
        result = await client.call_tool("query_spending", {**asks, "byMonth": by_month})
    assert result.structured_content is not None
    beyond = result.structured_content["beyondRows"]
    (text,) = (each.text for each in result.content if isinstance(each, TextContent))
    if said is None:
        assert beyond is None
        assert "row is of" not in text
    else:
        assert beyond in text.splitlines()
        # Which day is the first differs between made-up households.
        recorded = (await household.http.get("/api/v1/spending")).json()["recorded"]
        assert all(each.format_map(recorded) in beyond for each in said), beyond


async def test_rest_tells_which_days_are_known(household: RunningDaemon) -> None:
    """The days of the first and last row that counts, whatever is asked; null where there is none."""
    for path in ("/spending", "/spending/months"):
        everything = (await household.http.get(f"/api/v1{path}")).json()
        days = {"from": everything["from"], "to": everything["to"]}
        asks = {"from": "2019-01-01", "to": "2019-12-31", "category": "pets"}
        narrow = (await household.http.get(f"/api/v1{path}", params=asks)).json()
        assert everything["recorded"] == narrow["recorded"] == days


async def test_rest_of_an_empty_home(daemon: RunningDaemon) -> None:
    """Without rows no days are known."""
    assert (await daemon.http.get("/api/v1/spending")).json()["recorded"] is None
