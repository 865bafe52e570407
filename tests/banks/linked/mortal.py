"""A process that ends at one of its writes."""

from collections.abc import Callable
from typing import Any

from finplan.store.store import Store


class Crashed(BaseException):
    """The process ends here."""


class Mortal:
    """A store that ends the process before or after one of its next writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.left: int | None = None
        self.before = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def write(self, work: Callable[..., Any], **how: Any) -> Any:
        """Write, unless the end has come."""
        if self.left is None:
            return await self._store.write(work, **how)
        self.left -= 1
        if self.left == 0 and self.before:
            raise Crashed
        written = await self._store.write(work, **how)
        if self.left == 0:
            raise Crashed
        return written
