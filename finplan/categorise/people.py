"""People in a transfer: where their names start and end among its words, and in which order."""

from finplan.categorise.grammar import Grammar

WITHOUT_NOTES = frozenset(
    (
        "pix",
        "ted",
        "transferencia",
        "transf",
        "bonifico",
        "bon",
        "bonif",
        "bizum",
        "envio",
        "traspaso",
    )
)
"""What opens a transfer whose note is labelled, so that all of its other words are the person's."""
_ELIDED = frozenset("dlo")
_SURNAMES = (1, 2)
_TO_OR_FROM = frozenset(("to", "from"))


def recipient(tokens: list[str], start: int) -> int:
    """Where the person starts, if a transfer's own words stand before "to" or "from" them."""
    for position in range(start, len(tokens) - 2):
        if tokens[position] in _TO_OR_FROM:
            return position + 1
    return start


def with_person(
    kept: list[str], start: int, words: Grammar, *, noted: bool, paid: bool
) -> list[str]:
    """A person's words without the note, in one order unless it is an employer."""
    kept = kept[: _end_of_person(kept, start, words, noted=noted)]
    return kept if paid else kept[:start] + _given_first(kept[start:], words)


def _end_of_person(kept: list[str], start: int, words: Grammar, *, noted: bool) -> int:
    """Where a person's name ends and the note of a transfer begins, if it opens with a given name.

    Without `noted` only a word such as "per" opens a note.
    """
    end = next(
        (place for place in range(start + 2, len(kept)) if kept[place] in words.note_words),
        len(kept),
    )
    if not noted or not (kept[start] in words.given or _is_initial(kept[start])):
        return end
    position = start + 1
    while position < end and (kept[position] in words.given or kept[position] in words.particles):
        position += 1
    return min(position + 1, end)


def _given_first(name: list[str], words: Grammar) -> list[str]:
    """A person's words with the given name before the surname, since banks write either first."""
    last = len(name) - 1
    if (
        last not in _SURNAMES
        or name[last] not in words.given
        or not words.trades.isdisjoint(name)
        or not words.seats.isdisjoint(name)
    ):
        return name
    if name[0] not in words.given:
        return [name[last], *name[:last]]
    return sorted(name) if last == 1 else name


def ordered(person: list[str], words: Grammar) -> list[str]:
    """A person's words in one order, since banks write either name first: the given name's first.

    Where no given name tells, the order is the alphabet's; a firm's words stay as they are.
    """
    first_or_last = {person[0], person[-1]}
    if not words.given.isdisjoint(first_or_last):
        return _given_first(person, words)
    return person if not words.trades.isdisjoint(person) else sorted(person)


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word not in _ELIDED
