"""From a bank's descriptor to a payee: one key for all branches of a shop, and a name to recognise.

A well-known merchant is found by its name alone; of any other descriptor, what says how it was paid,
which branch and where is taken away; people paid over a rail such as Zelle stay apart from each other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from finplan.categorise import payments, people, shapes, wording
from finplan.categorise.brands import brand_written
from finplan.categorise.curated import Merchant, curated, merchant_at, merchant_named
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


def says_pay_outside(text: str, words: Grammar, *, inside: bool) -> bool:
    """Whether a text says that it is pay, of which only a part was read."""
    if ":" in text or text[0] == "/":
        return payments.says_pay(tokens_of(text), words)
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


def payees_of(named: Sequence[tuple[str, str | None]]) -> list[Payee]:
    """The payee of each descriptor, with the bank's own name for it; a worker can be asked for them."""
    return [payee_of(raw, name) for raw, name in named]


def payee_of_blanked(raw: str, name: str | None = None) -> Payee:
    """`payee_of` for a descriptor from which `without_long_numbers` has taken its numbers already."""
    if (number := account_in(raw)) is not None:
        return Payee(f"account {number}", f"Account {number}")
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
    said = payments.purpose_in(tokens_of(raw), grammar())
    return (said and _apart(by_name, said.purpose)) or by_name


def _names_somebody(payee: Payee) -> bool:
    words = payee.key.split()
    return not grammar().unnamed.issuperset(words) and any(map(is_word, words))


def _read(text: str) -> Payee:
    """The payee of a text; over a rail it is what its key says alone: a note of expenses is expenses."""
    found = _read_once(text)
    if not (found.rail or _names_rail_before_star(text)):
        return found
    for _ in range(_READINGS):
        alone = _read_once(found.key)
        if alone.key == found.key:
            break
        found = alone
    return found


def _names_rail_before_star(text: str) -> bool:
    before, star, _ = text.partition("*")
    rail = merchant_named(" ".join(tokens_of(before))) if star else None
    return rail is not None and rail.people


def _read_once(text: str) -> Payee:
    words = grammar()
    shaped = shapes.is_shaped(text) or text[:3].lower().startswith(shapes.shipped_forms().opens)
    part, by_card = shapes.recipient_text(text) if shaped else (text, False)
    tokens = tokens_of(part) or tokens_of(text)
    if not tokens:
        return _NOBODY
    # What stands before and after a star is all in the part, but for a transfer in parts.
    whole = part is text or ("*" in text and "NEFT*" not in text)
    # Most rows have none of these words, so that they are looked for once.
    hinted = not words.hints.isdisjoint(tokens)
    if (hinted or not whole) and (
        apart := _told_apart(text, tokens, words, whole=whole, by_card=by_card)
    ):
        return apart
    how = drop_booking_day(tokens, words) or ("card" if by_card else "")
    hints = hinted and not words.payment_words.isdisjoint(tokens)
    if hints and (payee := _by_payment_word(tokens, words)):
        return payee
    if hinted:
        how = drop_reference(tokens, words) or how
    kept, mark, paid = tokens, 0, False
    start, known, opened = payments.skip_payment_words(tokens, words)
    if known is None:
        if opened == "person" and tokens[start] not in words.given:
            start = people.recipient(tokens, start)
        paid = hints and payments.says_pay(tokens, words)
        kept, mark = name_words(tokens, start, words, paid=paid)
        paid = says_pay_outside(text, words, inside=paid) if part is not text else paid
        start, known, again = (
            payments.skip_payment_words(kept, words) if kept[0] in words.openings else _UNOPENED
        )
        opened = again or opened
    if known is not None:
        length, merchant = known
        behind = kept[start + length :]
        return (_person if merchant.people else _shop_or_wing)(merchant, behind, words)
    how = opened or how
    if part is not text:
        how = how_outside(text, how)
    if how == "person":
        noted = part is text and people.WITHOUT_NOTES.isdisjoint(tokens[:_WORDS_OF_HOW])
        kept = people.with_person(kept, start, words, noted=noted, paid=paid)
    end = ending(kept, start, mark - start, "person" if paid else how, words)
    return _named(kept[start:end], kept[end:], text, paid, words)


