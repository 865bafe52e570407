"""Read a question about spending: every word of it is understood, or the question is refused.

A question asks for a sum, a mean, a number of transactions or the largest ones.
"""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from finplan.model.transaction import Grouping
from finplan.periods.grammar import SpokenPeriod, UnclearPeriod
from finplan.periods.reading import untold_period
from finplan.questions.names import (
    LONGEST_SENTENCE,
    OF_SPENDING,
    KnownNames,
    SpokenName,
    is_aside_at,
    tokens_of,
    words_of,
)
from finplan.questions.question import (
    MoneySubject,
    SpokenMeasure,
    SpokenQuestion,
    UnclearQuestion,
    in_code,
)
from finplan.questions.signs import AskedSign, MeanUnit
from finplan.questions.spans import INTRODUCING, SentenceSpan, read_spans

EXAMPLES = "`groceries last quarter by month` or `spending by category in march`"

_ONE_AT_A_TIME = (
    "Ask for only one of these, without `by …`: an average, a number or the largest amounts."
)
_MEAN_OF_WHAT = (
    "Is this an average per day, week, month or purchase? Add `a month`, `a week`, `a day` or `a"
    " purchase`, like `average groceries a month`."
)
_SPENDS = OF_SPENDING - {"go", "gone", "going", "went", "pay", "paid"} | {"outgoings"}
"""Words that say that money was spent, and nothing more."""

_NARROWING = frozenset({"from", "in", "into", "of", "out", "to", "with"})
"""Words after which a second name of one kind is hardly meant to be added to the first."""

_FIRST_YEAR = 1950
"""A number below it is hardly a year of somebody's spending."""

_COUNTED = frozenset({"purchase", "purchases", "expenses", "times"})

NamedSpans = Sequence[tuple[SentenceSpan, tuple[SpokenName, ...]]]


