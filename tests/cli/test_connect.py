"""`finplan connect BANK` for a bank with a page: opened or printed, waited for, left, gone on with.

In Europe: which bank, its page, and the address that it led the browser to.
"""

import io
import json
import sys
import time
import webbrowser
from typing import Any

import pytest

from finplan.cli.commands import connect
from finplan.cli.console.session import Session
from finplan.cli.console.terminal import draw_qr
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Run
from tests.cli.stub import Stub

PAGE: dict[str, Any] = {
    "id": "lnk_1",
    "bank": "plaid",
    "url": "https://secure.plaid.com/hl/3d2c",
    "expiresAt": 1_773_563_400_000,
    "status": "pending",
    "connection": None,
    "error": None,
}
RECORD = json.loads(made_up_bank.connections()[0].model_dump_json(by_alias=True))


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that a browser was had to open; nobody waits between two questions."""
    pages: list[str] = []

    def open_page(url: str) -> bool:
        pages.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", open_page)
    monkeypatch.setattr(connect, "PAUSE", 0)
    return pages


@pytest.fixture(autouse=True)
def nothing_linked(stub: Stub) -> None:
    """No bank is linked yet."""
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/connections", [])


def _begin(stub: Stub, *told: dict[str, Any]) -> None:
    stub.answer("POST", "/connections/link", PAGE, 201)
    answers = [(200, json.dumps(PAGE | each).encode()) for each in told]
    stub.answers_to("GET", "/connections/link/lnk_1", answers)
    linked = RECORD["connection"]["id"]
    stub.answer("GET", f"/connections/{linked}", RECORD)


def test_a_page_is_opened_and_waited_for(finplan: Run, stub: Stub, opened: list[str]) -> None:
    """The browser opens the page, and once somebody signed in there the bank is shown."""
    _begin(stub, {}, {}, {"status": "linked", "connection": RECORD["connection"]})
    ended = finplan("connect", "plaid")

    assert (ended.code, opened) == (0, [PAGE["url"]])
    assert stub.requests("POST", "/connections/link")[0].json["bank"] == "plaid"
    assert RECORD["connection"]["institutionName"] in ended.out.decode()
    assert "expires at" in ended.err
    assert "Next: `finplan plan build`" in ended.err


def test_the_address_is_printed(
    finplan: Run, stub: Stub, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants no browser here, or has none, gets the address, and on a terminal a code of it."""
    linked = {"status": "linked", "connection": RECORD["connection"]}
    _begin(stub, linked, linked)
    ended = finplan("connect", "plaid", "--print")
    assert ended.out.decode().startswith(f"{PAGE['url']}\n")
    assert opened == []
    assert "▀" not in ended.out.decode()

    monkeypatch.setattr(webbrowser, "open", lambda _url: False)
    monkeypatch.setattr(Session, "shows_blocks", True)
    out = finplan("connect", "plaid").out.decode()
    assert PAGE["url"] in out
    assert "▀" in out


def test_the_code_is_the_address(tmp_path: Any) -> None:
    """Each half block is two modules of the code, with room around it."""
    lines = draw_qr(PAGE["url"]).plain.split("\n")
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines) == (len(lines[0]) + 1) // 2
    assert not lines[0].strip()


def test_a_page_that_was_left_is_a_failure_of_the_bank(finplan: Run, stub: Stub) -> None:
    """Exit code 6, with the daemon's own sentence."""
    _begin(stub, {"status": "failed", "error": "You left Plaid's page."})
    ended = finplan("connect", "plaid")
    assert ended.code == 6
    assert "You left Plaid's page." in ended.err


