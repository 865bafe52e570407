"""A home in which something of every kind is sealed, and what of it opens under which keys."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

from sqlalchemy import Connection, insert

from finplan.data_key import data_key, key_at_start
from finplan.model.base import Nothing
from finplan.model.credential import DataKeyRotation
from finplan.service.context import Caller, Context
from finplan.service.credentials.data_key import rotate_data_key
from finplan.service.people import ensure_owner
from finplan.store import sealing
from finplan.store.store import Store
from finplan.store.tables import tables

SEALED = 6
"""How many things are sealed."""

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


async def make_home(folder: Path, empty_store: Path) -> None:
    """A store with something of every kind that is sealed, and the key that it is sealed under."""
    copyfile(empty_store, folder / "finplan.db")
    key = key_at_start(folder / "data_key.json", {})
    assert key is not None
    store = Store.open(folder / "finplan.db", folder / "backups")
    owner = await ensure_owner(store, "ada", 1)
    await store.write(lambda c: seal_one_of_each(c, owner, sealing.Sealer(key)))
    store.close()


def seal_one_of_each(connection: Connection, owner: int, sealer: sealing.Sealer) -> None:
    """Write something of every kind that is sealed, twice where there are two ways."""

    def add(table: str, **values: object) -> None:
        connection.execute(insert(getattr(tables, table)).values(owner_no=owner, **values))

    add(
        "connection",
        id="con_1",
        provider="aggregator",
        bank="simplefin",
        institution_name="Harbour",
        status="ok",
        created_at=1,
        secret=sealer.seal(
            b"https://user:pass@bridge.example/simplefin", sealing.about_access("con_1")
        ),
    )
    add(
        "connection", id="con_2", provider="manual", institution_name="F", status="ok", created_at=1
    )
    add(
        "webhook",
        id="whk_1",
        url="https://hooks.example.com/",
        events="plan.built",
        secret=sealer.seal(b"newest", sealing.about_webhook("whk_1")),
        former_secret=sealer.seal(b"former", sealing.about_webhook("whk_1")),
        former_until=2,
        created_at=1,
    )
    about = sealing.about_reply(owner, "POST", "/api/v1/keys", "once")
    add(
        "kept_reply",
        method="POST",
        path="/api/v1/keys",
        key="once",
        fingerprint="f",
        created_at=1,
        held_until=2,
        reply=sealer.seal(b"a reply", about),
    )
    for algorithm, about_key in (
        ("Ed25519", sealing.about_message_key),
        ("ES256", sealing.about_signing_key),
    ):
        connection.execute(
            insert(tables.signing_key).values(
                kid=f"kid_{algorithm}",
                algorithm=algorithm,
                public="{}",
                sealed=sealer.seal(b"private", about_key(f"kid_{algorithm}")),
                created_at=1,
            )
        )


async def rotated(folder: Path) -> DataKeyRotation:
    """Have the key of a home made anew by its owner."""
    store = Store.open(folder / "finplan.db", folder / "backups")
    try:
        return await rotate_data_key(await owners_context(store, folder), Nothing())
    finally:
        store.close()


async def owners_context(store: Store, folder: Path) -> Context:
    """The context of who owns the machine."""
    owner = await ensure_owner(store, "ada", 1)
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    return Context(caller, store, {}, lambda: NOW, data_key=folder / "data_key.json")


async def things(folder: Path, sealer: sealing.Sealer | None = None) -> list[sealing.SealedThing]:
    """What is sealed in a home, and whether it opens under its newest key, or by a sealer."""
    store = Store.open(folder / "finplan.db", folder / "backups")
    by = sealer or sealing.Sealer(data_key(folder / "data_key.json", {}))
    try:
        return await store.read(lambda c: list(sealing.sealed_things(c, by)))
    finally:
        store.close()


def sealed_bytes(folder: Path) -> set[bytes]:
    """All that is sealed, as it stands in the store."""
    queries = (
        "SELECT secret FROM connection WHERE secret IS NOT NULL",
        "SELECT secret FROM webhook",
        "SELECT former_secret FROM webhook",
        "SELECT sealed FROM signing_key",
        "SELECT reply FROM kept_reply",
    )
    with closing(sqlite3.connect(folder / "finplan.db")) as database:
        return {row[0] for query in queries for row in database.execute(query)}
