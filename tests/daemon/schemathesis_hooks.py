"""What schemathesis is told of the daemon that it judges; loaded by `SCHEMATHESIS_HOOKS`.

No check is changed but the one of server errors, which is in a file of its own.

The rest is about what is sent. JSON Schema cannot say which categories, payees and accounts a person
has, so the formats that name them get values that are there. And it cannot say what must fit together:
a first day before the last, in the same century, the least before the most, a cursor and its filters,
three shares that add up to 1, a kind of account and its subtype, a day in the past or to come, a file
and the account that it goes on with, the parts of a row, a new Idempotency-Key for a new question. Nor
can it say that an integer is written without a point, as money here always is: 5.0 is one to it.
"""

import json
import os
import uuid
from typing import Any
from urllib.parse import quote

import httpx
import schemathesis
from hypothesis import strategies as st

from finplan.model.transaction import TransactionQuery
from finplan.service.transactions import PagePosition, write_cursor
from tests.daemon.judged import RECEIVER
from tests.daemon.server_errors import server_errors_are_defined

STATEMENTS = (
    b"Date,Description,Amount\n2026-03-02,Blue Bottle Coffee,-4.50\n",
    b"Date,Description,Amount\n2026-03-02,Acme Payroll,2100.00\n2026-03-04,Rent,-900.00\n",
)

JUDGED = json.loads(os.environ["FINPLAN_JUDGED"])
HOUSEHOLD = JUDGED["household"]
API = httpx.Client(
    base_url=f"{JUDGED['url']}/api/v1",
    headers={"x-api-key": JUDGED["key"]},
    trust_env=False,
    # Other tests run beside it, and a household is synced and planned anew.
    timeout=60,
)


def listed(path: str) -> Any:
    """What the daemon lists at a path."""
    return API.get(path).raise_for_status().json()


def known(path: str, name: str) -> "st.SearchStrategy[str]":
    """One of the values that the things of a list have under a name, if there are any."""
    values = sorted({each[name] for each in listed(path)})
    return st.sampled_from(values) if values else st.nothing()


schemathesis.openapi.format("category", known("/categories", "category"))
schemathesis.openapi.format("payee", known("/categories/rules", "payeeKey"))
schemathesis.openapi.format(
    "label", st.from_regex(r"[A-Z][a-z]{2,12} [a-z0-9]{1,20}", fullmatch=True)
)
schemathesis.openapi.format(
    "tag", st.from_regex(r"#?[A-Za-z0-9][a-z0-9._/-]{0,29}", fullmatch=True)
)
# Of rows without tags there may be none, but nobody has to know of them.
schemathesis.openapi.format("tags", st.just("="))
schemathesis.openapi.format("time-zone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Tokyo"]))
schemathesis.openapi.format(
    "redirect-uri", st.sampled_from(["https://a.example.org/", "http://[::1]:80/b", "org.b.app:/c"])
)
schemathesis.openapi.format("encoding", st.sampled_from(["utf-8", "ascii", "cp1252"]))
schemathesis.openapi.format(
    "answers", st.sampled_from(["[]", '[{"file": 0, "about": "direction", "value": "in"}]'])
)
schemathesis.openapi.format("same-account", st.just("new"))
schemathesis.openapi.format("binary", st.sampled_from(STATEMENTS))
PAST = {"since": "2010-01-01", "asOf": "2020-06-30", "date": "2020-06-30"}
"""Days of an account, which lie in the past and in this order."""

UNFILTERED = TransactionQuery()
PAGES: dict[str, dict[str, Any]] = {
    write_cursor(PagePosition(pending=False, day=20260318, no=5), UNFILTERED): {},
    write_cursor(PagePosition(pending=True, day=20260318, no=9), UNFILTERED): {},
}
"""The cursors that are known, and the filters that each is a place in: here none, then as answered."""

schemathesis.openapi.format("cursor", st.sampled_from(list(PAGES)))


