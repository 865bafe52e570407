"""The local session opens the daemon to the machine's owner, and to nobody else."""

import pytest

from finplan.daemon.auth.sessions import LocalSession, new_token
from finplan.model.base import Nothing
from finplan.operations.person import SHOW_ME
from tests.daemon.running import RunningDaemon


async def test_the_token_speaks_for_the_owner(daemon: RunningDaemon) -> None:
    """The session's cookie is enough to be the owner."""
    me = await daemon.client.call(SHOW_ME, Nothing())

    assert me.email == "ada@localhost"


@pytest.mark.parametrize("cookie", ["", "x", "{token}x", "x{token}", "gr\u00f6\u00dfer"])
async def test_any_other_token_is_refused(daemon: RunningDaemon, cookie: str) -> None:
    """Neither a part of the token nor more than it will do, nor anything that is not ASCII."""
    daemon.http.cookies.clear()
    shown = f"finplan_session={cookie.format(token=daemon.token)}".encode()

    response = await daemon.http.get("/api/me", headers={b"cookie": shown})

    assert response.status_code == 401


async def test_a_token_that_is_no_text_is_refused(daemon: RunningDaemon) -> None:
    """Bytes that are not UTF-8 are a wrong token like any other."""
    host = f"Host: 127.0.0.1:{daemon.port}\r\nConnection: close\r\n".encode()

    answer = await daemon.say(
        b"GET /api/me HTTP/1.1\r\n" + host + b"Cookie: finplan_session=\xff\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 401")


def test_a_token_cannot_be_guessed_and_is_not_shown() -> None:
    """Tokens hold 256 random bits, and a session's representation keeps its own to itself."""
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(len(token) == 43 for token in tokens)
    assert "secret" not in repr(LocalSession(1, "secret"))
