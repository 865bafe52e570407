"""Deliveries: those that a person sees, tries again or tests, and the book that the courier works by.

Rows go out of the book and outcomes come in, in one transaction for both.
"""

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model import webhook as webhooks
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.operation import Made
from finplan.service.context import Context
from finplan.service.credentials.audit import silence_one, silence_those_over
from finplan.service.ids import new_cursor, place_of_cursor
from finplan.service.outbox import send_test
from finplan.service.webhooks.webhooks import find, open_secrets
from finplan.store.queries import deliveries as table
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.store.writer import raise_on_commit
from finplan.webhooks import retries
from finplan.webhooks.courier import CLAIMED_FOR, Exchange, Letter, TriedLetter

_PLACE = re.compile("[0-9]{1,16}")


async def list_deliveries(context: Context, query: webhooks.DeliveryQuery) -> webhooks.DeliveryPage:
    """A page of the deliveries of one webhook, newest first. Raises NotFound."""
    before, owner = _read_cursor(query), context.caller.owner

    def read(connection: Connection) -> webhooks.DeliveryPage:
        webhook = find(connection, owner, query.id)
        rows = table.list_deliveries(connection, webhook["no"], before, query.limit + 1)
        listed = rows[: query.limit]
        has_more = len(rows) > query.limit
        return webhooks.DeliveryPage(
            deliveries=tuple(map(delivery_of, listed)),
            next_cursor=_write_cursor(listed[-1]["no"], query.id) if has_more else None,
        )

    return await context.store.read(read)


async def try_webhook(context: Context, ask: webhooks.WebhookId) -> Made[webhooks.WebhookDelivery]:
    """Send a test event to one webhook, whichever events it wants. Raises NotFound and Conflict."""
    owner, now = context.caller.owner, context.milliseconds()

    def write(connection: Connection) -> Made[webhooks.WebhookDelivery]:
        webhook = _require_enabled(find(connection, owner, ask.id))
        delivery = send_test(connection, owner, webhook["no"], ask.id, now)
        row = table.find_delivery(connection, webhook["no"], delivery)
        assert row is not None, "It was written just now."
        return Made(delivery_of(row), new=True)

    return await context.commit(write)


async def retry_delivery(context: Context, ask: webhooks.DeliveryId) -> webhooks.WebhookDelivery:
    """Let a delivery be tried at once, one that has failed for good too; failing, it is as it was.

    Raises NotFound, and Conflict for one that has arrived, is being sent this moment, or whose webhook
    is disabled.
    """
    owner, now = context.caller.owner, context.milliseconds()

    def write(connection: Connection) -> webhooks.WebhookDelivery:
        webhook = find(connection, owner, ask.id)
        row = table.find_delivery(connection, webhook["no"], ask.delivery_id)
        if row is None:
            raise NotFound(
                f"No delivery {ask.delivery_id} of this webhook in the last thirty days. List them:"
                f" `finplan webhooks deliveries {ask.id}`."
            )
        _require_enabled(webhook)
        if row["status"] == "delivered":
            raise Conflict("This delivery already arrived. It is not sent again.")
        if _is_being_sent(row, now):
            raise Conflict("This delivery is being sent now. Check the result in a minute.")
        table.try_again(connection, row["no"], now, _former(row, now))
        raise_on_commit(connection)
        again = table.find_delivery(connection, webhook["no"], ask.delivery_id)
        assert again is not None, "It was there just now."
        return delivery_of(again)

    return await context.commit(write)


def delivery_of(row: RowMapping) -> webhooks.WebhookDelivery:
    """A delivery as the interface shows it."""
    return webhooks.WebhookDelivery.of(row)


def _former(row: RowMapping, now: int) -> tuple[str, int] | None:
    """What a delivery is to be if the try fails; None where its schedule or an earlier wish says so."""
    waits = row["status"] == "pending"
    if waits and (row["former_status"] is not None or not row["attempts"]):
        return None
    due: int = row["next_attempt_at"]
    return None if waits and due <= now else (row["status"], due)


