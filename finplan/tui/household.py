"""What every screen of a household shares: the answers of its daemon, its looks, and how it stands.

The daemon is asked again when it was away, and the last good answers stay. How a person likes the
screens is kept from one time to the next. How the figures stand, how old they are and what is unknown,
is one line that is always in sight.
"""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from weakref import WeakSet
from zoneinfo import ZoneInfo

from textual.app import App
from textual.screen import Screen
from textual.timer import Timer

from finplan.client.client import AsyncDaemonClient
from finplan.client.connect import Ready
from finplan.client.failures import CallFailed, DaemonUnreachable, say_nothing
from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.snapshot import PlanView
from finplan.model.user import HouseholdSettings
from finplan.operation import Answers, Asks, Operation
from finplan.operations.person import SHOW_SETTINGS
from finplan.settings import Places
from finplan.tui.drawing import CAUTION, GOOD, by_keys
from finplan.tui.widgets import NO_REMARK, Remark, StandingLine, Tabs
from finplan.views import plan_text
from finplan.views.locale import Locale

UNAUTHORIZED = 401
"""What a daemon says that was started anew: the token of the one before is none of its own."""

TellsTime = Callable[[], datetime]
"""Tells what time it is, with its zone."""

Starts = Callable[[], Ready]
"""Finds the daemon or starts it; may take a while, and raises DaemonUnreachable."""


def now() -> datetime:
    """The time that it is."""
    return datetime.now(UTC)


class NotAnswered(Exception):
    """What was asked has no answer; the sentence says why and what to do.

    `away` says that no daemon answers at all, so that what was known before still stands.
    """

    def __init__(self, message: str, *, away: bool, code: str = "", data: object = None) -> None:
        super().__init__(message)
        self.data = data
        self.message = message
        self.away = away
        self.code = code


class Feed:
    """Asks the daemon for a person's screens.

    A daemon that went away is looked for, and started, with the next question. `say` is told of what a
    question waits for. `notice` is the sentence that the last answer carried for the person, empty
    without one.
    """

    def __init__(self, starts: Starts, say: Callable[[str], None], clock: TellsTime) -> None:
        self._starts = starts
        self._say = say
        self.clock = clock
        self._client: AsyncDaemonClient | None = None
        self._connecting = asyncio.Lock()
        self.notice = ""
        self.settings = HouseholdSettings(
            currency="USD", time_zone="UTC", budget_shares=None, target_months=None
        )

    @property
    def currency(self) -> str:
        """The household's currency, as last told."""
        return self.settings.currency

    @property
    def how(self) -> Locale:
        """How figures are written where the household lives, now."""
        zone = ZoneInfo(self.settings.time_zone)
        return Locale(self.currency, self.clock(), zone)

    def today(self) -> date:
        """The day that it is where the household lives."""
        return self.how.today

    async def read_settings(self) -> None:
        """Learn the household's currency and zone. Raises NotAnswered."""
        self.settings = await self.ask(SHOW_SETTINGS, Nothing())

    async def ask(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: tuple[Path, ...] = (),
    ) -> Answers:
        """Ask the daemon. Raises NotAnswered.

        Only what changes nothing is asked a second time, since a daemon that went away in the middle
        may have done what it was asked.
        """
        repeatable = operation.method == "GET"
        for again in (False, True):
            client = await self._reached()
            try:
                return await client.call(operation, ask, files)
            except DaemonUnreachable as error:
                await self._forget(client)
                if again or not repeatable:
                    raise NotAnswered(str(error), away=True) from None
            except CallFailed as error:
                if error.status != UNAUTHORIZED or again:
                    failure = NotAnswered(str(error), away=False, code=error.code, data=error.data)
                    raise failure from None
                await self._forget(client)
            except OSError as error:
                raise NotAnswered(str(error), away=False) from None
            finally:
                self.notice = client.notice or ""
        raise AssertionError("The second try ends the loop.")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _reached(self) -> AsyncDaemonClient:
        async with self._connecting:
            if self._client is None:
                try:
                    service = await asyncio.to_thread(self._starts)
                except DaemonUnreachable as error:
                    raise NotAnswered(str(error), away=True) from None
                self._client = AsyncDaemonClient(
                    service.url, service.token, self._say, profile=service.profile
                )
            return self._client

    async def _forget(self, client: AsyncDaemonClient) -> None:
        if self._client is client:
            self._client = None
        await client.close()


DARK, LIGHT = "textual-dark", "textual-light"


@dataclass(frozen=True, slots=True)
class Preferences:
    """`theme` is one of Textual's; `aloud` says that a screen reader reads, so that nothing is drawn."""

    theme: str = DARK
    aloud: bool = False


KeepPreferences = Callable[[Preferences], None]
"""Told of preferences that are to hold the next time, too."""


