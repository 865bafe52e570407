"""What lets people in: passwords, links, invites and sessions, each for as long as it is meant to."""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model import credential as credentials
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, Fault, Forbidden, NotFound, Unauthorized
from finplan.model.user import UserChange
from finplan.service.authorization import clients
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit, keys, membership, sessions, sign_in
from finplan.service.credentials.membership import delete_me
from finplan.service.credentials.sessions import EVERYTHING, Browser, SessionFound
from finplan.service.credentials.sign_in import Joining, change_me
from finplan.service.password_hashes import RECOMMENDED, Cost, Passwords, Verified
from finplan.service.people import email_key
from finplan.store.queries import credentials as events, people
from tests.present import present
from tests.service.conftest import NOW

MS = int(NOW.timestamp() * 1000)
SECOND = 1000
DAY = 86_400 * SECOND
HERE = Browser("203.0.113.7", "Firefox/147")
PASSWORD = "lantern maple orbit thimble"
OTHER = "another four words here"
WRONG = "a wrong one of my own"


@dataclass(slots=True)
class CountedPasswords(Passwords):
    """Passwords that are compared at once, and how often."""

    compared: list[str | None] = field(default_factory=list)

    async def hash(self, password: str) -> str:
        return f"kept {password}"

    async def verify(self, kept: str | None, password: str) -> Verified:
        self.compared.append(kept)
        return Verified(kept == f"kept {password}")


@pytest.fixture
def counted() -> CountedPasswords:
    return CountedPasswords()


@pytest.fixture
def ada(newcomer: Context, counted: CountedPasswords) -> Context:
    """The owner of the machine at its own command line."""
    return replace(newcomer, site_url="http://127.0.0.1:8460", passwords=counted)


def at(context: Context, milliseconds: int) -> Context:
    """The same later."""
    return replace(context, now=lambda: NOW + timedelta(milliseconds=milliseconds))


async def signed_in(context: Context, how: str = "by a link", after: int = 0) -> str:
    """A new session of a person; answers its cookie."""
    owner, now = context.caller.owner, MS + after
    return await context.store.write(lambda c: sessions.begin_session(c, owner, HERE, how, now))


async def found(context: Context, token: str, after: int = 0) -> SessionFound | None:
    now = MS + after
    return await sessions.find_session(context.store, token, HERE.address, now)


async def by_browser(context: Context, token: str) -> Context:
    """The context of a browser's session."""
    return replace(context, caller=present(await found(context, token)).caller)


async def come_in(context: Context, email: str, password: str = PASSWORD, after: int = 0) -> str:
    return await sign_in.sign_in(
        context.store, context.passwords, email, password, HERE, MS + after
    )


async def invited(context: Context, email: str | None = None, days: int = 7) -> str:
    """The secret of a new invite."""
    made = await membership.create_invite(context, credentials.NewInvite(email=email, days=days))
    return made.answer.url.partition("invite=")[2]


async def join(
    context: Context, invite: str | None, email: str = "grace@example.org", **more: Any
) -> str:
    after = more.pop("after", 0)
    told = {"password": PASSWORD, "name": "Grace", "time_zone": "Europe/Berlin"} | more
    joining = Joining(email=email, invite=invite, **told)
    return await sign_in.join(context.store, context.passwords, joining, HERE, MS + after)


async def counts(context: Context) -> dict[str, int]:
    """How many rows there are of each kind that lets people in."""

    def count(connection: Connection) -> dict[str, int]:
        tables = ("person", "browser_session", "sign_in_link", "invite")
        query = "SELECT count(*) FROM {}"
        return {
            each: int(connection.exec_driver_sql(query.format(each)).scalar_one())
            for each in tables
        }

    return await context.store.read(count)


Told = tuple[str, str, str | None, str | None]


async def told(context: Context) -> Sequence[Told]:
    """What the record tells, the oldest first."""
    listed = await audit.list_audit(context, credentials.AuditQuery())
    return [(each.kind, each.text, each.credential, each.address) for each in listed][::-1]


