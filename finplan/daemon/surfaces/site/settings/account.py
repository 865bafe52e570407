"""The page of one's own account: name and address, password, and leaving."""

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element, joined
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.doors import forget_cookie
from finplan.daemon.surfaces.site.entering import PASSWORD_HINT
from finplan.daemon.surfaces.site.forms import TypedForm, asked, form, password_field, text_field
from finplan.daemon.surfaces.site.frame import HOME, heading, page
from finplan.daemon.surfaces.site.google import way_to_google
from finplan.daemon.surfaces.site.settings.settings_page import (
    ACCOUNT,
    SettingsPage,
    disclosed,
    part,
)
from finplan.model import figures
from finplan.model.access.session import PasswordChange
from finplan.model.errors import BadRequest
from finplan.model.user import DeletedPerson, UserChange
from finplan.operations.credential import SET_PASSWORD
from finplan.operations.person import CHANGE_ME, DELETE_ME
from finplan.service.credentials.google import WaysIn, disconnect, ways_in
from finplan.service.people import email_key

EXPORT = "/api/v1/export"
"""Where all of a household is downloaded from."""


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
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


PAGE = SettingsPage(
    ACCOUNT,
    _draw,
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
