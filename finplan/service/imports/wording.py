"""Whether two texts may be one row's, though they were put together in different ways."""

import re
from functools import lru_cache
from typing import NamedTuple

from finplan.model.characters import LONGEST_TEXT, visible

_WORD = re.compile(r"\w+")
_RUNS = re.compile(r"(\d+)|([^\W\d_]+)")


class Wording(NamedTuple):
    """What a row is told apart by: its text, what it prints beside that, and the bank's id of it."""

    text: str
    aside: str = ""
    external_id: str | None = None


def agree(staged: Wording, stored: Wording) -> bool:
    """Say whether a row that is read and one that is stored may be the same, but for how they are put.

    All words of one text stand in the other one, or in what the read row prints beside its own. Where a
    bank tells rows apart by ids of one kind, equal words make no difference. An earlier version kept
    texts whole that are cut now, perhaps within a word.
    """
    if _are_told_apart(staged.external_id, stored.external_id):
        return False
    if len(stored.text) > LONGEST_TEXT and stored.text.startswith(staged.text):
        return True
    read, known = words_of_text(staged.text), words_of_text(stored.text)
    return read <= known or known <= read | words_of_text(staged.aside)


@lru_cache(4096)
def words_of_text(text: str) -> frozenset[str]:
    """The words of a text, whatever their order and their letters' case."""
    return frozenset(_WORD.findall(visible(text).casefold()))


def _are_told_apart(one: str | None, other: str | None) -> bool:
    """Say whether two rows have ids that differ and look as if one program had given both."""
    if not one or not other or one == other:
        return False
    return len(one) == len(other) or _shape(one) == _shape(other)


def _shape(external_id: str) -> str:
    return _RUNS.sub(lambda run: "9" if run[1] else "a", external_id)