def assert_told(record: Sequence[Told], expected: Sequence[Told]) -> None:
    """Each entry is of the kind, the credential and the address, and names what is expected of it."""
    assert [(kind, *who) for kind, _, *who in record] == [
        (kind, *who) for kind, _, *who in expected
    ]
    for (_, text, *_), (_, piece, *_) in zip(record, expected, strict=True):
        assert piece in text


# --- passwords -------------------------------------------------------------------------------------


WITHOUT_PASSWORD = "UPDATE person SET password = NULL WHERE email = 'grace@example.org'"


async def test_who_cannot_come_in_hears_one_thing(ada: Context, counted: CountedPasswords) -> None:
    """A wrong password, an unknown address and one without a password: one answer, one comparison."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))
    await join(ada, await invited(ada))
    await ada.store.write(lambda c: c.exec_driver_sql(WITHOUT_PASSWORD))
    answers = []
    for email, password in (
        ("ada@localhost", OTHER),
        ("nobody@localhost", PASSWORD),
        ("grace@example.org", PASSWORD),
        ("", ""),
    ):
        counted.compared.clear()
        with pytest.raises(Fault) as refused:
            await come_in(ada, email, password)
        answers.append((type(refused.value), refused.value.message, len(counted.compared)))

    assert answers == [(Unauthorized, sign_in.WRONG, 1)] * 4


async def test_a_right_password_signs_in_however_the_address_is_written(ada: Context) -> None:
    """Case and blanks around an address make no other person of it."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))

    for email in ("ada@localhost", "ADA@Localhost", " ada@LOCALHOST\t"):
        session = present(await found(ada, await come_in(ada, email)))
        assert session.caller.owner == ada.caller.owner
        assert session.caller.scopes == {"read", "write", "session"}


async def test_a_password_that_changes_meanwhile_signs_nobody_in(ada: Context) -> None:
    """Who changed the password has ended whatever was begun with the former one."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))

    class Slow(CountedPasswords):
        async def verify(self, kept: str | None, password: str) -> Verified:
            fits = await CountedPasswords.verify(self, kept, password)
            await sign_in.set_password(ada, credentials.PasswordChange(password=OTHER))
            return fits

    with pytest.raises(Unauthorized):
        await come_in(replace(ada, passwords=Slow()), "ada@localhost")
    assert (await counts(ada))["browser_session"] == 0


async def test_a_hash_of_former_parameters_is_made_anew(ada: Context) -> None:
    """What was verified is kept as a new hash would be."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))

    class Newer(CountedPasswords):
        async def verify(self, kept: str | None, password: str) -> Verified:
            return replace(await CountedPasswords.verify(self, kept, password), rehashed="new")

    await come_in(replace(ada, passwords=Newer()), "ada@localhost")

    kept = await ada.store.read(lambda c: people.get_person(c, ada.caller.owner)["password"])
    assert kept == "new"


@pytest.mark.thorough
async def test_a_password_is_hashed_as_is_recommended() -> None:
    """By Argon2id, 64 MiB in 3 passes on 4 lanes, each time with another salt; it fits itself alone."""
    real = Passwords()
    kept, again = await real.hash(PASSWORD), await real.hash(PASSWORD)

    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert kept != again
    assert await real.verify(kept, PASSWORD) == Verified(fits=True)
    assert await real.verify(kept, OTHER) == Verified(fits=False)
    assert await real.verify("no hash", PASSWORD) == Verified(fits=False)


async def test_one_password_is_one_however_a_keyboard_writes_it() -> None:
    """An é of one character or of two is the same."""
    real = Passwords()
    kept = await real.hash("caf\u00e9 au lait")

    assert (await real.verify(kept, "cafe\u0301 au lait")).fits


async def test_a_former_hash_is_told_to_be_made_anew() -> None:
    """A hash by weaker parameters fits, and a new one by those of now comes with it."""
    from argon2 import PasswordHasher

    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    verified = await Passwords().verify(weak, PASSWORD)

    assert verified.fits
    assert present(verified.rehashed).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


