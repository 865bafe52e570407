"""Questions to the person: the list, one question with its evidence, and what answers move."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from finplan.model import figures
from finplan.model.category import CategoryChoice, MoneyDirection
from finplan.model.characters import shortened
from finplan.model.detection import Transfer
from finplan.model.task import (
    EACH,
    CategorizePayee,
    DailyAllowance,
    Effect,
    ReconnectConnection,
    Task,
)
from finplan.model.transaction import Transaction
from finplan.views import page
from finplan.views.answering import ENTER, choices, is_likely
from finplan.views.locale import Locale, Money
from finplan.views.plan_text import format_outflow

ANSWERS = (
    "Answer one by one: `finplan tasks answer`."
    " Dismiss one: `finplan tasks answer PAYEE --dismiss`."
)
DIRECTIONS: Mapping[MoneyDirection, str] = {
    "both": "Money in and out",
    "out": "Only money out",
    "in": "Only money in",
}
EACH_TIME = "ask each time"
"""What stands for the category where every row is asked about by itself."""

NO_OPEN_TASKS = "No open tasks."
NEXT_PLAN = "Your next plan uses these answers: `finplan plan build`."
NOTHING_TO_UNDO = "Nothing to undo yet."

CHARGES_SHOWN, ROWS_SHOWN = 5, 6
"""How many charges, and how many rows of a direction, stand for all: the newest of different texts."""

_REGULAR, _FIRST_DAYS = 3, 7
"""So many charges on the first days of their months are no accident."""


# --- what is asked -------------------------------------------------------------------------------


def question(task: Task) -> tuple[str | page.TextSpan, ...]:
    """The question in one sentence."""
    if isinstance(task, CategorizePayee):
        return "Which category is ", page.name(task.payee), "?"
    if isinstance(task, ReconnectConnection):
        reason = f" ({task.error})" if task.error and not _is_sentence(task.error) else ""
        return (page.name(f"{task.institution_name} wants you to sign in again{reason}."),)
    return (page.name(task.reason),)


def _is_sentence(error: str) -> bool:
    return error.rstrip().endswith(".")


def about(task: Task) -> str:
    """What a question is about."""
    if isinstance(task, CategorizePayee):
        return task.payee
    if isinstance(task, ReconnectConnection):
        return task.institution_name
    return f"the missing {task.missing} account"


def way_on(task: Task, called: str) -> str:
    """What to do about a question that no category answers; `called` is how its id is typed."""
    if isinstance(task, ReconnectConnection):
        text = f"{task.error} " if task.error and _is_sentence(task.error) else ""
        return f"{text}See `finplan connections`, then sync: `finplan sync`."
    return (
        "Import its statement: `finplan import FILE`. Or dismiss this:"
        f" `finplan tasks answer {called} --dismiss`."
    )


def counted(task: CategorizePayee) -> str:
    """How many transactions a question is about."""
    return figures.count(task.count, "transaction")


def told_apart(task: CategorizePayee, currency: str) -> str:
    """What tells one of several questions about payees of one name from the others."""
    return f"{counted(task)}, {format_outflow(task.total, currency)}"


def _money(amount: int, how: Locale, tone: str = "") -> Money:
    """A sum as the person knows it: what came in has a plus sign."""
    return how.figure(abs(amount), tone, signed=amount < 0)


# --- the list ------------------------------------------------------------------------------------


def lead(count: int) -> str:
    """How many questions are open, and what becomes of an answer."""
    if not count:
        return NO_OPEN_TASKS
    order = "most important first. You see the effect of an answer before you save it."
    return f"{figures.count(count, 'task')}, {order}"


def section(tasks: Sequence[Task], how: Locale, *, answers: bool) -> page.Section:
    """The open questions on a page of the plan; how to answer them by commands where asked for."""
    hint = page.Sentence(ANSWERS, "soft") if answers and _payees(tasks) else None
    blocks = (*_list_blocks(tasks, how, None), *([hint] if hint else []))
    return page.Section("questions", "Open tasks", blocks)


def listed(tasks: Sequence[Task], how: Locale, labels: page.Labels | None = None) -> page.Page:
    """The open questions, the most money first; those with answers where `labels` of them are told."""
    return page.of(_list_blocks(tasks, how, labels))


def _payees(tasks: Iterable[Task]) -> list[CategorizePayee]:
    return [task for task in tasks if isinstance(task, CategorizePayee)]


def _list_blocks(
    tasks: Sequence[Task], how: Locale, labels: page.Labels | None
) -> Iterator[page.PageBlock]:
    """The payees asked about with what they decide; then the other questions, in full."""
    short, payees = shortened([task.id for task in tasks]), _payees(tasks)
    if not tasks:
        yield page.Sentence(NO_OPEN_TASKS if labels is None else "No answered tasks.", "soft")
    if payees:
        bearers = Counter(task.payee for task in payees)
        last = ("suggested<;", "~;") if labels is None else ("answer<",)
        rows = (_payee(payee, how, labels, bearers) for payee in payees)
        columns = ("payee<", "count>", "total>", *last, "id#")
        yield page.table(columns, rows, spoken="Payees without a category")
    for task in tasks:
        if not isinstance(task, CategorizePayee):
            # What was answered asks for nothing more.
            tail = way_on(task, short[task.id]) if labels is None else short[task.id]
            yield page.Sentence((*question(task), " ", page.mentioning(tail)), item=True)


def _payee(
    task: CategorizePayee, how: Locale, labels: page.Labels | None, bearers: Mapping[str, int]
) -> page.TableRow:
    """A payee; one of several questions about it that are of one charge each has its day."""
    alone = task.count > 1 or bearers[task.payee] == 1
    called = task.payee if alone else f"{task.payee}, {figures.long_date(task.last_date)}"
    last: tuple[page.TableCell, ...]
    if labels is not None:
        names = {**labels, EACH: EACH_TIME}
        last = (
            page.name("dismissed" if task.answer is None else names.get(task.answer, task.answer)),
        )
    elif task.confidence is None:
        # The commonest answer, which stands in for a guess, would only mislead.
        last = ("–", "")
    else:
        last = (page.name(task.suggested_label), _sure(figures.share(task.confidence)))
    return page.TableRow(
        (page.name(called), f"{task.count:,}", _money(task.total, how), *last, task.id), task.id
    )


def _sure(share: str) -> page.TextSpan:
    return page.TextSpan(f"{share} sure", short=share)


def entry(task: Task, how: Locale, *, marked: bool) -> page.Title:
    """A question as one line of a list: what it is about, and how much money it decides."""
    mark = page.TextSpan("✓ " if marked else "", "strong accent")
    if isinstance(task, CategorizePayee):
        return page.Title((mark, page.name(task.payee)), format_outflow(task.total, how.currency))
    return page.Title((mark, *(page.name(page.plain(part), "warn") for part in question(task))))


# --- one question --------------------------------------------------------------------------------


def question_lines(
    task: Task,
    how: Locale,
    rows: Sequence[Transaction] | None = (),
    candidates: Sequence[Transfer] = (),
    most: int = ROWS_SHOWN,
) -> Iterator[page.PageBlock]:
    """What helps to answer a question: how much it is, its rows, and what speaks for a suggestion.

    The `rows` are as the bank wrote them, newest first, at `most` so many of a direction; None while
    they are looked up. The `candidates` are the transfers in doubt.
    """
    if not isinstance(task, CategorizePayee):
        yield page.sentence(way_on(task, task.id), "soft", indent=2)
        return
    total, last = format_outflow(task.total, how.currency), figures.long_date(task.last_date)
    yield _evidence(f"{counted(task)}, {total} total, last on {last}")
    if rows is None:
        yield _evidence("Loading transactions …")
    elif rows:
        yield from _rows(task, rows, how, most)
    elif task.charges:
        charges = task.charges[:CHARGES_SHOWN]
        days = (
            f"{format_outflow(charge.amount, how.currency)} on {charge.date.day} {charge.date:%b}"
            for charge in charges
        )
        tail = ", …" if task.count > len(charges) else ""
        yield _evidence(f"Recent: {', '.join(days)}{tail}")
    if text := explain_suggestion(task, how) or describe_twin(task, candidates):
        yield page.sentence(text, indent=2)


def _evidence(text: str) -> page.Sentence:
    return page.sentence(text, "soft", indent=2)


def _rows(
    task: CategorizePayee, rows: Sequence[Transaction], how: Locale, most: int
) -> Iterator[page.PageBlock]:
    """Why a suggestion is made, and the money of each direction: how much it is, and its newest rows."""
    out, into = [row for row in rows if row.amount < 0], [row for row in rows if row.amount >= 0]
    if task.confidence is not None:
        yield _evidence((out or into)[0].why.text)
    for way, some in (("Money out", out), ("Money in", into)):
        if not some:
            continue
        total = format_outflow(-sum(row.amount for row in some), how.currency)
        yield _evidence(f"{way}: {figures.count(len(some), 'transaction')}, {total}")
        listed = some
        if len(some) > most:
            newest = {row.raw: row for row in reversed(some)}
            listed = sorted(newest.values(), key=lambda row: row.date, reverse=True)[:most]
        cells = (
            (
                page.soft(f"{row.date.day} {row.date:%b}"),
                _money(-row.amount, how),
                page.name(row.raw),
            )
            for row in listed
        )
        yield page.table(("", ">", "+~"), cells, indent=4)
        if len(some) > len(listed):
            all_of = f"finplan transactions --merchant {shlex.quote(some[0].payee)}"
            hint = f"and {len(some) - len(listed):,} more: `{all_of}`"
            yield page.sentence(hint, "soft", indent=4)


def ways(
    task: Task, how: Locale, effects: Mapping[str, Effect] | None = None, *, searches: bool = False
) -> page.PageTable:
    """The keys that answer a question, with what each answer moves where that is known.

    One that no key answers is skipped by Enter, unless the face `searches` among all categories.
    """
    payees = [task] if isinstance(task, CategorizePayee) else []
    effects = effects or {}
    rows: list[tuple[page.TableCell, ...]] = [
        (
            choice.key,
            (page.name(choice.label), *(("  ", _sure(choice.sure)) if choice.key == ENTER else ())),
            _moves(effects.get(choice.category), how),
        )
        for payee in payees
        for choice in choices(payee)
    ]
    if searches and payees:
        rows.append(("/", "any other category", ""))
    elif payees and not is_likely(payees[0]):
        rows.append((ENTER, "skip this payee", ""))
    moved = "safe to spend" if any(effect.allowance.known for effect in effects.values()) else ""
    columns = (
        page.col(">", tone="strong accent", least=5),
        page.col("+", fills=True),
        page.col(">~", head=moved),
    )
    return page.table(columns, rows, indent=2)


def _moves(effect: Effect | None, how: Locale) -> page.Phrase:
    """What an answer does to what is safe to spend a day, in a few signs, where it is known."""
    if effect is None or not effect.allowance.known:
        return ""
    change = effect.allowance.after - effect.allowance.before
    return f"{how.figure(change, signed=True).text} a day" if change else "no change"


def explain_suggestion(task: CategorizePayee, how: Locale) -> str:
    """What speaks for a suggestion in the charges shown; empty where they do not tell by themselves."""
    days = [charge.date.day for charge in task.charges]
    if (
        task.suggested != "rent"
        or task.confidence is None
        or len(days) < _REGULAR
        or max(days) > _FIRST_DAYS
    ):
        return ""
    amounts = [charge.amount for charge in task.charges]
    low, high = how.money(min(amounts)), how.money(max(amounts))
    each_time = low if low == high else f"{low} to {high}"
    return (
        f"Looks like rent: the last {len(days)} payments were in the first week of a month,"
        f" {each_time} each."
    )


def describe_twin(task: CategorizePayee, candidates: Iterable[Transfer]) -> str:
    """The newest row that may be the other half of one of a question's, empty where there is none.

    `candidates` are the transfers in doubt, newest first.
    """
    twins = [
        twin
        for transfer in candidates
        for own, twin in ((transfer.out, transfer.into), (transfer.into, transfer.out))
        if own.payee_key == task.payee_key
    ]
    if not twins:
        return ""
    leg, times = twins[0], f" {len(twins)} possible matches." if len(twins) > 1 else ""
    way = "arrived in" if leg.amount > 0 else "left"
    amount, day = figures.money(abs(leg.amount), leg.currency), figures.short_date(leg.date)
    return f"May be a transfer: {amount} {way} {leg.account} on {day} (“{leg.raw}”).{times}"


# --- answers -------------------------------------------------------------------------------------


def part_of_it(direction: MoneyDirection, amount: int | None, how: Locale) -> str:
    """Which part of a payee's money an answer is for; nothing of all of it."""
    way = "" if direction == "both" else f"{DIRECTIONS[direction]}."
    exact = "" if amount is None else f"Only transactions of exactly {how.money(amount)}."
    return f"{way} {exact}".strip()


