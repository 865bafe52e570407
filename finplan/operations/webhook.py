"""The rows of addresses that are told of what happens."""

from finplan.model import webhook as webhooks
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound, SecretsUnreachable
from finplan.operation import AnyOperation, Creates, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

WEBHOOKS = Family("Webhooks", "Webhooks and their deliveries.")

LIST_WEBHOOKS = Operation(WEBHOOKS, "list_webhooks", "GET", "/webhooks",
    Nothing, tuple[webhooks.Webhook, ...], "read",
    "List your webhooks; the newest comes first.",
    links=Links("/0/id", to=("show_webhook", "change_webhook", "list_deliveries")))
LIST_WEBHOOK_RECORDS = Operation(WEBHOOKS, "list_webhook_records", "GET", "/webhooks/records",
    Nothing, tuple[webhooks.WebhookRecord, ...], "read",
    "List your webhooks with the status of their deliveries.",
    links=Links("/0/webhook/id", to=("show_webhook", "change_webhook", "list_deliveries")))
CREATE_WEBHOOK = Operation(WEBHOOKS, "create_webhook", "POST", "/webhooks",
    webhooks.NewWebhook, webhooks.CreatedWebhook, "write",
    "Add a webhook; its signing secret is shown only once.", Creates(),
    faults=(Conflict, SecretsUnreachable),
    links=Links("/id", to=("show_webhook", "try_webhook", "remove_webhook")))
SHOW_WEBHOOK = Operation(WEBHOOKS, "show_webhook", "GET", "/webhooks/{id}",
    webhooks.WebhookId, webhooks.Webhook, "read",
    "Show one webhook.",
    faults=(NotFound,))
CHANGE_WEBHOOK = Operation(WEBHOOKS, "change_webhook", "PATCH", "/webhooks/{id}",
    webhooks.WebhookChange, webhooks.Webhook, "write",
    "Change, disable or enable a webhook.",
    faults=(NotFound,))
REMOVE_WEBHOOK = Operation(WEBHOOKS, "remove_webhook", "DELETE", "/webhooks/{id}",
    webhooks.WebhookId, webhooks.Webhook, "write",
    "Remove a webhook and its deliveries; pending deliveries are not sent.",
    faults=(NotFound,))
TRY_WEBHOOK = Operation(WEBHOOKS, "try_webhook", "POST", "/webhooks/{id}/test",
    webhooks.WebhookId, webhooks.WebhookDelivery, "write",
    "Send a test event to one webhook.", Creates(),
    faults=(NotFound, Conflict))
LIST_DELIVERIES = Operation(WEBHOOKS, "list_deliveries", "GET", "/webhooks/{id}/deliveries",
    webhooks.DeliveryQuery, webhooks.DeliveryPage, "read",
    "List the deliveries to one webhook in the last 30 days, in pages, newest first.",
    faults=(NotFound,))
RETRY_DELIVERY = Operation(WEBHOOKS, "retry_delivery", "POST",
    "/webhooks/{id}/deliveries/{deliveryId}/retry",
    webhooks.DeliveryId, webhooks.WebhookDelivery, "write",
    "Retry a delivery now.",
    faults=(NotFound, Conflict))
ROTATE_SECRET = Operation(WEBHOOKS, "rotate_secret", "POST", "/webhooks/{id}/secret",
    webhooks.WebhookId, webhooks.NewSecret, "write",
    "Rotate a webhook's signing secret; the previous secret also signs for one more day.",
    faults=(NotFound, SecretsUnreachable))

ROWS: tuple[AnyOperation, ...] = (
    LIST_WEBHOOKS, LIST_WEBHOOK_RECORDS, CREATE_WEBHOOK, SHOW_WEBHOOK, CHANGE_WEBHOOK,
    TRY_WEBHOOK, LIST_DELIVERIES, RETRY_DELIVERY, ROTATE_SECRET, REMOVE_WEBHOOK,
)
# fmt: on
