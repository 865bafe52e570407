"""`finplan plan`: built, shown, compared, explained; `what-if` and `afford`: with changes to try."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from finplan import model, operations, terminal, views
from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.options import CommandApp, argument, examples, flag, option, said_before
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import first_day, minor
from finplan.cli.dialogs.lookup import category_labels

plan_app = CommandApp(invoke_without_command=True)
what_if_app = CommandApp()
afford_app = CommandApp()
PictureName = Literal["in-and-out", "net-worth", "days-ahead", "bills", "where-it-goes"]
DaysAhead = Annotated[
    int | None,
    option(
        "N", f"Days to look ahead, up to {model.snapshot.FURTHEST_DAY_AHEAD}. [default: 60]", min=1
    ),
]
Rate = Annotated[str | None, option("PERCENT", "Yearly interest rate of the loan, like 6.4.")]
Months = Annotated[int | None, option("N", "Months to pay the loan back.", min=1, max=600)]
Targets = list[str] | None
All = Annotated[bool, flag("--all", "Show every category, recurring charge, action and note.")]


@plan_app.callback(
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


@plan_app.command()
def build(context: typer.Context, show_all: All = False) -> None:
    """Build a plan from your current data, save it and show it."""
    session = Session.of(context)
    if session.answer(operations.plan.BUILD_PLAN, doing="Building the plan") is not None:
        _draw(session, show_all=show_all or said_before(context, "show_all"))


@plan_app.command(
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


@plan_app.command(rows=True)
def history(context: typer.Context) -> None:
    """List the plans built so far, newest first, with the changes between them."""
    Session.of(context).tell(operations.plan.LIST_PLANS, lambda: views.explain.history)


@plan_app.command(
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


@what_if_app.command(
    epilog=examples(
        "finplan what-if --change landlord=1900",
        'finplan what-if --lose-income "Acme Payroll"',
        "finplan what-if --income 500 --cancel netflix",
        "finplan what-if --loan 12000 --apr 6.4 --months 48",
        "finplan what-if --pay visa=850",
    )
)
def what_if(  # Typer makes an option of each.
    context: typer.Context,
    one_time: Annotated[str | None, option("AMOUNT", "You pay this amount once.")] = None,
    monthly: Annotated[str | None, option("AMOUNT", "You pay this amount every month.")] = None,
    income: Annotated[str | None, option("AMOUNT", "You receive this amount every month.")] = None,
    change: Annotated[
        Targets, option("NAME=AMOUNT", "A recurring charge costs this amount instead.")
    ] = None,
    cancel: Annotated[Targets, option("NAME", "A recurring charge ends.")] = None,
    lose_income: Annotated[Targets, option("NAME", "An income source ends.")] = None,
    balance: Annotated[Targets, option("ACCOUNT=AMOUNT", "An account has this balance.")] = None,
    pay: Annotated[
        Targets, option("ACCOUNT=AMOUNT", "You pay this amount to a card or a loan today.")
    ] = None,
    loan: Annotated[
        str | None, option("AMOUNT", "You borrow this amount; give --apr and --months.")
    ] = None,
    apr: Rate = None,
    months: Months = None,
    since: Annotated[
        date | None,
        option(
            "DAY", "When payments and income begin. [default: today]", "--from", parser=first_day
        ),
    ] = None,
    days: DaysAhead = None,
) -> None:
    """Try changes: show your plan before and after them.

    Nothing is saved. To keep a payment or income in your plan, use `finplan planned add`.
    """
    session = Session.of(context)
    changes = [
        *_amounts(session, {"one_time": one_time, "spending": monthly, "income": income}, since),
        *_read_pairs(session, "spending", change),
        *({"kind": "cancel", "target": name} for name in cancel or ()),
        *({"kind": "lose_income", "target": name} for name in lose_income or ()),
        *_read_pairs(session, "balance", balance),
        *_read_pairs(session, "lump_sum", pay),
        *_loans(session, loan, apr, months, since),
    ]
    if not changes:
        raise typer.BadParameter(
            "Nothing to try. Add a change, for example --one-time 1200.", ctx=context
        )
    _try(session, changes, days, is_question=False)


@afford_app.command(
    epilog=examples(
        "finplan afford 1200",
        "finplan afford 1200 --from 2027-03-01",
        "finplan afford 90 --monthly",
        "finplan afford 12000 --apr 6.4 --months 48   As a loan",
    )
)
def afford(
    context: typer.Context,
    amount: Annotated[str, argument("AMOUNT", "Price, like 1200.")],
    monthly: Annotated[bool, flag("--monthly", "You pay it every month.")] = False,
    since: Annotated[
        date | None,
        option("DAY", "When you pay first. [default: today]", "--from", parser=first_day),
    ] = None,
    apr: Rate = None,
    months: Months = None,
    days: DaysAhead = None,
) -> None:
    """See whether you can afford something.

    The table shows what it changes in your plan. With --apr and --months you pay it back as a loan.
    Nothing is saved.
    """
    session = Session.of(context)
    if apr is not None or months is not None:
        changes = _loans(session, amount, apr, months, since)
    else:
        kind = "spending" if monthly else "one_time"
        changes = _amounts(session, {kind: amount}, since)
    _try(session, changes, days, is_question=True)


def _try(
    session: Session, changes: list[dict[str, Any]], days: int | None, *, is_question: bool
) -> None:
    fields: dict[str, Any] = {"changes": tuple(changes)} | ({} if days is None else {"days": days})
    request = model.what_if.WhatIfRequest.model_validate(fields, by_name=True)
    tried = session.answer(operations.plan.TRY_CHANGES, request)
    if tried is not None:
        view = views.what_if.can_afford if is_question else views.what_if.compare
        session.show(view(tried, session.how))


def _amounts(
    session: Session, typed: dict[str, str | None], since: date | None
) -> list[dict[str, Any]]:
    """Payments and income by their kinds."""
    return [
        {"kind": kind, "amount": minor(amount, session.currency, "The amount")}
        | ({} if since is None else {"since": since})
        for kind, amount in typed.items()
        if amount is not None
    ]


def _read_pairs(session: Session, kind: str, typed: list[str] | None) -> list[dict[str, Any]]:
    """Changes that are typed as NAME=AMOUNT. Raises a CommandError for one without an amount."""
    changes = []
    for text in typed or ():
        name, equals, amount = text.rpartition("=")
        if not equals or not name.strip():
            raise CommandError(f"{text!r} has no amount. Write it like NAME=AMOUNT.", BAD_INPUT)
        amount_in_units = minor(amount, session.currency, "The amount")
        changes.append({"kind": kind, "target": name.strip(), "amount": amount_in_units})
    return changes


def _loans(
    session: Session,
    amount: str | None,
    apr: str | None,
    months: int | None,
    since: date | None,
) -> list[dict[str, Any]]:
    """The loan that is typed. Raises a CommandError where its rate or its months are missing."""
    if amount is None and apr is None and months is None:
        return []
    if amount is None or apr is None or months is None:
        raise CommandError("A loan needs an amount, --apr and --months.", BAD_INPUT)
    from finplan.cli.commands.accounts import read_rate

    (loan,) = _amounts(session, {"loan": amount}, since)
    return [loan | {"apr": read_rate(apr), "months": months}]
