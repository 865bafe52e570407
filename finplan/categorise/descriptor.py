"""How a bank's descriptor reads: how it was paid, who was paid, which branch, where.

The words are data (`descriptor.toml`). Each function takes a part of a descriptor away; none of them
takes anything from what the others have left, which is what makes a payee's key its own key.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from finplan.categorise.curated import Merchant, Phrases, curated, merchant_at

Known = tuple[int, Merchant]


@dataclass(frozen=True, slots=True)
class Grammar:
    """What banks write around a name; each field is a block of `descriptor.toml`.

    `openings` are the tokens that a prefix or a merchant may start with.
    """

    processors: frozenset[str]
    prefixes: Phrases[None]
    openings: frozenset[str]
    connectors: frozenset[str]
    references: frozenset[str]
    noise: frozenset[str]
    trailers: frozenset[str]
    generic: frozenset[str]
    months: frozenset[str]
    states: frozenset[str]
    cities: Mapping[str, frozenset[tuple[str, ...]]]
    bound: frozenset[str]
    unnamed: frozenset[str]
    rail_words: frozenset[str]
    rail_ends: frozenset[str]
    checks: frozenset[str]
    check_words: frozenset[str]


@cache
def grammar() -> Grammar:
    """The shipped words, read on first use and then kept."""
    shipped = tomllib.loads(files(__package__).joinpath("descriptor.toml").read_text("utf-8"))
    prefixes = Phrases((phrase.strip(), None) for phrase in shipped.pop("prefixes").split(","))
    cities: dict[str, set[tuple[str, ...]]] = {}
    for city in shipped.pop("cities").split(","):
        words = tuple(city.split())
        cities.setdefault(words[-1], set()).add(words)
    return Grammar(
        prefixes=prefixes,
        openings=frozenset(prefixes.starting.keys() | curated().merchants.starting.keys()),
        cities={last: frozenset(named) for last, named in cities.items()},
        **{block: frozenset(words.split()) for block, words in shipped.items()},
    )


@cache
def named_numbers() -> tuple[str, ...]:
    """The long numbers that well-known merchants are named after."""
    tokens = {token for phrase in curated().whole for token in phrase.split()}
    return tuple(sorted(token for token in tokens if token.isdigit() and len(token) > 3))


_LABELLED = re.compile(
    r"(?:/name/|\bnaam:|\borig co name:|\bname:)\s*([^:/]{2,}?)(?=/|\s+[\w ]{2,20}:|$)",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"\s(?:INDN|ID|REF|TRN|EREF|MREF|TRACE ?#?|CO ID|(?:PPD|WEB|CCD) ID):.*", re.DOTALL
)


def told(text: str, words: Grammar) -> str:
    """The part of a labelled or starred descriptor that names the payee; any other text as it is."""
    # A label ends in a colon, but for the one of SEPA; a date with slashes is no label.
    if ":" in text or "/name/" in text.lower():
        labelled = _LABELLED.search(text)
        if labelled:
            text = labelled[1]
        elif ":" in text:
            text = (_LABELS.sub("", text) or text).replace("DES:", "")
    while "*" in text:
        head, _, tail = text.partition("*")
        before = head.lower().split()
        if not before or not tail.strip():
            break
        if before[-1] not in words.processors:
            return f"{head} {tail.partition('*')[0]}"
        text = tail
    return text


def opening(tokens: list[str], words: Grammar) -> tuple[int, Known | None]:
    """Pass over what only says how it was paid; stop at the name, and say if it is well known."""
    start = 0
    last = len(tokens) - 1
    while tokens[start] in words.openings:
        known = merchant_at(tokens, start)
        prefix = words.prefixes.longest(tokens, start)
        passed = prefix[0] if prefix is not None else 0
        if known is not None and known[0] >= passed:
            return start, known
        if not passed or start + passed > last:
            return start, known
        start += passed
        while start < last and _is_between(tokens[start], words):
            start += 1
    return start, None


def _is_between(token: str, words: Grammar) -> bool:
    """Whether a token between how it was paid and who was paid names neither."""
    if token.isalpha():
        return token in words.connectors or token in words.noise or token in words.months
    if token.isdigit():
        return len(token) > 2 or token[0] == "0"
    return all(part.isdigit() for part in _parts(token))


def named(tokens: list[str], start: int, words: Grammar) -> tuple[list[str], int]:
    """The words of the name and place, and how many of them stand before the last branch number.

    Numbers go, with the words that announce them. A short number that opens the descriptor is a part
    of the name ("24 hour"). When nothing but numbers is left, all of it is kept, so that it has a key.
    """
    kept: list[str] = []
    mark = 0
    after_number = False
    for part in _all_parts(tokens, start):
        if part.isdigit():
            while kept and (kept[-1] in words.references or kept[-1] in words.months):
                kept.pop()
            if len(part) > 2:
                mark = len(kept)
            after_number = True
        elif part not in words.noise and not (after_number and part in words.months):
            # A state stays twice: "BARBER CO DENVER CO" closes with one, whatever came before.
            if part not in kept or part in words.states:
                kept.append(part)
            after_number = False
    if not kept:
        return _spelled(tokens, words), 0
    if _opens_with_number(tokens, kept[0]):
        return [tokens[0], *kept], mark + 1 if mark else 0
    return kept, mark


def _all_parts(tokens: list[str], start: int) -> list[str]:
    parts: list[str] = []
    for token in tokens[start:] if start else tokens:
        if token.isalpha() or token.isdigit():
            parts.append(token)
        else:
            parts += _parts(token)
    return parts


_LETTERS_AND_NUMBER = re.compile(r"(\d*)([^\d]{3,})(\d*)")
_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")


@lru_cache(maxsize=32768)
def _parts(token: str) -> tuple[str, ...]:
    """A token of letters and digits as name and branch number; a code that names nothing as a number.

    "safeway1234" is "safeway" and 1234, and "f2415" is 2415, while "forever21", "365market", "h2o" and
    "5th" are names.
    """
    digits = "".join(char for char in token if char.isdigit())
    if not digits:
        return (token,)
    found = _LETTERS_AND_NUMBER.fullmatch(token)
    if found is not None:
        before, letters, after = found.groups()
        number_before = before.startswith("0") or len(before) > 4
        number_after = len(after) > 2
        if number_before:
            return (before, letters, after) if number_after else (before, f"{letters}{after}")
        if len(letters) > 3 and not (letters.isascii() and _VOWELS.isdisjoint(letters)):
            return (f"{before}{letters}", after) if number_after else (token,)
    if (len(digits) == 1 and len(token) <= 4) or _ORDINAL.fullmatch(token):
        return (token,)
    return (digits,)


def is_word(token: str) -> bool:
    """Whether a token is a word of a name, and not a number or a code."""
    return token.isalpha() or (not token.isdigit() and _parts(token) == (token,))


def _spelled(tokens: list[str], words: Grammar) -> list[str]:
    """What a descriptor without a name is known by: its telling words, its words, or its numbers."""
    spelled = [token for token in tokens if token.isalpha()]
    telling = [token for token in spelled if token not in words.noise]
    return list(dict.fromkeys(telling or spelled or tokens))


def _opens_with_number(tokens: Sequence[str], first: str) -> bool:
    number = tokens[0]
    short = number.isdigit() and len(number) <= 3 and number[0] != "0"
    return short and len(tokens) > 1 and tokens[1] == first


def ending(kept: Sequence[str], start: int, mark: int, words: Grammar) -> int:
    """Where the name ends: before the place, the legal form and other words that close a descriptor.

    `mark` counts the words of the name before the last branch number; what follows it is an address if
    the descriptor closes with a state or country. At least one word is left.
    """
    end = len(kept)
    stated = False
    while end - start > 1:
        last = kept[end - 1]
        if last in words.trailers:
            end -= 1
        elif last in words.states:
            stated = True
            end -= 1
            if 0 < mark < end - start <= mark + 4 and curated().distinct.isdisjoint(
                kept[start + mark : end]
            ):
                end = start + mark
        elif last in words.cities and (stated or mark > 0):
            city = _city(kept, start, end, words)
            if not city:
                break
            end -= city
        else:
            break
    return end


def _city(kept: Sequence[str], start: int, end: int, words: Grammar) -> int:
    """How many words before `end` are a city that is an address, not a part of the name."""
    longest = 0
    for city in words.cities[kept[end - 1]]:
        length = len(city)
        if longest < length < end - start and tuple(kept[end - length : end]) == city:
            longest = length
    if longest and kept[end - longest - 1] in words.bound:
        return 0
    return longest
