"""Reading a period in words, and what is said of one that is not understood.

None is read in other languages: whoever writes one is told the English words for it.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from itertools import islice, product

from finplan.periods import grammar

_FOREIGN_FORMS = {
    "last": r"letzte[rsnm]?|vorige[rsnm]?|vergangene[rsnm]?|derni(?:er|ère)|pasad[oa]|scors[oa]|vorig"
    r"|passad[oa]|afgelopen",
    "this": r"diese[rsnm]?|laufende[rsnm]?|ce|cette|est[ea]|quest[oa]?|deze|dit",
}
_FOREIGN_UNITS = {
    "month": "monat|mois|mes|mese|maand|mês",
    "year": "jahr|année|an|año|anno|jaar|ano",
    "week": "woche|semaine|semana|settimana|week",
    "quarter": "quartal|trimestre|kwartaal",
}
_FOREIGN_DAYS = {
    "yesterday": "gestern|hier|ayer|ieri|gisteren|ontem",
    "today": "heute|aujourd'hui|hoy|oggi|vandaag|hoje",
}


def in_english(plain: str) -> str | None:
    """The English words for a period of another language, None where it is of none that is known."""
    day = _meant(_FOREIGN_DAYS, plain, r"(?:{})")
    if day is not None:
        return day
    how, unit = (
        _meant(words, plain, r"(?:.*\W)?(?:{})(?:\W.*)?")
        for words in (_FOREIGN_FORMS, _FOREIGN_UNITS)
    )
    return f"{how} {unit}" if how and unit else None


def _meant(words: dict[str, str], plain: str, form: str) -> str | None:
    found = (
        each for each, said in words.items() if re.fullmatch(form.format(said), plain, re.DOTALL)
    )
    return next(found, None)


LONGEST_TEXT = 100

_UNTOLD = (
    (
        r"\b(fiscal|financial|tax|business) year|\bfy ?\d",
        "Fiscal years differ by country. Write the days, like 2026-04-06..2027-04-05.",
    ),
    (
        r"\b(christmas|xmas|easter|thanksgiving|holidays?|ramadan|eid|diwali|hanukkah|black friday)\b",
        "finplan does not know holidays. Write the days, like 2026-12-24..2026-12-26.",
    ),
    (
        r"\b(spring|summer|autumn|fall|winter|season)\b",
        "Seasons differ by place. Write the months, like `june to august`.",
    ),
    (
        rf"\bpast {grammar.UNIT}$",
        (
            "This could mean the previous {0}, or the days until today. Write `last {0}` or `last"
            " 90 days`."
        ),
    ),
    (
        r"^(?!between ).+ and ",
        (
            "This could mean two periods, or all days from one to the other. Write `from march to"
            " may`, or ask twice."
        ),
    ),
    (r"\b(?:last|previous) day$", "Write `yesterday` or `today`."),
    (
        r"\bhalf (?:a|of a|of the) year$",
        "This could mean half a calendar year, or six months. Write `last half` or `last 6 months`.",
    ),
    (r"\bfortnights?$", "Write weeks or days, like `last 2 weeks` or `last 14 days`."),
    (
        r"\b(?:couple|few|some|several)\b.*\b(day|week|month|quarter|year)s?$",
        "Write how many {0}s, like `last 3 {0}s`.",
    ),
    (
        r"^\d{1,4}[./]\d{1,2}[./]\d{1,4}$",
        "The order of day and month is not clear. Write YYYY-MM-DD, like 2026-03-31.",
    ),
)
"""Words that could mean several periods, and what to write instead."""

_EXAMPLES = (
    *("last month", "this month", "last week", "this year", "last year", "yesterday", "ytd"),
    *("last 90 days", "last 3 months", "this quarter", "last quarter", "this pay period"),
    *("last pay period", "since june", "from march to may", "year to date", "all time"),
)
_EXAMPLES_TOLD = "`last month`, `2026-Q3`, `march`, `last 90 days` or `2026-03..2026-05`"
_WORDS = (
    *grammar.MONTHS,
    *grammar.WEEKDAYS,
    *(f"{unit}{s}" for unit in ("day", "week", "month", "quarter", "year") for s in ("", "s")),
    *("half", "halves"),
    *("this", "last", "next", "previous", "current", "today", "yesterday", "tomorrow", "since"),
    *("until", "before", "after", "from", "between", "pay", "period", "payday", "date", "ago"),
    *("first", "second", "third", "fourth", "so", "far", "all", "time", "to", "and", "of"),
    *grammar.NUMBERS[1:],
)


def asks_for_paydays(text: str) -> bool:
    """Whether the days of pay are needed to read a text."""
    return re.search(r"\bpay ?(period|day)", _plain(text)) is not None


def read_period(text: str, today: date, paydays: Sequence[date] = ()) -> grammar.SpokenPeriod:
    """The days that a text means on a day; `paydays` are those known, past ones and the next.

    Raises UnclearPeriod with a sentence for whoever wrote it.
    """
    if len(text) > LONGEST_TEXT:
        raise grammar.UnclearPeriod(f"A period has at most {LONGEST_TEXT} characters.")
    plain = _plain(text)
    now = grammar.ReadingDay(today, today, tuple(sorted(set(paydays))))
    found = grammar.read(plain, now)
    if found is not None:
        return found
    if (untold := untold_period(plain)) is not None:
        raise grammar.UnclearPeriod(untold)
    if (english := in_english(plain)) is not None:
        raise grammar.UnclearPeriod(f"Write periods in English: `{english}`.")
    near = [repr(each) for each in _near(plain, now)]
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Write it like {_EXAMPLES_TOLD}."
    raise grammar.UnclearPeriod(f"Unknown period {text!r}. {hint}")


def find_period(
    text: str, today: date, paydays: Sequence[date] = ()
) -> grammar.SpokenPeriod | None:
    """The days that some words of a sentence mean, None where they are no period.

    Raises UnclearPeriod where they are one, and yet mean no days.
    """
    return grammar.read(_plain(text), grammar.ReadingDay(today, today, tuple(sorted(set(paydays)))))


def untold_period(plain: str) -> str | None:
    """What is said of words that people say for days, and that could mean several periods."""
    for pattern, told in _UNTOLD:
        if (said := re.search(pattern, plain)) is not None:
            return told.format(*said.groups())
    return None


def _plain(text: str) -> str:
    """A text in small letters, with single spaces and without what changes no meaning."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace(",", " ")
    plain = " ".join(re.sub("[‐-―−]", "-", plain).split())
    plain = re.sub(r"\bhalves\b", "halfs", plain)
    return re.sub(r"^((in|during|for|over|on|within|the|my) )+", "", plain)


def _near(plain: str, now: grammar.ReadingDay) -> list[str]:
    """Texts that are understood and are spelled nearly so, the nearest first, two at most."""
    tokens = re.findall(r"[^\W\d_]+|[^a-z ]+", plain)
    ways = [
        [token]
        if token in _WORDS or not token.isalpha()
        else get_close_matches(token, _WORDS, n=3, cutoff=0.6)
        for token in tokens
    ]
    spelled = (" ".join(each) for each in islice(product(*ways), 30))
    found = [each for each in spelled if each != plain and _is_read(each, now)]
    examples = [] if found else get_close_matches(plain, _EXAMPLES, n=2, cutoff=0.6)
    return [*found, *examples][:2]


def _is_read(plain: str, now: grammar.ReadingDay) -> bool:
    try:
        return grammar.read(plain, now) is not None
    except grammar.UnclearPeriod:
        # Where only the days of pay are missing, the words are right.
        return asks_for_paydays(plain)
