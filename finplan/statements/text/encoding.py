"""Bytes to text: the encoding of a statement file, its text block by block, and its lines."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from finplan.statements.statement import LONG_LINE, SourceFile, UnreadableStatement
from finplan.statements.text.descriptors import CELL_GLUE
from finplan.statements.text.latin import LATIN_PAGES, latin_page
from finplan.statements.text.scripts import SCRIPTS, likeliest_page

BLOCK = 1 << 17
"""Bytes that are decoded at once; what is made of more of them no longer fits a processor's cache."""

_GUESSED = {*LATIN_PAGES, *(page for script in SCRIPTS for page in script.encodings)}
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NOT_FOR_FILES = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"}
_WORDS = re.compile(r"[^,;\t|\"]+")
_WINDOWS = 32
_WINDOW_BYTES = 1 << 16
_BYTES_WEIGHED = 1 << 13
_CONTINUATION = bytes(range(0x80, 0xC0))
_DELETED = ("\0", CELL_GLUE)
"""Padding, and the character that columns are joined with while they are converted."""


@dataclass(frozen=True, slots=True)
class Charset:
    """An encoding by its Python name, and how bytes that do not fit it are treated.

    `other` is one that is hardly less likely and reads other letters, None where there is none.
    """

    name: str
    errors: str = "strict"
    other: str | None = None


_MENDED_UTF8 = Charset("utf-8", "replace")


def find_charset(source: SourceFile, hint: str | None, declared: str | None = None) -> Charset:
    """Find a file's encoding from its beginning and some windows further on.

    `hint` is the person's word and is obeyed, or refused with UnreadableStatement; `declared` is
    the file's own word, believed only when the bytes are not UTF-8.
    """
    if hint is not None:
        return _demanded(source, hint)
    wide = wide_charset(source.head)
    if wide is not None:
        return wide
    evidence = source.head
    if evidence.isascii():
        windows = _windows(source.path)
        evidence = next((window for window in windows if not window.isascii()), b"")
    return _narrow_charset(evidence, declared)


def doubtful_word(source: SourceFile, charset: Charset) -> tuple[str, str] | None:
    """Give a word of the file as its encoding reads it, and as another one that may as well be meant.

    None where none may be, or where the word stands far below the beginning of the file.
    """
    if charset.other is None:
        return None
    read, alternative = (
        source.head.decode(name, "replace") for name in (charset.name, charset.other)
    )
    pairs = zip(read.split(), alternative.split(), strict=False)
    split_pairs = ((_WORDS.findall(mine), _WORDS.findall(theirs)) for mine, theirs in pairs)
    return next(
        (
            (mine[index], theirs[index])
            for mine, theirs in split_pairs
            if mine != theirs and len(mine) == len(theirs)
            for index in range(len(mine))
            if mine[index] != theirs[index]
        ),
        None,
    )


def remembered_charset(source: SourceFile, name: str) -> Charset | None:
    """The encoding that the person named for an earlier file, None where this file is not in it."""
    try:
        return Charset(_demanded(source, name).name, "replace")
    except UnreadableStatement:
        return None


def is_guess(charset: Charset) -> bool:
    """Whether an encoding was found by likeness alone, as one code page among several is."""
    return charset.name in _GUESSED


def wide_charset(head: bytes) -> Charset | None:
    """Recognise a byte order mark, or UTF-16 without one: zero bytes in every other place."""
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return Charset(name, "replace")
    even, odd = head[:4096:2], head[1:4096:2]
    if len(odd) < 8:
        return None
    if odd.count(0) > 0.6 * len(odd) and even.count(0) < 0.1 * len(even):
        return Charset("utf-16-le", "replace")
    if even.count(0) > 0.6 * len(even) and odd.count(0) < 0.1 * len(odd):
        return Charset("utf-16-be", "replace")
    return None


def glance(head: bytes) -> str:
    """Decode first bytes well enough to recognise a format: letters of ASCII come out right."""
    charset = wide_charset(head) or Charset("latin-1")
    return _without_padding(head.decode(charset.name, "replace"))


def texts(path: Path, charset: Charset) -> Iterator[str]:
    """Yield a file's text block by block, without zero bytes.

    A file that is ASCII for long and then shows bytes that are no UTF-8 goes on in the code page
    that these bytes suggest; one that has shown real UTF-8 goes on with replacement characters.
    Raises UnreadableStatement when the file is not in the encoding that the person named.
    """
    decoder = codecs.getincrementaldecoder(charset.name)(charset.errors)
    only_ascii = True
    with path.open("rb") as file:
        last = False
        while not last:
            block = file.read(BLOCK)
            last = not block
            pending = decoder.getstate()[0]
            try:
                text = decoder.decode(block, last)
            except UnicodeError as error:
                if charset.name != "utf-8":
                    raise _misfit(charset.name) from error
                charset = _narrow_charset(pending + block, None) if only_ascii else _MENDED_UTF8
                decoder = codecs.getincrementaldecoder(charset.name)("replace")
                text = decoder.decode(pending + block, last)
            only_ascii = only_ascii and text.isascii()
            yield _without_padding(text)