@pytest.mark.thorough
@pytest.mark.parametrize("cost", [RECOMMENDED, Cost(memory=8, passes=1, lanes=1)])
async def test_nobodys_password_takes_as_long_and_fits_nothing(
    monkeypatch: pytest.MonkeyPatch, cost: Cost
) -> None:
    """Without anything kept there is one whole comparison, by the same parameters as any other."""
    from argon2 import PasswordHasher, extract_parameters
    from argon2.exceptions import VerifyMismatchError

    ended: list[BaseException | None] = []
    compared: list[str] = []
    verify = PasswordHasher.verify

    def watched(self: PasswordHasher, kept: str, password: str) -> bool:
        compared.append(kept)
        try:
            return verify(self, kept, password)
        except BaseException as error:
            ended.append(error)
            raise

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    assert await Passwords(cost).verify(None, PASSWORD) == Verified(fits=False)

    assert [type(each) for each in ended] == [VerifyMismatchError]
    kept = await Passwords(cost).hash(PASSWORD)
    assert list(map(extract_parameters, compared)) == [extract_parameters(kept)]


async def test_passwords_are_compared_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many come at once, one takes the machine's memory."""
    at_once: list[int] = [0, 0]

    async def compare(work: Callable[..., Any], *_given: Any) -> Any:
        at_once[0] += 1
        at_once[1] = max(at_once)
        await asyncio.sleep(0)
        at_once[0] -= 1
        return "kept" if work.__name__ == "_hash" else Verified(fits=True)

    monkeypatch.setattr(asyncio, "to_thread", compare)
    real = Passwords()
    await asyncio.gather(*(real.hash("x") for _ in range(5)), real.verify(None, "x"))

    assert at_once == [0, 1]


@pytest.mark.parametrize(("length", "good"), [(11, False), (12, True), (256, True), (257, False)])
async def test_a_password_has_twelve_characters(ada: Context, length: int, good: bool) -> None:
    """So says who sets it and who joins; one that is longer than is read is refused, not cut."""
    password = "\u00e9" * length
    invite = await invited(ada)
    change = credentials.PasswordChange.model_construct(password=password, current=None)
    if good:
        await sign_in.set_password(ada, change)
        await join(ada, invite, password=password)
        await come_in(ada, "grace@example.org", password)
        return
    for refused in (sign_in.set_password(ada, change), join(ada, invite, password=password)):
        with pytest.raises(BadRequest, match="too"):
            await refused
    assert (await counts(ada))["person"] == 1


async def test_a_new_password_ends_the_other_sessions(ada: Context) -> None:
    """In a browser all others end; at the machine's own command line every browser's does."""
    mine, others = await signed_in(ada), [await signed_in(ada) for _ in range(2)]
    browser = await by_browser(ada, mine)

    first = await sign_in.set_password(browser, credentials.PasswordChange(password=PASSWORD))

    assert first.ended_sessions == 2
    assert await found(ada, mine) is not None
    assert [await found(ada, each) for each in others] == [None, None]
    assert (
        await sign_in.set_password(ada, credentials.PasswordChange(password=OTHER))
    ).ended_sessions == 1
    assert await found(ada, mine) is None


async def test_another_persons_sessions_go_on(ada: Context) -> None:
    """A password is its person's alone."""
    hers = await join(ada, await invited(ada))

    assert (
        await sign_in.set_password(ada, credentials.PasswordChange(password=OTHER))
    ).ended_sessions == 0
    assert await found(ada, hers) is not None


async def test_a_browser_is_asked_for_the_current_password(ada: Context) -> None:
    """Where there is one; without it nothing changes, and the try is on record."""
    browser = await by_browser(ada, await signed_in(ada))
    await sign_in.set_password(browser, credentials.PasswordChange(password=PASSWORD))

    for wrong in (None, OTHER):
        with pytest.raises(Forbidden):
            await sign_in.set_password(
                browser, credentials.PasswordChange(password=OTHER, current=wrong)
            )
    await come_in(ada, "ada@localhost", PASSWORD)
    tries = [each for each in await told(ada) if each[0] == "sign_in.failed"]
    assert len(tries) == 2
    assert {each[3] for each in tries} == {HERE.address}

    await sign_in.set_password(
        browser, credentials.PasswordChange(password=OTHER, current=PASSWORD)
    )
    await come_in(ada, "ada@localhost", OTHER)


