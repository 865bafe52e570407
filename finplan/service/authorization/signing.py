"""What the daemon signs: assertions of agents (ES256) and id tokens (RS256, which OpenID asks for).

A key signs for 90 days, and is published for as long afterwards as something that it signed may hold.
The private half is sealed in the store; without the data key another one is made.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, RowMapping

from finplan.store.queries import authorization as table
from finplan.store.sealing import CannotOpen, Sealer, about_signing_key
from finplan.store.store import Store

if TYPE_CHECKING:
    from joserfc.jwk import ECKey, RSAKey

_DAY = 24 * 60 * 60 * 1000
SIGNS_FOR = 90 * _DAY
PUBLISHED_FOR = SIGNS_FOR + 31 * _DAY
"""An assertion of a claimed agent holds for 30 days, longer than anything else that is signed."""

Algorithm = Literal["ES256", "RS256"]
ALGORITHMS: tuple[Algorithm, ...] = ("ES256", "RS256")


class NotSigned(Exception):
    """A token was not signed here, was changed, or its time is over."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs and reads tokens of one issuer; `private` has the key of each algorithm with its name."""

    issuer: str
    private: Mapping[Algorithm, "tuple[str, ECKey | RSAKey]"] = field(repr=False)
    public: Sequence[Mapping[str, Any]]

    def sign(self, algorithm: Algorithm, kind: str, claims: Mapping[str, Any]) -> str:
        """A signed token of a `typ`; the issuer is added."""
        from joserfc import jwt

        kid, key = self.private[algorithm]
        header = {"alg": algorithm, "kid": kid, "typ": kind}
        return jwt.encode(header, {"iss": self.issuer, **claims}, key, algorithms=[algorithm])

    def read(self, algorithm: Algorithm, kind: str, token: str, now: int) -> Mapping[str, Any]:
        """The claims of a token that was signed here and still holds. Raises NotSigned."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        keys = KeySet.import_key_set({"keys": [dict(key) for key in self.public]})
        try:
            read = jwt.decode(token, keys, algorithms=[algorithm])
            jwt.JWTClaimsRegistry(
                now=now // 1000,
                iss={"essential": True, "value": self.issuer},
                aud={"essential": True, "value": self.issuer},
                exp={"essential": True},
            ).validate(read.claims)
        except (JoseError, ValueError, TypeError) as error:
            raise NotSigned from error
        if read.header.get("typ") != kind:
            raise NotSigned
        return read.claims


@dataclass(slots=True)
class SigningKeys:
    """Finds the keys of a daemon, and makes those that are missing or have signed for long enough."""

    store: Store
    issuer: str
    _opened: dict[str, "ECKey | RSAKey"] = field(default_factory=dict, repr=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def signer(self, sealer: Sealer, now: int) -> Signer:
        """Who signs now."""
        async with self._turn:
            rows = await self.store.read(list_keys)
            missing = [alg for alg in ALGORITHMS if self._current(rows, alg, sealer, now) is None]
            if missing:
                new_keys = await asyncio.to_thread(lambda: [_create_key(alg) for alg in missing])
                await self.store.write(lambda c: _keep(c, new_keys, sealer, now))
                rows = await self.store.read(list_keys)
            private = {}
            for algorithm in ALGORITHMS:
                current = self._current(rows, algorithm, sealer, now)
                assert current is not None, "It was made just now."
                private[algorithm] = current
            return Signer(self.issuer, private, published(rows))

    def _current(
        self, rows: Sequence[RowMapping], algorithm: Algorithm, sealer: Sealer, now: int
    ) -> "tuple[str, ECKey | RSAKey] | None":
        for row in rows:
            if row["algorithm"] != algorithm or row["created_at"] <= now - SIGNS_FOR:
                continue
            key = self._opened.get(row["kid"]) or _open_key(row, sealer)
            if key is not None:
                self._opened[row["kid"]] = key
                return row["kid"], key
        return None


def list_keys(connection: Connection) -> Sequence[RowMapping]:
    """The keys that tokens may still be signed with, the newest first."""
    return table.list_signing_keys(connection, ALGORITHMS)


def published(rows: Sequence[RowMapping]) -> tuple[Mapping[str, Any], ...]:
    """The public halves as JWKs."""
    return tuple(json.loads(row["public"]) for row in rows)


def _keep(
    connection: Connection, new_keys: Sequence[tuple[Algorithm, Any]], sealer: Sealer, now: int
) -> None:
    table.sweep_signing_keys(connection, ALGORITHMS, now - PUBLISHED_FOR)
    for algorithm, key in new_keys:
        kid = secrets.token_urlsafe(12)
        public = {**key.as_dict(private=False), "kid": kid, "alg": algorithm, "use": "sig"}
        table.add_signing_key(
            connection,
            {
                "kid": kid,
                "algorithm": algorithm,
                "public": json.dumps(public),
                "sealed": sealer.seal(key.as_pem(private=True), about_signing_key(kid)),
                "created_at": now,
            },
        )


def _create_key(algorithm: Algorithm) -> "tuple[Algorithm, ECKey | RSAKey]":
    from joserfc.jwk import ECKey, RSAKey

    key = ECKey.generate_key("P-256") if algorithm == "ES256" else RSAKey.generate_key(2048)
    return algorithm, key


def _open_key(row: RowMapping, sealer: Sealer) -> "ECKey | RSAKey | None":
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from joserfc.jwk import ECKey, RSAKey

    try:
        pem = sealer.open(row["sealed"], about_signing_key(row["kid"]))
    except CannotOpen:
        return None
    if row["algorithm"] == "ES256":
        return ECKey.import_key(pem)
    # To prove a key takes a tenth of a second, and only what was made and sealed here is opened.
    key = load_pem_private_key(pem, None, unsafe_skip_rsa_key_validation=True)
    assert isinstance(key, RSAPrivateKey), "Keys of the other algorithm must not be RSA keys."
    return RSAKey(key, pem)
