"""A context on a new store, with a clock that stands still, and a way to import small files."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection

from finplan.banks.base import Manual
from finplan.banks.demo.bank import Demo
from finplan.intake.candidates import SHARES_MOST
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import Conflict
from finplan.model.statement import ImportAnswer, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.banking.linking import link_connection
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people import ensure_owner
from finplan.service.planning.plans import build_plan
from finplan.store.page_sums import remove_sums
from finplan.store.queries import people
from finplan.store.store import Store
from tests.store_copies import copy_store

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

Import = Callable[..., Awaitable[ImportReport]]
Files = Mapping[str, str] | Sequence[tuple[str, str]]
"""The texts of files by name; as pairs where several have one name."""


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    copy_store(empty_store, tmp_path / "finplan.db")
    opened = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    yield opened
    opened.close()


async def adas(store: Store) -> Context:
    """The context of the one person of a store, who may do everything."""
    owner = await ensure_owner(store, "ada", int(NOW.timestamp() * 1000))
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    return Context(caller, store, {"demo": Demo(), "manual": Manual()}, lambda: NOW)


@pytest.fixture
async def newcomer(store: Store) -> Context:
    """The context of a person of whom nothing is known, not even the currency."""
    return await adas(store)


@pytest.fixture
async def context(newcomer: Context) -> Context:
    """The context of a person who lives in dollars, which most made-up files leave unsaid."""
    await live_in(newcomer, "USD")
    return newcomer


async def live_in(context: Context, currency: str) -> None:
    """Let the household of a context be in a currency."""
    owner = context.caller.owner
    await context.store.write(lambda c: people.change_person(c, owner, {"currency": currency}))


@pytest.fixture(scope="session")
def demo_household(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store in which the demo bank is linked, once for all tests."""

    async def link(context: Context) -> None:
        await link_connection(context, LinkRequest(provider="demo"))

    return grown(empty_store, tmp_path_factory.mktemp("demo"), link)


@pytest.fixture(scope="session")
def planned_household(tmp_path_factory: pytest.TempPathFactory, demo_household: Path) -> Path:
    """The file of a store with the demo household and a plan."""

    async def build(context: Context) -> None:
        await build_plan(context, Nothing())

    return grown(demo_household, tmp_path_factory.mktemp("planned"), build)


def grown(beginning: Path, folder: Path, happen: Callable[[Context], Awaitable[None]]) -> Path:
    """A copy of a store in which something has happened."""
    copy_store(beginning, folder / "finplan.db")
    store = Store.open(folder / "finplan.db", folder / "backups")

    async def run() -> None:
        await happen(await adas(store))

    asyncio.run(run())
    store.close()
    return folder / "finplan.db"


@pytest.fixture
def demo(context: Context, demo_household: Path) -> Context:
    """The context, now of a person who has linked the demo household."""
    fill(context.store, demo_household)
    return context


@pytest.fixture
def planned(context: Context, planned_household: Path) -> Context:
    """The context, now of a person with the demo household and a plan."""
    fill(context.store, planned_household)
    return context


def fill(store: Store, settled: Path) -> None:
    """Put the content of another store in the place of a store's own, of which no sums are known."""
    remove_sums(store.path)
    with (
        closing(sqlite3.connect(settled)) as source,
        closing(sqlite3.connect(store.path)) as target,
    ):
        source.backup(target)


@pytest.fixture
def import_texts(request: pytest.FixtureRequest, tmp_path: Path) -> Import:
    """Import files given as name=text, all in one batch."""
    is_new = "newcomer" in request.fixturenames and "context" not in request.fixturenames
    return importer(request.getfixturevalue("newcomer" if is_new else "context"), tmp_path)


def importer(context: Context, folder: Path) -> Import:
    """What imports files given as name=text for the person of a context, all in one batch."""

    async def run(files: dict[str, str], **how: object) -> ImportReport:
        uploads = uploaded(folder, files)
        request = ImportRequest.model_validate(how)
        while True:
            try:
                return await import_files(context, request, uploads)
            except Conflict as refusal:
                answers = usual_answers(refusal, request)
                if not answers:
                    raise
            # A few rows of a test seldom say which way money goes, nor of what kind their account is.
            said = {"answers": (*(request.answers or ()), *answers)}
            request = request.model_copy(update=said)

    return run


async def bring(context: Context, files: dict[str, str], **how: object) -> Any:
    """Import files given as name=text, all in one batch, with the usual answers."""
    return await importer(context, context.store.path.parent)(files, **how)


async def send(context: Context, files: Files, **said: object) -> Any:
    """Import files as a program does that says only what is given."""
    uploads = uploaded(context.store.path.parent, files)
    return await import_files(context, ImportRequest.model_validate(said), uploads)


def uploaded(folder: Path, files: Files) -> tuple[UploadedFile, ...]:
    """Files given as name=text, as they are uploaded."""
    uploads = folder / "uploads"
    uploads.mkdir(exist_ok=True)
    found = []
    pairs = files.items() if isinstance(files, Mapping) else files
    for place, (name, text) in enumerate(pairs):
        path = uploads / f"{place}.upload"
        path.write_text(text, encoding="utf-8", newline="")
        found.append(UploadedFile(name, path))
    return tuple(found)


def examples(number: int) -> settings:
    """How many examples are drawn where all of them meet one and the same store."""
    both = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=number, deadline=None, suppress_health_check=both)


USUAL = {"direction": "in", "accountKind": "checking", "sameAccount": "new"}
"""The usual answers: amounts are as printed, an account is for checking, and each file has its own."""


def usual_answers(refusal: Conflict, request: ImportRequest) -> list[ImportAnswer]:
    """The usual answers to those questions of a refused import that have one, and none as yet."""
    given = {(answer.file, answer.about) for answer in request.answers or ()}
    return [
        ImportAnswer(file=each["file"], about=each["about"], value=USUAL[each["about"]])
        for each in (refusal.data or {}).get("questions", ())
        if each["about"] in USUAL
        and (each["file"], each["about"]) not in given
        # That most rows are the same is no usual thing, and nothing is usually said of it.
        and SHARES_MOST not in each["text"]
    ]


DOMAIN = (
    "connection",
    "account",
    "balance_record",
    "coverage",
    "payee",
    "tx",
    "pending",
    "transfer",
    "rule",
    "task_answer",
    "single_word",
    "word_part",
    "remembered_row",
    "csv_answer",
)


async def dump(context: Context) -> dict[str, list[tuple[object, ...]]]:
    """The logical content of the domain tables, in the order of their keys."""

    def read(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            table: sorted(
                (tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")),
                key=repr,
            )
            for table in DOMAIN
        }

    return await context.store.read(read)
