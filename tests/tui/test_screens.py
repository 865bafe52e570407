"""Every screen as it looks: small and large, dark and light."""

import pytest

from finplan.tui.household import DARK, LIGHT
from finplan.tui.widgets import PLACES
from tests.daemon.running import RunningDaemon
from tests.golden_files import Golden
from tests.tui.opening import LARGE, SMALL, open_screens, picture

SIZES = {"80x24": SMALL, "140x40": LARGE}
THEMES = {"dark": DARK, "light": LIGHT}


SLOW = ("80x24", "light"), ("140x40", "dark")
"""Left to the slow tests: each size and each theme has been looked at without them."""

EACH = [
    pytest.param(size, theme, marks=[pytest.mark.slow] * ((size, theme) in SLOW))
    for size in SIZES
    for theme in THEMES
]


@pytest.mark.parametrize(("size", "theme"), EACH)
async def test_every_screen_looks_so(
    household: RunningDaemon, golden: Golden, size: str, theme: str
) -> None:
    """Each screen is as it was when it was last looked at, at two sizes and in both themes."""
    async with open_screens(household, SIZES[size], theme=THEMES[theme]) as opened:
        for place in PLACES:
            await opened.press(place.key)
            golden(f"{place.name}-{size}-{theme}", picture(opened))
