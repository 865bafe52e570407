"""From a bank's descriptor to a payee: one key for all branches of a shop, and a name to recognise.

A well-known merchant is found by its name alone; of any other descriptor, what says how it was paid,
which branch and where is taken away; people paid over a rail such as Zelle stay apart from each other.
"""

import re
from functools import cache
from typing import NamedTuple

from finplan.categorise.curated import Merchant, merchant_at, merchant_named
from finplan.categorise.descriptor import (
    Grammar,
    grammar,
    is_word,
    named,
    named_numbers,
    opening,
    says_pay,
)
from finplan.categorise.display import capitalised, display_name
from finplan.categorise.places import ending
from finplan.categorise.shapes import Heads, is_shaped, told
from finplan.categorise.tokens import tokens_of
from finplan.categorise.wording import cut_merchant, plain_word, run_together


class Payee(NamedTuple):
    """Who was paid: a stable key of lower-case tokens, and the name that a person reads."""

    key: str
    name: str


_NOBODY = Payee("unknown", "Unknown")
_CHECK = Payee("check", "Check")
_FEE = Payee("bank fee", "Bank fee")
_PAY = Payee("payroll", "Payroll")
_CASH = Payee("cash withdrawal", "Cash withdrawal")
_TO_OR_FROM = frozenset(("to", "from"))

# Four letters after a number may be a name that begins with it, as in "1800FLOWERS"; a single one ends a
# reference.
_LONG_NUMBER = re.compile(r"\d[\d/][\d/]?\d\d++(?:[A-Z]\b|(?![a-zA-Z]{4}))")


def without_long_numbers(text: str) -> str:
    """A descriptor with its references, branch numbers and dates blanked; they name nobody.

    Descriptors that are equal then have one payee, so that it need be found only once. A text without
    letters is left as it is, since its numbers are all that is known of it, and so is a number that a
    merchant is named after ("Optic 2000").
    """
    blanked, count = _LONG_NUMBER.subn("0000", text)
    if not count or not (blanked.isupper() or blanked != blanked.swapcase()):
        return text
    for number in named_numbers():
        if number in text:
            return _LONG_NUMBER.sub(_blank_unless_named, text)
    return blanked


def _blank_unless_named(number: re.Match[str]) -> str:
    return number[0] if number[0] in named_numbers() else "0000"


def payee_of(raw: str, name: str | None = None) -> Payee:
    """The payee of a descriptor, by the bank's own `name` for it when that names somebody.

    Deterministic and never empty, and a key is its own key: `payee_of(key).key == key`. A bank's filler
    ("Card payment") gives way to the descriptor; so does a rail ("PayPal"), and a house of many
    services ("Apple") where the descriptor tells which.
    """
    raw = without_long_numbers(raw)
    if not name:
        return _read(raw)
    by_name = _read(name)
    if not _names_somebody(by_name):
        return _read(raw)
    merchant = merchant_named(by_name.key)
    if merchant is not None and merchant.ask:
        by_raw = _read(raw)
        if merchant.people or merchant_named(by_raw.key) is not None:
            return by_raw
    return by_name


def _names_somebody(payee: Payee) -> bool:
    words = payee.key.split()
    return not grammar().unnamed.issuperset(words) and any(map(is_word, words))


def _read(text: str) -> Payee:
    words = grammar()
    how = ""
    telling = text
    if is_shaped(text):
        telling, by_card = told(text, _heads())
        how = "card" if by_card else ""
    tokens = tokens_of(telling) or tokens_of(text)
    if not tokens:
        return _NOBODY
    if len(tokens) > 4 and tokens[-4] == "on" and _closes_with_day(tokens, words):
        how = "card" if tokens[-1] in words.card_codes else how
        del tokens[-4:]
    if not words.telling.isdisjoint(tokens) and (payee := _told_by_a_word(tokens, words)):
        return payee
    kept, mark, paid = tokens, 0, False
    start, known, opened = opening(tokens, words)
    if known is None:
        if opened == "person" and tokens[start] not in words.given:
            start = _recipient(tokens, start)
        kept, mark = named(tokens, start, words)
        labelled = telling is not text and (":" in text or text[0] == "/")
        paid = says_pay(tokens_of(text) if labelled else tokens, words)
        start, known, again = opening(kept, words)
        opened = again or opened
    how = opened or how
    if known is not None:
        length, merchant = known
        if merchant.people:
            return _person(merchant, kept[start + length :], words)
        return _of_merchant(merchant, paid)
    if how == "person":
        kept = kept[: _end_of_person(kept, start, words)]
    end = ending(kept, start, mark - start, "person" if paid else how, words)
    return _shop(kept[start:end], text, paid, words)


def _closes_with_day(tokens: list[str], words: Grammar) -> bool:
    """Whether the last four tokens are a British row's day and code: "on 12 jan clp"."""
    _, day, month, code = tokens[-4:]
    months = month in words.months or month in words.given
    return day.isdigit() and len(day) < 3 and months and len(month) == 3 == len(code)


def _is_cash(tokens: list[str], words: Grammar) -> bool:
    """Whether a machine gave cash out, whoever owns the machine; its fee is another matter."""
    return (
        not words.cash_desks.isdisjoint(tokens)
        and not words.cash_words.isdisjoint(tokens)
        and "fee" not in tokens
    )


def _told_by_a_word(tokens: list[str], words: Grammar) -> Payee | None:
    """Cash, or a person whom a descriptor names before the rail ("J DE BOER VIA TIKKIE")."""
    if _is_cash(tokens, words):
        return _CASH
    rail = _rail_after(tokens) if "via" in tokens else None
    if rail is None:
        return None
    start = opening(tokens, words)[0]
    return _person(rail, tokens[start : tokens.index("via")], words)


