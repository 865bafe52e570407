"""`finplan transfers`: money moved between own accounts, and the person's word on it."""

from typing import Annotated, Any, Literal

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import PeriodWords, Since, Until, days_of
from finplan.cli.dialogs.lookup import say_what_brings_rows

app = CommandApp(cls=RowsGroup, invoke_without_command=True)
TransferArgument = Annotated[
    str,
    typer.Argument(metavar="TRANSFER", help="An id, the beginning of one, or a row's text."),
]
STATUS_HELP = "candidate, paired, confirmed or rejected"


@app.callback(
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
        _list(Session.of(context), {})


@app.command(
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
    _list(session, given)


@app.command()
def confirm(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are one transfer: they stay paired from now on."""
    _decide(context, transfer, "confirm")


@app.command()
def reject(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are no transfer: they count again, and are never paired any more."""
    _decide(context, transfer, "reject")


@app.command()
def undo(context: typer.Context, transfer: TransferArgument) -> None:
    """Take your word on a pair back."""
    _decide(context, transfer, "auto")


def _list(session: Session, filters: dict[str, Any]) -> None:
    from finplan.model.transfer import TransferQuery
    from finplan.operations.detection import LIST_TRANSFERS

    found = session.answer(LIST_TRANSFERS, TransferQuery(**filters))
    if found is not None:
        from finplan.cli.showing.detection import draw_transfers

        names = _account_names(session) if found else {}
        session.print(draw_transfers(found, names, session.width, whole=bool(filters)))
        if not found:
            say_what_brings_rows(session)


def _decide(
    context: typer.Context, text: str, verdict: Literal["confirm", "reject", "auto"]
) -> None:
    from finplan.model.transfer import TransferVerdict
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
    from finplan.model.transfer import TransferQuery
    from finplan.operations.detection import LIST_TRANSFERS

    found = session.call(LIST_TRANSFERS, TransferQuery())
    candidates = [NamedId(each.id, (each.out.raw, each.into.raw)) for each in found]
    return pick(text, candidates, "transfer", "finplan transfers")
