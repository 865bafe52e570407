"""A category of one's own, made where one is chosen."""

from pydantic import ValidationError

from finplan.model.category import BudgetLine, NewCategory
from finplan.operations.category import CREATE_CATEGORY
from finplan.tui.dialogs.category import MadeCategory
from finplan.tui.feed import NotAnswered
from finplan.tui.household import HouseholdApp


async def make_category(app: HouseholdApp, name: str, line: BudgetLine) -> MadeCategory:
    """Make a category of a name on a line; the sentence of the daemon where it refuses."""
    try:
        made = await app.feed.ask(CREATE_CATEGORY, NewCategory(name=name, line=line))
    except ValidationError:
        return MadeCategory(None, "A name has at most 80 characters.")
    except NotAnswered as refused:
        return MadeCategory(None, refused.message)
    return MadeCategory(made.category)
