"""Dates in a column of text: which order day, month and year have, and the day of each.

Months have names in the languages of banks, and one name means two of them: “listopada” is in November
in Polish and Czech, in October in Croatian; the other names of a file's months, or its other words, say
which it is.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from finplan.model.statement import DateOrder
from finplan.statements.statement import AmbiguousStatement, Choice, Question, UnreadableStatement
from finplan.statements.table.words import speaks_croatian
from finplan.statements.text.descriptors import shortened
from finplan.statements.text.printed import day_number

Listopad = Literal[10, 11]
"""The month that the name is of."""

_NAMES_OF_MONTHS = (
    "jan ene gen янв яну січ oca sty ιαν ian jaan tamm sausi ledn leden sijec",
    "feb fev фев лют sub lut φεβ veeb helm vasari unor velj",
    "mar mrt maa мар бер μαρ brez kov ozuj",
    "apr avr abr апр кві nis kwi απρ huht balan duben dubn trav",
    "mai may mei maj mag мая май маи тра μαι touk geguz kveten kvetn svib",
    "jun giu juin июн юни чер haz cze ιουν iun juun kesa birze cervna cerven cervnu lipanj lipnj",
    "jul lug juil июл юли лип tem lipi lipc ιουλ iul juul hein liepo cervene cervenc srpanj srpnj",
    "aug avg aou ago авг сер agu sie αυγ elo rugpj srpen srpna srpnu kolov",
    "sep set сен сеп вер eyl wrz σεπ sze syys rugse zari rujan rujn",
    "oct okt ott out окт жов eki paz οκτ loka spali rijen rijna rijnu",
    "nov noi ноя ное лис kas lis νοε marr lapkr studen",
    "dec dic dez des дек гру ara gru δεκ det joul prosin",
)
_MONTHS = {
    prefix: month
    for month, prefixes in enumerate(_NAMES_OF_MONTHS, start=1)
    for prefix in prefixes.split()
}
"""Beginnings of the months in English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic
and Baltic languages, Czech, Croatian, Hungarian, Romanian, Russian, Ukrainian, Bulgarian, Turkish,
Polish and Greek, without accents; the longest one counts."""
_LENGTHS_OF_MONTHS = range(max(map(len, _MONTHS)), min(map(len, _MONTHS)) - 1, -1)
_LISTOPAD = re.compile(r"(?<![^\W\d_])lis(?:topad[^\W\d_]*)?(?![^\W\d_])")
_CZECH_LISTOPAD = "listopadu"
"""How Czech declines the name, and no other language does."""
_WORD_OF_A_DATE = re.compile(r"[^\W\d_]{3,}")
_CROATIAN = ("sijec", "velj", "ozuj", "trav", "svib", "lipanj", "lipnj", "srpanj", "srpnj", "kolov",
             "rujan", "rujn", "studen")  # fmt: skip
_POLISH_OR_CZECH = ("sty", "lut", "kwi", "cze", "lipc", "lipi", "sie", "wrz", "paz", "gru", "led", "uno",
                    "brez", "dub", "kvet", "cerv", "srpn", "srpen", "zari", "rij")  # fmt: skip


def month_of(name: str) -> int | None:
    """The month of a name or of an abbreviation, None where it is no language's.

    “Listopad” is November here; `listopad_of` says whether it is October in a column of dates.
    """
    letters = _plain_month(name)
    return next(
        (month for end in _LENGTHS_OF_MONTHS if (month := _MONTHS.get(letters[:end]))), None
    )


def month_names(date: str) -> list[str]:
    """The words of a printed date, without accents: its month, where that is no number."""
    return _WORD_OF_A_DATE.findall(_plain_month(date))


def with_october(date: str) -> str:
    """A date with a name of October that no other month has in the place of “listopad”."""
    return _LISTOPAD.sub("oct", _plain_month(date))


def is_listopad(name: str) -> bool:
    """Say whether a name is that of October in one language and of November in others."""
    return _LISTOPAD.fullmatch(name) is not None


def listopad_of(names: Collection[str]) -> Listopad | None:
    """The month that “listopad” is beside the other `month_names` of a column, None where none tells."""
    if _CZECH_LISTOPAD in names:
        return 11
    is_croatian = any(name.startswith(_CROATIAN) for name in names)
    is_other = any(
        name.startswith(_POLISH_OR_CZECH) and not name.startswith(_CROATIAN) for name in names
    )
    return None if is_croatian == is_other else 10 if is_croatian else 11


def _plain_month(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


ORDERS: tuple[DateOrder, ...] = ("dmy", "mdy", "ymd")
_FIRST_IN: dict[DateOrder, str] = {"dmy": "day", "mdy": "month", "ymd": "year"}

_LONGEST_DATE = 64
_MANY = 50_000
_MOST_DATES = 10_000
"""How many texts are remembered: the dates of 27 years, which a reader meets twice and more."""
_MOST_NAMES = 100
_BUDDHIST = 543
_DAYS_THAT_PROVE = 4
"""A wrong order sorts three days by chance once in three; the right one hardly ever fails to."""
_SCATTERED = 4
"""How many times as long a time a wrong year takes: days of one month become years of a generation."""
_TIME = (
    r"(?:(?:[T\s,;-]\s?|\sat\s)\d{1,2}[:.h]\d\d(?:[:.]\d\d(?:[.,]\d{1,9})?)?"
    r"(?:\s?[AaPp]\.?[Mm]\.?)?(?:\s?(?:[A-Z]{1,5}|[+-]\d\d:?(?:\d\d)?))?)?"
)
_NUMERIC = re.compile(
    rf"(?:[^\W\d]{{2,9}}\.?,?\s)?(\d{{1,4}})\s?([-/.:])\s?(\d{{1,2}})\s?\2\s?(\d{{1,4}})\.?{_TIME}"
)
_ZONE = r"(?:\.\d{3})?(?:\[[-+]?\d{1,2}(?:\.\d{1,2})?(?::[A-Z]{2,5})?\])?"
_COMPACT = re.compile(rf"(\d{{4}})(\d\d)(\d\d)(?:\d{{6}}{_ZONE}|{_TIME})")
_SIGNED = re.compile(
    rf"(令和|平成)?(\d{{1,4}}|元)[年년]\s?(\d{{1,2}})[月월]\s?(\d{{1,2}})[日일]{_TIME}"
)
"""Year, month and day behind each of which its word stands, in Japanese, Chinese and Korean."""
_ERAS = {"令和": 2018, "平成": 1988}
"""The year before the first one of a Japanese emperor."""
_ONE_DIGIT_YEAR = re.compile(r"(\d{1,2})-([^\W\d_]{3})-(\d)")
_DAY_FIRST = re.compile(
    r"(?:[^\W\d]{2,12}\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]*(?:de |of )?"
    rf"([^\W\d_]{{3,12}})\.?,?[\s/-]*(?:de )?(\d{{4}}|['’]?\d\d)\.?{_TIME}"
)
_MONTH_FIRST = re.compile(
    r"(?:[^\W\d]{2,12}\.?,\s+)?([^\W\d_]{3,12})\.?[\s/-]*"
    rf"(\d{{1,2}})(?:st|nd|rd|th)?,?[\s/-]+(\d{{4}}|['’]?\d\d){_TIME}"
)
_YEAR_FIRST = re.compile(rf"(\d{{4}})[\s./-]+([^\W\d_]{{3,12}})[\s./-]+(\d{{1,2}}){_TIME}")
_ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class Days(NamedTuple):
    """A printed date in each order, as YYYYMMDD; None where that order makes no date of it."""

    dmy: int | None
    mdy: int | None
    ymd: int | None


@dataclass(frozen=True, slots=True)
class DateReading:
    """How a column's dates are read: in which order, and which month “listopad” is."""

    order: DateOrder
    listopad: Listopad = 11


