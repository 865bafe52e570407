"""One account behind two links or files: which is which is asked, and what goes is said before.

After a relink what is open is said; a file of an account that is there already is asked about. What
a bank needs is told at any width.
"""

import io
import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from finplan.cli.console.errors import BANK
from finplan.cli.dialogs.bank_guides import SIMPLEFIN, plaid_guide, reflowed
from finplan.cli.dialogs.linking_in_europe import NEEDS
from finplan.model.connection import ConnectionState, UnlinkEffect
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, PLAID_SECRET_VARIABLE, load_settings
from finplan.views import banks
from finplan.views.imports import NOTHING_NEW
from tests.banks.fakes.enable_banking import application_key, pem
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Draw, Run
from tests.cli.made_up_plan import NOON
from tests.cli.stub import Stub
from tests.golden_files import Golden
from tests.service import one_truth
from tests.views.drawing import NOW, how

CONNECTION = "con_a1k3f9x2m7q4w8r1t5v6y0z"


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


@pytest.fixture
def relinked(stub: Stub) -> Stub:
    """A bank that was linked anew, two accounts of which nobody can tell."""
    record = {**RECORD, "lastSyncedAt": NOON}
    stub.answer("GET", "/settings", made_up.household_settings())
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

    assert (ended.code, "`finplan duplicates`" in ended.err) == (0, True)


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
    golden("connections-needs", draw(banks.states(states, how())))


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
    asked = [banks.ask_to_unlink(each, keep=False) for each in effects]
    asked.append(banks.ask_to_unlink(effects[0], keep=True))
    golden("unlink-questions", "\n".join(asked))


@pytest.mark.parametrize(("reply", "sent"), [("n", 0), ("", 0), ("y", 1)])
def test_it_asks_before(finplan: Run, stub: Stub, person: list[str], reply: str, sent: int) -> None:
    """Only a yes unlinks; with --yes nothing is asked, and --keep goes along."""
    stub.answer("GET", f"/connections/{CONNECTION}/unlinking", effect())
    stub.answer("DELETE", f"/connections/{CONNECTION}", RECORD)
    person += [reply]
    assert finplan("connections", "remove", CONNECTION).code == 0
    assert len(stub.requests("DELETE", f"/connections/{CONNECTION}")) == sent

    assert finplan("connections", "remove", CONNECTION, "--keep", "--yes").code == 0
    assert stub.requests("DELETE", f"/connections/{CONNECTION}")[-1].query == {"keep": ["true"]}


ROWS = one_truth.rows(30)


@pytest.fixture
def files(finplan: Run, tmp_path: Path) -> Iterator[list[str]]:
    """An OFX file that has been imported, and CSV files of the same account; the last lacks its pay."""
    ofx, csv, spent = (tmp_path / name for name in ("checking.ofx", "umsatz.csv", "spent.csv"))
    ofx.write_text(one_truth.ofx(ROWS))
    csv.write_text(one_truth.other_csv(ROWS[10:]))
    spent.write_text(one_truth.bank_csv([row for row in ROWS[10:] if row[1] < 0]))
    assert finplan("import", str(ofx), "--yes", "--quiet").code == 0
    yield [str(ofx), str(csv), str(spent)]
    finplan("daemon", "stop")


@pytest.mark.thorough
def test_nobody_to_ask(finplan: Run, files: list[str], golden: Golden) -> None:
    """With --yes nothing is imported, and each answer stands with its option, which can be pasted.

    What kind of account it is matters only where it is another one.
    """
    arguments = ("import", files[2], "--currency", "EUR", "--direction", "in", "--yes")
    refused = finplan(*arguments)
    assert (refused.code, refused.out) == (4, b"")
    golden("same-account-refused", re.sub(r"acc_[0-9a-z]+", "acc_ID", refused.err))
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1

    option = re.search(r"--same-account (acc_\w+)", refused.err)
    assert option is not None
    taken = finplan(*arguments, "--same-account", option[1])
    assert (taken.code, b"17 transactions: 0 new, 17 ambiguous" in taken.out) == (0, True)
    assert "Saved your answers." in taken.err
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1


def test_a_person_is_asked(
    finplan: Run, files: list[str], golden: Golden, person: list[str]
) -> None:
    """In a terminal the question says what was compared and what each answer means."""
    person += ["2", "y"]
    ended = finplan("import", files[1], "--currency", "EUR")
    assert ended.code == 0
    golden("same-account", ended.err.split("Imported ")[0])
    assert finplan("accounts", "--json").out.count(b'"mask"') == 2

    ids = re.sub(r"(dup|imp)_[0-9a-z]+", r"\1_ID", finplan("duplicates").out.decode())
    golden("same-account-twice", ids)


@pytest.mark.thorough
def test_an_answer_without_news_is_kept(finplan: Run, files: list[str], person: list[str]) -> None:
    """The next file of the same kind is not asked about, though the one that was brought nothing."""
    person += ["1", "y"]
    ended = finplan("import", files[1], "--currency", "EUR")
    assert ended.code == 0
    assert "Saved your answers." in ended.err
    assert "`finplan imports undo imp_" in ended.err
    later = one_truth.rows(10, ROWS[-1][0] + timedelta(2))
    Path(files[1]).write_text(one_truth.other_csv(later))
    again = finplan("import", files[1], "--yes")
    assert (again.code, b"10 transactions: 10 new" in again.out) == (0, True)
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1


