"""Webhooks as a person manages them, and what they are told."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import Link, SyncPage
from finplan.banks.demo.bank import Demo
from finplan.model import errors, webhook as webhooks
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.credential import AuditQuery
from finplan.model.plan import Plan, RecurringCharge
from finplan.operations.webhook import CREATE_WEBHOOK
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.context import Caller
from finplan.service.credentials.audit import list_audit
from finplan.service.dispatch import check_scope
from finplan.service.outbox import ONE_BY_ONE, tell_of_plan
from finplan.service.people import new_person
from finplan.service.planning.plans import build_plan
from finplan.service.webhooks.deliveries import list_deliveries, retry_delivery, try_webhook
from finplan.service.webhooks.webhooks import (
    MOST,
    SECRET_BYTES,
    change_webhook,
    list_webhook_records,
    list_webhooks,
    remove_webhook,
    rotate_secret,
    show_webhook,
)
from finplan.store.queries import people
from finplan.store.queries.deliveries import _DISABLED
from tests.webhooks.desk import HookDesk

URL = "https://receiver.test/hook"


async def test_a_webhook_is_registered_and_its_secret_shown_once(desk: HookDesk) -> None:
    """The answer has a secret of 32 bytes; nothing that is read later has it, nor has the store."""
    made = await desk.register(URL)
    assert made.secret.startswith("whsec_")
    import base64

    secret = base64.b64decode(made.secret.removeprefix("whsec_"), validate=True)
    assert len(secret) == SECRET_BYTES == 32
    shown = await show_webhook(desk.context, webhooks.WebhookId(id=made.id))
    assert shown.model_dump() == {
        name: value for name, value in made.model_dump().items() if name != "secret"
    }
    assert await list_webhooks(desk.context, Nothing()) == (shown,)
    assert secret not in desk.store.path.read_bytes()
    assert made.secret.encode() not in desk.store.path.read_bytes()
    newest = (await list_audit(desk.context, AuditQuery()))[0]
    assert (newest.kind, made.secret in newest.text) == ("webhook.created", False)


@pytest.mark.parametrize(
    "url",
    [
        "https://user@receiver.test/",
        "https://receiver.test/#x",
        "https://192.168.1.1/",
        "https://private.test/",
        "https://nowhere.test/",
        "https://half.test/",
    ],
)
async def test_a_bad_address_is_refused(desk: HookDesk, url: str) -> None:
    """When it is registered, and when it is changed; the sentence says why."""
    desk.names.leads_to = {
        "private.test": ["10.0.0.1"],
        "nowhere.test": [],
        "half.test": ["93.184.215.14", "127.0.0.1"],
    }
    with pytest.raises(errors.BadRequest, match="cannot receive webhooks"):
        await desk.register(url)
    made = await desk.register(URL)
    with pytest.raises(errors.BadRequest, match="cannot receive webhooks"):
        await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, url=url))
    assert (await show_webhook(desk.context, webhooks.WebhookId(id=made.id))).url == URL


async def test_there_are_twenty_at_most(desk: HookDesk) -> None:
    """The one too many is a conflict that says what to do."""
    for _ in range(MOST):
        await desk.register(URL)
    with pytest.raises(errors.Conflict, match="webhooks remove"):
        await desk.register(URL)
    first = (await list_webhooks(desk.context, Nothing()))[0]
    await remove_webhook(desk.context, webhooks.WebhookId(id=first.id))
    await desk.register(URL)


async def test_what_is_left_out_of_a_change_stays(desk: HookDesk) -> None:
    """A description may go; url, events and disabled cannot be null."""
    made = await desk.register(URL)
    hook = webhooks.WebhookId(id=made.id)
    changed = await change_webhook(
        desk.context,
        webhooks.WebhookChange(id=made.id, description="The flat's", events=("webhook.test",)),
    )
    assert (changed.description, changed.events, changed.url) == (
        "The flat's",
        ("webhook.test",),
        URL,
    )
    changed = await change_webhook(
        desk.context, webhooks.WebhookChange(id=made.id, description=None)
    )
    assert (changed.description, changed.events) == (None, ("webhook.test",))
    for name in ("url", "events", "disabled"):
        nothing: dict[str, Any] = {name: None}
        with pytest.raises(errors.BadRequest, match=f"`{name}` cannot be null"):
            await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, **nothing))
    assert await show_webhook(desk.context, hook) == changed


@pytest.mark.thorough
async def test_a_disabled_one_is_told_nothing(desk: HookDesk) -> None:
    """What waits has failed, nothing new is written, and a test is refused; then it goes on."""
    made = await desk.register_tested(URL, ("plan.built",))
    off = await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, disabled=True))
    assert off.disabled_at == desk.clock.now()
    (waiting,) = await desk.deliveries(made.id)
    assert waiting.status == "failed"
    assert waiting.last_error == _DISABLED
    assert (await desk.record(made.id)).disabled_why == "You disabled it."
    with pytest.raises(errors.Conflict, match="--enable"):
        await try_webhook(desk.context, webhooks.WebhookId(id=made.id))
    await link_connection(_with_demo(desk), LinkRequest(provider="demo"))
    await build_plan(_with_demo(desk), Nothing())
    assert len(await desk.deliveries(made.id)) == 1
    await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, disabled=False))
    await build_plan(_with_demo(desk), Nothing())
    assert [each.type for each in await desk.deliveries(made.id)] == ["plan.built", "webhook.test"]


async def test_nobody_reaches_the_webhooks_of_another(desk: HookDesk) -> None:
    """They look as if they were not there, and what happens to one person is told to that one alone."""
    made = await desk.register(URL)
    (delivery,) = await desk.test(made.id)
    other = await desk.store.write(
        lambda c: people.add_person(c, new_person("grace@example.org", None, "UTC", 1))
    )
    caller = Caller(other, frozenset({"read", "write", "session"}), "session")
    theirs = replace(desk.context, caller=caller)
    hook = webhooks.WebhookId(id=made.id)
    assert await list_webhooks(theirs, Nothing()) == ()
    assert await list_webhook_records(theirs, Nothing()) == ()
    for asked in (
        show_webhook(theirs, hook),
        change_webhook(theirs, webhooks.WebhookChange(id=made.id)),
        remove_webhook(theirs, hook),
        rotate_secret(theirs, hook),
        try_webhook(theirs, hook),
        list_deliveries(theirs, webhooks.DeliveryQuery(id=made.id)),
        retry_delivery(theirs, webhooks.DeliveryId(id=made.id, delivery_id=delivery)),
    ):
        with pytest.raises(errors.NotFound, match="No webhook"):
            await asked
    with pytest.raises(errors.NotFound, match="No delivery"):
        await retry_delivery(desk.context, webhooks.DeliveryId(id=made.id, delivery_id="dlv_0"))


def test_an_unclaimed_agent_registers_none() -> None:
    """Part 5 of the interface: not until somebody has claimed it."""
    guest = Caller(1, frozenset({"read", "write"}), "token", guest=True)
    with pytest.raises(errors.Forbidden, match="claim"):
        check_scope(guest, CREATE_WEBHOOK)
    check_scope(replace(guest, guest=False), CREATE_WEBHOOK)


async def test_without_the_data_key_none_is_registered(desk: HookDesk) -> None:
    """A secret that cannot be sealed is not kept."""

    async def refuse() -> Any:
        raise errors.SecretsUnreachable("locked")

    desk.context = replace(desk.context, sealer=refuse)
    with pytest.raises(errors.SecretsUnreachable):
        await desk.register(URL)
    assert await list_webhooks(desk.context, Nothing()) == ()


async def test_what_waits_for_the_data_key_says_so(desk: HookDesk) -> None:
    """Only where something waits: nobody is asked for a key that nothing needs."""
    asked: list[None] = []

    async def out_of_reach() -> Any:
        asked.append(None)
        raise errors.SecretsUnreachable("locked")

    waits = await desk.register(f"{URL}a")
    idle = await desk.register(f"{URL}b")
    desk.context = replace(desk.context, sealer=out_of_reach)
    assert (await desk.record(waits.id)).held_up is None
    assert asked == []
    await desk.test(waits.id)
    assert (await desk.record(waits.id)).held_up == "locked"
    assert (await desk.record(idle.id)).held_up is None


async def test_deliveries_come_a_page_at_a_time(desk: HookDesk) -> None:
    """Newest first, each once; a cursor of another webhook is refused."""
    made, other = await desk.register(URL), await desk.register(URL)
    ids = await desk.test(made.id, 7)
    found: list[str] = []
    cursor = None
    while True:
        page = await list_deliveries(
            desk.context, webhooks.DeliveryQuery(id=made.id, limit=3, cursor=cursor)
        )
        found += [each.id for each in page.deliveries]
        if page.next_cursor is None:
            break
        cursor = page.next_cursor
    assert found == ids[::-1]
    whole = await list_deliveries(desk.context, webhooks.DeliveryQuery(id=made.id, limit=7))
    assert (len(whole.deliveries), whole.next_cursor) == (7, None)
    for wrong in (cursor, "nonsense", "", "ÿ"):
        with pytest.raises(errors.BadRequest, match="cursor"):
            await list_deliveries(desk.context, webhooks.DeliveryQuery(id=other.id, cursor=wrong))


# --- what they are told ---------------------------------------------------------------------------


def _with_demo(desk: HookDesk, bank: Any = None) -> Any:
    return replace(desk.context, banks={"demo": bank or Demo()})


async def _bodies(desk: HookDesk) -> list[dict[str, Any]]:
    rows = await desk.rows("SELECT type, body FROM webhook_delivery ORDER BY no")
    shapes = {
        shape.model_fields["type"].annotation.__args__[0]: shape  # type: ignore[union-attr]
        for shape in webhooks.EVENT_SHAPES
    }
    for kind, body in rows:
        shapes[kind].model_validate_json(body)
    return [json.loads(body) for _, body in rows]


@pytest.mark.thorough
async def test_a_plan_is_told_with_it(desk: HookDesk) -> None:
    """One delivery for each webhook that asked, in the plan's own transaction, with its sums."""
    await desk.register(URL, ("plan.built",))
    await desk.register(URL, ("plan.built", "webhook.test"))
    await desk.register(URL, ("bank.reconnect_required",))
    context = _with_demo(desk)
    await link_connection(context, LinkRequest(provider="demo"))
    stored = await build_plan(context, Nothing())
    first, second = await _bodies(desk)
    assert first == second
    assert first["type"] == "plan.built"
    plan = stored.plan
    assert first["data"] == {
        "createdAt": stored.created_at,
        "generatedOn": plan.generated_on.isoformat(),
        "income": plan.monthly.income,
        "totalSpend": plan.monthly.total_spend,
        "surplus": plan.monthly.surplus,
        "netWorth": plan.snapshot.net_worth,
        "actions": [action.kind for action in plan.actions],
    }


