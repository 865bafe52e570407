"""Linking a bank: by a token that a person made, or at a page of the bank's; and what came with it."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input, Static

from finplan.model import connection as connections
from finplan.model.base import Nothing
from finplan.operations.bank import BEGIN_LINK, LINK_CONNECTION, LIST_CONNECTIONS, SHOW_LINK
from finplan.tui.dialogs import ChoiceDialog, Dialog, TypedDialog
from finplan.tui.drawing import FAINT, styled
from finplan.tui.household import HouseholdApp, NotAnswered, warning
from finplan.views.banks import BANKS, describe_takeover

HINT = (
    "Link banks in the US and Canada through the SimpleFIN Bridge ($1.50 a month)."
    " Create a setup token at https://bridge.simplefin.org/simplefin/create and"
    " paste it here. Each token works once."
)
NOT_A_LINK = "UNSUPPORTED_PROVIDER"
"""What a daemon says of what is no token at all, so that it can be pasted once more."""
LONGEST_LIST = 40
"""How many banks are offered to choose from; of more, the person types a part of the name."""


BankQuestion = Mapping[str, Any]
"""What a bank has to know before its page opens, the country or which bank: a text and choices."""


async def link_bank(app: HouseholdApp, instead_of: connections.Connection | None = None) -> bool:
    """Link a bank, or give one a new access in the place of one that ended; whether one was linked."""
    asks, again = "Which provider?", None
    ways = {bank: what for bank, what in BANKS.items() if bank != "demo"}
    if instead_of is not None:
        asks = f"Reconnect {instead_of.institution_name} through which provider?"
        again = connections.Reconnection(connection_id=instead_of.id)
    way = await app.push_screen_wait(ChoiceDialog(asks, ways))
    if way is None:
        return False
    name = None
    with warning(app):
        before = await app.feed.ask(LIST_CONNECTIONS, Nothing())
        name = await (_by_token(app, again) if way == "simplefin" else _by_page(app, way, again))
    if name is None:
        return False
    app.say(f"Linked {name}. Check each account's kind; press k to change it.")
    with suppress(NotAnswered):
        after = await app.feed.ask(LIST_CONNECTIONS, Nothing())
        replaced = describe_takeover(before, after)
        if replaced is not None:
            app.say(replaced)
    return True


async def _by_token(app: HouseholdApp, again: connections.Reconnection | None) -> str | None:
    hint = HINT
    while True:
        dialog = TypedDialog("Link a bank", hint, reads=_token, placeholder="Setup token")
        token = await app.push_screen_wait(dialog)
        if token is None:
            return None
        try:
            return await _bring(app, token, again)
        except NotAnswered as refused:
            if refused.code != NOT_A_LINK:
                raise
            hint = refused.message


async def _by_page(
    app: HouseholdApp, bank: str, again: connections.Reconnection | None
) -> str | None:
    """Link at a page, once all that the bank has to know before is said. Raises NotAnswered."""
    institution: connections.Institution | None = None
    while True:
        ask = connections.BankLinkRequest(bank=bank, reconnect=again, institution=institution)
        try:
            link = await app.feed.ask(BEGIN_LINK, ask)
        except NotAnswered as refused:
            question = _question(refused)
            if question is None:
                raise
            institution = await _answered(app, question)
            if institution is None:
                return None
        else:
            return await _at_page(app, link)


async def _at_page(app: HouseholdApp, link: connections.BankLink) -> str | None:
    async def look() -> connections.BankLink:
        return await app.feed.ask(SHOW_LINK, connections.BankLinkId(id=link.id))

    # What Plaid's page comes to is told by Plaid; elsewhere the browser may be led to nowhere.
    dialog = BankPageDialog(link, look, brings=link.bank != "plaid")
    came = await app.push_screen_wait(dialog)
    if isinstance(came, str):
        return await _bring(app, came, None)
    if came is None:
        app.say("You can still sign in on that page. finplan then links the bank.")
        return None
    if came.connection is None:
        app.warn(came.error or "No bank was linked.")
        return None
    return came.connection.institution_name


async def _bring(app: HouseholdApp, token: str, again: connections.Reconnection | None) -> str:
    app.say("Linking the bank …")
    request = connections.LinkRequest(provider="aggregator", public_token=token, reconnect=again)
    record = await app.feed.ask(LINK_CONNECTION, request)
    return record.connection.institution_name


async def _answered(app: HouseholdApp, question: BankQuestion) -> connections.Institution | None:
    """The bank as far as the person has said which it is; None where they stop."""
    names = {choice["value"]: choice["label"] for choice in question["choices"]}
    if question["about"] != "country" and len(names) > LONGEST_LIST:
        country = next(iter(names)).partition("/")[0]
        dialog = TypedDialog(question["text"], "Type part of its name.", reads=str.strip)
        name = await app.push_screen_wait(dialog)
        return connections.Institution(id=f"{country}/{name}", name=name) if name else None
    chosen = await app.push_screen_wait(ChoiceDialog(question["text"], names))
    return None if chosen is None else connections.Institution(id=chosen, name=names[chosen])


def _question(refused: NotAnswered) -> BankQuestion | None:
    data = refused.data if isinstance(refused.data, dict) else {}
    return next(iter(data.get("questions", ())), None)


def _token(typed: str) -> str:
    """A token as it was made; pasting may have broken it over lines."""
    token = "".join(typed.split())
    if not token:
        raise ValueError("Paste the setup token, or press Esc to cancel.")
    return token


PAUSE_BETWEEN_LOOKS = 3.0
"""How often it is asked what came of the page, in seconds."""

Looks = Callable[[], Awaitable[connections.BankLink]]


class BankPageDialog(Dialog[connections.BankLink | str]):
    """Answers what a page came to, which `looks` asks, or the address that a person pastes.

    None where they wait no longer; the page stays open.
    """

    def __init__(self, link: connections.BankLink, looks: Looks, *, brings: bool) -> None:
        super().__init__("Sign in to your bank in the browser")
        self._link, self._looks, self._brings = link, looks, brings

    def compose_answers(self) -> ComposeResult:
        """The address of the page, and where it `brings` one, a line for the one that it led to."""
        yield Static(styled(self._link.url))
        if self._brings:
            yield Input(placeholder="If nothing happens here, paste the browser's address")
        yield Static(styled("Waiting for you to sign in …", FAINT), id="hint")

    def on_mount(self) -> None:
        """Open the page, and look what comes of it."""
        self.app.open_url(self._link.url)
        self.set_interval(PAUSE_BETWEEN_LOOKS, self._look)

    @on(Input.Submitted)
    def _bring(self, typed: Input.Submitted) -> None:
        if typed.value.strip():
            self.dismiss(typed.value.strip())

    @work(exclusive=True)
    async def _look(self) -> None:
        try:
            link = await self._looks()
        except NotAnswered as error:
            self.hint(error.message)
            return
        if link.status != "pending":
            self.dismiss(link)