@pytest.mark.thorough
def test_an_answer_that_is_not_kept(finplan: Run, files: list[str], person: list[str]) -> None:
    """A person who says no is asked about the file again."""
    person += ["1", "n"]
    assert finplan("import", files[1], "--currency", "EUR").code == 0
    assert finplan("import", files[1], "--currency", "EUR", "--yes").code == 4


@pytest.mark.thorough
def test_a_file_without_question_or_news(finplan: Run, files: list[str], person: list[str]) -> None:
    """There is nothing to keep where nothing was asked and no day or balance is new."""
    assert finplan("import", files[0]).err.endswith(f"{NOTHING_NEW}\n")
    assert person == []


@pytest.mark.thorough
def test_a_quiet_month_is_kept(finplan: Run, files: list[str], person: list[str]) -> None:
    """The days and the balance of a statement without a new row are kept, if the person says so."""
    quiet = f"{ROWS[0][0]:<DTSTART>%Y%m%d}{ROWS[-1][0] + timedelta(31):<DTEND>%Y%m%d}"
    statement = Path(files[0])
    statement.write_text(statement.read_text().replace("<BANKTRANLIST>", f"<BANKTRANLIST>{quiet}"))
    person += ["n"]
    assert "Saved" not in finplan("import", files[0]).err
    person += ["y"]
    assert "Saved the days that the file covers" in finplan("import", files[0]).err
    assert NOTHING_NEW in finplan("import", files[0]).err


REFUSAL = (500, "UNSUPPORTED_PROVIDER", "It lacks your own keys.")
GUIDES = {"plaid": plaid_guide(load_settings().places), "simplefin": SIMPLEFIN, "europe": NEEDS}
WHOLE = re.compile(r"https://\S+|`[^`]+`|\S*finplan\.toml")


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_told_at_any_width(name: str, width: int) -> None:
    """No word is lost, no line is longer than it must be, and what is to be copied stands on one."""
    guide = GUIDES[name]
    lines = list(reflowed(guide, width))
    assert " ".join(lines).split() == guide.split()
    for line in lines:
        is_one_word = len(WHOLE.sub("x", line).split()) == 1
        assert len(line) <= width or is_one_word or line.startswith(" " * 9), line
    for whole in WHOLE.findall(" ".join(guide.split())):
        assert any(whole in line for line in lines), whole


def test_steps_hang_and_typed_lines_stay() -> None:
    """A step goes on below its first word; what is to be typed, and what comes after it, begins anew."""
    guide = """\
First of all a word.
  1. Write it into the file:
         id = "…"
     and go on with it.
That is all."""
    assert list(reflowed(guide, 20)) == [
        "First of all a word.",
        "  1. Write it into",
        "     the file:",
        '         id = "…"',
        "     and go on with",
        "     it.",
        "That is all.",
    ]


@pytest.mark.parametrize("line", ["plaid", "enablebanking --country DE"])
def test_after_the_steps_nothing_else_is_to_be_asked(finplan: Run, stub: Stub, line: str) -> None:
    """Who reads the steps is led to them; with --quiet or --json the daemon's own sentence is told."""
    stub.answer("GET", "/connections", [])
    stub.refuse("POST", "/connections/link", *REFUSAL)
    for_reading = finplan("connect", *line.split())
    assert "is not set up on this machine yet. Missing: your " in for_reading.err
    assert "lacks your own keys" not in for_reading.err
    for quietly in ("--quiet", "--json"):
        told = finplan("connect", *line.split(), quietly)
        assert (told.code, "1. " in told.err) == (for_reading.code, False)
        assert "lacks your own keys" in told.err


@pytest.mark.parametrize(
    ("line", "identity", "secret", "named"),
    [
        (
            "plaid",
            ("FINPLAN_PLAID_CLIENT_ID", "5f8d0d55e3a1b2c3d4e5f607"),
            (PLAID_SECRET_VARIABLE, "0123456789abcdef0123456789abcd"),
            ("client id", "secret"),
        ),
        (
            "enablebanking --country DE",
            ("FINPLAN_ENABLEBANKING_APPLICATION_ID", "7d0c4a52-0000-4000-8000-656e61626c65"),
            (ENABLEBANKING_KEY_VARIABLE, pem(application_key())),
            ("application's id", "application's key"),
        ),
    ],
)
def test_what_is_missing_is_named(
    finplan: Run,
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    identity: tuple[str, str],
    secret: tuple[str, str],
    named: tuple[str, str],
) -> None:
    """Of two keys the one that is not here; with both, that the daemon has not read them yet."""
    stub.answer("GET", "/connections", [])
    stub.refuse("POST", "/connections/link", *REFUSAL)
    monkeypatch.setenv(*identity)
    told = finplan("connect", *line.split())
    assert f"Missing: your {named[1]}." in told.err
    monkeypatch.delenv(identity[0])
    monkeypatch.setenv(*secret)
    told = finplan("connect", *line.split())
    assert f"Missing: your {named[0]}." in told.err
    monkeypatch.setenv(*identity)
    told = finplan("connect", *line.split())
    assert (told.code, "1. " in told.err) == (BANK, False)
    assert "`finplan daemon stop`" in told.err
