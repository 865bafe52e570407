"""What each bank needs before it is linked, and where a person gets it."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from finplan.cli.console.errors import BANK, CommandError
from finplan.cli.console.session import Session
from finplan.client.failures import CallFailed
from finplan.secret_files import plaid_secret
from finplan.settings import PLAID_SECRET_VARIABLE, Places, Settings

BY_PAGE = frozenset({"plaid"})
"""Those whose page tells by itself what came of it; elsewhere the person brings what it led to."""

IN_EUROPE = "enablebanking"

SIMPLEFIN = """\
SimpleFIN Bridge shares what your banks tell with programs of yours; finplan only ever reads.
  1. Sign up at https://bridge.simplefin.org and add your banks there ($1.50 a month or $15 a year).
  2. Make a setup token: https://bridge.simplefin.org/simplefin/create
  3. Paste it here. It is good for one use; what finplan gets for it is kept sealed on this machine."""


def plaid_guide(places: Places) -> str:
    """What Plaid needs on this machine."""
    return f"""\
Plaid reads banks with keys of your own; finplan only ever reads. What Plaid asks for a linked bank is \
between you and Plaid: look at the prices of your plan first.
  1. Sign up at https://dashboard.plaid.com/signup, and ask for production access to Transactions \
(and to Liabilities, by which rates and least payments come).
  2. Copy the client id and the production secret: https://dashboard.plaid.com/developers/keys
  3. Write the id into {places.configuration / "finplan.toml"}:
         plaid_client_id = "…"
     and the secret, alone, into {places.plaid_secret} (chmod 600), or into \
the variable {PLAID_SECRET_VARIABLE}.
  4. `finplan daemon stop`, so that the daemon reads them, then `finplan connect plaid` again.
With `plaid_environment = "sandbox"` and the sandbox secret all banks are made up, and nothing is \
paid."""


_BEHIND_STEP, _TO_BE_TYPED = " " * len("  1. "), " " * len("         ")
_COMMAND = re.compile(r"`[^`]+`")
_HELD = "\xa0"


class KeysOf(NamedTuple):
    """The keys of the person at an aggregator: how each is called, and whether it is here."""

    bank: str
    guide: str
    held: Mapping[str, bool]


def plaid_keys(settings: Settings) -> KeysOf:
    """The keys at Plaid. Raises SettingsError for a secret that others can read."""
    secret = plaid_secret(settings.places)
    held = {"client id": settings.plaid_client_id is not None, "secret": secret is not None}
    return KeysOf("Plaid", plaid_guide(settings.places), held)


def not_set_up(session: Session, keys: KeysOf, refused: CallFailed) -> CommandError | CallFailed:
    """What ends a command whose bank the daemon has no keys for, once it was told how to get them."""
    if session.options.quiet or session.options.json:
        return refused
    missing = [name for name, is_held in keys.held.items() if not is_held]
    if not missing:
        return CommandError(
            f"The keys for {keys.bank} are here, and the daemon was started before they were:"
            " `finplan daemon stop`, then this command once more.",
            BANK,
        )
    say_guide(session, keys.guide)
    return CommandError(
        f"{keys.bank} is not set up on this machine yet. Missing {'is' if len(missing) == 1 else 'are'}"
        f" your {' and your '.join(missing)}; the steps above say where to get and to put what.",
        BANK,
    )


def say_guide(session: Session, guide: str) -> None:
    """Tell what a bank needs, as wide as the terminal; what is to be copied stays whole."""
    for line in reflowed(guide, session.width):
        session.say(line)


def reflowed(guide: str, width: int) -> Iterator[str]:
    """The lines of a guide, each of whose paragraphs and steps is a line, filled up to a width."""
    for line in guide.splitlines():
        if line.startswith(_TO_BE_TYPED):
            yield line
            continue
        for filled in textwrap.wrap(
            _COMMAND.sub(lambda command: command[0].replace(" ", _HELD), line),
            width,
            subsequent_indent=_BEHIND_STEP if line.startswith(" ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        ):
            yield filled.replace(_HELD, " ")
