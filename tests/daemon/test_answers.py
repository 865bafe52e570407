"""Answers: made once for a state of the data, right after every change, never another's.

What a client has already and how it takes an answer is read by the letter of RFC 9110.
"""

import asyncio
import gc
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from finplan.daemon.surfaces.negotiation import has_already, pack, takes_gzip, weak
from finplan.daemon.surfaces.rest.answers import (
    LARGEST_AS_VALUES,
    AnswerCache,
    AskedAnswer,
    EncodedAnswer,
    is_drawn,
)
from finplan.model.base import Nothing, Wire
from finplan.operation import AnyOperation, Derived
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNTS
from finplan.operations.category import LIST_RULES
from finplan.operations.table import OPERATIONS
from finplan.operations.transaction import QUERY_SPENDING
from finplan.service import dispatch
from finplan.service.context import Caller, Context
from finplan.store.derived import DerivedCache, State
from tests.daemon.running import NOW, RunningDaemon, running_daemon

DERIVED = tuple(row for row in OPERATIONS if isinstance(row.body, Derived))
STATE = State(1, 1, date(2026, 3, 18))
LATER = STATE._replace(generation=2)


class Counting:
    """Dispatch, and which rows were really performed."""

    def __init__(self) -> None:
        self.performed: list[AnyOperation] = []

    async def perform(
        self, context: Context, operation: AnyOperation, ask: Wire, *files: Any, **how: Any
    ) -> Any:
        self.performed.append(operation)
        return await dispatch.perform(context, operation, ask, *files, **how)


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
async def household(
    tmp_path: Path, household_store: Path, counting: Counting
) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, household_store, perform=counting.perform) as running:
        yield running


NAMED = {"section": "monthly", "id": "tx_1"}
"""What the paths of derived rows name."""


def path_of(row: AnyOperation) -> str:
    return "/api/v1" + row.path.format(**NAMED)


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_only_reads_are_derived(row: AnyOperation) -> None:
    """What follows from the data alone is asked with GET, and needs no more than reading."""
    if isinstance(row.body, Derived):
        assert (row.method, row.scope) == ("GET", "read")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", DERIVED, ids=lambda row: row.name)
async def test_asked_again_it_is_not_made_again(
    household: RunningDaemon, counting: Counting, row: AnyOperation
) -> None:
    """The second answer is the first one's bytes, and with its tag it is a 304 without a body."""
    first = await household.http.get(path_of(row))
    counting.performed.clear()
    second = await household.http.get(path_of(row))
    third = await household.http.get(path_of(row), headers={"if-none-match": first.headers["etag"]})
    head = await household.http.head(path_of(row), headers={"if-none-match": "*"})

    assert counting.performed == []
    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert (third.status_code, third.content, head.status_code) == (304, b"", 304)
    for response in (first, second, third, head):
        assert response.headers["etag"] == first.headers["etag"]
        varies = "Accept, Accept-Encoding" if is_drawn(row) else "Accept-Encoding"
        assert response.headers["vary"] == varies
        assert response.headers["cache-control"] == "private, no-cache"
    assert first.headers["etag"].startswith('W/"')


async def test_another_tag_gets_the_answer(household: RunningDaemon) -> None:
    """A tag of other data is answered in full."""
    response = await household.http.get(path_of(LIST_RULES), headers={"if-none-match": 'W/"0"'})

    assert response.status_code == 200
    assert response.json()


async def test_a_tag_outlives_the_daemon(
    tmp_path: Path, household_store: Path, household: RunningDaemon
) -> None:
    """It is made from the answer, so that a client of yesterday is told that nothing has changed."""
    tag = (await household.http.get(path_of(LIST_ACCOUNTS))).headers["etag"]

    async with running_daemon(tmp_path / "again", household_store) as again:
        response = await again.http.get(path_of(LIST_ACCOUNTS), headers={"if-none-match": tag})

    assert response.status_code == 304


async def test_each_question_has_one_answer(household: RunningDaemon, counting: Counting) -> None:
    """Another filter is another question; the order of its words and the root are not."""
    root, alias = path_of(QUERY_SPENDING), path_of(QUERY_SPENDING).replace("/v1", "")
    by_month = await household.http.get(f"{root}?groupBy=month&from=2026-01-01")
    total = await household.http.get(root)
    counting.performed.clear()
    turned = await household.http.get(f"{alias}?from=2026-01-01&groupBy=month")

    assert total.headers["etag"] != by_month.headers["etag"]
    assert turned.content == by_month.content
    assert counting.performed == []


