"""Telling the owner of the machine what needs them: each thing once, and of made-up money nothing."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Connection

from finplan.model.connection import ConnectionStatus
from finplan.model.plan import Action
from finplan.service.automation import incidents
from finplan.service.automation.incidents import tell_what_needs_the_person
from finplan.service.automation.job import JobRun, Outcome
from finplan.service.context import Context
from finplan.store.queries import connections
from tests.service.conftest import NOW, bring


async def held() -> bool:
    return True


RUN = JobRun(is_requested=False, state=None, is_held=held)
FILE = "Date,Description,Amount\n2026-11-01,PAYROLL ACME,2000.00\n2026-11-05,CAFE,-4.00\n"

GAP = Action(
    priority=1,
    kind="cover_cash_gap",
    title="Cover $40 before Friday",
    detail="You have $2.",
    amount=4000,
)
RISE = Action(
    priority=2, kind="price_rise", title="Gym went from $20 to $25", detail="Keep it?", amount=6000
)
OTHER = Action(
    priority=3, kind="avoid_fees", title="Avoid fees", detail="They add up.", amount=None
)


class Ear:
    """Who is told, and may refuse to listen."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, str]] = []
        self.refusal: str | None = None

    async def tell(self, kind: str, headline: str, text: str) -> str | None:
        if self.refusal is None:
            self.heard.append((kind, headline, text))
        return self.refusal


class Advised:
    """What the plan that holds advises."""

    def __init__(self) -> None:
        self.actions: tuple[Action, ...] = ()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> Advised:
    made = Advised()

    class Plan:
        @property
        def actions(self) -> tuple[Action, ...]:
            return made.actions

    class Stored:
        plan = Plan()

    monkeypatch.setattr(incidents, "plan_that_holds", lambda *_: Stored())
    return made


@pytest.fixture
async def told(context: Context, ear: Ear) -> Context:
    """The context of a person with a statement file, who can be told."""
    await bring(context, {"a.csv": FILE}, account="Checking", currency="USD")
    return replace(context, tell=ear.tell)


async def set_status(context: Context, status: ConnectionStatus) -> None:
    owner = context.caller.owner

    def change(database: object) -> None:
        row = connections.list_connections(database, owner)[0]  # type: ignore[arg-type]
        connections.change_connection(database, row["no"], {"status": status})  # type: ignore[arg-type]

    await context.store.write(change)


def later(context: Context, **more: float) -> Context:
    now = context.now() + timedelta(**more)
    return replace(context, now=lambda: now)


async def test_each_thing_is_told_once(told: Context, ear: Ear, advised: Advised) -> None:
    """A bank, a gap and a price are told with all there is to know, and not again as they go on."""
    await set_status(told, "login_required")
    advised.actions = (GAP, RISE, OTHER)
    assert (await tell_what_needs_the_person(told, RUN)).result == "ok"
    assert [kind for kind, *_ in ear.heard] == ["reconnect", "cash_gap", "price_rise"]
    assert ear.heard[1][2] == f"{GAP.title}. {GAP.detail}"
    assert "sign in again" in ear.heard[0][2]

    advised.actions = (GAP.model_copy(update={"title": "Cover $60 before Friday"}), RISE)
    for days in (1, 100):
        assert await tell_what_needs_the_person(later(told, days=days), RUN) == Outcome("skipped")
    assert len(ear.heard) == 3


async def test_a_headline_has_no_name_or_amount(told: Context, ear: Ear, advised: Advised) -> None:
    """What others may read along says what kind of thing it is, and where to look."""
    await set_status(told, "login_required")
    advised.actions = (GAP, RISE)
    await tell_what_needs_the_person(told, RUN)
    for _, headline, _text in ear.heard:
        assert not any(sign.isdigit() or sign in "$€" for sign in headline)
        assert "Gym" not in headline
        assert "finplan " in headline