@pytest.mark.thorough
async def test_a_plan_that_is_not_kept_is_not_told(desk: HookDesk) -> None:
    """What fails after the plan takes its deliveries along."""
    await desk.register(URL, ("plan.built",))
    plan = await _some_plan(desk)

    def fail(connection: Connection) -> None:
        tell_of_plan(connection, desk.context.caller.owner, plan, 1, desk.clock.now())
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await desk.store.write(fail)
    assert await _bodies(desk) == []


async def _some_plan(desk: HookDesk, charges: Sequence[RecurringCharge] | None = None) -> Plan:
    """The demo household's plan, worked out where nobody hears of it, perhaps with other charges."""
    context = _with_demo(desk)
    if not await desk.rows("SELECT 1 FROM connection"):
        await link_connection(context, LinkRequest(provider="demo"))
    from finplan.service.planning.plans import work_out

    plan = (await work_out(context)).plan
    return plan if charges is None else plan.model_copy(update={"recurring": tuple(charges)})


async def _tell(desk: HookDesk, plan: Plan) -> None:
    owner, now = desk.context.caller.owner, desk.clock.now()
    await desk.store.write(lambda c: tell_of_plan(c, owner, plan, now, now))


RECURRING: tuple[webhooks.WebhookEventType, ...] = ("recurring.detected",)


