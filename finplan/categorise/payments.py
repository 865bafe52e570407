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
from finplan.categorise.people import is_full_name

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


def skip_payment_words(tokens: list[str], vocab: Grammar) -> tuple[int, Known | None, str]:
    """Pass over what only says how it was paid; stop at the name, and say if it is well known.

    The third part is how it was paid: "card", "town" (by card, where a town stands before the name),
    "person" (by a transfer), or "".
    """
    start, merchant, how = _skip_once(tokens, vocab)
    if merchant is None and tokens[start] in vocab.mechanics:
        run = _mechanics(tokens, start, vocab)
        start, merchant = start + run, merchant_at(tokens, start + run) if run else None
    if (
        merchant is None
        and tokens[start] in vocab.honorifics
        and is_full_name(tokens[start + 1 :], vocab)
    ):
        passed, merchant, again = skip_payment_words(tokens[start + 1 :], vocab)
        start, how = start + 1 + passed, again or how
    return start, merchant, how


def _skip_once(tokens: list[str], vocab: Grammar) -> tuple[int, Known | None, str]:
    start = _behind_numbers(tokens, 0, vocab) if tokens[0] in vocab.card_words else 0
    how = "card" if start else ""
    last = len(tokens) - 1
    while tokens[start] in vocab.openings:
        merchant = merchant_at(tokens, start)
        prefix = vocab.prefixes.longest(tokens, start)
        passed = prefix[0] if prefix is not None else 0
        if merchant is not None and merchant[0] >= passed:
            return start, merchant, how
        if prefix is None or start + passed > last:
            return start, merchant, how
        kind = _kind_of(prefix[1], tokens, start + passed, vocab)
        if kind is None:
            return start, merchant, how
        how = kind or how
        start += passed
        while start < last and _is_between(tokens, start, vocab):
            start += 1
        start = _behind_numbers(tokens, start, vocab)
        if kind in _NO_CARD and _says_what_for(tokens, start, vocab):
            start += 1
        if kind == "town":
            before = _town_before(tokens, start, vocab)
            start += before
            how = "town" if before else "card"
    return start, None, how


def _mechanics(tokens: list[str], start: int, vocab: Grammar) -> int:
    """How many words from `start` on only say how it was paid, in whatever order a bank writes them.

    There are two or more, one of them says what moved the money, and a name follows.
    """
    end = start
    while end < len(tokens) - 1 and (
        tokens[end] in vocab.mechanics
        or (tokens[end] in vocab.rail_leads and tokens[end + 1] in vocab.mechanics)
    ):
        end += 1
    run = tokens[start:end]
    if len(run) < _WORDS_OF_MECHANICS or vocab.movements.isdisjoint(run):
        return 0
    while end < len(tokens) - 1 and (
        tokens[end] in vocab.rail_leads or tokens[end] in vocab.connectors
    ):
        end += 1
    name = tokens[end:]
    return end - start if name[0].isalpha() and _names_somebody(name, vocab) else 0


def _names_somebody(name: list[str], vocab: Grammar) -> bool:
    """Whether words are a well-known payee, or two of them name somebody and no account of one's own."""
    if merchant_at(name, 0) is not None:
        return True
    said_otherwise = (
        vocab.only_trades, vocab.legal, vocab.own_accounts, vocab.mechanics, vocab.trailers, _THANKS,
    )  # fmt: skip
    names_more = any(not any(token in wordlist for wordlist in said_otherwise) for token in name)
    return names_more and sum(len(token) > 1 for token in name) > 1


def _kind_of(kind: str, tokens: list[str], following: int, vocab: Grammar) -> str | None:
    """How was paid by a phrase of some kind; None if what follows shows that it is part of a name."""
    if kind == "to person":
        return "person" if _may_be_paid(tokens[following:], vocab) else None
    if kind == "to known":
        match = merchant_at(tokens, following) or vocab.prefixes.longest(tokens, following)
        return None if match is None else ""
    if kind == "numbered":
        by_number = tokens[-1].isdigit() and len(tokens[-1]) >= _DIGITS_OF_A_CONTRACT
        return "" if by_number else None
    return kind


