"""Advice about the data: without them every other figure is a guess."""

from collections.abc import Collection, Iterator, Sequence

from finplan.plan.advise.assessment import Advice, Assessment
from finplan.plan.advise.shortfall import missing_in_any_case
from finplan.plan.detect.varying_bills import UNLINKED_CARD
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import LedgerConnection
from finplan.plan.ledger.window import MATERIAL
from finplan.plan.live.allowance import days_behind, shown_connections, synced_on
from finplan.plan.sections.missing_accounts import MissingAccount
from finplan.plan.words import count, listed, percent

_STALE_DAYS = 7
_STALE_DAYS_BY_HAND = 35

_NAMED_QUESTIONS = 2
"""How many of the questions that decide most an action names."""


def reconnect_bank(household: Assessment) -> Iterator[Advice]:
    """A bank that wants a sign-in, or whose data are old and matter."""
    stale = [bank for bank in shown_connections(household.ledger) if _is_stale(household, bank)]
    material = _material_connections(household) if stale else set()
    for bank in sorted(stale, key=lambda bank: (bank.institution, bank.id)):
        last = _last_data(household, bank)
        if bank.status == "login_required":
            yield Advice(
                title=f"Sign in to {bank.institution} again",
                detail=f"{last} Sign in again to update the plan.",
            )
        elif bank.id in material and bank.provider == "manual":
            yield Advice(
                title=f"Import a newer statement from {bank.institution}",
                detail=f"{last} Download the latest statement and import it.",
            )
        elif bank.id in material:
            yield Advice(
                title=f"Sync {bank.institution}",
                detail=f"{last} Sync it now. If that fails, reconnect it.",
            )


def _is_stale(household: Assessment, connection: LedgerConnection) -> bool:
    if connection.status == "login_required":
        return True
    age = days_behind(connection, household.today)
    allowed = _STALE_DAYS_BY_HAND if connection.provider == "manual" else _STALE_DAYS
    return age is not None and age > allowed


def _last_data(household: Assessment, connection: LedgerConnection) -> str:
    last, age = synced_on(connection), days_behind(connection, household.today)
    if last is None or age is None:
        return f"{connection.institution} has not sent any data yet."
    return (
        f"The newest data from {connection.institution} is from {household.day(last)},"
        f" {count(age, 'day')} ago."
    )


def _material_connections(household: Assessment) -> Collection[str]:
    """The connections with an account that carries a twentieth of what goes out or comes in."""
    since = day_of(household.books.window.since)
    sides: dict[tuple[int, bool], int] = {}
    for _, account, day, amount, _, counts in household.ledger.rows:
        if day >= since and counts:
            sides[account, amount < 0] = sides.get((account, amount < 0), 0) + abs(amount)
    totals = {side: sum(sides[key] for key in sides if key[1] == side) for side in (True, False)}
    return {
        household.ledger.accounts[account].connection_id
        for (account, side), part in sides.items()
        if part * MATERIAL >= totals[side] > 0
    }


def connect_account(household: Assessment) -> Iterator[Advice]:
    """An account that the data show but that is not linked."""
    for finding in household.missing:
        if finding.missing == "income":
            title = "Link the account that your pay goes to"
            gain = "Link that account so that the plan counts your pay."
        elif finding.mistaken:
            title = f"Change {finding.account} to a credit card"
            gain = (
                "Until then, your payments to it count as spending, and the money it receives as"
                " income."
            )
        else:
            title = (
                f"Link {finding.account}" if finding.account else "Link the account you spend from"
            )
            gain = "Link it to see how the money is spent."
        detail = f"{finding.reason}{_next_debit(household, finding)} {gain}"
        yield Advice(title=title, detail=detail, amount=finding.monthly)


def _next_debit(household: Assessment, finding: MissingAccount) -> str:
    """What a card that is not linked is expected to take next, which is another sum than its month."""
    due = next(
        (
            bill
            for bill in household.upcoming
            if bill.charge.category == UNLINKED_CARD and bill.charge.name == finding.account
        ),
        None,
    )
    if due is None:
        return ""
    amount, day = household.money(due.amount), household.day(due.day)
    return f" Expect the next debit of about {amount} on {day}."


def answer_questions(household: Assessment) -> Iterator[Advice]:
    """Payees that only the person knows, and what the answers decide."""
    questions = household.questions
    if not questions:
        return
    # What each decides is told as the list of questions tells it, refunds deducted.
    decided = sum(abs(question.total) for question in questions)
    # A likely rent is asked about first, whatever it decides.
    by_amount = sorted(questions, key=lambda question: -abs(question.total))
    first = listed(
        [
            f"{question.payee.name} ({household.money(abs(question.total))})"
            for question in by_amount[:_NAMED_QUESTIONS]
        ]
    )
    rent = questions[0].rent
    hint = f"{f'{rent} ' if rent else ''}"
    answer = f"{hint}Answer: `finplan tasks answer`."
    if household.planned.unanswered:
        detail = f"{_money_in_waits(household)} Largest: {first}. {answer}"
    elif is_mostly_unknown(household):
        standing = household.standing
        share = percent(standing.unknown_total, standing.spending)
        detail = (
            f"The plan is an estimate: {share} of your spending ({household.money(standing.monthly)} a"
            " month) is not categorized yet. Your answers change your essentials, emergency fund target"
            f" and safe to spend. Largest: {first}. {answer}"
        )
    elif len(questions) == 1:
        detail = f"Your answer categorizes {questions[0].payee.name}. {answer}"
    else:
        detail = f"{household.money(decided)} has no category yet. Largest: {first}. {answer}"
    yield Advice(
        title=f"Answer {count(len(questions), 'question')} about {_sum_up(household)}",
        detail=detail,
        amount=decided,
    )


def _sum_up(household: Assessment) -> str:
    """What questions decide, money out and money in apart."""
    totals = [question.total for question in household.questions]
    out, into = (sum(max(0, sign * total) for total in totals) for sign in (1, -1))
    if not into:
        return household.money(out)
    return f"{f'{household.money(out)} out and ' if out else ''}{household.money(into)} in"


def _money_in_waits(household: Assessment) -> str:
    """What money in waits for an answer, and what is missing even if all of it is income."""
    unanswered = household.money(household.planned.unanswered)
    return (
        f"{unanswered} a month may be income. The plan excludes it until you answer."
        f"{missing_in_any_case(household)}"
    )


def asked_first(household: Assessment) -> Sequence[str]:
    """The kinds of action that decide whether the plan stands; none where it does.

    Questions do where a tenth of spending or of money in is not known; where only an unlinked card
    hides a tenth, linking it does.
    """
    mostly = is_mostly_unknown(household)
    links = household.standing.spending_unknown and not mostly
    asks = (mostly or household.planned.unanswered > 0) and bool(household.questions)
    return [*(["connect_account"] if links else []), *(["answer_questions"] if asks else [])]


def is_mostly_unknown(household: Assessment) -> bool:
    """Whether a tenth of spending, one-offs apart, is in no category."""
    books = household.books
    unknown = books.categories.get("uncategorized")
    once = books.running.one_off_totals
    total = 0 if unknown is None else unknown.total - once.get("uncategorized", 0)
    return 10 * total >= household.standing.spending > 0