def _is_being_sent(row: RowMapping, now: int) -> bool:
    until = row["claimed_until"]
    # A claim that reaches further was made by a clock that has been set back since.
    return until is not None and now < until <= now + 2 * CLAIMED_FOR


def _require_enabled(webhook: RowMapping) -> RowMapping:
    if webhook["disabled_at"] is not None:
        raise Conflict(
            f"The webhook {webhook['id']} is disabled. Enable it: `finplan webhooks change"
            f" {webhook['id']} --enable`."
        )
    return webhook


def _write_cursor(no: int, webhook_id: str) -> str:
    return new_cursor(f"{no}", f"{no}.{webhook_id}")


def _read_cursor(query: webhooks.DeliveryQuery) -> int | None:
    if query.cursor is None:
        return None
    match = place_of_cursor(query.cursor, _PLACE)
    if match is None or _write_cursor(int(match[0]), query.id) != query.cursor:
        raise BadRequest(
            "This cursor is not from this webhook's deliveries. Start without a cursor."
        )
    return int(match[0])


KEPT_FOR = 30 * 24 * 60 * 60 * 1000
"""How long a delivery is kept, in milliseconds; one that still waits is kept until it waits no more."""

GONE = "The receiver no longer wants deliveries (410)."
FAILING = "All deliveries failed for five days."


@dataclass(slots=True)
class DeliveryBook:
    """Deliveries of one store, for one courier: what it claims goes by a name of its own."""

    store: Store
    sealer: Callable[[], Awaitable[Sealer]]
    claimed_for: int = CLAIMED_FOR
    name: str = field(default_factory=lambda: secrets.token_hex(8))

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,
    ) -> Exchange:
        """Record outcomes, let go of what was not sent, and claim what is due. Raises Fault."""
        until = now + self.claimed_for
        span = table.DueSpan(
            now,
            now + 2 * self.claimed_for,
            now + retries.LONGEST_PAUSE,
            now + retries.LONGEST_RETRY_AFTER,
        )

        def work(
            connection: Connection,
        ) -> tuple[Sequence[table.Claimed], Sequence[RowMapping], int | None]:
            _record(connection, self.name, outcomes)
            table.let_go(connection, self.name, [letter.no for letter in unsent])
            table.give_up_abandoned(connection, span)
            claimed = table.claim(connection, span, until, self.name, room_of)
            numbers = sorted({claim.webhook_no for claim in claimed})
            rows = table.webhooks_of(connection, numbers) if numbers else ()
            return claimed, rows, table.next_due(connection, span)

        claimed, rows, next_due = await self.store.write(work)
        if not claimed:
            return Exchange((), next_due)
        return Exchange(await self._letters(claimed, rows, now), next_due)

    async def still(self, letter: Letter) -> bool:
        """Whether a letter is this courier's, and its webhook enabled with its URL. Raises Fault."""
        row = await self.store.look_up(
            table.STILL_TO_BE_SENT, letter.no, letter.id, self.name, letter.url
        )
        return row is not None

    async def _letters(
        self, claimed: Sequence[table.Claimed], rows: Sequence[RowMapping], now: int
    ) -> Sequence[Letter]:
        try:
            sealer = await self.sealer()
        except BaseException:
            numbers = [claim.no for claim in claimed]
            await self.store.write(lambda c: table.let_go(c, self.name, numbers))
            raise
        opened = {row["no"]: (row["url"], open_secrets(sealer, row, now)) for row in rows}
        return [
            Letter(
                claim.no,
                claim.id,
                claim.webhook_no,
                opened[claim.webhook_no][0],
                claim.body.encode(),
                opened[claim.webhook_no][1],
                claim.attempts,
                now + self.claimed_for,
                claim.former_status,
                claim.former_next_attempt_at,
            )
            for claim in claimed
        ]


def prune_deliveries(connection: Connection, now: int) -> None:
    """Forget ended deliveries older than thirty days and secrets that sign no more; end what is over."""
    silence_those_over(connection, now)
    table.prune(connection, now - KEPT_FOR)
    table.forget_former_secrets(connection, now)


