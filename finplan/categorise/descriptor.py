"""How a bank's descriptor reads: who was paid, which branch, where.

The words are data (`descriptor.toml`). What each function takes away, none of the others needs, which
is what makes a payee's key its own key. Banks of one country have their own before and after a name:
cards, days, codes, a payer's reference.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from finplan.categorise.curated import curated
from finplan.categorise.grammar import Grammar
from finplan.categorise.places import is_place

DIRECT = frozenset(("dir", "direct"))
_DOCTORS = frozenset(("dott", "dottssa", "dr", "dra", "dottore"))
DEPOSITS = frozenset(("dep", "deposit"))
_AUSTRALIA = frozenset(("au", "aus"))
_DUES = frozenset(("dues", "fees"))
_WORDS_OF_A_STREET = (1, 2)
_CLOSING = frozenset(("closer", "legal"))
_INSIDE = frozenset(("small", "way", "street"))


def name_words(
    tokens: list[str], start: int, words: Grammar, *, paid: bool
) -> tuple[list[str], int]:
    """The words of the name and place, and how many of them stand before the last branch number.

    `paid` says that the descriptor is of an employer's pay.

    Numbers go, with the words that announce them. A short number that opens the descriptor is a part
    of the name ("24 hour"). A legal form, a word that opens a note, and two references in a row close
    the name. When nothing but numbers is left, all of it is kept, so that it has a key.
    """
    kept: list[str] = []
    mark = 0
    after_number = after_reference = False
    parts = _all_parts(tokens, start)
    months, states = words.months, words.states
    house = 0
    for place, part in enumerate(parts, start=1):
        if part.isdigit():
            is_day = len(part) < 3 and place < len(parts) and parts[place] in words.dated
            announced = _drop_announcement(kept, words, is_day=is_day)
            if announced or is_day or len(part) > 2:
                mark = len(kept)
                if after_reference and kept:
                    break
            house = len(kept)
            after_reference = len(part) > 3
            after_number = True
            continue
        role = words.roles.get(part)
        if kept and (role in _CLOSING or part in words.placing or not part.isalpha()):
            placing = _opens_place(part, parts[place:], words, after_reference=after_reference)
            timed = after_number or paid
            role = "place" if placing else _role_of(part, parts[place:], kept, words, timed=timed)
        if role is None:
            # A state stays twice: "BARBER CO DENVER CO" closes with one, whatever came before.
            if (
                _is_part_of_name(part, kept, words, paid, after_number)
                if paid or part in months
                else part not in kept or part in states
            ):
                kept.append(part)
        elif (role == "small" and _names_owner(parts, part, kept, words)) or _ends_with(
            role, part, kept, words, house=house, after_number=after_number
        ):
            break
        elif _is_kept(role, part, kept, paid=paid):
            kept.append(part)
        after_number = after_reference = False
    return _finished(kept, mark, tokens, words)


def _opens_place(part: str, after: list[str], words: Grammar, *, after_reference: bool) -> bool:
    """Whether nothing but a place follows: "12/05 A NANTES", or the "59LILLE" of a department."""
    if part in words.whereabouts:
        return after_reference
    if len(part) < 5 or not (part[:2].isdigit() and part[2:].isalpha()):
        return False
    return after_reference or (not after and is_place([part[2:]], words))


def _role_of(
    part: str, after: list[str], kept: list[str], words: Grammar, *, timed: bool
) -> str | None:
    """What a word behind the first of a name does; None for a word of the name or its place.

    A word that may close a name does not where it opens it ("LA CANTINE") or is its state ("BREST FRA").
    With `timed`, a month that ends the row is when it was.
    """
    role = words.roles.get(part)
    if timed and not after and part in words.dated:
        return "date"
    if role not in _CLOSING:
        return role
    opens = role == "closer" and words.articles.issuperset(kept)
    if part == "sa":
        placed = bool(after) and after[0] in _AUSTRALIA
    else:
        placed = part in words.states and not after
    return None if opens or placed else role


def _finished(
    kept: list[str], mark: int, tokens: list[str], words: Grammar
) -> tuple[list[str], int]:
    """The words without dates and with the short number that opens the name, or all that there is."""
    if not kept:
        return _spelled(tokens, words), 0
    if not words.dated.isdisjoint(kept) and len(kept) > 1:
        places = _undated(kept, words)
        mark = sum(place < mark for place in places)
        kept = [kept[place] for place in places]
    if kept[0] not in words.months and _opens_with_number(tokens, kept[0]):
        return [tokens[0], *kept], mark + 1 if mark else 0
    return kept, mark


def _undated(name: list[str], words: Grammar) -> Sequence[int]:
    """The places of the words without the months that are dates, and without the "for" before them."""
    everything = range(len(name))
    if " ".join(name) in curated().whole:
        return everything
    places: list[int] = []
    for place, word in enumerate(name):
        before = [name[earlier] for earlier in places]
        if word not in words.dated or not _is_date(before, name[place + 1 :], words):
            places.append(place)
            continue
        while places and (name[places[-1]] in words.note_words or name[places[-1]] in words.small):
            del places[-1]
    return places or everything


def _is_date(before: list[str], after: list[str], words: Grammar) -> bool:
    """Whether a month between these words says when, and is no part of a name.

    It does after "for", and beside what is paid by the month: "rent March", "October rent". Elsewhere
    it may be a name, as in "Sol y Mar" and "Club 9 de Julio"; `places.ending` knows when one closes.
    """
    if not before:
        return bool(after) and after[0] in words.dues and after[0] not in words.trades
    if before[-1] in words.note_words:
        return len(before) > 1
    if before[-1] in words.small:
        return len(before) > 1 and before[-2] in words.dues
    return before[-1] in words.dues


def _ends_with(
    role: str, part: str, kept: list[str], words: Grammar, *, house: int, after_number: bool
) -> bool:
    """Whether a word with this role ends the name; what announced it or belongs to it goes."""
    if role == "place":
        return True
    if role == "way":
        return _drop_address(kept, house, words)
    if role == "street":
        return bool(kept) and (after_number or _may_have_address(kept, words))
    if (
        not kept
        or role not in _CLOSING
        or (role == "closer" and kept[0] in words.openings and words.rails.issuperset(kept))
    ):
        return False
    if part in words.references or (kept[-1] == "club" and part in _DUES):
        kept[:] = _unannounced(kept, part, words)
    return True


def _is_kept(role: str, part: str, kept: list[str], *, paid: bool) -> bool:
    """Whether a word with a role that does not end the name is a part of it.

    What says only how it was paid goes before a word that would open a note. A legal form of two
    letters may be the first word of a name ("SA Health").
    """
    if role == "closer":
        named_so_far = bool(kept)
        kept.clear()
        return not named_so_far
    if role == "legal":
        return len(part) < 3
    return role in _INSIDE and part not in kept and (bool(kept) or not paid)


def _may_have_address(kept: list[str], words: Grammar) -> bool:
    """Whether a street may follow: after two words, since "Bar Piazza" is a name."""
    bound = kept[-1] in words.bound or kept[-1] in words.particles
    return len(kept) > 1 and not bound and kept[0] not in words.seats


def _names_owner(parts: list[str], small: str, kept: list[str], words: Grammar) -> bool:
    """Whether an owner follows, as in "Panificio Bertolini di Bertolini Marco"."""
    if len(kept) < 2:
        return False
    place = parts.index(small)
    after = parts[place + 1 : place + 3]
    if not after or after[0] in _DOCTORS:
        return bool(after)
    return len(after) > 1 and (
        after[0] in kept or (small == "di" and not words.given.isdisjoint(after))
    )


def _drop_address(kept: list[str], house: int, words: Grammar) -> bool:
    """Drop the words since a house number if they are a street's name, as in "14 Main St"."""
    named_before = house > 1 or (house == 1 and kept[0] not in words.trades)
    if not named_before or len(kept) - house not in _WORDS_OF_A_STREET:
        return False
    del kept[house:]
    return True


