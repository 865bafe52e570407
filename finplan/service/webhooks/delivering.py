"""The book of deliveries that the courier works by: rows out, outcomes in, one transaction for both."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.service.credentials.audit import silence_one, silence_those_over
from finplan.service.webhooks.signing_secrets import open_secrets
from finplan.store.queries import deliveries
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.webhooks.courier import CLAIMED_FOR, Exchange, Letter, TriedLetter
from finplan.webhooks.retries import (
    LONGEST_PAUSE,
    LONGEST_RETRY_AFTER,
    failing_since,
    is_failing_for_good,
    next_attempt,
    put_off,
)

KEPT_FOR = 30 * 24 * 60 * 60 * 1000
"""How long a delivery is kept, in milliseconds; one that still waits is kept until it waits no more."""

GONE = "Its address answered that it wants nothing any more (410)."
FAILING = "Every delivery failed for five days."


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
        span = deliveries.DueSpan(
            now, now + 2 * self.claimed_for, now + LONGEST_PAUSE, now + LONGEST_RETRY_AFTER
        )

        def work(
            connection: Connection,
        ) -> tuple[Sequence[deliveries.Claimed], Sequence[RowMapping], int | None]:
            _record(connection, self.name, outcomes)
            deliveries.let_go(connection, self.name, [letter.no for letter in unsent])
            deliveries.give_up_abandoned(connection, span)
            claimed = deliveries.claim(connection, span, until, self.name, room_of)
            numbers = sorted({each.webhook_no for each in claimed})
            rows = deliveries.webhooks_of(connection, numbers) if numbers else ()
            return claimed, rows, deliveries.next_due(connection, span)

        claimed, rows, next_due = await self.store.write(work)
        if not claimed:
            return Exchange((), next_due)
        return Exchange(await self._letters(claimed, rows, now), next_due)

    async def still(self, letter: Letter) -> bool:
        """Whether a letter is this courier's, and its webhook enabled with its URL. Raises Fault."""
        found = await self.store.look_up(
            deliveries.STILL_TO_BE_SENT, letter.no, letter.id, self.name, letter.url
        )
        return found is not None

    async def _letters(
        self, claimed: Sequence[deliveries.Claimed], rows: Sequence[RowMapping], now: int
    ) -> Sequence[Letter]:
        try:
            sealer = await self.sealer()
        except BaseException:
            numbers = [each.no for each in claimed]
            await self.store.write(lambda c: deliveries.let_go(c, self.name, numbers))
            raise
        opened = {row["no"]: (row["url"], open_secrets(sealer, row, now)) for row in rows}
        return [
            Letter(
                each.no,
                each.id,
                each.webhook_no,
                opened[each.webhook_no][0],
                each.body.encode(),
                opened[each.webhook_no][1],
                each.attempts,
                now + self.claimed_for,
                each.former_status,
                each.former_next_attempt_at,
            )
            for each in claimed
        ]


def prune_deliveries(connection: Connection, now: int) -> None:
    """Forget ended deliveries older than thirty days and secrets that sign no more; end what is over."""
    silence_those_over(connection, now)
    deliveries.prune(connection, now - KEPT_FOR)
    deliveries.forget_former_secrets(connection, now)


def _record(connection: Connection, name: str, outcomes: Sequence[TriedLetter]) -> None:
    if not outcomes:
        return
    # A delivery that another courier took up, or that has ended meanwhile, says nothing any more, and
    # a webhook that was removed has taken its deliveries along.
    held = deliveries.held_by(connection, name, [outcome.letter.no for outcome in outcomes])
    counted = [outcome for outcome in outcomes if outcome.letter.no in held]
    numbers = sorted({outcome.letter.webhook_no for outcome in counted})
    found = {row["no"]: row for row in deliveries.webhooks_of(connection, numbers)}
    results = [_result(outcome, found[outcome.letter.webhook_no]) for outcome in counted]
    deliveries.record(connection, name, results)
    for no, row in found.items():
        its = [each for each in counted if each.letter.webhook_no == no and _is_there(each, row)]
        if its:
            _note_health(connection, row, its)


def _is_there(outcome: TriedLetter, webhook: RowMapping) -> bool:
    """Whether an attempt went to where the webhook is now."""
    return bool(outcome.letter.url == webhook["url"])


def _result(outcome: TriedLetter, webhook: RowMapping) -> Mapping[str, Any]:
    """What a delivery's row says after an attempt."""
    attempt, made = outcome.attempt, outcome.letter.attempts + 1
    is_there = _is_there(outcome, webhook)
    asked = attempt.retry_after if is_there else None
    due = None
    if attempt.arrived:
        status = "delivered"
    elif outcome.letter.former_status is not None:
        status, made, due = _as_it_was(outcome, asked)
    elif not is_there:
        # What its former address answered says nothing of the new one, where none of the ten was made.
        status, made, due = "pending", outcome.letter.attempts, outcome.ended
    else:
        due = next_attempt(made, outcome.ended, asked, outcome.luck)
        status = "failed" if due is None else "pending"
    is_over = (attempt.gone and is_there) or webhook["disabled_at"] is not None
    if status == "pending" and is_over:
        status, due = "failed", None
    return {
        "row": outcome.letter.no,
        "new_status": status,
        "made": made,
        "due": due,
        "put_off": due if asked is not None and due == put_off(outcome.ended, asked) else None,
        "answered": attempt.status,
        "failed_of": attempt.error,
        "arrived_at": outcome.ended if attempt.arrived else None,
    }


def _as_it_was(outcome: TriedLetter, retry_after: int | None) -> tuple[str, int, int]:
    """Status, attempts and next attempt after a try by hand that failed: it is none of the ten."""
    letter, asked = outcome.letter, put_off(outcome.ended, retry_after)
    assert letter.former_status is not None, "It was asked for."
    assert letter.former_next_attempt_at is not None, "It was noted with the status."
    return letter.former_status, letter.attempts, max(letter.former_next_attempt_at, asked)


def _note_health(
    connection: Connection, webhook: RowMapping, outcomes: Sequence[TriedLetter]
) -> None:
    """Note how a webhook fares, and disable one that is gone, or that has failed for too long."""
    before = {name: webhook[name] for name in deliveries.HEALTH}
    since, last, error = before.values()
    for outcome in outcomes:
        if outcome.attempt.arrived:
            since = last = error = None
        else:
            since = failing_since(since, last, outcome.ended)
            last, error = outcome.ended, outcome.attempt.error
    values = dict(zip(deliveries.HEALTH, (since, last, error), strict=True))
    if values != before:
        deliveries.change_webhook(connection, webhook["no"], values)
    if webhook["disabled_at"] is not None:
        return
    ended = outcomes[-1].ended
    if any(outcome.attempt.gone for outcome in outcomes):
        silence_one(connection, webhook, GONE, ended)
    elif since is not None and is_failing_for_good(since, ended):
        silence_one(connection, webhook, FAILING, ended)
