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
from finplan.cli.dialogs.lookup import build_request, meant_id, say_what_brings_rows

if TYPE_CHECKING:
    from finplan.operation import AnyOperation

_Kind = Literal["series", "transfer", "duplicate"]

recurring_app = CommandApp(cls=RowsGroup)
SeriesArgument = Annotated[
    str,
    argument(
        "SERIES", "The payee's full name, or the id. The first characters of the id are enough."
    ),
]


@recurring_app.callback(
    epilog=examples(
        "finplan recurring                   Bills, subscriptions and regular income",
        "finplan recurring dismiss netflix   Netflix has ended: remove it",
        "finplan recurring confirm ID        Keep it, even if it looks irregular",
        "finplan recurring undo netflix      Undo your decision",
    )
)
def recurring() -> None:
    """Bills, subscriptions and regular income.

    finplan finds these in your transactions. It uses them to predict your next bills and paydays,
    and to calculate what is safe to spend. Anything that has ended is listed last.
    """


@recurring_app.command("list", rows=True)
def list_recurring(
    context: typer.Context,
    active: Annotated[
        bool | None, flag("--active/--over", "Show only what is active, or only what has ended.")
    ] = None,
) -> None:
    """List what is recurring, largest monthly amount first."""
    rows = operations.detection
    query = build_request(rows.LIST_RECURRING, active=active)
    _list(Session.of(context), rows.LIST_RECURRING, lambda: views.detection.recurring, query)


@recurring_app.command("confirm")
def confirm_series(context: typer.Context, series: SeriesArgument) -> None:
    """Confirm that something is recurring; it stays in the plan."""
    _decide(context, "series", series, "confirm")


@recurring_app.command("dismiss")
def dismiss_series(context: typer.Context, series: SeriesArgument) -> None:
    """Mark something as not recurring, and remove it from the plan at once."""
    _decide(context, "series", series, "dismiss")


@recurring_app.command("undo")
def undo_series(context: typer.Context, series: SeriesArgument) -> None:
    """Undo your decision: finplan decides again."""
    _decide(context, "series", series, "auto")


transfers_app = CommandApp(cls=RowsGroup)
TransferArgument = Annotated[
    str,
    argument(
        "TRANSFER",
        "The transfer's id, or text from one of its transactions. The first characters of the id"
        " are enough.",
    ),
]
STATUS_HELP = "candidate, paired, confirmed or rejected"


@transfers_app.callback(
    epilog=examples(
        "finplan transfers                   Show transfers to check, then the latest",
        "finplan transfers confirm ID        These two are one transfer",
        "finplan transfers reject ID         These two are not a transfer",
        "finplan transfers undo ID           Undo your decision",
    )
)
def transfers() -> None:
    """List, confirm and reject transfers between your own accounts.

    A transfer is neither income nor spending. finplan pairs two transactions if their amounts, dates
    and texts match clearly. Otherwise, finplan asks you.
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
        list[str] | None,
        option("STATUS", f"Only transfers with this status: {STATUS_HELP}. Repeat for more."),
    ] = None,
    since: Since = None,
    until: Until = None,
    period: PeriodWords = None,
) -> None:
    """List transfers: uncertain ones first, then the newest."""
    session = Session.of(context)
    since, until = days_of(session, period, since, until)
    rows, chosen = operations.detection, tuple(status) if status else None
    query = build_request(rows.LIST_TRANSFERS, status=chosen, since=since, until=until)

    def view() -> Any:
        return partial(views.detection.transfers, everything=bool(query.model_fields_set))

    _list(session, rows.LIST_TRANSFERS, view, query)


@transfers_app.command("confirm")
def confirm_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Confirm a transfer; its two transactions stay paired."""
    _decide(context, "transfer", transfer, "confirm")


@transfers_app.command("reject")
def reject_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Reject a transfer; both transactions count, and finplan never pairs them again."""
    _decide(context, "transfer", transfer, "reject")


@transfers_app.command("undo")
def undo_transfer(context: typer.Context, transfer: TransferArgument) -> None:
    """Undo your decision: finplan decides again."""
    _decide(context, "transfer", transfer, "auto")


duplicates_app = CommandApp(cls=RowsGroup)
DuplicateArgument = Annotated[
    str,
    argument(
        "DUPLICATE",
        "The duplicate's id, or a name or text that appears in it. The first characters of the id"
        " are enough.",
    ),
]


@duplicates_app.callback(
    epilog=examples(
        "finplan duplicates                       Possible duplicates",
        "finplan duplicates same ID               They are the same: exclude one",
        "finplan duplicates different ID          They are different: count both",
        "finplan duplicates undo ID               Undo your decision",
    )
)
def duplicates() -> None:
    """Possible duplicate transactions and accounts.

    Two possible duplicates both count until you mark them as the same. finplan then excludes the
    second one from every total, but does not delete it.
    """


@duplicates_app.command("list", rows=True)
def list_duplicates(
    context: typer.Context,
    status: Annotated[
        list[str] | None,
        option(
            "STATUS", "Only duplicates with this status: open, same or different. Repeat for more."
        ),
    ] = None,
) -> None:
    """List duplicates, accounts first, with your decisions."""
    rows = operations.detection
    query = build_request(rows.LIST_DUPLICATES, status=tuple(status) if status else None)
    _list(Session.of(context), rows.LIST_DUPLICATES, lambda: views.detection.duplicates, query)


@duplicates_app.command()
def same(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Mark two items as the same; the second one is excluded from every total."""
    _decide(context, "duplicate", duplicate, "same")


@duplicates_app.command()
def different(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Mark two items as different; both count."""
    _decide(context, "duplicate", duplicate, "different")


@duplicates_app.command("undo")
def undo_duplicate(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Undo your decision: finplan asks again."""
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
    noun, exact = ("recurring item", True) if kind == "series" else (kind, False)
    meant = meant_id(session, text, listed, _name_finding, noun, listing, exact=exact)
    done = session.answer(decides, decides.asks(id=meant, verdict=verdict))
    if done is not None:
        outcome = views.detection.describe_verdict(done, session.how)
        session.show(views.page.of(views.page.sentences([outcome])))


def _name_finding(finding: Any) -> NamedId:
    """A finding with what people know it by."""
    if isinstance(finding, model.recurring.RecurringSeries):
        return NamedId(finding.id, (finding.name, finding.payee_key))
    if isinstance(finding, model.detection.Transfer):
        return NamedId(finding.id, (finding.out.raw, finding.into.raw))
    sides = finding.kept, finding.other
    return NamedId(finding.id, tuple(side.raw or side.account_name for side in sides))
