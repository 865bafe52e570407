"""What a sentence is refused for: words that were not understood, and what is not answered here.

Names are offered that are truly near to what was written: a slip of the keyboard, or a part of a
longer name.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from finplan.periods.grammar import SpokenPeriod
from finplan.periods.reading import untold_period
from finplan.questions.names import (
    OF_SPENDING,
    KnownNames,
    SpokenName,
    everyday_words,
    is_aside_at,
    words_of,
)
from finplan.questions.question import SpokenQuestion, UnclearQuestion, in_code
from finplan.questions.spans import SentenceSpan

MOST_NEAR: Final = 3

_SHORTEST = 4
"""Shorter words are near to too much: `vs` is no slip of CVS."""

_LONG = 8
"""From how many letters on two slips are forgiven."""

_NO_NAMES_WRITTEN = """
about above after again all also amount another answer any anything are average before best between
both bring budget came cheapest come compare compared cost costs count daily date days different
each either else ever every everything except expensive from give goes going have highest hour just
keep kind largest last least left less like list lots lowest made make many maybe mean money monthly
months more most much near need never next nothing number often only other over owed part past
people percent period same save show since smallest some something still sure than that their them
then there these they thing things this those time times today together total transactions under
until upon usually very want week weekly weeks well were what when where which while whole will with
within without would year yearly years your
"""
_NO_NAMES = frozenset(_NO_NAMES_WRITTEN.split())
"""Words that stand where no name does, however near to one they are spelled."""


def near_names(
    pieces: Sequence[str], labels: Mapping[str, str], longer: Mapping[str, str]
) -> tuple[str, ...]:
    """The labels that one stretch of pieces, or a piece of it, may have been meant for; three at most.

    `labels` are the names by their words, of which slips are looked for; `longer` those in which the
    whole stretch may stand.
    """
    whole = " ".join(pieces)
    texts = (whole, *pieces) if len(pieces) > 1 else (whole,)
    wanted = [each for each in texts if len(each) >= _SHORTEST and each not in _NO_NAMES]
    found = dict.fromkeys(label for text in wanted for label in _near(text, labels))
    if whole in wanted:
        words = set(whole.split())
        found.update((label, None) for name, label in longer.items() if words < set(name.split()))
    return tuple(found)[:MOST_NEAR]


def _near(text: str, labels: Mapping[str, str]) -> Iterable[str]:
    slips = 2 if len(text) >= _LONG else 1
    spelled = sorted(
        (apart, name)
        for name in labels
        if len(name) >= _SHORTEST
        and abs(len(name) - len(text)) <= slips
        and name[:1] == text[:1]
        and 0 < (apart := _slips(text, name)) <= slips
    )
    yield from (labels[name] for _, name in spelled)


def _slips(one: str, other: str) -> int:
    """How many letters are left out, put in, exchanged or swapped with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before, row = before, row, [place]
        for column, sign in enumerate(other, 1):
            cost = min(row[-1] + 1, before[column] + 1, before[column - 1] + (letter != sign))
            if place > 1 < column and letter == other[column - 2] and one[place - 2] == sign:
                cost = min(cost, earlier[column - 2] + 1)
            row.append(cost)
    return row[-1]


EXAMPLES = "`groceries last quarter by month` or `spending by category in march`"

_NARROWING = frozenset({"from", "in", "into", "of", "out", "to", "with"})
"""Words after which a second name of one kind is hardly meant to be added to the first."""

_FIRST_YEAR = 1950
"""A number below it is hardly meant as a year of somebody's spending."""

_COUNTED = frozenset({"purchase", "purchases", "expenses", "times"})


def text_of(tokens: Sequence[str], span: SentenceSpan) -> str:
    """A stretch of a sentence, as data."""
    return in_code(" ".join(tokens[span.first : span.end]))


def refuse_leftovers(
    tokens: Sequence[str], spans: Sequence[SentenceSpan], known: KnownNames
) -> None:
    """Refuse words that stand for nothing, with names that are near or where they are answered."""
    covered = {place for span in spans for place in range(span.first, span.end)}
    unknown = {
        place
        for place in range(len(tokens))
        if place not in covered and not is_aside_at(tokens, place)
    }
    if not unknown:
        return
    for span in spans:
        # "Nowhere Cafe" is one name, although a cafe by itself is a place to eat.
        words = words_of(" ".join(tokens[span.first : span.end]))
        if span.names and known.is_everyday(words) and unknown & {span.first - 1, span.end}:
            unknown.update(range(span.first, span.end))
    places = sorted(unknown)
    left = [tokens[place] for place in places]
    in_one = places[-1] - places[0] == len(places) - 1
    stretch = (places[0], places[-1] + 1) if in_one else None
    # Names are near to what was written in one, and to what is left of a name by a word that was known.
    near = near_names(left if in_one else left[:1], known.labels(), known.labels("merchant"))
    untold = untold_period(" ".join(left))
    elsewhere = everyday_words().told_elsewhere(left)
    if near:
        hint = f"Did you mean {' or '.join(map(in_code, near))}?"
    elif untold is not None or elsewhere is not None:
        hint = f"{untold or elsewhere}"
    else:
        hint = f"Write it like {EXAMPLES}."
    raise UnclearQuestion(
        f"I did not understand: {in_code(', '.join(left))}. {hint}", stretch, near
    )


