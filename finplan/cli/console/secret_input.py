"""A secret as a person types it: not shown, and never on the command line, which others can read."""

import sys
import warnings
from getpass import GetPassWarning, getpass

import typer

from finplan.cli.console.errors import USAGE, CommandError, Interrupted


def read_new_secret(question: str, again: str) -> str:
    """A secret that is new: asked for twice at a terminal, else one line of the input.

    Raises CommandError where the two differ or nothing fit comes; Abort, Interrupted as `Session.ask`.
    """
    if not sys.stdin.isatty():
        return _piped()
    typed = _typed(question)
    if _typed(again) != typed:
        raise CommandError("These were two different passwords. Nothing was changed.", USAGE)
    return typed


def _typed(question: str) -> str:
    with warnings.catch_warnings():
        # Where echo cannot be turned off the library would only warn, and show what is typed.
        warnings.simplefilter("error", GetPassWarning)
        try:
            return getpass(f"{question} ", stream=sys.stderr)
        except GetPassWarning:
            told = "This terminal would show what is typed. Pipe the password in instead."
            raise CommandError(told, USAGE) from None
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            raise Interrupted from None
        except EOFError:
            sys.stderr.write("\n")
            raise typer.Abort from None


def _piped() -> str:
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        line = ""
    secret = line.removesuffix("\n").removesuffix("\r")
    # Bytes that are no text arrive as lone surrogates.
    if not secret or any("\ud800" <= sign <= "\udfff" for sign in secret):
        told = "No password came in: its first line is to be the password, as UTF-8 text."
        raise CommandError(told, USAGE)
    return secret
