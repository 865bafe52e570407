"""From a bank's descriptor to a payee: one key for all branches of a shop, and a name to recognise.

A descriptor reads, in most countries, as: how it was paid, who was paid, which branch, where. The first
and the last two go (`descriptor.toml` lists their words); a well-known merchant is found by its name
alone (`curated.toml`); people paid over a rail such as Zelle stay apart from each other.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from finplan.categorise.curated import Merchant, Phrases, curated, merchant_at, merchant_named
from finplan.categorise.tokens import tokens_of


class Payee(NamedTuple):
    """Who was paid: a stable key of lower-case tokens, and the name that a person reads."""

    key: str
    name: str


_NOBODY = Payee("unknown", "Unknown")
_CHECK = Payee("check", "Check")


def payee_of(raw: str, name: str | None = None) -> Payee:
    """The payee of a descriptor, by the bank's own `name` for it when that names somebody.

    Deterministic and never empty, and a key is its own key: `payee_of(key).key == key`. A name that is
    only a rail ("PayPal") or a bank's filler ("Card payment") gives way to the descriptor.
    """
    if name:
        named = _read(name)
        if _names_somebody(named):
            return named
    return _read(raw)


def _names_somebody(payee: Payee) -> bool:
    words = payee.key.split()
    if _grammar().unnamed.issuperset(words) or not any(word.isalpha() for word in words):
        return False
    merchant = merchant_named(payee.key)
    return merchant is None or not merchant.people


def _read(text: str) -> Payee:
    grammar = _grammar()
    told = _told(text, grammar) if "*" in text or ":" in text or "/" in text else text
    tokens = tokens_of(told) or tokens_of(text)
    if not tokens:
        return _NOBODY
    kept, mark = tokens, 0
    start, known = _opening(tokens, grammar)
    if known is None:
        kept, mark = _named(tokens, start, grammar)
        start, known = _opening(kept, grammar)
    if known is not None:
        length, merchant = known
        if merchant.people:
            return _person(merchant, kept, start + length)
        return Payee(merchant.key, merchant.name)
    return _plain(kept[start : _end(kept, start, mark - start, grammar)], text)


def _plain(words: list[str], text: str) -> Payee:
    """A payee by the words that are left of its descriptor."""
    grammar = _grammar()
    if words[0] in grammar.checks and grammar.check_words.issuperset(words):
        return _CHECK
    key = " ".join(words)
    merchant = _merchant_alone(words, key)
    if merchant is not None:
        return Payee(merchant.key, merchant.name)
    if key.replace(" ", "").isdigit():
        return Payee(key, " ".join(text.split()))
    return Payee(key, _display(words, text))


@dataclass(frozen=True, slots=True)
class _Grammar:
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
def _grammar() -> _Grammar:
    shipped = tomllib.loads(files(__package__).joinpath("descriptor.toml").read_text("utf-8"))
    cities: dict[str, set[tuple[str, ...]]] = {}
    for city in shipped.pop("cities").split(","):
        words = tuple(city.split())
        cities.setdefault(words[-1], set()).add(words)
    prefixes = Phrases((phrase.strip(), None) for phrase in shipped.pop("prefixes").split(","))
    return _Grammar(
        prefixes=prefixes,
        openings=frozenset(prefixes.starting.keys() | curated().merchants.starting.keys()),
        cities={last: frozenset(named) for last, named in cities.items()},
        **{block: frozenset(words.split()) for block, words in shipped.items()},
    )


_LABELLED = re.compile(
    r"(?:/name/|\bnaam:|\borig co name:|\bname:)\s*([^:/]{2,}?)(?=/|\s+[\w ]{2,20}:|$)",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"\s(?:INDN|ID|REF|TRN|EREF|MREF|TRACE ?#?|CO ID|(?:PPD|WEB|CCD) ID):.*", re.DOTALL
)


def _told(text: str, grammar: _Grammar) -> str:
    """The part of a labelled or starred descriptor that names the payee."""
    if ":" in text or "/" in text:
        labelled = _LABELLED.search(text)
        if labelled:
            text = labelled[1]
        elif ":" in text:
            text = (_LABELS.sub("", text) or text).replace("DES:", "")
    while "*" in text:
        head, _, tail = text.partition("*")
        words = head.lower().split()
        if not words or not tail.strip():
            break
        if words[-1] not in grammar.processors:
            return f"{head} {tail.partition('*')[0]}"
        text = tail
    return text


def _opening(tokens: list[str], grammar: _Grammar) -> tuple[int, tuple[int, Merchant] | None]:
    """Pass over what only says how it was paid; stop at the name, or at a well-known one."""
    start = 0
    last = len(tokens) - 1
    while tokens[start] in grammar.openings:
        known = merchant_at(tokens, start)
        opening = grammar.prefixes.longest(tokens, start)
        prefix = opening[0] if opening is not None else 0
        if known is not None and known[0] >= prefix:
            return start, known
        if not prefix or start + prefix > last:
            return start, known
        start += prefix
        while start < last and _is_between(tokens[start], grammar):
            start += 1
    return start, None


def _is_between(token: str, grammar: _Grammar) -> bool:
    """Whether a token between how it was paid and who was paid names neither."""
    return (
        token in grammar.connectors
        or token in grammar.noise
        or token in grammar.months
        or (token.isdigit() and (len(token) > 2 or token[0] == "0"))
        or (not token.isalpha() and not _without_number(token))
    )


def _named(tokens: list[str], start: int, grammar: _Grammar) -> tuple[list[str], int]:
    """Drop numbers and what announces them; answer also where the last of them stood (0: nowhere).

    A short number that opens the descriptor is part of a name ("24 hour"). When nothing but numbers
    is left, the whole descriptor is kept, so that it still has a key.
    """
    noise = grammar.noise
    kept: list[str] = []
    mark = 0
    after_number = False
    for token in tokens[start:]:
        if token.isalpha():
            if token in noise or (after_number and token in grammar.months):
                continue
            after_number = False
            if token not in kept:
                kept.append(token)
            continue
        part = "" if token.isdigit() else _without_number(token)
        if part:
            after_number = False
            if part != token and token[0].isdigit():
                mark = len(kept)
            if part not in kept:
                kept.append(part)
            if part != token and token[-1].isdigit():
                mark = len(kept)
            continue
        after_number = True
        while kept and (kept[-1] in grammar.references or kept[-1] in grammar.months):
            kept.pop()
        if len(token) > 2:
            mark = len(kept)
    if kept and _opens_with_number(tokens, kept[0]):
        return [tokens[0], *kept], mark + 1 if mark else 0
    if kept:
        return kept, mark
    spelled = [token for token in tokens if token.isalpha()]
    telling = [token for token in spelled if token not in noise]
    return list(dict.fromkeys(telling or spelled or tokens)), 0


def _opens_with_number(tokens: Sequence[str], first: str) -> bool:
    number = tokens[0]
    short = number.isdigit() and len(number) <= 3 and number[0] != "0"
    return short and len(tokens) > 1 and tokens[1] == first


_LETTERS_AND_NUMBER = re.compile(r"(\d*)([^\d]{3,})(\d*)")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")


@lru_cache(maxsize=32768)
def _without_number(token: str) -> str:
    """A token of letters and digits without its branch number; "" for a code that names nothing.

    "safeway1234" is "safeway" and "f2415" is nothing, while "forever21", "365market", "h2o" and "5th"
    are names.
    """
    digits = sum(char.isdigit() for char in token)
    if not digits:
        return token
    parts = _LETTERS_AND_NUMBER.fullmatch(token)
    if parts is not None:
        before, letters, after = parts.groups()
        if before.startswith("0") or len(before) > 4:
            return f"{letters}{after}" if len(after) <= 2 else letters
        if len(letters) > 3:
            return f"{before}{letters}{after}" if len(after) <= 2 else f"{before}{letters}"
    return token if (digits == 1 and len(token) <= 4) or _ORDINAL.fullmatch(token) else ""


def _end(kept: Sequence[str], start: int, mark: int, grammar: _Grammar) -> int:
    """Where the name ends: before the place, the legal form and other words that close a descriptor.

    `mark` is how many words of the name stand before the last branch number; what follows it is an
    address if the descriptor closes with a state or country.
    """
    end = len(kept)
    stated = False
    while end - start > 1:
        last = kept[end - 1]
        if last in grammar.trailers:
            end -= 1
        elif last in grammar.states:
            stated = True
            end -= 1
            if 0 < mark < end - start <= mark + 4 and curated().distinct.isdisjoint(
                kept[start + mark : end]
            ):
                end = start + mark
        elif last in grammar.cities and (stated or mark > 0):
            city = _city(kept, start, end, grammar)
            if not city:
                break
            end -= city
        else:
            break
    return end


def _city(kept: Sequence[str], start: int, end: int, grammar: _Grammar) -> int:
    """How many words before `end` are a city that is an address, not a part of the name."""
    best = 0
    for words in grammar.cities[kept[end - 1]]:
        length = len(words)
        if best < length < end - start and tuple(kept[end - length : end]) == words:
            best = length
    if best and kept[end - best - 1] in grammar.bound:
        return 0
    return best


def _merchant_alone(words: Sequence[str], key: str) -> Merchant | None:
    """The merchant that is all of what is left, but for words such as "stores"."""
    generic = _grammar().generic
    end = len(words)
    while (merchant := merchant_named(key)) is None and end > 1 and words[end - 1] in generic:
        end -= 1
        key = " ".join(words[:end])
    return merchant


def _person(rail: Merchant, words: Sequence[str], start: int) -> Payee:
    """Who was paid over a rail: the words up to the note, the reference or the rail's own address.

    Only a city with its state is an address here, since "Ma" is also a surname.
    """
    grammar = _grammar()
    person: list[str] = []
    for word in words[start:]:
        if word in grammar.rail_ends:
            if person:
                break
        elif word not in grammar.rail_words and word not in person and _is_spelled(word):
            person.append(word)
    if not person or (len(person) == 1 and person[0] in grammar.states):
        return Payee(rail.key, rail.name)
    end = _end(person, 0, 0, grammar)
    if end < len(person) - 1:
        del person[end:]
    return Payee(f"{rail.key} {' '.join(person)}", f"{_cased_all(person)} ({rail.name})")


def _is_spelled(token: str) -> bool:
    return token.isalpha() or (not token.isdigit() and _without_number(token) == token)


def _display(words: Sequence[str], text: str) -> str:
    """The name as it is written where that is mixed case, else with capitals where names have them."""
    if text.isascii() and (text.isupper() or text.istitle() or text.islower()):
        return _cased_all(words)
    written: dict[str, str] = {}
    for spelled in text.replace("*", " ").split():
        tokens = tokens_of(spelled)
        if len(tokens) == 1 and "." not in spelled.strip("."):
            written.setdefault(tokens[0], spelled.strip(".,;:#-/()\"'"))
    return " ".join(_written(word, written.get(word, word)) for word in words)


def _written(word: str, spelled: str) -> str:
    """A word as the descriptor spells it, accents and inner capitals kept, but not all capitals."""
    if not (spelled.isupper() or spelled.islower()):
        return spelled
    return _cased(word) if spelled.lower() == word else spelled.capitalize()


_SMALL = frozenset(
    "of and the for de du des la le el del da do dos van von der den und et y e in at on".split()
)
_CAPITALS = frozenset(
    "usa uk us nyc atm llc hoa ymca bbq dmv irs abc aaa ups usps rei ikea nhs hmrc ii iii iv "
    "tv pc".split()
)
_SPELLED = frozenset(
    "st dr mr mrs ms jr sr ltd co mt ft pty crd pmt pymt xfer trf svc svcs ctr mkt mktp blvd "
    "str".split()
)


@lru_cache(maxsize=32768)
def _cased(word: str) -> str:
    """One word of a name: abbreviations in capitals, small words in none, others with one."""
    if word in _SMALL:
        return word
    unspoken = len(word) <= 4 and word.isalpha() and not set(word) & set("aeiouyäöü")
    if word in _CAPITALS or (unspoken and word.isascii() and word not in _SPELLED):
        return word.upper()
    return word[:1].upper() + word[1:]


def _cased_all(words: Sequence[str]) -> str:
    cased = " ".join(map(_cased, words))
    return cased[:1].upper() + cased[1:]
