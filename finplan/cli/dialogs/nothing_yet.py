"""What an empty answer is due to: nothing has been brought yet."""

from finplan.cli.console.errors import NO_BANK_YET
from finplan.cli.console.session import Session


def say_what_brings_rows(session: Session) -> bool:
    """Where the household has no account, say what brings one; whether that was so."""
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNT_RECORDS

    is_empty = not session.call(LIST_ACCOUNT_RECORDS, Nothing())
    if is_empty:
        session.say(NO_BANK_YET)
    return is_empty
