"""Rows that write one payee's name in several ways are that payee's, however they came in."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import list_imports, undo_import
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.service.rules import set_rule
from finplan.service.transactions import list_transactions
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

WHOLE = csv(*(f"2026-{month:02}-03,FUNDY TIDE CHOWDER,-20.00" for month in range(5, 8)))
CUT = csv(*(f"2026-{month:02}-03,FUNDY TIDE CHOW,-20.00" for month in range(8, 11)))
BOTH = csv(
    *(f"2026-{month:02}-03,FUNDY TIDE CHOWDER,-20.00" for month in range(5, 8)),
    *(f"2026-{month:02}-03,FUNDY TIDE CHOW,-20.00" for month in range(8, 11)),
)
EITHER = csv(
    *(f"2026-{month:02}-03,JUNIPER CROSSING CAFE,-8.00" for month in range(5, 8)),
    *(f"2026-{month:02}-04,JUNIPER CROSSING APARTMENTS,-900.00" for month in range(5, 8)),
    *(f"2026-{month:02}-05,JUNIPER CROSSING,-900.00" for month in range(8, 11)),
)


async def _payees(context: Context) -> dict[tuple[str, str], int]:
    """How many rows each payee has, by key and name."""
    page = await list_transactions(context, TransactionQuery(limit=200))
    listed = [(row.payee_key, row.payee) for row in page.transactions]
    return {each: listed.count(each) for each in listed}


async def test_names_of_one_file_are_joined(context: Context, import_texts: Import) -> None:
    """A name that the bank cut off is the payee whose whole name stands in the same file."""
    await import_texts({"checking.csv": BOTH})
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 6}


async def test_a_name_goes_to_a_payee_that_is_there(context: Context, import_texts: Import) -> None:
    """What a later file writes otherwise goes to the payee that is there, with its rule."""
    await import_texts({"checking.csv": WHOLE})
    await set_rule(context, RuleRequest(payee_key="fundy tide chowder", category="dining"))
    await import_texts({"checking.csv": CUT})
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 6}
    page = await list_transactions(context, TransactionQuery(limit=200))
    assert {row.category for row in page.transactions} == {"dining"}


async def test_a_preview_shows_the_payee_that_is_meant(
    context: Context, import_texts: Import
) -> None:
    """The rows that a dry run shows are paid to whom they will be paid."""
    await import_texts({"checking.csv": WHOLE})
    report = await import_texts({"checking.csv": CUT}, dry_run=True)
    shown = {row.payee for file in report.files for one in file.accounts for row in one.samples}
    assert shown == {"Fundy Tide Chowder"}


async def test_a_name_that_may_mean_two_is_its_own(context: Context, import_texts: Import) -> None:
    """Where two payees may be meant a name is neither of them."""
    await import_texts({"checking.csv": EITHER})
    assert {key for key, _ in await _payees(context)} == {
        "juniper crossing cafe",
        "juniper crossing apartment",
        "juniper crossing",
    }


async def test_undoing_the_whole_name_leaves_its_payee_to_the_other_rows(
    context: Context, import_texts: Import
) -> None:
    """A payee stays as long as a row is paid to it, whichever import brought it first."""
    await import_texts({"checking.csv": WHOLE})
    await import_texts({"checking.csv": CUT})
    newest_first = await list_imports(context, Nothing())
    await undo_import(context, ImportId(id=newest_first[-1].id))
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 3}


async def test_a_store_of_other_rules_has_its_names_joined(
    context: Context, import_texts: Import
) -> None:
    """Payees that were told apart by older rules are one once the store is keyed again."""
    await import_texts({"checking.csv": WHOLE})

    def apart(connection: Any) -> None:
        connection.exec_driver_sql(
            "INSERT INTO payee (owner_no, key, name, raw, category_out, category_in, decided_out,"
            " decided_in, why) SELECT owner_no, 'fundy tide chow', 'Fundy Tide Chow', 'FUNDY TIDE"
            " CHOW', 'uncategorized', 'unknown_inflow', 'uncategorized', 'unknown_inflow', ''"
            " FROM payee"
        )
        connection.exec_driver_sql(
            "UPDATE tx SET raw = 'FUNDY TIDE CHOW', payee_no = (SELECT no FROM payee WHERE key ="
            " 'fundy tide chow') WHERE day = 20260703"
        )
        connection.exec_driver_sql("UPDATE person SET key_rules = 0")

    await context.store.write(apart)
    assert len(await _payees(context)) == 2
    await rekey_payees(context.store, context.milliseconds())
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 3}
