"""How a bank's descriptor reads: how it was paid, who was paid, which branch, where.

The words are data (`descriptor.toml`). What each function takes away, none of the others needs, which is
what makes a payee's key its own key.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from finplan.categorise.curated import Merchant, Phrases, curated, merchant_at

Known = tuple[int, Merchant]

_DIRECT = frozenset(("dir", "direct"))
_DEPOSITS = frozenset(("dep", "deposit"))
_DUES = frozenset(("dues", "fees"))
_TOWN_WIDTH = 13

_PREFIX_KINDS = {
    "prefixes": "",
    "card_prefixes": "card",
    "town_prefixes": "town",
    "person_prefixes": "person",
    "to_person_prefixes": "to person",
}


@dataclass(frozen=True, slots=True)
class Grammar:
    """What banks write around a name; each field is a block of `descriptor.toml`.

    `openings` are the tokens that a prefix or a merchant may start with. `roles` says of a word inside a
    name what it does there: "noise", "legal", "closer" or "pay". `telling` are the words that make a
    descriptor one of cash, of pay, or of a person "via" a rail.
    """

    processors: frozenset[str]
    houses: Mapping[str, str]
    prefixes: Phrases[str]
    openings: frozenset[str]
    card_codes: frozenset[str]
    roles: Mapping[str, str]
    telling: frozenset[str]
    connectors: frozenset[str]
    references: frozenset[str]
    noise: frozenset[str]
    legal: frozenset[str]
    closers: frozenset[str]
    pay: frozenset[str]
    trailers: frozenset[str]
    links: frozenset[str]
    generic: frozenset[str]
    lines: Mapping[str, str]
    fees: frozenset[str]
    fee_words: frozenset[str]
    months: frozenset[str]
    states: frozenset[str]
    provinces: frozenset[str]
    cities: Mapping[str, frozenset[tuple[str, ...]]]
    town_ends: frozenset[str]
    town_starts: frozenset[str]
    branches: frozenset[str]
    trades: frozenset[str]
    whole_trades: Mapping[str, str]
    plain: Mapping[str, str]
    umlauts: tuple[str, ...]
    bound: frozenset[str]
    unnamed: frozenset[str]
    given: frozenset[str]
    particles: frozenset[str]
    rail_words: frozenset[str]
    rail_leads: frozenset[str]
    rail_ends: frozenset[str]
    run_on: frozenset[str]
    cash_desks: frozenset[str]
    cash_words: frozenset[str]
    checks: frozenset[str]
    check_words: frozenset[str]


@cache
def grammar() -> Grammar:
    """The shipped words, read on first use and then kept."""
    shipped = tomllib.loads(files(__package__).joinpath("descriptor.toml").read_text("utf-8"))
    prefixes = Phrases(
        (phrase.strip(), kind)
        for block, kind in _PREFIX_KINDS.items()
        for phrase in shipped.pop(block).split(",")
    )
    cities: dict[str, set[tuple[str, ...]]] = {}
    for city in shipped.pop("cities").split(","):
        # A card's town has thirteen letters at most, as in "salt lake cit".
        for written in {city.strip(), city.strip()[:_TOWN_WIDTH].rstrip()}:
            words = tuple(written.split())
            cities.setdefault(words[-1], set()).add(words)
    plain = {
        other: first
        for first, *others in (line.split() for line in shipped.pop("plain").splitlines() if line)
        for other in others
    }
    houses = shipped.pop("houses")
    lines = {
        word: category for category, sold in shipped.pop("lines").items() for word in sold.split()
    }
    umlauts = tuple(shipped.pop("umlauts").split())
    blocks = {block: frozenset(words.split()) for block, words in shipped.items()}
    blocks["months"] -= blocks["given"]
    return Grammar(
        prefixes=prefixes,
        openings=frozenset(prefixes.starting.keys() | curated().merchants.starting.keys()),
        cities={last: frozenset(named) for last, named in cities.items()},
        houses=houses,
        lines=lines,
        plain=plain,
        umlauts=umlauts,
        whole_trades=_cut_words(blocks["trades"], plain, blocks["given"] | cities.keys()),
        roles={
            **dict.fromkeys(blocks["noise"], "noise"),
            **dict.fromkeys(blocks["legal"], "legal"),
            **dict.fromkeys(blocks["closers"], "closer"),
            **dict.fromkeys(blocks["pay"], "pay"),
        },
        telling=blocks["pay"] | blocks["cash_desks"] | _DEPOSITS | {"via"},
        **blocks,
    )


def _cut_words(
    trades: frozenset[str], plain: Mapping[str, str], others: frozenset[str]
) -> Mapping[str, str]:
    """Each beginning of at least five letters that only one trade has, and no other word is."""
    whole: dict[str, set[str]] = {}
    for trade in trades:
        for end in range(5, len(trade)):
            whole.setdefault(trade[:end], set()).add(plain.get(trade, trade))
    return {
        cut: next(iter(meant))
        for cut, meant in whole.items()
        if len(meant) == 1 and cut not in trades and cut not in plain and cut not in others
    }


@cache
def named_numbers() -> tuple[str, ...]:
    """The long numbers that well-known merchants are named after."""
    tokens = {token for phrase in curated().whole for token in phrase.split()}
    return tuple(sorted(token for token in tokens if token.isdigit() and len(token) > 3))


def opening(tokens: list[str], words: Grammar) -> tuple[int, Known | None, str]:
    """Pass over what only says how it was paid; stop at the name, and say if it is well known.

    The third part is how it was paid: "card", "town" (by card, where a town stands before the name),
    "person" (by a transfer), or "".
    """
    start = 0
    how = ""
    last = len(tokens) - 1
    while tokens[start] in words.openings:
        known = merchant_at(tokens, start)
        prefix = words.prefixes.longest(tokens, start)
        passed = prefix[0] if prefix is not None else 0
        if known is not None and known[0] >= passed:
            return start, known, how
        if prefix is None or start + passed > last:
            return start, known, how
        kind = prefix[1]
        if kind == "to person":
            if tokens[start + passed] not in words.given:
                return start, known, how
            kind = "person"
        how = kind or how
        start += passed
        while start < last and _is_between(tokens[start], words):
            start += 1
        if kind == "town":
            start += _town_before(tokens, start, words)
    return start, None, how


def _town_before(tokens: list[str], start: int, words: Grammar) -> int:
    """How many words of a city stand before the name; at least one word is left."""
    for length in (3, 2, 1):
        town = tuple(tokens[start : start + length])
        if start + length < len(tokens) and town in words.cities.get(town[-1], ()):
            return length
    return 0


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
    of the name ("24 hour"). A legal form, a word that opens a note, and two references in a row close
    the name. When nothing but numbers is left, all of it is kept, so that it has a key.
    """
    kept: list[str] = []
    mark = 0
    paid = says_pay(tokens, words)
    after_number = after_reference = False
    for part in _all_parts(tokens, start):
        if part.isdigit():
            announced = _drop_announcement(kept, words)
            if announced or len(part) > 2:
                mark = len(kept)
                if after_reference and kept:
                    break
            after_reference = len(part) > 3
            after_number = True
            continue
        role = words.roles.get(part)
        if kept and (role == "closer" or role == "legal"):  # noqa: PLR1714 - twice as fast
            if part in words.references or (kept[-1] == "club" and part in _DUES):
                kept = _unannounced(kept, words)
            break
        if role == "closer" or (role is None and _tells(part, kept, words, paid, after_number)):
            kept.append(part)
        after_number = after_reference = False
    if not kept:
        return _spelled(tokens, words), 0
    if kept[0] not in words.months and _opens_with_number(tokens, kept[0]):
        return [tokens[0], *kept], mark + 1 if mark else 0
    return kept, mark


