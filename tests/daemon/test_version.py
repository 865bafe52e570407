"""Client and daemon tell each other their versions, so that a mismatch explains itself."""

import pytest

from finplan import __version__
from tests.daemon.running import RunningDaemon


async def test_every_answer_names_the_version(daemon: RunningDaemon) -> None:
    """The header is there on answers and on refusals alike."""
    for path in ("/health", "/api/me", "/nowhere"):
        response = await daemon.http.get(path)
        assert response.headers["finplan-version"] == __version__


async def test_a_client_of_another_version_is_noted(
    daemon: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says once per request that the versions differ, and nothing when they are equal."""
    await daemon.http.get("/health", headers={"finplan-version": __version__})
    assert caplog.text == ""

    await daemon.http.get("/health", headers={"finplan-version": "0.0.1"})
    assert "0.0.1" in caplog.text
