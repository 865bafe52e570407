"""Setting the password that a person signs in with."""

from sqlalchemy import Connection

from finplan.model.credential import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    PasswordChange,
    PasswordSet,
)
from finplan.model.errors import BadRequest, Forbidden
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.store.queries import credentials, people


async def set_password(context: Context, ask: PasswordChange) -> PasswordSet:
    """Set the person's password, and sign every other browser out.

    Raises BadRequest for one that is too short, Forbidden where the one so far is told wrongly, and
    TooManyRequests where that happened too often, here or at signing in.
    """
    owner, caller, now = context.caller.owner, context.caller, context.milliseconds()
    must_be_good(ask.password)
    person = await context.store.read(lambda c: people.get_person(c, owner))
    if _wants_current(context) and person["password"] is not None:
        # Whoever has got hold of a session must not find the password out by it.
        email, client = person["email"], caller.address or "unknown"
        context.tries.enter(email, client)
        found = await context.passwords.verify(person["password"], ask.current or "")
        if not found.fits:
            said = "Somebody who is signed in gave a wrong current password."
            await context.store.write(lambda c: audit.note(c, caller, "sign_in.failed", said, now))
            raise Forbidden("The current password is another one. Nothing was changed.")
        context.tries.succeed(email, client)
    kept = await context.passwords.hash(ask.password)

    def change(connection: Connection) -> PasswordSet:
        people.change_person(connection, owner, {"password": kept})
        ended = credentials.end_sessions(connection, owner, but=_session_no(caller.credential))
        said = "Set a password."
        if ended:
            said += f" {ended} other {'browser was' if ended == 1 else 'browsers were'} signed out."
        audit.note(connection, caller, "password.changed", said, now)
        return PasswordSet(ended_sessions=ended)

    return await context.commit(change)


def must_be_good(password: str) -> None:
    """Raise BadRequest for a new password that is too short, or longer than one can be told again."""
    if len(password) < SHORTEST_PASSWORD:
        raise BadRequest(
            f"This password is too short: use {SHORTEST_PASSWORD} characters or more, such as four"
            " words that have nothing to do with each other."
        )
    if len(password) > LONGEST_PASSWORD:
        raise BadRequest(
            f"This password is too long: {LONGEST_PASSWORD} characters are the most that is read."
        )


def _wants_current(context: Context) -> bool:
    # Who uses the machine's own command line could read the store anyway, and may have forgotten it.
    return _session_no(context.caller.credential) is not None


def _session_no(credential: str) -> int | None:
    kind, _, no = credential.partition(":")
    return int(no) if kind == "session" and no else None
