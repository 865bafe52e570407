"""Notices: what every face tells whatever it was asked, until it is over.

An answer of the daemon carries the code of a notice as the header `HEADER`; people read its sentence.
"""

from collections.abc import Mapping

HEADER = "finplan-notice"

STORE_DAMAGED = "store_damaged"

_SENTENCES = {
    STORE_DAMAGED: (
        "The store is damaged, so finplan cannot save changes. Restore the newest good backup:"
        " `finplan backup restore`."
    )
}


def notice_in(headers: Mapping[str, str]) -> str | None:
    """The sentence of the notice that an answer carries; None without one, or with one unknown here."""
    return _SENTENCES.get(headers.get(HEADER, ""))


def sentence_of(code: str) -> str:
    """The sentence of a notice."""
    return _SENTENCES[code]
