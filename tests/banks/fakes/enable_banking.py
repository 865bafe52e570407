"""Enable Banking's API: authorisations that end in sessions, and accounts that last as long.

Who may ask is an application that signs its requests with its key. A world's banks, accounts and
rows are in Enable Banking's shapes: amounts of rows have no sign.
"""

import json
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from json import JSONDecodeError
from typing import Any
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, uuid5

from aiohttp import web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.banks.fakes.wire import Answered, FakeBank, Handler
from tests.banks.fakes.world import Held, HeldAt, Row, View, World, decimal

LONGEST_TOKEN = timedelta(hours=24)

_SAID: dict[str, tuple[int, str]] = {
    "ACCOUNT_DOES_NOT_EXIST": (404, "No account found matching provided id"),
    "ACCESS_DENIED": (403, "Access denied"),
    "ALREADY_AUTHORIZED": (422, "Session is already authorized"),
    "ASPSP_ACCOUNT_NOT_ACCESSIBLE": (400, "The PSU does not have access to the requested account"),
    "ASPSP_ERROR": (400, "Error interacting with ASPSP"),
    "ASPSP_PSU_ACTION_REQUIRED": (400, "PSU action is required to proceed"),
    "ASPSP_RATE_LIMIT_EXCEEDED": (429, "ASPSP Rate limit exceeded"),
    "ASPSP_TIMEOUT": (408, "Timeout interacting with ASPSP"),
    "AUTHORIZATION_NOT_PROVIDED": (401, "Authorization header is not provided"),
    "CLOSED_SESSION": (401, "Session is closed"),
    "DATE_FROM_IN_FUTURE": (422, "date_from can not be in the future"),
    "DATE_TO_WITHOUT_DATE_FROM": (422, "date_from must be provided if date_to provided"),
    "EXPIRED_AUTHORIZATION_CODE": (422, "Authorization code is expired"),
    "EXPIRED_SESSION": (401, "Session is expired"),
    "INVALID_HOST": (403, "Invalid host"),
    "NO_ACCOUNTS_ADDED": (403, "No allowed accounts added to the application"),
    "REDIRECT_URI_NOT_ALLOWED": (400, "Redirect URI not allowed"),
    "REVOKED_SESSION": (401, "Session is revoked"),
    "SESSION_DOES_NOT_EXIST": (404, "No session found matching provided id"),
    "UNAUTHORIZED_ACCESS": (401, "Unauthorized access"),
    "UNAUTHORIZED_IP": (403, "IP address is not authorized"),
    "WRONG_ASPSP_PROVIDED": (400, "Wrong ASPSP name provided"),
    "WRONG_AUTHORIZATION_CODE": (400, "Wrong authorization code provided"),
    "WRONG_CONTINUATION_KEY": (422, "Wrong continuation key provided"),
    "WRONG_DATE_INTERVAL": (422, "date_from should be less than or equal date_to"),
    "WRONG_REQUEST_PARAMETERS": (422, "Wrong request parameters provided"),
    "WRONG_SESSION_STATUS": (422, "Wrong session status"),
    "WRONG_TRANSACTIONS_PERIOD": (422, "Wrong transactions period requested"),
}


class Denied(Exception):
    """Enable Banking refuses, with a code."""

    def __init__(self, code: str, detail: Any = None) -> None:
        super().__init__(code)
        self.code = code
        self.status, words = _SAID[code]
        self.body = {"message": words, "code": self.status, "error": code, "detail": detail}


def denying(code: str, *, status: int | None = None, retry_after: int | None = None) -> Answered:
    """A fault that answers with a code, by default with the status that goes with it."""
    denied = Denied(code)
    given = status or denied.status
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    return Answered(given, json.dumps(denied.body | {"code": given}), headers=headers)


@cache
def application_key() -> rsa.RSAPrivateKey:
    """The key of every application of the tests; to make one takes long."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: rsa.RSAPrivateKey) -> str:
    """A key as the file that a person downloads at Enable Banking."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def check_token(header: str | None, application: str, now: datetime) -> None:
    """The header carries a token that the application has signed, and that is good now."""
    if not header:
        raise Denied("AUTHORIZATION_NOT_PROVIDED")
    scheme, _space, token = header.partition(" ")
    try:
        head, claims, signature = token.split(".")
        said = _read(head)
        told = _read(claims)
        public = application_key().public_key()
        signed = f"{head}.{claims}".encode()
        public.verify(_decode(signature), signed, padding.PKCS1v15(), hashes.SHA256())
        lives = timedelta(seconds=told["exp"] - told["iat"])
        good = (
            scheme == "Bearer"
            and (said["typ"], said["alg"], said["kid"]) == ("JWT", "RS256", application)
            and (told["iss"], told["aud"]) == ("enablebanking.com", "api.enablebanking.com")
            and timedelta(0) < lives <= LONGEST_TOKEN
            and told["iat"] - 60 <= now.timestamp() < told["exp"]
        )
    except (ValueError, KeyError, TypeError, InvalidSignature) as error:
        raise Denied("UNAUTHORIZED_ACCESS") from error
    if not good:
        raise Denied("UNAUTHORIZED_ACCESS")


