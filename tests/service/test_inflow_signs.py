"""The ledger's payees carry what the words of their money in say."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.category import RuleRequest
from finplan.service.context import Context
from finplan.service.derived.household import load_ledger
from finplan.service.rules import set_rule
from finplan.store.queries import payees
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

MONTHS = range(5, 11)
HOUSEHOLD = csv(
    *(f"2026-{month:02}-03,TEACHERS PENSIONS BGC,1650.00" for month in MONTHS),
    *(f"2026-{month:02}-05,QUILLZWALD LTD SALARY,2400.00" for month in MONTHS),
    *(f"2026-{month:02}-09,STRIPE TRANSFER ST-A{month}B2,310.00" for month in MONTHS),
    *(f"2026-{month:02}-12,BLUE HERON COLLECTIVE,95.00" for month in MONTHS),
    "2026-05-20,DWP JSA,170.00",
    "2026-09-20,DWP STATE PENSION,880.00",
    "2026-10-18,DWP STATE PENSION,880.00",
    "2026-06-21,TESCO STORES 3345,-31.50",
)


async def _signs(context: Context) -> dict[str, str | None]:
    owner = context.caller.owner
    ledger = await context.store.read(lambda connection: load_ledger(connection, owner))
    return {payee.key: payee.inflow_sign for payee in ledger.payees.values()}


async def test_payees_carry_what_their_newest_credits_say(
    context: Context, import_texts: Import
) -> None:
    """By words alone: a rhythm says nothing, and who drew a benefit before draws a pension now."""
    await import_texts({"current.csv": HOUSEHOLD})
    assert await _signs(context) == {
        "teachers pensions": "pension",
        "quillzwald": "pay",
        "stripe": "payout",
        "blue heron collective": None,
        "dwp": "pension",
        "tesco": None,
    }


async def test_a_rule_to_another_income_changes_no_sign(
    context: Context, import_texts: Import
) -> None:
    """A pension that somebody calls pay still says that it is a pension."""
    await import_texts({"current.csv": HOUSEHOLD})
    await set_rule(context, RuleRequest(payee_key="teachers pensions", category="wages"))
    await set_rule(context, RuleRequest(payee_key="blue heron collective", category="wages"))
    signs = await _signs(context)
    assert (signs["teachers pensions"], signs["blue heron collective"]) == ("pension", None)


async def test_the_newest_credits_are_read(context: Context, import_texts: Import) -> None:
    """As many as are asked for, newest first, and none of money out."""
    await import_texts({"current.csv": HOUSEHOLD})
    owner = context.caller.owner
    numbers = await context.store.read(lambda c: payees.numbers_of(c, owner))
    asked = [numbers["dwp"], numbers["tesco"]]
    texts = await context.store.read(lambda c: payees.newest_inflows(c, owner, asked, 2))
    assert texts == {numbers["dwp"]: ["DWP STATE PENSION", "DWP STATE PENSION"]}
