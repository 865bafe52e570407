"""Multipart forms with files, streamed to disk and gone when the request is over."""

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import BodyPartReader, MultipartReader, web
from aiohttp.http import HttpProcessingError

from finplan.daemon.errors import MalformedBody
from finplan.model.characters import visible
from finplan.model.errors import PayloadTooLarge, UnsupportedMediaType
from finplan.operation import UploadedFile

FILE_FIELD = "file"
MOST_PARTS = 1000
LARGEST_VALUE = 64 * 1024
_CHUNK = 256 * 1024
_PLAIN_ENCODINGS = ("binary", "8bit", "7bit")


@dataclass(frozen=True, slots=True)
class Form:
    """A form that has arrived whole: its values by name, and its files."""

    fields: Mapping[str, Sequence[str]]
    files: tuple[UploadedFile, ...]


@dataclass(slots=True)
class _Arriving:
    """A form that is arriving, and how much of it may still come."""

    folder: Path
    limit: int
    left: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[UploadedFile] = field(default_factory=list)

    def count(self, chunk: bytes) -> None:
        self.left -= len(chunk)
        if self.left < 0:
            raise too_large(self.limit)


@asynccontextmanager
async def received(request: web.Request, folder: Path, limit: int) -> AsyncIterator[Form]:
    """Receive a form of at most `limit` bytes, unpacked; its files are deleted when the block ends.

    Raises UnsupportedMediaType, PayloadTooLarge and MalformedBody.
    """
    if request.content_type != "multipart/form-data":
        raise UnsupportedMediaType(
            "Send the files as `multipart/form-data`, each in a part named `file`."
        )
    if (request.content_length or 0) > limit:
        raise too_large(limit)
    arriving = _Arriving(folder, limit, left=limit)
    try:
        with _well_formed():
            parts = await request.multipart()
        await _receive(parts, arriving)
        yield Form(arriving.fields, tuple(arriving.files))
    finally:
        paths = [file.path for file in arriving.files]
        await asyncio.get_running_loop().run_in_executor(None, _delete, paths)


def too_large(limit: int) -> PayloadTooLarge:
    """The refusal of an upload; the limit is a setting."""
    return PayloadTooLarge(
        f"The upload is larger than {limit:,} bytes uncompressed. Send fewer files at once. Or raise the"
        " setting `upload_limit` (FINPLAN_UPLOAD_LIMIT) and restart finplan."
    )


async def _receive(parts: MultipartReader, arriving: _Arriving) -> None:
    for _ in range(MOST_PARTS):
        # What has arrived is read without waiting, and others wait for the loop.
        await asyncio.sleep(0)
        with _well_formed():
            part = await parts.next()
        if part is None:
            return
        if not isinstance(part, BodyPartReader) or not part.name:
            raise MalformedBody(
                "Each part of the form needs a name and cannot contain other parts."
            )
        encoding = part.headers.get("Content-Transfer-Encoding", "binary").lower()
        if encoding not in _PLAIN_ENCODINGS:
            raise MalformedBody(f"The transfer encoding {encoding!r} is not supported.")
        if part.name != FILE_FIELD:
            arriving.fields.setdefault(part.name, []).append(await _value(part, arriving))
        elif part.filename is None:
            raise MalformedBody("A part named `file` needs a file name.")
        else:
            await _save(part, part.filename, arriving)
    raise MalformedBody(f"The form has more than {MOST_PARTS} parts.")


async def _value(part: BodyPartReader, arriving: _Arriving) -> str:
    value = bytearray()
    async for chunk in _chunks(part, arriving):
        value += chunk
        if len(value) > LARGEST_VALUE:
            raise MalformedBody(f"The value of {part.name!r} is too long.")
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise MalformedBody(f"The value of {part.name!r} is not UTF-8 text.") from None


async def _save(part: BodyPartReader, name: str, arriving: _Arriving) -> None:
    descriptor, path = await asyncio.to_thread(tempfile.mkstemp, dir=arriving.folder)
    arriving.files.append(UploadedFile(_label(name), Path(path)))
    with os.fdopen(descriptor, "wb") as file:
        async for chunk in _chunks(part, arriving):
            await asyncio.to_thread(file.write, chunk)


async def _chunks(part: BodyPartReader, arriving: _Arriving) -> AsyncIterator[bytes]:
    while True:
        with _well_formed():
            chunk = await part.read_chunk(_CHUNK)
        if not chunk:
            return
        arriving.count(chunk)
        yield chunk


@contextmanager
def _well_formed() -> Iterator[None]:
    # These are what aiohttp's reader of multipart bodies raises about bytes that it cannot read.
    try:
        yield
    except (ValueError, AssertionError, RuntimeError, HttpProcessingError) as error:
        raise MalformedBody("The multipart body cannot be read.") from error


def _label(name: str) -> str:
    """The sender's name of a file without folders and control characters."""
    # Forms write a quotation mark in a file's name as %22, our client a semicolon as %3B.
    last = re.split(r"[\\/]", name)[-1].replace("%22", '"').replace("%3B", ";")
    return visible(last)[:255] or "upload"


def _delete(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
