"""Questions as lines, and one question as a person is asked it."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import page, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.plan_words import question, suggestion_said, way_on
from finplan.model.task import (
    EACH,
    Alternative,
    CategorizePayee,
    ConnectMissingAccount,
    Effect,
    ReconnectConnection,
    Task,
)
from finplan.model.transaction import Transaction

NOTHING_OPEN = Text("No open questions.", style="dim")
NOTHING_ANSWERED = Text("No answered questions.", style="dim")
CHARGES_SHOWN = 3
ROWS_SHOWN = 6
"""How many rows stand for the money of one direction; of more, the newest of different texts."""

EACH_TIME = "asked each time"
"""What stands for the category where every row is asked about by itself."""

LIKELY = 0.5
"""From here on a suggestion is more likely right than wrong, so that Enter takes it."""


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
        rest = short[task.id] if answered else way_on(task, short[task.id])
        drawn.append(page(wrapped(f"· {question(task)} {rest}", width)))
    return Group(*drawn)


def _named(task: CategorizePayee, bearers: Mapping[str, int]) -> str:
    """The payee, and for one of several questions about it that are of one charge each, the day."""
    if task.count > 1 or bearers[task.payee] == 1:
        return task.payee
    return f"{task.payee}, {figures.long_date(task.last_date)}"


def _row(
    name: str, task: CategorizePayee, currency: str, short: str, last: Sequence[str]
) -> tuple[Content, ...]:
    return (name, f"{task.count:,}", _moved(task.total, currency), *last, short)


def _moved(amount: int, currency: str) -> str:
    """A sum as the person knows it: what went out as it is, what came in with a plus sign."""
    return (
        figures.money(amount, currency) if amount >= 0 else f"+{figures.money(-amount, currency)}"
    )


def _counted(task: CategorizePayee) -> str:
    return figures.count(task.count, "charge" if task.total >= 0 else "payment")


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
    return f"{_counted(task)}, {_moved(task.total, currency)}"


def draw_answered(task: Task, label: str, currency: str, closed: Sequence[Task] = ()) -> Text:
    """What was decided, and what it moved; `label` is the category's.

    `closed` are the other questions that the answer made unnecessary.
    """
    if isinstance(task, CategorizePayee) and task.answer == EACH:
        return Text(
            f"From now on each charge and payment of {_about(task)} is a question of its own."
        )
    text = f"Filed {_about(task)} under {label}"
    if isinstance(task, CategorizePayee):
        text += f": {_counted(task)}, {_moved(task.total, currency)}"
    if closed:
        names = ", ".join(_about(each) for each in closed)
        text += f". That answers {names}, too"
    return Text(f"{text}.")


def draw_effect(effect: Effect, currency: str, category: CategoryChoice | None = None) -> Text:
    """What an answer would move, and where to, before it is given."""
    before, after = (
        figures.money(each, currency) for each in (effect.allowance.before, effect.allowance.after)
    )
    daily = f"goes from {before} to {after}" if before != after else f"stays at {before}"
    where = "" if category is None else f" to {category.label}"
    if not effect.charges:
        return Text(f"Moves no charge{where}; safe to spend a day {daily}.")
    noun = "charge" if effect.total >= 0 else "payment"
    # Charges of the running month alone are in no mean yet.
    monthly = f", {_moved(effect.monthly, currency)} a month" if effect.monthly else ""
    back = ""
    if effect.total < 0 and category is not None and category.line != "not_spending":
        back = ". It counts as money back and lowers that spending, and is no income"
    return Text(
        f"Moves {figures.count(effect.charges, noun)}{where},"
        f" {_moved(effect.total, currency)} in all{monthly}{back}; safe to spend a day {daily}."
    )


def draw_dismissed(task: Task) -> Text:
    """What a dismissal did."""
    return Text(f"Dismissed: {_about(task)} is not asked about again.")


def draw_reopened(task: Task) -> Text:
    """What taking an answer back did."""
    return Text(f"Taken back; open again: {question(task)}")


def _about(task: Task) -> str:
    match task:
        case CategorizePayee():
            return task.payee
        case ReconnectConnection():
            return task.institution_name
        case ConnectMissingAccount():
            return f"the account that is missing for your {task.missing}"


def is_likely(task: CategorizePayee) -> bool:
    """Whether the suggestion is at least as likely right as wrong."""
    return task.confidence is not None and task.confidence >= LIKELY


def numbered_answers(task: CategorizePayee) -> tuple[Alternative, ...]:
    """The categories that a number answers with, from 1 on.

    A suggestion that is a guess is one of them, since Enter does not take it.
    """
    if is_likely(task):
        return task.alternatives
    guess = Alternative(category=task.suggested, label=task.suggested_label)
    return (guess, *(other for other in task.alternatives if other.category != guess.category))


def draw_question(
    task: Task, progress: str, currency: str, width: int, rows: Sequence[Transaction] = ()
) -> Text:
    """One question with all that helps to answer it; `progress` says which of how many it is.

    `rows` are the rows that it is about, as the bank wrote them, newest first.
    """
    lines = [Text(), *wrapped(f"{progress}  {question(task)}", width, style="bold")]
    if isinstance(task, CategorizePayee):
        lines += _evidence(task, rows, currency, width)
        if said := suggestion_said(task, currency):
            lines += wrapped(said, width, indent=2)
        lines += _draw_ways(task)
    else:
        lines += wrapped(way_on(task, task.id), width, indent=2, style="dim")
    return page(lines)


def _evidence(
    task: CategorizePayee, rows: Sequence[Transaction], currency: str, width: int
) -> list[Text]:
    total = _moved(task.total, currency)
    lines = [
        Text(
            f"  {_counted(task)}, {total} in all, the last on {figures.long_date(task.last_date)}",
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
        f"{_moved(charge.amount, currency)} on {charge.date.day} {charge.date:%b}"
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
    total = _moved(-sum(row.amount for row in rows), currency)
    lines = [Text(f"  {way}: {figures.count(len(rows), noun)}, {total}", "dim")]
    shown = rows
    if len(rows) > ROWS_SHOWN:
        newest = {row.raw: row for row in reversed(rows)}
        shown = sorted(newest.values(), key=lambda row: row.date, reverse=True)[:ROWS_SHOWN]
    for each in shown:
        amount = _moved(-each.amount, currency)
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
    if is_likely(task):
        ways = [("Enter", f"{task.suggested_label}  {figures.share(task.confidence or 0)} sure")]
    numbered = enumerate(numbered_answers(task), start=1)
    ways += [(str(place), other.label) for place, other in numbered]
    return [
        row(("", 1), (Text(key, style="bold cyan"), -5), ("", 0), (way, 60)) for key, way in ways
    ]
