"""What each row of the table is asked, by path, question or form, with one of Ada's things in it.

A thing stands by its kind: alone in a path, a query or a form, and in `<>` within a body.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from tests.daemon.authorization.household import API, HIS, Ids

ROWS = {row.name: row for row in OPERATIONS}


_KINDS = frozenset(
    {
        *("account", "agent", "agent task", "agent task that asks back", "agent that asks"),
        *(
            "answered task",
            "build",
            "category",
            "category name",
            "client",
            "claim attempt",
            "client let in",
        ),
        *("connection", "context", "delivery", "duplicate", "import", "invite", "job", "key"),
        *(
            "link",
            "payee",
            "planned",
            "profile",
            "recurring",
            "rule",
            "running import",
            "session",
            "task",
        ),
        *("transaction", "transfer", "webhook"),
    }
)
"""What of Ada's questions name."""


@dataclass(frozen=True)
class Asked:
    """What is sent, and the status that Bob is answered with all that he may do.

    `besides` is a kind of thing that the path names after the first.
    """

    status: int = 404
    path: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    form: Mapping[str, str] | None = None
    besides: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of Ada's things that it names."""
        alone = {*self.query.values(), *(self.form or {}).values(), self.path, self.besides}
        return kinds_named(self.body) | (_KINDS & alone)


BY_PATH: Mapping[str, tuple[Asked, ...]] = {
    "show_connection": (Asked(path="connection"),),
    "unlink_connection": (Asked(path="connection"),),
    "show_unlinking": (Asked(path="connection"),),
    "show_link": (Asked(path="link"),),
    "sync_connection": (Asked(path="connection"),),
    "undo_import": (Asked(path="import"),),
    "cancel_import": (Asked(path="running import"), Asked(path="import")),
    "forget_import_profile": (Asked(path="profile"),),
    "show_account": (Asked(path="account"),),
    "change_account": (Asked(path="account", body={"name": "Bob's", "hidden": True}),),
    "remove_account": (Asked(path="account"),),
    "list_balances": (Asked(path="account"),),
    "set_balance": (Asked(path="account", body={"date": "2025-06-30", "balance": 1}),),
    "remove_balance": (Asked(path="account"),),
    "change_planned": (Asked(path="planned", body={"name": "Bob's"}),),
    "remove_planned": (Asked(path="planned"),),
    "show_transaction": (Asked(path="transaction"),),
    "change_transaction": (Asked(path="transaction", body={"note": "Bob's"}),),
    "decide_transfer": (Asked(path="transfer", body={"verdict": "reject"}),),
    "decide_recurring": (Asked(path="recurring", body={"verdict": "dismiss"}),),
    "decide_duplicate": (Asked(path="duplicate", body={"verdict": "same"}),),
    "show_build": (Asked(path="build"),),
    "run_job": (Asked(path="job"),),
    "show_webhook": (Asked(path="webhook"),),
    "change_webhook": (Asked(path="webhook", body={"url": "https://bob.example.com/"}),),
    "try_webhook": (Asked(path="webhook"),),
    "list_deliveries": (Asked(path="webhook"),),
    "retry_delivery": (Asked(path="webhook", besides="delivery"),),
    "rotate_secret": (Asked(path="webhook"),),
    "remove_webhook": (Asked(path="webhook"),),
    "explain_plan": (Asked(path="category"),),
    "answer_task": (Asked(path="task", body={"dismiss": True}),),
    "undo_answer": (Asked(path="answered task"),),
    "change_category": (Asked(path="category", body={"line": "essential"}),),
    "remove_category": (Asked(path="category"),),
    "remove_rule": (Asked(path="rule"),),
    "revoke_key": (Asked(path="key"),),
    "end_session": (Asked(path="session"),),
    "revoke_invite": (Asked(path="invite"),),
    "revoke_client": (Asked(path="client"), Asked(path="client let in")),
    "revoke_agent": (Asked(path="agent"), Asked(path="agent that asks")),
}
"""Rows whose path names a thing."""

_BARBER, _FILE = "bobs barber", {"accountKind": "checking"}
_TRIP = {"name": "Trip", "amount": 200_000, "month": "2199-07"}
_TO_HERS = {"connectionId": "<connection>"}
_TOKEN = base64.b64encode(b"https://bridge.example/claim/1").decode()

