"""`python -m benchmarks.brands.make FOLDER`: makes the list of brands that finplan ships.

FOLDER is an unpacked npm package of the name-suggestion-index (OpenStreetMap contributors,
BSD-3-Clause): `npm pack name-suggestion-index`. What is not sure is left out: a name of one common
word, one that several houses share, and all that the curated list knows already.
"""

import argparse
import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finplan.categorise import brands
from finplan.categorise.brands import brand_kinds
from finplan.categorise.curated import clear_caches, curated, find_merchant, merchant_at
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.people import is_full_name
from finplan.categorise.places import is_place, is_town
from finplan.categorise.tokens import tokens_of

_HERE = Path(__file__).parent
_SHIPPED = Path(brands.__file__).parent
_READ = """
us gb de fr nl au br ca es it in ie at ch be lu pt nz mx se no dk fi pl za 001 150 eu
"""
_COUNTRIES = frozenset(_READ.split())
"""Where the households live whose rows finplan knows how to read, with all Europe and the world."""

_ALIASES = ("brand", "short_name", "alt_name", "name:en", "official_name")
_OF_SEVERAL = 3
"""In how many houses' names a word is a common one."""
_LEAST_LETTERS = 5
_LEAST_OWNING = 7
_LEAST_SHARED = 4
_MOST_WORDS = 5
_BRANCH = 4410

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Name:
    """One way to write a brand: its tokens, who it is, and what is bought there."""

    phrase: str
    house: str
    shown: str
    kind: str
    countries: frozenset[str]
    first: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the list and its licence beside the code that reads it."""
    parser = argparse.ArgumentParser("python -m benchmarks.brands.make")
    parser.add_argument("folder", type=Path, help="the unpacked package")
    folder: Path = parser.parse_args(arguments).folder
    index = json.loads((folder / "dist/json/nsi.min.json").read_text("utf-8"))["nsi"]
    _write([])  # The names are judged as they are read without the list that is made.
    lines = sorted(_lines(index))
    _write(lines)
    while (stable := [line for line in lines if _is_stable(line)]) != lines:
        lines = stable
        _write(lines)
    shutil.copy(folder / "LICENSE.md", _SHIPPED / "brands_license.md")
    print(f"{len(lines)} names")
    return 0


def _write(lines: Sequence[str]) -> None:
    (_SHIPPED / "brands.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    clear_caches()


def _is_stable(line: str) -> bool:
    """Whether a name, its branches and the key that it gives are all read as that key."""
    phrase, key, *_ = line.split("\t")
    return {payee_of(text).key for text in (phrase, f"{phrase} {_BRANCH}", key)} == {key}


def _lines(index: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the list; of a house's names the shortest is its key."""
    common = _common_words(index)
    names = list(_names(index))
    by_phrase: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        if not _is_known(name.phrase) and len(name.phrase.split()) <= _MOST_WORDS:
            by_phrase[name.phrase].append(name)
    told = [
        (one, level)
        for found in by_phrase.values()
        if (one := _one_house(found)) is not None
        and (level := _level(one.phrase, common)) is not None
    ]
    taken = set(by_phrase)
    keys = {**_keys(name for name, _ in told), **_curated_keys(names)}
    for name, level in told:
        said = (*keys[name.house, name.kind], name.kind, level)
        yield "\t".join((name.phrase, *said))
        together = name.phrase.replace(" ", "")
        if level == "owns" and together not in taken and not _is_known(together):
            taken.add(together)
            yield "\t".join((together, *said))


def _curated_keys(names: Iterable[Name]) -> Mapping[tuple[str, str], tuple[str, str]]:
    """The key and the name of each house that the curated list knows, and knows to sell the same.

    A plural is no other name.
    """
    curated_by_stem = {_stem(phrase): one for phrase, one in curated().by_phrase.items()}
    found = {}
    for name in names:
        known = curated_by_stem.get(_stem(name.phrase)) if name.first else None
        if known and known.out == brand_kinds()[name.kind].category and not known.people:
            found[name.house, name.kind] = known.key, known.name
    return found


def _stem(phrase: str) -> str:
    return " ".join(word.removesuffix("s") for word in phrase.split())


def _keys(names: Iterable[Name]) -> Mapping[tuple[str, str], tuple[str, str]]:
    """The key and the name of each house and kind; its own name goes before an alias of one length."""
    found: dict[tuple[str, str], Name] = {}
    for name in sorted(names, key=lambda one: (len(one.phrase), not one.first, one.phrase)):
        found.setdefault((name.house, name.kind), name)
    return {house: (name.phrase, name.shown) for house, name in found.items()}


def _one_house(names: Sequence[Name]) -> Name | None:
    """The house that a phrase names; None where two houses of one country have the name.

    The kind is asked where the houses, or the branches of one, sell different things.
    """
    houses = {name.house for name in names}
    countries = Counter(country for house in houses for country in _of(house, names))
    if len(houses) > 1 and (max(countries.values()) > 1 or "001" in countries):
        return None
    first = min(names, key=lambda one: (not one.first, one.house, one.shown))
    kinds_of = {name.kind for name in names}
    kind = first.kind if len(kinds_of) == 1 else "asked"
    return Name(first.phrase, first.house, first.shown, kind, first.countries, first.first)


