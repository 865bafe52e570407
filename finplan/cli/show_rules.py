"""Rules and categories as lines."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli import figures
from finplan.cli.choosing import shortened
from finplan.cli.listing import Column, Content, listing
from finplan.model.category import CategoryChoice, CategoryRule

NOTHING = Text("No rules of yours, and none inferred.", style="dim")
_SOURCES = {"user": ("yours", "bold"), "auto": ("inferred", ""), "curated": ("curated", "dim")}
_LINES = {"essential": "cyan", "discretionary": "magenta", "not_spending": "dim"}


def draw_rules(rules: Sequence[CategoryRule], currency: str) -> RenderableType:
    """List rules with who made them and how sure an inferred one is."""
    if not rules:
        return NOTHING
    short = shortened([rule.id for rule in rules])
    return listing(
        (
            Column("payee", gives_way=True),
            Column("amount", figures=True),
            Column("category"),
            Column("by"),
            Column("sure", figures=True, style="dim"),
            Column("id", style="dim"),
        ),
        (_rule_row(rule, currency, short[rule.id]) for rule in rules),
    )


def _rule_row(rule: CategoryRule, currency: str, short: str) -> tuple[Content, ...]:
    source, style = _SOURCES[rule.source]
    return (
        rule.payee_key,
        "any" if rule.amount is None else figures.money(rule.amount, currency),
        rule.category,
        Text(source, style=style),
        "" if rule.confidence is None else figures.share(rule.confidence),
        short,
    )


def draw_categories(choices: Sequence[CategoryChoice]) -> RenderableType:
    """List categories in the order that a person reads them."""
    return listing(
        (Column("id"), Column("what it is", gives_way=True), Column("line"), Column("")),
        (_choice_row(choice) for choice in choices),
    )


def _choice_row(choice: CategoryChoice) -> tuple[Content, ...]:
    remarks = ("yours" if choice.custom else "", "repaid to you" if choice.reimbursable else "")
    return (
        choice.category,
        choice.label,
        Text(choice.line.replace("_", " "), style=_LINES[choice.line]),
        Text(", ".join(filter(None, remarks)), style="dim"),
    )
