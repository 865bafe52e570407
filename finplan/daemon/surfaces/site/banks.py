"""The page of banks: how each fares, how it gets a new access, and how one is linked.

A bank in Europe is chosen in a form; its own page leads a person back here, and what they consented to
is linked. What comes of it is shown again and again until something has.
"""

from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlencode

from aiohttp import web

from finplan.banks.enablebanking.api import CALLBACK
from finplan.daemon.surfaces.pages.drawing import thing
from finplan.daemon.surfaces.pages.markup import Markup, button, element, joined
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.desk import Visit
from finplan.model import connection as connections, figures
from finplan.model.errors import BadRequest, BankProviderError, Conflict, Fault
from finplan.operation import Made
from finplan.operations import bank as rows
from finplan.views.banks import STATES

_BROUGHT = ("enablebanking",)
"""Whose page leads to an address that the person brings along."""

BANK_LINK = f"{settings_page.BANKS}/link"

LOOKED_EVERY, LOOKED_SELDOM = 4, 20
"""After how many seconds a browser asks again: while the page is open, and once it was left."""


def way_to_link(link_id: str) -> str:
    """Where what comes of a link is shown."""
    return f"{BANK_LINK}?{urlencode({'id': link_id})}"


async def show_bank_link(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """What came of a page; who has linked a bank is led to it."""
    ask = connections.BankLinkId(id=visit.request.query.get("id", ""))
    link: connections.BankLink = await visit.perform(rows.SHOW_LINK, ask)
    if link.status == "linked":
        return frame.see_other(f"{settings_page.BANKS}?{settings_page.DONE}=linked")
    left = link.status == "failed"
    is_brought = link.bank in _BROUGHT
    waiting = (
        "Once you have signed in there, this page shows your bank. It looks by itself every few"
        f" seconds; the page of the bank is open until {visit.moment(link.expires_at)}."
    )
    response = settings_page.framed(
        visit,
        settings_page.BANKS,
        frame.alert(link.error),
        settings_page.part(
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
            element("p", element("a", "Back to your banks", href=settings_page.BANKS)),
        ),
    )
    if not is_brought:
        # No script runs here, and a page that says so itself could not be left to be read.
        response.headers["Refresh"] = str(LOOKED_SELDOM if left else LOOKED_EVERY)
    return response


def _bringing(visit: Visit) -> Markup:
    """The form for the address that a page leads to; nobody's typing is interrupted by looking anew."""
    return frame.form(
        visit,
        settings_page.BANKS,
        frame.text_field(
            "address",
            "Address that your browser was led to",
            hint="Where this site does not show that the bank is linked, copy all of the address from"
            " the browser's address bar; that no page is shown there does no harm.",
            autocomplete="off",
            maxlength=4_000,
            required=True,
        ),
        button("Link the bank", TAKE_ADDRESS, "main"),
    )


OPEN_IN_EUROPE, TAKE_ADDRESS = "open-page-in-europe", "take-address"


def _choosing_in_europe(visit: Visit) -> Markup:
    return frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "Through Enable Banking, in Europe"),
        element(
            "p",
            "You sign in at your bank's own page. The machine's owner brings an application of their"
            " own, which is free of charge for own accounts; the handbook's page ",
            element("a", "Linked banks", href="/api/docs/banks"),
            " says how.",
        ),
        frame.text_field(
            "country", "Country", hint="Two letters, such as DE.", maxlength=2, required=True
        ),
        frame.text_field("bank", "Bank", maxlength=200, required=True),
        button("Open the bank's page", OPEN_IN_EUROPE, "main"),
    )


