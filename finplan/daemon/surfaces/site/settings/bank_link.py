"""The page that shows what comes of a bank's own page, again and again until something has."""

from urllib.parse import urlencode

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, alert, form, text_field
from finplan.daemon.surfaces.site.frame import see_other
from finplan.daemon.surfaces.site.settings.settings_page import BANKS, DONE, framed, part
from finplan.model.connection import BankLink, BankLinkId
from finplan.operations.bank import SHOW_LINK

_BROUGHT = ("enablebanking",)
"""Whose page leads to an address that the person brings along."""

BANK_LINK = f"{BANKS}/link"

LOOKED_EVERY, LOOKED_SELDOM = 4, 20
"""After how many seconds a browser asks again: while the page is open, and once it was left."""


def way_to_link(link_id: str) -> str:
    """Where what comes of a link is shown."""
    return f"{BANK_LINK}?{urlencode({'id': link_id})}"


async def show_bank_link(visit: Visit, _typed: TypedForm) -> web.Response:
    """What came of a page; who has linked a bank is led to it."""
    ask = BankLinkId(id=visit.request.query.get("id", ""))
    link: BankLink = await visit.perform(SHOW_LINK, ask)
    if link.status == "linked":
        return see_other(f"{BANKS}?{DONE}=linked")
    left = link.status == "failed"
    is_brought = link.bank in _BROUGHT
    waiting = (
        "Once you have signed in there, this page shows your bank. It looks by itself every few"
        f" seconds; the page of the bank is open until {visit.moment(link.expires_at)}."
    )
    response = framed(
        visit,
        BANKS,
        alert(link.error),
        part(
            "signing-in",
            "Sign in at your bank",
            element(
                "p",
                element(
                    "a",
                    "Open the page again" if left else "Open the page",
                    element("span", " (in a new tab)", class_="heard"),
                    href=link.url,
                    target="_blank",
                    rel="noopener noreferrer",
                    class_="button main",
                ),
            ),
            _bringing(visit) if is_brought else element("p", waiting, class_="soft"),
            element("p", element("a", "Back to your banks", href=BANKS)),
        ),
    )
    if not is_brought:
        # No script runs here, and a page that says so itself could not be left to be read.
        response.headers["Refresh"] = str(LOOKED_SELDOM if left else LOOKED_EVERY)
    return response


def _bringing(visit: Visit) -> Markup:
    """The form for the address that a page leads to; nobody's typing is interrupted by looking anew."""
    return form(
        visit,
        BANKS,
        text_field(
            "address",
            "Address that your browser was led to",
            hint="Where this site does not show that the bank is linked, copy all of the address from"
            " the browser's address bar; that no page is shown there does no harm.",
            autocomplete="off",
            maxlength=4_000,
            required=True,
        ),
        button("Link the bank", "take-address", "main"),
    )
