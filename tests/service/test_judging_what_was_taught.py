"""A rule judges only what it can change, and comes to what judging everything would."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.categorise.caches import clear_caches
from finplan.categorise.curated import curated
from finplan.categorise.grammar import grammar
from finplan.categorise.infer import sharing_evidence
from finplan.model.account import AccountChange, AccountKind
from finplan.model.base import Nothing
from finplan.model.category import NewCategory, RuleId, RuleRequest
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.categories.categories import create_category
from finplan.service.categories.rules import list_rules, remove_rule, set_rule
from finplan.service.context import Context
from finplan.service.ledger.categorisation import categorise_payees
from finplan.store.queries import payees

Import = Callable[..., Awaitable[Any]]

WORDS = (
    "quorble",
    "zwaldhof",
    "quorbling",
    "wexlin",
    "pharmacy",
    "hall",
    "studio",
    "norvale",
    "art",
)
CATEGORIES = ("kids", "hobbies", "travel", "wages", "groceries", "transfer")


def statement(dice: Random) -> str:
    """Payees that share words, pieces of words or nothing, with money out, in, or both."""
    lines = ["Date,Description,Amount"]
    for place in range(60):
        name = " ".join(dice.sample(WORDS, dice.randint(1, 3))).upper()
        if place % 9 == 0:
            name = dice.choice(("ZELLE TO ", "AMAZON ", "WAL-MART ")) + name
        sign = dice.choice(("-", "-", ""))
        day = f"2026-{dice.randint(6, 11):02d}-{dice.randint(1, 20):02d}"
        lines.append(f"{day},{name},{sign}{dice.randint(5, 900)}.00")
    return "\n".join([*lines, ""])


async def decisions(context: Context) -> dict[str, payees.SavedDecision]:
    owner = context.caller.owner
    held = await context.store.read(lambda c: payees.known_payees(c, owner))
    return {payee.key: payee.decided for payee in held}


async def judged_again(context: Context) -> dict[str, payees.SavedDecision]:
    """What is decided when every payee is looked at afresh; nothing of it is kept."""
    owner = context.caller.owner

    class TakeBack(Exception):
        pass

    found: dict[str, payees.SavedDecision] = {}

    def judge(connection: Connection) -> None:
        categorise_payees(connection, owner, None)
        found.update({each.key: each.decided for each in payees.known_payees(connection, owner)})
        raise TakeBack

    with pytest.raises(TakeBack):
        await context.store.write(judge)
    return found


@pytest.mark.parametrize("seed", range(6))
async def test_what_one_rule_judges_is_all_that_it_changes(
    context: Context, import_texts: Import, seed: int
) -> None:
    """Rules set, changed and removed in any order leave what judging every payee would decide."""
    dice = Random(seed)
    await import_texts({"checking.csv": statement(dice), "card.csv": statement(dice)})
    own = (await create_category(context, NewCategory(name="Sport", line="discretionary"))).answer
    categories = (*CATEGORIES, own.category.category)
    for _ in range(12):
        known = sorted(await decisions(context))
        rules = [each for each in await list_rules(context, Nothing()) if each.source == "user"]
        if rules and dice.random() < 0.35:
            await remove_rule(context, RuleId(id=dice.choice(rules).id))
        else:
            taught = RuleRequest(payee_key=dice.choice(known), category=dice.choice(categories))
            await set_rule(context, taught)
        assert await decisions(context) == await judged_again(context)


async def test_a_rule_sees_which_rows_count(context: Context, import_texts: Import) -> None:
    """Rows that an account's hiding takes out of the totals are no evidence for the next rule."""
    await import_texts({"checking.csv": statement(Random(7)), "card.csv": statement(Random(8))})
    known = sorted(await decisions(context))
    for account in await list_accounts(context, Nothing()):
        await change_account(context, AccountChange(id=account.id, hidden=True))
        await set_rule(context, RuleRequest(payee_key=known[0], category="kids"))
        after, afresh = await decisions(context), await judged_again(context)
        unsure = {key for key, each in after.items() if each.source in (None, "auto")}
        assert {key: after[key] for key in unsure} == {key: afresh[key] for key in unsure}


async def test_a_rule_reads_none_of_the_shipped_data(
    context: Context, import_texts: Import
) -> None:
    """What they say of each payee is kept, so that the first rule of a day waits for nothing."""
    await import_texts({"checking.csv": statement(Random(9))})
    known = sorted(await decisions(context))
    clear_caches()
    for key in known[:10]:
        await set_rule(context, RuleRequest(payee_key=key, category="kids"))

    assert (curated.cache_info().currsize, grammar.cache_info().currsize) == (0, 0)


def test_evidence_is_shared_by_words_and_pieces() -> None:
    """Whole words, and pieces of four letters with the ends of words, and nothing else."""
    keys = ("blue heron", "heronry", "hex on", "aqua heron 7", "sheron", "ab", "cab", "blue")

    assert sharing_evidence(keys, ["heron"]) == {"blue heron", "heronry", "aqua heron 7", "sheron"}
    assert sharing_evidence(keys, ["ab"]) == {"ab"}
    assert sharing_evidence(keys, ["7", "x y"]) == set()
    assert sharing_evidence((), ["heron"]) == set()


async def test_what_an_account_is_decides_afresh_what_it_can_change(
    context: Context, import_texts: Import
) -> None:
    """After a change of its kind payees are as judging every one would have them, and so after rules."""
    moves = "Date,Description,Amount\n" + "".join(
        f"2026-{month:02d}-05,ONLINE TRANSFER,400.00\n" for month in range(6, 11)
    )
    out = moves.replace(",400.00", ",-400.00").replace("ONLINE TRANSFER", "QUORBLE HALL LOAN")
    dice = Random(11)
    await import_texts(
        {
            "checking.csv": statement(dice) + out.partition("\n")[2],
            "card.csv": statement(dice),
            "loan.csv": moves,
        }
    )
    known = sorted(await decisions(context))
    for key in known[:6]:
        await set_rule(context, RuleRequest(payee_key=key, category="kids"))
    accounts = await list_accounts(context, Nothing())
    for _ in range(14):
        account = dice.choice(accounts)
        kind: AccountKind = dice.choice(("depository", "credit", "loan", "investment"))
        await change_account(context, AccountChange(id=account.id, kind=kind))
        assert await decisions(context) == await judged_again(context)
        await set_rule(context, RuleRequest(payee_key=dice.choice(known), category="travel"))
        assert await decisions(context) == await judged_again(context)
