"""Giving an answer: the open question that it is about, which part of it, and what it files.

The question about one payee or one row is found by its id without reading the ledger. An answer is
given in one transaction, which a preview takes back.
"""

import json
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from finplan.categorise.catalogue import BUILT_IN, Catalogue
from finplan.model import figures, task as tasks
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.plan.advise.tasks import (
    PayeeQuestion,
    categorize_payee,
    question_about,
    row_question,
)
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, PAYEE, Ledger, LedgerPayee
from finplan.plan.ledger.window import window_start
from finplan.plan.pairing.scoring import UNKNOWN
from finplan.plan.sections.missing_accounts import task_id
from finplan.service.context import Asker
from finplan.service.derived.household import (
    catalogue_of,
    filled,
    household_settings,
    ledger_accounts,
    lone_rows,
    rows_filed_alone,
)
from finplan.service.ids import new_id
from finplan.service.ledger.reconciliation import heed_word
from finplan.service.lookup import find_category
from finplan.service.rules import find_payee, save_own_rule
from finplan.store.queries import categories, payees, people, plans, single_words, verdicts


@dataclass(frozen=True, slots=True)
class AskedPayee:
    """A question with what its answer needs; `row_no` is the row that it is about alone, if any."""

    question: PayeeQuestion
    catalogue: Catalogue
    row_no: int | None = None

    def as_task(self) -> tasks.CategorizePayee:
        """The question as the list of open questions shows it, without what only all payees tell."""
        return categorize_payee(self.question, self.catalogue)


def find_asked_row(connection: Connection, owner: int, wanted_id: str) -> AskedPayee | None:
    """The question of an id about one row of a payee that is asked about each time; None for another."""
    each_time = verdicts.asked_each_time(verdicts.list_answers(connection, owner))
    if not each_time:
        return None
    numbers = payees.numbers_of(connection, owner)
    apart = sorted(number for key, number in numbers.items() if key in each_time)
    lone_row = next(
        (row for row in lone_rows(connection, owner, apart) if row.lone.task_id == wanted_id), None
    )
    if lone_row is None:
        return None
    number = lone_row.lone.row[PAYEE]
    ledger = Ledger(
        settings=household_settings(people.get_person(connection, owner)),
        accounts={},
        payees={number: _payee(connection, owner, number)},
        rows=(),
        pending=(),
        catalogue=catalogue_of(connection, owner),
    )
    question = row_question(ledger, lone_row.lone)
    return None if question is None else AskedPayee(question, ledger.catalogue, lone_row.no)


def find_asked_payee(connection: Connection, asker: Asker, wanted_id: str) -> AskedPayee | None:
    """The question of an id about a payee as a whole; None for another id.

    A question that decides too little to be listed is found too: who has its id may answer it.
    """
    owner = asker.owner
    unfiled = plans.payees_in(connection, owner, UNKNOWN)
    about = (no for no, key in unfiled if task_id("categorize_payee", key) == wanted_id)
    number = next(about, None)
    if number is None:
        return None
    settings = household_settings(people.get_person(connection, owner))
    today = asker.today(settings.time_zone)
    accounts = ledger_accounts(connection, owner)
    counting = [
        no for no, account in accounts.items() if counts_in_totals(account, settings.currency)
    ]
    ends = plans.end_rows(connection, counting, day_of(today))
    weighed = partial(plans.weighed_rows, connection, counting, day_of(today))
    since = window_start(accounts, ends, weighed, today)
    ledger = Ledger(
        settings=settings,
        accounts=accounts,
        payees={number: _payee(connection, owner, number)},
        rows=plans.rows_of_payee(connection, owner, number),
        pending=(),
        catalogue=catalogue_of(connection, owner),
    )
    question = question_about(ledger, number, since, today)
    return None if question is None else AskedPayee(question, ledger.catalogue)


def _payee(connection: Connection, owner: int, number: int) -> LedgerPayee:
    row = plans.payee_of(connection, number)
    return filled(
        LedgerPayee,
        row,
        out=row["category_out"],
        into=row["category_in"],
        by_amount=categories.amount_rules(connection, owner).get(number, {}),
        alternatives=tuple(row["alternatives"].split()),
        filed=categories.filed_directions(connection, owner).get(number, frozenset()),
        by_row=rows_filed_alone(connection, owner, number).get(number, {}),
    )


Asked = AskedPayee | tasks.ReconnectConnection | tasks.ConnectMissingAccount
"""A question that is open: about a payee or a row with what its answer needs, or another one."""

_NAMED = 5
"""How many amounts of a payee are named where none is the one that was given."""


def check_answer(ask: tasks.TaskAnswer) -> None:
    """Raise BadRequest for an answer that says several things at once, or none."""
    if [ask.answer is not None, ask.each, ask.dismiss].count(True) != 1:
        raise BadRequest("Give exactly one of `answer`, `each` and `dismiss`.")
    if ask.answer is None and (ask.direction != "both" or ask.amount is not None):
        raise BadRequest("You can give a direction or an amount only if the answer is a category.")


