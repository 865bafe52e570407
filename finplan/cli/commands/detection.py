"""`finplan recurring`, `finplan transfers`, `finplan duplicates`: what was detected.

Charges that come again, money moved between own accounts, rows and accounts seen twice; and the person's
word on each.
"""

from typing import Annotated, Any, Literal

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import PeriodWords, Since, Until, days_of
from finplan.cli.dialogs.lookup import say_what_brings_rows

recurring_app = CommandApp(cls=RowsGroup, invoke_without_command=True)
SeriesArgument = Annotated[
    str,
    typer.Argument(metavar="SERIES", help="An id, its first letters, or the payee's whole name."),
]


@recurring_app.callback(
    epilog=examples(
        "finplan recurring                   Bills, subscriptions and regular income",
        "finplan recurring dismiss netflix   It is over: out of the plan",
        "finplan recurring confirm ID        It is not, even if a month looks odd",
        "finplan recurring undo netflix      Take that back",
    )
)
def recurring(context: typer.Context) -> None:
    """Charges and income that come again.

    They are found in your transactions, and make the bills, the dates to come and the
    allowance. What is over is listed last.
    """
    if context.invoked_subcommand is None:
        _list_of_series(Session.of(context), active=None)


@recurring_app.command("list", rows=True)
def list_recurring(
    context: typer.Context,
    active: Annotated[
        bool | None, typer.Option("--active/--over", help="Only what goes on, or what is over.")
    ] = None,
) -> None:
    """All series, the dearest month first."""
    _list_of_series(Session.of(context), active=active)


@recurring_app.command("confirm")
def confirm_series(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does come again: it stays in the plan."""
    _decide_series(context, series, "confirm")


@recurring_app.command("dismiss")
def dismiss_series(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does not come again: it leaves the plan at once."""
    _decide_series(context, series, "dismiss")


@recurring_app.command("undo")
def undo_series(context: typer.Context, series: SeriesArgument) -> None:
    """Take your word on a series back."""
    _decide_series(context, series, "auto")


def _list_of_series(session: Session, *, active: bool | None) -> None:
    from finplan.model.recurring import RecurringQuery
    from finplan.operations.detection import LIST_RECURRING

    query = RecurringQuery() if active is None else RecurringQuery(active=active)
    found = session.answer(LIST_RECURRING, query)
    if found is not None:
        from finplan.cli.showing.detection import draw_recurring

        currency = session.currency if found else ""
        session.page(draw_recurring(found, currency, session.width, session.room))
        if not found:
            say_what_brings_rows(session)


def _decide_series(
    context: typer.Context, text: str, verdict: Literal["confirm", "dismiss", "auto"]
) -> None:
    from finplan.model.recurring import RecurringVerdict
    from finplan.operations.detection import DECIDE_RECURRING

    session = Session.of(context)
    wanted = _series_id(session, text)
    decided = session.answer(DECIDE_RECURRING, RecurringVerdict(id=wanted, verdict=verdict))
    if decided is not None:
        from finplan.cli.showing.detection import draw_decided_series

        session.print(draw_decided_series(decided, session.currency, session.width))


def _series_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.recurring import RecurringQuery
    from finplan.operations.detection import LIST_RECURRING

    found = session.call(LIST_RECURRING, RecurringQuery())
    candidates = [NamedId(each.id, (each.name, each.payee_key)) for each in found]
    return pick(text, candidates, "series", "finplan recurring", "series", exact=True)


transfers_app = CommandApp(cls=RowsGroup, invoke_without_command=True)
TransferArgument = Annotated[
    str,
    typer.Argument(metavar="TRANSFER", help="An id, the beginning of one, or a row's text."),
]
STATUS_HELP = "candidate, paired, confirmed or rejected"


@transfers_app.callback(
    epilog=examples(
        "finplan transfers                   What to look at, then the latest pairs",
        "finplan transfers confirm ID        These two rows are one transfer",
        "finplan transfers reject ID         They are not, and never will be",
        "finplan transfers undo ID           Take that back",
    )
)
def transfers(context: typer.Context) -> None:
    """Money moved between your own accounts.

    It is neither income nor spending. Two rows are paired where amounts, days and texts
    leave no doubt. Where they do, you are asked.
    """
    if context.invoked_subcommand is None:
        _list_of_transfers(Session.of(context), {})


@transfers_app.command(
    "list",
    rows=True,
    epilog=examples(
        "finplan transfers list --status candidate",
        "finplan transfers list --from 2025-11 --to 2025-12",
    ),
)
def list_transfers(
    context: typer.Context,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help=f"Only {STATUS_HELP}; may be given again."),
    ] = None,
    since: Since = None,
    until: Until = None,
    period: PeriodWords = None,
) -> None:
    """The pairs, those in doubt first, then the newest."""
    session = Session.of(context)
    since, until = days_of(session, period, since, until)
    filters = {"status": tuple(status or ()), "since": since, "until": until}
    given = {name: value for name, value in filters.items() if value not in (None, ())}
    _list_of_transfers(session, given)


