"""The caches of the shipped data: some twenty megabytes that only arriving rows and new rules need."""

from finplan.categorise import (
    curated,
    descriptor,
    display,
    infer,
    long_numbers,
    matching,
    merchant_codes,
    payee,
    places,
    suggest,
    tokens,
    wording,
)

_ROOM = (
    curated,
    descriptor,
    display,
    infer,
    long_numbers,
    matching,
    merchant_codes,
    payee,
    places,
    suggest,
    tokens,
    wording,
)


def clear_caches() -> None:
    """Empty every cache of this room; what was in it is read or worked out again when it is needed."""
    for module in _ROOM:
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if forget is not None:
                forget()
