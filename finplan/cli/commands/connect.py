"""`finplan connect`: links a bank, or links one again.

At a page of the bank's, opened in a browser or shown, and waited for. Then it is said which of what was
linked the new link has taken over, and asked which account is which, where nothing tells.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated

import typer

from finplan import model, operations, views
from finplan.cli.console import errors
from finplan.cli.console.options import CommandApp, argument, examples, flag, option
from finplan.cli.console.output import is_shown_in_browser
from finplan.cli.console.session import Session
from finplan.cli.dialogs import bank_guides
from finplan.cli.dialogs.linking_in_europe import link_in_europe, linked_at
from finplan.cli.dialogs.lookup import reconnection
from finplan.client.failures import CallFailed

app = CommandApp()

_KINDS = (
    "SimpleFIN does not report account types. Check the types: `finplan accounts`. To correct"
    " a type: `finplan accounts set NAME --kind KIND`."
)


@app.command(
    epilog=examples(
        "finplan connect demo       Try finplan with made-up data",
        "finplan connect simplefin  Show what you need, then ask for a setup token",
        "finplan connect plaid      Show what you need, then open Plaid's page",
        "finplan connect plaid --reconnect Chase  Sign in again at a bank",
        "finplan connect enablebanking --country DE --bank ING  A bank in Europe",
        "finplan import FILE        Any other bank: import a statement",
    )
)
def connect(
    context: typer.Context,
    provider: Annotated[
        str,
        argument(
            "BANK",
            "`demo` (made-up data), `simplefin`, `plaid`, or `enablebanking` (Europe).",
        ),
    ],
    reconnect: Annotated[
        str | None,
        option(
            "CONNECTION",
            "Sign in again at this linked bank; your accounts, rules and answers stay.",
        ),
    ] = None,
    link: Annotated[str | None, option("ID", "Finish a sign-in that you started earlier.")] = None,
    only_print: Annotated[
        bool, flag("--print", "Print the page's address and QR code; do not open a browser.")
    ] = False,
    country: Annotated[
        str | None, option("COUNTRY", "Europe only: the bank's country, such as DE or Germany.")
    ] = None,
    bank: Annotated[str | None, option("NAME", "Europe only: the bank's name.")] = None,
) -> None:
    """Link a bank and fetch its transactions.

    `simplefin` asks for a setup token, or reads it from stdin. `plaid` and `enablebanking` open a page
    in your browser and wait until you have signed in at your bank. Keep made-up data and real banks in
    different profiles: add `--demo` for made-up data.
    """
    session = Session.of(context)
    if provider not in ("demo", *model.connection.BANK_NAMES):
        banks = [f"`{name}` ({what})" for name, what in views.banks.BANKS.items()]
        raise errors.CommandError(
            f"Unknown provider {provider!r}. Choose from {views.page.listed(banks)}. For any other bank,"
            " import a statement: `finplan import FILE`.",
            errors.NOT_THERE,
        )
    if provider not in bank_guides.BY_PAGE and (link is not None or only_print):
        raise errors.CommandError(
            "`--link` and `--print` need a provider with a sign-in page.", errors.USAGE
        )
    if provider != bank_guides.IN_EUROPE and not (country is bank is None):
        raise errors.CommandError(
            f"`--country` and `--bank` work only with `{bank_guides.IN_EUROPE}`.", errors.USAGE
        )
    if link is not None and (reconnect is not None or only_print):
        raise errors.CommandError(
            "`--link` cannot be combined with `--reconnect` or `--print`.", errors.USAGE
        )
    before = _linked(session)
    if provider == bank_guides.IN_EUROPE:
        record = link_in_europe(session, country, bank, reconnect)
    elif provider in bank_guides.BY_PAGE:
        record = _by_page(session, provider, reconnect, link, only_print=only_print)
    else:
        ask = _asked_by_token(session, provider, reconnect)
        record = session.answer(operations.bank.LINK_CONNECTION, ask, doing=f"Linking {provider}")
    if record is not None:
        session.show(views.banks.banks([record], session.how), asks=True)
        _say_what_was_taken_over(session, before)
        if provider == "simplefin":
            session.say(_KINDS)
        if reconnect is not None:
            _ask_which_accounts(session)
        session.say("Next: `finplan plan build`.")


def _by_page(
    session: Session, bank: str, reconnect: str | None, link_id: str | None, *, only_print: bool
) -> "model.connection.ConnectionRecord | None":
    """Link at a page; None with --json, whose answer is printed."""
    if link_id is not None:
        query = model.connection.BankLinkId(id=link_id)
        link = session.answer(operations.bank.SHOW_LINK, query)
        return None if link is None else _wait_for_page(session, link)
    of = reconnection(session, reconnect)
    ask = model.connection.BankLinkRequest(bank=bank, reconnect=of)
    try:
        link = session.answer(operations.bank.BEGIN_LINK, ask, doing="Opening a page")
    except CallFailed as refused:
        if refused.code == "UNSUPPORTED_PROVIDER":
            keys = bank_guides.plaid_keys(session.settings)
            raise bank_guides.not_set_up(session, keys, refused) from None
        raise
    if link is None:
        session.say(
            "Open the page at `url` and sign in. Then run `finplan connect BANK --link ID`."
        )
        return None
    _lead_to(session, link, only_print=only_print)
    return _wait_for_page(session, link)


def _asked_by_token(
    session: Session, bank: str, reconnect: str | None
) -> "model.connection.LinkRequest":
    if bank != "demo":
        token, of = _token(session), reconnection(session, reconnect)
        return model.connection.LinkRequest(provider="aggregator", public_token=token, reconnect=of)
    if reconnect is not None:
        raise errors.CommandError(
            "`--reconnect` works only with real banks. The demo never needs it.", errors.USAGE
        )
    return model.connection.LinkRequest(provider="demo")


def _token(session: Session) -> str:
    """The setup token, which no command line shows to others of this machine."""
    typed = ""
    if session.interactive:
        bank_guides.say_guide(session, bank_guides.SIMPLEFIN)
        typed = session.ask("Setup token:")
    else:
        with suppress(UnicodeDecodeError):
            typed = sys.stdin.read(10_000)
    token = "".join(typed.split())
    if not token:
        raise errors.CommandError(
            "Missing setup token. Type it when asked, or pass it on stdin. Create one at"
            " https://bridge.simplefin.org/simplefin/create.",
            errors.USAGE,
        )
    return token


PAUSE = 3.0
"""How often it is asked what came of a page, in seconds."""


def _wait_for_page(
    session: Session, link: "model.connection.BankLink"
) -> "model.connection.ConnectionRecord":
    """Wait until a bank was signed in at. Raises CommandError where the page was left, or is closed."""
    query = model.connection.BankLinkId(id=link.id)
    try:
        with session.busy("Waiting for you to sign in (Ctrl-C stops waiting)"):
            while link.status == "pending":
                time.sleep(PAUSE)
                link = session.client.call(operations.bank.SHOW_LINK, query)
    except KeyboardInterrupt:
        raise errors.Interrupted(
            f"Stopped waiting. {_until(link)} If you sign in on the page, finplan still links"
            f" the bank. To wait again: `finplan connect {link.bank} --link {link.id}`."
        ) from None
    return linked_at(session, link)


def _lead_to(session: Session, link: "model.connection.BankLink", *, only_print: bool) -> None:
    """Have a browser open the page, or print its address, and a code of it where somebody looks."""
    if not only_print and is_shown_in_browser(link.url):
        session.say(f"Sign in on the page in your browser. If no page opened, go to {link.url}")
    else:
        session.say("Sign in on this page, in a browser or on your phone:")
        session.print_raw(link.url.encode())
        if session.shows_blocks and not session.options.quiet:
            from finplan.cli.console.terminal import draw_qr

            session.print(draw_qr(link.url))
    session.say(_until(link))


def _until(link: "model.connection.BankLink") -> str:
    at = time.strftime("%H:%M", time.localtime(link.expires_at / 1000))
    return f"The page expires at {at}."


def _linked(session: Session) -> "tuple[model.connection.ConnectionRecord, ...]":
    """What is linked now; nothing is asked for with --json, which tells no more than the answer."""
    if session.options.json:
        return ()
    return session.call(operations.bank.LIST_CONNECTIONS)


def _say_what_was_taken_over(
    session: Session, before: "Sequence[model.connection.ConnectionRecord]"
) -> None:
    sentence = views.banks.describe_takeover(before, _linked(session)) if before else None
    if sentence is not None:
        session.say(sentence)


_TOLD = 2
"""How many of an account's newest rows tell it from another one."""


