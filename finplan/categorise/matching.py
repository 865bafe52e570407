"""What the shipped data say of a payee: by its name, by the words beside it, or that it is a person."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import zip_longest
from string import ascii_letters, digits

from finplan.categorise.brands import find_brand
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import (
    CategoryPhrase,
    CuratedMatch,
    Direction,
    InflowSign,
    Merchant,
    curated,
    find_merchant,
    merchant_at,
)
from finplan.categorise.grammar import Purpose, grammar, wing_after
from finplan.categorise.payee import payee_of
from finplan.categorise.payments import payer_of, purpose_in, purpose_of
from finplan.categorise.tokens import tokens_of

MATCHES = 8192
"""Of how many payees is remembered what the data say; a rule of the person's has many judged again."""

_INSIDE_CONFIDENCE = 0.9
_GUESS_CONFIDENCE = 0.5
_DOUBTFUL_CONFIDENCE = 0.6
_NOTE_CONFIDENCE = 0.7
_PURPOSE_CONFIDENCE = 0.9
_PAY_BACK = frozenset(("health", "insurance"))
_EARNED_OR_DUE = ("pension_benefits", "self_employment")
_BENEFITS = ("pension", "temporary", "benefit")
_LOOKS_ALIKE = "unknown_inflow"
_CONTAINS = "The description contains “{}”"
_LETTERS_OF_AN_END = 6
_DIGITS_OF_AN_INVOICE = 3


@lru_cache(MATCHES)
def match(key: str, raw: str, direction: Direction) -> CuratedMatch | None:
    """What the shipped data say of the payee `key`, seen as `raw`; None when they say nothing.

    Merchants are looked for in the key, words in both. For money out a merchant is better evidence
    than words; for money in the words are, since a shop's credit is pay, a refund or a reward.
    """
    if direction == "in" and (purpose := purpose_of(key)) is not None:
        return _for_purpose(key, raw, purpose)
    name_tokens, seen_tokens = key.split(), tokens_of(raw)
    if direction == "in":
        return _match_in(key, raw, name_tokens, seen_tokens)
    rail = None if _rail_words().isdisjoint(seen_tokens) else _rail(key, raw)
    merchant = _merchant(name_tokens, direction) if rail is None else _guess_merchant(rail)
    if merchant is not None and not _is_doubted(merchant):
        return merchant if rail is None else _noted(merchant, seen_tokens, name_tokens)
    by_words = _best_words([seen_tokens, name_tokens], direction)
    if by_words is not None and _is_fee_of_another(by_words, key, name_tokens):
        # A shop abroad, or a machine there, is none because its row names the fee that came with it.
        by_words = _best_words([name_tokens], direction)
    if by_words is not None:
        by_words = _doubted(by_words, name_tokens)
    if merchant is None or by_words is None:
        return by_words or merchant
    return merchant if merchant.ask else by_words


def _match_in(key: str, raw: str, name: list[str], tokens: list[str]) -> CuratedMatch | None:
    """What the shipped data say of money in.

    A pension by direct deposit is a pension, and money that a payer calls a refund is neither a pension
    nor a payout.
    """
    rail = None if _rail_words().isdisjoint(tokens) else _rail(key, raw)
    merchant = _merchant(name, "in") if rail is None else _guess_merchant(rail)
    refunds = not grammar().refunds.isdisjoint(tokens)
    if refunds and merchant is not None and merchant.category in _EARNED_OR_DUE:
        merchant = None
    if merchant is None:
        tokens = _with_invoices(tokens)
    but = _EARNED_OR_DUE if refunds else ()
    phrase = _best_phrase([tokens], "in", but=but)
    if phrase is None or phrase.order == "last":
        # A well-known name is not always what the row says: "SVB AOW" for a row of "SVB".
        phrase = _best_phrase([tokens, name], "in", but=but)
    if phrase is None:
        return merchant
    by_words = _by_words(phrase)
    if merchant is None:
        return by_words
    if merchant.ask:
        return by_words if BUILT_IN[by_words.category].flow == "income" else merchant
    if phrase.order == "last":
        return merchant if merchant.sign in _BENEFITS else by_words
    # All that a Dutch bank writes of interest is "rente", which elsewhere is a pension.
    spelled = " ".join(token for token in tokens if token.isalpha())
    is_name = merchant.category != by_words.category and find_merchant(spelled) is not None
    return merchant if is_name else by_words