@pytest.mark.thorough
async def test_a_charge_that_comes_again_is_told_once(desk: HookDesk) -> None:
    """Each that no plan had before is told by itself, once, and one that ends and returns is not."""
    plan = await _some_plan(desk)
    one, two, three = plan.recurring[:3]
    await desk.register(URL, RECURRING)
    await _tell(desk, await _some_plan(desk, [one, two]))
    await _tell(desk, await _some_plan(desk, [one, two]))
    await _tell(desk, await _some_plan(desk, [two]))
    await _tell(desk, await _some_plan(desk, [one, two, three]))
    told = await _bodies(desk)
    assert [each["data"]["recurring"]["name"] for each in told] == [one.name, two.name, three.name]
    assert {each["data"]["count"] for each in told} == {1}


@pytest.mark.thorough
async def test_of_several_charges_of_one_name_the_newest_is_told(desk: HookDesk) -> None:
    """A second one under a name that is known is news, and it is the one that came less often."""
    plan = await _some_plan(desk)
    old = plan.recurring[0].model_copy(update={"count": 20})
    fresh = old.model_copy(update={"count": 3, "amount": old.amount + 1})
    await desk.register(URL, RECURRING)
    await _tell(desk, await _some_plan(desk, [old]))
    await _tell(desk, await _some_plan(desk, [old, fresh]))
    told = await _bodies(desk)
    assert [each["data"]["recurring"]["count"] for each in told] == [20, 3]


