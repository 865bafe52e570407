"""Coming in with an address and a password, for the first time by an invite; changing either.

Whoever may not come in is told the same, and waits as long, whether the address is known or not.
Whoever changes what they sign in by is on record.
"""

import re
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection

from finplan.model.credential import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    PasswordChange,
    PasswordSet,
)
from finplan.model.errors import BadRequest, Conflict, Forbidden, Unauthorized
from finplan.model.user import User, UserChange, is_time_zone
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest
from finplan.service.credentials.membership import INVITE_IS_OVER, let_join
from finplan.service.credentials.sessions import Browser, begin_session
from finplan.service.password_hashes import Passwords
from finplan.service.people import email_key, new_person, shown_user
from finplan.store.queries import credentials, people
from finplan.store.store import Store


async def set_password(context: Context, ask: PasswordChange) -> PasswordSet:
    """Set the person's password, and sign every other browser out.

    Raises BadRequest for one that is too short, Forbidden where the one so far is told wrongly, and
    TooManyRequests where that happened too often, here or at signing in.
    """
    owner, caller, now = context.caller.owner, context.caller, context.milliseconds()
    must_be_good_password(ask.password)
    person = await context.store.read(lambda c: people.get_person(c, owner))
    # Who uses the machine's own command line could read the store anyway, and may have forgotten it.
    is_in_browser = _session_no(caller.credential) is not None
    if is_in_browser and person["password"] is not None:
        # Whoever has got hold of a session must not find the password out by it.
        email, client = person["email"], caller.address or "unknown"
        context.tries.enter(email, client)
        check = await context.passwords.verify(person["password"], ask.current or "")
        if not check.fits:
            text = "Someone who was signed in entered a wrong current password."
            await context.store.write(lambda c: audit.note(c, caller, "sign_in.failed", text, now))
            raise Forbidden("The current password is wrong. Nothing was changed.")
        context.tries.succeed(email, client)
    hashed = await context.passwords.hash(ask.password)

    def change(connection: Connection) -> PasswordSet:
        people.change_person(connection, owner, {"password": hashed})
        ended = credentials.end_sessions(connection, owner, but=_session_no(caller.credential))
        text = "Set a password."
        if ended:
            text += f" {ended} other {'browser was' if ended == 1 else 'browsers were'} signed out."
        audit.note(connection, caller, "password.changed", text, now)
        return PasswordSet(ended_sessions=ended)

    return await context.commit(change)


def must_be_good_password(password: str) -> None:
    """Raise BadRequest for a new password that is too short, or longer than one can be told again."""
    if len(password) < SHORTEST_PASSWORD:
        raise BadRequest(
            f"This password is too short. Use at least {SHORTEST_PASSWORD} characters, such as four"
            " unrelated words."
        )
    if len(password) > LONGEST_PASSWORD:
        raise BadRequest(f"This password is too long. Use at most {LONGEST_PASSWORD} characters.")


def _session_no(credential: str) -> int | None:
    kind, _, no = credential.partition(":")
    return int(no) if kind == "session" and no else None


WRONG = "Wrong address or password."

_MAY_LEAD_SOMEWHERE = re.compile(r"@(localhost|[^@]+\.[^@.]+)$")


@dataclass(frozen=True, slots=True)
class Joining:
    """Whom a form of joining describes; `invite` is the secret of the link, where there is one."""

    email: str
    password: str
    name: str | None
    time_zone: str
    invite: str | None


@dataclass(frozen=True, slots=True)
class InviteShown:
    """What the page of an invite tells: who invites, and for which address it is."""

    by: str
    email: str | None


async def sign_in(
    store: Store, passwords: Passwords, email: str, password: str, browser: Browser, now: int
) -> str:
    """Begin a session by address and password; answers the cookie's value. Raises Unauthorized."""
    person = await store.read(lambda c: people.person_of_email(c, email_key(email)))
    hashed = None if person is None else person["password"]
    check = await passwords.verify(hashed, password[:LONGEST_PASSWORD])
    if person is None or not check.fits:
        whose = None if person is None else person["no"]
        await store.write(lambda c: _note_failure(c, whose, email, browser, now))
        raise Unauthorized(WRONG)
    owner = int(person["no"])

    def begin(connection: Connection) -> str:
        # Whoever changed the password meanwhile has ended what was begun with the former one.
        if people.get_person(connection, owner)["password"] != hashed:
            raise Unauthorized(WRONG)
        if check.rehashed is not None:
            people.change_person(connection, owner, {"password": check.rehashed})
        return begin_session(connection, owner, browser, "with the password", now)

    return await store.write(begin)


