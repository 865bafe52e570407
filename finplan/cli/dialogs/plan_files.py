"""The plan as files: the page that a browser is shown, and the pictures on it."""

import re
import sys
from html import unescape
from pathlib import Path

from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, CommandError
from finplan.cli.console.output import STDOUT, must_be_new, whole_file, writing
from finplan.cli.console.session import Session
from finplan.model.base import Nothing
from finplan.operations.plan import VIEW_PLAN
from finplan.pictures.sheet import drawn_in, sheet

_TITLE = re.compile("<title>([^<]*)</title>")


def write_plan(
    session: Session, html: Path | None, svg: Path | None, picture: str | None, *, force: bool
) -> None:
    """Write the plan's page, its pictures or both, all of one moment; nothing where one may not be."""
    files = [file for file in (html, svg) if file is not None]
    if len(set(files)) < len(files):
        raise CommandError(
            "--html and --svg cannot write to the same file. Name two files.", BAD_INPUT
        )
    for file in files:
        must_be_new(file, force=force)
    with session.busy("Drawing the plan"):
        page = session.client.page(VIEW_PLAN, Nothing())
    drawn = None if svg is None else _pictures(page, picture)
    if html is not None:
        _write(session, html, page.encode())
    if svg is not None and drawn is not None:
        _write(session, svg, drawn)


def _pictures(page: str, picture: str | None) -> bytes:
    """The pictures of a page as a file, or one of them."""
    pictures = drawn_in(page)
    if picture is not None:
        pictures = {name: drawn for name, drawn in pictures.items() if name == picture}
    if not pictures:
        what = "No pictures yet" if picture is None else f"No {picture} picture yet"
        why = "See what is missing: `finplan plan show`."
        raise CommandError(f"{what}. {why}", NOT_THERE)
    title = _TITLE.search(page)
    return sheet(unescape(title[1]) if title else "finplan", list(pictures.values()))


def _write(session: Session, file: Path, content: bytes) -> None:
    if file == STDOUT:
        with writing():
            sys.stdout.buffer.write(content)
        return
    with whole_file(file) as part:
        part.write(content)
    session.say(f"Wrote {file} ({len(content):,} bytes).")
