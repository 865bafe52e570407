"""What webhooks are told: a plan, a charge that comes again, a bank to reconnect.

Each event becomes one delivery for each webhook that wants to know of it, written in the transaction
of what it tells of.
"""

from collections import Counter
from datetime import UTC, datetime

from sqlalchemy import Connection

from finplan.model import webhook as webhooks
from finplan.model.connection import Connection as BankConnection
from finplan.model.plan import Plan, RecurringCharge
from finplan.service.ids import new_id
from finplan.store.queries import deliveries, plans
from finplan.store.writer import raise_on_commit


def emit(connection: Connection, owner: int, event: webhooks.WebhookEvent, now: int) -> None:
    """Let a person's webhooks be told of an event, once this transaction commits."""
    for no in _wanting(connection, owner, event.type):
        send_to(connection, owner, no, event, now)


def send_to(
    connection: Connection, owner: int, webhook_no: int, event: webhooks.WebhookEvent, now: int
) -> str:
    """Let one webhook be told of an event, whichever it wants; answers the id of the delivery."""
    delivery = new_id("dlv")
    values = {
        "id": delivery,
        "owner_no": owner,
        "webhook_no": webhook_no,
        "type": event.type,
        "body": event.model_dump_json(),
        "status": "pending",
        "attempts": 0,
        "next_attempt_at": now,
        "created_at": now,
    }
    deliveries.add_deliveries(connection, [values])
    raise_on_commit(connection)
    return delivery


def is_wanted(connection: Connection, owner: int, kind: str) -> bool:
    """Whether any webhook of a person that deliveries go to wants to know of a kind of event."""
    return bool(_wanting(connection, owner, kind))


def _wanting(connection: Connection, owner: int, kind: str) -> list[int]:
    listed = deliveries.enabled_webhooks(connection, owner)
    return [no for no, events in listed if kind in events.split()]


ONE_BY_ONE = 20
"""How many charges of one plan are told each by itself; of more, only how many they are."""


def tell_of_plan(connection: Connection, owner: int, plan: Plan, created_at: int, now: int) -> None:
    """A plan was built: tell of it, and of the charges in it that no earlier one had."""
    if is_wanted(connection, owner, "plan.built"):
        built = webhooks.BuiltPlan.of(
            plan.monthly,
            created_at=created_at,
            generated_on=plan.generated_on,
            net_worth=plan.snapshot.net_worth,
            actions=tuple(action.kind for action in plan.actions),
        )
        event = webhooks.PlanBuiltEvent(type="plan.built", timestamp=_moment(now), data=built)
        emit(connection, owner, event, now)
    if is_wanted(connection, owner, "recurring.detected"):
        _tell_of_recurring(connection, owner, plan, now)


def know_what_is_there(connection: Connection, owner: int) -> None:
    """Take the charges of the newest plan for known: who asks to be told from now on has seen them."""
    deliveries.forget_told_series(connection, owner)
    newest = plans.newest_plan(connection, owner)
    if newest is not None:
        plan = Plan.model_validate_json(newest.body)
        deliveries.tell_series(connection, owner, Counter(charge.name for charge in plan.recurring))


def tell_of_reconnecting(
    connection: Connection, owner: int, bank: BankConnection, now: int
) -> None:
    """A bank lets nothing be fetched until the person signs in there again."""
    event = webhooks.BankReconnectRequiredEvent(
        type="bank.reconnect_required",
        timestamp=_moment(now),
        data=webhooks.BankToReconnect(connection=bank),
    )
    emit(connection, owner, event, now)


def send_test(
    connection: Connection, owner: int, webhook_no: int, webhook_id: str, now: int
) -> str:
    """Send a test to one webhook; answers the id of the delivery."""
    event = webhooks.WebhookTestEvent(
        type="webhook.test",
        timestamp=_moment(now),
        data=webhooks.WebhookTried(webhook_id=webhook_id),
    )
    return send_to(connection, owner, webhook_no, event, now)


def _tell_of_recurring(connection: Connection, owner: int, plan: Plan, now: int) -> None:
    sent = deliveries.count_told_series(connection, owner)
    counts = Counter(charge.name for charge in plan.recurring)
    grown = {name: count for name, count in counts.items() if count > sent.get(name, 0)}
    fresh = [
        charge
        for name in grown
        for charge in _newest_charges(plan, name, grown[name] - sent.get(name, 0))
    ]
    deliveries.tell_series(connection, owner, grown)
    one_by_one = len(fresh) <= ONE_BY_ONE
    for charge in fresh if one_by_one else (None,):
        count = 1 if one_by_one else len(fresh)
        event = webhooks.RecurringDetectedEvent(
            type="recurring.detected",
            timestamp=_moment(now),
            data=webhooks.DetectedRecurring(recurring=charge, count=count),
        )
        emit(connection, owner, event, now)


def _newest_charges(plan: Plan, name: str, many: int) -> list[RecurringCharge]:
    """Of the charges of one name those that came least often: the others were told before."""
    same = [charge for charge in plan.recurring if charge.name == name]
    return sorted(same, key=lambda charge: charge.count)[:many]


def _moment(now: int) -> datetime:
    return datetime.fromtimestamp(now // 1000, UTC)
