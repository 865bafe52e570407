"""Examples for the description: what each operation is asked, and answers, about the demo household."""

import json
import re
from collections.abc import Mapping
from typing import Any

from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.service.credentials.sessions import Browser, begin_session
from tests.daemon.let_in import claim_an_agent
from tests.daemon.running import NOW, RunningDaemon

SECRET_LINK = re.compile(r"^http://127\.0\.0\.1:\d+(/(?:open\?link|join\?invite)=)\w+$")

LONGEST_LIST = 2
"""How many items of a list an example shows."""

STATEMENT = b"""\
Date,Description,Amount (USD)
2026-03-02,Blue Bottle Coffee,-4.50
2026-03-03,Acme Payroll,2100.00
"""

STATEMENT_FORM = {"account": "Checking"}
"""What is said of the statement file, which is then remembered of its header."""

Asked = dict[str, Any]

DAYS = {"from": "2026-01-01", "to": "2026-02-28"}
OF_A_WEBHOOK = (
    "show_webhook",
    "change_webhook",
    "try_webhook",
    "list_deliveries",
    "rotate_secret",
    "remove_webhook",
)
FIRST = {
    "show_connection": ("id", "/connections", ("connection", "id")),
    "sync_connection": ("id", "/connections", ("connection", "id")),
    "show_unlinking": ("id", "/connections", ("connection", "id")),
    "unlink_connection": ("id", "/connections", ("connection", "id")),
    "undo_import": ("id", "/imports", ("id",)),
    "forget_import_profile": ("id", "/imports/profiles", ("id",)),
    "show_account": ("id", "/accounts", ("id",)),
    "change_account": ("id", "/accounts", ("id",)),
    "show_transaction": (
        "id",
        "/transactions?category=groceries&minAmount=4000&pending=false",
        ("id",),
    ),
    "change_transaction": (
        "id",
        "/transactions?category=groceries&minAmount=4000&pending=false",
        ("id",),
    ),
    "decide_transfer": ("id", "/transfers", ("id",)),
    "decide_recurring": ("id", "/recurring", ("id",)),
    "change_planned": ("id", "/planned", ("id",)),
    "remove_planned": ("id", "/planned", ("id",)),
    "answer_task": ("id", "/tasks", ("id",)),
    "undo_answer": ("id", "/tasks?status=answered", ("id",)),
    "run_job": ("name", "/jobs", ("name",)),
    "remove_rule": ("id", "/categories/rules", ("id",)),
    "revoke_key": ("id", "/keys", ("id",)),
    "end_session": ("id", "/sessions", ("id",)),
    "revoke_invite": ("id", "/invites", ("id",)),
    "revoke_client": ("id", "/clients", ("id",)),
    "revoke_agent": ("id", "/agents", ("id",)),
    **dict.fromkeys(OF_A_WEBHOOK, ("id", "/webhooks", ("id",))),
}
"""For an operation: the parameter that is the id of the first thing of a list, and where in it."""

OF_AN_OWN_ACCOUNT = ("list_balances", "set_balance", "remove_balance", "remove_account")
"""What is about an account that the person has added, so that they add one first."""

ASKED: Mapping[str, Asked] = {
    "change_me": {"body": {"name": "Ada Lovelace"}},
    "change_settings": {"body": {"targetMonths": 6}},
    "link_connection": {
        "body": {
            "provider": "demo",
            "publicToken": "public-demo",
            "institution": {"id": None, "name": "Demo Bank"},
            "reconnect": None,
        }
    },
    "sync_all": {"body": {}},
    "change_account": {"body": {"name": "Household checking"}},
    "add_account": {
        "body": {
            "name": "Home",
            "kind": "other",
            "subtype": "property",
            "balance": 41_000_000,
            "since": "2019-05-01",
        }
    },
    "set_balance": {"body": {"date": "2025-06-30", "balance": 39_000_000}},
    "remove_balance": {"parameters": {"date": "2025-06-30"}},
    "list_transactions": {"parameters": {**DAYS, "limit": 2, "total": True}},
    "export_transactions": {"parameters": {"format": "csv", **DAYS}},
    "query_spending": {"parameters": {**DAYS, "groupBy": "category"}},
    "query_spending_months": {"parameters": {**DAYS, "groupBy": "category"}},
    "list_transfers": {"parameters": {"status": ["paired"], "from": "2026-02-01"}},
    "change_transaction": {"body": {"note": "Sam pays her half back", "tags": ["flat", "sam"]}},
    "decide_transfer": {"body": {"verdict": "confirm"}},
    "list_recurring": {"parameters": {"kind": ["charge"], "active": True}},
    "decide_recurring": {"body": {"verdict": "confirm"}},
    "build_plan": {"body": {}},
    "start_build": {"body": {}},
    "stream_build": {"body": {}},
    "explain_plan": {"parameters": {"section": "emergencyFund"}},
    "set_income": {"body": {"monthly": 540000}},
    "show_forecast": {"parameters": {"days": 2}},
    "add_planned": {
        "body": {
            "name": "Summer trip",
            "amount": 200_000,
            "month": "2027-07",
            "category": "travel",
        }
    },
    "change_planned": {"body": {"month": "2027-08", "amount": 240_000}},
    "try_changes": {"body": {"changes": [{"kind": "one_time", "amount": 120_000}], "days": 30}},
    "list_tasks": {"parameters": {"status": "open"}},
    "answer_task": {"body": {"answer": "groceries"}},
    "create_category": {"body": {"name": "Bicycles", "line": "discretionary"}},
    "change_category": {"body": {"line": "essential"}},
    "remove_category": {"parameters": {"mergeInto": "shopping"}},
    "judge_suggestion": {"body": {"name": "Car costs", "dismissed": True}},
    "create_key": {"body": {"name": "Home dashboard", "scopes": ["service:read"]}},
    "set_password": {"body": {"password": "lantern maple orbit thimble"}},
    "create_invite": {"body": {"email": "grace@example.org"}},
    "create_webhook": {
        "body": {
            "url": "https://hooks.example.com/finplan",
            "events": ["plan.built", "bank.reconnect_required"],
        }
    },
    "change_webhook": {"body": {"description": "The flat's dashboard"}},
    "try_webhook": {"body": {}},
    "rotate_secret": {"body": {}},
    "create_client": {
        "body": {
            "name": "Home dashboard",
            "redirectUris": ["https://dashboard.example.org/callback"],
            "kind": "confidential",
            "scopes": ["service:read", "offline_access"],
        }
    },
}

