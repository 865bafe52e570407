"""`finplan planned`: what the person plans to pay or expects to receive."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.commands.accounts import account_id
from finplan.cli.console.naming import NamedId
from finplan.cli.console.options import (
    CommandApp,
    RowsGroup,
    argument,
    examples,
    flag,
    option,
)
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import last_day, minor
from finplan.cli.dialogs.lookup import category_finder, category_labels, meant_id

if TYPE_CHECKING:
    from finplan.operation import Asks, Operation

app = CommandApp(cls=RowsGroup)
CadenceOption = Literal[
    "weekly", "biweekly", "semimonthly", "monthly", "quarterly", "twice-yearly", "yearly", "none"
]
_CADENCES = {"twice-yearly": "twice_yearly", "yearly": "annual"}
_CLEARS = "none"
_MONTH = re.compile(r"^[0-9]{4}-[0-9]{2}$")
_WHEN_HELP = "Date YYYY-MM-DD, or only its month YYYY-MM."

PlannedArgument = Annotated[
    str,
    argument("NAME", "Its name, or the id. The first characters of the id are enough."),
]
When = Annotated[str | None, option("WHEN", _WHEN_HELP, "--on")]
Repeats = Annotated[
    CadenceOption | None,
    option("CADENCE", "How often it repeats: weekly, monthly, yearly and so on."),
]
LastDay = Annotated[
    str | None, option("DAY", "Last date, if it repeats; `none` removes it.", "--until")
]
OfAccount = Annotated[
    str | None, option("ACCOUNT", "Cash account; `none` means any of them.", "--account")
]
OfCategory = Annotated[
    str | None, option("CATEGORY", "Category, to recognize its transaction.", "--category")
]


@app.callback(
    epilog=examples(
        "finplan planned",
        'finplan planned add "Summer trip" 2000 --on 2027-07 --category travel',
        'finplan planned add "Tax refund" 640 --on 2027-03-15 --income',
        'finplan planned add "Piano lesson" 35 --on 2027-01-08 --every weekly',
        'finplan planned set "Summer trip" --on 2027-08',
    )
)
def planned() -> None:
    """Plan payments and income ahead, once or repeated.

    Your forecast shows planned money on its date. The plan sets aside a part of planned payments each
    month. Planned income counts only once you receive it.
    """


@app.command("list", rows=True)
def list_planned(context: typer.Context) -> None:
    """List planned money, the next due first. The same as `finplan planned`."""
    session = Session.of(context)
    listed = session.answer(operations.plan.LIST_PLANNED)
    if listed is not None:
        session.show(views.planned.planned(listed, session.how, _labels(session, listed)))


def _labels(session: Session, listed: "Sequence[model.planned.PlannedRecord]") -> Mapping[str, str]:
    """What categories are called, asked only where planned money has one."""
    return category_labels(session) if any(record.category for record in listed) else {}


@app.command(
    epilog=examples(
        'finplan planned add "New bike" 700 --on 2027-05 --category shopping',
        "finplan planned add Bonus 1200 --on 2027-06-30 --income",
        'finplan planned add "School fees" 180 --on 2027-02 --every quarterly',
    )
)
def add(  # Typer makes an option of each.
    context: typer.Context,
    name: Annotated[str, argument("NAME", "Name of the payment or income.")],
    amount: Annotated[str, argument("AMOUNT", "Amount, like 2000 or 34.50.")],
    on: Annotated[str, option("WHEN", _WHEN_HELP, "--on")],
    income: Annotated[bool, flag("--income", "You receive it instead of paying it.")] = False,
    every: Repeats = None,
    until: LastDay = None,
    account: OfAccount = None,
    category: OfCategory = None,
) -> None:
    """Plan a payment, or with --income money that you expect.

    finplan recognizes the transaction by its amount, its date, and its category or a word of its name.
    """
    session = Session.of(context)
    currency = session.call(operations.person.SHOW_SETTINGS).currency
    typed = _typed(session, None, every, until, account, category)
    request = model.planned.NewPlanned(
        name=name,
        amount=minor(amount, currency, "The amount"),
        direction="in" if income else "out",
        **_when(on),
        **{field: value for field, value in typed.items() if value is not None},
    )
    _show(session, operations.plan.ADD_PLANNED, request)


@app.command(
    "set",
    epilog=examples(
        'finplan planned set "Summer trip" --on 2027-08 --amount 2400',
        'finplan planned set "Summer trip" --happened',
        'finplan planned set "Piano lesson" --until 2027-06-30',
    ),
)
def set_planned(  # Typer makes an option of each.
    context: typer.Context,
    planned: PlannedArgument,
    name: Annotated[str | None, option("NAME", "New name.")] = None,
    amount: Annotated[str | None, option("AMOUNT", "New amount, like 2400.")] = None,
    on: When = None,
    income: Annotated[
        bool | None, flag("--income/--payment", "You receive it, or you pay it.")
    ] = None,
    every: Repeats = None,
    until: LastDay = None,
    account: OfAccount = None,
    category: OfCategory = None,
    happened: Annotated[
        bool | None,
        flag("--happened/--not-happened", "It happened, even if no transaction shows it."),
    ] = None,
) -> None:
    """Change planned money, or mark it as happened."""
    session = Session.of(context)
    fields = _typed(session, name, every, until, account, category)
    if amount is not None:
        currency = session.call(operations.person.SHOW_SETTINGS).currency
        fields["amount"] = minor(amount, currency, "The amount")
    if income is not None:
        fields["direction"] = "in" if income else "out"
    if happened is not None:
        fields["happened"] = happened
    if on is not None:
        fields |= _when(on)
    if not fields:
        raise typer.BadParameter(
            "Nothing to set. Add an option, for example --on 2027-08.", ctx=context
        )
    request = model.planned.PlannedChange(id=planned_id(session, planned), **fields)
    _show(session, operations.plan.CHANGE_PLANNED, request)


@app.command()
def remove(context: typer.Context, planned: PlannedArgument) -> None:
    """Remove planned money. The answer shows how to add it again."""
    session = Session.of(context)
    request = model.planned.PlannedId(id=planned_id(session, planned))
    session.report(
        operations.plan.REMOVE_PLANNED,
        lambda record: views.planned.describe_removal(record, session.how.currency),
        request,
    )


def planned_id(session: Session, text: str) -> str:
    """The id of the planned money that is meant. Raises CommandError where it is none, or several."""
    listed, what = operations.plan.LIST_PLANNED, "planned money"
    return meant_id(session, text, listed, _name_of, what, "finplan planned", "planned money")


def _name_of(record: "model.planned.PlannedRecord") -> NamedId:
    return NamedId(record.id, (record.name,))


def _show(
    session: Session, operation: "Operation[Asks, model.planned.PlannedRecord]", request: "Asks"
) -> None:
    record = session.answer(operation, request)
    if record is not None:
        session.show(views.planned.one(record, session.how, _labels(session, [record])))


def _when(on: str) -> dict[str, Any]:
    """The date that a person typed, or the month."""
    if _MONTH.match(on.strip()):
        last_day(on)
        return {"month": on.strip()}
    day = last_day(on)
    if not re.match(r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$", on.strip()):
        raise typer.BadParameter(
            f"{on!r} is not a date. Write YYYY-MM-DD, or YYYY-MM if the day is open.",
            param_hint="--on",
        )
    return {"date": day}


def _typed(
    session: Session,
    name: str | None,
    every: str | None,
    until: str | None,
    account: str | None,
    category: str | None,
) -> dict[str, Any]:
    """The fields that a person gave; None for what they clear."""
    fields: dict[str, Any] = {}
    if name is not None:
        fields["name"] = name
    if every is not None:
        fields["every"] = None if every == _CLEARS else _CADENCES.get(every, every)
    if until is not None:
        fields["until"] = None if until == _CLEARS else last_day(until)
    if account is not None:
        fields["account_id"] = None if account == _CLEARS else account_id(session, account)
    if category is not None:
        fields["category"] = None if category == _CLEARS else category_finder(session)(category)
    return fields