@pytest.mark.thorough
async def test_many_at_once_are_told_as_a_number(desk: HookDesk) -> None:
    """More than twenty new ones in one plan are one delivery that says how many; twenty are twenty."""
    plan = await _some_plan(desk)

    def named(many: int) -> list[RecurringCharge]:
        return [
            plan.recurring[0].model_copy(update={"name": f"Charge {place}"})
            for place in range(many)
        ]

    await desk.register(URL, RECURRING)
    await _tell(desk, await _some_plan(desk, named(ONE_BY_ONE + 1)))
    (told,) = await _bodies(desk)
    assert told["data"] == {"recurring": None, "count": 21}
    await _tell(desk, await _some_plan(desk, named(2 * ONE_BY_ONE + 1)))
    assert len(await _bodies(desk)) == 1 + ONE_BY_ONE


@pytest.mark.thorough
async def test_what_was_there_before_is_no_news(desk: HookDesk) -> None:
    """Who asks to be told has seen the newest plan: its charges are not told, later ones are."""
    context = _with_demo(desk)
    plan = await _some_plan(desk)
    await build_plan(context, Nothing())
    assert plan.recurring
    made = await desk.register(URL, ("plan.built",))
    await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, events=RECURRING))
    await build_plan(context, Nothing())
    assert await _bodies(desk) == []
    fresh = plan.recurring[0].model_copy(update={"name": "Something new"})
    await _tell(desk, await _some_plan(desk, [*plan.recurring, fresh]))
    # A second webhook does not make known what the first one has yet to be told.
    await desk.register(URL, RECURRING)
    told = await _bodies(desk)
    assert [each["data"]["recurring"]["name"] for each in told] == ["Something new"]


