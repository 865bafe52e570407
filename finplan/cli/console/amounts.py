"""Money as a person types it, exactly."""

from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.model.money import TYPED, typed_amount

_SIZES = "write it like 42.50, 40..60, 40.. or ..60"


def minor(text: str, currency: str, what: str) -> int:
    """Read an amount like "1,840.25" as minor units. Raises a CommandError when it is not exact."""
    try:
        return typed_amount(text, currency, what)
    except ValueError as error:
        raise CommandError(str(error), BAD_INPUT) from None


def sizes(text: str, currency: str) -> tuple[int | None, int | None]:
    """Read "40..60", "40..", "..60" or "42.50" as the least and the most minor units, None for no bound.

    Raises a CommandError when it is none, or its ends are the wrong way round.
    """
    what = "The size"
    least, dots, most = text.strip().partition("..")
    if not (least or most):
        raise CommandError(f"{what} {text!r} names no amount; {_SIZES}.", BAD_INPUT)
    if any(end.strip() and TYPED.match(end.strip()) is None for end in (least, most)):
        raise CommandError(f"{what} {text!r} is not an amount; {_SIZES}.", BAD_INPUT)
    ends = [minor(end, currency, what) if end.strip() else None for end in (least, most)]
    if any(end is not None and end < 0 for end in ends):
        raise CommandError(
            f"{what} {text!r} has a minus; it is of money in and out alike, so write it without.",
            BAD_INPUT,
        )
    first, last = ends if dots else (ends[0], ends[0])
    if first is not None and last is not None and first > last:
        raise CommandError(f"{what} {text!r} ends below its beginning; turn it round.", BAD_INPUT)
    return first, last
