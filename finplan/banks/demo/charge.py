"""One thing that happens on an account of its own accord, and how its descriptor is written."""

from datetime import date
from typing import NamedTuple

from finplan.banks.demo.dice import Dice
from finplan.banks.demo.household import DemoHousehold


class DemoCharge(NamedTuple):
    """Money in (+) or out (−) in cents on the day it is made; a card's posts some days later.

    `held` is what a card shows while the charge is pending, where a tip is added afterwards.
    """

    day: date
    account: str
    amount: int
    raw: str
    held: int | None = None


def write_for_household(template: str, home: DemoHousehold, dice: Dice) -> str:
    """Write what of a descriptor stays the same for a household: `~` a digit, `@` a town and state.

    What remains is for each charge: `^` is a digit and `?` a digit or capital.
    """
    if "@" in template:
        template = template.replace("@", f"{dice.favourite(home.metro.towns)} {home.metro.state}")
    return dice.fill(template, "~")


def write_for_charge(template: str, dice: Dice) -> str:
    """Write what of a descriptor is new with each charge."""
    return dice.fill(template, "^", "?")