BY_QUESTION: Mapping[str, tuple[Asked, ...]] = {
    "list_transactions": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
        Asked(400, query={"category": "category name"}),
        Asked(200, query={"text": "payee"}),
    ),
    "export_transactions": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
        Asked(200, query={"text": "payee"}),
    ),
    "query_spending": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
    ),
    "query_spending_months": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
    ),
    "link_connection": (
        Asked(body={"provider": "aggregator", "reconnect": _TO_HERS}),
        Asked(body={"provider": "aggregator", "publicToken": _TOKEN, "reconnect": _TO_HERS}),
    ),
    "begin_link": (Asked(body={"bank": "plaid", "reconnect": _TO_HERS}),),
    "change_transaction": (
        Asked(400, path="his transaction", body={"category": "<category>"}),
        Asked(
            400,
            path="his transaction",
            body={
                "splits": [
                    {"amount": -1000, "category": "<category>"},
                    {"amount": -1000, "category": "dining"},
                ]
            },
        ),
    ),
    "set_rule": (
        Asked(404, body={"payeeKey": "<payee>", "category": "groceries"}),
        Asked(400, body={"payeeKey": _BARBER, "category": "<category>"}),
    ),
    "set_rules": (
        Asked(200, body={"rules": [{"payeeKey": "<payee>", "category": "groceries"}]}),
        Asked(200, body={"rules": [{"payeeKey": _BARBER, "category": "<category>"}]}),
    ),
    "create_category": (
        Asked(400, body={"name": "Boats", "line": "essential", "payeeKeys": ["<payee>"]}),
    ),
    "try_changes": tuple(
        Asked(400, body={"changes": [{"kind": kind, "of": f"<{thing}>", "amount": 5}]})
        for kind, thing in (("cancel", "recurring"), ("balance", "account"))
    ),
    "add_planned": (
        Asked(400, body={**_TRIP, "accountId": "<account>"}),
        Asked(400, body={**_TRIP, "category": "<category>"}),
    ),
    "change_planned": (
        Asked(400, path="his planned", body={"accountId": "<account>"}),
        Asked(400, path="his planned", body={"category": "<category>"}),
    ),
    "remove_category": (Asked(400, path="his category", query={"mergeInto": "category"}),),
    "answer_task": (Asked(400, path="his task", body={"answer": "<category>"}),),
    "judge_suggestion": (Asked(404, body={"name": "<category name>", "dismissed": True}),),
    "import_files": (
        Asked(400, form={**_FILE, "account": "account"}),
        Asked(409, form={**_FILE, "sameAccount": "account"}),
    ),
    "retry_delivery": (Asked(path="his webhook", besides="delivery"),),
}
"""Rows whose question names things, with a thing of Bob's own where the path needs one."""

AS_IT_IS: Mapping[str, Asked] = {
    **{row.name: Asked(200) for row in OPERATIONS if row.method == "GET" and not row.path_names},
    "change_me": Asked(200, body={"name": "Bob"}),
    "change_settings": Asked(200, body={"targetMonths": 4}),
    "link_connection": Asked(
        201, body={"provider": "manual", "institution": {"id": None, "name": "Bank"}}
    ),
    "begin_link": Asked(500, body={"bank": "nobody"}),
    "add_account": Asked(201, body={"name": "Bob's boat", "kind": "other"}),
    "add_planned": Asked(201, body=_TRIP),
    "try_changes": Asked(200, body={"changes": []}),
    "sync_all": Asked(200, body={}),
    "import_files": Asked(200, form={**_FILE, "account": "Bobs account"}),
    "build_plan": Asked(200, body={}),
    "start_build": Asked(202, body={}),
    "stream_build": Asked(200, body={}),
    "create_webhook": Asked(
        201, body={"url": "https://hooks.example.com/bob", "events": ["plan.built"]}
    ),
    "set_income": Asked(200, body={"monthly": 100_000}),
    "create_key": Asked(201, body={"name": "Bob's"}),
    "create_client": Asked(
        201, body={"name": "Bob's", "redirectUris": ["https://bob.example.org/back"]}
    ),
    "set_password": Asked(403, body={"password": "bobs four words here"}),
    "create_sign_in_link": Asked(201),
    # Only the owner of the machine sees where its key is, makes it anew, and invites.
    "show_data_key": Asked(403),
    "rotate_data_key": Asked(403, body={}),
    "create_invite": Asked(403, body={"email": "carol@example.org"}),
    "delete_me": Asked(200),
}
"""Rows that name nothing, or that are also asked without naming anything."""


