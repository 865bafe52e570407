"""Keys, mouse, palette and preferences; and figures in words for who listens."""

from pathlib import Path
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.color import Color
from textual.content import Content
from textual.widget import Widget

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.snapshot import ForecastQuery
from finplan.operations.plan import SHOW_FORECAST, SHOW_WEALTH, VIEW_PLAN
from finplan.settings import load_settings
from finplan.tui.dialogs import ConfirmDialog
from finplan.tui.household import LIGHT, Preferences, keep_preferences, read_preferences
from finplan.tui.widgets import PLACES, KeyLine
from finplan.views.plan import categories_of
from tests.daemon.running import RunningDaemon
from tests.tui.opening import LARGE, Opened, open_screens

PICTURES = set("▁▂▃▄▅▆▇█━╸") | {chr(each) for each in range(0x2800, 0x2900)}


@pytest.mark.thorough
async def test_every_key_is_told(screens: Opened) -> None:
    """? shows the keys of the screen and those that go everywhere, and Escape closes it."""
    for place in PLACES:
        await screens.press(place.key, "question_mark")
        for line in ("KEYS ON THIS SCREEN", "KEYS EVERYWHERE", "Tasks", "Quit"):
            assert line in screens.text
        for each in screens.app.screen_stack[0].active_bindings.values():
            if each.binding.show:
                assert each.binding.description in screens.text
        await screens.press("escape")


@pytest.mark.thorough
async def test_ctrl_c_says_what_leaves(screens: Opened) -> None:
    """Ctrl-C names the key that leaves, where every remark stands."""
    await screens.press("ctrl+c")
    assert "quit finplan" in screens.text


@pytest.mark.thorough
async def test_the_letter_of_a_screen_wants_shift(screens: Opened) -> None:
    """Without it nothing opens, and the key is told; a letter that the open screen has does its own."""
    await screens.press("t")
    assert screens.screen.PLACE == "overview"
    assert "Shift+T" in screens.said
    await screens.press("A", "g")
    assert "Shift+G" in screens.said
    await screens.press("s")
    assert "Shift" not in screens.said


@pytest.mark.thorough
async def test_a_click_opens_a_screen(screens: Opened) -> None:
    """A click on a name above opens that screen."""
    for place in reversed(PLACES):
        column = screens.text.splitlines()[0].index(place.title)
        await screens.pilot.click("#navigation", offset=(column, 0))
        await screens.settle()
        assert place.name == screens.screen.PLACE


@pytest.mark.thorough
async def test_the_lowest_line_names_each_deed_once(screens: Opened) -> None:
    """Of keys that do the same the first one is named, and none that the screen does not show."""
    assert _keys_below(screens) == ["i Import", "r Reload", "c Link a bank"]
    screens.app.push_screen(ConfirmDialog("Sure?", lambda _width: Content("All of it.")))
    await screens.until(lambda: "Sure?" in screens.text)
    assert _keys_below(screens, "ConfirmDialog KeyLine") == ["⏎ Yes", "esc No"]


@pytest.mark.thorough
async def test_a_click_on_a_key_presses_it(screens: Opened) -> None:
    """A click anywhere on a key or its word does what the key does; beside all of them, nothing."""
    await screens.press("S")
    line = screens.text.splitlines()[-1]
    month = screens.text.splitlines()[1]
    await screens.pilot.click("KeyLine", offset=(line.index("Earlier") + len("Earlier"), 0))
    await screens.settle()
    assert screens.text.splitlines()[1] != month
    await screens.pilot.click("KeyLine", offset=(line.index("] Later") - 1, 0))
    await screens.settle()
    assert screens.text.splitlines()[1] == month
    await screens.pilot.click("KeyLine", offset=(len(line.rstrip()) + 2, 0))
    await screens.settle()
    assert screens.text.splitlines()[1] == month
    await screens.pilot.click("KeyLine", offset=(line.index("Earlier"), 0), times=3)
    await screens.settle()
    assert screens.app.screen.get_selected_text() is None