def describe_effect(effect: Effect, how: Locale, where: CategoryChoice | None = None) -> str:
    """What an answer would move, and where to, before it is given."""
    daily = f" {_describe_daily(effect.allowance, how)}" if effect.allowance.known else ""
    if not effect.charges:
        none = "Changes no transactions." if where is None else f"Puts nothing in {where.label}."
        return f"{none}{daily}"
    charges = figures.count(effect.charges, "transaction")
    # Charges of the running month alone are in no mean yet.
    monthly = f", about {_about(effect.monthly, how)} a month" if effect.monthly else ""
    sums = f"{charges} ({format_outflow(effect.total, how.currency)}{monthly})"
    puts = f"Changes {sums}." if where is None else f"Puts {sums} in {where.label}."
    back = ""
    if effect.total < 0 and where is not None and where.line != "not_spending":
        back = f" It counts as a refund, not income, and lowers spending in {where.label}."
    return f"{puts}{back}{daily}"


def _about(monthly: int, how: Locale) -> str:
    """A month's amount in whole units; exactly, where it would round to nothing."""
    rounded = how.whole(abs(monthly)) if figures.whole_units(monthly, how.currency) else None
    return f"{'+' if monthly < 0 else ''}{rounded or how.money(abs(monthly))}"


def _describe_daily(allowance: DailyAllowance, how: Locale) -> str:
    before, after = how.money(allowance.before), how.money(allowance.after)
    change = f"stays {before}" if before == after else f"changes from {before} to {after}"
    return f"Safe to spend {change} a day."