def cases() -> Iterator[tuple[AnyOperation, Asked]]:
    """Each row with each question: reading before anything is changed, and leaving at last."""
    for row in sorted(OPERATIONS, key=lambda row: (row.method != "GET", row.name == "delete_me")):
        for asked in (*BY_PATH.get(row.name, ()), *BY_QUESTION.get(row.name, ())):
            yield row, asked
        if row.name in AS_IT_IS:
            yield row, AS_IT_IS[row.name]


FREE_TEXTS = frozenset(
    {
        *("change_me.name", "change_me.email", "create_invite.email"),
        *("change_settings.currency", "change_settings.timeZone"),
        *("link_connection.provider", "link_connection.publicToken", "begin_link.bank"),
        *("link_connection.institution.id", "link_connection.institution.name"),
        *("begin_link.institution.id", "begin_link.institution.name"),
        *("import_files.digest", "import_files.currency", "import_files.encoding"),
        *("import_files.direction", "import_files.amountColumn"),
        *("import_files.answers.file", "import_files.answers.value"),
        *("change_account.name", "change_account.subtype"),
        *(
            "add_account.name",
            "add_account.subtype",
            "add_account.institutionName",
            "add_account.currency",
        ),
        "try_changes.changes.name",
        *("add_planned.name", "add_planned.month", "change_planned.name", "change_planned.month"),
        *("change_transaction.note", "change_transaction.splits.note", "change_transaction.tags"),
        *("list_transactions.tag", "export_transactions.tag"),
        *("query_spending.tag", "query_spending_months.tag"),
        *("list_transfers.status", "list_recurring.kind", "list_recurring.status"),
        *("list_duplicates.status", "create_category.name", "change_category.name"),
        *("create_webhook.url", "create_webhook.description"),
        *("change_webhook.url", "change_webhook.description"),
        *("create_key.name", "create_client.name", "create_client.redirectUris"),
        *("set_password.password", "set_password.current"),
        # What they hold is looked at in a test of its own.
        *("list_transactions.cursor", "list_deliveries.cursor", "import_files.id"),
    }
)
"""Texts of questions that name no thing."""


@dataclass(frozen=True)
class Request:
    """A question as it is sent."""

    method: str
    url: str
    parts: Mapping[str, Any]


def request_of(row: AnyOperation, asked: Asked, ids: Ids) -> Request:
    """A row's question with things of some ids."""
    path = row.path
    if asked.path:
        # A delivery is named after its webhook; a row that names one thing takes no notice of it.
        path = path.format(
            **{
                row.path_names[0]: ids[asked.path],
                "deliveryId": ids["delivery"],
                "date": "2025-06-30",
            }
        )
    parts: dict[str, Any] = {"params": {name: ids[kind] for name, kind in asked.query.items()}}
    if asked.form is not None:
        # Where the account is not named its rows tell that they may be those of his account.
        content = HIS if "account" in asked.form else HIS.replace("Payee", "Description")
        parts["files"] = {"file": ("b.csv", content)}
        parts["data"] = {name: ids.get(kind, kind) for name, kind in asked.form.items()}
    elif asked.body is not None:
        parts["json"] = with_ids(asked.body, ids)
    return Request(row.method, f"{API}{path}", parts)


# --- questions as JSON, with things in `<>` -------------------------------------------------------


def kinds_named(body: Any) -> frozenset[str]:
    """The kinds of Ada's things that stand in a body."""
    named = {part.partition(">")[0] for part in json.dumps(body).split("<")[1:]}
    return frozenset(named & _KINDS)


def with_ids(body: Any, ids: Ids) -> Any:
    """A body with things of some ids."""
    text = json.dumps(body)
    for kind, value in ids.items():
        text = text.replace(f"<{kind}>", value)
    return json.loads(text)


def named_in(body: Any, before: str = "") -> Iterator[str]:
    """The places in a body where a thing stands."""
    if isinstance(body, Mapping):
        for name, value in body.items():
            yield from named_in(value, f"{before}.{name}" if before else name)
    elif isinstance(body, list):
        for value in body:
            yield from named_in(value, before)
    elif isinstance(body, str) and body.startswith("<"):
        yield before


def texts_of(shape: type[BaseModel], before: str = "") -> Iterator[str]:
    """The places in a question that take a text, of whatever depth."""
    for name, told in shape.model_fields.items():
        place = f"{before}{told.alias or name}"
        if _has_a_text(told.annotation):
            yield place
        for inner in _shapes(told.annotation):
            yield from texts_of(inner, f"{place}.")


def _has_a_text(annotation: Any) -> bool:
    return annotation is str or any(map(_has_a_text, get_args(annotation)))


def _shapes(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation) if get_origin(annotation) is not None else ():
        yield from _shapes(inner)
