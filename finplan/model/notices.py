"""Notices: what every face tells whatever it was asked, until it is over.

An answer of the daemon carries the code of a notice as the header `HEADER`; people read its sentence.
"""

from collections.abc import Mapping

HEADER = "finplan-notice"

STORE_DAMAGED = "store_damaged"

RESTORE = "`finplan backup restore`"

_SENTENCES = {
    STORE_DAMAGED: (
        "The store is damaged: finplan cannot save changes, and what it shows may be wrong. Restore the"
        f" newest good backup: {RESTORE}."
    )
}


def notice_in(headers: Mapping[str, str]) -> str | None:
    """The sentence of the notice that an answer carries; None without one, or with one unknown here."""
    return _SENTENCES.get(headers.get(HEADER, ""))


def for_profile(text: str, profile: str) -> str:
    """A text whose restore command is of a profile: without it another household would be restored."""
    if profile == "default":
        return text
    return text.replace(RESTORE, f"`finplan --profile {profile} backup restore`")


def sentence_of(code: str) -> str:
    """The sentence of a notice."""
    return _SENTENCES[code]
