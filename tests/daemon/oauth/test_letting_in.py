"""A program is let in by a person, and only as far as they said (OAuth 2.1)."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from finplan.daemon.surfaces.pages.markup import sentence
from finplan.service.authorization.scopes import SCOPES
from tests.daemon.oauth import visitor
from tests.daemon.running import NOW, RunningDaemon

USERINFO = "/auth/oauth2/userinfo"

# --- the way in ------------------------------------------------------------------------------------


async def test_a_program_is_let_in(
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """Code, tokens, use, refresh: each step gives what the next takes; state and issuer come back."""
    sent = await reader.let_in(ada)
    assert sent["state"] == "as/it&is"
    assert sent["iss"] == str(http.base_url).rstrip("/") + "/auth"

    got = await reader.exchange(sent["code"])

    assert got.status_code == 200
    assert got.headers["cache-control"] == "no-store"
    tokens = got.json()
    assert tokens["token_type"] == "Bearer"
    assert tokens["expires_in"] == 3600
    assert tokens["scope"] == "service:read service:write offline_access"
    assert (await reader.use(tokens["access_token"])).json()["email"] == "ada@localhost"
    again = (await reader.refresh(tokens["refresh_token"])).json()
    assert again["scope"] == tokens["scope"]
    assert again["refresh_token"] != tokens["refresh_token"]
    assert (await reader.use(again["access_token"])).status_code == 200


async def test_the_page_says_who_asks_for_what(http: visitor.Http, ada: visitor.Http) -> None:
    """The name that a program gave itself is only text; scopes are words; where one is sent is told."""
    reader = await visitor.program(
        http, client_name="<b>Bank</b>", redirect_uris=["https://app.example/cb"]
    )
    reader.redirect_uri = "https://app.example/cb"

    page = await ada.get(
        visitor.AUTHORIZE, params=reader.asking(scope="service:read offline_access")
    )

    assert "&lt;b&gt;Bank&lt;/b&gt;" in page.text
    assert "app.example" in page.text
    granted = [scope for scope, means in SCOPES.items() if sentence(means) in page.text]
    assert granted == ["service:read", "offline_access"]
    assert "form-action 'self' https://app.example;" in page.headers["content-security-policy"]


async def test_whoever_is_not_signed_in_is_asked_to_first(
    reader: visitor.Program, http: visitor.Http
) -> None:
    """The person is led to the page for signing in, and from there back to the request as it was."""
    asked = await http.get(
        visitor.AUTHORIZE, params=reader.asking(), headers={"Accept": "text/html"}
    )
    assert asked.status_code == 303
    assert asked.headers["location"].startswith(
        "/sign-in?return_to=%2Fauth%2Foauth2%2Fauthorize%3F"
    )


async def test_a_person_may_refuse(reader: visitor.Program, ada: visitor.Http) -> None:
    """The program is told so, and gets nothing."""
    sent = visitor.answered(await visitor.decide(ada, reader.asking(), "deny"))

    assert sent["error"] == "access_denied"
    assert sent["state"] == "as/it&is"
    assert "iss" in sent
    assert "code" not in sent


async def test_a_confidential_client_shows_its_secret(
    http: visitor.Http, ada: visitor.Http
) -> None:
    """In the header or in the form; without it, or with another one, it gets nothing."""
    reader = await visitor.program(http, token_endpoint_auth_method="client_secret_basic")
    secret = reader.client["client_secret"]
    basic = httpx.BasicAuth(reader.client["client_id"], secret)
    code = (await reader.let_in(ada))["code"]

    nothing = await reader.exchange(code)
    wrong = await reader.exchange(code, client_secret="fpx_another")
    right = await reader.exchange(code, client_secret=secret)

    assert (nothing.status_code, nothing.json()["error"]) == (401, "invalid_client")
    assert (wrong.status_code, wrong.json()["error"]) == (401, "invalid_client")
    assert right.status_code == 200
    refreshed = await http.post(
        "/auth/oauth2/token",
        data={"grant_type": "refresh_token", "refresh_token": right.json()["refresh_token"]},
        auth=basic,
    )
    assert refreshed.status_code == 200, refreshed.text


async def test_an_id_token_says_who_it_is(
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """It verifies by the published keys, is for the client, has the nonce; userinfo tells the same."""
    tokens = await reader.tokens(ada, scope="openid email profile", nonce="n-0S6_WzA2Mj")
    keys = KeySet.import_key_set((await http.get("/auth/oauth2/jwks")).json())

    claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims

    told = await reader.use(tokens["access_token"], "/auth/oauth2/userinfo")
    assert claims["aud"] == reader.client["client_id"]
    assert claims["nonce"] == "n-0S6_WzA2Mj"
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["sub"] == told.json()["sub"]
    assert told.json()["email"] == "ada@localhost"
    assert "refresh_token" not in tokens
    # What was granted opens nothing of the person's data.
    refused = await reader.use(tokens["access_token"])
    assert refused.status_code == 403
    assert 'error="insufficient_scope", scope="service:read"' in refused.headers["www-authenticate"]


async def test_who_somebody_is_is_told_by_either_method(
    http: visitor.Http, ada: visitor.Http
) -> None:
    """OpenID Connect Core 5.3.1 has both."""
    tokens = await (await visitor.program(http)).tokens(ada, scope="openid email")
    asked = [
        await http.request(method, USERINFO, headers=visitor.bearing(tokens["access_token"]))
        for method in ("GET", "POST")
    ]

    assert [answer.status_code for answer in asked] == [200, 200]
    assert asked[0].json() == asked[1].json()


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_who_may_not_know_who_somebody_is_is_told_why(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http, method: str
) -> None:
    """By the challenge of RFC 6750: no error without a token, what is wrong with one, what it lacks."""
    metadata = f'resource_metadata="{site.base_url}/.well-known/oauth-protected-resource"'
    little = (await (await visitor.program(http)).tokens(ada, scope="service:read"))["access_token"]

    async def told(headers: dict[str, str]) -> tuple[int, str]:
        answer = await http.request(method, USERINFO, headers=headers)
        return answer.status_code, answer.headers["www-authenticate"]

    assert await told({}) == (401, f"Bearer {metadata}")
    assert await told(visitor.bearing("fpa_wrong")) == (
        401,
        f'Bearer {metadata}, error="invalid_token"',
    )
    lacks = f'Bearer error="insufficient_scope", scope="openid", {metadata}'
    assert await told(visitor.bearing(little)) == (403, lacks)


# --- what nobody gets in by ------------------------------------------------------------------------


async def test_a_code_is_good_once(reader: visitor.Program, ada: visitor.Http) -> None:
    """One that comes again is refused, and all that followed from it is dead."""
    code = (await reader.let_in(ada))["code"]
    tokens = (await reader.exchange(code)).json()

    again = await reader.exchange(code)

    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert (await reader.use(tokens["access_token"])).status_code == 401
    assert (await reader.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_refresh_token_is_good_once(reader: visitor.Program, ada: visitor.Http) -> None:
    """One that comes again ends its successors too, since one of the two who have it stole it."""
    first = await reader.tokens(ada)
    second = (await reader.refresh(first["refresh_token"])).json()

    stolen = await reader.refresh(first["refresh_token"])

    assert stolen.json()["error"] == "invalid_grant"
    assert (await reader.refresh(second["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await reader.use(second["access_token"])).status_code == 401


async def test_of_two_at_once_one_gets_tokens(reader: visitor.Program, ada: visitor.Http) -> None:
    """A code that is exchanged twice at the same time gives tokens once, and they are dead then."""
    code = (await reader.let_in(ada))["code"]

    both = await asyncio.gather(reader.exchange(code), reader.exchange(code))

    assert sorted(each.status_code for each in both) == [200, 400]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "service:everything"}, "invalid_scope"),
        ({"resource": "https://elsewhere.example"}, "invalid_target"),
    ],
)
async def test_a_bad_request_is_sent_back(
    reader: visitor.Program, ada: visitor.Http, changes: dict[str, str | None], error: str
) -> None:
    """A program that the person has let in is told what is wrong; any other one gets nobody sent."""
    unapproved = await ada.get(visitor.AUTHORIZE, params=reader.asking(**changes))
    await reader.tokens(ada)
    sent = visitor.answered(await ada.get(visitor.AUTHORIZE, params=reader.asking(**changes)))

    assert visitor.led_nowhere(unapproved)
    assert sent["error"] == error
    assert sent["state"] == "as/it&is"
    assert "iss" in sent


@pytest.mark.sampled(3)
@pytest.mark.parametrize("prompt", ["consent", "login consent", "select_account", "nonesuch", ""])
async def test_any_other_prompt_asks(http: visitor.Http, ada: visitor.Http, prompt: str) -> None:
    """The person is asked as ever, and to sign in first where nobody is."""
    asking = (await visitor.program(http)).asking(prompt=prompt)

    assert (await ada.get(visitor.AUTHORIZE, params=asking)).status_code == 200
    to_sign_in = await http.get(visitor.AUTHORIZE, params=asking, headers={"Accept": "text/html"})
    assert to_sign_in.headers["location"].startswith("/sign-in?return_to=")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:4711/elsewhere",
        "http://127.0.0.1:4711/callback?more=1",
        "http://localhost:4711/callback",
        "https://127.0.0.1:4711/callback",
        "http://127.0.0.1:4711@evil.example/callback",
        "http://evil.example/callback",
        "//evil.example/callback",
        "/callback",
        "javascript:alert(1)",
        "http://127.0.0.1:4711/callback#fragment",
        "http://127.0.0.1:4711/callback ",
        "http://127.0.0.1:99999/callback",
    ],
)
async def test_addresses_are_those_registered(
    reader: visitor.Program, ada: visitor.Http, address: str
) -> None:
    """An address that differs in more than the loopback's port is told on a page, and led to nowhere."""
    page = await ada.get(visitor.AUTHORIZE, params=reader.asking(redirect_uri=address))

    assert visitor.led_nowhere(page)


