"""`finplan categories`: what a payee can be filed under."""

from collections.abc import Iterable

import typer

from finplan.cli.choices import Noun
from finplan.cli.choosing import Candidate, pick
from finplan.cli.complain import Complaint
from finplan.cli.session import Session

app = Noun()


@app.command()
def categories(context: typer.Context) -> None:
    """The categories there are."""
    from finplan.model.base import Nothing
    from finplan.operations import LIST_CATEGORIES

    session = Session.of(context)
    choices = session.answer(LIST_CATEGORIES, Nothing())
    if choices is not None:
        from finplan.cli.show_rules import draw_categories

        session.print(draw_categories(choices))


def category_labels(session: Session) -> dict[str, str]:
    """What each category is called, by its id."""
    from finplan.model.base import Nothing
    from finplan.operations import LIST_CATEGORIES

    choices = session.call(LIST_CATEGORIES, Nothing())
    return {choice.category: choice.label for choice in choices}


def category_ids(session: Session, typed: Iterable[str]) -> tuple[str, ...]:
    """The categories that a person means by ids, labels or parts of them."""
    return tuple(category_id(session, text) for text in typed)


def category_id(session: Session, text: str) -> str:
    """The category that a person means. What is none stays as it is, for the daemon to refuse."""
    from finplan.model.base import Nothing
    from finplan.operations import LIST_CATEGORIES

    choices = session.call(LIST_CATEGORIES, Nothing())
    candidates = [Candidate(choice.category, (choice.label,)) for choice in choices]
    try:
        return pick(text, candidates, "category", "finplan categories")
    except Complaint:
        return text
