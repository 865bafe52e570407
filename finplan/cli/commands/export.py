"""`finplan export`: the transactions as a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.output import STDOUT, must_be_new, whole_file, writing
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import (
    AccountOption,
    AmountSize,
    Categories,
    Merchants,
    PeriodWords,
    Since,
    Until,
    days_of,
    sizes,
)

if TYPE_CHECKING:
    from finplan.model.export import ExportQuery

app = CommandApp()
Format = Literal["json", "csv", "hledger", "beancount"]
_ENDINGS: dict[str, Format] = {
    ".json": "json",
    ".csv": "csv",
    ".journal": "hledger",
    ".hledger": "hledger",
    ".ledger": "hledger",
    ".beancount": "beancount",
    ".bean": "beancount",
}


@app.command(
    epilog=examples(
        "finplan export money.csv",
        "finplan export --format hledger | hledger -f - balance",
        "finplan export 2025.beancount --period 2025",
    )
)
def export(  # Typer makes an option of each.
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to; left out, or -, is standard output.")
    ] = STDOUT,
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="The format. [default: by the file's name, else json]"),
    ] = None,
    since: Since = None,
    until: Until = None,
    period: PeriodWords = None,
    category: Categories = None,
    merchant: Merchants = None,
    account: AccountOption = None,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only rows in which these words stand.")
    ] = None,
    amount: AmountSize = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Transactions as JSON, CSV or a journal.

    Oldest first. Importing the file again adds nothing. JSON without filters holds the whole
    household, and importing it where no account is restores that.
    """
    wanted = _format(file, format_, as_json=Session.of(context).options.json)
    must_be_new(file, force=force)
    from finplan.cli.commands.accounts import account_id
    from finplan.cli.dialogs.lookup import category_ids
    from finplan.model.export import ExportQuery

    session = Session.of(context)
    since, until = days_of(session, period, since, until)
    least, most = (None, None) if amount is None else sizes(amount, session.currency)
    filters: dict[str, Any] = {
        "text": text,
        "min_amount": least,
        "max_amount": most,
        "since": since,
        "until": until,
        "category": category_ids(session, category or ()),
        "merchant": tuple(merchant or ()),
        "account": tuple(account_id(session, each) for each in account or ()),
    }
    given = {name: value for name, value in filters.items() if value not in (None, ())}
    ask = ExportQuery(format=wanted, **given)
    if file == STDOUT:
        _print(session, ask)
    else:
        _save(session, ask, file)


def _format(file: Path, asked: Format | None, *, as_json: bool) -> Format:
    if as_json and asked not in (None, "json"):
        raise typer.BadParameter(
            f"--json is the format json, so it cannot be {asked} as well.", param_hint="--format"
        )
    named = None if file == STDOUT else _ENDINGS.get(file.suffix.lower())
    if asked is not None or as_json or file == STDOUT:
        wanted = asked or "json"
        if named not in (None, wanted):
            raise typer.BadParameter(
                f"{file.name} is named like a file of {named}, not of {wanted}; give it another name"
                " or leave the format to the name.",
                param_hint="--json" if asked is None else "--format",
            )
        return wanted
    if named is None:
        raise typer.BadParameter(
            f"the file's name {file.name!r} ends like no format there is. End it like money.csv, or say"
            " --format csv.",
            param_hint="--format",
        )
    return named


def _print(session: Session, ask: "ExportQuery") -> None:
    from finplan.operations.transaction import EXPORT_TRANSACTIONS

    client = session.client
    with writing():
        client.download(EXPORT_TRANSACTIONS, ask, sys.stdout.buffer.write)


def _save(session: Session, ask: "ExportQuery", file: Path) -> None:
    from finplan.operations.transaction import EXPORT_TRANSACTIONS

    client = session.client
    with whole_file(file) as part:
        with session.busy("Exporting"):
            client.download(EXPORT_TRANSACTIONS, ask, part.write)
        size = part.tell()
    session.say(f"Wrote {file} ({size:,} bytes).")
    if ask.leaves_out is not None:
        session.say(ask.leaves_out)
