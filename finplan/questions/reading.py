"""Reading a question: every word of it has to be understood, or it is refused with what was not."""

from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from itertools import pairwise

from finplan.model.spending import Grouping
from finplan.periods.reading import untold_period
from finplan.periods.spans import SpokenPeriod, UnclearPeriod
from finplan.questions.names import KnownNames, SpokenName
from finplan.questions.question import SpokenQuestion, UnclearQuestion, in_code
from finplan.questions.spans import SentenceSpan, read_spans
from finplan.questions.words import LONGEST_SENTENCE, OF_SPENDING, is_aside_at, tokens_of

_EXAMPLES = "`groceries last quarter by month` or `spending by category in march`"
_NARROWING = frozenset({"from", "in", "into", "of", "out", "to", "with"})
"""Words after which a second name of one kind is hardly meant to be added to the first."""

_FIRST_YEAR = 1950
"""A number below it is hardly meant as a year of somebody's spending."""

_LOOKED_UP = 3
"""How many words that were not understood are compared with every name."""

_ARRANGED: dict[frozenset[Grouping], tuple[Grouping | None, bool]] = {
    frozenset(): (None, False),
    frozenset({"month"}): ("month", False),
    frozenset({"category"}): ("category", False),
    frozenset({"merchant"}): ("merchant", False),
    frozenset({"category", "month"}): ("category", True),
    frozenset({"merchant", "month"}): ("merchant", True),
}


def read_question(
    sentence: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> SpokenQuestion:
    """What a sentence asks on a day. Raises UnclearQuestion for one not understood as a whole.

    It has at most one period; names of one kind are added up, a merchant beside a category narrows it.
    """
    if len(sentence) > LONGEST_SENTENCE:
        raise UnclearQuestion(f"A question has at most {LONGEST_SENTENCE} characters.")
    tokens = tokens_of(sentence)
    spans = read_spans(tokens, known, today, paydays)
    period = _only_period(tokens, spans)
    _refuse_leftovers(tokens, spans, known)
    _refuse_odd_days(tokens, spans, today)
    names = [(span, _only_kind(tokens, span)) for span in spans if span.names]
    _refuse_mixed(tokens, names)
    said = [each for _, found in names for each in found]
    categories = tuple(dict.fromkeys(each for each in said if each.kind == "category"))
    merchants = tuple(dict.fromkeys(each for each in said if each.kind == "merchant"))
    group_by, by_month = _arranged(spans, len(categories), len(merchants))
    if not (said or group_by) and OF_SPENDING.isdisjoint(tokens):
        raise UnclearQuestion(f"I did not understand what is asked. Write it like {_EXAMPLES}.")
    return SpokenQuestion(period, categories, merchants, group_by, by_month)


def _only_period(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> SpokenPeriod | None:
    found = [span for span in spans if span.period is not None]
    for span in found:
        if isinstance(span.period, UnclearPeriod):
            raise UnclearQuestion(f"{_text(tokens, span)}: {span.period}")
    if len(found) > 1:
        several = " and ".join(_text(tokens, span) for span in found)
        raise UnclearQuestion(
            f"It names several periods, {several}. Ask for each by itself, or write it like"
            " `from march to may`."
        )
    period = found[0].period if found else None
    return None if isinstance(period, UnclearPeriod) else period


def _refuse_odd_days(tokens: Sequence[str], spans: Sequence[SentenceSpan], today: date) -> None:
    """Refuse days that are yet to come, and a number that may be an amount instead of a year."""
    for span in spans:
        if not isinstance(span.period, SpokenPeriod) or span.period.since is None:
            continue
        said = _text(tokens, span)
        if span.period.since > today:
            raise UnclearQuestion(
                f"{said} is yet to come, and only what was spent is answered here."
            )
        pieces = tokens[span.first : span.end]
        if pieces[-1].isdecimal() and (pieces[0] == "over" or span.period.since.year < _FIRST_YEAR):
            raise UnclearQuestion(
                f"{said} may be a year or an amount. Write a year like `in 2025`; what is larger than an"
                " amount is not answered here."
            )


def _refuse_leftovers(
    tokens: Sequence[str], spans: Sequence[SentenceSpan], known: KnownNames
) -> None:
    covered = {place for span in spans for place in range(span.first, span.end)}
    places = [
        place
        for place in range(len(tokens))
        if place not in covered and not is_aside_at(tokens, place)
    ]
    if not places:
        return
    left = [tokens[place] for place in places]
    labels = known.labels()
    near = dict.fromkeys(
        labels[close]
        for text in (" ".join(left), *left[:_LOOKED_UP])
        for close in get_close_matches(text, labels, n=3, cutoff=0.7)
    )
    hint = f"Write it like {_EXAMPLES}."
    meant = tuple(near)[:3]
    if meant:
        hint = f"Did you mean {' or '.join(map(in_code, meant))}?"
    elif (told := untold_period(" ".join(left))) is not None:
        hint = told
    told = f"I did not understand: {in_code(', '.join(left))}. {hint}"
    in_one = places[-1] - places[0] == len(places) - 1
    raise UnclearQuestion(told, (places[0], places[-1] + 1) if in_one else None, meant)


def _only_kind(tokens: Sequence[str], span: SentenceSpan) -> tuple[SpokenName, ...]:
    """What a stretch names; merchants whose names have the same words are all meant."""
    categories = [each for each in span.names if each.kind == "category"]
    if len(categories) + (len(span.names) > len(categories)) > 1:
        ways = " or ".join(
            dict.fromkeys(in_code(f"{each.kind} {each.label}") for each in span.names)
        )
        raise UnclearQuestion(
            f"{_text(tokens, span)} may be several: write {ways}.", (span.first, span.end)
        )
    for each in categories:
        if not each.is_spending:
            raise UnclearQuestion(
                f"{in_code(each.label)} is no spending, and only spending is answered here."
            )
    return span.names


def _refuse_mixed(
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


def _arranged(
    spans: Sequence[SentenceSpan], categories: int, merchants: int
) -> tuple[Grouping | None, bool]:
    asked = frozenset(each for span in spans for each in span.groupings)
    if asked not in _ARRANGED:
        raise UnclearQuestion("Spending is told by category or by merchant: ask for one of them.")
    if asked == {"month"} and categories > 1:
        return "category", True
    if asked == {"month"} and merchants > 1:
        return "merchant", True
    return _ARRANGED[asked]


def _text(tokens: Sequence[str], span: SentenceSpan) -> str:
    return in_code(" ".join(tokens[span.first : span.end]))
