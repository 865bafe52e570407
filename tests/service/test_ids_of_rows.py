"""The id of a transaction means that very row, or none: never another one that came later."""

import pytest

from finplan.model.errors import NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionId, TransactionWord
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import change_transaction, show_transaction
from tests.service.conftest import Import
from tests.service.own_words import the_row
from tests.service.test_pending_rows import camt

HEAD = "Date,Description,Amount\n"


async def must_be_gone(context: Context, row: str) -> None:
    """Neither a look nor a word reaches another row by an id from before."""
    with pytest.raises(NotFound):
        await show_transaction(context, TransactionId(id=row))
    with pytest.raises(NotFound):
        await change_transaction(context, TransactionWord(id=row, category="gifts_donations"))


async def test_rows_after_an_undone_import_have_ids_of_their_own(
    context: Context, import_texts: Import
) -> None:
    """Who files a row by an id that they have seen does not file one that came in its place."""
    one = await import_texts(
        {"a.csv": f"{HEAD}2026-09-01,SAFEWAY,-30.00\n2026-09-02,RENT,-900.00\n"}
    )
    seen = await the_row(context, "SAFEWAY")
    assert one.id is not None
    await undo_import(context, ImportId(id=one.id))
    await import_texts({"b.csv": f"{HEAD}2026-09-03,DENTIST,-80.00\n2026-09-04,BAR,-9.00\n"})
    await must_be_gone(context, seen.id)
    assert (await the_row(context, "DENTIST")).id != seen.id


async def test_pending_rows_have_ids_of_their_own(context: Context, import_texts: Import) -> None:
    """What waits now has none of the ids of what waited before."""
    await import_texts({"i.xml": camt((5, -2000), until=5, message="052", status="PDNG")})
    seen = await the_row(context, "Shop 2000")
    await import_texts({"m.xml": camt((5, -2000), until=5)})
    await import_texts({"i.xml": camt((8, -999), until=8, message="052", status="PDNG")})
    await must_be_gone(context, seen.id)
