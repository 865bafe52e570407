"""A failure is one sentence on stderr, an exit code, and nothing on stdout."""

from pathlib import Path

import pytest

from finplan.cli.console import session
from finplan.cli.console.errors import NO_BANK_YET
from finplan.client import connect
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Ended, Run
from tests.cli.stub import Stub
from tests.patience import LONG_ENOUGH

BY_ENVELOPE = (
    (400, "BAD_REQUEST", 3),
    (413, "PAYLOAD_TOO_LARGE", 3),
    (415, "UNSUPPORTED_MEDIA_TYPE", 3),
    (422, "UNPROCESSABLE_CONTENT", 3),
    (404, "NOT_FOUND", 4),
    (409, "CONFLICT", 4),
    (401, "UNAUTHORIZED", 5),
    (403, "FORBIDDEN", 5),
    (421, "MISDIRECTED_REQUEST", 5),
    (500, "BANK_PROVIDER_ERROR", 6),
    (500, "NO_CONNECTIONS", 6),
    (500, "UNSUPPORTED_PROVIDER", 6),
    (500, "INTERNAL_SERVER_ERROR", 1),
    (507, "INSUFFICIENT_STORAGE", 1),
    (429, "TOO_MANY_REQUESTS", 1),
)


def assert_one_sentence(ended: Ended, code: int) -> None:
    assert ended.code == code
    assert ended.out == b""
    assert ended.err.startswith("finplan: ")
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("with_json", [True, False])
@pytest.mark.parametrize(("status", "code", "exit_code"), BY_ENVELOPE)
def test_an_error_of_the_daemon(
    finplan: Run, stub: Stub, status: int, code: str, exit_code: int, with_json: bool
) -> None:
    """Each error has its exit code; with --json as well it is a sentence and no envelope."""
    stub.refuse("GET", "/wealth", status, code, "What happened.\nWhat to do.")
    ended = finplan("wealth", *(["--json"] if with_json else []))
    assert_one_sentence(ended, exit_code)
    expected = NO_BANK_YET if code == "NO_CONNECTIONS" else "What happened. What to do."
    assert ended.err == f"finplan: {expected}\n"


def test_what_does_not_fit_is_named(finplan: Run, stub: Stub) -> None:
    """What the daemon refuses is told by the option as it was typed, and with what that takes."""
    issues = [{"message": "Input should be less than 60", "path": ["targetMonths"]}]
    stub.refuse(
        "PATCH", "/settings", 400, "BAD_REQUEST", "Input validation failed", {"issues": issues}
    )
    ended = finplan("settings", "set", "--fund-months", "7")
    assert_one_sentence(ended, 3)
    told = "--fund-months must be a number of months from 0 to 60, or `none`."
    assert ended.err == f"finplan: {told}\n"


@pytest.mark.parametrize(
    "line",
    [
        "settings set --fund-months 99",
        "settings set --currency dollars",
        "accounts set acc_a1k3f9x2m7q4w8r1t5v6y0z --balance much",
        "snapshot --income -5",
    ],
)
def test_bad_input_is_told_without_asking(finplan: Run, stub: Stub, line: str) -> None:
    """What cannot fit is refused here like the daemon would: exit code 3, one sentence."""
    account = made_up_bank.accounts()[0]
    stub.answer("GET", "/settings", made_up.household_settings().model_dump_json().encode())
    stub.answer("GET", f"/accounts/{account.account.id}", account.model_dump_json().encode())
    assert_one_sentence(finplan(*line.split()), 3)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "plan bild",
        "wealth --wide",
        "wealth extra",
        "spending --by payee",
        "spending --from yesterday",
        "spending --from 2025-13",
        "spending --to 2025-02-30",
        "transactions --limit 0",
        "transactions --limit many",
        "accounts show",
        "accounts set acc_1",
        "settings set",
        "settings set --budget 50/30/30",
        "settings set --fund-months some",
        "tasks answer tsk_1 dining --dismiss",
        "tasks answer",
        "rules list --source user --json",
        "import",
        "wealth --profile",
        "wealth --demo --profile other",
        "nosuch",
    ],
)
def test_a_usage_error(finplan: Run, line: str) -> None:
    """A command that cannot be meant is told from bad input: exit code 2, and where help is."""
    ended = finplan(*line.split())
    assert_one_sentence(ended, 2)