async def test_a_change_is_seen_at_once(household: RunningDaemon, counting: Counting) -> None:
    """After a write the answer is made anew; one that came out the same keeps its tag."""
    accounts = await household.http.get(path_of(LIST_ACCOUNTS))
    rules = await household.http.get(path_of(LIST_RULES))
    account = accounts.json()[0]["id"]
    changed = await household.http.patch(f"/api/v1/accounts/{account}", json={"name": "Renamed"})
    counting.performed.clear()

    after = await household.http.get(
        path_of(LIST_ACCOUNTS), headers={"if-none-match": accounts.headers["etag"]}
    )
    same = await household.http.get(
        path_of(LIST_RULES), headers={"if-none-match": rules.headers["etag"]}
    )

    assert changed.status_code == 200
    assert after.status_code == 200
    assert after.json()[0]["name"] == "Renamed"
    assert same.status_code == 304
    assert counting.performed == [LIST_ACCOUNTS, LIST_RULES]


async def test_a_failed_write_leaves_no_trace(household: RunningDaemon, counting: Counting) -> None:
    """What was refused changed nothing, so nothing is made anew."""
    await household.http.get(path_of(LIST_ACCOUNTS))
    refused = await household.http.patch("/api/v1/accounts/acc_no", json={"name": "X"})
    counting.performed.clear()
    await household.http.get(path_of(LIST_ACCOUNTS))

    assert refused.status_code == 404
    assert counting.performed == []


async def test_a_new_day_is_news(tmp_path: Path, household_store: Path, counting: Counting) -> None:
    """At midnight where the person lives answers are made anew, though no data changed."""
    clock = {"now": NOW}
    async with running_daemon(
        tmp_path, household_store, perform=counting.perform, clock=lambda: clock["now"]
    ) as daemon:
        await daemon.http.patch("/api/v1/settings", json={"timeZone": "Pacific/Auckland"})
        clock["now"] = datetime(2026, 3, 18, 10, 59, tzinfo=UTC)
        await daemon.http.get("/api/v1/wealth")
        counting.performed.clear()
        await daemon.http.get("/api/v1/wealth")
        before_midnight = len(counting.performed)
        clock["now"] = datetime(2026, 3, 18, 11, 0, tzinfo=UTC)
        response = await daemon.http.get("/api/v1/wealth")

    assert before_midnight == 0
    assert len(counting.performed) == 1
    assert response.json()["today"] == "2026-03-19"


@pytest.mark.thorough
async def test_a_refusal_is_not_kept(daemon: RunningDaemon) -> None:
    """A plan that is not there yet is found as soon as it is."""
    missing = await daemon.http.get("/api/v1/plan")
    await daemon.http.post("/api/v1/connections", json={"provider": "demo"})
    await daemon.http.post("/api/v1/plan")
    found = await daemon.http.get("/api/v1/plan")

    assert (missing.status_code, found.status_code) == (404, 200)
    assert "etag" not in missing.headers


async def test_a_large_answer_is_packed_when_asked(household: RunningDaemon) -> None:
    """Packed and plain are one answer with one tag; small answers and refusals stay plain."""
    gzipped, plain = {"accept-encoding": "gzip"}, {"accept-encoding": "identity"}
    for _ in range(2):
        packed = await household.http.get(path_of(LIST_RULES), headers=gzipped)
        whole = await household.http.get(path_of(LIST_RULES), headers=plain)
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in whole.headers
        assert packed.content == whole.content
        assert packed.headers["etag"] == whole.headers["etag"]
        assert int(packed.headers["content-length"]) < int(whole.headers["content-length"])
    small = await household.http.get("/api/v1/me", headers=gzipped)
    built = await household.http.post("/api/v1/plan", headers=gzipped)

    assert "content-encoding" not in small.headers
    assert built.headers["content-encoding"] == "gzip"
    assert {small.headers["vary"], built.headers["vary"]} == {"Accept-Encoding"}


async def test_head_tells_of_the_packed_answer(household: RunningDaemon) -> None:
    """HEAD has the headers of the GET with the same words, and no body."""
    headers = {"accept-encoding": "gzip"}
    whole = await household.http.get(path_of(LIST_RULES), headers=headers)
    head = await household.http.head(path_of(LIST_RULES), headers=headers)

    assert head.content == b""
    for name in ("content-length", "content-encoding", "etag", "vary"):
        assert head.headers[name] == whole.headers[name]