def _behind_numbers(tokens: list[str], start: int, vocab: Grammar) -> int:
    """Where the words end that only say how, when and how much up to a number: "DEL 05/02 CARTA *8812".

    A short number belongs to them behind a currency or another number.
    """
    ahead, behind = start, start
    last = min(len(tokens) - 1, start + _MOST_WORDS_OF_HOW)
    while ahead < last and _says_how(tokens[ahead], vocab):
        token, before = tokens[ahead], tokens[ahead - 1]
        ahead += 1
        if not _is_number(token):
            continue
        if len(token) > 2 or before.isdigit() or before in vocab.references:
            behind = ahead
    return behind


def _says_what_for(tokens: list[str], index: int, vocab: Grammar) -> bool:
    """Whether what is paid stands before two words of who is paid: "LOYER SCI TILLEULS"."""
    if index > len(tokens) - 3 or vocab.roles.get(tokens[index]) != "closer":
        return False
    return tokens[index + 1] not in vocab.small and tokens[index + 1].isalpha()


def _says_how(token: str, vocab: Grammar) -> bool:
    return (
        _is_number(token)
        or token in vocab.rails
        or token in vocab.references
        or token in vocab.datings
        or token in vocab.small
    )


def _is_number(token: str) -> bool:
    """Whether a token is a number or a long code such as "it44zzz0000001182200"."""
    return token.isdigit() or (len(token) > 5 and token[-1].isdigit() and token[-4:].isdigit())


def _may_be_paid(name: list[str], vocab: Grammar) -> bool:
    """Whether a transfer goes to a person or a firm, and not to an account of one's own."""
    if name[0] in vocab.given:
        return True
    if len(name[0]) == 1 and name[0].isalpha():
        return len(name) > 1 and len(name[1]) > 1
    two = [token for token in name[:2] if token.isalpha() and len(token) > 1]
    return len(two) > 1 and vocab.own_accounts.isdisjoint(name)


def _town_before(tokens: list[str], start: int, vocab: Grammar) -> int:
    """How many words of a city stand before the name; at least one word is left."""
    for length in (3, 2, 1):
        town = tuple(tokens[start : start + length])
        if start + length < len(tokens) and town in vocab.cities.get(town[-1], ()):
            return length
    return 0


def _is_between(tokens: list[str], index: int, vocab: Grammar) -> bool:
    """Whether a token between how it was paid and who was paid names neither; "Jun Park" is a name."""
    token = tokens[index]
    if token.isalpha():
        by_number = tokens[index - 1].isdigit() or tokens[index + 1].isdigit()
        return (
            token in vocab.connectors
            or token in vocab.noise
            or (token in vocab.months and by_number)
        )
    if token.isdigit():
        return len(token) > 2 or token[0] == "0"
    return all(part.isdigit() for part in token_parts(token))


def says_pay(tokens: Sequence[str], vocab: Grammar) -> bool:
    """Whether a descriptor says that it is an employer's pay."""
    if not vocab.pay.isdisjoint(tokens) or (
        not DIRECT.isdisjoint(tokens) and not DEPOSITS.isdisjoint(tokens)
    ):
        return True
    if "pay" in tokens[1:]:
        index = tokens.index("pay", 1)
        return (
            tokens[index - 1] in vocab.legal
            or tuple(tokens[:2]) in _CREDITED
            or not _EMPLOYERS.isdisjoint(tokens[:index])
        )
    return "folha" in tokens[1:] and not _PAID_OUT.isdisjoint(tokens)


class SaidPurpose(NamedTuple):
    """A purpose, the words that say it, and every phrase of the text that says one."""

    purpose: Purpose
    phrase: tuple[str, ...]
    phrases: frozenset[tuple[str, ...]]


def purpose_in(tokens: list[str], vocab: Grammar) -> SaidPurpose | None:
    """The purpose that a text's tokens say; of several the one of most words, and then the first."""
    purposes: dict[tuple[str, ...], Purpose] = {}
    end = 0
    for position in sorted(
        at for token in vocab.purpose_words & set(tokens) for at in _places_in(token, tokens)
    ):
        phrase = vocab.purposes.longest(tokens, position) if position >= end else None
        if phrase is not None:
            end = position + phrase[0]
            purposes.setdefault(tuple(tokens[position:end]), phrase[1])
    if not purposes:
        return None
    longest = max(purposes, key=len)
    return SaidPurpose(purposes[longest], longest, frozenset(purposes))


