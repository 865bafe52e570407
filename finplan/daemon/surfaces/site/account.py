"""The pages of people: one's own account, those who share this finplan, and what happened.

An account has a name and an address, a password, and an end. Others come by invites. What happened is
who came in, and what was given and taken back.
"""

from collections.abc import Sequence

from aiohttp import web

from finplan.daemon.surfaces.pages.drawing import draw_page, draw_things
from finplan.daemon.surfaces.pages.markup import Markup, button, element, join_markup
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.google import way_to_google
from finplan.daemon.surfaces.site.handlers import forget_cookie
from finplan.daemon.surfaces.site.sign_in import PASSWORD_HINT
from finplan.daemon.surfaces.site.visit import Visit
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
    return join_markup(_about(visit, typed), _password(visit, ways), google, _leaving(visit))


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
                hint="You sign in with this address. finplan sends no mail.",
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
            frame.password_field("again", "Repeat password", "new-password"),
            button("Set password", "set-password", "main"),
        ),
        lead=(
            "You can sign in with the password on other devices. Setting a password signs out all other"
            " browsers."
        ),
    )


def _google(visit: Visit, ways: WaysIn) -> Markup:
    lead, act = "You can sign in with your Google account.", None
    if not ways.google:
        lead = "Sign in with your Google account. Google learns nothing about your money."
        act = way_to_google("Connect Google", connect=visit.connecting_token)
    elif ways.may_disconnect:
        end = button("Disconnect Google", "disconnect-google")
        act = frame.form(visit, settings_page.ACCOUNT, end)
    else:
        lead += " Set a password before you disconnect Google; otherwise you cannot sign in."
    return settings_page.part("google", "Google", act, lead=lead)


def _leaving(visit: Visit) -> Markup:
    return settings_page.part(
        "leaving",
        "Delete account",
        settings_page.draw_disclosure(
            "Delete account …",
            "and all your data",
            frame.form(
                visit,
                settings_page.ACCOUNT,
                element(
                    "p",
                    "This deletes all your accounts, transactions, rules, plans and keys, and the"
                    " backups that hold them. You cannot undo it.",
                ),
                frame.email_field(
                    "",
                    "typed_email",
                    "Type your e-mail address",
                    hint=f"To confirm, type {visit.user.email}",
                    autocomplete="off",
                ),
                button("Delete everything", "delete-me", "danger"),
            ),
        ),
        element("p", element("a", "Download your data", href=EXPORT), " as one file."),
        lead="If you want to keep your data, download it first.",
    )


async def _change_me(visit: Visit, typed: frame.TypedForm) -> str:
    name = typed.maybe("name")
    ask = frame.parse_ask(UserChange, email=typed.one("email").strip(), name=name)
    if name is None:
        ask = UserChange(email=ask.email, name=None)
    await visit.perform(CHANGE_ME, ask)
    return "saved"


async def _set_password(visit: Visit, typed: frame.TypedForm) -> str:
    if typed.one("password") != typed.one("again"):
        raise BadRequest("The two new passwords differ. Type the same password twice.")
    current = typed.one("current") or None
    ask = frame.parse_ask(
        credentials.PasswordChange, password=typed.one("password"), current=current
    )
    await visit.perform(rows.SET_PASSWORD, ask)
    return "password-set"


async def _disconnect_google(visit: Visit, _typed: frame.TypedForm) -> str:
    await disconnect(visit.desk.store, visit.context.caller, visit.desk.milliseconds())
    return "google-disconnected"


async def _delete_me(visit: Visit, typed: frame.TypedForm) -> web.Response:
    if email_key(typed.one("typed_email")) != email_key(visit.user.email):
        raise BadRequest(f"Nothing was deleted. To confirm, type your address: {visit.user.email}.")
    gone: DeletedPerson = await visit.perform(DELETE_ME)
    drawn = frame.narrow_page(
        "Your account is deleted",
        draw_page(settings.describe_deletion(gone)),
        element("p", element("a", "Go to the start page", href=frame.HOME)),
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
        "password-set": "Password set.",
        "google-connected": "You can now sign in with Google.",
        "google-disconnected": "Google is disconnected. You can no longer sign in with it.",
    },
)


