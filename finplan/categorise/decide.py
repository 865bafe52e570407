"""What a payee's money is for until the person says so: one category out, one in, and why.

The best evidence wins: a linked loan, a well-known merchant, the bank's own code, distinctive words,
and last what was learnt from the person's own rules and the shipped data. A merchant's name goes before
the code, since it says which shop it was and a code only what kind of shop signed the contract (a
supermarket's pumps, a pharmacy's toys); a code goes before words, since "Pharmacy" may be a bar's name
but not its trade. The person's rules are not looked at here; whoever holds them lets them win.

A payee's reason is told of a row as far as it holds for that row's own words.
"""

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeGuard

from finplan.categorise.bank_categories import match_code
from finplan.categorise.catalogue import Catalogue
from finplan.categorise.curated import CuratedMatch, Direction
from finplan.categorise.infer import AUTO_FROM, CategoryModel, Guess
from finplan.categorise.matching import match, says_refund
from finplan.categorise.tokens import tokens_of
from finplan.model.category import RuleSource

APPLIES_FROM = 0.85
"""The least confidence that files a payee; anything weaker is only suggested in a question."""

SUGGESTS_FROM = 0.25
"""The least confidence of a guess that is shown; a weaker one misleads more than it helps."""

UNKNOWN_PAYEE = "finplan does not know this payee yet"
"""The reason of a payee of which nothing is known."""

NOT_FILED = "Not certain."
"""What the reason of an open payee with a suggestion begins with."""

_LOAN_CONFIDENCE = 0.95
_PAY_CONFIDENCE = 0.85
_OTHER_INCOME_CONFIDENCE = 0.7
_SHARE_CONFIDENCE = 0.5

_OTHER_PAY = ("self_employment", "pension_benefits", "other_income")
_INFLOW_GUESSES = ("other_income", "transfer", "wages")


@dataclass(frozen=True, slots=True)
class PayeeFacts:
    """What a household's rows say of one payee.

    `raw` is a descriptor it was seen under, `raw_in` one of money in from a payee that is paid too; an
    employer and its shop are one payee, and only the descriptors tell pay from a refund. `debits` and
    `credits` count rows of money out and in, on any account; `card_credits` are those credits that
    arrived on a credit card. `regular_credits` is "pay" when the other credits come as pay does, "other"
    when they are regular in another way. `loan_peer` is the kind of linked loan that outflows to this
    payee are paired with. `code` and `code_in` are the bank's own codes that most rows of money out and
    of money in carry, where it gives them; see `merchant_codes.match_code`.
    """

    key: str
    name: str
    raw: str
    debits: int
    credits: int
    card_credits: int = 0
    regular_credits: Literal["no", "pay", "other"] = "no"
    loan_peer: Literal["mortgage", "loan"] | None = None
    code: str | None = None
    raw_in: str | None = None
    code_in: str | None = None

    @property
    def seen_in(self) -> str:
        """The descriptor that speaks for money in."""
        return self.raw if self.raw_in is None else self.raw_in


@dataclass(frozen=True, slots=True)
class Decision:
    """The category of a payee's outflows and of its inflows, and the sentence that says why.

    `source`, `confidence`, `alternatives`, `suggested` and `text` speak of the outflows, or of the
    inflows of a payee that has no others. `source` is None when nothing is known and the person should
    be asked; `suggested` is the guess to ask with, and then `confidence` is the guess's.
    """

    out: str
    into: str
    text: str
    source: RuleSource | None
    confidence: float | None
    alternatives: tuple[str, ...]
    suggested: str | None


class _Answer(NamedTuple):
    """The category of one direction."""

    category: str
    text: str
    source: RuleSource | None = None
    confidence: float | None = None
    alternatives: tuple[str, ...] = ()
    suggested: str | None = None


_NOT_KNOWN_IN = _Answer("unknown_inflow", UNKNOWN_PAYEE, alternatives=_INFLOW_GUESSES)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a household's payees are judged by beside the shipped data.

    `out` and `into` were learnt for money out and money in; without them nothing is inferred.
    """

    catalogue: Catalogue = field(default_factory=Catalogue)
    out: CategoryModel | None = None
    into: CategoryModel | None = None

    def guess(self, key: str, direction: Direction) -> Guess | None:
        """What a payee's name suggests for money in one direction, among categories that make sense."""
        lessons = self.out if direction == "out" else self.into
        guess = None if lessons is None else lessons.guess(key)
        if guess is None or not self.fits(guess.category, direction):
            return None
        fitting = tuple(
            alternative for alternative in guess.alternatives if self.fits(alternative, direction)
        )
        return guess._replace(alternatives=fitting)

    def fits(self, category: str, direction: Direction) -> bool:
        """Whether money in a direction may be of a category; what goes out is never income."""
        return category in self.catalogue and (
            direction == "in" or self.catalogue.flow(category) != "income"
        )

    def label(self, category: str) -> str:
        """What a category is called."""
        return self.catalogue[category].label


_SHIPPED = Knowledge()


