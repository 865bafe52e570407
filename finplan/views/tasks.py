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
from finplan.views.plan_words import moved

ANSWERS = (
    "Answer them one after the other with `finplan tasks answer`; a question that makes no sense is"
    " dismissed with `finplan tasks answer PAYEE --dismiss`."
)
DIRECTIONS: Mapping[MoneyDirection, str] = {
    "both": "All its money",
    "out": "Only what goes out",
    "in": "Only what comes in",
}
EACH_TIME = "asked each time"
"""What stands for the category where every row is asked about by itself."""

NOTHING_TO_UNDO = "There is no answer to take back yet."

CHARGES_SHOWN, ROWS_SHOWN = 5, 6
"""How many charges, and how many rows of a direction, stand for all: the newest of different texts."""

_REGULAR, _FIRST_DAYS = 3, 7
"""So many charges on the first days of their months are no accident."""


# --- what is asked -------------------------------------------------------------------------------


def question(task: Task) -> tuple[str | page.TextSpan, ...]:
    """The question in one sentence."""
    if isinstance(task, CategorizePayee):
        return "What is ", page.name(task.payee), "?"
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
    return f"the account that is missing for your {task.missing}"


def way_on(task: Task, called: str) -> str:
    """What to do about a question that no category answers; `called` is how its id is typed."""
    if isinstance(task, ReconnectConnection):
        return _sign_in(task)
    return (
        "Import a statement of it: `finplan import FILE`; or do not be asked again:"
        f" `finplan tasks answer {called} --dismiss`."
    )


def _sign_in(task: ReconnectConnection) -> str:
    """What a bank's own sentences say beside the question, and how one signs in where they do not."""
    said = task.error if task.error and _is_sentence(task.error) else ""
    said = said.removeprefix(f"{task.institution_name} wants you to sign in again.").strip()
    how = "`finplan connections` says how; then: `finplan sync`."
    tells_how = "`finplan connect" in said or "https://" in said
    return said if tells_how else f"{said} {how}".strip()


def counted(task: CategorizePayee) -> str:
    """How many charges, or payments to the person, a question is about."""
    return figures.count(task.count, "charge" if task.total >= 0 else "payment")


def told_apart(task: CategorizePayee, currency: str) -> str:
    """What tells one of several questions about payees of one name from the others."""
    return f"{counted(task)}, {moved(task.total, currency)}"


def _money(amount: int, how: Locale, tone: str = "") -> Money:
    """A sum as the person knows it: what came in has a plus sign."""
    return how.figure(abs(amount), tone, signed=amount < 0)


# --- the list ------------------------------------------------------------------------------------


def lead(count: int) -> str:
    """How many questions are open, and what becomes of an answer."""
    if not count:
        return "Nothing is open: finplan knows what all of your money is for."
    only = "question that only you can answer", "questions that only you can answer"
    said = "the most money first. You see what an answer moves before it is kept."
    return f"{figures.count(count, *only)}, {said}"


def section(tasks: Sequence[Task], how: Locale, *, answers: bool) -> page.Section:
    """The open questions on a page of the plan; how to answer them by commands where asked for."""
    more = page.Sentence(ANSWERS, "soft") if answers and _payees(tasks) else None
    blocks = (*_listed(tasks, how, None), *([more] if more else []))
    return page.Section("questions", "Open questions", blocks)


def listed(tasks: Sequence[Task], how: Locale, labels: page.Labels | None = None) -> page.Page:
    """The open questions, the most money first; those with answers where `labels` of them are told."""
    return page.of(_listed(tasks, how, labels))


def _payees(tasks: Iterable[Task]) -> list[CategorizePayee]:
    return [task for task in tasks if isinstance(task, CategorizePayee)]


def _listed(
    tasks: Sequence[Task], how: Locale, labels: page.Labels | None
) -> Iterator[page.PageBlock]:
    """The payees asked about with what they decide; then the other questions, in full."""
    short, payees = shortened([task.id for task in tasks]), _payees(tasks)
    if not tasks:
        yield page.Sentence(f"No {'open' if labels is None else 'answered'} questions.", "soft")
    if payees:
        bearers = Counter(task.payee for task in payees)
        last = ("suggested<;", "~;") if labels is None else ("answer<",)
        rows = (_payee(each, how, labels, bearers) for each in payees)
        columns = ("what is<", "charges>", "total>", *last, "id#")
        yield page.table(columns, rows, spoken="Payees without a category")
    for task in tasks:
        if not isinstance(task, CategorizePayee):
            # What was answered asks for nothing more.
            rest = way_on(task, short[task.id]) if labels is None else short[task.id]
            yield page.Sentence((*question(task), " ", page.mentioning(rest)), item=True)


