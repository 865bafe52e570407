"""From a bank's descriptor to a payee: one key for all branches of a shop, and a name to recognise.

A well-known merchant is found by its name alone; of any other descriptor, what says how it was paid,
which branch and where is taken away; people paid over a rail such as Zelle stay apart from each other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from finplan.categorise import payments, people, shapes, wording
from finplan.categorise.brands import brand_written
from finplan.categorise.curated import Merchant, curated, find_merchant, merchant_at
from finplan.categorise.descriptor import drop_booking_day, drop_reference, is_word, name_words
from finplan.categorise.grammar import Grammar, Purpose, grammar, wing_after
from finplan.categorise.long_numbers import account_in, without_long_numbers
from finplan.categorise.places import ending
from finplan.categorise.tokens import capitalised, display_name, tokens_of


def how_outside(text: str, how: str) -> str:
    """How was paid by a text of which only a part was read: "person" by a transfer.

    A card's row that has its town in a column of its own closes with none.
    """
    if not how:
        return "person" if shapes.goes_to_people(text) else ""
    return "" if how == "card" and shapes.names_place_apart(text) else how


def says_pay_outside(text: str, vocab: Grammar, *, inside: bool) -> bool:
    """Whether a text says that it is pay, of which only a part was read."""
    if ":" in text or text[0] == "/":
        return payments.says_pay(tokens_of(text), vocab)
    return inside or ("SAL" in text and shapes.says_salary(text))


KEY_RULES = 10
"""Raised with every change of what key a descriptor gets, or of which rows are a transfer: stored payees
are keyed again then, and stored rows matched."""


class Payee(NamedTuple):
    """Who was paid: a stable key of lower-case tokens, and the name that a person reads.

    `rail` is the key of the rail over which somebody was paid ("zelle"), "" without one.
    """

    key: str
    name: str
    rail: str = ""


_NOBODY = Payee("unknown", "Unknown")
_PAY = Payee("payroll", "Payroll")
_CASH = Payee("cash withdrawal", "Cash withdrawal")
_UNOPENED: tuple[int, None, str] = (0, None, "")

_WORDS_OF_HOW = 3
_READINGS = 3
"""How many times at most a key is read once more."""
_NAMES = 4096
"""How many names in capitals are remembered."""


def payee_of(raw: str, name: str | None = None) -> Payee:
    """The payee of a descriptor, by the bank's own `name` for it when that names somebody.

    Deterministic and never empty, and a key is its own key: `payee_of(key).key == key`. A bank's filler
    ("Card payment") gives way to the descriptor; so does a rail ("PayPal"), and a house of many
    services ("Apple") where the descriptor tells which.
    """
    return payee_of_blanked(without_long_numbers(raw), name)


def payees_of(texts: Sequence[tuple[str, str | None]]) -> list[Payee]:
    """The payee of each descriptor, with the bank's own name for it; a worker can be asked for them."""
    return [payee_of(raw, name) for raw, name in texts]


def payee_of_blanked(raw: str, name: str | None = None) -> Payee:
    """`payee_of` for a descriptor from which `without_long_numbers` has taken its numbers already."""
    if (number := account_in(raw)) is not None:
        return Payee(f"account {number}", f"Account {number}")
    if not name:
        return _read(raw)
    by_name = _read(name)
    if not _names_somebody(by_name):
        return _read(raw)
    merchant = find_merchant(by_name.key)
    if merchant is not None and merchant.ask:
        by_raw = _read(raw)
        if merchant.people or find_merchant(by_raw.key) is not None:
            return by_raw
    purpose = payments.purpose_in(tokens_of(raw), grammar())
    return (purpose and _apart(by_name, purpose.purpose)) or by_name


def _names_somebody(payee: Payee) -> bool:
    tokens = payee.key.split()
    return not grammar().unnamed.issuperset(tokens) and any(map(is_word, tokens))


def _read(text: str) -> Payee:
    """The payee of a text; over a rail it is what its key says alone: a note of expenses is expenses."""
    payee = _read_once(text)
    if not (payee.rail or _names_rail_before_star(text)):
        return payee
    for _ in range(_READINGS):
        alone = _read_once(payee.key)
        if alone.key == payee.key:
            break
        payee = alone
    return payee


