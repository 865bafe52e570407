"""The pages of people: one's own account, those who share this finplan, and what happened.

An account has a name and an address, a password, and an end. Others come by invites. What happened is
who came in, and what was given and taken back.
"""

from collections.abc import Sequence

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, joined, sentence
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.doors import forget_cookie
from finplan.daemon.surfaces.site.entering import PASSWORD_HINT
from finplan.daemon.surfaces.site.frame import (
    HOME,
    TypedForm,
    asked,
    form,
    heading,
    page,
    password_field,
    text_field,
)
from finplan.daemon.surfaces.site.google import way_to_google
from finplan.daemon.surfaces.site.settings_page import (
    ACCOUNT,
    ACTIVITY,
    PEOPLE,
    SettingsPage,
    disclosed,
    framed,
    part,
    shown_once,
    thing,
    things,
)
from finplan.model import figures
from finplan.model.credential import (
    LONGEST_INVITE_DAYS,
    AuditEvent,
    AuditQuery,
    CreatedInvite,
    Invite,
    InviteId,
    JoinedPerson,
    NewInvite,
    PasswordChange,
)
from finplan.model.errors import BadRequest
from finplan.model.user import DeletedPerson, UserChange
from finplan.operation import Made
from finplan.operations.credential import (
    CREATE_INVITE,
    LIST_AUDIT,
    LIST_INVITES,
    LIST_PEOPLE,
    REVOKE_INVITE,
    SET_PASSWORD,
)
from finplan.operations.person import CHANGE_ME, DELETE_ME
from finplan.service.credentials.google import WaysIn, disconnect, ways_in
from finplan.service.people import email_key

EXPORT = "/api/v1/export"
"""Where all of a household is downloaded from."""


async def _draw_account(visit: Visit, typed: TypedForm) -> Markup:
    ways = await ways_in(visit.desk.store, visit.context.caller.owner)
    google = None if visit.desk.google is None else _google(visit, ways)
    return joined(_about(visit, typed), _password(visit, ways), google, _leaving(visit))


def _about(visit: Visit, typed: TypedForm) -> Markup:
    user = visit.user
    return part(
        "about",
        "You",
        form(
            visit,
            ACCOUNT,
            text_field(
                "name",
                "Name",
                typed.one("name") or user.name or "",
                hint="What you are called here; may be left empty.",
                autocomplete="name",
                maxlength=200,
            ),
            text_field(
                "email",
                "E-mail address",
                typed.one("email") or user.email,
                hint="You sign in with it. No mail is ever sent there.",
                inputmode="email",
                autocomplete="username",
                autocapitalize="none",
                spellcheck="false",
                required=True,
            ),
            button("Save", "change-me", "main"),
        ),
    )


def _password(visit: Visit, ways: WaysIn) -> Markup:
    return part(
        "new-password",
        "Password",
        form(
            visit,
            ACCOUNT,
            # It is not sent: a password manager takes from it whose password this is.
            element("input", autocomplete="username", value=visit.user.email, hidden=True),
            password_field("current", "Current password", "current-password")
            if ways.password
            else None,
            password_field("password", "New password", "new-password", PASSWORD_HINT),
            password_field("again", "The same password again", "new-password"),
            button("Set the password", "set-password", "main"),
        ),
        lead="To sign in on another device. Setting one signs out every other browser.",
    )


def _google(visit: Visit, ways: WaysIn) -> Markup:
    if not ways.google:
        return part(
            "google",
            "Google",
            way_to_google("Connect Google", connect=visit.connecting_token),
            lead="To sign in with your Google account. Google is told nothing of your money.",
        )
    if not ways.may_disconnect:
        return part(
            "google",
            "Google",
            lead="You sign in with your Google account. Set a password before you disconnect it, since"
            " nothing else would let you in.",
        )
    return part(
        "google",
        "Google",
        form(visit, ACCOUNT, button("Disconnect Google", "disconnect-google")),
        lead="You sign in with your Google account.",
    )


