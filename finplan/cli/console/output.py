"""Standard output, and what becomes of a run when it takes no more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import typer

from finplan.cli.console.errors import INTERNAL, CommandError
from finplan.client.failures import CallFailed


@contextmanager
def writing() -> Iterator[None]:
    """Write to stdout and flush it: stop in silence when its reader has left, as `head` does.

    Raises a CommandError when it cannot be written for another reason, such as a full disk.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _discard()
        raise typer.Exit(0) from None
    except OSError as error:
        raise unwritten(error) from None


def print_details(refused: CallFailed) -> None:
    """Print a refusal as the daemon answers it, so that a program reads what is left open."""
    import json

    told = {
        "code": refused.code,
        "status": refused.status,
        "message": refused.message,
        "data": refused.data,
    }
    # That nobody reads it does not change why the command failed.
    with suppress(typer.Exit, CommandError), writing():
        sys.stdout.buffer.write(json.dumps(told).encode() + b"\n")


def unwritten(error: OSError) -> CommandError:
    """Give stdout up, and say why it could not be written."""
    _discard()
    reason = (error.strerror or str(error)).lower()
    return CommandError(f"The output could not be written: {reason}.", INTERNAL)


def _discard() -> None:
    # Python flushes stdout once more at exit, which must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
