"""The agent card, as an agent finds it before it has a credential."""

from collections.abc import Iterator
from typing import Any

from tests.daemon.running import RunningDaemon

CARD = "/.well-known/agent-card.json"


async def card_of(running: RunningDaemon) -> dict[str, Any]:
    running.http.cookies.clear()
    answer = await running.http.get(CARD, headers={"Origin": "https://agents.example"})
    assert answer.status_code == 200
    read: dict[str, Any] = answer.json()
    return read


async def test_it_has_all_that_is_required(household: RunningDaemon) -> None:
    """CARD-DISC-001, CARD-PROTO-001 and 002, CARD-STRUCT-001: every required field holds something."""
    card = await card_of(household)

    required = {"name", "description", "version", "supportedInterfaces", "capabilities", "skills"}
    modes = {"defaultInputModes", "defaultOutputModes"}
    assert all(card[each] for each in required | modes)
    (interface,) = card["supportedInterfaces"]
    assert interface == {
        "url": f"{household.base_url}/a2a",
        "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0",
    }
    assert set(card["capabilities"].values()) == {False}
    (skill,) = card["skills"]
    assert skill["id"] == "query_spending"
    assert all(skill[each] for each in ("name", "description", "tags", "examples"))


async def test_it_says_how_an_agent_is_let_in(household: RunningDaemon) -> None:
    """The schemes are those that are required, and the addresses of OAuth are those of the site."""
    card = await card_of(household)

    required = [name for each in card["securityRequirements"] for name in each["schemes"]]
    assert sorted(required) == sorted(card["securitySchemes"]) == ["apiKey", "oauth"]
    key = card["securitySchemes"]["apiKey"]["apiKeySecurityScheme"]
    assert key == {"location": "header", "name": "x-api-key"}
    oauth = card["securitySchemes"]["oauth"]["oauth2SecurityScheme"]
    metadata = (await household.http.get(oauth["oauth2MetadataUrl"])).json()
    flow = oauth["flows"]["authorizationCode"]
    assert flow["authorizationUrl"] == metadata["authorization_endpoint"]
    assert flow["tokenUrl"] == flow["refreshUrl"] == metadata["token_endpoint"]
    assert set(flow["scopes"]) == {"service:read"} <= set(metadata["scopes_supported"])
    assert flow["pkceRequired"] is True


async def test_its_examples_are_understood(household: RunningDaemon) -> None:
    """What the card says that one may ask is answered."""
    from tests.daemon.a2a.talking import asked

    for example in (await household.http.get(CARD)).json()["skills"][0]["examples"]:
        assert (await asked(household, example))["status"]["state"] == "TASK_STATE_COMPLETED"


async def test_it_holds_nothing_empty(household: RunningDaemon) -> None:
    """No field is null or empty, which readers of ProtoJSON take as left out."""

    def values(each: Any) -> Iterator[Any]:
        yield each
        for inner in each.values() if isinstance(each, dict) else each:
            yield from values(inner) if isinstance(inner, dict | list) else (inner,)

    scopes = [each for each in values(await card_of(household)) if each in (None, "", {}, [])]
    assert scopes == [[], []], "The API key alone, of the card and of its skill, has no scopes."


async def test_who_shows_no_credential_is_told_how_to_get_one(household: RunningDaemon) -> None:
    """401 with the address of the metadata of this very part, for any body; a key in vain as well."""
    household.http.cookies.clear()
    for path in ("/a2a", "/a2a/"):
        for headers in ({}, {"x-api-key": "fp_wrong"}, {"Authorization": "Bearer no"}):
            answer = await household.http.post(path, content=b"{", headers=headers)
            assert answer.status_code == 401
            metadata = f"{household.base_url}/.well-known/oauth-protected-resource/a2a"
            challenge = answer.headers["www-authenticate"]
            assert challenge.startswith("Bearer ")
            assert f'resource_metadata="{metadata}"' in challenge
            told = (await household.http.get(metadata)).json()
            assert told["resource"] == f"{household.base_url}/a2a"


async def test_a_page_of_another_origin_asks_nothing(household: RunningDaemon) -> None:
    """The card is for pages of any origin, what is asked of a person's money is not."""
    answer = await household.http.post("/a2a", json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


async def test_a_large_body_is_refused(household: RunningDaemon) -> None:
    """A body has at most 64 KB, packed or not, and is refused as anywhere else."""
    import gzip

    begin, end = b'{"jsonrpc":"2.0","id":"', b'","method":"ListTasks"}'
    most = begin + b"x" * (65_536 - len(begin) - len(end)) + end
    read = await household.http.post("/a2a", content=most)
    assert read.status_code == 200, read.text
    body = most.replace(begin, begin + b"x")
    for content, coding in ((body, {}), (gzip.compress(body), {"Content-Encoding": "gzip"})):
        answer = await household.http.post("/a2a", content=content, headers=coding)
        assert (answer.status_code, answer.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")
    packed = await household.http.post("/a2a", content=b"x", headers={"Content-Encoding": "br"})
    assert packed.status_code == 415
