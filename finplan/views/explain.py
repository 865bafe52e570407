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
    describe_formula,
    written,
)
from finplan.model.plan import StoredPlan
from finplan.views import page
from finplan.views.locale import Locale


def sections() -> page.Page:
    """What can be explained."""
    rows = ((page.TextSpan(key, "strong"), what) for key, what in SECTIONS.items())
    hint = page.Sentence("Or any category: finplan plan explain groceries", "soft")
    return page.of(page.table(("", "<"), rows, indent=1), page.spaced(hint))


def explanation(answer: Explanation, how: Locale, labels: page.Labels) -> page.Page:
    """How the figures of a section come about; `labels` are those of the categories."""
    day = f"as of {figures.long_date(answer.generated_on)}"
    return page.of(
        page.Title(page.mentioning(answer.title, "strong"), day),
        _of_the_plan(answer),
        page.Sentence(""),
        figures_of(answer, how),
        page.spaced(page.Section("why", "Why", reasons(answer)) if answer.reasons else None),
        page.spaced(rows_behind(answer, how, labels) if answer.transactions else None),
    )


def _of_the_plan(answer: Explanation) -> tuple[page.Sentence, ...]:
    """A word when the latest plan says something else: it is older than the data."""
    if answer.plan is None or answer.plan.same:
        return ()
    day = figures.long_date(answer.plan.generated_on)
    text = (
        f"Your plan of {day} has different figures here, because data, rules or balances have"
        " changed since then."
        " Build a new one with `finplan plan build`."
    )
    return (page.Sentence(text, "warn"),)


def figures_of(answer: Explanation, how: Locale) -> tuple[page.PageBlock, ...]:
    """Each figure and its result; under it the formula, then the same with the numbers in it."""
    blocks: list[page.PageBlock] = []
    for figure in answer.figures:
        blocks.append(_result(figure, how))
        formulas = describe_formula(figure, answer.figures, how.currency)
        blocks += (page.sentence(formula, "soft", indent=3) for formula in formulas)
    return tuple(blocks)


def _result(figure: Figure, how: Locale) -> page.Title:
    tone = "strong" if figure.formula is not None else ""
    result = written(figure.result, figure.unit, how.currency)
    return page.Title((" ", page.mentioning(figure.label, tone)), page.TextSpan(result, tone))


def reasons(answer: Explanation) -> tuple[page.Sentence, ...]:
    """Why the figures are so."""
    return page.sentences(answer.reasons, item=True)


def rows_behind(answer: Explanation, how: Locale, labels: page.Labels) -> page.Section:
    """The largest rows that feed the figures, and the command that lists all of them."""
    rows = (
        (
            page.soft(f"{row.date}"),
            page.name(row.payee),
            page.name(labels.get(row.category, row.category), "soft"),
            how.figure(row.amount, signed=True),
        )
        for row in answer.transactions
    )
    columns = (
        "day",
        "payee!",
        page.col("category<", least=24, floor=8),
        page.col("amount>", least=15),
    )
    spoken = "The largest transactions"
    blocks: list[page.PageBlock] = [
        page.table(columns, rows, spoken=spoken, gap=1, indent=1, headless=True),
    ]
    if answer.more is not None:
        blocks.append(page.Sentence(f" and {answer.more.count:,} more:", "soft"))
        # A command is kept on one line, however long, so that it can be copied.
        blocks.append(page.Sentence(f"   {answer.more.command}", "soft", whole=True))
    return page.Section("rows", "From these transactions", tuple(blocks), "the largest")


def history(plans: Sequence[StoredPlan], how: Locale) -> page.Page:
    """The plans with their main figures, newest first.

    What is left over says what income and spending come to, so that these two give way first.
    """
    rows = [_plan(plan, before, how) for plan, before in zip_longest(plans, plans[1:])]
    sums = (page.col(head, drops=2) for head in ("income>", "spending>"))
    surplus, worth = (page.col(head, tone="strong") for head in ("surplus>", "net worth>"))
    columns = (
        page.col("built"),
        *sums,
        surplus,
        page.col(">"),
        worth,
        page.col(">"),
        page.col("to do>"),
    )
    none = "No plans yet. Build one with `finplan plan build`."
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


def brief(answer: Explanation, rows: Sequence[FeedingRow], how: Locale) -> page.Lines:
    """Each figure with its formula and the values in it, the reasons, and the `rows`."""
    yield (
        page.TextSpan(answer.title.rstrip("."), kind="label"),
        f" (as of {answer.generated_on}):",
    )
    names = {figure.name for figure in answer.figures}
    for figure in answer.figures:
        yield ("- ", *_brief_figure(figure, names, how))
    yield from (("- ", page.mentioning(reason)) for reason in answer.reasons)
    if rows:
        hidden = len(answer.transactions) - len(rows) + (answer.more.count if answer.more else 0)
        yield f"The largest of {figures.count(len(rows) + hidden, 'transaction')}:"
    for row in rows:
        yield f"- {row.date} ", page.name(row.payee), f" {how.money(row.amount)}"


def _brief_figure(
    figure: Figure, names: Collection[str], how: Locale
) -> tuple[str | page.TextSpan, ...]:
    alike = figure.label.casefold() == figure.name.casefold()
    name = "" if alike else f" ({figure.name})"
    result = _brief_value(figure.result, figure.unit, how)
    values = ", ".join(
        f"{term.name} {_brief_value(term.value, term.unit, how)}"
        for term in figure.values
        if term.name not in names
    )
    formula = f" = {figure.formula}" if figure.formula else ""
    where = f" ({values})" if formula and values else ""
    return page.mentioning(figure.label), f"{name}: {result}{formula}{where}"


def _brief_value(value: Value, unit: Unit, how: Locale) -> str:
    if value is None:
        return "unknown"
    if unit == "money" and isinstance(value, int):
        return how.money(value)
    if unit == "share" and not isinstance(value, str):
        return figures.rate(value)
    return str(value)
