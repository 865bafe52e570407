"""What a shell asks: which word is wanted on a command line, and what it could be."""

import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, get_args, get_origin

import typer

from finplan.cli.app import COMMANDS, root
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.characters import visible
from finplan.settings import load_settings


class Candidate(NamedTuple):
    """What may be typed, and what it is."""

    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the unfinished word is: one of some candidates, or a value of a kind, such as CATEGORY.

    `path` is the command before it, for a kind of value that depends on it.
    """

    begins: str
    candidates: tuple[Candidate, ...] = ()
    kind: str | None = None
    path: tuple[str, ...] = ()


def wanted(line: Sequence[str]) -> Wanted:
    """What the last of the words, which is unfinished and may be empty, can become."""
    *before, raw = line or [""]
    begins = unquoted(raw)
    command: Any = typer.main.get_command(root)
    path: list[str] = []
    values: list[str] = []
    expects: Any = None
    for arg in before:
        if expects is not None:
            expects = None
            continue
        if arg.startswith("-") and arg != "-":
            option = _option(command, arg.partition("=")[0])
            takes = option is not None and not option.is_flag and "=" not in arg
            expects = option if takes else None
            continue
        inner = _command(command, arg, path)
        if inner is not None:
            command, values = inner, []
            path.append(arg)
        else:
            values.append(arg)
    name, equals, part = begins.partition("=")
    if expects is not None:
        return _value(expects, begins, path)
    if begins.startswith("-") and equals:
        option = _option(command, name)
        value = Wanted(part) if option is None else _value(option, part, path)
        choices = value.candidates
        within = tuple(choice._replace(value=f"{name}={choice.value}") for choice in choices)
        return Wanted(begins, within, value.kind, value.path)
    if begins.startswith("-"):
        return Wanted(begins, tuple(_options(command)))
    names = tuple(_commands(command, path))
    if names and not values:
        return Wanted(begins, names)
    argument = _argument(command, len(values))
    return Wanted(begins) if argument is None else _value(argument, begins, path)


def unquoted(text: str) -> str:
    """A word as the shell would hand it over, whose quote may not be closed yet."""
    for end in ("", "'", '"'):
        try:
            return "".join(shlex.split(text + end)[:1])
        except ValueError:
            continue
    return text


def _command(command: Any, name: str, path: Sequence[str]) -> Any | None:
    if not path:
        # The root imports a command's module for its name alone.
        return command.get_command(None, name) if name in COMMANDS else None
    return getattr(command, "commands", {}).get(name)


def _commands(command: Any, path: Sequence[str]) -> Iterator[Candidate]:
    if not path:
        yield from (Candidate(name, entry.summary) for name, entry in COMMANDS.items())
        return
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield Candidate(name, inner.get_short_help_str(80))


def _parameters(command: Any, kind: Literal["option", "argument"]) -> list[Any]:
    context = typer.Context(command, info_name="finplan", resilient_parsing=True)
    return [param for param in command.get_params(context) if param.param_type_name == kind]


def _option(command: Any, name: str) -> Any | None:
    matches = (
        param
        for param in _parameters(command, "option")
        if name in (*param.opts, *param.secondary_opts)
    )
    return next(matches, None)


def _options(command: Any) -> Iterator[Candidate]:
    for param in _parameters(command, "option"):
        if not param.hidden:
            for name in (*param.opts, *param.secondary_opts):
                if name.startswith("--"):
                    yield Candidate(name, (param.help or "").partition("\n")[0])


def _argument(command: Any, index: int) -> Any | None:
    """The argument that a value at a place is; the last one may take several."""
    arguments = _parameters(command, "argument")
    if index < len(arguments):
        return arguments[index]
    return arguments[-1] if arguments and arguments[-1].nargs == -1 else None


def _words_of(annotation: Any) -> Iterator[str]:
    """The words of a Literal, also of one that may be left out or given several times."""
    if get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
        return
    for inner in get_args(annotation):
        yield from _words_of(inner)


def _value(parameter: Any, begins: str, path: Sequence[str]) -> Wanted:
    choices = tuple(_words_of(parameter.type_descriptor.annotation))
    if choices:
        return Wanted(begins, tuple(map(Candidate, choices)))
    kind = (parameter.metavar or parameter.name or "").strip("[].…").removesuffix("...").upper()
    return Wanted(begins, kind=kind, path=tuple(path))


def complete(line: Sequence[str]) -> int:
    """Print the candidates; whatever goes wrong, nothing is printed and the shell does without."""
    try:
        _write(line)
        sys.stdout.flush()
    except (Exception, SystemExit):  # noqa: BLE001  # Nobody types to read what went wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _write(line: Sequence[str]) -> None:
    expected = wanted(line)
    candidates: Iterable[Candidate] = expected.candidates
    if expected.kind is not None:
        candidates = _values(expected.kind, expected.path, line)
    for candidate in candidates:
        if candidate.value.casefold().startswith(expected.begins.casefold()):
            sys.stdout.write(f"{_line(candidate.value)}\t{_line(candidate.note)}\n")


def _values(kind: str, path: Sequence[str], line: Sequence[str]) -> Iterator[Candidate]:
    """The values of a kind, as far as they are known without a daemon, or one answers that runs."""
    from finplan.cli.completing.values import values_of

    typed = [unquoted(arg) for arg in line]
    profile = "demo" if "--demo" in typed else _behind(typed, "--profile")
    with suppress(CallFailed, DaemonUnreachable):
        yield from values_of(kind, path, partial(_ask, profile))


def _ask(profile: str | None, operation: Any, question: Any = None) -> Any:
    """Ask the daemon of a profile. Raises DaemonUnreachable where none is ready."""
    from finplan.client.connect import Ready, probe

    daemon = probe(load_settings(profile))
    if not isinstance(daemon, Ready):
        raise DaemonUnreachable("No daemon is started for a key that was pressed.")
    from finplan.client.client import Client

    with Client(daemon.url, daemon.token) as client:
        return client.call(operation, operation.asks() if question is None else question)


def _behind(line: Sequence[str], option: str) -> str | None:
    for index, arg in enumerate(line):
        if arg == option and index + 1 < len(line):
            return line[index + 1]
        if arg.startswith(f"{option}="):
            return arg.partition("=")[2]
    return None


def _line(text: str) -> str:
    return " ".join(visible(text).split())
