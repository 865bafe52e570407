"""A page of a bank's at which a person signs in: where it is, and what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from finplan.model.connection import BankLink
from finplan.tui.drawing.lines import CAUTION, FAINT, styled
from finplan.tui.feed import NotAnswered

PAUSE = 3.0
"""How often it is asked what came of the page, in seconds."""

Looks = Callable[[], Awaitable[BankLink]]


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What the page came to, or the address that the person brings; neither where they leave."""

    link: BankLink | None = None
    address: str | None = None


class BankPageDialog(ModalScreen[PageOutcome]):
    """Waits for a page; `looks` asks what came of it, `brings` lets a person paste an address."""

    BINDINGS: ClassVar = [("escape", "leave", "Leave it open")]

    def __init__(self, link: BankLink, looks: Looks, *, brings: bool) -> None:
        super().__init__()
        self._link, self._looks, self._brings = link, looks, brings

    def compose(self) -> ComposeResult:
        """The address of the page, what to do there, and a line for the one that it led to."""
        with Vertical(classes="dialog"):
            yield Static(styled("Sign in at your bank in the browser", "bold"))
            yield Static(styled(self._link.url))
            if self._brings:
                yield Input(
                    placeholder="The address that the browser was led to, if nothing happens here"
                )
            yield Static(styled("Waiting until you have signed in …", FAINT), id="waits")

    def on_mount(self) -> None:
        """Open the page, and look what comes of it."""
        self.app.open_url(self._link.url)
        self.set_interval(PAUSE, self._look)

    @on(Input.Submitted)
    def _bring(self, typed: Input.Submitted) -> None:
        if typed.value.strip():
            self.dismiss(PageOutcome(address=typed.value.strip()))

    def action_leave(self) -> None:
        """Wait no longer; the page stays open."""
        self.dismiss(PageOutcome())

    @work(exclusive=True)
    async def _look(self) -> None:
        try:
            link = await self._looks()
        except NotAnswered as error:
            self.query_one("#waits", Static).update(styled(error.message, CAUTION))
            return
        if link.status != "pending":
            self.dismiss(PageOutcome(link=link))
