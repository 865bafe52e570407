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
from finplan.cli.dialogs.lookup import build_request

settings_app = CommandApp(invoke_without_command=True)
_TAKES_BACK = "none"


@settings_app.callback(
    epilog=examples(
        "finplan settings",
        "finplan settings set --budget 60/20/20 --fund-months 4",
        "finplan settings set --budget none      Use finplan's default",
    )
)
def settings(context: typer.Context) -> None:
    """Currency, time zone, budget targets, emergency fund target."""
    if context.invoked_subcommand is None:
        show(context)


@settings_app.command()
def show(context: typer.Context) -> None:
    """Show your settings; same as `finplan settings`."""
    Session.of(context).tell(
        operations.person.SHOW_SETTINGS, lambda: views.settings.household, money=False
    )


@settings_app.command("set")
def set_settings(
    context: typer.Context,
    currency: Annotated[str | None, option("CODE", "Your currency, like EUR.")] = None,
    time_zone: Annotated[str | None, option("ZONE", "Your time zone, like Europe/Berlin.")] = None,
    budget: Annotated[
        str | None,
        option(
            "E/D/S", "Percentages for essentials/discretionary/savings; `none` for the default."
        ),
    ] = None,
    fund_months: Annotated[
        str | None,
        option("N", "Months that the emergency fund should cover; `none` lets finplan decide."),
    ] = None,
) -> None:
    """Change settings; the other settings stay the same."""
    session = Session.of(context)
    changes: dict[str, Any] = {}
    if currency is not None:
        changes["currency"] = currency.upper()
    if time_zone is not None:
        changes["time_zone"] = time_zone
    if budget is not None:
        changes["budget_shares"] = _shares(budget)
    if fund_months is not None:
        changes["target_months"] = _months(fund_months)
    if not changes:
        raise typer.BadParameter(
            "Give at least one setting, for example --currency EUR.", ctx=context
        )
    request = model.user.SettingsChange(**changes)
    session.tell(
        operations.person.CHANGE_SETTINGS, lambda: views.settings.household, request, money=False
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
    """Your name, email and password; delete all your data."""
    if context.invoked_subcommand is None:
        Session.of(context).tell(operations.person.SHOW_ME, lambda: views.settings.me, money=False)


@me_app.command("set")
def change(
    context: typer.Context,
    name: Annotated[str | None, option("NAME", "Your name.")] = None,
    email: Annotated[str | None, option("ADDRESS", "Your email address.")] = None,
) -> None:
    """Change your name or email address."""
    if name is None and email is None:
        raise typer.BadParameter(
            "Give at least one field to change, for example --name Ada.", ctx=context
        )
    row = operations.person.CHANGE_ME
    Session.of(context).tell(
        row, lambda: views.settings.me, build_request(row, name=name, email=email), money=False
    )


@me_app.command(epilog=examples("finplan me password", "pass show finplan | finplan me password"))
def password(context: typer.Context) -> None:
    """Set your password for signing in with a browser.

    finplan asks twice and hides what you type. If you pipe the password in, finplan reads the first
    line. All your browsers are then signed out.
    """
    session = Session.of(context)
    typed = read_new_secret("New password:", "Repeat password:")
    request = model.credential.PasswordChange(password=typed)
    session.report(operations.credential.SET_PASSWORD, views.settings.password_set, request)


@me_app.command()
def delete(
    context: typer.Context, yes: Annotated[bool, flag("--yes", "Skip the confirmation.")] = False
) -> None:
    """Delete your user and all your data permanently.

    Deletes banks, accounts, transactions, plans, rules, answers, API keys, invites, your password, and
    the backups made before updates. The configuration of this machine stays; see `finplan config`.
    """
    session = Session.of(context)
    if not yes and not session.interactive:
        raise typer.BadParameter(
            "Cannot ask for confirmation here. Add --yes to delete without asking.", ctx=context
        )
    if not yes and not _is_deletion_meant(session):
        session.say("Nothing was deleted.")
        return
    # Whoever is gone has no settings to be drawn by.
    gone = session.answer(operations.person.DELETE_ME, doing="Deleting")
    if gone is not None:
        session.show(views.settings.describe_deletion(gone))


def _is_deletion_meant(session: Session) -> bool:
    """Whether the person types the word, after reading what goes."""
    user = session.call(operations.person.SHOW_ME)
    banks = session.call(operations.bank.LIST_CONNECTIONS)
    accounts = session.call(operations.account.LIST_ACCOUNTS)
    keys = session.call(operations.credential.LIST_KEYS)
    active = sum(key.revoked_at is None for key in keys)
    print_remark(views.settings.what_goes(user, banks, len(accounts), active))
    return session.ask(f"Type {WORD} to continue:").casefold() == WORD


def read_new_secret(question: str, again: str) -> str:
    """A secret that is new: asked for twice at a terminal, else one line of the input.

    Raises CommandError where the two differ or nothing fit comes; Abort, Interrupted as `Session.ask`.
    """
    if not sys.stdin.isatty():
        return _piped_in()
    typed = _typed_unseen(question)
    if _typed_unseen(again) != typed:
        raise CommandError("The passwords do not match. Nothing was changed.", USAGE)
    return typed


def _typed_unseen(question: str) -> str:
    with warnings.catch_warnings():
        # Where echo cannot be turned off the library would only warn, and show what is typed.
        warnings.simplefilter("error", GetPassWarning)
        try:
            return getpass(f"{question} ", stream=sys.stderr)
        except GetPassWarning:
            text = "This terminal cannot hide what you type. Pipe the password in instead."
            raise CommandError(text, USAGE) from None
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
        text = "No password in the input. The first line must be the password, as UTF-8 text."
        raise CommandError(text, USAGE)
    return secret
