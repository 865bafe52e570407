"""`finplan accounts`: what the accounts hold, and what only the person knows of them."""

import re
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import DAY_HELP, first_day, last_day
from finplan.cli.dialogs.lookup import build_request
from finplan.model.figures import count

if TYPE_CHECKING:
    from finplan.operation import Asks, Operation

app = CommandApp(cls=RowsGroup)
Id = Annotated[
    str,
    argument(
        "ACCOUNT", "The account's name, number or id. The first characters of the id are enough."
    ),
]
KindOption = Literal[
    "checking", "savings", "credit", "loan", "investment", "depository", "other"
]  # fmt: skip
SubtypeOption = Annotated[
    str | None, option("WORD", "Account subtype, such as cd, hsa, mortgage, 401k or property.")
]
KIND_HELP = "checking, savings, credit, loan, investment, depository or other"


@app.callback(
    epilog=examples(
        "finplan accounts",
        "finplan accounts show checking",
        'finplan accounts set visa --name "Blue Visa" --apr 21.99 --limit 8000',
        'finplan accounts add "My car" --kind vehicle --balance 9500',
    )
)
def accounts() -> None:
    """Accounts and balances; add, edit or hide an account.

    On cards and loans, the balance is what you owe.
    """


@app.command("list", rows=True)
def list_accounts(context: typer.Context) -> None:
    """List all accounts."""
    session = Session.of(context)
    if session.options.json:
        session.answer(operations.account.LIST_ACCOUNTS)
        return
    records = session.answer(operations.account.LIST_ACCOUNT_RECORDS)
    if records is not None:
        session.show(views.accounts.accounts(records))


@app.command()
def show(context: typer.Context, account: Id) -> None:
    """Show one account: balance, interest rate, minimum payment and history."""
    session = Session.of(context)
    query = model.account.AccountId(id=account_id(session, account))
    _show(session, operations.account.SHOW_ACCOUNT, query)


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
    name: Annotated[str | None, option("NAME", "New name.")] = None,
    kind: Annotated[
        str | None,
        option("KIND", f"Kind of account: {KIND_HELP}, or a subtype such as property."),
    ] = None,
    subtype: SubtypeOption = None,
    balance: Annotated[
        str | None,
        option("AMOUNT", "Today's balance, like 1840.25; `none` removes the balance you set."),
    ] = None,
    as_of: Annotated[
        date | None,
        option("DAY", f"Date of the balance, if it is not today's: {DAY_HELP}.", parser=last_day),
    ] = None,
    limit: Annotated[str | None, option("AMOUNT", "Credit limit; `none` removes it.")] = None,
    apr: Annotated[
        str | None, option("PERCENT", "Yearly interest rate, like 21.99; `none` removes it.")
    ] = None,
    minimum_payment: Annotated[
        str | None, option("AMOUNT", "Minimum monthly payment; `none` removes it.")
    ] = None,
    hide: Annotated[
        bool | None,
        flag("--hide/--show", "Exclude the account from every figure, or include it again."),
    ] = None,
) -> None:
    """Edit or hide an account.

    Your values override the bank's values, even after later syncs.
    """
    session = Session.of(context)
    kind_word, of_kind = (None, None) if kind is None else _read_kind(kind)
    typed: dict[str, Any] = {
        "name": name,
        "kind": kind_word,
        "subtype": subtype or of_kind,
        "balance": balance,
        "credit_limit": limit,
        "apr": apr,
        "minimum_payment": minimum_payment,
        "hidden": hide,
    }
    fields = {field: value for field, value in typed.items() if value is not None}
    if not fields:
        raise typer.BadParameter(
            "Nothing to set. Add an option, for example --apr 21.99.", ctx=context
        )
    if as_of is not None and (balance is None or len(fields) > 1):
        raise typer.BadParameter(
            "--as-of is the date of a balance. Give it with --balance and no other option.",
            ctx=context,
        )
    query = model.account.AccountId(id=account_id(session, account))
    if as_of is not None and balance == _CLEARS:
        removed = model.account.BalanceDay(id=query.id, date=as_of)
        _show(session, operations.account.REMOVE_BALANCE, removed)
        return
    currency = session.call(operations.account.SHOW_ACCOUNT, query).currency
    change = {field: _read_field(field, value, currency) for field, value in fields.items()}
    if as_of is not None:
        dated = model.account.DatedBalance(id=query.id, date=as_of, balance=change["balance"])
        _show(session, operations.account.SET_BALANCE, dated)
        return
    request = model.account.AccountChange(id=query.id, **change)
    _show(session, operations.account.CHANGE_ACCOUNT, request)


def _read_kind(text: str) -> "tuple[model.account.KindWord, str | None]":
    try:
        return model.account.named_kind(text)
    except ValueError as error:
        raise CommandError(str(error), BAD_INPUT) from None


def _show(
    session: Session, operation: "Operation[Asks, model.account.AccountRecord]", request: "Asks"
) -> None:
    record = session.answer(operation, request)
    if record is not None:
        session.show(views.accounts.account(record))


