"""OFX as text: SGML and XML alike, cut into tags and values without an XML parser."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from finplan.statements.statement import UnreadableStatement
from finplan.statements.text.descriptors import fold
from finplan.statements.text.encoding import Charset, texts

TRANSACTION = "<STMTTRN>"
_TRANSACTION_END = "</STMTTRN>"
_LONGEST_PIECE = 1 << 22
_COMMENT = "<!--"
_VERBATIM = "<![CDATA["
_TAG = re.compile(r"<[^<>]{1,80}>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")


def blocks(path: Path, charset: Charset, *, upper: bool) -> Iterator[str]:
    """Yield the file in blocks that begin and end between transactions or between tags.

    Comments are gone and CDATA is escaped; tags are in capitals, which `upper` says they are
    already. Raises UnreadableStatement when a piece never ends.
    """
    kept = unfinished = ""
    for text in texts(path, charset):
        whole, unfinished = _without_comments(kept + text)
        if not upper:
            whole = _TAG.sub(lambda tag: tag[0].upper(), whole)
        cut = _last_boundary(whole)
        yield whole[:cut]
        kept = whole[cut:] + unfinished
        if len(kept) > _LONGEST_PIECE:
            raise UnreadableStatement("The file has a tag or a transaction that never ends.")
    if unfinished:
        raise UnreadableStatement("The file is cut off in the middle of a comment.")
    yield kept


def tags(text: str) -> Iterator[tuple[str, str]]:
    """Yield each tag with the text that follows it; a closing tag begins with a slash."""
    for piece in text.split("<")[1:]:
        tag, _, value = piece.partition(">")
        yield tag, value


def transactions(block: str) -> tuple[str, list[tuple[dict[str, str], str]]]:
    """Cut a block into what stands before its transactions, and their fields with what follows.

    A field inside a nested aggregate stands beside the others; the name in PAYEE is PAYEE.NAME.
    """
    before, *pieces = block.split(TRANSACTION)
    found = []
    for piece in pieces:
        body, _, after = piece.partition(_TRANSACTION_END)
        fields = {}
        for part in (_with_payee(body) if "<PAYEE>" in body else body).split("<"):
            tag, _, value = part.partition(">")
            fields[tag] = value
        found.append((fields, after))
    return before, found


def _with_payee(body: str) -> str:
    own, _, payee = body.partition("<PAYEE>")
    inner, _, rest = payee.partition("</PAYEE>")
    return own + inner.replace("<NAME>", "<PAYEE.NAME>") + rest


def plain(value: str) -> str:
    """Fold a value's white space and resolve character references, never the file's entities."""
    if "&" in value:
        value = _ENTITY.sub(lambda reference: html.unescape(reference[0]), value)
    return fold(value)


def _last_boundary(text: str) -> int:
    begun = text.rfind(TRANSACTION)
    return begun if begun > text.rfind(_TRANSACTION_END) else max(text.rfind("<"), 0)


def _without_comments(text: str) -> tuple[str, str]:
    """Drop comments and escape CDATA; the second part is one that has not ended yet."""
    pieces = []
    place = 0
    while (start := text.find("<!", place)) >= 0:
        pieces.append(text[place:start])
        if text.startswith(_COMMENT, start):
            end = text.find("-->", start)
            replacement = ""
        elif text.startswith(_VERBATIM, start):
            end = text.find("]]>", start)
            verbatim = text[start + len(_VERBATIM) : end]
            replacement = verbatim.replace("&", "&amp;").replace("<", "&lt;")
        else:
            pieces.append("<!")
            place = start + 2
            continue
        if end < 0:
            return "".join(pieces), text[start:]
        pieces.append(replacement)
        place = end + 3
    return "".join([*pieces, text[place:]]), ""
