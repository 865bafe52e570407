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

NOT_FILED = "Not sure enough to file it."
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
    arrived on a credit card. `regular_credits` is
    "pay" when the other credits come as pay does, "other" when they are regular in another way.
    `loan_peer` is the kind of linked loan that outflows to this payee are paired with. `code` and
    `code_in` are the bank's own codes that most rows of money out and of money in carry, where it gives
    them; see `merchant_codes.match_code`.
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


_NOT_KNOWN_IN = _Answer(
    "unknown_inflow", "Nothing is known of this payee yet", alternatives=_INFLOW_GUESSES
)


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
        fitting = tuple(each for each in guess.alternatives if self.fits(each, direction))
        return guess._replace(alternatives=fitting)

    def fits(self, category: str, direction: Direction) -> bool:
        """Whether money in a direction may be of a category; what goes out is never income."""
        return category in self.catalogue and (
            direction == "in" or self.catalogue.flow(category) != "income"
        )

    def label(self, category: str) -> str:
        """What a category is called, as a part of a sentence; a name that the person gave is kept."""
        found = self.catalogue[category]
        return found.label if found.custom else found.label.lower()


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
    said = match(facts.key, facts.raw, "out")
    if said is not None and said.ask:
        return _unknown("uncategorized", said)
    coded = match_code(facts.code, "out") if facts.code else None
    found = _better(said, coded)
    if found is not None and _applies(found):
        return _curated(found)
    guess = knowledge.guess(facts.key, "out")
    return _learnt(knowledge, guess) or _guessed(knowledge, guess, found)


def _inflow(facts: PayeeFacts, out: _Answer, knowledge: Knowledge) -> _Answer:
    """Income needs evidence; short of it a credit is a refund, a card payment or not known."""
    said = match(facts.key, facts.seen_in, "in")
    if 0 < facts.credits == facts.card_credits:
        return _card_credit(said, out, knowledge)
    if said is not None and facts.debits and _gives_back(said, out):
        said = None
    asked = said is not None and said.ask
    code = facts.code_in or facts.code
    if code and not asked and (said is None or not _applies(said)):
        said = match_code(code, "in") or said
    spends = said is not None and knowledge.catalogue.flow(said.category) == "spending"
    if said is not None and _applies(said) and not spends and said.category != "card_payment":
        return _curated(said)
    if facts.debits or spends or says_refund(facts.seen_in):
        pays_people = asked and said is not None and said.category == "uncategorized"
        refunds = _is_spending(out, knowledge) and not pays_people
        # What comes back from savings in a rhythm is no pay.
        no_pay = asked or (facts.debits > 0 and not _is_spending(out, knowledge))
        return _income(facts, asked=no_pay, refund=_refund(out) if refunds else None)
    if asked:
        return _income(facts, asked=True)
    guess = knowledge.guess(facts.key, "in")
    return _learnt(knowledge, guess) or _income(facts, guess=_guessed_inflow(knowledge, guess, out))


def _gives_back(said: CuratedMatch, out: _Answer) -> bool:
    """Whether words for income, of a payee who is paid too, say what comes back.

    A client only pays; whoever is paid too gives money back for an invoice. A processor takes its fees
    and still pays out. "Pension" is a guest house, too.
    """
    if said.category == "self_employment":
        return said.sign != "payout" or said.merchant or out.source is not None
    return said.category == "pension_benefits" and "travel" in (out.category, out.suggested)


def _income(
    facts: PayeeFacts,
    *,
    asked: bool = False,
    refund: _Answer | None = None,
    guess: _Answer | None = None,
) -> _Answer:
    """Pay by its rhythm; else a refund; else other income by its rhythm; else a guess, or not known."""
    if facts.regular_credits == "pay" and not asked:
        return _Answer("wages", "Arrives as pay does", "auto", _PAY_CONFIDENCE, _OTHER_PAY)
    if refund is not None:
        return refund
    if facts.regular_credits == "other" and not asked:
        text = "Arrives regularly, but not as pay does"
        return _Answer("other_income", text, "auto", _OTHER_INCOME_CONFIDENCE, _OTHER_PAY)
    return guess or _NOT_KNOWN_IN