def account_id(session: Session, text: str) -> str:
    """The account that a person means by an id, the beginning of one, a name, or its whole number."""
    if is_whole(text):
        return text
    candidates = [
        NamedId(account.id, tuple(filter(None, (account.name, account.mask))))
        for account in session.call(operations.account.LIST_ACCOUNTS)
    ]
    try:
        return pick(text, candidates, "account", "finplan accounts")
    except SeveralMeant:
        raise
    except CommandError:
        digits, listed = _digits(text), operations.account.LIST_ACCOUNT_RECORDS
        numbered = [
            record.account.id
            for record in (session.call(listed) if digits else ())
            if record.number is not None and _digits(record.number) == digits
        ]
        if len(numbered) != 1:
            raise
        return numbered[0]


def _digits(number: str) -> str:
    """A number as it is compared, without what parts its digits; empty for what is none."""
    plain = "".join(filter(str.isalnum, number)).upper()
    return plain if any(map(str.isdigit, plain)) else ""


@app.command(
    epilog=examples(
        'finplan accounts add "Home" --kind property --balance 410000 --since 2019',
        'finplan accounts add "Car loan" --kind auto --balance 8200 --apr 6.4',
        'finplan accounts add "Cash drawer" --kind cash --balance 350',
    ),
)
def add(  # Typer makes an option of each.
    context: typer.Context,
    name: Annotated[str, argument("NAME", "Name of the account.")],
    kind: Annotated[
        str,
        option("KIND", f"Kind of account: {KIND_HELP}, or a subtype such as property or mortgage."),
    ],
    subtype: SubtypeOption = None,
    balance: Annotated[
        str | None, option("AMOUNT", "Balance, like 1840.25; on loans and cards, your debt.")
    ] = None,
    as_of: Annotated[
        date | None,
        option("DAY", f"Date of the balance: {DAY_HELP}. [default: today]", parser=last_day),
    ] = None,
    since: Annotated[
        date | None,
        option("DAY", "First day of the account, for your net worth over time.", parser=first_day),
    ] = None,
    currency: Annotated[
        str | None, option("CODE", "Currency, like EUR. [default: your currency]")
    ] = None,
    limit: Annotated[str | None, option("AMOUNT", "Credit limit.")] = None,
    apr: Annotated[str | None, option("PERCENT", "Yearly interest rate, like 21.99.")] = None,
    minimum_payment: Annotated[str | None, option("AMOUNT", "Minimum monthly payment.")] = None,
    at: Annotated[
        str | None, option("NAME", "Bank or group to list the account under.", "--institution")
    ] = None,
) -> None:
    """Add an account that you keep yourself, such as a home, a car, a loan or cash.

    The account counts in your net worth, and cash and debts count in the plan. To record a balance
    later, use `finplan accounts set`.
    """
    session = Session.of(context)
    code = currency.upper() if currency else None
    shown = code or session.call(operations.person.SHOW_SETTINGS).currency
    typed = {
        "balance": balance,
        "credit_limit": limit,
        "apr": apr,
        "minimum_payment": minimum_payment,
    }
    kind_word, of_kind = _read_kind(kind)
    request = build_request(
        operations.account.ADD_ACCOUNT,
        name=name,
        kind=kind_word,
        subtype=subtype or of_kind,
        currency=code,
        as_of=as_of,
        since=since,
        institution_name=at,
        **{
            field: _read_field(field, value, shown)
            for field, value in typed.items()
            if value is not None
        },
    )
    record = session.answer(operations.account.ADD_ACCOUNT, request)
    if record is not None:
        session.show(views.accounts.account(record))
        for sentence in views.accounts.explain_uncounted(record, session.currency):
            session.say(sentence)


@app.command()
def remove(
    context: typer.Context,
    account: Id,
    *,
    yes: Annotated[bool, flag("--yes", "Skip the confirmation.")] = False,
) -> None:
    """Remove an account that you added, with its balances.

    Accounts from a bank or a file cannot be removed: hide them, unlink the bank or undo the import.
    """
    session = Session.of(context)
    request = model.account.AccountId(id=account_id(session, account))
    if not yes and session.interactive:
        record = session.call(operations.account.SHOW_ACCOUNT, request)
        if not session.confirm(
            f"Remove {record.account.name} and its {count(len(record.anchors), 'balance')}?",
            default=False,
        ):
            session.say("Nothing was changed.")
            return
    session.report(operations.account.REMOVE_ACCOUNT, views.accounts.describe_removal, request)


@app.command()
def balances(context: typer.Context, account: Id) -> None:
    """List the recorded balances of an account.

    To set one, use `finplan accounts set` with --balance and --as-of. `--balance none` removes it.
    """
    session = Session.of(context)
    request = model.account.AccountId(id=account_id(session, account))
    anchors = session.answer(operations.account.LIST_BALANCES, request)
    if anchors is not None:
        record = session.call(operations.account.SHOW_ACCOUNT, request)
        session.show(views.accounts.recorded_balances(record))


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
        return read_rate(value)
    return value


def read_rate(percent: str) -> float:
    """A yearly rate in percent as a ratio. Raises a CommandError on what is none."""
    if _PERCENT.match(percent.replace(" ", "")) is None:
        raise CommandError(
            f"The rate {percent!r} is not a percentage. Write it like 21.99.", BAD_INPUT
        )
    return round(float(percent.replace(" ", "").rstrip("%")) / 100, 6)
