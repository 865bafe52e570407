"""How often one may fail to tell a password: by the address of a person, and by that of a client.

A try counts before it is looked at, so that many at once are no more than one after the other; one that
succeeds is taken back. Whoever is held up by somebody else's guesses has `finplan open`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from finplan.daemon.auth.client_address import counted_as
from finplan.daemon.rate_limit import Quota, Windows
from finplan.model.errors import TooManyRequests
from finplan.model.figures import count
from finplan.service.credentials.tokens import digest
from finplan.service.people import email_key

PERIOD = 15 * 60.0
PERSONS_FAILURES = 5
CLIENTS_FAILURES = 20
DEPARTURES = 60
"""How often a client may be sent to Google: more than a household signs in, and less than a flood."""


@dataclass(slots=True)
class Throttle:
    """Counts failures of a quarter of an hour, in memory; addresses of persons only by their hash."""

    clock: Callable[[], float] = monotonic
    _people: Windows = field(init=False)
    _clients: Windows = field(init=False)
    _departures: Windows = field(init=False)

    def __post_init__(self) -> None:
        self._people = Windows(self.clock, length=PERIOD)
        self._clients = Windows(self.clock, length=PERIOD)
        self._departures = Windows(self.clock, length=PERIOD)

    def enter(self, email: str, client: str) -> None:
        """Count a try to tell a person's password. Raises TooManyRequests."""
        self.knock(client)
        _refuse_beyond(self._people.count(_key(email), PERSONS_FAILURES))

    def knock(self, client: str) -> None:
        """Count a try of a client to become somebody here. Raises TooManyRequests."""
        _refuse_beyond(self._clients.count(counted_as(client), CLIENTS_FAILURES))

    def depart(self, client: str) -> None:
        """Count that a client is sent to Google. Raises TooManyRequests."""
        quota = self._departures.count(counted_as(client), DEPARTURES)
        if quota.exceeded:
            raise TooManyRequests(
                f"Signing in with Google was begun too often from here. Wait {_minutes(quota)}, then try"
                " again, or sign in with your password.",
                retry_after=quota.reset,
            )

    def succeed(self, email: str, client: str) -> None:
        """Take a try back that was no failure; what others failed at stays counted."""
        self._people.take_back(_key(email))
        self.let_pass(client)

    def let_pass(self, client: str) -> None:
        """Take a knock of a client back that was no failure."""
        self._clients.take_back(counted_as(client))


def _key(email: str) -> str:
    return digest(email_key(email))


def _refuse_beyond(quota: Quota) -> None:
    if quota.exceeded:
        raise TooManyRequests(
            f"Too many tries have failed. Wait {_minutes(quota)}, then try again; on the machine that"
            " finplan runs on, `finplan open` signs you in at once, and `finplan me password` sets a new"
            " one.",
            retry_after=quota.reset,
        )


def _minutes(quota: Quota) -> str:
    return count(-(-quota.reset // 60), "minute")
