"""The tool that files payees under categories, first as a preview."""

from collections.abc import Container
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools import names
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, ToolReply
from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model import category as model
from finplan.model.base import TypedAmount, Wire
from finplan.model.errors import BadRequest
from finplan.model.transaction import Transaction, TransactionPage, TransactionQuery
from finplan.operations.category import LIST_CATEGORIES, LIST_RULES, SET_RULES
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.views.categories import brief_moves
from finplan.views.locale import Locale

LOOKED_AT = 500
"""How many of a payee's newest rows a preview is counted by."""


class RuleWord(Wire):
    """File a merchant, or only its charges of one amount, under a category."""

    merchant: Annotated[model.PayeeName, Field(description="Name or key.")]
    category: Annotated[str, Field(min_length=1, max_length=80, description="Name or id.")]
    amount: Annotated[TypedAmount | None, Field(description="Positive when money goes out.")] = None


class RulesQuestion(Wire):
    """Rules to set, once the person has agreed."""

    rules: Annotated[tuple[RuleWord, ...], Field(min_length=1, max_length=100)]
    confirm: Annotated[bool, Field(description="False: only a preview.")] = False


class RulesTold(Wire):
    """What the rules would move, or have moved; `categories` are all, where one was asked for none."""

    confirmed: bool
    moves: tuple[model.RuleMove, ...]
    categories: dict[str, str] | None = None


async def set_category_rules(call: Call, ask: RulesQuestion) -> ToolReply[RulesTold]:
    """Tell what rules would move, and with `confirm` set them; what is wrong with one stops no other."""
    known = await names.categories_of(call)
    household = await _know(call, known)
    moves = [await _move(call, rule, household) for rule in ask.rules]
    unknown = any(move.error is not None and move.category not in known for move in moves)
    if ask.confirm:
        await _set(call, ask, moves)
    listed = dict(known) if unknown else None
    text = write_text(brief_moves(moves, household.how, listed, confirmed=ask.confirm))
    answer = RulesTold(confirmed=ask.confirm, moves=tuple(moves), categories=listed)
    return ToolReply(answer, text)


async def _set(call: Call, ask: RulesQuestion, moves: list[model.RuleMove]) -> None:
    """Set the rules that are right; what is refused now is told of its move."""
    right = [place for place, move in enumerate(moves) if move.error is None]
    requests = (
        model.RuleRequest.of(word, payee_key=word.merchant, category=move.category)
        for word, move in zip(ask.rules, moves, strict=True)
        if move.error is None
    )
    result: model.RuleBatchResult = await call.ask(
        SET_RULES, model.RuleBatch(rules=tuple(requests))
    )
    for error in result.errors:
        place = right[error.index]
        moves[place] = moves[place].model_copy(update={"error": error.message})


@dataclass(frozen=True, slots=True)
class _Known:
    """What a preview is counted by; `narrower` are the rules of one amount or one direction alone."""

    categories: names.KnownCategories
    narrower: Container[str]
    how: Locale


async def _know(call: Call, categories: names.KnownCategories) -> _Known:
    rules: tuple[model.CategoryRule, ...] = await call.ask(LIST_RULES)
    narrower = {
        each.id
        for each in rules
        if each.amount is not None or each.id.startswith(("rule_in_", "rule_out_"))
    }
    return _Known(categories, narrower, await call.how())


async def _move(call: Call, rule: RuleWord, known: _Known) -> model.RuleMove:
    category = rule.category
    try:
        category = names.find_category(known.categories, rule.category)
        page: TransactionPage = await call.ask(
            LIST_TRANSACTIONS,
            TransactionQuery(merchant=(rule.merchant,), pending=False, limit=LOOKED_AT),
        )
    except BadRequest as refusal:
        return model.RuleMove(
            merchant=rule.merchant,
            category=category,
            rows=0,
            held=0,
            at_least=False,
            total=0,
            error=refusal.brief if isinstance(refusal, names.UnknownCategory) else refusal.message,
        )
    meant = [
        row
        for row in page.transactions
        if row.category != category and rule.amount in {None, -row.amount}
    ]
    moved = [row for row in meant if not _stays(row, rule, known)]
    return model.RuleMove(
        merchant=rule.merchant,
        category=category,
        label=known.categories[category],
        rows=len(moved),
        held=len(meant) - len(moved),
        at_least=page.next_cursor is not None,
        total=-sum(row.amount for row in moved if row.currency == known.how.currency),
    )


def _stays(row: Transaction, rule: RuleWord, known: _Known) -> bool:
    """Whether a row is filed by something that a rule of its payee leaves as it is."""
    by_itself = row.why.source == "user" and row.why.rule_id is None
    by_narrower = rule.amount is None and row.why.rule_id in known.narrower
    return row.transfer_id is not None or by_itself or by_narrower


RULES = Tool(
    "set_category_rules",
    "Categorize merchants",
    "Put merchants in categories, for all past and future transactions. Call without confirm first,"
    " show the person the effect, then call with it.",
    (SET_RULES, LIST_TRANSACTIONS, LIST_CATEGORIES, LIST_RULES),
    "changes",
    set_category_rules,
)