def _rail_after(tokens: list[str]) -> Merchant | None:
    """The rail of a transfer that says "via" it, after the person."""
    place = tokens.index("via") + 1
    known = merchant_at(tokens, place) if 1 < place < len(tokens) else None
    return known[1] if known is not None and known[1].people else None


@cache
def _heads() -> Heads:
    words = grammar()
    return Heads(words.processors, words.houses, _opens_with_merchant)


def _opens_with_merchant(text: str) -> bool:
    tokens = tokens_of(text)
    return bool(tokens) and opening(tokens, grammar())[1] is not None


def _recipient(tokens: list[str], start: int) -> int:
    """Where the person starts, if a transfer's own words stand before "to" or "from" them."""
    for position in range(start, len(tokens) - 2):
        if tokens[position] in _TO_OR_FROM:
            return position + 1
    return start


def _end_of_person(kept: list[str], start: int, words: Grammar) -> int:
    """Where a person's name ends and the note of a transfer begins, if it opens with a given name."""
    end = len(kept)
    if kept[start] not in words.given:
        return end
    position = start + 1
    while position < end and (kept[position] in words.given or kept[position] in words.particles):
        position += 1
    return min(position + 1, end)


def _person(rail: Merchant, tokens: list[str], words: Grammar) -> Payee:
    """Who was paid over a rail: the words up to the note, the reference or the rail's own address.

    Banks write the surname before or after the given name, so the key has the words in order of the
    alphabet; some leave initials out. Only a city with its state is an address here, since "Ma" is also
    a surname.
    """
    person: list[str] = []
    for token in tokens:
        if token in words.rail_ends or (person and token == rail.key):
            if person:
                break
        elif token in words.rail_words or (token in words.rail_leads and not person):
            continue
        elif person and token.isdigit() and len(token) > 3:
            break
        elif token not in person and is_word(token):
            person.append(token)
    person = _without_address(person, words)
    full = [word for word in person if len(word) > 1]
    if len(full) > 1:
        person = full
    if not person or (len(person) == 1 and person[0] in words.states):
        return Payee(rail.key, rail.name)
    in_order = _in_order(person, words)
    while (shorter := _without_address(in_order, words)) != in_order:
        in_order = _in_order(shorter, words)
    return Payee(f"{rail.key} {' '.join(in_order)}", f"{capitalised(person)} ({rail.name})")


def _in_order(person: list[str], words: Grammar) -> list[str]:
    """The words in order of the alphabet; one that may stand before the person is never the first."""
    return sorted(person, key=lambda word: (word in words.rail_leads, word))


def _without_address(person: list[str], words: Grammar) -> list[str]:
    end = ending(person, 0, 0, "", words)
    return person[:end] if end < len(person) - 1 else person


def _shop(name: list[str], text: str, paid: bool, words: Grammar) -> Payee:
    """A payee by the words that are left of its descriptor."""
    if name[0] in words.checks and words.check_words.issuperset(name):
        return _CHECK
    if paid and all(word in words.pay or word in words.months for word in name):
        return _PAY
    if name[-1] in words.fees and words.fee_words.issuperset(name):
        return _FEE
    merchant = _alone(name, words)
    if merchant is None:
        telling = _telling(name, words)
        merchant = _spelled_otherwise(telling, name, words)
        if merchant is None:
            key = " ".join(telling)
            if key.replace(" ", "").isdigit():
                return Payee(key, " ".join(text.split()))
            shown = display_name(name, text)
            return Payee(f"{key} payroll", f"{shown} Payroll") if paid else Payee(key, shown)
    return _of_merchant(merchant, paid)


def _of_merchant(merchant: Merchant, paid: bool) -> Payee:
    if paid:
        return Payee(f"{merchant.key} payroll", f"{merchant.name} Payroll")
    return Payee(merchant.key, merchant.name)


def _telling(name: list[str], words: Grammar) -> list[str]:
    """The words that tell a name from others: in one spelling, whole, without "and" and "the"."""
    inner = name[1:-1]
    if not words.links.isdisjoint(inner):
        name = [name[0], *(word for word in inner if word not in words.links), name[-1]]
    telling = list(dict.fromkeys(map(plain_word, name)))
    if len(telling) > 1 and telling[-1] in words.whole_trades:
        telling[-1] = words.whole_trades[telling[-1]]
    if len(telling) > 2 and telling[0] == "the":
        del telling[0]
    return telling or name


def _spelled_otherwise(telling: list[str], name: list[str], words: Grammar) -> Merchant | None:
    """The merchant whose name was abbreviated, cut off or run together."""
    merchant = _alone(telling, words) if telling != name else None
    if merchant is not None:
        return merchant
    if len(telling) == 1:
        return run_together(telling[0]) or cut_merchant(telling)
    return None if telling[-1] in words.trades else cut_merchant(telling)


def _alone(name: list[str], words: Grammar) -> Merchant | None:
    """The merchant that is all of what is left, but for words such as "stores" and what it sells."""
    end = len(name)
    merchant = merchant_named(" ".join(name))
    sold: set[str] = set()
    while merchant is None and end > 1:
        last = name[end - 1]
        if last in words.lines:
            sold.add(words.lines[last])
        elif last not in words.generic:
            return None
        end -= 1
        merchant = merchant_named(" ".join(name[:end]))
    return merchant if merchant is None or sold <= {merchant.out} else None
