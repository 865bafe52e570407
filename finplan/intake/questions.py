"""The questions of an import: what its files leave open, asked all at once, and the answers to them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import ValidationError
from pydantic.alias_generators import to_camel, to_snake

from finplan.model import statement
from finplan.model.base import read_query
from finplan.model.errors import BadRequest, Conflict
from finplan.model.money import CODES
from finplan.operation import UploadedFile
from finplan.statements.statement import Question


class FileQuestion(NamedTuple):
    """A question on one file, given by its place among the uploaded ones."""

    file: int
    question: Question


def is_on_first_row(file_question: FileQuestion) -> bool:
    """Say whether a question is about rows that a balance does not show, not about all of a file."""
    return any(
        choice.value.startswith(statement.OF_FIRST_ROW) for choice in file_question.question.choices
    )


class OpenQuestion(Exception):
    """Only the person knows which account some rows are of."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.text)
        self.question = question


def requests_by_file(
    request: statement.ImportRequest, files: Sequence[UploadedFile]
) -> tuple[statement.ImportRequest, ...]:
    """What is said of each file: its own answers, else the fields that are for all.

    Raises BadRequest for an answer on a file that was not sent, or with a value that is none, such as
    a currency that ISO 4217 does not know.
    """
    own: list[dict[str, str]] = [{} for _ in files]
    for answer in request.answers or ():
        for index in _places(answer, files):
            answers, about = own[index], to_snake(answer.about)
            # A file of several accounts may be asked about each; an answer fits one by what it names.
            several = about == "same_account" and about in answers
            answers[about] = (
                f"{answers[about]}\n{_checked(answer)}" if several else _checked(answer)
            )
    said_of = tuple(request.model_copy(update={**answers, "answers": None}) for answers in own)
    unknown = next(
        (
            own_request.currency
            for own_request in said_of
            if own_request.currency not in {None, *CODES}
        ),
        None,
    )
    if unknown is not None:
        raise BadRequest(f"Unknown currency {unknown}. Use an ISO 4217 code such as EUR.")
    return said_of


def _places(answer: statement.ImportAnswer, files: Sequence[UploadedFile]) -> list[int]:
    places = [index for index, file in enumerate(files) if answer.file in (index, file.name)]
    if not places:
        names = ", ".join(file.name for file in files)
        raise BadRequest(
            f"An answer is for the file {answer.file}, but the import has only {names}."
        )
    return places


def _checked(answer: statement.ImportAnswer) -> str:
    try:
        request = read_query(statement.ImportRequest, {answer.about: [answer.value]})
        return str(getattr(request, to_snake(answer.about)))
    except ValidationError as error:
        raise BadRequest(
            f"{answer.value!r} is not a valid answer to {answer.about}. Use"
            f" {_allowed_values(answer, error)}."
        ) from None


def _allowed_values(answer: statement.ImportAnswer, error: ValidationError) -> str:
    """What may be said instead of an answer that is none."""
    if answer.about == "direction":
        return statement.DIRECTIONS
    if answer.about == "currency":
        return "three capital letters, like EUR"
    return error.errors()[0]["msg"].removeprefix("Input should be ")


def ask(questions: Iterable[FileQuestion], files: Sequence[UploadedFile]) -> Conflict:
    """All questions of an import in one refusal, in the order of its files."""
    import_questions = [
        statement.ImportQuestion(
            file=index,
            name=files[index].name,
            about=to_camel(question.about),  # type: ignore[arg-type]  # A reader names fields.
            text=question.text,
            option=f"--{OPTIONS.get(question.about, question.about.replace('_', '-'))}",
            choices=tuple(
                statement.ImportChoice.of(choice, sample=choice.sample or None)
                for choice in question.choices
            ),
        )
        for index, question in sorted(questions, key=lambda numbered: numbered.file)
    ]
    text = " ".join(f"{question.name}: {question.text}" for question in import_questions)
    listed = [question.model_dump(mode="json", by_alias=True) for question in import_questions]
    return Conflict(text, {"questions": listed})


OPTIONS = {"account_kind": "kind"}
"""The options of the command line that are not called like their fields."""
