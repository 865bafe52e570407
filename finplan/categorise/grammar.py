"""The words that banks write around a name, read from `descriptor.toml`, and what each does there.

A shop's fuel station, pharmacy, café or hotel is a payee of its own, in a category of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from finplan.categorise.curated import (
    InflowSign,
    LongestPhrases,
    Merchant,
    curated,
    listed,
    read_shipped,
)

_DEPOSITS = frozenset(("dep", "deposit"))
_TOWN_WIDTHS = (12, 13)
_PAYMENT_WORDS = _DEPOSITS | {"via", "pay", "folha", "cash"}
_JOINTS = ("", "s", "es", "ungs", "ings", "en", "sumrechnungs", "seinsatz", "fuehrungs", "fuhrungs")

_PREFIX_KINDS = {
    "prefixes": "",
    "card_prefixes": "card",
    "town_prefixes": "town",
    "person_prefixes": "person",
    "to_person_prefixes": "to person",
    "to_known_prefixes": "to known",
    "numbered_prefixes": "numbered",
}


_FORMS = ("company_labels", "payee_labels", "card_openings", "card_closings")
"""Blocks of which each line is one label or form."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a payer sends money for besides its pay: what its payee is called, and the category.

    Where `only` is not empty, just these payees are told apart by it. `sign` is the kind of money in.
    """

    name: str
    category: str
    only: frozenset[str]
    sign: InflowSign | None = None


class Wing(NamedTuple):
    """A part of a shop that people file elsewhere: what it is called, and its category."""

    name: str
    category: str


class Nameless(NamedTuple):
    """Rows of nobody: words of which one is there, all that may be there, and of which one has to be."""

    nouns: frozenset[str]
    allowed: frozenset[str]
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """What banks write around a name; each field is a block of `descriptor.toml`.

    `openings` are the tokens that a prefix, a merchant or a person's title may start with, `rails` all
    words of prefixes.
    `roles` says of a word inside a name what it does there: "noise", "legal", "closer", "pay", "small",
    "street" (which opens an address) or "way" (which closes a street's name); `placing` are those that
    may open a row's place or be its month. `payment_words` make a descriptor one of cash, of pay, or of
    a person "via" a rail, and with `purpose_words` a phrase of `purposes` may start; `hints` are all
    words that make a descriptor worth a closer look.
    """

    processors: frozenset[str]
    houses: Mapping[str, str]
    transfers: frozenset[str]
    accounts: frozenset[str]
    own_accounts: frozenset[str]
    beside_accounts: frozenset[str]
    company_labels: tuple[str, ...]
    payee_labels: tuple[str, ...]
    card_openings: tuple[str, ...]
    card_closings: tuple[str, ...]
    prefixes: LongestPhrases[str]
    openings: frozenset[str]
    rails: frozenset[str]
    card_codes: frozenset[str]
    faster_payments: frozenset[str]
    mechanics: frozenset[str]
    movements: frozenset[str]
    including: frozenset[str]
    roles: Mapping[str, str]
    payment_words: frozenset[str]
    connectors: frozenset[str]
    references: frozenset[str]
    card_words: frozenset[str]
    datings: frozenset[str]
    whereabouts: frozenset[str]
    placing: frozenset[str]
    noise: frozenset[str]
    legal: frozenset[str]
    pay: frozenset[str]
    trailers: frozenset[str]
    suffixes: Mapping[str, tuple[tuple[str, ...], ...]]
    collectors: frozenset[str]
    honorifics: frozenset[str]
    refunds: frozenset[str]
    invoice_marks: frozenset[str]
    investing: frozenset[str]
    rewards: frozenset[str]
    associations: frozenset[str]
    shares: frozenset[str]
    ends: frozenset[str]
    silent: frozenset[str]
    firsts: frozenset[str]
    lasts: frozenset[str]
    links: frozenset[str]
    generic: frozenset[str]
    lines: Mapping[str, str]
    fees: frozenset[str]
    fee_words: frozenset[str]
    fee_nouns: frozenset[str]
    fee_kinds: Mapping[str, frozenset[str]]
    nameless: Mapping[str, Nameless]
    months: frozenset[str]
    named_months: frozenset[str]
    plain_months: frozenset[str]
    dated: frozenset[str]
    dues: frozenset[str]
    states: frozenset[str]
    provinces: frozenset[str]
    regions: frozenset[str]
    after_cities: frozenset[str]
    cities: Mapping[str, frozenset[tuple[str, ...]]]
    town_ends: frozenset[str]
    town_starts: frozenset[str]
    branches: frozenset[str]
    trades: frozenset[str]
    only_trades: frozenset[str]
    surnames: frozenset[str]
    whole_trades: Mapping[str, str]
    plain: Mapping[str, str]
    umlauts: tuple[str, ...]
    bound: frozenset[str]
    seats: frozenset[str]
    streets: frozenset[str]
    callings: frozenset[str]
    outfits: frozenset[str]
    plainly: frozenset[str]
    wordy: frozenset[str]
    articles: frozenset[str]
    note_words: frozenset[str]
    small: frozenset[str]
    unsaid: frozenset[str]
    authorities: frozenset[str]
    levies: frozenset[str]
    fuller: frozenset[str]
    compounds: Mapping[str, frozenset[str]]
    compound_starts: frozenset[str]
    unnamed: frozenset[str]
    given: frozenset[str]
    particles: frozenset[str]
    rail_words: frozenset[str]
    rail_leads: frozenset[str]
    rail_ends: frozenset[str]
    rail_notes: frozenset[str]
    run_on: frozenset[str]
    cash_desks: frozenset[str]
    cash_words: frozenset[str]
    checks: frozenset[str]
    check_words: frozenset[str]
    purposes: LongestPhrases[Purpose]
    purpose_words: frozenset[str]
    hints: frozenset[str]
    wings: Mapping[str, Wing]


def _by_last_word(phrases: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases as words, by their last one; the longest first."""
    by_last: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in phrases:
        tokens = tuple(phrase.split())
        same = (*by_last.get(tokens[-1], ()), tokens)
        by_last[tokens[-1]] = tuple(sorted(same, key=len, reverse=True))
    return by_last


@cache
def grammar() -> Grammar:
    """The shipped words, read on first use and then kept."""
    shipped = read_shipped("descriptor")
    prefixes = LongestPhrases(
        [
            (phrase.strip(), kind)
            for block, kind in _PREFIX_KINDS.items()
            for phrase in shipped.pop(block).split(",")
        ]
        + [(collector, "card") for collector in shipped["collectors"].split()]
    )
    cities: dict[str, set[tuple[str, ...]]] = {}
    for city in shipped.pop("cities").split(","):
        # A card's town has twelve or thirteen letters at most, as in "salt lake cit".
        for written in {city.strip(), *(city.strip()[:width].rstrip() for width in _TOWN_WIDTHS)}:
            spelled = tuple(written.split())
            if len(spelled[-1]) > 2 or written == city.strip():
                cities.setdefault(spelled[-1], set()).add(spelled)
    plain = {
        spelling: first
        for first, *others in (line.split() for line in shipped.pop("plain").splitlines() if line)
        for spelling in others
    }
    compounds: dict[str, set[str]] = {}
    for compound in shipped.pop("compounds").split():
        first, _, second = compound.partition("+")
        compounds.setdefault(first, set()).add(second)
    trades = set(shipped["trades"].split())
    plain |= {
        trade: trade[:-1]
        for trade in trades - plain.keys()
        if trade[-1] == "s" and trade[:-1] in trades - plain.keys()
    }
    houses = shipped.pop("houses")
    wings = {
        token: Wing(phrase_words.split()[0], category)
        for category, phrase_words in shipped.pop("wings").items()
        for token in phrase_words.split()
    }
    fee_kinds = {
        kind: frozenset(phrase_words.split())
        for kind, phrase_words in shipped.pop("fee_kinds").items()
    }
    nameless = _nameless(shipped.pop("nameless"), frozenset(shipped["mechanics"].split()))
    compounded = _compounded_fees(shipped.pop("fee_stems"), shipped.pop("fee_ends").split())
    forms = {block: shipped.pop(block).strip().splitlines() for block in _FORMS}
    purposes = LongestPhrases(_purposes(shipped.pop("purposes")))
    lines = {
        token: category for category, sold in shipped.pop("lines").items() for token in sold.split()
    }
    suffixes = _by_last_word(listed(shipped.pop("suffixes")))
    umlauts = tuple(shipped.pop("umlauts").split())
    blocks = {block: frozenset(spelled.split()) for block, spelled in shipped.items()}
    blocks["fee_nouns"] |= blocks["fees"]
    for kind, put_together in compounded.items():
        fee_kinds[kind] |= put_together
    fee_kinds["ATM fee"] |= blocks["cash_desks"] | (blocks["cash_words"] - {"cash"})
    blocks["fee_nouns"] = blocks["fee_nouns"].union(*compounded.values())
    blocks["fee_words"] = blocks["fee_words"].union(blocks["fee_nouns"], *fee_kinds.values())
    blocks["rail_words"] |= blocks["faster_payments"]
    blocks["named_months"] = blocks["months"] & blocks["given"]
    blocks["trailers"] |= blocks["refunds"] | blocks["note_words"]
    blocks["dated"] = blocks["months"]
    blocks["placing"] = blocks["whereabouts"] | blocks["dated"]
    blocks["months"] -= blocks["given"]
    blocks["plain_months"] = blocks["months"] - blocks.pop("doubtful_months")
    blocks["dues"] = blocks["rail_notes"] | blocks["closers"] | blocks["fees"]
    payment_words = blocks["pay"] | blocks["cash_desks"] | _PAYMENT_WORDS
    blocks["only_trades"] = blocks["trades"] - blocks["surnames"]
    blocks["fuller"] = blocks["callings"] | blocks["authorities"]
    blocks["compound_starts"] = frozenset(compounds)
    blocks["silent"] = blocks["months"] | {"spa", "pay"}
    blocks["ends"] = frozenset({"spa", "pay"}).union(
        cities, *(blocks[key] for key in ("after_cities", "branches", "months", "provinces"))
    )
    whole_words = blocks.pop("whole") | blocks["given"] | cities.keys()
    whole_trades = _cut_words(blocks["trades"], plain, whole_words)
    closing = "trailers", "collectors", "states", "fees", "outfits", "plainly", "levies"
    blocks["lasts"] = blocks["ends"].union(
        suffixes, whole_trades, *(blocks[key] for key in closing)
    )
    blocks["unsaid"] = blocks["small"] | blocks["links"] | blocks.pop("titles")
    roles = {
        **dict.fromkeys(blocks["small"], "small"),
        **dict.fromkeys(blocks.pop("street_ends"), "way"),
        **dict.fromkeys(blocks["streets"], "street"),
        **dict.fromkeys(blocks["noise"], "noise"),
        **dict.fromkeys(blocks["legal"], "legal"),
        **dict.fromkeys(blocks.pop("closers") | blocks["including"], "closer"),
        **dict.fromkeys(blocks["pay"], "pay"),
    }
    openings = blocks["honorifics"].union(prefixes.starting, curated().merchants.starting)
    return Grammar(
        prefixes=prefixes,
        rails=prefixes.words() - blocks["given"],
        openings=openings,
        firsts=openings | roles.keys(),
        cities={last: frozenset(names) for last, names in cities.items()},
        houses=houses,
        lines=lines,
        plain=plain,
        compounds={first: frozenset(seconds) for first, seconds in compounds.items()},
        umlauts=umlauts,
        whole_trades=whole_trades,
        roles=roles,
        purposes=purposes,
        wings=wings,
        suffixes=suffixes,
        fee_kinds=fee_kinds,
        nameless=nameless,
        company_labels=tuple(forms["company_labels"]),
        payee_labels=tuple(forms["payee_labels"]),
        card_openings=tuple(forms["card_openings"]),
        card_closings=tuple(forms["card_closings"]),
        purpose_words=frozenset(purposes.starting),
        payment_words=payment_words,
        hints=payment_words.union(
            purposes.starting,
            *(blocks[block] for block in ("fee_nouns", "checks", "faster_payments")),
            *(kind.nouns for kind in nameless.values()),
        ),
        **blocks,
    )


def _purposes(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Purpose]]:
    for name, table in tables.items():
        only, sign = frozenset(listed(table.get("only", ""))), table.get("sign")
        for phrase in listed(table["phrases"]):
            yield phrase, Purpose(name, table["category"], only, sign)