def decide(facts: PayeeFacts, knowledge: Knowledge = _SHIPPED) -> Decision:
    """Answer for every payee: known by the best evidence there is, else not known, with a suggestion."""
    out = _outflow(facts, knowledge)
    # Whoever never paid anything back gives refunds if anything; a first credit is judged afresh.
    silent = facts.debits and not facts.credits and _is_spending(out, knowledge)
    into = _refund(out) if silent else _inflow(facts, out, knowledge)
    if _takes_income_back(facts, out, into, knowledge):
        out = into
    spoken = into if facts.credits and not facts.debits else out
    return Decision(out.category, into.category, *spoken[1:])


def _takes_income_back(
    facts: PayeeFacts, out: _Answer, into: _Answer, knowledge: Knowledge
) -> bool:
    """Whether charges that nothing else files say that an employer takes pay back, and so lower it."""
    return (
        facts.debits > 0
        and out.source is None
        and knowledge.catalogue.flow(into.category) == "income"
        and says_refund(facts.raw)
    )


def _outflow(facts: PayeeFacts, knowledge: Knowledge) -> _Answer:
    if facts.loan_peer == "mortgage":
        return _Answer("mortgage", "Paid to a linked mortgage", "auto", _LOAN_CONFIDENCE)
    if facts.loan_peer == "loan":
        return _Answer("loan_payment", "Paid to a linked loan", "auto", _LOAN_CONFIDENCE)
    matched = match(facts.key, facts.raw, "out")
    if matched is not None and matched.ask:
        return _unknown("uncategorized", matched)
    coded = match_code(facts.code, "out") if facts.code else None
    best_match = _better(matched, coded)
    if best_match is not None and _applies(best_match):
        return _curated(best_match)
    guess = knowledge.guess(facts.key, "out")
    return _learnt(knowledge, guess) or _guessed(knowledge, guess, best_match)


def _inflow(facts: PayeeFacts, out: _Answer, knowledge: Knowledge) -> _Answer:
    """Income needs evidence; short of it a credit is a refund, a card payment or not known."""
    matched = match(facts.key, facts.seen_in, "in")
    if 0 < facts.credits == facts.card_credits:
        return _card_credit(matched, out, knowledge)
    if matched is not None and facts.debits and _gives_back(matched, out):
        matched = None
    must_ask = matched is not None and matched.ask
    code = facts.code_in or facts.code
    if code and not must_ask and (matched is None or not _applies(matched)):
        matched = match_code(code, "in") or matched
    spends = matched is not None and knowledge.catalogue.flow(matched.category) == "spending"
    if (
        matched is not None
        and _applies(matched)
        and not spends
        and matched.category != "card_payment"
    ):
        return _curated(matched)
    if facts.debits or spends or says_refund(facts.seen_in):
        pays_people = must_ask and matched is not None and matched.category == "uncategorized"
        refunds = _is_spending(out, knowledge) and not pays_people
        # What comes back from savings in a rhythm is no pay.
        no_pay = must_ask or (facts.debits > 0 and not _is_spending(out, knowledge))
        return _income(facts, must_ask=no_pay, refund=_refund(out) if refunds else None)
    if must_ask:
        return _income(facts, must_ask=True)
    guess = knowledge.guess(facts.key, "in")
    return _learnt(knowledge, guess) or _income(facts, guess=_guessed_inflow(knowledge, guess, out))


def _gives_back(curated_match: CuratedMatch, out: _Answer) -> bool:
    """Whether words for income, of a payee who is paid too, say what comes back.

    A client only pays; whoever is paid too gives money back for an invoice. A processor takes its fees
    and still pays out. "Pension" is a guest house, too.
    """
    if curated_match.category == "self_employment":
        return curated_match.sign != "payout" or curated_match.merchant or out.source is not None
    return curated_match.category == "pension_benefits" and "travel" in (
        out.category,
        out.suggested,
    )


def _income(
    facts: PayeeFacts,
    *,
    must_ask: bool = False,
    refund: _Answer | None = None,
    guess: _Answer | None = None,
) -> _Answer:
    """Pay by its rhythm; else a refund; else other income by its rhythm; else a guess, or not known."""
    if facts.regular_credits == "pay" and not must_ask:
        return _Answer("wages", "Arrives regularly, like pay", "auto", _PAY_CONFIDENCE, _OTHER_PAY)
    if refund is not None:
        return refund
    if facts.regular_credits == "other" and not must_ask:
        text = "Arrives regularly, but not like pay"
        return _Answer("other_income", text, "auto", _OTHER_INCOME_CONFIDENCE, _OTHER_PAY)
    return guess or _NOT_KNOWN_IN


def _card_credit(curated_match: CuratedMatch | None, out: _Answer, knowledge: Knowledge) -> _Answer:
    """On a card a credit is a payment if it says so, else a refund, and never income."""
    if curated_match is not None and curated_match.category == "card_payment":
        return _curated(curated_match)
    if _is_spending(out, knowledge):
        return _refund(out)
    return _Answer("uncategorized", "A refund on a card")


