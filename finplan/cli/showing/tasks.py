"""Questions as lines, and one question as a person is asked it."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import page, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.plan_words import question
from finplan.model.task import (
    Alternative,
    CategorizePayee,
    ConnectMissingAccount,
    ReconnectConnection,
    Task,
)

NOTHING_OPEN = Text("No open questions.", style="dim")
NOTHING_ANSWERED = Text("No answered questions.", style="dim")
CHARGES_SHOWN = 3
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
    if payees:
        drawn.append(
            listing(
                (
                    Column("what is", gives_way=True),
                    Column("charges", figures=True),
                    Column("total", figures=True),
                    Column("answer" if answered else "suggested", gives_way=True),
                    Column("id", style="dim"),
                ),
                (
                    _row(task, currency, short[task.id], _last(task, labels, answered=answered))
                    for task in payees
                ),
            )
        )
    for task in others:
        sentence = f"· {question(task)} {short[task.id]}"
        drawn.append(page(wrapped(sentence, width)))
    return Group(*drawn)


def _row(task: CategorizePayee, currency: str, short: str, last: str) -> tuple[Content, ...]:
    return (task.payee, f"{task.count:,}", _moved(task.total, currency), last, short)


def _moved(amount: int, currency: str) -> str:
    """A sum as the person knows it: what went out as it is, what came in with a plus sign."""
    return (
        figures.money(amount, currency) if amount >= 0 else f"+{figures.money(-amount, currency)}"
    )


def _counted(task: CategorizePayee) -> str:
    return figures.count(task.count, "charge" if task.total >= 0 else "payment")


def _last(task: CategorizePayee, labels: Mapping[str, str], *, answered: bool) -> str:
    if answered:
        return "dismissed" if task.answer is None else labels.get(task.answer, task.answer)
    if task.confidence is None:
        # The commonest answer, which stands in for a guess, would only mislead.
        return "–"
    return f"{task.suggested_label} ({figures.share(task.confidence)})"


def draw_answered(task: Task, label: str, currency: str, closed: Sequence[Task] = ()) -> Text:
    """What was decided, and what it moved; `label` is the category's.

    `closed` are the other questions that the answer made unnecessary.
    """
    text = f"Filed {_about(task)} under {label}"
    if isinstance(task, CategorizePayee):
        text += f": {_counted(task)}, {_moved(task.total, currency)}"
    if closed:
        names = ", ".join(_about(each) for each in closed)
        text += f". That answers {names}, too"
    return Text(f"{text}.")


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


def draw_question(task: Task, progress: str, currency: str, width: int) -> Text:
    """One question with all that helps to answer it; `progress` says which of how many it is."""
    lines = [Text(), *wrapped(f"{progress}  {question(task)}", width, style="bold")]
    if isinstance(task, CategorizePayee):
        lines += _evidence(task, currency, width)
        lines += _draw_ways(task)
    return page(lines)


def _evidence(task: CategorizePayee, currency: str, width: int) -> list[Text]:
    total = _moved(task.total, currency)
    lines = [
        Text(
            f"  {_counted(task)}, {total} in all, the last on {figures.long_date(task.last_date)}",
            "dim",
        )
    ]
    shown = [
        f"{_moved(charge.amount, currency)} on {charge.date.day} {charge.date:%b}"
        for charge in task.charges[:CHARGES_SHOWN]
    ]
    more = ", …" if task.count > len(shown) else ""
    return lines + wrapped(f"Lately {', '.join(shown)}{more}", width, indent=2, style="dim")


def _draw_ways(task: CategorizePayee) -> list[Text]:
    ways = [("Enter", "skip, since nothing is known for sure")]
    if is_likely(task):
        ways = [("Enter", f"{task.suggested_label}  {figures.share(task.confidence or 0)} sure")]
    numbered = enumerate(numbered_answers(task), start=1)
    ways += [(str(place), other.label) for place, other in numbered]
    return [
        row(("", 1), (Text(key, style="bold cyan"), -5), ("", 0), (way, 60)) for key, way in ways
    ]
