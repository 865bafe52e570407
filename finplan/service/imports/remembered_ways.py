"""Remembered ways: an answer on which way amounts go that was given for accounts of another kind.

Many banks share a header such as Date, Description, Amount. What was said of a checking account would
turn every sign of a card whose file looks the same, so it is asked about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from finplan.model.money import to_text
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.service.imports.questions import FileQuestion
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted
from finplan.store.queries import accounts, header_profiles

_PLAIN_WAYS = ("in", "out", "negate")


def ask_about_ways(connection: Connection, run: ImportRun) -> ImportRun:
    """Ask which way the amounts of a new account go where only an answer on another kind tells it.

    `run` has its kinds resolved; a file that is asked about already is left for later.
    """
    if not any(file.used.direction in _PLAIN_WAYS for file in run.staged.files):
        return run
    kinds = {row["no"]: row["kind"] for row in accounts.list_accounts(connection, run.owner)}
    by_layout = header_profiles.accounts_by_layout(connection, run.owner)
    held = {
        layout: {kinds[no] for no in numbers if no in kinds}
        for layout, numbers in by_layout.items()
    }
    return replace(run, questions=(*run.questions, *_questions(run, held)))


def _questions(run: ImportRun, held: Mapping[str, set[str]]) -> Iterator[FileQuestion]:
    asked = {each.file for each in run.questions}
    for place, file in enumerate(run.staged.files):
        if file.used.direction not in _PLAIN_WAYS or place in asked:
            continue
        others = held.get(file.layout, set())
        for account in (run.accounts[local] for local in file.accounts):
            if account.new and others - {account.kind}:
                yield FileQuestion(place, _question(account))
                break


def _question(account: ResolvedAccount) -> Question:
    sample = ""
    if account.staged.example is not None:
        amount, text = account.staged.example
        sample = f"{to_text(abs(amount), account.currency)} {quoted(text)}"
    return Question(
        "direction",
        f"Which way amounts without a minus go was said of files with these columns, but of another kind"
        f" of account than {quoted(account.name)}.",
        (
            Choice("out", "they were spent", f"{sample} out".strip()),
            Choice("in", "they came in", f"{sample} in".strip()),
        ),
    )