async def test_an_unknown_program_leads_nowhere(ada: visitor.Http) -> None:
    """Without a program that is known there is no address that one may be sent to."""
    page = await ada.get(
        visitor.AUTHORIZE,
        params={
            "response_type": "code",
            "client_id": "app_nobody",
            "redirect_uri": "https://evil.example",
        },
    )
    assert visitor.led_nowhere(page)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"client_id": None}, "sent it: client_id is missing"),
        ({"client_id": "app_nobody"}, "No app with this client_id is registered."),
        ({"client_id": "app_nobody", "response_type": None}, "finplan supports only `code`"),
        ({"redirect_uri": None}, "say which to use: redirect_uri is missing"),
        ({"redirect_uri": "https://evil.example"}, "send you to https://evil.example, an address"),
        ({"redirect_uri": "http://x/<b>"}, "send you to http://x/&lt;b&gt;, an address"),
        ({"redirect_uri": 'http://x/"'}, "The parameter redirect_uri contains a character"),
    ],
)
async def test_a_person_reads_why_they_are_led_nowhere(
    http: visitor.Http, ada: visitor.Http, changes: dict[str, str | None], said: str
) -> None:
    """In words, with the address that was asked for, and never as programs are told."""
    several = await visitor.program(
        http, redirect_uris=[visitor.CALLBACK, "https://app.example/back"]
    )

    page = await ada.get(visitor.AUTHORIZE, params=several.asking(**changes))

    assert visitor.led_nowhere(page)
    assert said in page.text
    for raw in ("&amp;", "&#x27;", "unsupported_response_type<", "by client"):
        assert raw not in page.text


