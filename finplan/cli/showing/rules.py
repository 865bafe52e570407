"""Rules as lines."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.category import CategoryRule

NOTHING = Text("No rules of yours, and none inferred.", style="dim")
_SOURCES = {"user": ("yours", "bold"), "auto": ("inferred", ""), "curated": ("curated", "dim")}


def draw_rules(
    rules: Sequence[CategoryRule], currency: str, own: Mapping[str, str]
) -> RenderableType:
    """List rules with who made them and how sure an inferred one is; `own` names own categories."""
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
            _rule_row(rule, currency, own.get(rule.category, rule.category), short[rule.id])
            for rule in rules
        ),
    )


def _rule_row(rule: CategoryRule, currency: str, category: str, short: str) -> tuple[Content, ...]:
    source, style = _SOURCES[rule.source]
    return (
        rule.payee_key,
        "any" if rule.amount is None else figures.money(rule.amount, currency),
        category,
        Text(source, style=style),
        "" if rule.confidence is None else figures.share(rule.confidence),
        short,
    )