@pytest.mark.thorough
async def test_keys_without_room_are_left_out(household: RunningDaemon) -> None:
    """On a narrow terminal the lowest line ends with the last key that has room for all of its words."""
    exactly = len(" [ Earlier  ] Later  p Days ")
    for width, keys in ((42, 3), (exactly, 3), (exactly - 1, 2)):
        async with open_screens(household, (width, 24), opens="spending") as opened:
            await opened.settle()
            told = ["[ Earlier", "] Later", "p Days"][:keys]
            assert _keys_below(opened) == told
            assert opened.text.splitlines()[-1].split() == " ".join(told).split()


@pytest.mark.thorough
async def test_keys_below_follow_what_has_the_focus(screens: Opened) -> None:
    """What a dialog does stands in it, and what the screen does again below once it is closed."""
    await screens.press("S")
    before = _keys_below(screens)
    await screens.press("b", "enter", "enter")
    keys = ["esc Back", "c Category", "s Split", "n Note", "t Tags", "u Undo"]
    assert _keys_below(screens, "RowDialog KeyLine") == keys
    await screens.press("escape")
    assert _keys_below(screens) == before


async def test_keys_below_are_those_that_are_heeded() -> None:
    """Where a part of the screen has keys of its own, they stand there while it has the focus."""

    class Part(Widget, can_focus=True):
        BINDINGS: ClassVar = [Binding("x", "part", "Of the part")]

    class Parts(App[None]):
        BINDINGS: ClassVar = [Binding("y", "whole", "Of the whole")]

        def compose(self) -> ComposeResult:
            yield Part()
            yield KeyLine()

    app = Parts()
    async with app.run_test() as pilot:
        for focus, told in ((True, "x Of the part  y Of the whole"), (False, "y Of the whole")):
            app.screen.set_focus(app.query_one(Part) if focus else None)
            await pilot.pause()
            assert app.query_one(KeyLine).render_line(0).text.strip() == told


@pytest.mark.thorough
async def test_other_colours_are_worn_by_every_screen(household: RunningDaemon) -> None:
    """Once the colours are turned, screens opened before, the open one and new ones all have them."""
    async with open_screens(household) as opened:
        await opened.press("A", "S")
        opened.app.action_turn_theme()
        await opened.settle()
        colours = opened.app.get_css_variables()
        ground, panel = (Color.parse(colours[each]) for each in ("background", "panel"))
        for place in ("S", "A", "O", "P"):
            await opened.press(place)
            assert opened.app.screen.styles.background == ground
            assert opened.app.screen.query_one("#navigation").styles.background == panel


@pytest.mark.thorough
async def test_other_colours_are_worn_below_a_dialog(household: RunningDaemon) -> None:
    """A screen that a dialog stands before has them as well, wherever the colours were turned."""
    async with open_screens(household) as opened:
        await opened.press("S")
        spending = opened.app.screen
        opened.app.push_screen(ConfirmDialog("Sure?", lambda _width: Content("All of it.")))
        await opened.until(lambda: "Sure?" in opened.text)
        opened.app.action_open("accounts")
        await opened.until(lambda: getattr(opened.screen, "PLACE", "") == "accounts")
        opened.app.action_turn_theme()
        await opened.settle()
        opened.app.action_open("spending")
        await opened.press("escape")
        assert opened.app.screen is spending
        ground = Color.parse(opened.app.get_css_variables()["background"])
        assert spending.styles.background == ground


