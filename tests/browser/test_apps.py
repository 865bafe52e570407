"""The views of MCP Apps in a real browser, framed by the protocol's own host over the real /mcp."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from tests.browser.chromium import AXE, LOOKS, NARROW, WIDE, Chromium, Scheme, serving
from tests.daemon.mcp.connected import new_key
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

pytestmark = [pytest.mark.slow, pytest.mark.judged]

MODULES = AXE.parents[1]
HOST = Path(__file__).with_name("host.js")
PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Host</title>'
    "<style>body { margin: 0 } iframe { border: 0; width: 100% }</style></head>"
    '<body><main></main><script src="/host.js"></script></body></html>'
)
VIEWS = ("get_plan", "build_plan", "list_tasks")
SENT = (
    "content-type",
    "accept",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The host with all that it imports, as one script."""
    esbuild = MODULES / ".bin" / "esbuild"
    if not (esbuild.exists() and (MODULES / "@modelcontextprotocol" / "ext-apps").exists()):
        pytest.skip("The host is not installed: make .browser/.installed")
    made = tmp_path_factory.mktemp("host") / "host.js"
    told = [str(esbuild), str(HOST), "--bundle", "--format=iife", f"--outfile={made}"]
    subprocess.run(
        [*told, "--log-level=error"], check=True, env={**os.environ, "NODE_PATH": str(MODULES)}
    )
    return made


