"""While the store is damaged each face of the daemon says so, beside what it answers."""

from collections.abc import AsyncIterator

import pytest

from finplan.daemon.surfaces.site.settings_page import DEVELOPER
from finplan.model.errors import StoreDamaged
from finplan.model.notices import HEADER, STORE_DAMAGED, for_profile, sentence_of
from finplan.store.store_file import damage_mark_of
from tests.daemon.a2a.talking import asked
from tests.daemon.mcp.connected import connected, new_key
from tests.daemon.mcp.test_product import text_of
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import ACCEPT, Page, Visitor, browsing
from tests.tui.opening import LARGE, SMALL, open_screens

SENTENCE = sentence_of(STORE_DAMAGED)
SPOKEN = SENTENCE.replace("`", "'")
"""The sentence without markup, as agents get it."""


@pytest.fixture
async def browser(household: RunningDaemon) -> AsyncIterator[Visitor]:
    """A browser of the owner's, signed in while the store was whole."""
    async with browsing(household) as visitor:
        await visitor.open()
        yield visitor


def damage(running: RunningDaemon) -> None:
    """Let the store be damaged."""
    running.store.note_damage(StoreDamaged(SENTENCE))


async def test_every_answer_carries_the_header(household: RunningDaemon) -> None:
    """An answer, a refusal, a public document and /health carry it, and none does of a whole store."""
    paths = ("/api/v1/accounts", "/api/v1/nowhere", "/.well-known/agent-card.json", "/health")
    whole = [await household.http.get(path) for path in paths]
    damage(household)
    damaged = [await household.http.get(path) for path in paths]

    assert [HEADER in answer.headers for answer in whole] == [False] * len(paths)
    assert [answer.headers.get(HEADER) for answer in damaged] == [STORE_DAMAGED] * len(paths)
    assert [answer.content for answer in damaged] == [answer.content for answer in whole]


async def test_pages_begin_with_it(browser: Visitor) -> None:
    """Every page of who is signed in has the banner, which nothing hides in print; none before."""
    paths = ("/", "/tasks", "/statements", "/settings/account")
    before = [(await browser.get(path)).text for path in paths]
    damage(browser.daemon)
    after = [(await browser.get(path)).text for path in paths]

    assert all('class="notice"' not in page for page in before)
    for page in map(Page, after):
        banners = [facts for _, facts in page.elements if facts.get("class") == "notice"]
        assert banners == [{"class": "notice", "role": "status"}]
        assert "The store is damaged: finplan cannot save changes" in page.said


async def test_the_plan_page_begins_with_it_though_it_was_kept(household: RunningDaemon) -> None:
    """The page of the plan that was drawn before, and is known by its tag, is drawn with the banner."""
    before = await household.http.get("/api/v1/plan/view", headers={"accept": ACCEPT})
    damage(household)
    known = {"accept": ACCEPT, "if-none-match": before.headers["etag"]}
    after = await household.http.get("/api/v1/plan/view", headers=known)

    assert 'class="notice"' not in before.text
    assert (after.status_code, after.text.count('class="notice"')) == (200, 1)


async def test_a_form_is_refused_by_a_page_that_says_why(browser: Visitor) -> None:
    """What a person sends is answered by a page of its own title, with what to do."""
    damage(browser.daemon)
    answer = await browser.act(DEVELOPER, "create-key", name="My script", scopes=["service:read"])

    assert answer.status_code == 500
    assert "The store is damaged" in Page(answer.text).said
    assert "finplan backup restore" in Page(answer.text).said


async def test_tools_of_agents_end_with_it(household: RunningDaemon) -> None:
    """An answer of MCP has the sentence in its text; a tool that writes is refused with it."""
    key = await new_key(household, "service:read", "service:write")
    async with connected(household, key=key["key"]) as client:
        before = text_of(await client.call_tool("list_accounts", {}))
        damage(household)
        after = text_of(await client.call_tool("list_accounts", {}))
        refused = await client.call_tool("sync_connections", {})

    assert after.startswith(before)
    assert after[len(before) :].splitlines()[1] == SPOKEN
    assert (refused.is_error, text_of(refused).splitlines()[0]) == (True, SPOKEN)


async def test_a_question_of_an_agent_is_answered_with_it(household: RunningDaemon) -> None:
    """A2A answers what was spent, though its task cannot be kept, and what is unclear is asked back."""
    damage(household)
    answered = await asked(household, "How much did I spend on groceries in February 2026?")
    unclear = await asked(household, "Sing me a song.")

    assert answered["status"]["state"] == "TASK_STATE_COMPLETED"
    text = answered["artifacts"][0]["parts"][0]["text"]
    assert text.splitlines()[-1] == SPOKEN
    assert unclear["status"]["message"]["parts"][0]["text"].splitlines()[-1] == SPOKEN


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_screen_has_it_until_it_is_over(
    household: RunningDaemon, size: tuple[int, int]
) -> None:
    """The line above the keys says it on each screen; a change is refused with the same words."""
    async with open_screens(household, size=size) as opened:
        assert "The store is damaged" not in opened.text
        damage(household)
        for key in ("r", "S", "P", "T"):
            await opened.press(key)
            assert " ".join(opened.text.split()).count("The store is damaged") == 1
            assert "Not possible" not in opened.text
        await opened.press("d")
        assert "Not possible: the store is damaged." in opened.text
        damage_mark_of(household.store.path).unlink()
        household.store.file.damage = None
        await opened.press("S", "r")
        assert "The store is damaged" not in opened.text


async def test_damage_that_another_process_met_ends_writing(household: RunningDaemon) -> None:
    """Doctor and a backup look at the file by themselves, and leave a mark for the daemon."""
    assert household.store.damage is None
    damage_mark_of(household.store.path).touch()
    await household.http.get("/api/v1/accounts")
    assert household.store.damage is not None


@pytest.mark.parametrize(
    ("profile", "command"),
    [("default", "`finplan backup restore`"), ("demo", "`finplan --profile demo backup restore`")],
)
def test_the_command_restores_the_profile_that_is_damaged(profile: str, command: str) -> None:
    """Without its profile it would put back another household."""
    assert command in for_profile(sentence_of(STORE_DAMAGED), profile)
