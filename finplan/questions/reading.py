"""Reading a question: every word of it has to be understood, or it is refused with what was not."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from finplan.model.spending import Grouping
from finplan.periods.reading import untold_period
from finplan.periods.spans import SpokenPeriod, UnclearPeriod
from finplan.questions.comparing import halves_of, put_together
from finplan.questions.everyday import everyday_words
from finplan.questions.measuring import read_manner
from finplan.questions.names import KnownNames, SpokenName
from finplan.questions.near import near_names
from finplan.questions.question import (
    MoneySubject,
    SpokenComparison,
    SpokenQuestion,
    UnclearQuestion,
    in_code,
)
from finplan.questions.sizes import SpokenSize, UnclearSize
from finplan.questions.spans import INTRODUCING, SentenceSpan, read_spans
from finplan.questions.words import (
    LONGEST_SENTENCE,
    OF_SPENDING,
    is_aside_at,
    tokens_of,
    words_of,
)

_EXAMPLES = "`groceries last quarter by month` or `spending by category in march`"
_NARROWING = frozenset({"from", "in", "into", "of", "out", "to", "with"})
"""Words after which a second name of one kind is hardly meant to be added to the first."""

_FIRST_YEAR = 1950
"""A number below it is hardly meant as a year of somebody's spending."""

_ARRANGED: dict[frozenset[Grouping], tuple[Grouping | None, bool]] = {
    frozenset(): (None, False),
    frozenset({"month"}): ("month", False),
    frozenset({"category"}): ("category", False),
    frozenset({"merchant"}): ("merchant", False),
    frozenset({"category", "month"}): ("category", True),
    frozenset({"merchant", "month"}): ("merchant", True),
}

_SPENDS = OF_SPENDING - {"go", "gone", "going", "went", "pay", "paid"} | {"outgoings"}
_MONEY_OUT = _SPENDS | {"out"}
_COUNTED = frozenset({"purchase", "purchases", "expenses", "times"})
_MONEY_IN = frozenset({"money_in", "went_in"})
_NEEDS_COMPANY = frozenset({"purchase", "list", "aside"})
"""Signs that ask for nothing by themselves."""


