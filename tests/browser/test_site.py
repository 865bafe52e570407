"""The site in a real browser: what people do there, whom it keeps out, what other pages cannot do."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from aiohttp import web

from finplan.client.sign_in_page import sign_in_page
from tests.browser.chromium import Chromium, must_have_axe, serving
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD, invite_of, link_of

pytestmark = [pytest.mark.slow, pytest.mark.judged]

TITLE = "Your plan of 18 March 2026 – finplan"
P = ParamSpec("P")
T = TypeVar("T")


async def beside(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Drive the browser from a thread, while the daemon answers it on the loop."""
    return await asyncio.to_thread(act, *args, **kwargs)


async def test_the_owner_opens_the_plan(household: RunningDaemon, browser: Chromium) -> None:
    """`finplan open` shows the plan; the link in the address bar is gone, and opens nothing again."""
    link = household.base_url + await link_of(household)

    def walk() -> None:
        browser.go(link)
        assert browser.path == "/"
        assert browser.driver.title == TITLE
        assert "Surplus a" in browser.said
        browser.forget()
        browser.go(link)
        assert "was already used" in browser.said
        assert browser.complaints() == []

    await beside(walk)


async def test_the_file_of_finplan_open_signs_in(
    household: RunningDaemon, browser: Chromium, tmp_path: Path
) -> None:
    """The browser is given a file, is led on from it without a word, and shows the plan."""
    link = household.base_url + await link_of(household)

    def walk() -> None:
        with sign_in_page(link, household.token, tmp_path) as page:
            browser.go(page.as_uri())
            browser.await_path("/")
        assert browser.driver.title == TITLE
        assert browser.complaints() == []

    await beside(walk)


async def test_who_is_invited_joins_and_comes_back(
    daemon: RunningDaemon, browser: Chromium
) -> None:
    """Joining, signing out and signing in again, by keys alone; a wrong password says so."""
    from selenium.webdriver.common.keys import Keys

    link = daemon.base_url + await invite_of(daemon, email="grace@example.org")

    def walk() -> None:
        browser.go(link)
        browser.type(name="Grace", password=PASSWORD, again=PASSWORD)
        browser.await_another_page(lambda: browser.press(Keys.ENTER))
        assert "in as Grace" in browser.said
        assert "No transactions yet" in browser.said
        browser.click(".out button")
        assert browser.path == "/sign-in"
        browser.go(daemon.base_url + "/settings/activity")
        for password in ("wrong", PASSWORD):
            browser.type(email="grace@example.org", password=password)
            browser.await_another_page(lambda: browser.press(Keys.ENTER))
            if password == "wrong":
                assert "Wrong address or password." in browser.said
        assert browser.path == "/settings/activity"
        assert "a wrong password." in browser.said
        assert browser.complaints() == []

    await beside(walk)


async def test_the_keyboard_reaches_everything(daemon: RunningDaemon, browser: Chromium) -> None:
    """The way past the header comes first, then the header's own, each of which can be heard."""
    from selenium.webdriver.common.keys import Keys

    link = daemon.base_url + await link_of(daemon)

    def walk() -> None:
        browser.go(link)
        browser.go(daemon.base_url + "/settings/developer")
        heard = []
        for _ in range(16):
            browser.press(Keys.TAB)
            heard.append(browser.focused())
        assert heard[0].startswith("Skip to")
        assert heard[1:] == [
            *("finplan", "Plan", "Tasks", "Imports", "Settings", "Sign out"),
            *("Account", "Accounts and balances", "Planned money", "Connections", "People"),
            *("Developer", "Webhooks", "Access log"),
            "Name",
        ]
        browser.go(daemon.base_url + "/settings/developer")
        browser.press(Keys.TAB)
        assert browser.one(".skip").is_displayed()
        browser.press(Keys.ENTER)
        browser.press(Keys.TAB)
        assert browser.focused() == "Account"

    await beside(walk)


