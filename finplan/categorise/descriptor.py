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
    tokens: list[str], start: int, vocab: Grammar, *, paid: bool
) -> tuple[list[str], int]:
    """The words of the name and place, and how many of them stand before the last branch number.

    `paid` says that the descriptor is of an employer's pay.

    Numbers go, with the words that announce them. A short number that opens the descriptor is a part
    of the name ("24 hour"). A legal form, a word that opens a note, and two references in a row close
    the name. When nothing but numbers is left, all of it is kept, so that it has a key.
    """
    name: list[str] = []
    mark = 0
    after_number = after_reference = False
    parts = _all_parts(tokens, start)
    months, states = vocab.months, vocab.states
    house = 0
    for index, part in enumerate(parts, start=1):
        if part.isdigit():
            is_day = len(part) < 3 and index < len(parts) and parts[index] in vocab.dated
            announced = _drop_announcement(name, vocab, is_day=is_day)
            if announced or is_day or len(part) > 2:
                mark = len(name)
                if after_reference and name:
                    break
            house = len(name)
            after_reference = len(part) > 3
            after_number = True
            continue
        role = vocab.roles.get(part)
        if name and (role in _CLOSING or part in vocab.placing or not part.isalpha()):
            placing = _opens_place(part, parts[index:], vocab, after_reference=after_reference)
            timed = after_number or paid
            role = "place" if placing else _role_of(part, parts[index:], name, vocab, timed=timed)
        if role is None:
            # A state stays twice: "BARBER CO DENVER CO" closes with one, whatever came before.
            if (
                _is_part_of_name(part, name, vocab, paid, after_number)
                if paid or part in months
                else part not in name or part in states
            ):
                name.append(part)
        elif (role == "small" and _names_owner(parts, part, name, vocab)) or _ends_with(
            role, part, name, vocab, house=house, after_number=after_number
        ):
            break
        elif _is_part(role, part, name, paid=paid):
            name.append(part)
        after_number = after_reference = False
    return _finished(name, mark, tokens, vocab)


def _opens_place(part: str, after: list[str], vocab: Grammar, *, after_reference: bool) -> bool:
    """Whether nothing but a place follows: "12/05 A NANTES", or the "59LILLE" of a department."""
    if part in vocab.whereabouts:
        return after_reference
    if len(part) < 5 or not (part[:2].isdigit() and part[2:].isalpha()):
        return False
    return after_reference or (not after and is_place([part[2:]], vocab))


def _role_of(
    part: str, after: list[str], name: list[str], vocab: Grammar, *, timed: bool
) -> str | None:
    """What a word behind the first of a name does; None for a word of the name or its place.

    A word that may close a name does not where it opens it ("LA CANTINE") or is its state ("BREST FRA").
    With `timed`, a month that ends the row is when it was.
    """
    role = vocab.roles.get(part)
    if timed and not after and part in vocab.dated:
        return "date"
    if role not in _CLOSING:
        return role
    opens = role == "closer" and vocab.articles.issuperset(name)
    if part == "sa":
        placed = bool(after) and after[0] in _AUSTRALIA
    else:
        placed = part in vocab.states and not after
    return None if opens or placed else role


def _finished(
    name: list[str], mark: int, tokens: list[str], vocab: Grammar
) -> tuple[list[str], int]:
    """The words without dates and with the short number that opens the name, or all that there is."""
    if not name:
        return _spelled(tokens, vocab), 0
    if not vocab.dated.isdisjoint(name) and len(name) > 1:
        places = _undated(name, vocab)
        mark = sum(index < mark for index in places)
        name = [name[index] for index in places]
    if name[0] not in vocab.months and _opens_with_number(tokens, name[0]):
        return [tokens[0], *name], mark + 1 if mark else 0
    return name, mark


def _undated(name: list[str], vocab: Grammar) -> Sequence[int]:
    """The places of the words without the months that are dates, and without the "for" before them."""
    everything = range(len(name))
    if " ".join(name) in curated().by_phrase:
        return everything
    places: list[int] = []
    for index, token in enumerate(name):
        before = [name[earlier] for earlier in places]
        if token not in vocab.dated or not _is_date(before, name[index + 1 :], vocab):
            places.append(index)
            continue
        while places and (name[places[-1]] in vocab.note_words or name[places[-1]] in vocab.small):
            del places[-1]
    return places or everything


def _is_date(before: list[str], after: list[str], vocab: Grammar) -> bool:
    """Whether a month between these words says when, and is no part of a name.

    It does after "for", and beside what is paid by the month: "rent March", "October rent". Elsewhere
    it may be a name, as in "Sol y Mar" and "Club 9 de Julio"; `places.ending` knows when one closes.
    """
    if not before:
        return bool(after) and after[0] in vocab.dues and after[0] not in vocab.trades
    if before[-1] in vocab.note_words:
        return len(before) > 1
    if before[-1] in vocab.small:
        return len(before) > 1 and before[-2] in vocab.dues
    return before[-1] in vocab.dues


def _ends_with(
    role: str, part: str, name: list[str], vocab: Grammar, *, house: int, after_number: bool
) -> bool:
    """Whether a word with this role ends the name; what announced it or belongs to it goes."""
    if role == "place":
        return True
    if role == "way":
        return _drop_address(name, house, vocab)
    if role == "street":
        return bool(name) and (after_number or _may_have_address(name, vocab))
    if (
        not name
        or role not in _CLOSING
        or (role == "closer" and name[0] in vocab.openings and vocab.rails.issuperset(name))
    ):
        return False
    if part in vocab.references or (name[-1] == "club" and part in _DUES):
        name[:] = _unannounced(name, part, vocab)
    return True