def _unannounced(kept: list[str], words: Grammar) -> list[str]:
    """A name before "card number" or "club fees" without the first of the two words."""
    last = len(kept) - 1
    return (
        kept[:last] if last and (kept[last] in words.references or kept[last] == "club") else kept
    )


def _drop_announcement(kept: list[str], words: Grammar) -> bool:
    """Drop the words that announce a number, and say if one was more than a month."""
    announced = False
    while kept and (kept[-1] in words.references or kept[-1] in words.months):
        announced = kept.pop() in words.references or announced
    return announced


def _tells(part: str, kept: list[str], words: Grammar, paid: bool, after_number: bool) -> bool:
    """Whether a word is a part of the name or place, and no month, way of paying or repetition."""
    if part in words.months and (after_number or (paid and not kept)):
        return False
    if paid and (part in _DIRECT or part in _DEPOSITS):
        return False
    # A state stays twice: "BARBER CO DENVER CO" closes with one, whatever came before.
    return part not in kept or part in words.states


def says_pay(tokens: Sequence[str], words: Grammar) -> bool:
    """Whether a descriptor says that it is an employer's pay."""
    if words.telling.isdisjoint(tokens):
        return False
    return not words.pay.isdisjoint(tokens) or (
        not _DIRECT.isdisjoint(tokens) and not _DEPOSITS.isdisjoint(tokens)
    )


def _all_parts(tokens: list[str], start: int) -> list[str]:
    parts: list[str] = []
    for token in tokens[start:] if start else tokens:
        if token.isalpha() or token.isdigit():
            parts.append(token)
        else:
            parts += _parts(token)
    return parts


_DATE = re.compile(r"\d\d?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d\d(?:\d\d)?")
_LETTERS_AND_NUMBER = re.compile(r"(\d*)([^\d]{3,})(\d*)")
_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")


@lru_cache(maxsize=32768)
def _parts(token: str) -> tuple[str, ...]:
    """A token of letters and digits as name and branch number; a code that names nothing as a number.

    "safeway1234" is "safeway" and 1234, and "f2415" is 2415, while "forever21", "365market", "h2o" and
    "5th" are names. "05mar26" is a date.
    """
    digits = "".join(char for char in token if char.isdigit())
    if not digits:
        return (token,)
    if len(digits) > 2 and _DATE.fullmatch(token):
        return (digits,)
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
