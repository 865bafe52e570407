"""Where a plan's figures come from, and how its plans have changed.

Each figure with its formula and the numbers in it, then why, then rows; the plans newest first, each
with what changed since the one before it.
"""

from collections.abc import Collection, Sequence
from itertools import zip_longest

from finplan.model import figures
from finplan.model.explain import (
    SECTIONS,
    Explanation,
    FeedingRow,
    Figure,
    Unit,
    Value,
    formula_said,
    written,
)
from finplan.model.plan import StoredPlan
from finplan.views import page
from finplan.views.locale import Locale


def sections() -> page.Page:
    """What can be explained."""
    rows = ((page.TextSpan(key, "strong"), what) for key, what in SECTIONS.items())
    more = page.Sentence("And any category: finplan plan explain groceries", "soft")
    return page.of(page.table(("", "<"), rows, indent=1), page.spaced(more))


def explanation(told: Explanation, how: Locale, labels: page.Labels) -> page.Page:
    """How the figures of a section come about; `labels` are those of the categories."""
    day = f"as of {figures.long_date(told.generated_on)}"
    return page.of(
        page.Title(page.mentioning(told.title, "strong"), day),
        _of_the_plan(told),
        page.Sentence(""),
        figures_of(told, how),
        page.spaced(page.Section("why", "Why", reasons(told)) if told.reasons else None),
        page.spaced(rows_behind(told, how, labels) if told.transactions else None),
    )


def _of_the_plan(told: Explanation) -> tuple[page.Sentence, ...]:
    """A word when the latest plan says something else: it is older than the data."""
    if told.plan is None or told.plan.same:
        return ()
    day = figures.long_date(told.plan.generated_on)
    said = (
        f"Your plan of {day} says otherwise here: data, rules or balances have changed since."
        " `finplan plan build` builds a new one."
    )
    return (page.Sentence(said, "warn"),)


def figures_of(told: Explanation, how: Locale) -> tuple[page.PageBlock, ...]:
    """Each figure and its result; under it the formula, then the same with the numbers in it."""
    blocks: list[page.PageBlock] = []
    for figure in told.figures:
        blocks.append(_result(figure, how))
        formulas = formula_said(figure, told.figures, how.currency)
        blocks += (page.said(each, "soft", indent=3) for each in formulas)
    return tuple(blocks)


def _result(figure: Figure, how: Locale) -> page.Title:
    tone = "strong" if figure.formula is not None else ""
    result = written(figure.result, figure.unit, how.currency)
    return page.Title((" ", page.mentioning(figure.label, tone)), page.TextSpan(result, tone))


def reasons(told: Explanation) -> tuple[page.Sentence, ...]:
    """Why the figures are so."""
    return page.sentences(told.reasons, item=True)


def rows_behind(told: Explanation, how: Locale, labels: page.Labels) -> page.Section:
    """The largest rows that feed the figures, and the command that lists all of them."""
    rows = (
        (
            page.soft(f"{each.date}"),
            page.name(each.payee),
            page.name(labels.get(each.category, each.category), "soft"),
            how.figure(each.amount, signed=True),
        )
        for each in told.transactions
    )
    columns = (
        "day",
        "payee!",
        page.col("category<", least=24, floor=8),
        page.col("amount>", least=15),
    )
    spoken = "The largest rows"
    blocks: list[page.PageBlock] = [
        page.table(columns, rows, spoken=spoken, gap=1, indent=1, headless=True),
    ]
    if told.more is not None:
        blocks.append(page.Sentence(f" and {told.more.count:,} more:", "soft"))
        # A command is kept on one line, however long, so that it can be copied.
        blocks.append(page.Sentence(f"   {told.more.command}", "soft", whole=True))
    return page.Section("rows", "From these transactions", tuple(blocks), "the largest")


def history(plans: Sequence[StoredPlan], how: Locale) -> page.Page:
    """The plans with their main figures, newest first.

    What is left over says what income and spending come to, so that these two give way first.
    """
    rows = [_plan(each, before, how) for each, before in zip_longest(plans, plans[1:])]
    sums = (page.col(head, drops=2) for head in ("income>", "spending>"))
    left, worth = (page.col(head, tone="strong") for head in ("left over>", "net worth>"))
    columns = (
        page.col("built"),
        *sums,
        left,
        page.col(">"),
        worth,
        page.col(">"),
        page.col("to do>"),
    )
    none = "No plan yet: `finplan plan build` makes one."
    return page.of(page.listing(columns, rows, none, spoken="Your plans"))


def _plan(stored: StoredPlan, before: StoredPlan | None, how: Locale) -> page.TableRow:
    monthly, worth = stored.plan.monthly, stored.plan.snapshot.net_worth
    surplus_change = worth_change = 0
    if before is not None:
        surplus_change = monthly.surplus - before.plan.monthly.surplus
        worth_change = worth - before.plan.snapshot.net_worth
    built = how.minute(stored.created_at)
    return page.TableRow(
        (
            page.TextSpan(built, short=built[:10]),
            how.rounded(monthly.income),
            how.rounded(monthly.total_spend),
            how.rounded(monthly.surplus),
            _change(surplus_change, how),
            how.rounded(worth),
            _change(worth_change, how),
            str(len(stored.plan.actions)),
        )
    )


def _change(amount: int, how: Locale) -> page.TextSpan:
    return page.TextSpan(figures.difference(amount, how.currency), "bad" if amount < 0 else "good")


# --- what agents are told ------------------------------------------------------------------------


def brief(told: Explanation, shown: Sequence[FeedingRow], how: Locale) -> page.Lines:
    """Each figure with its formula and the values in it, the reasons, and the rows `shown`."""
    yield (
        page.TextSpan(told.title.rstrip("."), kind="label"),
        f"; worked out on {told.generated_on}:",
    )
    names = {figure.name for figure in told.figures}
    for figure in told.figures:
        yield ("- ", *_brief_figure(figure, names, how))
    yield from (("- ", page.mentioning(each)) for each in told.reasons)
    if shown:
        rest = len(told.transactions) - len(shown) + (told.more.count if told.more else 0)
        yield f"The largest of {figures.count(len(shown) + rest, 'row')}:"
    for row in shown:
        yield f"- {row.date} ", page.name(row.payee), f" {how.money(row.amount)}"


def _brief_figure(
    figure: Figure, names: Collection[str], how: Locale
) -> tuple[str | page.TextSpan, ...]:
    alike = figure.label.casefold() == figure.name.casefold()
    known = "" if alike else f" ({figure.name})"
    result = _brief_value(figure.result, figure.unit, how)
    values = ", ".join(
        f"{each.name} {_brief_value(each.value, each.unit, how)}"
        for each in figure.values
        if each.name not in names
    )
    formula = f" = {figure.formula}" if figure.formula else ""
    where = f" ({values})" if formula and values else ""
    return page.mentioning(figure.label), f"{known}: {result}{formula}{where}"


def _brief_value(value: Value, unit: Unit, how: Locale) -> str:
    if value is None:
        return "unknown"
    if unit == "money" and isinstance(value, int):
        return how.money(value)
    if unit == "share" and not isinstance(value, str):
        return f"{value * 100:g} %"
    return str(value)
