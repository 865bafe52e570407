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
    "SimpleFIN does not say what kind an account is: look at `finplan accounts`, and put right what is"
    " wrong there by `finplan accounts set NAME --kind`."
)


@app.command(
    epilog=examples(
        "finplan connect demo       A made-up household, to try finplan out",
        "finplan connect simplefin  Says what it needs; asks for a setup token",
        "finplan connect plaid      Says what it needs; opens Plaid's page",
        "finplan connect plaid --reconnect Chase  Sign in again at a bank",
        "finplan connect enablebanking --country DE --bank ING  Opens its page",
        "finplan import FILE        Any bank, from its statement file",
    )
)
def connect(
    context: typer.Context,
    provider: Annotated[
        str,
        argument(
            "BANK",
            "`demo`, the made-up household; `simplefin`, the SimpleFIN Bridge; `plaid`; or"
            " `enablebanking`, for Europe.",
        ),
    ],
    reconnect: Annotated[
        str | None,
        option(
            "CONNECTION",
            "Give a bank that is linked a new access; its accounts and all you said stay.",
        ),
    ] = None,
    link: Annotated[str | None, option("ID", "Wait for a page that was opened before.")] = None,
    only_print: Annotated[
        bool, flag("--print", "Print the page's address and a QR code of it; open nothing.")
    ] = False,
    country: Annotated[
        str | None, option("COUNTRY", "In Europe: the bank's country, such as DE or Germany.")
    ] = None,
    bank: Annotated[str | None, option("NAME", "In Europe: what the bank is called.")] = None,
) -> None:
    """Link a bank, and fetch what it has.

    A setup token is asked for, or read from stdin. A page is opened in your browser, and waited for
    until you have signed in there. The made-up household never stands beside a real bank in one profile.
    """
    session = Session.of(context)
    if provider not in ("demo", *model.connection.BANK_NAMES):
        known = [f"`{each}` ({what})" for each, what in views.banks.BANKS.items()]
        raise errors.CommandError(
            f"There is no bank {provider!r} to connect. Known are {views.page.listed(known)}. Statement"
            " files of any bank: `finplan import FILE`.",
            errors.NOT_THERE,
        )
    if provider not in bank_guides.BY_PAGE and (link is not None or only_print):
        raise errors.CommandError(
            "`--link` and `--print` are for pages that are waited for.", errors.USAGE
        )
    if provider != bank_guides.IN_EUROPE and not (country is bank is None):
        raise errors.CommandError(
            f"`--country` and `--bank` are for `{bank_guides.IN_EUROPE}` alone.", errors.USAGE
        )
    if link is not None and (reconnect is not None or only_print):
        raise errors.CommandError(
            "`--link` goes on with a page that is open: it stands alone.", errors.USAGE
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
        asked = model.connection.BankLinkId(id=link_id)
        link = session.answer(operations.bank.SHOW_LINK, asked)
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
            "Open the page at `url`, and ask what came of it: `finplan connect BANK --link ID`."
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
            "`--reconnect` is for real banks; the demo never needs it.", errors.USAGE
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
            "No setup token came in: type it when asked, or pass it on stdin. You make one at"
            " https://bridge.simplefin.org/simplefin/create; the handbook's page on linked banks says"
            " the rest.",
            errors.USAGE,
        )
    return token


PAUSE = 3.0
"""How often it is asked what came of a page, in seconds."""


def _wait_for_page(
    session: Session, link: "model.connection.BankLink"
) -> "model.connection.ConnectionRecord":
    """Wait until a bank was signed in at. Raises CommandError where the page was left, or is closed."""
    asked = model.connection.BankLinkId(id=link.id)
    try:
        with session.busy("Waiting until you have signed in at the page; Ctrl-C stops waiting"):
            while link.status == "pending":
                time.sleep(PAUSE)
                link = session.client.call(operations.bank.SHOW_LINK, asked)
    except KeyboardInterrupt:
        raise errors.Interrupted(
            f"No longer waiting. {_until(link)} What you do there is linked all the same;"
            f" `finplan connect {link.bank} --link {link.id}` waits for it again."
        ) from None
    return linked_at(session, link)


