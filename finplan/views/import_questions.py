"""The questions that an import leaves open: which one is next, how it is put, and what answers it.

Faces show a question and read an answer, and send the answers with the files again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from finplan.model.figures import count
from finplan.model.money import CODES
from finplan.model.statement import (
    ANOTHER_ACCOUNT,
    MARKS,
    OF_FIRST_ROW,
    ImportAnswer,
    ImportQuestion,
    QuestionAbout,
)
from finplan.views import page

READ_FIRST: tuple[QuestionAbout, ...] = ("encoding", "decimalSign", "dateOrder", "amountColumn")
"""What the cells of a file are read by."""

WAITS_FOR: Mapping[str, tuple[QuestionAbout, ...]] = {
    "direction": READ_FIRST,
    "accountKind": (*READ_FIRST, "direction", "sameAccount"),
}
"""What is asked of a file only after something else, whose answer may change its rows or settle it."""

TAKES_OTHERS: Mapping[str, str] = {
    "account": "the name of a new account",
    "currency": "another currency's code",
    "encoding": "another encoding",
}
"""What may be written in the place of a choice, by what a question is about."""

_MANY, _NAMED = 2, 3
"""From how many further questions on one answer is offered for all; how many files are named."""

_QUESTIONS = TypeAdapter(tuple[ImportQuestion, ...])


def questions_of(data: object) -> tuple[ImportQuestion, ...]:
    """The questions in the data of a refusal; none where it was for another reason."""
    questions = data.get("questions", ()) if isinstance(data, dict) else ()
    try:
        return _QUESTIONS.validate_python(questions, strict=False)
    except ValidationError:
        return ()


FileQuestions = tuple[ImportQuestion, ...]
"""A question on each of the files that one answer is for."""


class AskedQuestion(NamedTuple):
    """One question, on a file or on several that one answer is for; `alike` are those that ask the same.

    An answer is for those as well where the person says so.
    """

    questions: FileQuestions
    alike: tuple[FileQuestions, ...] = ()

    @property
    def first(self) -> ImportQuestion:
        """The question on the first of its files."""
        return self.questions[0]

    @property
    def files(self) -> str:
        """The names of the files that it is on."""
        return page.listed([question.name for question in self.questions])

    @property
    def other(self) -> str | None:
        """What may be written in the place of the choices; None for nothing."""
        if self.first.about == "direction" and MARKS in self.first.text:
            return "the words that mean money out, separated by commas"
        return TAKES_OTHERS.get(self.first.about)

    @property
    def also_for(self) -> str | None:
        """That an answer is for other files too, which a person is asked where that saves them some."""
        if len(self.alike) < _MANY:
            return None
        names = [question.name for group in self.alike for question in group]
        hidden = len(names) - _NAMED
        if hidden > 1:
            names = [", ".join(names[:_NAMED]), count(hidden, "more file")]
        return f"Use this answer for {page.listed(names)} too"

    def is_usual(self, value: str) -> bool:
        """Whether an answer is probably for the others as well.

        One account is often meant by all of its months; of two kinds or ways nothing can be expected.
        """
        return self.first.about == "sameAccount" and value != ANOTHER_ACCOUNT

    def value_of(self, typed: str) -> str | None:
        """The value that is sent for what was typed; None where it is no answer."""
        about = self.first.about
        is_choice = typed in {choice.value for choice in self.first.choices}
        if is_choice or (about == "direction" and typed.startswith(MARKS)):
            return typed
        # A number picks a choice, so it is the name of nothing.
        if self.other is None or not typed or typed.isdecimal():
            return None
        value = written(about, typed)
        return None if about == "currency" and value not in CODES else value

    def answers(self, value: str, *, alike: bool) -> Iterator[ImportAnswer]:
        """An answer for each file that it is for."""
        for group in (self.questions, *(self.alike if alike else ())):
            for own in group:
                yield ImportAnswer(file=own.file, about=own.about, value=value)


def written(about: str, typed: str) -> str:
    """What was written in the place of a choice, as an import takes it."""
    if about == "currency":
        return typed.upper()
    return MARKS + typed.removeprefix(MARKS) if about == "direction" else typed


class QuestionWalk:
    """The questions that are to be asked now, one after the other, and what was answered."""

    def __init__(self, questions: Sequence[ImportQuestion]) -> None:
        self._waiting = _group_askable(questions)
        self.answers: list[ImportAnswer] = []

    def next(self) -> AskedQuestion | None:
        """The next question; None once all are answered."""
        return _first_of(self._waiting) if self._waiting else None

    def answer(self, value: str, *, alike: bool = False) -> None:
        """Take an answer to the next question, also for the files that are asked alike."""
        current = _first_of(self._waiting)
        self.answers += current.answers(value, alike=alike)
        done = current.alike if alike else ()
        self._waiting = [group for group in self._waiting[1:] if group not in done]


def list_askable(questions: Sequence[ImportQuestion]) -> Iterator[AskedQuestion]:
    """The questions that no other one of these on their file may settle, so that none is in vain."""
    waiting = _group_askable(questions)
    return (_first_of(waiting[index:]) for index in range(len(waiting)))


def _group_askable(questions: Sequence[ImportQuestion]) -> list[FileQuestions]:
    topics = {(question.file, question.about) for question in questions}
    return groups(
        question
        for question in questions
        if topics.isdisjoint((question.file, about) for about in WAITS_FOR.get(question.about, ()))
    )


def _first_of(waiting: Sequence[FileQuestions]) -> AskedQuestion:
    first, *others = waiting
    return AskedQuestion(first, tuple(group for group in others if _alike(first[0], group[0])))


def groups(questions: Iterable[ImportQuestion]) -> list[FileQuestions]:
    """Questions with their files: those on the currency that have the same choices are one."""
    by_key: dict[object, FileQuestions] = {}
    for index, question in enumerate(questions):
        codes = tuple(choice.value for choice in question.choices)
        key = (question.text, codes) if question.about == "currency" else index
        by_key[key] = (*by_key.get(key, ()), question)
    return list(by_key.values())


def _alike(first: ImportQuestion, later: ImportQuestion) -> bool:
    """Whether two files are asked the same; the way of a first row is each file's own."""
    values, others = ([choice.value for choice in question.choices] for question in (first, later))
    is_own = any(value.startswith(OF_FIRST_ROW) for value in values)
    return (
        (first.about, values) == (later.about, others) and not is_own and first.file != later.file
    )


def asked_again(questions: Iterable[ImportQuestion], answers: Iterable[ImportAnswer]) -> bool:
    """Whether an answer that was given is asked for again: it cannot be the right one."""
    own = {(answer.file, answer.about) for answer in answers}
    return any(
        not own.isdisjoint({(ask.file, ask.about), (ask.name, ask.about)}) for ask in questions
    )


def is_remembered(answer: ImportAnswer) -> bool:
    """Whether an answer is remembered for later files, and not about one file or account alone."""
    if answer.about == "sameAccount":
        return answer.value != ANOTHER_ACCOUNT
    of_first_row = answer.about == "direction" and answer.value.startswith(OF_FIRST_ROW)
    return not of_first_row and answer.about != "accountKind"
