"""The generation of a person's data: no write changes an answer without raising it.

Every operation that writes is done here through REST. After each, the answer that it changes has
another tag; and each single transaction that touched a row answers are made from raised the generation.
"""

import operator
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.operation import AnyOperation
from finplan.operations import (
    account,
    bank,
    category,
    detection,
    person,
    plan,
    schedule,
    statement_file,
    task,
    transaction,
    webhook,
)
from finplan.operations.table import OPERATIONS
from finplan.store.store import Store
from finplan.store.tables.tables import METADATA
from tests.daemon.running import RunningDaemon, running_daemon

WEBHOOKS = ("webhook", "webhook_delivery", "told_series", "audit_event")
BESIDES = frozenset(
    {
        *("api_key", "kept_reply", "build", "shown_allowance", "job", "notice", "bank_link"),
        *WEBHOOKS,
    }
)
"""Tables that no derived answer is made from."""

ROWS = frozenset({"tx", "pending", "transfer", "account", "sighting", "csv_answer"})
"""Tables whose change has to raise the generation of the rows too."""

EVENTS = ROWS - {"csv_answer"} | {
    *("rule", "task_answer", "custom_category", "balance_record", "plan"),
    *("transfer_verdict", "series_verdict", "duplicate_verdict", "set_aside"),
    *("single_word", "word_part", "tx.filed"),
}
"""Tables that a plan follows from, and the plans: a change of them is an event."""

RAISED = ("generation", "row_generation", "event_no", "event_at")

UNSEEN = {"import_batch": "NEW.status IN ('running', 'cancelled')"}
"""Rows that no answer shows: an import that was not committed."""

FIRST, LATER = (
    "Date,Description,Amount\n2026-03-01,BAKERY NORTH,-3.10\n"
    f"2026-03-0{day},PLUMBER {word},-120.00\n2026-03-09,CAFE,-4.00\n"
    for day, word in ((5, "BILL 88"), (6, "INVOICE"))
)

Step = Callable[["Household"], Awaitable[Any]]