async def test_the_machines_own_command_line_needs_no_current_password(ada: Context) -> None:
    """Who forgot it sets another one there."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))
    await sign_in.set_password(ada, credentials.PasswordChange(password=OTHER))

    await come_in(ada, "ada@localhost", OTHER)


# --- sessions --------------------------------------------------------------------------------------


async def test_an_idle_session_ends_after_a_week(ada: Context) -> None:
    """The millisecond before it holds; a use before lets it go on from then."""
    token = await signed_in(ada)
    assert await found(ada, token, 7 * DAY - 1) is not None
    assert await found(ada, token, 7 * DAY) is None

    await use(ada, token, 6 * DAY)

    assert await found(ada, token, 13 * DAY - 1) is not None
    assert await found(ada, token, 13 * DAY) is None


async def test_a_session_ends_after_a_month_in_any_case(ada: Context) -> None:
    """However often it is used."""
    token = await signed_in(ada)
    for day in range(5, 30, 5):
        await use(ada, token, day * DAY)

    assert await found(ada, token, 30 * DAY - 1) is not None
    assert await found(ada, token, 30 * DAY) is None


async def use(context: Context, token: str, after: int) -> None:
    """Use a session, noting it as the daemon does."""
    session = present(await found(context, token, after))
    if session.stale:
        no = session.no
        await context.store.write(lambda c: sessions.note_use(c, no, MS + after))


async def test_a_use_is_to_be_noted_once_a_minute(ada: Context) -> None:
    """Within the minute after the last noted use there is nothing to note."""
    token = await signed_in(ada)
    stale = {}
    for after in (0, 59_999, 60_000):
        stale[after] = present(await found(ada, token, after)).stale

    assert stale == {0: False, 59_999: False, 60_000: True}


async def test_a_late_note_revives_nothing(ada: Context) -> None:
    """The use of a session that has ended meanwhile is not noted, nor an earlier one over a later."""
    token = await signed_in(ada)
    session = present(await found(ada, token))
    await use(ada, token, 2 * DAY)
    await ada.store.write(lambda c: sessions.note_use(c, session.no, MS + DAY))
    (listed,) = await sessions.list_sessions(ada, Nothing())
    assert listed.last_used_at == MS + 2 * DAY

    await sessions.end_session(ada, credentials.SessionId(id=listed.id))
    await ada.store.write(lambda c: sessions.note_use(c, session.no, MS + 3 * DAY))

    assert await found(ada, token) is None


async def test_sessions_are_listed_and_ended(ada: Context) -> None:
    """The one used last first, with the one that asks; an ended one is refused at once, and gone."""
    mine = await signed_in(ada, after=SECOND)
    other = await signed_in(ada)
    browser = await by_browser(ada, mine)

    listed = await sessions.list_sessions(browser, Nothing())
    assert [each.current for each in listed] == [True, False]
    assert [each.current for each in await sessions.list_sessions(ada, Nothing())] == [False] * 2
    assert (listed[0].address, listed[0].user_agent) == ("203.0.113.7", "Firefox/147")

    ended = await sessions.end_session(browser, credentials.SessionId(id=listed[1].id))
    assert (ended.id, await found(ada, other)) == (listed[1].id, None)
    assert await found(ada, mine) is not None
    with pytest.raises(NotFound):
        await sessions.end_session(browser, credentials.SessionId(id=listed[1].id))


async def test_what_is_over_is_neither_listed_nor_kept(ada: Context) -> None:
    """An ended session is not shown, cannot be ended again, and is forgotten at the next sign-in."""
    await signed_in(ada)
    await sessions.create_sign_in_link(ada, Nothing())
    (listed,) = await sessions.list_sessions(ada, Nothing())
    later = at(ada, 7 * DAY)

    assert await sessions.list_sessions(later, Nothing()) == ()
    with pytest.raises(NotFound):
        await sessions.end_session(later, credentials.SessionId(id=listed.id))
    await signed_in(ada, after=7 * DAY)

    kept = await counts(ada)
    assert (kept["browser_session"], kept["sign_in_link"]) == (1, 0)


async def test_no_more_of_a_browsers_name_is_kept_than_is_needed(ada: Context) -> None:
    """Whatever it calls itself, and if nothing at all."""
    owner = ada.caller.owner
    for agent in ("x" * 5000, None):
        browser = Browser("::1", agent)
        await ada.store.write(
            lambda c, b=browser: sessions.begin_session(c, owner, b, "", MS)  # type: ignore[misc]  # It is bound now.
        )

    names = [each.user_agent for each in await sessions.list_sessions(ada, Nothing())]
    assert names == [None, "x" * 300]


# --- links -----------------------------------------------------------------------------------------


async def link_of(context: Context) -> str:
    made = await sessions.create_sign_in_link(context, Nothing())
    assert made.answer.url.startswith("http://127.0.0.1:8460/open?link=fpl_")
    assert made.answer.expires_at == MS + 60_000
    return made.answer.url.partition("link=")[2]


async def use_link(context: Context, token: str, after: int = 0) -> str:
    return await context.store.write(lambda c: sessions.use_link(c, token, HERE, MS + after))


async def test_a_link_signs_in_once(ada: Context) -> None:
    """The second one to come with it is refused, and told what to do."""
    link = await link_of(ada)

    assert present(await found(ada, await use_link(ada, link))).caller.owner == ada.caller.owner
    with pytest.raises(Unauthorized, match="finplan open"):
        await use_link(ada, link)
    assert (await counts(ada))["browser_session"] == 1


async def test_a_link_holds_for_a_minute(ada: Context) -> None:
    """Until the millisecond before; one that never was lets nobody in either."""
    await use_link(ada, await link_of(ada), after=59_999)
    for wrong, after in ((await link_of(ada), 60_000), ("fpl_", 0), ("", 0)):
        with pytest.raises(Unauthorized):
            await use_link(ada, wrong, after)


async def test_a_link_is_nothing_else(ada: Context) -> None:
    """Neither is it a cookie, nor an invite a link."""
    link, invite = await link_of(ada), await invited(ada)

    assert await found(ada, link) is None
    with pytest.raises(Unauthorized):
        await use_link(ada, invite)
    with pytest.raises(Unauthorized):
        await join(ada, link)


# --- invites ---------------------------------------------------------------------------------------


async def test_an_invite_lets_one_person_join(ada: Context) -> None:
    """The one who joins has an account of their own and is signed in; nobody joins by it again."""
    invite = await invited(ada)
    shown = await ada.store.read(lambda c: sign_in.look_at_invite(c, invite, MS))
    assert (shown.by, shown.email) == ("ada@localhost", None)

    session = present(await found(ada, await join(ada, invite)))

    assert session.caller.owner != ada.caller.owner
    grace = replace(ada, caller=session.caller)
    assert [each.email for each in await membership.list_people(ada, Nothing())] == [
        "ada@localhost",
        "grace@example.org",
    ]
    (seen,) = await membership.list_people(grace, Nothing())
    assert (seen.email, seen.you, seen.owner) == ("grace@example.org", True, False)
    (listed,) = await membership.list_invites(ada, Nothing())
    assert listed.used_at == MS
    with pytest.raises(Unauthorized):
        await join(ada, invite, "eve@example.org")
    with pytest.raises(Unauthorized):
        await ada.store.read(lambda c: sign_in.look_at_invite(c, invite, MS))
    await come_in(ada, "Grace@Example.org")


async def test_an_invite_is_for_its_address_alone(ada: Context) -> None:
    """Another address is refused and leaves it as good; case makes no other address."""
    invite = await invited(ada, "Grace@example.org")
    with pytest.raises(Forbidden, match=r"only for Grace@example\.org"):
        await join(ada, invite, "eve@example.org")

    await join(ada, invite, "grace@EXAMPLE.org")


async def test_a_newer_invite_takes_the_place_of_the_former(ada: Context) -> None:
    """However the address is written: the former link lets nobody in, and others are left alone."""
    former = await invited(ada, "Grace@example.org")
    whoever, eve = await invited(ada), await invited(ada, "eve@example.org")
    newer = await invited(ada, "grace@example.org")

    with pytest.raises(Unauthorized, match="already used or revoked"):
        await join(ada, former)
    assert len(await membership.list_invites(ada, Nothing())) == 3
    (replaced,) = [text for kind, text, *_ in await told(ada) if kind == "invite.revoked"]
    assert "grace@example.org" in replaced
    await join(ada, newer)
    await join(ada, eve, "eve@example.org")
    await join(ada, whoever, "mallory@example.org")


@pytest.mark.parametrize("days", [1, 30])
async def test_an_invite_holds_for_its_days(ada: Context, days: int) -> None:
    """Until the millisecond before; then it lets nobody in."""
    early, late = await invited(ada, days=days), await invited(ada, days=days)

    await join(ada, early, after=days * DAY - 1)
    with pytest.raises(Unauthorized):
        await join(ada, late, "eve@example.org", after=days * DAY)


async def test_an_invite_is_taken_back(ada: Context) -> None:
    """From then on it lets nobody in; who has joined by one stays when it is forgotten."""
    invite, used = await invited(ada), await invited(ada)
    await join(ada, used)
    for each in await membership.list_invites(ada, Nothing()):
        await membership.revoke_invite(ada, credentials.InviteId(id=each.id))

    assert await membership.list_invites(ada, Nothing()) == ()
    with pytest.raises(Unauthorized):
        await join(ada, invite, "eve@example.org")
    assert (await counts(ada))["person"] == 2
    texts = [each[1] for each in await told(ada) if each[0] == "invite.revoked"]
    assert [text.split()[0] for text in texts] == ["Removed", "Revoked"]


async def test_an_address_in_use_is_a_conflict(ada: Context) -> None:
    """However it is written: for who joins, who is invited and who changes theirs; nothing changes."""
    invite = await invited(ada)
    before = await counts(ada)
    for taken in ("ada@localhost", "ADA@LocalHost"):
        with pytest.raises(Conflict):
            await join(ada, invite, taken)
        with pytest.raises(Conflict):
            await membership.create_invite(ada, credentials.NewInvite(email=taken))
    assert await counts(ada) == before

    grace = await by_browser(ada, await join(ada, invite))
    with pytest.raises(Conflict):
        await change_me(grace, UserChange(email="Ada@localhost"))
    assert (await change_me(grace, UserChange(email="GRACE@example.org"))).email == (
        "GRACE@example.org"
    )
    await come_in(ada, "grace@example.org")


async def test_an_address_that_changed_is_what_one_signs_in_by(ada: Context) -> None:
    """The former one is free for others."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))
    await change_me(ada, UserChange(email="Ada@Example.org"))

    await come_in(ada, "ada@example.org")
    with pytest.raises(Unauthorized):
        await come_in(ada, "ada@localhost")
    await join(ada, await invited(ada), "ada@localhost")


