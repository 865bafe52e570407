"""What every screen of a household shares: the answers of its daemon, its looks, and how it stands."""

import os
from dataclasses import replace
from datetime import datetime
from weakref import WeakSet

from textual.app import App
from textual.screen import Screen
from textual.timer import Timer

from finplan.client.patience import say_nothing
from finplan.model.snapshot import PlanView
from finplan.tui.drawing.by_keys import by_keys
from finplan.tui.drawing.lines import CAUTION, GOOD
from finplan.tui.drawing.standing import standing_said
from finplan.tui.feed import Feed, Starts, TellsTime
from finplan.tui.preferences import DARK, LIGHT, KeepPreferences, Preferences
from finplan.tui.widgets.navigation import Navigation
from finplan.tui.widgets.standing import NO_REMARK, Remark, StandingLine

REMARK_STAYS = 8.0
"""How long a remark stays, in seconds."""

NOT_POSSIBLE = "Not possible: the store is damaged."
"""What is said where the notice, which stands on every screen, says the rest."""

STARTING = "Starting …"
"""How it stands until the daemon has answered for the first time."""


class HouseholdApp(App[None]):
    """Asks one daemon; `keep` is told of preferences as soon as they change."""

    def __init__(
        self,
        starts: Starts,
        whose: str,
        preferences: Preferences,
        keep: KeepPreferences,
        clock: TellsTime,
    ) -> None:
        super().__init__()
        # Textual takes an empty one as set, which it is not by the convention.
        self.no_color = bool(os.environ.get("NO_COLOR"))
        self.feed = Feed(starts, say_nothing, clock)
        self.whose = whose
        self._preferences = preferences
        self._keep = keep
        self._answered_at: datetime | None = None
        self._view: PlanView | None = None
        self._warning = ""
        self.remark = NO_REMARK
        self.has_nothing_yet = False
        self._forgetting: Timer | None = None
        self._colours: dict[str, str] = {}
        self._wear_them: WeakSet[Screen[object]] = WeakSet()

    def refresh_css(self, animate: bool = True) -> None:
        """Give what is open, below a dialog too, the colours of the theme.

        Textual asks for it twice with each screen that opens for the first time, and reads all style
        sheets anew each time; that takes longer than the screen itself, and only other colours need it.
        """
        colours = self.get_css_variables()
        if colours != self._colours:
            super().refresh_css(animate)
            self._colours = colours
            self._wear_them = WeakSet(self.screen_stack)
        for screen in self.screen_stack:
            if screen not in self._wear_them:
                self.stylesheet.update(screen, animate=animate)
                self._wear_them.add(screen)

    @property
    def preferences(self) -> Preferences:
        """How the person likes it."""
        return self._preferences

    def prefer(self, **changed: object) -> None:
        """Like it otherwise from now on, and the next time."""
        self._preferences = replace(self._preferences, **changed)  # type: ignore[arg-type]
        self._keep(self._preferences)

    def action_turn_theme(self) -> None:
        """Light in place of dark, or the other way round."""
        self.theme = DARK if self.theme == LIGHT else LIGHT
        self.prefer(theme=self.theme)

    def open_place(self, name: str) -> None:
        """Open one of the screens; a remark stays behind, since its keys mean something else there."""
        self._drop_remark()
        self.switch_mode(name)

    def mark_answered(self) -> None:
        """The daemon has answered."""
        self._answered_at = self.feed.clock()
        self._stand(warning="")

    def mark_failed(self) -> None:
        """It has not; what is shown stays, and it is said of when it is."""
        at = self._answered_at
        since = "" if at is None else f"; figures of {at.astimezone():%H:%M}"
        self._stand(warning=f"The daemon does not answer{since}.")

    def say(self, sentence: str) -> None:
        """Remark something for a while, above the keys, where it hides nothing."""
        self._remark(sentence, GOOD, REMARK_STAYS)

    def warn(self, sentence: str) -> None:
        """As `say`, of what went wrong; it stays longer."""
        sentence = NOT_POSSIBLE if sentence == self.feed.notice else sentence
        self._remark(sentence, CAUTION, 2 * REMARK_STAYS)

    def _remark(self, sentence: str, style: str, stays: float) -> None:
        self.remark = Remark(by_keys(sentence), style)
        self._stand(self._warning)
        if self._forgetting is not None:
            self._forgetting.stop()
        self._forgetting = self.set_timer(stays, self._forget_remark)

    def _forget_remark(self) -> None:
        self._drop_remark()
        self.show_standing()

    def _drop_remark(self) -> None:
        self.remark = NO_REMARK
        if self._forgetting is not None:
            self._forgetting.stop()
            self._forgetting = None

    def show_standing(self) -> None:
        """Say on the screen that is open what holds now."""
        self._stand(self._warning)

    def keep_view(self, view: PlanView) -> None:
        """Say how the figures of the newest plan stand, on whatever screen is open."""
        self._view = view
        self._stand(self._warning)

    def _stand(self, warning: str) -> None:
        self._warning = warning
        view = self._view
        said = STARTING if self._answered_at is None else ""
        if view is not None:
            said = standing_said(view, self.feed.clock())
        # A dialog stands before the screen that it belongs to.
        screen = self.screen_stack[0]
        for standing in screen.query(StandingLine):
            standing.warning, standing.stands, standing.whose = warning, said, self.whose
            standing.remark, standing.notice = self.remark, by_keys(self.feed.notice)
        for navigation in screen.query(Navigation):
            navigation.questions = 0 if view is None else len(view.open_tasks)

    async def on_unmount(self) -> None:
        """Close the connections."""
        await self.feed.close()
