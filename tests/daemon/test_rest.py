"""REST: rows become routes, questions are read strictly, answers are the rows' shapes.

Files come up streamed to private files, and go down piece by piece, whole or recognisably broken.
"""

import asyncio
import gzip
import socket
import stat
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from pydantic import Field

from finplan.client.client import Client
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.client.request import SESSION_COOKIE
from finplan.daemon.surfaces.rest.answers import PIECES_WAITING
from finplan.daemon.surfaces.rest.routes import build_shapes
from finplan.model.base import Nothing, Whole, Wire
from finplan.model.errors import NotFound
from finplan.operation import (
    AnyOperation,
    Creates,
    Download,
    Made,
    Operation,
    StreamedFile,
    Upload,
    UploadedFile,
)
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.patience import LONG_ENOUGH


class Look(Wire):
    since: Annotated[str | None, Field(alias="from")] = None
    group_by: str | None = None
    limit: Annotated[int, Field(ge=1, le=9)] = 5
    open: bool = False
    name: tuple[str, ...] = ()


class Change(Wire):
    id: str
    amount: Whole | None = None
    note: str | None = None


class Thing(Wire):
    id: str
    some_words: tuple[str, ...] = ()


LOOK = Operation(MADE_UP, "look", "GET", "/things", Look, Thing, "read", "Look.")
COUNT = Operation(MADE_UP, "count", "GET", "/things/count", Nothing, Thing, "read", "Count.")
SHOW = Operation(MADE_UP, "show", "GET", "/things/{id}", Change, Thing, "read", "Show.")
CHANGE = Operation(MADE_UP, "change", "PATCH", "/things/{id}", Change, Thing, "write", "Change.")
REMOVE = Operation(MADE_UP, "remove", "DELETE", "/things/{id}", Change, Thing, "write", "Remove.")
SWEEP = Operation(MADE_UP, "sweep", "POST", "/sweep", Nothing, tuple[Thing, ...], "write", "Sweep.")
MAKE = Operation(MADE_UP, "make", "POST", "/things", Nothing, Thing, "write", "Make.", Creates())
ROWS: tuple[AnyOperation, ...] = (SHOW, LOOK, COUNT, CHANGE, REMOVE, SWEEP, MAKE)


class Shelf:
    """Performs the rows above and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Wire] = []
        self.made: list[Thing] = []

    async def perform(self, _context: Context, operation: AnyOperation, ask: Wire) -> Any:
        self.asked.append(ask)
        thing = Thing(id=operation.name, some_words=("zwölf", "Größe"))
        if operation is MAKE:
            new = not self.made
            self.made.append(thing)
            return Made(thing, new)
        return (thing,) if operation is SWEEP else thing


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
async def things(tmp_path: Path, empty_store: Path, shelf: Shelf) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(
        tmp_path, empty_store, operations=ROWS, perform=shelf.perform
    ) as running:
        yield running


async def test_both_roots_answer_the_same(things: RunningDaemon) -> None:
    """`/api` is an alias of `/api/v1`, byte for byte."""
    versioned = await things.http.get("/api/v1/things/count")
    alias = await things.http.get("/api/things/count")

    assert versioned.status_code == alias.status_code == 200
    assert versioned.content == alias.content
    assert versioned.headers["content-type"] == "application/json"
    assert versioned.json() == {"id": "count", "someWords": ["zwölf", "Größe"]}


async def test_a_literal_wins_over_a_parameter(things: RunningDaemon) -> None:
    """`/things/count` is the row of that path, whichever row stands first in the table."""
    assert (await things.http.get("/api/things/count")).json()["id"] == "count"
    assert (await things.http.get("/api/things/other")).json()["id"] == "show"


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "POST", "TRACE"])
async def test_a_literal_has_its_own_methods(things: RunningDaemon, method: str) -> None:
    """What a parameter's path takes is not asked of a literal one: 405 names what that takes."""
    response = await things.http.request(method, "/api/things/count")

    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


async def test_a_body_where_none_belongs_is_not_waited_for(things: RunningDaemon) -> None:
    """A GET with a body is refused at its first bytes, however long it is."""
    response = await things.http.request(
        "GET", "/api/things/count", content=b"x" * (2 * 1024 * 1024)
    )

    assert response.status_code == 400


