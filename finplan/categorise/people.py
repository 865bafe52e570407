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
    name: list[str], start: int, vocab: Grammar, *, noted: bool, paid: bool
) -> list[str]:
    """A person's words without the note, in one order unless it is an employer."""
    name = name[: _end_of_person(name, start, vocab, noted=noted)]
    person = name[start:]
    if paid or _may_be_firm(person, vocab):
        return name
    turned = ordered(person, vocab)
    # "Lewis John" is not the shop.
    return name if merchant_at(turned, 0) is not None else name[:start] + turned


def _may_be_firm(name: list[str], vocab: Grammar) -> bool:
    """Whether the words of a transfer may name no person, or have some that do more than to name one."""
    is_person = is_full_name(name, vocab) and (name[0] in vocab.given or name[-1] in vocab.given)
    return (
        not is_person
        or not vocab.seats.isdisjoint(name)
        or any(vocab.roles.get(token, "small") != "small" for token in name)
    )


def _end_of_person(name: list[str], start: int, vocab: Grammar, *, noted: bool) -> int:
    """Where a person's name ends and the note of a transfer begins, if it opens with a given name.

    Without `noted` only a word such as "per" or "dinner" opens a note.
    """
    notes = (vocab.note_words, vocab.rail_notes)
    end = next(
        (
            index
            for index in range(start + 2, len(name))
            if any(name[index] in note for note in notes)
        ),
        len(name),
    )
    if not noted or not (name[start] in vocab.given or _is_initial(name[start])):
        return end
    position = start + 1
    while position < end and (name[position] in vocab.given or name[position] in vocab.particles):
        position += 1
    return min(position + 1, end)


def ordered(person: list[str], vocab: Grammar) -> list[str]:
    """A person's words in one order, whichever name stands first.

    The order begins with a given name, or is the alphabet's where none tells; a word that may stand
    before the person is never the first. Beside a trade they may be a firm's, and stay, and so do those
    behind an initial or with a particle, which say by themselves which is the surname.
    """
    if is_full_name(person, vocab):
        return min(_given_first(person, vocab))
    if not vocab.trades.isdisjoint(person):
        return person
    if not person or _is_initial(person[0]) or not vocab.particles.isdisjoint(person[1:]):
        return person
    return sorted(person, key=lambda token: (token in vocab.rail_leads, token))


def as_read(person: list[str], vocab: Grammar) -> list[str]:
    """A person's words as they are shown: as printed, but "LOPEZ MARIA" with the given name first."""
    surname_first = person[0] not in vocab.given and vocab.links.isdisjoint(person)
    return (
        _given_first(person, vocab)[0] if surname_first and is_full_name(person, vocab) else person
    )


def is_full_name(person: list[str], vocab: Grammar) -> bool:
    """Whether the words are a person's full name: a given name is among them, and no trade.

    Beside a given name "Baker" is no trade.
    """
    return (
        len(person) > 1
        and not vocab.given.isdisjoint(person)
        and vocab.only_trades.isdisjoint(person)
    )


def is_firm(name: list[str], vocab: Grammar) -> bool:
    """Whether the words are a firm's name, which opens or closes with its trade: "QUARRY RENTALS"."""
    return len(name) > 1 and (
        name[-1] in vocab.trades or name[0] in vocab.only_trades - vocab.callings
    )


def _given_first(person: list[str], vocab: Grammar) -> list[list[str]]:
    """A full name turned so that it begins with a run of its given names, once for each such run.

    All turns of a name have the same ones, so that it does not matter with which of its words a bank
    begins. After a particle a given name is a part of another, as in "O Connor" or "del Carmen".
    """
    given_flags = [
        token in vocab.given and person[index - 1] not in vocab.particles
        for index, token in enumerate(person)
    ]
    runs = [
        index
        for index, is_given in enumerate(given_flags)
        if is_given and not given_flags[index - 1]
    ]
    places = runs or [index for index, token in enumerate(person) if token in vocab.given]
    return [person[index:] + person[:index] for index in places]


def paid_over_rail(rail: str, tokens: list[str], vocab: Grammar) -> list[str]:
    """The words of who was paid over a rail, as printed: without note, reference and the rail's address.

    Some banks leave initials out. Only a city with its state is an address here, since "Ma" is also a
    surname. A note opens with a word for what is paid, or with a month after a full name.
    """
    person: list[str] = []
    for token in tokens:
        if token in vocab.rail_ends or (person and token == rail):
            if person:
                break
        elif token in vocab.rail_words or (token in vocab.rail_leads and not person):
            continue
        elif person and _ends_person(token, person, vocab):
            break
        elif token not in person and is_word(token):
            person.append(token)
    while len(person) > 2 and person[-1] in vocab.named_months:
        del person[-1]
    person = _without_address(person, vocab)
    full = [term for term in person if len(term) > 1]
    return full if len(full) > 1 else person


def _ends_person(token: str, person: list[str], vocab: Grammar) -> bool:
    """Whether a word is a legal form or a reference, or opens a note; "June" may be a name."""
    return (
        token in vocab.rail_notes
        or (token in vocab.months and len(person) > 1)
        or (token in vocab.legal and len(token) > 2)
        or (token.isdigit() and len(token) > 3)
    )


def _without_address(person: list[str], vocab: Grammar) -> list[str]:
    end = ending(person, 0, 0, "rail", vocab)
    return person[:end] if end < len(person) - 1 else person


def _is_initial(token: str) -> bool:
    return len(token) == 1 and token.isalpha() and token not in _ELIDED


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
    tokens = payee_key.split()
    if not _NO_HOMES.isdisjoint(tokens):
        return False
    return not _WORDS_OF_LANDLORDS.isdisjoint(tokens) or _is_person(tokens)


def _is_person(tokens: list[str]) -> bool:
    """Whether a name is a person's: a known given name at either end, or one initial and a surname."""
    if not 2 <= len(tokens) <= _LONGEST_NAME_OF_A_LANDLORD:
        return False
    if len(tokens[0]) == 1 and len(tokens) == 2:
        return tokens[1].isalpha() and len(tokens[1]) > 2
    given_names = grammar().given
    return is_full_name(tokens, grammar()) and (
        tokens[0] in given_names or tokens[-1] in given_names
    )
