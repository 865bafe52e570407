"""The authorization server over HTTP: forms and documents in, the bodies of their RFCs out.

A program finds out how it is let in by documents of RFC 9728, RFC 8414 and OpenID Discovery. Clients
look for the same document at several paths, so it is at all of them. What people are shown of the
authorization server is in `site/`.
"""

import base64
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import hdrs, web
from pydantic_core import from_json, to_json
from sqlalchemy import Connection

from finplan.daemon import middleware
from finplan.daemon.auth.client_address import AddressOf, counted_as
from finplan.daemon.auth.credentials import AccessTokens
from finplan.daemon.rate_limit import GUESTS_LIMIT, Windows
from finplan.daemon.startup import LateSealer
from finplan.model.credential import KEY_SCOPES
from finplan.model.errors import Fault, InsufficientScope, Unauthorized
from finplan.model.user import EMAIL
from finplan.service.authorization import scopes
from finplan.store.store import Store

PROTECTED = "/.well-known/oauth-protected-resource"
PROTECTED_PATHS: Mapping[str, str] = {
    f"{PROTECTED}{path}": path for path in ("", "/mcp", "/a2a", "/api", "/api/v1")
}
"""Where the metadata of a resource is, with the resource's own path: each may be asked a token for."""

ISSUER_PATH = "/auth"
SERVER_PATHS = (
    "/.well-known/oauth-authorization-server/auth",
    "/.well-known/oauth-authorization-server",
    "/auth/.well-known/oauth-authorization-server",
    "/auth/.well-known/openid-configuration",
    "/.well-known/openid-configuration/auth",
    "/.well-known/openid-configuration",
)
"""Where the metadata of the authorization server is."""

AUTHORIZE, TOKEN, REGISTER, REVOKE, JWKS, USERINFO = (
    f"{ISSUER_PATH}/oauth2/{name}"
    for name in ("authorize", "token", "register", "revoke", "jwks", "userinfo")
)
IDENTITY = "/agent/identity"
CLAIM = "/agent/identity/claim"
CLAIM_PAGE = "/claim"
SKILL = "/auth.md"


def issuer_of(site_url: str) -> str:
    """Who the authorization server of a site is."""
    return f"{site_url}{ISSUER_PATH}"