def _with_invoices(tokens: list[str]) -> list[str]:
    """The tokens with an invoice spelled out where its number follows: "inv 1042", "inv1042".

    A short number is a postcode or a date's, and beside words of investing the row is of a broker.
    """
    vocab = grammar()
    if not vocab.investing.isdisjoint(tokens):
        return tokens
    return [
        "invoice"
        if (token in vocab.invoice_marks and _is_number(following))
        or (token.rstrip(digits) in vocab.invoice_marks and _is_number(token.lstrip(ascii_letters)))
        else token
        for token, following in zip_longest(tokens, tokens[1:], fillvalue="")
    ]


def _is_number(token: str) -> bool:
    return token.isdigit() and len(token) >= _DIGITS_OF_AN_INVOICE


def _for_purpose(key: str, raw: str, purpose: Purpose) -> CuratedMatch:
    """What a payer sends for a purpose: the purpose's category, but of an insurer its own.

    What an insurer or a doctor pays back are no work expenses, and lower what was paid there.
    """
    payer = payer_of(key, purpose)
    own = match(payer, payer, "out") if payer and purpose.category == "work_expenses" else None
    if own is not None and own.category in _PAY_BACK:
        return own
    said_purpose = purpose_in(tokens_of(raw.replace("+", " ")), grammar())
    phrase = purpose.name if said_purpose is None else " ".join(said_purpose.phrase)
    text = _CONTAINS.format(phrase)
    return CuratedMatch(
        purpose.category, _PURPOSE_CONFIDENCE, text, phrase=phrase, sign=purpose.sign
    )


def inflow_sign(key: str, texts: Iterable[str]) -> InflowSign | None:
    """The kind of money in that most texts of a payee's inflows say, of equals the first's.

    `texts` stand newest first. A text that says nothing is no evidence: employers often leave "salary"
    out. No rhythm and no rule of the person's says it.
    """
    matches = (match(key, text, "in") for text in texts)
    signs = Counter(
        matched.sign for matched in matches if matched is not None and matched.sign is not None
    )
    return max(signs, key=signs.__getitem__, default=None)


def says_refund(raw: str) -> bool:
    """Whether a descriptor says that money comes back from where it was spent."""
    return not grammar().refunds.isdisjoint(tokens_of(raw))


def says_no_wages(raw: str) -> bool:
    """Whether a descriptor says a reward, or what an association shares out, however regular it is."""
    vocab, tokens = grammar(), tokens_of(raw)
    if not vocab.rewards.isdisjoint(tokens) or "cash back" in " ".join(tokens):
        return True
    if vocab.shares.isdisjoint(tokens):
        return False
    # German and its neighbors write one word: "Anglerverein".
    ends = tuple(ending for ending in vocab.associations if len(ending) >= _LETTERS_OF_AN_END)
    return any(token in vocab.associations or token.endswith(ends) for token in tokens)


@cache
def _rail_words() -> frozenset[str]:
    """The first words of the rails that pay people."""
    return frozenset(
        phrase.partition(" ")[0]
        for phrase, merchant in curated().by_phrase.items()
        if merchant.people
    )


def _rail(key: str, raw: str) -> Merchant | None:
    """The rail over which somebody was paid whose key no longer says so, as "john smith" does not."""
    paid = payee_of(raw)
    return find_merchant(paid.rail) if paid.rail and paid.key == key else None


def _merchant(tokens: list[str], direction: Direction) -> CuratedMatch | None:
    """The merchant that the key opens with, else one of at least two tokens inside it."""
    for position in range(len(tokens)):
        at_position = merchant_at(tokens, position)
        if (
            at_position is None
            and not position
            and (brand := find_brand(" ".join(tokens))) is not None
        ):
            at_position = len(tokens), brand
        if at_position is None:
            continue
        length, merchant = at_position
        if position and (length == 1 or merchant.ask):
            continue
        wing = None if position else wing_after(merchant, tokens[length:], grammar())
        if wing is not None:
            text = f"{merchant.name} department: {BUILT_IN[wing.category].label.lower()}"
            return CuratedMatch(wing.category, _INSIDE_CONFIDENCE, text, merchant=True)
        if merchant.ask:
            return _guess_merchant(merchant)
        category = merchant.out if direction == "out" else merchant.into
        if category is not None:
            confidence = _INSIDE_CONFIDENCE if position else merchant.confidence
            text = f"Known merchant: {BUILT_IN[category].label.lower()}"
            return CuratedMatch(
                category,
                confidence,
                text,
                alternatives=merchant.alternatives,
                merchant=True,
                sign=None if direction == "out" else merchant.sign,
            )
    return None


