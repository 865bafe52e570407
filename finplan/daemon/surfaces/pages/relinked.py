"""Accounts that a bank lists under new ids, as forms: which of those that were there each is."""

from collections.abc import Callable, Mapping, Sequence

from finplan.daemon.surfaces.pages.fields import button, hidden
from finplan.daemon.surfaces.pages.markup import Markup, element
from finplan.daemon.surfaces.pages.parts import name
from finplan.model import figures
from finplan.model.account import Account
from finplan.model.duplicate import Duplicate, DuplicateSide

ID, SAME, DIFFERENT = "id", "same_account", "different_account"
"""The field of a form, and what its buttons do."""


def which_accounts(
    duplicates: Sequence[Duplicate],
    accounts: Mapping[str, Account],
    form: Callable[..., Markup],
) -> Markup:
    """Ask of each two whether they are one account."""
    return element(
        "section",
        element("h2", "Which account is which?", id="relinked-title"),
        element(
            "p",
            "A bank gave its accounts new ids, and nothing tells which of these is which. Two that you"
            " say are one become one for good. Until you say, the new one is in no total.",
        ),
        *(_asked(each, accounts, form) for each in duplicates),
        aria_labelledby="relinked-title",
        class_="card",
        id="relinked",
    )


def _asked(
    duplicate: Duplicate, accounts: Mapping[str, Account], form: Callable[..., Markup]
) -> Markup:
    former = _told(duplicate.kept, duplicate, accounts)
    listed = _told(duplicate.other, duplicate, accounts)
    about = element("span", " (", former, " and ", listed, ")", class_="heard")
    return form(
        hidden(ID, duplicate.id),
        element("p", "Is ", former, " now the new ", listed, "?"),
        element(
            "div",
            button(element("span", "They are one", about), SAME, "main"),
            button(element("span", "They are two", about), DIFFERENT),
            class_="acts",
        ),
    )


def _told(side: DuplicateSide, duplicate: Duplicate, accounts: Mapping[str, Account]) -> Markup:
    account = accounts.get(side.account_id)
    called = f"{side.institution_name} {side.account_name}"
    if account is None or account.balance is None:
        return name(called)
    return name(f"{called} ({figures.money(account.balance, duplicate.currency)})")
