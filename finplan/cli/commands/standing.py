"""How it stands: `finplan` alone, `snapshot`, `watch`, `forecast` and `wealth`.

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
    ("finplan import FILE…", f"statement files of a bank: {STATEMENT_FORMATS}"),
    ("finplan connect", "a bank that is asked by itself from then on"),
    ("finplan --demo", "a made-up household, to look around"),
)
WAYS_INTO_THE_DEMO = (("finplan --demo connect demo", "link the demo household again"),)
WAYS_ON = (
    ("finplan tui", "all of it on the whole screen"),
    ("finplan plan", "the whole plan, and why"),
    ("finplan --help", "every command"),
)


@home_app.command()
def home(context: typer.Context) -> None:
    """What is safe to spend, what to do next, and where to go on."""
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
        ways = [(session.named(f"`{command}`").strip("`"), what) for command, what in WAYS_ON]
        session.draw(terminal.plan.draw_home(view, session.how, session.look, ways))


snapshot_app = CommandApp()


@snapshot_app.command(
    epilog=examples(
        "finplan snapshot",
        "finplan snapshot --income 4200       Count on 4,200 a month from now on",
        "finplan snapshot --income detected   Go back to what the data say",
    )
)
def snapshot(
    context: typer.Context,
    income: Annotated[
        str | None, option("AMOUNT", "Your own monthly income; or `detected`.")
    ] = None,
) -> None:
    """What is safe to spend now, and why.

    The averages are the latest plan's; balances and what you have spent are of today.
    """
    session = Session.of(context)
    if income is None:
        found = session.answer(operations.plan.SHOW_SNAPSHOT)
    else:
        asked = model.snapshot.IncomeRequest(monthly=_monthly(session, income))
        found = session.answer(operations.plan.SET_INCOME, asked)
    if found is not None:
        view = view_now(session)
        session.draw(terminal.plan.draw_snapshot(found, session.how, session.look, view))


def _monthly(session: Session, typed: str) -> int | None:
    if typed == "detected":
        return None
    monthly = minor(typed, session.currency, "The income")
    if monthly < 0:
        raise CommandError("An income cannot be negative.", BAD_INPUT)
    return monthly


watch_app = CommandApp()
OFTEN = 5
"""In seconds: a look costs the daemon next to nothing while nothing changes."""


@watch_app.command(
    epilog=examples(
        "finplan watch",
        "finplan watch --every 60     Look once a minute",
        "finplan watch --json         A line of JSON for each change",
    )
)
def watch(
    context: typer.Context,
    every: Annotated[int, option("N", "Look again after N seconds.", min=1, max=3600)] = OFTEN,
) -> None:
    """Today's figures, drawn anew when they change.

    A sync, an import, an answer or a new day changes them. Ctrl-C ends it. What was known stays while
    the daemon is away, and that is said.
    """
    session = Session.of(context)
    if not (session.options.json or session.console.is_terminal):
        raise CommandError(
            "Nobody watches here: this is no terminal. `finplan snapshot` prints the figures once, and"
            " `finplan watch --json` a line for each change.",
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
                live.update(Text(away or "Looking …"), refresh=True)
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
    known: model.snapshot.PlanView | None = None
    while True:
        try:
            known, away = session.call(operations.plan.VIEW_PLAN), ""
        except (CallFailed, DaemonUnreachable) as error:
            away = str(error)
            session.forget_client()
        yield known, away
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
    days: Annotated[int, option("N", "How many days to look ahead.", min=1, max=120)] = 60,
) -> None:
    """The days ahead: what cash will be, and why.

    Pay and bills come on their days, cards on theirs, and usual spending on all. The lowest day stands
    first; the range holds cash on four of five such days.
    """
    asked = model.snapshot.ForecastQuery(days=days)
    Session.of(context).tell(operations.plan.SHOW_FORECAST, lambda: views.ahead.forecast, asked)


wealth_app = CommandApp()


@wealth_app.command(rows=True)
def wealth(context: typer.Context) -> None:
    """What you own and owe, today and over time."""
    session = Session.of(context)
    found = session.answer(operations.plan.SHOW_WEALTH)
    if found is not None:
        session.show(views.ahead.wealth(found, session.how, view_now(session)))
        if not any(point.assets or point.debts for point in found.history):
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
