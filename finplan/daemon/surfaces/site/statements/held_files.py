"""Files that wait between the steps of an import, since a page without a script cannot send them again.

They are as short-lived as the page that asks about them: of each person one batch waits, for an hour,
in a folder that is emptied when the daemon stops and when it starts.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import compare_digest, token_urlsafe

from finplan.model.errors import NotFound
from finplan.operation import UploadedFile

HELD_FOR = 3600.0
"""How long files wait for their person to go on, in seconds."""


@dataclass(frozen=True, slots=True)
class HeldBatch:
    """Files that came together; `token` is what the forms about them carry.

    One form about them is answered after the other, while it holds `busy`.
    """

    token: str
    folder: Path
    files: tuple[UploadedFile, ...]
    ending: asyncio.TimerHandle
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)


class HeldFiles:
    """The files that wait, in folders below that of all uploads."""

    def __init__(self, uploads: Path) -> None:
        self.uploads = uploads
        self._batches: dict[int, HeldBatch] = {}

    async def keep(self, owner: int, files: Sequence[UploadedFile]) -> HeldBatch:
        """Take files over from an upload, in the place of those of the person that waited so far."""
        folder, moved = await asyncio.to_thread(self._move, files)
        loop, token = asyncio.get_running_loop(), token_urlsafe(24)
        await self.forget(owner)
        ending = loop.call_later(HELD_FOR, self._end, owner, token)
        batch = self._batches[owner] = HeldBatch(token, folder, moved, ending)
        return batch

    def find(self, owner: int, token: str) -> HeldBatch:
        """The batch that a form is about. Raises NotFound where it waits no longer."""
        batch = self._batches.get(owner)
        if batch is None or not compare_digest(batch.token.encode(), token.encode()):
            raise NotFound(
                "These files do not wait here any more. Unless they stand among what was brought in,"
                " choose them once more."
            )
        return batch

    async def forget(self, owner: int) -> None:
        """Delete what waits for a person, if anything does."""
        batch = self._batches.pop(owner, None)
        if batch is not None:
            batch.ending.cancel()
            await asyncio.to_thread(_remove, batch.folder)

    async def forget_all(self) -> None:
        """Delete whatever waits."""
        for owner in list(self._batches):
            await self.forget(owner)

    def _move(self, files: Sequence[UploadedFile]) -> tuple[Path, tuple[UploadedFile, ...]]:
        folder = Path(tempfile.mkdtemp(prefix="held-", dir=self.uploads))
        moved = []
        for place, file in enumerate(files):
            path = folder / str(place)
            file.path.replace(path)
            moved.append(UploadedFile(file.name, path))
        return folder, tuple(moved)

    def _end(self, owner: int, token: str) -> None:
        batch = self._batches.get(owner)
        if batch is not None and batch.token == token:
            del self._batches[owner]
            _remove(batch.folder)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
