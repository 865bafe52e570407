"""The page of every error code."""

from collections.abc import Iterator

from finplan.daemon import app
from finplan.daemon.surfaces.openapi.answers import meaning_of_fault
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
    " each input that does not fit, and `see` with the routes of the commands that `message` names. With"
    " 401, `WWW-Authenticate` says where the credentials are explained; with 429, `Retry-After` says"
    " when to come again.\n\n"
    "| code | status | when | for example |\n|---|---|---|---|\n"
)


def faults(of: type[Fault] = Fault) -> Iterator[type[Fault]]:
    """Every fault of the product, those that follow from others too."""
    for each in of.__subclasses__():
        # Only what the product raises, and no fault of another test.
        if each.__module__.startswith("finplan."):
            yield each
        yield from faults(each)


def page_of_errors() -> str:
    """The page."""
    rows = {
        (each.status, each.code, meaning_of_fault(each), each.example)
        for each in faults()
        if "code" in vars(each)
    }
    return OPENING + "".join(
        f"| `{code}` | {status} | {meaning} | {_cell(example)} |\n"
        for status, code, meaning, example in sorted(rows)
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
