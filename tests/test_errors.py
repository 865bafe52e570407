"""One error shape, from every place where an error can start.

Every failure's body is `{defined, code, status, message, data?}` with the HTTP status repeated in it,
as JSON, on an answer that names the daemon's version. A 401 says where credentials are explained.
"""

import errno
import gzip
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from finplan import __version__
from finplan.model.base import Nothing, Wire
from finplan.model.connection import LinkRequest
from finplan.model.errors import BankProviderError, Conflict, ErrorEnvelope, NoConnections
from finplan.operation import AnyOperation, Operation
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP

SECRET = "4242-secret"


def assert_envelope(
    response: httpx.Response, status: int, code: str, *, defined: bool
) -> dict[str, Any]:
    """The answer is one canonical envelope; answers its content."""
    content = response.json()
    ErrorEnvelope.model_validate_json(response.content)
    assert response.headers["content-type"] == "application/json"
    assert response.headers["finplan-version"] == __version__
    assert response.status_code == content["status"] == status
    assert (content["code"], content["defined"]) == (code, defined)
    assert content["message"]
    assert content.get("data", {}) is not None
    for name in ("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"):
        assert response.headers[name].isdigit()
    assert ("www-authenticate" in response.headers) == (status == 401)
    return dict(content)


def parsed(answer: bytes) -> httpx.Response:
    """The response that stands in the bytes of a closed connection."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


async def test_an_unknown_path(daemon: RunningDaemon) -> None:
    """404 names the path, but not what was asked of it."""
    response = await daemon.http.get(f"/api/v1/nowhere?x={SECRET}")

    content = assert_envelope(response, 404, "NOT_FOUND", defined=True)
    assert "/api/v1/nowhere" in content["message"]
    assert SECRET not in response.text


async def test_a_wrong_method(daemon: RunningDaemon) -> None:
    """405 says, in the header and the sentence, what the path takes."""
    response = await daemon.http.patch("/api/v1/plan")

    content = assert_envelope(response, 405, "METHOD_NOT_SUPPORTED", defined=True)
    assert response.headers["allow"] == "GET, HEAD, POST"
    assert "GET, HEAD, POST" in content["message"]


@pytest.mark.parametrize("cookies", [{}, {"finplan_session": "guessed"}])
async def test_no_or_a_wrong_credential(daemon: RunningDaemon, cookies: dict[str, str]) -> None:
    """401 names the metadata of the resource in `WWW-Authenticate`, whatever was shown."""
    daemon.http.cookies.clear()
    daemon.http.cookies.update(cookies)

    response = await daemon.http.get("/api/v1/me")

    assert_envelope(response, 401, "UNAUTHORIZED", defined=True)
    assert response.headers["www-authenticate"] == (
        f'Bearer resource_metadata="{daemon.base_url}/.well-known/oauth-protected-resource"'
    )


async def test_a_foreign_host(daemon: RunningDaemon) -> None:
    """421 before anything else is looked at."""
    daemon.http.cookies.clear()

    response = await daemon.http.get("/api/v1/nowhere", headers={"host": "evil.example"})

    assert_envelope(response, 421, "MISDIRECTED_REQUEST", defined=True)


async def test_a_foreign_origin(daemon: RunningDaemon) -> None:
    """403 before the credential is looked at."""
    daemon.http.cookies.clear()

    response = await daemon.http.get("/api/v1/me", headers={"origin": "https://evil.example"})

    assert_envelope(response, 403, "FORBIDDEN", defined=True)


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'{"a":"\xff"}'])
async def test_malformed_json(daemon: RunningDaemon, body: bytes) -> None:
    """400, undefined, in the words of oRPC."""
    response = await daemon.http.patch(
        "/api/v1/me", content=body, headers={"content-type": "application/json"}
    )

    content = assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert content["message"].startswith("The request body")


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/accounts/acc_1"])
@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"5"])
async def test_a_body_that_is_no_object(daemon: RunningDaemon, path: str, body: bytes) -> None:
    """400 with one issue at the root, on rows with and without a path parameter."""
    response = await daemon.http.patch(
        path, content=body, headers={"content-type": "application/json"}
    )

    content = assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert content["message"] == "Input validation failed"
    assert [issue["path"] for issue in content["data"]["issues"]] == [[]]


@pytest.mark.parametrize(
    ("method", "path", "body", "where"),
    [
        ("PATCH", "/api/v1/me", {"nickname": SECRET}, ["nickname"]),
        ("PATCH", "/api/v1/accounts/acc_1", {"balance": 2**53}, ["balance"]),
        ("PATCH", "/api/v1/accounts/acc_1", {"balance": 1.5}, ["balance"]),
        ("PATCH", "/api/v1/settings", {"targetMonths": "3"}, ["targetMonths"]),
        (
            "PATCH",
            "/api/v1/settings",
            {"budgetShares": {"essentials": 2, "discretionary": 0, "savings": 0}},
            ["budgetShares", "essentials"],
        ),
        ("POST", "/api/v1/connections", {"provider": SECRET, "institution": {}}, None),
    ],
)
async def test_a_question_that_does_not_fit(
    daemon: RunningDaemon, method: str, path: str, body: dict[str, Any], where: list[str] | None
) -> None:
    """400 with the place of each issue by its outside name, never with the value."""
    response = await daemon.http.request(method, path, json=body)

    content = assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert content["message"] == "Input validation failed"
    (issue,) = content["data"]["issues"]
    assert set(issue) == {"message", "path"}
    assert issue["path"] == (where or ["institution", "name"])
    assert SECRET not in response.text


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-1e999"])
async def test_a_number_that_json_does_not_have(daemon: RunningDaemon, number: bytes) -> None:
    """NaN and infinities are refused where a fraction is asked for."""
    response = await daemon.http.patch(
        "/api/v1/settings",
        content=b'{"budgetShares":{"essentials":%b,"discretionary":0,"savings":0}}' % number,
        headers={"content-type": "application/json"},
    )

    (issue,) = assert_envelope(response, 400, "BAD_REQUEST", defined=False)["data"]["issues"]
    assert issue["path"] == ["budgetShares", "essentials"]


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("PATCH", "/me", {"email": "ada"}, "one @, such as"),
        ("PATCH", "/me", {"name": "\u202e"}, "A name needs at least one visible character"),
        ("PATCH", "/settings", {"currency": "eur"}, "three capital letters"),
        (
            "PUT",
            "/categories/rules/batch",
            {"rules": [{"payeeKey": "a", "category": "dining"}] * 101},
            "at most 100 at once, not 101",
        ),
    ],
)
async def test_an_issue_says_what_is_taken(
    daemon: RunningDaemon, method: str, path: str, body: dict[str, Any], told: str
) -> None:
    """What a validator would say in patterns and tuples is said in a sentence for people."""
    response = await daemon.http.request(method, f"/api/v1{path}", json=body)

    (issue,) = assert_envelope(response, 400, "BAD_REQUEST", defined=False)["data"]["issues"]
    assert told in issue["message"]


async def test_a_query_that_does_not_fit(daemon: RunningDaemon) -> None:
    """A query string is held to the same strictness as a body."""
    response = await daemon.http.get("/api/v1/transactions", params={"limit": "1000"})

    content = assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert [issue["path"] for issue in content["data"]["issues"]] == [["limit"]]


@pytest.mark.parametrize(
    "cursor", ["", "x", "!!!", "AAAA", "2026-01-01", "9" * 400, "eyJhIjoxfQ==", "\x00", "\u202e"]
)
async def test_a_cursor_that_nobody_gave(daemon: RunningDaemon, cursor: str) -> None:
    """A page's cursor that was made up or cut off is a 400, not an empty page."""
    response = await daemon.http.get("/api/v1/transactions", params={"cursor": cursor})

    assert_envelope(response, 400, "BAD_REQUEST", defined=response.json()["defined"])


