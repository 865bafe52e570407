"""What a row says beside a name: how it was paid, what for, and that it names nobody.

Cards, transfers and wages stand before and beside the name; their words are data (`descriptor.toml`).

What a payer sends besides its pay, and says so in the row, are expenses paid back, support, payouts.
Each purpose has a payee of its own at each payer, called by both ("acme expenses"), so that one rule
files one thing, and pay is pay.

A row names nobody, whatever the bank and its language, where every word says only what the row is. A
bank's own fees are told apart by what they are for: what avoids one kind does not avoid another. A row
is a fee if it has a word for one and no word that is none of a fee's (`fee_nouns`, `fee_words` and
`fee_kinds` in `descriptor.toml`).
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from finplan.categorise.curated import Merchant, merchant_at
from finplan.categorise.descriptor import DEPOSITS, DIRECT, token_parts
from finplan.categorise.grammar import Grammar, Purpose, grammar
from finplan.categorise.people import is_named

Known = tuple[int, Merchant]

_CREDITED = frozenset((("direct", "credit"), ("bank", "credit")))
_EMPLOYERS = frozenset(("nhs", "council", "university", "hospital", "schools"))
_PAID_OUT = frozenset(("pagamento", "pagto", "pgto", "pag"))
_NO_CARD = frozenset(("person", ""))
_DIGITS_OF_A_CONTRACT = 4
_WORDS_OF_MECHANICS = 2
_MOST_WORDS_OF_HOW = 30
"""How many words may say how, when and how much behind an opening; banks write ten at most."""

_THANKS = frozenset(("thank", "you", "thanks"))


def skip_payment_words(tokens: list[str], words: Grammar) -> tuple[int, Known | None, str]:
    """Pass over what only says how it was paid; stop at the name, and say if it is well known.

    The third part is how it was paid: "card", "town" (by card, where a town stands before the name),
    "person" (by a transfer), or "".
    """
    start, known, how = _skip_once(tokens, words)
    if known is None and tokens[start] in words.mechanics:
        run = _mechanics(tokens, start, words)
        start, known = start + run, merchant_at(tokens, start + run) if run else None
    if known is None and tokens[start] in words.honorifics and is_named(tokens[start + 1 :], words):
        passed, known, again = skip_payment_words(tokens[start + 1 :], words)
        start, how = start + 1 + passed, again or how
    return start, known, how


def _skip_once(tokens: list[str], words: Grammar) -> tuple[int, Known | None, str]:
    start = _behind_numbers(tokens, 0, words) if tokens[0] in words.card_words else 0
    how = "card" if start else ""
    last = len(tokens) - 1
    while tokens[start] in words.openings:
        known = merchant_at(tokens, start)
        prefix = words.prefixes.longest(tokens, start)
        passed = prefix[0] if prefix is not None else 0
        if known is not None and known[0] >= passed:
            return start, known, how
        if prefix is None or start + passed > last:
            return start, known, how
        kind = _kind_of(prefix[1], tokens, start + passed, words)
        if kind is None:
            return start, known, how
        how = kind or how
        start += passed
        while start < last and _is_between(tokens, start, words):
            start += 1
        start = _behind_numbers(tokens, start, words)
        if kind in _NO_CARD and _says_what_for(tokens, start, words):
            start += 1
        if kind == "town":
            before = _town_before(tokens, start, words)
            start += before
            how = "town" if before else "card"
    return start, None, how


def _mechanics(tokens: list[str], start: int, words: Grammar) -> int:
    """How many words from `start` on only say how it was paid, in whatever order a bank writes them.

    There are two or more, one of them says what moved the money, and a name follows.
    """
    end = start
    while end < len(tokens) - 1 and (
        tokens[end] in words.mechanics
        or (tokens[end] in words.rail_leads and tokens[end + 1] in words.mechanics)
    ):
        end += 1
    run = tokens[start:end]
    if len(run) < _WORDS_OF_MECHANICS or words.movements.isdisjoint(run):
        return 0
    while end < len(tokens) - 1 and (
        tokens[end] in words.rail_leads or tokens[end] in words.connectors
    ):
        end += 1
    named = tokens[end:]
    return end - start if named[0].isalpha() and _names_somebody(named, words) else 0


def _names_somebody(named: list[str], words: Grammar) -> bool:
    """Whether words are a well-known payee, or two of them name somebody and no account of one's own."""
    if merchant_at(named, 0) is not None:
        return True
    said_otherwise = (
        words.only_trades, words.legal, words.own_accounts, words.mechanics, words.trailers, _THANKS,
    )  # fmt: skip
    told = any(not any(word in said for said in said_otherwise) for word in named)
    return told and sum(len(word) > 1 for word in named) > 1


def _kind_of(said: str, tokens: list[str], following: int, words: Grammar) -> str | None:
    """How was paid by a phrase of some kind; None if what follows shows that it is part of a name."""
    if said == "to person":
        return "person" if _may_be_paid(tokens[following:], words) else None
    if said == "to known":
        known = merchant_at(tokens, following) or words.prefixes.longest(tokens, following)
        return None if known is None else ""
    if said == "numbered":
        by_number = tokens[-1].isdigit() and len(tokens[-1]) >= _DIGITS_OF_A_CONTRACT
        return "" if by_number else None
    return said


