"""Every resource of part 2 of the interface, field by field."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from finplan.model import account, category, connection, plan, snapshot, task, user, webhook
from tests.model import part2

RESOURCES: dict[str, tuple[Any, part2.Schema]] = {
    "User": (user.User, part2.USER),
    "Connection": (connection.Connection, part2.CONNECTION),
    "ConnectionRecord": (connection.ConnectionRecord, part2.CONNECTION_RECORD),
    "Account": (account.Account, part2.ACCOUNT),
    "SyncReport": (connection.SyncReport, part2.SYNC_REPORT),
    "StoredPlan": (plan.StoredPlan, part2.STORED_PLAN),
    "Plan": (plan.Plan, part2.PLAN),
    "CategorizePayee": (task.CategorizePayee, part2.CATEGORIZE_PAYEE),
    "ReconnectConnection": (task.ReconnectConnection, part2.RECONNECT_CONNECTION),
    "ConnectMissingAccount": (task.ConnectMissingAccount, part2.CONNECT_MISSING_ACCOUNT),
    "CategoryChoice": (category.CategoryChoice, part2.CATEGORY_CHOICE),
    "CreatedCategory": (category.CreatedCategory, part2.CREATED_CATEGORY),
    "CategoryRule": (category.CategoryRule, part2.CATEGORY_RULE),
    "RuleBatchResult": (category.RuleBatchResult, part2.RULE_BATCH_RESULT),
    "Webhook": (webhook.Webhook, part2.WEBHOOK),
    "WebhookDelivery": (webhook.WebhookDelivery, part2.WEBHOOK_DELIVERY),
    "Wealth": (snapshot.Wealth, part2.WEALTH),
    "Snapshot": (snapshot.Snapshot, part2.SNAPSHOT),
}


def _plain(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema without references, titles and other words, its patterns' spelling aside."""
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return {"anyOf": [_plain(each, definitions) for each in schema["anyOf"]]}
    if "enum" in schema or "const" in schema:
        return {"enum": schema.get("enum", [schema.get("const")])}
    if schema["type"] == "object":
        return {
            "required": sorted(schema["required"]),
            "additionalProperties": schema["additionalProperties"],
            "properties": {
                name: _plain(each, definitions) for name, each in schema["properties"].items()
            },
        }
    if schema["type"] == "array":
        return {"items": _plain(schema["items"], definitions)}
    is_date = schema.get("format") == "date" or schema == part2.DATE
    kind = "date" if is_date else schema["type"]
    return (kind, schema.get("minimum"), schema.get("maximum"))


@pytest.mark.parametrize("name", RESOURCES)
def test_the_shape_is_the_interfaces(name: str) -> None:
    """Each resource has the interface's fields, types, bounds and values, and no other."""
    shape, expected = RESOURCES[name]
    ours = TypeAdapter(shape).json_schema(mode="serialization")

    assert _plain(ours, ours.get("$defs", {})) == _plain(expected, {})


def test_a_suggestion_has_the_interfaces_fields() -> None:
    """CategorySuggestion narrows `theme` to the themes we know; all else is the interface's."""
    ours = TypeAdapter(category.CategorySuggestion).json_schema(mode="serialization")
    plain = _plain(ours, ours["$defs"])
    expected = _plain(part2.CATEGORY_SUGGESTION, {})
    plain["properties"]["theme"] = expected["properties"]["theme"]

    assert plain == expected
