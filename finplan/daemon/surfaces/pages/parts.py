"""The parts that a page about money is made of: sections, tables, bars, figures and commands."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.model import figures
from finplan.model.live import words as live_words
from finplan.model.plan import Plan
from finplan.model.snapshot import MoneyGroup
from finplan.model.standing.shapes import Bound
from finplan.model.user import HouseholdSettings

_COMMAND = re.compile("`(finplan [^`]+)`")
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Locale:
    """How a page writes figures and instants: its currency, its time zone, and the day it is there."""

    currency: str
    zone: ZoneInfo
    today: date

    @classmethod
    def of(cls, settings: HouseholdSettings, today: date) -> "Locale":
        """How a person's pages write figures on a day."""
        return cls(settings.currency, ZoneInfo(settings.time_zone), today)

    def exact(self, amount: int, *, warns: bool = True) -> Markup:
        """An amount to the last minor unit; one below zero stands out unless it `warns` of nothing."""
        return self._figure(amount if warns else 0, figures.money(amount, self.currency))

    def lacking(self, amount: int) -> Markup:
        """An amount that is too little or too much, told by its heading and without a sign."""
        return self._figure(-amount, figures.money(amount, self.currency))

    def rounded(self, amount: int) -> Markup:
        """An amount in whole units."""
        return self._figure(amount, figures.whole_money(amount, self.currency))

    def rest(self, group: MoneyGroup, plan: Plan) -> Markup:
        """What is left of a month's usual amount in whole units, or by how much it is over."""
        return self._figure(group.left, live_words.rest_said(group, plan, self.currency))

    def units(self, units: int) -> Markup:
        """Whole units, which add up with others as they are written."""
        return self._figure(units, figures.units_money(units, self.currency))

    def moment(self, milliseconds: int) -> str:
        """An instant as "21 November 2025, 09:05", in the time zone."""
        then = figures.moment(milliseconds, self.zone)
        return f"{figures.long_date(then.date())}, {then:%H:%M}"

    def age(self, milliseconds: int) -> str:
        """How many days ago an instant was; the page is the same for the whole day."""
        days = (self.today - figures.moment(milliseconds, self.zone).date()).days
        return "today" if days <= 0 else "yesterday" if days == 1 else f"{days:,} days ago"

    @staticmethod
    def _figure(size: int, written: str) -> Markup:
        tone = "figure negative" if size < 0 else "figure"
        return element("span", written.replace("-", _MINUS, 1), class_=tone)


PRINTED = 6
"""How many of a long list are printed, as `plan.css` has it, too."""

UNKNOWN = element("span", "unknown", class_="unknown")
"""Stands for a figure that rests on balances nobody has told: unknown is not nothing."""

NOT_KNOWN_YET = element("span", live_words.NOT_KNOWN_YET, class_="unknown")
"""Stands for a figure that needs more history."""


def bounded(worth: Bound, figure: Markup) -> Markup:
    """A figure with what it is worth before it, or `UNKNOWN` in its place."""
    if worth == "unknown":
        return UNKNOWN
    return figure if worth == "exact" else joined(f"{worth} ", figure)


def section(key: str, title: str, *content: str | None, remark: str | None = None) -> Markup:
    """A section of the page under its heading."""
    aside = None if remark is None else element("p", remark, class_="remark")
    heading = element("div", element("h2", title, id=f"{key}-title"), aside, class_="heading")
    return element("section", heading, *content, id=key, aria_labelledby=f"{key}-title")


def name(content: str) -> Markup:
    """A name that a stranger wrote, set apart so that its direction of writing moves nothing else."""
    return element("bdi", content)


def command(line: str) -> Markup:
    """A command line to type."""
    return element("code", line)


def sentence(said: str) -> Markup:
    """A sentence of the plan; each command of finplan between backticks stands as one to type."""
    parts = _COMMAND.split(said)
    return joined(*(command(each) if place % 2 else each for place, each in enumerate(parts)))


def banner(notice: str | None) -> Markup | None:
    """What a page begins with while there is a notice, on paper too; nothing without one."""
    if notice is None:
        return None
    return element("p", sentence(notice), class_="notice", role="status")


def cell(content: str | None, *, figure: bool = False) -> Markup:
    """A cell of a table; figures stand to the right, one digit under the other."""
    return element("td", content, class_="figure-cell" if figure else None)


def row(label: str, *cells: Markup, class_: str | None = None) -> Markup:
    """A row of a table, headed by what it is about."""
    return element("tr", element("th", label, scope="row"), *cells, class_=class_)


def table(
    caption: str, heads: Sequence[tuple[str, bool]], rows: Iterable[Markup], *, long: bool = False
) -> Markup:
    """A table with a caption for those who hear it; each head says whether figures stand under it.

    Of a `long` one only the first rows are printed, which then says so.
    """
    columns = [
        element("th", head, scope="col", class_="figure-cell" if figure else None)
        if head
        else element("td")
        for head, figure in heads
    ]
    body = list(rows)
    drawn = element(
        "table",
        element("caption", caption, class_="heard"),
        element("thead", element("tr", *columns)) if any(head for head, _ in heads) else None,
        element("tbody", *body),
        class_=f"first-{PRINTED}" if long else None,
    )
    return joined(drawn, not_printed(len(body))) if long else drawn


def not_printed(count: int) -> Markup | None:
    """How many of a list are left out of print, told on paper alone; None where all are printed."""
    if count <= PRINTED:
        return None
    return element("p", f"and {count - PRINTED} more, not printed", class_="printed soft")


def facts(pairs: Iterable[tuple[str, Markup, str | Markup | None]]) -> Markup:
    """Facts as a list: a label, a figure, and what it means."""
    return element("dl", *(_fact(*pair) for pair in pairs), class_="facts")


def _fact(label: str, figure: Markup, remark: str | Markup | None) -> Markup:
    told = None if remark is None else element("dd", remark, class_="soft")
    return element("div", element("dt", label), element("dd", figure), told)


def bar(part: int, whole: int, tone: str, *, due: int = 0) -> Markup:
    """A bar for the eye alone: what it shows stands beside it in figures; what is `due` is paler."""
    share = _share_of_bar(part, whole)
    ahead = _share_of_bar(part + due, whole)
    paler = element("rect", width=f"{ahead:.1f}", height="4", class_=f"{tone} due")
    return element(
        "svg",
        element("rect", width="100", height="4", class_="rest"),
        paler if due > 0 else None,
        element("rect", width=f"{share:.1f}", height="4", class_=tone),
        class_="bar",
        viewBox="0 0 100 4",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def _share_of_bar(part: int, whole: int) -> float:
    """How much of a bar of a hundred is drawn; whatever is more than nothing shows."""
    return 0.0 if whole <= 0 or part <= 0 else min(100.0, max(0.6, 100 * part / whole))


def with_bar(label: str, drawn: Markup) -> Markup:
    """A label with its bar."""
    return element("span", element("span", label), drawn, class_="with-bar")


def lines(*parts: str | None) -> Markup:
    """Pieces with a line break between them."""
    present = [part for part in parts if part is not None]
    broken = [piece for part in present for piece in (element("br"), part)]
    return joined(*broken[1:])
