"""The page of every command and option."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import typer

from finplan.cli.app import COMMANDS, root
from tests.handbook.reference.markdown import code, table

OPENING = """\
# Commands and options

Every command of the command line with its options and an example. `finplan COMMAND --help` shows the \
same \
in the terminal.

A group such as `finplan plan` has commands of its own. Where a line names a group alone and the \
group has a \
command `list`, that one is meant.

## Options that every command takes

They stand before or behind the command.

"""
ENDING = """
## Exit codes

What a script reads when a command has ended.

| code | meaning |
|---|---|
| 0 | done |
| 1 | an error inside finplan |
| 2 | a usage error: an option or a command that there is not |
| 3 | bad input: a file or a value that cannot be used |
| 4 | not found, or in conflict with what is there |
| 5 | not allowed |
| 6 | the bank failed, no bank is linked, or the keyring does not answer |
| 7 | the daemon cannot be reached |
| 130 | interrupted with Ctrl-C |
"""
EVERYWHERE = frozenset({"--profile", "--demo", "--json", "--quiet", "--help"})
WIDE = 400
_KIND = re.compile(r"(?<=[A-Z]) <[A-Za-z\[\]]+>")
"""What kind of value an argument is, which its meaning tells."""


def page_of_commands() -> str:
    """The page."""
    whole = typer.main.get_command(root)
    context = typer.Context(whole, info_name="finplan")
    parts = [OPENING, table(("option", "meaning"), _records(whole, context, everywhere=True))]
    for heading in dict.fromkeys(each.heading for each in COMMANDS.values()):
        for name, place in COMMANDS.items():
            if place.heading == heading:
                command = typer.main.get_command(place.load())
                command.name = name
                parts.append("".join(_told(command, (name,), context)))
    return "".join(parts) + ENDING


def _told(command: Any, words: tuple[str, ...], above: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=words[-1], parent=above, max_content_width=WIDE)
    yield f"\n{'#' * (len(words) + 1)} finplan {' '.join(words)}\n\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"    {' '.join(usage.split())}\n\n{_help(command.help)}\n"
    options = table(("argument or option", "meaning"), _records(command, context, everywhere=False))
    if options:
        yield f"\n{options}"
    if command.epilog:
        yield f"\n{_examples(command.epilog)}"
    for name in getattr(command, "commands", {}):
        yield from _told(command.get_command(context, name), (*words, name), context)


def _help(text: str | None) -> str:
    return cleandoc(text or "").replace("\b\n", "").replace("<", "\\<")


def _records(command: Any, context: Any, *, everywhere: bool) -> Iterator[tuple[str, str]]:
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is None or bool(EVERYWHERE & set(each.opts)) is not everywhere:
            continue
        written, meaning = record
        yield code(_KIND.sub("", written).replace("|", "/")), meaning.strip()


def _examples(epilog: str) -> str:
    """The examples as a block of code; the first line is their heading."""
    lines = epilog.replace("\b", "").strip().splitlines()
    return "\n".join(f"    {line.strip()}" for line in lines[1:]) + "\n"
