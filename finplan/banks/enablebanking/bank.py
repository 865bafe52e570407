"""The Aggregator of Enable Banking: a session that a person consented to, and its accounts in rounds."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from secrets import token_urlsafe
from urllib.parse import parse_qs, quote, urlsplit

from finplan.banks import base
from finplan.banks.answer import NotRead, remark, told_left_out
from finplan.banks.enablebanking.api import (
    ACCOUNT_IS_GONE,
    NO_ACCOUNT_LEFT,
    SPENT,
    EnableBankingApi,
    RefusedRequest,
)
from finplan.banks.enablebanking.choosing import chosen_bank, page_of
from finplan.banks.enablebanking.consent import (
    ConsentedAccount,
    GivenConsent,
    UnknownConsent,
    read_secret,
    read_session,
)
from finplan.banks.enablebanking.reading import (
    ReadAccount,
    ReadThrough,
    UnknownCursor,
    read_account,
    read_progress,
)
from finplan.banks.enablebanking.rows import MOST_ROWS
from finplan.model.errors import BankProviderError

ROUNDS_A_DAY = 4
"""Banks allow about four reads of an account within a day that the person is not there for."""

PATIENCE = 150.0
"""After so many seconds no further account is begun: it comes first the next time."""

PATIENCE_FOR_ONE = 120.0
"""How long one account may take, in seconds, so that one that hangs keeps no other from being read."""

PAGE_LIVES = 60 * 60 * 1000
"""For how long a person is expected back from their bank's page, in ms."""


@dataclass
class _Round:
    """What a round over the accounts has brought so far."""

    accounts: list[base.BankAccount] = field(default_factory=list)
    rows: list[base.BankTransaction] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    left_out: list[NotRead] = field(default_factory=list)
    partly_read: list[str] = field(default_factory=list)
    lists_all: bool = True
    troubles: list[tuple[str, BankProviderError]] = field(default_factory=list)
    gone: list[tuple[str, BankProviderError]] = field(default_factory=list)

    def take(self, account: ConsentedAccount, answer: ReadAccount) -> None:
        self.accounts += answer.accounts
        self.rows += answer.rows
        self.left_out += answer.left_out
        self.lists_all = self.lists_all and not answer.unread
        if any(not unread.is_field for unread in answer.left_out):
            # It is asked for the same days again, until what is left out can be read.
            self.partly_read += [row.external_id for row in answer.accounts]
        else:
            self.read.append(account.id)