def _ask_which_accounts(session: Session) -> None:
    """Ask of each account that a bank lists no more which of the new ones it is; each answer is kept.

    Where nobody is there to be asked, it is said that this is open.
    """
    pairs = _open_duplicates(session)
    if not pairs:
        return
    if not session.interactive:
        session.say(
            "The bank gave its accounts new ids, and finplan cannot match all of them to your"
            " accounts. Match the accounts: `finplan duplicates`. Until you do, the new accounts"
            " are excluded from every total."
        )
        return
    accounts = {account.id: account for account in session.call(operations.account.LIST_ACCOUNTS)}
    errors.print_remark(
        "The bank gave its accounts new ids, and finplan cannot match the accounts below. If"
        " you match two accounts, finplan merges them permanently. Until you match them, the"
        " new accounts are excluded from every total."
    )
    for former in dict.fromkeys(pair.kept.account_id for pair in pairs):
        # An answer may have settled what was asked about another account.
        about = [pair for pair in _open_duplicates(session) if pair.kept.account_id == former]
        if about and not _ask_which(session, about, accounts):
            session.say("Match the other accounts later: `finplan duplicates`.")
            return


def _open_duplicates(session: Session) -> "Sequence[model.detection.Duplicate]":
    query = model.detection.DuplicateQuery(relinked=True)
    return session.call(operations.detection.LIST_DUPLICATES, query)