WITHOUT_THE_DEMO = (
    "import_files",
    "list_imports",
    "undo_import",
    "list_import_profiles",
    "forget_import_profile",
)
"""Statement files never share a store with the demo household."""


WITHOUT_JSON = ("export_transactions", "stream_build")
"""What is answered piece by piece."""


SHOWN_KEY: Asked = {
    "answer": {
        "source": "file",
        "file": "/home/ada/.local/share/finplan/default/data_key.json",
        "since": 1788214980000,
        "unfinished": False,
        "trouble": None,
        "sealed": [{"kind": "bank_access", "count": 1, "closed": 0, "lost": []}],
    }
}
ROTATED_KEY: Asked = {"body": {}, "answer": {"since": 1788214980000, "sealed": 4, "closed": 0}}
"""Where a key is kept is different each time."""

LAST = (
    "change_transaction",
    "show_transaction",
    "undo_import",
    "unlink_connection",
    "link_connection",
    "delete_me",
)
"""What others ask about is gone after one of these, so they come last, in this order.

The household is linked anew in between, so that it is shown as new, and goes with the person.
"""


BROWSER = Browser(
    "127.0.0.1", "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0"
)

EARLY = ("create_key", "create_invite", "create_client", "create_webhook", "add_planned")
"""What others list."""


async def sign_in_a_browser(daemon: RunningDaemon) -> str:
    """Begin a session of the person's in a browser; answers its cookie."""
    owner, now = daemon.session.owner, int(NOW.timestamp() * 1000)
    return await daemon.store.write(lambda c: begin_session(c, owner, BROWSER, "by a link", now))


async def record(household: RunningDaemon, empty: RunningDaemon) -> dict[str, Asked]:
    """Ask every operation something that it can answer."""
    recorded = {
        "cancel_import": CANCELLED,
        "decide_duplicate": DECIDED,
        "retry_delivery": RETRIED,
        "begin_link": {"body": {"bank": "plaid"}, "answer": PAGE},
        "show_data_key": SHOWN_KEY,
        "rotate_data_key": ROTATED_KEY,
        "show_link": {"parameters": {"id": PAGE["id"]}, "answer": LINKED},
    }
    for row in sorted(OPERATIONS, key=_turn):
        if row.name == "list_sessions":
            await sign_in_a_browser(household)
        if row.name == "list_agents":
            await claim_an_agent(household)
        if row.name not in recorded:
            daemon = empty if row.name in WITHOUT_THE_DEMO else household
            recorded[row.name] = await _record(daemon, row, recorded)
    return {row.name: recorded[row.name] for row in OPERATIONS}


def _turn(row: AnyOperation) -> int:
    if row.name in EARLY:
        return -2
    return LAST.index(row.name) if row.name in LAST else -1


async def _record(daemon: RunningDaemon, row: AnyOperation, recorded: Mapping[str, Asked]) -> Asked:
    asked = dict(ASKED.get(row.name, {}))
    if row.name in ("set_rule", "set_rules"):
        rules = (await daemon.http.get("/api/v1/categories/rules")).json()
        rule = {"payeeKey": rules[0]["payeeKey"], "category": "groceries"}
        asked["body"] = rule if row.name == "set_rule" else {"rules": [rule]}
    if row.name in FIRST:
        parameter, path, steps = FIRST[row.name]
        listed = (await daemon.http.get(f"/api/v1{path}")).json()
        thing = (listed if isinstance(listed, list) else listed["transactions"])[0]
        if row.name == "change_transaction":
            asked["body"] = {**asked["body"], "splits": _parts_of(thing["amount"])}
        for step in steps:
            thing = thing[step]
        asked["parameters"] = {parameter: thing}
    if row.name == "show_build":
        asked["parameters"] = {"id": recorded["start_build"]["answer"]["id"]}
    if row.name in OF_AN_OWN_ACCOUNT:
        own = recorded["add_account"]["answer"]["account"]["id"]
        asked["parameters"] = {"id": own, **asked.get("parameters", {})}
    if row.path_names == ("category",):
        made = recorded["create_category"]["answer"]["category"]["category"]
        asked["parameters"] = {"category": made, **asked.get("parameters", {})}
    answer = await _ask(daemon, row, asked)
    if row.name not in WITHOUT_JSON:
        asked["answer"] = _shortened(answer)
    return asked


