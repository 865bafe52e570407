"""What rests on balances that nobody has told: a bound, or unknown, which is not nothing."""

from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import wrapped
from finplan.model.plan_words import Accounts, awaited_balance
from finplan.model.snapshot import PlanView
from finplan.model.standing import words as standing_words
from finplan.model.standing.shapes import Bound

_MOST_LINES = 5

UNKNOWN = Text("unknown", style="bold yellow")
"""What stands in the place of a figure."""


def bounded(worth: Bound, figure: Text) -> Text:
    """A figure with what it is worth before it, or `UNKNOWN` in its place."""
    if worth == "unknown":
        return UNKNOWN.copy()
    return figure if worth == "exact" else Text(f"{worth} ").append_text(figure)


def how_to_set_balance(accounts: Accounts, width: int) -> list[Text]:
    """How to tell the first balance that a figure of the page waits for; nothing when none does."""
    waiting = awaited_balance(accounts)
    if waiting is None:
        return []
    short = shortened([each.id for each in accounts])
    command = f"finplan accounts set {short[waiting.id]} --balance AMOUNT"
    return wrapped(f"Tell a balance: {command}", width - 2, indent=2, style="yellow")


def provisional(view: PlanView | None, currency: str, width: int) -> list[Text]:
    """What of spending is unknown, and what answers it, before a blank line; nothing of a firm plan."""
    if view is None:
        return []
    said = standing_words.provisional_said(view.plan, view.standing, view.open_tasks, currency)
    text = " ".join(said)
    # Payees may have names of any length, and the figures below matter more than those.
    lines = wrapped(text, width, style="yellow")[:_MOST_LINES]
    return [*lines, Text()] if text else []