def _places_in(token: str, tokens: list[str]) -> Iterator[int]:
    """Where a word stands among tokens, found without looking at each of them in turn."""
    index = -1
    for _ in range(tokens.count(token)):
        index = tokens.index(token, index + 1)
        yield index


def purpose_of(key: str) -> Purpose | None:
    """The purpose that a payee's key closes with, if it is one of a payer told apart."""
    purposes = _purposes_by_name()
    # Nearly all keys close with none, which is told at once.
    if not key.endswith(tuple(purposes)):
        return None
    padded = f" {key}"
    return next((purposes[name] for name in purposes if padded.endswith(f" {name}")), None)


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


def nobody_in(tokens: Sequence[str], vocab: Grammar) -> str | None:
    """What a row is that names nobody: a bank's fee, its interest, money to own savings; else None."""
    if not vocab.fee_nouns.isdisjoint(tokens) and (fee := fee_in(tokens, vocab)):
        return fee
    for name, kind in vocab.nameless.items():
        if kind.nouns.isdisjoint(tokens):
            continue
        tokens_left = {token for token in tokens if token.isalpha() and token not in vocab.dated}
        if kind.allowed.issuperset(tokens_left) and (
            not kind.needs or not kind.needs.isdisjoint(tokens_left)
        ):
            return name
    return None


def check_or_nobody(name: Sequence[str], vocab: Grammar) -> str | None:
    """What a name is that is nobody's, of which a paper check's number may have gone."""
    if not vocab.checks.isdisjoint(name) and vocab.check_words.issuperset(
        token for token in name if token not in vocab.small
    ):
        return _CHECK
    return nobody_in(name, vocab)


def is_cash(tokens: list[str], vocab: Grammar) -> bool:
    """Whether cash was taken out, whoever owns the machine; its fee is another matter.

    The cash of "Cash App" is none.
    """
    at_desk = not vocab.cash_desks.isdisjoint(tokens) and not vocab.cash_words.isdisjoint(tokens)
    if not at_desk and not _takes_cash(tokens, vocab):
        return False
    if "fee" in tokens and vocab.including.isdisjoint(tokens):
        return False
    merchant = merchant_at(tokens, 0)
    return merchant is None or not merchant[1].people


def _takes_cash(tokens: list[str], vocab: Grammar) -> bool:
    """Whether "cash" stands right before or behind a word for taking it out."""
    if "cash" not in tokens:
        return False
    index = tokens.index("cash")
    beside = (*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2])
    return any(token in vocab.cash_words for token in beside)


def name_fee(tokens: Collection[str]) -> str:
    """The name of the fee that a row of such words charges; "bank fee" where they tell no kind.

    Of two kinds the first one in the data holds.
    """
    kinds = grammar().fee_kinds
    return next((kind for kind, own in kinds.items() if not own.isdisjoint(tokens)), _ANY_FEE)


def fee_in(tokens: Sequence[str], vocab: Grammar) -> str | None:
    """The name of the fee that a row charges; None where its words name anything else.

    A word that is also one for dues or costs of others needs a kind beside it; how often they are due
    and how they are sent is said of a rent, too. What only a bank charges for is a fee however it was
    paid.
    """
    fee_tokens = [
        token
        for token in tokens
        if token in vocab.fee_words or (token.isalpha() and not _says_nothing(token, vocab))
    ]
    if vocab.fee_nouns.isdisjoint(fee_tokens):
        return None
    others = [term for term in fee_tokens if term not in vocab.fee_words]
    kind = name_fee([token for token in fee_tokens if token not in _RHYTHMS_OF_FEES])
    if others and not (kind in _FEES_OF_BANKS and vocab.mechanics.issuperset(others)):
        return None
    # "Commission on a transfer" is a fee, and "transfer: monthly dues" is none.
    is_sent = kind == _FEE_FOR_SENDING and fee_tokens[0] in vocab.fee_kinds[_FEE_FOR_SENDING]
    if (kind == _ANY_FEE or is_sent) and vocab.fees.isdisjoint(fee_tokens):
        return None
    return name_fee(fee_tokens)


def _says_nothing(token: str, vocab: Grammar) -> bool:
    return any(
        token in wordlist for wordlist in (vocab.dated, vocab.small, vocab.links, vocab.references)
    )