async def test_a_query_string_becomes_the_question(things: RunningDaemon, shelf: Shelf) -> None:
    """Values are read by their outside names, and a tuple's name may be repeated."""
    response = await things.http.get(
        "/api/things?from=2026&groupBy=a%20b&limit=7&open=true&name=x&name=y"
    )

    assert response.status_code == 200
    assert shelf.asked == [Look(since="2026", group_by="a b", limit=7, open=True, name=("x", "y"))]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("since=1", ["since"]),
        ("group_by=a", ["group_by"]),
        ("limit=0", ["limit"]),
        ("limit=5.5", ["limit"]),
        ("limit=" + "9" * 5000, ["limit"]),
        ("limit=1&limit=2", ["limit"]),
        ("open=perhaps", ["open"]),
        ("x=1", ["x"]),
    ],
)
async def test_a_wrong_query_is_refused(things: RunningDaemon, query: str, path: list[str]) -> None:
    """Inside names, unknown names, wrong types and repeated scalars are told by their path."""
    response = await things.http.get(f"/api/things?{query}")

    assert response.status_code == 400
    assert [issue["path"] for issue in response.json()["data"]["issues"]] == [path]


async def test_an_absent_body_is_an_empty_object(things: RunningDaemon, shelf: Shelf) -> None:
    """A POST without a body asks the same as one with `{}`, whatever content type it claims."""
    nothing = await things.http.post("/api/sweep")
    braces = await things.http.post("/api/sweep", json={})
    form = await things.http.post(
        "/api/sweep", headers={"content-type": "application/x-www-form-urlencoded"}
    )

    assert nothing.content == braces.content == form.content
    assert nothing.json() == [{"id": "sweep", "someWords": ["zwölf", "Größe"]}]
    assert shelf.asked == [Nothing(), Nothing(), Nothing()]


async def test_a_path_parameter_joins_the_body(things: RunningDaemon, shelf: Shelf) -> None:
    """The path's values are part of the question, decoded; null and absence stay two things."""
    await things.http.patch("/api/things/a%2Fb%20%C3%BC", json={"amount": 5, "note": None})

    (ask,) = shelf.asked
    assert isinstance(ask, Change)
    assert ask == Change(id="a/b ü", amount=5, note=None)
    assert ask.model_fields_set == {"id", "amount", "note"}


async def test_a_path_parameter_cannot_be_given_elsewhere(things: RunningDaemon) -> None:
    """A path parameter's name in the body or the query string is an unknown property."""
    body = await things.http.patch("/api/things/a", json={"id": "b"})
    query = await things.http.delete("/api/things/a?id=b")

    for response in (body, query):
        assert response.status_code == 400
        assert response.json()["data"]["issues"][0]["path"] == ["id"]


async def test_a_question_has_one_place(things: RunningDaemon, shelf: Shelf) -> None:
    """What travels in a body is refused in the query string, and the other way round."""
    in_query = await things.http.post("/api/sweep?x=1")
    in_body = await things.http.request("DELETE", "/api/things/a", content=b"{}")

    assert in_query.status_code == in_body.status_code == 400
    assert shelf.asked == []


async def test_a_creating_row_says_whether_the_thing_is_new(things: RunningDaemon) -> None:
    """201 the first time, 200 when the same thing is answered again."""
    first = await things.http.post("/api/things")
    second = await things.http.post("/api/things")

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json() == {"id": "make", "someWords": ["zwölf", "Größe"]}


async def test_what_may_be_read_may_be_asked_for_by_head(things: RunningDaemon) -> None:
    """HEAD answers the headers of GET, without the body."""
    whole = await things.http.get("/api/things/count")
    head = await things.http.head("/api/things/count")

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]


async def test_health_needs_no_credential(things: RunningDaemon) -> None:
    """Anybody on this machine may ask whether the daemon is well, and learns nothing else."""
    things.http.cookies.clear()

    response = await things.http.get("/health")

    assert response.status_code == 200
    assert set(response.json()) == {"status", "version"}


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=anything | st.dictionaries(st.sampled_from(["amount", "note", "id"]), anything))
async def test_no_body_makes_the_daemon_stumble(things: RunningDaemon, body: Any) -> None:
    """Any JSON at all is either the question or a 400 that names the place."""
    response = await things.http.patch("/api/things/a", json=body)

    assert response.status_code in (200, 400)


def test_what_a_change_asks_and_answers_is_built_before_it_is_asked_for() -> None:
    """Shapes of changes are built, also beside an answer that is a list; what is only read waits."""

    class Asked(Wire):
        number: int

    class Answered(Wire):
        number: int

    class Looked(Wire):
        number: int

    sweep: AnyOperation = SWEEP
    change: AnyOperation = CHANGE
    look: AnyOperation = LOOK
    build_shapes(
        [
            replace(sweep, asks=Asked),
            replace(change, answers=Answered),
            replace(look, asks=Looked, answers=Looked),
        ]
    )

    assert Asked.__pydantic_complete__
    assert Answered.__pydantic_complete__
    assert not Looked.__pydantic_complete__


