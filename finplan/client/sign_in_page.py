"""The page by which `finplan open` signs a browser in: a file that only its person can read.

What a browser is given on its command line every user of the machine may read, so it is given the name
of a file, which holds the link. Browsers call such a file another site; by its proof the daemon knows
that the machine's own command line has written it.
"""

import hashlib
import hmac
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

PROOF = "page"
"""The parameter of a link that carries the proof."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={url}">
<title>finplan</title>
<p><a href="{url}">Continue to finplan</a></p>
</html>
"""


def page_proof(session_token: str, link: str) -> str:
    """What only who knows the token of the local session can say of a link's secret."""
    return hmac.new(session_token.encode(), _plain(link), hashlib.sha256).hexdigest()


def is_proof(proof: str, session_token: str, link: str) -> bool:
    """Whether what is said of a link's secret is its proof."""
    return hmac.compare_digest(_plain(proof), page_proof(session_token, link).encode())


@contextmanager
def sign_in_page(url: str, session_token: str, folder: Path) -> Iterator[Path]:
    """A page that leads to a sign-in link, readable by its person alone, and gone afterwards."""
    proof = page_proof(session_token, url.partition("link=")[2])
    # Its name begins with no dot: browsers in a sandbox may read no hidden files, nor those in /tmp.
    number, name = tempfile.mkstemp(".html", "finplan-open-", folder)
    page = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=escape(f"{url}&{PROOF}={proof}")))
        yield page
    finally:
        page.unlink(missing_ok=True)


def _plain(text: str) -> bytes:
    # Bytes that are no text arrive as lone surrogates.
    return text.encode(errors="surrogateescape")
