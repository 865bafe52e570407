"""Questions as lines, and one question as a person is asked it."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import page, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.characters import shortened
from finplan.model.detection import Transfer
from finplan.model.task import (
    EACH,
    Alternative,
    CategorizePayee,
    Effect,
    Task,
)
from finplan.model.transaction import Transaction
from finplan.model.twins import twin_said
from finplan.views import plan_words

NOTHING_OPEN = Text("No open questions.", style="dim")
NOTHING_ANSWERED = Text("No answered questions.", style="dim")
CHARGES_SHOWN = 3
ROWS_SHOWN = 6
"""How many rows stand for the money of one direction; of more, the newest of different texts."""

EACH_TIME = "asked each time"
"""What stands for the category where every row is asked about by itself."""


def draw_tasks(
    tasks: Sequence[Task], currency: str, width: int, *, answered: bool, labels: Mapping[str, str]
) -> RenderableType:
    """List the payees asked about with what they decide; then the other questions, in full.

    `labels` are those of the categories by id.
    """
    if not tasks:
        return NOTHING_ANSWERED if answered else NOTHING_OPEN
    short = shortened([task.id for task in tasks])
    payees = [task for task in tasks if isinstance(task, CategorizePayee)]
    others = [task for task in tasks if not isinstance(task, CategorizePayee)]
    drawn: list[RenderableType] = []
    bearers = Counter(task.payee for task in payees)
    if payees:
        drawn.append(
            listing(
                (
                    Column("what is", gives_way=True),
                    Column("charges", figures=True),
                    Column("total", figures=True),
                    Column("answer" if answered else "suggested", gives_way=True),
                    *([] if answered else [Column("sure", figures=True, style="dim")]),
                    Column("id", style="dim"),
                ),
                (
                    _row(
                        _named(task, bearers),
                        task,
                        currency,
                        short[task.id],
                        [_answer(task, labels)] if answered else _suggested(task),
                    )
                    for task in payees
                ),
            )
        )
    for task in others:
        # What was answered asks for nothing more.
        rest = short[task.id] if answered else plan_words.way_on(task, short[task.id])
        drawn.append(page(wrapped(f"· {plan_words.question(task)} {rest}", width)))
    return Group(*drawn)


def _named(task: CategorizePayee, bearers: Mapping[str, int]) -> str:
    """The payee, and for one of several questions about it that are of one charge each, the day."""
    if task.count > 1 or bearers[task.payee] == 1:
        return task.payee
    return f"{task.payee}, {figures.long_date(task.last_date)}"


def _row(
    name: str, task: CategorizePayee, currency: str, short: str, last: Sequence[str]
) -> tuple[Content, ...]:
    return (name, f"{task.count:,}", plan_words.moved(task.total, currency), *last, short)


def _answer(task: CategorizePayee, labels: Mapping[str, str]) -> str:
    if task.answer is None:
        return "dismissed"
    return EACH_TIME if task.answer == EACH else labels.get(task.answer, task.answer)


def _suggested(task: CategorizePayee) -> tuple[str, str]:
    """What is suggested, and how sure that is."""
    if task.confidence is None:
        # The commonest answer, which stands in for a guess, would only mislead.
        return "–", ""
    return task.suggested_label, figures.share(task.confidence)


def told_apart(task: CategorizePayee, currency: str) -> str:
    """What tells one of several questions about payees of one name from the others."""
    return f"{plan_words.counted(task)}, {plan_words.moved(task.total, currency)}"


def draw_answered(task: Task, label: str, currency: str, closed: Sequence[Task] = ()) -> Text:
    """What was decided, and what it moved; `label` is the category's.

    `closed` are the other questions that the answer made unnecessary.
    """
    said = plan_words.answered_said(task, label, currency)
    if closed and not (isinstance(task, CategorizePayee) and task.answer == EACH):
        names = ", ".join(plan_words.about(each) for each in closed)
        said = f"{said.removesuffix('.')}. That answers {names}, too."
    return Text(said)


def draw_effect(effect: Effect, currency: str, category: CategoryChoice | None = None) -> Text:
    """What an answer would move, and where to, before it is given."""
    return Text(plan_words.effect_said(effect, currency, category))


def draw_dismissed(task: Task) -> Text:
    """What a dismissal did."""
    return Text(plan_words.dismissed_said(task))


def draw_reopened(task: Task) -> Text:
    """What taking an answer back did."""
    return Text(f"Taken back; open again: {plan_words.question(task)}")


def numbered_answers(task: CategorizePayee) -> tuple[Alternative, ...]:
    """The categories that a number answers with, from 1 on.

    A suggestion that is a guess is one of them, since Enter does not take it.
    """
    if plan_words.is_likely(task):
        return task.alternatives
    guess = Alternative(category=task.suggested, label=task.suggested_label)
    return (guess, *(other for other in task.alternatives if other.category != guess.category))


def draw_question(
    task: Task,
    progress: str,
    currency: str,
    width: int,
    rows: Sequence[Transaction] = (),
    candidates: Sequence[Transfer] = (),
) -> Text:
    """One question with all that helps to answer it; `progress` says which of how many it is.

    `rows` are the rows that it is about, as the bank wrote them, newest first, `candidates` the
    transfers in doubt.
    """
    lines = [Text(), *wrapped(f"{progress}  {plan_words.question(task)}", width, style="bold")]
    if isinstance(task, CategorizePayee):
        lines += _evidence(task, rows, currency, width)
        if said := plan_words.suggestion_said(task, currency) or twin_said(task, candidates):
            lines += wrapped(said, width, indent=2)
        lines += _draw_ways(task)
    else:
        lines += wrapped(plan_words.way_on(task, task.id), width, indent=2, style="dim")
    return page(lines)


def _evidence(
    task: CategorizePayee, rows: Sequence[Transaction], currency: str, width: int
) -> list[Text]:
    total = plan_words.moved(task.total, currency)
    lines = [
        Text(
            f"  {plan_words.counted(task)}, {total} in all,"
            f" the last on {figures.long_date(task.last_date)}",
            "dim",
        )
    ]
    if rows:
        out = [row for row in rows if row.amount < 0]
        into = [row for row in rows if row.amount >= 0]
        if task.confidence is not None:
            lines += wrapped((out or into)[0].why.text, width, indent=2, style="dim")
        for way, noun, some in (("Out", "charge", out), ("In", "payment", into)):
            lines += _direction(way, noun, some, currency, width)
        return lines
    shown = [
        f"{plan_words.moved(charge.amount, currency)} on {charge.date.day} {charge.date:%b}"
        for charge in task.charges[:CHARGES_SHOWN]
    ]
    more = ", …" if task.count > len(shown) else ""
    return lines + wrapped(f"Lately {', '.join(shown)}{more}", width, indent=2, style="dim")


def _direction(
    way: str, noun: str, rows: Sequence[Transaction], currency: str, width: int
) -> list[Text]:
    """The money of one direction: how much it is, and its newest rows of different texts."""
    if not rows:
        return []
    total = plan_words.moved(-sum(row.amount for row in rows), currency)
    lines = [Text(f"  {way}: {figures.count(len(rows), noun)}, {total}", "dim")]
    shown = rows
    if len(rows) > ROWS_SHOWN:
        newest = {row.raw: row for row in reversed(rows)}
        shown = sorted(newest.values(), key=lambda row: row.date, reverse=True)[:ROWS_SHOWN]
    for each in shown:
        amount = plan_words.moved(-each.amount, currency)
        said = f"{each.date.day} {each.date:%b}  {amount}  {each.raw}"
        lines += wrapped(said, width, indent=4, style="dim")
    if len(rows) > len(shown):
        more = f"and {len(rows) - len(shown):,} more: `{_all_of(rows[0])}`"
        lines += wrapped(more, width, indent=4, style="dim")
    return lines


def _all_of(row: Transaction) -> str:
    """The command that lists every row of a row's payee."""
    return f"finplan transactions --merchant {shlex.quote(row.payee)}"


def _draw_ways(task: CategorizePayee) -> list[Text]:
    ways = [("Enter", "skip, since nothing is known for sure")]
    if plan_words.is_likely(task):
        ways = [("Enter", f"{task.suggested_label}  {figures.share(task.confidence or 0)} sure")]
    numbered = enumerate(numbered_answers(task), start=1)
    ways += [(str(place), other.label) for place, other in numbered]
    return [
        row(("", 1), (Text(key, style="bold cyan"), -5), ("", 0), (way, 60)) for key, way in ways
    ]
