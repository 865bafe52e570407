"""How a sentence wants spending told: as a sum, a mean, a number of rows, or the largest."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from finplan.model.spending import Grouping
from finplan.questions.question import SpokenMeasure, UnclearQuestion, in_code
from finplan.questions.signs import AskedSign, MeanUnit
from finplan.questions.spans import SentenceSpan

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

    measure: SpokenMeasure | None
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
        raise UnclearQuestion(_ONE_AT_A_TIME)
    if is_mean:
        return _mean(signs, groupings, spans)
    if is_count:
        if groupings:
            raise UnclearQuestion("A number of rows is told for all of them: leave out `by …`.")
        return Manner(SpokenMeasure("count"), groupings)
    return Manner(None, groupings) if largest is None else _largest(largest, groupings)


def _mean(
    signs: Sequence[AskedSign], groupings: frozenset[Grouping], spans: Sequence[SentenceSpan]
) -> Manner:
    units: set[MeanUnit] = {each.unit for each in signs if each.kind == "unit" and each.unit}
    if groupings == {"month"} and not units and any(each.unit == "purchase" for each in signs):
        raise UnclearQuestion(_MONTH_OR_PURCHASE)
    if groupings == {"month"} and units <= {"month"}:
        units, groupings = {"month"}, frozenset()
    if not units and any(each.kind == "purchase" for each in signs):
        units = {"purchase"}
    if not units:
        asked = next(span for span in spans if any(each.kind == "average" for each in span.signs))
        raise UnclearQuestion(_OF_WHAT, (asked.first, asked.end))
    if len(units) > 1 or groupings:
        raise UnclearQuestion(f"{_ONE_AT_A_TIME} A mean is told for all of what is named.")
    return Manner(SpokenMeasure("mean", units.pop()), groupings)


def _largest(sign: AskedSign, groupings: frozenset[Grouping]) -> Manner:
    if sign.grouping is not None:
        groupings |= {sign.grouping}
    if len(groupings) > 1:
        raise UnclearQuestion(f"The largest are told {_by(groupings)}: ask for one of them.")
    return Manner(SpokenMeasure("largest", most=sign.most), groupings)


def _by(groupings: Iterable[Grouping]) -> str:
    return " or ".join(in_code(f"by {each}") for each in sorted(groupings))
