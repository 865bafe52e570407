"""Periods in other languages: none is read, and whoever writes one is told the English words for it."""

import re

_HOW = {
    "last": r"letzte[rsnm]?|vorige[rsnm]?|vergangene[rsnm]?|derni(?:er|ère)|pasad[oa]|scors[oa]|vorig"
    r"|passad[oa]|afgelopen",
    "this": r"diese[rsnm]?|laufende[rsnm]?|ce|cette|est[ea]|quest[oa]?|deze|dit",
}
_UNITS = {
    "month": "monat|mois|mes|mese|maand|mês",
    "year": "jahr|année|an|año|anno|jaar|ano",
    "week": "woche|semaine|semana|settimana|week",
    "quarter": "quartal|trimestre|kwartaal",
}
_DAYS = {
    "yesterday": "gestern|hier|ayer|ieri|gisteren|ontem",
    "today": "heute|aujourd'hui|hoy|oggi|vandaag|hoje",
}


def in_english(plain: str) -> str | None:
    """The English words for a period of another language, None where it is of none that is known."""
    day = _meant(_DAYS, plain, r"(?:{})")
    if day is not None:
        return day
    how, unit = (_meant(words, plain, r"(?:.*\W)?(?:{})(?:\W.*)?") for words in (_HOW, _UNITS))
    return f"{how} {unit}" if how and unit else None


def _meant(words: dict[str, str], plain: str, form: str) -> str | None:
    found = (
        each for each, said in words.items() if re.fullmatch(form.format(said), plain, re.DOTALL)
    )
    return next(found, None)
