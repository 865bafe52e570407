"""The pages of people: one's own account, those who share this finplan, and what happened.

An account has a name and an address, a password, and an end. Others come by invites. What happened is
who came in, and what was given and taken back.
"""

from collections.abc import Sequence

from aiohttp import web

from finplan.daemon.surfaces.pages.drawing import draw_page, draw_things
from finplan.daemon.surfaces.pages.markup import Markup, button, element, joined
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.doors import forget_cookie
from finplan.daemon.surfaces.site.entering import PASSWORD_HINT
from finplan.daemon.surfaces.site.google import way_to_google
from finplan.model import credential as credentials
from finplan.model.errors import BadRequest
from finplan.model.user import DeletedPerson, UserChange
from finplan.operation import Made
from finplan.operations import credential as rows
from finplan.operations.person import CHANGE_ME, DELETE_ME
from finplan.service.credentials.google import WaysIn, disconnect, ways_in
from finplan.service.people import email_key
from finplan.views import access, settings

EXPORT = "/api/v1/export"
"""Where all of a household is downloaded from."""


async def _draw_account(visit: Visit, typed: frame.TypedForm) -> Markup:
    ways = await ways_in(visit.desk.store, visit.context.caller.owner)
    google = None if visit.desk.google is None else _google(visit, ways)
    return joined(_about(visit, typed), _password(visit, ways), google, _leaving(visit))


def _about(visit: Visit, typed: frame.TypedForm) -> Markup:
    user = visit.user
    return settings_page.part(
        "about",
        "You",
        frame.form(
            visit,
            settings_page.ACCOUNT,
            frame.name_field(typed.one("name") or user.name or ""),
            frame.email_field(
                typed.one("email") or user.email,
                hint="You sign in with it. No mail is ever sent there.",
            ),
            button("Save", "change-me", "main"),
        ),
    )


def _password(visit: Visit, ways: WaysIn) -> Markup:
    return settings_page.part(
        "new-password",
        "Password",
        frame.form(
            visit,
            settings_page.ACCOUNT,
            # It is not sent: a password manager takes from it whose password this is.
            element("input", autocomplete="username", value=visit.user.email, hidden=True),
            frame.password_field("current", "Current password", "current-password")
            if ways.password
            else None,
            frame.password_field("password", "New password", "new-password", PASSWORD_HINT),
            frame.password_field("again", "The same password again", "new-password"),
            button("Set the password", "set-password", "main"),
        ),
        lead="To sign in on another device. Setting one signs out every other browser.",
    )


def _google(visit: Visit, ways: WaysIn) -> Markup:
    lead, act = "You sign in with your Google account.", None
    if not ways.google:
        lead = "To sign in with your Google account. Google is told nothing of your money."
        act = way_to_google("Connect Google", connect=visit.connecting_token)
    elif ways.may_disconnect:
        end = button("Disconnect Google", "disconnect-google")
        act = frame.form(visit, settings_page.ACCOUNT, end)
    else:
        lead += " Set a password before you disconnect it, since nothing else would let you in."
    return settings_page.part("google", "Google", act, lead=lead)


def _leaving(visit: Visit) -> Markup:
    return settings_page.part(
        "leaving",
        "Delete the account",
        settings_page.disclosed(
            "Delete everything …",
            "of yours",
            frame.form(
                visit,
                settings_page.ACCOUNT,
                element(
                    "p",
                    "All of your accounts, transactions, rules, plans and keys go, the copies of the"
                    " store as well, and none of it can be brought back.",
                ),
                frame.email_field(
                    "",
                    "typed_email",
                    "Type your e-mail address",
                    hint=f"It is {visit.user.email}",
                    autocomplete="off",
                ),
                button("Delete everything", "delete-me", "danger"),
            ),
        ),
        element("p", element("a", "Download all of it", href=EXPORT), " as one file."),
        lead="Take your data along first, if you want to keep them.",
    )


async def _change_me(visit: Visit, typed: frame.TypedForm) -> str:
    name = typed.maybe("name")
    ask = frame.asked(UserChange, email=typed.one("email").strip(), name=name)
    if name is None:
        ask = UserChange(email=ask.email, name=None)
    await visit.perform(CHANGE_ME, ask)
    return "saved"


async def _set_password(visit: Visit, typed: frame.TypedForm) -> str:
    if typed.one("password") != typed.one("again"):
        raise BadRequest("The two new passwords differ. Type the same one twice.")
    current = typed.one("current") or None
    ask = frame.asked(credentials.PasswordChange, password=typed.one("password"), current=current)
    await visit.perform(rows.SET_PASSWORD, ask)
    return "password-set"


async def _disconnect_google(visit: Visit, _typed: frame.TypedForm) -> str:
    await disconnect(visit.desk.store, visit.context.caller, visit.desk.milliseconds())
    return "google-disconnected"