# --- answers by themselves ---------------------------------------------------------------------------


def asked(number: int = 0, *, scopes: str = "read") -> AskedAnswer:
    caller = Caller(1, cast("Any", frozenset(scopes.split())), "session")
    return AskedAnswer(caller.kind, caller.scopes, LIST_ACCOUNTS, cast("Any", number))


def now(state: State) -> Callable[[], Awaitable[State]]:
    """A look at data that are in a state."""

    async def look() -> State:
        return state

    return look


class Maker:
    """Makes an answer of a size, counts how often, and may be held up."""

    def __init__(self, size: int = 10) -> None:
        self.made = 0
        self.size = size
        self.begun = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def __call__(self, _state: State) -> bytes:
        self.made += 1
        self.begun.set()
        await self.may_go_on.wait()
        return bytes(self.size)


@pytest.mark.parametrize(
    ("other", "state"),
    [
        (asked(1), STATE),
        (asked(), STATE._replace(owner=2)),
        (asked(scopes="read write"), STATE),
        (asked(), STATE._replace(generation=2)),
        (asked(), STATE._replace(today=date(2026, 3, 19))),
    ],
    ids=["question", "person", "scopes", "generation", "day"],
)
async def test_nobody_gets_anothers_answer(other: AskedAnswer, state: State) -> None:
    """Another question, person, credential's rights, generation and day each have their own answer."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    await answers.answer(asked(), now(STATE), make)
    await answers.answer(other, now(state), make)

    assert make.made == 2


async def test_values_are_not_what_is_packed() -> None:
    """One answer is kept packed and as values, and neither stands for the other."""
    answers, answer = AnswerCache(DerivedCache()), EncodedAnswer.of(b"x" * 2000)
    for _ in range(2):
        assert gzip.decompress(await answers.packed(asked(), STATE, answer)) == answer.content
        assert answers.values(asked(), STATE, answer, len) == 2000


def test_values_are_read_once_in_a_state() -> None:
    """Whoever tells an answer in other words finds it read; another state's, and a long one, anew."""
    answers, reads = AnswerCache(DerivedCache()), list[bytes]()

    def read(content: bytes) -> bytes:
        reads.append(content)
        return content.upper()

    def values_of(content: bytes, state: State = STATE, number: int = 0) -> bytes:
        told: bytes = answers.values(asked(number), state, EncodedAnswer.of(content), read)
        return told

    long = b"x" * (LARGEST_AS_VALUES + 1)
    for content, state, number, times in (
        (b"a", STATE, 0, 1),
        (b"b", STATE._replace(generation=2), 0, 1),
        (b"c", STATE, 1, 1),
        (long[1:], STATE, 2, 1),
        (long, STATE, 3, 2),
    ):
        reads.clear()
        told = [values_of(content, state, number) for _ in range(2)]
        assert told == [content.upper()] * 2
        assert len(reads) == times


async def test_those_who_ask_at_once_wait_for_one_answer() -> None:
    """It is made once, and one of them hanging up takes it from nobody."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    make.may_go_on.clear()
    waiting = [asyncio.create_task(answers.answer(asked(), now(STATE), make)) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    newer = asyncio.create_task(answers.answer(asked(), now(LATER), make))
    await asyncio.sleep(0)
    make.may_go_on.set()
    given = await asyncio.gather(*waiting[1:])
    await newer

    assert waiting[0].cancelled()
    assert len({id(answer) for _, answer in given}) == 1
    assert make.made == 2


async def test_who_asks_while_an_older_one_is_made_waits_for_the_next() -> None:
    """However many ask meanwhile, and in however many states, one more is made after it."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    make.may_go_on.clear()
    state = STATE

    async def look() -> State:
        return state

    waiting = [asyncio.create_task(answers.answer(asked(), look, make))]
    for generation in (2, 3, 4):
        await asyncio.sleep(0)
        state = STATE._replace(generation=generation)
        waiting.append(asyncio.create_task(answers.answer(asked(), look, make)))
    await asyncio.sleep(0)
    make.may_go_on.set()
    given = await asyncio.gather(*waiting)

    assert make.made == 2
    assert [of.generation for of, _ in given] == [1, 4, 4, 4]


