"""`finplan transactions`: single rows, newest first."""

import shutil
import sys
from typing import Annotated, Any

import typer

from finplan.cli.console.filters import AccountOption, Categories, Merchants, Since, Until
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()
LARGEST_PAGE = 500
_LINES_AROUND = 6
"""What stands around the rows on a screen: the head, the hint and the next prompt."""


@app.command(
    epilog=examples(
        "finplan transactions --from 2025-11 --category restaurants",
        "finplan transactions --account checking --pending",
        "finplan transactions --merchant costco --why   What each is filed by",
        'finplan transactions --merchant "Whole Foods" --limit 500 --json',
    )
)
def transactions(  # Typer makes an option of each.
    context: typer.Context,
    since: Since = None,
    until: Until = None,
    category: Categories = None,
    merchant: Merchants = None,
    account: AccountOption = None,
    pending: Annotated[
        bool | None, typer.Option("--pending/--posted", help="Only pending rows, or only posted.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=LARGEST_PAGE,
            metavar="N",
            help="How many rows, at most 500. [default: what fits the screen, else 100]",
        ),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Say under each row why it is in its category.")
    ] = False,
    cursor: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on where the last page ended.")
    ] = None,
) -> None:
    """Single transactions, newest first.

    Money in has a plus sign. Pending rows enter no total before they are posted.
    """
    from finplan.cli.commands.accounts import account_id
    from finplan.cli.dialogs.category_names import category_ids, category_labels
    from finplan.model.transaction import TransactionQuery
    from finplan.operations.household import LIST_TRANSACTIONS

    session = Session.of(context)
    filters: dict[str, Any] = {
        "since": since,
        "until": until,
        "category": category_ids(session, category or ()),
        "merchant": tuple(merchant or ()),
        "account": tuple(account_id(session, each) for each in account or ()),
        "pending": pending,
        "limit": limit or _screenful(session, lines=3 if why else 1),
        "cursor": cursor,
    }
    given = {name: value for name, value in filters.items() if value not in (None, ())}
    found = session.answer(LIST_TRANSACTIONS, TransactionQuery(**given))
    if found is None:
        return
    from finplan.cli.showing.transactions import draw_reasons, draw_transactions

    labels = category_labels(session) if found.transactions else {}
    if why:
        session.print(draw_reasons(found.transactions, labels, session.width))
    else:
        session.print(draw_transactions(found.transactions, labels))
    if found.next_cursor is not None:
        session.say(f"There is more: the same command with --cursor {found.next_cursor}")


def _screenful(session: Session, lines: int) -> int | None:
    """How many rows of so many lines a screen holds, None where nobody watches one."""
    if session.options.json or not sys.stdout.isatty():
        return None
    room = shutil.get_terminal_size().lines - _LINES_AROUND
    return min(LARGEST_PAGE, max(10, room // lines))
