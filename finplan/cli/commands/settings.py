"""`finplan settings`: what the plan takes from the person rather than from the data."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.user import BudgetShares, HouseholdSettings

app = CommandApp(invoke_without_command=True)
_SHARES = re.compile(r"^(\d{1,3})[/,:](\d{1,3})[/,:](\d{1,3})$")
_CLEARS = "none"


@app.callback(
    epilog=examples(
        "finplan settings",
        "finplan settings set --budget 60/20/20 --fund-months 4",
        "finplan settings set --budget none      Back to finplan's own guide",
    )
)
def settings(context: typer.Context) -> None:
    """Currency, time zone, budget shares, fund target."""
    if context.invoked_subcommand is None:
        _show(Session.of(context))


@app.command()
def show(context: typer.Context) -> None:
    """The household's settings; the same as `finplan settings`."""
    _show(Session.of(context))


@app.command("set")
def set_settings(
    context: typer.Context,
    currency: Annotated[
        str | None, typer.Option(metavar="CODE", help="The household's currency, like EUR.")
    ] = None,
    time_zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Where you live, like Europe/Berlin.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="E/D/S", help="Percent for essentials, discretionary, savings; or `none`."
        ),
    ] = None,
    fund_months: Annotated[
        str | None,
        typer.Option(metavar="N", help="Months the emergency fund covers; `none` lets it decide."),
    ] = None,
) -> None:
    """Change settings; what you do not name stays."""
    from finplan.model.user import SettingsChange
    from finplan.operations.person import CHANGE_SETTINGS

    session = Session.of(context)
    given: dict[str, Any] = {}
    if currency is not None:
        given["currency"] = currency.upper()
    if time_zone is not None:
        given["time_zone"] = time_zone
    if budget is not None:
        given["budget_shares"] = _shares(budget)
    if fund_months is not None:
        given["target_months"] = _months(fund_months)
    if not given:
        raise typer.BadParameter("Say what to set, for example --currency EUR.", ctx=context)
    _draw(session, session.answer(CHANGE_SETTINGS, SettingsChange(**given)))


def _show(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.person import SHOW_SETTINGS

    _draw(session, session.answer(SHOW_SETTINGS, Nothing()))


def _draw(session: Session, found: "HouseholdSettings | None") -> None:
    if found is not None:
        from finplan.cli.showing.settings import draw_household

        session.print(draw_household(found))


def _shares(typed: str) -> "BudgetShares | None":
    from finplan.model.user import BudgetShares

    if typed == _CLEARS:
        return None
    parts = _SHARES.match(typed.replace(" ", ""))
    percents = [int(part) for part in parts.groups()] if parts else []
    if sum(percents) != 100:
        raise typer.BadParameter(
            f"{typed!r} is not three percentages that add up to 100, like 50/30/20.",
            param_hint="--budget",
        )
    essentials, discretionary, savings = (percent / 100 for percent in percents)
    return BudgetShares(essentials=essentials, discretionary=discretionary, savings=savings)


def _months(typed: str) -> int | None:
    if typed == _CLEARS:
        return None
    if not typed.isdecimal():
        raise typer.BadParameter(
            f"{typed!r} is not a number of months.", param_hint="--fund-months"
        )
    return int(typed)