async def test_nobody_waits_for_more_than_two_however_often_the_data_change() -> None:
    """Those who wait share the next answer, though every look finds another state."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    make.may_go_on.clear()
    generations = count(1)

    async def look() -> State:
        return STATE._replace(generation=next(generations))

    waiting = [asyncio.create_task(answers.answer(asked(), look, make)) for _ in range(5)]
    await asyncio.sleep(0)
    make.may_go_on.set()
    given = await asyncio.gather(*waiting)

    assert make.made == 2
    assert [of.generation for of, _ in given] == [1, 6, 6, 6, 6]
    later, _ = await answers.answer(asked(), look, make)
    assert (later.generation, make.made) == (7, 3)


async def test_who_asks_when_the_next_one_has_looked_waits_for_one_more() -> None:
    """An answer whose look came before a change is not given to who asked after that."""
    answers, first, second = AnswerCache(DerivedCache()), Maker(), Maker()
    first.may_go_on.clear()
    second.may_go_on.clear()
    one = asyncio.create_task(answers.answer(asked(), now(STATE), first))
    await asyncio.sleep(0)
    two = asyncio.create_task(answers.answer(asked(), now(LATER), second))
    await asyncio.sleep(0)
    first.may_go_on.set()
    await one
    await second.begun.wait()
    newest = STATE._replace(generation=3)
    three = asyncio.create_task(answers.answer(asked(), now(newest), second))
    same = asyncio.create_task(answers.answer(asked(), now(LATER), second))
    await asyncio.sleep(0)
    second.may_go_on.set()
    given = await asyncio.gather(two, three, same)

    assert [of.generation for of, _ in given] == [2, 3, 2]
    assert (first.made, second.made) == (1, 2)


async def test_who_asks_while_the_next_one_looks_waits_for_one_more() -> None:
    """A look that has read, and is not answered yet, knows nothing of a change since."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    looking, may_see = asyncio.Event(), asyncio.Event()
    make.may_go_on.clear()
    looks = count()

    async def slow() -> State:
        if next(looks):
            looking.set()
            await may_see.wait()
        return LATER

    one = asyncio.create_task(answers.answer(asked(), now(STATE), make))
    await asyncio.sleep(0)
    two = asyncio.create_task(answers.answer(asked(), slow, make))
    await asyncio.sleep(0)
    make.may_go_on.set()
    await looking.wait()
    newest = STATE._replace(generation=3)
    three = asyncio.create_task(answers.answer(asked(), now(newest), make))
    await asyncio.sleep(0)
    may_see.set()
    given = await asyncio.gather(one, two, three)

    assert [of.generation for of, _ in given] == [1, 2, 3]


@pytest.mark.thorough
async def test_failures_keep_nothing_of_those_before_them() -> None:
    """However many follow each other and fail, only the one that is made and the next are kept."""
    answers, generations = AnswerCache(DerivedCache()), count(1)
    kept = list[int]()
    # What other tests have left is not looked through each time.
    gc.collect()
    gc.freeze()

    async def look() -> State:
        return STATE._replace(generation=next(generations))

    async def fail(_state: State) -> bytes:
        await asyncio.sleep(0)
        gc.collect()
        kept.append(sum(type(each).__name__ == "_Making" for each in gc.get_objects()))
        raise LookupError

    async def ask_again_and_again() -> None:
        for _ in range(10):
            with suppress(LookupError):
                await answers.answer(asked(), look, fail)

    await asyncio.gather(*[ask_again_and_again() for _ in range(3)])

    assert len(kept) >= 10
    assert max(kept) <= 3
    assert not answers._making


async def test_the_next_one_is_made_though_the_one_before_failed() -> None:
    """A failure is told to those alone who asked for that answer."""
    answers, make = AnswerCache(DerivedCache()), Maker()
    may_fail = asyncio.Event()

    async def fail(_state: State) -> bytes:
        await may_fail.wait()
        raise LookupError

    failing = asyncio.create_task(answers.answer(asked(), now(STATE), fail))
    await asyncio.sleep(0)
    following = asyncio.create_task(answers.answer(asked(), now(LATER), make))
    await asyncio.sleep(0)
    may_fail.set()
    failed, given = await asyncio.gather(failing, following, return_exceptions=True)

    assert isinstance(failed, LookupError)
    assert not isinstance(given, BaseException)
    assert given[0] == LATER


