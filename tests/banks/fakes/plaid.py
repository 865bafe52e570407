"""Plaid's API: link tokens and items, and what is synced of an item, with its errors."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from json import JSONDecodeError
from typing import Any
from uuid import uuid5

from aiohttp import web

from tests.banks.fakes import plaid_link
from tests.banks.fakes import plaid_shapes as shapes
from tests.banks.fakes.plaid_errors import Refused
from tests.banks.fakes.plaid_items import HISTORICAL, INITIAL, NOT_READY, Item, Keys, Offered
from tests.banks.fakes.plaid_link import LinkToken, Session
from tests.banks.fakes.plaid_sync import Change, Cursors, Order, Rows
from tests.banks.fakes.wire import FakeBank, Handler
from tests.banks.fakes.world import HeldAt, View, World

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
        return str(uuid5(plaid_link.SPACE, f"{kind} {self._serial}"))

    def _door(self, answer: Answering) -> Handler:
        async def opened(request: web.Request) -> web.Response:
            self._serial += 1
            mark = {"request_id": f"req{self._serial:012d}"}
            try:
                body = await self._body(request)
                return web.json_response(answer(body) | mark)
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
        link = plaid_link.new_token(body, self._serial, self.environment, self.now(), item)
        self.links[link.token] = link
        said: Answer = {"link_token": link.token, "expiration": shapes.stamp(link.expires)}
        return said | ({} if link.hosted_url is None else {"hosted_link_url": link.hosted_url})

    def _link_get(self, body: Answer) -> Answer:
        link = self.links.get(_needed(body, "link_token"))
        if link is None:
            raise Refused("INVALID_LINK_TOKEN")
        return plaid_link.told(link)

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
        asked = body.get("options", {}).get("transactions", {})
        days = asked.get("days_requested", plaid_link.USUAL_HISTORY)
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
