"""Plaid's API: link tokens and items, and what is synced of an item, with its errors.

A cursor is a place in an item's history, from which the changes until now follow. Link is as a
client of Hosted Link sees it: a token, sessions, and how they ended.
"""

import secrets
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha512
from json import JSONDecodeError
from typing import Any
from uuid import UUID, uuid5

from aiohttp import web

from tests.banks.fakes import plaid_shapes as shapes
from tests.banks.fakes.plaid_shapes import Refused
from tests.banks.fakes.wire import FakeBank, Handler
from tests.banks.fakes.world import Held, HeldAt, Row, View, World

Rows = dict[str, Row]


@dataclass(frozen=True)
class Change:
    """A row that was added, modified or removed."""

    kind: str
    row: Row


Order = Callable[[list[Change]], list[Change]]


@dataclass(frozen=True)
class Page:
    """Some changes, the cursor after them, and whether more follow."""

    changes: list[Change]
    cursor: str
    more: bool


@dataclass(frozen=True)
class Place:
    """What a client knows that has a cursor; `until` is what the pages it is amid of lead to."""

    item: str
    known: Rows
    until: Rows | None
    last: Change | None


class Cursors:
    """Every cursor that was given, of all items."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def page(
        self, item: str, cursor: str, now: Rows, count: int, order: Order, *, overlap: bool
    ) -> Page:
        """The next changes after a cursor; none is the beginning.

        Amid pages the rows must still be as they were at the first one, as Plaid demands: a client
        that has stored the cursor of such a page is refused for good once they have changed.
        """
        place = self._places.get(cursor) if cursor else Place(item, {}, None, None)
        if place is None or place.item != item:
            raise Refused("INVALID_FIELD", "cursor not associated with access_token")
        if place.until is not None and place.until != now:
            raise Refused("TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION")
        changes = order(_between(place.known, now))
        if cursor and not changes:
            return Page([], cursor, more=False)
        taken = changes[:count]
        known = dict(place.known)
        for change in taken:
            if change.kind == "removed":
                del known[change.row.id]
            else:
                known[change.row.id] = change.row
        more = len(changes) > count
        last = taken[-1] if more else None
        given = self._give(Place(item, known, now if more else None, last))
        again = [place.last] if overlap and place.last is not None else []
        return Page(again + taken, given, more)

    def _give(self, place: Place) -> str:
        """The same place has the same cursor, whenever it is reached."""
        digest = sha512(repr(place).encode()).digest() + sha512(place.item.encode()).digest()[:20]
        cursor = b64encode(digest).decode()
        self._places[cursor] = place
        return cursor


def _between(known: Rows, now: Rows) -> list[Change]:
    """Added, modified and removed rows, each by when they came."""
    added = [Change("added", row) for key, row in now.items() if key not in known]
    modified = [
        Change("modified", row) for key, row in now.items() if key in known and known[key] != row
    ]
    removed = [Change("removed", row) for key, row in known.items() if key not in now]
    return added + modified + removed


NOT_READY = "NOT_READY"
INITIAL = "INITIAL_UPDATE_COMPLETE"
HISTORICAL = "HISTORICAL_UPDATE_COMPLETE"


@dataclass
class Item:
    """A login at an institution; `ails` is the code of what is wrong with it, if anything.

    `progress` is how far Plaid has read its history: nothing, the last days, or all that was asked.
    """

    id: str
    access_token: str
    bank: str
    generation: int
    linked: date
    days: int
    products: list[str]
    created: datetime
    progress: str = HISTORICAL
    ails: str | None = None
    ails_because: str | None = None
    consent_ends: datetime | None = None
    removed: bool = False


@dataclass
class Offered:
    """What a public token may be exchanged for."""

    bank: str
    days: int
    products: list[str]
    made: datetime
    item: str | None = None


@dataclass
class Keys:
    """What a developer has of Plaid's dashboard."""

    client_id: str = field(default_factory=lambda: secrets.token_hex(12))
    secret: str = field(default_factory=lambda: secrets.token_hex(15))


LONGEST_NAME = 30
LONGEST_HISTORY = 730
USUAL_HISTORY = 90
TOKEN_LIVES = timedelta(hours=4)
HOSTED_LIVES = timedelta(minutes=30)
LONGEST_HOSTED = timedelta(days=21)
SPACE = UUID("6f1f64a0-0000-4000-8000-706c61696400")


