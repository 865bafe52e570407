"""Thirty days with three banks that fail, want a sign-in and are linked anew, as the handbook says.

What should happen is found here apart from the product: from the days on which something was wrong, and
the sentences of the handbook's pages on banks and on the schedule.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Literal

import pytest

from finplan.model.connection import Reconnection
from finplan.model.webhook import NewWebhook
from finplan.service.context import Context
from finplan.service.webhooks.webhooks import create_webhook
from tests.banks.fakes.enable_errors import denying
from tests.banks.fakes.faults import BAD_GATEWAY
from tests.banks.fakes.simplefin import TOO_MANY
from tests.banks.linked.month import (
    CONSENT_DAYS,
    EnableHome,
    LinkedHome,
    Month,
    PlaidHome,
    Tried,
    a_month,
    purchase_accounts,
)
from tests.webhooks.receiver import Authority

START = datetime(2026, 3, 2, 10, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATE = timedelta(seconds=2)

Wrong = Literal["provider_error", "rate_limited", "login_required"]


def day(number: float) -> datetime:
    """So many days after the start."""
    return START + number * DAY


@dataclass(frozen=True)
class Script:
    """What is wrong with a bank from when until when, and when the person links it anew."""

    wrong: tuple[tuple[datetime, datetime, Wrong], ...]
    relinked: tuple[datetime, ...] = ()
    consent_ends: tuple[datetime, ...] = ()

    def at(self, instant: datetime) -> str:
        """What comes of a try at an instant."""
        return next((what for since, until, what in self.wrong if since <= instant < until), "ok")


SCRIPTS = {
    "simplefin": Script(
        (
            (day(3), day(5.5), "provider_error"),
            (day(7), day(8), "rate_limited"),
            (day(9), day(13), "login_required"),
            (day(22), day(24), "login_required"),
        ),
        (day(13), day(24)),
    ),
    "plaid": Script(
        (
            (day(6), day(6.25), "provider_error"),
            (day(11), day(15), "login_required"),
            (day(25), day(99), "login_required"),
        ),
        (day(15),),
    ),
    "enablebanking": Script(
        (
            (day(4), day(5), "provider_error"),
            (day(CONSENT_DAYS), day(23), "login_required"),
        ),
        (day(23),),
        (day(CONSENT_DAYS), day(23 + CONSENT_DAYS)),
    ),
}
MOST_A_DAY = {"simplefin": 20, "enablebanking": 4}
"""How often each is asked within 24 hours at most, whoever asks."""

INCIDENTS = {"simplefin": 2, "plaid": 2, "enablebanking": 1}
"""How often each asks to sign in again."""


@dataclass
class Ear:
    """Who is told."""

    month: Month
    heard: list[tuple[datetime, str, str]] = field(default_factory=list)

    async def tell(self, kind: str, _headline: str, text: str) -> str | None:
        self.heard.append((self.month.now, kind, text))
        return None


@pytest.fixture
async def month(
    context: Context, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Month]:
    async with a_month(START, context, authority, monkeypatch) as made:
        yield made


def _script(month: Month) -> None:
    """Let happen what is wrong, and what the person does, at its instants."""
    simplefin, plaid, enable = _homes(month)
    harbour, larkmoor, _ = (next(iter(home.world.banks.values())) for home in month.homes.values())

    async def relink() -> None:
        simplefin.world.relink(harbour)
        await simplefin.relink()

    async def sign_in() -> None:
        await plaid.begin(plaid.connection)
        plaid.plaid.finish_link(plaid.token, larkmoor)

    async def consent() -> None:
        await enable.link(reconnect=Reconnection(connection_id=enable.connection))

    def simply(does: Callable[[], object]) -> Callable[[], Awaitable[None]]:
        async def happens() -> None:
            does()

        return happens

    fail = partial(simplefin.bridge.misbehave, BAD_GATEWAY, times=None)
    tell_off = partial(simplefin.bridge.misbehave, TOO_MANY, times=None)
    fail_at_plaid = partial(plaid.plaid.misbehave, BAD_GATEWAY, times=None)
    closed = denying("ASPSP_ERROR", status=503)
    fail_in_europe = partial(enable.bridge.misbehave, closed, times=None)
    sign_out = partial(plaid.world.sign_out, larkmoor)
    for at, does in (
        *((3, fail), (5.5, simplefin.bridge.behave), (7, tell_off), (8, simplefin.bridge.behave)),
        *((9, simplefin.bridge.disable), (22, simplefin.bridge.disable)),
        *((6, fail_at_plaid), (6.25, plaid.plaid.behave), (11, sign_out), (25, sign_out)),
        *((4, fail_in_europe), (5, enable.bridge.behave)),
    ):
        month.at(day(at), simply(does))
    for at, happens in ((13, relink), (24, relink), (15, sign_in), (23, consent)):
        month.at(day(at), happens)


def _homes(month: Month) -> tuple[LinkedHome, PlaidHome, EnableHome]:
    simplefin, plaid, enable = month.homes.values()
    assert isinstance(simplefin, LinkedHome)
    assert isinstance(plaid, PlaidHome)
    assert isinstance(enable, EnableHome)
    return simplefin, plaid, enable


@pytest.mark.slow
async def test_thirty_days_with_three_banks(month: Month) -> None:
    """Each try comes when it should, and status, questions, webhooks and notices are as documented."""
    purchase_accounts(month)
    ear = Ear(month)
    month.context = replace(month.context, tell=ear.tell)
    for home in month.homes.values():
        home.context = month.context
    webhook = NewWebhook(url="https://hooks.example.com/", events=("bank.reconnect_required",))
    await create_webhook(month.context, webhook)
    simplefin, plaid, enable = _homes(month)
    await simplefin.link()
    await plaid.link(next(iter(plaid.world.banks.values())))
    await enable.link()
    _script(month)

    await month.live(day(30))

    incidents = {name: await _must_be_asked_as_documented(month, name) for name in SCRIPTS}
    assert {name: len(found) for name, found in incidents.items()} == INCIDENTS
    sent = await month.webhooks_sent()
    assert sorted((at, name) for at, _, name in sent) == sorted(
        (at.replace(microsecond=0), name) for name, found in incidents.items() for at in found
    )
    _questions_are_asked(month, incidents)
    _notices_are_given(ear, month, incidents)
    for home in month.homes.values():
        if home is not plaid:
            assert (await home.sync()).ok
    plaid.world.sign_in(next(iter(plaid.world.banks.values())))
    await plaid.begin(plaid.connection)
    plaid.plaid.finish_link(plaid.token, next(iter(plaid.world.banks.values())))
    assert (await plaid.sync()).ok
    await month.must_be_true()


def _tries(month: Month, name: str) -> list[Tried]:
    """The tries at a bank, the last of each instant."""
    return list({each.at: each for each in month.tried if each.bank == name}.values())


async def _must_be_asked_as_documented(month: Month, name: str) -> list[datetime]:
    """Check each try at a bank, and how it stands after it; answers when it began to wait."""
    script, tries = SCRIPTS[name], _tries(month, name)
    status, failures = "ok", 0
    incidents, asked = list[datetime](), list[datetime]()
    for each, following in pairwise([*tries, None]):
        assert each is not None
        came = script.at(each.at)
        asked = [at for at in asked if each.at - at < DAY]
        if len(asked) >= MOST_A_DAY.get(name, 99):
            came = "rate_limited"
        else:
            asked.append(each.at)
        assert each.came == came, (name, each.at)
        if came == "ok":
            status, failures = "ok", 0
        elif came == "login_required":
            if status != "login_required":
                incidents.append(each.at)
            status, failures = "login_required", failures + 1
        elif came == "provider_error":
            failures += 1
            if failures >= 3 and status == "ok":
                status = "error"
        assert each.state is not None
        link = each.state.record.connection
        assert link.status == status, (name, each.at)
        assert (link.error is None) == (came == "ok")
        pause = _pause(came, status, failures)
        told = datetime.fromtimestamp((each.state.next_try_at or 0) / 1000, UTC)
        assert pause <= told - each.at <= 1.1 * pause, (name, each.at)
        if following is not None and following.at not in script.relinked:
            late = following.at - told
            signed_in = any(timedelta() <= following.at - at <= HOUR for at in script.relinked)
            assert signed_in or timedelta() <= late <= LATE, (name, each.at, following.at)
    return incidents


def _pause(came: str, status: str, failures: int) -> timedelta:
    """When a bank is tried again: twice a day, sooner and ever later after failures, rarely in vain."""
    if status == "login_required":
        return 72 * HOUR
    if came == "provider_error":
        return HOUR / 2 * min(1 << (failures - 1), 24)
    return 12 * HOUR


def _waits(month: Month, name: str, incidents: list[datetime], at: datetime) -> bool:
    """Whether a bank waits for the person at an instant."""
    over = [each.at for each in _tries(month, name) if each.came == "ok"]
    began = [each for each in incidents if each <= at]
    return bool(began) and not any(began[-1] < each <= at for each in over)


def _questions_are_asked(month: Month, incidents: dict[str, list[datetime]]) -> None:
    """A bank that waits is asked about, and one whose consent ends within a week."""
    assert month.open_tasks
    for at, asked in month.open_tasks:
        expected = {name for name in SCRIPTS if _waits(month, name, incidents[name], at)}
        consents = SCRIPTS["enablebanking"].consent_ends
        ends = consents[0] if at < SCRIPTS["enablebanking"].relinked[0] else consents[1]
        if (ends.date() - at.date()).days <= 7:
            expected.add("enablebanking")
        assert asked == expected, at


def _notices_are_given(ear: Ear, month: Month, incidents: dict[str, list[datetime]]) -> None:
    """Each incident once, at the next of three times of the day, and the end of the consent once."""
    told = [(at, text) for at, kind, text in ear.heard if kind == "reconnect"]
    names = {name: next(iter(home.world.banks.values())).name for name, home in month.homes.items()}
    for name, found in incidents.items():
        own = [at for at, text in told if text.startswith(names[name])]
        assert len(own) == len(found), (name, own)
        for at, began in zip(own, found, strict=True):
            assert timedelta() <= at - began <= 15 * HOUR
    ends = [(at, text) for at, kind, text in ear.heard if kind == "consent_ends"]
    assert len(ends) == 1
    assert ends[0][1].startswith("Hafenbank")
    assert timedelta() <= ends[0][0] - day(CONSENT_DAYS - 7).replace(hour=0) <= DAY
