"""The published directory of the keys that messages are signed with, over a real socket."""

import base64
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageVerifier,
    MappingKeyResolver,
    algorithms,
)

from finplan.daemon.startup import LateSealer
from finplan.model.errors import SecretsUnreachable
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.store.sealing import Sealer
from finplan.webhooks.signing import DIRECTORY_PATH, DIRECTORY_TAG, DIRECTORY_TYPE, thumbprint
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon, running_daemon


@dataclass
class Asked:
    """The request that a directory answers."""

    url: str
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Answered:
    """The directory as a verifier reads it."""

    request: Asked
    headers: dict[str, str]
    status_code: int = 200

    @property
    def url(self) -> str:
        return self.request.url


def verify(url: str, answer: httpx.Response, body: bytes) -> None:
    """Verify the directory by the keys that stand in it. Raises HTTPMessageSignaturesException."""
    public = {
        each["kid"]: Ed25519PublicKey.from_public_bytes(
            base64.urlsafe_b64decode(each["x"] + "=" * (-len(each["x"]) % 4))
        )
        for each in json.loads(answer.content)["keys"]
    }
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys=public, private_keys={}),
    )
    found = verifier.verify(
        Answered(Asked(url), dict(answer.headers)),
        expect_tag=DIRECTORY_TAG,
        body=body,
        max_age=timedelta(days=1),
    )
    assert [each.parameters["keyid"] for each in found] == list(public)


async def asked(daemon: RunningDaemon, **headers: str) -> httpx.Response:
    """Ask for it without any credential."""
    async with stranger(daemon) as http:
        return await http.get(DIRECTORY_PATH, headers=headers)


async def test_anybody_reads_and_verifies_it(tmp_path: Path, empty_store: Path) -> None:
    """Its keys are named by their thumbprints, and each signs it for the host that was asked."""
    async with running_daemon(tmp_path, empty_store, clock=lambda: datetime.now(UTC)) as daemon:
        answer = await asked(daemon, Origin="https://elsewhere.example")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == DIRECTORY_TYPE
        assert answer.headers["cache-control"] == "public, max-age=86400"
        assert answer.headers["access-control-allow-origin"] == "*"
        (key,) = answer.json()["keys"]
        assert (key["kty"], key["crv"], key["use"]) == ("OKP", "Ed25519", "sig")
        assert key["kid"] == thumbprint(key["x"])
        url = f"{daemon.base_url}{DIRECTORY_PATH}"
        verify(url, answer, answer.content)
        for other, body in (
            (f"http://mallory.example{DIRECTORY_PATH}", answer.content),
            (url, answer.content.replace(b"sig", b"enc")),
        ):
            with pytest.raises(HTTPMessageSignaturesException):
                verify(other, answer, body)
        again = await asked(daemon, **{"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await asked(daemon)).content == answer.content


async def test_without_the_data_key_it_is_answered_unsigned(
    tmp_path: Path, empty_store: Path
) -> None:
    """What was published stays readable, and nobody keeps an answer without keys that sign."""

    def locked() -> bytes:
        raise SecretsUnreachable("The keyring is locked.")

    sealer = LateSealer(locked)
    async with running_daemon(tmp_path, empty_store, sealer=sealer) as daemon:
        keys = MessageKeys(daemon.store)
        kid = (await keys.signing_key(Sealer(bytes(32)), 0)).kid
        answer = await asked(daemon)
        assert [each["kid"] for each in answer.json()["keys"]] == [kid]
        assert "signature" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
