"""The manual pages: one of the program and one of each command, made from what each says of itself."""

import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import Any

import typer

from finplan import __version__
from finplan.cli.app import COMMANDS, root
from tests.handbook.reference.commands import EVERYWHERE, WIDE

EXIT_CODES = (
    ("0", "done"),
    ("1", "an error inside finplan"),
    ("2", "a usage error"),
    ("3", "bad input: a file or a value that cannot be used"),
    ("4", "not found, or in conflict with what is there"),
    ("5", "not allowed"),
    ("6", "the bank failed, no bank is linked, or the keyring does not answer"),
    ("7", "the daemon cannot be reached"),
    ("130", "interrupted with Ctrl-C"),
)
VARIABLES = (
    ("FINPLAN_HOME", "one folder for everything, instead of the XDG places"),
    ("FINPLAN_PROFILE", "the profile where --profile names none"),
    ("FINPLAN_PORT", "the port of the daemon"),
    ("FINPLAN_PAGER, PAGER", "what long answers are read by; empty or cat for nothing"),
)
_KIND = re.compile(r"(?<=[A-Z]) <[A-Za-z\[\]]+>")


def pages_of_the_manual() -> Mapping[str, str]:
    """Every page by its file's name."""
    whole: Any = typer.main.get_command(root)
    context = typer.Context(whole, info_name="finplan")
    pages = {"finplan.1": "".join(_of_the_program(whole, context))}
    for name, place in COMMANDS.items():
        command: Any = typer.main.get_command(place.load())
        command.name = name
        pages[f"finplan-{name}.1"] = "".join(_of_a_command(command, name, context))
    return pages


def _of_the_program(whole: Any, context: Any) -> Iterator[str]:
    yield _title("finplan")
    yield f".SH NAME\nfinplan \\- {_plain(_first(whole.help))}\n"
    yield ".SH SYNOPSIS\n.B finplan\n[OPTIONS] COMMAND [ARGS]...\n"
    yield ".SH DESCRIPTION\n" + _paragraphs(
        "A command talks to a daemon on this machine, which it starts when needed and which owns the"
        " data. Without a command, on a terminal, finplan says how it stands."
    )
    for heading in dict.fromkeys(each.heading for each in COMMANDS.values()):
        yield f".SH {_plain(heading.upper())}\n"
        for name, each in COMMANDS.items():
            if each.heading == heading:
                yield f".TP\n.BR finplan\\-{_plain(name)} (1)\n{_plain(each.summary)}\n"
    yield ".SH OPTIONS OF EVERY COMMAND\n" + _records(whole, context, everywhere=True)
    yield ".SH EXIT STATUS\n" + _listed(EXIT_CODES)
    yield ".SH ENVIRONMENT\n" + _listed(VARIABLES)
    yield ".SH SEE ALSO\n" + _paragraphs(
        "The handbook is served by the daemon at /api/docs; `finplan open` opens it, signed in."
    )


def _of_a_command(command: Any, name: str, above: Any) -> Iterator[str]:
    yield _title(f"finplan-{name}")
    yield f".SH NAME\nfinplan\\-{_plain(name)} \\- {_plain(_first(command.help))}\n"
    yield from _told(command, (name,), above)
    yield ".SH SEE ALSO\n.BR finplan (1)\n"


def _told(command: Any, words: tuple[str, ...], above: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=words[-1], parent=above, max_content_width=WIDE)
    usage = " ".join(command.get_usage(context).removeprefix("Usage: ").split())
    if len(words) == 1:
        yield f".SH SYNOPSIS\n{_plain(usage)}\n.SH DESCRIPTION\n{_paragraphs(command.help)}"
    else:
        yield f".SH FINPLAN {_plain(' '.join(words).upper())}\n{_plain(usage)}\n"
        yield f".PP\n{_paragraphs(command.help)}"
    yield _records(command, context, everywhere=False)
    if command.epilog:
        lines = command.epilog.replace("\b", "").strip().splitlines()[1:]
        yield ".PP\nExamples:\n.nf\n" + "".join(f"{_plain(each)}\n" for each in lines) + ".fi\n"
    for name in getattr(command, "commands", {}):
        yield from _told(command.get_command(context, name), (*words, name), context)


def _title(name: str) -> str:
    return f'.TH "{_plain(name.upper())}" "1" "" "finplan {__version__}" "finplan"\n'


def _first(text: str | None) -> str:
    return cleandoc(text or "").partition("\n")[0].rstrip(".")


def _records(command: Any, context: Any, *, everywhere: bool) -> str:
    told = []
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is not None and bool(EVERYWHERE & set(each.opts)) is everywhere:
            written, meaning = record
            told.append((_KIND.sub("", written), meaning.strip()))
    return _listed(told)


def _listed(told: Any) -> str:
    return "".join(f".TP\n.B {_plain(name)}\n{_plain(meaning)}\n" for name, meaning in told)


def _paragraphs(text: str | None) -> str:
    parts = cleandoc(text or "").replace("\b\n", "").split("\n\n")
    return ".PP\n".join(f"{_plain(' '.join(part.split()))}\n" for part in parts)


def _plain(text: str) -> str:
    """Text that the formatter takes as it is: no line begins with what it would take for a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
