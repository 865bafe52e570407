"""Themes in a person's charges that might deserve a category of their own, by words and merchants alone.

The themes are `themes.toml`. A merchant is gathered whole or not at all, as a rule files a merchant, and
it is of one theme at most. What the person filed under an own category is left where it is.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple

from finplan.categorise.catalogue import Catalogue
from finplan.categorise.curated import LongestPhrases, listed, read_shipped
from finplan.categorise.tokens import tokens_of
from finplan.model.category import (
    CategorySuggestion,
    PresentHome,
    SuggestedMerchant,
    Theme as ThemeName,
)
from finplan.model.money import half_even

MOST = 5
"""How many suggestions a person is shown at once."""

LEAST_CHARGES = 3
ENOUGH_AT_ONE_MERCHANT = 6
LEAST_PART = Fraction(2, 100)
"""The least part of all spending that is worth a category."""

TRIP_DAYS = 14
REPAID_WITHIN = 60
"""How many days after a journey its costs come back at the latest."""


class PayeeSpending(NamedTuple):
    """What was spent at one payee in one category: each charge's day number and amount, positive out."""

    key: str
    name: str
    category: str
    charges: Sequence[tuple[int, int]]


class Inflow(NamedTuple):
    """Money that came in and is no refund: who it came from, as a bank writes it, and its day number."""

    text: str
    day: int


@dataclass(frozen=True, slots=True)
class FoundTheme:
    """What may be suggested: its name and line, and how its payees are recognised."""

    theme: ThemeName
    name: str
    line: Literal["needs", "wants"]
    categories: frozenset[str]
    within_days: int | None = None
    reimbursable: bool = False


@dataclass(frozen=True, slots=True)
class Themes:
    """The shipped themes, ready to be looked up in.

    A phrase means a theme, a part of a journey ("anchors", "local", "work"), or None when whoever bears
    it is in no suggestion.
    """

    phrases: LongestPhrases[FoundTheme | str | None]
    repaid: LongestPhrases[str]
    of_category: Mapping[str, FoundTheme]
    trips: FoundTheme
    settled: frozenset[str]
    broad: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """Every name that a suggestion can have."""
        means = (meaning for phrases in self.phrases.starting.values() for _, _, meaning in phrases)
        return frozenset(
            {theme.name for theme in means if isinstance(theme, FoundTheme)} | {self.trips.name}
        )


@cache
def themes() -> Themes:
    """The shipped themes, read on first use and then kept."""
    shipped = read_shipped("themes")
    trips = replace(_theme(shipped["trips"]), reimbursable=True)
    themed = [(_theme(entry), entry) for entry in shipped["themes"]]
    phrases: list[tuple[str, FoundTheme | str | None]] = [
        *((phrase, None) for phrase in listed(shipped["forbidden"])),
        *((phrase, theme) for theme, entry in themed for phrase in listed(entry["phrases"])),
        *(
            (phrase, part)
            for part in ("anchors", "local", "work")
            for phrase in listed(shipped["trips"][part])
        ),
    ]
    return Themes(
        phrases=LongestPhrases(phrases),
        repaid=LongestPhrases((phrase, phrase) for phrase in listed(shipped["trips"]["repaid"])),
        of_category={name: theme for theme, _ in themed for name in theme.categories},
        trips=trips,
        settled=frozenset(shipped["settled"].split()),
        broad=frozenset(shipped["broad"].split()),
    )


@dataclass(slots=True)
class _Merchant:
    """A payee with all its charges and the categories that they are in now."""

    name: str
    charges: list[tuple[int, int]]
    categories: Counter[str]
    meanings: Sequence[FoundTheme | str | None]

    @property
    def total(self) -> int:
        return sum(amount for _, amount in self.charges)

    def lies_within(self, since: int, until: int) -> bool:
        return all(since <= day <= until for day, _ in self.charges)


