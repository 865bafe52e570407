"""Agents that come without an account: a guest of their own, until a person claims them.

A guest has an account with nothing in it but the demo bank that it may link, and may keep enough to
try the demo household, too little to fill a disk; after a day that nobody has claimed it, all of it
goes, with whatever else lets nobody in any more. The agent shows its person a code; the person, signed
in with the address that the agent named, enters it here. Then the agent acts for the person, who sees
it and may take its access back; what it held before is dead.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import Agent, AgentId
from finplan.model.errors import Conflict, Fault, Forbidden, NotFound, Unauthorized
from finplan.service.authorization.scopes import AGENTS
from finplan.service.authorization.signing import Signer
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest, new_token
from finplan.service.ids import new_id
from finplan.service.people import email_key, local_time_zone, new_person
from finplan.store.queries import authorization, credentials, people
from finplan.store.store import Store

CLAIM_PREFIX = "clm_"
VIEW_PREFIX = "cvt_"
ASSERTION_KIND = "oauth-id-jag+jwt"
UNCLAIMED_FOR = 24 * 60 * 60 * 1000
CLAIMED_ASSERTION_HOLDS = 30 * 24 * 60 * 60 * 1000
CODE_HOLDS = 10 * 60 * 1000
POLL_EACH = 5_000
TRIES = 5
"""How often a wrong code may be entered: of six digits, one in 200,000 guesses is right by then."""


class InvalidClaimToken(Unauthorized):
    """No agent waits for this claim token."""


class ClaimExpired(Fault):
    """The time to claim the agent has run out."""

    code, status = "GONE", 410
    example = "The time to claim this agent has run out. The agent must register again."


@dataclass(frozen=True, slots=True)
class ClaimView:
    """What the page of a claim tells the person: the agent, what it may, and until when."""

    attempt: str
    agent: str
    address: str
    created_at: int
    expires_at: int
    scopes: tuple[str, ...]
    tries_left: int


def welcome(connection: Connection, signer: Signer, address: str, now: int) -> Mapping[str, Any]:
    """Let an agent in as a guest; what it is told is told this once."""
    public_id, claim = new_id("reg"), new_token(CLAIM_PREFIX)
    expires_at = now + UNCLAIMED_FOR
    guest = new_person(f"{public_id}@guest.invalid", None, local_time_zone(), now)
    owner = people.add_person(connection, {**guest, "guest_until": expires_at})
    authorization.add_agent(
        connection,
        {
            "id": public_id,
            "owner_no": owner,
            "scopes": " ".join(AGENTS),
            "claim_hash": digest(claim),
            "created_at": now,
            "expires_at": expires_at,
            "address": address,
        },
    )
    text = f"The agent {public_id} registered itself."
    audit.note_for_the_owner(connection, "agent.introduced", text, address, now)
    row = authorization.agent_of_id(connection, public_id)
    assert row is not None, "It was added just now."
    return {
        "registration_id": public_id,
        "registration_type": "anonymous",
        **assertion_of(row, signer, now),
        "pre_claim_scopes": list(AGENTS),
        "post_claim_scopes": list(AGENTS),
        "claim_token": claim,
        "claim_token_expires": _moment(expires_at),
    }


def assertion_of(agent: RowMapping, signer: Signer, now: int) -> Mapping[str, Any]:
    """A new assertion of an agent, by which it gets access tokens until it is over."""
    over = agent["expires_at"] if agent["claimed_at"] is None else now + CLAIMED_ASSERTION_HOLDS
    claims = {
        "aud": signer.issuer,
        "sub": agent["id"],
        "jti": secrets.token_urlsafe(16),
        "iat": now // 1000,
        "exp": over // 1000,
        "gen": agent["generation"],
    }
    signed = signer.sign("ES256", ASSERTION_KIND, claims)
    return {"identity_assertion": signed, "assertion_expires": _moment(over)}


def ask_claim(
    connection: Connection, claim_token: str, email: str, address: str, site_url: str, now: int
) -> Mapping[str, Any]:
    """Begin a try to have an agent claimed by who has an address; answers what it shows the person.

    Whether somebody has the address is not told. Raises InvalidClaimToken, ClaimExpired, Conflict.
    """
    agent = authorization.agent_of_claim(connection, digest(claim_token))
    if agent is None:
        raise InvalidClaimToken("No agent has this claim token.")
    if agent["claimed_at"] is not None:
        raise Conflict("This agent is already claimed.")
    if agent["expires_at"] <= now:
        raise ClaimExpired(ClaimExpired.example)
    code, view, public_id = f"{secrets.randbelow(10**6):06}", new_token(VIEW_PREFIX), new_id("cla")
    expires_at = min(now + CODE_HOLDS, agent["expires_at"])
    authorization.begin_attempt(
        connection,
        {
            "id": public_id,
            "owner_no": agent["owner_no"],
            "agent_no": agent["no"],
            "view_hash": digest(view),
            "code_hash": _code_hash(public_id, code),
            "email_key": email_key(email),
            "created_at": now,
            "expires_at": expires_at,
        },
    )
    # An agent may ask at once whether the code was entered, however lately it asked of the former one.
    authorization.change_agent(connection, agent["no"], {"polled_at": None})
    person = people.person_of_email(connection, email_key(email))
    if person is not None:
        text = f"The agent {agent['id']} asked to be claimed."
        audit.note_for(connection, person["no"], "agent.claim_asked", text, address, now)
    attempt = {
        "user_code": code,
        "expires_in": (expires_at - now) // 1000,
        "verification_uri": f"{site_url}/claim?claim_attempt_token={view}",
        "interval": POLL_EACH // 1000,
    }
    return {
        "registration_id": agent["id"],
        "claim_attempt_id": public_id,
        "status": "initiated",
        "expires_at": _moment(expires_at),
        **attempt,
        "claim_attempt": attempt,
    }


def look_at_claims(
    connection: Connection, owner: int, view: str | None, now: int
) -> tuple[ClaimView, ...]:
    """The agents that ask to be claimed by a person; with a link's secret, the one that it is about.

    Raises NotFound, ClaimExpired and Forbidden for a link.
    """
    person = people.get_person(connection, owner)
    if view is None:
        asking = authorization.attempts_of_email(connection, email_key(person["email"]), now)
        open_ones = [claim for claim in asking if claim["tries"] < TRIES]
    else:
        open_ones = [
            _check_attempt(authorization.attempt_of_view(connection, digest(view)), person, now)
        ]
    return tuple(_shown_claim(connection, claim) for claim in open_ones)


def complete_claim(
    connection: Connection, attempt_id: str, code: str, caller: Caller, now: int
) -> bool:
    """Claim an agent for a person; answers whether the code was right.

    Each token and assertion from before is dead then, and the guest goes with all that it had. Raises
    NotFound and ClaimExpired.
    """
    attempt = _attempt(connection, attempt_id, caller, now)
    if attempt["code_hash"] != _code_hash(attempt_id, "".join(code.split())):
        authorization.note_claim_try(connection, attempt["no"])
        if attempt["tries"] + 1 >= TRIES:
            text = "Someone entered too many wrong codes, so an agent was not claimed."
            audit.note(connection, caller, "agent.denied", text, now)
        return False
    agent = authorization.get_agent(connection, attempt["agent_no"])
    guest = agent["owner_no"]
    authorization.end_agents_tokens(connection, agent["no"])
    authorization.end_attempts(connection, agent["no"])
    authorization.change_agent(
        connection,
        agent["no"],
        {"owner_no": caller.owner, "claimed_at": now, "generation": agent["generation"] + 1},
    )
    people.remove_person(connection, guest)
    audit.note(connection, caller, "agent.claimed", f"Claimed the agent {agent['id']}.", now)
    return True


def deny_claim(connection: Connection, attempt_id: str, caller: Caller, now: int) -> None:
    """Refuse an agent: nobody can claim it any more. Raises NotFound and ClaimExpired."""
    attempt = _attempt(connection, attempt_id, caller, now)
    agent = authorization.get_agent(connection, attempt["agent_no"])
    authorization.change_agent(connection, agent["no"], {"claim_hash": None})
    authorization.end_attempts(connection, agent["no"])
    audit.note(connection, caller, "agent.denied", f"Refused the agent {agent['id']}.", now)


def sweep_guests(connection: Connection, now: int) -> bool:
    """Forget one agent that nobody has claimed in time, with its guest and all that it had.

    A guest has thousands of rows, so each goes by itself. Answers whether there was one.
    """
    guest = authorization.unclaimed_until(connection, now)
    if guest is not None:
        people.remove_person(connection, guest)
    return guest is not None


def _shown_claim(connection: Connection, attempt: RowMapping) -> ClaimView:
    agent = authorization.get_agent(connection, attempt["agent_no"])
    return ClaimView(
        attempt=attempt["id"],
        agent=agent["id"],
        address=agent["address"],
        created_at=agent["created_at"],
        expires_at=attempt["expires_at"],
        scopes=tuple(agent["scopes"].split()),
        tries_left=TRIES - attempt["tries"],
    )


def _attempt(connection: Connection, attempt_id: str, caller: Caller, now: int) -> RowMapping:
    person = people.get_person(connection, caller.owner)
    attempt = authorization.attempt_of_id(connection, attempt_id)
    if attempt is not None and attempt["email_key"] != email_key(person["email"]):
        # Only a link, which is a secret, tells that it is another person's. An id does not.
        attempt = None
    return _check_attempt(attempt, person, now)


def _check_attempt(attempt: RowMapping | None, person: RowMapping, now: int) -> RowMapping:
    if attempt is None:
        raise NotFound(
            "This link no longer works: a newer link exists, or the agent was already claimed or"
            " refused. Ask the agent for a new link."
        )
    if attempt["email_key"] != email_key(person["email"]):
        raise Forbidden(
            "This agent named a different e-mail address. Sign in with that address, or have the"
            f" agent name {person['email']}."
        )
    if attempt["expires_at"] <= now or attempt["tries"] >= TRIES:
        raise ClaimExpired(
            "This code no longer works: a code is valid for ten minutes and five tries. Ask the"
            " agent for a new code."
        )
    return attempt


def _code_hash(attempt_id: str, code: str) -> str:
    return digest(f"{attempt_id}:{code}")


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


async def list_agents(context: Context, _ask: Nothing) -> tuple[Agent, ...]:
    """The agents that the person has claimed, the newest first."""
    rows = await context.store.read(lambda c: authorization.list_agents(c, context.caller.owner))
    return tuple(_shown_agent(row) for row in rows)


async def revoke_agent(context: Context, ask: AgentId) -> Agent:
    """Take an agent's access back: its tokens and its assertion are dead from now on."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> Agent:
        row = authorization.find_agent(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"No agent {ask.id}. List your agents with `finplan agents list`.")
        authorization.remove_agent(connection, row["no"])
        text = f"Revoked the agent {row['id']}."
        audit.note(connection, context.caller, "agent.revoked", text, now)
        why = f"The agent {row['id']}, which set the webhook's URL, was revoked."
        audit.silence(connection, f"agent:{row['no']}", why, now)
        return _shown_agent(row)

    return await context.commit(revoke)