def protected_resource(site_url: str, path: str) -> Mapping[str, Any]:
    """The metadata of a part of the site that takes tokens."""
    return {
        "resource": f"{site_url}{path}",
        "authorization_servers": [issuer_of(site_url)],
        "scopes_supported": list(KEY_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "finplan",
        "resource_documentation": f"{site_url}/api/docs",
    }


def authorization_server(site_url: str) -> Mapping[str, Any]:
    """The metadata of the authorization server, with how agents come without an account."""
    return {
        "issuer": issuer_of(site_url),
        "authorization_endpoint": f"{site_url}{AUTHORIZE}",
        "token_endpoint": f"{site_url}{TOKEN}",
        "registration_endpoint": f"{site_url}{REGISTER}",
        "revocation_endpoint": f"{site_url}{REVOKE}",
        "jwks_uri": f"{site_url}{JWKS}",
        "userinfo_endpoint": f"{site_url}{USERINFO}",
        "scopes_supported": list(scopes.SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [*scopes.GRANT_TYPES, scopes.ASSERTION_GRANT, scopes.CLAIM_GRANT],
        "token_endpoint_auth_methods_supported": ["none", *scopes.AUTH_METHODS[:2]],
        "revocation_endpoint_auth_methods_supported": ["none", *scopes.AUTH_METHODS[:2]],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": ["sub", "name", "email", "email_verified", "auth_time", "nonce"],
        "service_documentation": f"{site_url}/api/docs",
        "agent_auth": {
            "skill": f"{site_url}{SKILL}",
            "identity_endpoint": f"{site_url}{IDENTITY}",
            "claim_endpoint": f"{site_url}{CLAIM}",
            "identity_types_supported": ["anonymous"],
        },
    }


AN_HOUR = 3600.0
REGISTRATIONS = 20
"""How many clients may register themselves from one address in an hour."""

ALL_REGISTRATIONS = 200
"""How many from all addresses together."""

INTRODUCTIONS = 5
"""How many agents may come without an account from one address in an hour."""

ALL_INTRODUCTIONS = 100
"""How many from all addresses together."""

CLAIMS = 30
"""How often agents may ask to be claimed from one address in an hour: each is on the person's record."""

FORM = "application/x-www-form-urlencoded"
_KEPT: Mapping[str, str] = {hdrs.CACHE_CONTROL: "public, max-age=300"}
_SECRET: Mapping[str, str] = {hdrs.CACHE_CONTROL: "no-store", hdrs.PRAGMA: "no-cache"}


class Declined(Exception):
    """A request is answered with an error of its RFC."""

    def __init__(
        self, status: int, error: str, description: str, retry_after: int | None = None
    ) -> None:
        super().__init__(description)
        self.status = status
        self.error = error
        self.description = description
        self.retry_after = retry_after


@dataclass(slots=True)
class Counter:
    """The authorization server's desk: its store and clock, what it signs with, and what it counts."""

    store: Store
    now: Callable[[], datetime]
    site_url: str
    sealer: LateSealer
    tokens: AccessTokens
    address_of: AddressOf
    registrations: Windows = field(default_factory=lambda: Windows(length=AN_HOUR))
    introductions: Windows = field(default_factory=lambda: Windows(length=AN_HOUR))
    claims: Windows = field(default_factory=lambda: Windows(length=AN_HOUR))
    _signing: Any = None

    def milliseconds(self) -> int:
        """The present instant."""
        return int(self.now().timestamp() * 1000)

    async def signer(self) -> Any:
        """Who signs now."""
        from finplan.service.authorization.signing import SigningKeys

        if self._signing is None:
            self._signing = SigningKeys(self.store, issuer_of(self.site_url))
        return await self._signing.signer(await self.sealer(), self.milliseconds())

    async def in_setting(
        self, request: web.Request, work: Callable[[Any], Any], *, signs: bool = False
    ) -> Any:
        """Run a function of the authorization server in a transaction of its own.

        The data key is asked for only where something `signs`.
        """
        from finplan.service.authorization.server import Setting

        signer = await self.signer() if signs else None
        address, now, issuer = (
            self.address_of(request),
            self.milliseconds(),
            issuer_of(self.site_url),
        )

        def run(connection: Connection) -> Any:
            return work(Setting(connection, now, self.site_url, signer, address, issuer))

        return await self.store.write(run)

    def read_request(self, request: web.Request, pairs: Sequence[tuple[str, str]]) -> Any:
        """The request as Authlib's core reads it, by the address that the client knows."""
        from finplan.service.authorization.server import AskedRequest

        uri = f"{self.site_url}{request.rel_url}"
        return AskedRequest(request.method, uri, pairs, dict(request.headers))


def add_routes(router: web.UrlDispatcher, counter: Counter) -> None:
    """Add the documents and the endpoints."""
    for path, resource in PROTECTED_PATHS.items():
        document = partial(protected_resource, counter.site_url, resource)
        middleware.add_for_any_origin(router, path, _document(document), "GET")
    for path in SERVER_PATHS:
        document = partial(authorization_server, counter.site_url)
        middleware.add_for_any_origin(router, path, _document(document), "GET")
    middleware.add_for_any_origin(router, SKILL, partial(_skill, counter), "GET")
    # What is wrong with a token is told by its challenge, as everywhere else (RFC 6750).
    middleware.add_for_any_origin(router, USERINFO, partial(_userinfo, counter), "GET", "POST")
    for method, path, answer in (
        ("POST", TOKEN, _token),
        ("POST", REVOKE, _revoke),
        ("POST", REGISTER, _register),
        ("GET", JWKS, _jwks),
    ):
        middleware.add_for_any_origin(router, path, _declining(partial(answer, counter)), method)
    # A page of another origin is no agent, and would use up what agents of this machine may ask.
    router.add_post(IDENTITY, middleware.is_open(_declining(partial(_introduce, counter))))
    router.add_post(CLAIM, middleware.is_open(_declining(partial(_ask_claim, counter))))


def _document(make: Callable[[], Mapping[str, Any]]) -> middleware.AnswerAny:
    async def send(_request: web.Request) -> web.StreamResponse:
        return _json(make(), headers=_KEPT)

    return send


async def _skill(counter: Counter, _request: web.Request) -> web.StreamResponse:
    text = Path(__file__).with_name("auth.md").read_text(encoding="utf-8")
    for name, value in _told_to_agents(counter.site_url).items():
        text = text.replace(f"{{{name}}}", str(value))
    return web.Response(text=text, content_type="text/markdown", headers=_KEPT)


def _told_to_agents(site_url: str) -> Mapping[str, object]:
    """What stands for the names in braces."""
    from finplan.service.authorization.agents import POLL_EACH, TRIES

    return {
        "site_url": site_url,
        "issuer": issuer_of(site_url),
        "introductions": INTRODUCTIONS,
        "all_introductions": ALL_INTRODUCTIONS,
        "claims": CLAIMS,
        "registrations": REGISTRATIONS,
        "all_registrations": ALL_REGISTRATIONS,
        "guests_limit": GUESTS_LIMIT,
        "poll": POLL_EACH // 1000,
        "tries": TRIES,
    }


def _declining(
    answer: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> middleware.AnswerAny:
    async def send(request: web.Request) -> web.StreamResponse:
        try:
            return await answer(request)
        except Declined as declined:
            return _declined(declined, request)
        except Fault as fault:
            error = Declined(fault.status, _ERRORS.get(fault.status, "server_error"), fault.message)
            return _declined(error, request)

    return send


_ERRORS = {
    400: "invalid_request",
    401: "invalid_claim_token",
    409: "claimed_or_in_flight",
    410: "claim_expired",
}
_CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    409: "CONFLICT",
    410: "GONE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "TOO_MANY_REQUESTS",
    503: "SERVICE_UNAVAILABLE",
    507: "INSUFFICIENT_STORAGE",
}


def _declined(declined: Declined, request: web.Request) -> web.Response:
    body: dict[str, Any] = {"error": declined.error}
    if request.path.startswith("/agent/"):
        # Agents read `message`, and so does whoever reads the interface's own errors.
        code = _CODES.get(declined.status, "INTERNAL_SERVER_ERROR")
        body |= {"code": code, "status": declined.status, "message": declined.description}
    else:
        body["error_description"] = declined.description
    headers: dict[str, str] = dict(_SECRET)
    if declined.retry_after is not None:
        headers[hdrs.RETRY_AFTER] = str(declined.retry_after)
    return _json(body, status=declined.status, headers=headers)


async def _token(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization import endpoints

    oauth = counter.read_request(request, await _form(request))
    signs = oauth.payload.grant_type != "refresh_token"
    run = partial(endpoints.token, request=oauth)
    return _sent(await counter.in_setting(request, run, signs=signs))


async def _revoke(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization import endpoints

    oauth = counter.read_request(request, await _form(request))
    return _sent(await counter.in_setting(request, partial(endpoints.revocation, request=oauth)))


async def _register(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization.clients import RefusedRegistration, register

    body = await _body(request)
    address = counter.address_of(request)
    _count(counter.registrations, address, REGISTRATIONS)
    _count(counter.registrations, None, ALL_REGISTRATIONS)
    now = counter.milliseconds()
    try:
        answer = await counter.store.write(lambda c: register(c, body, address, now))
    except RefusedRegistration as refused:
        raise Declined(400, refused.error, refused.description) from None
    return _json(answer, status=201, headers=_SECRET)


async def _jwks(counter: Counter, _request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization.signing import list_keys, published

    rows = await counter.store.read(list_keys)
    if not rows:
        # Who looks before anything was signed finds what will sign.
        return _json({"keys": list((await counter.signer()).public)}, headers=_KEPT)
    return _json({"keys": list(published(rows))}, headers=_KEPT)


async def _userinfo(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization.scopes import userinfo

    access = await counter.tokens.find(request)
    if access is None:
        raise Unauthorized("This needs an access token with the scope `openid`.")
    caller, _, scopes = access
    answer = await counter.store.read(partial(userinfo, owner=caller.owner, scopes=scopes))
    if answer is None:
        raise InsufficientScope("This access token lacks the scope openid.", "openid")
    return _json(answer, headers=_SECRET)


async def _introduce(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization.agents import welcome

    body = _object(await _body(request))
    if body.get("type") != "anonymous":
        raise Declined(
            400, "invalid_request", 'Send {"type": "anonymous"}; other types are not supported.'
        )
    signer, now = await counter.signer(), counter.milliseconds()
    address = counter.address_of(request)
    _count(counter.introductions, address, INTRODUCTIONS)
    _count(counter.introductions, None, ALL_INTRODUCTIONS)
    answer = await counter.store.write(lambda c: welcome(c, signer, address, now))
    return _json({**answer, "claim_url": f"{counter.site_url}{CLAIM}"}, headers=_SECRET)


async def _ask_claim(counter: Counter, request: web.Request) -> web.StreamResponse:
    from finplan.service.authorization.agents import ask_claim

    body = _object(await _body(request))
    claim, email = body.get("claim_token"), body.get("email", body.get("login_hint"))
    if not isinstance(claim, str) or not isinstance(email, str) or not _is_address(email):
        raise Declined(
            400,
            "invalid_request",
            "Send your claim_token and the e-mail address of the person you act for.",
        )
    address, now = counter.address_of(request), counter.milliseconds()
    _count(counter.claims, address, CLAIMS)
    answer = await counter.store.write(
        lambda c: ask_claim(c, claim, email, address, counter.site_url, now)
    )
    return _json(answer, headers=_SECRET)


async def _form(request: web.Request) -> Sequence[tuple[str, str]]:
    if request.content_type != FORM:
        raise Declined(400, "invalid_request", f"Send a form, as {FORM}.")
    _refuse_unreadable_header(request)
    try:
        body = (await request.read()).decode()
        return parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        raise Declined(400, "invalid_request", "The form is malformed.") from None


def _refuse_unreadable_header(request: web.Request) -> None:
    """Refuse a client's name and secret that are no text, before Authlib would read them."""
    scheme, _, encoded = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    if scheme.lower() != "basic":
        return
    try:
        base64.b64decode(encoded.encode("ascii")).decode()
    except ValueError:
        text = "The client id and secret are not readable text."
        raise Declined(401, "invalid_client", text) from None


async def _body(request: web.Request) -> bytes:
    if request.content_type != "application/json":
        raise Declined(400, "invalid_request", "Send the body as JSON.")
    return await request.read()


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        value = from_json(body or b"{}")
    except ValueError:
        raise Declined(400, "invalid_request", "The body is not JSON.") from None
    if not isinstance(value, dict):
        raise Declined(400, "invalid_request", "The body is not a JSON object.")
    return value


def _is_address(text: str) -> bool:
    return len(text) <= 254 and re.match(EMAIL, text) is not None


def _count(windows: Windows, address: str | None, limit: int) -> None:
    quota = windows.count(address and counted_as(address), limit)
    if quota.exceeded:
        text = f"Too many requests within an hour. Wait {quota.reset} seconds."
        raise Declined(429, "rate_limited", text, quota.reset)


def _sent(reply: Any) -> web.Response:
    headers = {**_SECRET, **dict(reply.headers)}
    if reply.status == web.HTTPUnauthorized.status_code:
        headers[hdrs.WWW_AUTHENTICATE] = 'Basic realm="finplan"'
    return _json(reply.body, status=reply.status, headers=headers)


def _json(
    body: Mapping[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None
) -> web.Response:
    return web.Response(
        body=to_json(body), status=status, content_type="application/json", headers=headers
    )