async def test_what_happens_again_is_told_again(told: Context, ear: Ear, advised: Advised) -> None:
    """A bank that asks anew at once, a gap after a week; one that flickers only then."""
    await set_status(told, "login_required")
    advised.actions = (GAP,)
    await tell_what_needs_the_person(told, RUN)
    await set_status(told, "ok")
    advised.actions = ()
    await tell_what_needs_the_person(later(told, hours=6), RUN)
    await set_status(told, "login_required")
    advised.actions = (GAP,)
    await tell_what_needs_the_person(later(told, days=1), RUN)
    assert [kind for kind, *_ in ear.heard] == ["reconnect", "cash_gap", "reconnect"]

    advised.actions = ()
    await tell_what_needs_the_person(later(told, days=7), RUN)
    advised.actions = (GAP,)
    await tell_what_needs_the_person(later(told, days=8), RUN)
    assert [kind for kind, *_ in ear.heard][3:] == ["cash_gap"]


async def test_another_price_is_another_thing(told: Context, ear: Ear, advised: Advised) -> None:
    """Each price that rises is told, and the next rise of the same one."""
    advised.actions = (RISE,)
    await tell_what_needs_the_person(told, RUN)
    advised.actions = (RISE, RISE.model_copy(update={"title": "Gym: $25 to $30"}))
    await tell_what_needs_the_person(told, RUN)
    assert [text for *_, text in ear.heard] == [
        f"{rise.title}. {rise.detail}" for rise in advised.actions
    ]


async def test_who_lost_the_run_tells_no_more(told: Context, ear: Ear, advised: Advised) -> None:
    """Before each thing it is asked whether another daemon tells by now; the rest is left to that."""
    advised.actions = (GAP, RISE)
    answers = iter((True, False))

    async def lost_after_one() -> bool:
        return next(answers)

    lost = RUN._replace(is_held=lost_after_one)
    assert await tell_what_needs_the_person(told, lost) == Outcome("skipped")
    assert [kind for kind, *_ in ear.heard] == ["cash_gap"]
    assert (await tell_what_needs_the_person(told, RUN)).result == "ok"
    assert [kind for kind, *_ in ear.heard] == ["cash_gap", "price_rise"]


async def test_what_failed_is_told_the_next_time(told: Context, ear: Ear, advised: Advised) -> None:
    """A failure is the run's, and nothing is taken for told."""
    advised.actions = (GAP,)
    ear.refusal = "no command"
    failed = await tell_what_needs_the_person(told, RUN)
    assert failed == Outcome("failed", ear.refusal)
    ear.refusal = None
    assert (await tell_what_needs_the_person(told, RUN)).result == "ok"
    assert len(ear.heard) == 1


async def test_nobody_is_told_of_made_up_money(demo: Context, ear: Ear, advised: Advised) -> None:
    """The demo household needs nothing; nor does somebody without a bank, or whom nobody may tell."""
    advised.actions = (GAP,)
    assert (await tell_what_needs_the_person(replace(demo, tell=ear.tell), RUN)).result == "skipped"
    assert (await tell_what_needs_the_person(demo, RUN)).result == "skipped"
    assert ear.heard == []


async def test_an_ending_consent_is_told_once(told: Context, ear: Ear, advised: Advised) -> None:
    """By its bank and its day, without a name on the desktop; a new consent is another matter."""
    owner = told.caller.owner

    async def end_at(instant: datetime) -> None:
        def change(database: Connection) -> None:
            row = connections.list_connections(database, owner)[0]
            ends = {"access_ends_at": int(instant.timestamp() * 1000)}
            connections.change_connection(database, row["no"], ends)

        await told.store.write(change)

    ends = NOW + timedelta(days=8)
    await end_at(ends)
    assert (await tell_what_needs_the_person(told, RUN)).result == "skipped"
    for ahead in (1, 2, 9):
        await tell_what_needs_the_person(later(told, days=ahead), RUN)
    ((kind, headline, text),) = ear.heard
    assert kind == "consent_ends"
    assert "Statement files" not in headline
    assert re.match("Statement files: .* 29 Nov", text)
    await end_at(ends + timedelta(days=90))
    await tell_what_needs_the_person(later(told, days=40), RUN)
    assert len(ear.heard) == 1
    await tell_what_needs_the_person(later(told, days=92), RUN)
    assert len(ear.heard) == 2
    await set_status(told, "login_required")
    await tell_what_needs_the_person(later(told, days=99), RUN)
    assert [kind for kind, *_ in ear.heard[2:]] == ["reconnect"]