def suggest(
    spent: Iterable[PayeeSpending],
    arrivals: Iterable[Inflow],
    *,
    spending: int,
    months: Fraction,
    catalogue: Catalogue,
    unwanted: Collection[str],
) -> tuple[CategorySuggestion, ...]:
    """The themes worth a category, dearest first, at most five; nobody's own category is touched.

    `spent` are the window's charges that a rule can move, `spending` is all that was spent in it and
    `months` its length. `unwanted` are names, in any case of letters, that the person has or dismissed.
    The merchants' totals and charges add up to the suggestion's, and so do the charges of `nowIn`.
    """
    everything = list(spent)
    merchants = _merchants(everything, catalogue)
    in_category: Counter[str] = Counter()
    for part in everything:
        in_category[part.category] += sum(amount for _, amount in part.charges)
    away = [candidate for candidate in merchants if _theme_of(candidate) is None]
    gathered = [*_by_theme(merchants), (themes().trips, _work_trips(away, arrivals))]
    unwanted_names = {name.casefold() for name in unwanted}
    suggestions = [
        _suggestion(theme, members, months, catalogue)
        for theme, members in gathered
        if theme.name.casefold() not in unwanted_names
        and _is_enough(members, spending)
        and _is_scattered(members, in_category)
    ]
    return tuple(
        sorted(suggestions, key=lambda candidate: (-candidate.total, candidate.name))[:MOST]
    )


def _merchants(spent: Iterable[PayeeSpending], catalogue: Catalogue) -> list[_Merchant]:
    """The payees that may be gathered: those with money left over after refunds, and no ill words."""
    by_payee: dict[str, list[PayeeSpending]] = defaultdict(list)
    for part in spent:
        by_payee[part.key].append(part)
    merchants = []
    for key, parts in by_payee.items():
        categories = {part.category for part in parts}
        if (
            any(catalogue[category].custom for category in categories)
            or categories & themes().settled
        ):
            continue
        meanings = _meanings(f"{key} | {parts[0].name}")
        if None in meanings:
            continue
        merchant = _Merchant(
            name=parts[0].name,
            charges=[charge for part in parts for charge in part.charges],
            categories=Counter(part.category for part in parts for _ in part.charges),
            meanings=meanings,
        )
        if merchant.total > 0:
            merchants.append(merchant)
    return merchants


def _meanings(text: str) -> list[FoundTheme | str | None]:
    """What the phrases in a text mean, the longest phrase first; each word is in one phrase only."""
    ranked_meanings: list[tuple[int, FoundTheme | str | None]] = []
    for part in text.split("|"):
        tokens = tokens_of(part)
        position = 0
        while position < len(tokens):
            phrase = themes().phrases.longest(tokens, position)
            if phrase is not None:
                ranked_meanings.append(phrase)
            position += 1 if phrase is None else phrase[0]
    return [meaning for _, meaning in sorted(ranked_meanings, key=lambda ranked: -ranked[0])]


def _by_theme(merchants: Iterable[_Merchant]) -> list[tuple[FoundTheme, list[_Merchant]]]:
    members: dict[FoundTheme, list[_Merchant]] = defaultdict(list)
    for merchant in merchants:
        theme = _theme_of(merchant)
        if theme is not None:
            members[theme].append(merchant)
    return [
        (theme, within if theme.within_days is None else _stretch(within, theme.within_days))
        for theme, within in members.items()
    ]


def _theme_of(merchant: _Merchant) -> FoundTheme | None:
    theme = next(
        (meaning for meaning in merchant.meanings if isinstance(meaning, FoundTheme)), None
    )
    if theme is not None:
        return theme
    return next(filter(None, map(themes().of_category.get, sorted(merchant.categories))), None)


