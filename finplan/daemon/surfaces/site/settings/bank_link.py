"""The page that shows what comes of a bank's own page, again and again until something has."""

from urllib.parse import urlencode

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import element
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, alert
from finplan.daemon.surfaces.site.frame import see_other
from finplan.daemon.surfaces.site.settings.settings_page import BANKS, DONE, framed, part
from finplan.model.connection import BankLink, BankLinkId
from finplan.operations.household import SHOW_LINK

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
            element("p", waiting, class_="soft"),
            element("p", element("a", "Back to your banks", href=BANKS)),
        ),
    )
    # No script runs here, and a page that says so itself could not be left to be read.
    response.headers["Refresh"] = str(LOOKED_SELDOM if left else LOOKED_EVERY)
    return response
