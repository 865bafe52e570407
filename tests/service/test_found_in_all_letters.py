"""Rows with other letters than ASCII: each is found, whichever way it came into the store."""

from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.connection import ConnectionId
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.folding import fold, fold_others
from tests.service.conftest import Import
from tests.service.homes import elsewhere
from tests.service.household_answers import exported, taken
from tests.service.own_money import Bank, Branch, csv, linked

__all__ = ["elsewhere"]

CAFE = "CAFÉ MÜLLER 12"
PLUMBER = "PLOMBIER FORÊT 88"
INVOICE = "PLOMBIER REÇU"
BAKERY = "BAKERY NORTH"
BOUGHT = csv(f"2026-09-01,{BAKERY},-3.10", f"2026-09-05,{PLUMBER},-120.00", f"2026-09-09,{CAFE},-4")
AGAIN = csv(f"2026-09-01,{BAKERY},-3.10", f"2026-09-06,{INVOICE},-120.00", f"2026-09-09,{CAFE},-4")
CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)


async def found(context: Context, text: str) -> list[str]:
    """The texts of the rows that are found, pending ones too."""
    page = await list_transactions(context, TransactionQuery(text=text))
    return sorted(row.raw for row in page.transactions)


def unlike(connection: Connection) -> list[tuple[str, str | None]]:
    """The posted rows that keep something else to be looked for by than their texts folded."""
    rows = connection.exec_driver_sql("SELECT raw, folded FROM tx").all()
    assert rows
    return [(raw, folded) for raw, folded in rows if folded != fold_others(raw)]


async def test_imported_and_again_after_undo(context: Context, import_texts: Import) -> None:
    """An import's rows are found, and those of the same file after it was undone."""
    first = await import_texts({"a.csv": BOUGHT}, account="checking")
    for _ in range(2):
        assert await found(context, "muller cafe") == [CAFE]
        assert await found(context, "МÜLLER") == []
        assert await found(context, "foret") == [PLUMBER]
        assert await found(context, "north") == [BAKERY]
        assert await context.store.read(unlike) == []
        assert first.id is not None
        await undo_import(context, ImportId(id=first.id))
        assert await found(context, "cafe") == []
        first = await import_texts({"a.csv": BOUGHT}, account="checking")


async def test_set_aside_and_brought_back(context: Context, import_texts: Import) -> None:
    """Of two rows that are one the other is not found, and is again once they are two."""
    await import_texts({"a.csv": BOUGHT}, account="checking")
    await import_texts({"b.csv": AGAIN}, account="checking")
    (pair,) = await list_duplicates(context, DuplicateQuery())
    for verdict, told in (("same", [PLUMBER]), ("different", sorted([PLUMBER, INVOICE]))):
        await decide_duplicate(
            context, DuplicateVerdict.model_validate({"id": pair.id, "verdict": verdict})
        )
        both = [*await found(context, "foret"), *await found(context, "recu")]
        assert sorted(both) == told
        assert await context.store.read(unlike) == []


async def test_restored(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """A household that was taken along finds what it found."""
    await import_texts({"a.csv": BOUGHT}, account="checking")
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    assert await found(elsewhere, "muller cafe") == [CAFE]
    assert await found(elsewhere, "foret") == [PLUMBER]
    assert await elsewhere.store.read(unlike) == []


async def test_pending_posted_and_changed_by_the_bank(context: Context) -> None:
    """While it waits, once it is posted, and under the text that the bank gives it afterwards."""
    waiting = BankTransaction("chk", "p1", 20261118, -4_00, CAFE, pending=True)
    posted = BankTransaction("chk", "t1", 20261118, -4_00, CAFE, replaces="p1")
    branch = Branch((CHECKING,), [waiting])
    there, connection = await linked(context, Bank(north=branch), "north")
    assert await found(there, "muller") == [CAFE]

    branch.rows.append(posted)
    await sync_connection(there, ConnectionId(id=connection))
    assert await found(there, "muller") == [CAFE]
    assert await there.store.read(unlike) == []

    branch.modified.append(posted._replace(raw=PLUMBER))
    await sync_connection(there, ConnectionId(id=connection))
    assert await found(there, "muller") == []
    assert await found(there, "foret") == [PLUMBER]
    assert await there.store.read(unlike) == []


@pytest.mark.thorough
async def test_any_letters_are_found_as_they_fold(context: Context, import_texts: Import) -> None:
    """Of rows and words put together by lot, those are found in whose text or payee the word stands."""
    draw = Random(26)
    letters = "aAeEiIkKsSß% éÉıİøæœﬁΣςσЙй̈がか-_"
    texts = ["".join(draw.choices(letters, k=9)) for _ in range(300)]
    rows = [
        f'2026-09-{1 + place % 28:02d},"x{each}",-{place}.25' for place, each in enumerate(texts)
    ]
    await import_texts({"a.csv": csv(*rows)}, account="checking")
    everything = await list_transactions(context, TransactionQuery(limit=500))
    words = [fold(each)[2:4] for each in texts[:60]]
    hits = 0
    for word in words:
        if not word.split():
            continue
        page = await list_transactions(context, TransactionQuery(text=word, limit=500))
        expected = [
            row
            for row in everything.transactions
            if all(each in fold(row.raw) or each in fold(row.payee) for each in word.split())
        ]
        assert list(page.transactions) == expected, word
        hits += len(expected)
    assert len(everything.transactions) == 300
    assert 60 < hits < 300 * 30
    assert await context.store.read(unlike) == []