async def test_a_key_is_made_used_and_revoked(daemon: RunningDaemon, browser: Chromium) -> None:
    """The page shows the key once; a program uses it, until it is revoked."""
    link = daemon.base_url + await link_of(daemon)

    def make() -> str:
        browser.go(link)
        browser.go(daemon.base_url + "/settings/developer")
        browser.type(name="My script")
        browser.one("#scopes-service-write").click()
        browser.click("button[value=create-key]")
        key = browser.one(".secret").text
        browser.click("#made a")
        assert "My script" in browser.said
        assert key not in browser.driver.page_source
        return key

    def revoke() -> None:
        browser.one("#keys summary").click()
        browser.click("button[value=revoke-key]")
        assert "Key revoked" in browser.said
        assert browser.complaints() == []

    key = await beside(make)
    headers = {"x-api-key": key}
    daemon.http.cookies.clear()
    assert (await daemon.http.get("/api/v1/me", headers=headers)).status_code == 200
    assert (await daemon.http.post("/api/v1/plan", json={}, headers=headers)).status_code == 403
    await beside(revoke)
    assert (await daemon.http.get("/api/v1/me", headers=headers)).status_code == 401


async def test_a_question_is_answered(household: RunningDaemon, browser: Chromium) -> None:
    """From the plan to a question, what its answer moves, the answer, and back to the plan."""
    link = household.base_url + await link_of(household)

    def walk() -> None:
        browser.go(link)
        browser.click("#questions a.button")
        assert browser.path == "/tasks"
        asked = browser.one(".card h2").text
        payee = asked.removeprefix("Which category is ").removesuffix("?")
        browser.one("#category-0 option[value=travel]").click()
        browser.click("button[value=look]")
        assert f"Put {payee} in Travel?" in browser.said
        assert "Puts " in browser.one(".effect").text
        browser.click("button[value=keep]")
        assert f"{payee} is now in Travel: " in browser.one(".done").text
        assert browser.one(".card h2").text != asked
        browser.click(".done a")
        assert browser.path == "/"
        assert asked not in browser.one("#questions").text
        assert browser.complaints() == []

    await beside(walk)


async def test_an_account_ends(daemon: RunningDaemon, browser: Chromium) -> None:
    """Whoever types the address is gone, and meets the page for signing in."""
    link = daemon.base_url + await link_of(daemon)

    def walk() -> None:
        browser.go(link)
        browser.go(daemon.base_url + "/settings/account")
        browser.one("#leaving summary").click()
        browser.type(typed_email="ada@localhost")
        browser.click("button[value=delete-me]")
        assert "account is deleted" in browser.said
        browser.click("main a")
        assert browser.path == "/sign-in"

    await beside(walk)


# --- nobody is kept out ----------------------------------------------------------------------------


def unlike_drawn(browser: Chromium) -> list[str]:
    """Texts of pictures that are not as large as they were drawn, and lines that are filled."""
    asked = """
    const told = (each, name) => getComputedStyle(each)[name];
    return [...document.querySelectorAll("svg.picture")].flatMap(picture => [
      ...[...picture.querySelectorAll("text")].filter(each => told(each, "fontSize") !== "11px"),
      ...[...picture.querySelectorAll(".line")].filter(each => told(each, "fill") !== "none"),
    ].map(each => `${picture.id}: ${each.outerHTML}`));
    """
    assert browser.one("#ahead svg.picture text").is_displayed()
    found: list[str] = browser.driver.execute_script(asked)
    return found


