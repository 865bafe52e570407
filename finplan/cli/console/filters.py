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
PeriodWords = Annotated[
    str | None,
    typer.Option(
        "--period",
        metavar="WORDS",
        help="Days in words: 'last month', 2026-Q3, ytd, 'this pay period'.",
    ),
]
Categories = Annotated[
    list[str] | None,
    typer.Option(metavar="CATEGORY", help="Only this category; may be given again."),
]
Merchants = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Only this merchant; may be given again."),
]
AmountSize = Annotated[
    str | None,
    typer.Option(
        "--amount",
        metavar="SIZE",
        help="Only amounts of a size, in or out: 42.50, 40..60, 40.. or ..60.",
    ),
]
AccountOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ACCOUNT", help="Only this account; may be given again."),
]
