"""`finplan categories`: what a payee can be filed under, and categories of the person's own."""

from typing import Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import category_finder, category_labels

app = CommandApp(cls=RowsGroup)
Line = Literal["essential", "discretionary", "not_spending"]
LINE_HELP = "essential, discretionary or not_spending"

_OF_SUGGESTION: dict[str, Line] = {"needs": "essential", "wants": "discretionary"}
Own = Annotated[str, argument("CATEGORY", "One of yours: its name, or a part of it.")]


@app.callback(
    epilog=examples(
        "finplan categories",
        'finplan categories add Cycling --line discretionary --payee "bike shop"',
        "finplan categories suggestions   Themes in your charges",
        'finplan categories add "Pet care" --suggested',
        "finplan categories remove Cycling --merge-into hobbies",
    )
)
def categories() -> None:
    """The categories there are, and your own ones."""


@app.command("list", rows=True)
def list_categories(context: typer.Context) -> None:
    """All categories; the same as `finplan categories`."""
    Session.of(context).tell(
        operations.category.LIST_CATEGORIES, lambda: views.categories.categories
    )


@app.command()
def add(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "What you call it.")],
    line: Annotated[Line | None, option("LINE", f"{LINE_HELP}.")] = None,
    reimbursable: Annotated[
        bool, flag("--reimbursable", "Somebody pays these charges back to you.")
    ] = False,
    payee: Annotated[
        list[str] | None, option("PAYEE", "File this payee under it; may be given again.")
    ] = None,
    suggested: Annotated[bool, flag("--suggested", "Make the suggestion of this name.")] = False,
) -> None:
    """Make a category of your own, and file payees under it."""
    session = Session.of(context)
    if suggested:
        if line is not None or reimbursable or payee:
            raise typer.BadParameter(
                "A suggestion brings its line and payees; leave out what it says.", ctx=context
            )
        new = _suggested(session, name)
    elif line is None:
        raise typer.BadParameter(
            f"Say with --line what {name} is: {LINE_HELP} (what you need, what you want, or money"
            f" that only moves). For example: finplan categories add {name!r} --line discretionary.",
            ctx=context,
        )
    else:
        new = model.category.NewCategory(
            name=name, line=line, reimbursable=reimbursable, payee_keys=tuple(payee or ())
        )
    created = session.tell(
        operations.category.CREATE_CATEGORY, lambda: views.categories.created, new
    )
    if created is not None:
        _tell_look_alike(session, created.category)


@app.command()
def rename(
    context: typer.Context,
    category: Own,
    name: Annotated[str, argument("NAME", "What it is called from now on.")],
) -> None:
    """Give one of your categories another name; everything stays filed under it."""
    session = Session.of(context)
    changed = _changed(session, category, name=name)
    if changed is not None:
        _tell_look_alike(session, changed)


@app.command()
def change(
    context: typer.Context,
    category: Own,
    line: Annotated[Line | None, option("LINE", f"{LINE_HELP}.")] = None,
    reimbursable: Annotated[
        bool | None, flag("--reimbursable/--kept", "Whether its charges are paid back to you.")
    ] = None,
) -> None:
    """Put one of your categories on another line."""
    session = Session.of(context)
    if line is None and reimbursable is None:
        raise typer.BadParameter("Say what to change, for example --line essential.", ctx=context)
    wanted = {"line": line, "reimbursable": reimbursable}
    given = {field: value for field, value in wanted.items() if value is not None}
    _changed(session, category, **given)


def _changed(
    session: Session, category: str, **given: Any
) -> "model.category.CategoryChoice | None":
    change = model.category.CategoryChange(category=category_finder(session)(category), **given)
    changed = session.answer(operations.category.CHANGE_CATEGORY, change)
    if changed is not None:
        session.show(views.categories.categories([changed], session.how))
    return changed


@app.command()
def remove(
    context: typer.Context,
    category: Own,
    merge_into: Annotated[
        str | None, option("CATEGORY", "File its payees under this one instead.")
    ] = None,
    yes: Annotated[bool, flag("--yes", "Do not ask.")] = False,
) -> None:
    """Remove one of your categories. No charge is lost.

    Its payees are filed under another category with --merge-into, else where finplan would file them.
    """
    session = Session.of(context)
    category_id = category_finder(session)
    target = None if merge_into is None else category_id(merge_into)
    meant = category_id(category)
    if session.interactive and not yes:
        question = views.categories.removal(meant, target, category_labels(session))
        if not session.confirm(question, default=False):
            session.say("Nothing was removed.")
            return
    request = model.category.CategoryRemoval(category=meant, merge_into=target)
    session.tell(operations.category.REMOVE_CATEGORY, lambda: views.categories.removed, request)


@app.command(rows=True)
def suggestions(context: typer.Context) -> None:
    """Themes in your charges that might deserve a category of their own."""
    Session.of(context).tell(
        operations.category.LIST_SUGGESTIONS, lambda: views.categories.suggestions
    )


@app.command()
def dismiss(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "A suggestion's name.")],
    undo: Annotated[bool, flag("--undo", "Let it come again.")] = False,
) -> None:
    """Keep a suggestion away."""
    verdict = model.category.SuggestionVerdict(name=name, dismissed=not undo)
    Session.of(context).tell(
        operations.category.JUDGE_SUGGESTION, lambda: views.categories.suggestions, verdict
    )


def _tell_look_alike(session: Session, named: "model.category.CategoryChoice") -> None:
    for sentence in views.categories.looks_like(named, category_labels(session)):
        session.say(sentence)


def _suggested(session: Session, name: str) -> "model.category.NewCategory":
    found = session.call(operations.category.LIST_SUGGESTIONS)
    meant = next((each for each in found if each.name.casefold() == name.casefold()), None)
    if meant is None:
        names = ", ".join(each.name for each in found) or "nothing"
        are = "are" if len(found) > 1 else "is"
        raise CommandError(
            f"{name!r} is not suggested now; {names} {are}. `finplan categories add NAME --line LINE`"
            " makes any other.",
            NOT_THERE,
        )
    payees = tuple(each.payee for each in meant.merchants)
    return model.category.NewCategory.of(meant, line=_OF_SUGGESTION[meant.line], payee_keys=payees)