def _lead_to(session: Session, link: "model.connection.BankLink", *, only_print: bool) -> None:
    """Have a browser open the page, or print its address, and a code of it where somebody looks."""
    if not only_print and is_shown_in_browser(link.url):
        session.say(f"Sign in at the page in your browser. If none is there, open {link.url}")
    else:
        session.say("Sign in at this page, with a browser or a telephone:")
        session.print_raw(link.url.encode())
        if session.shows_blocks and not session.options.quiet:
            from finplan.cli.console.terminal import draw_qr

            session.print(draw_qr(link.url))
    session.say(_until(link))


def _until(link: "model.connection.BankLink") -> str:
    at = time.strftime("%H:%M", time.localtime(link.expires_at / 1000))
    return f"The page is open until {at}."


def _linked(session: Session) -> "tuple[model.connection.ConnectionRecord, ...]":
    """What is linked now; nothing is asked for with --json, which tells no more than the answer."""
    if session.options.json:
        return ()
    return session.call(operations.bank.LIST_CONNECTIONS)


def _say_what_was_taken_over(
    session: Session, before: "Sequence[model.connection.ConnectionRecord]"
) -> None:
    said = views.banks.taken_over(before, _linked(session)) if before else None
    if said is not None:
        session.say(said)


_TOLD = 2
"""How many of an account's newest rows tell it from another one."""


def _ask_which_accounts(session: Session) -> None:
    """Ask of each account that a bank lists no more which of the new ones it is; each answer is kept.

    Where nobody is there to be asked, it is said that this is open.
    """
    asked = _open_duplicates(session)
    if not asked:
        return
    if not session.interactive:
        session.say(
            "The bank gave its accounts new ids, and of some nothing tells which is which:"
            " `finplan duplicates` asks. Until you say, the new ones are in no total."
        )
        return
    accounts = {each.id: each for each in session.call(operations.account.LIST_ACCOUNTS)}
    errors.print_remark(
        "The bank gave its accounts new ids, and nothing tells which of these is which. Two that you"
        " say are one become one for good; until you say, the new one is in no total."
    )
    for former in dict.fromkeys(each.kept.account_id for each in asked):
        # An answer may have settled what was asked about another account.
        about = [each for each in _open_duplicates(session) if each.kept.account_id == former]
        if about and not _ask_which(session, about, accounts):
            session.say("The others stay open: `finplan duplicates`.")
            return


def _open_duplicates(session: Session) -> "Sequence[model.detection.Duplicate]":
    asked = model.detection.DuplicateQuery(relinked=True)
    return session.call(operations.detection.LIST_DUPLICATES, asked)


def _ask_which(
    session: Session,
    about: "Sequence[model.detection.Duplicate]",
    accounts: "Mapping[str, model.account.Account]",
) -> bool:
    """Ask about one former account; False where it is left open."""
    errors.print_remark(f"Your {_described(session, about[0], 'kept', accounts)}: which is it now?")
    for number, each in enumerate(about, start=1):
        errors.print_remark(f"  {number}  {_described(session, each, 'other', accounts)}")
    none = len(about) + 1
    errors.print_remark(f"  {none}  none of these")
    picked = session.ask("Its number, or Enter to leave it open:")
    while picked and not (picked.isdecimal() and 1 <= int(picked) <= none):
        picked = session.ask(f"A number from 1 to {none}, or Enter:")
    if not picked:
        return False
    is_one = int(picked) < none
    for each in about[int(picked) - 1 : int(picked)] if is_one else about:
        ask = model.detection.DuplicateVerdict(
            id=each.id, verdict="same" if is_one else "different"
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
    told = which.account_name
    if account is not None and account.balance is not None:
        told = f"{told} ({model.figures.money(account.balance, duplicate.currency)})"
    query = model.transaction.TransactionQuery(account=(which.account_id,), limit=_TOLD)
    rows = session.call(operations.transaction.LIST_TRANSACTIONS, query).transactions
    if not rows:
        return f"{told}, without rows"
    listed = "; ".join(
        f"{row.date} {row.raw} {model.figures.money(row.amount, row.currency)}" for row in rows
    )
    return f"{told}, last: {listed}"
