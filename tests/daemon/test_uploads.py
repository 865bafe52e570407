"""Uploads: streamed to private files, handed to the performer, gone afterwards whatever happens."""

import asyncio
import gzip
import stat
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from finplan.client.failures import CallFailed
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Operation, Upload, UploadedFile
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.patience import LONG_ENOUGH

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
    assert f"larger than {LIMIT:,} bytes, unpacked" in answers[1].json()["message"]
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


async def test_the_client_sends_files_and_tells_how_far_it_is(
    boxes: RunningDaemon, tmp_path: Path
) -> None:
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


async def test_the_client_tells_of_an_upload_that_is_refused(
    boxes: RunningDaemon, tmp_path: Path
) -> None:
    """A refusal in the middle of sending reaches the caller as the envelope it is."""
    big = tmp_path / "big"
    big.write_bytes(bytes(20_000_000))

    with pytest.raises(CallFailed) as failed:
        await boxes.client.call(SEND, Options(id="b1"), [big])

    assert (failed.value.status, failed.value.code) == (413, "PAYLOAD_TOO_LARGE")