def _told_apart(
    text: str, tokens: list[str], words: Grammar, *, whole: bool, by_card: bool
) -> Payee | None:
    """The payee of a row that names nobody, or says for what its payer sends money."""
    if nobody := payments.nobody_in(tokens, words):
        return _nobodys(nobody)
    if by_card or (whole and words.purpose_words.isdisjoint(tokens)):
        return None
    return _for_purpose(text, tokens if whole else None, words)


def _for_purpose(text: str, tokens: list[str] | None, words: Grammar) -> Payee | None:
    """The payee of a text that says a purpose, if its payer is told apart by it.

    `tokens` are the text's, None where only a part of it was taken apart.
    """
    spoken = tokens_of(text.replace("+", " ")) if tokens is None else tokens
    said = None if words.purpose_words.isdisjoint(spoken) else payments.purpose_in(spoken, words)
    if said is None:
        return None
    rest = payments.without_purposes(text, said.phrases)
    return None if len(rest) >= len(text) else _apart(_read(rest), said.purpose)


def _apart(payer: Payee, purpose: Purpose) -> Payee | None:
    """Who sends money for a purpose; None where the purpose tells nobody of this payer apart.

    People stay whom they are: their notes say what each payment is for.
    """
    if purpose.only and payer.key not in purpose.only:
        return None
    known = merchant_named(payer.key) is not None
    if payer.rail or (people.is_named(payer.key.split(), grammar()) and not known):
        return payer
    if not _names_somebody(payer):
        return Payee(purpose.name, purpose.name.capitalize())
    if payments.purpose_of(payer.key) is not None:
        return payer
    key = f"{payer.key} {purpose.name}"
    again = payments.purpose_in(key.split(), grammar())
    if again is not None and again.words != tuple(purpose.name.split()):
        # A word of the payer belongs to the purpose, as in "travel expenses".
        return _read(key)
    return Payee(key, f"{payer.name} {purpose.name}")


def _named(name: list[str], tail: list[str], text: str, paid: bool, words: Grammar) -> Payee:
    """A payee by the words of its name, with letters that lost an apostrophe put back.

    What follows a well-known name may make another payee of it, and may have gone with the `tail`.
    """
    if paid and len(name) > 1 and name[0] in words.small:
        name = name[1:]
    if tail and not curated().distinct.isdisjoint(tail):
        known = merchant_at(name, 0)
        if known is not None and not known[1].people:
            return Payee(known[1].key, known[1].name)
    if paid and name != tokens_of(text):
        return _employer(name, text, words)
    if text.isupper() and text.isascii() and "'" not in text and "&" not in text:
        return _shouted(tuple(name))
    whole = wording.rejoined(name, words)
    return _shop(name, text, words) if whole is name else _read(" ".join(whole))


@lru_cache(_NAMES)
def _shouted(name: tuple[str, ...]) -> Payee:
    """The payee of a name in capitals, which spells nothing that its words do not tell.

    Most rows of a shop repeat its name with another town or card, so that looking it up is quicker.
    """
    words, spelled = grammar(), list(name)
    whole = wording.rejoined(spelled, words)
    text = " ".join(name).upper()
    return _shop(spelled, text, words) if whole is spelled else _read(" ".join(whole))


def _employer(name: list[str], text: str, words: Grammar) -> Payee:
    """Who pays wages: the payee that the name alone has, since an employer may also sell."""
    if all(_says_only_when(word, words) for word in name):
        return _PAY
    alone = _read(" ".join(name))
    if alone.rail or merchant_named(alone.key) is not None:
        return alone
    return Payee(alone.key, display_name(name, text))


def _by_payment_word(tokens: list[str], words: Grammar) -> Payee | None:
    """Cash, or a person whom a descriptor names before the rail ("J DE BOER VIA TIKKIE")."""
    if payments.is_cash(tokens, words):
        return _CASH
    rail = _rail_after(tokens) if "via" in tokens else None
    if rail is None:
        return None
    start = payments.skip_payment_words(tokens, words)[0]
    return _person(rail, tokens[start : tokens.index("via")], words)


def _rail_after(tokens: list[str]) -> Merchant | None:
    """The rail of a transfer that says "via" it, after the person."""
    place = tokens.index("via") + 1
    known = merchant_at(tokens, place) if 1 < place < len(tokens) else None
    return known[1] if known is not None and known[1].people else None


