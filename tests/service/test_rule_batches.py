"""Rules in batches, and rules of an exact amount in either direction."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import ValidationError

from finplan.model.base import Nothing, read_json
from finplan.model.category import RuleBatch, RuleRequest
from finplan.model.errors import NotFound
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.service.context import Context
from finplan.service.rules import list_rules, set_rule, set_rules
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.store.engine import many

Import = Callable[..., Awaitable[Any]]

FILE = """Date,Description,Amount
2026-09-01,CORNER THING,-25.00
2026-10-01,CORNER THING,-40.00
2026-10-20,CORNER THING,25.00
2026-10-25,SAFEWAY,-80.00
"""


async def _spent(context: Context) -> dict[str, int]:
    report = await query_spending(context, SpendingQuery(group_by="category"))
    return {group.key: group.total for group in report.groups}


async def test_the_good_ones_are_saved_and_each_other_one_is_explained(
    context: Context, import_texts: Import
) -> None:
    """An unknown payee, an unknown category and a second rule for the same charges stop no other."""
    await import_texts({"checking.csv": FILE})
    asked = (
        ("corner thing", "hobbies", None),
        ("corner thin", "hobbies", None),
        ("safeway", "diningg", None),
        ("Safeway", "dining", None),
        ("corner thing", "kids", None),
        ("corner thing", "kids", 40_00),
    )
    result = await set_rules(
        context,
        RuleBatch(
            rules=tuple(
                RuleRequest(payee_key=key, category=category, amount=amount)
                for key, category, amount in asked
            )
        ),
    )

    assert [(rule.payee_key, rule.category, rule.amount) for rule in result.saved] == [
        ("corner thing", "hobbies", None),
        ("safeway", "dining", None),
        ("corner thing", "kids", 40_00),
    ]
    assert {error.index: error.message for error in result.errors} == {
        1: "There is no payee 'corner thin'. Did you mean corner thing? `finplan transactions`"
        " shows them.",
        2: "There is no category 'diningg'. Did you mean Restaurants and coffee (dining), Investments"
        " and retirement (investing)?"
        " `finplan categories` lists them.",
        4: "The rule at 0 is for the same charges; only that one is saved.",
    }
    kept = [rule for rule in await list_rules(context, Nothing()) if rule.source == "user"]
    assert {rule.id for rule in kept} == {rule.id for rule in result.saved}
    assert await _spent(context) == {"kids": 40_00, "dining": 80_00, "hobbies": 0}


async def test_a_batch_changes_the_data_once_or_not_at_all(context: Context) -> None:
    """A batch of nothing but errors saves nothing, and an empty one is answered."""
    refused = await set_rules(
        context, RuleBatch(rules=(RuleRequest(payee_key="nobody", category="kids"),))
    )
    empty = await set_rules(context, RuleBatch(rules=()))

    assert (refused.saved, len(refused.errors)) == ((), 1)
    assert (empty.saved, empty.errors) == ((), ())


@pytest.mark.parametrize(("size", "fits"), [(100, True), (101, False)])
def test_a_batch_holds_a_hundred_rules(size: int, fits: bool) -> None:
    """The hundred and first is refused before anything is saved."""
    rule = '{"payeeKey": "x", "category": "kids"}'
    body = f'{{"rules": [{",".join([rule] * size)}]}}'
    if fits:
        assert len(read_json(RuleBatch, body).rules) == size
    else:
        with pytest.raises(ValidationError, match="at most 100"):
            read_json(RuleBatch, body)


@pytest.mark.parametrize(
    ("amount", "moved", "left"), [(25_00, [-25_00], 15_00), (-25_00, [25_00], 65_00)]
)
async def test_the_sign_of_an_amount_is_the_direction_of_the_money(
    context: Context, import_texts: Import, amount: int, moved: list[int], left: int
) -> None:
    """A positive amount files money out and a negative one money in, never both."""
    await import_texts({"checking.csv": FILE})
    await set_rule(context, RuleRequest(payee_key="corner thing", category="hobbies"))

    rule = await set_rule(
        context, RuleRequest(payee_key="corner thing", category="kids", amount=amount)
    )

    page = await list_transactions(context, TransactionQuery(category=("kids",)))
    assert [row.amount for row in page.transactions] == moved
    assert {row.why.rule_id for row in page.transactions} == {rule.id}
    assert rule.amount == amount
    assert await _spent(context) == {"kids": amount, "hobbies": left, "groceries": 80_00}


async def test_a_row_names_the_rule_of_its_own_payee(
    context: Context, import_texts: Import
) -> None:
    """Where rules of several payees file under one category, each row is told the one that files it."""
    await import_texts({"checking.csv": FILE})
    named = {
        key: (await set_rule(context, RuleRequest(payee_key=key, category="kids"))).id
        for key in ("corner thing", "safeway")
    }

    page = await list_transactions(context, TransactionQuery(category=("kids",)))
    assert {(row.payee_key, row.why.rule_id) for row in page.transactions} == set(named.items())
    assert len(page.transactions) == 4


async def test_a_payee_is_found_by_its_name_when_no_other_has_it(
    context: Context, import_texts: Import
) -> None:
    """Key or display name, in any case of letters; what is unknown is told with near matches."""
    await import_texts({"checking.csv": FILE})

    for spelling in ("corner thing", "Corner Thing", "CORNER THING"):
        rule = await set_rule(context, RuleRequest(payee_key=spelling, category="kids"))
        assert rule.payee_key == "corner thing"
    with pytest.raises(NotFound, match="Did you mean corner thing"):
        await set_rule(context, RuleRequest(payee_key="Corner Thingy", category="kids"))


async def test_a_name_that_two_payees_have_is_no_name(
    context: Context, import_texts: Import
) -> None:
    """Nobody is filed by chance: both keys are offered instead."""
    await import_texts({"checking.csv": FILE})
    rename = "UPDATE payee SET name = ?"
    await context.store.write(lambda c: many(c, rename, [("Twin",)]))

    with pytest.raises(NotFound, match="no payee 'Twin'"):
        await set_rule(context, RuleRequest(payee_key="Twin", category="kids"))
    assert (
        await set_rule(context, RuleRequest(payee_key="safeway", category="kids"))
    ).amount is None
