"""`finplan rules`: which payee belongs to which category.

A rule does not move rows of which each is one half of a transfer: it is said how many, and what to do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.model import figures

if TYPE_CHECKING:
    from finplan.model.category import CategoryRule
    from finplan.model.transaction import Transaction

app = CommandApp(cls=RowsGroup, invoke_without_command=True)
Source = Literal["user", "auto", "curated"]


@app.callback(
    epilog=examples(
        "finplan rules list --source user                     The rules that you made",
        'finplan rules set "blue bottle coffee" restaurants   File a payee',
        "finplan rules set costco safeway groceries           File several",
        "finplan rules set costco groceries --amount 120.00",
        "finplan rules remove ID",
    )
)
def rules(context: typer.Context) -> None:
    """Which payee belongs to which category.

    Your own rules win over inferred ones, and those over the ones that finplan brings along.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context), None)


@app.command("list", rows=True)
def list_rules(
    context: typer.Context,
    source: Annotated[
        Source | None, typer.Option(help="Only yours, the inferred or the curated ones.")
    ] = None,
) -> None:
    """Your rules and the inferred ones; the curated ones when you ask for them."""
    session = Session.of(context)
    if source is not None and (session.options.json or session.options.wants_rows):
        raise typer.BadParameter(
            "it only narrows what is drawn; --json and --csv always print every rule.",
            param_hint="--source",
        )
    _list(session, source)


@app.command("set")
def set_rule(
    context: typer.Context,
    payee: Annotated[
        list[str], typer.Argument(metavar="PAYEE...", help="As `transactions` shows it.")
    ],
    category: Annotated[
        str,
        typer.Argument(
            metavar="CATEGORY", help="A title of `finplan categories`, or a part of it."
        ),
    ],
    amount: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            help="Only charges of exactly this amount, like 14.99; money in has a minus.",
        ),
    ] = None,
) -> None:
    """File payees, or only their charges of one exact amount, under a category.

    Rows that are transfers between your accounts stay transfers, and it is said how many these are.
    """
    from finplan.cli.dialogs.lookup import category_id
    from finplan.model.category import RuleBatch, RuleRequest
    from finplan.operations.category import SET_RULE, SET_RULES

    session = Session.of(context)
    filed = category_id(session, category)
    exact = _exact(session, amount)
    requests = [RuleRequest(payee_key=each, category=filed, amount=exact) for each in payee]
    if len(requests) == 1:
        rule = session.answer(SET_RULE, requests[0])
        if rule is not None:
            _print_saved(session, [rule])
        return
    result = session.answer(SET_RULES, RuleBatch(rules=tuple(requests)))
    if result is not None:
        if result.saved:
            _print_saved(session, result.saved)
        if result.errors:
            raise CommandError(" ".join(error.message for error in result.errors), NOT_THERE)


@app.command()
def remove(
    context: typer.Context,
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="An id, the beginning of one, or a payee.")
    ],
) -> None:
    """Remove a rule of yours; what finplan infers holds again."""
    from finplan.model.category import RuleId
    from finplan.operations.category import REMOVE_RULE

    session = Session.of(context)
    removed = session.answer(REMOVE_RULE, RuleId(id=_rule_id(session, rule)))
    if removed is not None:
        from finplan.cli.dialogs.lookup import category_labels

        label = category_labels(session).get(removed.category, removed.category)
        session.say(f"Removed: {removed.payee_key} is no longer filed under {label}.")


def _list(session: Session, source: Source | None) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.category import LIST_RULES

    found = session.answer(LIST_RULES, Nothing())
    if found is not None:
        shown = [rule for rule in found if rule.source == (source or rule.source)]
        if source is None:
            shown = [rule for rule in found if rule.source != "curated"]
        _print(session, shown)
        if len(shown) < len(found) and source is None:
            curated = len(found) - len(shown)
            session.say(f"And {curated} curated ones: `finplan rules list --source curated`.")


def _print(session: Session, rules: "Sequence[CategoryRule]") -> None:
    from finplan.cli.dialogs.lookup import category_labels
    from finplan.cli.showing.categories import draw_rules

    labels = category_labels(session) if rules else {}
    session.page(draw_rules(rules, session.currency, labels))


def _print_saved(session: Session, rules: "Sequence[CategoryRule]") -> None:
    from finplan.cli.dialogs.lookup import category_labels

    _print(session, rules)
    say_rows_left(session, rules, category_labels(session))


def _exact(session: Session, amount: str | None) -> int | None:
    from finplan.cli.console.typed_values import minor

    return None if amount is None else minor(amount, session.currency, "The amount")


def _rule_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.category import LIST_RULES

    candidates = [
        NamedId(rule.id, (rule.payee_key,))
        for rule in session.call(LIST_RULES, Nothing())
        if rule.source == "user"
    ]
    listing = "finplan rules list --source user"
    return pick(text, candidates, "rule of yours", listing, "rules of yours")


def say_rows_left(
    session: Session, rules: "Sequence[CategoryRule]", labels: Mapping[str, str]
) -> None:
    """Say of each rule how many rows of its payee stay where they are, since a transfer files them."""
    for rule in rules:
        left = [row for row in _rows_of_payee(session, rule) if _stays(row, rule)]
        if left:
            session.say(_said_of_left(rule, left, labels))


def _rows_of_payee(session: Session, rule: "CategoryRule") -> "Iterator[Transaction]":
    """Every posted row of a rule's payee, newest first."""
    from finplan.model.transaction import LARGEST_PAGE, TransactionQuery
    from finplan.operations.transaction import LIST_TRANSACTIONS

    asked = TransactionQuery(merchant=(rule.payee_key,), pending=False, limit=LARGEST_PAGE)
    page = session.call(LIST_TRANSACTIONS, asked)
    yield from page.transactions
    while page.next_cursor is not None:
        asked = asked.model_copy(update={"cursor": page.next_cursor})
        page = session.call(LIST_TRANSACTIONS, asked)
        yield from page.transactions


def _stays(row: "Transaction", rule: "CategoryRule") -> bool:
    is_meant = rule.amount is None or row.amount == -rule.amount
    # What the person said of one row is before every rule anyway.
    is_own = row.why.source == "user" and row.why.rule_id is None
    is_paired = row.transfer_id is not None and not is_own
    return is_meant and is_paired and row.category != rule.category


def _said_of_left(
    rule: "CategoryRule", rows: "Sequence[Transaction]", labels: Mapping[str, str]
) -> str:
    homes = dict.fromkeys(labels.get(row.category, row.category) for row in rows)
    counted = figures.count(len(rows), "row")
    stays, each, other = (
        ("stays", "it is", "its") if len(rows) == 1 else ("stay", "each is", "their")
    )
    return (
        f"{counted} of {rule.payee_key} {stays} in {' and '.join(homes)}: {each} one half of a transfer"
        f" with another account of yours, which goes before a rule. Where that is wrong, `finplan"
        f" transfers` lists {other} other half and `finplan transfers reject ID` parts the two; what is"
        f" right can still be filed by itself, like `finplan transactions set {rows[0].id}"
        f" {rule.category}`."
    )
