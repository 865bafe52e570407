"""A kind and a seed make a life: the household, and the truth of its plan beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import get_args

from benchmarks.quality.lives import home, own_accounts, work
from benchmarks.quality.lives.story import Story, open_story
from benchmarks.quality.lives.truth import Life
from benchmarks.quality.world.moves import write_moves
from benchmarks.quality.world.voices import Country

_ANYWHERE: tuple[Country, ...] = get_args(Country)
_MONTHS = (9, 14, 18, 24, 36)
"""Full months of history."""

_TAX_AHEAD = (10, 50)


@dataclass(frozen=True, slots=True)
class Kind:
    """What happens in a life, where it can, and how many months of it are known."""

    write: Callable[[Story], None]
    countries: tuple[Country, ...] = _ANYWHERE
    months: tuple[int, ...] = _MONTHS


def _paypal(story: Story) -> None:
    own_accounts.write_paypal_beside_bank(story)
    own_accounts.write_paypal_subscription(story)


KINDS: Mapping[str, Kind] = {
    "nothing changes": Kind(work.write_steady_pay),
    "job after a gap": Kind(work.write_job_after_gap),
    "jobs that overlap": Kind(work.write_overlapping_jobs),
    "job lost, benefit": Kind(work.write_job_lost),
    "parental pay": Kind(work.write_parental_leave),
    "year of leave": Kind(work.write_year_of_leave, months=(30, 36)),
    "raise or cut": Kind(work.write_raise_or_cut),
    "bonus": Kind(work.write_bonus),
    "clients, 40–70 days": Kind(work.write_clients, months=(14, 18, 24, 36)),
    "tax in advance": Kind(work.write_taxes_in_advance, ("US", "UK", "DE"), (14, 18, 24, 36)),
    "move": Kind(home.write_move),
    "daycare begins": Kind(home.write_daycare),
    "one-offs": Kind(home.write_one_offs, months=(14, 18, 24, 36)),
    "two pensions": Kind(home.write_two_pensions),
    "help on rent day": Kind(home.write_family_help),
    "fee on the way": Kind(own_accounts.write_fee_on_the_way),
    "order without words": Kind(own_accounts.write_order_without_words),
    "PayPal beside a bank": Kind(_paypal, ("DE",)),
}


def make_life(kind: str, seed: int) -> Life:
    """The life of a kind and a seed; the same two always make the same one."""
    dice = Random(f"{kind} {seed}")
    recipe = KINDS[kind]
    country = dice.choice(recipe.countries)
    today = None
    if kind == "tax in advance":
        today = work.day_before_taxes(country, 2026, dice.randint(*_TAX_AHEAD))
    story = open_story(kind, dice, country, dice.choice(recipe.months), today)
    home.add_bills_and_habits(story)
    recipe.write(story)
    home.add_rent(story)
    write_moves(story.diary)
    return story.close(seed)
