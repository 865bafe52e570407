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
    told: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the unfinished word is: one of some candidates, or a value of a kind, such as CATEGORY.

    `words` are those before it, for a kind of value that depends on them.
    """

    begins: str
    candidates: tuple[Candidate, ...] = ()
    kind: str | None = None
    words: tuple[str, ...] = ()


def wanted(words: Sequence[str]) -> Wanted:
    """What the last of the words, which is unfinished and may be empty, can become."""
    *before, raw = words or [""]
    begins = unquoted(raw)
    command: Any = typer.main.get_command(root)
    path: list[str] = []
    values: list[str] = []
    expects: Any = None
    for word in before:
        if expects is not None:
            expects = None
            continue
        if word.startswith("-") and word != "-":
            option = _option(command, word.partition("=")[0])
            takes = option is not None and not option.is_flag and "=" not in word
            expects = option if takes else None
            continue
        inner = _command(command, word, path)
        if inner is not None:
            command, values = inner, []
            path.append(word)
        else:
            values.append(word)
    name, equals, part = begins.partition("=")
    if expects is not None:
        return _value(expects, begins, path)
    if begins.startswith("-") and equals:
        option = _option(command, name)
        found = Wanted(part) if option is None else _value(option, part, path)
        within = tuple(each._replace(value=f"{name}={each.value}") for each in found.candidates)
        return Wanted(begins, within, found.kind, found.words)
    if begins.startswith("-"):
        return Wanted(begins, tuple(_options(command)))
    names = tuple(_commands(command, path))
    if names and not values:
        return Wanted(begins, names)
    argument = _argument(command, len(values))
    return Wanted(begins) if argument is None else _value(argument, begins, path)


def unquoted(word: str) -> str:
    """A word as the shell would hand it over, whose quote may not be closed yet."""
    for end in ("", "'", '"'):
        try:
            return "".join(shlex.split(word + end)[:1])
        except ValueError:
            continue
    return word


def _command(command: Any, word: str, path: Sequence[str]) -> Any | None:
    if not path:
        # The root imports a command's module for its name alone.
        return command.get_command(None, word) if word in COMMANDS else None
    return getattr(command, "commands", {}).get(word)


def _commands(command: Any, path: Sequence[str]) -> Iterator[Candidate]:
    if not path:
        yield from (Candidate(name, each.summary) for name, each in COMMANDS.items())
        return
    for name, each in getattr(command, "commands", {}).items():
        if not each.hidden:
            yield Candidate(name, each.get_short_help_str(80))


def _parameters(command: Any, kind: Literal["option", "argument"]) -> list[Any]:
    context = typer.Context(command, info_name="finplan", resilient_parsing=True)
    return [each for each in command.get_params(context) if each.param_type_name == kind]


def _option(command: Any, name: str) -> Any | None:
    found = (
        each
        for each in _parameters(command, "option")
        if name in (*each.opts, *each.secondary_opts)
    )
    return next(found, None)


def _options(command: Any) -> Iterator[Candidate]:
    for each in _parameters(command, "option"):
        if not each.hidden:
            for name in (*each.opts, *each.secondary_opts):
                if name.startswith("--"):
                    yield Candidate(name, (each.help or "").partition("\n")[0])


def _argument(command: Any, place: int) -> Any | None:
    """The argument that a value at a place is; the last one may take several."""
    arguments = _parameters(command, "argument")
    if place < len(arguments):
        return arguments[place]
    return arguments[-1] if arguments and arguments[-1].nargs == -1 else None


def _words_of(annotation: Any) -> Iterator[str]:
    """The words of a Literal, also of one that may be left out or given several times."""
    if get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
        return
    for inner in get_args(annotation):
        yield from _words_of(inner)


def _value(parameter: Any, begins: str, path: Sequence[str]) -> Wanted:
    words = tuple(_words_of(parameter.type_descriptor.annotation))
    if words:
        return Wanted(begins, tuple(map(Candidate, words)))
    kind = (parameter.metavar or parameter.name or "").strip("[].…").removesuffix("...").upper()
    return Wanted(begins, kind=kind, words=tuple(path))


def complete(words: Sequence[str]) -> int:
    """Print the candidates; whatever goes wrong, nothing is printed and the shell does without."""
    try:
        _write(words)
        sys.stdout.flush()
    except (Exception, SystemExit):  # noqa: BLE001  # Nobody types to read what went wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _write(words: Sequence[str]) -> None:
    found = wanted(words)
    candidates: Iterable[Candidate] = found.candidates
    if found.kind is not None:
        candidates = _values(found.kind, found.words, words)
    for each in candidates:
        if each.value.casefold().startswith(found.begins.casefold()):
            sys.stdout.write(f"{_line(each.value)}\t{_line(each.told)}\n")


def _values(kind: str, path: Sequence[str], words: Sequence[str]) -> Iterator[Candidate]:
    """The values of a kind, as far as they are known without a daemon, or one answers that runs."""
    from finplan.cli.completing.values import values_of

    typed = [unquoted(each) for each in words]
    profile = "demo" if "--demo" in typed else _behind(typed, "--profile")
    with suppress(CallFailed, DaemonUnreachable):
        yield from values_of(kind, path, partial(_ask, profile))


def _ask(profile: str | None, operation: Any, question: Any = None) -> Any:
    """Ask the daemon of a profile. Raises DaemonUnreachable where none is ready."""
    from finplan.client.connect import Ready, probe

    found = probe(load_settings(profile))
    if not isinstance(found, Ready):
        raise DaemonUnreachable("No daemon is started for a key that was pressed.")
    from finplan.client.client import Client

    with Client(found.url, found.token) as client:
        return client.call(operation, operation.asks() if question is None else question)


def _behind(words: Sequence[str], option: str) -> str | None:
    for place, word in enumerate(words):
        if word == option and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _line(text: str) -> str:
    return " ".join(visible(text).split())
