"""What is known of payees before a person says anything: well-known merchants and distinctive words.

The data are `curated.toml`. Matching is by whole tokens, so "SHELL" is not in "MICHELLE", and by
look-up of each token, so that its time does not grow with the number of shipped phrases. What is read
of these and the room's other data is held in caches, some twenty megabytes that only arriving rows and
new rules need.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from finplan import categorise
from finplan.categorise.tokens import tokens_of

Direction = Literal["out", "in"]

InflowSign = Literal["pay", "pension", "temporary", "benefit", "payout", "reward", "windfall"]
"""What the words of money in say: wages; a pension, annuity or old-age benefit; unemployment, parental
or sickness benefit; any other benefit; a payment processor's payout; a reward, cash back, interest or
dividend; severance, an inheritance, or the sale of a home or a car."""

Order = Literal["first", "last"]
"""Words for pay go before those of pensions and payouts: a pension fund pays salaries. What stands on
any payer's row goes after all others: a pension is a direct deposit, too."""

_MERCHANT_CONFIDENCE = 0.97
_ALONE_CONFIDENCE = 0.95


class CuratedMatch(NamedTuple):
    """What the shipped data say of a payee in one direction, and the sentence that says why.

    With `ask` the category is only a guess to show in a question ("uncategorized" when there is none):
    what was bought there is never inferred. `alternatives` are other guesses, likeliest first.
    `merchant` says that a well-known merchant was recognised, and not only the words of `phrase`.
    `sign` is what kind of money in was recognised.
    """

    category: str
    confidence: float
    rule_text: str
    ask: bool = False
    alternatives: tuple[str, ...] = ()
    merchant: bool = False
    phrase: str = ""
    sign: InflowSign | None = None


class Merchant(NamedTuple):
    """A well-known payee: its canonical key and name, and its category in each direction, if any."""

    key: str
    name: str
    out: str | None
    into: str | None
    confidence: float
    ask: bool
    people: bool
    alternatives: tuple[str, ...]
    sign: InflowSign | None = None


class Spelling(NamedTuple):
    """One way to write a merchant; with `alone` it is the merchant only when nothing follows.

    With `branched` a branch may follow, which is called by a place or a street.
    """

    phrase: str
    alone: bool
    merchant: Merchant
    branched: bool = False


@dataclass(frozen=True, slots=True)
class CategoryPhrase:
    """A phrase that shows a category, whoever the payee is; `order` is its rank in money in.

    One of `unknown_inflow` only looks like another: "maison de retraite" is not a pension.
    """

    phrase: str
    category: str
    confidence: float
    sign: InflowSign | None = None
    order: Order | None = None


Meaning = TypeVar("Meaning")


class Phrases(Generic[Meaning]):
    """Phrases of whole tokens; `starting` holds, by first token, those that it starts, longest first.

    A phrase there is its number of tokens, its tokens and its meaning.
    """

    __slots__ = ("starting",)

    def __init__(self, phrases: Iterable[tuple[str, Meaning]]) -> None:
        starting: dict[str, list[tuple[int, list[str], Meaning]]] = {}
        for phrase, meaning in phrases:
            tokens = phrase.split()
            starting.setdefault(tokens[0], []).append((len(tokens), tokens, meaning))
        for started in starting.values():
            if len(started) > 1:
                started.sort(key=lambda entry: -entry[0])
        self.starting: Mapping[str, Sequence[tuple[int, list[str], Meaning]]] = starting

    def words(self) -> frozenset[str]:
        """Every word of the phrases."""
        return frozenset(
            token
            for started in self.starting.values()
            for _, phrase, _ in started
            for token in phrase
        )


class LongestPhrases(Phrases[Meaning]):
    """Phrases of which many start with one word ("pos"): the longest is found by the first two."""

    __slots__ = ("_alone", "_by_two")

    def __init__(self, phrases: Iterable[tuple[str, Meaning]]) -> None:
        super().__init__(phrases)
        self._alone: dict[str, tuple[int, Meaning]] = {}
        self._by_two: dict[tuple[str, str], list[tuple[int, list[str], Meaning]]] = {}
        for first, started in self.starting.items():
            for length, tokens, meaning in started:
                if length == 1:
                    self._alone.setdefault(first, (1, meaning))
                else:
                    two = (first, tokens[1])
                    self._by_two.setdefault(two, []).append((length, tokens, meaning))

    def longest(self, tokens: list[str], position: int) -> tuple[int, Meaning] | None:
        """The longest phrase that stands at `position`, with its number of tokens."""
        first = tokens[position]
        if position + 1 < len(tokens):
            for length, phrase, meaning in self._by_two.get((first, tokens[position + 1]), ()):
                if length == 2 or tokens[position : position + length] == phrase:
                    return length, meaning
        return self._alone.get(first)


