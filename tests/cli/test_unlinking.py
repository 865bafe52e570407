"""Before a bank is unlinked it is said what goes with it, what stays, and how to keep all of it."""

import json

import pytest

from finplan.cli.showing.banks import unlink_question
from finplan.model.connection import UnlinkEffect
from tests.cli.conftest import Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

CONNECTION = "con_a1k3f9x2m7q4w8r1t5v6y0z"
RECORD = {
    "connection": {
        "id": CONNECTION,
        "userId": "usr_1",
        "provider": "aggregator",
        "institutionName": "Harbour",
        "status": "ok",
        "error": None,
    },
    "syncCursor": None,
    "lastSyncedAt": None,
}
GONE = {"count": 1_204, "from": "2025-03-01", "to": "2026-06-14"}
NONE = {"count": 0, "from": None, "to": None}
FILES = {"count": 14, "from": "2024-01-01", "to": "2025-02-28"}


def effect(**more: object) -> dict[str, object]:
    return {
        "record": RECORD,
        "accountsGone": ["Savings"],
        "rowsGone": GONE,
        "accountsKept": ["Checking"],
        "rowsKept": FILES,
        **more,
    }


def test_what_is_asked(golden: Golden) -> None:
    """Names of accounts, numbers of rows and their days, of what goes and of what stays."""
    manual = {**RECORD, "connection": {**RECORD["connection"], "provider": "manual"}}  # type: ignore[dict-item]
    told = [
        effect(),
        effect(accountsKept=[], rowsKept=NONE, accountsGone=["A", "B", "C"]),
        effect(accountsGone=[], rowsGone={"count": 1, "from": "2026-06-01", "to": "2026-06-01"}),
        effect(accountsGone=["A", "B", "C", "D", "E"], accountsKept=["F", "G"]),
        effect(accountsKept=[], rowsKept=NONE, record=manual),
    ]
    effects = [UnlinkEffect.model_validate_json(json.dumps(each)) for each in told]
    asked = [unlink_question(each, keep=False) for each in effects]
    asked.append(unlink_question(effects[0], keep=True))
    golden("unlink-questions", "\n".join(asked))


@pytest.mark.parametrize(("reply", "sent"), [("n", 0), ("", 0), ("y", 1)])
def test_it_is_asked_before(
    finplan: Run, stub: Stub, person: list[str], reply: str, sent: int
) -> None:
    """Only a yes unlinks; with --yes nothing is asked, and --keep goes along."""
    stub.answer("GET", f"/connections/{CONNECTION}/unlinking", effect())
    stub.answer("DELETE", f"/connections/{CONNECTION}", RECORD)
    person += [reply]
    assert finplan("connections", "remove", CONNECTION).code == 0
    assert len(stub.requests("DELETE", f"/connections/{CONNECTION}")) == sent

    assert finplan("connections", "remove", CONNECTION, "--keep", "--yes").code == 0
    last = stub.requests("DELETE", f"/connections/{CONNECTION}")[-1]
    assert last.query == {"keep": ["true"]}
