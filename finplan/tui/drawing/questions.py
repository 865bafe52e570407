"""A question with all that helps to answer it: the rows behind it, and what each answer would move."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from finplan.model import figures, task as tasks
from finplan.model.detection import Transfer
from finplan.model.transaction import Transaction
from finplan.model.twins import twin_said
from finplan.tui.drawing.lines import FAINT, KEY, STRONG, ends, fit, page, row, styled, wrapped
from finplan.views.plan_words import counted, is_likely, moved, question, suggestion_said

ROWS_SHOWN = 8


def numbered(task: tasks.CategorizePayee) -> tuple[tasks.Alternative, ...]:
    """The categories that a number answers with, from 1 on; a guess that Enter does not take is one."""
    if is_likely(task):
        return task.alternatives
    guess = tasks.Alternative(category=task.suggested, label=task.suggested_label)
    others = (each for each in task.alternatives if each.category != guess.category)
    return (guess, *others)


def draw_entry(task: tasks.Task, currency: str, width: int, *, marked: bool) -> Content:
    """One line of the list of questions: what it is about, and how much money it decides."""
    mark = styled("✓ " if marked else "", KEY)
    if isinstance(task, tasks.CategorizePayee):
        return mark + ends(task.payee, moved(task.total, currency), width - mark.cell_length)
    return mark + fit(styled(question(task), "$text-warning"), width - mark.cell_length)


def draw_question(
    task: tasks.Task,
    rows: Sequence[Transaction] | None,
    effects: Mapping[str, tasks.Effect],
    currency: str,
    width: int,
    *,
    candidates: Sequence[Transfer] = (),
    most: int = ROWS_SHOWN,
) -> Content:
    """The question, `most` of its rows (None while they are fetched), and the keys that answer it.

    `candidates` are the transfers in doubt.
    """
    lines = wrapped(question(task), width, STRONG)
    if isinstance(task, tasks.CategorizePayee):
        total = moved(task.total, currency)
        last = figures.long_date(task.last_date)
        lines += wrapped(f"{counted(task)}, {total} in all, the last on {last}", width, FAINT)
        lines.append(Content(""))
        lines += _ways(task, effects, currency, width)
        if said := suggestion_said(task, currency) or twin_said(task, candidates):
            lines += wrapped(said, width, FAINT)
        lines.append(Content(""))
        lines += _rows(rows, currency, width, most)
        return page(lines)
    lines.append(Content(""))
    for key, said in other_ways(task):
        lines += [row((styled(key, KEY), 5), (said, width - 6))]
    return page(lines)


def other_ways(
    task: tasks.ReconnectConnection | tasks.ConnectMissingAccount,
) -> list[tuple[str, str]]:
    """The keys that lead on from a question that no category answers."""
    if isinstance(task, tasks.ReconnectConnection):
        return [("Enter", "ask the bank again"), ("A", "accounts, where it is linked anew")]
    return [("Enter", "import a statement of it"), ("d", "do not ask again")]


def _ways(
    task: tasks.CategorizePayee, effects: Mapping[str, tasks.Effect], currency: str, width: int
) -> list[Content]:
    lines: list[Content] = []
    if is_likely(task):
        sure = figures.share(task.confidence or 0)
        lines += _way(
            "Enter",
            task.suggested,
            f"{task.suggested_label}, {sure} sure",
            effects,
            currency,
            width,
        )
    for place, other in enumerate(numbered(task), start=1):
        lines += _way(str(place), other.category, other.label, effects, currency, width)
    return [*lines, row((styled("/", KEY), 5), ("any other category", width - 6))]


def _way(
    key: str,
    category: str,
    label: str,
    effects: Mapping[str, tasks.Effect],
    currency: str,
    width: int,
) -> list[Content]:
    effect = effects.get(category)
    told = "" if effect is None else _moves(effect, currency)
    return [row((styled(key, KEY), 5), (ends(label, styled(told, FAINT), width - 6), width - 6))]


def _moves(effect: tasks.Effect, currency: str) -> str:
    """What an answer does to what is safe to spend a day, in a few signs, where it is known."""
    if not effect.allowance.known:
        return ""
    change = effect.allowance.after - effect.allowance.before
    if change == 0:
        return "no change a day"
    sign = "+" if change > 0 else ""
    return f"{sign}{figures.money(change, currency)} a day"


def _rows(
    rows: Sequence[Transaction] | None, currency: str, width: int, most: int
) -> list[Content]:
    if rows is None:
        return [styled("Looking up its rows …", FAINT)]
    lines = []
    for each in rows[:most]:
        amount = moved(-each.amount, currency)
        day = styled(f"{each.date.day:>2} {each.date:%b %y}", FAINT)
        lines.append(row((day, 9), (amount, -12), (styled(each.raw, FAINT), max(1, width - 23))))
    if len(rows) > most:
        lines.append(styled(f"and {len(rows) - most:,} more", FAINT))
    return lines
