"""What a credential costs a request: a question by a key and by a token, beside the local session's.

Eight connections of each kind ask in turns, so that all meet the same machine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from html import unescape

import httpx

from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import race, timed
from benchmarks.wire import Question, Wire, ask_all, saying

CONNECTIONS = 8
QUESTIONS = 400
ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""

ROWS = 10_000
ASKED = Question("GET", "/accounts")
_SITE_HEADERS = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
_TOKEN = "/auth/oauth2/token"
_CLAIM = "urn:example:agent-auth:grant-type:claim"


def measure(ground: Ground) -> list[Figure]:
    """The figures of a key and of a token, beside the local session's."""
    home = ground.new_home(like=ground.filled_store(ROWS))
    with daemon(home) as running:
        shown: Mapping[str, tuple[str, str]] = {
            "session": (running.cookie, "Cookie"),
            "key": (_key(running), "X-Api-Key"),
            "token": (f"Bearer {_access_token(running)}", "Authorization"),
        }
        wires = {
            kind: [Wire(running.port, *each) for _ in range(CONNECTIONS)]
            for kind, each in shown.items()
        }
        times = race(
            {kind: partial(timed, partial(_crowd, each)) for kind, each in wires.items()},
            ground.rounds * ROUNDS,
        )
        for wire in (each for several in wires.values() for each in several):
            wire.close()
    ground.forget(home)
    target = Target(1.15, ROWS)
    return [
        against(times["session"], times[kind], name, ROWS, "time", target)
        for kind, name in (("key", "A question by an API key"), ("token", "The same by a token"))
    ]


def _crowd(wires: Sequence[Wire]) -> None:
    ask_all(wires, [ASKED] * QUESTIONS)


def _key(running: Daemon) -> str:
    made = json.loads(running.ask(saying("POST", "/keys", {"name": "benchmark"})))
    return str(made["key"])


def _access_token(running: Daemon) -> str:
    """The token of an agent that the owner has claimed, as a person does in a browser."""
    me = json.loads(running.get("/me"))
    link = json.loads(running.ask(saying("POST", "/sessions/link", {})))["url"]
    site = f"http://127.0.0.1:{running.port}"
    with httpx.Client(base_url=site, headers=_SITE_HEADERS, trust_env=False) as person:
        person.get(link, headers={"Sec-Fetch-Site": "none"})
        agent = person.post("/agent/identity", json={"type": "anonymous"}).json()
        claim = {"claim_token": agent["claim_token"], "email": me["email"]}
        attempt = person.post("/agent/identity/claim", json=claim).json()["claim_attempt"]
        page = person.get(attempt["verification_uri"]).text
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
        fields = {name: unescape(value) for name, value in found}
        person.post("/claim", data={**fields, "code": attempt["user_code"], "do": "claim"})
        polled = {"grant_type": _CLAIM, "claim_token": agent["claim_token"]}
        token = person.post(_TOKEN, data=polled)
        token.raise_for_status()
        return str(token.json()["access_token"])
