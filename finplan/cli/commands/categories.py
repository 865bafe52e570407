"""`finplan categories`: what a payee can be filed under, and categories of the person's own."""

from shlex import quote
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
Own = Annotated[str, argument("CATEGORY", "One of your categories: its name or part of its name.")]


@app.callback(
    epilog=examples(
        "finplan categories",
        'finplan categories add Cycling --line discretionary --payee "bike shop"',
        "finplan categories suggestions    Categories that you may want to add",
        'finplan categories add "Pet care" --suggested',
        "finplan categories remove Cycling --merge-into hobbies",
    )
)
def categories() -> None:
    """List, add, rename and remove categories."""


@app.command("list", rows=True)
def list_categories(context: typer.Context) -> None:
    """List all categories."""
    Session.of(context).tell(
        operations.category.LIST_CATEGORIES, lambda: views.categories.categories
    )


@app.command()
def add(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "Name of the new category.")],
    line: Annotated[Line | None, option("LINE", f"{LINE_HELP}.")] = None,
    reimbursable: Annotated[
        bool,
        flag(
            "--reimbursable",
            "Somebody repays what you spend in this category, for example your employer.",
        ),
    ] = False,
    payee: Annotated[
        list[str] | None,
        option("PAYEE", "Put this payee in the new category. Repeat for more payees."),
    ] = None,
    suggested: Annotated[
        bool, flag("--suggested", "Add the suggested category with this name.")
    ] = False,
) -> None:
    """Add a category, and put payees in it."""
    session = Session.of(context)
    if suggested:
        if line is not None or reimbursable or payee:
            raise typer.BadParameter(
                "A suggested category already has a line and payees. Use --suggested without"
                " other options.",
                ctx=context,
            )
        new = _suggested(session, name)
    elif line is None:
        raise typer.BadParameter(
            "Missing option --line. Use essential for needs, discretionary for wants, or"
            " not_spending for money that you do not spend. For example: `finplan categories add"
            f" {quote(name)} --line discretionary`.",
            ctx=context,
        )
    else:
        new = model.category.NewCategory(
            name=name, line=line, reimbursable=reimbursable, payee_keys=tuple(payee or ())
        )
    created = session.tell(
        operations.category.CREATE_CATEGORY, lambda: views.categories.describe_creation, new
    )
    if created is not None:
        _tell_look_alike(session, created.category)


@app.command()
def rename(
    context: typer.Context,
    category: Own,
    name: Annotated[str, argument("NAME", "New name.")],
) -> None:
    """Rename one of your categories; its payees and transactions stay in it."""
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
        bool | None,
        flag("--reimbursable/--kept", "Whether somebody repays what you spend in this category."),
    ] = None,
) -> None:
    """Make one of your categories essential, discretionary or not spending."""
    session = Session.of(context)
    if line is None and reimbursable is None:
        raise typer.BadParameter(
            "Nothing to change. Add an option, for example --line essential.", ctx=context
        )
    typed = {"line": line, "reimbursable": reimbursable}
    fields = {field: value for field, value in typed.items() if value is not None}
    _changed(session, category, **fields)


def _changed(
    session: Session, category: str, **fields: Any
) -> "model.category.CategoryChoice | None":
    change = model.category.CategoryChange(category=category_finder(session)(category), **fields)
    changed = session.answer(operations.category.CHANGE_CATEGORY, change)
    if changed is not None:
        session.show(views.categories.categories([changed], session.how))
    return changed


@app.command()
def remove(
    context: typer.Context,
    category: Own,
    merge_into: Annotated[
        str | None, option("CATEGORY", "Move the payees to this category.")
    ] = None,
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False,
) -> None:
    """Remove one of your categories; its transactions are kept.

    Its payees move to the category that you name with --merge-into. Without this option, finplan
    chooses new categories for the payees.
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
    session.tell(
        operations.category.REMOVE_CATEGORY, lambda: views.categories.describe_removal, request
    )


@app.command(rows=True)
def suggestions(context: typer.Context) -> None:
    """List categories that finplan suggests from your transactions."""
    Session.of(context).tell(
        operations.category.LIST_SUGGESTIONS, lambda: views.categories.suggestions
    )


@app.command()
def dismiss(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "The suggested category's name.")],
    undo: Annotated[bool, flag("--undo", "Suggest the category again.")] = False,
) -> None:
    """Dismiss a suggested category."""
    verdict = model.category.SuggestionVerdict(name=name, dismissed=not undo)
    Session.of(context).tell(
        operations.category.JUDGE_SUGGESTION, lambda: views.categories.suggestions, verdict
    )


def _tell_look_alike(session: Session, category: "model.category.CategoryChoice") -> None:
    for sentence in views.categories.looks_like(category, category_labels(session)):
        session.say(sentence)


def _suggested(session: Session, name: str) -> "model.category.NewCategory":
    listed = session.call(operations.category.LIST_SUGGESTIONS)
    meant = next((new for new in listed if new.name.casefold() == name.casefold()), None)
    if meant is None:
        names = ", ".join(new.name for new in listed) or "none"
        raise CommandError(
            f"{name!r} is not a suggested category. Current suggestions: {names}. To add any"
            " other category:"
            " `finplan categories add NAME --line LINE`.",
            NOT_THERE,
        )
    payees = tuple(merchant.payee for merchant in meant.merchants)
    return model.category.NewCategory.of(meant, line=_OF_SUGGESTION[meant.line], payee_keys=payees)
