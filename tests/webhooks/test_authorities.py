"""The file of `webhook_ca` is looked at when the daemon starts, not when the first delivery fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from finplan.daemon.background import must_be_certificates
from finplan.setting_values import SettingsError
from finplan.settings import load_settings
from tests.webhooks.receiver import Authority, make_authority


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no certificate\n",
        b"\x30\x82\x01\x00\xff",
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ],
)
def test_what_holds_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty file, a text, another format and a broken one are told by the setting and the path."""
    file = tmp_path / "ca.pem"
    file.write_bytes(content)
    with pytest.raises(SettingsError) as refused:
        must_be_certificates(str(file))
    said = str(refused.value)
    assert said == (
        f"`webhook_ca` names '{file}', which cannot be used: it holds no certificate in PEM."
    )


def test_a_key_alone_is_no_certificate(tmp_path: Path) -> None:
    """Who names the wrong one of two files is told so."""
    key = make_authority(tmp_path, "127.0.0.1").key
    with pytest.raises(SettingsError, match="holds no certificate"):
        must_be_certificates(str(key))


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    """The system's reason is told."""
    with pytest.raises(SettingsError, match=r"cannot be used: no such file or directory\.$"):
        must_be_certificates(str(tmp_path / "gone.pem"))


def test_certificates_are_taken(authority: Authority) -> None:
    """One that holds some is fine, and so is none at all."""
    must_be_certificates(str(authority.authorities))
    must_be_certificates(None)


@pytest.mark.thorough
def test_a_daemon_with_a_bad_file_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start ends with that sentence, before anything is made."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    places = load_settings().places
    places.configuration.mkdir(parents=True)
    (places.configuration / "finplan.toml").write_text('webhook_ca = "ca.pem"\n')
    (places.configuration / "ca.pem").write_text("no certificate")
    daemon = subprocess.run(
        [sys.executable, "-m", "finplan.daemon"], capture_output=True, text=True, check=False
    )
    assert daemon.returncode == 3
    assert daemon.stderr.startswith("`webhook_ca` names ")
    assert not places.database.exists()
