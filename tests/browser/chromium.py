"""A real browser, driven as a person drives one; axe says what would keep somebody out of a page."""

import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from tests.patience import LONG_ENOUGH

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

AXE = Path(__file__).parents[2] / ".browser" / "node_modules" / "axe-core" / "axe.min.js"
"""Where `make test-slow` puts it."""

NARROW, WIDE = 390, 1280
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[int, Scheme], ...] = tuple(
    (width, scheme) for width in (NARROW, WIDE) for scheme in ("light", "dark")
)
_HEIGHT = 900
_RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run().then(
  found => done(found.violations.flatMap(
    rule => rule.nodes.map(node => `${rule.id}: ${node.target}: ${node.failureSummary}`))),
  error => done([String(error)]));
"""


@dataclass(frozen=True)
class Chromium:
    """A browser with one window; what it is told to do waits until the page is there."""

    driver: "Chrome"

    @property
    def said(self) -> str:
        """What the page shows, as a person reads it."""
        return " ".join(self.one("body").text.split())

    @property
    def path(self) -> str:
        return str(self.driver.execute_script("return location.pathname"))

    def go(self, url: str) -> None:
        self.driver.get(url)

    def one(self, selector: str) -> "WebElement":
        from selenium.webdriver.common.by import By

        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def type(self, **typed: str) -> None:
        """Type into fields by their ids, as a person does who replaces what stands there."""
        for field, text in typed.items():
            element = self.one(f"#{field}")
            element.clear()
            element.send_keys(text)

    def press(self, keys: str) -> None:
        """Press keys wherever the focus is."""
        self.driver.switch_to.active_element.send_keys(keys)

    def focused(self) -> str:
        """What the focus is on, as it is heard."""
        return self.driver.switch_to.active_element.accessible_name

    def click(self, selector: str) -> None:
        """Click what leads to another page, and wait for that one."""
        element = self.one(selector)
        self.await_another_page(element.click)

    def await_another_page(self, act: Callable[[], object]) -> None:
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.expected_conditions import staleness_of
        from selenium.webdriver.support.wait import WebDriverWait

        before = self.one("html")
        act()
        # Asked of an element while its page is left, a browser stumbles at times; it is asked again.
        stumbles = (WebDriverException,)
        wait = WebDriverWait(self.driver, LONG_ENOUGH, ignored_exceptions=stumbles)
        wait.until(staleness_of(before))

    def await_path(self, path: str) -> None:
        """Wait until the browser was led to a path."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, LONG_ENOUGH).until(lambda _driver: self.path == path)

    def await_title(self, title: str) -> None:
        """Wait until the page that the browser was led to has a title."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, LONG_ENOUGH).until(lambda _driver: self.driver.title == title)

    def await_text(self, text: str) -> None:
        """Wait until the page that the browser was led to shows a text."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.wait import WebDriverWait

        wait = WebDriverWait(self.driver, LONG_ENOUGH, ignored_exceptions=(WebDriverException,))
        wait.until(lambda _driver: text in self.said)

    def look(self, width: int, scheme: Scheme) -> None:
        """Make the window as wide as a phone's or a desk's, by day or by night."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False},
        )

    def violations(self) -> list[str]:
        """What axe finds wrong with the page as it is."""
        self.driver.execute_script(AXE.read_text(encoding="utf-8"))
        found: list[str] = self.driver.execute_async_script(_RUN_AXE)
        return found

    def barriers(self) -> list[str]:
        """What keeps anybody out of the page as it is: what axe finds, and what is too wide."""
        asked = "return document.documentElement.scrollWidth - window.innerWidth"
        over = max(0, int(self.driver.execute_script(asked)))
        return [*self.violations(), *[f"{over} pixels too wide"] * (over > 0)]

    def judged(self, page: str, shots: Path | None = None) -> list[str]:
        """What keeps anybody out of the page, on a phone and a desk, by day and by night."""
        found: list[str] = []
        for width, scheme in LOOKS:
            self.look(width, scheme)
            found += [f"{page}, {width}, {scheme}: {each}" for each in self.barriers()]
            if shots is not None:
                self.driver.save_screenshot(str(shots / f"{page}-{width}-{scheme}.png"))
        return found

    def unfold(self, opens: bool = True) -> None:
        """Open all that can be opened, or close it."""
        self.driver.execute_script(
            "for (const each of document.querySelectorAll('details')) each.open = arguments[0]",
            opens,
        )

    def complaints(self) -> list[str]:
        """What the browser refused of the pages since it was last asked, such as by their policy."""
        entries: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [
            entry["message"]
            for entry in entries
            # A page that says 401 or 403 on purpose is remarked on, too.
            if "Failed to load resource" not in entry["message"]
        ]

    def forget(self) -> None:
        """Forget every cookie, as a browser that nobody has used."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})


@contextmanager
def chromium() -> Iterator[Chromium]:
    """A browser of its own profile; the test is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed.")
    program, driver = (shutil.which(name) for name in ("chromium", "chromedriver"))
    if program is None or driver is None:
        pytest.skip("There is no Chromium: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    # Whoever is root, as in a container, has no sandbox; the pages are our own.
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options, webdriver.ChromeService(driver)) as started:
        started.set_page_load_timeout(LONG_ENOUGH)
        started.set_script_timeout(LONG_ENOUGH)
        yield Chromium(started)


@asynccontextmanager
async def serving(routes: Mapping[str, Handler]) -> AsyncIterator[str]:
    """Another program of this machine that answers at paths: its address."""
    app = web.Application()
    for path, answer in routes.items():
        app.router.add_route("*", path, answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


def must_have_axe() -> None:
    """Skip where axe is not installed."""
    if not AXE.exists():
        pytest.skip("axe is not installed: npm install --prefix .browser axe-core@4")