def _shown_agent(row: RowMapping) -> Agent:
    return Agent.of(row, scopes=tuple(row["scopes"].split()))


MOST_ROWS_OF_A_GUEST = 5_000
"""How many rows a guest may have of all kinds together; the demo household is three thousand."""

MOST_PLANS_OF_A_GUEST = 20
"""How many plans; each has as much text as a hundred other rows."""


def must_have_room(connection: Connection, guest: int, *, for_a_plan: bool) -> None:
    """Raise Forbidden where a guest keeps as much as one may."""
    rows = people.count_rows(connection, guest)
    if for_a_plan and rows["plan"] >= MOST_PLANS_OF_A_GUEST:
        raise _guest_is_full(f"{MOST_PLANS_OF_A_GUEST} plans")
    if sum(rows.values()) >= MOST_ROWS_OF_A_GUEST:
        raise _guest_is_full(f"{MOST_ROWS_OF_A_GUEST:,} records")


def _guest_is_full(most: str) -> Forbidden:
    return Forbidden(
        f"An unclaimed agent can have at most {most}, and you have reached that limit. Nothing"
        " was changed. Ask a person to claim you: POST /agent/identity/claim."
    )


def sweep(connection: Connection, now: int) -> bool:
    """Forget a batch of it, as of an instant in milliseconds; answers whether more may be left.

    Each batch is little enough for one transaction, so that nobody waits long behind it.
    """
    sweeps = (
        credentials.sweep_sessions,
        authorization.sweep_grants,
        credentials.sweep_audit_events,
    )
    unfinished = [step(connection, now) for step in (*sweeps, sweep_guests)]
    return any(unfinished)


async def forget_what_is_over(store: Store, now: int) -> None:
    """Forget all of it, as of an instant in milliseconds; other changes come in between its batches.

    Raises StorageFull.
    """
    while await store.write(lambda c: sweep(c, now)):
        pass