async def _built_while_disabled(desk: HookDesk, plan: Plan) -> str:
    """The id of a webhook that was disabled while a plan was built whose charges nobody was told."""
    made = await desk.register(URL, RECURRING)
    await change_webhook(desk.context, webhooks.WebhookChange(id=made.id, disabled=True))
    await build_plan(_with_demo(desk), Nothing())
    assert plan.recurring
    return made.id


@pytest.mark.thorough
async def test_what_came_while_a_webhook_was_disabled_is_no_news(desk: HookDesk) -> None:
    """Once it is let go on, the newest plan is known, and later charges are told; enabled twice, too."""
    plan = await _some_plan(desk)
    its = await _built_while_disabled(desk, plan)
    await change_webhook(desk.context, webhooks.WebhookChange(id=its, disabled=False))
    await _tell(desk, plan)
    assert await _bodies(desk) == []
    fresh = plan.recurring[0].model_copy(update={"name": "Something new"})
    more = await _some_plan(desk, [*plan.recurring, fresh])
    await _tell(desk, more)
    # What goes on already knows what it was told, though the newest plan kept is an older one.
    await change_webhook(desk.context, webhooks.WebhookChange(id=its, disabled=False))
    await _tell(desk, more)
    told = await _bodies(desk)
    assert [each["data"]["recurring"]["name"] for each in told] == ["Something new"]


@pytest.mark.thorough
async def test_a_disabled_webhook_knows_nothing_for_a_new_one(desk: HookDesk) -> None:
    """Beside a disabled webhook a new one is told of later charges alone, as if it were the first."""
    plan = await _some_plan(desk)
    await _built_while_disabled(desk, plan)
    await desk.register(URL, RECURRING)
    await _tell(desk, plan)
    assert await _bodies(desk) == []


@pytest.mark.thorough
async def test_a_webhook_let_go_on_beside_another_forgets_nothing(desk: HookDesk) -> None:
    """What another one was told is not told again, though the newest plan kept no longer has it."""
    plan = await _some_plan(desk)
    its = await _built_while_disabled(desk, plan)
    await desk.register(URL, RECURRING)
    fresh = plan.recurring[0].model_copy(update={"name": "Something new"})
    more = await _some_plan(desk, [*plan.recurring, fresh])
    await _tell(desk, more)
    await change_webhook(desk.context, webhooks.WebhookChange(id=its, disabled=False))
    await _tell(desk, more)
    assert len(await _bodies(desk)) == 1


class Forgetful(Demo):
    """A bank that fails as it is told."""

    failure: str | None = None

    async def sync(self, link: Link, cursor: str | None, today: Any) -> SyncPage:
        if self.failure is not None:
            raise errors.BankProviderError("The bank says no.", "demo", self.failure)  # type: ignore[arg-type]
        return await super().sync(link, cursor, today)


@pytest.mark.thorough
async def test_a_bank_to_reconnect_is_told_once_an_incident(desk: HookDesk) -> None:
    """When its status becomes login_required, and again only after it was well in between."""
    await desk.register(URL, ("bank.reconnect_required",))
    bank = Forgetful()
    context = _with_demo(desk, bank)
    made = await link_connection(context, LinkRequest(provider="demo"))
    link = ConnectionId(id=made.answer.connection.id)
    for failure in ("provider_error", "login_required", "login_required", None, "login_required"):
        bank.failure = failure
        await sync_connection(context, link)
    told = await _bodies(desk)
    assert [each["type"] for each in told] == ["bank.reconnect_required"] * 2
    connection = told[0]["data"]["connection"]
    assert (connection["id"], connection["status"]) == (link.id, "login_required")


@pytest.mark.thorough
async def test_who_has_no_webhook_pays_nothing(desk: HookDesk) -> None:
    """Without one, nothing is written of what could be told."""
    context = _with_demo(desk)
    await link_connection(context, LinkRequest(provider="demo"))
    await build_plan(context, Nothing())
    for table in ("webhook_delivery", "told_series"):
        assert await desk.rows(f"SELECT * FROM {table}") == []