def _leaving(visit: Visit) -> Markup:
    return part(
        "leaving",
        "Delete the account",
        disclosed(
            "Delete everything …",
            "of yours",
            form(
                visit,
                ACCOUNT,
                element(
                    "p",
                    "All of your accounts, transactions, rules, plans and keys go, the copies of the"
                    " store as well, and none of it can be brought back.",
                ),
                text_field(
                    "typed_email",
                    "Type your e-mail address",
                    hint=f"It is {visit.user.email}",
                    autocomplete="off",
                    autocapitalize="none",
                    spellcheck="false",
                    required=True,
                ),
                button("Delete everything", "delete-me", "danger"),
            ),
        ),
        element("p", element("a", "Download all of it", href=EXPORT), " as one file."),
        lead="Take your data along first, if you want to keep them.",
    )


async def _change_me(visit: Visit, typed: TypedForm) -> str:
    name = typed.maybe("name")
    ask = asked(UserChange, email=typed.one("email").strip(), name=name)
    if name is None:
        ask = UserChange(email=ask.email, name=None)
    await visit.perform(CHANGE_ME, ask)
    return "saved"


async def _set_password(visit: Visit, typed: TypedForm) -> str:
    if typed.one("password") != typed.one("again"):
        raise BadRequest("The two new passwords differ. Type the same one twice.")
    current = typed.one("current") or None
    ask = asked(PasswordChange, password=typed.one("password"), current=current)
    await visit.perform(SET_PASSWORD, ask)
    return "password-set"


async def _disconnect_google(visit: Visit, _typed: TypedForm) -> str:
    await disconnect(visit.desk.store, visit.context.caller, visit.desk.milliseconds())
    return "google-disconnected"


async def _delete_me(visit: Visit, typed: TypedForm) -> web.Response:
    if email_key(typed.one("typed_email")) != email_key(visit.user.email):
        raise BadRequest(
            f"Nothing was deleted: your address is {visit.user.email}. Type it to go on."
        )
    gone: DeletedPerson = await visit.perform(DELETE_ME)
    went = (
        figures.count(gone.accounts, "account"),
        figures.count(gone.transactions, "transaction"),
        figures.count(gone.rules, "rule"),
        figures.count(gone.plans, "plan"),
    )
    drawn = page(
        "Your account is deleted",
        heading(
            "Your account is deleted", f"Gone are {', '.join(went)}, and every key and session."
        ),
        element("p", element("a", "Go to the first page", href=HOME)),
        narrow=True,
    )
    return forget_cookie(visit.desk, drawn)


ACCOUNT_PAGE = SettingsPage(
    ACCOUNT,
    _draw_account,
    {
        "change-me": _change_me,
        "set-password": _set_password,
        "disconnect-google": _disconnect_google,
        "delete-me": _delete_me,
    },
    {
        "saved": "Saved.",
        "password-set": "Your password is set.",
        "google-connected": "From now on you can sign in with Google.",
        "google-disconnected": "Google lets you in no longer.",
    },
)


async def _draw_people(visit: Visit, typed: TypedForm) -> Markup:
    people: tuple[JoinedPerson, ...] = await visit.perform(LIST_PEOPLE)
    owns_the_machine = any(person.you and person.owner for person in people)
    invites: tuple[Invite, ...] = ()
    if owns_the_machine:
        invites = await visit.perform(LIST_INVITES)
    return joined(
        part(
            "people",
            "People",
            things([_person(visit, each) for each in people], "Nobody has an account here."),
            lead="Each has an account of their own, and sees nothing of the others' data.",
        ),
        _invites(visit, invites, typed) if owns_the_machine else None,
    )


def _person(visit: Visit, person: JoinedPerson) -> Markup:
    words = [
        person.email if person.name else None,
        "owns this machine" if person.owner else None,
        "you" if person.you else None,
        f"since {visit.day(person.created_at)}",
    ]
    return thing(element("bdi", person.name or person.email), words)


def _invites(visit: Visit, invites: tuple[Invite, ...], typed: TypedForm) -> Markup:
    return part(
        "invites",
        "Invites",
        things([_invite(visit, each) for each in invites], "Nobody is invited."),
        form(
            visit,
            PEOPLE,
            element("h3", "Invite somebody"),
            text_field(
                "email",
                "E-mail address",
                typed.one("email"),
                hint="Only this address can join by the link. Left empty, whoever has the link can.",
                inputmode="email",
                autocomplete="off",
                autocapitalize="none",
                spellcheck="false",
            ),
            text_field(
                "days",
                "Days until it is over",
                typed.one("days") or "7",
                type="number",
                min=1,
                max=LONGEST_INVITE_DAYS,
                required=True,
                class_="short",
            ),
            button("Make the link", "create-invite", "main"),
        ),
        lead="A link lets one person make an account, once.",
    )