async def test_an_address_that_changed_is_on_record(ada: Context) -> None:
    """With the former one, and by whom; a name, or the same address again, is no way in."""
    browser = await by_browser(ada, await signed_in(ada))
    await change_me(browser, UserChange(email="ada@example.org", name="Ada"))
    await change_me(ada, UserChange(email="Ada@example.org"))
    before = await told(ada)
    await change_me(ada, UserChange(email="Ada@example.org"))
    await change_me(ada, UserChange(name=None))
    program = replace(ada, caller=replace(ada.caller, kind="api_key"))
    with pytest.raises(Forbidden):
        await change_me(program, UserChange(email="eve@example.org"))

    assert await told(ada) == before
    assert_told(
        before[-2:],
        [
            (
                "email.changed",
                "from ada@localhost to ada@example.org.",
                browser.caller.credential,
                HERE.address,
            ),
            (
                "email.changed",
                "from ada@example.org to Ada@example.org.",
                ada.caller.credential,
                ada.caller.address,
            ),
        ],
    )


@pytest.mark.parametrize(
    "unfit",
    [
        {"email": "grace"},
        {"email": "gr ace@example.org"},
        {"email": "grace@example.org\n"},
        {"name": ""},
        {"name": "Gr\x1bace"},
        {"time_zone": "Mars/Base"},
        {"time_zone": ""},
    ],
)
async def test_who_joins_is_called_as_people_can_be(ada: Context, unfit: dict[str, str]) -> None:
    """An address, a name or a time zone that is none is refused, and the invite is as good."""
    invite = await invited(ada)
    with pytest.raises(BadRequest):
        await join(ada, invite, **unfit)

    await join(ada, invite)