def _card_credit(said: CuratedMatch | None, out: _Answer, knowledge: Knowledge) -> _Answer:
    """On a card a credit is a payment if it says so, else a refund, and never income."""
    if said is not None and said.category == "card_payment":
        return _curated(said)
    if _is_spending(out, knowledge):
        return _refund(out)
    return _Answer("uncategorized", "A refund on a card")


def _better(said: CuratedMatch | None, coded: CuratedMatch | None) -> CuratedMatch | None:
    """The better evidence of a name and a code; what the other says is the next best answer."""
    if said is None or coded is None:
        return said or coded
    by_name = said.merchant or coded.confidence < said.confidence
    best, other = (said, coded) if by_name else (coded, said)
    if best.category == other.category:
        return best
    return best._replace(alternatives=(other.category, *best.alternatives))


def _applies(said: CuratedMatch) -> bool:
    return not said.ask and said.confidence >= APPLIES_FROM


def _is_spending(answer: _Answer, knowledge: Knowledge) -> bool:
    return knowledge.catalogue.flow(answer.category) == "spending"


def _curated(said: CuratedMatch) -> _Answer:
    return _Answer(said.category, said.rule_text, "curated", said.confidence, said.alternatives)


def _learnt(knowledge: Knowledge, guess: Guess | None) -> _Answer | None:
    """The answer that what was learnt is sure enough of, if any."""
    if guess is None or guess.confidence < AUTO_FROM:
        return None
    because = _because(guess, knowledge)
    return _Answer(guess.category, because, "auto", guess.confidence, guess.alternatives)


def _because(guess: Guess, knowledge: Knowledge) -> str:
    label = knowledge.label(guess.category)
    if guess.like is not None:
        return f"Like {guess.like}, which you filed under {label}"
    usual = f", where you filed {guess.habit} payees" if guess.habit else ""
    if guess.word is not None:
        return f"The word '{guess.word}' in its name speaks for {label}{usual}"
    return f"Its name is like others under {label}{usual}"


def _refund(out: _Answer) -> _Answer:
    """Money back lowers the category that it was spent in."""
    if out.source is None:
        return out._replace(text="Money back from a payee that is not yet known")
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


def _unknown(category: str, said: CuratedMatch | None) -> _Answer:
    if said is None:
        return _Answer(category, "Nothing is known of this payee yet")
    suggested = None if said.category == "uncategorized" else said.category
    confidence = None if suggested is None else said.confidence
    return _Answer(category, said.rule_text, None, confidence, said.alternatives, suggested)


# A name with apostrophes is no quotation: only these words stand before one.
_QUOTED_WORDS = re.compile(r"\b(?:words?|says) '([^']+)'")
_OF_OTHERS = "By what other rows of this payee say"


def reason_for(text: str, raw: str) -> str:
    """A payee's reason for a row described as `raw`: it quotes no word that the row does not have.

    A payee is judged by one of its rows, and what that one says need not stand in the others.
    """
    kept, place = list[str](), 0
    quotes = list(_QUOTED_WORDS.finditer(text))
    for quote, following in zip_longest(quotes, quotes[1:]):
        end = text.find(".", quote.end()) if "." in text[quote.end() :] else len(text)
        if following is not None and following.start() < end:
            # Of several in a sentence the last one counts.
            continue
        start = max(place, text.rfind(".", place, quote.start()) + 1)
        before = text[start : quote.start()].lstrip()
        if before:
            start = quote.start() - len(before)
            kept += [
                text[place:start],
                text[start:end] if _says_phrase(raw, quote[1]) else _OF_OTHERS,
            ]
            place = end
    return "".join([*kept, text[place:]])


def _says_phrase(raw: str, phrase: str) -> bool:
    seen, wanted = tokens_of(raw.replace("+", " ")), phrase.split()
    return any(seen[place : place + len(wanted)] == wanted for place in range(len(seen)))
