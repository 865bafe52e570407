"""Files that a command writes: whole or not at all, for their owner alone, over no other unasked."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from finplan.cli.console.errors import BAD_INPUT, INTERNAL, CommandError

STDOUT = Path("-")


def must_be_new(file: Path, *, force: bool) -> None:
    """Refuse to overwrite a file without being told to."""
    if file != STDOUT and file.exists() and not force:
        raise CommandError(f"{file} is there already; --force overwrites it.", BAD_INPUT)


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """Write beside the file first, so that it is never there in part; only its owner may read it."""
    path = None
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".finplan-", delete=False) as part:
            path = Path(part.name)
            yield part
        path.replace(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CommandError(f"{file} could not be written: {reason}.", INTERNAL) from error
    finally:
        if path is not None:
            path.unlink(missing_ok=True)
