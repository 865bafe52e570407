"""What a person does with a bank, each deed in a process of its own that may be killed at any statement.

A step is a statement of SQLite's, the COMMIT of a transaction and each row of many among them.
"""

import asyncio
import json
import os
import signal
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Engine, event

from finplan.banks.base import Aggregator
from finplan.banks.enablebanking.api import EnableBankingApi, RegisteredApplication
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.banks.plaid import bank as plaid_bank
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.model import connection as connections
from finplan.model.errors import Fault
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.banking.page_links import begin_link, show_link
from finplan.service.context import Context
from finplan.store.store import Store
from tests.banks.fakes.ways import trusting
from tests.patience import LONG_ENOUGH
from tests.service.conftest import adas
from tests.service.own_money import sealer
from tests.service.said import say, the_row
from tests.webhooks.receiver import Authority

ROWS_A_PAGE = 4
"""Of Plaid's, so that a few rows are several pages."""

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__, "aiohttp", "joserfc.jwk"])


Keys = PlaidKeys | RegisteredApplication | None
"""What the person has of an aggregator's, None where it gives no keys."""


@dataclass(frozen=True)
class Reach:
    """How a fake bank is reached, and where the store of its person is."""

    bank: Literal["simplefin", "plaid", "enablebanking"]
    url: str
    keys: Keys
    authority: Authority
    store: Path


@dataclass(frozen=True)
class Deed:
    """What is done at an instant: `does` is a function of this module, `of` what it is done with."""

    does: Literal["begin", "link", "poll", "sync", "speak"]
    of: str = ""
    reconnect: str | None = None


@dataclass(frozen=True)
class Done:
    """What came of a deed: the steps that it took, and what it answered or refused with."""

    steps: int
    answer: str
    error: str | None


class Steps:
    """Counts steps, and kills the process, as `kill -9` does, before one of them."""

    def __init__(self, dies_at: int | None) -> None:
        self.made = 0
        self._dies_at = dies_at

    def step(self, *_told: object) -> None:
        """One more step is about to be made."""
        if self.made == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.made += 1

    def watch(self, connection: sqlite3.Connection, _record: object) -> None:
        """Count what a new connection to the store is told."""
        connection.set_trace_callback(self.step)


def does(reach: Reach, deed: Deed, now: datetime, dies_at: int | None = None) -> Done | None:
    """Do something in a process of its own; None where that was killed."""
    said = reach.store.with_name("said.json")
    said.unlink(missing_ok=True)
    process: BaseProcess = _PROCESSES.Process(target=_do, args=(reach, deed, now, dies_at, said))
    process.start()
    process.join(LONG_ENOUGH)
    if process.exitcode == -signal.SIGKILL:
        assert dies_at is not None
        return None
    assert process.exitcode == 0, f"{deed} ended with {process.exitcode}"
    return Done(**json.loads(said.read_text()))


def _do(reach: Reach, deed: Deed, now: datetime, dies_at: int | None, said: Path) -> None:
    steps = Steps(dies_at)
    event.listen(Engine, "connect", steps.watch)
    vars(plaid_bank)["ROWS_A_PAGE"] = ROWS_A_PAGE
    done = asyncio.run(_done(reach, deed, now))
    # What a process does once it has answered is no part of the deed.
    steps.step()
    said.write_text(json.dumps({"steps": steps.made} | done))


async def _done(reach: Reach, deed: Deed, now: datetime) -> dict[str, str | None]:
    store = Store.open(reach.store, reach.store.parent / "backups")
    try:
        context = replace(
            await adas(store),
            aggregators={reach.bank: _bank(reach, now)},
            sealer=sealer,
            now=lambda: now,
        )
        answer, error = await _DEEDS[deed.does](context, deed)
    except Fault as fault:
        return {"answer": "", "error": fault.message}
    finally:
        store.close()
    return {"answer": answer, "error": error}


def _bank(reach: Reach, now: datetime) -> Aggregator:
    trust = trusting(reach.authority)
    if isinstance(reach.keys, PlaidKeys):
        return Plaid(BankHttp("Plaid", trust=trust), replace(reach.keys, host=reach.url))
    if reach.keys is None:
        return SimpleFin(BankHttp("SimpleFIN", trust=trust))
    api = EnableBankingApi(BankHttp("Enable Banking", trust=trust), reach.keys, reach.url)
    return EnableBanking(api, now=lambda: now)


async def _begin(context: Context, deed: Deed) -> tuple[str, str | None]:
    """Open a page at the institution `of`, or at the only one; answers the link's id and its address."""
    named = connections.Institution(id=deed.of, name=deed.of.partition("/")[2]) if deed.of else None
    of = None if deed.reconnect is None else connections.Reconnection(connection_id=deed.reconnect)
    (bank,) = context.aggregators
    ask = connections.BankLinkRequest(bank=bank, institution=named, reconnect=of)
    link = (await begin_link(context, ask)).answer
    return f"{link.id} {link.url}", None


async def _link(context: Context, deed: Deed) -> tuple[str, str | None]:
    """Link by the token `of`."""
    of = None if deed.reconnect is None else connections.Reconnection(connection_id=deed.reconnect)
    ask = connections.LinkRequest(provider="aggregator", public_token=deed.of, reconnect=of)
    record = (await link_connection(context, ask)).answer
    return record.connection.id, None


async def _poll(context: Context, deed: Deed) -> tuple[str, str | None]:
    """Ask for the link `of`; answers its connection once it is linked."""
    link = await show_link(context, connections.BankLinkId(id=deed.of))
    return "" if link.connection is None else link.connection.id, link.error


async def _sync(context: Context, deed: Deed) -> tuple[str, str | None]:
    """Sync the connection `of`."""
    report = await sync_connection(context, connections.ConnectionId(id=deed.of))
    return "complete" if report.complete else "", report.error


async def _speak(context: Context, deed: Deed) -> tuple[str, str | None]:
    """Say something of the row whose text has `of` in it, posted or pending."""
    await say(
        context, await the_row(context, deed.of), category="gifts_donations", note="for Grace"
    )
    return "", None


_DEEDS: dict[str, Any] = {
    "begin": _begin,
    "link": _link,
    "poll": _poll,
    "sync": _sync,
    "speak": _speak,
}