def _invite(visit: Visit, invite: Invite) -> Markup:
    over = invite.used_at is None and invite.expires_at <= visit.context.milliseconds()
    if invite.used_at is not None:
        stands = f"used on {visit.moment(invite.used_at)}"
    else:
        stands = f"{'over since' if over else 'holds until'} {visit.moment(invite.expires_at)}"
    whom = invite.email or "Whoever has the link"
    label = "Forget" if over or invite.used_at is not None else "Take back"
    act = disclosed(
        f"{label} …",
        f"the invite of {whom}",
        form(
            visit,
            PEOPLE,
            hidden("id", invite.id),
            button(f"{label} this invite", "revoke-invite", "danger"),
            class_="confirm",
        ),
    )
    return thing(element("bdi", whom), [stands], act, ended=over or invite.used_at is not None)


async def _create_invite(visit: Visit, typed: TypedForm) -> web.Response:
    ask = asked(NewInvite, email=typed.maybe("email"), days=typed.maybe("days"))
    made: Made[CreatedInvite] = await visit.perform(CREATE_INVITE, ask)
    invite = made.answer
    whom = invite.email or "one person"
    return framed(
        visit,
        PEOPLE,
        part(
            "made",
            "The link of the invite",
            element(
                "p",
                f"Send it to {whom} yourself: it lets them join once, until"
                f" {visit.moment(invite.expires_at)}. It is not shown again.",
            ),
            shown_once(invite.url, "The link"),
            element("p", element("a", "I have copied it", href=PEOPLE, class_="button main")),
        ),
    )


async def _revoke_invite(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_INVITE, InviteId(id=typed.one("id")))
    return "revoked"


PEOPLE_PAGE = SettingsPage(
    PEOPLE,
    _draw_people,
    {"create-invite": _create_invite, "revoke-invite": _revoke_invite},
    {"revoked": "The invite lets nobody in any more."},
)


EVENTS_AT_ONCE = 50
BEFORE = "before"


async def _draw_activity(visit: Visit, _typed: TypedForm) -> Markup:
    before = visit.request.query.get(BEFORE)
    ask = asked(AuditQuery, limit=str(EVENTS_AT_ONCE + 1), before=before)
    events: tuple[AuditEvent, ...] = await visit.perform(LIST_AUDIT, ask)
    shown = first_events(events)
    older = None
    if len(shown) < len(events):
        way = f"{ACTIVITY}?{BEFORE}={shown[-1].at}"
        older = element("p", element("a", "Older", href=way, class_="button", rel="next"))
    return part(
        "activity",
        "Activity",
        things([_event(visit, each) for each in shown], "Nothing happened here."),
        older,
        lead="Who came in with what, and what was given and taken back; kept for a year.",
    )


def first_events(events: Sequence[AuditEvent]) -> Sequence[AuditEvent]:
    """The newest events that end where an instant does, since the next page begins before one."""
    if len(events) <= EVENTS_AT_ONCE:
        return events
    whole = [event for event in events[:EVENTS_AT_ONCE] if event.at > events[EVENTS_AT_ONCE].at]
    return whole or events[:EVENTS_AT_ONCE]


def _event(visit: Visit, event: AuditEvent) -> Markup:
    return thing(
        element("bdi", sentence(event.text)),
        [
            visit.moment(event.at),
            _by_credential(event.credential),
            None if event.address is None else f"from {event.address}",
        ],
    )


def _by_credential(credential: str | None) -> str | None:
    """What was used, in words; None where nothing was needed."""
    kind, _, no = (credential or "").partition(":")
    if kind == "session":
        return "in a browser" if no else "with the command line"
    return "with an API key" if kind == "key" else None


ACTIVITY_PAGE = SettingsPage(ACTIVITY, _draw_activity)
