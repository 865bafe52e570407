"""The tool that files payees under categories, first as a preview."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import (
    UnknownCategory,
    categories_of,
    find_category,
    named,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    filed,
    lines,
    listed,
    quoted,
    sentence,
)
from finplan.model.base import Amount, TypedAmount, Whole, Wire
from finplan.model.category import PayeeName, RuleBatch, RuleBatchResult, RuleRequest
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.transaction import TransactionPage, TransactionQuery
from finplan.operations.household import LIST_TRANSACTIONS
from finplan.operations.planning import LIST_CATEGORIES, SET_RULES

LOOKED_AT = 500
"""How many of a payee's newest rows a preview is counted by."""


class RuleWord(Wire):
    """File a merchant, or only its charges of one amount, under a category."""

    merchant: Annotated[PayeeName, Field(description="Name or key.")]
    category: Annotated[str, Field(min_length=1, max_length=80, description="Name or id.")]
    amount: Annotated[TypedAmount | None, Field(description="Positive when money goes out.")] = None


class RulesQuestion(Wire):
    """Rules to set, once the person has agreed."""

    rules: Annotated[tuple[RuleWord, ...], Field(min_length=1, max_length=100)]
    confirm: Annotated[bool, Field(description="False: only tell what would move.")] = False


class RuleMove(Wire):
    """What one rule moves: the rows of all time that are elsewhere now; money out is positive.

    `held` rows stay: they are one half of a payment between the person's own accounts.
    """

    merchant: str
    category: str
    label: str | None = None
    rows: Whole
    held: Whole
    at_least: bool
    total: Amount
    error: str | None = None


class RulesTold(Wire):
    """What the rules would move, or have moved; `categories` are all, where one was asked for none."""

    confirmed: bool
    moves: tuple[RuleMove, ...]
    categories: dict[str, str] | None = None


async def set_category_rules(call: Call, ask: RulesQuestion) -> RulesTold:
    """Tell what rules would move, and with `confirm` set them; what is wrong with one stops no other."""
    known = await categories_of(call)
    moves = [await _move(call, rule, known) for rule in ask.rules]
    unknown = any(move.error is not None and move.category not in known for move in moves)
    told = RulesTold(
        confirmed=ask.confirm, moves=tuple(moves), categories=dict(known) if unknown else None
    )
    if not ask.confirm:
        return told
    right = [place for place, move in enumerate(moves) if move.error is None]
    result: RuleBatchResult = await call.ask(
        SET_RULES,
        RuleBatch(
            rules=tuple(
                RuleRequest(
                    payee_key=ask.rules[place].merchant,
                    category=moves[place].category,
                    amount=ask.rules[place].amount,
                )
                for place in right
            )
        ),
    )
    for error in result.errors:
        place = right[error.index]
        moves[place] = moves[place].model_copy(update={"error": error.message})
    return told.model_copy(update={"moves": tuple(moves)})


async def _move(call: Call, rule: RuleWord, known: Mapping[str, str]) -> RuleMove:
    category = rule.category
    try:
        category = find_category(known, rule.category)
        page: TransactionPage = await call.ask(
            LIST_TRANSACTIONS,
            TransactionQuery(merchant=(rule.merchant,), pending=False, limit=LOOKED_AT),
        )
    except BadRequest as refusal:
        return RuleMove(
            merchant=rule.merchant,
            category=category,
            rows=0,
            held=0,
            at_least=False,
            total=0,
            error=refusal.brief if isinstance(refusal, UnknownCategory) else refusal.message,
        )
    meant = [
        row
        for row in page.transactions
        if row.category != category and rule.amount in {None, -row.amount}
    ]
    moved = [row for row in meant if row.transfer_id is None]
    return RuleMove(
        merchant=rule.merchant,
        category=category,
        label=known[category],
        rows=len(moved),
        held=len(meant) - len(moved),
        at_least=page.next_cursor is not None,
        total=-sum(row.amount for row in moved),
    )


def _say(told: RulesTold, currency: str) -> str:
    refused = sum(each.error is not None for each in told.moves)
    if not told.confirmed:
        done = (
            "Nothing is stored yet. Of the rows of all time this would move (call again with confirm"
            " once the person agrees):"
        )
    elif refused == len(told.moves):
        done = "Nothing was filed:"
    else:
        done = "Filed, but for what was refused:" if refused else "Filed:"
    return lines(
        done,
        listed(_said(each, currency) for each in told.moves),
        f"The categories are {named(told.categories, told.categories)}."
        if told.categories
        else None,
    )


def _said(move: RuleMove, currency: str) -> str:
    if move.error is not None:
        return f"{quoted(move.merchant)}: refused. {sentence(move.error)}"
    least = "at least " if move.at_least else ""
    return (
        f"{quoted(move.merchant)} → {filed(move.category, move.label)}:"
        f" {least}{counted(move.rows, 'row')}, {money(move.total, currency)}"
        + (f"; {move.held} stay, paid between own accounts" if move.held else "")
    )


RULES = Tool(
    "set_category_rules",
    "File merchants",
    "File merchants under categories, for all their rows, past and to come. First call without confirm,"
    " show the person what would move, then confirm.",
    RulesQuestion,
    RulesTold,
    (SET_RULES, LIST_TRANSACTIONS, LIST_CATEGORIES),
    "changes",
    set_category_rules,
    _say,
)
