"""Questions as lines, and one question as a person is asked it."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli import figures
from finplan.cli.choosing import shortened
from finplan.cli.layout import page, row, wrapped
from finplan.cli.listing import Column, Content, listing
from finplan.model.task import CategorizePayee, ConnectMissingAccount, ReconnectConnection, Task

NOTHING_OPEN = Text("No open questions.", style="dim")
NOTHING_ANSWERED = Text("No answered questions.", style="dim")
CHARGES_SHOWN = 3


def draw_tasks(
    tasks: Sequence[Task], currency: str, width: int, *, answered: bool
) -> RenderableType:
    """List the payees asked about with what they decide; then the other questions, in full."""
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
                (_row(task, currency, short[task.id], answered=answered) for task in payees),
            )
        )
    for task in others:
        sentence = f"· {question(task)} {short[task.id]}"
        drawn.append(page(wrapped(sentence, width)))
    return Group(*drawn)


def _row(
    task: CategorizePayee, currency: str, short: str, *, answered: bool
) -> tuple[Content, ...]:
    sure = "" if task.confidence is None else f" ({figures.share(task.confidence)})"
    last = (task.answer or "dismissed") if answered else f"{task.suggested_label}{sure}"
    return (task.payee, f"{task.count:,}", figures.money(task.total, currency), last, short)


def question(task: Task) -> str:
    """The question in one sentence."""
    match task:
        case CategorizePayee():
            return f"What is {task.payee}?"
        case ReconnectConnection():
            reason = f" ({task.error})" if task.error else ""
            return f"{task.institution_name} wants you to sign in again{reason}."
        case ConnectMissingAccount():
            return task.reason


def draw_answer(task: Task) -> Text:
    """What was decided."""
    if isinstance(task, CategorizePayee) and task.answer is not None:
        return Text(f"Filed {task.payee} under {task.answer.replace('_', ' ')}.")
    return Text(f"Noted: {question(task)}")


def draw_question(task: Task, progress: str, currency: str, width: int) -> Text:
    """One question with all that helps to answer it; `progress` says which of how many it is."""
    lines = [Text(), *wrapped(f"{progress}  {question(task)}", width, style="bold")]
    if isinstance(task, CategorizePayee):
        lines += _evidence(task, currency, width)
        lines += _ways_to_answer(task)
    return page(lines)


def _evidence(task: CategorizePayee, currency: str, width: int) -> list[Text]:
    charges = figures.count(task.count, "charge")
    total = figures.money(task.total, currency)
    lines = [
        Text(f"  {charges}, {total} in all, the last on {figures.long_date(task.last_date)}", "dim")
    ]
    shown = [
        f"{figures.money(charge.amount, currency)} on {charge.date.day} {charge.date:%b}"
        for charge in task.charges[:CHARGES_SHOWN]
    ]
    more = ", …" if task.count > len(shown) else ""
    return lines + wrapped(f"Lately {', '.join(shown)}{more}", width, indent=2, style="dim")


def _ways_to_answer(task: CategorizePayee) -> list[Text]:
    sure = "" if task.confidence is None else f"  {figures.share(task.confidence)} sure"
    ways = [("Enter", f"{task.suggested_label}{sure}")]
    ways += [(str(place), other.label) for place, other in enumerate(task.alternatives, start=1)]
    return [
        row(("", 1), (Text(key, style="bold cyan"), -5), ("", 0), (way, 60)) for key, way in ways
    ]
