"""A SimpleFIN bridge: setup tokens that are claimed once, and accounts in both versions' shapes."""

import secrets
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from aiohttp import BasicAuth, web

from tests.banks.fakes.wire import Answered, FakeBank
from tests.banks.fakes.world import Held, HeldAt, Row, View, World, decimal

EXPECTED_A_DAY = 24
WARNED_AFTER = 48
DISABLED_AFTER = 96
LONGEST_WINDOW = timedelta(days=90)
USUAL_WINDOW = timedelta(days=30)
"""What the bridge gives to who names no first day."""

FORBIDDEN = Answered(
    403,
    '<!doctype html>\n<html lang="en"><head><title>Forbidden - SimpleFIN Bridge</title></head>'
    "<body><h1>Forbidden</h1><p>\n  Access denied\n</p></body></html>\n",
    "text/html",
)
PAYMENT_REQUIRED = Answered(402, '{"errors":["Payment required."],"accounts":[]}')
TOO_MANY = Answered(429, "Expected usage of this API is 24 requests per day", "text/plain")


def too_many(retry_after: int) -> Answered:
    """Too many requests, with when to come again in seconds."""
    return Answered(
        TOO_MANY.status, TOO_MANY.body, TOO_MANY.kind, (("Retry-After", str(retry_after)),)
    )


@dataclass(frozen=True)
class Trouble:
    """An error beside the accounts: a code and words for version 2, the words alone for version 1."""

    code: str
    words: str
    connection: str | None = None
    account: str | None = None


@dataclass(frozen=True)
class Window:
    """The days that were asked for: from the first instant on, before the last."""

    first: int
    last: int | None
    pending: bool

    def has(self, row: Row) -> bool:
        """Whether a row is within; a pending row by when it was made."""
        when = epoch(row.transacted or row.day) if row.pending else epoch(row.day)
        if row.pending and not self.pending:
            return False
        return self.first <= when and (self.last is None or when < self.last)


