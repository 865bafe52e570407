"""`finplan rules`: which payee belongs to which category.

A rule does not move rows of which each is one half of a transfer: it is said how many, and what to do.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId
from finplan.cli.console.options import CATEGORY, CommandApp, RowsGroup, argument, examples, option
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import minor
from finplan.cli.dialogs.lookup import category_finder, category_labels, meant_id

app = CommandApp(cls=RowsGroup)
Source = Literal["user", "auto", "curated"]


@app.callback(
    epilog=examples(
        "finplan rules list --source user                     Your own rules",
        'finplan rules set "blue bottle coffee" restaurants   Categorize a payee',
        "finplan rules set costco safeway groceries           Or several payees",
        "finplan rules set costco groceries --amount 120.00",
        "finplan rules remove ID",
    )
)
def rules() -> None:
    """List, set and remove rules for payees.

    Your rules override inferred rules, which override the curated rules that come with finplan.
    """


@app.command("list", rows=True)
def list_rules(
    context: typer.Context,
    source: Annotated[
        Source | None,
        typer.Option(help="Show only your own rules, inferred rules or curated rules."),
    ] = None,
) -> None:
    """List your rules and inferred rules; --source curated lists the curated rules."""
    session = Session.of(context)
    if source is not None and (session.options.json or session.options.wants_rows):
        raise typer.BadParameter(
            "cannot be used with --json or --csv, which print every rule.",
            param_hint="--source",
        )
    rules = session.answer(operations.category.LIST_RULES)
    if rules is not None:
        labels = category_labels(session)
        session.show(views.categories.rules(rules, session.how, labels, source))


@app.command("set")
def set_rule(
    context: typer.Context,
    payee: Annotated[list[str], argument("PAYEE...", "Payee, as `finplan transactions` shows it.")],
    category: Annotated[str, CATEGORY],
    amount: Annotated[
        str | None,
        option(
            "AMOUNT",
            "Only transactions of exactly this amount: 14.99 for money out, -14.99 for money in.",
        ),
    ] = None,
) -> None:
    """Put payees in a category, or only their transactions of one amount.

    This changes past and future transactions. Transfers between your own accounts, and transactions
    that you set yourself, stay as they are.
    """
    session = Session.of(context)
    filed = category_finder(session)(category)
    exact = None if amount is None else minor(amount, session.currency, "The amount")
    requests = [
        model.category.RuleRequest(payee_key=key, category=filed, amount=exact) for key in payee
    ]
    if len(requests) == 1:
        rule = session.answer(operations.category.SET_RULE, requests[0])
        if rule is not None:
            _show_saved(session, [rule])
        return
    batch = model.category.RuleBatch(rules=tuple(requests))
    result = session.answer(operations.category.SET_RULES, batch)
    if result is not None:
        if result.saved:
            _show_saved(session, result.saved)
        if result.errors:
            raise CommandError(" ".join(error.message for error in result.errors), NOT_THERE)


@app.command()
def remove(
    context: typer.Context,
    rule: Annotated[
        str,
        argument("RULE", "The rule's id or its payee. The first characters of the id are enough."),
    ],
) -> None:
    """Remove one of your rules; inferred and curated rules apply again."""
    session = Session.of(context)
    listed, listing = operations.category.LIST_RULES, "finplan rules list --source user"
    what, plural = "rule of yours", "rules of yours"
    meant = meant_id(session, rule, listed, _named_rule, what, listing, plural)
    request = model.category.RuleId(id=meant)
    removed = session.answer(operations.category.REMOVE_RULE, request)
    if removed is not None:
        label = category_labels(session).get(removed.category, removed.category)
        session.say(f"Removed your rule that puts {removed.payee_key} in {label}.")


def _show_saved(session: Session, saved: "Sequence[model.category.CategoryRule]") -> None:
    """Show rules, and of each how many rows of its payee stay, since a transfer files them."""
    labels = category_labels(session)
    session.show(views.categories.rules(saved, session.how, labels))
    for rule in saved:
        staying = [row for row in _rows_of_payee(session, rule) if _stays(row, rule)]
        if staying:
            session.say(views.categories.explain_staying_rows(rule, staying, labels))


def _named_rule(rule: "model.category.CategoryRule") -> NamedId | None:
    return NamedId(rule.id, (rule.payee_key,)) if rule.source == "user" else None


def _rows_of_payee(
    session: Session, rule: "model.category.CategoryRule"
) -> "Iterator[model.transaction.Transaction]":
    """Every posted row of a rule's payee, newest first."""
    query = model.transaction.TransactionQuery(
        merchant=(rule.payee_key,), pending=False, limit=model.transaction.LARGEST_PAGE
    )
    while True:
        page = session.call(operations.transaction.LIST_TRANSACTIONS, query)
        yield from page.transactions
        if page.next_cursor is None:
            return
        query = query.model_copy(update={"cursor": page.next_cursor})


def _stays(row: "model.transaction.Transaction", rule: "model.category.CategoryRule") -> bool:
    is_meant = rule.amount is None or row.amount == -rule.amount
    # What the person said of one row is before every rule anyway.
    is_own = row.why.source == "user" and row.why.rule_id is None
    is_paired = row.transfer_id is not None and not is_own
    return is_meant and is_paired and row.category != rule.category
