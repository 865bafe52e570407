"""The overview: `finplan` alone, `snapshot`, `watch`, `forecast` and `wealth`.

Today's figures, drawn once or anew when they change; the days ahead; what the household owns and owes.
A page is told the plan behind its figures, so that it tells what is unknown from what is nothing.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import typer

from finplan import STATEMENT_FORMATS, model, operations, terminal, views
from finplan.cli.console.errors import BAD_INPUT, USAGE, CommandError
from finplan.cli.console.options import CommandApp, examples, option
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import minor
from finplan.cli.dialogs.lookup import say_what_brings_rows
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.setting_values import DEMO_PROFILE

home_app = CommandApp()

WAYS_IN = (
    ("finplan import FILE…", f"import your bank's statements: {STATEMENT_FORMATS}"),
    ("finplan connect", "link a bank, which then syncs automatically"),
    ("finplan --demo", "explore with demo data"),
)
WAYS_INTO_THE_DEMO = (("finplan --demo connect demo", "link the demo household again"),)
WAYS_ON = (
    ("finplan tui", "everything in full screen"),
    ("finplan plan", "your plan and its reasons"),
    ("finplan --help", "all commands"),
)


@home_app.command()
def home(context: typer.Context) -> None:
    """Show what is safe to spend and what to do next."""
    session = Session.of(context)
    is_demo = session.settings.profile == DEMO_PROFILE
    # A program asks the daemon, whose refusal it can read.
    for_a_person = not session.options.json
    if for_a_person and not is_demo and not session.settings.places.database.exists():
        # Who has nothing yet is told how to begin, without a daemon being started for it.
        session.show(views.live.beginning(WAYS_IN))
        return
    try:
        view = session.answer(operations.plan.VIEW_PLAN)
    except CallFailed as failure:
        if failure.code != "NO_CONNECTIONS" or not for_a_person:
            raise
        session.show(views.live.beginning(WAYS_INTO_THE_DEMO if is_demo else WAYS_IN))
        return
    if view is not None:
        ways = [(session.for_profile(f"`{command}`").strip("`"), what) for command, what in WAYS_ON]
        session.draw(terminal.plan.draw_home(view, session.how, session.look, ways))


snapshot_app = CommandApp()


@snapshot_app.command(
    epilog=examples(
        "finplan snapshot",
        "finplan snapshot --income 4200       Plan with 4,200 a month",
        "finplan snapshot --income detected   Use your detected income again",
    )
)
def snapshot(
    context: typer.Context,
    income: Annotated[
        str | None,
        option("AMOUNT", "Monthly income to plan with, or `detected` for your detected income."),
    ] = None,
) -> None:
    """Show what is safe to spend today, and why.

    Averages come from your latest plan; balances and spending are current.
    """
    session = Session.of(context)
    if income is None:
        current = session.answer(operations.plan.SHOW_SNAPSHOT)
    else:
        request = model.snapshot.IncomeRequest(monthly=_monthly(session, income))
        current = session.answer(operations.plan.SET_INCOME, request)
    if current is not None:
        view = view_now(session)
        session.draw(terminal.plan.draw_snapshot(current, session.how, session.look, view))


def _monthly(session: Session, typed: str) -> int | None:
    if typed == "detected":
        return None
    monthly = minor(typed, session.currency, "The income")
    if monthly < 0:
        raise CommandError("Income cannot be negative.", BAD_INPUT)
    return monthly


watch_app = CommandApp()
OFTEN = 5
"""In seconds: a look costs the daemon next to nothing while nothing changes."""


@watch_app.command(
    epilog=examples(
        "finplan watch",
        "finplan watch --every 60     Refresh once a minute",
        "finplan watch --json         A line of JSON for each change",
    )
)
def watch(
    context: typer.Context,
    every: Annotated[int, option("N", "Refresh every N seconds.", min=1, max=3600)] = OFTEN,
) -> None:
    """Live view of today's figures.

    A sync, an import, an answer or a new day updates the view. If the background service stops, the
    last figures stay on screen with a notice. Press Ctrl-C to quit.
    """
    session = Session.of(context)
    if not (session.options.json or session.console.is_terminal):
        raise CommandError(
            "`finplan watch` needs a terminal. To print the figures once: `finplan snapshot`. To print a"
            " line for each change: `finplan watch --json`.",
            USAGE,
        )
    with suppress(KeyboardInterrupt):
        (_print_changes if session.options.json else _draw_changes)(session, every)


def _draw_changes(session: Session, every: int) -> None:
    from rich.live import Live
    from rich.text import Text

    with Live(console=session.console, screen=True, auto_refresh=False) as live:
        for view, away in _looks(session, every):
            if view is None:
                live.update(Text(away or "Loading …"), refresh=True)
                continue
            how = views.locale.here(session.currency)
            if session.console.height > 30:
                drawn = terminal.plan.draw_snapshot(view.snapshot, how, session.look, view)
            else:
                drawn = terminal.plan.draw_home(view, how, session.look, ())
            late = Text(f"{away}\n" if away else "", style="yellow")
            live.update(late.append_text(terminal.lines.painted(drawn)), refresh=True)


def _print_changes(session: Session, every: int) -> None:
    before: bytes | None = None
    for view, _away in _looks(session, every):
        if view is None:
            continue
        now = view.snapshot.model_dump_json().encode()
        if now != before:
            session.print_raw(now)
        before = now


def _looks(session: Session, every: int) -> "Iterator[tuple[model.snapshot.PlanView | None, str]]":
    """The figures again and again, with why they are not newer where that is so."""
    view: model.snapshot.PlanView | None = None
    while True:
        try:
            view, away = session.call(operations.plan.VIEW_PLAN), ""
        except (CallFailed, DaemonUnreachable) as error:
            away = str(error)
            session.forget_client()
        yield view, away
        time.sleep(every)


forecast_app = CommandApp()


@forecast_app.command(
    rows=True,
    epilog=examples(
        "finplan forecast",
        "finplan forecast --days 14   The next two weeks",
    ),
)
def forecast(
    context: typer.Context,
    days: Annotated[int, option("N", "Days to forecast.", min=1, max=120)] = 60,
) -> None:
    """Forecast your cash, day by day.

    The forecast shows pay, bills and card payments on their expected days, and everyday spending on
    every day. It first names the day with the least cash. On four days in five, cash stays within
    the range.
    """
    query = model.snapshot.ForecastQuery(days=days)
    Session.of(context).tell(operations.plan.SHOW_FORECAST, lambda: views.ahead.forecast, query)


wealth_app = CommandApp()


@wealth_app.command(rows=True)
def wealth(context: typer.Context) -> None:
    """Net worth: what you own and owe, today and over time."""
    session = Session.of(context)
    report = session.answer(operations.plan.SHOW_WEALTH)
    if report is not None:
        session.show(views.ahead.wealth(report, session.how, view_now(session)))
        if not any(point.assets or point.debts for point in report.history):
            say_what_brings_rows(session)


def view_now(session: Session) -> "model.snapshot.PlanView | None":
    """The plan that holds, with what it does not know; None before the first one was built."""
    try:
        # Looking at balances builds no plan.
        session.call(operations.plan.SHOW_PLAN)
        return session.call(operations.plan.VIEW_PLAN)
    except CallFailed as failure:
        if failure.code not in {"NOT_FOUND", "NO_CONNECTIONS"}:
            raise
        return None
