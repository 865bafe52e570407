"""`finplan connect BANK` for a bank with a page: opened or printed, waited for, left, gone on with."""

import json
import time
import webbrowser
from typing import Any

import pytest

from finplan.cli.commands import connect
from finplan.cli.console.session import Session
from finplan.cli.console.terminal import draw_qr
from tests.cli import made_up_bank
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
    assert "open until" in ended.err
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


def test_ctrl_c_leaves_the_page_open(
    finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stops waiting is told that the page stays, and how to wait again."""

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    _begin(stub, {"status": "linked", "connection": RECORD["connection"]})
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", stop)
        ended = finplan("connect", "plaid")
    assert ended.code == 130
    assert "`finplan connect plaid --link lnk_1` waits for it again" in " ".join(ended.err.split())
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
def test_options_that_contradict_each_other(
    finplan: Run, stub: Stub, words: tuple[str, ...]
) -> None:
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
    said = f"{name} (linked before) and Elm Gate (of statement files) are part of this link now"
    assert said in " ".join(ended.err.split())
