"""After a relink the person is asked which account is which, and what is open is said."""

import io
import json
import sys
from datetime import UTC, datetime

import pytest

from finplan.cli.showing import banks
from finplan.model.connection import ConnectionState
from tests.cli import made_up_bank
from tests.cli.conftest import Draw, Run
from tests.cli.made_up_plan import NOON
from tests.cli.stub import Stub
from tests.golden_files import Golden

CONNECTION = "con_a1k3f9x2m7q4w8r1t5v6y0z"
NOW = datetime.fromtimestamp(NOON / 1000, UTC)


def side(account: str) -> dict[str, object]:
    return {
        "accountId": account,
        "accountName": "Savings",
        "institutionName": "Harbour",
        "counted": account.startswith("acc_old"),
        **dict.fromkeys(("transactionId", "date", "amount", "raw")),
    }


def question(former: str, listed: str) -> dict[str, object]:
    return {
        "id": f"dup_{former[-1]}{listed[-1]}k3f9x2m7q4w8r1t5v6y0z3b",
        "kind": "accounts",
        "status": "open",
        "currency": "USD",
        "kept": side(former),
        "other": side(listed),
        "why": "New ids.",
        "relinked": True,
    }


def account(no: str, balance: int) -> dict[str, object]:
    return {
        "id": no,
        "connectionId": CONNECTION,
        "institutionName": "Harbour",
        "name": "Savings",
        "mask": None,
        "kind": "depository",
        "subtype": "savings",
        "balance": balance,
        "creditLimit": None,
    }


ROW = {
    "id": "tx_1",
    "accountId": "acc_old1",
    "date": "2025-11-02",
    "amount": -2500,
    "currency": "USD",
    "payeeKey": "standing order",
    "payee": "Standing order",
    "raw": "STANDING ORDER",
    "category": "uncategorized",
    "line": "discretionary",
    "pending": False,
    "transferId": None,
    "note": None,
    "splits": None,
    "why": {"source": "auto", "ruleId": None, "confidence": None, "text": "Unknown."},
}
PAIRS = [
    question(former, listed)
    for former in ("acc_old1", "acc_old2")
    for listed in ("acc_new1", "acc_new2")
]


def answered(*left: int) -> tuple[int, bytes]:
    return 200, json.dumps([PAIRS[each] for each in left]).encode()


@pytest.fixture
def relinked(stub: Stub) -> Stub:
    """A bank that was linked anew, two accounts of which nobody can tell."""
    record = {
        "connection": {
            "id": CONNECTION,
            "userId": "usr_1",
            "provider": "aggregator",
            "institutionName": "Harbour",
            "status": "ok",
            "error": None,
        },
        "syncCursor": None,
        "lastSyncedAt": NOON,
    }
    stub.answer("POST", "/connections", record, 201)
    stub.answer("GET", "/connections", [record])
    accounts = [account(no, 5_000_00) for no in ("acc_old1", "acc_old2", "acc_new1", "acc_new2")]
    stub.answer("GET", "/accounts", accounts)
    stub.answer("GET", "/transactions", {"transactions": [ROW], "nextCursor": None, "total": None})
    for each in PAIRS:
        stub.answer("PUT", f"/duplicates/{each['id']}", {**each, "status": "same"})
    return stub


RELINK = ("connect", "simplefin", "--reconnect", CONNECTION)


def test_each_account_is_asked_about_until_none_is_open(
    finplan: Run, relinked: Stub, person: list[str], golden: Golden
) -> None:
    """Each with its balance and its newest rows; what an answer settles is not asked any more."""
    relinked.answers_to("GET", "/duplicates", [answered(0, 1, 2, 3)] * 2 + [answered(3)])
    person += ["a setup token", "7", "1", "2"]

    ended = finplan(*RELINK)

    assert ended.code == 0
    golden("relinked", ended.err)
    said = [each for each in relinked.asked if each.method == "PUT"]
    assert [(each.path.rpartition("/")[2], each.json["verdict"]) for each in said] == [
        (PAIRS[0]["id"], "same"),
        (PAIRS[3]["id"], "different"),
    ]


def test_a_question_may_stay_open(finplan: Run, relinked: Stub, person: list[str]) -> None:
    """Enter leaves everything as it is, and where it is asked again is said."""
    relinked.answers_to("GET", "/duplicates", [answered(0, 1, 2, 3)] * 2)
    person += ["a setup token", ""]

    ended = finplan(*RELINK)

    assert (ended.code, "`finplan duplicates`" in ended.err) == (0, True)
    assert not [each for each in relinked.asked if each.method == "PUT"]


def test_nobody_is_there_to_be_asked(
    finplan: Run, relinked: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script is told that something is open, and goes on."""
    relinked.answers_to("GET", "/duplicates", [answered(0)])
    monkeypatch.setattr(sys, "stdin", io.StringIO("a setup token\n"))
    ended = finplan(*RELINK)

    assert (ended.code, "of some nothing tells which is which" in ended.err) == (0, True)


def test_the_list_says_what_needs_the_person(draw: Draw, golden: Golden) -> None:
    """A consent that ends within a week, and accounts that nobody can tell, each with its way."""
    ends = int(datetime(NOW.year, NOW.month, NOW.day, 12, tzinfo=UTC).timestamp() * 1000)
    day = 24 * 3_600_000
    told: list[tuple[int | None, int]] = [(ends + 5 * day, 0), (ends, 1), (None, 2)]
    states = [
        ConnectionState(
            record=record,
            bank="enablebanking",
            access_ends_at=at,
            access_ending=at is not None,
            unsure_accounts=unsure,
            next_try_at=None,
        )
        for record, (at, unsure) in zip(made_up_bank.connections(), told, strict=False)
    ]
    golden("connections-needs", draw(banks.draw_states(states, NOW)))
