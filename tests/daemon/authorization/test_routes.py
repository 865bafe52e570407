"""Every route of the application is looked at by a test of who may ask it."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from finplan.daemon.server import serve
from finplan.operations.table import OPERATIONS
from tests.daemon import running
from tests.daemon.authorization.answers import leaks
from tests.daemon.authorization.callers import OTHERS, REFUSED
from tests.daemon.authorization.matrix import Two
from tests.daemon.authorization.requests import Request
from tests.daemon.authorization.test_pages import PAGES
from tests.daemon.running import running_daemon

_RESOURCES = ("", "/mcp", "/a2a", "/api", "/api/v1")
OPEN = frozenset(
    {
        *(f"/.well-known/oauth-protected-resource{part}" for part in _RESOURCES),
        *("/.well-known/oauth-authorization-server/auth", "/auth/oauth2/jwks", "/auth.md"),
        *("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"),
        *("/auth/.well-known/oauth-authorization-server", "/.well-known/api-catalog"),
        *("/auth/.well-known/openid-configuration", "/.well-known/openid-configuration/auth"),
        *("/.well-known/http-message-signatures-directory", "/.well-known/agent-card.json"),
        *("/.well-known/ai-catalog.json", "/.well-known/mcp/server-card.json", "/llms.txt"),
        *("/mcp/server-card", "/mcp/docs/server-card", "/api/openapi.json", "/api/docs"),
        *("/api/v1", "/api", "/api/docs/{page}.md", "/api/docs/handbook", "/api/docs/{page}"),
        *("/assets/site.css", "/health", "/settings", "/sign-in", "/join", "/ask"),
    }
)
"""What anybody may read: it is the same for everybody, whoever asks."""

ELSEWHERE = {
    **dict.fromkeys(("/mcp", "/mcp/docs"), "test_tools"),
    **dict.fromkeys(("/a2a", "/a2a/"), "test_messages"),
    "/auth/oauth2/userinfo": "test_programs",
    "/auth/oauth2/token": "test_programs",
    "/auth/oauth2/revoke": "test_programs",
    "/auth/oauth2/authorize": "test_programs",
    "/auth/oauth2/register": "test_programs",
    "/agent/identity": "test_programs",
    "/agent/identity/claim": "test_programs",
    "/open": "test_programs",
    "/sign-out": "test_programs",
    "/statements/files": "test_pages",
}
"""The other routes, each with the file beside this one that asks it."""


async def test_every_route_is_asked(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A route that is added has to be said to be open, or be asked by those who may not."""
    apps: list[web.Application] = []

    async def note(app: web.Application, *given: Any, **options: Any) -> Any:
        apps.append(app)
        return await serve(app, *given, **options)

    monkeypatch.setattr(f"{running.__name__}.serve", note)
    async with running_daemon(tmp_path, empty_store):
        routes = {route.resource.canonical for route in apps[0].router.routes() if route.resource}

    rest = {f"{root}{row.path}" for row in OPERATIONS for root in ("/api/v1", "/api")}
    pages = {sent.path.partition("?")[0] for sent in PAGES}
    assert routes == rest | pages | OPEN | ELSEWHERE.keys()
    here = Path(__file__).parent
    assert not [name for name in ELSEWHERE.values() if not (here / f"{name}.py").exists()]


async def test_what_is_open_tells_of_nobody(two: Two) -> None:
    """What anybody may read has nothing of Ada's in it, and is the same with a credential."""
    for path in sorted(OPEN):
        url = path.replace("{page}", "plan")
        told = [
            await two.ask(caller, Request("GET", url, {})) for caller in (REFUSED[0], OTHERS[1])
        ]
        for answer in told:
            assert answer.status_code in (200, 303, 307, 308, 400, 403, 404), (
                path,
                answer.status_code,
            )
            assert not [*leaks(answer, two.settled.ids, frozenset())]
        if path not in ("/sign-in", "/join"):
            assert told[0].content == told[1].content, path
