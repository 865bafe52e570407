"""A daemon that is killed while deliveries drain loses none and changes no id."""

import pytest

from tests.webhooks.kills import main


@pytest.mark.slow
def test_kills_lose_no_delivery(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was written arrives, under its own id; duplicates are told, and are few."""
    assert main(["--kills", "8", "--deliveries", "400"]) == 0
    told = capsys.readouterr().out
    assert "400 deliveries written, 400 arrived" in told
    assert ", 0 under another id" in told