async def test_a_registration_is_told_which_address_is_wrong(http: visitor.Http) -> None:
    """Of several addresses the one that nobody may be sent to is named."""
    said = {"redirect_uris": [visitor.CALLBACK, "http://app.example/back"]}

    refused = await http.post(visitor.REGISTER, json=said)

    told = refused.json()
    assert (refused.status_code, told["error"]) == (400, "invalid_redirect_uri")
    assert told["error_description"].endswith("The address is 'http://app.example/back'.")


async def test_a_parameter_is_given_once(reader: visitor.Program, ada: visitor.Http) -> None:
    """Of two addresses nobody can say which was meant."""
    asking = reader.asking()
    twice = {**asking, "redirect_uri": [asking["redirect_uri"], "https://evil.example"]}

    page = await ada.get(visitor.AUTHORIZE, params=twice)

    assert visitor.led_nowhere(page)


async def test_consent_needs_its_own_form(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http
) -> None:
    """A form without the session's token, or with another session's, allows nothing."""
    page = await ada.get(visitor.AUTHORIZE, params=reader.asking())
    fields = visitor.hidden_fields(page.text)

    without = await ada.post(visitor.AUTHORIZE, data={"asked": fields["asked"], "do": "allow"})
    async with visitor.browser(site) as other:
        anothers = await other.post(visitor.AUTHORIZE, data={**fields, "do": "allow"})
    elsewhere = await ada.post(
        visitor.AUTHORIZE, data={**fields, "do": "allow"}, headers={"Sec-Fetch-Site": "same-site"}
    )
    foreign = await ada.post(
        visitor.AUTHORIZE,
        data={**fields, "do": "allow"},
        headers={"Origin": "https://evil.example"},
    )

    assert {each.status_code for each in (without, anothers, elsewhere, foreign)} == {403}
    assert (await site.http.get("/api/v1/clients")).json() == []


