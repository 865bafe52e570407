"""Words that say how a sentence asks: for a mean, a number of transactions, the largest, or income."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from finplan.model.transaction import Grouping
from finplan.periods.grammar import NUMBERS
from finplan.questions.names import tokens_of

MeanUnit = Literal["day", "week", "month", "year", "purchase"]
SignKind = Literal[
    "average", "unit", "count", "how_many", "purchase", "largest", "money_in", "which", "aside"
]

LONGEST_SIGN = 12
"""How many pieces a sign has at most."""

USUAL_LARGEST = 5


@dataclass(frozen=True, slots=True)
class AskedSign:
    """One sign: the `unit` of a mean, how many of the largest, and what they are grouped by.

    A purchase spoken of as one has the unit of its mean: "average purchase", and not "purchases".
    """

    kind: SignKind
    unit: MeanUnit | None = None
    most: int = USUAL_LARGEST
    grouping: Grouping | None = None


_NOUN = (
    r"(?:purchases?|orders?|visits?|transactions?|payments?|rides?|meals?|bills?|charges?|items?|times"
    r"|deliver(?:y|ies)|rows?)"
)
_ONE = r"purchase|order|visit|transaction|payment|ride|meal|bill|charge|item|delivery"
_GROUP_NOUNS: dict[str, Grouping] = {
    **dict.fromkeys(
        ("merchant", "shop", "store", "place", "payee", "vendor", "retailer"), "merchant"
    ),
    "category": "category",
    "categorie": "category",
    "month": "month",
}
_GROUP_NOUN = r"(merchant|shop|store|place|payee|vendor|retailer|category|categorie|month)s?"
_AVERAGE = (
    r"(?:on )?(?:an? )?(?:averages?|avg|mean|typical|typically|usual|usually|normal|normally)"
)
_SUPERLATIVE = r"(?:biggest|largest|highest|most expensive|priciest|dearest|greatest|top|costliest)"
_NUMBER = rf"(\d{{1,2}}|{'|'.join(NUMBERS[1:])})"
_TOP = rf"(?:(?:the|my|our) )?(?:{_NUMBER} )?{_SUPERLATIVE}(?: {_NUMBER})?(?: single)?"
_DO_PAY = r"(?:do|did|have) (?:i|we) (?:buy|bought|spend|spent|pay|paid)"
_DO_SPEND = r"(?:do|did|have) (?:i|we) (?:spend|spent)"
_MOST = r"(?:the )?most(?: of)?(?: my| our)?(?: money)?"
_MONEY_IN = (
    r"(?:did|have|do) (?:i|we) (?:make|made)|earn(?:ed|s|ings)?|incomes?|money in"
    r"|(?:came|comes?|coming) in|have (?:i|we) been paid|(?:was|were|am|are) (?:i|we) paid"
    r"|(?:get|got|getting) paid"
)
_FILLER = (
    r"lol|um|uh|er|hm+|pls|break(?: it)? down|costing(?: (?:me|us))?|paid out"
    r"|(?:am|are) (?:i|we) (?:spending|paying)(?: for)?"
    r"|(?:do|did|have) (?:i|we) (?:shop|shopped|go|gone|been|give|given|donate)(?: to)?"
)
_UNITS: dict[str, MeanUnit] = {
    **dict.fromkeys(("day", "daily"), "day"),
    **dict.fromkeys(("week", "weekly"), "week"),
    **dict.fromkeys(("month", "monthly"), "month"),
    **dict.fromkeys(("year", "yearly", "annually"), "year"),
}


def _most(*texts: str | None) -> int:
    for text in texts:
        if text is not None:
            return max(1, int(text) if text.isdecimal() else NUMBERS.index(text))
    return USUAL_LARGEST


def _grouped(noun: str | None) -> Grouping | None:
    return None if noun is None else _GROUP_NOUNS[noun]


_Meaning = AskedSign | Callable[[re.Match[str]], AskedSign]


def _unit(match: re.Match[str]) -> AskedSign:
    return AskedSign("unit", _UNITS[match[1]])


_MEAN_OF = re.compile(rf"{_AVERAGE} (day|week|month|year|daily|weekly|monthly|yearly)")
_SIGNS: tuple[tuple[re.Pattern[str], _Meaning], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (rf"{_AVERAGE}(?: of)?", AskedSign("average")),
        (r"(?:in |for )?an? (day|week|month|year)", _unit),
        (r"(?:per|each|every) (day|week|year)", _unit),
        (r"(daily|weekly|yearly|annually)", _unit),
        (
            r"(?:per|each|every|an?) (?:purchase|order|visit|transaction|time|ride|payment|meal|bill)",
            AskedSign("unit", "purchase"),
        ),
        (
            r"how many times|how often|(?:the )?(?:number|count) of(?: times)?|count",
            AskedSign("count"),
        ),
        (r"how many", AskedSign("how_many")),
        (rf"{_TOP}(?: spends?| costs?)?", lambda m: AskedSign("largest", most=_most(m[1], m[2]))),
        (
            rf"{_TOP} (?:spending )?{_GROUP_NOUN}",
            lambda m: AskedSign("largest", most=_most(m[1], m[2]), grouping=_grouped(m[3])),
        ),
        (
            rf"(?:(?:in|at|on) )?(?:which|what) {_GROUP_NOUN} {_DO_PAY}(?: (?:at|for))?",
            lambda m: AskedSign("which", grouping=_grouped(m[1])),
        ),
        (rf"(?:which|what) {_GROUP_NOUN}", lambda m: AskedSign("which", grouping=_grouped(m[1]))),
        (rf"where {_DO_SPEND} {_MOST}", AskedSign("largest", grouping="merchant")),
        (rf"what {_DO_SPEND} {_MOST} on", AskedSign("largest", grouping="category")),
        (
            rf"(?:(?:in|at|on) )?(?:which|what) {_GROUP_NOUN} {_DO_SPEND} {_MOST}(?: (?:in|at|on))?",
            lambda m: AskedSign("largest", grouping=_grouped(m[1])),
        ),
        (
            r"where (?:did|does|do|has|have)(?: all)? (?:the|my|our) money (?:go|went|gone)",
            AskedSign("which", grouping="category"),
        ),
        (_MONEY_IN, AskedSign("money_in")),
        (_ONE, AskedSign("purchase", "purchase")),
        (_NOUN, AskedSign("purchase")),
        (_FILLER, AskedSign("aside")),
    )
)


def signs_in(text: str) -> tuple[AskedSign, ...]:
    """What a stretch of a sentence is a sign of, nothing where it is none."""
    if (mean := _MEAN_OF.fullmatch(text)) is not None:
        return AskedSign("average"), _unit(mean)
    for pattern, meaning in _SIGNS:
        match = pattern.fullmatch(text)
        if match is not None:
            return (meaning(match) if callable(meaning) else meaning,)
    return ()


def means_income(text: str) -> bool:
    """Whether some words by themselves mean all that was earned: income, earnings, money in."""
    folded = " ".join(tokens_of(text))
    return any(sign.kind == "money_in" for sign in signs_in(folded))