@dataclass
class Session:
    """One time that the person opened Link."""

    id: str
    started: datetime
    finished: datetime | None = None
    bank: HeldAt | None = None
    accounts: list[Held] = field(default_factory=list)
    public_token: str | None = None
    exit_error: dict[str, Any] | None = None


@dataclass
class LinkToken:
    """A link token with what was asked for it; `item` is the one to be updated, if any."""

    token: str
    asked: dict[str, Any]
    created: datetime
    expires: datetime
    hosted_url: str | None
    item: str | None
    sessions: list[Session] = field(default_factory=list)

    @property
    def days(self) -> int:
        """How much history was asked for."""
        return int(self.asked.get("transactions", {}).get("days_requested", USUAL_HISTORY))

    @property
    def products(self) -> list[str]:
        """What may be asked of the item that comes of it."""
        consented: list[str] = self.asked.get("additional_consented_products", [])
        return list(self.asked.get("products", [])) + consented


def new_token(
    asked: dict[str, Any], serial: int, environment: str, now: datetime, item: str | None
) -> LinkToken:
    """A token for what was asked, which is refused as Plaid refuses it."""
    _check(asked, update=item is not None)
    name = uuid5(SPACE, f"link {serial}")
    hosted = asked.get("hosted_link")
    lives = TOKEN_LIVES
    url = None
    if hosted is not None:
        lives = timedelta(seconds=hosted.get("url_lifetime_seconds", HOSTED_LIVES.total_seconds()))
        if not timedelta(0) < lives <= LONGEST_HOSTED:
            raise Refused("INVALID_FIELD", "url_lifetime_seconds must be at most 1814400")
        url = f"https://secure.plaid.com/hl/{uuid5(SPACE, f'hosted {serial}').hex}"
    return LinkToken(f"link-{environment}-{name}", asked, now, now + lives, url, item)


def _check(asked: dict[str, Any], *, update: bool) -> None:
    needed = ["client_name", "language", "country_codes", "user"]
    missing = [each for each in needed if not asked.get(each)]
    if missing:
        raise Refused("MISSING_FIELDS", f"the following required fields are missing: {missing}")
    if not asked["user"].get("client_user_id"):
        raise Refused("MISSING_FIELDS", "the following required fields are missing: client_user_id")
    if len(asked["client_name"]) > LONGEST_NAME:
        raise Refused("INVALID_FIELD", "client_name must be at most 30 characters")
    if update and asked.get("products"):
        raise Refused("INVALID_FIELD", "products cannot be given in update mode")
    if not update and not asked.get("products"):
        raise Refused("MISSING_FIELDS", "the following required fields are missing: products")
    days = asked.get("transactions", {}).get("days_requested", USUAL_HISTORY)
    if not 1 <= days <= LONGEST_HISTORY:
        raise Refused("INVALID_FIELD", "days_requested must be between 1 and 730")


def told(link: LinkToken) -> dict[str, Any]:
    """What `/link/token/get` says of a token."""
    asked = link.asked
    return {
        "created_at": shapes.stamp(link.created),
        "expiration": shapes.stamp(link.expires),
        "link_sessions": [_session(each, update=link.item is not None) for each in link.sessions],
        "link_token": link.token,
        "metadata": {
            "client_name": asked["client_name"],
            "country_codes": asked["country_codes"],
            "initial_products": asked.get("products", []),
            "language": asked["language"],
            "redirect_uri": asked.get("redirect_uri"),
            "webhook": asked.get("webhook"),
        },
    }


def _session(session: Session, *, update: bool) -> dict[str, Any]:
    said: dict[str, Any] = {
        "events": [],
        "link_session_id": session.id,
        "started_at": shapes.stamp(session.started),
    }
    if session.finished is None:
        return said
    said["finished_at"] = shapes.stamp(session.finished)
    if session.public_token is None:
        metadata = {
            "institution": session.bank and shapes.institution(session.bank),
            "link_session_id": session.id,
            "request_id": session.id[:15],
            "status": "requires_credentials",
        }
        left = {"error": session.exit_error, "metadata": metadata}
        return said | {"exit": left, "on_exit": left, "results": _results([])}
    assert session.bank is not None
    accounts = [shapes.link_account(each) for each in session.accounts]
    bank = shapes.institution(session.bank)
    said["on_success"] = {
        "metadata": {
            "accounts": accounts,
            "institution": bank,
            "link_session_id": session.id,
            "transfer_status": None,
        },
        "public_token": session.public_token,
    }
    added = {"accounts": accounts, "institution": bank, "public_token": session.public_token}
    return said | {"results": _results([] if update else [added])}