def _is_doubted(merchant: CuratedMatch) -> bool:
    """Whether a merchant's name may be a local shop's as well, so that words for a trade say more."""
    return not merchant.ask and merchant.confidence < _INSIDE_CONFIDENCE


def _noted(rail: CuratedMatch, tokens: list[str], name: list[str]) -> CuratedMatch:
    """What a person was paid for, by the words of the note that are none of the name: "john smith rent".

    It stays a question, since a note speaks of one payment.
    """
    note = _best_words([[token for token in tokens if token not in name]], "out")
    if note is None or BUILT_IN[note.category].flow == "move":
        return rail
    text = f"{rail.rule_text}. The payment's note says “{note.phrase}”"
    return rail._replace(category=note.category, confidence=_NOTE_CONFIDENCE, rule_text=text)


def _guess_merchant(merchant: Merchant) -> CuratedMatch:
    if merchant.people:
        text = f"{merchant.name} sends money to people, so only you know the category"
    else:
        text = f"{merchant.name} sells many things, so only you know the category"
    guess = merchant.out or "uncategorized"
    return CuratedMatch(
        guess, _GUESS_CONFIDENCE, text, ask=True, alternatives=merchant.alternatives
    )


def _is_fee_of_another(curated_match: CuratedMatch, key: str, name: list[str]) -> bool:
    """Whether words for a fee stand beside the name of a payee who is no fee."""
    if curated_match.category != "interest_fees" or grammar().fee_words.issuperset(name):
        return False
    return f" {curated_match.phrase} " not in f" {key} " and not grammar().fees.intersection(name)


def _doubted(curated_match: CuratedMatch, name: list[str]) -> CuratedMatch:
    """The match as a guess only where its one word may not say what the payee is.

    A "Mortgage Brokers Club Bar" closes with another trade, which is the likelier one, and "Barber Ford"
    with none: English puts a calling last, so that it may be a surname. A "Barber on Main" is a barber.
    """
    vocab, last = grammar(), name[-1]
    if curated_match.phrase not in name[:-1] or last in vocab.generic:
        return curated_match
    if last not in vocab.trades:
        opens = name[0] == curated_match.phrase and name[1] not in vocab.connectors
        may_be_surname = opens and curated_match.phrase in vocab.surnames & vocab.callings
        return (
            curated_match._replace(confidence=_DOUBTFUL_CONFIDENCE)
            if may_be_surname
            else curated_match
        )
    closing = _best_words([[last]], "out")
    if closing is None or closing.category == curated_match.category:
        return curated_match
    return closing._replace(confidence=_DOUBTFUL_CONFIDENCE, alternatives=(curated_match.category,))


def _best_words(texts: Iterable[list[str]], direction: Direction) -> CuratedMatch | None:
    phrase = _best_phrase(texts, direction)
    return None if phrase is None else _by_words(phrase)


def _by_words(phrase: CategoryPhrase) -> CuratedMatch:
    text = _CONTAINS.format(phrase.phrase)
    return CuratedMatch(
        phrase.category, phrase.confidence, text, phrase=phrase.phrase, sign=phrase.sign
    )


def _best_phrase(
    texts: Iterable[list[str]], direction: Direction, but: Collection[str] = ()
) -> CategoryPhrase | None:
    """The longest phrase; of equals the surest; of equals the last, as in "college pizza".

    `but` are categories that no phrase is looked for of. For `order` see `curated.Order`.
    """
    phrases = [
        phrase for tokens in texts for phrase in _phrases(tokens, direction)
        if phrase[1].category not in but
    ]  # fmt: skip
    if any(phrase.order == "first" for _, phrase in phrases):
        phrases = [pair for pair in phrases if pair[1].category not in _EARNED_OR_DUE]
    if any(phrase.order != "last" for _, phrase in phrases):
        phrases = [pair for pair in phrases if pair[1].order != "last"]
    # Of equals `max` takes the first one that it sees.
    ranks = ((length, phrase.confidence, phrase) for length, phrase in reversed(phrases))
    best = max(ranks, key=lambda rank: rank[:2], default=None)
    return best and best[2]


def _phrases(tokens: list[str], direction: Direction) -> Iterator[tuple[int, CategoryPhrase]]:
    """The phrases of a text with their number of tokens, but those inside one that goes last."""
    wordlist, behind = curated().phrases[direction], 0
    for position in range(len(tokens)):
        longest = wordlist.longest(tokens, position) if position >= behind else None
        if longest is None:
            continue
        length, phrase = longest
        if phrase.order == "last":
            behind = position + length
        if phrase.category != _LOOKS_ALIKE:
            yield length, phrase
