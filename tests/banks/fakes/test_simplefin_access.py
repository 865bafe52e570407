"""How the fake bridge is entered, and who is let in no more."""

from base64 import b64decode
from datetime import date

import httpx
import pytest

from tests.banks.fakes.simplefin import (
    DISABLED_AFTER,
    WARNED_AFTER,
    SimplefinBridge,
    too_many,
)
from tests.banks.fakes.ways import Person
from tests.banks.fakes.world import Held, World


def test_a_setup_token_is_a_url_in_base64() -> None:
    """It names where it is claimed, by https."""
    bridge = SimplefinBridge(World(date(2026, 6, 15)))
    bridge.port = 4433
    url = b64decode(bridge.setup_token()).decode()
    assert url.startswith("https://127.0.0.1:4433/simplefin/claim/")
    assert bridge.setup_token() != bridge.setup_token()


async def test_a_token_is_claimed_once(bridge: SimplefinBridge, person: Person) -> None:
    """The access URL carries its credentials; whoever comes second is refused with a page."""
    token = bridge.setup_token()
    first = await person.claim(token)
    assert first.headers["Content-Type"].startswith("text/plain")
    url = httpx.URL(first.text)
    assert (url.scheme, url.path) == ("https", "/simplefin")
    assert url.username
    assert url.password
    second = await person.claim(token)
    assert second.status_code == 403
    assert "Access denied" in second.text
    assert second.headers["Content-Type"].startswith("text/html")
    assert (await person.ask()).status_code == 200, "the first claim's access lives on"


async def test_the_demo_token_is_claimed_any_number_of_times(
    bridge: SimplefinBridge, person: Person
) -> None:
    """Each time with an access of its own."""
    first = (await person.claim(bridge.demo_token())).text
    assert (await person.claim(bridge.demo_token())).text not in {"", first}


async def test_a_claim_says_its_length(bridge: SimplefinBridge, person: Person) -> None:
    """A claim without a length is not served, and the token is not spent."""
    token = bridge.setup_token()
    request = person.client.build_request("POST", b64decode(token).decode())
    del request.headers["Content-Length"]
    assert (await person.client.send(request)).status_code == 411
    assert (await person.claim(token)).status_code == 200


async def test_only_the_right_credentials_are_served(
    bridge: SimplefinBridge, person: Person
) -> None:
    """None, another's password and access that the person took back are refused alike."""
    right = httpx.URL(person.access)
    for wrong in (
        right.copy_with(username=None, password=None),
        right.copy_with(password="guess"),
        right.copy_with(username="guess"),
    ):
        person.access = str(wrong)
        assert (await person.ask()).status_code == 403
    person.access = str(right)
    assert (await person.ask()).status_code == 200
    bridge.disable()
    assert (await person.ask()).status_code == 403


async def test_who_has_not_paid_is_told(bridge: SimplefinBridge, person: Person) -> None:
    """With 402 and an answer in the usual shape."""
    bridge.payment_due = True
    answer = await person.ask()
    assert answer.status_code == 402
    assert answer.json() == {"errors": ["Payment required."], "accounts": []}


@pytest.mark.thorough
async def test_too_many_requests_a_day_are_warned_of_and_then_end_the_access(
    world: World, bridge: SimplefinBridge, person: Person
) -> None:
    """Each day begins anew; access that was disabled stays so."""
    for _each in range(WARNED_AFTER):
        assert (await person.accounts())["errors"] == []
    [warning] = (await person.accounts())["errors"]
    assert "24 requests per day" in warning
    world.advance()
    assert bridge.used_today() == 0
    for _each in range(DISABLED_AFTER):
        assert (await person.ask()).status_code == 200
    assert bridge.used_today() == DISABLED_AFTER
    assert (await person.ask()).status_code == 403
    world.advance()
    assert (await person.ask()).status_code == 403
    await person.claim(bridge.setup_token())
    assert (await person.ask()).status_code == 200


async def test_a_request_too_many_may_be_told_when_to_come_again(
    bridge: SimplefinBridge, person: Person
) -> None:
    """In the bridge's own words, which are no JSON."""
    bridge.misbehave(too_many(3600), "*/accounts")
    answer = await person.ask()
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert answer.text == "Expected usage of this API is 24 requests per day"


async def test_a_link_anew_changes_ids_and_not_names(
    world: World, checking: Held, person: Person
) -> None:
    """Neither the account nor its connection or rows can be known by id."""
    world.book(checking, -450, "CORNER CAFE")
    before = await person.accounts(("version", 2))
    world.relink(world.banks[checking.bank])
    after = await person.accounts(("version", 2))
    for answer in (before, after):
        answer["ids"] = {
            answer["connections"][0].pop("conn_id"),
            answer["accounts"][0].pop("conn_id"),
            answer["accounts"][0].pop("id"),
            answer["accounts"][0]["transactions"][0].pop("id"),
        }
    assert not before.pop("ids") & after.pop("ids")
    assert before == after


async def test_the_bridge_says_its_versions(bridge: SimplefinBridge, person: Person) -> None:
    """Without credentials."""
    answer = await person.client.get(f"{bridge.url}/simplefin/info")
    assert answer.json() == {"versions": ["1.0", "2.0"]}
