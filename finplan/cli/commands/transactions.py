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
    return Annotated[list[str] | None, option(metavar, f"Only this {what}; may be given again.")]


ROW_OPTIONS: Mapping[str, Any] = {
    "since": typed_values.Since,
    "until": typed_values.Until,
    "period": typed_values.PeriodWords,
    "category": _some("CATEGORY", "category"),
    "merchant": _some("NAME", "merchant"),
    "tag": _some("TAG", "tag, or all of several in quotes"),
    "account": _some("ACCOUNT", "account"),
    "text": Annotated[str | None, option("TEXT", "Only rows in which these words stand.")],
    "amount": Annotated[
        str | None,
        option("SIZE", "Only amounts of a size, in or out: 42.50, 40..60, 40.. or ..60."),
    ],
}
"""What narrows rows, in the order of the help; every command that lists or sums rows has these."""

PAGE_OPTIONS: Mapping[str, Any] = {
    "pending": Annotated[
        bool | None, flag("--pending/--posted", "Only pending rows, or only posted.")
    ],
    "limit": Annotated[
        int | None,
        option(
            "N",
            "How many rows, at most 500. [default: what fits the screen, else 100]",
            min=1,
            max=LARGEST_PAGE,
        ),
    ],
    "why": Annotated[bool, flag("--why", "Say under each row why it is in its category.")],
    "cursor": Annotated[str | None, option("CURSOR", "Go on where the last page ended.")],
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
    offered = {name: each for name, each in ROW_OPTIONS.items() if name not in without}
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
        whole = signature(command)
        own = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in whole.parameters.values()]
        place = [each.name for each in own].index("rows")
        taken = [*own[:place], *options, *own[place + 1 :]]
        vars(run)["__signature__"] = whole.replace(parameters=taken)
        return run

    return give


def asked_rows(session: Session, typed: RowOptions, *, spending: bool = False) -> dict[str, Any]:
    """What narrows the rows, as the daemon is asked; what was not typed is left out.

    With `spending` a category that could be several is the one of them that is spending.
    """
    rest = dict(typed)
    since, until = typed_values.days_of(
        session, rest.pop("period"), rest.pop("since"), rest.pop("until")
    )
    size = rest.pop("amount", None)
    least, most = (None, None) if size is None else typed_values.sizes(size, session.currency)
    finder = lookup.category_finder(session, spending=spending)
    category = tuple(map(finder, rest.pop("category") or ()))
    account = tuple(account_id(session, each) for each in rest.pop("account", None) or ())
    asked = {
        "since": since,
        "until": until,
        "category": category,
        "account": account,
        "min_amount": least,
        "max_amount": most,
        **{name: tuple(said) if isinstance(said, list) else said for name, said in rest.items()},
    }
    return {name: value for name, value in asked.items() if value not in (None, ())}


RowArgument = Annotated[str, argument("TRANSACTION", "Its id, as the list shows it, like tx_812.")]


@transactions_app.callback(
    epilog=examples(
        "finplan transactions                         The newest",
        "finplan transactions --from 2025-11 --category restaurants",
        "finplan transactions find whole foods --amount 40..60",
        "finplan transactions set tx_812 gifts        This one alone",
        "finplan transactions split tx_812 groceries=30 gifts=rest",
    )
)
def transactions() -> None:
    """Single transactions; find some, or say what one is for.

    Without a command they are listed, and the options are those of `list`.
    """


@transactions_app.command(
    "list",
    rows=True,
    epilog=examples(
        "finplan transactions --from 2025-11 --category restaurants",
        "finplan transactions --account checking --pending",
        "finplan transactions --merchant costco --why   What each is filed by",
        'finplan transactions --merchant "Whole Foods" --limit 500 --json',
    ),
)
@narrowed(without=("text",), listed=True)
def list_transactions(context: typer.Context, *, rows: RowOptions) -> None:
    """Single transactions, newest first.

    Money in has a plus sign. Pending rows enter no total before they are posted.
    """
    _show_rows(Session.of(context), rows)


@transactions_app.command(
    rows=True,
    epilog=examples(
        "finplan transactions find cafe              Café, CAFE and cafés",
        "finplan transactions find whole foods --amount 40..60",
        "finplan transactions find --amount 42.50 --period 'last 90 days'",
    ),
)
@narrowed(without=("text",), listed=True)
def find(
    context: typer.Context,
    words: Annotated[
        list[str] | None, argument("TEXT", "Words of what the bank wrote, or of the payee.")
    ] = None,
    *,
    rows: RowOptions,
) -> None:
    """Find transactions by their words and by how large they are.

    Each word must stand in a row, in any order and also as a part of a longer one. Case and
    accents make no difference. Below the rows stands how many there are on all pages, and what
    they add up to.
    """
    text = " ".join(words or ())
    if not text.strip() and rows["amount"] is None and not rows["tag"]:
        raise typer.BadParameter("Say what to find: words, --amount, or both.", param_hint="TEXT")
    # A further page has the same total as the first, which has said it.
    total = True if rows["cursor"] is None else None
    _show_rows(Session.of(context), {**rows, "text": text or None, "total": total})


@transactions_app.command(epilog=examples("finplan transactions show tx_812"))
def show(context: typer.Context, transaction: RowArgument) -> None:
    """One transaction: why it is where it is, and what you said of it."""
    session = Session.of(context)
    asked = model.transaction.TransactionId(id=own_words.row_id(transaction))
    found = session.answer(operations.transaction.SHOW_TRANSACTION, asked)
    if found is not None:
        rows = views.transactions.rows((found,), lookup.category_labels(session), why=True)
        session.show(views.page.of(rows))


