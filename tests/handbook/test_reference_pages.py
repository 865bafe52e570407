"""Pages of the handbook that are made from the code are those that the code makes now."""

import os
from collections.abc import Iterator

from finplan.daemon import app
from finplan.daemon.surfaces.openapi.errors import meaning_of
from finplan.handbook.library import FOLDER
from finplan.model.errors import Fault
from finplan.service.authorization import agents

HAVE_CODES = (app, agents)
"""What loads every module that has a fault with a code of its own."""

OPENING = (
    "# Error codes\n\n"
    "What each error code means, and one of the sentences that come with it. Every error of the"
    " interface is one envelope: `code` is stable and for programs, `status` is the HTTP status,"
    " `message` says to people what happened and what to do next, `defined` tells whether the code is"
    " one of the interface's, and `data` has what a program can use, such as `issues` with the path of"
    " each input that does not fit. With 401, `WWW-Authenticate` says where the credentials are"
    " explained; with 429, `Retry-After` says when to come again.\n\n"
    "| code | status | when | for example |\n|---|---|---|---|\n"
)


def faults(of: type[Fault] = Fault) -> Iterator[type[Fault]]:
    for each in of.__subclasses__():
        # Only what the product raises, and no fault of another test.
        if each.__module__.startswith("finplan."):
            yield each
        yield from faults(each)


def page_of_errors() -> str:
    rows = {
        (each.status, each.code, meaning_of(each), each.example)
        for each in faults()
        if "code" in vars(each)
    }
    return OPENING + "".join(
        f"| `{code}` | {status} | {meaning} | {_cell(example)} |\n"
        for status, code, meaning, example in sorted(rows)
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def test_the_page_of_error_codes_is_current() -> None:
    """Each code that a caller can be told stands on the page; `GOLDEN=write` writes it anew."""
    path = FOLDER / "errors.md"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(page_of_errors(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page_of_errors()
    assert {each.code for each in faults()} <= set(page_of_errors().split("`"))
