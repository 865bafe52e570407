"""Coming in with Google: whoever it says is there is known by its own name of them, never by an address.

An address may be given to somebody else; the subject is one person's for ever. Who has an account here
connects it themselves, while they are signed in.
"""

from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict, Fault, Forbidden
from finplan.model.user import UserChange
from finplan.service.context import Caller
from finplan.service.credentials import audit
from finplan.service.credentials.membership import let_join
from finplan.service.credentials.sessions import Browser, begin_session
from finplan.service.people import local_time_zone, new_person, owns_the_machine
from finplan.store.queries import people
from finplan.store.store import Store


@dataclass(frozen=True, slots=True)
class GoogleIdentity:
    """Whom Google says to be there.

    `subject` is its name of them, `email` an address that it has verified.
    """

    subject: str
    email: str
    name: str | None


@dataclass(frozen=True, slots=True)
class WaysIn:
    """What a person can come in with; the owner of the machine has its command line besides."""

    google: bool
    password: bool
    owns_the_machine: bool

    @property
    def may_disconnect(self) -> bool:
        """Whether the person can still come in without Google."""
        return self.password or self.owns_the_machine


async def come_in(
    store: Store,
    identity: GoogleIdentity,
    browser: Browser,
    now: int,
    *,
    invite: str | None,
    open_to_all: bool,
) -> str:
    """Begin a session of whom Google names, who joins where they may; answers the cookie's value.

    Raises BadRequest, Conflict, Forbidden and Unauthorized; then an invite is as good as before.
    """

    def begin(connection: Connection) -> str:
        person = people.person_of_google(connection, identity.subject)
        if person is not None:
            return begin_session(connection, int(person["no"]), browser, "with Google", now)
        if invite is None and not open_to_all:
            raise Forbidden(
                "This Google account is not connected to a finplan account. If you have a finplan"
                " account, sign in with your password and connect Google under Settings, Account."
                " Otherwise, ask the owner of this machine for an invite."
            )
        return _join(connection, identity, browser, now, invite)

    try:
        return await store.write(begin)
    except Fault:
        text = "Somebody tried to sign in with a Google account that is not connected."
        await note_failure(store, text, browser, now)
        raise


def _join(
    connection: Connection, identity: GoogleIdentity, browser: Browser, now: int, invite: str | None
) -> str:
    try:
        UserChange(email=identity.email)
    except ValidationError:
        raise BadRequest(
            "finplan cannot use the e-mail address of this Google account. Use another account."
        ) from None
    taken = (
        f"{identity.email} already has an account here, but it is not connected to this Google"
        " account. Sign in with your password, then connect Google under Settings, Account."
    )
    person = new_person(identity.email, _name(identity), local_time_zone(), now)
    person["google_subject"] = identity.subject
    text = f"{identity.email} accepted an invite and joined with Google."
    return let_join(
        connection, person, invite, browser, now, how="with Google", text=text, taken=taken
    )


def _name(identity: GoogleIdentity) -> str | None:
    try:
        return UserChange(name=identity.name).name
    except ValidationError:
        # Whoever is called something that no name here can be writes another one later.
        return None


async def ways_in(store: Store, owner: int) -> WaysIn:
    """What a person can come in with."""
    return await store.read(lambda connection: _ways_in(connection, owner))


def _ways_in(connection: Connection, owner: int) -> WaysIn:
    person = people.get_person(connection, owner)
    return WaysIn(
        google=person["google_subject"] is not None,
        password=person["password"] is not None,
        owns_the_machine=owns_the_machine(connection, owner),
    )


async def connect(store: Store, caller: Caller, identity: GoogleIdentity, now: int) -> None:
    """Let a person come in with a Google account from now on. Raises Conflict."""

    def change(connection: Connection) -> None:
        holder = people.person_of_google(connection, identity.subject)
        if holder is not None and holder["no"] != caller.owner:
            raise Conflict(
                "Someone else here signs in with this Google account. Use another Google account."
            )
        if holder is None and _ways_in(connection, caller.owner).google:
            raise Conflict(
                "Your account is connected to another Google account. Disconnect that Google"
                " account first."
            )
        people.change_person(connection, caller.owner, {"google_subject": identity.subject})
        audit.note(connection, caller, "google.connected", "Connected a Google account.", now)

    await store.write(change)


async def disconnect(store: Store, caller: Caller, now: int) -> None:
    """Let a person come in with Google no longer. Raises Conflict where nothing else lets them in."""

    def change(connection: Connection) -> None:
        ways = _ways_in(connection, caller.owner)
        if not ways.google:
            raise Conflict("No Google account is connected. Nothing was changed.")
        if not ways.may_disconnect:
            raise Conflict(
                "You have no password, so without Google you could not sign in any more. Set a"
                " password first."
            )
        people.change_person(connection, caller.owner, {"google_subject": None})
        audit.note(connection, caller, "google.disconnected", "Disconnected Google.", now)

    await store.write(change)


async def note_failure(store: Store, text: str, browser: Browser, now: int) -> None:
    """Record for the owner of the machine that somebody could not come in with Google."""
    await store.write(
        lambda c: audit.note_for_the_owner(c, "sign_in.failed", text, browser.address, now)
    )
