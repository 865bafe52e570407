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
The SimpleFIN Bridge gives finplan read-only access to your banks.
  1. Sign up at https://bridge.simplefin.org and add your banks there ($1.50 a month or $15 a year).
  2. Create a setup token: https://bridge.simplefin.org/simplefin/create
  3. Paste the token here. It works once: finplan exchanges it for access credentials, and \
stores them encrypted on this machine."""


def plaid_guide(places: Places) -> str:
    """What Plaid needs on this machine."""
    return f"""\
Plaid gives finplan read-only access to your banks, with your own keys. Plaid may charge for each \
linked bank, so check the prices of your Plaid plan first.
  1. Sign up at https://dashboard.plaid.com/signup, and ask for production access to Transactions. \
For interest rates and minimum payments, also ask for access to Liabilities.
  2. Copy the client id and the production secret: https://dashboard.plaid.com/developers/keys
  3. Write the id into {places.configuration / "finplan.toml"}:
         plaid_client_id = "…"
     and only the secret into {places.plaid_secret} (chmod 600), or into \
the environment variable {PLAID_SECRET_VARIABLE}.
  4. Run `finplan daemon stop` to load the new settings, then `finplan connect plaid` again.
To try it with made-up banks for free, use `plaid_environment = "sandbox"` and the sandbox secret."""


_BEHIND_STEP, _TO_BE_TYPED = " " * len("  1. "), " " * len("         ")
_COMMAND = re.compile(r"`[^`]+`")
_HELD = "\xa0"


class KeysOf(NamedTuple):
    """The keys of the person at an aggregator: how each is called, and whether it is here."""

    bank: str
    guide: str
    are_set: Mapping[str, bool]


def plaid_keys(settings: Settings) -> KeysOf:
    """The keys at Plaid. Raises SettingsError for a secret that others can read."""
    secret = plaid_secret(settings.places)
    are_set = {"client id": settings.plaid_client_id is not None, "secret": secret is not None}
    return KeysOf("Plaid", plaid_guide(settings.places), are_set)


def not_set_up(session: Session, keys: KeysOf, refused: CallFailed) -> CommandError | CallFailed:
    """What ends a command whose bank the daemon has no keys for, once it was told how to get them."""
    if session.options.quiet or session.options.json:
        return refused
    missing = [name for name, is_set in keys.are_set.items() if not is_set]
    if not missing:
        return CommandError(
            f"Your {keys.bank} keys are saved, but the background service started before that."
            " Run `finplan daemon stop`, then this command again.",
            BANK,
        )
    say_guide(session, keys.guide)
    return CommandError(
        f"{keys.bank} is not set up on this machine yet. Missing: your"
        f" {' and your '.join(missing)}. Follow the steps above.",
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
