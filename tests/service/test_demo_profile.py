"""The demo household is linked once for a person without data, and never against their will."""

import pytest

from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest, Unlinking
from finplan.model.errors import StorageFull
from finplan.model.user import SettingsChange
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.banking.linking import link_connection, link_demo_once
from finplan.service.context import Context
from finplan.service.people import change_settings


async def providers(context: Context) -> list[str]:
    """The providers of a person's connections, oldest first."""
    records = await list_connections(context, Nothing())
    return [record.connection.provider for record in records]


async def test_a_newcomer_gets_the_household_once(newcomer: Context) -> None:
    """The first start links and syncs it; later ones change nothing."""
    assert await link_demo_once(newcomer) is True
    before = await list_connections(newcomer, Nothing())
    assert await link_demo_once(newcomer) is False

    assert await list_connections(newcomer, Nothing()) == before
    assert before[0].last_synced_at is not None


async def test_a_person_who_unlinked_it_does_not_get_it_back(newcomer: Context) -> None:
    """Unlinking holds for all later starts; linking it by hand works."""
    await link_demo_once(newcomer)
    (record,) = await list_connections(newcomer, Nothing())
    await unlink_connection(newcomer, Unlinking(id=record.connection.id))

    assert await link_demo_once(newcomer) is False
    assert await providers(newcomer) == []
    await link_connection(newcomer, LinkRequest(provider="demo"))
    assert await providers(newcomer) == ["demo"]


async def test_a_profile_in_use_stays_as_it_is(newcomer: Context) -> None:
    """A profile with statement files or settings of the person's own is not made a demo."""
    await change_settings(newcomer, SettingsChange(currency="EUR"))
    assert await link_demo_once(newcomer) is False
    await link_connection(newcomer, LinkRequest(provider="manual"))
    assert await link_demo_once(newcomer) is False
    assert await providers(newcomer) == ["manual"]


async def test_a_start_that_failed_is_made_up_for(
    newcomer: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk leaves the person without data, so the next start links the household."""

    async def refuse(*_work: object, **_how: object) -> None:
        raise StorageFull("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(type(newcomer.store), "write", refuse)
        with pytest.raises(StorageFull):
            await link_demo_once(newcomer)

    assert await link_demo_once(newcomer) is True