_NO_DAY = Days(None, None, None)

_NUMERIC_SIGNS = "0123456789./- "
"""What a date without a word consists of."""


def read_days(text: str) -> Days | None:
    """Read a cell in every order; None when it does not look like a date at all.

    An apostrophe in front is how a spreadsheet is told to leave a text alone.
    """
    text = text.strip().removeprefix("'")
    return _read_short(text) if 6 <= len(text) <= _LONGEST_DATE else None


@lru_cache(maxsize=_MOST_DATES)
def _read_short(text: str) -> Days | None:
    if (match := _NUMERIC.fullmatch(text)) is not None:
        first, sign, second, third = match.groups()
        return None if sign == ":" and len(first) != 4 else _numeric(first, second, third)
    if (match := _COMPACT.fullmatch(text)) is not None:
        year_first = _numeric(*match.groups())
        year_last = _numeric(text[:2], text[2:4], text[4:8])
        return next((days for days in (year_first, year_last) if days != _NO_DAY), None)
    if (signed := _SIGNED.fullmatch(text)) is not None:
        era, *numbers = signed.groups()
        year, month, day = (1 if number == "元" else int(number) for number in numbers)
        return _same(day_number(year + _ERAS.get(era, 0), month, day))
    return _parse_month_name(text)


def _numeric(first: str, second: str, third: str) -> Days | None:
    if len(first) == 4 and len(third) <= 2:
        return _same(day_number(_year(first), int(second), int(third)))
    if len(first) > 2 or len(third) not in {2, 4}:
        return None
    year = _year(third)
    return Days(
        day_number(year, int(second), int(first)),
        day_number(year, int(first), int(second)),
        day_number(_year(first), int(second), int(third)) if len(third) == 2 else None,
    )


