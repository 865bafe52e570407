"""`finplan transactions`: single rows, what one is for, and the options that narrow rows."""

import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from itertools import takewhile
from typing import Annotated, Any, Literal

import typer

from finplan import model, operations, views
from finplan.cli.commands.accounts import account_id
from finplan.cli.console import typed_values
from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.options import (
    CATEGORY,
    CommandApp,
    DefaultGroup,
    argument,
    examples,
    flag,
    option,
)
from finplan.cli.console.session import Session
from finplan.cli.dialogs import lookup, own_words

transactions_app = CommandApp(cls=DefaultGroup)
LARGEST_PAGE = 500
_LINES_AROUND = 6
"""What stands around the rows on a screen: the head, the hint and the next prompt."""

TypedGrouping = Literal["category", "merchant", "tag", "month"]


def _some(metavar: str, what: str) -> Any:
    return Annotated[list[str] | None, option(metavar, f"Only this {what}; repeatable.")]


ROW_OPTIONS: Mapping[str, Any] = {
    "since": typed_values.Since,
    "until": typed_values.Until,
    "period": typed_values.PeriodWords,
    "category": _some("CATEGORY", "category"),
    "merchant": _some("NAME", "merchant"),
    "tag": _some("TAG", "tag, or all of several tags in quotes"),
    "account": _some("ACCOUNT", "account"),
    "text": Annotated[str | None, option("TEXT", "Only transactions with these words.")],
    "amount": Annotated[
        str | None,
        option("SIZE", "Only this amount or range, money in or out: 42.50, 40..60, 40.. or ..60."),
    ],
}
"""What narrows rows, in the order of the help; every command that lists or sums rows has these."""

PAGE_OPTIONS: Mapping[str, Any] = {
    "pending": Annotated[
        bool | None, flag("--pending/--posted", "Only pending or only posted transactions.")
    ],
    "limit": Annotated[
        int | None,
        option(
            "N",
            "Transactions to show, at most 500. [default: as many as fit on the screen, or"
            " 100 in a pipe or with --json; all with --csv or --fields]",
            min=1,
            max=LARGEST_PAGE,
        ),
    ],
    "why": Annotated[bool, flag("--why", "Show why each transaction is in its category.")],
    "cursor": Annotated[str | None, option("CURSOR", "Continue after the previous page.")],
}
"""How rows are listed."""

RowOptions = Mapping[str, Any]
"""What was typed of the options that narrow rows, by their names; None where one was not."""


def narrowed(
    *, without: Collection[str] = (), listed: bool = False
) -> Callable[[Callable[..., None]], Any]:
    """Give a command the options that narrow rows, in the place of its parameter `rows`.

    One by which they are `listed` has the options for that, too.
    """
    offered = {name: annotation for name, annotation in ROW_OPTIONS.items() if name not in without}
    offered |= PAGE_OPTIONS if listed else {}

    def give(command: Callable[..., None]) -> Callable[..., None]:
        # Typer also reads annotations, and the command's own would lack these options.
        @wraps(command, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
        def run(**typed: Any) -> None:
            command(rows={name: typed.pop(name) for name in offered}, **typed)

        options = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=offered[name])
            for name in offered
        ]
        declared = signature(command)
        keyword, parameters = Parameter.KEYWORD_ONLY, declared.parameters.values()
        own = [parameter.replace(kind=keyword) for parameter in parameters]
        index = [parameter.name for parameter in own].index("rows")
        taken = [*own[:index], *options, *own[index + 1 :]]
        vars(run)["__signature__"] = declared.replace(parameters=taken)
        return run

    return give


def asked_rows(session: Session, typed: RowOptions, *, spending: bool = False) -> dict[str, Any]:
    """What narrows the rows, as the daemon is asked; what was not typed is left out.

    With `spending` a category that could be several is the one of them that is spending.
    """
    opts = dict(typed)
    since, until = typed_values.days_of(
        session, opts.pop("period"), opts.pop("since"), opts.pop("until")
    )
    size = opts.pop("amount", None)
    least, most = (None, None) if size is None else typed_values.sizes(size, session.currency)
    finder = lookup.category_finder(session, spending=spending)
    category = tuple(map(finder, opts.pop("category") or ()))
    account = tuple(account_id(session, text) for text in opts.pop("account", None) or ())
    filters = {
        "since": since,
        "until": until,
        "category": category,
        "account": account,
        "min_amount": least,
        "max_amount": most,
        **{key: tuple(value) if isinstance(value, list) else value for key, value in opts.items()},
    }
    return {name: value for name, value in filters.items() if value not in (None, ())}


RowArgument = Annotated[str, argument("TRANSACTION", "The transaction's id, like tx_812.")]


