"""People in a transfer: where their names start and end among its words, and in which order.

Banks write either name first, so that a person's key has its words in one order; the name that is shown
keeps the printed one, but for a surname that is known to stand before the given name.

A landlord may have the name of a person, or of a house or a company that lets homes. What is called
rent, a lettings agent or a manager of property in so many words is filed by these words and needs no
guess. A name alone proves nothing, so it only supports what the rows of a payee show.
"""

from finplan.categorise.curated import merchant_at
from finplan.categorise.descriptor import is_word
from finplan.categorise.grammar import Grammar, grammar
from finplan.categorise.places import ending

_OPENINGS = "pix spei ted transferencia transf bonifico bon bonif bizum envio traspaso"
WITHOUT_NOTES = frozenset(_OPENINGS.split())
"""What opens a transfer whose note is labelled, so that all of its other words are the person's."""
_ELIDED = frozenset("dlo")
_TO_OR_FROM = frozenset(("to", "from"))


def recipient(tokens: list[str], start: int) -> int:
    """Where the person starts, if a transfer's own words stand before "to" or "from" them."""
    for position in range(start, len(tokens) - 2):
        if tokens[position] in _TO_OR_FROM:
            return position + 1
    return start


def with_person(
    kept: list[str], start: int, words: Grammar, *, noted: bool, paid: bool
) -> list[str]:
    """A person's words without the note, in one order unless it is an employer."""
    kept = kept[: _end_of_person(kept, start, words, noted=noted)]
    person = kept[start:]
    if paid or _may_be_firm(person, words):
        return kept
    turned = ordered(person, words)
    # "Lewis John" is not the shop.
    return kept if merchant_at(turned, 0) is not None else kept[:start] + turned


def _may_be_firm(name: list[str], words: Grammar) -> bool:
    """Whether the words of a transfer may name no person, or have some that do more than to name one."""
    named = is_named(name, words) and (name[0] in words.given or name[-1] in words.given)
    return (
        not named
        or not words.seats.isdisjoint(name)
        or any(words.roles.get(word, "small") != "small" for word in name)
    )


def _end_of_person(kept: list[str], start: int, words: Grammar, *, noted: bool) -> int:
    """Where a person's name ends and the note of a transfer begins, if it opens with a given name.

    Without `noted` only a word such as "per" or "dinner" opens a note.
    """
    notes = (words.note_words, words.rail_notes)
    end = next(
        (
            place
            for place in range(start + 2, len(kept))
            if any(kept[place] in said for said in notes)
        ),
        len(kept),
    )
    if not noted or not (kept[start] in words.given or _is_initial(kept[start])):
        return end
    position = start + 1
    while position < end and (kept[position] in words.given or kept[position] in words.particles):
        position += 1
    return min(position + 1, end)


def ordered(person: list[str], words: Grammar) -> list[str]:
    """A person's words in one order, whichever name stands first.

    The order begins with a given name, or is the alphabet's where none tells; a word that may stand
    before the person is never the first. Beside a trade they may be a firm's, and stay, and so do those
    behind an initial or with a particle, which say by themselves which is the surname.
    """
    if is_named(person, words):
        return min(_given_first(person, words))
    if not words.trades.isdisjoint(person):
        return person
    if not person or _is_initial(person[0]) or not words.particles.isdisjoint(person[1:]):
        return person
    return sorted(person, key=lambda word: (word in words.rail_leads, word))


def as_read(person: list[str], words: Grammar) -> list[str]:
    """A person's words as they are shown: as printed, but "LOPEZ MARIA" with the given name first."""
    surname_first = person[0] not in words.given and words.links.isdisjoint(person)
    return _given_first(person, words)[0] if surname_first and is_named(person, words) else person


def is_named(person: list[str], words: Grammar) -> bool:
    """Whether the words are a person's full name: a given name is among them, and no trade.

    Beside a given name "Baker" is no trade.
    """
    return (
        len(person) > 1
        and not words.given.isdisjoint(person)
        and words.only_trades.isdisjoint(person)
    )


