"""Texts that look like bank descriptors: words that the shipped data know, codes and strange letters."""

from hypothesis import strategies as st

from finplan.categorise.curated import curated
from finplan.categorise.grammar import grammar


def _known_words() -> list[str]:
    words = grammar()
    blocks = (
        words.processors,
        words.connectors,
        words.references,
        words.noise,
        words.legal,
        words.rail_notes,
        words.pay,
        words.trailers,
        words.links,
        words.generic,
        words.dated,
        words.states,
        words.provinces,
        words.town_ends,
        words.town_starts,
        words.branches,
        words.trades,
        words.bound,
        words.unnamed,
        words.particles,
        words.rail_words,
        words.rail_leads,
        words.rail_ends,
        words.cash_desks,
        words.cash_words,
        words.run_on,
        words.checks,
        words.check_words,
    )
    spelled = (words.roles, words.plain, words.plain.values(), sorted(words.given)[::20])
    known = set().union(*blocks, *spelled)
    for spellings in words.prefixes.starting.values():
        known.update(word for _, phrase, _ in spellings for word in phrase)
    known.update(word for cities in words.cities.values() for city in cities for word in city)
    known.update(word for phrase in curated().by_phrase for word in phrase.split())
    return sorted(known)


_CODES = """
* # / : .. - @ 1 12 123 1234 05 24 12345678 DES: ID: x12 f2415 5th safeway99 a1 0new 12abcd345 foo bar
foo-bar t-x o.b x.com 1a2 99999abc
EREF+x PP.1.PP // UPI/ -x ,PAS1 ***4k _* é ß ÅB ﬁ नमस्ते ٣٤ ² x½ xxxx1234 JPM99abc123
"""

WORDS = st.sampled_from(_known_words()) | st.sampled_from(_CODES.split()) | st.text(max_size=5)
DESCRIPTORS = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=40)
