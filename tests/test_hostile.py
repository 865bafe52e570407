"""Every field of every row takes any value at all: it succeeds or is a fault, and never stumbles."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest

from finplan.daemon.rate_limit import Limiting
from finplan.model.errors import ErrorEnvelope
from finplan.operation import AnyOperation, Upload
from finplan.operations.table import OPERATIONS
from tests.cli.hostile_household import UNSEEN
from tests.daemon.running import RunningDaemon, running_daemon

JSON_VALUES = (
    b'"a\\u0000b"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\\uffff\\u202e"',
    b'"' + b"x" * 100_000 + b'"',
    b'""',
    b"null",
    b"true",
    b"-1",
    b"0.5",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"1e400",
    b"9" * 5000,
    b"[]",
    b"{}",
    b'["\\u0000", 1]',
    b"[" * 300 + b"]" * 300,
    b'{"a": {"b": [null]}}',
)
TEXT_VALUES = (
    b"a\x00b",
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b"\xf4\x90\x80\x80",
    b"x" * 4000,
    b"",
    b"..",
    b"../../etc",
    b"a/b",
    b"%zz",
    b"'; DROP TABLE person; --",
    b"-1",
    b"9223372036854775808",
    b"9" * 4500,
    b"2026-02-30",
    b"99999-01-01",
    b"NaN",
    b"\r\nX: y",
)
PLAUSIBLE: dict[str, Any] = {
    "provider": "manual",
    "institution": {"name": "Bank"},
    "line": "essential",
    "verdict": "auto",
    "category": "groceries",
    "rules": [],
    "monthly": 1,
    "dismissed": True,
    "dismiss": True,
    "scopes": ["service:read"],
    "to": "2026-03-01",
}


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    limiting = Limiting(1_000_000)
    async with running_daemon(tmp_path, household_store, limiting=limiting) as running:
        yield running


def fields_of(row: AnyOperation) -> list[str]:
    return [field.alias or name for name, field in row.asks.model_fields.items()]


def required_of(row: AnyOperation) -> dict[str, Any]:
    return {
        field.alias or name: PLAUSIBLE.get(field.alias or name, "x")
        for name, field in row.asks.model_fields.items()
        if field.is_required()
    }


def bodies(row: AnyOperation, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """The row's path with plausible parameters, and bodies with one hostile value each."""
    sent = required_of(row)
    path = row.path.format(**{name: sent.pop(name) for name in row.path_names})
    for name in names:
        others = {key: value for key, value in sent.items() if key != name}
        for value in JSON_VALUES:
            rest = "".join(
                f", {json.dumps(key)}: {json.dumps(each)}" for key, each in others.items()
            )
            yield path, b"{" + json.dumps(name).encode() + b": " + value + rest.encode() + b"}"


def targets(row: AnyOperation, names: list[str]) -> Iterator[bytes]:
    """The row's request targets with one hostile value each, escaped and raw, in path or query."""
    for name in names:
        for value in TEXT_VALUES:
            # What would end the request line can only come escaped.
            for text in {quote_from_bytes(value, safe="").encode(), _raw(value)}:
                given = dict.fromkeys(row.path_names, b"x") | {name: text}
                path = row.path.encode()
                for each in row.path_names:
                    path = path.replace(b"{%b}" % each.encode(), given.pop(each))
                query = b"&".join(key.encode() + b"=" + each for key, each in given.items())
                yield path + (b"?" + query if query else b"")


def _raw(value: bytes) -> bytes:
    return value if all(byte > 32 for byte in value) else quote_from_bytes(value).encode()


def assert_no_stumble(status: int, body: bytes, sent: bytes) -> None:
    """A success, or an envelope of a fault that was foreseen; neither hides nor turns anything."""
    assert UNSEEN.search(body.decode().replace("\t", "")) is None, body[:200]
    if status >= 400:
        content = ErrorEnvelope.model_validate_json(body)
        assert content.status == status, sent[:200]
        assert content.code != "INTERNAL_SERVER_ERROR", sent[:200]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
async def test_no_value_makes_the_daemon_stumble(
    household: RunningDaemon, row: AnyOperation, caplog: pytest.LogCaptureFixture
) -> None:
    """Zeros, surrogates, huge numbers and texts, wrong kinds and broken escapes are all read."""
    in_body = row.method in {"POST", "PUT", "PATCH"} and not isinstance(row.body, Upload)
    names = fields_of(row)
    if in_body:
        outside_path = [name for name in names if name not in row.path_names]
        for path, body in bodies(row, outside_path or ["x"]):
            response = await household.http.request(
                row.method,
                f"/api/v1{path}",
                content=body,
                headers={"content-type": "application/json"},
            )
            assert_no_stumble(response.status_code, response.content, body)
    hostile = [*row.path_names] if in_body or isinstance(row.body, Upload) else [*names, "x"]
    await _walk(household, row, [b"/api/v1" + each for each in targets(row, hostile)])
    assert "stumbled" not in caplog.text


async def _walk(household: RunningDaemon, row: AnyOperation, wanted: list[bytes]) -> None:
    head = f"Host: 127.0.0.1:{household.port}\r\nCookie: finplan_session={household.token}\r\n"
    rest = f" HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode()
    for target in wanted:
        answer = await household.say(row.method.encode() + b" " + target + rest)
        told, _, body = answer.partition(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1."), target[:200]
        assert_no_stumble(int(told.split()[1]), _whole(told, body), target)


def _whole(head: bytes, body: bytes) -> bytes:
    """A body without the sizes of its chunks, where it came in some (RFC 9112, section 7.1)."""
    if b"transfer-encoding: chunked" not in head.lower():
        return body
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        whole, body = whole + rest[:length], rest[length + 2 :] if length else b""
    return whole