def look_at_invite(connection: Connection, token: str, now: int) -> InviteShown:
    """What an invite's page tells. Raises Unauthorized when it lets nobody in."""
    row = credentials.invite_of_hash(connection, digest(token), now)
    if row is None:
        raise Unauthorized(INVITE_IS_OVER)
    inviter = people.get_person(connection, row["owner_no"])
    return InviteShown(inviter["name"] or inviter["email"], row["email"])


async def join(
    store: Store, passwords: Passwords, joining: Joining, browser: Browser, now: int
) -> str:
    """Make an account and begin its first session; answers the cookie's value.

    Raises BadRequest, Conflict, Forbidden and Unauthorized; then the invite is as good as before.
    """
    _must_be_whole(joining)
    if joining.invite is not None:
        token = joining.invite
        # Whoever has none is not worth the time that hashing takes.
        await store.read(lambda c: look_at_invite(c, token, now))
    hashed = await passwords.hash(joining.password)

    def make(connection: Connection) -> str:
        person = new_person(joining.email, joining.name, joining.time_zone, now)
        return let_join(
            connection,
            person | {"password": hashed},
            joining.invite,
            browser,
            now,
            how="with a password",
            text=f"{joining.email} accepted an invite and joined.",
            taken=f"{joining.email} already has an account here. Sign in with it.",
        )

    return await store.write(make)


def _must_be_whole(joining: Joining) -> None:
    """Raise BadRequest for what no person here can be called, or come in with."""
    must_be_good_password(joining.password)
    try:
        UserChange(email=joining.email, name=joining.name)
    except ValidationError as unfit:
        what = "e-mail address" if unfit.errors()[0]["loc"] == ("email",) else "name"
        raise BadRequest(f"This is not a valid {what}. Enter another one.") from None
    if not is_time_zone(joining.time_zone):
        raise BadRequest(
            f"{joining.time_zone!r} is not a time zone. Write one such as Europe/Berlin."
        )


def _note_failure(
    connection: Connection, whose: int | None, email: str, browser: Browser, now: int
) -> None:
    """Record a failure for whom it was about; for an unknown address, for the owner of the machine."""
    about, text = whose, "Someone entered a wrong password."
    if about is None:
        first = people.only_person(connection)
        if first is None:
            return
        about = int(first["no"])
        text = f"Someone tried to sign in with {_describe_address(connection, about, email)}."
    audit.note_for(connection, about, "sign_in.failed", text, browser.address, now)


def _describe_address(connection: Connection, owner: int, email: str) -> str:
    """An address that was tried in vain, in words; what looks like none may be a password."""
    try:
        UserChange(email=email)
    except ValidationError:
        return "something that is not an address"
    if not _MAY_LEAD_SOMEWHERE.search(email):
        return "something that is not an address"
    has_left = credentials.has_audit_event(
        connection, owner, "person.left", audit.describe_departure(email)
    )
    return f"{email}, a deleted account" if has_left else f"{email}, an unknown address"


async def change_me(context: Context, ask: UserChange) -> User:
    """Change the caller's name or email; what is absent stays.

    Raises BadRequest, Forbidden and Conflict for an address.
    """
    owner, now = context.caller.owner, context.milliseconds()

    def change(connection: Connection) -> User:
        values = ask.model_dump(exclude_unset=True, by_alias=False)
        if values.get("email", "") is None:
            raise BadRequest("An account needs an e-mail address. Enter another address instead.")
        if "email" in values and context.caller.kind != "session":
            raise Forbidden(
                "Programs cannot change the e-mail address, because you sign in with it. Change it with"
                " `finplan me set --email` or under Settings, Account."
            )
        former = people.get_person(connection, owner)["email"]
        if "email" in values:
            values["email_key"] = _free_email_key(connection, owner, values["email"])
        people.change_person(connection, owner, values)
        if values.get("email", former) != former:
            # Who comes in from now on does so by the new one; the former tells who it was.
            text = f"Changed the e-mail address from {former} to {values['email']}."
            audit.note(connection, context.caller, "email.changed", text, now)
        people.raise_generation(connection, owner, rows=False)
        return shown_user(people.get_person(connection, owner))

    return await context.commit(change)


def _free_email_key(connection: Connection, owner: int, email: str) -> str:
    key = email_key(email)
    holder = people.person_of_email(connection, key)
    if holder is not None and holder["no"] != owner:
        raise Conflict(f"Another account here uses {email}. Enter another address.")
    return key
