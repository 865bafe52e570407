"""A context on a new store, with a clock that stands still, and a way to import small files."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

import pytest
from sqlalchemy import Connection

from finplan.banks.demo import Demo
from finplan.banks.manual import Manual
from finplan.model.statement import ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people.people import ensure_owner
from finplan.store.store import Store

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

Import = Callable[..., Awaitable[ImportReport]]


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    copyfile(empty_store, tmp_path / "finplan.db")
    opened = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    yield opened
    opened.close()


@pytest.fixture
async def context(store: Store) -> Context:
    owner = await ensure_owner(store, "ada", int(NOW.timestamp() * 1000))
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    return Context(caller, store, {"demo": Demo(), "manual": Manual()}, lambda: NOW)


@pytest.fixture
def import_texts(context: Context, tmp_path: Path) -> Import:
    """Import files given as name=text, all in one batch."""

    async def run(files: dict[str, str], **how: object) -> ImportReport:
        uploads = tmp_path / "uploads"
        uploads.mkdir(exist_ok=True)
        uploaded = []
        for place, (name, text) in enumerate(files.items()):
            path = uploads / f"{place}.upload"
            path.write_text(text, encoding="utf-8")
            uploaded.append(UploadedFile(name, path))
        return await import_files(context, ImportRequest.model_validate(how), tuple(uploaded))

    return run


DOMAIN = (
    "connection",
    "account",
    "balance_record",
    "payee",
    "tx",
    "pending",
    "transfer",
    "rule",
    "task_answer",
    "csv_answer",
)


@pytest.fixture
def dump(store: Store) -> Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]:
    """The logical content of the domain tables, in the order of their keys."""

    def read(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            table: sorted(
                (tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")),
                key=repr,
            )
            for table in DOMAIN
        }

    async def run() -> dict[str, list[tuple[object, ...]]]:
        return await store.read(read)

    return run