def _person(rail: Merchant, tokens: list[str], words: Grammar) -> Payee:
    """Who was paid over a rail: the words up to the note, the reference or the rail's own address.

    A full name is the same person over every rail and a firm is the firm, so that their keys do without
    it; anybody else stays with the rail. So does nobody over one whose name is also a common word, since
    a key that begins with it is not read as the rail.
    """
    printed = people.paid_over_rail(rail.key, tokens, words)
    person = people.ordered(printed, words)
    while (
        again := people.ordered(people.paid_over_rail(rail.key, person, words), words)
    ) != person:
        person = again
    if not person or (len(person) == 1 and person[0] in words.states):
        return Payee(rail.key, rail.name)
    shown = capitalised(people.as_read(printed, words))
    common = merchant_at([*rail.key.split(), *person], 0) is None
    if common or people.is_named(person, words) or people.is_firm(person, words):
        alone = _read(" ".join(person))
        if common or _is_all_of(alone.key.split(), person, words):
            return Payee(alone.key, shown, rail.key)
    return Payee(f"{rail.key} {' '.join(person)}", f"{shown} ({rail.name})", rail.key)


def _is_all_of(key: list[str], person: list[str], words: Grammar) -> bool:
    """Whether a key has all of a name and is no well-known shop's, so that it needs no rail."""
    return (
        len(key) >= len(wording.distinctive_words(person, words)) > 1
        and merchant_at(key, 0) is None
    )


def _shop(name: list[str], text: str, words: Grammar) -> Payee:
    """A payee by the words that are left of its descriptor."""
    if not words.hints.isdisjoint(name) and (nobody := payments.check_or_nobody(name, words)):
        return _nobodys(nobody)
    merchant = _alone(name, words) or _branch_of(name, words)
    if merchant is None:
        distinctive = wording.distinctive_words(name, words)
        merchant = _spelled_otherwise(distinctive, name, words)
        merchant = merchant or brand_written(distinctive, name, words)
        if merchant is None:
            whole = wording.without_cut_letter(distinctive)
            if whole is not distinctive:
                return _read(" ".join(whole))
            return _unlisted(distinctive, name, text)
    return Payee(merchant.key, merchant.name)


def _nobodys(named: str) -> Payee:
    known = merchant_named(named.lower())
    return Payee(named.lower(), named.capitalize() if known is None else known.name)


def _shop_or_wing(merchant: Merchant, tail: list[str], words: Grammar) -> Payee:
    wing = wing_after(merchant, tail, words) if tail else None
    if wing is None:
        return Payee(merchant.key, merchant.name)
    return Payee(f"{merchant.key} {wing.name}", f"{merchant.name} {wing.name}")


def _branch_of(name: list[str], words: Grammar) -> Merchant | None:
    """The merchant of which a name is a branch: "shell fiveways", but not "shell beach inn"."""
    merchant = curated().branched.get(name[0])
    if merchant is None or not words.trades.isdisjoint(name):
        return None
    return merchant if words.lines.keys().isdisjoint(name[1:]) else None


def _unlisted(distinctive: list[str], name: list[str], text: str) -> Payee:
    """A payee that nobody lists; other words than those that were written are read again.

    With fewer words a city is no longer a part of the name, and "A000.1" is a number without its sign.
    """
    key = " ".join(distinctive)
    if (blanked := without_long_numbers(key)) != key:
        return _read(blanked)
    if key.replace(" ", "").isdigit():
        return Payee(key, " ".join(text.split()))
    shown = display_name(name, text)
    if distinctive != name and (
        wording.rereads_differently(distinctive, name) or merchant_at(distinctive, 0) is not None
    ):
        again = _read(key)
        if again.key != key:
            return again
    return Payee(key, shown)


def _says_only_when(word: str, words: Grammar) -> bool:
    """Whether a word beside pay is one for pay itself, a month or a number."""
    return word in words.pay or word in words.months or word in words.noise or not is_word(word)


def _spelled_otherwise(distinctive: list[str], name: list[str], words: Grammar) -> Merchant | None:
    """The merchant whose name was abbreviated, cut off or run together."""
    merchant = _alone(distinctive, words) if distinctive != name else None
    if merchant is not None:
        return merchant
    if len(distinctive) == 1:
        return wording.run_together(distinctive[0]) or wording.cut_merchant(distinctive)
    merchant = wording.opens_run_together(distinctive) or wording.opens_apart(distinctive)
    if merchant is not None or distinctive[-1] in words.trades:
        return merchant
    return wording.cut_merchant(distinctive)


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