def _read(part: str) -> dict[str, Any]:
    said = json.loads(_decode(part))
    if not isinstance(said, dict):
        raise TypeError("a part of a token is an object")
    return said


def _decode(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


CONSENT_SECONDS = 180 * 86_400
CASH_KINDS = {"credit": "CARD", "loan": "LOAN", "investment": "OTHR"}
BALANCES = {"ITBD": "Gross balance", "CLBD": "Closing booked", "ITAV": "Net balance"}
AVAILABLE = {"ITAV"}
NO_PARTY = dict.fromkeys(
    ("name", "postal_address", "organisation_id", "private_id", "contact_details")
)


def bank(held: HeldAt) -> dict[str, Any]:
    """A bank as the list of banks has it."""
    return {
        "name": held.name,
        "country": held.country,
        "logo": f"https://enablebanking.com/brands/{held.country}/{held.name.replace(' ', '%20')}/",
        "psu_types": ["personal"],
        "auth_methods": [{"psu_type": "personal", "approach": "REDIRECT", "hidden_method": False}],
        "maximum_consent_validity": CONSENT_SECONDS,
        "beta": False,
    }


def account_hashes(account: Held) -> list[str]:
    """What an account is known by in every session; the first is the one that is its own."""
    return [
        b64encode(sha256(f"{kind} {account.id}".encode()).digest()).decode()
        for kind in ("iban", "iban currency", "name")
    ]


def account(held: Held, uid: str) -> dict[str, Any]:
    """An account as a session first tells of it; `name` is its holder's."""
    iban = None if held.mask is None else f"FI00MADE00UP0000{held.mask}"
    return {
        "account_id": {"iban": iban, "other": None},
        "all_account_ids": []
        if iban is None
        else [{"identification": iban, "scheme_name": "IBAN", "issuer": None}],
        "account_servicer": None,
        "name": "Account Holder",
        "details": held.name,
        "usage": "PRIV",
        "cash_account_type": "SVGS"
        if held.subtype == "savings"
        else CASH_KINDS.get(held.kind, "CACC"),
        "product": held.name,
        "currency": held.currency,
        "psu_status": None,
        "credit_limit": None if held.credit_limit is None else _amount(held.credit_limit, held),
        "uid": uid,
        "identification_hash": account_hashes(held)[0],
        "identification_hashes": account_hashes(held),
    }


def balance(view: View, kind: str) -> dict[str, Any]:
    """One of an account's balances, which is below zero when the account owes."""
    available = kind in AVAILABLE
    return {
        "name": BALANCES[kind],
        "balance_amount": _amount(view.available if available else view.balance, view.account),
        "balance_type": kind,
        "last_change_date_time": None,
        "reference_date": view.as_of.isoformat(),
        "last_committed_transaction": None,
    }


def transaction(row: Row, held: Held, *, reference: bool) -> dict[str, Any]:
    """A row; which way it goes is said by a word, and what is pending is not booked."""
    party = NO_PARTY | {"name": row.payee} if row.payee is not None else None
    out = row.amount < 0
    booked = None if row.pending else row.day.isoformat()
    return {
        "entry_reference": row.id if reference else None,
        "merchant_category_code": row.mcc,
        "transaction_amount": _amount(abs(row.amount), held),
        "creditor": party if out else None,
        "creditor_account": None,
        "creditor_agent": None,
        "debtor": None if out else party,
        "debtor_account": None,
        "debtor_agent": None,
        "bank_transaction_code": None,
        "credit_debit_indicator": "DBIT" if out else "CRDT",
        "status": "PDNG" if row.pending else "BOOK",
        "booking_date": booked,
        "value_date": booked,
        "transaction_date": None if row.transacted is None else row.transacted.isoformat(),
        "balance_after_transaction": None,
        "reference_number": None,
        "remittance_information": [row.text],
        "debtor_account_additional_identification": None,
        "creditor_account_additional_identification": None,
        "exchange_rate": None,
        "note": None,
        "transaction_id": None,
    }


def _amount(amount: int, held: Held) -> dict[str, str]:
    return {"currency": held.currency, "amount": decimal(amount, held.currency)}


UNATTENDED_A_DAY = 4
LONGEST_CONSENT = timedelta(seconds=CONSENT_SECONDS)
REDIRECT = "https://localhost:8765/callback"
STATUSES = {"BOOK", "PDNG", "CNCL", "HOLD", "OTHR", "RJCT", "SCHD"}


@dataclass
class Authorization:
    """A person on the way to a bank, or back from it with a code."""

    id: str
    bank: HeldAt
    valid_until: datetime
    state: str
    redirect_url: str
    code: str | None = None
    used: bool = False


@dataclass
class EnabledSession:
    """What the person has consented to; `accounts` are numbers of the world's by their uid."""

    id: str
    bank: str
    valid_until: datetime
    created: datetime
    status: str = "AUTHORIZED"
    closed: datetime | None = None
    accounts: dict[str, int] = field(default_factory=dict)


class EnableBanking(FakeBank):
    """Enable Banking, for one application with its key.

    `wall` is the clock that its tokens are judged by. `history` is how many days back the bank goes
    when it is asked for a day, `longest` when it is asked for as much as there is; a bank may refuse
    to be asked that (`refuses_strategy`). `references` and `pending_references` say whether rows have
    ids, `page_size` how many come at once, `empty_pages` puts a page without rows before each page
    with some, and `balances` are the kinds of balances there are. `gone` has the code by which the bank
    refuses an account, by its number.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.app_id = "7d0c4a52-0000-4000-8000-656e61626c65"
        self.private_key = pem(application_key())
        self.redirect_urls = [REDIRECT]
        self.wall: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.history = 89
        self.longest = 730
        self.refuses_strategy = False
        self.references = True
        self.pending_references = False
        self.page_size = 50
        self.empty_pages = False
        self.balances = ("ITAV", "ITBD")
        self.unattended_a_day: int | None = UNATTENDED_A_DAY
        self.gone: dict[int, str] = {}
        self.sessions: dict[str, EnabledSession] = {}
        self._ways: dict[str, Authorization] = {}
        self._read: Counter[tuple[int, str, date]] = Counter()
        self._serial = 0

    def routes(self) -> Iterable[web.RouteDef]:
        return [
            web.get("/application", self._door(self._application)),
            web.get("/aspsps", self._door(self._banks)),
            web.post("/auth", self._door(self._auth)),
            web.post("/sessions", self._door(self._authorize)),
            web.get("/sessions/{id}", self._door(self._session)),
            web.delete("/sessions/{id}", self._door(self._close)),
            web.get("/accounts/{uid}/details", self._door(self._details)),
            web.get("/accounts/{uid}/balances", self._door(self._balances)),
            web.get("/accounts/{uid}/transactions", self._door(self._transactions)),
        ]

    def finish(self, url: str) -> str:
        """The person signs in and consents at an address of `/auth`; where they are led then."""
        way = self._way(url)
        way.code = self._name("code")
        self.world.sign_in(way.bank)
        return f"{way.redirect_url}?{urlencode({'state': way.state, 'code': way.code})}"

    def deny(self, url: str) -> str:
        """The person does not consent; where they are led then."""
        way = self._way(url)
        said = {
            "state": way.state,
            "error": "access_denied",
            "error_description": "Denied data sharing consent",
        }
        return f"{way.redirect_url}?{urlencode(said)}"

    def revoke(self, session: str) -> None:
        """The person takes their consent back at the bank."""
        self.sessions[session].status = "REVOKED"

    def _way(self, url: str) -> Authorization:
        return next(way for key, way in self._ways.items() if f"sessionid={key}" in url)

    def _name(self, kind: str) -> str:
        self._serial += 1
        return str(uuid5(NAMESPACE_URL, f"enable {kind} {self._serial}"))

    def _door(self, answer: Callable[[web.Request, Any], Any]) -> Handler:
        async def opened(request: web.Request) -> web.Response:
            try:
                check_token(request.headers.get("Authorization"), self.app_id, self.wall())
                body = await _body(request) if request.method == "POST" else None
                return web.json_response(answer(request, body))
            except Denied as denied:
                return web.json_response(denied.body, status=denied.status)

        return opened

    def _application(self, _request: web.Request, _body: Any) -> dict[str, Any]:
        return {
            "name": "finplan",
            "description": None,
            "kid": self.app_id,
            "environment": "PRODUCTION",
            "redirect_urls": self.redirect_urls,
            "active": True,
            "countries": sorted({bank.country for bank in self.world.banks.values()}),
            "services": ["AIS"],
        }

    def _banks(self, request: web.Request, _body: Any) -> dict[str, Any]:
        country = request.query.get("country")
        banks = self.world.banks.values()
        return {"aspsps": [bank(each) for each in banks if country in {None, each.country}]}

    def _auth(self, _request: web.Request, body: Any) -> dict[str, Any]:
        try:
            valid_until = datetime.fromisoformat(body["access"]["valid_until"])
            named = body["aspsp"]["name"], body["aspsp"]["country"]
            state, redirect = str(body["state"]), str(body["redirect_url"])
        except (KeyError, TypeError, ValueError) as error:
            raise Denied("WRONG_REQUEST_PARAMETERS", str(error)) from error
        if valid_until.tzinfo is None or not (
            timedelta(0) < valid_until - self.now() <= LONGEST_CONSENT
        ):
            raise Denied("WRONG_REQUEST_PARAMETERS", "access.valid_until")
        bank = next(
            (each for each in self.world.banks.values() if (each.name, each.country) == named), None
        )
        if bank is None:
            raise Denied("WRONG_ASPSP_PROVIDED")
        if redirect not in self.redirect_urls:
            raise Denied("REDIRECT_URI_NOT_ALLOWED")
        way = Authorization(self._name("way"), bank, valid_until, state, redirect)
        self._ways[way.id] = way
        return {
            "url": f"https://tilisy.enablebanking.com/ais/start?sessionid={way.id}",
            "authorization_id": way.id,
            "psu_id_hash": self._name("psu").replace("-", ""),
        }

    def _authorize(self, _request: web.Request, body: Any) -> dict[str, Any]:
        code = body.get("code")
        way = next((each for each in self._ways.values() if code and each.code == code), None)
        if way is None:
            raise Denied("WRONG_AUTHORIZATION_CODE")
        if way.used:
            raise Denied("ALREADY_AUTHORIZED")
        way.used = True
        session = EnabledSession(self._name("session"), way.bank.id, way.valid_until, self.now())
        self.sessions[session.id] = session
        accounts = [self.world.accounts[each.number] for each in self.world.accounts_at(way.bank)]
        session.accounts = {self._name("account"): each.number for each in accounts}
        return {
            "session_id": session.id,
            "accounts": [
                account(each, uid) for each, uid in zip(accounts, session.accounts, strict=True)
            ],
            **self._consent(session),
        }

    def _consent(self, session: EnabledSession) -> dict[str, Any]:
        bank = self.world.banks[session.bank]
        return {
            "aspsp": {"name": bank.name, "country": bank.country},
            "psu_type": "personal",
            "access": {
                "accounts": None,
                "balances": True,
                "transactions": True,
                "valid_until": session.valid_until.isoformat(),
            },
        }

    def _known(self, request: web.Request) -> EnabledSession:
        session = self.sessions.get(request.match_info["id"])
        if session is None:
            raise Denied("SESSION_DOES_NOT_EXIST")
        self._age(session)
        return session

    def _age(self, session: EnabledSession) -> None:
        """A session ends when it says, or when the bank wants the person to sign in again."""
        over = session.valid_until <= self.now()
        if session.status == "AUTHORIZED" and (
            over or self.world.signed_out(self.world.banks[session.bank])
        ):
            session.status = "EXPIRED"

    def _session(self, request: web.Request, _body: Any) -> dict[str, Any]:
        session = self._known(request)
        numbers = session.accounts.items()
        return {
            "status": session.status,
            "accounts": list(session.accounts),
            "accounts_data": [
                {
                    "uid": uid,
                    "identification_hash": account_hashes(self.world.accounts[number])[0],
                    "identification_hashes": account_hashes(self.world.accounts[number]),
                }
                for uid, number in numbers
            ],
            **self._consent(session),
            "psu_id_hash": session.id.replace("-", ""),
            "created": session.created.isoformat(),
            "authorized": session.created.isoformat(),
            "closed": session.closed and session.closed.isoformat(),
        }

    def _close(self, request: web.Request, _body: Any) -> dict[str, Any]:
        session = self._known(request)
        session.status, session.closed = "CLOSED", self.now()
        return {"message": "OK"}

    def _account(self, request: web.Request) -> Held:
        """The account of a uid, in a session that is still good."""
        uid = request.match_info["uid"]
        session = next((each for each in self.sessions.values() if uid in each.accounts), None)
        if session is None:
            raise Denied("ACCOUNT_DOES_NOT_EXIST")
        self._age(session)
        if session.status != "AUTHORIZED":
            raise Denied(f"{session.status}_SESSION")
        number = session.accounts[uid]
        if number in self.gone:
            raise Denied(self.gone[number])
        return self.world.accounts[number]

    def _spend(self, request: web.Request, account: Held, what: str) -> None:
        """A read that the person is not there for is one of the few that the bank allows a day."""
        attended = "Psu-Ip-Address" in request.headers
        if attended or self.unattended_a_day is None or "continuation_key" in request.query:
            return
        spent = account.number, what, self.world.today
        if self._read[spent] >= self.unattended_a_day:
            raise Denied("ASPSP_RATE_LIMIT_EXCEEDED")
        self._read[spent] += 1

    def _details(self, request: web.Request, _body: Any) -> dict[str, Any]:
        return account(self._account(request), request.match_info["uid"])

    def _balances(self, request: web.Request, _body: Any) -> dict[str, Any]:
        account = self._account(request)
        self._spend(request, account, "balances")
        view = self.world.shown(account)
        return {"balances": [balance(view, kind) for kind in self.balances]}

    def _transactions(self, request: web.Request, _body: Any) -> dict[str, Any]:
        account = self._account(request)
        first, last = self._days(request)
        status = request.query.get("transaction_status")
        if status is not None and status not in STATUSES:
            raise Denied("WRONG_REQUEST_PARAMETERS", "transaction_status")
        self._spend(request, account, "transactions")
        rows = [
            row
            for row in reversed(self.world.shown(account).rows)
            if first <= row.day <= last and status in {None, "PDNG" if row.pending else "BOOK"}
        ]
        offset, empty = self._from(request, account)
        if empty and rows:
            return {"transactions": [], "continuation_key": _key(account, offset, whole=True)}
        page = rows[offset : offset + self.page_size]
        after = offset + len(page)
        return {
            "transactions": [
                transaction(row, account, reference=self._refers(row)) for row in page
            ],
            "continuation_key": _key(account, after) if after < len(rows) else None,
        }

    def _refers(self, row: Row) -> bool:
        return self.references and (self.pending_references or not row.pending)

    def _from(self, request: web.Request, account: Held) -> tuple[int, bool]:
        """How many rows a page leaves out, and whether an empty one comes first.

        Rows are counted anew for each page, from the newest: a row that comes in between pushes the
        last row of the page before onto the next one, as it does at banks.
        """
        key = request.query.get("continuation_key")
        if key is None:
            return 0, self.empty_pages
        for offset in range(len(self.world.rows) + 1):
            if key == _key(account, offset):
                return offset, self.empty_pages
            if key == _key(account, offset, whole=True):
                return offset, False
        raise Denied("WRONG_CONTINUATION_KEY")

    def _days(self, request: web.Request) -> tuple[date, date]:
        today = self.world.today
        strategy = request.query.get("strategy", "default")
        asks = request.query.get("date_from")
        until = request.query.get("date_to")
        if strategy not in {"default", "longest"} or (
            strategy == "longest" and self.refuses_strategy
        ):
            raise Denied("WRONG_REQUEST_PARAMETERS", "strategy")
        if until is not None and asks is None:
            raise Denied("DATE_TO_WITHOUT_DATE_FROM")
        try:
            first = None if asks is None else date.fromisoformat(asks)
            last = today if until is None else date.fromisoformat(until)
        except ValueError as error:
            raise Denied("WRONG_REQUEST_PARAMETERS", str(error)) from error
        return self._within(first, last, longest=strategy == "longest"), last

    def _within(self, first: date | None, last: date, *, longest: bool) -> date:
        today = self.world.today
        oldest = today - timedelta(days=self.longest if longest else self.history)
        if first is None:
            return oldest
        if first > today:
            raise Denied("DATE_FROM_IN_FUTURE")
        if first > last:
            raise Denied("WRONG_DATE_INTERVAL")
        if first < oldest and not longest:
            raise Denied("WRONG_TRANSACTIONS_PERIOD")
        return max(first, oldest)


async def _body(request: web.Request) -> Any:
    try:
        body = await request.json()
    except JSONDecodeError as error:
        raise Denied("WRONG_REQUEST_PARAMETERS", str(error)) from error
    if not isinstance(body, dict):
        raise Denied("WRONG_REQUEST_PARAMETERS", "body")
    return body


def _key(account: Held, offset: int, *, whole: bool = False) -> str:
    """An opaque key; `whole` says that the page that follows it has rows."""
    return urlsafe_b64encode(f"{account.id}.{offset}.{'w' if whole else 'e'}".encode()).decode()