@pytest.mark.parametrize("number", ["9007199254740992", "-9223372036854775809", "9" * 5000, "1e3"])
async def test_an_integer_out_of_range(daemon: RunningDaemon, number: str) -> None:
    """Whatever the number of digits, a field's bound is told by its path."""
    response = await daemon.http.patch(
        "/api/v1/accounts/acc_1",
        content=f'{{"creditLimit": {number}}}',
        headers={"content-type": "application/json"},
    )

    content = assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert number not in response.text
    assert [issue["path"] for issue in content["data"]["issues"]] in ([["creditLimit"]], [[]])


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/api/v1/plan", "text/plain"),
        ("/api/v1/plan", "application/x-www-form-urlencoded"),
        ("/api/v1/imports", "application/json"),
        ("/api/v1/imports", "multipart/mixed; boundary=x"),
    ],
)
async def test_a_wrong_content_type(daemon: RunningDaemon, path: str, content_type: str) -> None:
    """415 says what the path reads instead."""
    response = await daemon.http.post(path, content=b"{}", headers={"content-type": content_type})

    assert_envelope(response, 415, "UNSUPPORTED_MEDIA_TYPE", defined=True)


async def test_a_packed_body(daemon: RunningDaemon) -> None:
    """What gzip packed is read, no further than a question may be large; another coding is a 415."""

    async def send(body: bytes, coding: str) -> httpx.Response:
        headers = {"content-type": "application/json", "content-encoding": coding}
        return await daemon.http.patch("/api/v1/me", content=body, headers=headers)

    read = await send(gzip.compress(b'{"name": "Ada"}'), "gzip")
    bomb = await send(gzip.compress(bytes(50_000_000)), "gzip")
    broken = await send(b"no gzip", "gzip")
    unknown = await send(b"{}", "wonder")

    assert read.json()["name"] == "Ada"
    assert_envelope(bomb, 413, "PAYLOAD_TOO_LARGE", defined=True)
    assert_envelope(broken, 400, "BAD_REQUEST", defined=False)
    assert_envelope(unknown, 415, "UNSUPPORTED_MEDIA_TYPE", defined=True)