async def _open_page_in_europe(visit: Visit, typed: frame.TypedForm) -> web.Response:
    """Have the bank's page opened; a name that one bank alone has in its own is that bank."""
    country = (typed.maybe("country") or "").strip().upper()
    ask = connections.BankLinkRequest(
        bank="enablebanking",
        reconnect=_reconnection(typed),
        institution=_named(country, (typed.maybe("bank") or "").strip()),
    )
    try:
        made: Made[connections.BankLink] = await visit.perform(rows.BEGIN_LINK, ask)
    except Conflict as asked:
        choices = _choices(asked)
        meant = "" if ask.institution is None else ask.institution.name.casefold()
        if len(choices) != 1 or not meant or meant not in choices[0]["label"].casefold():
            raise BadRequest(_told_of_choices(asked, choices)) from None
        [only] = choices
        chosen = connections.Institution(id=only["value"], name=only["label"])
        made = await visit.perform(rows.BEGIN_LINK, ask.model_copy(update={"institution": chosen}))
    return frame.see_other(way_to_link(made.answer.id))


async def _link(visit: Visit, typed: frame.TypedForm, *, field: str, missing: str) -> str:
    """Link what a token is of, or an address that a bank's page led the browser to."""
    token = "".join(typed.one(field).split())
    if not token:
        raise BadRequest(missing)
    ask = connections.LinkRequest(
        provider="aggregator", public_token=token, reconnect=_reconnection(typed)
    )
    made: Made[connections.ConnectionRecord] = await visit.perform(rows.LINK_CONNECTION, ask)
    return "linked" if made.new else "reconnected"


def _reconnection(typed: frame.TypedForm) -> connections.Reconnection | None:
    of = typed.maybe("id")
    return None if of is None else connections.Reconnection(connection_id=of)


def _named(country: str, bank: str) -> connections.Institution | None:
    return connections.Institution(id=country, name=bank or country) if country else None


def _choices(asked: Conflict) -> list[dict[str, str]]:
    questions = (asked.data or {}).get("questions") or [{}]
    return list(questions[0].get("choices", ()))


def _told_of_choices(asked: Conflict, choices: list[dict[str, str]]) -> str:
    """The question, with the first of what there is to choose from."""
    if not choices:
        return asked.message
    question = asked.data["questions"][0]["text"] if asked.data else asked.message
    names = ", ".join(each["label"] for each in choices[:30])
    return f"{question} {names}{' and others.' if len(choices) > 30 else '.'}"


_BRIDGE = "https://bridge.simplefin.org/simplefin/create"


async def _draw_banks(visit: Visit, _typed: frame.TypedForm) -> Markup:
    records: tuple[connections.ConnectionRecord, ...] = await visit.perform(rows.LIST_CONNECTIONS)
    linked = settings_page.part(
        "linked",
        "Linked banks",
        settings_page.things([_bank(visit, each) for each in records], "No bank is linked yet."),
        lead="A bank that finplan asks by itself, or one whose statement files you bring in.",
    )
    return joined(linked, _linking(visit))


def _bank(visit: Visit, record: connections.ConnectionRecord) -> Markup:
    link = record.connection
    name = element("bdi", link.institution_name)
    if link.provider == "manual":
        return thing(name, ["by statement files"])
    age = figures.age(record.last_synced_at, datetime.now(UTC))
    facts: list[str | None] = [STATES[link.status].text, f"data of {age}"]
    told = [element("p", element("bdi", link.error), class_="alert")] if link.error else []
    acts = [_acting(visit, link.id, button("Fetch what is new", "sync-bank"))]
    if link.provider == "aggregator":
        acts.append(_reconnecting(visit, link.id))
    return thing(name, facts, *told, *acts)


def _acting(visit: Visit, connection_id: str, *content: Markup) -> Markup:
    return settings_page.form_about(visit, settings_page.BANKS, connection_id, *content)


