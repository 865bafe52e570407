"""An issuer as Google is one, on a socket of its own; each attack is a switch."""

import base64
import hashlib
import hmac
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.daemon.running import NOW

CLIENT, SECRET = "finplan.apps.example", "GOCSPX-fake-secret"
ADA: dict[str, Any] = {
    "sub": "110169484474386276334",
    "email": "ada@gmail.example",
    "email_verified": True,
    "name": "Ada L.",
}


@cache
def new_key(name: str) -> RSAKey:
    """The issuer's key of a name: to make one takes longer than most tests do."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig"})


@dataclass
class FakeIssuer:
    """Lets whom it calls `person` in at once; `claims` and `signing` change what it says of them."""

    port: int
    key: RSAKey = field(default_factory=lambda: new_key("first"))
    person: dict[str, Any] = field(default_factory=lambda: dict(ADA))
    claims: dict[str, Any] = field(default_factory=dict)
    published: dict[str, Any] = field(default_factory=dict)
    back: dict[str, str | None] = field(default_factory=dict)
    signing: str = "RS256"
    keys: list[RSAKey] | None = None
    answer: Callable[[web.Request], web.StreamResponse | None] = lambda _request: None
    client: str = CLIENT
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    said: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def discovery(self, _request: web.Request) -> web.Response:
        told = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
        }
        return web.json_response({**told, **self.published})

    async def list_keys(self, _request: web.Request) -> web.Response:
        keys = [self.key] if self.keys is None else self.keys
        return web.json_response({"keys": [key.as_dict(private=False) for key in keys]})

    async def authorize(self, request: web.Request) -> web.Response:
        asked = dict(request.query)
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert asked["prompt"] == "select_account"
        assert set(asked["scope"].split()) == {"openid", "email", "profile"}
        code = secrets.token_urlsafe(12)
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"], "iss": self.url, **self.back}
        query = urlencode({name: value for name, value in back.items() if value is not None})
        return web.Response(status=302, headers={"Location": f"{asked['redirect_uri']}?{query}"})

    async def token(self, request: web.Request) -> web.Response:
        form = dict(await request.post())
        self.said.append(form)
        if (form["client_id"], form["client_secret"]) != (self.client, SECRET):
            return web.json_response({"error": "invalid_client"}, status=401)
        asked = self.codes.pop(str(form["code"]), None)
        challenge = _based(hashlib.sha256(str(form["code_verifier"]).encode()).digest())
        if asked is None or (asked["code_challenge"], asked["redirect_uri"]) != (
            challenge,
            form["redirect_uri"],
        ):
            return web.json_response({"error": "invalid_grant"}, status=400)
        assert form["grant_type"] == "authorization_code"
        return web.json_response(
            {"access_token": "x", "token_type": "Bearer", "id_token": self.id_token(asked)}
        )

    def id_token(self, asked: dict[str, str]) -> str:
        now = int(NOW.timestamp())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "azp": CLIENT,
            "iat": now,
            "exp": now + 3600,
            "nonce": asked["nonce"],
            **self.person,
            **self.claims,
        }
        whole = {name: value for name, value in claims.items() if value is not None}
        return self.signed(whole)

    def signed(self, claims: dict[str, Any]) -> str:
        named = {"alg": self.signing, "kid": self.key.kid}
        if self.signing == "none":
            return f"{_part(named)}.{_part(claims)}."
        if self.signing == "HS256":
            signed = f"{_part(named)}.{_part(claims)}"
            public = self.key.as_pem(private=False)
            return f"{signed}.{_based(hmac.digest(public, signed.encode(), 'sha256'))}"
        if self.signing == "forged":
            return f"{_part({**named, 'alg': 'RS256'})}.{_part(claims)}.AAAA"
        if self.signing == "nameless":
            return jwt.encode({"alg": "RS256"}, claims, self.key)
        return jwt.encode(named, claims, self.key, algorithms=[self.signing])


def _part(told: dict[str, Any]) -> str:
    return _based(json.dumps(told).encode())


def _based(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@asynccontextmanager
async def serving_issuer() -> AsyncIterator[FakeIssuer]:
    """An issuer that answers until the end."""
    bound = socket.create_server(("127.0.0.1", 0))
    issuer = FakeIssuer(bound.getsockname()[1])

    @web.middleware
    async def switch(request: web.Request, handler: Any) -> web.StreamResponse:
        issuer.asked.append(request.path)
        other = issuer.answer(request)
        return other if other is not None else await handler(request)

    app = web.Application(middlewares=[switch])
    app.router.add_get("/.well-known/openid-configuration", issuer.discovery)
    app.router.add_get("/keys", issuer.list_keys)
    app.router.add_get("/authorize", issuer.authorize)
    app.router.add_post("/token", issuer.token)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.SockSite(runner, bound).start()
    try:
        yield issuer
    finally:
        await runner.cleanup()