class SimplefinBridge(FakeBank):
    """The bridge, as its users' applications see it.

    `depth` is how far back its banks go. `payment_due` refuses with 402. `failing` are accounts that
    it cannot read today; of `missing_rows` it gives every other row. `says` are further
    errors, `hides` leaves out the accounts of banks that wait for a sign-in instead of showing what
    is old. `message_key` is what version 2 calls an error's words: the protocol's table says `msg`,
    its examples `message`. `both_shapes` adds version 1's errors and institutions to version 2's.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.depth = timedelta(days=90)
        self.payment_due = False
        self.failing: set[int] = set()
        self.missing_rows: set[int] = set()
        self.says: list[Trouble] = []
        self.hides = False
        self.message_key = "msg"
        self.both_shapes = True
        self._unclaimed: set[str] = set()
        self._access: dict[str, str] = {}
        self._used: Counter[tuple[str, date]] = Counter()

    def setup_token(self) -> str:
        """A token as a person copies it at the bridge; it can be claimed once."""
        secret = secrets.token_hex(16).upper()
        self._unclaimed.add(secret)
        return self._token(secret)

    def demo_token(self) -> str:
        """The token that anyone may claim any number of times."""
        return self._token("DEMO")

    def disable(self) -> None:
        """The person disables every access at the bridge."""
        self._access.clear()

    def used_today(self) -> int:
        """How many requests of the busiest access count against today."""
        today = self.world.today
        return max((n for (_user, day), n in self._used.items() if day == today), default=0)

    def routes(self) -> Iterable[web.RouteDef]:
        return [
            web.post("/simplefin/claim/{secret}", self._claim),
            web.get("/simplefin/info", self._info),
            web.get("/simplefin/accounts", self._accounts),
        ]

    def _token(self, secret: str) -> str:
        return b64encode(f"{self.url}/simplefin/claim/{secret}".encode()).decode()

    async def _info(self, _request: web.Request) -> web.Response:
        return web.json_response({"versions": ["1.0", "2.0"]})

    async def _claim(self, request: web.Request) -> web.Response:
        if "Content-Length" not in request.headers:
            return web.Response(status=411, text="Length Required")
        secret = request.match_info["secret"]
        if secret != "DEMO" and secret not in self._unclaimed:
            return _plain(FORBIDDEN)
        self._unclaimed.discard(secret)
        user, password = secrets.token_hex(16).upper(), secrets.token_hex(16).upper()
        self._access[user] = password
        place = self.url.removeprefix("https://")
        return web.Response(text=f"https://{user}:{password}@{place}/simplefin")

    async def _accounts(self, request: web.Request) -> web.Response:
        user = self._user(request)
        if user is None:
            return _plain(FORBIDDEN)
        if self.payment_due:
            return _plain(PAYMENT_REQUIRED)
        self._used[user, self.world.today] += 1
        used = self._used[user, self.world.today]
        if used > DISABLED_AFTER:
            del self._access[user]
            return _plain(FORBIDDEN)
        troubles = list(self.says)
        if used > WARNED_AFTER:
            words = f"Expected usage of this API is {EXPECTED_A_DAY} requests per day"
            troubles.append(Trouble("gen.api", words))
        try:
            window = self._window(request, troubles)
        except ValueError:
            return web.json_response({"errors": ["Invalid date"], "accounts": []}, status=400)
        return web.json_response(self._answer(request, window, troubles))

    def _user(self, request: web.Request) -> str | None:
        """Who asks, when the credentials are right."""
        try:
            given = BasicAuth.decode(request.headers.get("Authorization", ""))
        except ValueError:
            return None
        return given.login if self._access.get(given.login) == given.password else None

    def _window(self, request: web.Request, troubles: list[Trouble]) -> Window:
        now = self.world.today
        last = request.query.get("end-date")
        end = int(last) if last is not None else epoch(now)
        start = int(request.query.get("start-date", end - int(USUAL_WINDOW.total_seconds())))
        if end - start > LONGEST_WINDOW.total_seconds():
            start = end - int(LONGEST_WINDOW.total_seconds())
            words = "Requested date range exceeds the limit of 90 days. Capping to 90 days."
            troubles.append(Trouble("gen.api", words))
        oldest = epoch(now - self.depth, time.min)
        # The bridge tests that the parameter is there, whatever it says.
        return Window(max(start, oldest), None if last is None else end, "pending" in request.query)

    def _answer(
        self, request: web.Request, window: Window, troubles: list[Trouble]
    ) -> dict[str, Any]:
        wanted = request.query.getall("account", [])
        views: list[View] = []
        for bank in self.world.banks.values():
            accounts = [
                account
                for account in self.world.accounts_at(bank)
                if not wanted or account_id(self.world.shown(account).account) in wanted
            ]
            troubles.extend(self._troubles(bank, accounts))
            if not (self.hides and self.world.signed_out(bank)):
                views.extend(
                    self.world.shown(each) for each in accounts if each.number not in self.failing
                )
        rows = None if request.query.get("balances-only") == "1" else window
        if request.query.get("version") == "2":
            return self._second(views, rows, troubles)
        return self._first(views, rows, troubles)

    def _first(
        self, views: list[View], rows: Window | None, troubles: list[Trouble]
    ) -> dict[str, Any]:
        return {
            "errors": [each.words for each in troubles],
            "accounts": [{"org": self._org(view)} | self._account(view, rows) for view in views],
        }

    def _second(
        self, views: list[View], rows: Window | None, troubles: list[Trouble]
    ) -> dict[str, Any]:
        seen = {view.account.bank for view in views} | {each.connection for each in troubles}
        banks = [
            each for each in self.world.banks.values() if {each.id, connection_id(each)} & seen
        ]
        old = self._first(views, rows, troubles)
        if not self.both_shapes:
            del old["errors"]
            for account in old["accounts"]:
                del account["org"]
        for account, view in zip(old["accounts"], views, strict=True):
            account["conn_id"] = connection_id(self.world.banks[view.account.bank])
        return {
            "errlist": [self._error(each) for each in troubles],
            "connections": [self._connection(each) for each in banks],
        } | old

    def _troubles(self, bank: HeldAt, accounts: list[Held]) -> Iterable[Trouble]:
        if accounts and self.world.signed_out(bank):
            words = f"Connection to {bank.name} may need attention"
            yield Trouble("con.auth", words, connection=connection_id(bank))
        for account in accounts:
            shown = account_id(self.world.shown(account).account)
            if account.number in self.failing:
                words = f"Failed to get {account.name}. Try again later."
                yield Trouble("act.failed", words, account=shown)
            elif account.number in self.missing_rows:
                words = f"Some transactions of {account.name} may be missing. Try again later."
                yield Trouble("act.missingdata", words, account=shown)

    def _error(self, trouble: Trouble) -> dict[str, str]:
        said = {"code": trouble.code, self.message_key: trouble.words}
        if trouble.connection is not None:
            said["conn_id"] = trouble.connection
        if trouble.account is not None:
            said["account_id"] = trouble.account
        return said

    def _connection(self, bank: HeldAt) -> dict[str, str]:
        return {
            "conn_id": connection_id(bank),
            "name": bank.name,
            "org_id": f"INST-{uuid5(NAMESPACE_URL, bank.domain)}",
            "org_name": bank.name,
            "org_url": f"https://{bank.domain}",
            "sfin_url": f"{self.url}/simplefin",
        }

    def _org(self, view: View) -> dict[str, str]:
        bank = self.world.banks[view.account.bank]
        return {
            "domain": bank.domain,
            "name": bank.name,
            "sfin-url": f"{self.url}/simplefin",
            "url": f"https://{bank.domain}",
        }

    def _account(self, view: View, window: Window | None) -> dict[str, Any]:
        account = view.account
        owes = account.kind in {"credit", "loan"}
        turned = -1 if owes and self.world.banks[account.bank].owed_is_positive else 1
        rows = [row for row in view.rows if window is not None and window.has(row)]
        if account.number in self.missing_rows:
            rows = rows[::2]
        return {
            "id": account_id(account),
            "name": account.name,
            "currency": account.currency,
            "balance": decimal(turned * view.balance, account.currency),
            "available-balance": decimal(view.available, account.currency),
            "balance-date": epoch(view.as_of),
            "transactions": [
                _transaction(row, account.currency) for row in sorted(rows, key=_posted)
            ],
            "holdings": [],
        }


def account_id(account: Held) -> str:
    """An account's id as the bridge gives it."""
    return f"ACT-{uuid5(NAMESPACE_URL, account.id)}"


def connection_id(bank: HeldAt) -> str:
    """A connection's id, which a link anew changes."""
    return f"CON-{uuid5(NAMESPACE_URL, f'{bank.id} {bank.generation}')}"


def epoch(day: date, at: time = time(12)) -> int:
    """An instant of a day in UTC, by default its noon, as the bridge gives days."""
    return int(datetime.combine(day, at, UTC).timestamp())


def _posted(row: Row) -> int:
    return 0 if row.pending else epoch(row.day)


def _transaction(row: Row, currency: str) -> dict[str, Any]:
    said: dict[str, Any] = {
        "id": row.id,
        "posted": _posted(row),
        "amount": decimal(row.amount, currency),
        "description": row.text,
        "payee": row.payee or row.text.title(),
        "memo": "",
        "transacted_at": epoch(row.transacted or row.day),
    }
    if row.pending:
        said["pending"] = True
    if row.mcc is not None:
        said["mcc"] = row.mcc
    return said


def _plain(answered: Answered) -> web.Response:
    return web.Response(status=answered.status, text=answered.body, content_type=answered.kind)
