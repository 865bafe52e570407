"""What a file is that no reader reads, told from its first bytes, for a sentence to the person."""

import re

from finplan.statements.text.encoding import glance

_ADVICE = "ask the bank for OFX, CAMT, MT940, QIF or CSV"
_SIGNATURES = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!\x1a", "a compressed file"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a word processor's file"),
    (b"\x7fELF", "a program"),
)
_KINDS = (
    (r"\A\s*+(?:(?:<\?xml[^>]*>|<!--.*?-->)\s*+)*+<(?:!doctype\s+html|html[\s>])", "a web page"),
    (
        r"\A\s*(?:<|OFXHEADER).*?<!(?:DOCTYPE|ENTITY)",
        "XML that declares its own entities, as no bank does",
    ),
    # A table whose rows mean different things, with amounts in cents.
    (r"\A000\t[0-9]{8}\t[^\r\n]*\r?\n0[12]0\t", "a Lithuanian LITAS-ESIS statement"),
    (r"\A\s*[\[{]\s*(?!\"finplan\"\s*:)[\"\[{]", "JSON"),
)
_WEAKER_KINDS = ((r"\A\s*<", "XML without a bank statement"),)
_KIND_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.DOTALL), kind)
    for pattern, kind in _KINDS
]
_WEAKER_PATTERNS = [(re.compile(pattern, re.MULTILINE), kind) for pattern, kind in _WEAKER_KINDS]
_CONTROLS = re.compile(r"[\x00\x02\x04-\x08\x0b\x0e-\x19\x1c-\x1f]")
"""Without those that stand around a SWIFT message and at the end of old text files."""

_LOOKED_AT = 1 << 14
_BINARY_SHARE = 0.01


def refusal(head: bytes) -> str | None:
    """Say in a sentence why a file that begins with `head` cannot be read, where that is certain."""
    if not head:
        return "The file is empty."
    if not head.strip(b"\0"):
        return "The file holds nothing but zero bytes; it was damaged when it was saved."
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return _sentence(kind)
    text = glance(head)[:_LOOKED_AT]
    if not text.strip():
        return "The file is empty."
    if len(_CONTROLS.findall(text)) > _BINARY_SHARE * len(text):
        return _sentence("binary data")
    return next((_sentence(kind) for found, kind in _KIND_PATTERNS if found.search(text)), None)


def sentence_for_text(head: bytes) -> str:
    """Say what a text seems to be that no reader recognises."""
    text = glance(head)[:_LOOKED_AT]
    kinds = (_sentence(kind) for found, kind in _WEAKER_PATTERNS if found.search(text))
    return next(kinds, f"The file is text, but no row of it has a date and an amount; {_ADVICE}.")


def _sentence(kind: str) -> str:
    return f"That is {kind}, which cannot be imported; {_ADVICE}."