def _behind_numbers(tokens: list[str], start: int, words: Grammar) -> int:
    """Where the words end that only say how, when and how much up to a number: "DEL 05/02 CARTA *8812".

    A short number belongs to them behind a currency or another number.
    """
    ahead, behind = start, start
    last = min(len(tokens) - 1, start + _MOST_WORDS_OF_HOW)
    while ahead < last and _says_how(tokens[ahead], words):
        token, before = tokens[ahead], tokens[ahead - 1]
        ahead += 1
        if not _is_number(token):
            continue
        if len(token) > 2 or before.isdigit() or before in words.references:
            behind = ahead
    return behind


def _says_what_for(tokens: list[str], place: int, words: Grammar) -> bool:
    """Whether what is paid stands before two words of who is paid: "LOYER SCI TILLEULS"."""
    if place > len(tokens) - 3 or words.roles.get(tokens[place]) != "closer":
        return False
    return tokens[place + 1] not in words.small and tokens[place + 1].isalpha()


def _says_how(token: str, words: Grammar) -> bool:
    return (
        _is_number(token)
        or token in words.rails
        or token in words.references
        or token in words.datings
        or token in words.small
    )


def _is_number(token: str) -> bool:
    """Whether a token is a number or a long code such as "it44zzz0000001182200"."""
    return token.isdigit() or (len(token) > 5 and token[-1].isdigit() and token[-4:].isdigit())


def _may_be_paid(named: list[str], words: Grammar) -> bool:
    """Whether a transfer goes to a person or a firm, and not to an account of one's own."""
    if named[0] in words.given:
        return True
    if len(named[0]) == 1 and named[0].isalpha():
        return len(named) > 1 and len(named[1]) > 1
    two = [word for word in named[:2] if word.isalpha() and len(word) > 1]
    return len(two) > 1 and words.own_accounts.isdisjoint(named)


def _town_before(tokens: list[str], start: int, words: Grammar) -> int:
    """How many words of a city stand before the name; at least one word is left."""
    for length in (3, 2, 1):
        town = tuple(tokens[start : start + length])
        if start + length < len(tokens) and town in words.cities.get(town[-1], ()):
            return length
    return 0


def _is_between(tokens: list[str], place: int, words: Grammar) -> bool:
    """Whether a token between how it was paid and who was paid names neither; "Jun Park" is a name."""
    token = tokens[place]
    if token.isalpha():
        by_number = tokens[place - 1].isdigit() or tokens[place + 1].isdigit()
        return (
            token in words.connectors
            or token in words.noise
            or (token in words.months and by_number)
        )
    if token.isdigit():
        return len(token) > 2 or token[0] == "0"
    return all(part.isdigit() for part in token_parts(token))


def says_pay(tokens: Sequence[str], words: Grammar) -> bool:
    """Whether a descriptor says that it is an employer's pay."""
    if not words.pay.isdisjoint(tokens) or (
        not DIRECT.isdisjoint(tokens) and not DEPOSITS.isdisjoint(tokens)
    ):
        return True
    if "pay" in tokens[1:]:
        place = tokens.index("pay", 1)
        return (
            tokens[place - 1] in words.legal
            or tuple(tokens[:2]) in _CREDITED
            or not _EMPLOYERS.isdisjoint(tokens[:place])
        )
    return "folha" in tokens[1:] and not _PAID_OUT.isdisjoint(tokens)


class SaidPurpose(NamedTuple):
    """A purpose, the words that say it, and every phrase of the text that says one."""

    purpose: Purpose
    words: tuple[str, ...]
    phrases: frozenset[tuple[str, ...]]


def purpose_in(tokens: list[str], words: Grammar) -> SaidPurpose | None:
    """The purpose that a text's tokens say; of several the one of most words, and then the first."""
    found: dict[tuple[str, ...], Purpose] = {}
    end = 0
    for position in sorted(
        at for word in words.purpose_words & set(tokens) for at in _places_in(word, tokens)
    ):
        said = words.purposes.longest(tokens, position) if position >= end else None
        if said is not None:
            end = position + said[0]
            found.setdefault(tuple(tokens[position:end]), said[1])
    if not found:
        return None
    longest = max(found, key=len)
    return SaidPurpose(found[longest], longest, frozenset(found))


def _places_in(word: str, tokens: list[str]) -> Iterator[int]:
    """Where a word stands among tokens, found without looking at each of them in turn."""
    place = -1
    for _ in range(tokens.count(word)):
        place = tokens.index(word, place + 1)
        yield place


def purpose_of(key: str) -> Purpose | None:
    """The purpose that a payee's key closes with, if it is one of a payer told apart."""
    purposes = _purposes_by_name()
    # Nearly all keys close with none, which is told at once.
    if not key.endswith(tuple(purposes)):
        return None
    words = f" {key}"
    return next((purposes[name] for name in purposes if words.endswith(f" {name}")), None)