def _is_part(role: str, part: str, name: list[str], *, paid: bool) -> bool:
    """Whether a word with a role that does not end the name is a part of it.

    What says only how it was paid goes before a word that would open a note. A legal form of two
    letters may be the first word of a name ("SA Health").
    """
    if role == "closer":
        named_so_far = bool(name)
        name.clear()
        return not named_so_far
    if role == "legal":
        return len(part) < 3
    return role in _INSIDE and part not in name and (bool(name) or not paid)


def _may_have_address(name: list[str], vocab: Grammar) -> bool:
    """Whether a street may follow: after two words, since "Bar Piazza" is a name."""
    bound = name[-1] in vocab.bound or name[-1] in vocab.particles
    return len(name) > 1 and not bound and name[0] not in vocab.seats


def _names_owner(parts: list[str], small: str, name: list[str], vocab: Grammar) -> bool:
    """Whether an owner follows, as in "Panificio Bertolini di Bertolini Marco"."""
    if len(name) < 2:
        return False
    index = parts.index(small)
    after = parts[index + 1 : index + 3]
    if not after or after[0] in _DOCTORS:
        return bool(after)
    return len(after) > 1 and (
        after[0] in name or (small == "di" and not vocab.given.isdisjoint(after))
    )


def _drop_address(name: list[str], house: int, vocab: Grammar) -> bool:
    """Drop the words since a house number if they are a street's name, as in "14 Main St"."""
    named_before = house > 1 or (house == 1 and name[0] not in vocab.trades)
    if not named_before or len(name) - house not in _WORDS_OF_A_STREET:
        return False
    del name[house:]
    return True


def _unannounced(name: list[str], closer: str, vocab: Grammar) -> list[str]:
    """A name before "card number" or "club fees" without the first of the two words."""
    last = len(name) - 1
    announces = name[last] in vocab.references or (name[last] == "club" and closer in _DUES)
    return name[:last] if last and announces else name


def _drop_announcement(name: list[str], vocab: Grammar, *, is_day: bool) -> bool:
    """Drop the words that announce a number, and say if one was more than a month.

    Before a day that may be "on", which before any other number is a province.
    """
    announced = False
    while name and (name[-1] in vocab.references or name[-1] in vocab.months):
        if len(name) > 1 and name[-2] in vocab.small:
            break
        announced = name.pop() in vocab.references or announced
    while len(name) > 1 and (name[-1] in vocab.datings or (is_day and name[-1] == "on")):
        name.pop()
        announced = True
    return announced


def _is_part_of_name(
    part: str, name: list[str], vocab: Grammar, paid: bool, after_number: bool
) -> bool:
    """Whether a word is a part of the name or place, and no month, way of paying or repetition."""
    if part in vocab.months and (after_number or (paid and not name)):
        return False
    if paid and not name and part in vocab.named_months:
        return False
    if paid and (part in DIRECT or part in DEPOSITS):
        return False
    return part not in name or part in vocab.states


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
    match = _LETTERS_AND_NUMBER.fullmatch(token)
    if match is not None:
        before, letters, after = match.groups()
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


def _spelled(tokens: list[str], vocab: Grammar) -> list[str]:
    """What a descriptor without a name is known by: its distinctive words, its words, or its numbers."""
    spelled = [token for token in tokens if token.isalpha()]
    worded = [token for token in spelled if token not in vocab.noise]
    unpaid = [token for token in worded if token not in vocab.pay]
    distinctive = [
        token for token in unpaid if token not in vocab.small and token not in vocab.legal
    ]
    return list(dict.fromkeys(distinctive or unpaid or worded or spelled or tokens))


def _opens_with_number(tokens: Sequence[str], first: str) -> bool:
    number = tokens[0]
    short = number.isdigit() and len(number) <= 3 and number[0] != "0"
    return short and len(tokens) > 1 and tokens[1] == first


_FRENCH_CARDS = frozenset(("facture", "achat"))
_BY_CARD = frozenset(("c", "d", "cd"))


def drop_booking_day(tokens: list[str], vocab: Grammar) -> str:
    """Drop the day that opens or closes a row; "card" if it was a card purchase's, else ""."""
    if tokens[0] in _FRENCH_CARDS:
        _close_with_country(tokens)
    how = "card" if tokens[0].isdigit() and _opens_with_day(tokens) else ""
    if len(tokens) > 4 and tokens[-4] == "on":
        return _drop_last_day(tokens, vocab) or how
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


def _drop_last_day(tokens: list[str], vocab: Grammar) -> str:
    """Drop the day and code that close a British row; "card" if it was a card purchase's."""
    if not _closes_with_day(tokens, vocab):
        return ""
    code = tokens[-1]
    del tokens[-4:]
    return "card" if code in vocab.card_codes else ""


def _closes_with_day(tokens: list[str], vocab: Grammar) -> bool:
    """Whether the last four tokens are a British row's day and code: "on 12 jan clp"."""
    _, day, month, code = tokens[-4:]
    months = month in vocab.months or month in vocab.given
    return day.isdigit() and len(day) < 3 and months and len(month) == 3 == len(code)


def drop_reference(tokens: list[str], vocab: Grammar) -> str:
    """Drop the code of a transfer behind a person, and what follows it; "person" if it was there.

    "FT" is one only where it closes the row, since "Ft Worth" is a town.
    """
    for index in range(2, len(tokens)):
        code = tokens[index]
        if code in vocab.faster_payments and (code != "ft" or index == len(tokens) - 1):
            del tokens[index:]
            return "person"
    return ""