@transactions_app.callback(
    epilog=examples(
        "finplan transactions                         The newest",
        "finplan transactions --from 2025-11 --category restaurants",
        "finplan transactions find whole foods --amount 40..60",
        "finplan transactions set tx_812 gifts        Only this transaction",
        "finplan transactions split tx_812 groceries=30 gifts=rest",
    )
)
def transactions() -> None:
    """List, find, edit, split and tag transactions.

    Without a command, this is the same as `list` and takes the same options.
    """


@transactions_app.command(
    "list",
    rows=True,
    epilog=examples(
        "finplan transactions --from 2025-11 --category restaurants",
        "finplan transactions --account checking --pending",
        "finplan transactions --merchant costco --why   Show the reasons",
        'finplan transactions --merchant "Whole Foods" --limit 500 --json',
    ),
)
@narrowed(without=("text",), listed=True)
def list_transactions(context: typer.Context, *, rows: RowOptions) -> None:
    """List transactions, newest first.

    Money in has a plus sign. Totals exclude pending transactions.
    """
    _show_rows(Session.of(context), rows)


@transactions_app.command(
    rows=True,
    epilog=examples(
        "finplan transactions find cafe              Finds Café, CAFE and cafés",
        "finplan transactions find whole foods --amount 40..60",
        "finplan transactions find --amount 42.50 --period 'last 90 days'",
    ),
)
@narrowed(without=("text",), listed=True)
def find(
    context: typer.Context,
    terms: Annotated[
        list[str] | None, argument("TEXT", "Words from the bank's text, the payee or your note.")
    ] = None,
    *,
    rows: RowOptions,
) -> None:
    """Find transactions by words and amount.

    All words must match, in any order. A word also matches inside longer words. Case and accents do not
    matter. The last line shows how many transactions match, and their total.
    """
    text = " ".join(terms or ())
    if not text.strip() and rows["amount"] is None and not rows["tag"]:
        raise typer.BadParameter("Give at least one word, --amount or --tag.", param_hint="TEXT")
    # A further page has the same total as the first, which has said it.
    total = True if rows["cursor"] is None else None
    _show_rows(Session.of(context), {**rows, "text": text or None, "total": total})


@transactions_app.command(epilog=examples("finplan transactions show tx_812"))
def show(context: typer.Context, transaction: RowArgument) -> None:
    """Show one transaction: its category and the reason for it, note, tags and split."""
    session = Session.of(context)
    query = model.transaction.TransactionId(id=own_words.row_id(transaction))
    row = session.answer(operations.transaction.SHOW_TRANSACTION, query)
    if row is not None:
        rows = views.transactions.rows((row,), lookup.category_labels(session), why=True)
        session.show(views.page.of(rows))


@transactions_app.command(
    "set",
    epilog=examples(
        "finplan transactions set tx_812 gifts",
        "finplan transactions set tx_812 --clear      Use your rules again",
    ),
)
def set_category(
    context: typer.Context,
    transaction: RowArgument,
    category: Annotated[str | None, CATEGORY] = None,
    clear: Annotated[bool, flag("--clear", "Use the rules again; the note and tags stay.")] = False,
) -> None:
    """Set one transaction's category.

    Overrides rules and replaces a split. For all transactions of a payee: `finplan rules set`.
    """
    if (category is None) is not clear:
        raise typer.BadParameter("Give either CATEGORY or --clear.", ctx=context)
    session = Session.of(context)
    if category is None:
        own_words.say_word(session, transaction, category=None, splits=None)
    else:
        own_words.say_category(session, transaction, category)


@transactions_app.command(
    epilog=examples(
        "finplan transactions note tx_812 for the summer party",
        "finplan transactions note tx_812 --clear",
    )
)
def note(
    context: typer.Context,
    transaction: RowArgument,
    typed: Annotated[list[str] | None, argument("TEXT", "Text of the note.")] = None,
    clear: Annotated[bool, flag("--clear", "Remove the note.")] = False,
) -> None:
    """Add a note to a transaction.

    `finplan transactions find` also searches notes. Notes do not affect totals. A new note replaces the
    old one.
    """
    text = " ".join(typed or ())
    if bool(text.strip()) is clear:
        raise typer.BadParameter("Give either TEXT or --clear.", ctx=context)
    own_words.say_word(Session.of(context), transaction, note=None if clear else text)