TEXT = Download(media_types=("text/plain",))
WHOLE, BROKEN, REFUSED, ENDLESS = (
    Operation(MADE_UP, name, "GET", f"/{name}", Nothing, StreamedFile, "read", "A file.", TEXT)
    for name in ("whole", "broken", "refused", "endless")
)
FILE_ROWS: tuple[AnyOperation, ...] = (WHOLE, BROKEN, REFUSED, ENDLESS)
PIECES = (b"one;", "zwölf;".encode(), b"x" * 200_000)


class Maker:
    """Makes the files, and remembers how many pieces of the endless one were asked for."""

    def __init__(self) -> None:
        self.made = 0
        self.is_closed = asyncio.Event()

    async def perform(self, _context: Context, operation: AnyOperation, _ask: Wire) -> Any:
        if operation is REFUSED:
            raise NotFound("There is nothing to be had.")
        return StreamedFile("money.csv", "text/csv", self._pieces(operation))

    async def _pieces(self, operation: AnyOperation) -> AsyncGenerator[bytes, None]:
        try:
            for piece in PIECES:
                yield piece
            if operation is BROKEN:
                raise RuntimeError("The disk is gone.")
            while operation is ENDLESS:
                self.made += 1
                yield b"x" * 65536
        finally:
            self.is_closed.set()


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
async def files(tmp_path: Path, empty_store: Path, maker: Maker) -> AsyncIterator[RunningDaemon]:
    running = running_daemon(tmp_path, empty_store, operations=FILE_ROWS, perform=maker.perform)
    async with running as daemon:
        yield daemon


@pytest.fixture
def client(files: RunningDaemon) -> Iterator[Client]:
    with closing(Client(files.base_url, files.token)) as opened:
        yield opened


async def test_a_file_comes_whole_as_an_attachment(files: RunningDaemon, client: Client) -> None:
    """Its bytes, its name and its kind are those that the performer gave; HEAD gives no bytes."""
    answer = await files.http.get("/api/v1/whole")
    got: list[bytes] = []
    await asyncio.to_thread(client.download, WHOLE, Nothing(), got.append)
    head = await files.http.head("/api/v1/whole")

    assert answer.content == b"".join(got) == b"".join(PIECES)
    for each in (answer, head):
        assert each.headers["content-type"] == "text/csv; charset=utf-8"
        assert each.headers["content-disposition"] == 'attachment; filename="money.csv"'
    assert head.content == b""