@transactions_app.command(
    "set",
    epilog=examples(
        "finplan transactions set tx_812 gifts",
        "finplan transactions set tx_812 --clear      Leave it to the rules again",
    ),
)
def set_category(
    context: typer.Context,
    transaction: RowArgument,
    category: Annotated[str | None, CATEGORY] = None,
    clear: Annotated[
        bool, flag("--clear", "Leave it to the rules again; note and tags stay.")
    ] = False,
) -> None:
    """Say what one transaction is for, before every rule.

    No other charge moves; `finplan rules set` files all that a payee charges. A category takes
    the place of parts.
    """
    if (category is None) is not clear:
        raise typer.BadParameter("Give a CATEGORY or --clear, one of them.", ctx=context)
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
    words: Annotated[list[str] | None, argument("TEXT", "What to remember of it.")] = None,
    clear: Annotated[bool, flag("--clear", "Take the note back.")] = False,
) -> None:
    """Note something on one transaction.

    `finplan transactions find` finds it by these words, too. A note moves no sum, and another one
    takes its place.
    """
    text = " ".join(words or ())
    if bool(text.strip()) is clear:
        raise typer.BadParameter("Give a TEXT or --clear, one of them.", ctx=context)
    own_words.say_word(Session.of(context), transaction, note=None if clear else text)


@transactions_app.command(
    epilog=examples(
        "finplan transactions split tx_812 groceries=30 gifts=rest",
        'finplan transactions split tx_812 "groceries 30.00" "shopping 12.50"',
        'finplan transactions split tx_812 "gifts=12.50 for Ada" groceries=rest',
        "finplan transactions set tx_812 --clear      Make it one again",
    )
)
def split(
    context: typer.Context,
    transaction: RowArgument,
    parts: Annotated[
        list[str],
        argument(
            "PART...", "CATEGORY=AMOUNT, and a note behind it; the amount of one may be `rest`."
        ),
    ],
) -> None:
    """Say what the parts of one transaction are for.

    Together they are all of it. Amounts are written as lists show the row, and one without a
    sign takes the sign of the row: of a charge of -42.50, 30 and -30 are the same, and +5 came
    back, like a deposit.
    """
    own_words.say_parts(Session.of(context), transaction, parts)


_ROW_ID = re.compile("(?:tx|pen)_[0-9]+", re.IGNORECASE)
TagsArgument = Annotated[list[str], argument("TAG...", "Words of your own, like japan or tax.")]


@transactions_app.command(
    epilog=examples(
        "finplan transactions tag tx_812 japan hotel",
        "finplan transactions tag tx_812 tx_815 japan",
    )
)
def tag(context: typer.Context, transaction: RowArgument, tags: TagsArgument) -> None:
    """Tag transactions, to find and add up those that belong together.

    `finplan spending --by tag` adds them up, and `--tag` lists them. A tag moves no sum, and the
    tags that are there already stay. Further ids may stand before the tags.
    """
    rows, given = _rows_and_tags(transaction, tags)
    if not given:
        raise typer.BadParameter("Say which tags, like japan.", ctx=context)
    _change_tags(context, rows, lambda present: [*present, *given])


@transactions_app.command(
    epilog=examples(
        "finplan transactions untag tx_812 hotel",
        "finplan transactions untag tx_812            All of its tags",
    )
)
def untag(
    context: typer.Context,
    transaction: RowArgument,
    tags: Annotated[list[str] | None, argument("TAG...", "Which; left out, all of them.")] = None,
) -> None:
    """Take tags of transactions back."""
    rows, gone = _rows_and_tags(transaction, tags or ())
    _change_tags(
        context, rows, lambda present: [each for each in present if gone and each not in gone]
    )


def _rows_and_tags(first: str, typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """The ids that are typed, of which the first is one whatever it looks like, and the tags.

    Raises a CommandError for what cannot be a tag.
    """
    more = list(takewhile(_ROW_ID.fullmatch, typed))
    words = typed[len(more) :]
    try:
        return [first, *more], [tag for each in words for tag in model.transaction.tags_in(each)]
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
    """Take back what you said of one transaction: category, parts, note and tags."""
    own_words.say_word(
        Session.of(context), transaction, category=None, note=None, tags=None, splits=None
    )


def _show_rows(session: Session, typed: RowOptions) -> None:
    why = bool(typed["why"])
    given = asked_rows(session, {name: said for name, said in typed.items() if name != "why"})
    # Who asks for a table of rows wants all of them, and not those of a screen.
    whole = session.options.wants_rows and typed["limit"] is None
    screenful = LARGEST_PAGE if whole else _screenful(session, lines=3 if why else 1)
    if screenful is not None:
        given.setdefault("limit", screenful)
    query = model.transaction.TransactionQuery(**given)
    found = session.answer(operations.transaction.LIST_TRANSACTIONS, query, whole=whole)
    if found is None:
        return
    if not found.transactions:
        _say_why_nothing(session, given)
    labels = lookup.category_labels(session) if found.transactions else {}
    session.show(views.transactions.listing(found, labels, why=why))
    if found.next_cursor is not None:
        session.say(f"There is more: the same command with --cursor {found.next_cursor}")


def _say_why_nothing(session: Session, given: dict[str, Any]) -> None:
    """Say what to do next where no rows are: bring some, or look for less where it was too much."""
    if lookup.say_what_brings_rows(session):
        return
    if given.keys() - {"limit", "total"} == {"text"}:
        session.say("Each word must stand in a row: fewer words, or a part of one, find more.")


def _screenful(session: Session, lines: int) -> int | None:
    """How many rows of so many lines a screen holds, None where nobody watches one."""
    if session.options.json or not sys.stdout.isatty():
        return None
    room = shutil.get_terminal_size().lines - _LINES_AROUND
    return min(LARGEST_PAGE, max(10, room // lines))