schemathesis.check(server_errors_are_defined)


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: dict[str, Any]) -> None:
    """Make what is sent fit together, where it is sent as something that is to be accepted."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if case.query:
        _fit_query(case.query)
        if case.operation.label == "GET /webhooks/{id}/deliveries":
            # The cursors that are known are those of transactions.
            case.query.pop("cursor", None)
    if isinstance(case.body, dict) and case.media_type == "application/json":
        _fit_body(case)


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    """The household that is unlinked is linked again, so that what follows still finds it.

    And a page's cursor is kept with the filters that it belongs to.
    """
    if case.operation.label == "GET /transactions" and response.status_code == 200:
        cursor = response.json()["nextCursor"]
        if cursor is not None:
            PAGES[cursor] = _filters(case.query or {})
    if (
        case.operation.label == "DELETE /connections/{id}"
        and response.status_code == 200
        and HOUSEHOLD
    ):
        API.post("/connections", json={"provider": "demo"}).raise_for_status()
        API.post("/plan").raise_for_status()


def _fit_body(case: Any) -> None:
    case.body = _without_points(case.body)
    if "webhooks" in case.operation.path and isinstance(case.body.get("url"), str):
        case.body["url"] = RECEIVER
    if case.operation.label == "PUT /transactions/{id}" and case.body.get("splits"):
        case.body = _fit_word(case.body, (case.path_parameters or {}).get("id"))
    if isinstance(case.body.get("subtype"), str):
        case.body |= {"kind": "depository", "subtype": "savings"}
    if case.operation.path.startswith("/accounts"):
        _fit_account(case.body, is_new=case.operation.label == "POST /accounts")
    if case.operation.path.startswith("/planned"):
        _fit_planned(case.body, is_new=case.operation.label == "POST /planned")
    if case.operation.path == "/plan/what-if":
        case.body["changes"] = [
            {"kind": "one_time", "amount": 1 + index}
            for index, _ in enumerate(case.body["changes"])
        ]
    if isinstance(case.body.get("budgetShares"), dict):
        case.body["budgetShares"] = {"essentials": 0.5, "discretionary": 0.3, "savings": 0.2}


def _without_points(sent: Any) -> Any:
    if isinstance(sent, dict):
        return {name: _without_points(value) for name, value in sent.items()}
    if isinstance(sent, list):
        return [_without_points(each) for each in sent]
    return int(sent) if isinstance(sent, float) and sent.is_integer() else sent


def _fit_word(word: dict[str, Any], row: Any) -> dict[str, Any]:
    """The parts of a row add up to it, and stand in place of one category."""
    found = API.get(f"/transactions/{quote(str(row), safe='')}")
    rest = {name: said for name, said in word.items() if name not in {"category", "splits"}}
    if found.status_code != 200 or not found.json()["amount"]:
        return rest | {"splits": None}
    amount, parts = found.json()["amount"], word["splits"]
    one = -1 if amount > 0 else 1
    sizes = [one] * (len(parts) - 1) + [amount - one * (len(parts) - 1)]
    fitted = [{**part, "amount": size} for part, size in zip(parts, sizes, strict=True)]
    return rest | {"splits": fitted}


def _fit_account(body: dict[str, Any], *, is_new: bool) -> None:
    """Days of an account lie in the past, and a new one may be the household's first."""
    for name, day in PAST.items():
        if isinstance(body.get(name), str):
            body[name] = day
    if is_new:
        body["currency"] = "USD"
    if isinstance(body.get("balance"), int):
        body["balance"] = abs(body["balance"])
    elif is_new:
        body.pop("asOf", None)


def _fit_planned(body: dict[str, Any], *, is_new: bool) -> None:
    """Planned money is of one month to come, on any cash account, and of a household with a currency."""
    for name in ("date", "until", "every", "accountId", "happened"):
        body.pop(name, None)
    if is_new or "month" in body:
        body["month"] = "2199-07"
    if is_new and not HOUSEHOLD:
        API.patch("/settings", json={"currency": "USD"}).raise_for_status()


def _fit_query(query: dict[str, Any]) -> None:
    since, until = query.get("from"), query.get("to")
    if isinstance(since, str) and isinstance(until, str) and since > until:
        since, until = until, since
        query["from"], query["to"] = since, until
    # A table has a hundred years at most, and what is left open ends today.
    if isinstance(since, str) and (not isinstance(until, str) or since[:2] != until[:2]):
        query["to"] = f"{since[:2]}99-12-31"
    elif isinstance(until, str) and not isinstance(since, str):
        query["from"] = f"{until[:4]}-01-01"
    least, most = query.get("minAmount"), query.get("maxAmount")
    if least is not None and most is not None and int(least) > int(most):
        query["minAmount"], query["maxAmount"] = most, least
    if query.get("account"):
        query["account"] = [each["id"] for each in listed("/accounts")]
    if query.get("cursor") in PAGES:
        filters = PAGES[query["cursor"]]
        for name in _filters(query):
            del query[name]
        query.update(filters)


def _filters(query: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if name not in ("cursor", "limit")}