def give_answer(
    connection: Connection, asker: Asker, issue: Asked, ask: tasks.TaskAnswer
) -> tasks.Task:
    """Store an answer and file what it says; answers the question, or the part that was answered.

    Raises BadRequest where the answer is none for the question, and Conflict where the question holds
    nothing that the answer is for.
    """
    owner, now = asker.owner, asker.milliseconds()
    rule_no = word_no = None
    if not isinstance(issue, AskedPayee):
        task = _dismiss(issue, ask)
    elif ask.answer is None:
        task = _split_or_dismiss(issue, ask)
    else:
        part = issue.question.part(ask.direction, ask.amount)
        if part is None:
            raise Conflict(_nothing_such(connection, owner, issue, ask))
        task = AskedPayee(part, issue.catalogue).as_task().model_copy(update={"answer": ask.answer})
        if issue.row_no is None:
            rule_no = _file_payee(connection, owner, issue, ask, now)
        else:
            word_no = _file_row(connection, owner, task.id, ask.answer, now)
    verdicts.save_answer(
        connection,
        {
            "owner_no": owner,
            "task_id": task.id,
            "body": task.model_dump_json(),
            "rule_no": rule_no,
            "word_no": word_no,
            "each": int(ask.each),
            "answered_at": now,
        },
    )
    people.raise_generation(connection, owner, rows=False)
    return task


def gone(connection: Connection, owner: int, task_id: str) -> NotFound | Conflict:
    """Why a question cannot be answered: it is answered already, or there is none."""
    answers = verdicts.answers_to(connection, owner, task_id)
    if answers:
        payee = json.loads(answers[0]["body"]).get("payee")
        about = f"about {payee}" if payee else task_id
        return Conflict(
            f"The question {about} is already answered. To undo it: `finplan tasks undo {task_id}`."
        )
    return NotFound(f"No open task {task_id}. `finplan tasks list` lists the open tasks.")


def _dismiss(
    issue: tasks.ReconnectConnection | tasks.ConnectMissingAccount, ask: tasks.TaskAnswer
) -> tasks.Task:
    """A question about no payee, which can only be dismissed; about a bank's sign-in not even that."""
    if not ask.dismiss:
        raise BadRequest(
            "You cannot answer this task. The task closes once you link the account or sign in to"
            " the bank again."
        )
    if isinstance(issue, tasks.ReconnectConnection):
        raise BadRequest(
            "You cannot dismiss this task. The task closes once the bank can sync again."
        )
    return issue


def _split_or_dismiss(issue: AskedPayee, ask: tasks.TaskAnswer) -> tasks.Task:
    """A question about a payee that is dismissed, or that gives way to one about each row."""
    if not ask.each:
        return issue.as_task()
    if issue.row_no is not None:
        raise Conflict(
            "This question is already about one transaction. Choose a category for it, or dismiss"
            " the question."
        )
    return issue.as_task().model_copy(update={"answer": tasks.EACH})


def _file_payee(
    connection: Connection, owner: int, issue: AskedPayee, ask: tasks.TaskAnswer, now: int
) -> int:
    assert ask.answer is not None, "Only a category makes a rule."
    payee = find_payee(connection, owner, issue.question.payee.key)
    direction = ask.direction if ask.amount is None else "both"
    rule = save_own_rule(connection, owner, payee["no"], ask.answer, ask.amount, now, direction)
    people.set_inference_due(connection, owner)
    return rule


def _file_row(connection: Connection, owner: int, task_id: str, category: str, now: int) -> int:
    if category not in BUILT_IN:
        find_category(catalogue_of(connection, owner), category)
    # Since the question was found, an import may have given the row another number.
    issue = find_asked_row(connection, owner, task_id)
    if issue is None or issue.row_no is None:
        raise gone(connection, owner, task_id)
    row = single_words.RowNumber(issue.row_no)
    present = single_words.word_on(connection, row)
    before = single_words.NO_WORD if present is None else present[1].remarks
    after = before._replace(category=category)
    number = single_words.set_word(connection, owner, new_id("word"), row, after, now)
    assert number is not None, "A word with a category is kept."
    if heed_word(connection, owner, issue.row_no, before, after):
        people.raise_generation(connection, owner)
    return number


def _nothing_such(
    connection: Connection, owner: int, issue: AskedPayee, ask: tasks.TaskAnswer
) -> str:
    name = issue.question.payee.name
    if ask.amount is None:
        return f"No question about money {ask.direction} for {name}, so there is nothing to answer."
    currency = household_settings(people.get_person(connection, owner)).currency
    newest = dict.fromkeys(-row[AMOUNT] for row in issue.question.rows)
    amounts = ", ".join(figures.money(amount, currency) for amount in list(newest)[:_NAMED])
    only = "" if ask.direction == "both" else f" (money {ask.direction})"
    return (
        f"No uncategorized transaction of {name}{only} has the amount"
        f" {figures.money(ask.amount, currency)}. The newest amounts are {amounts}: positive is money"
        " out, negative is money in."
    )