def _results(added: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "item_add_results": added,
        "cra_item_add_results": [],
        "cra_update_results": [],
        "bank_income_results": [],
        "payroll_income_results": [],
        "document_income_results": None,
    }


CAPITAL_ONE = "ins_128026"
MOST_ROWS = 500
USUAL_ROWS = 100
RECENT = timedelta(days=30)
PUBLIC_TOKEN_LIVES = timedelta(minutes=30)

Answer = dict[str, Any]
Answering = Callable[[Answer], Answer]


class PlaidApi(FakeBank):
    """Plaid, for the developer whose `keys` these are.

    `order` puts the changes of an update in the order in which they are paged; `overlap` lets each
    page begin with the last row of the page before. `progress` is what new items begin with.
    """

    def __init__(self, world: World, environment: str = "sandbox") -> None:
        super().__init__(world)
        self.environment = environment
        self.keys = Keys()
        self.order: Order = list
        self.overlap = False
        self.progress = HISTORICAL
        self.items: dict[str, Item] = {}
        self.links: dict[str, LinkToken] = {}
        self._offered: dict[str, Offered] = {}
        self._cursors = Cursors()
        self._serial = 0

    def routes(self) -> Iterable[web.RouteDef]:
        answers: dict[str, Answering] = {
            "/link/token/create": self._link_create,
            "/link/token/get": self._link_get,
            "/item/public_token/exchange": self._exchange,
            "/item/get": self._item_get,
            "/item/remove": self._item_remove,
            "/accounts/get": self._accounts_get,
            "/accounts/balance/get": self._balance_get,
            "/transactions/sync": self._sync,
            "/transactions/refresh": self._refresh,
            "/liabilities/get": self._liabilities,
            "/sandbox/public_token/create": self._sandbox_create,
            "/sandbox/item/reset_login": self._sandbox_reset,
        }
        return [web.post(path, self._door(answer)) for path, answer in answers.items()]

    def open_link(self, token: str) -> Session:
        """The person opens the hosted page, and has not finished."""
        session = Session(self._name("session"), self.now())
        self.links[token].sessions.append(session)
        return session

    def finish_link(self, token: str, bank: HeldAt) -> str:
        """The person signs in at a bank and is done; a public token comes of it."""
        session = self.open_link(token)
        link = self.links[token]
        session.finished = self.now()
        session.bank = bank
        session.accounts = [
            self.world.accounts[each.number] for each in self.world.accounts_at(bank)
        ]
        self.world.sign_in(bank)
        if link.item is not None:
            item = self.items[link.item]
            item.ails = item.ails_because = item.consent_ends = None
            item.generation = self.world.banks[bank.id].generation
        session.public_token = self._offer(bank, link.days, link.products, link.item)
        return session.public_token

    def leave_link(self, token: str, bank: HeldAt | None = None, code: str | None = None) -> None:
        """The person closes the page without signing in, perhaps after an error."""
        session = self.open_link(token)
        session.finished = self.now()
        session.bank = bank
        session.exit_error = None if code is None else Refused(code).error

    def _offer(self, bank: HeldAt, days: int, products: list[str], item: str | None) -> str:
        token = f"public-{self.environment}-{self._name('public')}"
        self._offered[token] = Offered(bank.id, days, products, self.now(), item)
        return token

    def _name(self, kind: str) -> str:
        self._serial += 1
        return str(uuid5(SPACE, f"{kind} {self._serial}"))

    def _door(self, answer: Answering) -> Handler:
        async def opened(request: web.Request) -> web.Response:
            self._serial += 1
            mark = {"request_id": f"req{self._serial:012d}"}
            try:
                return web.json_response(answer(await self._body(request)) | mark)
            except Refused as error:
                refused = error
            return web.json_response(refused.error | mark, status=refused.status)

        return opened

    async def _body(self, request: web.Request) -> Answer:
        """What is asked, by who has the keys."""
        try:
            body = await request.json()
        except JSONDecodeError:
            body = None
        if not isinstance(body, dict):
            raise Refused("INVALID_BODY")
        given = (
            body.get("client_id") or request.headers.get("PLAID-CLIENT-ID"),
            body.get("secret") or request.headers.get("PLAID-SECRET"),
        )
        if None in given:
            raise Refused("MISSING_FIELDS", "the following required fields are missing: client_id")
        if given != (self.keys.client_id, self.keys.secret):
            raise Refused("INVALID_API_KEYS")
        return body

    def _link_create(self, body: Answer) -> Answer:
        item = self._item(body, well=False).id if "access_token" in body else None
        self._serial += 1
        link = new_token(body, self._serial, self.environment, self.now(), item)
        self.links[link.token] = link
        said: Answer = {"link_token": link.token, "expiration": shapes.stamp(link.expires)}
        return said | ({} if link.hosted_url is None else {"hosted_link_url": link.hosted_url})

    def _link_get(self, body: Answer) -> Answer:
        link = self.links.get(_needed(body, "link_token"))
        if link is None:
            raise Refused("INVALID_LINK_TOKEN")
        return told(link)

    def _exchange(self, body: Answer) -> Answer:
        offered = self._offered.pop(_needed(body, "public_token"), None)
        if offered is None or self.now() - offered.made > PUBLIC_TOKEN_LIVES:
            raise Refused("INVALID_PUBLIC_TOKEN")
        if offered.item is not None:
            item = self.items[offered.item]
        else:
            item = Item(
                self._name("item").replace("-", "") + "Item1",
                f"access-{self.environment}-{self._name('access')}",
                offered.bank,
                self.world.banks[offered.bank].generation,
                self.world.today,
                offered.days,
                offered.products,
                self.now(),
                self.progress,
            )
            self.items[item.id] = item
        return {"access_token": item.access_token, "item_id": item.id}

    def _item(self, body: Answer, *, well: bool = True) -> Item:
        """The item whose access token was given, which must be well to be read."""
        token = _needed(body, "access_token")
        item = next((each for each in self.items.values() if each.access_token == token), None)
        if item is None:
            raise Refused("INVALID_ACCESS_TOKEN")
        if item.removed:
            raise Refused("ITEM_NOT_FOUND")
        code = self._ails(item)
        if well and code is not None:
            raise Refused(code, reason=item.ails_because)
        return item

    def _ails(self, item: Item) -> str | None:
        bank = self.world.banks[item.bank]
        ended = item.consent_ends is not None and item.consent_ends <= self.now()
        if item.ails is None and (
            self.world.signed_out(bank) or bank.generation != item.generation or ended
        ):
            return "ITEM_LOGIN_REQUIRED"
        return item.ails

    def _views(self, item: Item) -> list[View]:
        accounts = self.world.accounts_at(self.world.banks[item.bank])
        return [self.world.shown(each) for each in accounts]

    def _item_get(self, body: Answer) -> Answer:
        item = self._item(body, well=False)
        status = {
            "transactions": {
                "last_successful_update": shapes.stamp(self.now()),
                "last_failed_update": None,
            },
            "last_webhook": None,
        }
        return {
            "item": self._item_said(item) | {"created_at": shapes.stamp(item.created)},
            "status": status,
        }

    def _item_said(self, item: Item) -> Answer:
        code = self._ails(item)
        return {
            "available_products": ["balance"],
            "billed_products": item.products,
            "products": item.products,
            "consented_products": item.products,
            "consent_expiration_time": item.consent_ends and shapes.stamp(item.consent_ends),
            "error": None if code is None else Refused(code, reason=item.ails_because).error,
            "institution_id": item.bank,
            "institution_name": self.world.banks[item.bank].name,
            "item_id": item.id,
            "update_type": "background",
            "webhook": None,
            "auth_method": None,
        }

    def _item_remove(self, body: Answer) -> Answer:
        self._item(body, well=False).removed = True
        return {}

    def _accounts_get(self, body: Answer) -> Answer:
        item = self._item(body)
        views = self._chosen(self._views(item), body)
        return {"accounts": [shapes.account(each) for each in views], "item": self._item_said(item)}

    def _balance_get(self, body: Answer) -> Answer:
        item = self._item(body)
        if item.bank == CAPITAL_ONE and not body.get("options", {}).get(
            "min_last_updated_datetime"
        ):
            raise Refused("INVALID_FIELD", "min_last_updated_datetime must be given for ins_128026")
        return self._accounts_get(body)

    def _chosen(self, views: list[View], body: Answer) -> list[View]:
        wanted = body.get("options", {}).get("account_ids")
        if wanted is None:
            return views
        if set(wanted) - {view.account.id for view in views}:
            raise Refused("INVALID_FIELD", "one or more account_ids is not valid for this item")
        return [view for view in views if view.account.id in wanted]

    def _sync(self, body: Answer) -> Answer:
        item = self._item(body)
        count = body.get("count", USUAL_ROWS)
        if not isinstance(count, int) or not 1 <= count <= MOST_ROWS:
            raise Refused("INVALID_FIELD", "count must be between 1 and 500")
        options = body.get("options", {})
        if "account_id" in options:
            raise Refused("INVALID_FIELD", "this Plaid does not sync one account alone")
        if item.progress == NOT_READY:
            return _page([], {}, "", item, more=False) | {"accounts": []}
        views = {view.account.number: view for view in self._views(item)}
        page = self._cursors.page(
            item.id,
            body.get("cursor") or "",
            self._rows(item, list(views.values())),
            count,
            self.order,
            overlap=self.overlap,
        )
        original = bool(options.get("include_original_description"))
        said = {
            change.row.id: shapes.transaction(
                change.row, views[change.row.account].account, original=original
            )
            for change in page.changes
        }
        touched = {change.row.account for change in page.changes}
        accounts = [shapes.account(view) for number, view in views.items() if number in touched]
        answer = _page(page.changes, said, page.cursor, item, more=page.more)
        return answer | {"accounts": accounts}

    def _rows(self, item: Item, views: list[View]) -> Rows:
        """The rows that Plaid has read until now of those that were asked for, as they came."""
        first = item.linked - timedelta(days=item.days)
        if item.progress == INITIAL:
            first = max(first, self.world.today - RECENT)
        rows = [row for view in views for row in view.rows if row.day >= first]
        by_id = {row.id: row for row in sorted(rows, key=lambda row: row.number)}
        assert len(by_id) == len(rows), "no two rows of Plaid have the same id"
        return by_id

    def _refresh(self, body: Answer) -> Answer:
        self._item(body)
        return {}

    def _liabilities(self, body: Answer) -> Answer:
        item = self._item(body)
        if "liabilities" not in item.products:
            raise Refused("ADDITIONAL_CONSENT_REQUIRED")
        views = self._chosen(self._views(item), body)
        if not any(view.account.kind in {"credit", "loan"} for view in views):
            raise Refused("NO_LIABILITY_ACCOUNTS")
        return self._accounts_get(body) | {"liabilities": shapes.liabilities(views)}

    def _sandbox_create(self, body: Answer) -> Answer:
        self._only_sandbox()
        bank = self.world.banks.get(_needed(body, "institution_id"))
        if bank is None:
            raise Refused("INVALID_INSTITUTION")
        days = body.get("options", {}).get("transactions", {}).get("days_requested", USUAL_HISTORY)
        return {"public_token": self._offer(bank, days, body.get("initial_products", []), None)}

    def _sandbox_reset(self, body: Answer) -> Answer:
        self._only_sandbox()
        self._item(body, well=False).ails = "ITEM_LOGIN_REQUIRED"
        return {"reset_login": True}

    def _only_sandbox(self) -> None:
        if self.environment != "sandbox":
            raise Refused("SANDBOX_ONLY")


def _needed(body: Answer, name: str) -> str:
    value = body.get(name)
    if not value:
        raise Refused("MISSING_FIELDS", f"the following required fields are missing: {name}")
    return str(value)


def _page(
    changes: list[Change], said: dict[str, Answer], cursor: str, item: Item, *, more: bool
) -> Answer:
    def of(kind: str) -> list[Answer]:
        return [said[each.row.id] for each in changes if each.kind == kind]

    return {
        "added": of("added"),
        "modified": of("modified"),
        "removed": [
            {"account_id": each["account_id"], "transaction_id": each["transaction_id"]}
            for each in of("removed")
        ],
        "next_cursor": cursor,
        "has_more": more,
        "transactions_update_status": item.progress,
    }
