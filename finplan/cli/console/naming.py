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
    note: str = ""

    @property
    def label(self) -> str:
        """What stands beside its id where several could be meant."""
        return ", ".join(filter(None, (self.names[0] if self.names else "", self.note)))


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
    folded = text.strip().casefold()
    by_id = [entry for entry in everything if begins(entry.id.casefold(), folded)]
    by_name = [entry for entry in everything if folded in map(str.casefold, entry.names)]
    # Blanks and signs by themselves name nothing.
    says = any(map(str.isalnum, folded))
    inside = [
        entry for entry in everything if says and any(folded in n.casefold() for n in entry.names)
    ]
    in_part = [entry for entry in inside if _begins_a_word(entry.names, folded)]
    by_whole_id = [entry for entry in everything if entry.id.casefold() == folded]
    ways = [by_whole_id, by_name, by_id] if exact else [by_whole_id, by_id, by_name, in_part]
    for meant in ways:
        if len(meant) == 1:
            return meant[0].id
        if meant:
            raise SeveralMeant(_several(text, meant, plural or f"{what}s", listing), meant)
    short = [entry for entry in everything if _begins_short(entry.id.casefold(), folded)]
    if short:
        raise CommandError(_too_short(text, short, what), NOT_THERE)
    if inside:
        raise CommandError(_in_part(text, inside, what), NOT_THERE)
    raise CommandError(_none(text, everything, what, listing), NOT_THERE)


def _begins_short(full_id: str, beginning: str) -> bool:
    """Whether a text is the beginning of an id, its prefix with it, and too short to mean it."""
    typed = _own_beginning(full_id, beginning)
    return typed is not None and 0 < len(typed) < min(SHORTEST_ID, len(beginning))


def _too_short(text: str, near: Sequence[NamedId], what: str) -> str:
    others = f" and {len(near) - _NAMED} more" if len(near) > _NAMED else ""
    return (
        f"{text!r} is too short: give at least {SHORTEST_ID} characters of the id after the prefix. Did"
        f" you mean {what} {_some(near)}{others}?"
    )


def begins(full_id: str, beginning: str) -> bool:
    """Whether a text is the beginning of an id, long enough to mean it; its prefix may be left out."""
    typed = _own_beginning(full_id, beginning)
    return typed is not None and len(typed) >= SHORTEST_ID


def _own_beginning(full_id: str, beginning: str) -> str | None:
    """What a text says of an id behind its prefix; None where the id does not begin so."""
    # A rule's id has two words before what is its own: `rule_in_k3f9`.
    prefix, line, own = full_id.rpartition("_")
    typed = beginning.removeprefix(f"{prefix}{line}")
    return typed if line and own.startswith(typed) else None


def _begins_a_word(names: Iterable[str], part: str) -> bool:
    """Whether a text is in a name from where a word begins: "fun" is no part of "Tax refund"."""
    from_word = re.compile(f"(?<![a-z0-9]){re.escape(part)}")
    return any(from_word.search(name.casefold()) for name in names)


def _several(text: str, meant: Sequence[NamedId], things: str, listing: str) -> str:
    summary = f"{text!r} matches {len(meant)} {things}: {_some(meant)}"
    if len(meant) <= _NAMED:
        return f"{summary}. Give one of these ids."
    return f"{summary} and {len(meant) - _NAMED} more. Give an id from `{listing}`."


def _some(things: Sequence[NamedId]) -> str:
    short = shortened([candidate.id for candidate in things])
    return ", ".join(f"{short[candidate.id]} ({candidate.label})" for candidate in things[:_NAMED])


def _in_part(text: str, meant: Sequence[NamedId], what: str) -> str:
    short = shortened([candidate.id for candidate in meant])
    some = " or ".join(f"{candidate.names[0]!r} ({short[candidate.id]})" for candidate in meant[:3])
    return f"No {what} is named exactly {text!r}. Give the full name or the id: {some}."


def _none(text: str, everything: Sequence[NamedId], what: str, listing: str) -> str:
    names = {name.casefold(): name for candidate in everything for name in candidate.names}
    near = get_close_matches(text.casefold(), names, n=2)
    hint = f" Did you mean {' or '.join(repr(names[name]) for name in near)}?" if near else ""
    return f"No {what} matches {text!r}.{hint} List them: `{listing}`."
