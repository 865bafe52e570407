"""The currency that one file of an import names, offered first for those that name none."""

from dataclasses import replace

from finplan.service.imports.questions import FileQuestion
from finplan.service.imports.staged_files import StagedFiles
from finplan.statements.statement import Choice, Question
from finplan.statements.text.currencies import LIKELIEST


def with_named_currencies(staged: StagedFiles) -> list[FileQuestion]:
    """Let questions on the currency of a file begin with what the other files of the import name."""
    named: dict[str, str] = {}
    for file in staged.files:
        for local in file.accounts:
            account = staged.accounts[local].account
            if not account.currency_is_assumed and account.currency:
                named.setdefault(account.currency, file.name)
    return [
        each._replace(question=_naming_first(each.question, named))
        if each.question.about == "currency"
        else each
        for each in staged.questions
    ]


def _naming_first(question: Question, named: dict[str, str]) -> Question:
    known = {choice.value: choice.label for choice in question.choices}
    # A sign beside the amounts leaves some currencies alone, and no other file adds to them.
    first = [
        Choice(code, f"{known.get(code, code)}, as {file} says")
        for code, file in named.items()
        if code in known or known.keys() == LIKELIEST.keys()
    ]
    others = [choice for choice in question.choices if choice.value not in named]
    return replace(question, choices=(*first, *others)) if first else question
