"""Deliveries that arrived at this machine, drawn: what each says, and whether it verifies."""

from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError
from rich.text import Text

from finplan.cli.showing.layout import page, wrapped
from finplan.model import figures
from finplan.model.automation.webhook import (
    BankReconnectRequiredEvent,
    BuiltPlan,
    DetectedRecurring,
    PlanBuiltEvent,
    RecurringDetectedEvent,
    WebhookEvent,
)
from finplan.webhooks.verifying import CheckedDelivery

VERIFIED = "verified by secret and key"
_INDENT = 10
_EVENTS: TypeAdapter[WebhookEvent] = TypeAdapter(WebhookEvent)


def draw_arrival(
    arrival: CheckedDelivery, currency: str, width: int, now: datetime | None = None
) -> Text:
    """A delivery as it arrived: when, what of, whether it verifies, and below what it says."""
    head = Text(f"{now or datetime.now():%H:%M:%S}  ", style="dim")  # noqa: DTZ005 - As clocks here show it.
    if not arrival.verified:
        head.append("not verified", style="bold red")
        faults = (
            ("By the secret:", arrival.fault_of_secret),
            ("By the key:", arrival.fault_of_key),
        )
        # Whoever sent it, what it says is not repeated.
        told = [f"{by} {fault}" if fault else f"{by} it verifies." for by, fault in faults]
    elif (event := _event(arrival.body)) is None:
        head.append(VERIFIED, style="green")
        told = ["It is an event that this version does not know."]
    else:
        head.append(f"{event.type}  ", style="bold").append(VERIFIED, style="green")
        told = [in_a_sentence(event, currency)]
    below = (line for each in told for line in wrapped(each, width, indent=_INDENT))
    return page([head, *below])


def facts_of(arrival: CheckedDelivery) -> dict[str, Any]:
    """A delivery as a program reads it; `body` is null where it does not verify."""
    from pydantic_core import from_json

    return {
        "id": arrival.id,
        "verified": arrival.verified,
        "faultOfSecret": arrival.fault_of_secret,
        "faultOfKey": arrival.fault_of_key,
        "body": from_json(arrival.body) if arrival.verified else None,
    }


def in_a_sentence(event: WebhookEvent, currency: str) -> str:
    """What an event says."""
    if isinstance(event, PlanBuiltEvent):
        return _plan(event.data, currency)
    if isinstance(event, RecurringDetectedEvent):
        return _recurring(event.data, currency)
    if isinstance(event, BankReconnectRequiredEvent):
        return f"{event.data.connection.institution_name} wants you to sign in again."
    return f"A test of the webhook {event.data.webhook_id}."


def _plan(plan: BuiltPlan, currency: str) -> str:
    income, spending, surplus, worth = (
        figures.money(each, currency)
        for each in (plan.income, plan.total_spend, plan.surplus, plan.net_worth)
    )
    return (
        f"A plan of {figures.long_date(plan.generated_on)} was built: income {income} a month,"
        f" spending {spending}, surplus {surplus}; net worth {worth};"
        f" {figures.count(len(plan.actions), 'action')}."
    )


def _recurring(found: DetectedRecurring, currency: str) -> str:
    charge = found.recurring
    if charge is None:
        return f"{figures.count(found.count, 'charge')} that come again were found at once."
    rhythm = charge.cadence.replace("_", " ")
    return f"{charge.name} comes again: {figures.money(charge.amount, currency)}, {rhythm}."


def _event(body: bytes) -> WebhookEvent | None:
    try:
        return _EVENTS.validate_json(body)
    except ValidationError:
        return None
