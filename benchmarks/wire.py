"""The leanest client of a daemon: ready-made requests over sockets that stay open.

What a client does costs time on the same machine, so for figures of many small requests it does next to
nothing: it sends bytes and looks where the answer ends.
"""

import json
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path
from select import select
from typing import NamedTuple


class Answer(NamedTuple):
    """What came back: the status, and the body's bytes."""

    status: int
    body: bytes


class Wire:
    """A connection to a daemon, that sends requests and reads their answers in order.

    Who asks is told by a header, a session's cookie unless it is another one.
    """

    def __init__(self, port: int, credential: str, header: str = "Cookie") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._place = (port, f"{header}: {credential}")
        self._read = bytearray()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def send(self, question: "Question") -> None:
        """Send a question."""
        self.put(request(*self._place, question))

    def put(self, content: bytes) -> None:
        """Send a request as it is."""
        self._socket.sendall(content)

    def receive(self) -> Answer:
        """The next answer. Raises RuntimeError when the daemon hangs up or refuses."""
        while (end := self._read.find(b"\r\n\r\n")) < 0:
            self._more()
        status, length = told(bytes(self._read[:end]))
        while len(self._read) < end + 4 + length:
            self._more()
        answer = Answer(status, bytes(self._read[end + 4 : end + 4 + length]))
        del self._read[: end + 4 + length]
        if not 200 <= status < 300:
            raise RuntimeError(f"The daemon answered {status}: {answer.body.decode()}")
        return answer

    def ask(self, question: "Question") -> bytes:
        """Send a question and wait for its answer; the body that came."""
        self.send(question)
        return self.receive().body

    def fileno(self) -> int:
        """The number by which the system knows the connection."""
        return self._socket.fileno()

    def _more(self) -> None:
        content = self._socket.recv(1 << 18)
        if not content:
            raise RuntimeError("The daemon hung up.")
        self._read += content


class Question(NamedTuple):
    """A request as it is put: the method, the path below the version, and a body, mostly of JSON."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = "application/json"


def saying(method: str, path: str, sent: object) -> Question:
    """A question that says something, in JSON."""
    return Question(method, path, json.dumps(sent).encode())


def uploading(path: str, file: Path) -> Question:
    """A question that brings a file, as a form does."""
    boundary = "a-line-that-no-statement-has"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"'
    body = b"%s\r\n\r\n%s\r\n--%s--\r\n" % (head.encode(), file.read_bytes(), boundary.encode())
    return Question("POST", path, body, f"multipart/form-data; boundary={boundary}")


def ask_all(wires: Sequence[Wire], questions: Iterable[Question]) -> None:
    """Put questions in their order, each over a connection that is free; all are busy all the time."""
    free, busy = list(wires), list[Wire]()
    for question in questions:
        if not free:
            free, _, _ = select(busy, (), ())
            for wire in free:
                wire.receive()
        wire = free.pop()
        wire.send(question)
        busy = [each for each in wires if each not in free]
    for wire in busy:
        wire.receive()


def request(port: int, credential: str, question: Question) -> bytes:
    """A question as it is sent to the daemon of a port, with the header that says who asks."""
    method, path, body, kind = question
    content = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
    head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{credential}\r\n"
    return f"{head}{content}\r\n".encode() + body


def told(head: bytes) -> tuple[int, int]:
    """The status and the length of the body that a head tells."""
    first, *fields = head.split(b"\r\n")
    for field in fields:
        name, _, value = field.partition(b":")
        if name.lower() == b"content-length":
            return int(first.split(b" ", 2)[1]), int(value)
    raise RuntimeError("The answer does not say how long it is.")
