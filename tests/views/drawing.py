"""How tests draw views: in a currency, at a fixed instant, for a terminal of a width."""

from datetime import UTC, datetime

from rich.text import Text

from finplan.terminal.lines import Look
from finplan.terminal.pages import draw_page
from finplan.views.locale import Locale
from finplan.views.page import Page
from tests.cli.made_up_plan import NOON

NOW = datetime.fromtimestamp(NOON / 1000, UTC)


def how(currency: str = "USD", now: datetime = NOW) -> Locale:
    """How figures are written: in a currency, in Greenwich, at an instant."""
    return Locale(currency, now, UTC)


def look(width: int = 80, room: int = 0, *, blocks: bool = False) -> Look:
    """A terminal of a width."""
    return Look(width, room, blocks=blocks, small=True)


def drawn(page: Page, width: int = 80, room: int = 0) -> Text:
    """A page as the command line draws it, with tones for styles."""
    return draw_page(page, look(width, room))
