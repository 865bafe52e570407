"""How a household is planned, and how its screens look."""

from dataclasses import dataclass
from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import DataTable, Static

from finplan.model.base import Nothing
from finplan.model.money import typed_amount
from finplan.model.snapshot import IncomeRequest
from finplan.model.user import BudgetShares, HouseholdSettings, SettingsChange, User
from finplan.operations.person import CHANGE_SETTINGS, SHOW_ME
from finplan.operations.plan import SET_INCOME, SHOW_SNAPSHOT
from finplan.tui.dialogs import TypedDialog
from finplan.tui.drawing import FAINT, styled
from finplan.tui.household import LIGHT, Feed, NotAnswered, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import LedgerTable
from finplan.views import settings

HINTS = {
    "currency": "A currency code, such as USD or EUR. Accounts in other currencies are excluded"
    " from totals.",
    "time_zone": "A time zone, such as Europe/Berlin. The time zone decides when your day begins.",
    "budget_shares": "Percentages for essentials, discretionary and savings, such as 50 30 20."
    " Leave empty to use the default.",
    "target_months": "Months of essentials that the emergency fund should cover."
    " Leave empty to let finplan decide.",
    "income": "Your monthly income. Leave empty to use the detected income.",
}


@dataclass(frozen=True)
class Kept:
    """The settings, whose they are, and where income comes from."""

    settings: HouseholdSettings
    me: User
    income: str


class SettingsScreen(HouseholdScreen[Kept]):
    """Enter changes a line."""

    PLACE = "settings"

    def compose_body(self) -> ComposeResult:
        """The settings as lines."""
        yield LedgerTable("settings")
        yield Static(id="hint")

    async def gather(self, feed: Feed) -> Kept:
        """The settings as they are."""
        me = await feed.ask(SHOW_ME, Nothing())
        try:
            snapshot = await feed.ask(SHOW_SNAPSHOT, Nothing())
            income = "set by you" if snapshot.income.source == "manual" else "as detected"
        except NotAnswered as refused:
            if refused.away:
                raise
            income = "unknown"
        return Kept(feed.settings, me, income)

    def show(self, answers: Kept) -> None:
        """Fill the lines."""
        looks = self.household.preferences
        reader = "on: figures instead of charts" if looks.aloud else "off"
        choices = settings.choices(
            answers.settings,
            ("income", "income", answers.income),
            ("theme", "colors", "light" if looks.theme == LIGHT else "dark"),
            ("aloud", "screen reader", reader),
        )
        self.fill(choices).focus()

    @on(DataTable.RowHighlighted)
    def _hint(self, at: DataTable.RowHighlighted) -> None:
        self.query_one("#hint", Static).update(
            styled(f"Press Enter to change. {HINTS.get(at.row_key.value or '', '')}", FAINT)
        )

    @on(DataTable.RowSelected)
    def _change(self, chosen: DataTable.RowSelected) -> None:
        key = chosen.row_key.value
        if key == "theme":
            self.household.action_turn_theme()
        elif key == "aloud":
            self.household.prefer(aloud=not self.household.preferences.aloud)
        elif key is not None:
            self._ask_for(key)
            return
        if self.shown is not None:
            self.show(self.shown)

    @work
    async def _ask_for(self, key: str) -> None:
        answers = self.shown
        if answers is None:
            return
        reads = partial(read_change, key, currency=answers.settings.currency)
        value = _written(key, answers.settings)
        change = await self.app.push_screen_wait(
            TypedDialog(HINTS[key], "", reads=reads, value=value)
        )
        if change is None:
            return
        with warning(self.household):
            if isinstance(change, IncomeRequest):
                await self.feed.ask(SET_INCOME, change)
            else:
                await self.feed.ask(CHANGE_SETTINGS, change)
            self.load()


def _written(key: str, settings: HouseholdSettings) -> str:
    """A setting as it would be typed, so that Enter alone changes nothing."""
    shares, months = settings.budget_shares, settings.target_months
    written = {
        "currency": settings.currency,
        "time_zone": settings.time_zone,
        "budget_shares": "" if shares is None else _percents(shares),
        "target_months": "" if months is None else str(months),
    }
    return written.get(key, "")


def read_change(key: str, typed: str, currency: str) -> SettingsChange | IncomeRequest:
    """The change that was typed. Raises ValueError with what is wrong."""
    text = typed.strip()
    if key == "income":
        income = typed_amount(text, currency, "The income") if text else None
        return IncomeRequest(monthly=income)
    if key == "currency":
        if not (len(text) == 3 and text.isascii() and text.isalpha()):
            raise ValueError("This is not a currency code. Type three letters, such as USD or EUR.")
        return SettingsChange(currency=text.upper())
    if key == "time_zone":
        if not text:
            raise ValueError("The time zone is empty. Type a name such as Europe/Berlin.")
        return SettingsChange(time_zone=text)
    if key == "target_months":
        if text and not text.isdecimal():
            raise ValueError("This is not a number of months. Type a whole number, such as 6.")
        return SettingsChange(target_months=int(text) if text else None)
    return SettingsChange(budget_shares=BudgetShares.typed(text) if text else None)


def _percents(shares: BudgetShares) -> str:
    parts = (shares.essentials, shares.discretionary, shares.savings)
    return " / ".join(f"{round(part * 100)}%" for part in parts)
