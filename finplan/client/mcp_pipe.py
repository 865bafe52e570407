"""MCP over stdin and stdout, carried to the daemon's server as it is.

A desktop agent starts this and speaks lines of JSON-RPC (https://modelcontextprotocol.io, transports);
each is posted to the daemon, and what that answers, whole or as a stream of events, is written back.
Both eras of the protocol are carried: requests of 2026-07-28 stand alone, older ones belong to a
session, which is opened again where the daemon was restarted.
"""

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

import httpx

from finplan.client.client import manners
from finplan.client.connect import Ready
from finplan.client.failures import DaemonUnreachable

MCP_PATH = "/mcp"
NARROWED = "finplan-scopes"
"""The header by which whoever asks gives up what they could do: `read` leaves reading."""

_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_SESSION, _VERSION = "mcp-session-id", "mcp-protocol-version"
_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""What a request of the newer era repeats of itself in a header, by its method."""

_SUBSCRIBING = ("resources/subscribe", "resources/unsubscribe")

_PLAIN_VALUE = re.compile(r"[!-~](?:[ -~]*[!-~])?")
"""What a header carries as it is."""

_PACKED = "=?base64?"
"""What a value that a header would not carry begins with."""

_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_LOST = -32000
_EVENTS = "text/event-stream"

RpcMessage = dict[str, Any]
Write = Callable[[str], None]


FindDaemon = Callable[[], Ready]
"""Answers where the daemon is, which is started when need be. Raises DaemonUnreachable."""


class Pipe:
    """One agent's conversation with the daemon; `write` takes each line for the agent."""

    def __init__(self, find: FindDaemon, write: Write, *, only_read: bool) -> None:
        self.find = find
        self._write = write
        self._narrowed = {NARROWED: "read"} if only_read else {}
        self._http: httpx.AsyncClient | None = None
        self._opened: list[httpx.AsyncClient] = []
        self._meeting = asyncio.Lock()
        self._opening: RpcMessage | None = None
        self._session: dict[str, str] = {}
        self._subscribed: dict[str, RpcMessage] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._listening: asyncio.Task[None] | None = None

    @property
    def session_headers(self) -> Mapping[str, str]:
        """What names the session of an older client; nothing before it is opened."""
        return dict(self._session)

    async def carry(self, lines: AsyncIterator[bytes]) -> None:
        """Carry every line until there are no more, and answer each request that was begun."""
        tasks: set[asyncio.Task[None]] = set()
        try:
            async for line in lines:
                message = self._read(line)
                if message is None:
                    continue
                task = asyncio.create_task(self._carry_one(message))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                if message.get("method") == "initialize":
                    # What comes after it belongs to the session that it opens.
                    await task
                elif _asks(message):
                    self._waiting[json.dumps(message["id"])] = task
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            if self._listening is not None:
                self._listening.cancel()
                with suppress(asyncio.CancelledError):
                    await self._listening
            for client in self._opened:
                await client.aclose()

    def _read(self, line: bytes) -> RpcMessage | None:
        if not line.strip():
            return None
        message = _object_in(line)
        if message is None:
            self._tell_error(None, -32700, "Each line must be one JSON-RPC message.")
        return message

    async def _carry_one(self, message: RpcMessage) -> None:
        try:
            if message.get("method") == "notifications/cancelled" and self._gives_up(message):
                return
            await self._exchange(message)
        except httpx.HTTPError as error:
            self._tell_failure(message, f"finplan does not answer: {error}")
        except DaemonUnreachable as error:
            self._tell_failure(message, str(error))
        except Exception as error:  # noqa: BLE001 - An agent waits for ever for what is not answered.
            why = f"finplan's answer could not be passed on: {error}"
            self._tell_failure(message, why)
        finally:
            if _asks(message):
                self._waiting.pop(json.dumps(message["id"]), None)

    def _gives_up(self, message: RpcMessage) -> bool:
        """End a request of the newer era, which is cancelled by letting go of its answer."""
        if self._session:
            return False
        task = self._waiting.pop(json.dumps(_params_of(message).get("requestId")), None)
        if task is not None:
            task.cancel()
        return True

    async def _exchange(self, message: RpcMessage) -> None:
        """Send a message and pass on its answer; once more where the daemon was restarted."""
        known_by = self._session
        self._note_subscription(message)
        if await self._send(message, again=False):
            return
        async with self._meeting:
            # Of several that meet a new daemon at once, the first makes them known to it.
            if self._session is known_by:
                await self._meet_again(message)
        await self._send(message, again=True)

    async def _meet_again(self, message: RpcMessage) -> None:
        self._http = None
        if self._session and self._opening is not None and message is not self._opening:
            self._session = {}
            await self._send(self._opening, again=True, silent=True)
            await self._send(_INITIALIZED, again=True)
            for uri, subscription in list(self._subscribed.items()):
                await self._send(subscription, again=True, silent=True)
                # What changed meanwhile, nobody has told.
                notice = {"method": "notifications/resources/updated", "params": {"uri": uri}}
                self._write(json.dumps({"jsonrpc": "2.0", **notice}, ensure_ascii=False))

    async def _send(self, message: RpcMessage, *, again: bool, silent: bool = False) -> bool:
        """Post a message; answers False where another try is worth it: nobody is there who knows us."""
        http = await self._client()
        if message.get("method") == "initialize":
            self._opening = message
        try:
            headers = self._headers(message)
            async with http.stream("POST", MCP_PATH, json=message, headers=headers) as answer:
                if answer.status_code in {401, 404} and not again:
                    return False
                await self._pass_on(message, answer, silent=silent)
        except httpx.ConnectError:
            if again:
                raise
            return False
        return True

    async def _pass_on(self, message: RpcMessage, answer: httpx.Response, *, silent: bool) -> None:
        if message.get("method") == "initialize" and _SESSION in answer.headers:
            self._session = {_SESSION: answer.headers[_SESSION]}
        if answer.headers.get("content-type", "").startswith(_EVENTS):
            answered = False
            async for event in _events(answer):
                self._note(message, event)
                answered = answered or "method" not in json.loads(event)
                if not silent:
                    self._write(event)
            if _asks(message) and not answered:
                raise ValueError("the stream ended without an answer")
            return
        body = (await answer.aread()).decode()
        if not _asks(message):
            return
        reply = _object_in(body) or {}
        if reply.get("jsonrpc") == "2.0":
            self._note(message, body)
            if not silent:
                self._write(json.dumps(reply, ensure_ascii=False))
            return
        why = reply.get("message")
        status = f"finplan answered with status {answer.status_code}."
        self._tell_failure(message, why if isinstance(why, str) else status)

    def _note_subscription(self, message: RpcMessage) -> None:
        """Keep what a session has to be told of, also after it was opened again."""
        uri = _params_of(message).get("uri")
        if message.get("method") == _SUBSCRIBING[0] and isinstance(uri, str):
            self._subscribed[uri] = message
        elif message.get("method") == _SUBSCRIBING[1]:
            self._subscribed.pop(str(uri), None)

    def _note(self, message: RpcMessage, event: str) -> None:
        """Keep what the session was agreed on, and begin to listen to what comes unasked."""
        if message.get("method") != "initialize" or not self._session:
            return
        result = json.loads(event).get("result")
        if isinstance(result, dict):
            self._session[_VERSION] = str(result.get("protocolVersion"))
            if self._listening is None:
                self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Pass on what the daemon tells a session by itself, for as long as it does."""
        with suppress(httpx.HTTPError):
            http = await self._client()
            headers = {"accept": _EVENTS, **self._session, **self._narrowed}
            async with http.stream("GET", MCP_PATH, headers=headers) as answer:
                if answer.is_success:
                    async for event in _events(answer):
                        self._write(event)
        self._listening = None

    async def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            daemon = await asyncio.to_thread(self.find)
            self._http = httpx.AsyncClient(**manners(daemon.url, daemon.token))
            self._opened.append(self._http)
        return self._http

    def _headers(self, message: RpcMessage) -> Mapping[str, str]:
        headers = {"accept": f"application/json, {_EVENTS}", **self._narrowed}
        params = _params_of(message)
        meta = params.get("_meta")
        version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return headers | self._session
        method = str(message.get("method"))
        headers |= {_VERSION: version, "mcp-method": method}
        name = params.get(_NAMES.get(method, ""))
        return headers | ({"mcp-name": _header_value(str(name))} if name is not None else {})

    def _tell_failure(self, message: RpcMessage, why: str) -> None:
        """Answer a request with why it failed; of anything else nobody waits for an answer."""
        if _asks(message):
            self._tell_error(message["id"], _LOST, why)

    def _tell_error(self, request_id: Any, code: int, why: str) -> None:
        error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": why}}
        self._write(json.dumps(error, ensure_ascii=False))


def _asks(message: RpcMessage) -> bool:
    """Whether a message is a request, and neither a notification nor an answer to the daemon's own."""
    return "id" in message and "result" not in message and "error" not in message


def _params_of(message: RpcMessage) -> dict[str, Any]:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def _header_value(text: str) -> str:
    """A name as a header carries it: in base64 where it would not come through as it is."""
    if _PLAIN_VALUE.fullmatch(text) and not text.startswith(_PACKED):
        return text
    return f"{_PACKED}{b64encode(text.encode('utf-8', 'replace')).decode()}?="


async def _events(answer: httpx.Response) -> AsyncIterator[str]:
    """The data of each event of a stream, whose events are one message each."""
    data: list[str] = []
    async for line in answer.aiter_lines():
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            event, data = "\n".join(data), []
            if event:
                yield event


def _object_in(text: str | bytes) -> RpcMessage | None:
    """The object that a text is in JSON; None where it is none."""
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        return value if isinstance(value, dict) else None
    return None