async def _delete_me(visit: Visit, typed: frame.TypedForm) -> web.Response:
    if email_key(typed.one("typed_email")) != email_key(visit.user.email):
        raise BadRequest(
            f"Nothing was deleted: your address is {visit.user.email}. Type it to go on."
        )
    gone: DeletedPerson = await visit.perform(DELETE_ME)
    drawn = frame.narrow_page(
        "Your account is deleted",
        draw_page(settings.deleted(gone)),
        element("p", element("a", "Go to the first page", href=frame.HOME)),
    )
    return forget_cookie(visit.desk, drawn)


ACCOUNT_PAGE = settings_page.SettingsPage(
    settings_page.ACCOUNT,
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


async def _draw_people(visit: Visit, typed: frame.TypedForm) -> Markup:
    people: tuple[credentials.JoinedPerson, ...] = await visit.perform(rows.LIST_PEOPLE)
    owns_the_machine = any(person.you and person.owner for person in people)
    invites: tuple[credentials.Invite, ...] = ()
    if owns_the_machine:
        invites = await visit.perform(rows.LIST_INVITES)
    return joined(
        settings_page.part(
            "people",
            "People",
            draw_things(access.people(people, visit.how)),
            lead="Each has an account of their own, and sees nothing of the others' data.",
        ),
        _invites(visit, invites, typed) if owns_the_machine else None,
    )


def _invites(
    visit: Visit, invites: tuple[credentials.Invite, ...], typed: frame.TypedForm
) -> Markup:
    return settings_page.part(
        "invites",
        "Invites",
        draw_things(
            access.invites(invites, visit.how), {each.id: _taking(visit, each) for each in invites}
        ),
        frame.form(
            visit,
            settings_page.PEOPLE,
            element("h3", "Invite somebody"),
            frame.email_field(
                typed.one("email"),
                hint="Only this address can join by the link. Left empty, whoever has the link can.",
                autocomplete="off",
                required=False,
            ),
            frame.text_field(
                "days",
                "Days until it is over",
                typed.one("days") or "7",
                type="number",
                min=1,
                max=credentials.LONGEST_INVITE_DAYS,
                required=True,
                class_="short",
            ),
            button("Make the link", "create-invite", "main"),
        ),
        lead="A link lets one person make an account, once.",
    )


def _taking(visit: Visit, invite: credentials.Invite) -> Markup:
    label = "Forget" if access.is_over(invite, visit.how) else "Take back"
    spoken = f"the invite of {invite.email or 'whoever has the link'}"
    here, told = settings_page.PEOPLE, f"{label} this invite"
    return settings_page.ending(visit, here, "revoke-invite", invite.id, label, spoken, told)


async def _create_invite(visit: Visit, typed: frame.TypedForm) -> web.Response:
    ask = frame.asked(credentials.NewInvite, email=typed.maybe("email"), days=typed.maybe("days"))
    made: Made[credentials.CreatedInvite] = await visit.perform(rows.CREATE_INVITE, ask)
    invite = made.answer
    return settings_page.made(
        visit,
        settings_page.PEOPLE,
        "The link of the invite",
        element("p", access.invited(invite, visit.how)),
        settings_page.shown_once(invite.url, "The link"),
    )


PEOPLE_PAGE = settings_page.SettingsPage(
    settings_page.PEOPLE,
    _draw_people,
    {
        "create-invite": _create_invite,
        "revoke-invite": settings_page.acting(rows.REVOKE_INVITE, "revoked"),
    },
    {"revoked": "The invite lets nobody in any more."},
)


EVENTS_AT_ONCE = 50
BEFORE = "before"


async def _draw_activity(visit: Visit, _typed: frame.TypedForm) -> Markup:
    before = visit.request.query.get(BEFORE)
    ask = frame.asked(credentials.AuditQuery, limit=str(EVENTS_AT_ONCE + 1), before=before)
    events: tuple[credentials.AuditEvent, ...] = await visit.perform(rows.LIST_AUDIT, ask)
    shown = first_events(events)
    older = None
    if len(shown) < len(events):
        way = f"{settings_page.ACTIVITY}?{BEFORE}={shown[-1].at}"
        older = element("p", element("a", "Older", href=way, class_="button", rel="next"))
    return settings_page.part(
        "activity",
        "Activity",
        draw_page(access.events(shown, visit.how)),
        older,
        lead="Who came in with what, and what was given and taken back; kept for a year.",
    )


def first_events(events: Sequence[credentials.AuditEvent]) -> Sequence[credentials.AuditEvent]:
    """The newest events that end where an instant does, since the next page begins before one."""
    if len(events) <= EVENTS_AT_ONCE:
        return events
    whole = [event for event in events[:EVENTS_AT_ONCE] if event.at > events[EVENTS_AT_ONCE].at]
    return whole or events[:EVENTS_AT_ONCE]


ACTIVITY_PAGE = settings_page.SettingsPage(settings_page.ACTIVITY, _draw_activity)
