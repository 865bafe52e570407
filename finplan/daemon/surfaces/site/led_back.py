"""Where a bank leads a person back to who signed in there: what they consented to is linked."""

from aiohttp import web

from finplan.banks.enablebanking.api import CALLBACK
from finplan.daemon.surfaces.pages.markup import element
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, alert
from finplan.daemon.surfaces.site.frame import HOME, heading, page
from finplan.model.connection import LinkRequest
from finplan.model.errors import Fault
from finplan.operations.bank import LINK_CONNECTION

BANK_LED_BACK = CALLBACK

_LONGEST = 4_000


async def take_link(visit: Visit, _typed: TypedForm) -> web.Response:
    """Finish the link whose state the address has; it is of a page that this very person opened."""
    told = visit.request.rel_url.raw_query_string
    address = f"{visit.desk.site_url}{BANK_LED_BACK}?{told}"
    try:
        if len(address) > _LONGEST:
            address = address.partition("?")[0]
        ask = LinkRequest(provider="aggregator", public_token=address)
        made = await visit.perform(LINK_CONNECTION, ask)
    except Fault as fault:
        response = page(
            "No bank was linked",
            heading("No bank was linked"),
            alert(fault.message),
            visit=visit,
            status=fault.status,
            narrow=True,
        )
    else:
        linked = made.answer.connection
        response = page(
            "Your bank is linked",
            heading(
                "Your bank is linked", f"{linked.institution_name} is read by itself from now on."
            ),
            alert(linked.error),
            element("p", element("a", "Go on to your plan", href=HOME)),
            visit=visit,
            narrow=True,
        )
    # The address of this page has the bank's code in it.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