def read_question(
    sentence: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> SpokenQuestion | SpokenComparison:
    """What a sentence asks on a day. Raises UnclearQuestion for one not understood as a whole.

    It has at most one period, or two that it compares; names of one kind are added up, a merchant beside
    a category narrows it.
    """
    if len(sentence) > LONGEST_SENTENCE:
        raise UnclearQuestion(f"A question has at most {LONGEST_SENTENCE} characters.")
    tokens = tokens_of(sentence)
    halves = halves_of(tokens)
    if halves is None:
        return _read(tokens, known, today, paydays)
    try:
        first = _read(halves.first, known, today, paydays, is_half=True)
        second = _read(halves.second, known, today, paydays, is_half=True)
    except UnclearQuestion as unclear:
        # A reply cannot stand in the place of words in one half, whose pieces are counted by themselves.
        raise UnclearQuestion(str(unclear)) from None
    # A half that says `spending` is no income, although it names nothing: "income vs spending".
    apart = first.subject != second.subject and any(
        each.subject == "spending" and not _MONEY_OUT.isdisjoint(half)
        for each, half in ((first, halves.first), (second, halves.second))
    )
    return put_together(first, second, today, apart=apart)


def _read(
    tokens: Sequence[str],
    known: KnownNames,
    today: date,
    paydays: Sequence[date],
    *,
    is_half: bool = False,
) -> SpokenQuestion:
    spans = read_spans(tokens, known, today, paydays)
    period = _only_period(tokens, spans)
    _refuse_odd_counts(tokens, spans)
    _refuse_leftovers(tokens, spans, known)
    _refuse_odd_days(tokens, spans, today)
    size = _only_size(tokens, spans)
    subject = _subject(tokens, spans)
    names = [(span, _only_kind(tokens, span, subject)) for span in spans if span.names]
    _refuse_mixed(tokens, names)
    said = [each for _, found in names for each in found]
    categories = tuple(dict.fromkeys(each for each in said if each.kind == "category"))
    merchants = tuple(dict.fromkeys(each for each in said if each.kind == "merchant"))
    if any(each.way == "income" for each in categories):
        subject = "income"
    manner = read_manner(spans)
    group_by, by_month = _arranged(manner.groupings, len(categories), len(merchants))
    asks = bool(said or group_by or manner.measure or size) or subject == "income"
    if is_half and not asks and period is None and _MONEY_OUT.isdisjoint(tokens):
        raise UnclearQuestion(
            "What is compared with what? Name both, like `groceries in january vs february`."
        )
    asks = asks or is_half
    _refuse_mere_signs(
        tokens, spans, said=bool(said), measured=bool(manner.measure or size or group_by)
    )
    if not asks and OF_SPENDING.isdisjoint(tokens):
        raise UnclearQuestion(f"I did not understand what is asked. Write it like {_EXAMPLES}.")
    question = SpokenQuestion(
        period,
        categories,
        merchants,
        group_by,
        by_month,
        subject,
        manner.measure,
        size,
        group_by == "month"
        and any(sign.kind == "per_month" for span in spans for sign in span.signs),
        _parts(tokens, names, known),
        _beside(names, known, tokens),
    )
    _refuse_income_by_the_way(question)
    _refuse_sizes_by_the_way(question)
    return question


def _subject(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> MoneySubject:
    """Whether money that came in is asked for, or money that was spent."""
    signs = {sign.kind for span in spans for sign in span.signs}
    spends = not _SPENDS.isdisjoint(tokens)
    if "either_way" in signs and not any(span.names for span in spans):
        raise UnclearQuestion(
            "Is it money that came in, or money that was spent? Write `income in january` or"
            " `spending in january`."
        )
    if _MONEY_IN.isdisjoint(signs):
        return "spending"
    if spends:
        raise UnclearQuestion(
            "It names income and spending. Ask for each by itself, or put `vs` between them."
        )
    return "income"


def _refuse_income_by_the_way(question: SpokenQuestion) -> None:
    if question.subject != "income":
        return
    if question.group_by is not None or question.size is not None or question.merchants:
        raise UnclearQuestion(
            "Income is told in one sum for the days that are named, by what it is of: leave out `by …`,"
            " names of payers and sizes. `finplan transactions` lists single rows."
        )
    if question.measure is not None and question.measure.kind != "mean":
        raise UnclearQuestion(
            "Income is told as a sum or a mean: write `income last month` or `average income a month`."
        )
    if any(each.way != "income" for each in question.categories):
        raise UnclearQuestion("It names income and spending. Ask for each by itself.")


def _refuse_sizes_by_the_way(question: SpokenQuestion) -> None:
    largest = question.measure is not None and question.measure.kind == "largest"
    if question.size is None:
        return
    if question.group_by is not None or (
        question.measure is not None and question.measure.kind == "mean"
    ):
        raise UnclearQuestion(
            "Purchases of a size are told one by one and in one sum: leave out `by …` and `average`."
        )
    assert largest or question.measure is None or question.measure.kind == "count"


def _refuse_odd_counts(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> None:
    """Refuse to count what is no row: days, shops, subscriptions."""
    kinds = [(span, sign.kind) for span in spans for sign in span.signs]
    counts = _COUNTED.isdisjoint(tokens) and all(kind != "purchase" for _, kind in kinds)
    for span, kind in kinds:
        if kind == "how_many" and counts:
            raise _not_here(tokens[span.first : span.end])


def _refuse_mere_signs(
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


def _not_here(pieces: Sequence[str]) -> UnclearQuestion:
    told = everyday_words().told_elsewhere(pieces) or f"Write it like {_EXAMPLES}."
    return UnclearQuestion(f"{in_code(' '.join(pieces))} is not answered here. {told}")


def _only_size(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> SpokenSize | None:
    found = [span for span in spans if span.size is not None]
    for span in found:
        if isinstance(span.size, UnclearSize):
            raise UnclearQuestion(f"{_text(tokens, span)}: {span.size}", (span.first, span.end))
    if len(found) > 1:
        raise UnclearQuestion("It names several sizes. Write one, like `between $50 and $100`.")
    size = found[0].size if found else None
    return None if isinstance(size, UnclearSize) else size


def _parts(
    tokens: Sequence[str],
    names: Sequence[tuple[SentenceSpan, tuple[SpokenName, ...]]],
    known: KnownNames,
) -> tuple[tuple[str, str], ...]:
    """The words that call a part of a category, with its label."""
    found: dict[tuple[str, str], None] = {}
    for span, called in names:
        pieces = list(tokens[span.first : span.end])
        while pieces[0] in INTRODUCING and len(pieces) > 1:
            del pieces[0]
        text = " ".join(pieces)
        for each in called:
            if each.kind == "category" and known.is_part(words_of(text), each.value):
                found[text, each.label] = None
    return tuple(found)


def _beside(
    names: Sequence[tuple[SentenceSpan, tuple[SpokenName, ...]]],
    known: KnownNames,
    tokens: Sequence[str],
) -> tuple[SpokenName, ...]:
    """The merchants that are called as a category is, which was taken."""
    return tuple(
        dict.fromkeys(
            each
            for span, called in names
            if all(name.kind == "category" for name in called)
            for each in known.merchants_called(words_of(" ".join(tokens[span.first : span.end])))
        )
    )


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
                f"{said} is yet to come, and only what has been is answered here. `finplan forecast`"
                " has the days ahead, or the tool get_forecast of MCP."
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
        hint = f"Write it like {_EXAMPLES}."
    raise UnclearQuestion(
        f"I did not understand: {in_code(', '.join(left))}. {hint}", stretch, near
    )


def _only_kind(
    tokens: Sequence[str], span: SentenceSpan, subject: MoneySubject
) -> tuple[SpokenName, ...]:
    """What a stretch names; merchants whose names have the same words are all meant.

    Where a category of what is asked for goes by the words, no other category is meant.
    """
    fits = [each for each in span.names if each.kind == "category" and each.way == subject]
    categories = fits or [each for each in span.names if each.kind == "category"]
    merchants = [each for each in span.names if each.kind == "merchant"]
    if len(categories) + bool(merchants) > 1:
        ways = " or ".join(
            dict.fromkeys(
                in_code(f"{each.kind} {each.label}") for each in (*categories, *merchants)
            )
        )
        raise UnclearQuestion(
            f"{_text(tokens, span)} may be several: write {ways}.", (span.first, span.end)
        )
    for each in categories:
        if each.way == "neither":
            raise UnclearQuestion(
                f"{in_code(each.label)} is no spending and no income, and only these are answered here."
                " `finplan transactions` lists its rows, or the tool list_transactions of MCP."
            )
    return (*categories, *merchants)


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
    asked: frozenset[Grouping], categories: int, merchants: int
) -> tuple[Grouping | None, bool]:
    if asked not in _ARRANGED:
        raise UnclearQuestion("Spending is told by category or by merchant: ask for one of them.")
    if asked == {"month"} and categories > 1:
        return "category", True
    if asked == {"month"} and merchants > 1:
        return "merchant", True
    return _ARRANGED[asked]


def _text(tokens: Sequence[str], span: SentenceSpan) -> str:
    return in_code(" ".join(tokens[span.first : span.end]))