def refuse_odd_days(tokens: Sequence[str], spans: Sequence[SentenceSpan], today: date) -> None:
    """Refuse days that are yet to come, and a number that may be an amount instead of a year."""
    for span in spans:
        if not isinstance(span.period, SpokenPeriod) or span.period.since is None:
            continue
        said = text_of(tokens, span)
        if span.period.since > today:
            raise UnclearQuestion(
                f"{said} is yet to come, and only what has been is answered here. `finplan forecast`"
                " has the days ahead, or the tool get_forecast of MCP."
            )
        pieces = tokens[span.first : span.end]
        if pieces[-1].isdecimal() and (pieces[0] == "over" or span.period.since.year < _FIRST_YEAR):
            raise UnclearQuestion(
                f"{said} may be a year or an amount. Write a year like `in 2025`; what is larger than an"
                " amount is not answered here."
            )


def refuse_odd_counts(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> None:
    """Refuse to count what is no row: days, shops, subscriptions."""
    kinds = [(span, sign.kind) for span in spans for sign in span.signs]
    counts = _COUNTED.isdisjoint(tokens) and all(kind != "purchase" for _, kind in kinds)
    for span, kind in kinds:
        if kind == "how_many" and counts:
            raise _not_here(tokens[span.first : span.end])


def refuse_mere_signs(
    tokens: Sequence[str], spans: Sequence[SentenceSpan], *, said: bool, measured: bool
) -> None:
    """Refuse words that ask for single rows where nothing else is asked."""
    for span in spans:
        kinds = {sign.kind for sign in span.signs}
        pieces = tokens[span.first : span.end]
        if "list" in kinds and not measured:
            raise _not_here(pieces)
        if "purchase" in kinds and not (said or measured) and not _asks_by_itself(pieces):
            raise _not_here(pieces)


def _asks_by_itself(pieces: Sequence[str]) -> bool:
    return all(
        word in OF_SPENDING or is_aside_at([piece], 0)
        for piece in pieces
        for word in words_of(piece)
    )


def refuse_mixed(
    tokens: Sequence[str], names: Sequence[tuple[SentenceSpan, tuple[SpokenName, ...]]]
) -> None:
    """Refuse where two names may have to be added up, or narrow each other."""
    for (before, old), (after, new) in pairwise(names):
        between = set(tokens[before.end : after.first])
        if old[0].kind == new[0].kind and not between.isdisjoint(_NARROWING):
            raise UnclearQuestion(
                f"Is it {in_code(old[0].label)} and {in_code(new[0].label)} together?"
                " Put `and` between them."
            )
    kinds = [found[0].kind for _, found in names]
    if len(set(kinds)) < 2:
        return
    at = names[kinds.index("merchant")][0]
    for (before, old), (after, new) in pairwise(names):
        joined = any(each in ("and", "&", "+") for each in tokens[before.end : after.first])
        if old[0].kind != new[0].kind and joined:
            break
    else:
        if at.introduced:
            return
    raise UnclearQuestion(
        "It names a category and a merchant. Write `at` before the merchant for the category's part of"
        " it, or ask for each by itself."
    )


def refuse_income_by_the_way(question: SpokenQuestion) -> None:
    """Refuse ways in which income is not told, and spending beside it."""
    if question.subject != "income":
        return
    if question.by_month or question.size is not None or question.merchants:
        raise UnclearQuestion(
            "Income is told by category, by payer or by month, and one of them at a time: leave out the"
            " others, names and sizes. `finplan transactions` lists single rows."
        )
    if question.measure is not None and question.measure.kind != "mean":
        raise UnclearQuestion(
            "Income is told as a sum or a mean: write `income last month` or `average income a month`."
        )
    if any(each.way != "income" for each in question.categories):
        raise UnclearQuestion("It names income and spending. Ask for each by itself.")


def refuse_sizes_by_the_way(question: SpokenQuestion) -> None:
    """Refuse groups and means of purchases of a size."""
    if question.size is None:
        return
    if question.group_by is not None or (
        question.measure is not None and question.measure.kind == "mean"
    ):
        raise UnclearQuestion(
            "Purchases of a size are told one by one and in one sum: leave out `by …` and `average`."
        )


def _not_here(pieces: Sequence[str]) -> UnclearQuestion:
    told = everyday_words().told_elsewhere(pieces) or f"Write it like {EXAMPLES}."
    return UnclearQuestion(f"{in_code(' '.join(pieces))} is not answered here. {told}")
