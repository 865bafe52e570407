"""`finplan connect enablebanking`: which bank, its page, and the address that it led the browser to."""

import io
import json
import sys
from typing import Any

import pytest

from tests.cli import made_up_bank
from tests.cli.conftest import Run
from tests.cli.stub import Stub

LED = "https://localhost/connect/enablebanking?state=s&code=c"
RECORD = json.loads(made_up_bank.connections()[0].model_dump_json(by_alias=True))
PAGE: dict[str, Any] = {
    "id": "lnk_1",
    "bank": "enablebanking",
    "url": "https://tilisy.enablebanking.com/ais/start?sessionid=1",
    "expiresAt": 1_773_563_400_000,
    "status": "pending",
    "connection": None,
    "error": None,
}
BANKS = [("DE/Hafenbank", "Hafenbank"), ("DE/Hafenbank Nord", "Hafenbank Nord"), ("DE/Sol", "Sol")]


@pytest.fixture(autouse=True)
def nothing_linked(stub: Stub) -> None:
    """No bank is linked yet."""
    stub.answer("GET", "/connections", [])


def _question(about: str, *choices: tuple[str, str]) -> tuple[int, bytes]:
    listed = [{"value": value, "label": label} for value, label in choices]
    asked = {"about": about, "text": f"Which {about}?", "choices": listed}
    told = {"defined": True, "code": "CONFLICT", "status": 409, "message": "Which one?"}
    return 409, json.dumps(told | {"data": {"questions": [asked]}}).encode()


def _page(**more: Any) -> tuple[int, bytes]:
    return 201, json.dumps(PAGE | more).encode()


def _stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def _institutions(stub: Stub) -> list[Any]:
    return [each.json["institution"] for each in stub.requests("POST", "/connections/link")]


def test_a_person_is_asked_for_what_is_open(finplan: Run, stub: Stub, person: list[str]) -> None:
    """Country and bank, by a part of its name that one has alone, then the address."""
    answers = [
        _question("country", ("DE", "Germany (DE)"), ("SE", "Sweden (SE)")),
        _question("institution", *BANKS),
    ]
    stub.answers_to("POST", "/connections/link", [*answers, _page()])
    stub.answer("POST", "/connections", RECORD, 201)
    person += ["de", "hafen", "nothing", "nord", f" {LED[:30]} {LED[30:]}\n"]
    ended = finplan("connect", "enablebanking")

    assert (ended.code, person) == (0, [])
    assert _institutions(stub) == [
        None,
        {"id": "DE", "name": "DE"},
        {"id": "DE/Hafenbank Nord", "name": "Hafenbank Nord"},
    ]
    assert PAGE["url"] in ended.err
    [linked] = stub.requests("POST", "/connections")
    assert linked.json["publicToken"] == LED
    assert RECORD["connection"]["institutionName"] in ended.out.decode()


@pytest.mark.parametrize("slip", ["nonsense", "https://localhost/", "state=x&code=y"])
def test_what_is_no_address_is_asked_for_again(
    finplan: Run, stub: Stub, person: list[str], slip: str
) -> None:
    """A slip in copying sends nothing and ends nothing: the bank's page is still waited for."""
    stub.answers_to("POST", "/connections/link", [_page()])
    stub.answer("POST", "/connections", RECORD, 201)
    person += [slip, LED]
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Hafenbank")
    assert (ended.code, person) == (0, [])
    assert "no address that the bank's page led to" in ended.err
    assert [each.json["publicToken"] for each in stub.requests("POST", "/connections")] == [LED]


def test_a_bank_that_is_named_is_asked_for_no_more(
    finplan: Run, stub: Stub, person: list[str]
) -> None:
    """Where one alone has the name in it, and the page of finplan's own needs no address."""
    answers = [_question("institution", BANKS[1]), _page()]
    stub.answers_to("POST", "/connections/link", answers)
    shown = [PAGE, PAGE | {"status": "linked", "connection": RECORD["connection"]}]
    stub.answers_to(
        "GET", "/connections/link", [(200, json.dumps(each).encode()) for each in shown]
    )
    stub.answer("GET", f"/connections/{RECORD['connection']['id']}", RECORD)
    person += ["", ""]
    ended = finplan("connect", "enablebanking", "--country", "de", "--bank", "nord")

    assert ended.code == 0
    assert _institutions(stub)[-1] == {"id": "DE/Hafenbank Nord", "name": "Hafenbank Nord"}
    assert stub.requests("POST", "/connections") == []