async def test_only_the_owner_of_the_machine_invites(ada: Context) -> None:
    """Who has joined is told to ask them, and sees and revokes no invite of theirs."""
    grace = await by_browser(ada, await join(ada, await invited(ada)))
    await invited(ada)
    hers = (await membership.list_invites(ada, Nothing()))[0]

    with pytest.raises(Forbidden, match="owner"):
        await membership.create_invite(grace, credentials.NewInvite())
    assert await membership.list_invites(grace, Nothing()) == ()
    with pytest.raises(NotFound):
        await membership.revoke_invite(grace, credentials.InviteId(id=hers.id))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada@Example.org", "ada@example.ORG", True),
        (" ada@example.org ", "ada@example.org", True),
        ("stra\u00dfe@example.org", "STRASSE@example.org", True),
        ("\uff21da@example.org", "ada@example.org", True),
        ("a.da@example.org", "ada@example.org", False),
        ("ada+x@example.org", "ada@example.org", False),
    ],
)
def test_addresses_are_compared_as_people_read_them(one: str, other: str, same: bool) -> None:
    """Case and width of letters make no other address; what a provider makes of signs is its own."""
    assert (email_key(one) == email_key(other)) is same


# --- the record ------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("email", "said"),
    [
        ("nobody@example.org", "nobody@example.org, an unknown address"),
        ("grace@example.org", "grace@example.org, a deleted account"),
        ("correct horse battery", "something that is not an address"),
        ("p@ssword", "something that is not an address"),
        (f"{'a' * 250}@example.org", "something that is not an address"),
    ],
)
async def test_an_address_tried_in_vain_is_named(ada: Context, email: str, said: str) -> None:
    """Who owns the machine reads which it was, but never a password that stood in its place."""
    await delete_me(
        await by_browser(ada, await join(ada, await invited(ada, "grace@example.org"))), Nothing()
    )
    with pytest.raises(Unauthorized):
        await come_in(ada, email, OTHER)
    kind, text, *_ = (await told(ada))[-1]
    assert kind == "sign_in.failed"
    assert text.endswith(f" with {said}.")


