"""What the screens draw, as it was last looked at: narrow, wide, and for who listens."""

from datetime import UTC, datetime

import pytest
from textual.content import Content

from finplan.model.task import DailyAllowance, Effect
from finplan.tui.drawing import accounts, overview, questions, spending
from finplan.tui.flows import importing
from finplan.tui.household import standing_said
from finplan.tui.screens.base import draw_welcome
from finplan.tui.widgets import PLACES, DrawnRegion
from tests.cli import made_up, made_up_bank, made_up_plan
from tests.cli import made_up as made_up_view
from tests.cli.made_up_plan import NOON
from tests.daemon.running import RunningDaemon
from tests.golden_files import Golden
from tests.tui.drawn import as_text, table
from tests.tui.opening import open_screens

COLUMNS = {"narrow": 37, "wide": 67}
"""How many columns a part of the overview has at 80 columns, and at 140."""
BESIDE = {"narrow": 49, "wide": 96}
"""The same of a question beside the list of questions."""
WHOLE = {"narrow": 56, "usual": 76, "wide": 136}
"""The same of a table, at 60 columns too."""

NOW = datetime.fromtimestamp(NOON / 1000, UTC)


def drawn(parts: list[Content], width: int) -> str:
    return "\n\n".join(as_text(each, width) for each in parts) + "\n"


@pytest.mark.parametrize("aloud", [False, True])
@pytest.mark.parametrize(("name", "width"), COLUMNS.items())
def test_the_overview_is_drawn_so(name: str, width: int, *, aloud: bool, drawings: Golden) -> None:
    """Each part, with figures and while nothing is known, has room and says what it said."""
    view = made_up_view.view()
    charge = view.snapshot.upcoming[0]
    many = view.snapshot.model_copy(update={"upcoming": tuple([charge] * 9)})
    parts = [
        overview.draw_today(view, "USD", width),
        overview.draw_due(view, "USD", width),
        overview.draw_due(view.model_copy(update={"snapshot": many}), "USD", width),
        overview.draw_actions(view, "USD", width),
        overview.draw_ahead(made_up_plan.forecast(), "USD", width, aloud=aloud),
        overview.draw_ahead(made_up_plan.unknown(), "USD", width, aloud=aloud),
        overview.draw_months(made_up.spending_by_month(), "USD", width, aloud=aloud),
        overview.draw_months(None, "USD", width, aloud=aloud),
        overview.draw_worth(made_up.wealth(), view, "USD", width, aloud=aloud),
        overview.draw_worth(None, view, "USD", width, aloud=aloud),
    ]
    parts += [overview.draw_today(each, "USD", width) for each in made_up_view.little(view)]
    drawings(f"overview-{name}{'-aloud' if aloud else ''}", drawn(parts, width))


@pytest.mark.parametrize(("name", "width"), WHOLE.items())
def test_tables_are_drawn_so(name: str, width: int, drawings: Golden) -> None:
    """Accounts, spending and single rows have room at every width and say what they said."""
    records, report = made_up_bank.accounts(), made_up.spending_by_merchant()
    by_month = made_up.spending_by_category_and_month()
    heads, lines, left_out = spending.month_lines(by_month, "USD", width)
    told = [
        table(accounts.account_lines(records, width), width),
        table(spending.group_lines(report, "USD", width, aloud=False), width),
        table(spending.group_lines(report, "USD", width, aloud=True), width),
        table(spending.row_lines(made_up_bank.transactions(), {"wages": "Wages"}, width), width),
        f"{table((heads, lines), width)}\n{left_out} left out",
        *(as_text(accounts.draw_account(each, width), width) for each in records),
        as_text(accounts.draw_banks(made_up_bank.connections(), NOW, width), width),
        as_text(accounts.draw_banks((), NOW, width), width),
        as_text(draw_welcome(width), width),
    ]
    drawings(f"tables-{name}", "\n\n".join(told) + "\n")


@pytest.mark.parametrize("width", [30, 33, 36, 40])
def test_accounts_fit_wherever_they_are_shown(width: int) -> None:
    """On a few columns no line is longer than there is room, and banks can still be told apart."""
    for each in made_up_bank.accounts():
        as_text(accounts.draw_account(each, width), width)
    banks = as_text(accounts.draw_banks(made_up_bank.connections(), NOW, width), width)
    assert all(name in banks for name in ("Demo Bank", "First Harb", "Statement"))


@pytest.mark.parametrize(("name", "width"), BESIDE.items())
def test_questions_are_drawn_so(name: str, width: int, drawings: Golden) -> None:
    """Each kind with its rows, with what an answer moves, and while that is looked up."""
    rows = made_up_bank.transactions() * 4
    payee, *others = made_up.tasks()
    effects = {
        key: Effect(
            charges=14,
            total=31_144,
            monthly=2_595,
            allowance=DailyAllowance(before=4_000, after=4_000 + change, known=True),
        )
        for key, change in (("groceries", 125), ("dining", -250), ("shopping", 0))
    }
    without_balance = {
        key: each.model_copy(
            update={"allowance": each.allowance.model_copy(update={"known": False})}
        )
        for key, each in effects.items()
    }
    parts = [questions.draw_entry(each, "USD", width, marked=False) for each in made_up.tasks()]
    parts += [questions.draw_entry(payee, "USD", width, marked=True)]
    parts += [
        questions.draw_question(payee, None, {}, "USD", width),
        questions.draw_question(payee, rows[:8], effects, "USD", width),
        questions.draw_question(payee, rows[:1], without_balance, "USD", width),
        questions.draw_question(payee, rows[:9], effects, "USD", width),
        questions.draw_question(payee, rows, effects, "USD", width, most=2),
    ]
    parts += [questions.draw_question(each, None, {}, "USD", width) for each in others]
    drawings(f"questions-{name}", drawn(parts, width))


@pytest.mark.parametrize(("name", "width"), BESIDE.items())
def test_imports_are_drawn_so(name: str, width: int, drawings: Golden) -> None:
    """What files would bring, what they brought, and what goes when that is taken back."""
    parts = [
        importing.draw_report(made_up_bank.import_report(dry_run=True), width),
        importing.draw_report(made_up_bank.import_report(), width),
        *(importing.draw_undo(each, width) for each in made_up_bank.imports()),
    ]
    drawings(f"imports-{name}", drawn(parts, width))


def test_how_figures_stand_is_said(drawings: Golden) -> None:
    """How old they are and what is unknown of them, in one line each."""
    view = made_up_view.view()
    told = [view, made_up_view.provisional(view), *made_up_view.little(view)]
    told.append(view.model_copy(update={"data_age": ()}))
    drawings("standing", "".join(f"{standing_said(each, NOW)}\n" for each in told))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("width", [60, 68, 80, 140])
async def test_nothing_drawn_is_longer_than_its_room(household: RunningDaemon, width: int) -> None:
    """A line that is too long goes on below, where it takes the place of the last one."""
    async with open_screens(household, (width, 24)) as opened:
        for place in PLACES:
            await opened.press(place.key)
            for region in opened.screen.query(DrawnRegion):
                if region.drawing is not None and region.content_size.width:
                    as_text(region.render(), region.content_size.width)
