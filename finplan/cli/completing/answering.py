"""`finplan __complete WORD…`: what the last word may become, a line each, with what it is behind a tab.

A shell reads it. What strangers wrote, such as payees, is one line without what commands a terminal, and
the scripts hand it on as data.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from finplan.cli.completing.walker import Candidate, unquoted, wanted
from finplan.model.characters import visible

ASKED_BY = "__complete"


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
    from finplan.client.failures import CallFailed, DaemonUnreachable

    typed = [unquoted(each) for each in words]
    profile = "demo" if "--demo" in typed else _behind(typed, "--profile")
    with suppress(CallFailed, DaemonUnreachable):
        yield from values_of(kind, path, lambda operation, ask: _ask(profile, operation, ask))


def _ask(profile: str | None, operation: Any, question: Any) -> Any:
    """Ask the daemon of a profile. Raises DaemonUnreachable where none is ready."""
    from finplan.client.connect import Ready, probe
    from finplan.client.failures import DaemonUnreachable
    from finplan.settings import load_settings

    found = probe(load_settings(profile))
    if not isinstance(found, Ready):
        raise DaemonUnreachable("No daemon is started for a key that was pressed.")
    from finplan.client.client import Client

    with Client(found.url, found.token) as client:
        return client.call(operation, question)


def _behind(words: Sequence[str], option: str) -> str | None:
    for place, word in enumerate(words):
        if word == option and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _line(text: str) -> str:
    return " ".join(visible(text).split())