async def test_a_client_that_is_removed_is_told_as_such(ada: Context) -> None:
    """Of one that the person made more goes than what it was granted."""
    new = credentials.NewClient(name="Desk", redirect_uris=("https://desk.example.org/back",))
    made = await clients.create_client(ada, new)
    await clients.revoke_client(ada, credentials.ClientId(id=made.answer.id))
    kind, text, *_ = (await told(ada))[-1]
    assert kind == "client.revoked"
    assert re.search("Removed.*'Desk'", text)


async def test_everything_is_on_record(ada: Context) -> None:
    """Whatever lets somebody in, or is given and taken back, is told with what it was done with."""
    await sign_in.set_password(ada, credentials.PasswordChange(password=PASSWORD))
    made = await keys.create_key(ada, credentials.NewKey(name="nightly"))
    for _ in range(2):
        await keys.revoke_key(ada, credentials.KeyId(id=made.answer.id))
    await use_link(ada, await link_of(ada))
    await come_in(ada, "ada@localhost")
    for email in ("ada@localhost", "nobody@localhost"):
        with pytest.raises(Unauthorized):
            await come_in(ada, email, OTHER)
    grace = await by_browser(ada, await join(ada, await invited(ada, "grace@example.org")))
    await invited(ada)
    await membership.revoke_invite(
        ada, credentials.InviteId(id=(await membership.list_invites(ada, Nothing()))[0].id)
    )
    listed = await sessions.list_sessions(ada, Nothing())
    await sessions.end_session(ada, credentials.SessionId(id=listed[0].id))
    await sign_in.set_password(ada, credentials.PasswordChange(password=OTHER))

    expected: list[Told] = [
        ("password.changed", "Set a password.", "session", None),
        ("key.created", "'nightly': service:read service:write.", "session", None),
        ("key.revoked", "'nightly'.", "session", None),
        ("link.created", "sign-in link", "session", None),
        ("session.opened", "`finplan open`", "session:1", "203.0.113.7"),
        ("session.opened", "the password", "session:2", "203.0.113.7"),
        ("sign_in.failed", "wrong password", None, "203.0.113.7"),
        ("sign_in.failed", "nobody@localhost", None, "203.0.113.7"),
        ("invite.created", "grace@example.org", "session", None),
        ("person.joined", "grace@example.org", None, "203.0.113.7"),
        ("invite.created", "anyone with", "session", None),
        ("invite.revoked", "anyone with", "session", None),
        ("session.ended", "203.0.113.7", "session", None),
        ("password.changed", "1 other browser", "session", None),
    ]
    assert_told(await told(ada), expected)
    hers: list[Told] = [
        ("person.joined", "a password", None, "203.0.113.7"),
        ("session.opened", "on joining", "session:3", "203.0.113.7"),
    ]
    assert_told(await told(grace), hers)


