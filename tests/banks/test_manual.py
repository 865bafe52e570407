"""The law of the manual bank: it has nothing to say."""

from datetime import date

import pytest

from finplan.banks.base import Link, Manual, SyncPage


@pytest.mark.parametrize("cursor", [None, "", "anything"])
async def test_a_sync_is_empty_and_complete(cursor: str | None) -> None:
    """Whatever the cursor, nothing changes, nothing follows, and the cursor stays."""
    page = await Manual().sync(Link("alice", "My files"), cursor, date(2026, 11, 21))
    assert page == SyncPage((), (), (), (), cursor or "", more=False, complete=True)
