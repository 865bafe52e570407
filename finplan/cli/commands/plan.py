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
All = Annotated[bool, flag("--all", "Show every category, recurring charge, action and note.")]


@app.callback(
    epilog=examples(
        "finplan plan build          Build a plan from your data and show it",
        "finplan plan build --demo   The same with demo data",
        "finplan plan show --all     Every line of the latest plan",
        "finplan plan history        Changes between your plans",
        "finplan plan explain debt   The formulas behind a section",
    )
)
def plan(context: typer.Context, show_all: All = False) -> None:
    """Build, show, compare and explain plans.

    Without a command, finplan shows the latest plan.
    """
    if context.invoked_subcommand is None:
        _show(Session.of(context), show_all=show_all)


@app.command()
def build(context: typer.Context, show_all: All = False) -> None:
    """Build a plan from your current data, save it and show it."""
    session = Session.of(context)
    if session.answer(operations.plan.BUILD_PLAN, doing="Building the plan") is not None:
        _draw(session, show_all=show_all or said_before(context, "show_all"))


@app.command(
    epilog=examples(
        "finplan plan show --html plan.html",
        "finplan plan show --svg plan.svg       All pictures in one file",
        "finplan plan show --svg worth.svg --picture net-worth",
    )
)
def show(  # Typer makes an option of each.
    context: typer.Context,
    show_all: All = False,
    html: Annotated[
        Path | None, option("FILE", "Write the plan as one HTML file.", "--html")
    ] = None,
    svg: Annotated[
        Path | None, option("FILE", "Save the plan's charts as an SVG file.", "--svg")
    ] = None,
    picture: Annotated[
        PictureName | None, flag("--picture", "Picture that --svg writes. [default: all]")
    ] = None,
    force: Annotated[bool, flag("--force", "Overwrite the file.")] = False,
) -> None:
    """Show the latest plan with today's figures, or write it to files.

    With --json, finplan prints the plan exactly as it was built. FILE can be - for standard output.
    """
    session = Session.of(context)
    if html is None and svg is None:
        if picture is not None or force:
            raise typer.BadParameter(
                "Name an output file, for example --svg plan.svg.", ctx=context
            )
        _show(session, show_all=show_all or said_before(context, "show_all"))
        return
    from finplan.cli.dialogs.plan_files import write_plan

    if session.options.json:
        raise typer.BadParameter("--json cannot be combined with --html or --svg.", ctx=context)
    write_plan(session, html, svg, picture, force=force)


@app.command(rows=True)
def history(context: typer.Context) -> None:
    """List the plans built so far, newest first, with the changes between them."""
    Session.of(context).tell(operations.plan.LIST_PLANS, lambda: views.explain.history)


@app.command(
    epilog=examples(
        "finplan plan explain                  List the sections",
        "finplan plan explain emergencyFund    The same as emergency-fund",
        "finplan plan explain groceries        One category",
    )
)
def explain(
    context: typer.Context,
    section: Annotated[
        str | None, argument("SECTION", "A section of the plan, or a category.")
    ] = None,
) -> None:
    """Explain a section's figures: the formulas with your numbers.

    Uses your current data. Without SECTION, finplan lists the sections.
    """
    session = Session.of(context)
    if section is None:
        if session.options.json:
            session.print_own(model.explain.SECTIONS)
        else:
            session.show(views.explain.sections())
        return
    query = model.explain.SectionName(section=section)
    explanation = session.answer(operations.plan.EXPLAIN_PLAN, query)
    if explanation is not None:
        labels = category_labels(session)
        session.show(views.explain.explanation(explanation, session.how, labels))


def _show(session: Session, *, show_all: bool) -> None:
    if session.options.json:
        session.answer(operations.plan.SHOW_PLAN)
    else:
        _draw(session, show_all=show_all)


def _draw(session: Session, *, show_all: bool) -> None:
    view = session.call(operations.plan.VIEW_PLAN)
    months = _spent_by_month(session, view.plan) if session.shows_blocks else None
    session.draw(terminal.plan.draw_plan(view, session.how, session.look, months, in_full=show_all))


def _spent_by_month(
    session: Session, plan: "model.plan.Plan"
) -> "model.transaction.SpendingReport":
    """The spending that the plan's means are taken of, by month."""
    window = plan.window
    query = model.transaction.SpendingQuery(
        group_by="month", since=window.since, until=window.until
    )
    return session.call(operations.transaction.QUERY_SPENDING, query)