async def test_axe_finds_nothing(
    household: RunningDaemon, daemon: RunningDaemon, browser: Chromium
) -> None:
    """No page keeps anybody out or is wider than its window: on a phone and a desk, by day and night."""
    must_have_axe()
    made = (await household.http.post("/api/v1/keys", json={"name": "Former"})).json()
    await household.http.delete(f"/api/v1/keys/{made['id']}")
    await household.http.post("/api/v1/keys", json={"name": "Home dashboard"})
    invite = await invite_of(household, email="grace@example.org")
    links = [each.base_url + await link_of(each) for each in (household, daemon)]
    site = household.base_url
    found: list[str] = []

    def judge(page: str) -> None:
        found.extend(browser.judged(page))

    def walk() -> None:
        for path in ("/sign-in", invite, "/join", "/open?link=x", "/nowhere"):
            browser.go(site + path)
            judge(path)
        browser.go(site + "/sign-in")
        browser.type(email="ada@localhost", password="wrong")
        browser.click("main button")
        judge("wrong")
        browser.go(links[0])
        found.extend(unlike_drawn(browser))
        judge("plan")
        browser.go(f"{site}/tasks")
        browser.unfold()
        judge("questions")
        browser.click("button[value=look]")
        judge("what-it-moves")
        browser.click("button[value=keep]")
        judge("answered")
        for page in ("account", "people", "developer", "webhooks", "activity"):
            browser.go(f"{site}/settings/{page}")
            browser.unfold()
            judge(page)
        browser.go(f"{site}/settings/people")
        browser.click("button[value=create-invite]")
        judge("invite-made")
        browser.go(f"{site}/settings/account")
        browser.click("button[value=change-me]")
        judge("saved")
        browser.click(".brand")
        browser.go(links[1])
        judge("beginning")
        assert browser.complaints() == []

    await beside(walk)
    assert found == []


# --- what other pages cannot do --------------------------------------------------------------------


@asynccontextmanager
async def another_port(html: str) -> AsyncIterator[str]:
    """A page of another program on this machine, to which the browser sends the same cookies."""

    async def show(_request: web.Request) -> web.Response:
        return web.Response(text=html, content_type="text/html")

    async with serving({"/": show}) as address:
        yield address


async def test_another_port_neither_sends_nor_frames(
    daemon: RunningDaemon, browser: Chromium
) -> None:
    """Its cookies go along, and still its form is refused, and no page of ours shows in its frame."""
    link = daemon.base_url + await link_of(daemon)
    form = f'<form method="post" action="{daemon.base_url}/sign-out"><button>Win</button></form>'
    frame = f'<iframe src="{daemon.base_url}/settings/account"></iframe>'
    read = (
        f'<p id="read"></p><script>fetch("{daemon.base_url}/api/v1/me", {{credentials: "include"}})'
        '.then(a => a.text(), e => "refused").then(t => document.getElementById("read").append(t))'
        "</script>"
    )
    async with another_port(form + frame + read) as other:

        def walk() -> None:
            browser.go(link)
            browser.go(other)
            assert "refused" in browser.said
            browser.driver.switch_to.frame(browser.one("iframe"))
            assert "Settings" not in browser.driver.page_source
            browser.driver.switch_to.default_content()
            browser.click("button")
            assert "another origin" in browser.said
            browser.go(daemon.base_url + "/")
            assert "Signed in as ada@localhost" in browser.said

        await beside(walk)


async def test_another_port_cannot_choose_the_session(
    daemon: RunningDaemon, browser: Chromium
) -> None:
    """A cookie that another program has planted is not the one after signing in."""
    link = daemon.base_url + await link_of(daemon)
    name = f"finplan_browser_{daemon.port}"
    plant = f'<script>document.cookie = "{name}=fps_planted; path=/"</script>'
    async with another_port(plant) as other:

        def walk() -> None:
            browser.go(other)
            assert browser.driver.get_cookie(name)["value"] == "fps_planted"  # type: ignore[index]
            browser.go(link)
            given = browser.driver.get_cookie(name)
            assert given is not None
            assert given["value"].startswith("fps_")
            assert given["value"] != "fps_planted"
            assert (given["httpOnly"], given["sameSite"]) == (True, "Lax")

        await beside(walk)


ROWS = (
    "Date,Description,Amount\n13/0{no}/2026,CORNER SHOP {long},31.20\n14/0{no}/2026,BAKERY,7.00\n"
)


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
        browser.unfold()
        found.extend(browser.judged(page))

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
        while "files do not" in browser.said:
            browser.driver.execute_script(
                "document.querySelectorAll('fieldset').forEach(e => e.querySelector('input').click())"
            )
            browser.click("button[value=look]")
        assert "Preview your import" in browser.said
        judge("preview")
        browser.click("button[value=import]")
        assert "Your plan includes" in browser.said
        judge("imported")
        unread = tmp_path / "unread.ofx"
        unread.write_text("<OFX>", encoding="utf-8")
        choose(str(unread))
        judge("unread")
        assert browser.complaints() == []

    await beside(walk)
    assert found == []