def _compounded_fees(stems: Mapping[str, str], ends: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The words of one kind of fee each that are put together: "mahn" and "kosten"."""
    return {
        kind: frozenset(
            f"{stem}{joint}{end}"
            for stem in stem_words.split()
            for joint in _JOINTS
            for end in ends
        )
        for kind, stem_words in stems.items()
    }


def _nameless(
    tables: Mapping[str, Mapping[str, str]], mechanics: frozenset[str]
) -> Mapping[str, Nameless]:
    """The kinds of rows that name nobody; beside a noun may stand how money was moved."""
    kinds = {}
    for name, table in tables.items():
        nouns, beside = (frozenset(table[block].split()) for block in ("nouns", "beside"))
        moved = frozenset(table["moved"].split()) if "moved" in table else frozenset[str]()
        needs = moved | mechanics if moved else moved
        kinds[name] = Nameless(nouns, nouns | beside | moved | mechanics, needs)
    return kinds


def _cut_words(
    trades: frozenset[str], plain: Mapping[str, str], others: frozenset[str]
) -> Mapping[str, str]:
    """Each beginning of at least five letters that only one trade and its other forms have."""
    words_by_cut: dict[str, list[str]] = {}
    for trade in sorted(trades, key=lambda trade: (len(trade), trade)):
        for end in range(5, len(trade)):
            words_by_cut.setdefault(trade[:end], []).append(trade)
    return {
        cut: plain.get(meant[0], meant[0])
        for cut, meant in words_by_cut.items()
        if (
            all(trade.startswith(meant[0]) for trade in meant)
            or len({plain.get(trade, trade) for trade in meant}) == 1
        )
        and cut not in trades
        and cut not in plain
        and cut not in others
    }


@cache
def named_numbers() -> tuple[str, ...]:
    """The long numbers that well-known merchants are named after."""
    tokens = {token for phrase in curated().by_phrase for token in phrase.split()}
    return tuple(sorted(token for token in tokens if token.isdigit() and len(token) > 3))


_WINGS_OF_SHOPS = frozenset(("groceries", "shopping", "home_goods"))
_WINGS_OF_CLUBS = frozenset(("hobbies", "kids", "education", "gifts_donations"))
_WING_OF_CARE = "childcare"


def wing_after(merchant: Merchant, tail: Sequence[str], vocab: Grammar) -> Wing | None:
    """The wing that the words after a shop's name open with, behind the number of its branch.

    A marketplace has none, nor has what is no shop: a café called "Hotel" is one by its name. A club
    may look after children, behind the name of its town: "YMCA OF BOULDER CHILD CARE".
    """
    if merchant.out in _WINGS_OF_CLUBS:
        wings = (vocab.wings.get(token) for token in tail)
        return next(
            (wing for wing in wings if wing is not None and wing.category == _WING_OF_CARE), None
        )
    if merchant.people or not (merchant.out in _WINGS_OF_SHOPS or merchant.out is None):
        return None
    term = next((token for token in tail if not token.isdigit()), "")
    wing = vocab.wings.get(term)
    return None if wing is None or wing.category == _WING_OF_CARE else wing
