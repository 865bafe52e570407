"""Finding what a person means: an id, the beginning of one, or a name."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.model.characters import SHORTEST_ID, shortened

_NAMED = 6
"""How many of several things that could be meant are named."""

_WHOLE_ID = re.compile(r"^[a-z]+_[0-9a-z]{20,}$")


class NamedId(NamedTuple):
    """Something that can be meant, the names that people know it by, and what tells it from others."""

    id: str
    names: tuple[str, ...]
    told: str = ""

    @property
    def shown(self) -> str:
        """What stands beside its id where several could be meant."""
        return ", ".join(filter(None, (self.names[0] if self.names else "", self.told)))


class SeveralMeant(CommandError):
    """A text that could mean several things, which are `meant`."""

    def __init__(self, message: str, meant: Sequence[NamedId]) -> None:
        super().__init__(message, NOT_THERE)
        self.meant = tuple(meant)


def is_whole(text: str) -> bool:
    """Whether a text is an id in full, which the daemon can be asked for at once."""
    return _WHOLE_ID.match(text) is not None


def pick(
    text: str,
    candidates: Iterable[NamedId],
    what: str,
    listing: str,
    plural: str | None = None,
    *,
    exact: bool = False,
) -> str:
    """The id of the one candidate that a text means.

    An id wins over the beginning of an id, a whole name over a part of one; the beginning may leave
    out what stands before the underscore, has at least four characters of what stands behind it, and a
    part of a name begins where a word does. `what` names one such thing, `plural` several.
    With `exact` a part of a name means nothing, for what is not to happen to another by mistake.
    Raises a CommandError when none is meant, and SeveralMeant when several are.
    """
    everything = list(candidates)
    wanted = text.strip().casefold()
    by_id = [each for each in everything if begins(each.id.casefold(), wanted)]
    by_name = [each for each in everything if wanted in map(str.casefold, each.names)]
    # Blanks and signs by themselves name nothing.
    says = any(map(str.isalnum, wanted))
    inside = [
        each for each in everything if says and any(wanted in n.casefold() for n in each.names)
    ]
    in_part = [each for each in inside if _begins_a_word(each.names, wanted)]
    by_whole_id = [each for each in everything if each.id.casefold() == wanted]
    ways = [by_whole_id, by_name, by_id] if exact else [by_whole_id, by_id, by_name, in_part]
    for meant in ways:
        if len(meant) == 1:
            return meant[0].id
        if meant:
            raise SeveralMeant(_several(text, meant, plural or f"{what}s", listing), meant)
    short = [each for each in everything if _begins_short(each.id.casefold(), wanted)]
    if short:
        raise CommandError(_too_short(text, short, what), NOT_THERE)
    if inside:
        raise CommandError(_in_part(text, inside, what), NOT_THERE)
    raise CommandError(_none(text, everything, what, listing), NOT_THERE)


def _begins_short(whole: str, beginning: str) -> bool:
    """Whether a text is the beginning of an id, its prefix with it, and too short to mean it."""
    typed = _own_beginning(whole, beginning)
    return typed is not None and 0 < len(typed) < min(SHORTEST_ID, len(beginning))


def _too_short(text: str, near: Sequence[NamedId], what: str) -> str:
    more = f" and {len(near) - _NAMED} more" if len(near) > _NAMED else ""
    return (
        f"There is no {what} {text!r}: of an id at least {SHORTEST_ID} characters behind its prefix are"
        f" needed. Did you mean {_some(near)}{more}?"
    )


def begins(whole: str, beginning: str) -> bool:
    """Whether a text is the beginning of an id, long enough to mean it; its prefix may be left out."""
    typed = _own_beginning(whole, beginning)
    return typed is not None and len(typed) >= SHORTEST_ID


def _own_beginning(whole: str, beginning: str) -> str | None:
    """What a text says of an id behind its prefix; None where the id does not begin so."""
    # A rule's id has two words before what is its own: `rule_in_k3f9`.
    prefix, line, rest = whole.rpartition("_")
    typed = beginning.removeprefix(f"{prefix}{line}")
    return typed if line and rest.startswith(typed) else None


def _begins_a_word(names: Iterable[str], part: str) -> bool:
    """Whether a text is in a name from where a word begins: "fun" is no part of "Tax refund"."""
    from_word = re.compile(f"(?<![a-z0-9]){re.escape(part)}")
    return any(from_word.search(name.casefold()) for name in names)


def _several(text: str, meant: Sequence[NamedId], things: str, listing: str) -> str:
    told = f"{text!r} could be {len(meant)} {things}: {_some(meant)}"
    if len(meant) <= _NAMED:
        return f"{told}; give one of these ids."
    return f"{told} and {len(meant) - _NAMED} more; give an id, as `{listing}` shows it."


def _some(things: Sequence[NamedId]) -> str:
    short = shortened([each.id for each in things])
    return ", ".join(f"{short[each.id]} ({each.shown})" for each in things[:_NAMED])


def _in_part(text: str, meant: Sequence[NamedId], what: str) -> str:
    short = shortened([each.id for each in meant])
    some = " or ".join(f"{each.names[0]!r} ({short[each.id]})" for each in meant[:3])
    return f"No {what} is called just {text!r}. Give the whole name or the id: {some}."


def _none(text: str, everything: Sequence[NamedId], what: str, listing: str) -> str:
    names = {name.casefold(): name for each in everything for name in each.names}
    near = get_close_matches(text.casefold(), names, n=2)
    hint = f" Did you mean {' or '.join(repr(names[name]) for name in near)}?" if near else ""
    return f"There is no {what} {text!r}.{hint} `{listing}` lists them."
