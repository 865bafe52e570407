"""A daemon of cardboard: it is found and asked like the real one, and answers what it was told to.

It stands in where a test is about the command line alone: exact bytes, errors and exit codes.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import getpid
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel

from finplan import __version__
from finplan.client.announcement import Announcement, hold, write_announcement
from finplan.client.request import API_ROOT, VERSION_HEADER
from finplan.settings import Settings, marks_of_file
from tests.cli.made_up import household_settings

Answer = tuple[int, bytes]
Reply = Callable[[], Answer]


def as_json(content: Any) -> bytes:
    """Models, or what holds models, as the daemon writes them."""
    if isinstance(content, BaseModel):
        return content.model_dump_json(by_alias=True).encode()
    return json.dumps(
        content, default=lambda each: each.model_dump(mode="json", by_alias=True)
    ).encode()


@dataclass(frozen=True)
class Asked:
    """One request as it arrived; `query` and `body` are what it carried."""

    method: str
    path: str
    query: dict[str, list[str]]
    body: bytes
    accept: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Stub:
    """What to answer by method and path, and what was asked so far."""

    answers: dict[tuple[str, str], Reply] = field(default_factory=dict)
    beginnings: dict[tuple[str, str], Iterator[Answer | BaseModel]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def answer(self, method: str, path: str, content: Any, status: int = 200) -> None:
        """Answer a path with bytes as they are, or with models and anything else as JSON."""
        body = content if isinstance(content, bytes) else as_json(content)
        self.answers[method, path] = lambda: (status, body)

    def refuse(
        self, method: str, path: str, status: int, code: str, message: str, data: Any = None
    ) -> None:
        """Answer a path with an error envelope."""
        envelope = {
            "defined": True,
            "code": code,
            "status": status,
            "message": message,
            "data": data,
        }
        self.answer(method, path, envelope, status)

    def answers_to(
        self, method: str, beginning: str, answers: Iterable[Answer | BaseModel]
    ) -> None:
        """Answer the requests for paths that begin so, one after the other."""
        self.beginnings[method, beginning] = iter(answers)

    def reply(self, method: str, path: str) -> Answer:
        """What to answer to a request."""
        if (method, path) in self.answers:
            return self.answers[method, path]()
        for (asked, beginning), answers in self.beginnings.items():
            if method == asked and path.startswith(beginning):
                told = next(answers)
                return told if isinstance(told, tuple) else (200, as_json(told))
        message = f"The stub was not told what to answer to {method} {path}."
        envelope = {"defined": False, "code": "UNTOLD", "status": 500, "message": message}
        return 500, json.dumps(envelope).encode()

    def requests(self, method: str, path: str) -> list[Asked]:
        """What was asked of one path."""
        return [each for each in self.asked if (each.method, each.path) == (method, path)]


@contextmanager
def stub_daemon(settings: Settings) -> Iterator[Stub]:
    """Be the daemon of a profile: hold its lock, announce an address and answer there."""
    stub = Stub()
    stub.answer("GET", "/health", {"status": "ok", "version": __version__})
    stub.answer("GET", "/settings", household_settings())
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stub))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    places = settings.places
    places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    port = server.server_address[1]
    url = f"http://127.0.0.1:{port}"
    try:
        with hold(places.daemon_lock):
            write_announcement(
                places.daemon_file,
                Announcement(
                    pid=getpid(),
                    port=port,
                    version=__version__,
                    site_url=url,
                    token="t",
                    started_at=0,
                    settings=marks_of_file(settings),
                ),
            )
            yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            target = urlsplit(self.path)
            path = target.path.removeprefix(API_ROOT)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if path != "/health":
                accept = self.headers.get("accept", "")
                stub.asked.append(Asked(self.command, path, parse_qs(target.query), body, accept))
            status, content = stub.reply(self.command, path)
            self.send_response(status)
            self.send_header(VERSION_HEADER, __version__)
            self.send_header("content-length", str(len(content)))
            # Who was interrupted has left.
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815  # The library's names.

        def log_message(self, *arguments: object) -> None:
            """Say nothing: stderr is what the tests look at."""

    return Handler