def test_without_a_terminal_it_takes_two_runs(
    finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first says where the page is, the second takes the address on stdin."""
    stub.answers_to("POST", "/connections/link", [_page()])
    stub.answer("POST", "/connections", RECORD, 201)
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Hafenbank")
    assert (ended.code, ended.out) == (0, f"{PAGE['url']}\n".encode())
    assert "on stdin" in ended.err
    _stdin(monkeypatch, f"{LED}\n")
    assert finplan("connect", "enablebanking").code == 0
    assert stub.requests("POST", "/connections")[0].json["publicToken"] == LED
    _stdin(monkeypatch, "\n")
    empty = finplan("connect", "enablebanking")
    assert (empty.code, "No address came in" in empty.err) == (2, True)


def test_nobody_to_ask_is_told_the_choices(finplan: Run, stub: Stub) -> None:
    """With the option that answers; a bank without its country is no question."""
    stub.answers_to("POST", "/connections/link", [_question("institution", *BANKS)])
    ended = finplan("connect", "enablebanking", "--country", "DE")
    assert ended.code == 4
    stub.answers_to("POST", "/connections/link", [_question("institution", BANKS[2])])
    other = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Sparkasse")
    assert (other.code, "`--bank`: Sol." in other.err) == (4, True)
    assert "`--bank`: Hafenbank, Hafenbank Nord, Sol." in ended.err
    alone = finplan("connect", "enablebanking", "--bank", "Sol")
    assert (alone.code, "--country DE" in alone.err) == (2, True)


def test_what_it_needs_is_said(finplan: Run, stub: Stub) -> None:
    """Where to sign up, which redirect address, and where id and key belong."""
    stub.refuse("POST", "/connections/link", 500, "UNSUPPORTED_PROVIDER", "Not set up.")
    ended = finplan("connect", "enablebanking", "--country", "DE")
    assert ended.code != 0
    for told in (
        "https://enablebanking.com/cp/applications",
        "https://localhost/connect/enablebanking",
        "enablebanking.pem",
        "enablebanking_application_id",
        "restricted mode",
    ):
        assert told in ended.err


def test_with_json_what_is_open_is_the_answer(finplan: Run, stub: Stub) -> None:
    """A program reads the countries, and then the banks, that there are to choose from."""
    for about, choices, more in (
        ("country", [("DE", "Germany (DE)")], ("--country", "ZZ")),
        ("institution", BANKS, ("--country", "DE")),
    ):
        stub.answers_to("POST", "/connections/link", [_question(about, *choices)])
        ended = finplan("connect", "enablebanking", "--json", *more)
        assert ended.err == "finplan: Which one?\n"
        [asked] = json.loads(ended.out)["data"]["questions"]
        assert (ended.code, asked["about"]) == (4, about)
        assert [(each["value"], each["label"]) for each in asked["choices"]] == choices


def test_with_json_the_page_is_the_answer(finplan: Run, stub: Stub) -> None:
    """As the interface gives it."""
    stub.answers_to("POST", "/connections/link", [_page()])
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Sol", "--json")
    assert (ended.code, json.loads(ended.out)) == (0, PAGE)


def test_a_page_that_failed_says_why(finplan: Run, stub: Stub, person: list[str]) -> None:
    """And nothing is shown as linked."""
    stub.answers_to("POST", "/connections/link", [_page()])
    stub.answer("GET", "/connections/link/lnk_1", PAGE | {"status": "failed", "error": "Denied."})
    person += [""]
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Sol")
    assert (ended.code, "Denied." in ended.err) == (6, True)