async def test_a_body_that_is_too_large(daemon: RunningDaemon) -> None:
    """413 for a question of more than a megabyte, however it is sent."""

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 65536

    whole = await daemon.http.patch(
        "/api/v1/me", content=b" " * 2_000_000, headers={"content-type": "application/json"}
    )
    chunked = await daemon.http.patch(
        "/api/v1/me", content=endless(), headers={"content-type": "application/json"}
    )

    for response in (whole, chunked):
        assert_envelope(response, 413, "PAYLOAD_TOO_LARGE", defined=True)


async def test_a_malformed_multipart_body(daemon: RunningDaemon) -> None:
    """A form that cannot be read is the sender's mistake, not the daemon's."""
    response = await daemon.http.post(
        "/api/v1/imports",
        content=b"not a form",
        headers={"content-type": "multipart/form-data; boundary=x"},
    )

    assert_envelope(response, 400, "BAD_REQUEST", defined=False)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"x" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA b: " + SECRET.encode() + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: b\x00c\r\n\r\n",
        b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
async def test_malformed_http(
    daemon: RunningDaemon, request_bytes: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """What is not HTTP, or has oversized headers, gets the envelope; the log does not quote it."""
    response = parsed(await daemon.say(request_bytes))

    assert_envelope(response, 400, "BAD_REQUEST", defined=False)
    assert SECRET not in response.text + caplog.text


@pytest.mark.parametrize(
    "target",
    [
        b"/\xff",
        b"/api/accounts/\xff",
        b"/api/accounts/%FF",
        b"/api/accounts/%ED%A0%80",
        b"/api/accounts/%00",
        b"/api/connections/%2e%2e",
        b"/api/spending?merchant=\xff",
        b"/api/spending?merchant=%ED%A0%80",
        b"/api/spending?merchant=%00",
        b"/api/spending?\xff=1",
        b"/api/transactions?cursor=%ff",
    ],
)
async def test_a_target_that_is_no_text(daemon: RunningDaemon, target: bytes) -> None:
    """Bytes that are not UTF-8, lone surrogates and zeros lead nowhere, and make nothing stumble."""
    head = f"Host: 127.0.0.1:{daemon.port}\r\nCookie: finplan_session={daemon.token}\r\n"

    answer = await daemon.say(
        b"GET " + target + f" HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode()
    )

    response = parsed(answer)
    code = {400: "BAD_REQUEST", 404: "NOT_FOUND"}[response.status_code]
    assert_envelope(response, response.status_code, code, defined=response.json()["defined"])


async def test_an_expectation_that_nobody_meets(daemon: RunningDaemon) -> None:
    """What aiohttp refuses before the application sees it gets the envelope too."""
    request = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nExpect: wonders\r\n"

    response = parsed(await daemon.say(f"{request}Connection: close\r\n\r\n".encode()))

    assert_envelope(response, 417, "EXPECTATION_FAILED", defined=False)


FAIL = Operation(MADE_UP, "fail", "POST", "/fail", Nothing, Nothing, "read", "Fail.")


def not_a_thing() -> Exception:
    try:
        ErrorEnvelope.model_validate({"defined": SECRET})
    except ValidationError as error:
        return error
    raise AssertionError


def caused_by(cause: Exception) -> Exception:
    error = RuntimeError("A statement failed.")
    error.__cause__ = cause
    return error


def sqlite_full() -> Exception:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (c)")
    database.execute("PRAGMA max_page_count = 2")
    try:
        database.execute("INSERT INTO t VALUES (zeroblob(100000))")
    except sqlite3.OperationalError as error:
        return error
    finally:
        database.close()
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "status", "code", "defined"),
    [
        (NoConnections("Link a bank first."), 500, "NO_CONNECTIONS", True),
        (BankProviderError("No.", "demo", "rate_limited"), 500, "BANK_PROVIDER_ERROR", True),
        (RuntimeError(SECRET), 500, "INTERNAL_SERVER_ERROR", False),
        (TimeoutError(SECRET), 500, "INTERNAL_SERVER_ERROR", False),
        (ConnectionError(SECRET), 500, "INTERNAL_SERVER_ERROR", False),
        (not_a_thing(), 500, "INTERNAL_SERVER_ERROR", False),
        (OSError(errno.ENOSPC, SECRET), 507, "INSUFFICIENT_STORAGE", True),
        (caused_by(sqlite_full()), 507, "INSUFFICIENT_STORAGE", True),
    ],
)
async def test_a_failure_while_performing(
    tmp_path: Path,
    empty_store: Path,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
    code: str,
    *,
    defined: bool,
) -> None:
    """A fault is told; anything else is a 500 without its words, and its trace is in the log."""

    async def perform(_context: Context, _operation: AnyOperation, _ask: Wire) -> Any:
        raise error

    async with running_daemon(
        tmp_path, empty_store, operations=(FAIL,), perform=perform
    ) as running:
        response = await running.http.post("/api/v1/fail")

    assert_envelope(response, status, code, defined=defined)
    assert SECRET not in response.text
    assert ("in perform" in caplog.text) == (code == "INTERNAL_SERVER_ERROR")


