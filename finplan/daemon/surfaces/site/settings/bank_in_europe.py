"""The forms by which a bank in Europe is linked: which it is, and the address that its page led to."""

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form, text_field
from finplan.daemon.surfaces.site.frame import see_other
from finplan.daemon.surfaces.site.settings.bank_link import way_to_link
from finplan.daemon.surfaces.site.settings.settings_page import BANKS
from finplan.model.connection import (
    BankLink,
    BankLinkRequest,
    ConnectionRecord,
    Institution,
    LinkRequest,
    Reconnection,
)
from finplan.model.errors import BadRequest, Conflict
from finplan.operation import Made
from finplan.operations.bank import BEGIN_LINK, LINK_CONNECTION

OPEN, TAKE = "open-page-in-europe", "take-address"


def choosing(visit: Visit) -> Markup:
    """The form that asks for a bank that is to be linked."""
    return form(
        visit,
        BANKS,
        element("h3", "Through Enable Banking, in Europe"),
        element(
            "p",
            "You sign in at your bank's own page. The machine's owner brings an application of their"
            " own, which is free of charge for own accounts; the handbook's page ",
            element("a", "Linked banks", href="/api/docs/banks"),
            " says how.",
        ),
        text_field(
            "country", "Country", hint="Two letters, such as DE.", maxlength=2, required=True
        ),
        text_field("bank", "Bank", maxlength=200, required=True),
        button("Open the bank's page", OPEN, "main"),
    )


def reconnecting(visit: Visit, connection_id: str) -> Markup:
    """The form that asks for a new consent at a bank that is linked."""
    return form(
        visit,
        BANKS,
        hidden("id", connection_id),
        element("p", "A bank in Europe, through Enable Banking:", class_="hint"),
        button("Open the bank's page", OPEN, "main"),
        class_="confirm",
    )


async def open_page(visit: Visit, typed: TypedForm) -> web.Response:
    """Have the bank's page opened; a name that one bank alone has in its own is that bank."""
    of, country = typed.maybe("id"), (typed.maybe("country") or "").strip().upper()
    ask = BankLinkRequest(
        bank="enablebanking",
        reconnect=None if of is None else Reconnection(connection_id=of),
        institution=_named(country, (typed.maybe("bank") or "").strip()),
    )
    try:
        made: Made[BankLink] = await visit.perform(BEGIN_LINK, ask)
    except Conflict as asked:
        choices = _choices(asked)
        meant = "" if ask.institution is None else ask.institution.name.casefold()
        if len(choices) != 1 or not meant or meant not in choices[0]["label"].casefold():
            raise BadRequest(_told(asked, choices)) from None
        [only] = choices
        chosen = Institution(id=only["value"], name=only["label"])
        made = await visit.perform(BEGIN_LINK, ask.model_copy(update={"institution": chosen}))
    return see_other(way_to_link(made.answer.id))


async def take_address(visit: Visit, typed: TypedForm) -> str:
    """Link what an address is of that a bank's page led the browser to."""
    address = "".join(typed.one("address").split())
    if not address:
        raise BadRequest("Paste the address that your browser was led to.")
    ask = LinkRequest(provider="aggregator", public_token=address)
    made: Made[ConnectionRecord] = await visit.perform(LINK_CONNECTION, ask)
    return "linked" if made.new else "reconnected"


def _named(country: str, bank: str) -> Institution | None:
    return Institution(id=country, name=bank or country) if country else None


def _choices(asked: Conflict) -> list[dict[str, str]]:
    questions = (asked.data or {}).get("questions") or [{}]
    return list(questions[0].get("choices", ()))


def _told(asked: Conflict, choices: list[dict[str, str]]) -> str:
    """The question, with the first of what there is to choose from."""
    if not choices:
        return asked.message
    question = asked.data["questions"][0]["text"] if asked.data else asked.message
    names = ", ".join(each["label"] for each in choices[:30])
    return f"{question} {names}{' and others.' if len(choices) > 30 else '.'}"