async def _draw_people(visit: Visit, typed: frame.TypedForm) -> Markup:
    people: tuple[credentials.JoinedPerson, ...] = await visit.perform(rows.LIST_PEOPLE)
    owns_the_machine = any(person.you and person.owner for person in people)
    invites: tuple[credentials.Invite, ...] = ()
    if owns_the_machine:
        invites = await visit.perform(rows.LIST_INVITES)
    return join_markup(
        settings_page.part(
            "people",
            "People",
            draw_things(access.people(people, visit.how)),
            lead="Each person has a separate account and cannot see anyone else's data.",
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
            access.invites(invites, visit.how, commands=False),
            {invite.id: _taking(visit, invite) for invite in invites},
        ),
        frame.form(
            visit,
            settings_page.PEOPLE,
            element("h3", "Invite someone"),
            frame.email_field(
                typed.one("email"),
                hint="Only this address can use the link. Leave empty to let anyone with the link join.",
                autocomplete="off",
                required=False,
            ),
            frame.text_field(
                "days",
                "Days until the link expires",
                typed.one("days") or "7",
                type="number",
                min=1,
                max=credentials.LONGEST_INVITE_DAYS,
                required=True,
                class_="short",
            ),
            button("Create link", "create-invite", "main"),
        ),
        lead="Each link lets one person create an account.",
    )


def _taking(visit: Visit, invite: credentials.Invite) -> Markup:
    label = "Remove" if access.is_over(invite, visit.how) else "Revoke"
    spoken = f"the invite for {invite.email or 'anyone with the link'}"
    here, text = settings_page.PEOPLE, f"{label} invite"
    return settings_page.ending(visit, here, "revoke-invite", invite.id, label, spoken, text)


async def _create_invite(visit: Visit, typed: frame.TypedForm) -> web.Response:
    ask = frame.parse_ask(
        credentials.NewInvite, email=typed.maybe("email"), days=typed.maybe("days")
    )
    reply: Made[credentials.CreatedInvite] = await visit.perform(rows.CREATE_INVITE, ask)
    invite = reply.answer
    return settings_page.draw_result(
        visit,
        settings_page.PEOPLE,
        "Invite link",
        element("p", access.describe_invite(invite, visit.how)),
        settings_page.shown_once(invite.url, "Invite link"),
    )


PEOPLE_PAGE = settings_page.SettingsPage(
    settings_page.PEOPLE,
    _draw_people,
    {
        "create-invite": _create_invite,
        "revoke-invite": settings_page.acting(rows.REVOKE_INVITE, "revoked"),
    },
    {"revoked": "The invite no longer works."},
)


EVENTS_AT_ONCE = 50
BEFORE = "before"


async def _draw_activity(visit: Visit, _typed: frame.TypedForm) -> Markup:
    before = visit.request.query.get(BEFORE)
    ask = frame.parse_ask(credentials.AuditQuery, limit=str(EVENTS_AT_ONCE + 1), before=before)
    events: tuple[credentials.AuditEvent, ...] = await visit.perform(rows.LIST_AUDIT, ask)
    newest = first_events(events)
    older = None
    if len(newest) < len(events):
        way = f"{settings_page.ACTIVITY}?{BEFORE}={newest[-1].at}"
        older = element("p", element("a", "Older", href=way, class_="button", rel="next"))
    return settings_page.part(
        "activity",
        "Access log",
        draw_page(access.events(newest, visit.how)),
        older,
        lead="Sign-ins, and credentials issued and revoked. Kept for a year.",
    )


def first_events(events: Sequence[credentials.AuditEvent]) -> Sequence[credentials.AuditEvent]:
    """The newest events that end where an instant does, since the next page begins before one."""
    if len(events) <= EVENTS_AT_ONCE:
        return events
    newer = [event for event in events[:EVENTS_AT_ONCE] if event.at > events[EVENTS_AT_ONCE].at]
    return newer or events[:EVENTS_AT_ONCE]


ACTIVITY_PAGE = settings_page.SettingsPage(settings_page.ACTIVITY, _draw_activity)