async def test_what_was_asked_is_checked_again_with_the_answer(
    reader: visitor.Program, ada: visitor.Http
) -> None:
    """A form whose request was changed meanwhile is refused as the request would have been."""
    page = await ada.get(visitor.AUTHORIZE, params=reader.asking())
    fields = visitor.hidden_fields(page.text)
    assert "127.0.0.1" in fields["asked"]
    fields["asked"] = fields["asked"].replace("127.0.0.1", "evil.example")

    answer = await ada.post(visitor.AUTHORIZE, data={**fields, "do": "allow"})

    assert visitor.led_nowhere(answer)


async def test_a_code_is_bound(
    http: visitor.Http, ada: visitor.Http, moment: list[datetime]
) -> None:
    """To its program, its address, its challenge, and a minute; what is wrong uses nothing up."""
    reader, other = await visitor.program(http), await visitor.program(http)
    code = (await reader.let_in(ada))["code"]

    stolen = await visitor.Program(http, other.client, verifier=reader.verifier).exchange(code)
    elsewhere = await reader.token(
        grant_type="authorization_code",
        code=code,
        redirect_uri="http://127.0.0.1:1/callback",
        code_verifier=reader.verifier,
    )
    guessed = await visitor.Program(http, reader.client).exchange(code)
    unproven = await reader.token(
        grant_type="authorization_code", code=code, redirect_uri=reader.redirect_uri
    )

    assert [each.json()["error"] for each in (stolen, elsewhere, guessed, unproven)] == [
        "invalid_grant",
        "invalid_grant",
        "invalid_grant",
        "invalid_request",
    ]
    moment[0] += timedelta(seconds=60)
    assert (await reader.exchange(code)).json()["error"] == "invalid_grant"


