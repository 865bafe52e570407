"""Remembered ways: an answer on which way amounts go that was given for another account.

Many banks share a header such as Date, Description, Amount. What was said of a checking account would
turn every sign of a card whose file looks the same, so it is asked about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from finplan.model.money import to_text
from finplan.model.question import PLAIN_WAYS
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.service.imports.questions import FileQuestion
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted
from finplan.store.queries import accounts, imports


def ask_about_ways(connection: Connection, run: ImportRun) -> ImportRun:
    """Ask which way the amounts of an account go where only an answer on another one tells it.

    An account keeps the way that its own newest file of the layout went; of one that has none, an answer
    on accounts of its kind tells it.

    `run` has its kinds resolved; a file that is asked about already is left for later.
    """
    if not any(file.used.direction in PLAIN_WAYS for file in run.staged.files):
        return run
    held = kinds_by_layout(connection, run.owner)
    ways = imports.ways_by_layout(connection, run.owner)
    return replace(run, questions=(*run.questions, *_questions(run, held, ways)))


def kinds_by_layout(connection: Connection, owner: int) -> dict[str, set[str]]:
    """The kinds of the accounts that files of each layout went to."""
    kinds = {row["no"]: row["kind"] for row in accounts.list_accounts(connection, owner)}
    by_layout = imports.accounts_by_layout(connection, owner)
    went = [(layout, no) for layout, numbers in by_layout.items() for no in numbers]
    found: dict[str, set[str]] = {}
    for layout, number in (*went, *imports.ways_by_layout(connection, owner)):
        if number in kinds:
            found.setdefault(layout, set()).add(kinds[number])
    return found


def _questions(
    run: ImportRun, held: Mapping[str, set[str]], ways: Mapping[tuple[str, int], str]
) -> Iterator[FileQuestion]:
    """A question on each file of which an account goes another way, as far as is known.

    `held` are the kinds of the accounts with files of a layout, `ways` the accounts' own ways there.
    """
    asked = {each.file for each in run.questions}
    for place, file in enumerate(run.staged.files):
        if file.used.direction not in PLAIN_WAYS or place in asked:
            continue
        for account in (run.accounts[local] for local in file.accounts):
            own = None if account.new else ways.get((file.layout, account.no))
            is_of_others = bool(held.get(file.layout, set()) - {account.kind})
            if is_of_others if own is None else _is_inward(own) != _is_inward(file.used.direction):
                yield FileQuestion(place, _question(account, own))
                break


def _is_inward(way: str) -> bool:
    return way == "in"


def _question(account: ResolvedAccount, own: str | None) -> Question:
    """Ask which way they go; `own` is how they went in the account's newest file, if that is known."""
    sample = ""
    if account.staged.example is not None:
        amount, text = account.staged.example
        sample = f"{to_text(abs(amount), account.currency)} {quoted(text)}"
    name = quoted(account.name)
    text = (
        f"Which way amounts without a minus go was said of files with these columns, but of another kind"
        f" of account than {name}."
    )
    if own is not None:
        went = "came in" if _is_inward(own) else "were spent"
        text = (
            f"Amounts without a minus {went} in earlier files of {name}, but the other way was said of"
            " another account with these columns since."
        )
    choices = [
        Choice("out", "they were spent", f"{sample} out".strip()),
        Choice("in", "they came in", f"{sample} in".strip()),
    ]
    if own is not None and _is_inward(own):
        choices.reverse()
    return Question("direction", text, tuple(choices))