def read_question(
    sentence: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> SpokenQuestion:
    """Read what a sentence asks on a day. Raises UnclearQuestion for one not understood as a whole.

    It has at most one period; names of one kind are added up, a merchant beside a category narrows it.
    """
    if len(sentence) > LONGEST_SENTENCE:
        raise UnclearQuestion(f"A question has at most {LONGEST_SENTENCE} characters.")
    tokens = tokens_of(sentence)
    spans = read_spans(tokens, known, today, paydays)
    _refuse_unknown_words(tokens, spans, known)
    period = _only_period(tokens, spans, today)
    subject = _subject(tokens, spans)
    named = [(span, _only_kind(tokens, span, subject)) for span in spans if span.names]
    _refuse_mixed_names(tokens, named)
    names = list(dict.fromkeys(name for _, names_of_span in named for name in names_of_span))
    categories = tuple(name for name in names if name.kind == "category")
    merchants = tuple(name for name in names if name.kind == "merchant")
    if any(name.way == "income" for name in categories):
        subject = "income"
    measure, groupings = _read_measure(tokens, spans)
    group_by, by_month = _grouped(groupings, len(categories), len(merchants))
    if not (names or group_by or measure or subject == "income") and OF_SPENDING.isdisjoint(tokens):
        raise UnclearQuestion(f"What do you want to know? Write it like {EXAMPLES}.")
    parts, beside = _parts(tokens, named, known), _merchants_of_that_name(tokens, named, known)
    question = SpokenQuestion(
        period, categories, merchants, group_by, by_month, subject, measure, parts, beside
    )
    _refuse_income_in_detail(question)
    return question


def _refuse_unknown_words(
    tokens: Sequence[str], spans: Sequence[SentenceSpan], known: KnownNames
) -> None:
    """Refuse words that stand for nothing, with names that are spelled nearly like them."""
    covered = {place for span in spans for place in range(span.first, span.end)}
    unknown = {
        place
        for place in range(len(tokens))
        if place not in covered and not is_aside_at(tokens, place)
    }
    for span in spans if unknown else ():
        # "Nowhere Cafe" is one name, although a cafe by itself is a place to eat.
        words = words_of(" ".join(tokens[span.first : span.end]))
        if span.names and known.is_everyday(words) and unknown & {span.first - 1, span.end}:
            unknown.update(range(span.first, span.end))
    if not unknown:
        return
    left = [tokens[place] for place in sorted(unknown)]
    near = known.near(" ".join(left)) or known.near(left[0])
    hint = f"Write it like {EXAMPLES}."
    if near:
        hint = f"Did you mean {' or '.join(map(in_code, near))}?"
    elif (untold := untold_period(" ".join(left))) is not None:
        hint = untold
    raise UnclearQuestion(f"I did not understand: {in_code(', '.join(left))}. {hint}")


def _only_period(
    tokens: Sequence[str], spans: Sequence[SentenceSpan], today: date
) -> SpokenPeriod | None:
    """The days of a question, None for all. Raises UnclearQuestion for days to come, and several."""
    found = [span for span in spans if span.period is not None]
    if len(found) > 1:
        several = " and ".join(_text_of(tokens, span) for span in found)
        raise UnclearQuestion(
            f"The question has several periods: {several}. Ask for one at a time, or write a range like"
            " `from march to may`."
        )
    if not found:
        return None
    (span,) = found
    period, text = span.period, _text_of(tokens, span)
    if isinstance(period, UnclearPeriod):
        raise UnclearQuestion(f"{text}: {period}")
    assert period is not None
    if period.since is not None and period.since > today:
        raise UnclearQuestion(
            f"{text} is in the future. Ask for past days, or use `finplan forecast` (MCP tool"
            " get_forecast)."
        )
    pieces = tokens[span.first : span.end]
    year = period.since.year if period.since is not None and pieces[-1].isdecimal() else None
    if year is not None and (pieces[0] == "over" or year < _FIRST_YEAR):
        raise UnclearQuestion(
            f"{text} could be a year or an amount. For a year, write `in` before it, like `in"
            " 2025`."
        )
    return period


def _subject(tokens: Sequence[str], spans: Sequence[SentenceSpan]) -> MoneySubject:
    """Whether money that came in is asked for, or money that was spent."""
    if any(first in ("went", "gone") and second == "in" for first, second in pairwise(tokens)):
        raise UnclearQuestion("Write `income in january` or `spending in january`.")
    if all(sign.kind != "money_in" for span in spans for sign in span.signs):
        return "spending"
    if not _SPENDS.isdisjoint(tokens):
        raise UnclearQuestion(
            "The question asks about both income and spending. Ask for one at a time."
        )
    return "income"


def _only_kind(
    tokens: Sequence[str], span: SentenceSpan, subject: MoneySubject
) -> tuple[SpokenName, ...]:
    """What a stretch names; merchants whose names have the same words are all meant.

    Where a category of what is asked for goes by the words, no other category is meant.
    """
    categories = [name for name in span.names if name.kind == "category"]
    categories = [name for name in categories if name.way == subject] or categories
    merchants = [name for name in span.names if name.kind == "merchant"]
    if len(categories) + bool(merchants) > 1:
        ways = (in_code(f"{name.kind} {name.label}") for name in (*categories, *merchants))
        raise UnclearQuestion(
            f"{_text_of(tokens, span)} is ambiguous. Write {' or '.join(dict.fromkeys(ways))}."
        )
    for name in categories:
        if name.way == "neither":
            raise UnclearQuestion(
                f"{in_code(name.label)} is neither spending nor income. List its transactions with"
                " `finplan transactions` (MCP tool list_transactions)."
            )
    return (*categories, *merchants)


def _refuse_mixed_names(tokens: Sequence[str], named: NamedSpans) -> None:
    """Refuse where two names may have to be added up, or one may narrow the other."""
    kinds = {names[0].kind for _, names in named}
    for (before, old), (after, new) in pairwise(named):
        between = set(tokens[before.end : after.first])
        if old[0].kind == new[0].kind and not between.isdisjoint(_NARROWING):
            raise UnclearQuestion(
                f"Do you mean {in_code(old[0].label)} and {in_code(new[0].label)} together? If so,"
                " write `and` between them."
            )
        if old[0].kind != new[0].kind and not between.isdisjoint({"and", "&", "+"}):
            raise UnclearQuestion(_BOTH_KINDS)
    is_introduced = next(
        (span.introduced for span, names in named if names[0].kind == "merchant"), True
    )
    if len(kinds) > 1 and not is_introduced:
        raise UnclearQuestion(_BOTH_KINDS)


_BOTH_KINDS = (
    "The question has a category and a merchant. To ask about this category at this merchant, write"
    " `at` before the merchant. Otherwise, ask for one of the two at a time."
)


def _read_measure(
    tokens: Sequence[str], spans: Sequence[SentenceSpan]
) -> tuple[SpokenMeasure | None, frozenset[Grouping]]:
    """What is asked for, None for a sum, and the groupings. Raises UnclearQuestion for several."""
    signs = [sign for span in spans for sign in span.signs]
    groupings = frozenset(grouping for span in spans for grouping in span.groupings)
    groupings |= {sign.grouping for sign in signs if sign.kind == "which" and sign.grouping}
    largest = next((sign for sign in signs if sign.kind == "largest"), None)
    kinds = {sign.kind for sign in signs}
    is_mean, is_count = bool(kinds & {"average", "unit"}), bool(kinds & {"count", "how_many"})
    if is_mean + is_count + (largest is not None) > 1 or (is_count and groupings):
        raise UnclearQuestion(_ONE_AT_A_TIME)
    if "how_many" in kinds and "purchase" not in kinds and _COUNTED.isdisjoint(tokens):
        raise UnclearQuestion("finplan can count only purchases. Write `how many purchases at …`.")
    if is_mean:
        return _mean(signs, groupings)
    if is_count:
        return SpokenMeasure("count"), groupings
    if largest is None:
        return None, groupings
    groupings |= {largest.grouping} if largest.grouping is not None else frozenset()
    if len(groupings) > 1:
        raise UnclearQuestion(_ONE_AT_A_TIME)
    return SpokenMeasure("largest", most=largest.most), groupings


def _mean(
    signs: Sequence[AskedSign], groupings: frozenset[Grouping]
) -> tuple[SpokenMeasure, frozenset[Grouping]]:
    units: set[MeanUnit] = {sign.unit for sign in signs if sign.kind == "unit" and sign.unit}
    is_of_purchase = any(sign.unit == "purchase" for sign in signs)
    if groupings == {"month"} and units <= {"month"} and not is_of_purchase:
        # "Average groceries by month" is the mean of a month.
        units, groupings = {"month"}, frozenset()
    if not units and any(sign.kind == "purchase" for sign in signs):
        units = {"purchase"}
    if not units:
        raise UnclearQuestion(_MEAN_OF_WHAT)
    if len(units) > 1 or groupings:
        raise UnclearQuestion(_ONE_AT_A_TIME)
    return SpokenMeasure("mean", units.pop()), groupings


def _grouped(
    groupings: frozenset[Grouping], categories: int, merchants: int
) -> tuple[Grouping | None, bool]:
    """The grouping, and whether each group is split by month."""
    if groupings >= {"category", "merchant"}:
        raise UnclearQuestion("Group by category or by merchant, not by both.")
    by_month = "month" in groupings
    if "category" in groupings or (by_month and categories > 1):
        return "category", by_month
    if "merchant" in groupings or (by_month and merchants > 1):
        return "merchant", by_month
    return ("month" if by_month else None), False


def _parts(
    tokens: Sequence[str], named: NamedSpans, known: KnownNames
) -> tuple[tuple[str, str], ...]:
    """The words that stand for a part of a category, with its label."""
    parts: dict[tuple[str, str], None] = {}
    for span, names in named:
        pieces = list(tokens[span.first : span.end])
        while pieces[0] in INTRODUCING and len(pieces) > 1:
            del pieces[0]
        text = " ".join(pieces)
        for name in names:
            if name.kind == "category" and known.is_part(words_of(text), name.value):
                parts[text, name.label] = None
    return tuple(parts)


def _merchants_of_that_name(
    tokens: Sequence[str], named: NamedSpans, known: KnownNames
) -> tuple[SpokenName, ...]:
    """The merchants with the name of a category, which was taken."""
    merchants: dict[SpokenName, None] = {}
    for span, names in named:
        if all(name.kind == "category" for name in names):
            words = words_of(" ".join(tokens[span.first : span.end]))
            merchants |= dict.fromkeys(known.merchants_called(words))
    return tuple(merchants)


def _refuse_income_in_detail(question: SpokenQuestion) -> None:
    """Refuse details of income that only spending has, and income and spending in one question."""
    if question.subject != "income":
        return
    is_detailed = question.by_month or question.merchants
    is_other = question.measure is not None and question.measure.kind != "mean"
    if is_detailed or is_other or any(name.way != "income" for name in question.categories):
        raise UnclearQuestion(
            "For income, ask for a total or an average, or group it by category, merchant or"
            " month. Write `income last month` or `average income a month`."
        )


def _text_of(tokens: Sequence[str], span: SentenceSpan) -> str:
    """A stretch of a sentence, as data."""
    return in_code(" ".join(tokens[span.first : span.end]))