def test_ctrl_c_leaves_the_page(finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops waiting is told that the page stays, and how to wait again."""

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    _begin(stub, {"status": "linked", "connection": RECORD["connection"]})
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", stop)
        ended = finplan("connect", "plaid")
    assert ended.code == 130
    assert "`finplan connect plaid --link lnk_1`" in " ".join(ended.err.split())
    assert finplan("connect", "plaid", "--link", "lnk_1").code == 0


def test_with_json_nobody_waits(finplan: Run, stub: Stub, opened: list[str]) -> None:
    """The answers are printed as they came: what was begun, and what came of it."""
    _begin(stub, {"status": "failed", "error": "…"})
    ended = finplan("connect", "plaid", "--json")
    assert (json.loads(ended.out), opened) == (PAGE, [])
    ended = finplan("connect", "plaid", "--link", "lnk_1", "--json")
    assert json.loads(ended.out)["status"] == "failed"


def test_reconnecting_names_the_connection(finplan: Run, stub: Stub) -> None:
    """A bank is named as people call it."""
    link = RECORD["connection"]
    stub.answer("GET", "/connections", [RECORD])
    stub.answer("GET", "/duplicates", [])
    _begin(stub, {"status": "linked", "connection": link})
    assert finplan("connect", "plaid", "--reconnect", link["institutionName"]).code == 0
    asked = stub.requests("POST", "/connections/link")[0].json
    assert asked["reconnect"] == {"connectionId": link["id"]}


def test_what_plaid_needs_is_said(finplan: Run, stub: Stub) -> None:
    """Without keys the refusal comes with where to get them and where to put them on this machine."""
    stub.refuse(
        "POST",
        "/connections/link",
        500,
        "UNSUPPORTED_PROVIDER",
        "This daemon is not set up for plaid.",
    )
    ended = finplan("connect", "plaid")
    assert ended.code == 6
    for told in (
        "dashboard.plaid.com/developers/keys",
        "plaid_client_id",
        "plaid_secret",
        "prices",
    ):
        assert told in ended.err


@pytest.mark.parametrize(
    "words",
    [
        ("simplefin", "--print"),
        ("demo", "--link", "lnk_1"),
        ("plaid", "--link", "lnk_1", "--print"),
        ("plaid", "--link", "lnk_1", "--reconnect", "x"),
    ],
)
def test_options_that_contradict_others(finplan: Run, stub: Stub, words: tuple[str, ...]) -> None:
    """Nothing is asked of anybody."""
    assert finplan("connect", *words).code == 2
    assert stub.asked == []


def test_what_a_link_takes_over_is_said(finplan: Run, stub: Stub) -> None:
    """Who links a bank a second time is told that the first connection is part of the new one now."""
    _begin(stub)
    former = RECORD | {"connection": RECORD["connection"] | {"id": "con_former"}}
    files = {"id": "con_files", "provider": "manual", "institutionName": "Elm Gate"}
    of_files = RECORD | {"connection": RECORD["connection"] | files}
    answers = [(200, json.dumps(each).encode()) for each in ([former, of_files], [RECORD])]
    del stub.answers["GET", "/connections"]
    linked = RECORD["connection"]["id"]
    stub.beginnings.clear()
    stub.answers_to(
        "GET",
        "/connections/link/lnk_1",
        [
            (
                200,
                json.dumps(
                    PAGE | {"status": "linked", "connection": RECORD["connection"]}
                ).encode(),
            )
        ],
    )
    stub.answers_to("GET", "/connections", answers)
    assert ("GET", f"/connections/{linked}") in stub.answers
    ended = finplan("connect", "plaid")

    name = RECORD["connection"]["institutionName"]
    said = f"{name} (linked before) and Elm Gate (statement files) are"
    assert said in " ".join(ended.err.split())


LED = "https://localhost/connect/enablebanking?state=s&code=c"

PAGE_IN_EUROPE: dict[str, Any] = {
    "id": "lnk_1",
    "bank": "enablebanking",
    "url": "https://tilisy.enablebanking.com/ais/start?sessionid=1",
    "expiresAt": 1_773_563_400_000,
    "status": "pending",
    "connection": None,
    "error": None,
}
BANKS = [("DE/Hafenbank", "Hafenbank"), ("DE/Hafenbank Nord", "Hafenbank Nord"), ("DE/Sol", "Sol")]


def _question(about: str, *choices: tuple[str, str]) -> tuple[int, bytes]:
    listed = [{"value": value, "label": label} for value, label in choices]
    asked = {"about": about, "text": f"Which {about}?", "choices": listed}
    told = {"defined": True, "code": "CONFLICT", "status": 409, "message": "Which one?"}
    return 409, json.dumps(told | {"data": {"questions": [asked]}}).encode()


def _page(**more: Any) -> tuple[int, bytes]:
    return 201, json.dumps(PAGE_IN_EUROPE | more).encode()


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
    assert PAGE_IN_EUROPE["url"] in ended.err
    [linked] = stub.requests("POST", "/connections")
    assert linked.json["publicToken"] == LED
    assert RECORD["connection"]["institutionName"] in ended.out.decode()


@pytest.mark.parametrize("slip", ["nonsense", "https://localhost/", "state=x&code=y"])
def test_a_wrong_address_is_reasked(finplan: Run, stub: Stub, person: list[str], slip: str) -> None:
    """A slip in copying sends nothing and ends nothing: the bank's page is still waited for."""
    stub.answers_to("POST", "/connections/link", [_page()])
    stub.answer("POST", "/connections", RECORD, 201)
    person += [slip, LED]
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Hafenbank")
    assert (ended.code, person) == (0, [])
    assert "not the address that the bank opened" in ended.err
    assert [each.json["publicToken"] for each in stub.requests("POST", "/connections")] == [LED]


def test_a_named_bank_is_asked_for_no_more(finplan: Run, stub: Stub, person: list[str]) -> None:
    """Where one alone has the name in it, and the page of finplan's own needs no address."""
    answers = [_question("institution", BANKS[1]), _page()]
    stub.answers_to("POST", "/connections/link", answers)
    shown = [
        PAGE_IN_EUROPE,
        PAGE_IN_EUROPE | {"status": "linked", "connection": RECORD["connection"]},
    ]
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
    assert (ended.code, ended.out) == (0, f"{PAGE_IN_EUROPE['url']}\n".encode())
    assert "on stdin" in ended.err
    _stdin(monkeypatch, f"{LED}\n")
    assert finplan("connect", "enablebanking").code == 0
    assert stub.requests("POST", "/connections")[0].json["publicToken"] == LED
    _stdin(monkeypatch, "\n")
    empty = finplan("connect", "enablebanking")
    assert (empty.code, "No address was" in empty.err) == (2, True)


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
    assert (ended.code, json.loads(ended.out)) == (0, PAGE_IN_EUROPE)


def test_a_page_that_failed_says_why(finplan: Run, stub: Stub, person: list[str]) -> None:
    """And nothing is shown as linked."""
    stub.answers_to("POST", "/connections/link", [_page()])
    stub.answer(
        "GET", "/connections/link/lnk_1", PAGE_IN_EUROPE | {"status": "failed", "error": "Denied."}
    )
    person += [""]
    ended = finplan("connect", "enablebanking", "--country", "DE", "--bank", "Sol")
    assert (ended.code, "Denied." in ended.err) == (6, True)