def _parts_of(amount: int) -> list[Asked]:
    """What a row is split into whose amount nobody knows beforehand."""
    flowers = {"amount": -1200, "category": "gifts_donations", "note": "Flowers"}
    return [{"amount": amount + 1200, "category": "groceries"}, flowers]


async def _ask(daemon: RunningDaemon, row: AnyOperation, asked: Asked) -> Any:
    parameters = dict(asked.get("parameters", {}))
    unknown = ", ".join(name for name in row.path_names if name not in parameters)
    assert not unknown, f"Say where the {unknown} of {row.name} comes from: in FIRST, or in ASKED."
    path = row.path.format(**{name: parameters.pop(name) for name in row.path_names})
    sent: dict[str, Any] = {"params": parameters}
    if row.name == "import_files":
        sent = {"files": {"file": ("march.csv", STATEMENT)}, "data": STATEMENT_FORM}
    elif "body" in asked:
        sent["json"] = asked["body"]
    answer = await daemon.http.request(row.method, f"/api/v1{path}", **sent)
    assert answer.is_success, (row.name, answer.text)
    return None if row.name in WITHOUT_JSON else answer.json()


def _shortened(answer: Any) -> Any:
    """An answer with the first items of each list, and without a secret that works anywhere."""
    if isinstance(answer, list):
        return [_shortened(each) for each in answer[:LONGEST_LIST]]
    if isinstance(answer, dict):
        return {name: _hidden(name, answer) or _shortened(value) for name, value in answer.items()}
    if isinstance(answer, str):
        return SECRET_LINK.sub(r"http://127.0.0.1:8460\1<SECRET>", answer)
    return answer


def _hidden(name: str, answer: Asked) -> str | None:
    """What stands for a secret of an answer; None for what is none."""
    if name == "key" and "prefix" in answer:
        return "<API_KEY>"
    if name == "secret" and answer.get("kind") == "confidential":
        return "<CLIENT_SECRET>"
    if name == "secret" and str(answer["secret"]).startswith("whsec_"):
        return "<SIGNING_SECRET>"
    return None


def _side(transaction: str) -> dict[str, Any]:
    return {
        "accountId": "acc_1f0d5c2b8a",
        "accountName": "Everyday Checking",
        "institutionName": "Demo household",
        "counted": True,
        "transactionId": transaction,
        "date": "2026-03-02",
        "amount": -1299,
        "raw": "STREAMFLIX 4029 CA",
    }


CANCELLED: Asked = {"parameters": {"id": "imp_3k9x2m7q"}, "answer": {}}
"""Nothing runs long enough here to be cancelled."""

RETRIED: Asked = {
    "parameters": {"id": "whk_7t2m4q9x", "deliveryId": "dlv_0c8r5w1z"},
    "body": {},
    "answer": {
        "id": "dlv_0c8r5w1z",
        "type": "plan.built",
        "status": "pending",
        "attempts": 10,
        "nextAttemptAt": 1773835200000,
        "lastStatus": 503,
        "lastError": "The receiver answered 503.",
        "createdAt": 1773561600000,
        "deliveredAt": None,
    },
}
"""Nothing is delivered here, so nothing has failed."""

PAGE: Asked = {
    "id": "lnk_5n8w2c6r",
    "bank": "plaid",
    "url": "https://secure.plaid.com/hl/n3k8s2m5q7x1",
    "expiresAt": 1773563400000,
    "status": "pending",
    "connection": None,
    "error": None,
}
LINKED: Asked = {
    **PAGE,
    "status": "linked",
    "connection": {
        "id": "con_2j6x0v8d",
        "userId": "usr_4t1p9y3k",
        "provider": "aggregator",
        "institutionName": "Harbour Bank",
        "status": "ok",
        "error": None,
    },
}
"""No bank is reached here whose page could be opened."""

DECIDED: Asked = {
    "parameters": {"id": "dup_4e1c0a9b7d"},
    "body": {"verdict": "different"},
    "answer": {
        "id": "dup_4e1c0a9b7d",
        "kind": "rows",
        "status": "different",
        "currency": "USD",
        "kept": _side("tx_8412"),
        "other": _side("tx_8413"),
        "why": "Same account, same day, same amount, same text.",
        "relinked": False,
    },
}
"""The demo household holds nothing twice."""


def write(recorded: Mapping[str, Asked]) -> str:
    """The examples as they are kept."""
    return json.dumps(recorded, indent=1, ensure_ascii=False) + "\n"