def _without_padding(text: str) -> str:
    for character in _DELETED:
        if character in text:
            text = text.replace(character, "")
    return text


def _demanded(source: SourceFile, name: str) -> Charset:
    try:
        canonical = codecs.lookup(name).name
        b"\r\n".decode(canonical, "ignore")
    except (LookupError, ValueError) as error:
        raise UnreadableStatement(f"Unknown encoding “{name}”. Try utf-8 or cp1252.") from error
    if canonical in _NOT_FOR_FILES:
        raise UnreadableStatement(f"“{name}” is not a file encoding. Try utf-8 or cp1252.")
    try:
        decoder = codecs.getincrementaldecoder(canonical)("strict")
        decoder.decode(source.head)
    except UnicodeError as error:
        raise _misfit(canonical) from error
    return Charset("utf-8-sig" if canonical == "utf-8" else canonical)


def _misfit(name: str) -> UnreadableStatement:
    return UnreadableStatement(
        f"The file is not in {name}. Choose another encoding, or none to let finplan detect it."
    )


def _windows(path: Path) -> Iterator[bytes]:
    """Look at the whole of a small file, and at evenly spaced places of a big one."""
    size = path.stat().st_size
    step = max(_WINDOW_BYTES, size // _WINDOWS)
    with path.open("rb") as file:
        for start in range(_WINDOW_BYTES, size, step):
            file.seek(start)
            yield file.read(_WINDOW_BYTES)


def _narrow_charset(data: bytes, declared: str | None) -> Charset:
    """Choose between UTF-8 and the code pages for bytes that may be cut inside a character."""
    if data.isascii():
        return Charset("utf-8")
    text = _as_utf8(data)
    broken = text.count("\ufffd")
    if broken == 0:
        return Charset("utf-8")
    if sum(character > "\x7f" for character in text) > 11 * broken:
        return _MENDED_UTF8
    if declared is not None and _nearly_fits(data, declared):
        return Charset(codecs.lookup(declared).name, "replace")
    lines = b"\n".join(line for line in data.splitlines() if not line.isascii())
    return _code_page(lines[:_BYTES_WEIGHED], data[:_BYTES_WEIGHED])


def _as_utf8(data: bytes) -> str:
    """Decode bytes with replacement, except that a character cut at either end is dropped."""
    aligned = data.lstrip(_CONTINUATION) if len(data) >= _WINDOW_BYTES else data
    return codecs.getincrementaldecoder("utf-8")("replace").decode(aligned)


def _nearly_fits(data: bytes, name: str) -> bool:
    """Allow for a few bytes without a meaning, which banks do write under CHARSET:1252."""
    try:
        text = data.decode(name, "replace")
    except (LookupError, ValueError):
        return False
    return text.count("\ufffd") * 4 <= sum(byte > 0x7F for byte in data)


def _code_page(lines: bytes, beside: bytes) -> Charset:
    """Find the code page of some lines, each of which has letters above ASCII, `beside` others."""
    page = likeliest_page(lines)
    if page is not None:
        return Charset(page, "replace")
    name, alternative = latin_page(lines, beside)
    return Charset(name, "replace", alternative)


_LONGEST_LINE = 1 << 20
_MOST_LINES_BELOW = 20_000


class Block(NamedTuple):
    """A line that begins in the first column, and the indented lines below it.

    `line` is the number of the first; the lines have no end-of-line, the indented ones no indent.
    """

    line: int
    head: str
    below: list[tuple[int, str]]


def lines_of(source: SourceFile, charset: Charset) -> Iterator[str]:
    """Yield the lines of a file. Raises UnreadableStatement for one of a million characters."""
    buffer = ""
    for text in texts(source.path, charset):
        buffer += text
        held_back = "\r" if buffer.endswith("\r") else ""
        plain = buffer.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        *lines, last = plain.split("\n")
        buffer = last + held_back
        if len(buffer) > _LONGEST_LINE or any(len(line) > _LONGEST_LINE for line in lines):
            raise UnreadableStatement(LONG_LINE)
        yield from lines
    yield from buffer.replace("\r", "\n").split("\n")


def blocks_of(lines: Iterator[tuple[int, str]]) -> Iterator[Block]:
    """Gather lines into blocks; empty lines end one. Raises UnreadableStatement for one without end."""
    block: Block | None = None
    for number, line in lines:
        if not line.strip():
            if block is not None:
                yield block
            block = None
        elif line[0] in " \t":
            if block is not None:
                block.below.append((number, line.strip()))
                if len(block.below) > _MOST_LINES_BELOW:
                    raise UnreadableStatement(f"Line {block.line}: this entry never ends.")
        else:
            if block is not None:
                yield block
            block = Block(number, line.rstrip(), [])
    if block is not None:
        yield block