def _unannounced(kept: list[str], closer: str, words: Grammar) -> list[str]:
    """A name before "card number" or "club fees" without the first of the two words."""
    last = len(kept) - 1
    announces = kept[last] in words.references or (kept[last] == "club" and closer in _DUES)
    return kept[:last] if last and announces else kept


def _drop_announcement(kept: list[str], words: Grammar, *, is_day: bool) -> bool:
    """Drop the words that announce a number, and say if one was more than a month.

    Before a day that may be "on", which before any other number is a province.
    """
    announced = False
    while kept and (kept[-1] in words.references or kept[-1] in words.months):
        if len(kept) > 1 and kept[-2] in words.small:
            break
        announced = kept.pop() in words.references or announced
    while len(kept) > 1 and (kept[-1] in words.datings or (is_day and kept[-1] == "on")):
        kept.pop()
        announced = True
    return announced


def _is_part_of_name(
    part: str, kept: list[str], words: Grammar, paid: bool, after_number: bool
) -> bool:
    """Whether a word is a part of the name or place, and no month, way of paying or repetition."""
    if part in words.months and (after_number or (paid and not kept)):
        return False
    if paid and not kept and part in words.named_months:
        return False
    if paid and (part in DIRECT or part in DEPOSITS):
        return False
    return part not in kept or part in words.states


