"""The page of banks: how each fares, how it gets a new access, and how one is linked."""

from datetime import UTC, datetime

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, joined
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form, text_field
from finplan.daemon.surfaces.site.frame import see_other
from finplan.daemon.surfaces.site.settings import bank_in_europe
from finplan.daemon.surfaces.site.settings.bank_link import way_to_link
from finplan.daemon.surfaces.site.settings.settings_page import (
    BANKS,
    SettingsPage,
    disclosed,
    part,
    thing,
    things,
)
from finplan.model import figures
from finplan.model.connection import (
    BankLink,
    BankLinkRequest,
    ConnectionId,
    ConnectionRecord,
    LinkRequest,
    Reconnection,
    SyncReport,
)
from finplan.model.errors import BadRequest, BankProviderError
from finplan.operation import Made
from finplan.operations.bank import BEGIN_LINK, LINK_CONNECTION, LIST_CONNECTIONS, SYNC_CONNECTION

_STATES = {"ok": "ok", "login_required": "waits for you to sign in", "error": "in error"}
_BRIDGE = "https://bridge.simplefin.org/simplefin/create"


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
    records: tuple[ConnectionRecord, ...] = await visit.perform(LIST_CONNECTIONS)
    linked = part(
        "linked",
        "Linked banks",
        things([_bank(visit, each) for each in records], "No bank is linked yet."),
        lead="A bank that finplan asks by itself, or one whose statement files you bring in.",
    )
    return joined(linked, _linking(visit, typed))


def _bank(visit: Visit, record: ConnectionRecord) -> Markup:
    link = record.connection
    facts: list[str | None] = [_STATES[link.status], _age(record)]
    if link.provider == "manual":
        return thing(element("bdi", link.institution_name), ["by statement files"])
    name = element("bdi", link.institution_name)
    told = [element("p", element("bdi", link.error), class_="alert")] if link.error else []
    acts = [
        form(
            visit,
            BANKS,
            hidden("id", link.id),
            button("Fetch what is new", "sync-bank"),
            class_="confirm",
        )
    ]
    if link.provider == "aggregator":
        acts.append(_reconnecting(visit, link.id))
    return thing(name, facts, *told, *acts)


def _age(record: ConnectionRecord) -> str:
    if record.last_synced_at is None:
        return "never fetched"
    return f"data of {figures.age(record.last_synced_at, datetime.now(UTC))}"


def _reconnecting(visit: Visit, connection_id: str) -> Markup:
    return disclosed(
        "Sign in again …",
        f"at the bank {connection_id}",
        form(
            visit,
            BANKS,
            hidden("id", connection_id),
            element("p", "A bank that was linked at Plaid's page:", class_="hint"),
            button("Open Plaid's page", "open-page", "main"),
            class_="confirm",
        ),
        bank_in_europe.reconnecting(visit, connection_id),
        form(
            visit,
            BANKS,
            hidden("id", connection_id),
            element("label", "A new setup token of SimpleFIN", for_=f"token-{connection_id}"),
            element(
                "input",
                id=f"token-{connection_id}",
                name="token",
                type="password",
                autocomplete="off",
                required=True,
            ),
            button("Give it this access", "link-simplefin", "main"),
            class_="confirm",
        ),
    )


def _linking(visit: Visit, _typed: TypedForm) -> Markup:
    simplefin = form(
        visit,
        BANKS,
        element("h3", "Through the SimpleFIN Bridge"),
        element(
            "p",
            "Sign up at the bridge ($1.50 a month or $15 a year), add your banks there, and make a setup"
            " token: ",
            element("code", _BRIDGE),
            ".",
        ),
        text_field(
            "token",
            "Setup token",
            hint="It is good for one use, and kept nowhere.",
            type="password",
            autocomplete="off",
            required=True,
        ),
        button("Link by this token", "link-simplefin", "main"),
    )
    plaid = form(
        visit,
        BANKS,
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
    return part("link", "Link a bank", simplefin, plaid, bank_in_europe.choosing(visit))


async def _link_simplefin(visit: Visit, typed: TypedForm) -> str:
    token = "".join(typed.one("token").split())
    if not token:
        raise BadRequest("Paste the setup token that the bridge gave you.")
    of = typed.maybe("id")
    ask = LinkRequest(
        provider="aggregator",
        public_token=token,
        reconnect=None if of is None else Reconnection(connection_id=of),
    )
    made: Made[ConnectionRecord] = await visit.perform(LINK_CONNECTION, ask)
    return "linked" if made.new else "reconnected"


async def _open_page(visit: Visit, typed: TypedForm) -> web.Response:
    of = typed.maybe("id")
    reconnect = None if of is None else Reconnection(connection_id=of)
    ask = BankLinkRequest(bank="plaid", reconnect=reconnect)
    made: Made[BankLink] = await visit.perform(BEGIN_LINK, ask)
    return see_other(way_to_link(made.answer.id))


async def _sync(visit: Visit, typed: TypedForm) -> str:
    report: SyncReport = await visit.perform(SYNC_CONNECTION, ConnectionId(id=typed.one("id")))
    if report.error is not None:
        raise BankProviderError(report.error, "aggregator", "provider_error")
    return "synced"


PAGE = SettingsPage(
    BANKS,
    _draw,
    {
        "link-simplefin": _link_simplefin,
        "open-page": _open_page,
        bank_in_europe.OPEN: bank_in_europe.open_page,
        bank_in_europe.TAKE: bank_in_europe.take_address,
        "sync-bank": _sync,
    },
    {
        "linked": "The bank is linked. Your plan follows once it is built.",
        "reconnected": "The bank goes on with its new access.",
        "synced": "What is new is here.",
    },
)