def describe_decision(
    task: Task, labels: page.Labels, how: Locale, closed: Sequence[Task] = ()
) -> str:
    """What was decided of a question, and what it moved; `closed` are others that it settled."""
    if not isinstance(task, CategorizePayee) or task.answer is None:
        return f"Dismissed. finplan will not ask about {about(task)} again."
    if task.answer == EACH:
        return f"finplan will ask about each {task.payee} transaction separately."
    label, sums = labels.get(task.answer, task.answer), told_apart(task, how.currency)
    also = f" Also answered: {', '.join(map(about, closed))}." if closed else ""
    return f"{task.payee} is now in {label}: {sums}.{also}"


def describe_undo(task: Task) -> str:
    """What taking an answer back did."""
    return f"Answer undone. Open again: {page.plain(question(task))}"


# --- what agents are told ------------------------------------------------------------------------


def brief(
    tasks: Sequence[Task], how: Locale, twins: Mapping[str, str], count: int, *, has_more: bool
) -> page.Lines:
    """Some of `count` questions, a line each, with suggestions; `twins` by the ids of questions."""
    answered = not tasks or any(payee.answer for payee in _payees(tasks))
    yield (
        f"{figures.count(count, 'task')}{'; pass `after` for more.' if has_more else '.'}"
        + ("" if answered else " Ask the person; do not answer for them.")
    )
    for task in tasks:
        yield ("- ", *_brief_task(task, how, twins.get(task.id, "")), f" [{task.id}]")


