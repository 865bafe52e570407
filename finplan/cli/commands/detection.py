"""`finplan recurring`, `finplan transfers`, `finplan duplicates`: what was detected.

Charges that come again, money moved between own accounts, rows and accounts seen twice; and the person's
word on each.
"""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.naming import NamedId
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import PeriodWords, Since, Until, days_of
from finplan.cli.dialogs.lookup import given, meant_id, say_what_brings_rows

if TYPE_CHECKING:
    from finplan.operation import AnyOperation

_Kind = Literal["series", "transfer", "duplicate"]

recurring_app = CommandApp(cls=RowsGroup)
SeriesArgument = Annotated[
    str, argument("SERIES", "An id, its first letters, or the payee's whole name.")
]


@recurring_app.callback(
    epilog=examples(
        "finplan recurring                   Bills, subscriptions and regular income",
        "finplan recurring dismiss netflix   It is over: out of the plan",
        "finplan recurring confirm ID        It is not, even if a month looks odd",
        "finplan recurring undo netflix      Take that back",
    )
)
def recurring() -> None:
    """Charges and income that come again.

    They are found in your transactions, and make the bills, the dates to come and the
    allowance. What is over is listed last.
    """


@recurring_app.command("list", rows=True)
def list_recurring(
    context: typer.Context,
    active: Annotated[
        bool | None, flag("--active/--over", "Only what goes on, or what is over.")
    ] = None,
) -> None:
    """All series, the dearest month first."""
    rows = operations.detection
    asked = given(rows.LIST_RECURRING, active=active)
    _list(Session.of(context), rows.LIST_RECURRING, lambda: views.detection.recurring, asked)


@recurring_app.command("confirm")
def confirm_series(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does come again: it stays in the plan."""
    _decide(context, "series", series, "confirm")


@recurring_app.command("dismiss")
def dismiss_series(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does not come again: it leaves the plan at once."""
    _decide(context, "series", series, "dismiss")


@recurring_app.command("undo")
def undo_series(context: typer.Context, series: SeriesArgument) -> None:
    """Take your word on a series back."""
    _decide(context, "series", series, "auto")


transfers_app = CommandApp(cls=RowsGroup)
TransferArgument = Annotated[
    str, argument("TRANSFER", "An id, the beginning of one, or a row's text.")
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
def transfers() -> None:
    """Money moved between your own accounts.

    It is neither income nor spending. Two rows are paired where amounts, days and texts
    leave no doubt. Where they do, you are asked.
    """


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
        list[str] | None, option("STATUS", f"Only {STATUS_HELP}; may be given again.")
    ] = None,
    since: Since = None,
    until: Until = None,
    period: PeriodWords = None,
) -> None:
    """The pairs, those in doubt first, then the newest."""
    session = Session.of(context)
    since, until = days_of(session, period, since, until)
    rows, chosen = operations.detection, tuple(status) if status else None
    asked = given(rows.LIST_TRANSFERS, status=chosen, since=since, until=until)

    def view() -> Any:
        return partial(views.detection.transfers, whole=bool(asked.model_fields_set))

    _list(session, rows.LIST_TRANSFERS, view, asked)


@transfers_app.command("confirm")
def confirm_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are one transfer: they stay paired from now on."""
    _decide(context, "transfer", transfer, "confirm")


@transfers_app.command("reject")
def reject_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Say that two rows are no transfer: they count again, and are never paired any more."""
    _decide(context, "transfer", transfer, "reject")


@transfers_app.command("undo")
def undo_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Take your word on a pair back."""
    _decide(context, "transfer", transfer, "auto")


duplicates_app = CommandApp(cls=RowsGroup)
DuplicateArgument = Annotated[
    str, argument("DUPLICATE", "An id, the beginning of one, or a name or text.")
]


@duplicates_app.callback(
    epilog=examples(
        "finplan duplicates                       What may be there twice",
        "finplan duplicates same ID               It is one: leave the second out",
        "finplan duplicates different ID          They are two: count both",
        "finplan duplicates undo ID               Ask me again",
    )
)
def duplicates() -> None:
    """Rows and accounts seen twice.

    Both count until you say that they are the same. The second one is then left out, not lost.
    """


@duplicates_app.command("list", rows=True)
def list_duplicates(
    context: typer.Context,
    status: Annotated[
        list[str] | None, option("STATUS", "Only open, same or different; may be given again.")
    ] = None,
) -> None:
    """All of them, accounts first, with what you said."""
    rows = operations.detection
    asked = given(rows.LIST_DUPLICATES, status=tuple(status) if status else None)
    _list(Session.of(context), rows.LIST_DUPLICATES, lambda: views.detection.duplicates, asked)


@duplicates_app.command()
def same(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are the same: the second one is left out of every total."""
    _decide(context, "duplicate", duplicate, "same")


@duplicates_app.command()
def different(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are different: both count."""
    _decide(context, "duplicate", duplicate, "different")


@duplicates_app.command("undo")
def undo_duplicate(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Take your word on a duplicate back."""
    _decide(context, "duplicate", duplicate, "auto")


def _list(session: Session, row: Any, view: Any, ask: Any) -> None:
    """List what a row answers; where that is nothing, say what brings some."""
    if session.tell(row, view, ask) == ():
        say_what_brings_rows(session)


def _decide(context: typer.Context, kind: _Kind, text: str, verdict: str) -> None:
    """Keep the person's word on what is meant, and say what holds then."""
    session, rows = Session.of(context), operations.detection
    kinds: dict[_Kind, tuple[AnyOperation, AnyOperation, str]] = {
        "series": (rows.LIST_RECURRING, rows.DECIDE_RECURRING, "finplan recurring"),
        "transfer": (rows.LIST_TRANSFERS, rows.DECIDE_TRANSFER, "finplan transfers"),
        "duplicate": (rows.LIST_DUPLICATES, rows.DECIDE_DUPLICATE, "finplan duplicates"),
    }
    listed, decides, listing = kinds[kind]
    plural, exact = ("series", True) if kind == "series" else (None, False)
    wanted = meant_id(session, text, listed, _named, kind, listing, plural, exact=exact)
    done = session.answer(decides, decides.asks(id=wanted, verdict=verdict))
    if done is not None:
        outcome = views.detection.decided(done, session.how)
        session.show(views.page.of(views.page.sentences([outcome])))


def _named(each: Any) -> NamedId:
    """A finding with what people know it by."""
    if isinstance(each, model.recurring.RecurringSeries):
        return NamedId(each.id, (each.name, each.payee_key))
    if isinstance(each, model.detection.Transfer):
        return NamedId(each.id, (each.out.raw, each.into.raw))
    sides = each.kept, each.other
    return NamedId(each.id, tuple(side.raw or side.account_name for side in sides))
