"""`finplan me`: who you are, your password, and the way out: deleting everything of yours."""

from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.user import User

app = CommandApp(invoke_without_command=True)

WORD = "delete"
"""What has to be typed, in full, before everything goes."""


@app.callback(
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
        _show(Session.of(context))


@app.command("set")
def change(
    context: typer.Context,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What you are called.")] = None,
    email: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Your address.")] = None,
) -> None:
    """Change your name or email address."""
    from finplan.model.user import UserChange
    from finplan.operations.person import CHANGE_ME

    given = {"name": name, "email": email}
    changes = {field: value for field, value in given.items() if value is not None}
    if not changes:
        raise typer.BadParameter("Say what to set, for example --name Ada.", ctx=context)
    session = Session.of(context)
    user = session.answer(CHANGE_ME, UserChange.model_validate(changes))
    if user is not None:
        _print(session, user)


@app.command(epilog=examples("finplan me password", "pass show finplan | finplan me password"))
def password(context: typer.Context) -> None:
    """Set the password that you sign in with in a browser.

    It is asked for twice and not shown; from a pipe, the first line is taken. All browsers that are
    signed in as you are signed out.
    """
    from finplan.cli.console.secret_input import read_new_secret
    from finplan.model.access.session import PasswordChange
    from finplan.operations.credential import SET_PASSWORD

    session = Session.of(context)
    typed = read_new_secret("New password:", "Once more:")
    done = session.answer(SET_PASSWORD, PasswordChange(password=typed))
    if done is not None:
        from finplan.cli.showing.settings import told_of_password

        session.say(told_of_password(done))


@app.command()
def delete(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete yourself with everything of yours, for good.

    Banks, accounts, transactions, plans, rules, answers, API keys, invites and your password go,
    and the copies of the store that were made before updates. What was set up on this machine
    stays: `finplan config`.
    """
    from finplan.cli.showing.settings import draw_deleted
    from finplan.model.base import Nothing
    from finplan.operations.person import DELETE_ME

    session = Session.of(context)
    if not yes and not session.interactive:
        raise typer.BadParameter(
            "Nobody can be asked here. Add --yes to delete all the same.", ctx=context
        )
    if not yes and not _is_meant(session):
        session.say("Nothing was deleted.")
        return
    deleted = session.answer(DELETE_ME, Nothing(), doing="Deleting")
    if deleted is not None:
        session.print(draw_deleted(deleted, session.width))


def _is_meant(session: Session) -> bool:
    """Whether the person types the word, after reading what goes."""
    from finplan.cli.console.errors import print_remark
    from finplan.cli.showing.settings import what_goes
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNTS
    from finplan.operations.bank import LIST_CONNECTIONS
    from finplan.operations.credential import LIST_KEYS
    from finplan.operations.person import SHOW_ME

    user = session.call(SHOW_ME, Nothing())
    banks = session.call(LIST_CONNECTIONS, Nothing())
    accounts = session.call(LIST_ACCOUNTS, Nothing())
    keys = [key for key in session.call(LIST_KEYS, Nothing()) if key.revoked_at is None]
    print_remark(what_goes(user, banks, len(accounts), len(keys)))
    return session.ask(f"Type {WORD} to go on:").casefold() == WORD


def _show(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.person import SHOW_ME

    user = session.answer(SHOW_ME, Nothing())
    if user is not None:
        _print(session, user)


def _print(session: Session, user: "User") -> None:
    from finplan.cli.showing.settings import draw_me

    session.print(draw_me(user))