@dataclass(frozen=True, slots=True)
class Curated:
    """The shipped data, ready to be looked up in; `branched` holds merchants by their one word."""

    merchants: Phrases[Spelling]
    branched: Mapping[str, Merchant]
    by_phrase: Mapping[str, Merchant]
    distinct: frozenset[str]
    phrases: Mapping[Direction, LongestPhrases[CategoryPhrase]]


def read_shipped(name: str) -> dict[str, Any]:
    """The tables of one of the room's data files."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))


def listed(block: str) -> list[str]:
    """The items of a block parted by commas, white space folded."""
    return [item for item in " ".join(block.split()).split(", ") if item]


@cache
def curated() -> Curated:
    """The shipped data, read on first use and then kept."""
    shipped = read_shipped("curated")
    spellings = [form for group in shipped["merchants"] for form in _spellings(group)]
    return Curated(
        merchants=Phrases((spelling.phrase, spelling) for spelling in spellings),
        branched={form.phrase: form.merchant for form in spellings if form.branched},
        by_phrase={spelling.phrase: spelling.merchant for spelling in spellings},
        distinct=frozenset(shipped["distinct"].split()),
        phrases={
            "out": LongestPhrases(_words(shipped["words"], "out")),
            "in": LongestPhrases(_words(shipped["words"], "in")),
        },
    )


def merchant_at(tokens: list[str], position: int) -> tuple[int, Merchant] | None:
    """The well-known payee whose name stands at `position`, with the number of its tokens.

    A common word ("target") is a merchant only when nothing follows it, and no merchant owns a tail
    that makes another payee of it ("macys credit card").
    """
    shipped = curated()
    candidates = shipped.merchants.starting.get(tokens[position])
    if candidates is None:
        return None
    for length, phrase, spelling in candidates:
        end = position + length
        if length > 1 and tokens[position:end] != phrase:
            continue
        if end == len(tokens):
            return length, spelling.merchant
        if not spelling.alone and (
            spelling.merchant.people or shipped.distinct.isdisjoint(tokens[end:])
        ):
            return length, spelling.merchant
    return None


def find_merchant(key: str) -> Merchant | None:
    """The well-known payee of which `key` is one of the spellings, and nothing else."""
    return curated().by_phrase.get(key)


def _spellings(group: Mapping[str, Any]) -> Iterator[Spelling]:
    """Every way to write every merchant of a group; see the head of `curated.toml`."""
    both = group.get("category") or group.get("suggest")
    alternatives = tuple(listed(group["alternatives"])) if "alternatives" in group else ()
    out, into = group.get("out", both), group.get("in", both)
    ask, people = group.get("ask", False), group.get("people", False)
    for item in listed(group["names"]):
        first, *aliases = item.split(" | ")
        name = first.lstrip("=~")
        usual = _ALONE_CONFIDENCE if name != first else _MERCHANT_CONFIDENCE
        confidence = group.get("confidence", usual)
        key = " ".join(tokens_of(name))
        merchant = Merchant(
            key, name, out, into, confidence, ask, people, alternatives, group.get("sign")
        )
        yield Spelling(key, name != first, merchant, first[0] == "~")
        # Aliases are written as tokens, which a test holds the file to, so nothing is left to fold.
        for alias in aliases:
            yield Spelling(alias.lstrip("=~"), alias[0] in "=~", merchant, alias[0] == "~")


def _words(
    groups: Iterable[Mapping[str, Any]], direction: Direction
) -> Iterator[tuple[str, CategoryPhrase]]:
    for group in groups:
        category = group.get(direction) or group.get("category")
        if category:
            sign, order = group.get("sign"), group.get("order")
            for phrase in listed(group["phrases"]):
                yield phrase, CategoryPhrase(phrase, category, group["confidence"], sign, order)


def clear_caches() -> None:
    """Empty every cache of this room; what was in it is read or worked out again when it is needed."""
    for module in _loaded_modules(categorise):
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if forget is not None:
                forget()


def _loaded_modules(room: ModuleType) -> Iterator[ModuleType]:
    """The loaded modules of a room and of the rooms in it."""
    for module in list(vars(room).values()):
        if isinstance(module, ModuleType) and module.__name__.startswith(f"{room.__name__}."):
            yield module
            yield from _loaded_modules(module)
