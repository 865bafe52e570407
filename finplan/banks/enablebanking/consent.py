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
        secret_fields = json.loads(secret or "")
        accounts = tuple(ConsentedAccount(**fields) for fields in secret_fields.pop("accounts"))
        return GivenConsent(accounts=accounts, **secret_fields)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownConsent from error


def read_session(answer: Mapping[str, Any]) -> GivenConsent:
    """The consent that a new session tells of. Raises UnknownConsent."""
    session, accounts, bank = answer.get("session_id"), answer.get("accounts"), answer.get("aspsp")
    if not isinstance(session, str) or not is_id(session) or not isinstance(accounts, list):
        raise UnknownConsent
    bank_fields = bank if isinstance(bank, dict) else {}
    access = answer.get("access")
    listed = [_account(fields) for fields in accounts[:MOST_ACCOUNTS] if isinstance(fields, dict)]
    return GivenConsent(
        session=session,
        bank=remark(bank_fields.get("name")) or "Bank",
        country=remark(bank_fields.get("country")),
        ends=read_millis(access.get("valid_until") if isinstance(access, dict) else None),
        accounts=_each_with_its_own_id(listed),
    )


def _account(fields: Mapping[str, Any]) -> ConsentedAccount:
    uid = fields.get("uid")
    if not isinstance(uid, str) or not is_id(uid):
        raise UnknownConsent
    # `name` is its holder's.
    called = remark(fields.get("details")) or remark(fields.get("product"))
    number = _number(fields)
    mask = number[-4:] if number and len(number) >= 4 else None
    kind_found = _KINDS.get(str(fields.get("cash_account_type")))
    by_name = kind_of_name(called)
    if kind_found and by_name and kind_found.kind == by_name.kind and by_name.subtype:
        kind_found = by_name
    kind, subtype = kind_found or by_name or KindOfName("depository")
    currency = currency_of(fields.get("currency"))
    limit = try_read(read_amount, fields.get("credit_limit"))
    own_hash = fields.get("identification_hash")
    return ConsentedAccount(
        uid=uid,
        id=own_hash if isinstance(own_hash, str) and is_id(own_hash) else uid,
        name=called or _plain_name(subtype or kind, mask),
        mask=mask,
        kind=kind,
        subtype=subtype,
        kind_is_guess=kind_found is None,
        currency=currency,
        credit_limit=limit.amount if limit and limit.currency == currency else None,
    )


def _each_with_its_own_id(accounts: list[ConsentedAccount]) -> tuple[ConsentedAccount, ...]:
    """Accounts of one number in several currencies may have one hash: the currency tells them apart."""
    by_id: dict[str, ConsentedAccount] = {}
    for account in accounts:
        own = account.id
        if own in by_id:
            own = f"{account.id} {account.currency or account.uid}"
        if own in by_id:
            own = account.uid
        by_id[own] = replace(account, id=own)
    return tuple(by_id.values())


def _plain_name(kind: str, mask: str | None) -> str:
    called = f"{kind[:1].upper()}{kind[1:]} account" if "card" not in kind else kind.capitalize()
    return called if mask is None else f"{called} {mask}"


def _number(fields: Mapping[str, Any]) -> str | None:
    """An IBAN, else another number of an account, without spaces."""
    ids = fields.get("account_id")
    if not isinstance(ids, dict):
        return None
    generic = ids.get("other")
    number = ids.get("iban") or (
        generic.get("identification") if isinstance(generic, dict) else None
    )
    return "".join(remark(number).split()) or None
