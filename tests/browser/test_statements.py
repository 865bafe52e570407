"""Bringing statements in, in a real browser: nobody is kept out, and nothing is wider than a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import LOOKS, Chromium, chromium, must_have_axe
from tests.browser.test_site import beside
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import link_of

pytestmark = [pytest.mark.slow, pytest.mark.judged]

ROWS = (
    "Date,Description,Amount\n13/0{no}/2026,CORNER SHOP {long},31.20\n14/0{no}/2026,BAKERY,7.00\n"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """The one browser of these tests."""
    with chromium() as started:
        yield started


async def test_every_step_is_open_to_all(
    daemon: RunningDaemon, browser: Chromium, tmp_path: Path
) -> None:
    """Choosing, answering, looking, what was brought in and what could not be: by phone and desk."""
    must_have_axe()
    paths = []
    for no in range(1, 4):
        path = tmp_path / f"a-rather-long-name-of-a-statement-of-our-account-2026-0{no}.csv"
        path.write_text(ROWS.format(no=no, long="VERYLONGTEXTOFABANK" * 4), encoding="utf-8")
        paths.append(str(path))
    link = daemon.base_url + await link_of(daemon)
    found: list[str] = []

    def judge(page: str) -> None:
        browser.driver.execute_script(
            "document.querySelectorAll('details').forEach(each => each.open = true)"
        )
        for width, scheme in LOOKS:
            browser.look(width, scheme)
            told = browser.violations()
            if browser.overflow():
                told.append(f"{browser.overflow()} pixels too wide")
            found.extend(f"{page}, {width}, {scheme}: {each}" for each in told)

    def choose(*files: str) -> None:
        browser.go(f"{daemon.base_url}/statements")
        browser.one("#file").send_keys("\n".join(files))
        browser.click("main form .button")

    def walk() -> None:
        browser.go(link)
        browser.go(f"{daemon.base_url}/statements")
        judge("statements")
        choose(*paths)
        judge("questions")
        while "What the files do not say" in browser.said:
            browser.driver.execute_script(
                "document.querySelectorAll('fieldset').forEach(e => e.querySelector('input').click())"
            )
            browser.click("button[value=look]")
        assert "This is what would come in" in browser.said
        judge("preview")
        browser.click("button[value=import]")
        assert "The statements are imported." in browser.said
        judge("imported")
        unread = tmp_path / "unread.ofx"
        unread.write_text("<OFX>", encoding="utf-8")
        choose(str(unread))
        judge("unread")
        assert browser.complaints() == []

    await beside(walk)
    assert found == []