def _parse_month_name(text: str) -> Days | None:
    if (match := _DAY_FIRST.fullmatch(text)) is not None:
        day, name, year = match.groups()
    elif (match := _ONE_DIGIT_YEAR.fullmatch(text)) is not None:
        day, name, digit = match.groups()
        year = f"200{digit}"
    elif (match := _MONTH_FIRST.fullmatch(text)) is not None:
        name, day, year = match.groups()
    elif (match := _YEAR_FIRST.fullmatch(text)) is not None:
        year, name, day = match.groups()
    else:
        return None
    month = month_of(name)
    year = year.lstrip("'’")
    return _same(day_number(_year(year), month, int(day))) if month is not None else None


def _same(day: int | None) -> Days:
    return Days(day, day, day)


def _year(digits: str) -> int:
    """Give the year of four digits, or of two: 70 to 99 are 1970 to 1999.

    A year from 2443 to 2699 is Thailand's, which counts from 543 before ours: nothing is booked then.
    """
    year = int(digits)
    if len(digits) == 4:
        return year - _BUDDHIST if 1900 <= year - _BUDDHIST < 2157 else year
    return year + (1900 if year >= 70 else 2000)


class DateEvidence:
    """Collects from a whole column which orders of day, month and year are possible."""

    def __init__(self) -> None:
        self.misfits: dict[DateOrder, int] = dict.fromkeys(ORDERS, 0)
        """How many distinct dates each order cannot be."""
        self._seen: dict[str, Days | None] = {}
        self.latest: dict[DateOrder, int] = dict.fromkeys(ORDERS, 0)
        """The last day in each order, 0 without any."""
        self._earliest: dict[DateOrder, int] = {}
        self._example = ""
        self._month_names: set[str] = set()
        self._only_points = True
        self._sequences = {order: _Sequence() for order in ORDERS}

    def add(self, cells: Sequence[str]) -> None:
        """Take in a run of the column's cells, in the order of the file."""
        distinct = dict.fromkeys(cells)
        if not _are_short(distinct):
            cells = without_times(cells)
            distinct = dict.fromkeys(cells)
        if len(self._seen) > _MANY:
            self._seen.clear()
        new = {text: read_days(text) for text in distinct if text not in self._seen}
        self._seen |= new
        self._weigh({text: days for text, days in new.items() if days is not None})
        fitting = self.fitting()
        if self._example and len(fitting) > 1:
            for order in fitting:
                index = ORDERS.index(order)
                readings = (self._seen[text] for text in cells)
                self._sequences[order].follow(
                    [days[index] for days in readings if days is not None]
                )

    def _weigh(self, dates: Mapping[str, Days]) -> None:
        for index, order in enumerate(ORDERS):
            possible = [day for days in dates.values() if (day := days[index]) is not None]
            self.misfits[order] += len(dates) - len(possible)
            self.latest[order] = max([self.latest[order], *possible])
            if possible:
                self._earliest[order] = min([self._earliest.get(order, possible[0]), *possible])
        for text, days in dates.items():
            if len(self._month_names) < _MOST_NAMES and text.strip(_NUMERIC_SIGNS):
                self._month_names.update(month_names(text))
            if days.dmy != days.mdy:
                self._only_points = self._only_points and text.count(".") >= 2
            if not self._example and len(set(days) - {None}) > 1:
                self._example = text.strip()

    def heed(self, evidence: "DateEvidence") -> None:
        """Let another column of the file, which has the same order, rule orders out too."""
        if evidence.fitting():
            for order, misfits in evidence.misfits.items():
                self.misfits[order] += misfits

    @property
    def tells_order(self) -> bool:
        """Whether day and month could change places, or a date proves that they cannot."""
        return bool(self._example) or self.misfits["dmy"] != self.misfits["mdy"]

    def fitting(self) -> list[DateOrder]:
        """Give the orders that all dates so far can have."""
        return [order for order in ORDERS if not self.misfits[order]]

    def conclude(
        self, hint: DateOrder | None, *, decimal_comma: bool, year_may_lead: bool = False
    ) -> DateOrder:
        """Say which order the column has.

        One date that an order cannot be decides; so do dates with points and a file with decimal
        commas, which nobody combines with the month first (CLDR), and a file that only one order
        sorts. Of two digits at either end, those are the year with which the days lie close together;
        else it leads only between hyphens, or where `year_may_lead` in the language of the file.
        Raises AmbiguousStatement when day and month, or day and year, could change places.
        """
        if hint is not None:
            return hint
        fitting = self.fitting()
        if not fitting:
            return min(ORDERS, key=self.misfits.__getitem__)
        if not self._example:
            return fitting[0]
        if (decimal_comma or self._only_points) and fitting != ["mdy"]:
            fitting = [order for order in fitting if order != "mdy"]
        ordered = [order for order in fitting if self._sequences[order].is_proof()]
        if len(ordered) == 1:
            return ordered[0]
        fitting = self._close_together(fitting, year_may_lead=year_may_lead)
        if len(fitting) == 1:
            return fitting[0]
        raise AmbiguousStatement(
            Question(
                "date_order",
                f"In dates like {shortened(self._example)}, what comes first:"
                f" {' or '.join(_FIRST_IN[order] for order in fitting)}?",
                self._choices(fitting),
            )
        )

    def conclude_listopad(self, texts: Iterable[str]) -> Listopad:
        """Say which month “listopad” is: by the other months, else by the words of the file.

        Raises UnreadableStatement when the column has it and nothing says which month it is.
        """
        if not any(map(is_listopad, self._month_names)):
            return 11
        listopad = listopad_of(self._month_names)
        if listopad is not None:
            return listopad
        is_croatian = speaks_croatian(texts)
        if is_croatian is None:
            raise UnreadableStatement(
                "“Listopad” is October in Croatian but November in Polish and Czech. Write the months in"
                " the file as numbers."
            )
        return 10 if is_croatian else 11

    def _close_together(self, fitting: list[DateOrder], *, year_may_lead: bool) -> list[DateOrder]:
        """Leave out a year at the front or at the end that would scatter the days over many years."""
        others: list[DateOrder] = [order for order in fitting if order != "ymd"]
        if not others or others == fitting:
            return fitting
        first, last = self._span("ymd"), min(map(self._span, others))
        if first >= _SCATTERED * (last + 1):
            return others
        if last >= _SCATTERED * (first + 1):
            return ["ymd"]
        return fitting if "-" in self._example or year_may_lead else others

    def _span(self, order: DateOrder) -> int:
        """About how many days lie between the first and the last one."""
        days = (self._earliest[order], self.latest[order])
        first, last = (365 * (day // 10000) + 30 * (day // 100 % 100) + day % 100 for day in days)
        return last - first

    def _choices(self, fitting: Collection[DateOrder]) -> tuple[Choice, ...]:
        days = read_days(self._example) or _NO_DAY
        example = shortened(self._example)
        return tuple(
            Choice(order, f"{_FIRST_IN[order].capitalize()} first", f"{example} is {_spelt(day)}")
            for order, day in zip(ORDERS, days, strict=True)
            if day and order in fitting
        )


class _Sequence:
    """Whether days, in the order of the file, only rise or only fall."""

    def __init__(self) -> None:
        self._rises = self._falls = True
        self._last: int | None = None
        self._distinct: set[int] = set()

    def follow(self, days: Sequence[int | None]) -> None:
        sequence = [day for day in ([self._last, *days]) if day is not None]
        if not sequence:
            return
        self._last = sequence[-1]
        self._rises = self._rises and all(now <= then for now, then in pairwise(sequence))
        self._falls = self._falls and all(now >= then for now, then in pairwise(sequence))
        if len(self._distinct) < _DAYS_THAT_PROVE:
            self._distinct.update(sequence)

    def is_proof(self) -> bool:
        return (self._rises or self._falls) and len(self._distinct) >= _DAYS_THAT_PROVE


class DateConverter:
    """Converts columns of printed dates to days; each distinct text once."""

    IMPOSSIBLE = -1
    """Stands for a cell that looks like a date and is none."""

    def __init__(self, reading: DateReading) -> None:
        self._place = ORDERS.index(reading.order)
        self._has_october = reading.listopad == 10
        self._known: dict[str, int] = {}

    def convert(self, cells: Sequence[str]) -> list[int]:
        """Give each cell's day as YYYYMMDD, IMPOSSIBLE, or 0 where there is no date."""
        distinct = set(cells)
        if not _are_short(distinct):
            cells = without_times(cells)
            distinct = set(cells)
        if len(self._known) > _MANY:
            self._known.clear()
        for text in distinct - self._known.keys():
            days = read_days(with_october(text) if self._has_october else text)
            self._known[text] = 0 if days is None else days[self._place] or self.IMPOSSIBLE
        return list(map(self._known.__getitem__, cells))


def without_times(cells: Sequence[str]) -> Sequence[str]:
    """Cut the time off padded numeric dates, so that a column has few distinct texts.

    A text that is too long for a date becomes an empty one.
    """
    if _are_short(cells):
        return cells
    short = [cell if len(cell) <= _LONGEST_DATE else "" for cell in cells]
    return [cell[:10] if _has_time(cell) else cell for cell in short]


def _are_short(cells: Collection[str]) -> bool:
    return max(map(len, cells), default=0) <= 10


def _has_time(cell: str) -> bool:
    is_padded = cell[4:5] == cell[7:8] == "-" or cell[2:3] == cell[5:6] in {"/", ".", "-"}
    return is_padded and cell[10:11] in {" ", "T"}


def _spelt(day: int) -> str:
    return f"{day % 100} {_ENGLISH[day // 100 % 100 - 1]} {day // 10000}"
