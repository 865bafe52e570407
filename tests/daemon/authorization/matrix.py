"""The two in front of one daemon, and what is wrong with how a kind of caller is answered.

An answer about another's thing has to be that of a thing which never was.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

import httpx
from aiohttp.abc import AbstractResolver

from finplan.banks.base import Aggregator
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.rate_limit import WINDOW, Limiting, Windows
from finplan.model.errors import BankProviderError
from finplan.setting_values import LARGEST_RATE_LIMIT
from tests.daemon.authorization.callers import CallerKind
from tests.daemon.authorization.household import MARK, Ids, Rows, Settled, rows_of
from tests.daemon.authorization.requests import Request
from tests.daemon.running import RunningDaemon


def unthrottled() -> Limiting:
    """The rate limit, of which no request sees another: each is in a minute of its own.

    The limit of an unclaimed agent is the product's own, and no setting raises it.
    """
    minutes = count()
    return Limiting(LARGEST_RATE_LIMIT, windows=Windows(clock=lambda: next(minutes) * WINDOW))


class _Nowhere:
    """Lets no request go anywhere."""

    async def check(self, url: str) -> None:
        raise BankProviderError(f"Nobody is reached at {url}.", "aggregator", "provider_error")

    def resolver(self) -> AbstractResolver:
        raise NotImplementedError


def unreachable_banks() -> Mapping[str, Aggregator]:
    """Aggregators that are set up and reach nobody: what may refuse a link is asked before they are."""
    return {
        "simplefin": SimpleFin(BankHttp("SimpleFIN", vets=_Nowhere())),
        "plaid": Plaid(BankHttp("Plaid", vets=_Nowhere()), PlaidKeys("id", "secret", "sandbox")),
    }


@dataclass
class Two:
    """A daemon before the two people, and a client without a credential of its own."""

    daemon: RunningDaemon
    settled: Settled
    http: httpx.AsyncClient

    async def ask(self, caller: CallerKind, request: Request) -> httpx.Response:
        """Send a request as a kind of caller."""
        shown = await caller.headers(self.daemon, self.settled)
        parts = {**request.parts, "headers": {**shown, **request.parts.get("headers", {})}}
        return await self.http.request(request.method, request.url, **parts)

    async def rows(self) -> Rows:
        """All that is Ada's."""
        return await self.daemon.store.read(lambda c: rows_of(c, self.settled.ada))


_OF_EACH_ANSWER = frozenset(
    {
        *("date", "content-length", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"),
        # Tags are made of bodies, which are compared.
        "etag",
    }
)
"""Headers that differ from one answer to the next."""

_NEXT = str.maketrans(
    {
        letter: letters[place - 1]
        for letters in ("0123456789", "abcdef", "ghjkmnpqrstvwxyz", "ilou")
        for place, letter in enumerate(letters)
    }
)
"""Another letter for each, of the same kind, so that a changed id is still one that could be."""


def never_was(ids: Ids) -> Ids:
    """For each thing an id of its kind that nothing has ever had."""
    return {kind: _another(kind, value) for kind, value in ids.items()}


def _another(kind: str, value: str) -> str:
    if kind == "transaction":
        return "tx_987654"
    if kind.startswith("his "):
        return value
    return value[:-4] + value[-4:].translate(_NEXT)


def differences(real: httpx.Response, fake: httpx.Response, ids: Ids, others: Ids) -> Iterator[str]:
    """What tells the answer about a thing that is another's from that about one which never was."""
    if real.status_code != fake.status_code:
        yield f"{real.status_code} for hers and {fake.status_code} for one that never was"
        return
    if without(real.text, ids) != without(fake.text, others):
        yield f"another body for hers: {real.text[:300]} and not {fake.text[:300]}"
    if _headers(real, ids) != _headers(fake, others):
        yield f"other headers for hers: {_headers(real, ids)} and not {_headers(fake, others)}"


def without(text: str, ids: Ids) -> str:
    """A text with the kind of each thing of Ada's in the place of its id."""
    for kind, value in sorted(ids.items(), key=lambda item: -len(item[1])):
        if not kind.startswith("his "):
            text = text.replace(value, f"<{kind}>")
    return text


def _headers(answer: httpx.Response, ids: Ids) -> Mapping[str, str]:
    return {
        name: without(value, ids)
        for name, value in answer.headers.items()
        if name not in _OF_EACH_ANSWER
    }


def leaks(answer: httpx.Response, ids: Ids, named: frozenset[str]) -> Iterator[str]:
    """What of Ada's an answer shows that the question did not name itself."""
    return leaks_in(f"{answer.headers}\n{answer.text}", ids, named)


def leaks_in(text: str, ids: Ids, named: frozenset[str]) -> Iterator[str]:
    """As `leaks`, of a text."""
    shown = text.casefold()
    for kind in named & ids.keys():
        shown = shown.replace(ids[kind].casefold(), "")
    if MARK in shown:
        place = shown.index(MARK)
        yield f"a text of hers is shown: …{shown[max(0, place - 80) : place + 80]}…"
    for kind, value in ids.items():
        # A job is the machine's, and each of its owner's has the same name.
        is_hers = kind != "job" and not kind.startswith("his ")
        if is_hers and re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", shown):
            yield f"her {kind} is shown"