def keep_nothing(_preferences: Preferences) -> None:
    """For where nothing outlives the program."""


def read_preferences(places: Places) -> Preferences:
    """What was kept; what cannot be read is as if nothing was."""
    try:
        saved = json.loads(_preferences_file(places).read_text(encoding="utf-8"))
        return Preferences(str(saved["theme"]), bool(saved["aloud"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Preferences()


def keep_preferences(places: Places, preferences: Preferences) -> None:
    """Keep them. A disk that takes nothing costs only that they are asked for again."""
    file = _preferences_file(places)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_text(json.dumps(asdict(preferences)), encoding="utf-8")
    except OSError:
        return


def _preferences_file(places: Places) -> Path:
    return places.state / "tui.json"


def describe_standing(view: PlanView, now: datetime) -> str:
    """The age of the oldest data, and that a plan is provisional or lacks balances."""
    ages = [bank.last_synced_at for bank in view.data_age]
    if not ages:
        parts = ["no bank linked"]
    elif any(age is None for age in ages):
        parts = ["a bank has never synced"]
    else:
        parts = [f"updated {figures.age(min(age for age in ages if age is not None), now)}"]
    if view.standing.provisional:
        share = figures.share(view.standing.unknown_share)
        unknown = share if view.standing.money_unknown else "money in"
        parts.append(f"estimate: {unknown} uncategorized (T)")
    if plan_text.cash_is_unknown(view.plan.snapshot.accounts):
        parts.append("cash balance missing (A)")
    elif view.standing.at_most:
        parts.append("balances missing (A)")
    text = " · ".join(parts)
    return text[:1].upper() + text[1:]


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
        self.preferences = preferences
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

    def prefer(self, **changed: object) -> None:
        """Like it otherwise from now on, and the next time."""
        self.preferences = replace(self.preferences, **changed)  # type: ignore[arg-type]
        self._keep(self.preferences)

    def action_turn_theme(self) -> None:
        """Light in place of dark, or the other way round."""
        self.theme = DARK if self.theme == LIGHT else LIGHT
        self.prefer(theme=self.theme)

    def action_open(self, name: str) -> None:
        """Open one of the screens; a remark stays behind, since its keys mean something else there."""
        self._forget_remark()
        self.switch_mode(name)

    def mark_answered(self) -> None:
        """The daemon has answered."""
        self._answered_at, self._warning = self.feed.clock(), ""
        self.show_standing()

    def mark_failed(self) -> None:
        """It has not; what is shown stays, and it is said of when it is."""
        at = self._answered_at
        since = "" if at is None else f"; figures from {at.astimezone():%H:%M}"
        self._warning = f"Cannot reach the background service{since}."
        self.show_standing()

    def say(self, sentence: str) -> None:
        """Remark something for a while, above the keys, where it hides nothing."""
        self._remark(sentence, GOOD, REMARK_STAYS)

    def warn(self, sentence: str) -> None:
        """As `say`, of what went wrong; it stays longer."""
        sentence = NOT_POSSIBLE if sentence == self.feed.notice else sentence
        self._remark(sentence, CAUTION, 2 * REMARK_STAYS)

    def _remark(self, sentence: str, style: str, stays: float) -> None:
        self._forget_remark()
        self.remark = Remark(by_keys(sentence), style)
        self._forgetting = self.set_timer(stays, self._forget_remark)
        self.show_standing()

    def _forget_remark(self) -> None:
        self.remark = NO_REMARK
        if self._forgetting is not None:
            self._forgetting.stop()
            self._forgetting = None
        self.show_standing()

    def keep_view(self, view: PlanView) -> None:
        """Say how the figures of the newest plan stand, on whatever screen is open."""
        self._view = view
        self.show_standing()

    def show_standing(self) -> None:
        """Say on the screen that is open what holds now."""
        view = self._view
        text = STARTING if self._answered_at is None else ""
        if view is not None:
            text = describe_standing(view, self.feed.clock())
        # A dialog stands before the screen that it belongs to.
        screen = self.screen_stack[0]
        for standing in screen.query(StandingLine):
            standing.warning, standing.stands, standing.whose = self._warning, text, self.whose
            standing.remark, standing.notice = self.remark, by_keys(self.feed.notice)
        for navigation in screen.query("#navigation").results(Tabs):
            count = 0 if view is None else len(view.open_tasks)
            navigation.waiting = {"questions": f" {count}"} if count else {}

    async def on_unmount(self) -> None:
        """Close the connections."""
        await self.feed.close()


@contextmanager
def warning(app: HouseholdApp) -> Iterator[None]:
    """Warn of what has no answer, and leave the rest of what was to be done with it."""
    try:
        yield
    except NotAnswered as refused:
        app.warn(refused.message)