def _payee(
    task: CategorizePayee, how: Locale, labels: page.Labels | None, bearers: Mapping[str, int]
) -> page.TableRow:
    """A payee; one of several questions about it that are of one charge each has its day."""
    alone = task.count > 1 or bearers[task.payee] == 1
    called = task.payee if alone else f"{task.payee}, {figures.long_date(task.last_date)}"
    last: tuple[page.TableCell, ...]
    if labels is not None:
        known = {**labels, EACH: EACH_TIME}
        last = (
            page.name("dismissed" if task.answer is None else known.get(task.answer, task.answer)),
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
        return page.Title((mark, page.name(task.payee)), moved(task.total, how.currency))
    return page.Title((mark, *(page.name(page.plain(each), "warn") for each in question(task))))


# --- one question --------------------------------------------------------------------------------


def asked(
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
        yield page.said(way_on(task, task.id), "soft", indent=2)
        return
    total, last = moved(task.total, how.currency), figures.long_date(task.last_date)
    yield _evidence(f"{counted(task)}, {total} in all, the last on {last}")
    if rows is None:
        yield _evidence("Looking up its rows …")
    elif rows:
        yield from _rows(task, rows, how, most)
    elif task.charges:
        shown = task.charges[:CHARGES_SHOWN]
        days = (
            f"{moved(each.amount, how.currency)} on {each.date.day} {each.date:%b}"
            for each in shown
        )
        more = ", …" if task.count > len(shown) else ""
        yield _evidence(f"Lately {', '.join(days)}{more}")
    if said := suggestion_said(task, how) or twin_said(task, candidates):
        yield page.said(said, indent=2)


def _evidence(text: str) -> page.Sentence:
    return page.said(text, "soft", indent=2)


def _rows(
    task: CategorizePayee, rows: Sequence[Transaction], how: Locale, most: int
) -> Iterator[page.PageBlock]:
    """Why a suggestion is made, and the money of each direction: how much it is, and its newest rows."""
    out, into = [row for row in rows if row.amount < 0], [row for row in rows if row.amount >= 0]
    if task.confidence is not None:
        yield _evidence((out or into)[0].why.text)
    for way, noun, some in (("Out", "charge", out), ("In", "payment", into)):
        if not some:
            continue
        total = moved(-sum(row.amount for row in some), how.currency)
        yield _evidence(f"{way}: {figures.count(len(some), noun)}, {total}")
        shown = some
        if len(some) > most:
            newest = {row.raw: row for row in reversed(some)}
            shown = sorted(newest.values(), key=lambda row: row.date, reverse=True)[:most]
        cells = (
            (
                page.soft(f"{each.date.day} {each.date:%b}"),
                _money(-each.amount, how),
                page.name(each.raw),
            )
            for each in shown
        )
        yield page.table(("", ">", "+~"), cells, indent=4)
        if len(some) > len(shown):
            all_of = f"finplan transactions --merchant {shlex.quote(some[0].payee)}"
            more = f"and {len(some) - len(shown):,} more: `{all_of}`"
            yield page.said(more, "soft", indent=4)


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
            each.key,
            (page.name(each.label), *(("  ", _sure(each.sure)) if each.key == ENTER else ())),
            _moves(effects.get(each.category), how),
        )
        for payee in payees
        for each in choices(payee)
    ]
    if searches and payees:
        rows.append(("/", "any other category", ""))
    elif payees and not is_likely(payees[0]):
        rows.append((ENTER, "skip, since nothing is known for sure", ""))
    columns = (page.col(">", tone="strong accent", least=5), page.col("+", fills=True), ">~")
    return page.table(columns, rows, indent=2)


def _moves(effect: Effect | None, how: Locale) -> page.Phrase:
    """What an answer does to what is safe to spend a day, in a few signs, where it is known."""
    if effect is None or not effect.allowance.known:
        return ""
    change = effect.allowance.after - effect.allowance.before
    return f"{how.figure(change, signed=bool(change)).text} a day"


def suggestion_said(task: CategorizePayee, how: Locale) -> str:
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
        f"Looks like rent: the last {len(days)} charges came at the start of a month, {each_time}"
        " each."
    )


def twin_said(task: CategorizePayee, candidates: Iterable[Transfer]) -> str:
    """The newest row that may be the other half of one of a question's, empty where there is none.

    `candidates` are the transfers in doubt, newest first.
    """
    twins = [
        twin
        for each in candidates
        for own, twin in ((each.out, each.into), (each.into, each.out))
        if own.payee_key == task.payee_key
    ]
    if not twins:
        return ""
    leg, times = twins[0], f" It happened {len(twins)} times." if len(twins) > 1 else ""
    way = "came into" if leg.amount > 0 else "left"
    amount, day = figures.money(abs(leg.amount), leg.currency), figures.short_date(leg.date)
    return f"Maybe a transfer: {amount} {way} {leg.account} on {day} (“{leg.raw}”).{times}"


# --- answers -------------------------------------------------------------------------------------