def _brief_task(task: Task, how: Locale, twin: str) -> tuple[str | page.TextSpan, ...]:
    if not isinstance(task, CategorizePayee):
        return f"{task.kind} ", page.name(brief_about(task))
    if task.answer is not None:
        return page.name(task.payee), f", answered: {task.answer}"
    suggestion: tuple[str | page.TextSpan, ...] = ("no suggestion",)
    if task.confidence is not None:
        others = ", ".join(alternative.category for alternative in task.alternatives)
        sure = f", {figures.share(task.confidence)} sure{', or ' if others else ''}{others}"
        suggestion = "suggested ", page.category(task.suggested, task.suggested_label), sure
    rows = f" {counted(task)}, {how.money(task.total)}"
    last = f", last on {task.last_date}; "
    hint = (". ", page.mentioning(twin)) if twin else ()
    return (*question(task), rows, last, *suggestion, *hint)


def brief_about(task: Task) -> str:
    """What a question is about, or why it is asked."""
    return about(task) if task.kind != "connect_missing_account" else task.reason


def brief_answer(
    called: str,
    status: str,
    answer: str | None,
    label: str | None,
    effect: Effect | None,
    how: Locale,
) -> page.Lines:
    """What became of the answer to the question of an id, or in a preview what it would move."""
    filed, undo = page.category(answer or "", label), "To undo, call again with `undo`."
    again = ". Not saved yet: call again without `preview` once the person agrees."
    if effect is None and status == "undone":
        yield f"Answer undone: {called} is open again."
    elif effect is None and status == "dismissed":
        yield f"Dismissed: finplan will not ask about {called} again. {undo}"
    elif effect is None and answer == EACH:
        yield f"Each transaction is now a task of its own: call list_tasks. {undo}"
    elif effect is None:
        yield "Answered: ", filed, f". {undo}"
    elif label is None:
        text = "Each transaction would become a task of its own"
        yield (
            f"{text if answer else 'finplan would not ask again'}; no transaction changes its"
            f" category{again}"
        )
    else:
        charges, day = figures.count(effect.charges, "transaction"), effect.allowance
        moves = f"({how.money(effect.total)}, {how.money(effect.monthly)} a month)"
        daily = f"; safe to spend {how.money(day.before)} → {how.money(day.after)} a day"
        yield f"Would put {charges} {moves} in ", filed, f"{daily if day.known else ''}{again}"
