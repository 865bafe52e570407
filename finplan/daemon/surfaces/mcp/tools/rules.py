"""The tool that files payees under categories, first as a preview."""

from collections.abc import Container
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import (
    KnownCategories,
    UnknownCategory,
    categories_of,
    find_category,
    named,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, with_words
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    filed,
    lines,
    listed,
    quoted,
    sentence,
)
from finplan.model.base import Amount, TypedAmount, Whole, Wire
from finplan.model.category import (
    CategoryRule,
    PayeeName,
    RuleBatch,
    RuleBatchResult,
    RuleRequest,
)
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.transaction import Transaction, TransactionPage, TransactionQuery
from finplan.operations.category import LIST_CATEGORIES, LIST_RULES, SET_RULES
from finplan.operations.transaction import LIST_TRANSACTIONS

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

    `held` rows stay: they are paid between the person's own accounts, or filed by what the person said
    of them alone, of their amount or of their direction. `total` is of rows in the household's currency.
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
    household = await _know(call, known)
    moves = [await _move(call, rule, household) for rule in ask.rules]
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


@dataclass(frozen=True, slots=True)
class _Known:
    """What a preview is counted by; `narrower` are the rules of one amount or one direction alone."""

    categories: KnownCategories
    narrower: Container[str]
    currency: str


async def _know(call: Call, categories: KnownCategories) -> _Known:
    rules: tuple[CategoryRule, ...] = await call.ask(LIST_RULES)
    narrower = {
        each.id
        for each in rules
        if each.amount is not None or each.id.startswith(("rule_in_", "rule_out_"))
    }
    return _Known(categories, narrower, (await call.settings()).currency)


async def _move(call: Call, rule: RuleWord, known: _Known) -> RuleMove:
    category = rule.category
    try:
        category = find_category(known.categories, rule.category)
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
    moved = [row for row in meant if not _stays(row, rule, known)]
    return RuleMove(
        merchant=rule.merchant,
        category=category,
        label=known.categories[category],
        rows=len(moved),
        held=len(meant) - len(moved),
        at_least=page.next_cursor is not None,
        total=-sum(row.amount for row in moved if row.currency == known.currency),
    )


def _stays(row: Transaction, rule: RuleWord, known: _Known) -> bool:
    """Whether a row is filed by something that a rule of its payee leaves as it is."""
    by_itself = row.why.source == "user" and row.why.rule_id is None
    by_narrower = rule.amount is None and row.why.rule_id in known.narrower
    return row.transfer_id is not None or by_itself or by_narrower


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
        + (f"; {move.held} more {_STAY}" if move.held else "")
    )


_STAY = "stay: paid between own accounts, or filed by a word on them, their amount or direction"

RULES = Tool(
    "set_category_rules",
    "File merchants",
    "File merchants under categories, for all their rows, past and to come. First call without confirm,"
    " show the person what would move, then confirm.",
    RulesQuestion,
    RulesTold,
    (SET_RULES, LIST_TRANSACTIONS, LIST_CATEGORIES, LIST_RULES),
    "changes",
    with_words(set_category_rules, _say),
)
