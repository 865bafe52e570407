"""What a rule teaches of other payees is applied when somebody looks, and not before it is answered."""

import logging

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import CategoryRule, RuleId, RuleRequest
from finplan.model.errors import StorageFull
from finplan.model.transaction import SpendingQuery
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.ledger import categorisation
from finplan.service.ledger.categorisation import categorise_unknown
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.spending import query_spending
from finplan.store.queries.people import is_inference_due
from tests.service.conftest import Import
from tests.service.own_money import csv

ROWS = csv(
    *(
        f"2026-{month:02}-{day:02},{payee},-{20 + day}.00"
        for month in range(6, 10)
        for day, payee in enumerate(("QUILLON ZWALDHOF", "QUILLON ZWALDHOF WEXLIN"), start=3)
    )
)


@pytest.fixture
async def household(context: Context, import_texts: Import) -> Context:
    """Two unknown payees with names alike."""
    await import_texts({"checking.csv": ROWS})
    return context


async def _due(context: Context) -> bool:
    return await context.store.read(lambda c: is_inference_due(c, context.caller.owner))


async def _inferred(context: Context) -> list[CategoryRule]:
    return [rule for rule in await list_rules(context, Nothing()) if rule.source == "auto"]


async def _file(context: Context) -> CategoryRule:
    return await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))


async def test_a_rule_is_answered_before_it_teaches(
    household: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setting and removing one judges no other payee; the next look does, once for both."""
    judged = []

    def count(*asked: object) -> None:
        judged.append(asked)
        categorise_unknown(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(categorisation, "categorise_unknown", count)
    rule = await _file(household)
    await remove_rule(household, RuleId(id=rule.id))
    await _file(household)
    assert await _due(household)
    assert judged == []

    await _inferred(household)
    await _inferred(household)
    assert len(judged) == 1
    assert not await _due(household)


async def test_whoever_looks_next_sees_what_was_learnt(household: Context) -> None:
    """Sums and rules alike know the payee that is like the one that was filed."""
    await _file(household)
    report = await query_spending(household, SpendingQuery(group_by="category"))

    learnt = await _inferred(household)
    assert [rule.payee_key for rule in learnt] == ["quillon zwaldhof wexlin"]
    assert {group.key for group in report.groups} == {"kids"}


async def test_a_file_that_comes_before_the_look_is_told_apart_alike(
    household: Context, import_texts: Import
) -> None:
    """An import applies what is due before its own payees are judged."""
    await _file(household)
    await import_texts(
        {"more.csv": csv("2026-10-03,QUILLON ZWALDHOF OSTREY,-9.00")}, account="more"
    )

    assert not await _due(household)
    keys = {rule.payee_key for rule in await _inferred(household)}
    assert keys == {"quillon zwaldhof wexlin", "quillon zwaldhof ostrey"}


async def test_a_full_disk_keeps_nobody_from_looking(
    household: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be applied stays due, and is told in the log."""
    await _file(household)

    async def refuse(*_args: object) -> None:
        raise StorageFull("The disk is full.")

    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(household.store, "write", refuse)
        assert await _inferred(household) == []
    assert "The disk is full" in caplog.text

    assert len(await _inferred(household)) == 1


async def test_hiding_an_account_makes_what_its_payees_teach_due(
    household: Context, import_texts: Import
) -> None:
    """A payee that was filed teaches by the rows that count, so other ones are judged again."""
    await import_texts({"other.csv": csv("2026-10-03,SAFEWAY,-9.00")}, account="Other")
    await _file(household)
    await _inferred(household)
    accounts = {each.name: each.id for each in await list_accounts(household, Nothing())}

    await change_account(household, AccountChange(id=accounts["Other"], hidden=True))
    assert not await _due(household)
    await change_account(household, AccountChange(id=accounts["checking"], hidden=True))
    assert await _due(household)
