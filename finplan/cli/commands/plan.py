"""`finplan plan`: build a plan, show the latest, list those built so far, explain a figure."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from finplan import model, operations, terminal, views
from finplan.cli.console.options import CommandApp, argument, examples, flag, option, said_before
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import category_labels

app = CommandApp(invoke_without_command=True)
PictureName = Literal["in-and-out", "net-worth", "days-ahead", "bills", "where-it-goes"]
All = Annotated[bool, flag("--all", "Fold nothing: every category, charge, action and note.")]


@app.callback(
    epilog=examples(
        "finplan plan build          Build a plan from your data and show it",
        "finplan plan build --demo   The same for a made-up household",
        "finplan plan show --all     The latest plan, with every line",
        "finplan plan history        How your plans have changed",
        "finplan plan explain debt   How its figures come about",
    )
)
def plan(context: typer.Context, whole: All = False) -> None:
    """Build, show and explain plans, and how they changed.

    Without a command, the latest plan is shown.
    """
    if context.invoked_subcommand is None:
        _show(Session.of(context), whole=whole)


@app.command()
def build(context: typer.Context, whole: All = False) -> None:
    """Build a plan from the data there are now, keep it and show it."""
    session = Session.of(context)
    if session.answer(operations.plan.BUILD_PLAN, doing="Building the plan") is not None:
        _draw(session, whole=whole or said_before(context, "whole"))


@app.command(
    epilog=examples(
        "finplan plan show --html plan.html",
        "finplan plan show --svg plan.svg       All pictures below each other",
        "finplan plan show --svg worth.svg --picture net-worth",
    )
)
def show(  # Typer makes an option of each.
    context: typer.Context,
    whole: All = False,
    html: Annotated[
        Path | None, option("FILE", "Write the plan as a page, in one file.", "--html")
    ] = None,
    svg: Annotated[Path | None, option("FILE", "Write the plan's pictures.", "--svg")] = None,
    picture: Annotated[
        PictureName | None, flag("--picture", "Which picture --svg writes. [default: all]")
    ] = None,
    force: Annotated[bool, flag("--force", "Overwrite the file.")] = False,
) -> None:
    """The plan as of now, in at most two screens, or as files to keep and to print.

    With --json it is the plan as it was built last, word for word. A FILE of - is standard output.
    """
    session = Session.of(context)
    if html is None and svg is None:
        if picture is not None or force:
            raise typer.BadParameter("Say where to, for example --svg plan.svg.", ctx=context)
        _show(session, whole=whole or said_before(context, "whole"))
        return
    from finplan.cli.dialogs.plan_files import write_plan

    if session.options.json:
        raise typer.BadParameter("--json is printed and no file of pictures.", ctx=context)
    write_plan(session, html, svg, picture, force=force)


@app.command(rows=True)
def history(context: typer.Context) -> None:
    """The plans built so far, newest first, and what changed between them."""
    Session.of(context).tell(operations.plan.LIST_PLANS, lambda: views.explain.history)


@app.command(
    epilog=examples(
        "finplan plan explain                  What can be explained",
        "finplan plan explain emergencyFund    Also written emergency-fund",
        "finplan plan explain groceries        One category",
    )
)
def explain(
    context: typer.Context,
    section: Annotated[
        str | None, argument("SECTION", "A section of the plan, or a category.")
    ] = None,
) -> None:
    """How the figures of a section come about: the formulas with the numbers in them.

    The data of now are explained. Without a section, those that can be explained are listed.
    """
    session = Session.of(context)
    if section is None:
        if session.options.json:
            session.print_own(model.explain.SECTIONS)
        else:
            session.show(views.explain.sections())
        return
    asked = model.explain.SectionName(section=section)
    found = session.answer(operations.plan.EXPLAIN_PLAN, asked)
    if found is not None:
        labels = category_labels(session)
        session.show(views.explain.explanation(found, session.how, labels))


def _show(session: Session, *, whole: bool) -> None:
    if session.options.json:
        session.answer(operations.plan.SHOW_PLAN)
    else:
        _draw(session, whole=whole)


def _draw(session: Session, *, whole: bool) -> None:
    view = session.call(operations.plan.VIEW_PLAN)
    months = _spent_by_month(session, view.plan) if session.shows_blocks else None
    session.draw(terminal.plan.draw_plan(view, session.how, session.look, months, whole=whole))


def _spent_by_month(
    session: Session, plan: "model.plan.Plan"
) -> "model.transaction.SpendingReport":
    """The spending that the plan's means are taken of, by month."""
    window = plan.window
    query = model.transaction.SpendingQuery(
        group_by="month", since=window.since, until=window.until
    )
    return session.call(operations.transaction.QUERY_SPENDING, query)
