"""How to tell a balance that nobody has told yet: it is unknown, which is not nothing."""

from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import wrapped
from finplan.model.plan_words import Accounts, awaited_balance

UNKNOWN = Text("unknown", style="bold yellow")
"""What stands in the place of a figure."""


def how_to_set_balance(accounts: Accounts, width: int) -> list[Text]:
    """How to tell the first balance that a figure of the page waits for; nothing when none does."""
    waiting = awaited_balance(accounts)
    if waiting is None:
        return []
    short = shortened([each.id for each in accounts])
    command = f"finplan accounts set {short[waiting.id]} --balance AMOUNT"
    return wrapped(f"Tell a balance: {command}", width - 2, indent=2, style="yellow")
