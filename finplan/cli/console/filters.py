"""The options that narrow what is listed, the same at every command that has them."""

from datetime import date
from typing import Annotated

import typer

from finplan.cli.console.dates import DAY_HELP, first_day, last_day

Since = Annotated[
    date | None,
    typer.Option("--from", parser=first_day, metavar="DAY", help=f"First day: {DAY_HELP}."),
]
Until = Annotated[
    date | None,
    typer.Option("--to", parser=last_day, metavar="DAY", help="Last day, written alike."),
]
Categories = Annotated[
    list[str] | None,
    typer.Option(metavar="CATEGORY", help="Only this category; may be given again."),
]
Merchants = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Only this merchant; may be given again."),
]
AccountOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ACCOUNT", help="Only this account; may be given again."),
]
