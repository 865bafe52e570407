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
from finplan.daemon.surfaces.pages.markup import Markup, button, element, join_markup
from finplan.daemon.surfaces.site import frame, settings_page
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model import connection as connections, figures
from finplan.model.errors import BadRequest, BankProviderError, Conflict, Fault
from finplan.operation import Made
from finplan.operations import bank as rows
from finplan.views.banks import STATES, has_own_accounts_alone

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
    has_failed = link.status == "failed"
    is_brought = link.bank in _BROUGHT
    waiting = (
        "This page checks every few seconds, and shows your bank after you sign in. The bank's page"
        f" expires on {visit.moment(link.expires_at)}."
    )
    response = settings_page.frame_page(
        visit,
        settings_page.BANKS,
        frame.alert(link.error),
        settings_page.part(
            "signing-in",
            "Sign in to your bank",
            element(
                "p",
                element(
                    "a",
                    "Open again" if has_failed else "Open page",
                    element("span", " (in a new tab)", class_="heard"),
                    href=link.url,
                    target="_blank",
                    rel="noopener noreferrer",
                    class_="button main",
                ),
            ),
            _bringing(visit) if is_brought else element("p", waiting, class_="soft"),
            element("p", element("a", "Back to connections", href=settings_page.BANKS)),
        ),
    )
    if not is_brought:
        # No script runs here, and a page that says so itself could not be left to be read.
        response.headers["Refresh"] = str(LOOKED_SELDOM if has_failed else LOOKED_EVERY)
    return response


def _bringing(visit: Visit) -> Markup:
    """The form for the address that a page leads to; nobody's typing is interrupted by looking anew."""
    return frame.form(
        visit,
        settings_page.BANKS,
        frame.text_field(
            "address",
            "Address from your browser",
            hint="If finplan does not show your bank after you sign in, paste the full address from the"
            " address bar here. This works even if the page at that address did not load.",
            autocomplete="off",
            maxlength=4_000,
            required=True,
        ),
        button("Link bank", TAKE_ADDRESS, "main"),
    )


OPEN_IN_EUROPE, TAKE_ADDRESS = "open-page-in-europe", "take-address"


def _choosing_in_europe(visit: Visit) -> Markup:
    return frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "Enable Banking (Europe)"),
        element(
            "p",
            "You sign in on your bank's own page. The owner of this machine must first register "
            "an application, which is free for your own accounts: see ",
            element("a", "Linked banks", href="/api/docs/banks"),
            " in the handbook.",
        ),
        frame.text_field(
            "country", "Country", hint="Two letters, such as DE.", maxlength=2, required=True
        ),
        frame.text_field("bank", "Bank", maxlength=200, required=True),
        button("Open bank", OPEN_IN_EUROPE, "main"),
    )


async def _open_page_in_europe(visit: Visit, typed: frame.TypedForm) -> web.Response:
    """Have the bank's page opened; a name that one bank alone has in its own is that bank."""
    country = (typed.maybe("country") or "").strip().upper()
    ask = connections.BankLinkRequest(
        bank="enablebanking",
        reconnect=_reconnection(typed),
        institution=_build_institution(country, (typed.maybe("bank") or "").strip()),
    )
    try:
        reply: Made[connections.BankLink] = await visit.perform(rows.BEGIN_LINK, ask)
    except Conflict as conflict:
        choices = _choices(conflict)
        meant = "" if ask.institution is None else ask.institution.name.casefold()
        if len(choices) != 1 or not meant or meant not in choices[0]["label"].casefold():
            raise BadRequest(_describe_choices(conflict, choices)) from None
        [only] = choices
        chosen = connections.Institution(id=only["value"], name=only["label"])
        reply = await visit.perform(rows.BEGIN_LINK, ask.model_copy(update={"institution": chosen}))
    return frame.see_other(way_to_link(reply.answer.id))


async def _link(visit: Visit, typed: frame.TypedForm, *, field: str, missing: str) -> str:
    """Link what a token is of, or an address that a bank's page led the browser to."""
    token = "".join(typed.one(field).split())
    if not token:
        raise BadRequest(missing)
    ask = connections.LinkRequest(
        provider="aggregator", public_token=token, reconnect=_reconnection(typed)
    )
    reply: Made[connections.ConnectionRecord] = await visit.perform(rows.LINK_CONNECTION, ask)
    return "linked" if reply.new else "reconnected"


def _reconnection(typed: frame.TypedForm) -> connections.Reconnection | None:
    of = typed.maybe("id")
    return None if of is None else connections.Reconnection(connection_id=of)


def _build_institution(country: str, bank: str) -> connections.Institution | None:
    return connections.Institution(id=country, name=bank or country) if country else None


def _choices(conflict: Conflict) -> list[dict[str, str]]:
    questions = (conflict.data or {}).get("questions") or [{}]
    return list(questions[0].get("choices", ()))


def _describe_choices(conflict: Conflict, choices: list[dict[str, str]]) -> str:
    """The question, with the first of what there is to choose from."""
    if not choices:
        return conflict.message
    question = conflict.data["questions"][0]["text"] if conflict.data else conflict.message
    names = ", ".join(choice["label"] for choice in choices[:30])
    return f"{question} {names}{' and others.' if len(choices) > 30 else '.'}"