@pytest.mark.thorough
async def test_a_screen_that_opens_reads_no_style_sheet_anew(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Style sheets are read where colours change, and not by each screen that opens."""
    async with open_screens(household) as opened:
        read: list[str] = []
        reads = opened.app.stylesheet.reparse

        def noted() -> None:
            read.append(opened.app.theme)
            reads()

        monkeypatch.setattr(opened.app.stylesheet, "reparse", noted)
        await opened.press("A", "S", "O", "A")
        assert read == []
        opened.app.action_turn_theme()
        await opened.press("S", "P")
        assert read == [LIGHT]


def _keys_below(opened: Opened, where: str = "#foot KeyLine") -> list[str]:
    line = opened.app.screen.query_one(where, KeyLine)
    return [each.plain.strip() for each in line.entries()]


@pytest.mark.thorough
async def test_the_palette_opens_a_screen(screens: Opened) -> None:
    """The palette finds a screen by what it is called."""
    await screens.press("ctrl+p")
    await screens.type("accou")
    await screens.until(lambda: "Accounts, banks and statement files" in screens.text)
    await screens.press("down", "enter")
    await screens.until(lambda: getattr(screens.screen, "PLACE", "") == "accounts")


@pytest.mark.thorough
async def test_colours_are_kept_as_soon_as_they_are_changed(household: RunningDaemon) -> None:
    """What a person prefers is told at once, so that it is kept however the program ends."""
    async with open_screens(household, opens="settings") as opened:
        kept: list[Preferences] = []
        opened.app._keep = kept.append
        await opened.press("down", "down", "down", "down", "down", "enter")
        assert kept == [Preferences(LIGHT)]
        assert "light" in opened.text
        await opened.press("down", "enter")
        assert kept[-1] == Preferences(LIGHT, aloud=True)


def test_preferences_outlive_the_program(tmp_path: Path, monkeypatch: object) -> None:
    """Preferences are read as they were kept; a file that is none is as if there was none."""
    places = load_settings("demo").places
    file = tmp_path / "tui.json"
    kept = places._replace(state=tmp_path)
    assert read_preferences(kept) == Preferences()
    keep_preferences(kept, Preferences(LIGHT, aloud=True))
    assert read_preferences(kept) == Preferences(LIGHT, aloud=True)
    file.write_text("[")
    assert read_preferences(kept) == Preferences()


@pytest.mark.thorough
async def test_a_screen_reader_hears_every_figure(household: RunningDaemon) -> None:
    """Where a screen reader reads nothing is drawn, and what pictures show stands there as figures."""
    call = household.client.call
    view = await call(VIEW_PLAN, Nothing())
    wealth = await call(SHOW_WEALTH, Nothing())
    forecast = await call(SHOW_FORECAST, ForecastQuery(days=30))
    async with open_screens(household, (140, 90), aloud=True) as opened:
        assert not PICTURES & set(opened.text)
        for point in wealth.history[-12:]:
            assert figures.whole_money(point.net_worth, "USD") in opened.text
        for week in forecast.days[6::7]:
            assert figures.whole_money(week.expected, "USD") in opened.text
        await opened.press("P")
        assert not PICTURES & set(opened.text)
        for line in ("essential", "discretionary"):
            for _, units in categories_of(view.plan, line, "USD"):
                assert figures.units_money(units, "USD") in opened.text
        await opened.press("S")
        assert not PICTURES & set(opened.text)


async def test_the_overview_shows_what_rest_answers(household: RunningDaemon) -> None:
    """What is safe to spend, what is due and what to do stand as the daemon answers them."""
    view = await household.client.call(VIEW_PLAN, Nothing())
    async with open_screens(household, LARGE) as opened:
        text = opened.text
        assert figures.money(abs(view.snapshot.allowance.today), "USD") in text
        assert figures.money(view.snapshot.due.total, "USD") in text
        assert figures.whole_money(view.snapshot.balances.net_worth, "USD") in text
        for action in view.plan.actions:
            assert action.title[:30] in text


@pytest.mark.thorough
async def test_the_palette_does_what_keys_do(screens: Opened) -> None:
    """What a screen's keys do, and importing and linking anywhere, is found by what it is called."""
    await screens.press("S", "ctrl+p")
    await screens.type("find")
    await screens.until(lambda: "Key /, on this screen" in screens.text)
    await screens.press("down", "enter")
    await screens.until(lambda: "Find transactions" in screens.text)
    await screens.press("escape", "ctrl+p")
    await screens.type("import")
    await screens.until(lambda: "Import statement files" in screens.text)
    await screens.press("down", "enter")
    await screens.until(lambda: "Which statement files?" in screens.text)


@pytest.mark.thorough
async def test_settings_say_what_they_take(household: RunningDaemon) -> None:
    """A setting is asked for with what holds now, Enter keeps it, and what cannot be is told plainly."""
    async with open_screens(household, opens="settings") as opened:
        for wrong, said in (("x", "three letters"), ("XYZ", "Unknown currency")):
            await opened.press("enter")
            assert opened.screen.query_one("Input").value == "USD"
            await opened.type(wrong)
            await opened.press("enter")
            assert said in f"{opened.text} {opened.said}"
            await opened.press("escape")
        await opened.press("enter", "enter")
        assert opened.app.feed.currency == "USD"


@pytest.mark.thorough
async def test_an_income_of_ones_own_holds_at_once(household: RunningDaemon) -> None:
    """What is typed as income is what the plan goes by, and an empty line takes it back."""
    async with open_screens(household, opens="settings") as opened:
        assert "as detected" in opened.text
        await opened.press("down", "down", "down", "down", "enter")
        await opened.type("4,321.50")
        await opened.press("enter")
        view = await household.client.call(VIEW_PLAN, Nothing())
        assert view.snapshot.income.source == "manual"
        assert any("$4,322 of income a month, set by you" in each for each in view.plan.notes)
        assert "set by you" in opened.text
        await opened.press("enter", "enter")
        assert "as detected" in opened.text


@pytest.mark.thorough
async def test_the_palette_holds_what_the_open_screen_does(screens: Opened) -> None:
    """Each deed of the keys below and each screen once, and nothing that no line of keys names."""
    for place in PLACES:
        await screens.press(place.key)
        deeds = [
            each.binding.description
            for each in screens.screen.active_bindings.values()
            if each.node is screens.screen and each.binding.show
            # These two are offered on every screen.
            if each.binding.action not in ("bring_in", "link")
        ]
        told = [each.title for each in screens.app.get_system_commands(screens.screen)]
        assert told == [
            *("Import statement files", "Link a bank"),
            *deeds,
            *(each.title for each in PLACES),
            *("Light or dark colors", "Keys", "Quit"),
        ]


@pytest.mark.thorough
async def test_names_above_are_cut_no_more_than_need_be(screens: Opened) -> None:
    """Where names of screens are cut, one letter more of each of these would be too much."""
    for width in range(56, 84, 3):
        await screens.pilot.resize_terminal(width, 24)
        await screens.settle()
        navigation = screens.screen.query_one("#navigation")
        shown, room = navigation.render(), navigation.content_size.width
        cut = [each for each in PLACES if f"{each.key} {each.title}" not in shown.plain]
        assert shown.cell_length <= room
        assert not cut or shown.cell_length + len(cut) > room


async def test_a_plan_opens_at_its_first_section(household: RunningDaemon) -> None:
    """It is marked, so that one key down shows the second one."""
    async with open_screens(household, opens="plan") as opened:
        titles = opened.screen.query_one("#titles")
        assert titles.highlighted == 0
        await opened.press("down")
        assert titles.highlighted == 1


@pytest.mark.thorough
async def test_a_narrow_terminal_keeps_figures_and_keys(household: RunningDaemon) -> None:
    """At 60 columns the balances stand whole, and the line of keys names keys."""
    async with open_screens(household, (60, 20), opens="accounts") as opened:
        for each in opened.screen.shown.accounts:
            balance = each.account.balance
            told = "unknown" if balance is None else figures.money(balance, each.currency)
            assert told in opened.text
        assert "i Import" in opened.text.splitlines()[-1]
        await opened.press("S")
        assert "p Days" in opened.text.splitlines()[-1]


@pytest.mark.thorough
async def test_on_a_narrow_terminal_one_part_stands_above_the_other(
    household: RunningDaemon,
) -> None:
    """At 60 columns every screen can be named, and lists stand above what they lead to."""
    async with open_screens(household, (60, 24)) as opened:
        for place in PLACES:
            await opened.press(place.key)
            first = opened.text.splitlines()[0]
            assert all(f" {each.key} {each.title[:3]}" in first for each in PLACES)
        for key, above, below in (("T", "#questions", "#asked"), ("P", "#titles", "#section")):
            await opened.press(key)
            list_, part = opened.screen.query_one(above), opened.screen.query_one(below)
            assert list_.region.bottom < part.region.y
            assert part.region.width > 54
        await opened.press("O")
        due = opened.screen.query_one("#due").region
        assert due.y > opened.screen.query_one("#today").region.y
        assert due.width > 54
