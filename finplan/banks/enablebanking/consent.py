"""What a person has consented to: a session at Enable Banking, and the accounts that it reaches.

It is the secret of a connection. The API names accounts anew in each session, and tells what they are
once, when a session begins; by their hash they are known in every one.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from finplan.banks.answer import is_id, read_millis, remark, try_read
from finplan.banks.base import KindOfName, kind_of_name
from finplan.banks.enablebanking.rows import currency_of, read_amount
from finplan.model.account import AccountKind

MOST_ACCOUNTS = 100

_KINDS: Mapping[str, KindOfName] = {
    "CACC": KindOfName("depository", "checking"),
    "CARD": KindOfName("credit", "credit card"),
    "LOAN": KindOfName("loan"),
    "SVGS": KindOfName("depository", "savings"),
}
"""By ISO 20022's code; what it calls other is told by the name."""


class UnknownConsent(Exception):
    """No consent that this module wrote, or none at all."""


@dataclass(frozen=True, slots=True)
class ConsentedAccount:
    """An account: `uid` names it in this session, `id` in every one; limits are minor units."""

    uid: str
    id: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    kind_is_guess: bool
    currency: str | None
    credit_limit: int | None


@dataclass(frozen=True, slots=True)
class GivenConsent:
    """A session: the bank's name and country, when it ends, in ms, and the accounts."""

    session: str
    bank: str
    country: str
    ends: int | None
    accounts: tuple[ConsentedAccount, ...]

    def write(self) -> str:
        """The secret that says so."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_secret(secret: str | None) -> GivenConsent:
    """The consent of a secret. Raises UnknownConsent."""
    try:
        told = json.loads(secret or "")
        accounts = tuple(ConsentedAccount(**each) for each in told.pop("accounts"))
        return GivenConsent(accounts=accounts, **told)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownConsent from error


def read_session(told: Mapping[str, Any]) -> GivenConsent:
    """The consent that a new session tells of. Raises UnknownConsent."""
    session, accounts, bank = told.get("session_id"), told.get("accounts"), told.get("aspsp")
    if not isinstance(session, str) or not is_id(session) or not isinstance(accounts, list):
        raise UnknownConsent
    named = bank if isinstance(bank, dict) else {}
    access = told.get("access")
    listed = [_account(each) for each in accounts[:MOST_ACCOUNTS] if isinstance(each, dict)]
    return GivenConsent(
        session=session,
        bank=remark(named.get("name")) or "Bank",
        country=remark(named.get("country")),
        ends=read_millis(access.get("valid_until") if isinstance(access, dict) else None),
        accounts=_each_with_its_own_id(listed),
    )


def _account(told: Mapping[str, Any]) -> ConsentedAccount:
    uid = told.get("uid")
    if not isinstance(uid, str) or not is_id(uid):
        raise UnknownConsent
    # `name` is its holder's.
    called = remark(told.get("details")) or remark(told.get("product"))
    number = _number(told)
    mask = number[-4:] if number and len(number) >= 4 else None
    found = _KINDS.get(str(told.get("cash_account_type")))
    by_name = kind_of_name(called)
    if found and by_name and found.kind == by_name.kind and by_name.subtype:
        found = by_name
    kind, subtype = found or by_name or KindOfName("depository")
    currency = currency_of(told.get("currency"))
    limit = try_read(read_amount, told.get("credit_limit"))
    known = told.get("identification_hash")
    return ConsentedAccount(
        uid=uid,
        id=known if isinstance(known, str) and is_id(known) else uid,
        name=called or _plain_name(subtype or kind, mask),
        mask=mask,
        kind=kind,
        subtype=subtype,
        kind_is_guess=found is None,
        currency=currency,
        credit_limit=limit.amount if limit and limit.currency == currency else None,
    )


def _each_with_its_own_id(accounts: list[ConsentedAccount]) -> tuple[ConsentedAccount, ...]:
    """Accounts of one number in several currencies may have one hash: the currency tells them apart."""
    seen: dict[str, ConsentedAccount] = {}
    for each in accounts:
        own = each.id
        if own in seen:
            own = f"{each.id} {each.currency or each.uid}"
        if own in seen:
            own = each.uid
        seen[own] = replace(each, id=own)
    return tuple(seen.values())


def _plain_name(word: str, mask: str | None) -> str:
    called = f"{word[:1].upper()}{word[1:]} account" if "card" not in word else word.capitalize()
    return called if mask is None else f"{called} {mask}"


def _number(told: Mapping[str, Any]) -> str | None:
    """An IBAN, else another number of an account, without spaces."""
    ids = told.get("account_id")
    if not isinstance(ids, dict):
        return None
    other = ids.get("other")
    number = ids.get("iban") or (other.get("identification") if isinstance(other, dict) else None)
    return "".join(remark(number).split()) or None