async def test_the_data_of_a_bank_failure(tmp_path: Path, empty_store: Path) -> None:
    """A bank's failure carries which provider failed, and how."""

    async def perform(_context: Context, _operation: AnyOperation, _ask: Wire) -> Any:
        raise BankProviderError("Closed.", "demo", "provider_error")

    async with running_daemon(
        tmp_path, empty_store, operations=(FAIL,), perform=perform
    ) as running:
        response = await running.http.post("/api/v1/fail")

    assert response.json()["data"] == {"provider": "demo", "code": "provider_error"}


async def test_data_are_whole(tmp_path: Path, empty_store: Path) -> None:
    """A shape inside `data` has all its fields, by their outside names."""

    async def perform(_context: Context, _operation: AnyOperation, _ask: Wire) -> Any:
        raise Conflict("Choose.", {"asked": LinkRequest(provider="demo")})

    async with running_daemon(
        tmp_path, empty_store, operations=(FAIL,), perform=perform
    ) as running:
        response = await running.http.post("/api/v1/fail")

    asked = {"provider": "demo", "publicToken": None, "institution": None, "reconnect": None}
    assert response.json()["data"] == {"asked": asked}


async def test_an_error_without_data_has_no_data(daemon: RunningDaemon) -> None:
    """`data` is absent rather than null when there is nothing to say."""
    response = await daemon.http.get("/api/v1/nowhere")

    assert set(json.loads(response.content)) == {"defined", "code", "status", "message"}