def _of(house: str, names: Iterable[Name]) -> frozenset[str]:
    return frozenset().union(*(name.countries for name in names if name.house == house))


def _names(index: Mapping[str, Any]) -> Iterator[Name]:
    """The names that may be of use: those that this version of finplan does not know already."""
    makers = {_house(item) for item in index["brands/shop/car"]["items"]}
    for named, kind in brand_kinds().items():
        for each in kind.classes:
            for item in index[f"brands/{each}"]["items"]:
                countries = _countries(item) & _COUNTRIES
                if countries and _house(item) not in makers:
                    yield from _names_of(item, named, countries)


def _names_of(item: Item, kind: str, countries: frozenset[str]) -> Iterator[Name]:
    tags = item["tags"]
    own = tags.get("name:en") if not tags.get("name", "").isascii() else None
    name = tags.get("name") or tags.get("brand") or item["displayName"]
    if own and not _phrase(name):
        name = own
    phrase = _phrase(name)
    if not phrase:
        return
    yield from _written(phrase, name, name, item, kind, countries)
    for alias in {*(tags.get(tag, "") for tag in _ALIASES), *item.get("matchNames", ())} - {name}:
        other = _phrase(alias)
        if other and other != phrase and _is_alias(other, phrase):
            yield from _written(other, alias, name, item, kind, countries)


def _written(
    phrase: str, text: str, shown: str, item: Item, kind: str, countries: frozenset[str]
) -> Iterator[Name]:
    house = _house(item)
    key = payee_of(text).key
    for written in {phrase, key}:
        yield Name(written, house, shown, kind, countries, text == shown)


def _phrase(text: str) -> str:
    """The tokens of a name as a phrase, "" where they are not of Latin letters."""
    tokens = tokens_of(text)
    latin = all(token.isascii() for token in tokens) and any(map(str.isalpha, tokens))
    # What stands behind a legal form is no part of a name, so that the form is none either.
    formal = not grammar().legal.isdisjoint(tokens[1:])
    return " ".join(dict.fromkeys(tokens)) if latin and not formal else ""


def _is_known(phrase: str) -> bool:
    """Whether the curated list knows a name, and what follows it, or has it for somebody else."""
    tokens = phrase.split()
    started = curated().merchants.starting.get(tokens[0], ())
    owned = merchant_at([*tokens, ""], 0) is not None
    if not owned and any(
        one.phrase == phrase and one.alone and not one.branched for *_, one in started
    ):
        return False
    if tokens[0] in curated().branched:
        return True
    return owned or find_merchant(payee_of(phrase).key) is not None


def _is_alias(other: str, phrase: str) -> bool:
    """Whether another name of a house shares a word with its own, and so is no former owner's."""
    shared = set(other.split()) & set(phrase.split())
    together = other.replace(" ", "") == phrase.replace(" ", "")
    return together or any(len(word) >= _LEAST_SHARED for word in shared)


def _house(item: Item) -> str:
    tags = item["tags"]
    return str(tags.get("brand:wikidata") or tags.get("name") or item["displayName"])


def _countries(item: Item) -> frozenset[str]:
    included = item["locationSet"]["include"]
    return frozenset(re.split("[-_.]", place)[0] for place in included if isinstance(place, str))


def _common_words(index: Mapping[str, Any]) -> frozenset[str]:
    """Words that tell no house: of the grammar, of `common.txt`, and of several houses' names."""
    houses: dict[str, set[str]] = defaultdict(set)
    for kind, told in index.items():
        if kind.startswith(("brands/", "operators/")):
            for item in told["items"]:
                for word in tokens_of(item["tags"].get("name") or item["displayName"]):
                    houses[word].add(_house(item))
    shared = {word for word, named in houses.items() if len(named) >= _OF_SEVERAL}
    words = grammar()
    said = words.trades | words.given | words.surnames | words.outfits | words.plainly
    said |= words.generic | words.roles.keys() | words.plain.keys() | set(words.plain.values())
    said |= words.regions | words.states | words.months | words.rails | words.purpose_words
    phrases = frozenset().union(*(told.words() for told in curated().phrases.values()))
    listed = frozenset((_HERE / "common.txt").read_text("ascii").split())
    return frozenset(shared) | said | phrases | listed


def _level(phrase: str, common: frozenset[str]) -> str | None:
    """How surely a name tells a house; None where it does not even alone.

    It `owns` whatever follows it where one of its several words is no common one. Else it is the house
    `placed` before a town, which is `doubtful` where every word is a common one. A common word that is
    curated stands `alone`, or beside what the house is.
    """
    words, tokens = grammar(), phrase.split()
    says_only_what = (words.trades | words.generic | words.small).issuperset(tokens)
    if says_only_what or is_full_name(tokens, words) or is_place(tokens, words):
        return None
    telling = [word for word in tokens if word not in common and not is_town(word)]
    if len(tokens) > 1 and len(phrase) >= _LEAST_OWNING:
        owns = any(len(word) >= _LEAST_SHARED for word in telling)
        return "owns" if owns else "placed" if telling else "doubtful"
    if find_merchant(phrase) is not None:
        surname = phrase in words.given or phrase in words.surnames or phrase in words.trades
        return "placed" if telling else None if surname else "alone"
    return "placed" if telling and len(phrase) >= _LEAST_LETTERS else None


if __name__ == "__main__":
    raise SystemExit(main())