def _reconnecting(visit: Visit, connection_id: str) -> Markup:
    at = f"token-{connection_id}"
    return settings_page.disclosed(
        "Sign in again …",
        f"at the bank {connection_id}",
        _acting(
            visit,
            connection_id,
            element("p", "A bank that was linked at Plaid's page:", class_="hint"),
            button("Open Plaid's page", "open-page", "main"),
        ),
        _acting(
            visit,
            connection_id,
            element("p", "A bank in Europe, through Enable Banking:", class_="hint"),
            button("Open the bank's page", OPEN_IN_EUROPE, "main"),
        ),
        _acting(
            visit,
            connection_id,
            element("label", "A new setup token of SimpleFIN", for_=at),
            element(
                "input", id=at, name="token", type="password", autocomplete="off", required=True
            ),
            button("Give it this access", "link-simplefin", "main"),
        ),
    )


def _linking(visit: Visit) -> Markup:
    simplefin = frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "Through the SimpleFIN Bridge"),
        element(
            "p",
            "Sign up at the bridge ($1.50 a month or $15 a year), add your banks there, and make a setup"
            " token: ",
            element("code", _BRIDGE),
            ".",
        ),
        frame.text_field(
            "token",
            "Setup token",
            hint="It is good for one use, and kept nowhere.",
            type="password",
            autocomplete="off",
            required=True,
        ),
        button("Link by this token", "link-simplefin", "main"),
    )
    plaid = frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "Through Plaid"),
        element(
            "p",
            "You sign in at your bank on a page of Plaid's. The machine's owner brings keys of their"
            " own; the handbook's page ",
            element("a", "Linked banks", href="/api/docs/banks"),
            " says how, and what Plaid may ask for it.",
        ),
        button("Open Plaid's page", "open-page", "main"),
    )
    return settings_page.part("link", "Link a bank", simplefin, plaid, _choosing_in_europe(visit))


async def _open_page(visit: Visit, typed: frame.TypedForm) -> web.Response:
    ask = connections.BankLinkRequest(bank="plaid", reconnect=_reconnection(typed))
    made: Made[connections.BankLink] = await visit.perform(rows.BEGIN_LINK, ask)
    return frame.see_other(way_to_link(made.answer.id))


async def _sync(visit: Visit, typed: frame.TypedForm) -> str:
    report: connections.SyncReport = await visit.perform(
        rows.SYNC_CONNECTION, connections.ConnectionId(id=typed.one("id"))
    )
    if report.error is not None:
        raise BankProviderError(report.error, "aggregator", "provider_error")
    return "synced"


BANKS_PAGE = settings_page.SettingsPage(
    settings_page.BANKS,
    _draw_banks,
    {
        "link-simplefin": partial(
            _link, field="token", missing="Paste the setup token that the bridge gave you."
        ),
        "open-page": _open_page,
        OPEN_IN_EUROPE: _open_page_in_europe,
        TAKE_ADDRESS: partial(
            _link, field="address", missing="Paste the address that your browser was led to."
        ),
        "sync-bank": _sync,
    },
    {
        "linked": "The bank is linked. Your plan follows once it is built.",
        "reconnected": "The bank goes on with its new access.",
        "synced": "What is new is here.",
    },
)


BANK_LED_BACK = CALLBACK

_LONGEST_VALUE = 4_000


async def take_link(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """Finish the link whose state the address has; it is of a page that this very person opened."""
    told = visit.request.rel_url.raw_query_string
    address = f"{visit.desk.site_url}{BANK_LED_BACK}?{told}"
    try:
        if len(address) > _LONGEST_VALUE:
            address = address.partition("?")[0]
        ask = connections.LinkRequest(provider="aggregator", public_token=address)
        made = await visit.perform(rows.LINK_CONNECTION, ask)
    except Fault as fault:
        response = frame.narrow_page("No bank was linked", visit=visit, fault=fault)
    else:
        linked = made.answer.connection
        response = frame.narrow_page(
            "Your bank is linked",
            frame.alert(linked.error),
            element("p", element("a", "Go on to your plan", href=frame.HOME)),
            lead=(f"{linked.institution_name} is read by itself from now on.",),
            visit=visit,
        )
    # The address of this page has the bank's code in it.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
