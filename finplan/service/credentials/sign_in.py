"""Coming in: with an address and a password, and for the first time by an invite.

Whoever may not come in is told the same, and waits as long, whether the address is known or not.
"""

import re
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection

from finplan.model.credential import LONGEST_PASSWORD
from finplan.model.errors import BadRequest, Conflict, Unauthorized
from finplan.model.user import UserChange, is_time_zone
from finplan.service.context import Caller
from finplan.service.credentials import audit
from finplan.service.credentials.invites import OVER, take_invite
from finplan.service.credentials.passwords import must_be_good
from finplan.service.credentials.sessions import EVERYTHING, Browser, begin_session
from finplan.service.credentials.tokens import digest
from finplan.service.password_hashes import Passwords
from finplan.service.people import email_key, new_person
from finplan.store.queries import credentials, people
from finplan.store.store import Store

WRONG = "The address or the password is wrong."

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
    kept = None if person is None else person["password"]
    found = await passwords.verify(kept, password[:LONGEST_PASSWORD])
    if person is None or not found.fits:
        whose = None if person is None else person["no"]
        await store.write(lambda c: _note_failure(c, whose, email, browser, now))
        raise Unauthorized(WRONG)
    owner = int(person["no"])

    def begin(connection: Connection) -> str:
        # Whoever changed the password meanwhile has ended what was begun with the former one.
        if people.get_person(connection, owner)["password"] != kept:
            raise Unauthorized(WRONG)
        if found.rehashed is not None:
            people.change_person(connection, owner, {"password": found.rehashed})
        return begin_session(connection, owner, browser, "with the password", now)

    return await store.write(begin)


def look_at_invite(connection: Connection, token: str, now: int) -> InviteShown:
    """What an invite's page tells. Raises Unauthorized when it lets nobody in."""
    row = credentials.invite_of_hash(connection, digest(token), now)
    if row is None:
        raise Unauthorized(OVER)
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
    kept = await passwords.hash(joining.password)

    def make(connection: Connection) -> str:
        inviter = take_invite(connection, joining.invite, joining.email, now)
        if people.person_of_email(connection, email_key(joining.email)) is not None:
            raise Conflict(f"{joining.email} has an account here already. Sign in with it.")
        values = new_person(joining.email, joining.name, joining.time_zone, now)
        owner = people.add_person(connection, {**values, "password": kept})
        caller = Caller(owner, EVERYTHING, "session", "", browser.address)
        audit.note(connection, caller, "person.joined", "Joined, with a password.", now)
        if inviter is not None:
            by = Caller(inviter, EVERYTHING, "session", "", browser.address)
            said = f"{joining.email} joined by an invite."
            audit.note(connection, by, "person.joined", said, now)
        return begin_session(connection, owner, browser, "on joining", now)

    return await store.write(make)


def _must_be_whole(joining: Joining) -> None:
    """Raise BadRequest for what no person here can be called, or come in with."""
    must_be_good(joining.password)
    try:
        UserChange(email=joining.email, name=joining.name)
    except ValidationError as unfit:
        what = "e-mail address" if unfit.errors()[0]["loc"] == ("email",) else "name"
        raise BadRequest(f"This {what} cannot be one. Write another one.") from None
    if not is_time_zone(joining.time_zone):
        raise BadRequest(f"{joining.time_zone!r} is no time zone. Write one such as Europe/Berlin.")


def _note_failure(
    connection: Connection, whose: int | None, email: str, browser: Browser, now: int
) -> None:
    """Record a failure for whom it was about; for an unknown address, for the owner of the machine."""
    about, said = whose, "Somebody gave a wrong password."
    if about is None:
        first = people.only_person(connection)
        if first is None:
            return
        about = int(first["no"])
        said = f"Somebody tried to sign in with {_told(connection, about, email)}."
    caller = Caller(about, EVERYTHING, "session", "", browser.address)
    audit.note(connection, caller, "sign_in.failed", said, now)


def _told(connection: Connection, owner: int, email: str) -> str:
    """An address that was tried in vain, in words; what looks like none may be a password."""
    try:
        UserChange(email=email)
    except ValidationError:
        return "what is no address"
    if not _MAY_LEAD_SOMEWHERE.search(email):
        return "what is no address"
    left = credentials.has_audit_event(connection, owner, "person.left", audit.who_left(email))
    return f"{email}, whose account was deleted" if left else f"{email}, which has no account here"
