"""`finplan me`: who you are; everything goes only on a word that was meant."""

import io
import sys

import pytest

from finplan.cli.console.session import Session
from finplan.cli.showing.settings import draw_deleted
from finplan.model.user import DeletedPerson, User
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

ADA = User(id="usr_1", email="ada@localhost", name=None)


def deleted(*backups: str) -> DeletedPerson:
    """What the daemon answers when everything went."""
    return DeletedPerson(
        user=ADA,
        connections=1,
        accounts=12,
        transactions=4_523,
        imports=0,
        plans=3,
        rules=1,
        answers=0,
        keys=2,
        backups=backups,
    )


@pytest.fixture
def person(stub: Stub) -> Stub:
    """A daemon with a person who has nothing yet."""
    stub.answer("GET", "/me", ADA.model_dump_json().encode())
    stub.answer("PATCH", "/me", ADA.model_copy(update={"name": "Ada"}).model_dump_json().encode())
    stub.answer("DELETE", "/me", deleted().model_dump_json().encode())
    for path in ("/connections", "/accounts", "/keys"):
        stub.answer("GET", path, [])
    return stub


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A person who sits before a terminal."""
    monkeypatch.setattr(Session, "interactive", True)
    return monkeypatch


def test_who_you_are(finplan: Run, person: Stub) -> None:
    """Without a command it says who you are."""
    ended = finplan("me")

    assert ended.code == 0
    assert "ada@localhost" in ended.out.decode()


def test_a_name_is_set(finplan: Run, person: Stub) -> None:
    """Only what is given is changed."""
    assert finplan("me", "set", "--name", "Ada").code == 0
    assert person.requests("PATCH", "/me")[0].json == {"name": "Ada"}
    assert finplan("me", "set").code == 2


def test_an_address_that_is_none_is_refused(finplan: Run, person: Stub) -> None:
    """What cannot be an address is told before anything is asked of the daemon."""
    ended = finplan("me", "set", "--email", "nonsense")
    assert (ended.code, person.requests("PATCH", "/me")) == (3, [])


@pytest.mark.parametrize(
    ("word", "goes"), [("delete", True), ("DELETE", True), ("y", False), ("", False)]
)
def test_a_word_is_typed_first(
    finplan: Run, person: Stub, typed: pytest.MonkeyPatch, word: str, goes: bool
) -> None:
    """What goes is named, and only the whole word lets it go."""
    typed.setattr(sys, "stdin", io.StringIO(f"{word}\n"))
    ended = finplan("me", "delete")

    assert ended.code == 0
    for part in ("ada@localhost", "0 banks", "transactions", "copies of the store"):
        assert part in " ".join(ended.err.split())
    assert bool(person.requests("DELETE", "/me")) is goes
    assert ("Nothing was deleted" in ended.err) is not goes


def test_nobody_to_ask(finplan: Run, person: Stub) -> None:
    """Where nobody can be asked, --yes says that it is meant; without it nothing is asked for."""
    refused = finplan("me", "delete")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert finplan("me", "delete", "--json").code == 2
    assert person.asked == []

    ended = finplan("me", "delete", "--yes")
    assert ended.code == 0
    assert "4,523 transactions" in ended.out.decode()


def test_json_is_the_daemons_answer(finplan: Run, person: Stub) -> None:
    """With --json the answer is printed byte for byte."""
    ended = finplan("me", "delete", "--yes", "--json")
    assert ended.out == deleted().model_dump_json().encode() + b"\n"


def test_a_refusal_has_its_exit_code(finplan: Run, person: Stub) -> None:
    """A daemon that may not is told by the code for what is not allowed."""
    person.refuse("DELETE", "/me", 403, "FORBIDDEN", "No.")
    assert finplan("me", "delete", "--yes").code == 5


def test_what_went(draw: Draw, golden: Golden) -> None:
    """It is told how much went, and which copies of the store."""
    page = draw_deleted(deleted("before-0006-from-0004.db"), 80)
    golden("me-deleted", draw(page))