def _names_rail_before_star(text: str) -> bool:
    before, star, _ = text.partition("*")
    rail = find_merchant(" ".join(tokens_of(before))) if star else None
    return rail is not None and rail.people


def _read_once(text: str) -> Payee:
    vocab = grammar()
    shaped = shapes.is_shaped(text) or text[:3].lower().startswith(shapes.shipped_forms().opens)
    part, by_card = shapes.recipient_text(text) if shaped else (text, False)
    tokens = tokens_of(part) or tokens_of(text)
    if not tokens:
        return _NOBODY
    # What stands before and after a star is all in the part, but for a transfer in parts.
    is_whole = part is text or ("*" in text and "NEFT*" not in text)
    # Most rows have none of these words, so that they are looked for once.
    hinted = not vocab.hints.isdisjoint(tokens)
    if (hinted or not is_whole) and (
        apart := _told_apart(text, tokens, vocab, is_whole=is_whole, by_card=by_card)
    ):
        return apart
    how = drop_booking_day(tokens, vocab) or ("card" if by_card else "")
    hints = hinted and not vocab.payment_words.isdisjoint(tokens)
    if hints and (payee := _by_payment_word(tokens, vocab)):
        return payee
    if hinted:
        how = drop_reference(tokens, vocab) or how
    name, mark, paid = tokens, 0, False
    start, by_opening, opened = payments.skip_payment_words(tokens, vocab)
    if by_opening is None:
        if opened == "person" and tokens[start] not in vocab.given:
            start = people.recipient(tokens, start)
        paid = hints and payments.says_pay(tokens, vocab)
        name, mark = name_words(tokens, start, vocab, paid=paid)
        paid = says_pay_outside(text, vocab, inside=paid) if part is not text else paid
        start, by_opening, again = (
            payments.skip_payment_words(name, vocab) if name[0] in vocab.openings else _UNOPENED
        )
        opened = again or opened
    if by_opening is not None:
        length, merchant = by_opening
        behind = name[start + length :]
        return (_person if merchant.people else _shop_or_wing)(merchant, behind, vocab)
    how = opened or how
    if part is not text:
        how = how_outside(text, how)
    if how == "person":
        noted = part is text and people.WITHOUT_NOTES.isdisjoint(tokens[:_WORDS_OF_HOW])
        name = people.with_person(name, start, vocab, noted=noted, paid=paid)
    end = ending(name, start, mark - start, "person" if paid else how, vocab)
    return _name_payee(name[start:end], name[end:], text, paid, vocab)


def _told_apart(
    text: str, tokens: list[str], vocab: Grammar, *, is_whole: bool, by_card: bool
) -> Payee | None:
    """The payee of a row that names nobody, or says for what its payer sends money."""
    if nobody := payments.nobody_in(tokens, vocab):
        return _nobodys(nobody)
    if by_card or (is_whole and vocab.purpose_words.isdisjoint(tokens)):
        return None
    return _for_purpose(text, tokens if is_whole else None, vocab)


def _for_purpose(text: str, tokens: list[str] | None, vocab: Grammar) -> Payee | None:
    """The payee of a text that says a purpose, if its payer is told apart by it.

    `tokens` are the text's, None where only a part of it was taken apart.
    """
    spoken = tokens_of(text.replace("+", " ")) if tokens is None else tokens
    purpose = None if vocab.purpose_words.isdisjoint(spoken) else payments.purpose_in(spoken, vocab)
    if purpose is None:
        return None
    others = payments.without_purposes(text, purpose.phrases)
    return None if len(others) >= len(text) else _apart(_read(others), purpose.purpose)


def _apart(payer: Payee, purpose: Purpose) -> Payee | None:
    """Who sends money for a purpose; None where the purpose tells nobody of this payer apart.

    People stay whom they are: their notes say what each payment is for.
    """
    if purpose.only and payer.key not in purpose.only:
        return None
    is_listed = find_merchant(payer.key) is not None
    if payer.rail or (people.is_full_name(payer.key.split(), grammar()) and not is_listed):
        return payer
    if not _names_somebody(payer):
        return Payee(purpose.name, purpose.name.capitalize())
    if payments.purpose_of(payer.key) is not None:
        return payer
    key = f"{payer.key} {purpose.name}"
    again = payments.purpose_in(key.split(), grammar())
    if again is not None and again.phrase != tuple(purpose.name.split()):
        # A word of the payer belongs to the purpose, as in "travel expenses".
        return _read(key)
    return Payee(key, f"{payer.name} {purpose.name}")