@transfers_app.command("confirm")
def confirm_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are one transfer: they stay paired from now on."""
    _decide_transfer(context, transfer, "confirm")


@transfers_app.command("reject")
def reject_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are no transfer: they count again, and are never paired any more."""
    _decide_transfer(context, transfer, "reject")


@transfers_app.command("undo")
def undo_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Take your word on a pair back."""
    _decide_transfer(context, transfer, "auto")


def _list_of_transfers(session: Session, filters: dict[str, Any]) -> None:
    from finplan.model.detection import TransferQuery
    from finplan.operations.detection import LIST_TRANSFERS

    found = session.answer(LIST_TRANSFERS, TransferQuery(**filters))
    if found is not None:
        from finplan.cli.showing.detection import draw_transfers

        names = _account_names(session) if found else {}
        session.print(draw_transfers(found, names, session.width, whole=bool(filters)))
        if not found:
            say_what_brings_rows(session)


def _decide_transfer(
    context: typer.Context, text: str, verdict: Literal["confirm", "reject", "auto"]
) -> None:
    from finplan.model.detection import TransferVerdict
    from finplan.operations.detection import DECIDE_TRANSFER

    session = Session.of(context)
    wanted = _transfer_id(session, text)
    decided = session.answer(DECIDE_TRANSFER, TransferVerdict(id=wanted, verdict=verdict))
    if decided is not None:
        from finplan.cli.showing.detection import draw_decided_transfer

        session.print(draw_decided_transfer(decided, _account_names(session), session.width))


def _account_names(session: Session) -> dict[str, str]:
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNTS

    return {account.id: account.name for account in session.call(LIST_ACCOUNTS, Nothing())}


def _transfer_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.detection import TransferQuery
    from finplan.operations.detection import LIST_TRANSFERS

    found = session.call(LIST_TRANSFERS, TransferQuery())
    candidates = [NamedId(each.id, (each.out.raw, each.into.raw)) for each in found]
    return pick(text, candidates, "transfer", "finplan transfers")


duplicates_app = CommandApp(cls=RowsGroup, invoke_without_command=True)
DuplicateArgument = Annotated[
    str,
    typer.Argument(metavar="DUPLICATE", help="An id, the beginning of one, or a name or text."),
]


@duplicates_app.callback(
    epilog=examples(
        "finplan duplicates                       What may be there twice",
        "finplan duplicates same ID               It is one: leave the second out",
        "finplan duplicates different ID          They are two: count both",
        "finplan duplicates undo ID               Ask me again",
    )
)
def duplicates(context: typer.Context) -> None:
    """Rows and accounts seen twice.

    Both count until you say that they are the same. The second one is then left out, not lost.
    """
    if context.invoked_subcommand is None:
        _list_of_duplicates(Session.of(context), ())


@duplicates_app.command("list", rows=True)
def list_duplicates(
    context: typer.Context,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help="Only open, same or different; may be given again."),
    ] = None,
) -> None:
    """All of them, accounts first, with what you said."""
    _list_of_duplicates(Session.of(context), tuple(status or ()))


@duplicates_app.command()
def same(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are the same: the second one is left out of every total."""
    _decide_duplicate(context, duplicate, "same")


@duplicates_app.command()
def different(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are different: both count."""
    _decide_duplicate(context, duplicate, "different")


@duplicates_app.command("undo")
def undo_duplicate(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Take your word on a duplicate back."""
    _decide_duplicate(context, duplicate, "auto")


def _list_of_duplicates(session: Session, status: tuple[str, ...]) -> None:
    from finplan.model.detection import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    query = DuplicateQuery(status=status) if status else DuplicateQuery()
    found = session.answer(LIST_DUPLICATES, query)
    if found is not None:
        from finplan.cli.showing.detection import draw_duplicates

        session.print(draw_duplicates(found, session.width, session.room))
        if not found:
            say_what_brings_rows(session)


def _decide_duplicate(
    context: typer.Context, text: str, verdict: Literal["same", "different", "auto"]
) -> None:
    from finplan.model.detection import DuplicateVerdict
    from finplan.operations.detection import DECIDE_DUPLICATE

    session = Session.of(context)
    wanted = _duplicate_id(session, text)
    decided = session.answer(DECIDE_DUPLICATE, DuplicateVerdict(id=wanted, verdict=verdict))
    if decided is not None:
        from finplan.cli.showing.detection import draw_duplicates

        session.print(draw_duplicates([decided], session.width, session.room))


def _duplicate_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.detection import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    candidates = [
        NamedId(
            each.id,
            tuple(side.raw or side.account_name for side in (each.kept, each.other)),
        )
        for each in session.call(LIST_DUPLICATES, DuplicateQuery())
    ]
    return pick(text, candidates, "duplicate", "finplan duplicates")
