"""The page of every event that webhooks are told of."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from finplan.daemon.surfaces.openapi.description import examples
from finplan.model.webhook import EVENT_SHAPES
from tests.handbook.reference.markdown import code, kind_of, meaning_of_field, table

OPENING = """\
# Events

Every event that a webhook is told of, with its fields and an example. [Webhooks](../webhooks.md) \
tells how \
an address is registered, how a delivery is verified and when it is tried again.

Each delivery is a POST of JSON with `type`, `timestamp` and `data`. Amounts are whole numbers of \
minor units \
of the household's currency, instants within `data` are milliseconds since 1970.

"""


def example_of(kind: str) -> dict[str, Any]:
    """A delivery of a kind, of what the recorded examples of the interface hold."""
    return {"type": kind, "timestamp": "2026-03-18T12:00:00Z", "data": _data()[kind]}


def page_of_events() -> str:
    """The page."""
    return (OPENING + "".join(_told(shape) for shape in EVENT_SHAPES)).rstrip("\n") + "\n"


def _told(shape: Any) -> str:
    (kind,) = get_args(shape.model_fields["type"].annotation)
    meaning = " ".join((shape.__doc__ or "").split())
    fields = table(("field", "kind", "meaning"), _fields(shape))
    example = json.dumps(example_of(kind), indent=2, ensure_ascii=False)
    about = " ".join((shape.model_fields["data"].annotation.__doc__ or "").split())
    return f"## {kind}\n\n{meaning} {about}\n\n{fields}\n```json\n{example}\n```\n\n"


def _fields(shape: Any) -> Iterator[tuple[str, str, str]]:
    schema = shape.model_json_schema(by_alias=True, mode="serialization")
    properties: Mapping[str, Any] = schema["properties"]
    shapes: Mapping[str, Any] = schema["$defs"]
    yield code("type"), kind_of(properties["type"]), "What happened."
    yield code("timestamp"), "instant (ISO 8601)", meaning_of_field(properties["timestamp"])
    data = shapes[properties["data"]["$ref"].rpartition("/")[2]]
    yield from _inside("data", data, shapes)


def _inside(
    above: str, schema: Mapping[str, Any], shapes: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    for name, each in schema["properties"].items():
        yield code(f"{above}.{name}"), kind_of(each), meaning_of_field(each)
        for part in (each, *each.get("anyOf", ())):
            inner = shapes.get(part.get("$ref", "").rpartition("/")[2], {})
            if "properties" in inner:
                yield from _inside(f"{above}.{name}", inner, shapes)


def _data() -> Mapping[str, Any]:
    """What is told of each kind, out of what the demo household answered."""
    stored = examples()["show_plan"]["answer"]
    plan, charge = stored["plan"], stored["plan"]["recurring"][0]
    built = {
        "createdAt": stored["createdAt"],
        "generatedOn": plan["generatedOn"],
        **{name: plan["monthly"][name] for name in ("income", "totalSpend", "surplus")},
        "netWorth": plan["snapshot"]["netWorth"],
        "actions": [each["kind"] for each in plan["actions"]],
    }
    bank = {
        **examples()["list_connections"]["answer"][0]["connection"],
        "status": "login_required",
        "error": "The bank wants you to sign in again.",
    }
    return {
        "plan.built": built,
        "recurring.detected": {"recurring": charge, "count": 1},
        "bank.reconnect_required": {"connection": bank},
        "webhook.test": {"webhookId": "ID"},
    }