@asynccontextmanager
async def hosting(daemon: RunningDaemon, bundle: Path, *scopes: str) -> AsyncIterator[str]:
    """A host's page on an origin of its own, whose server shows the daemon a key."""
    key = (await new_key(daemon, *scopes))["key"]

    async def show(_request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def script(_request: web.Request) -> web.FileResponse:
        return web.FileResponse(bundle)

    async def pass_on(request: web.Request) -> web.Response:
        # It asks as a program does, without the origin of the page.
        headers = {name: request.headers[name] for name in SENT if name in request.headers}
        if request.method == "GET":
            return web.Response(status=405)
        async with http.request(
            request.method,
            f"{daemon.base_url}/mcp",
            data=await request.read(),
            headers={**headers, "x-api-key": key},
        ) as answer:
            told = {name: answer.headers[name] for name in SENT if name in answer.headers}
            return web.Response(status=answer.status, body=await answer.read(), headers=told)

    routes = {"/": show, "/host.js": script, "/mcp": pass_on}
    async with serving(routes) as address, aiohttp.ClientSession() as http:
        yield f"{address}/"


def complaints(browser: Chromium) -> list[str]:
    """What the browser refused of a view; the host's own script writes down each message."""
    return [each for each in browser.complaints() if "/host.js" not in each]


class Host:
    """The page of a host, and the view that it frames."""

    def __init__(self, browser: Chromium, url: str) -> None:
        self.browser = browser
        browser.go(url)

    def open(self, tool: str, theme: Scheme = "light", *, tools: bool = True) -> None:
        """Call a tool and show its view; the answer has been handed to the view afterwards."""
        self.leave()
        wrong = self.browser.driver.execute_async_script(
            "const done = arguments[3];"
            "host.open(...[...arguments].slice(0, 3)).then(() => done(''), e => done(String(e)));",
            tool,
            theme,
            tools,
        )
        assert wrong == ""
        self.browser.driver.switch_to.frame(self.browser.one("iframe"))
        self.until("#drawn > *")

    def leave(self) -> None:
        """Back from the view to the host's own page."""
        self.browser.driver.switch_to.default_content()

    def until(self, selector: str, text: str = "") -> None:
        """Wait until the view shows something."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.wait import WebDriverWait

        wait = WebDriverWait(
            self.browser.driver, LONG_ENOUGH, ignored_exceptions=(WebDriverException,)
        )
        wait.until(lambda _driver: text in self.browser.one(selector).text)

    def click(self, selector: str) -> None:
        """Click something in the view."""
        self.browser.one(selector).click()


async def test_each_view_is_walked(
    household: RunningDaemon, browser: Chromium, bundle: Path
) -> None:
    """The plan is shown and built anew, and a question answered and taken back, in the host's frame."""
    browser.look(WIDE, "light")
    before = (await household.http.get("/api/v1/plan")).json()["createdAt"]

    first = (await household.http.get("/api/v1/tasks")).json()[0]
    exact = f"{first['charges'][0]['amount'] / 100:.2f}"

    def walk(url: str) -> None:
        host = Host(browser, url)
        host.open("get_plan")
        assert "Surplus a" in browser.said
        assert browser.one("svg.picture").is_displayed()
        browser.driver.execute_script("document.querySelector('h1').remove()")
        host.click("button[value=build]")
        host.until("h1", "plan of 18 March 2026")
        host.open("build_plan")
        assert "What to do" in browser.said
        host.open("list_tasks")
        asked = browser.one(".card h2").text
        payee = asked.removeprefix("Which category is ").removesuffix("?")
        host.click("#category-0 option[value='']")
        host.click("button[value=look]")
        host.until("#status", "Choose a category")
        host.click("#category-0 option[value=travel]")
        host.click("button[value=look]")
        host.until(".effect", "Puts ")
        assert f"Put {payee} in Travel?" in browser.said
        host.click("button[value=keep]")
        host.until(".done", f"{payee} is now in Travel: ")
        assert browser.one(".card h2").text != asked
        host.click("button[value=undo]")
        host.until(".done", "Undone")
        assert browser.one(".card h2").text == asked
        host.click("#category-0 option[value=travel]")
        host.click("details summary")
        for typed, told in (("lots", "like 12.50"), ("1.234", "12.50"), (exact, "")):
            browser.one("#amount-0").clear()
            browser.one("#amount-0").send_keys(typed)
            host.click("button[value=look]")
            host.until("#status" if told else ".effect", told)
        assert f"Only transactions of exactly ${exact}." in browser.said
        host.click("button[value=again]")
        host.until(".card h2", asked)
        host.click("button[value=each]")
        host.until(".done", "separately")
        host.leave()
        answered = "host.teardown().then(() => arguments[0](''), e => arguments[0](String(e)))"
        assert browser.driver.execute_async_script(answered) == ""
        assert complaints(browser) == []

    async with hosting(household, bundle, "service:read", "service:write") as url:
        await asyncio.to_thread(walk, url)
    assert (await household.http.get("/api/v1/plan")).json()["createdAt"] > before


async def test_a_host_that_calls_no_tools_is_shown_no_buttons(
    household: RunningDaemon, browser: Chromium, bundle: Path
) -> None:
    """Where nothing can be done in a view, nothing is offered; what a key may not do is said."""

    def walk(url: str) -> None:
        host = Host(browser, url)
        host.open("list_tasks", tools=False)
        assert not browser.one("button[value=look]").is_displayed()
        host.open("list_tasks")
        host.click("#category-0 option[value=travel]")
        host.click("button[value=look]")
        host.until("#status[role=alert]", "service:write")

    async with hosting(household, bundle, "service:read") as url:
        await asyncio.to_thread(walk, url)


async def test_axe_finds_nothing_in_a_view(
    household: RunningDaemon, browser: Chromium, bundle: Path, tmp_path: Path
) -> None:
    """No view keeps anybody out or is wider than its frame, by the theme that the host names."""
    shots = Path(os.environ.get("SHOTS", tmp_path))
    found: list[str] = []

    def judge(host: Host, name: str, width: int, theme: Scheme) -> None:
        found.extend(f"{name}, {width}, {theme}: {each}" for each in browser.barriers())
        host.leave()
        browser.driver.save_screenshot(str(shots / f"{name}-{width}-{theme}.png"))
        browser.driver.switch_to.frame(browser.one("iframe"))

    def walk(url: str) -> None:
        host = Host(browser, url)
        for width, theme in LOOKS:
            # The browser has it the other way round: the host's word counts.
            browser.look(width, "dark" if theme == "light" else "light")
            for tool in VIEWS if width == NARROW else VIEWS[::2]:
                host.open(tool, theme)
                judge(host, tool, width, theme)
            host.click("#category-0 option[value=travel]")
            host.click("button[value=look]")
            host.until(".effect", "Puts ")
            judge(host, "look", width, theme)
            host.click("button[value=keep]")
            host.until(".done", " is now in ")
            judge(host, "kept", width, theme)
            # There are fewer questions than looks.
            host.click("button[value=undo]")
            host.until(".done", "Undone")
        colour = "return getComputedStyle(document.body).backgroundColor"
        dark = browser.driver.execute_script(colour)
        host.leave()
        browser.driver.execute_script("host.dress('light')")
        browser.driver.switch_to.frame(browser.one("iframe"))
        host.until(":root[data-theme=light]")
        assert browser.driver.execute_script(colour) != dark
        assert complaints(browser) == []

    async with hosting(household, bundle, "service:read", "service:write") as url:
        await asyncio.to_thread(walk, url)
    assert found == []