def _ask_which(
    session: Session,
    about: "Sequence[model.detection.Duplicate]",
    accounts: "Mapping[str, model.account.Account]",
) -> bool:
    """Ask about one former account; False where it is left open."""
    errors.print_remark(f"Old account: {_described(session, about[0], 'kept', accounts)}")
    errors.print_remark("Which of these is the same account?")
    for number, duplicate in enumerate(about, start=1):
        errors.print_remark(f"  {number}  {_described(session, duplicate, 'other', accounts)}")
    none = len(about) + 1
    errors.print_remark(f"  {none}  None of these")
    picked = session.ask("Number, or Enter to decide later:")
    while picked and not (picked.isdecimal() and 1 <= int(picked) <= none):
        picked = session.ask(f"Type a number from 1 to {none}, or press Enter:")
    if not picked:
        return False
    is_one = int(picked) < none
    for duplicate in about[int(picked) - 1 : int(picked)] if is_one else about:
        ask = model.detection.DuplicateVerdict(
            id=duplicate.id, verdict="same" if is_one else "different"
        )
        session.call(operations.detection.DECIDE_DUPLICATE, ask)
    return True


def _described(
    session: Session,
    duplicate: "model.detection.Duplicate",
    side: str,
    accounts: "Mapping[str, model.account.Account]",
) -> str:
    """An account by its name, its balance and its newest rows."""
    which = duplicate.kept if side == "kept" else duplicate.other
    account = accounts.get(which.account_id)
    text = which.account_name
    if account is not None and account.balance is not None:
        text = f"{text} ({model.figures.money(account.balance, duplicate.currency)})"
    query = model.transaction.TransactionQuery(account=(which.account_id,), limit=_TOLD)
    rows = session.call(operations.transaction.LIST_TRANSACTIONS, query).transactions
    if not rows:
        return f"{text}, no transactions"
    listed = "; ".join(
        f"{row.date} {row.raw} {model.figures.money(row.amount, row.currency)}" for row in rows
    )
    return f"{text}, latest: {listed}"