def _record(connection: Connection, name: str, outcomes: Sequence[TriedLetter]) -> None:
    if not outcomes:
        return
    # A delivery that another courier took up, or that has ended meanwhile, says nothing any more, and
    # a webhook that was removed has taken its deliveries along.
    ours = table.held_by(connection, name, [outcome.letter.no for outcome in outcomes])
    counted = [outcome for outcome in outcomes if outcome.letter.no in ours]
    numbers = sorted({outcome.letter.webhook_no for outcome in counted})
    hooks = {row["no"]: row for row in table.webhooks_of(connection, numbers)}
    results = [_result(outcome, hooks[outcome.letter.webhook_no]) for outcome in counted]
    table.record(connection, name, results)
    for no, row in hooks.items():
        its = [
            trial for trial in counted if trial.letter.webhook_no == no and _is_there(trial, row)
        ]
        if its:
            _note_health(connection, row, its)


def _is_there(outcome: TriedLetter, webhook: RowMapping) -> bool:
    """Whether an attempt went to where the webhook is now."""
    return bool(outcome.letter.url == webhook["url"])


def _result(outcome: TriedLetter, webhook: RowMapping) -> Mapping[str, Any]:
    """What a delivery's row says after an attempt."""
    attempt, attempts = outcome.attempt, outcome.letter.attempts + 1
    is_there = _is_there(outcome, webhook)
    retry_after = attempt.retry_after if is_there else None
    due = None
    if attempt.arrived:
        status = "delivered"
    elif outcome.letter.former_status is not None:
        status, attempts, due = _as_it_was(outcome, retry_after)
    elif not is_there:
        # What its former address answered says nothing of the new one, where none of the ten was made.
        status, attempts, due = "pending", outcome.letter.attempts, outcome.ended
    else:
        due = retries.next_attempt(attempts, outcome.ended, retry_after, outcome.luck)
        status = "failed" if due is None else "pending"
    is_over = (attempt.gone and is_there) or webhook["disabled_at"] is not None
    if status == "pending" and is_over:
        status, due = "failed", None
    return {
        "row": outcome.letter.no,
        "new_status": status,
        "made": attempts,
        "due": due,
        "put_off": due
        if retry_after is not None and due == retries.put_off(outcome.ended, retry_after)
        else None,
        "answered": attempt.status,
        "failed_of": attempt.error,
        "arrived_at": outcome.ended if attempt.arrived else None,
    }


def _as_it_was(outcome: TriedLetter, retry_after: int | None) -> tuple[str, int, int]:
    """Status, attempts and next attempt after a try by hand that failed: it is none of the ten."""
    letter, earliest = outcome.letter, retries.put_off(outcome.ended, retry_after)
    assert letter.former_status is not None, "It was asked for."
    assert letter.former_next_attempt_at is not None, "It was noted with the status."
    return letter.former_status, letter.attempts, max(letter.former_next_attempt_at, earliest)


def _note_health(
    connection: Connection, webhook: RowMapping, outcomes: Sequence[TriedLetter]
) -> None:
    """Note how a webhook fares, and disable one that is gone, or that has failed for too long."""
    before = {name: webhook[name] for name in table.HEALTH}
    since, last, error = before.values()
    for outcome in outcomes:
        if outcome.attempt.arrived:
            since = last = error = None
        else:
            since = retries.failing_since(since, last, outcome.ended)
            last, error = outcome.ended, outcome.attempt.error
    values = dict(zip(table.HEALTH, (since, last, error), strict=True))
    if values != before:
        table.change_webhook(connection, webhook["no"], values)
    if webhook["disabled_at"] is not None:
        return
    ended = outcomes[-1].ended
    if any(outcome.attempt.gone for outcome in outcomes):
        silence_one(connection, webhook, GONE, ended)
    elif since is not None and retries.is_failing_for_good(since, ended):
        silence_one(connection, webhook, FAILING, ended)