def payer_of(key: str, purpose: Purpose) -> str:
    """The key of the payer whom a purpose was told apart from; "" when none is named."""
    return key.removesuffix(purpose.name).rstrip()


def without_purposes(text: str, phrases: frozenset[tuple[str, ...]]) -> str:
    """A text without the phrases that say a purpose, and without accents where it had some."""
    if not text.isascii():
        parts = unicodedata.normalize("NFD", text)
        text = "".join(char for char in parts if not unicodedata.combining(char))
    return _pattern_of_purposes(phrases).sub(" ", text)


@lru_cache(256)
def _pattern_of_purposes(phrases: frozenset[tuple[str, ...]]) -> re.Pattern[str]:
    """Finds phrases in a text whose tokens they are, with any punctuation between their words."""
    spelled = "|".join(
        r"[\W_]+".join(map(re.escape, phrase))
        for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    )
    return re.compile(rf"(?<![^\W_])(?:{spelled})(?![^\W_])", re.IGNORECASE)


@cache
def _purposes_by_name() -> Mapping[str, Purpose]:
    started = grammar().purposes.starting.values()
    return {purpose.name: purpose for group in started for _, _, purpose in group}


_CHECK = "check"
_ANY_FEE = "bank fee"
_FEE_FOR_SENDING = "transfer fee"
_FEES_OF_BANKS = frozenset(("returned payment fee", "overdraft fee", "late fee", "ATM fee"))
_RHYTHMS = """
annual anual annuelle anuidade monthly mensal mensalidade mensile mensuel mensuels mensuelle
"""
_RHYTHMS_OF_FEES = frozenset(_RHYTHMS.split())


def nobody_in(tokens: Sequence[str], words: Grammar) -> str | None:
    """What a row is that names nobody: a bank's fee, its interest, money to own savings; else None."""
    if not words.fee_nouns.isdisjoint(tokens) and (fee := fee_in(tokens, words)):
        return fee
    for name, kind in words.nameless.items():
        if kind.nouns.isdisjoint(tokens):
            continue
        said = {token for token in tokens if token.isalpha() and token not in words.dated}
        if kind.said.issuperset(said) and (not kind.needs or not kind.needs.isdisjoint(said)):
            return name
    return None


def check_or_nobody(name: Sequence[str], words: Grammar) -> str | None:
    """What a name is that is nobody's, of which a paper check's number may have gone."""
    if not words.checks.isdisjoint(name) and words.check_words.issuperset(
        word for word in name if word not in words.small
    ):
        return _CHECK
    return nobody_in(name, words)


def is_cash(tokens: list[str], words: Grammar) -> bool:
    """Whether cash was taken out, whoever owns the machine; its fee is another matter.

    The cash of "Cash App" is none.
    """
    at_desk = not words.cash_desks.isdisjoint(tokens) and not words.cash_words.isdisjoint(tokens)
    if not at_desk and not _takes_cash(tokens, words):
        return False
    if "fee" in tokens and words.including.isdisjoint(tokens):
        return False
    known = merchant_at(tokens, 0)
    return known is None or not known[1].people


def _takes_cash(tokens: list[str], words: Grammar) -> bool:
    """Whether "cash" stands right before or behind a word for taking it out."""
    if "cash" not in tokens:
        return False
    place = tokens.index("cash")
    beside = (*tokens[max(place - 1, 0) : place], *tokens[place + 1 : place + 2])
    return any(word in words.cash_words for word in beside)


def fee_named(words: Collection[str]) -> str:
    """The name of the fee that a row of such words charges; "bank fee" where they tell no kind.

    Of two kinds the first one in the data holds.
    """
    kinds = grammar().fee_kinds
    return next((kind for kind, own in kinds.items() if not own.isdisjoint(words)), _ANY_FEE)


def fee_in(tokens: Sequence[str], words: Grammar) -> str | None:
    """The name of the fee that a row charges; None where its words name anything else.

    A word that is also one for dues or costs of others needs a kind beside it; how often they are due
    and how they are sent is said of a rent, too. What only a bank charges for is a fee however it was
    paid.
    """
    said = [
        token
        for token in tokens
        if token in words.fee_words or (token.isalpha() and not _says_nothing(token, words))
    ]
    if words.fee_nouns.isdisjoint(said):
        return None
    others = [word for word in said if word not in words.fee_words]
    kind = fee_named([token for token in said if token not in _RHYTHMS_OF_FEES])
    if others and not (kind in _FEES_OF_BANKS and words.mechanics.issuperset(others)):
        return None
    # "Commission on a transfer" is a fee, and "transfer: monthly dues" is none.
    is_sent = kind == _FEE_FOR_SENDING and said[0] in words.fee_kinds[_FEE_FOR_SENDING]
    if (kind == _ANY_FEE or is_sent) and words.fees.isdisjoint(said):
        return None
    return fee_named(said)


def _says_nothing(token: str, words: Grammar) -> bool:
    return any(token in said for said in (words.dated, words.small, words.links, words.references))
