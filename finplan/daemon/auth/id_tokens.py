"""What an issuer says of a person: an id token, read as OpenID Connect Core 3.1.3.7 asks."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from finplan.model.errors import Unauthorized
from finplan.service.credentials.google import GoogleIdentity

ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"}
)
"""Only a holder of a private key signs by these: never `none`, and never a secret that is shared."""

LEEWAY = 60
"""How far two clocks may be apart, in seconds."""

LONGEST_SUBJECT = 255


class UnknownKey(Exception):
    """A token is signed by a key that is not among those that are known."""


class NotIdentified(Unauthorized):
    """What came from an issuer does not show who is there."""

    example = "What Google said could not be trusted, so you were not signed in. Begin again."


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    """What an id token has to say: who issued it, for which client, in answer to what, and when."""

    issuer: str
    client_id: str
    nonce: str
    now: int


def read_identity(
    token: str,
    keys: Sequence[Mapping[str, Any]],
    algorithms: Sequence[str],
    expected: ExpectedToken,
) -> GoogleIdentity:
    """Whom an id token names. Raises UnknownKey, and NotIdentified for whatever is wrong with it."""
    claims = _signed_claims(token, keys, algorithms)
    for holds, what in (
        (_is_issuer(claims.get("iss"), expected.issuer), "somebody else issued it"),
        (_is_for(claims, expected.client_id), "it is for another program"),
        (_is_present(claims, expected.now), "its time is over, or has not come"),
        (_is_same(claims.get("nonce"), expected.nonce), "it answers another request"),
    ):
        if not holds:
            raise _untrusted(what)
    return _identity(claims)


def _signed_claims(
    token: str, keys: Sequence[Mapping[str, Any]], algorithms: Sequence[str]
) -> Mapping[str, Any]:
    from joserfc import jws, jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import import_key

    allowed = sorted(ALGORITHMS.intersection(algorithms))
    try:
        named = jws.extract_compact(token.encode()).headers()
        if named.get("alg") not in allowed:
            raise _untrusted("it is not signed as it should be")
        key = import_key(dict(_key_of(named.get("kid"), keys)))
        return jwt.decode(token, key, algorithms=allowed).claims
    except (JoseError, ValueError, TypeError) as error:
        raise _untrusted("its signature does not hold") from error


def _key_of(name: Any, keys: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The key of a name; a token that names none is of the only one that there is."""
    found = [key for key in keys if key.get("kid") == name] if name is not None else keys
    if len(found) != 1:
        raise UnknownKey
    return found[0]


def _is_issuer(said: Any, issuer: str) -> bool:
    # Google says its name with and without the scheme.
    return said in {issuer, issuer.removeprefix("https://")}


def _is_for(claims: Mapping[str, Any], client_id: str) -> bool:
    audience, party = claims.get("aud"), claims.get("azp")
    if party is not None and party != client_id:
        return False
    if isinstance(audience, list):
        return client_id in audience and (len(audience) == 1 or party == client_id)
    return bool(audience == client_id)


def _is_present(claims: Mapping[str, Any], now: int) -> bool:
    ends, issued = claims.get("exp"), claims.get("iat")
    if not isinstance(ends, int | float) or not isinstance(issued, int | float):
        return False
    return ends > now - LEEWAY and issued <= now + LEEWAY


def _is_same(said: Any, expected: str) -> bool:
    return isinstance(said, str) and hmac.compare_digest(said.encode(), expected.encode())


def _identity(claims: Mapping[str, Any]) -> GoogleIdentity:
    subject, email, name = (claims.get(key) for key in ("sub", "email", "name"))
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise _untrusted("it names nobody")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        raise NotIdentified(
            "Google has not verified the e-mail address of this Google account, so you were not signed"
            " in. Verify it with Google, then begin again."
        )
    return GoogleIdentity(subject, email, name if isinstance(name, str) else None)


def _untrusted(what: str) -> NotIdentified:
    return NotIdentified(
        f"What Google said could not be trusted: {what}. You were not signed in; begin again."
    )
