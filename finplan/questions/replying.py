"""A reply to what was not understood: it stands in the place of that, or is a question by itself."""

from collections.abc import Sequence
from datetime import date

from finplan.questions.names import KnownNames
from finplan.questions.question import SpokenComparison, SpokenQuestion, UnclearQuestion
from finplan.questions.reading import read_question
from finplan.questions.words import tokens_of

_YES = frozenset({"yes", "y", "yes please", "yeah", "yep", "ok", "sure", "correct", "right"})


def read_reply(
    reply: str, asked: str, known: KnownNames, today: date, paydays: Sequence[date] = ()
) -> SpokenQuestion | SpokenComparison:
    """What a reply to an unclear question asks. Raises UnclearQuestion where that is still unclear.

    A reply by itself has to name its days, since those of the question before would be lost.
    """
    completed = _completed(reply, asked, known, today, paydays)
    if completed is not None:
        return completed
    question = read_question(reply, known, today, paydays)
    if isinstance(question, SpokenQuestion) and question.period is None:
        raise UnclearQuestion(
            "Of which days? Write the whole question, like `groceries last month`, or with `all time`."
        )
    return question


def _completed(
    reply: str, asked: str, known: KnownNames, today: date, paydays: Sequence[date]
) -> SpokenQuestion | SpokenComparison | None:
    """The question before with the reply in the place of what was unclear; None where that is none."""
    before = _why_unclear(asked, known, today, paydays)
    if before is None or before.stretch is None:
        return None
    first, end = before.stretch
    tokens = tokens_of(asked)
    meant = " ".join(tokens_of(reply))
    if meant in _YES and len(before.near) == 1:
        meant = before.near[0]
    try:
        return read_question(
            " ".join((*tokens[:first], meant, *tokens[end:])), known, today, paydays
        )
    except UnclearQuestion:
        return None


def _why_unclear(
    asked: str, known: KnownNames, today: date, paydays: Sequence[date]
) -> UnclearQuestion | None:
    """Why a question was unclear; None where names that were made since have cleared it up."""
    try:
        read_question(asked, known, today, paydays)
    except UnclearQuestion as unclear:
        return unclear
    return None
