"""The caches of the shipped data: some twenty megabytes that only arriving rows and new rules need."""

from types import ModuleType

from finplan import categorise


def clear_caches() -> None:
    """Empty every cache of this room; what was in it is read or worked out again when it is needed."""
    loaded = [module for module in vars(categorise).values() if isinstance(module, ModuleType)]
    for module in loaded:
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if forget is not None:
                forget()
