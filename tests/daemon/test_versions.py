"""Versions: what a second one would be like, shown with one that exists only here."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.rest.routes import SHORTEST_NOTICE, FormerVersion
from finplan.model.base import Nothing, Wire
from finplan.operation import AnyOperation, Derived, Operation
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP


class Old(Wire):
    money: int


class New(Wire):
    amount: int
    currency: str


SHOW_OLD = Operation(MADE_UP, "show", "GET", "/purse", Nothing, Old, "read", "Show.", Derived())
SHOW_NEW = Operation(MADE_UP, "show", "GET", "/purse", Nothing, New, "read", "Show.", Derived())
ADDED = Operation(MADE_UP, "added", "GET", "/added", Nothing, New, "read", "Added.")
DEPRECATED = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))
SUNSET = datetime(2026, 9, 30, 23, 59, 59, tzinfo=UTC)


async def perform(_context: Context, operation: AnyOperation, _ask: Wire) -> Any:
    return Old(money=5) if operation.answers is Old else New(amount=5, currency="EUR")


@pytest.fixture
async def both(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon whose current version is the second one."""
    former = FormerVersion("v1", (SHOW_OLD,), DEPRECATED, SUNSET, "/api/docs/moving-to-v2")
    async with running_daemon(
        tmp_path,
        empty_store,
        operations=(SHOW_NEW, ADDED),
        perform=perform,
        current="v2",
        former=(former,),
    ) as running:
        yield running


async def test_each_version_answers_its_own_shape(both: RunningDaemon) -> None:
    """One path in two versions is two rows; `/api` is the newer one, and nothing is mixed up."""
    for _ in range(2):
        assert (await both.http.get("/api/v1/purse")).json() == {"money": 5}
        assert (await both.http.get("/api/v2/purse")).json() == {"amount": 5, "currency": "EUR"}
        assert (await both.http.get("/api/purse")).json() == {"amount": 5, "currency": "EUR"}
    assert (await both.http.get("/api/v1/added")).status_code == 404
    assert (await both.http.get("/api/v2/added")).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/purse", 200),
        ("HEAD", "/api/v1/purse", 200),
        ("GET", "/api/v1/purse?x=1", 400),
        ("POST", "/api/v1/purse", 405),
        ("GET", "/api/v1/nowhere", 404),
        ("GET", "/api/v1", 404),
    ],
)
async def test_the_old_version_says_that_it_ends(
    both: RunningDaemon, method: str, path: str, status: int
) -> None:
    """Each of its answers has a structured date, an HTTP date, and a link to the guide."""
    response = await both.http.request(method, path)

    assert response.status_code == status
    # RFC 9745 gives the date as RFC 9651 does: an at sign and Unix seconds.
    assert response.headers["deprecation"] == f"@{int(DEPRECATED.timestamp())}" == "@1769853600"
    assert response.headers["sunset"] == "Wed, 30 Sep 2026 23:59:59 GMT"
    assert parsedate_to_datetime(response.headers["sunset"]) == SUNSET
    assert response.headers["link"] == (
        f'<{both.base_url}/api/docs/moving-to-v2>; rel="deprecation"; type="text/html"'
    )


async def test_the_old_version_says_so_to_a_stranger(both: RunningDaemon) -> None:
    """A 401 and a 304 carry the notice too."""
    tag = (await both.http.get("/api/v1/purse")).headers["etag"]
    known = await both.http.get("/api/v1/purse", headers={"if-none-match": tag})
    both.http.cookies.clear()
    stranger = await both.http.get("/api/v1/purse")

    assert (known.status_code, stranger.status_code) == (304, 401)
    assert "deprecation" in known.headers
    assert "deprecation" in stranger.headers


@pytest.mark.parametrize("path", ["/api/v2/purse", "/api/purse", "/api/v10/purse", "/health"])
async def test_nothing_else_says_so(both: RunningDaemon, path: str) -> None:
    """The current version, its alias and what is no version are not about to end."""
    response = await both.http.get(path)

    assert not {"deprecation", "sunset", "link"} & set(response.headers)


def test_a_version_cannot_end_before_six_months() -> None:
    """Half a year of any length lies between the notice and the end."""
    assert timedelta(days=183) <= SHORTEST_NOTICE
    FormerVersion("v1", (), DEPRECATED, DEPRECATED + SHORTEST_NOTICE, "/guide")
    with pytest.raises(ValueError, match="days' notice"):
        FormerVersion(
            "v1", (), DEPRECATED, DEPRECATED + SHORTEST_NOTICE - timedelta(seconds=1), "/guide"
        )