async def test_tokens_end(
    reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """An access token after an hour, to the millisecond; a refresh token after thirty days unused."""
    tokens = await reader.tokens(ada)

    moment[0] = NOW + timedelta(hours=1) - timedelta(milliseconds=1)
    assert (await reader.use(tokens["access_token"])).status_code == 200
    moment[0] = NOW + timedelta(hours=1)
    over = await reader.use(tokens["access_token"])
    assert over.status_code == 401
    assert 'error="invalid_token"' in over.headers["www-authenticate"]
    moment[0] = NOW + timedelta(days=30)
    assert (await reader.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_refresh_gives_no_more_than_was_granted(
    reader: visitor.Program, ada: visitor.Http
) -> None:
    """Less may be asked for, and all of it again later; more is refused."""
    tokens = await reader.tokens(ada, scope="service:read offline_access")

    more = await reader.refresh(tokens["refresh_token"], scope="service:read service:write")
    less = (await reader.refresh(tokens["refresh_token"], scope="service:read")).json()
    all_again = (await reader.refresh(less["refresh_token"])).json()

    assert more.json()["error"] == "invalid_scope"
    assert less["scope"] == "service:read"
    assert all_again["scope"] == "service:read offline_access"


async def test_a_client_is_granted_no_more_than_it_registered_for(
    http: visitor.Http, ada: visitor.Http
) -> None:
    """What it asks for beyond that is left out, and it is told what it has."""
    reader = await visitor.program(http, scope="service:read")

    tokens = await reader.tokens(ada)

    assert tokens["scope"] == "service:read"
    refused = await http.post(
        "/api/v1/plan", json={}, headers={"Authorization": f"Bearer {tokens['access_token']}"}
    )
    assert refused.status_code == 403


async def test_a_token_is_for_its_resource(http: visitor.Http, ada: visitor.Http) -> None:
    """One for the MCP server opens no REST route; one for the site may be narrowed, never widened."""
    site_url = str(http.base_url).rstrip("/")
    reader = await visitor.program(http)
    narrow = await reader.tokens(ada, resource=f"{site_url}/mcp")
    whole = await reader.tokens(ada, resource=f"{site_url}/")

    widened = await reader.refresh(narrow["refresh_token"], resource=f"{site_url}/api/v1")
    narrowed = await reader.refresh(whole["refresh_token"], resource=f"{site_url}/mcp")

    assert (await visitor.use(http, narrow["access_token"])).status_code == 401
    assert (await visitor.use(http, whole["access_token"])).status_code == 200
    assert widened.json()["error"] == "invalid_target"
    assert (await visitor.use(http, narrowed.json()["access_token"])).status_code == 401


async def test_a_refresh_token_is_no_access_token(
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """Nor is a code, or an access token of another scheme."""
    tokens = await reader.tokens(ada)

    assert (await reader.use(tokens["refresh_token"])).status_code == 401
    assert (await reader.refresh(tokens["access_token"])).json()["error"] == "invalid_grant"
    basic = await http.get(
        "/api/v1/me", headers={"Authorization": f"Basic {tokens['access_token']}"}
    )
    assert basic.status_code == 401


async def test_a_wrong_token_is_not_made_up_for_by_a_cookie(
    ada: visitor.Http, site: RunningDaemon
) -> None:
    """Whatever a browser adds by itself, the token that is shown is what counts."""
    answer = await site.http.get("/api/v1/me", headers={"Authorization": "Bearer fpa_wrong"})
    assert answer.status_code == 401
    # Nor does a token open what is the person's own.
    mine = await ada.get("/api/v1/keys")
    assert mine.status_code == 200


# --- taking it back --------------------------------------------------------------------------------


async def test_what_is_taken_back_is_dead(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http
) -> None:
    """By the program itself, token by token or all; by the person, all of the program's."""
    first, second, third = [await reader.tokens(ada) for _ in range(3)]
    client_id = reader.client["client_id"]

    one = await reader.http.post(
        visitor.REVOKE, data={"token": first["access_token"], "client_id": client_id}
    )
    assert (one.status_code, one.json()) == (200, {})
    assert (await reader.use(first["access_token"])).status_code == 401
    assert (await reader.refresh(first["refresh_token"])).status_code == 200

    await reader.http.post(
        visitor.REVOKE, data={"token": second["refresh_token"], "client_id": client_id}
    )
    assert (await reader.use(second["access_token"])).status_code == 401

    listed = (await site.http.get("/api/v1/clients")).json()
    assert [(each["id"], each["yours"]) for each in listed] == [(client_id, False)]
    assert (await site.http.delete(f"/api/v1/clients/{client_id}")).status_code == 200
    refused = await reader.use(third["access_token"])
    assert refused.status_code == 401
    assert "resource_metadata=" in refused.headers["www-authenticate"]
    assert (await reader.refresh(third["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await site.http.get("/api/v1/clients")).json() == []


async def test_an_unknown_token_is_taken_back_without_a_word(
    reader: visitor.Program, http: visitor.Http
) -> None:
    """Whether there was such a token is not told."""
    answer = await http.post(
        visitor.REVOKE, data={"token": "fpa_nobody", "client_id": reader.client["client_id"]}
    )
    assert (answer.status_code, answer.json()) == (200, {})


async def test_nobody_takes_back_anothers_token(http: visitor.Http, ada: visitor.Http) -> None:
    """A program that shows another one's token changes nothing."""
    reader, other = await visitor.program(http), await visitor.program(http)
    tokens = await reader.tokens(ada)

    await http.post(
        visitor.REVOKE,
        data={"token": tokens["access_token"], "client_id": other.client["client_id"]},
    )

    assert (await visitor.use(http, tokens["access_token"])).status_code == 200


async def test_all_of_it_is_recorded_without_secrets(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http, tmp_path: Path
) -> None:
    """A person reads who was let in and refused; the store's file holds none of the secrets."""
    reader = await visitor.program(http, token_endpoint_auth_method="client_secret_post")
    code = (await reader.let_in(ada))["code"]
    secret = reader.client["client_secret"]
    tokens = (await reader.exchange(code, client_secret=secret)).json()
    await visitor.decide(ada, reader.asking(), "deny")
    await reader.exchange(code, client_secret=secret)

    told = (await site.http.get("/api/v1/audit")).json()

    kinds = [event["kind"] for event in told]
    assert kinds[:3] == ["token.replayed", "client.refused", "client.granted"]
    stored = await asyncio.to_thread(_content, tmp_path)
    cookie = next(iter(ada.cookies.jar)).value or ""
    for hidden in (code, secret, tokens["access_token"], tokens["refresh_token"], cookie):
        assert hidden.encode() not in stored
        assert hidden not in str(told)


def _content(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.glob("finplan.db*"))


# --- registering -----------------------------------------------------------------------------------


async def test_registering_tells_what_holds(http: visitor.Http) -> None:
    """A public client gets no secret; without scopes it may ask for all; what is unknown is ignored."""
    made = await http.post(
        visitor.REGISTER,
        json={
            "redirect_uris": ["http://localhost:33418/", "cursor://anysphere.cursor/callback"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
            "software_statement": "unread",
            "jwks": {},
        },
    )

    told = made.json()
    assert made.status_code == 201
    assert "client_secret" not in told
    assert told["application_type"] == "native"
    assert "offline_access" in told["scope"].split()
    assert told["client_name"] == "Unnamed app"


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example"}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb#x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://u@a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a;script-src.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["file:///etc/passwd"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["vbscript:msgbox(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [visitor.CALLBACK, "myapp://back"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://é.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"https://a.example/{'x' * 2000}"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [visitor.CALLBACK] * 21}, "invalid_redirect_uri"),
        (
            {"redirect_uris": [visitor.CALLBACK], "grant_types": ["implicit"]},
            "invalid_client_metadata",
        ),
        (
            {"redirect_uris": [visitor.CALLBACK], "response_types": ["token"]},
            "invalid_client_metadata",
        ),
        ({"redirect_uris": [visitor.CALLBACK], "scope": "everything"}, "invalid_client_metadata"),
        ({"redirect_uris": [visitor.CALLBACK], "client_name": "\x07"}, "invalid_client_metadata"),
        (
            {"redirect_uris": [visitor.CALLBACK], "token_endpoint_auth_method": "private_key_jwt"},
            "invalid_client_metadata",
        ),
    ],
)
async def test_what_cannot_hold_is_refused(
    http: visitor.Http, said: dict[str, object], error: str
) -> None:
    """The body is the RFC's, and says which word is wrong."""
    answer = await http.post(visitor.REGISTER, json=said)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert answer.json()["error_description"]


async def test_a_flood_of_registrations_is_stopped(http: visitor.Http) -> None:
    """After twenty in an hour from one address more are refused, with when to come again."""
    for _ in range(20):
        await visitor.program(http)
    answer = await http.post(visitor.REGISTER, json={"redirect_uris": [visitor.CALLBACK]})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 3000


async def test_a_client_that_nobody_let_in_is_forgotten(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http, moment: list[datetime]
) -> None:
    """A day later, when the next one registers; one that was let in or made by a person stays."""
    used, unused = await visitor.program(http), await visitor.program(http)
    await used.tokens(ada)
    own = (
        await site.http.post(
            "/api/v1/clients", json={"name": "Mine", "redirectUris": [visitor.CALLBACK]}
        )
    ).json()
    moment[0] += timedelta(days=1, milliseconds=1)

    await visitor.program(http)

    assert (await unused.refresh("x")).json()["error"] == "invalid_client"
    assert (await used.refresh("x")).json()["error"] == "invalid_grant"
    assert own["id"] in {each["id"] for each in (await site.http.get("/api/v1/clients")).json()}


async def test_registering_and_arriving_is_told(site: RunningDaemon, http: visitor.Http) -> None:
    """A program that registers itself and an agent without an account are on the owner's record."""
    await visitor.program(http, client_name="Ledger Reader")
    agent = await visitor.introduced(http)

    told = (await site.http.get("/api/v1/audit")).json()

    assert [event["kind"] for event in told] == ["agent.introduced", "client.registered"]
    assert agent.id in told[0]["text"]
    assert "'Ledger Reader'" in told[1]["text"]


async def test_what_a_proxy_asks_for_is_no_credential_here(site: RunningDaemon) -> None:
    """Another scheme than Bearer neither lets in nor keeps out; a second header could mean anything."""
    basic = ("Authorization", "Basic YWRhOng=")
    beside = await site.http.get("/api/v1/me", headers=[basic])
    both = await site.http.get("/api/v1/me", headers=[basic, ("Authorization", "Bearer fpa_x")])
    empty = await site.http.get("/api/v1/me", headers=[("Authorization", "Bearer")])
    assert (beside.status_code, both.status_code, empty.status_code) == (200, 401, 401)
