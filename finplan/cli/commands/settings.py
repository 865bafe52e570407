"""`finplan settings` and `finplan me`: the household's settings, and who the person is.

A secret is typed unseen, and never on the command line, which others can read.
"""

import sys
import warnings
from getpass import GetPassWarning, getpass
from typing import Annotated, Any

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import USAGE, CommandError, Interrupted, print_remark
from finplan.cli.console.options import CommandApp, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import given

settings_app = CommandApp(invoke_without_command=True)
_TAKES_BACK = "none"


@settings_app.callback(
    epilog=examples(
        "finplan settings",
        "finplan settings set --budget 60/20/20 --fund-months 4",
        "finplan settings set --budget none      Back to finplan's own guide",
    )
)
def settings(context: typer.Context) -> None:
    """Currency, time zone, budget shares, fund target."""
    if context.invoked_subcommand is None:
        show(context)


@settings_app.command()
def show(context: typer.Context) -> None:
    """The household's settings; the same as `finplan settings`."""
    Session.of(context).tell(
        operations.person.SHOW_SETTINGS, lambda: views.settings.household, money=False
    )


@settings_app.command("set")
def set_settings(
    context: typer.Context,
    currency: Annotated[str | None, option("CODE", "The household's currency, like EUR.")] = None,
    time_zone: Annotated[str | None, option("ZONE", "Where you live, like Europe/Berlin.")] = None,
    budget: Annotated[
        str | None, option("E/D/S", "Percent for essentials, discretionary, savings; or `none`.")
    ] = None,
    fund_months: Annotated[
        str | None, option("N", "Months the emergency fund covers; `none` lets it decide.")
    ] = None,
) -> None:
    """Change settings; what you do not name stays."""
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
    asked = model.user.SettingsChange(**given)
    session.tell(
        operations.person.CHANGE_SETTINGS, lambda: views.settings.household, asked, money=False
    )


def _shares(typed: str) -> "model.user.BudgetShares | None":
    try:
        return None if typed == _TAKES_BACK else model.user.BudgetShares.typed(typed)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--budget") from None


def _months(typed: str) -> int | None:
    if typed == _TAKES_BACK:
        return None
    if not typed.isdecimal():
        raise typer.BadParameter(
            f"{typed!r} is not a number of months.", param_hint="--fund-months"
        )
    return int(typed)


me_app = CommandApp(invoke_without_command=True)

WORD = "delete"
"""What has to be typed, in full, before everything goes."""


@me_app.callback(
    epilog=examples(
        "finplan me",
        'finplan me set --name "Ada Lovelace"',
        "finplan me password",
        "finplan export --format json > mine.json && finplan me delete",
    )
)
def me(context: typer.Context) -> None:
    """Who you are; set a password; delete everything of yours."""
    if context.invoked_subcommand is None:
        Session.of(context).tell(operations.person.SHOW_ME, lambda: views.settings.me, money=False)


@me_app.command("set")
def change(
    context: typer.Context,
    name: Annotated[str | None, option("NAME", "What you are called.")] = None,
    email: Annotated[str | None, option("ADDRESS", "Your address.")] = None,
) -> None:
    """Change your name or email address."""
    if name is None and email is None:
        raise typer.BadParameter("Say what to set, for example --name Ada.", ctx=context)
    row = operations.person.CHANGE_ME
    Session.of(context).tell(
        row, lambda: views.settings.me, given(row, name=name, email=email), money=False
    )


@me_app.command(epilog=examples("finplan me password", "pass show finplan | finplan me password"))
def password(context: typer.Context) -> None:
    """Set the password that you sign in with in a browser.

    It is asked for twice and not shown; from a pipe, the first line is taken. All browsers that are
    signed in as you are signed out.
    """
    session = Session.of(context)
    typed = read_new_secret("New password:", "Once more:")
    asked = model.credential.PasswordChange(password=typed)
    session.report(operations.credential.SET_PASSWORD, views.settings.password_set, asked)


@me_app.command()
def delete(
    context: typer.Context, yes: Annotated[bool, flag("--yes", "Do not ask.")] = False
) -> None:
    """Delete yourself with everything of yours, for good.

    Banks, accounts, transactions, plans, rules, answers, API keys, invites and your password go,
    and the copies of the store that were made before updates. What was set up on this machine
    stays: `finplan config`.
    """
    session = Session.of(context)
    if not yes and not session.interactive:
        raise typer.BadParameter(
            "Nobody can be asked here. Add --yes to delete all the same.", ctx=context
        )
    if not yes and not _is_deletion_meant(session):
        session.say("Nothing was deleted.")
        return
    # Whoever is gone has no settings to be drawn by.
    gone = session.answer(operations.person.DELETE_ME, doing="Deleting")
    if gone is not None:
        session.show(views.settings.deleted(gone))


def _is_deletion_meant(session: Session) -> bool:
    """Whether the person types the word, after reading what goes."""
    user = session.call(operations.person.SHOW_ME)
    banks = session.call(operations.bank.LIST_CONNECTIONS)
    accounts = session.call(operations.account.LIST_ACCOUNTS)
    keys = session.call(operations.credential.LIST_KEYS)
    active = sum(key.revoked_at is None for key in keys)
    print_remark(views.settings.what_goes(user, banks, len(accounts), active))
    return session.ask(f"Type {WORD} to go on:").casefold() == WORD


def read_new_secret(question: str, again: str) -> str:
    """A secret that is new: asked for twice at a terminal, else one line of the input.

    Raises CommandError where the two differ or nothing fit comes; Abort, Interrupted as `Session.ask`.
    """
    if not sys.stdin.isatty():
        return _piped_in()
    typed = _typed_unseen(question)
    if _typed_unseen(again) != typed:
        raise CommandError("These were two different passwords. Nothing was changed.", USAGE)
    return typed


def _typed_unseen(question: str) -> str:
    with warnings.catch_warnings():
        # Where echo cannot be turned off the library would only warn, and show what is typed.
        warnings.simplefilter("error", GetPassWarning)
        try:
            return getpass(f"{question} ", stream=sys.stderr)
        except GetPassWarning:
            told = "This terminal would show what is typed. Pipe the password in instead."
            raise CommandError(told, USAGE) from None
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            raise Interrupted from None
        except EOFError:
            sys.stderr.write("\n")
            raise typer.Abort from None


def _piped_in() -> str:
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        line = ""
    secret = line.removesuffix("\n").removesuffix("\r")
    # Bytes that are no text arrive as lone surrogates.
    if not secret or any("\ud800" <= sign <= "\udfff" for sign in secret):
        told = "No password came in: its first line is to be the password, as UTF-8 text."
        raise CommandError(told, USAGE)
    return secret
