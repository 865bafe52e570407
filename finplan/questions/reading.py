"""Reading a question: every word of it has to be understood, or it is refused with what was not.

A sentence may want spending told as a sum, a mean, a number of rows, or the largest. A reply to
what was not understood stands in the place of that, or is a question by itself.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from finplan.model.transaction import Grouping
from finplan.periods.grammar import SpokenPeriod, UnclearPeriod
from finplan.questions import question as questions
from finplan.questions import refusing
from finplan.questions.names import (
    LONGEST_SENTENCE,
    OF_SPENDING,
    KnownNames,
    SpokenName,
    tokens_of,
    words_of,
)
from finplan.questions.signs import AskedSign, MeanUnit, SpokenSize, UnclearSize
from finplan.questions.spans import INTRODUCING, SentenceSpan, read_spans

_ONE_AT_A_TIME = "Ask for each by itself: a mean, a number and the largest are told one at a time."
_OF_WHAT = (
    "A mean of what? Write `a month`, `a week`, `a day` or `a purchase`, like `average groceries a"
    " month`."
)
_MONTH_OR_PURCHASE = (
    "The mean of a month, or of a purchase? It is not told for each month: write `average spending a"
    " month` or `average purchase in october`."
)


class Manner(NamedTuple):
    """The measure of a question, None for a sum, and what it is grouped by besides."""

    measure: questions.SpokenMeasure | None
    groupings: frozenset[Grouping]


def read_manner(spans: Sequence[SentenceSpan]) -> Manner:
    """How the stretches of a sentence want it told. Raises UnclearQuestion for several ways at once."""
    signs = [sign for span in spans for sign in span.signs]
    groupings = frozenset(each for span in spans for each in span.groupings)
    groupings |= {each.grouping for each in signs if each.kind == "which" and each.grouping}
    largest = next((each for each in signs if each.kind == "largest"), None)
    is_mean = any(each.kind in ("average", "unit") for each in signs)
    is_count = any(each.kind in ("count", "how_many") for each in signs)
    if is_mean + is_count + (largest is not None) > 1:
        raise questions.UnclearQuestion(_ONE_AT_A_TIME)
    if is_mean:
        return _mean(signs, groupings, spans)
    if is_count:
        if groupings:
            raise questions.UnclearQuestion(
                "A number of rows is told for all of them: leave out `by …`."
            )
        return Manner(questions.SpokenMeasure("count"), groupings)
    return Manner(None, groupings) if largest is None else _largest(largest, groupings)


def _mean(
    signs: Sequence[AskedSign], groupings: frozenset[Grouping], spans: Sequence[SentenceSpan]
) -> Manner:
    units: set[MeanUnit] = {each.unit for each in signs if each.kind == "unit" and each.unit}
    if groupings == {"month"} and not units and any(each.unit == "purchase" for each in signs):
        raise questions.UnclearQuestion(_MONTH_OR_PURCHASE)
    if groupings == {"month"} and units <= {"month"}:
        units, groupings = {"month"}, frozenset()
    if not units and any(each.kind == "purchase" for each in signs):
        units = {"purchase"}
    if not units:
        asked = next(span for span in spans if any(each.kind == "average" for each in span.signs))
        raise questions.UnclearQuestion(_OF_WHAT, (asked.first, asked.end))
    if len(units) > 1 or groupings:
        raise questions.UnclearQuestion(
            f"{_ONE_AT_A_TIME} A mean is told for all of what is named."
        )
    return Manner(questions.SpokenMeasure("mean", units.pop()), groupings)


def _largest(sign: AskedSign, groupings: frozenset[Grouping]) -> Manner:
    if sign.grouping is not None:
        groupings |= {sign.grouping}
    if len(groupings) > 1:
        raise questions.UnclearQuestion(
            f"The largest are told {_by(groupings)}: ask for one of them."
        )
    return Manner(questions.SpokenMeasure("largest", most=sign.most), groupings)


def _by(groupings: Iterable[Grouping]) -> str:
    return " or ".join(questions.in_code(f"by {each}") for each in sorted(groupings))


_ARRANGED: dict[frozenset[Grouping], tuple[Grouping | None, bool]] = {
    frozenset(): (None, False),
    frozenset({"month"}): ("month", False),
    frozenset({"category"}): ("category", False),
    frozenset({"merchant"}): ("merchant", False),
    frozenset({"category", "month"}): ("category", True),
    frozenset({"merchant", "month"}): ("merchant", True),
}

_SPENDS = OF_SPENDING - {"go", "gone", "going", "went", "pay", "paid"} | {"outgoings"}
"""Words that say that money was spent, and no others."""

_MONEY_OUT = _SPENDS | {"out"}
_MONEY_IN = frozenset({"money_in", "went_in"})


def read_question(
    sentence: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> questions.SpokenQuestion | questions.SpokenComparison:
    """What a sentence asks on a day. Raises UnclearQuestion for one not understood as a whole.

    It has at most one period, or two that it compares; names of one kind are added up, a merchant beside
    a category narrows it.
    """
    if len(sentence) > LONGEST_SENTENCE:
        raise questions.UnclearQuestion(f"A question has at most {LONGEST_SENTENCE} characters.")
    tokens = tokens_of(sentence)
    halves = questions.halves_of(tokens)
    if halves is None:
        return _read(tokens, known, today, paydays)
    try:
        first = _read(halves.first, known, today, paydays, is_half=True)
        second = _read(halves.second, known, today, paydays, is_half=True)
    except questions.UnclearQuestion as unclear:
        # A reply cannot stand in the place of words in one half, whose pieces are counted by themselves.
        raise questions.UnclearQuestion(str(unclear)) from None
    # A half that says `spending` is no income, although it names nothing: "income vs spending".
    apart = first.subject != second.subject and any(
        each.subject == "spending" and not _MONEY_OUT.isdisjoint(half)
        for each, half in ((first, halves.first), (second, halves.second))
    )
    return questions.put_together(first, second, today, apart=apart)


def _read(
    tokens: Sequence[str],
    known: KnownNames,
    today: date,
    paydays: Sequence[date],
    *,
    is_half: bool = False,
) -> questions.SpokenQuestion:
    spans = read_spans(tokens, known, today, paydays)
    period = _only_period(tokens, spans)
    refusing.refuse_odd_counts(tokens, spans)
    refusing.refuse_leftovers(tokens, spans, known)
    refusing.refuse_odd_days(tokens, spans, today)
    size = _only_size(tokens, spans)
    subject = _subject(tokens, spans)
    names = [(span, _only_kind(tokens, span, subject)) for span in spans if span.names]
    refusing.refuse_mixed(tokens, names)
    said = [each for _, found in names for each in found]
    categories = tuple(dict.fromkeys(each for each in said if each.kind == "category"))
    merchants = tuple(dict.fromkeys(each for each in said if each.kind == "merchant"))
    if any(each.way == "income" for each in categories):
        subject = "income"
    manner = read_manner(spans)
    group_by, by_month = _arranged(manner.groupings, len(categories), len(merchants))
    asks = bool(said or group_by or manner.measure or size) or subject == "income"
    if is_half and not asks and period is None and _MONEY_OUT.isdisjoint(tokens):
        raise questions.UnclearQuestion(
            "What is compared with what? Name both, like `groceries in january vs february`."
        )
    asks = asks or is_half
    refusing.refuse_mere_signs(
        tokens, spans, said=bool(said), measured=bool(manner.measure or size or group_by)
    )
    if not asks and OF_SPENDING.isdisjoint(tokens):
        raise questions.UnclearQuestion(
            f"I did not understand what is asked. Write it like {refusing.EXAMPLES}."
        )
    question = questions.SpokenQuestion(
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
    refusing.refuse_income_by_the_way(question)
    refusing.refuse_sizes_by_the_way(question)
    return question


def _subject(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> questions.MoneySubject:
    """Whether money that came in is asked for, or money that was spent."""
    signs = {sign.kind for span in spans for sign in span.signs}
    spends = not _SPENDS.isdisjoint(tokens)
    if "either_way" in signs and not any(span.names for span in spans):
        raise questions.UnclearQuestion(
            "Is it money that came in, or money that was spent? Write `income in january` or"
            " `spending in january`."
        )
    if _MONEY_IN.isdisjoint(signs):
        return "spending"
    if spends:
        raise questions.UnclearQuestion(
            "It names income and spending. Ask for each by itself, or put `vs` between them."
        )
    return "income"


def _only_size(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> SpokenSize | None:
    found = [span for span in spans if span.size is not None]
    for span in found:
        if isinstance(span.size, UnclearSize):
            raise questions.UnclearQuestion(
                f"{refusing.text_of(tokens, span)}: {span.size}", (span.first, span.end)
            )
    if len(found) > 1:
        raise questions.UnclearQuestion(
            "It names several sizes. Write one, like `between $50 and $100`."
        )
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
            raise questions.UnclearQuestion(f"{refusing.text_of(tokens, span)}: {span.period}")
    if len(found) > 1:
        several = " and ".join(refusing.text_of(tokens, span) for span in found)
        raise questions.UnclearQuestion(
            f"It names several periods, {several}. Ask for each by itself, or write it like"
            " `from march to may`."
        )
    period = found[0].period if found else None
    return None if isinstance(period, UnclearPeriod) else period


def _only_kind(
    tokens: Sequence[str], span: SentenceSpan, subject: questions.MoneySubject
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
                questions.in_code(f"{each.kind} {each.label}") for each in (*categories, *merchants)
            )
        )
        raise questions.UnclearQuestion(
            f"{refusing.text_of(tokens, span)} may be several: write {ways}.",
            (span.first, span.end),
        )
    for each in categories:
        if each.way == "neither":
            raise questions.UnclearQuestion(
                f"{questions.in_code(each.label)} is no spending and no income,"
                " and only these are answered here. `finplan transactions` lists its rows,"
                " or the tool list_transactions of MCP."
            )
    return (*categories, *merchants)


def _arranged(
    asked: frozenset[Grouping], categories: int, merchants: int
) -> tuple[Grouping | None, bool]:
    if asked not in _ARRANGED:
        raise questions.UnclearQuestion(
            "Spending is told by category or by merchant: ask for one of them."
        )
    if asked == {"month"} and categories > 1:
        return "category", True
    if asked == {"month"} and merchants > 1:
        return "merchant", True
    return _ARRANGED[asked]


_YES = frozenset({"yes", "y", "yes please", "yeah", "yep", "ok", "sure", "correct", "right"})


def read_reply(
    reply: str, asked: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> questions.SpokenQuestion | questions.SpokenComparison:
    """What a reply to an unclear question asks. Raises UnclearQuestion where that is still unclear.

    A reply by itself has to name its days, since those of the question before would be lost.
    """
    completed = _completed(reply, asked, known, today, paydays)
    if completed is not None:
        return completed
    question = read_question(reply, known, today, paydays)
    if isinstance(question, questions.SpokenQuestion) and question.period is None:
        raise questions.UnclearQuestion(
            "Of which days? Write the whole question, like `groceries last month`, or with `all time`."
        )
    return question


def _completed(
    reply: str, asked: str, known: KnownNames, today: date, paydays: Sequence[date]
) -> questions.SpokenQuestion | questions.SpokenComparison | None:
    """The question before with the reply in the place of what was unclear; None where that is none."""
    before = _why_unclear(asked, known, today, paydays)
    if before is None or before.stretch is None:
        return None
    first, end = before.stretch
    tokens = tokens_of(asked)
    meant = " ".join(tokens_of(reply))
    if meant in _YES and len(before.near) == 1:
        meant = before.near[0]
    try:
        return read_question(
            " ".join((*tokens[:first], meant, *tokens[end:])), known, today, paydays
        )
    except questions.UnclearQuestion:
        return None


def _why_unclear(
    asked: str, known: KnownNames, today: date, paydays: Sequence[date]
) -> questions.UnclearQuestion | None:
    """Why a question was unclear; None where names that were made since have cleared it up."""
    try:
        read_question(asked, known, today, paydays)
    except questions.UnclearQuestion as unclear:
        return unclear
    return None
