"""Two hundred clients on the demo household, reading and writing, beside as many on the trivial route.

The mix is one write to nine reads. A write renames a category that only its client has, or files charges
of an amount that only its client uses; in the end each is there as it was last acknowledged. The trivial
route reads one row, `GET /me`. It is also asked while a plan over a large ledger is built, and while a
hundred clients have asked for the whole of it and take nothing.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from time import perf_counter

from benchmarks.crowd import Life, Member, Seen, crowd, slowest_of_hundred
from benchmarks.figures import Figure, Target, against, shown_time
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.plans import BUILD
from benchmarks.wire import Question, saying

CLIENTS = 200
WRITES = 0.1
"""Which share of the requests writes."""

READS = (
    "/me",
    "/accounts",
    "/transactions?limit=50",
    "/spending?groupBy=category",
    "/spending?groupBy=merchant",
    "/spending?groupBy=month",
    "/categories",
    "/categories/rules",
    "/tasks",
    "/plan",
    "/snapshot",
    "/wealth",
    "/recurring",
)
CATEGORIES = ("groceries", "dining", "shopping", "travel")
LARGE = 100_000
PATIENCE = 25.0
"""How long the trivial route may take while a plan is built, in milliseconds."""

TRIVIAL = Question("GET", "/me")
EXPORT = Question("GET", "/export")
SLOW_READERS = 100
QUIET_QUESTIONS = 2_000


def measure(ground: Ground) -> list[Figure]:
    """The figures of all three. Raises RuntimeError when an answer is wrong or a write is lost."""
    return [_of_the_household(ground), _of_a_plan(ground), _of_slow_readers(ground)]


def _of_the_household(ground: Ground) -> Figure:
    home = ground.new_home()
    with daemon(home) as running:
        merchants = settle(running)
        rows = json.loads(running.get("/spending"))["count"]
        trivial = _lived(running, _ask_trivially, ground.seconds)
        mixed = _lived(running, partial(use, merchants), ground.seconds)
    ground.forget(home)
    return against(
        slowest_of_hundred(trivial.taken),
        slowest_of_hundred(mixed.taken),
        f"{CLIENTS} clients, the slowest of 100",
        rows,
        "time",
        Target(10, rows),
    )


def settle(running: Daemon) -> list[str]:
    """Link the demo household and build its plan; answers its merchants."""
    running.ask(saying("POST", "/connections", {"provider": "demo"}))
    running.ask(BUILD)
    return merchants_of(running)


def merchants_of(running: Daemon) -> list[str]:
    """The merchants of a household."""
    report = json.loads(running.get("/spending?groupBy=merchant"))
    return [group["key"] for group in report["groups"]]


def _lived(running: Daemon, life: Life, seconds: float) -> Seen:
    seen, members = asyncio.run(crowd(running.port, running.cookie, CLIENTS, seconds, life))
    must_be_right(seen)
    must_be_written(running, members)
    return seen


async def _ask_trivially(member: Member) -> None:
    await member.ask(TRIVIAL)


async def use(merchants: list[str], member: Member) -> None:
    """Do one thing: mostly read, else write."""
    if member.dice.random() >= WRITES:
        await member.ask(Question("GET", member.dice.choice(READS)))
    elif member.dice.random() < 0.5:
        await _name_something(member)
    else:
        await _file_something(merchants, member)


async def _name_something(member: Member) -> None:
    """Make a category of one's own at first, and then give it another name."""
    known = member.written.get("category")
    name = f"Client {member.number}, {member.dice.randrange(10**9)}"
    if known is None:
        sent = {"name": name, "line": "discretionary"}
        made = await member.ask(saying("POST", "/categories", sent))
        known = made and made["category"]["category"]
    else:
        sent = {"name": name}
        made = await member.ask(saying("PATCH", f"/categories/{known}", sent))
    if made is not None:
        member.written["category"], member.written["name"] = known, name


async def _file_something(merchants: list[str], member: Member) -> None:
    """File charges of an amount that no other client files."""
    merchant = merchants[member.number % len(merchants)]
    category = member.dice.choice(CATEGORIES)
    sent = {"payeeKey": merchant, "category": category, "amount": member.number + 1}
    made = await member.ask(saying("PUT", "/categories/rules", sent))
    if made is not None:
        member.written["rule"], member.written["filed"] = made["id"], category


def must_be_right(seen: Seen) -> None:
    """Raise RuntimeError when an answer was no success, or not well-formed."""
    if seen.wrong:
        raise RuntimeError(f"{len(seen.wrong):,} answers were wrong, first {seen.wrong[0]}")


def must_be_written(running: Daemon, members: Sequence[Member]) -> None:
    """Raise RuntimeError when something is not as its client was told at last that it is."""
    names = {each["category"]: each["label"] for each in json.loads(running.get("/categories"))}
    rules = {each["id"]: each["category"] for each in json.loads(running.get("/categories/rules"))}
    for member in members:
        written = member.written
        if names.get(written.get("category", "")) != written.get("name"):
            raise RuntimeError(f"A name that client {member.number} gave was lost.")
        if rules.get(written.get("rule", "")) != written.get("filed"):
            raise RuntimeError(f"A rule that client {member.number} set was lost.")


def _of_a_plan(ground: Ground) -> Figure:
    home = ground.new_home(like=ground.filled_store(LARGE))
    with daemon(home) as running:
        taken = asyncio.run(_while_planning(running, ground.rounds))
    ground.forget(home)
    slowest = slowest_of_hundred(taken)
    name = "GET /me while plans are built, the slowest of 100"
    return Figure(
        name, LARGE, "patience", slowest * 1e3, shown_time(slowest), "", PATIENCE, slowest
    )


async def _while_planning(running: Daemon, plans: int) -> list[float]:
    """How long the trivial route takes, asked again and again while some plans are built in turn."""
    asker, building = (Member(number, running.port, running.cookie) for number in range(2))

    async def build() -> None:
        async with building:
            for _ in range(plans):
                await building.ask(BUILD)

    built = asyncio.create_task(build())
    taken: list[float] = []
    async with asker:
        while not built.done():
            begun = perf_counter()
            await asker.ask(TRIVIAL)
            taken.append(perf_counter() - begun)
    await built
    must_be_right(asker.seen)
    must_be_right(building.seen)
    return taken


def _of_slow_readers(ground: Ground) -> Figure:
    home = ground.new_home(like=ground.filled_store(LARGE))
    with daemon(home) as running:
        quiet = _asked_trivially(running, QUIET_QUESTIONS)
        with ExitStack() as slow:
            for wire in running.wires(SLOW_READERS):
                slow.callback(wire.close)
                wire.send(EXPORT)
            beside = _asked_trivially(running, QUIET_QUESTIONS)
    ground.forget(home)
    return against(
        slowest_of_hundred(quiet),
        slowest_of_hundred(beside),
        f"GET /me beside {SLOW_READERS} who take nothing, the slowest of 100",
        LARGE,
        "time",
        Target(10, LARGE),
    )


def _asked_trivially(running: Daemon, times: int) -> list[float]:
    """How long the trivial route takes, asked so often by one client."""
    taken = []
    for _ in range(times):
        begun = perf_counter()
        running.ask(TRIVIAL)
        taken.append(perf_counter() - begun)
    return taken