async def test_a_file_that_cannot_be_finished_is_broken(
    files: RunningDaemon, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """A receiver knows that it has not got all, the log says why, and the daemon goes on."""
    with pytest.raises(DaemonUnreachable):
        await asyncio.to_thread(client.download, BROKEN, Nothing(), lambda _: None)

    assert "money.csv could not" in caplog.text
    assert (await files.http.get("/api/v1/whole")).status_code == 200


async def test_a_question_is_refused_before_a_file(files: RunningDaemon, client: Client) -> None:
    """What is wrong with the question comes as an envelope, as for any other row."""
    with pytest.raises(CallFailed, match="to be had") as refused:
        await asyncio.to_thread(client.download, REFUSED, Nothing(), lambda _: None)
    assert refused.value.code == NotFound.code
    answer = await files.http.get("/api/v1/whole?nonsense=1")
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_a_file_is_made_as_fast_as_it_is_taken(files: RunningDaemon, maker: Maker) -> None:
    """Memory stays flat: whoever takes nothing is made little, and whoever leaves ends the making."""
    async with files.http.stream("GET", "/api/v1/endless") as response:
        taken = 0
        async for piece in response.aiter_raw():
            taken += len(piece)
            if taken > 20_000_000:
                break
        assert maker.made * 65536 < taken + 20_000_000
    await asyncio.wait_for(maker.is_closed.wait(), LONG_ENOUGH)


async def test_little_is_made_for_who_takes_nothing(files: RunningDaemon, maker: Maker) -> None:
    """A hundred of them would otherwise have megabytes made each before anybody else's next piece."""
    idle = socket.socket()
    idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await asyncio.to_thread(idle.connect, ("127.0.0.1", files.port))
    idle.sendall(
        f"GET /api/v1/endless HTTP/1.1\r\nHost: 127.0.0.1:{files.port}\r\n"
        f"Cookie: {SESSION_COOKIE}={files.token}\r\n\r\n".encode()
    )
    made = [-1]
    while made[-1] != made[0] or made[-1] < 1:
        # As long as the system takes what is made, some of it is made beside each of these.
        made = [maker.made]
        for _ in range(20):
            await files.http.get("/api/v1/whole")
            made.append(maker.made)
    idle.close()

    assert made[-1] * 65536 < 6 * PIECES_WAITING


LIMIT = 3_000_000


class Options(Wire):
    id: str
    dry_run: bool = False
    note: str | None = None


class Seen(Wire):
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    modes: tuple[int, ...]
    note: str | None
    dry_run: bool


SEND = Operation(MADE_UP, "send", "POST", "/boxes/{id}", Options, Seen, "write", "Send.", Upload())


class Box:
    """Looks at what arrives; `trouble` is what it does before it answers."""

    def __init__(self) -> None:
        self.trouble: Callable[[], None] = lambda: None
        self.contents: list[bytes] = []

    async def perform(
        self,
        _context: Context,
        _operation: AnyOperation,
        ask: Options,
        files: tuple[UploadedFile, ...],
    ) -> Seen:
        self.trouble()
        self.contents = [file.path.read_bytes() for file in files]
        assert len({file.path for file in files}) == len(files)
        return Seen(
            names=tuple(file.name for file in files),
            sizes=tuple(map(len, self.contents)),
            modes=tuple(stat.S_IMODE(file.path.stat().st_mode) for file in files),
            note=ask.note,
            dry_run=ask.dry_run,
        )


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
async def boxes(tmp_path: Path, empty_store: Path, box: Box) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(
        tmp_path, empty_store, operations=(SEND,), perform=box.perform, upload_limit=LIMIT
    ) as running:
        yield running


async def test_files_and_values_arrive_whole(boxes: RunningDaemon, box: Box) -> None:
    """Every byte of each file arrives in a private file; values are read as in a query string."""
    contents = [b"", b"\r\n--", bytes(range(256)) * 8000]

    response = await boxes.http.post(
        "/api/v1/boxes/b1",
        data={"dryRun": "true", "note": "für März"},
        files=[("file", ("März.csv", content)) for content in contents],
    )

    assert response.status_code == 200
    assert response.json() == {
        "names": ["März.csv"] * 3,
        "sizes": [len(content) for content in contents],
        "modes": [0o600] * 3,
        "note": "für März",
        "dryRun": True,
    }
    assert box.contents == contents
    assert list(boxes.uploads.iterdir()) == []


@pytest.mark.parametrize(
    ("sent", "label"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\bank.qfx", "bank.qfx"),
        ('say "hi".csv', 'say "hi".csv'),
        ("exe.\u202evsc", "exe.vsc"),
        ("..", ".."),
        ("می\u200cخواهم.csv", "می\u200cخواهم.csv"),
        ("a \u200f\u202e", "a"),
        ("a%3Bb%3B%3Bc.csv", "a;b;;c.csv"),
    ],
)
async def test_a_file_name_is_only_a_label(boxes: RunningDaemon, sent: str, label: str) -> None:
    """The sender's name loses folders and control characters, and never becomes a path."""
    response = await boxes.http.post("/api/v1/boxes/b1", files=[("file", (sent, b"x"))])

    assert response.json()["names"] == [label]


async def test_an_upload_has_a_bounded_size(boxes: RunningDaemon) -> None:
    """413 for one byte too much, whether or not the length is announced, and nothing stays."""

    async def chunked(size: int) -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        for start in range(0, size, 100_000):
            yield b"x" * min(100_000, size - start)
        yield b"\r\n--x--\r\n"

    headers = {"content-type": "multipart/form-data; boundary=x"}
    announced = await boxes.http.post("/api/v1/boxes/b1", files=[("file", ("a", b"x" * LIMIT))])
    unannounced = await boxes.http.post(
        "/api/v1/boxes/b1", content=chunked(LIMIT + 1), headers=headers
    )
    just_right = await boxes.http.post("/api/v1/boxes/b1", content=chunked(LIMIT), headers=headers)

    assert (announced.status_code, unannounced.status_code) == (413, 413)
    assert just_right.json()["sizes"] == [LIMIT]
    assert list(boxes.uploads.iterdir()) == []


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_a_packed_upload_is_counted_unpacked(boxes: RunningDaemon, packing: str) -> None:
    """However little a packed body is, it may hold no more than a plain one."""

    def packed(size: int) -> bytes:
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        whole = head + bytes(size) + b"\r\n--x--\r\n"
        return gzip.compress(whole) if packing == "gzip" else zlib.compress(whole)

    headers = {"content-type": "multipart/form-data; boundary=x", "content-encoding": packing}
    answers = [
        await boxes.http.post("/api/v1/boxes/b1", content=packed(size), headers=headers)
        for size in (LIMIT, LIMIT + 1)
    ]

    assert [answer.status_code for answer in answers] == [200, 413]
    assert answers[0].json()["sizes"] == [LIMIT]
    assert f"larger than {LIMIT:,} bytes uncompressed" in answers[1].json()["message"]
    assert "`upload_limit` (FINPLAN_UPLOAD_LIMIT)" in answers[1].json()["message"]
    assert list(boxes.uploads.iterdir()) == []


@pytest.mark.parametrize(
    "part",
    [
        b'Content-Disposition: form-data; name="file"\r\n\r\nno file name',
        b"Content-Disposition: form-data\r\n\r\nno name",
        b"Content-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n\r\n\r\n--y--",
        b'Content-Disposition: form-data; name="note"\r\n\r\n\xff',
        b'Content-Disposition: form-data; name="note"\r\n\r\n' + b"x" * 70_000,
        b'Content-Disposition: form-data; name="note"\r\nContent-Transfer-Encoding: rot13\r\n\r\nx',
        b'Content-Disposition: form-data; name="surprise"\r\n\r\nx',
        b'Content-Disposition: form-data; name="id"\r\n\r\nx',
        b'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut off',
    ],
)
async def test_a_form_that_does_not_fit_is_refused(boxes: RunningDaemon, part: bytes) -> None:
    """Each way in which a form can be wrong is a 400, and its files are gone."""
    whole = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n'
    end = b"" if part.endswith(b"cut off") else b"\r\n--x--\r\n"

    response = await boxes.http.post(
        "/api/v1/boxes/b1",
        content=whole + b"--x\r\n" + part + end,
        headers={"content-type": "multipart/form-data; boundary=x"},
    )

    assert response.status_code == 400
    assert list(boxes.uploads.iterdir()) == []


@pytest.mark.thorough
async def test_too_many_parts_are_refused(boxes: RunningDaemon) -> None:
    """A form has at most a thousand parts."""
    response = await boxes.http.post(
        "/api/v1/boxes/b1", files=[("file", ("a", b"x")) for _ in range(1001)]
    )

    assert response.status_code == 400
    assert list(boxes.uploads.iterdir()) == []


async def test_nothing_stays_when_the_performer_fails(boxes: RunningDaemon, box: Box) -> None:
    """Files are deleted after a failure as after an answer."""

    def stumble() -> None:
        assert len(list(boxes.uploads.iterdir())) == 1
        raise RuntimeError

    box.trouble = stumble

    response = await boxes.http.post("/api/v1/boxes/b1", files=[("file", ("a", b"x"))])

    assert response.status_code == 500
    assert list(boxes.uploads.iterdir()) == []


async def test_nothing_stays_when_the_sender_hangs_up(
    boxes: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """A sender who goes away in the middle leaves no file and no error in the log."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", boxes.port)
    writer.write(
        f"POST /api/v1/boxes/b1 HTTP/1.1\r\nHost: 127.0.0.1:{boxes.port}\r\n"
        f"Cookie: finplan_session={boxes.token}\r\nContent-Length: 100000\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'.encode()
    )
    await writer.drain()
    async with asyncio.timeout(LONG_ENOUGH):
        while not list(boxes.uploads.iterdir()):
            await boxes.http.get("/health")

        writer.close()
        await writer.wait_closed()

        while list(boxes.uploads.iterdir()):
            await boxes.http.get("/health")
    assert caplog.text == ""


async def test_the_client_tells_how_far_files_are(boxes: RunningDaemon, tmp_path: Path) -> None:
    """The typed client streams files from disk; its hook is told every byte, once."""
    paths = [tmp_path / "a.csv", tmp_path / "größer.ofx"]
    paths[0].write_bytes(b"x" * 100_000)
    paths[1].write_bytes(b"y" * 70_001)
    sent: list[int] = []

    seen = await boxes.client.call(SEND, Options(id="b/1", dry_run=True), paths, sent.append)

    assert seen.names == ("a.csv", "größer.ofx")
    assert seen.sizes == (100_000, 70_001)
    assert seen.dry_run
    assert sum(sent) == 170_001


async def test_the_client_tells_a_refused_upload(boxes: RunningDaemon, tmp_path: Path) -> None:
    """A refusal in the middle of sending reaches the caller as the envelope it is."""
    big = tmp_path / "big"
    big.write_bytes(bytes(20_000_000))

    with pytest.raises(CallFailed) as failed:
        await boxes.client.call(SEND, Options(id="b1"), [big])

    assert (failed.value.status, failed.value.code) == (413, "PAYLOAD_TOO_LARGE")