def _better(curated_match: CuratedMatch | None, coded: CuratedMatch | None) -> CuratedMatch | None:
    """The better evidence of a name and a code; what the other says is the next best answer."""
    if curated_match is None or coded is None:
        return curated_match or coded
    by_name = curated_match.merchant or coded.confidence < curated_match.confidence
    best, second = (curated_match, coded) if by_name else (coded, curated_match)
    if best.category == second.category:
        return best
    return best._replace(alternatives=(second.category, *best.alternatives))


def _applies(curated_match: CuratedMatch) -> bool:
    return not curated_match.ask and curated_match.confidence >= APPLIES_FROM


def _is_spending(answer: _Answer, knowledge: Knowledge) -> bool:
    return knowledge.catalogue.flow(answer.category) == "spending"


def _curated(curated_match: CuratedMatch) -> _Answer:
    return _Answer(
        curated_match.category,
        curated_match.rule_text,
        "curated",
        curated_match.confidence,
        curated_match.alternatives,
    )


def _learnt(knowledge: Knowledge, guess: Guess | None) -> _Answer | None:
    """The answer that what was learnt is sure enough of, if any."""
    if guess is None or guess.confidence < AUTO_FROM:
        return None
    because = _because(guess, knowledge)
    return _Answer(guess.category, because, "auto", guess.confidence, guess.alternatives)


def _because(guess: Guess, knowledge: Knowledge) -> str:
    label = knowledge.label(guess.category)
    if guess.like is not None:
        return f"Like {guess.like}, which you put in {label}"
    usual = f", where you put {guess.habit} payees" if guess.habit else ""
    if guess.token is not None:
        return f"“{guess.token}” often means {label}{usual}"
    return f"Its name is similar to the names of other payees in {label}{usual}"


def _refund(out: _Answer) -> _Answer:
    """Money back lowers the category that it was spent in."""
    if out.source is None:
        return out._replace(text="Money back from an unknown payee")
    return out._replace(text=f"Money back. {out.text}")


def _guessed(knowledge: Knowledge, guess: Guess | None, hint: CuratedMatch | None) -> _Answer:
    """An open payee with the surer one of a hint and of what was learnt as the suggestion."""
    if not _is_worth_showing(guess) or (hint is not None and hint.confidence >= guess.confidence):
        return _unknown("uncategorized", hint)
    return _suggested("uncategorized", guess, knowledge)


def _guessed_inflow(knowledge: Knowledge, guess: Guess | None, out: _Answer) -> _Answer:
    """An open payer with what was learnt, else with what its words say, as the suggestion.

    Rent that comes in may be a housemate's share or a tenant's, so that its words are no evidence.
    """
    if _is_worth_showing(guess):
        return _suggested("unknown_inflow", guess, knowledge)
    if out.source != "curated" or not _is_spending(out, knowledge):
        return _NOT_KNOWN_IN
    return _Answer(
        "unknown_inflow",
        f"{NOT_FILED} {out.text}",
        confidence=_SHARE_CONFIDENCE,
        alternatives=_INFLOW_GUESSES,
        suggested=out.category,
    )


def _is_worth_showing(guess: Guess | None) -> TypeGuard[Guess]:
    return guess is not None and guess.confidence >= SUGGESTS_FROM


def _suggested(category: str, guess: Guess, knowledge: Knowledge) -> _Answer:
    text = f"{NOT_FILED} {_because(guess, knowledge)}"
    return _Answer(category, text, None, guess.confidence, guess.alternatives, guess.category)


def _unknown(category: str, matched: CuratedMatch | None) -> _Answer:
    if matched is None:
        return _Answer(category, UNKNOWN_PAYEE)
    suggested = None if matched.category == "uncategorized" else matched.category
    confidence = None if suggested is None else matched.confidence
    return _Answer(category, matched.rule_text, None, confidence, matched.alternatives, suggested)


# A name with apostrophes is not a quotation: older reasons have only these words before one.
_QUOTED_WORDS = re.compile(r"\b(?:words?|says) '([^']+)'|“([^“”]+)”")
_OF_OTHERS = "Based on your other transactions with this payee"


def reason_for(text: str, raw: str) -> str:
    """A payee's reason for a row described as `raw`: it quotes no word that the row does not have.

    A payee is judged by one of its rows, and what that one says need not stand in the others.
    """
    pieces, at = list[str](), 0
    quotes = list(_QUOTED_WORDS.finditer(text))
    for quote, following in zip_longest(quotes, quotes[1:]):
        end = text.find(".", quote.end()) if "." in text[quote.end() :] else len(text)
        if following is not None and following.start() < end:
            # Of several in a sentence the last one counts.
            continue
        start = max(at, text.rfind(".", at, quote.start()) + 1)
        before = text[start : quote.start()].lstrip()
        if before or quote[2]:
            start = quote.start() - len(before)
            pieces += [
                text[at:start],
                text[start:end] if _says_phrase(raw, quote[1] or quote[2]) else _OF_OTHERS,
            ]
            at = end
    return "".join([*pieces, text[at:]])


def _says_phrase(raw: str, phrase: str) -> bool:
    tokens, phrase_tokens = tokens_of(raw.replace("+", " ")), phrase.split()
    return any(
        tokens[index : index + len(phrase_tokens)] == phrase_tokens for index in range(len(tokens))
    )