def _name_payee(name: list[str], tail: list[str], text: str, paid: bool, vocab: Grammar) -> Payee:
    """A payee by the words of its name, with letters that lost an apostrophe put back.

    What follows a well-known name may make another payee of it, and may have gone with the `tail`.
    """
    if paid and len(name) > 1 and name[0] in vocab.small:
        name = name[1:]
    if tail and not curated().distinct.isdisjoint(tail):
        merchant = merchant_at(name, 0)
        if merchant is not None and not merchant[1].people:
            return Payee(merchant[1].key, merchant[1].name)
    if paid and name != tokens_of(text):
        return _employer(name, text, vocab)
    if text.isupper() and text.isascii() and "'" not in text and "&" not in text:
        return _shouted(tuple(name))
    joined_name = wording.rejoined(name, vocab)
    return _shop(name, text, vocab) if joined_name is name else _read(" ".join(joined_name))


@lru_cache(_NAMES)
def _shouted(name: tuple[str, ...]) -> Payee:
    """The payee of a name in capitals, which spells nothing that its words do not tell.

    Most rows of a shop repeat its name with another town or card, so that looking it up is quicker.
    """
    vocab, spelled = grammar(), list(name)
    joined_name = wording.rejoined(spelled, vocab)
    text = " ".join(name).upper()
    return _shop(spelled, text, vocab) if joined_name is spelled else _read(" ".join(joined_name))


def _employer(name: list[str], text: str, vocab: Grammar) -> Payee:
    """Who pays wages: the payee that the name alone has, since an employer may also sell."""
    if all(_says_only_when(token, vocab) for token in name):
        return _PAY
    alone = _read(" ".join(name))
    if alone.rail or find_merchant(alone.key) is not None:
        return alone
    return Payee(alone.key, display_name(name, text))


def _by_payment_word(tokens: list[str], vocab: Grammar) -> Payee | None:
    """Cash, or a person whom a descriptor names before the rail ("J DE BOER VIA TIKKIE")."""
    if payments.is_cash(tokens, vocab):
        return _CASH
    rail = _rail_after(tokens) if "via" in tokens else None
    if rail is None:
        return None
    start = payments.skip_payment_words(tokens, vocab)[0]
    return _person(rail, tokens[start : tokens.index("via")], vocab)


def _rail_after(tokens: list[str]) -> Merchant | None:
    """The rail of a transfer that says "via" it, after the person."""
    index = tokens.index("via") + 1
    merchant = merchant_at(tokens, index) if 1 < index < len(tokens) else None
    return merchant[1] if merchant is not None and merchant[1].people else None


def _person(rail: Merchant, tokens: list[str], vocab: Grammar) -> Payee:
    """Who was paid over a rail: the words up to the note, the reference or the rail's own address.

    A full name is the same person over every rail and a firm is the firm, so that their keys do without
    it; anybody else stays with the rail. So does nobody over one whose name is also a common word, since
    a key that begins with it is not read as the rail.
    """
    printed = people.paid_over_rail(rail.key, tokens, vocab)
    person = people.ordered(printed, vocab)
    while (
        again := people.ordered(people.paid_over_rail(rail.key, person, vocab), vocab)
    ) != person:
        person = again
    if not person or (len(person) == 1 and person[0] in vocab.states):
        return Payee(rail.key, rail.name)
    display = capitalised(people.as_read(printed, vocab))
    common = merchant_at([*rail.key.split(), *person], 0) is None
    if common or people.is_full_name(person, vocab) or people.is_firm(person, vocab):
        alone = _read(" ".join(person))
        if common or _is_all_of(alone.key.split(), person, vocab):
            return Payee(alone.key, display, rail.key)
    return Payee(f"{rail.key} {' '.join(person)}", f"{display} ({rail.name})", rail.key)