def part_of_it(direction: MoneyDirection, amount: int | None, how: Locale) -> str:
    """Which part of a payee's money an answer is for; nothing of all of it."""
    way = "" if direction == "both" else f"{DIRECTIONS[direction]}."
    exact = "" if amount is None else f"Only rows of exactly {how.money(amount)}."
    return f"{way} {exact}".strip()


def effect_said(effect: Effect, how: Locale, where: CategoryChoice | None = None) -> str:
    """What an answer would move, and where to, before it is given."""
    daily = f"; {_daily_said(effect.allowance, how)}" if effect.allowance.known else ""
    to = "" if where is None else f" to {where.label}"
    if not effect.charges:
        return f"Moves no charge{to}{daily}."
    charges = figures.count(effect.charges, "charge" if effect.total >= 0 else "payment")
    # Charges of the running month alone are in no mean yet.
    monthly = f", {moved(effect.monthly, how.currency)} a month" if effect.monthly else ""
    back = ""
    if effect.total < 0 and where is not None and where.line != "not_spending":
        back = ". It counts as money back and lowers that spending, and is no income"
    total = moved(effect.total, how.currency)
    return f"Moves {charges}{to}, {total} in all{monthly}{back}{daily}."


def _daily_said(allowance: DailyAllowance, how: Locale) -> str:
    before, after = how.money(allowance.before), how.money(allowance.after)
    change = f"stays at {before}" if before == after else f"goes from {before} to {after}"
    return f"safe to spend a day {change}"


def kept(task: Task, labels: page.Labels, how: Locale, closed: Sequence[Task] = ()) -> str:
    """What was decided of a question, and what it moved; `closed` are others that it settled."""
    if not isinstance(task, CategorizePayee) or task.answer is None:
        return f"Dismissed: {about(task)} is not asked about again."
    if task.answer == EACH:
        return f"From now on each charge and payment of {task.payee} is a question of its own."
    label, sums = labels.get(task.answer, task.answer), told_apart(task, how.currency)
    also = f". That answers {', '.join(map(about, closed))}, too" if closed else ""
    return f"Filed {task.payee} under {label}: {sums}{also}."


def reopened(task: Task) -> str:
    """What taking an answer back did."""
    return f"Taken back; open again: {page.plain(question(task))}"


# --- what agents are told ------------------------------------------------------------------------


def brief(
    tasks: Sequence[Task], how: Locale, twins: Mapping[str, str], count: int, *, more: bool
) -> page.Lines:
    """Some of `count` questions, a line each, with suggestions; `twins` by the ids of questions."""
    answered = not tasks or any(each.answer for each in _payees(tasks))
    yield (
        f"{figures.count(count, 'question')}{', more with after.' if more else '.'}"
        + ("" if answered else " Put them to the person; never answer for them.")
    )
    for task in tasks:
        yield ("- ", *_brief_task(task, how, twins.get(task.id, "")), f" [{task.id}]")


def _brief_task(task: Task, how: Locale, twin: str) -> tuple[str | page.TextSpan, ...]:
    if not isinstance(task, CategorizePayee):
        return f"{task.kind} ", page.name(brief_about(task))
    if task.answer is not None:
        return page.name(task.payee), f" was answered: {task.answer}"
    suggestion: tuple[str | page.TextSpan, ...] = ("nothing is suggested",)
    if task.confidence is not None:
        others = ", ".join(each.category for each in task.alternatives)
        sure = f", {figures.share(task.confidence)} sure{', or ' if others else ''}{others}"
        suggestion = "suggested ", page.category(task.suggested, task.suggested_label), sure
    rows = f" {figures.count(task.count, 'row')}, {how.money(task.total)}"
    last = f", the last on {task.last_date}; "
    more = (". ", page.mentioning(twin)) if twin else ()
    return (*question(task), rows, last, *suggestion, *more)


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
    filed, undo = page.category(answer or "", label), "undo takes it back."
    again = ". Nothing is stored yet: call again without preview once the person agrees."
    if effect is None and status == "undone":
        yield f"Taken back: {called} is open again."
    elif effect is None and status == "dismissed":
        yield f"Dismissed: {called} is not asked again. {undo}"
    elif effect is None and answer == EACH:
        yield f"Each row of it is a question of its own now: list_tasks. {undo}"
    elif effect is None:
        yield "Answered: ", filed, f". {undo}"
    elif label is None:
        each = "Each row of it would be a question of its own"
        yield f"{each if answer else 'Would not ask again'}; no row moves{again}"
    else:
        charges, day = figures.count(effect.charges, "charge"), effect.allowance
        moves = f"({how.money(effect.total)}, {how.money(effect.monthly)} a month)"
        daily = f"; safe to spend a day {how.money(day.before)} → {how.money(day.after)}"
        yield f"Would file {charges} {moves} under ", filed, f"{daily if day.known else ''}{again}"
