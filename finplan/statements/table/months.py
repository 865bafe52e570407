"""Names of months in the languages of banks, and the one name that means two of them.

“Listopada” is in November in Polish and Czech, in October in Croatian; the other names of a file's
months, or its other words, say which it is.
"""

import re
import unicodedata
from collections.abc import Collection
from typing import Literal

Listopad = Literal[10, 11]
"""The month that the name is of."""

_NAMES = (
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
    prefix: month for month, prefixes in enumerate(_NAMES, start=1) for prefix in prefixes.split()
}
"""Beginnings of the months in English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic
and Baltic languages, Czech, Croatian, Hungarian, Romanian, Russian, Ukrainian, Bulgarian, Turkish,
Polish and Greek, without accents; the longest one counts."""
_LENGTHS = range(max(map(len, _MONTHS)), min(map(len, _MONTHS)) - 1, -1)
_LISTOPAD = re.compile(r"(?<![^\W\d_])lis(?:topad[^\W\d_]*)?(?![^\W\d_])")
_CZECH_LISTOPAD = "listopadu"
"""How Czech declines the name, and no other language does."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_CROATIAN = ("sijec", "velj", "ozuj", "trav", "svib", "lipanj", "lipnj", "srpanj", "srpnj", "kolov",
             "rujan", "rujn", "studen")  # fmt: skip
_POLISH_OR_CZECH = ("sty", "lut", "kwi", "cze", "lipc", "lipi", "sie", "wrz", "paz", "gru", "led", "uno",
                    "brez", "dub", "kvet", "cerv", "srpn", "srpen", "zari", "rij")  # fmt: skip


def month_of(name: str) -> int | None:
    """The month of a name or of an abbreviation, None where it is no language's.

    “Listopad” is November here; `listopad_of` says whether it is October in a column of dates.
    """
    letters = _plain(name)
    return next((month for end in _LENGTHS if (month := _MONTHS.get(letters[:end]))), None)


def month_names(date: str) -> list[str]:
    """The words of a printed date, without accents: its month, where that is no number."""
    return _WORD.findall(_plain(date))


def with_october(date: str) -> str:
    """A date with a name of October that no other month has in the place of “listopad”."""
    return _LISTOPAD.sub("oct", _plain(date))


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


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
