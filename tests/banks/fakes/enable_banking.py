"""Enable Banking's API: authorisations that end in sessions, and accounts that last as long."""

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from json import JSONDecodeError
from typing import Any
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, uuid5

from aiohttp import web

from tests.banks.fakes import enable_shapes as shapes
from tests.banks.fakes.enable_errors import Denied, application_key, check_token, pem
from tests.banks.fakes.wire import FakeBank, Handler
from tests.banks.fakes.world import Held, HeldAt, Row, World

UNATTENDED_A_DAY = 4
LONGEST_CONSENT = timedelta(seconds=shapes.CONSENT_SECONDS)
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
                authorization = request.headers.get("Authorization")
                check_token(authorization, self.app_id, self.wall())
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
        return {"aspsps": [shapes.bank(each) for each in banks if country in {None, each.country}]}

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
                shapes.account(each, uid)
                for each, uid in zip(accounts, session.accounts, strict=True)
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
                    "identification_hash": shapes.hashes(self.world.accounts[number])[0],
                    "identification_hashes": shapes.hashes(self.world.accounts[number]),
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
        return shapes.account(self._account(request), request.match_info["uid"])

    def _balances(self, request: web.Request, _body: Any) -> dict[str, Any]:
        account = self._account(request)
        self._spend(request, account, "balances")
        view = self.world.shown(account)
        return {"balances": [shapes.balance(view, kind) for kind in self.balances]}

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
                shapes.transaction(row, account, reference=self._refers(row)) for row in page
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
