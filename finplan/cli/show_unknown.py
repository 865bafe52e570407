"""Balances that nobody has told yet: they are unknown, which is not nothing."""

from collections.abc import Sequence

from rich.text import Text

from finplan.cli.choosing import shortened
from finplan.cli.layout import wrapped
from finplan.model.plan import SnapshotAccount

Accounts = Sequence[SnapshotAccount]


def cash_is_unknown(accounts: Accounts) -> bool:
    """Whether there are accounts that hold cash and no balance of any is known."""
    return _all_unknown([each for each in accounts if each.role == "cash"])


def cards_are_unknown(accounts: Accounts) -> bool:
    """Whether there are credit cards and no balance of any is known."""
    return _all_unknown([each for each in accounts if each.kind == "credit"])


def without_balance(accounts: Accounts) -> list[str]:
    """The names of accounts that count in the figures, but of which no balance is known."""
    return [each.name for each in accounts if each.role != "none" and each.balance is None]


def way_to_tell(accounts: Accounts, width: int) -> list[Text]:
    """How to tell the first balance that a figure of the page waits for; nothing when none does."""
    kinds = (("cash", cash_is_unknown(accounts)), ("debt", cards_are_unknown(accounts)))
    roles = {role for role, unknown in kinds if unknown}
    waiting = [each for each in accounts if each.role in roles and each.balance is None]
    if not waiting:
        return []
    short = shortened([each.id for each in accounts])
    command = f"finplan accounts set {short[waiting[0].id]} --balance AMOUNT"
    return wrapped(f"Tell a balance: {command}", width - 2, indent=2, style="yellow")


def _all_unknown(accounts: Accounts) -> bool:
    return bool(accounts) and all(each.balance is None for each in accounts)