def _all_parts(tokens: list[str], start: int) -> list[str]:
    parts: list[str] = []
    for token in tokens[start:] if start else tokens:
        if token.isalpha() or token.isdigit():
            parts.append(token)
        else:
            parts += token_parts(token)
    return parts


_DATE = re.compile(r"\d\d?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d\d(?:\d\d)?")
_LETTERS_AND_NUMBER = re.compile(r"(\d*)([^\d]{3,})(\d*)")
_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")


@lru_cache(maxsize=32768)
def token_parts(token: str) -> tuple[str, ...]:
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


def is_day(token: str) -> bool:
    """Whether a token is a day with its month and year, as in "14mar25"."""
    return len(token) > 5 and _DATE.fullmatch(token) is not None


def is_word(token: str) -> bool:
    """Whether a token is a word of a name, and not a number or a code."""
    return token.isalpha() or (not token.isdigit() and token_parts(token) == (token,))


def _spelled(tokens: list[str], words: Grammar) -> list[str]:
    """What a descriptor without a name is known by: its distinctive words, its words, or its numbers."""
    spelled = [token for token in tokens if token.isalpha()]
    worded = [token for token in spelled if token not in words.noise]
    unpaid = [token for token in worded if token not in words.pay]
    distinctive = [
        token for token in unpaid if token not in words.small and token not in words.legal
    ]
    return list(dict.fromkeys(distinctive or unpaid or worded or spelled or tokens))


def _opens_with_number(tokens: Sequence[str], first: str) -> bool:
    number = tokens[0]
    short = number.isdigit() and len(number) <= 3 and number[0] != "0"
    return short and len(tokens) > 1 and tokens[1] == first


_FRENCH_CARDS = frozenset(("facture", "achat"))
_BY_CARD = frozenset(("c", "d", "cd"))


def drop_booking_day(tokens: list[str], words: Grammar) -> str:
    """Drop the day that opens or closes a row; "card" if it was a card purchase's, else ""."""
    if tokens[0] in _FRENCH_CARDS:
        _close_with_country(tokens)
    how = "card" if tokens[0].isdigit() and _opens_with_day(tokens) else ""
    if len(tokens) > 4 and tokens[-4] == "on":
        return _drop_last_day(tokens, words) or how
    return how


def _close_with_country(tokens: list[str]) -> None:
    """Write the country where a French row closes with its town, so that the town is known for one.

    The town stands before the card's number, or behind the day of the purchase.
    """
    if len(tokens) > 4 and tokens[-2] == "carte" and tokens[-1][0].isdigit():
        tokens[-2:] = ["fr"]
    elif tokens[:2] == ["achat", "cb"]:
        days = (at for at in range(3, len(tokens)) if len(tokens[at]) == 6 and tokens[at].isdigit())
        del tokens[next(days, len(tokens)) :]


def _opens_with_day(tokens: list[str]) -> bool:
    """Drop a British row's card and day ("4412 14mar25 c"), and say if they were there."""
    if len(tokens) < 3 or len(tokens[0]) != 4 or not is_day(tokens[1]):
        return False
    del tokens[: 3 if tokens[2] in _BY_CARD and len(tokens) > 3 else 2]
    return True


def _drop_last_day(tokens: list[str], words: Grammar) -> str:
    """Drop the day and code that close a British row; "card" if it was a card purchase's."""
    if not _closes_with_day(tokens, words):
        return ""
    code = tokens[-1]
    del tokens[-4:]
    return "card" if code in words.card_codes else ""


def _closes_with_day(tokens: list[str], words: Grammar) -> bool:
    """Whether the last four tokens are a British row's day and code: "on 12 jan clp"."""
    _, day, month, code = tokens[-4:]
    months = month in words.months or month in words.given
    return day.isdigit() and len(day) < 3 and months and len(month) == 3 == len(code)


def drop_reference(tokens: list[str], words: Grammar) -> str:
    """Drop the code of a transfer behind a person, and what follows it; "person" if it was there.

    "FT" is one only where it closes the row, since "Ft Worth" is a town.
    """
    for place in range(2, len(tokens)):
        code = tokens[place]
        if code in words.faster_payments and (code != "ft" or place == len(tokens) - 1):
            del tokens[place:]
            return "person"
    return ""
