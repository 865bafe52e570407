"""The caches of the shipped data: some twenty megabytes that only arriving rows and new rules need."""

from collections.abc import Iterator
from types import ModuleType

from finplan import categorise


def clear_caches() -> None:
    """Empty every cache of this room; what was in it is read or worked out again when it is needed."""
    for module in _loaded(categorise):
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if forget is not None:
                forget()


def _loaded(room: ModuleType) -> Iterator[ModuleType]:
    """The loaded modules of a room and of the rooms in it."""
    for module in list(vars(room).values()):
        if isinstance(module, ModuleType) and module.__name__.startswith(f"{room.__name__}."):
            yield module
            yield from _loaded(module)
