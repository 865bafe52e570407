"""Categories, suggestions for new ones, and the rules that file payees under them, as lines."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import page, printable
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.category import (
    CategoryChoice,
    CategoryRule,
    CategorySuggestion,
    CreatedCategory,
    RemovedCategory,
)
from finplan.model.characters import shortened

NO_SUGGESTIONS = Text("No theme in your charges stands out from the categories you have.", "dim")
_LINES = {"essential": "cyan", "discretionary": "magenta", "not_spending": "dim"}
_SHOWN = 4
"""How many merchants of a suggestion are named."""

_PLACES = {
    "child": "for children",
    "pet": "for animals",
    "commute": "on the way to work",
    "vehicle": "for a car",
    "home_project": "for work on the home",
    "garden": "for a garden",
    "work_trip": "on journeys for work",
    "side_business": "for a business",
    "study": "for studies",
    "relative_care": "to care for somebody",
}
"""What the merchants of a theme are about; any other theme is told by its name."""


def draw_categories(choices: Sequence[CategoryChoice]) -> RenderableType:
    """List categories in the order that a person reads them."""
    short = shortened([choice.category for choice in choices if choice.custom])
    return listing(
        (Column("category", gives_way=True), Column("line"), Column(""), Column("id", style="dim")),
        (_choice_row(choice, short.get(choice.category, choice.category)) for choice in choices),
    )


def _choice_row(choice: CategoryChoice, short: str) -> tuple[Content, ...]:
    remarks = ("yours" if choice.custom else "", "repaid to you" if choice.reimbursable else "")
    return (
        choice.label,
        Text(choice.line.replace("_", " "), style=_LINES[choice.line]),
        Text(", ".join(filter(None, remarks)), style="dim"),
        short,
    )


def draw_created(created: CreatedCategory) -> RenderableType:
    """Tell what a new category holds from the start."""
    label = created.category.label
    if not created.merchants:
        how = f'`finplan rules set PAYEE "{label}"` files a payee under it.'
        return page([Text(f"{printable(label)} is there, and empty. ").append(how, style="dim")])
    return page([Text(f"{printable(label)} holds {_held(created)}.")])


def draw_removed(removed: RemovedCategory) -> RenderableType:
    """Tell what went, and where its charges are now."""
    held = _held(removed)
    if removed.merged_into is not None:
        where = f"{held} went to {removed.merged_into.label}"
    elif removed.merchants:
        where = f"what it held ({held}) is filed as finplan would file it"
    else:
        where = "it was empty"
    return page([Text(printable(f"{removed.category.label} is removed; {where}."))])


def _held(counted: CreatedCategory | RemovedCategory) -> str:
    merchants = figures.count(counted.merchants, "merchant")
    return f"{merchants} with {figures.count(counted.charges, 'charge')}"


def draw_suggestions(suggestions: Sequence[CategorySuggestion], currency: str) -> RenderableType:
    """Offer each theme: what it gathers, what that comes to, and where it is now."""
    if not suggestions:
        return NO_SUGGESTIONS
    blocks = [page(_suggestion(each, currency)) for each in suggestions]
    return Group(*blocks)


def _suggestion(suggestion: CategorySuggestion, currency: str) -> list[Text]:
    monthly = figures.money(suggestion.monthly, currency)
    where = _PLACES.get(suggestion.theme, f"for {suggestion.name.lower()}")
    question = (
        f"{figures.count(suggestion.charges, 'charge')} at"
        f" {figures.count(len(suggestion.merchants), 'place')} {where}: keep them apart?"
    )
    named = ", ".join(each.payee for each in suggestion.merchants[:_SHOWN])
    more = len(suggestion.merchants) - _SHOWN
    homes = ", ".join(f"{home.label} ({home.charges})" for home in suggestion.now_in)
    repaid = ", paid back to you" if suggestion.reimbursable else ""
    return [
        Text(printable(suggestion.name), style="bold").append(
            f"  {monthly} a month, {suggestion.line}{repaid}", style="not bold"
        ),
        Text(f"  {question}"),
        Text(f"  {printable(named)}{f' and {more} more' if more > 0 else ''}", style="dim"),
        Text(f"  now in {printable(homes)}", style="dim"),
    ]


NO_RULES = Text(
    "No rules of yours, and none inferred. `finplan rules set PAYEE CATEGORY` makes one.",
    style="dim",
)
_SOURCES = {"user": ("yours", "bold"), "auto": ("inferred", ""), "curated": ("curated", "dim")}


def draw_rules(
    rules: Sequence[CategoryRule], currency: str, labels: Mapping[str, str]
) -> RenderableType:
    """List rules with who made them and how sure an inferred one is; `labels` names categories."""
    if not rules:
        return NO_RULES
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
