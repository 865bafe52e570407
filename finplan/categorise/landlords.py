"""Names that a landlord may have: a house or a company that lets homes, or a person.

What is called rent, a lettings agent or a manager of property in so many words is filed by these words
and needs no guess. A name alone proves nothing, so it only supports what the rows of a payee show.
"""

from finplan.categorise.grammar import grammar
from finplan.categorise.people import is_named

_HOUSES = """
property properties realty estate estates residence residences residential residenz residencial rental
rentals housing apartment apartments apts villa villas court courts tower towers loft lofts flat flats
manor terrace heights landlord immobilien immobilier immobiliere immobiliare immobili inmobiliaria
imobiliaria wohnung wohnungen wohnen wohnbau vastgoed woning woningen wonen bostad bostader bolig boliger
asunnot nieruchomosci sci vermietung
"""
_WORDS = frozenset(_HOUSES.split())

_OTHERWISE = """
care nursing funeral storage car cars auto equipment magistrates county insurance mortgage loan tax
"""
_NO_HOMES = frozenset(_OTHERWISE.split())
"""What is let, or called a court or an estate, and is no home."""

_LONGEST_NAME = 4


def names_landlord(payee_key: str) -> bool:
    """Whether a payee may be a landlord, going by its `payeeKey`."""
    words = payee_key.split()
    if not _NO_HOMES.isdisjoint(words):
        return False
    return not _WORDS.isdisjoint(words) or _is_person(words)


def _is_person(words: list[str]) -> bool:
    """Whether a name is a person's: a known given name at either end, or one initial and a surname."""
    if not 2 <= len(words) <= _LONGEST_NAME:
        return False
    if len(words[0]) == 1 and len(words) == 2:
        return words[1].isalpha() and len(words[1]) > 2
    given = grammar().given
    return is_named(words, grammar()) and (words[0] in given or words[-1] in given)