class EnableBanking:
    """Enable Banking, by the person's own application.

    One request counts for a round: each account is asked once for its balances and once for its rows,
    which is what banks count, and further pages are free.
    """

    title = "Enable Banking"
    requests_a_day: int | None = ROUNDS_A_DAY

    def __init__(
        self,
        api: EnableBankingApi,
        *,
        patience: float = PATIENCE,
        patience_for_one: float = PATIENCE_FOR_ONE,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._api = api
        self._patience = patience
        self._patience_for_one = patience_for_one
        self._now = now

    async def begin(self, request: base.PageWanted) -> base.OpenedPage:
        """Have the person led to their bank's page, which leads them back to the redirect address.

        Raises Conflict with a question where the bank is not known, and BankProviderError.
        """
        name, known_by = request.institution, request.institution_id
        if request.secret is not None:
            with suppress(UnknownConsent):
                consent = read_secret(request.secret)
                name, known_by = consent.bank, consent.country
        bank = await chosen_bank(self._api, name, known_by)
        state, now = token_urlsafe(24), self._now()
        url = await page_of(self._api, bank, state, now)
        return base.OpenedPage(
            url, int(now.timestamp() * 1000) + PAGE_LIVES, ticket="", state=state
        )

    async def look(self, ticket: str) -> base.PageDone | base.PageLeft | None:
        """Nothing: only the address that the person is led back to tells what came of a page."""
        del ticket
        return None

    def state_of(self, public_token: str) -> str | None:
        """The state that a page was opened with comes back in the address that it leads to."""
        return _query(public_token.strip()).get("state")

    def recognises(self, public_token: str) -> bool:
        """Whether a token is an address that a bank led the person back to."""
        led = public_token.strip()
        if not led.startswith(f"{self._api.application.redirect_url}?"):
            return False
        query = _query(led)
        return "state" in query and ("code" in query or "error" in query)

    async def exchange(self, public_token: str) -> base.Access:
        """Begin the session that the person consented to."""
        query = _query(public_token.strip())
        if "code" not in query:
            reason = remark(query.get("error_description") or query.get("error"))
            raise self._api.failure(
                f"The bank did not give access{f': {reason}' if reason else ''}. Nothing was"
                " linked. To try again, run `finplan connect enablebanking`.",
                "login_required",
            )
        try:
            consent = await self._api.post("/sessions", read_session, {"code": query["code"]})
        except RefusedRequest as refused:
            if refused.reason != "WRONG_SESSION_STATUS":
                raise
            # No session is there yet: it is the code that was used before.
            raise self._api.failure(SPENT, "login_required") from None
        except UnknownConsent:
            raise self._api.failure(
                "Enable Banking's answer does not contain the session's data. Begin again:"
                " `finplan connect enablebanking`."
            ) from None
        if not consent.accounts:
            raise self._api.failure(
                f"{consent.bank} shows no accounts. If your application is in restricted mode,"
                " link your accounts to it in Enable Banking's control panel.",
                "login_required",
            )
        return base.Access(consent.write(), consent.bank)

    def after_relink(self, cursor: str | None) -> str | None:
        """All goes on; the first round must be whole, since accounts may be known by other ids."""
        try:
            return cursor and replace(read_progress(cursor), relinked=True).write()
        except UnknownCursor:
            return None

    async def leave(self, secret: str) -> None:
        """Delete the session, so that nobody reads by it any more."""
        try:
            consent = read_secret(secret)
            await self._api.delete(f"/sessions/{quote(consent.session, safe='')}")
        except UnknownConsent:
            return
        except RefusedRequest as refused:
            # What is over already, or knows the application no more, cannot be ended from here.
            if not refused.is_of_all:
                raise

    async def sync(self, link: base.Link, cursor: str | None, today: date) -> base.SyncPage:
        """Ask each account once, the one that was read longest ago first."""
        try:
            progress, consent = read_progress(cursor), read_secret(link.secret)
        except UnknownCursor:
            raise self._api.failure(
                "finplan lost track of the last sync. Unlink the bank and link it again."
            ) from None
        except UnknownConsent:
            raise self._api.failure(
                "finplan no longer has access to the bank. Renew your consent: `finplan connect"
                " enablebanking --reconnect NAME`.",
                "login_required",
            ) from None
        if progress.accounts and not progress.relinked:
            # A person who has just been at the bank is there for the first round.
            await link.count_request()
        outcome = await self._round(consent, progress, today, link.kept_in)
        is_in_vain = not (outcome.accounts or outcome.read)
        # Accounts that are gone do not come however long a new access waits for them.
        if outcome.troubles and (is_in_vain or progress.relinked):
            raise outcome.troubles[0][1]
        if outcome.gone and is_in_vain:
            raise self._api.failure(NO_ACCOUNT_LEFT, "login_required")
        trouble = self._describe_troubles(outcome)
        partly = frozenset(outcome.partly_read)
        return base.SyncPage(
            accounts=tuple(outcome.accounts),
            added=tuple(outcome.rows),
            modified=(),
            removed=(),
            cursor=progress.after(today, outcome.read).write(),
            complete=trouble is None,
            pending_of=frozenset(account.external_id for account in outcome.accounts) - partly,
            is_whole=True,
            partly_read=partly,
            lists_all=outcome.lists_all and not outcome.troubles,
            institution=consent.bank,
            access_ends=consent.ends,
            trouble=trouble,
        )

    async def _round(
        self,
        consent: GivenConsent,
        progress: ReadThrough,
        today: date,
        kept_in: Mapping[str, str],
    ) -> _Round:
        outcome = _Round()
        clock = asyncio.get_running_loop().time
        ends = clock() + self._patience
        order = sorted(
            consent.accounts, key=lambda account: progress.accounts.get(account.id, date.min)
        )
        for index, account in enumerate(order):
            since = progress.since(account.id, today)
            try:
                if clock() > ends:
                    raise self._slow(consent)
                if len(outcome.rows) > MOST_ROWS:
                    raise self._api.failure(
                        f"{consent.bank} has more transactions than one sync can read. The next"
                        " sync reads more."
                    )
                async with asyncio.timeout(self._patience_for_one):
                    read = await read_account(self._api, account, since, today, kept_in)
                    outcome.take(account, read)
            except TimeoutError:
                outcome.troubles.append((account.name, self._slow(consent)))
            except RefusedRequest as refused:
                if refused.is_of_all:
                    raise
                if refused.reason in ACCOUNT_IS_GONE:
                    outcome.gone.append((account.name, base.without_frames(refused)))
                    continue
                # Who was asked too often is not asked for the others either.
                is_of_rest = refused.failure == "rate_limited"
                failing = order[index:] if is_of_rest else [account]
                outcome.troubles += [
                    (skipped.name, base.without_frames(refused)) for skipped in failing
                ]
                if is_of_rest:
                    break
            except BankProviderError as error:
                # Others may answer all the same; the patience of a round bounds them all.
                outcome.troubles.append((account.name, base.without_frames(error)))
        return outcome

    def _slow(self, consent: GivenConsent) -> BankProviderError:
        return self._api.failure(f"{consent.bank} is slow today. finplan tries again later.")

    def _describe_troubles(self, outcome: _Round) -> BankProviderError | None:
        unread = told_left_out(self.title, outcome.left_out)
        troubles = [*outcome.troubles, *outcome.gone]
        if not troubles:
            return self._api.failure(unread) if unread else None
        by_message: dict[str, list[str]] = {}
        for name, error in troubles:
            by_message.setdefault(error.message, []).append(name)
        text = " ".join(f"{', '.join(names)}: {message}" for message, names in by_message.items())
        is_told_off = all(error.failure == "rate_limited" for _, error in troubles)
        return self._api.failure(
            f"{text} {unread or 'The other accounts are up to date.'}",
            "rate_limited" if is_told_off and not unread else "provider_error",
        )


def _query(address: str) -> dict[str, str]:
    """What an address says behind its question mark, each name once."""
    try:
        query = parse_qs(urlsplit(address).query, max_num_fields=50)
    except ValueError:
        return {}
    return {name: values[0] for name, values in query.items()}