def _stretch(merchants: Sequence[_Merchant], days: int) -> list[_Merchant]:
    """Those merchants that lie within the dearest stretch of so many days."""
    starts = sorted({day for merchant in merchants for day, _ in merchant.charges})
    stretches = [
        [candidate for candidate in merchants if candidate.lies_within(start, start + days - 1)]
        for start in starts
    ]
    return max(
        stretches, key=lambda candidate: sum(member.total for member in candidate), default=[]
    )


def _work_trips(merchants: Sequence[_Merchant], arrivals: Iterable[Inflow]) -> list[_Merchant]:
    """The merchants that are only ever paid on journeys that somebody else pays for."""
    anchors = [merchant for merchant in merchants if _is_anchor(merchant)]
    work = [merchant for merchant in merchants if "work" in merchant.meanings]
    local = [merchant for merchant in merchants if "local" in merchant.meanings]
    days = sorted({day for anchor in anchors for day, _ in anchor.charges})
    signs = [day for merchant in work for day, _ in merchant.charges]
    paid_back = [arrival.day for arrival in arrivals if _says_repaid(arrival.text)]
    # A repayment is for the last journey before it.
    repaid = {
        max(before)
        for arrived in paid_back
        if (before := [day for day in days if 0 <= arrived - day <= REPAID_WITHIN])
    }
    journeys = [
        day for day in days if day in repaid or any(abs(day - sign) <= TRIP_DAYS for sign in signs)
    ]
    candidates = {id(merchant): merchant for merchant in (*anchors, *work, *local)}.values()
    return [
        candidate
        for candidate in candidates
        if all(
            any(abs(day - journey) <= TRIP_DAYS for journey in journeys)
            for day, _ in candidate.charges
        )
    ]


def _is_anchor(merchant: _Merchant) -> bool:
    travels = merchant.categories.keys() <= themes().trips.categories
    return "anchors" in merchant.meanings or (travels and "local" not in merchant.meanings)


def _says_repaid(text: str) -> bool:
    tokens = tokens_of(text)
    return any(themes().repaid.longest(tokens, position) for position in range(len(tokens)))


def _is_enough(members: Sequence[_Merchant], spending: int) -> bool:
    charges = sum(len(member.charges) for member in members)
    several = len(members) >= 2 or charges >= ENOUGH_AT_ONE_MERCHANT
    total = sum(member.total for member in members)
    return charges >= LEAST_CHARGES and several and total >= LEAST_PART * max(spending, 1)


def _is_scattered(members: Sequence[_Merchant], in_category: Mapping[str, int]) -> bool:
    """Whether it lies in several categories, or is the smaller part of a broad one."""
    categories = {category for member in members for category in member.categories}
    if len(categories) > 1:
        return True
    (category,) = categories
    total = sum(member.total for member in members)
    return category in themes().broad and 2 * total < in_category[category]


def _suggestion(
    theme: FoundTheme, members: Iterable[_Merchant], months: Fraction, catalogue: Catalogue
) -> CategorySuggestion:
    ordered = sorted(members, key=lambda member: (-member.total, member.name))
    total = sum(member.total for member in ordered)
    categories = sum((member.categories for member in ordered), Counter[str]())
    return CategorySuggestion(
        theme=theme.theme,
        name=theme.name,
        line=theme.line,
        reimbursable=theme.reimbursable,
        charges=categories.total(),
        total=total,
        monthly=half_even(total * months.denominator, months.numerator) if months else 0,
        merchants=tuple(
            SuggestedMerchant(payee=member.name, charges=len(member.charges), total=member.total)
            for member in ordered
        ),
        now_in=tuple(
            PresentHome(label=catalogue[category].label, charges=charges)
            for category, charges in sorted(
                categories.items(), key=lambda member: (-member[1], member[0])
            )
        ),
    )


def _theme(shipped: Mapping[str, Any]) -> FoundTheme:
    return FoundTheme(
        theme=shipped["theme"],
        name=shipped["name"],
        line=shipped["line"],
        categories=frozenset(shipped.get("categories", "").split()),
        within_days=shipped.get("within_days"),
    )