def is_firm(name: list[str], words: Grammar) -> bool:
    """Whether the words are a firm's name, which opens or closes with its trade: "QUARRY RENTALS"."""
    return len(name) > 1 and (
        name[-1] in words.trades or name[0] in words.only_trades - words.callings
    )


def _given_first(person: list[str], words: Grammar) -> list[list[str]]:
    """A full name turned so that it begins with a run of its given names, once for each such run.

    All turns of a name have the same ones, so that it does not matter with which of its words a bank
    begins. After a particle a given name is a part of another, as in "O Connor" or "del Carmen".
    """
    given = [
        word in words.given and person[place - 1] not in words.particles
        for place, word in enumerate(person)
    ]
    runs = [place for place, one in enumerate(given) if one and not given[place - 1]]
    places = runs or [place for place, word in enumerate(person) if word in words.given]
    return [person[place:] + person[:place] for place in places]


def paid_over_rail(rail: str, tokens: list[str], words: Grammar) -> list[str]:
    """The words of who was paid over a rail, as printed: without note, reference and the rail's address.

    Some banks leave initials out. Only a city with its state is an address here, since "Ma" is also a
    surname. A note opens with a word for what is paid, or with a month after a full name.
    """
    person: list[str] = []
    for token in tokens:
        if token in words.rail_ends or (person and token == rail):
            if person:
                break
        elif token in words.rail_words or (token in words.rail_leads and not person):
            continue
        elif person and _ends_person(token, person, words):
            break
        elif token not in person and is_word(token):
            person.append(token)
    while len(person) > 2 and person[-1] in words.named_months:
        del person[-1]
    person = _without_address(person, words)
    full = [word for word in person if len(word) > 1]
    return full if len(full) > 1 else person


def _ends_person(token: str, person: list[str], words: Grammar) -> bool:
    """Whether a word is a legal form or a reference, or opens a note; "June" may be a name."""
    return (
        token in words.rail_notes
        or (token in words.months and len(person) > 1)
        or (token in words.legal and len(token) > 2)
        or (token.isdigit() and len(token) > 3)
    )


def _without_address(person: list[str], words: Grammar) -> list[str]:
    end = ending(person, 0, 0, "rail", words)
    return person[:end] if end < len(person) - 1 else person


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word not in _ELIDED


_HOUSES = """
property properties realty estate estates residence residences residential residenz residencial rental
rentals housing apartment apartments apts villa villas court courts tower towers loft lofts flat flats
manor terrace heights landlord immobilien immobilier immobiliere immobiliare immobili inmobiliaria
imobiliaria wohnung wohnungen wohnen wohnbau vastgoed woning woningen wonen bostad bostader bolig boliger
asunnot nieruchomosci sci vermietung
"""
_WORDS_OF_LANDLORDS = frozenset(_HOUSES.split())

_OTHERWISE = """
care nursing funeral storage car cars auto equipment magistrates county insurance mortgage loan tax
"""
_NO_HOMES = frozenset(_OTHERWISE.split())
"""What is let, or called a court or an estate, and is no home."""

_LONGEST_NAME_OF_A_LANDLORD = 4


def names_landlord(payee_key: str) -> bool:
    """Whether a payee may be a landlord, going by its `payeeKey`."""
    words = payee_key.split()
    if not _NO_HOMES.isdisjoint(words):
        return False
    return not _WORDS_OF_LANDLORDS.isdisjoint(words) or _is_person(words)


def _is_person(words: list[str]) -> bool:
    """Whether a name is a person's: a known given name at either end, or one initial and a surname."""
    if not 2 <= len(words) <= _LONGEST_NAME_OF_A_LANDLORD:
        return False
    if len(words[0]) == 1 and len(words) == 2:
        return words[1].isalpha() and len(words[1]) > 2
    given = grammar().given
    return is_named(words, grammar()) and (words[0] in given or words[-1] in given)
