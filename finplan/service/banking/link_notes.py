"""What a look at a bank's page came to: noted with its link, in words that go on from there."""

from shlex import quote
from typing import Any

from sqlalchemy import RowMapping

from finplan.model.errors import BadRequest, BankProviderError, Conflict, Fault, NotFound
from finplan.service.banking.link_rows import connection_of_link
from finplan.service.context import Context
from finplan.store.queries import connections

UNASKED = 60_000
"""How often a page is looked at that no client asks for, in ms."""

LINGERS = 30 * 60_000
"""How long a page is looked at once it is closed, in ms: who has begun there may still finish."""


async def note_failure(context: Context, row: RowMapping, error: Fault) -> str:
    """Note why a look failed, and answer how that is told; what a new page alone mends ends the link."""
    said = await as_of_its_bank(context, row, error.message)
    values: dict[str, Any] = {"error": said}
    is_persons = isinstance(error, BankProviderError) and error.failure == "login_required"
    if is_persons or isinstance(error, Conflict | NotFound | BadRequest):
        values |= {"status": "failed", "is_over": 1}
    await note_look(context, row, values)
    return said


async def as_of_its_bank(context: Context, row: RowMapping, told: str) -> str:
    """What is told of a link; where it was to renew a connection, its command renews that one."""
    former = await context.store.read(lambda d: connection_of_link(d, row))
    if former is None:
        return told
    begin = f"`finplan connect {row['bank']}"
    renewing = f"{begin} --reconnect {quote(former['institution_name'])}`"
    return told.replace(f"{begin}`", renewing).replace(f"{begin} --reconnect NAME`", renewing)


async def note_look(context: Context, row: RowMapping, values: dict[str, Any]) -> None:
    """Note what a look came to, and give the link back; a page that is closed for long is over."""
    now = context.milliseconds()
    noted = {"busy_until": 0, "next_look_at": now + UNASKED, **values}
    if now >= row["expires_at"]:
        noted["status"] = "failed"
        noted["is_over"] = int(now >= row["expires_at"] + LINGERS or values.get("is_over", 0))
        noted["error"] = values.get("error") or await as_of_its_bank(
            context,
            row,
            "Nobody finished at the page while it was open, so nothing was linked. Begin again:"
            f" `finplan connect {row['bank']}`.",
        )
    await context.store.write(
        lambda d: connections.note_look_at_link(d, row["no"], row["busy_until"], noted)
    )
