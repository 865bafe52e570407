"""What a client is told of the person who let it in, by what they granted (OpenID Connect)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.service.authorization.scopes import OPENID
from finplan.store.queries import people


def userinfo(connection: Connection, owner: int, scopes: str) -> Mapping[str, Any] | None:
    """The claims about a person; None where it was not granted to know who they are."""
    granted = scopes.split()
    if OPENID not in granted:
        return None
    person = people.get_person(connection, owner)
    told: dict[str, Any] = {"sub": person["id"]}
    if "profile" in granted and person["name"] is not None:
        told["name"] = person["name"]
    if "email" in granted:
        # Nobody has sent a message to it to see who answers.
        told |= {"email": person["email"], "email_verified": False}
    return told
