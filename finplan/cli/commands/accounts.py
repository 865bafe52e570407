"""`finplan accounts`: what the accounts hold, and what only the person knows of them."""

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.operation import Asks, Operation

app = CommandApp(cls=RowsGroup)
Id = Annotated[str, argument("ACCOUNT", "A name, an id or the beginning of one, or a number.")]
KindOption = Literal[
    "checking", "savings", "credit", "loan", "investment", "depository", "other"
]  # fmt: skip
KIND_HELP = "checking, savings, credit, loan, investment, depository or other"


@app.callback(
    epilog=examples(
        "finplan accounts",
        "finplan accounts show checking",
        'finplan accounts set visa --name "Blue Visa" --apr 21.99 --limit 8000',
    )
)
def accounts() -> None:
    """Accounts and balances; correct or hide one.

    A balance is what you own, or on cards and loans what you owe.
    """


@app.command("list", rows=True)
def list_accounts(context: typer.Context) -> None:
    """All accounts; the same as `finplan accounts`."""
    session = Session.of(context)
    if session.options.json:
        session.answer(operations.account.LIST_ACCOUNTS)
        return
    records = session.answer(operations.account.LIST_ACCOUNT_RECORDS)
    if records is not None:
        session.show(views.accounts.accounts(records))


@app.command()
def show(context: typer.Context, account: Id) -> None:
    """One account, with its rate and whatever else you told."""
    session = Session.of(context)
    asked = model.account.AccountId(id=account_id(session, account))
    _show(session, operations.account.SHOW_ACCOUNT, asked)


@app.command(
    "set",
    epilog=examples(
        "finplan accounts set visa --apr 21.99 --limit 8000 --minimum-payment 35",
        "finplan accounts set card --kind credit",
        "finplan accounts set old-savings --hide",
        "finplan accounts set house --kind other --subtype property --balance 410000",
    ),
)
def set_account(  # Typer makes an option of each.
    context: typer.Context,
    account: Id,
    name: Annotated[str | None, option("NAME", "What you call it.")] = None,
    kind: Annotated[KindOption | None, option("KIND", f"{KIND_HELP}.")] = None,
    subtype: Annotated[
        str | None, option("WORD", "Closer: cd, hsa, mortgage, 401k, property, …")
    ] = None,
    balance: Annotated[
        str | None,
        option("AMOUNT", "Today's balance, like 1840.25; `none` takes back what you told."),
    ] = None,
    limit: Annotated[str | None, option("AMOUNT", "A card's limit; `none` clears it.")] = None,
    apr: Annotated[str | None, option("PERCENT", "Yearly rate, like 21.99; or `none`.")] = None,
    minimum_payment: Annotated[
        str | None, option("AMOUNT", "Monthly minimum; `none` clears it.")
    ] = None,
    hide: Annotated[
        bool | None, flag("--hide/--show", "Leave it out of every figure, or not.")
    ] = None,
) -> None:
    """Correct an account, add its rate, or hide it.

    What you set here stays, whatever the bank says later.
    """
    session = Session.of(context)
    typed: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "subtype": subtype,
        "balance": balance,
        "credit_limit": limit,
        "apr": apr,
        "minimum_payment": minimum_payment,
        "hidden": hide,
    }
    given = {field: value for field, value in typed.items() if value is not None}
    if not given:
        raise typer.BadParameter("Say what to set, for example --apr 21.99.", ctx=context)
    known = model.account.AccountId(id=account_id(session, account))
    currency = session.call(operations.account.SHOW_ACCOUNT, known).currency
    change = {field: _read_field(field, value, currency) for field, value in given.items()}
    asked = model.account.AccountChange(id=known.id, **change)
    _show(session, operations.account.CHANGE_ACCOUNT, asked)


def _show(
    session: Session, operation: "Operation[Asks, model.account.AccountRecord]", asked: "Asks"
) -> None:
    record = session.answer(operation, asked)
    if record is not None:
        session.show(views.accounts.account(record))


def account_id(session: Session, text: str) -> str:
    """The account that a person means by an id, the beginning of one, a name, or its whole number."""
    if is_whole(text):
        return text
    candidates = [
        NamedId(each.id, tuple(filter(None, (each.name, each.mask))))
        for each in session.call(operations.account.LIST_ACCOUNTS)
    ]
    try:
        return pick(text, candidates, "account", "finplan accounts")
    except SeveralMeant:
        raise
    except CommandError:
        wanted, listed = _digits(text), operations.account.LIST_ACCOUNT_RECORDS
        numbered = [
            each.account.id
            for each in (session.call(listed) if wanted else ())
            if each.number is not None and _digits(each.number) == wanted
        ]
        if len(numbered) != 1:
            raise
        return numbered[0]


def _digits(number: str) -> str:
    """A number as it is compared, without what parts its digits; empty for what is none."""
    plain = "".join(filter(str.isalnum, number)).upper()
    return plain if any(map(str.isdigit, plain)) else ""


_AMOUNTS = {"balance": "The balance", "credit_limit": "The limit", "minimum_payment": "The minimum"}
_CLEARS = "none"
_PERCENT = re.compile(r"^[0-9]{1,4}(\.[0-9]{1,4})?%?$")


def _read_field(field: str, value: Any, currency: str) -> Any:
    """An amount in the account's currency or a rate in percent; "none" clears what may be empty.

    Raises a CommandError on what cannot be read.
    """
    if value == _CLEARS and (field in _AMOUNTS or field in ("apr", "subtype")):
        return None
    if field in _AMOUNTS:
        from finplan.cli.console.typed_values import minor

        return minor(value, currency, _AMOUNTS[field])
    if field == "apr":
        return _ratio(value)
    return value


def _ratio(percent: str) -> float:
    if _PERCENT.match(percent.replace(" ", "")) is None:
        raise CommandError(
            f"The rate {percent!r} is not a percentage; write it like 21.99.", BAD_INPUT
        )
    return round(float(percent.replace(" ", "").rstrip("%")) / 100, 6)