class Household:
    """A daemon, and which operations were done on it."""

    def __init__(self, daemon: RunningDaemon) -> None:
        self.daemon = daemon
        self.done: list[AnyOperation] = []

    async def ask(self, row: AnyOperation, **query: Any) -> Any:
        """The answer of a GET row."""
        response = await self.daemon.http.get(_path(row, query), params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def do(
        self, row: AnyOperation, changes: AnyOperation | None, seen: dict[str, Any], **sent: Any
    ) -> Any:
        """Do a row; the answer of the row that it `changes` has another tag afterwards."""
        place = None if changes is None else _path(changes, seen)
        before = None if place is None else await self._tag(place, seen)
        files = sent.pop("files", None)
        path = _path(row, sent)
        if files is not None:
            told: dict[str, Any] = {"files": files, "data": sent}
        elif row.method == "DELETE":
            told = {"params": sent}
        else:
            told = {"json": sent}
        response = await self.daemon.http.request(row.method, path, **told)
        assert response.is_success, response.text
        self.done.append(row)
        if place is not None:
            assert await self._tag(place, seen) != before, f"{row.name} left {place} as it was"
        return response.json() if response.headers["content-type"] == "application/json" else None

    async def _tag(self, place: str, seen: dict[str, Any]) -> str | None:
        response = await self.daemon.http.get(place, params=seen)
        return response.headers.get("etag") if response.status_code == 200 else None


def _path(row: AnyOperation, values: dict[str, Any]) -> str:
    return "/api/v1" + row.path.format(**{name: values.pop(name) for name in row.path_names})


class Unraised:
    """Watches each transaction; `found` are those that changed what answers are made from, unsaid."""

    def __init__(self, store: Store) -> None:
        self._write = store.write
        self.found: list[list[str]] = []

    async def write(self, work: Callable[[Connection], Any], **options: Any) -> Any:
        """As the store's own, looking at what `work` touched before it commits."""

        def watched(connection: Connection) -> Any:
            before = _generations(connection)
            answer = work(connection)
            touched = _touched(connection)
            data, rows, event = map(operator.ne, before, _generations(connection))
            if touched and not (rows if ROWS.intersection(touched) else data):
                self.found.append(touched)
            if EVENTS.intersection(touched) and not event:
                self.found.append(touched)
            return answer

        return await self._write(watched, **options)


def _generations(connection: Connection) -> tuple[int, int, int]:
    highest = "SELECT max(generation), max(row_generation), max(event_no) FROM person"
    data, rows, event = connection.exec_driver_sql(highest).one()
    return data, rows, event


def _touched(connection: Connection) -> list[str]:
    names = connection.exec_driver_sql("SELECT DISTINCT name FROM touched ORDER BY name").scalars()
    touched = list(names)
    connection.exec_driver_sql("DELETE FROM touched")
    return touched


def watch_tables(database: Path) -> None:
    """Let each change of a row that answers are made from leave the table's name behind."""
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE touched (name TEXT)")
    for name, table in METADATA.tables.items():
        if name in BESIDES:
            continue
        left_out = (*RAISED, "filed") if name == "tx" else RAISED
        columns = ", ".join(column.name for column in table.columns if column.name not in left_out)
        unseen = UNSEEN.get(name, "0")
        for event, condition in (
            ("INSERT", f"NOT ({unseen})"),
            (f"UPDATE OF {columns}", f"NOT ({unseen})"),
            ("DELETE", f"NOT ({unseen.replace('NEW', 'OLD')})"),
        ):
            connection.execute(
                f"CREATE TRIGGER touched_{name}_{event[:6]} AFTER {event} ON {name}"
                f" WHEN {condition} BEGIN INSERT INTO touched VALUES ('{name}'); END"
            )
    # It follows from the word on a row, so it is seen as a word is; no row that a plan reads has it.
    connection.execute(
        "CREATE TRIGGER touched_filed AFTER UPDATE OF filed ON tx"
        " BEGIN INSERT INTO touched VALUES ('tx.filed'); END"
    )
    connection.commit()
    connection.close()


@pytest.fixture
async def household(tmp_path: Path, empty_store: Path) -> AsyncIterator[Household]:
    watched_store = tmp_path / "watched.db"
    shutil.copy(empty_store, watched_store)
    watch_tables(watched_store)
    async with running_daemon(tmp_path / "home", watched_store) as running:
        yield Household(running)


@pytest.mark.thorough
async def test_every_write_is_seen(household: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a write changes has another tag at once, and no transaction forgets the generation."""
    store = household.daemon.store
    unraised = Unraised(store)
    monkeypatch.setattr(store, "write", unraised.write)

    await link_and_plan(household)
    await change_the_person(household)
    await change_rules(household)
    await answer_questions(household)
    await speak_of_a_row(household)
    await add_an_account(household)
    await plan_money(household)
    await say_what_comes_again(household)
    await tell_others(household)
    await import_and_undo(household)

    assert unraised.found == []
    assert set(household.done) == WRITES


WRITES = frozenset(
    row
    for row in OPERATIONS
    # Cancelling an import changes no answer, and an import can be cancelled only while it runs. A page
    # that is opened is no answer either, and it takes a bank to open one.
    if row.scope == "write" and row not in (statement_file.CANCEL_IMPORT, bank.BEGIN_LINK)
)


async def link_and_plan(household: Household) -> None:
    do, ask = household.do, household.ask
    linked = await do(bank.LINK_CONNECTION, bank.LIST_CONNECTIONS, {}, provider="demo")
    await do(bank.SYNC_CONNECTION, None, {}, id=linked["connection"]["id"])
    await do(bank.SYNC_ALL, None, {})
    await do(plan.BUILD_PLAN, plan.LIST_PLANS, {})
    await do(plan.START_BUILD, None, {})
    # A streamed build waits for the one that runs, and ends when its own plan is there.
    await do(plan.STREAM_BUILD, plan.LIST_PLANS, {})
    await do(schedule.RUN_JOB, None, {}, name="plan")
    known = (await ask(account.LIST_ACCOUNTS))[0]["id"]
    await do(account.CHANGE_ACCOUNT, account.LIST_ACCOUNTS, {}, id=known, name="Ours")
    await do(account.CHANGE_ACCOUNT, plan.SHOW_WEALTH, {}, id=known, hidden=True)
    await do(account.CHANGE_ACCOUNT, transaction.QUERY_SPENDING, {}, id=known, hidden=False)


async def change_the_person(household: Household) -> None:
    do = household.do
    await do(person.CHANGE_ME, None, {}, name="Ada")
    section = {"section": "emergencyFund"}
    await do(person.CHANGE_SETTINGS, plan.EXPLAIN_PLAN, section, targetMonths=9)
    for monthly in (1, 1_000_000):
        await do(plan.SET_INCOME, plan.SHOW_SNAPSHOT, {}, monthly=monthly)
    await do(plan.BUILD_PLAN, plan.VIEW_PLAN, {})


async def change_rules(household: Household) -> None:
    do, ask = household.do, household.ask
    page = await ask(transaction.LIST_TRANSACTIONS, category="groceries")
    keys = sorted({row["payeeKey"] for row in page["transactions"]})
    made = await do(
        category.CREATE_CATEGORY, category.LIST_CATEGORIES, {}, name="Kites", line="essential"
    )
    kites = made["category"]["category"]
    by_category = {"groupBy": "category"}
    rule = await do(
        category.SET_RULE, transaction.QUERY_SPENDING, by_category, payeeKey=keys[0], category=kites
    )
    batch = [{"payeeKey": key, "category": kites} for key in keys[1:]]
    await do(category.SET_RULES, transaction.LIST_TRANSACTIONS, {"limit": 500}, rules=batch)
    await do(
        category.CHANGE_CATEGORY, category.LIST_CATEGORIES, {}, category=kites, name="Big kites"
    )
    await do(category.REMOVE_RULE, category.LIST_RULES, {}, id=rule["id"])
    await do(category.REMOVE_CATEGORY, category.LIST_CATEGORIES, {}, category=kites)
    suggested = (await ask(category.LIST_SUGGESTIONS))[0]["name"]
    await do(
        category.JUDGE_SUGGESTION, category.LIST_SUGGESTIONS, {}, name=suggested, dismissed=True
    )


async def answer_questions(household: Household) -> None:
    do, ask = household.do, household.ask
    tasks = await ask(task.LIST_TASKS)
    payee = next(each for each in tasks if each["kind"] == "categorize_payee")
    other = next(each for each in tasks[::-1] if each["kind"] == "categorize_payee")
    await do(task.ANSWER_TASK, task.LIST_TASKS, {}, id=payee["id"], answer=payee["options"][0])
    await do(task.UNDO_ANSWER, task.LIST_TASKS, {"status": "answered"}, id=payee["id"])
    if other != payee:
        await do(task.ANSWER_TASK, task.LIST_TASKS, {}, id=other["id"], dismiss=True)


async def speak_of_a_row(household: Household) -> None:
    do, ask = household.do, household.ask
    row = (await ask(transaction.LIST_TRANSACTIONS, category="groceries"))["transactions"][0]
    half = row["amount"] // 2
    splits = [
        {"amount": half, "category": "pets"},
        {"amount": row["amount"] - half, "category": "dining"},
    ]
    for word in ({"category": "pets"}, {"splits": splits}, {"splits": None}):
        by_category = {"groupBy": "category"}
        ids = {"id": row["id"], **word}
        await do(transaction.CHANGE_TRANSACTION, transaction.QUERY_SPENDING, by_category, **ids)
    await do(
        transaction.CHANGE_TRANSACTION, transaction.LIST_TRANSACTIONS, {}, id=row["id"], note="Ours"
    )


async def add_an_account(household: Household) -> None:
    do = household.do
    home = {"name": "Home", "kind": "other", "subtype": "property", "balance": 41_000_000}
    own = (await do(account.ADD_ACCOUNT, plan.SHOW_WEALTH, {}, **home))["account"]["id"]
    of_day: dict[str, Any] = {"id": own, "date": "2024-06-30"}
    await do(account.SET_BALANCE, plan.SHOW_WEALTH, {}, **of_day, balance=39_000_000)
    await do(account.REMOVE_BALANCE, plan.SHOW_WEALTH, {}, **of_day)
    await do(account.REMOVE_ACCOUNT, plan.SHOW_WEALTH, {}, id=own)


async def plan_money(household: Household) -> None:
    do = household.do
    trip = {"name": "Trip", "amount": 20_000, "month": "2199-07"}
    own = (await do(plan.ADD_PLANNED, plan.LIST_PLANNED, {}, **trip))["id"]
    await do(plan.CHANGE_PLANNED, plan.LIST_PLANNED, {}, id=own, amount=30_000)
    await do(plan.REMOVE_PLANNED, plan.LIST_PLANNED, {}, id=own)


async def say_what_comes_again(household: Household) -> None:
    do, ask = household.do, household.ask
    transfer = (await ask(detection.LIST_TRANSFERS))[0]["id"]
    for verdict in ("reject", "auto"):
        await do(
            detection.DECIDE_TRANSFER, detection.LIST_TRANSFERS, {}, id=transfer, verdict=verdict
        )
    series = (await ask(detection.LIST_RECURRING))[0]["id"]
    for verdict in ("dismiss", "auto"):
        await do(
            detection.DECIDE_RECURRING, detection.LIST_RECURRING, {}, id=series, verdict=verdict
        )


async def tell_others(household: Household) -> None:
    """Webhooks: no derived answer is made from them, and what they are told changes none."""
    do = household.do
    made = await do(
        webhook.CREATE_WEBHOOK,
        None,
        {},
        url="https://hooks.example.com/",
        events=["plan.built", "recurring.detected"],
    )
    await do(webhook.CHANGE_WEBHOOK, None, {}, id=made["id"], description="The flat's")
    await do(plan.BUILD_PLAN, plan.LIST_PLANS, {})
    sent = await do(webhook.TRY_WEBHOOK, None, {}, id=made["id"])
    await do(webhook.RETRY_DELIVERY, None, {}, id=made["id"], deliveryId=sent["id"])
    await do(webhook.ROTATE_SECRET, None, {}, id=made["id"])
    await do(webhook.REMOVE_WEBHOOK, None, {}, id=made["id"])


async def import_and_undo(household: Household) -> None:
    do, ask = household.do, household.ask
    # Real data and the demo household never share a store.
    demo = (await ask(bank.LIST_CONNECTIONS))[0]["connection"]["id"]
    await do(bank.UNLINK_CONNECTION, account.LIST_ACCOUNTS, {}, id=demo)
    for name, text in (("a.csv", FIRST), ("b.csv", LATER)):
        files = {"file": (name, text.encode())}
        imported = await do(
            statement_file.IMPORT_FILES,
            transaction.LIST_TRANSACTIONS,
            {},
            files=files,
            account="checking",
        )
    duplicate = (await ask(detection.LIST_DUPLICATES))[0]["id"]
    for verdict in ("same", "auto"):
        await do(
            detection.DECIDE_DUPLICATE, detection.LIST_DUPLICATES, {}, id=duplicate, verdict=verdict
        )
    profile = (await ask(statement_file.LIST_IMPORT_PROFILES))[0]["id"]
    await do(
        statement_file.FORGET_IMPORT_PROFILE, statement_file.LIST_IMPORT_PROFILES, {}, id=profile
    )
    await do(statement_file.UNDO_IMPORT, statement_file.LIST_IMPORTS, {}, id=imported["id"])
