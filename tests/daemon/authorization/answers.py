"""Whether an answer about another's thing is that of a thing which never was."""

import re
from collections.abc import Iterator, Mapping

import httpx

from tests.daemon.authorization.household import MARK, Ids

_OF_EACH_ANSWER = frozenset(
    {
        *("date", "content-length", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"),
        # Tags are made of bodies, which are compared.
        "etag",
    }
)
"""Headers that differ from one answer to the next."""

_NEXT = str.maketrans(
    {
        letter: letters[place - 1]
        for letters in ("0123456789", "abcdef", "ghjkmnpqrstvwxyz", "ilou")
        for place, letter in enumerate(letters)
    }
)
"""Another letter for each, of the same kind, so that a changed id is still one that could be."""


def never_was(ids: Ids) -> Ids:
    """For each thing an id of its kind that nothing has ever had."""
    return {kind: _another(kind, value) for kind, value in ids.items()}


def _another(kind: str, value: str) -> str:
    if kind == "transaction":
        return "tx_987654"
    if kind.startswith("his "):
        return value
    return value[:-4] + value[-4:].translate(_NEXT)


def differences(real: httpx.Response, fake: httpx.Response, ids: Ids, others: Ids) -> Iterator[str]:
    """What tells the answer about a thing that is another's from that about one which never was."""
    if real.status_code != fake.status_code:
        yield f"{real.status_code} for hers and {fake.status_code} for one that never was"
        return
    if without(real.text, ids) != without(fake.text, others):
        yield f"another body for hers: {real.text[:300]} and not {fake.text[:300]}"
    if _headers(real, ids) != _headers(fake, others):
        yield f"other headers for hers: {_headers(real, ids)} and not {_headers(fake, others)}"


def without(text: str, ids: Ids) -> str:
    """A text with the kind of each thing of Ada's in the place of its id."""
    for kind, value in sorted(ids.items(), key=lambda item: -len(item[1])):
        if not kind.startswith("his "):
            text = text.replace(value, f"<{kind}>")
    return text


def _headers(answer: httpx.Response, ids: Ids) -> Mapping[str, str]:
    return {
        name: without(value, ids)
        for name, value in answer.headers.items()
        if name not in _OF_EACH_ANSWER
    }


def leaks(answer: httpx.Response, ids: Ids, named: frozenset[str]) -> Iterator[str]:
    """What of Ada's an answer shows that the question did not name itself."""
    return leaks_in(f"{answer.headers}\n{answer.text}", ids, named)


def leaks_in(text: str, ids: Ids, named: frozenset[str]) -> Iterator[str]:
    """As `leaks`, of a text."""
    shown = text.casefold()
    for kind in named & ids.keys():
        shown = shown.replace(ids[kind].casefold(), "")
    if MARK in shown:
        place = shown.index(MARK)
        yield f"a text of hers is shown: …{shown[max(0, place - 80) : place + 80]}…"
    for kind, value in ids.items():
        # A job is the machine's, and each of its owner's has the same name.
        is_hers = kind != "job" and not kind.startswith("his ")
        if is_hers and re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", shown):
            yield f"her {kind} is shown"
