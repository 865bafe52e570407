"""How the figures stand, in one line that is always in sight: how old they are, and what is unknown."""

from datetime import datetime

from finplan.model import figures, plan_words
from finplan.model.snapshot import PlanView


def standing_said(view: PlanView, now: datetime) -> str:
    """The age of the oldest data, and that a plan is provisional or lacks balances."""
    ages = [each.last_synced_at for each in view.data_age]
    if not ages:
        parts = ["no bank is linked"]
    elif any(each is None for each in ages):
        parts = ["a bank has never answered"]
    else:
        parts = [f"data of {figures.age(min(each for each in ages if each is not None), now)}"]
    if view.standing.provisional:
        share = figures.share(view.standing.unknown_share)
        unknown = f"{share} of spending" if view.standing.money_unknown else "money in"
        parts.append(f"estimate: {unknown} without a category (T)")
    if plan_words.cash_is_unknown(view.plan.snapshot.accounts):
        parts.append("cash unknown (A)")
    elif view.standing.at_most:
        parts.append("balances unknown (A)")
    said = " · ".join(parts)
    return said[:1].upper() + said[1:]
