"""Linking a bank: where its token is made, the token, and what came with it."""

from finplan.model.connection import ConnectionRecord, LinkRequest, Reconnection
from finplan.operations.household import LINK_CONNECTION
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.feed import NotAnswered
from finplan.tui.household import HouseholdApp

HINT = (
    "finplan links banks of the US and Canada through the SimpleFIN Bridge, which has a small fee. Make"
    " a setup token at https://bridge.simplefin.org/simplefin/create and paste it here; it works once."
)


async def link_bank(app: HouseholdApp, instead_of: ConnectionRecord | None = None) -> bool:
    """Link a bank by a pasted token, in the place of an access that ended; whether one was linked."""
    asks = "Link a bank"
    again = None
    if instead_of is not None:
        asks = f"Link {instead_of.connection.institution_name} anew"
        again = Reconnection(connection_id=instead_of.connection.id)
    dialog = TypedDialog(asks, HINT, placeholder="Setup token", refuses=_refused)
    typed = await app.push_screen_wait(dialog)
    if typed is None:
        return False
    app.say("Linking the bank; its rows come next …")
    request = LinkRequest(provider="aggregator", public_token=_whole(typed), reconnect=again)
    try:
        record = await app.feed.ask(LINK_CONNECTION, request)
    except NotAnswered as refused:
        app.warn(refused.message)
        return False
    app.say(f"{record.connection.institution_name} is linked. What kind each account is: k.")
    return True


def _whole(typed: str) -> str:
    """A token as it was made; pasting may have broken it over lines."""
    return "".join(typed.split())


def _refused(typed: str) -> str | None:
    return None if _whole(typed) else "Paste the setup token, or leave with Escape."
