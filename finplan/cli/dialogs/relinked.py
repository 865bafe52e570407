"""After a relink: the person is asked which account is which, where nothing tells."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from finplan.cli.console.errors import print_remark
from finplan.cli.console.session import Session
from finplan.model import figures

if TYPE_CHECKING:
    from finplan.model.account import Account
    from finplan.model.duplicate import Duplicate

_TOLD = 2
"""How many of an account's newest rows tell it from another one."""


def ask_which_accounts(session: Session) -> None:
    """Ask of each account that a bank lists no more which of the new ones it is; each answer is kept.

    Where nobody is there to be asked, it is said that this is open.
    """
    asked = _open(session)
    if not asked:
        return
    if not session.interactive:
        session.say(
            "The bank gave its accounts new ids, and of some nothing tells which is which:"
            " `finplan duplicates` asks. Until you say, the new ones are in no total."
        )
        return
    accounts = _accounts(session)
    print_remark(
        "The bank gave its accounts new ids, and nothing tells which of these is which. Two that you"
        " say are one become one for good; until you say, the new one is in no total."
    )
    for former in dict.fromkeys(each.kept.account_id for each in asked):
        # An answer may have settled what was asked about another account.
        about = [each for each in _open(session) if each.kept.account_id == former]
        if about and not _ask(session, about, accounts):
            session.say("The others stay open: `finplan duplicates`.")
            return


def _open(session: Session) -> "list[Duplicate]":
    from finplan.model.duplicate import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    found = session.call(LIST_DUPLICATES, DuplicateQuery(relinked=True))
    return list(found)


def _accounts(session: Session) -> "dict[str, Account]":
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNTS

    return {each.id: each for each in session.call(LIST_ACCOUNTS, Nothing())}


def _ask(session: Session, about: "Sequence[Duplicate]", accounts: "Mapping[str, Account]") -> bool:
    """Ask about one former account; False where it is left open."""
    print_remark(f"Your {_described(session, about[0], 'kept', accounts)}: which is it now?")
    for number, each in enumerate(about, start=1):
        print_remark(f"  {number}  {_described(session, each, 'other', accounts)}")
    none = len(about) + 1
    print_remark(f"  {none}  none of these")
    picked = session.ask("Its number, or Enter to leave it open:")
    while picked and not (picked.isdecimal() and 1 <= int(picked) <= none):
        picked = session.ask(f"A number from 1 to {none}, or Enter:")
    if not picked:
        return False
    if int(picked) < none:
        _say(session, about[int(picked) - 1], "same")
    else:
        for each in about:
            _say(session, each, "different")
    return True


def _say(session: Session, duplicate: "Duplicate", verdict: str) -> None:
    from finplan.model.duplicate import DuplicateVerdict
    from finplan.operations.detection import DECIDE_DUPLICATE

    ask = DuplicateVerdict(id=duplicate.id, verdict="same" if verdict == "same" else "different")
    session.call(DECIDE_DUPLICATE, ask)


def _described(
    session: Session, duplicate: "Duplicate", side: str, accounts: "Mapping[str, Account]"
) -> str:
    """An account by its name, its balance and its newest rows."""
    from finplan.model.transaction import TransactionQuery
    from finplan.operations.transaction import LIST_TRANSACTIONS

    which = duplicate.kept if side == "kept" else duplicate.other
    account = accounts.get(which.account_id)
    told = which.account_name
    if account is not None and account.balance is not None:
        told = f"{told} ({figures.money(account.balance, duplicate.currency)})"
    query = TransactionQuery(account=(which.account_id,), limit=_TOLD)
    rows = session.call(LIST_TRANSACTIONS, query).transactions
    if not rows:
        return f"{told}, without rows"
    listed = "; ".join(
        f"{row.date} {row.raw} {figures.money(row.amount, row.currency)}" for row in rows
    )
    return f"{told}, last: {listed}"