_BRIDGE = "https://bridge.simplefin.org/simplefin/create"


async def _draw_banks(visit: Visit, _typed: frame.TypedForm) -> Markup:
    records: tuple[connections.ConnectionRecord, ...] = await visit.perform(rows.LIST_CONNECTIONS)
    linked = settings_page.part(
        "linked",
        "Connections",
        settings_page.things([_bank(visit, record) for record in records], "No connections yet."),
        lead="Banks that finplan syncs, and banks whose statements you import.",
    )
    return join_markup(linked, _linking(visit))


def _bank(visit: Visit, record: connections.ConnectionRecord) -> Markup:
    link = record.connection
    name = element("bdi", link.institution_name)
    if link.provider == "manual":
        by = "accounts that you added" if has_own_accounts_alone(record) else "statement files"
        return thing(name, [by])
    at = record.last_synced_at
    synced = "never synced" if at is None else f"synced {figures.age(at, datetime.now(UTC))}"
    facts: list[str | None] = [STATES[link.status].text, synced]
    alerts = [element("p", element("bdi", link.error), class_="alert")] if link.error else []
    acts = [_acting(visit, link.id, button("Sync", "sync-bank"))]
    if link.provider == "aggregator":
        acts.append(_reconnecting(visit, link.id))
    return thing(name, facts, *alerts, *acts)


def _acting(visit: Visit, connection_id: str, *content: Markup) -> Markup:
    return settings_page.form_about(visit, settings_page.BANKS, connection_id, *content)


def _reconnecting(visit: Visit, connection_id: str) -> Markup:
    at = f"token-{connection_id}"
    return settings_page.draw_disclosure(
        "Reconnect …",
        f"the connection {connection_id}",
        _acting(
            visit,
            connection_id,
            element("p", "Linked through Plaid:", class_="hint"),
            button("Open Plaid", "open-page", "main"),
        ),
        _acting(
            visit,
            connection_id,
            element("p", "Linked through Enable Banking (Europe):", class_="hint"),
            button("Open bank", OPEN_IN_EUROPE, "main"),
        ),
        _acting(
            visit,
            connection_id,
            element("label", "New SimpleFIN setup token", for_=at),
            element(
                "input", id=at, name="token", type="password", autocomplete="off", required=True
            ),
            button("Reconnect", "link-simplefin", "main"),
        ),
    )


def _linking(visit: Visit) -> Markup:
    simplefin = frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "SimpleFIN Bridge"),
        element(
            "p",
            "Sign up at the bridge ($1.50 a month or $15 a year), add your banks, and create a setup"
            " token: ",
            element("code", _BRIDGE),
            ".",
        ),
        frame.text_field(
            "token",
            "Setup token",
            hint="The token works once. finplan does not save it.",
            type="password",
            autocomplete="off",
            required=True,
        ),
        button("Link bank", "link-simplefin", "main"),
    )
    plaid = frame.form(
        visit,
        settings_page.BANKS,
        element("h3", "Plaid"),
        element(
            "p",
            "You sign in to your bank on Plaid's page. The owner of this machine needs Plaid keys,"
            " which may cost money: see ",
            element("a", "Linked banks", href="/api/docs/banks"),
            " in the handbook.",
        ),
        button("Open Plaid", "open-page", "main"),
    )
    return settings_page.part("link", "Link a bank", simplefin, plaid, _choosing_in_europe(visit))


async def _open_page(visit: Visit, typed: frame.TypedForm) -> web.Response:
    ask = connections.BankLinkRequest(bank="plaid", reconnect=_reconnection(typed))
    reply: Made[connections.BankLink] = await visit.perform(rows.BEGIN_LINK, ask)
    return frame.see_other(way_to_link(reply.answer.id))


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
            _link, field="token", missing="Paste the setup token from the SimpleFIN Bridge."
        ),
        "open-page": _open_page,
        OPEN_IN_EUROPE: _open_page_in_europe,
        TAKE_ADDRESS: partial(
            _link, field="address", missing="Paste the address from your browser's address bar."
        ),
        "sync-bank": _sync,
    },
    {
        "linked": "Bank linked. The next plan includes its transactions.",
        "reconnected": "Bank reconnected.",
        "synced": "Sync finished.",
    },
)


BANK_LED_BACK = CALLBACK

_LONGEST_VALUE = 4_000


async def take_link(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """Finish the link whose state the address has; it is of a page that this very person opened."""
    query = visit.request.rel_url.raw_query_string
    address = f"{visit.desk.site_url}{BANK_LED_BACK}?{query}"
    try:
        if len(address) > _LONGEST_VALUE:
            address = address.partition("?")[0]
        ask = connections.LinkRequest(provider="aggregator", public_token=address)
        reply = await visit.perform(rows.LINK_CONNECTION, ask)
    except Fault as fault:
        response = frame.narrow_page("No bank was linked", visit=visit, fault=fault)
    else:
        linked = reply.answer.connection
        response = frame.narrow_page(
            "Bank linked",
            frame.alert(linked.error),
            element("p", element("a", "Go to your plan", href=frame.HOME)),
            lead=(f"finplan now syncs {linked.institution_name} automatically.",),
            visit=visit,
        )
    # The address of this page has the bank's code in it.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