def _is_all_of(key: list[str], person: list[str], vocab: Grammar) -> bool:
    """Whether a key has all of a name and is no well-known shop's, so that it needs no rail."""
    return (
        len(key) >= len(wording.distinctive_words(person, vocab)) > 1
        and merchant_at(key, 0) is None
    )


def _shop(name: list[str], text: str, vocab: Grammar) -> Payee:
    """A payee by the words that are left of its descriptor."""
    if not vocab.hints.isdisjoint(name) and (nobody := payments.check_or_nobody(name, vocab)):
        return _nobodys(nobody)
    merchant = _alone(name, vocab) or _branch_of(name, vocab)
    if merchant is None:
        distinctive = wording.distinctive_words(name, vocab)
        merchant = _spelled_otherwise(distinctive, name, vocab)
        merchant = merchant or brand_written(distinctive, name, vocab)
        if merchant is None:
            full_name = wording.without_cut_letter(distinctive)
            if full_name is not distinctive:
                return _read(" ".join(full_name))
            return _unlisted(distinctive, name, text)
    return Payee(merchant.key, merchant.name)


def _nobodys(label: str) -> Payee:
    merchant = find_merchant(label.lower())
    return Payee(label.lower(), label.capitalize() if merchant is None else merchant.name)


def _shop_or_wing(merchant: Merchant, tail: list[str], vocab: Grammar) -> Payee:
    wing = wing_after(merchant, tail, vocab) if tail else None
    if wing is None:
        return Payee(merchant.key, merchant.name)
    return Payee(f"{merchant.key} {wing.name}", f"{merchant.name} {wing.name}")


def _branch_of(name: list[str], vocab: Grammar) -> Merchant | None:
    """The merchant of which a name is a branch: "shell fiveways", but not "shell beach inn"."""
    merchant = curated().branched.get(name[0])
    if merchant is None or not vocab.trades.isdisjoint(name):
        return None
    return merchant if vocab.lines.keys().isdisjoint(name[1:]) else None


def _unlisted(distinctive: list[str], name: list[str], text: str) -> Payee:
    """A payee that nobody lists; other words than those that were written are read again.

    With fewer words a city is no longer a part of the name, and "A000.1" is a number without its sign.
    """
    key = " ".join(distinctive)
    if (blanked := without_long_numbers(key)) != key:
        return _read(blanked)
    if key.replace(" ", "").isdigit():
        return Payee(key, " ".join(text.split()))
    display = display_name(name, text)
    if distinctive != name and (
        wording.rereads_differently(distinctive, name) or merchant_at(distinctive, 0) is not None
    ):
        again = _read(key)
        if again.key != key:
            return again
    return Payee(key, display)


def _says_only_when(token: str, vocab: Grammar) -> bool:
    """Whether a word beside pay is one for pay itself, a month or a number."""
    return token in vocab.pay or token in vocab.months or token in vocab.noise or not is_word(token)


def _spelled_otherwise(distinctive: list[str], name: list[str], vocab: Grammar) -> Merchant | None:
    """The merchant whose name was abbreviated, cut off or run together."""
    merchant = _alone(distinctive, vocab) if distinctive != name else None
    if merchant is not None:
        return merchant
    if len(distinctive) == 1:
        return wording.run_together(distinctive[0]) or wording.cut_merchant(distinctive)
    merchant = wording.opens_run_together(distinctive) or wording.opens_apart(distinctive)
    if merchant is not None or distinctive[-1] in vocab.trades:
        return merchant
    return wording.cut_merchant(distinctive)


def _alone(name: list[str], vocab: Grammar) -> Merchant | None:
    """The merchant that is all of what is left, but for words such as "stores" and what it sells."""
    end = len(name)
    merchant = find_merchant(" ".join(name))
    sold: set[str] = set()
    while merchant is None and end > 1:
        last = name[end - 1]
        if last in vocab.lines:
            sold.add(vocab.lines[last])
        elif last not in vocab.generic:
            return None
        end -= 1
        merchant = find_merchant(" ".join(name[:end]))
    return merchant if merchant is None or sold <= {merchant.out} else None
