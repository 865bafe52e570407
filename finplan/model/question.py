"""Questions that an import asks, since only the person knows, and the answers to them."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, WithJsonSchema

from finplan.model.base import Text, Whole, Wire

QuestionAbout = Literal[
    "account", "accountKind", "direction", "amountColumn", "dateOrder", "decimalSign",
    "currency", "encoding", "sameAccount",
]  # fmt: skip
"""What a question is about: the name of the field of an import that answers it."""

ANOTHER_ACCOUNT = "new"
"""The answer about `sameAccount` that a file is of an account of its own."""

LONGEST_MARKS = 190
"""How many letters the words may have that an answer lists, with the commas and slashes between."""

DIRECTION = rf"^(in|out|negate|first:(in|out|owed)|marks:.{{1,{LONGEST_MARKS}}})$"

AmountDirection = Annotated[str, Field(pattern=DIRECTION)]
"""Which way amounts go that a file leaves open.

`in`: what has no minus comes in; `out` and `negate`: it goes out, and what has a minus comes in;
`marks:WORD[,WORD…][/WORD…]`: rows with one of these words in a column go out, those after the slash,
or all others, come in, and all do that are listed with nothing before the slash; `first:in`,
`first:out`: so do the rows, above all the oldest, that a running balance does not show; `first:owed`:
the balance is a debt, and they went out. Of two nameless columns of amounts the first one is meant.
"""


DIRECTIONS = (
    "in or out for amounts without a minus, marks:WORD,WORD for the words of money out, or first:in,"
    " first:out or first:owed for rows that a balance does not show"
)
"""What may be said of a direction, for who said something else."""

PLAIN_WAYS = ("in", "out", "negate")
"""The directions that say of all amounts without a minus which way they go."""

OF_FIRST_ROW = "first:"
"""How a direction begins that is about rows of one file alone."""

FIRST_CAME_IN = "first:in"
"""That rows which a balance does not show came in, and that it is what the person has."""

FIRST_OWED = "first:owed"
"""That a balance is a debt, and that rows which it does not show were spent."""


class ImportChoice(Wire):
    """One answer: what is sent, what it means, and a row of the file as it would then be read."""

    value: str
    label: str
    sample: str | None = None


class ImportQuestion(Wire):
    """One thing that a file leaves open.

    `file` counts the uploaded files from 0, `name` is that file's, `option` the option of the command
    line that answers for all files of an import. Where `choices` are only the likely ones, as with
    currencies, another value is taken too.
    """

    file: Whole
    name: str
    about: QuestionAbout
    text: str
    option: str
    choices: tuple[ImportChoice, ...]

    def is_asked_alike(self, other: "ImportQuestion") -> bool:
        """Whether another file is asked the same; the way of a first row is each file's own."""
        values, others = ([each.value for each in asked.choices] for asked in (self, other))
        is_own = any(value.startswith(OF_FIRST_ROW) for value in values)
        return (
            (self.about, values) == (other.about, others) and not is_own and self.file != other.file
        )


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

MARKS = "marks:"
"""How a direction begins that lists words."""


def to_be_asked(questions: Sequence[ImportQuestion]) -> list[ImportQuestion]:
    """The questions that no other one of these on their file may settle, so that none is in vain."""
    open_ = {(each.file, each.about) for each in questions}
    return [
        each
        for each in questions
        if open_.isdisjoint((each.file, about) for about in WAITS_FOR.get(each.about, ()))
    ]


def takes_another(question: ImportQuestion) -> str | None:
    """What may be written in the place of the choices of a question; None for nothing."""
    if question.about == "direction" and MARKS in question.text:
        return "the words of money out, with commas between"
    return TAKES_OTHERS.get(question.about)


class ImportAnswer(Wire):
    """The answer for one file, given by its place among the uploaded ones or by its name."""

    file: Annotated[int, Field(ge=0)] | Annotated[str, Field(min_length=1, max_length=1000)]
    about: QuestionAbout
    value: Text


def _read_answers(given: object) -> tuple[ImportAnswer, ...]:
    # A form has texts only, so what is a list here arrives written as JSON.
    listed: object = given
    if isinstance(given, str):
        try:
            listed = json.loads(given)
        except ValueError:
            raise ValueError("Answers are a JSON list of {file, about, value}") from None
    return _ANSWERS.validate_python(listed, strict=False)


def _write_answers(answers: tuple[ImportAnswer, ...]) -> str:
    return _ANSWERS.dump_json(answers, by_alias=True).decode()


_ANSWERS = TypeAdapter(tuple[ImportAnswer, ...])

ImportAnswers = Annotated[
    tuple[ImportAnswer, ...],
    PlainValidator(_read_answers),
    PlainSerializer(_write_answers, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "format": "answers",
            "contentMediaType": "application/json",
            "description": "Answers for single files: a JSON list of `{file, about, value}`.",
        }
    ),
]
"""Answers for single files, written as JSON in a form's field; they go before the fields for all."""