ACCOUNT = made_up_bank.accounts()[0].account.id


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import card.csv --currency euro", "--currency must be a code of three letters"),
        ("import card.csv --kind foo", "'foo' is not one of 'checking'"),
        ("spending --by monthz", "'monthz' is not one of 'category', 'merchant', 'month'"),
        ("settings set --fund-months 999", "--fund-months must be a number of months from 0 to 60"),
        (f"accounts set {ACCOUNT} --apr 2000", "--apr must be a yearly rate in percent, from 0 to"),
        (f"accounts set {ACCOUNT} --limit -5", "--limit must be an amount of 0 or more"),
        (f"accounts set {ACCOUNT} --name=", "NAME must be a name of 1 to 200 characters"),
        ("keys create ", "NAME must be a name of 1 to 200 characters"),
        (
            "invites create --email nonsense",
            "--email must be an e-mail address, like ada@example.org",
        ),
        ("me set --email a@b@c", "--email must be an e-mail address, like ada@example.org"),
        ("rules set  dining", "PAYEE must be a payee"),
        ("transactions --limit 0", "'--limit': it must be 1 or more"),
        ("transactions --limit many", "'--limit': it must be a whole number"),
    ],
)
def test_no_validator_speaks_to_people(
    finplan: Run, stub: Stub, tmp_path: Path, line: str, told: str
) -> None:
    """What does not fit is told by its option and with what it takes, never as a validator says it."""
    (tmp_path / "card.csv").write_text("Date,Amount\n")
    line = line.replace("card.csv", str(tmp_path / "card.csv"))
    record = made_up_bank.accounts()[0].model_dump_json(by_alias=True).encode()
    stub.answer("GET", f"/accounts/{ACCOUNT}", record)
    choices = ",".join(each.model_dump_json() for each in made_up.category_choices())
    stub.answer("GET", "/categories", f"[{choices}]".encode())
    ended = finplan(*line.split(" "))
    assert_one_sentence(ended, ended.code)
    assert ended.code in (2, 3)
    assert told in ended.err
    for raw in ("String should", "Input should", "Value error"):
        assert raw not in ended.err


def test_several_rules_are_named_in_good_english(finplan: Run, stub: Stub) -> None:
    """A name that fits several rules is told in the plural."""
    rules = [
        rule.model_copy(update={"payee_key": f"coffee {rule.id[4]}", "source": "user"})
        for rule in made_up.rules()[:2]
    ]
    content = ",".join(rule.model_dump_json(by_alias=True) for rule in rules)
    stub.answer("GET", "/categories/rules", f"[{content}]".encode())
    ended = finplan("rules", "remove", "coffee")
    assert "'coffee' could be 2 rules of yours: " in ended.err


def test_a_slip_of_the_finger_is_understood(finplan: Run) -> None:
    """A command or option that does not exist names the one with a similar name."""
    assert "'plan'" in finplan("paln").err
    assert "'build'" in finplan("plan", "biuld").err
    assert "--json" in finplan("wealth", "--jsn").err


def test_a_profile_that_cannot_be(finplan: Run) -> None:
    """A profile's name that cannot be a folder's is bad input."""
    assert_one_sentence(finplan("wealth", "--profile", "../elsewhere"), 3)


def test_an_unknown_id(finplan: Run, stub: Stub) -> None:
    """A name that means nothing is told with those that are near: exit code 4."""
    account = {
        "id": "acc_a1k3f9x2m7q4w8r1t5v6y0z",
        "connectionId": "con_1",
        "institutionName": "Bank",
        "name": "Checking",
        "mask": None,
        "kind": "depository",
        "subtype": None,
        "balance": 0,
        "creditLimit": None,
    }
    stub.answer("GET", "/accounts", [account])
    ended = finplan("accounts", "show", "chequing")
    assert_one_sentence(ended, 4)
    assert "'Checking'" in ended.err


def test_a_surprise_leaves_its_details_in_a_file(
    finplan: Run, stub: Stub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of finplan's own is one sentence that names the file with the traceback; exit code 1.

    Neither holds what a terminal obeys.
    """

    def stumble(_self: session.Session, _content: bytes) -> None:
        raise ValueError("surplus\x1b[31m\u202e")

    stub.answer("GET", "/wealth", b"{}")
    monkeypatch.setattr(session.Session, "print_raw", stumble)
    ended = finplan("wealth", "--json")
    assert_one_sentence(ended, 1)
    crash = home / "default" / "crash.log"
    assert str(crash) in ended.err
    assert "in stumble" in crash.read_text()
    assert (ended.err + crash.read_text()).replace("\n", "").isprintable()
    assert crash.stat().st_mode & 0o077 == 0


@pytest.mark.thorough
def test_no_daemon_can_be_reached(
    finplan: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A daemon that cannot start is told with what it said; exit code 7."""
    monkeypatch.setattr(connect, "WORTH_SAYING", LONG_ENOUGH)
    (home / "default").mkdir()
    (home / "default" / "finplan.db").write_bytes(b"this is no database at all")
    ended = finplan("wealth")
    assert_one_sentence(ended, 7)
