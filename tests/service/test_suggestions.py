"""Suggestions from a household's own rows: what is taken can be filed, what is dismissed stays away."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.category import CategorySuggestion, NewCategory, RuleRequest, SuggestionVerdict
from finplan.model.connection import LinkRequest
from finplan.model.errors import NotFound
from finplan.model.transaction import SpendingQuery
from finplan.service.banking.linking import link_connection
from finplan.service.categories import create_category, judge_suggestion, list_suggestions
from finplan.service.context import Caller, Context
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.store.queries import people
from finplan.store.store import Store

Import = Callable[..., Awaitable[Any]]

FILE = "Date,Description,Amount\n" + "".join(
    f"2026-{month:02d}-{day:02d},{name},-{amount}.00\n"
    for month in (8, 9, 10)
    for day, name, amount in (
        (1, "SAFEWAY #1234", 300),
        (5, "JIFFY LUBE #99", 40),
        (9, "SHELL OIL 5744", 35),
        (28, "SAFEWAY #1234", 200),
    )
)
FILE += "2026-11-02,SAFEWAY #1234,-300.00\n"


def _named(found: tuple[CategorySuggestion, ...]) -> dict[str, CategorySuggestion]:
    return {each.name: each for each in found}


@pytest.mark.usefixtures("demo")
async def test_a_suggestion_can_be_taken(context: Context) -> None:
    """The demo household has one; its merchants can be filed by name, and then it is gone for good."""
    before = (await query_spending(context, SpendingQuery())).total
    suggestion, *others = await list_suggestions(context, Nothing())
    payees = tuple(merchant.payee for merchant in suggestion.merchants)

    made = await create_category(
        context, NewCategory(name=suggestion.name, line="essential", payee_keys=payees)
    )

    assert made.answer.merchants == len(suggestion.merchants)
    assert made.answer.charges >= suggestion.charges
    left = await list_suggestions(context, Nothing())
    assert suggestion.name not in _named(left)
    assert set(_named(tuple(others))) <= set(_named(left))
    assert (await query_spending(context, SpendingQuery())).total == before


async def test_the_figures_are_the_windows(context: Context, import_texts: Import) -> None:
    """Charges, totals and means are those of the months that the plan averages."""
    await import_texts({"checking.csv": FILE})

    (suggestion,) = await list_suggestions(context, Nothing())

    assert (suggestion.theme, suggestion.line) == ("vehicle", "needs")
    assert (suggestion.charges, suggestion.total, suggestion.monthly) == (6, 225_00, 75_00)
    assert [(each.payee, each.charges, each.total) for each in suggestion.merchants] == [
        ("Jiffy Lube", 3, 120_00),
        ("Shell", 3, 105_00),
    ]
    assert [(home.label, home.charges) for home in suggestion.now_in] == [
        ("Car repair and fees", 3),
        ("Fuel, transit, parking", 3),
    ]


async def test_what_an_exact_amount_files_is_left_there(
    context: Context, import_texts: Import
) -> None:
    """A rule of the payee would not move those charges, so no suggestion counts them."""
    await import_texts({"checking.csv": FILE})
    await set_rule(context, RuleRequest(payee_key="shell", category="work_expenses", amount=35_00))
    assert await list_suggestions(context, Nothing()) == ()

    await set_rule(context, RuleRequest(payee_key="shell", category="hobbies", amount=35_00))
    assert await list_suggestions(context, Nothing()) == ()


async def test_a_dismissed_suggestion_stays_away_until_it_is_wanted(
    context: Context, import_texts: Import
) -> None:
    """A dismissal lasts, is nobody else's, and can be taken back; an unknown name is told."""
    await import_texts({"checking.csv": FILE})
    before = await list_suggestions(context, Nothing())
    verdict = SuggestionVerdict(name="CAR COSTS", dismissed=True)

    assert await judge_suggestion(context, verdict) == ()
    assert await judge_suggestion(context, verdict) == ()
    assert await list_suggestions(context, Nothing()) == ()
    back = await judge_suggestion(context, SuggestionVerdict(name="Car costs", dismissed=False))
    assert back == before
    with pytest.raises(NotFound, match="Did you mean Car costs"):
        await judge_suggestion(context, SuggestionVerdict(name="car cost", dismissed=True))


@pytest.mark.thorough
async def test_nothing_linked_is_nothing_suggested(context: Context, store: Store) -> None:
    """A new person, and one whose housemate has charges, is asked nothing."""
    assert await list_suggestions(context, Nothing()) == ()
    await link_connection(context, LinkRequest(provider="demo"))

    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    scopes = context.caller.scopes
    other = Context(
        Caller(await store.write(add), scopes, "session"), store, context.banks, context.now
    )
    assert await list_suggestions(other, Nothing()) == ()
    for name in _named(await list_suggestions(context, Nothing())):
        await judge_suggestion(other, SuggestionVerdict(name=name, dismissed=True))
    assert await list_suggestions(context, Nothing()) != ()
