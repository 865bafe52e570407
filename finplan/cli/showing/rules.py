"""Rules as lines."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.category import CategoryRule

NOTHING = Text(
    "No rules of yours, and none inferred. `finplan rules set PAYEE CATEGORY` makes one.",
    style="dim",
)
_SOURCES = {"user": ("yours", "bold"), "auto": ("inferred", ""), "curated": ("curated", "dim")}


def draw_rules(
    rules: Sequence[CategoryRule], currency: str, labels: Mapping[str, str]
) -> RenderableType:
    """List rules with who made them and how sure an inferred one is; `labels` names categories."""
    if not rules:
        return NOTHING
    short = shortened([rule.id for rule in rules])
    return listing(
        (
            Column("payee", gives_way=True),
            Column("amount", figures=True),
            Column("category", gives_way=True),
            Column("by"),
            Column("sure", figures=True, style="dim"),
            Column("id", style="dim"),
        ),
        (
            _rule_row(rule, currency, labels.get(rule.category, rule.category), short[rule.id])
            for rule in rules
        ),
    )


def _rule_row(rule: CategoryRule, currency: str, category: str, short: str) -> tuple[Content, ...]:
    source, style = _SOURCES[rule.source]
    return (
        rule.payee_key,
        _reach(rule, currency),
        category,
        Text(source, style=style),
        "" if rule.confidence is None else figures.share(rule.confidence),
        short,
    )


def _reach(rule: CategoryRule, currency: str) -> str:
    """Which charges a rule is for; one of a direction says so in its id."""
    if rule.amount is not None:
        return figures.money(rule.amount, currency)
    for direction in ("in", "out"):
        if rule.id.startswith(f"rule_{direction}_"):
            return f"any {direction}"
    return "any"