async def test_a_failure_is_told_whom_it_is_about(ada: Context) -> None:
    """A wrong password is on the record of its person, and on nobody else's."""
    grace = await by_browser(ada, await join(ada, await invited(ada)))
    with pytest.raises(Unauthorized):
        await come_in(ada, "grace@example.org", OTHER)

    assert "sign_in.failed" in {each[0] for each in await told(grace)}
    assert "sign_in.failed" not in {each[0] for each in await told(ada)}


async def test_the_record_is_read_from_the_newest(ada: Context) -> None:
    """As many as are asked for, and only what was before an instant where one is given."""
    for second in range(5):
        await sessions.create_sign_in_link(at(ada, second * SECOND), Nothing())

    newest = await audit.list_audit(ada, credentials.AuditQuery(limit=2))
    assert [each.at for each in newest] == [MS + 4 * SECOND, MS + 3 * SECOND]
    older = await audit.list_audit(ada, credentials.AuditQuery(limit=2, before=newest[-1].at))
    assert [each.at for each in older] == [MS + 2 * SECOND, MS + SECOND]


async def test_the_record_is_kept_for_a_year(ada: Context) -> None:
    """What is older is forgotten at a sign-in, and nothing that is not."""
    await sessions.create_sign_in_link(ada, Nothing())
    await signed_in(ada, after=events.EVENTS_KEPT_FOR - 1)
    assert "link.created" in {each[0] for each in await told(ada)}

    await signed_in(ada, after=events.EVENTS_KEPT_FOR)

    assert "link.created" not in {each[0] for each in await told(ada)}


# --- nothing secret stays --------------------------------------------------------------------------


@pytest.mark.thorough
async def test_no_secret_is_kept_as_it_is(ada: Context, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the store's files, nor the record, nor the log hold what lets somebody in."""
    caplog.set_level(logging.DEBUG)
    real = replace(ada, passwords=Passwords())
    await sign_in.set_password(real, credentials.PasswordChange(password=PASSWORD))
    key = (await keys.create_key(real, credentials.NewKey(name="nightly"))).answer.key
    open_link, used_link = await link_of(real), await link_of(real)
    open_invite, used_invite = await invited(real), await invited(real)
    cookies = [
        await use_link(real, used_link),
        await come_in(real, "ada@localhost"),
        await join(real, used_invite, password=OTHER),
    ]
    with pytest.raises(Unauthorized):
        await come_in(real, "ada@localhost", WRONG)
    secrets = [
        *(PASSWORD, OTHER, WRONG),
        *(key, open_link, used_link, open_invite, used_invite, *cookies),
    ]

    files = [path.read_bytes() for path in real.store.path.parent.glob("finplan.db*")]
    record = str(await told(real))
    assert any(b"Signed in with the password." in content for content in files)
    for secret in secrets:
        # Half of one would let somebody try the rest.
        half = secret[len(secret) // 2 :]
        assert not any(half.encode() in content for content in files), secret
        assert half not in record
        assert half not in caplog.text


def test_a_caller_of_a_session_is_named_by_its_number() -> None:
    """What is said of a credential is no secret, and tells two sessions apart."""
    one, other = (sessions.caller_of_session(1, no, "::1") for no in (3, 4))

    assert one == Caller(1, EVERYTHING, "session", "session:3", "::1")
    assert one.credential != other.credential
