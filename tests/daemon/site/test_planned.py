"""Planned money in the site: added, moved, marked as happened and removed, each by a form."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.site.planned import ADD, HAPPENED, MOVE, REMOVE
from finplan.daemon.surfaces.site.settings_page import PLANNED
from tests.daemon.running import running_daemon
from tests.daemon.site.browsing import Page, Visitor, page_in, signed_in

TRIP = {"direction": "out", "name": "Trip", "amount": "2,000", "month": "2190-07", "date": ""}


@pytest.fixture
async def owner(tmp_path: Path, empty_store: Path) -> AsyncIterator[Visitor]:
    """A browser of a household without any account."""
    async with running_daemon(tmp_path, empty_store) as daemon, signed_in(daemon) as visitor:
        await daemon.http.patch("/api/v1/settings", json={"currency": "USD"})
        yield visitor


async def listed(owner: Visitor) -> list[dict[str, Any]]:
    """Planned money, as programs are told."""
    planned: list[dict[str, Any]] = (await owner.daemon.http.get("/api/v1/planned")).json()
    return planned


async def test_planned_money_by_forms(owner: Visitor) -> None:
    """A trip is planned for a month, moved to a day, marked as happened, and removed again."""
    added = await owner.act(PLANNED, ADD, **TRIP, every="", category="travel")
    assert added.status_code == 303, Page(added.text).said
    (trip,) = await listed(owner)
    assert (trip["amount"], trip["month"], trip["category"]) == (2_000_00, "2190-07", "travel")
    assert "Trip $2,000.00 · July 2190 · once" in (await owner.page(PLANNED)).said

    moved = await owner.act(PLANNED, MOVE, id=trip["id"], date="2190-08-05", month="")
    assert moved.headers["location"] == f"{PLANNED}?done=saved"
    assert (await listed(owner))[0]["date"] == "2190-08-05"
    assert (await owner.act(PLANNED, HAPPENED, id=trip["id"])).status_code == 303
    assert (await listed(owner))[0]["status"] == "happened"
    assert (await owner.act(PLANNED, REMOVE, id=trip["id"])).status_code == 303
    assert await listed(owner) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"amount": "much"}, "'much' is not an amount"),
        ({"date": "2190-07-01"}, "Give either a date or a month."),
        ({"month": ""}, "Give either a date or a month."),
        ({"month": "2020-01"}, "2020-01 is in the past."),
    ],
)
async def test_what_cannot_be_is_said_and_kept_in_the_form(
    owner: Visitor, wrong: dict[str, str], words: str
) -> None:
    """A refusal says what to do, and what was typed is still there."""
    page = page_in(await owner.act(PLANNED, ADD, **TRIP | wrong), 400)
    assert words in page.said
    assert "Trip" in page.values("value", "input")
    assert await listed(owner) == []