@transactions_app.command(
    epilog=examples(
        "finplan transactions split tx_812 groceries=30 gifts=rest",
        'finplan transactions split tx_812 "groceries 30.00" "shopping 12.50"',
        'finplan transactions split tx_812 "gifts=12.50 for Ada" groceries=rest',
        "finplan transactions set tx_812 --clear      Remove the split",
    )
)
def split(
    context: typer.Context,
    transaction: RowArgument,
    parts: Annotated[
        list[str],
        argument("PART...", "CATEGORY=AMOUNT, then an optional note. One amount can be `rest`."),
    ],
) -> None:
    """Split a transaction across categories.

    The parts must add up to the whole amount. An amount without a sign takes the transaction's sign. In
    a transaction of -42.50, 30 and -30 mean the same, and +5 is money back, like a bottle deposit.
    """
    own_words.say_parts(Session.of(context), transaction, parts)


_ROW_ID = re.compile("(?:tx|pen)_[0-9]+", re.IGNORECASE)
TagsArgument = Annotated[list[str], argument("TAG...", "Tags of your own, like japan or tax.")]


@transactions_app.command(
    epilog=examples(
        "finplan transactions tag tx_812 japan hotel",
        "finplan transactions tag tx_812 tx_815 japan",
    )
)
def tag(context: typer.Context, transaction: RowArgument, tags: TagsArgument) -> None:
    """Tag transactions, to find and total related ones.

    `finplan spending --by tag` totals tagged transactions; `--tag` lists them. Tags do not affect
    other totals. A transaction keeps its existing tags. To tag several transactions, type their ids
    before the tags.
    """
    rows, new_tags = _rows_and_tags(transaction, tags)
    if not new_tags:
        raise typer.BadParameter("Give at least one tag, like japan.", ctx=context)
    _change_tags(context, rows, lambda present: [*present, *new_tags])


@transactions_app.command(
    epilog=examples(
        "finplan transactions untag tx_812 hotel",
        "finplan transactions untag tx_812            Remove all its tags",
    )
)
def untag(
    context: typer.Context,
    transaction: RowArgument,
    tags: Annotated[list[str] | None, argument("TAG...", "Tags to remove. [default: all]")] = None,
) -> None:
    """Remove tags from transactions."""
    rows, gone = _rows_and_tags(transaction, tags or ())
    _change_tags(
        context, rows, lambda present: [tag for tag in present if gone and tag not in gone]
    )


def _rows_and_tags(first: str, typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """The ids that are typed, of which the first is one whatever it looks like, and the tags.

    Raises a CommandError for what cannot be a tag.
    """
    ids = list(takewhile(_ROW_ID.fullmatch, typed))
    tail = typed[len(ids) :]
    try:
        return [first, *ids], [tag for text in tail for tag in model.transaction.tags_in(text)]
    except model.errors.BadRequest as refusal:
        raise CommandError(refusal.message, BAD_INPUT) from None


def _change_tags(
    context: typer.Context, rows: Iterable[str], change: Callable[[Sequence[str]], list[str]]
) -> None:
    session = Session.of(context)
    for row in rows:
        present = own_words.row_of(session, row).tags
        own_words.say_word(session, row, tags=change(present))


@transactions_app.command()
def undo(context: typer.Context, transaction: RowArgument) -> None:
    """Undo your changes to a transaction: category, split, note and tags."""
    own_words.say_word(
        Session.of(context), transaction, category=None, note=None, tags=None, splits=None
    )


def _show_rows(session: Session, typed: RowOptions) -> None:
    why = bool(typed["why"])
    filters = asked_rows(session, {name: value for name, value in typed.items() if name != "why"})
    # Who asks for a table of rows wants all of them, and not those of a screen.
    all_pages = session.options.wants_rows and typed["limit"] is None
    screenful = LARGEST_PAGE if all_pages else _screenful(session, lines=3 if why else 1)
    if screenful is not None:
        filters.setdefault("limit", screenful)
    query = model.transaction.TransactionQuery(**filters)
    page = session.answer(operations.transaction.LIST_TRANSACTIONS, query, all_pages=all_pages)
    if page is None:
        return
    if not page.transactions:
        _say_why_nothing(session, filters)
    labels = lookup.category_labels(session) if page.transactions else {}
    session.show(views.transactions.listing(page, labels, why=why))
    if page.next_cursor is not None:
        session.say(f"For more, repeat the command with --cursor {page.next_cursor}")


def _say_why_nothing(session: Session, filters: dict[str, Any]) -> None:
    """Say what to do next where no rows are: bring some, or look for less where it was too much."""
    if lookup.say_what_brings_rows(session):
        return
    if filters.keys() - {"limit", "total"} == {"text"}:
        session.say("All words must match. Try fewer words, or only part of a word.")


def _screenful(session: Session, lines: int) -> int | None:
    """How many rows of so many lines a screen holds, None where nobody watches one."""
    if session.options.json or not sys.stdout.isatty():
        return None
    room = shutil.get_terminal_size().lines - _LINES_AROUND
    return min(LARGEST_PAGE, max(10, room // lines))
