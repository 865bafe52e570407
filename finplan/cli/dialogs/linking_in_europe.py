"""Linking a European bank: which one, its page, and the address that the browser is led back to."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from finplan import model, operations
from finplan.cli.console.errors import BANK as BANK_FAILED, NOT_THERE, USAGE, CommandError
from finplan.cli.console.session import Session
from finplan.cli.dialogs.bank_guides import IN_EUROPE, KeysOf, not_set_up
from finplan.cli.dialogs.lookup import reconnection
from finplan.client.failures import CallFailed
from finplan.secret_files import enablebanking_key

NEEDS = """\
Enable Banking gives finplan read-only access to banks in Europe. The service is free for your own \
accounts. You register your own application there.
  1. Sign up at https://enablebanking.com/sign-in, and register an application for the environment \
Production at https://enablebanking.com/cp/applications. Set its redirect address to
         {redirect}
     Let the site create the private key in your browser, and save the key file.
  2. Activate the application by linking your own accounts to it on that site (restricted mode).
  3. Move the key file, readable only by you (chmod 600), to
         {key}
  4. Write the application's id into {settings}:
         enablebanking_application_id = "…"
  5. Run `finplan daemon stop` to load the new settings, then `finplan connect enablebanking` again."""

LED_BACK = (
    "Sign in there and give your consent. Your browser then opens an address that begins"
    " with your application's redirect address. The page may show an error; that is fine. Copy the"
    " whole address from the address bar."
)

_SHOWN = 40
"""How many banks are listed at once."""


def link_in_europe(
    session: Session, country: str | None, bank: str | None, reconnect: str | None
) -> "model.connection.ConnectionRecord | None":
    """Link a bank, or give one that is linked a new consent; None once the answer was printed as JSON.

    Where nobody can be asked, the page's address is the answer, and a run with the address that it led
    to on stdin goes on from there.
    """
    if not session.interactive and country is bank is reconnect is None:
        return _finish(session, sys.stdin.read(10_000))
    link = _begun(session, country, bank, reconnect)
    if link is None:
        return None
    if not session.interactive:
        session.print_raw(link.url.encode())
        session.say(LED_BACK)
        session.say("Then pass the address on stdin: `finplan connect enablebanking < FILE`.")
        return None
    session.say(f"Open this page: {link.url}")
    session.say(LED_BACK)
    while True:
        address = session.ask(
            "Address (or press Enter if finplan's own page says that the bank is linked):"
        )
        if _is_led_to(address):
            return _finish(session, address)
        if address:
            session.say(
                "This is not the address that the bank opened. That address begins with"
                " https:// and contains `state=`. Copy the whole address, even if the page"
                " shows an error."
            )
            continue
        # The bank may have led the browser back to the daemon itself.
        link_id = model.connection.BankLinkId(id=link.id)
        link = session.call(operations.bank.SHOW_LINK, link_id)
        if link.status != "pending":
            return linked_at(session, link)


def _is_led_to(text: str) -> bool:
    """Whether a text can be an address to which a bank leads, with what it says of itself."""
    return text.strip().lower().startswith(("https://", "http://")) and "state=" in text


def _keys(session: Session) -> KeysOf:
    """The keys at Enable Banking, and what to do once for them."""
    places, settings = session.settings.places, session.settings
    site = settings.site_url or ""
    root = site if site.startswith("https://") else "https://localhost"
    needs = NEEDS.format(
        redirect=settings.enablebanking_redirect_url or f"{root}/connect/enablebanking",
        key=places.enablebanking_key,
        settings=places.configuration / "finplan.toml",
    )
    are_set = {
        "application's id": settings.enablebanking_application_id is not None,
        "application's key": enablebanking_key(places) is not None,
    }
    return KeysOf("Enable Banking", needs, are_set)


def _begun(
    session: Session, country: str | None, bank: str | None, reconnect: str | None
) -> "model.connection.BankLink | None":
    of = reconnection(session, reconnect)
    chosen: model.connection.Institution | None = None
    if country is not None:
        chosen = model.connection.Institution(id=country.upper(), name=bank or country.upper())
    elif bank is not None:
        raise CommandError("`--bank` needs `--country`. Add it, for example `--country DE`.", USAGE)
    while True:
        ask = model.connection.BankLinkRequest(bank=IN_EUROPE, institution=chosen, reconnect=of)
        try:
            return session.answer(operations.bank.BEGIN_LINK, ask, doing="Asking Enable Banking")
        except CallFailed as failure:
            if failure.code == "UNSUPPORTED_PROVIDER":
                raise not_set_up(session, _keys(session), failure) from None
            data = failure.data if isinstance(failure.data, dict) else {}
            questions = data.get("questions") if failure.status == 409 else None
            if not questions or session.options.json:
                raise
            chosen = _answered(session, questions[0], bank, chosen)


def _answered(
    session: Session,
    question: Mapping[str, Any],
    bank: str | None,
    before: "model.connection.Institution | None",
) -> "model.connection.Institution":
    choices: Sequence[Mapping[str, str]] = question["choices"]
    is_named = len(choices) == 1 and (bank or "").casefold() in choices[0]["label"].casefold()
    of_country = question["about"] == "country"
    if is_named and bank is not None and before is not None:
        chosen = choices[0]
    else:
        option = "--country" if of_country else "--bank"
        chosen = _chosen(session, question["text"], choices, option)
    name = chosen["value" if of_country else "label"]
    return model.connection.Institution(id=chosen["value"], name=name)


def _chosen(
    session: Session, text: str, choices: Sequence[Mapping[str, str]], option: str
) -> Mapping[str, str]:
    """The choice that the person types, in whole or in a part that only one has."""
    if not session.interactive:
        raise CommandError(f"{text} Pass `{option}`: {_listed(choices)}.", NOT_THERE)
    session.say(f"{text} {_listed(choices)}.")
    while True:
        typed = session.ask("Type its name, or part of it:").casefold()
        near = [choice for choice in choices if typed and typed in choice["label"].casefold()]
        exact = [choice for choice in near if typed in map(str.casefold, choice.values())]
        if len(exact or near) == 1:
            return (exact or near)[0]
        session.say(f"{_listed(near)}." if near else "No match.")


def _listed(choices: Sequence[Mapping[str, str]]) -> str:
    names = [choice["label"] for choice in choices[:_SHOWN]]
    hidden = len(choices) - len(names)
    return ", ".join(names) + (f" and {hidden} more" if hidden > 0 else "")


def _finish(session: Session, address: str) -> "model.connection.ConnectionRecord | None":
    """Link what the bank led the browser back with."""
    led = "".join(address.split())
    if not led:
        raise CommandError(
            "No address was given. Open a bank's page with `finplan connect enablebanking"
            " --country DE --bank NAME`, then pass on stdin the address that your browser opens.",
            USAGE,
        )
    ask = model.connection.LinkRequest(provider="aggregator", public_token=led)
    return session.answer(operations.bank.LINK_CONNECTION, ask, doing="Linking your bank")


def linked_at(
    session: Session, link: "model.connection.BankLink"
) -> "model.connection.ConnectionRecord":
    """What came of a page. Raises CommandError where that is nothing."""
    if link.connection is None:
        raise CommandError(link.error or "No bank was linked.", BANK_FAILED)
    linked = model.connection.ConnectionId(id=link.connection.id)
    return session.call(operations.bank.SHOW_CONNECTION, linked)
