"""What a file is that no reader reads, told from its first bytes for a sentence to the person."""

import re

from finplan.statements.encoding import glance, wide_charset

_ADVICE = "ask the bank for OFX, QFX or CSV"
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"II*\x00", "a picture (TIFF)"),
    (b"MM\x00*", "a picture (TIFF)"),
    (b"BM", "a picture (BMP)"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"BZh", "a compressed file (bzip2)"),
    (b"\xfd7zXZ", "a compressed file (xz)"),
    (b"7z\xbc\xaf", "a compressed file (7z)"),
    (b"Rar!", "a compressed file (RAR)"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a word processor's file (RTF)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_TEXTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE), "a web page"),
    (re.compile(r"<!DOCTYPE|<!ENTITY"), "XML that declares its own entities"),
    (re.compile(r"iso:20022:tech:xsd:camt|<(?:\w+:)?BkToCstmr"), "a CAMT statement"),
    (re.compile(r"\{1:F01|^:(?:20|25|60[FM]|61|86):", re.MULTILINE), "an MT940 statement"),
    (re.compile(r"\A\s*!(?:Type|Account|Option|Clear)\b", re.IGNORECASE), "a QIF file"),
    (re.compile(r"\A\s*<\?xml|\A\s*<\w+[\s>/]"), "XML, but no bank statement"),
    (re.compile(r"\A\s*[\[{]\s*[\"\[{\]}]"), "JSON"),
    (
        re.compile(r"^\d{4}[-/.]\d\d?[-/.]\d\d?\s.*\n[ \t]+[^\s;].*\S", re.MULTILINE),
        "a journal of hledger, ledger or beancount",
    ),
)
_CONTROLS = frozenset(map(chr, range(32))) - frozenset("\t\n\r\f\x1a\x1b")
_LOOKED_AT = 1 << 14


def sentence_for(head: bytes) -> str:
    """Say in one sentence what a file seems to be that begins with `head` and has no reader."""
    if not head:
        return "The file is empty."
    if not head.strip(b"\0"):
        return "The file holds nothing but zero bytes; it was damaged when it was saved."
    kind = _kind(head)
    if kind is None:
        return f"The file is text, but no row of it has a date and an amount; {_ADVICE}."
    return f"That is {kind}, which cannot be imported; {_ADVICE}."