async def test_a_failure_reaches_everybody_and_is_not_kept() -> None:
    """Each one waiting is told, and the next one tries again."""
    answers = AnswerCache(DerivedCache())
    tries = 0

    async def fail(_state: State) -> bytes:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0)
        raise LookupError

    for _ in range(2):
        waiting = [answers.answer(asked(), now(STATE), fail) for _ in range(3)]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [LookupError] * 3
    assert tries == 2


async def test_packing_happens_once_for_a_state() -> None:
    """The packed form is kept beside the answer; one that was forgotten meanwhile is packed again."""
    answers, make = AnswerCache(cache := DerivedCache()), Maker(80_000)
    _, answer = await answers.answer(asked(), now(STATE), make)
    packed = await answers.packed(asked(), STATE, answer)

    assert gzip.decompress(packed) == answer.content
    assert await answers.packed(asked(), STATE, answer) is packed
    cache.clear()
    assert gzip.decompress(await answers.packed(asked(), STATE, answer)) == answer.content


def test_questions_of_derived_rows_can_be_keys() -> None:
    """Each such row's question can be looked up, and equal questions are one."""
    for row in DERIVED:
        given = {name: NAMED[name] for name in row.path_names}
        first, second = row.asks(**given), row.asks(**given)
        assert hash(first) == hash(second)
        assert first == second
    assert Nothing() == Nothing()
    assert CHANGE_ACCOUNT not in DERIVED


def asking(name: str, *values: str) -> web.Request:
    return make_mocked_request("GET", "/", headers=CIMultiDict((name, each) for each in values))


@pytest.mark.parametrize(
    "accepted",
    [
        "gzip",
        "GZIP",
        "gzip, deflate, br",
        "br;q=1.0, gzip;q=0.8, *;q=0.1",
        "*",
        "x-gzip",
        "gzip ; q=0.001",
        "identity;q=0.5, gzip;q=0.5",
        "identity;q=0, *",
    ],
)
def test_gzip_is_taken(accepted: str) -> None:
    """By its name in any case, by its old name, or by the star, with any weight above zero."""
    assert takes_gzip(asking("Accept-Encoding", accepted))


@pytest.mark.parametrize(
    "accepted",
    [
        "",
        "identity",
        "br, deflate",
        "gzip;q=0",
        "gzip;q=0.0, *",
        "*;q=0",
        "identity, gzip;q=0.5",
        "gzip;q=many",
        "gzip;q=2",
        "gzip;q=-1",
        "gzip;q=nan",
        "gzipped",
        ";;,,;q=",
    ],
)
def test_gzip_is_not_taken(accepted: str) -> None:
    """Not when it is not named, has no weight, or when the plain answer is liked more."""
    assert not takes_gzip(asking("Accept-Encoding", accepted))


def test_without_a_word_the_answer_is_plain() -> None:
    """No header promises nothing; several lines are one list."""
    assert not takes_gzip(asking("Accept", "*/*"))
    assert takes_gzip(asking("Accept-Encoding", "br", "gzip"))


@pytest.mark.parametrize(
    "given",
    ['W/"abc"', '"abc"', '"x", W/"abc"', '"x","abc"', '"a,b" , "abc"', "*", " * ", '"x" "abc"'],
)
def test_the_client_has_it(given: str) -> None:
    """A strong and a weak tag are one here; anywhere in the list will do, and the star is any."""
    assert has_already(asking("If-None-Match", given), "abc")


@pytest.mark.parametrize(
    "given", ["", '"abcd"', '"ab"', "abc", '"x", "y"', '"*"', 'w/"ab"', '"', '"ABC"', "W/abc"]
)
def test_the_client_does_not_have_it(given: str) -> None:
    """Another tag, a tag without its quotation marks, or a quoted star is no match."""
    assert not has_already(asking("If-None-Match", given), "abc")


def test_several_lines_are_one_list() -> None:
    """A header may be repeated; without one the client has nothing."""
    assert has_already(asking("If-None-Match", '"x"', '"abc"'), "abc")
    assert not has_already(asking("Accept", "*"), "abc")


def test_what_is_sent_matches() -> None:
    """The tag that goes out is the one that comes back."""
    assert has_already(asking("If-None-Match", weak("abc")), "abc")


@pytest.mark.parametrize("size", [0, 1, 5000, 200_000])
async def test_what_is_packed_can_be_unpacked(size: int) -> None:
    """Packing loses nothing, and gives the same bytes each time."""
    content = bytes(range(256)) * (size // 256 + 1)

    assert gzip.decompress(await pack(content)) == content
    assert await pack(content) == await pack(content)
