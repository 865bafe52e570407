"""Export: the posted rows as a file that other programs read, and finplan reads back.

Each page of rows is read and written in a turn of its own, and nothing but its text waits for who
downloads it: however many do, and however slowly they take it, they hold nobody up.
"""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.categorise.catalogue import Catalogue, Category
from finplan.intake.facts import BY_NAME
from finplan.model.characters import escaped, visible_lines
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.transaction import ExportFormat, ExportQuery, remarks_of
from finplan.operation import StreamedFile
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of
from finplan.service.ledger.categorisation import read_inferred
from finplan.service.restoring.collection import collect_home
from finplan.service.transactions import filter_of
from finplan.statements import export
from finplan.statements.journal.writer import BeancountWriter, HledgerWriter
from finplan.statements.statement import StatementAccount
from finplan.store.queries import accounts, people, row_filters, transactions as table
from finplan.store.queries.single_words import NO_WORD, RowWord, words_of_rows

PAGE = 1000
"""Rows that are read at once."""

_FORMATS: Mapping[
    ExportFormat, tuple[Callable[[export.Exported], export.StatementWriter], str, str]
] = {
    "json": (export.JsonWriter, "json", "application/json"),
    "csv": (export.CsvWriter, "csv", "text/csv"),
    "hledger": (HledgerWriter, "journal", "text/plain"),
    "beancount": (BeancountWriter, "beancount", "text/plain"),
}
_Place = tuple[int, int]
"""The day of a row and its number, by which rows are in order."""

_BEFORE_ALL = (0, 0)


class _Begun(NamedTuple):
    """A file whose head is written; `encode` makes what stands in it of a text.

    `categories` are those that the head knows.
    """

    which: row_filters.Filter
    categories: Collection[str]
    zone: str
    head: bytes
    writer: export.StatementWriter
    encode: Callable[[str], bytes]


class _Page(NamedTuple):
    """Some rows as they stand in the file, and the place of the last of them."""

    text: bytes
    ends: _Place
    is_last: bool


async def export_transactions(context: Context, ask: ExportQuery) -> StreamedFile:
    """The posted rows, oldest first; pending ones are left out, since they may still change.

    JSON without a filter holds the whole household, which another home restores; with one it has the
    recorded balances beside the rows. The journals and CSV hold rows and their accounts only.
    Importing the file again adds nothing. Raises BadRequest for a filter that names nothing.
    """
    make, ending, media_type = _FORMATS[ask.format]
    begun = await read_inferred(
        context, partial(_begin, owner=context.caller.owner, ask=ask, make=make), in_turn=True
    )
    return StreamedFile(
        f"finplan-{context.today(begun.zone)}.{ending}", media_type, _content(context, begun)
    )


def _begin(
    connection: Connection,
    owner: int,
    ask: ExportQuery,
    make: Callable[[export.Exported], export.StatementWriter],
) -> _Begun:
    catalogue = catalogue_of(connection, owner)
    which = filter_of(connection, owner, catalogue, ask)
    zone = people.get_person(connection, owner)["time_zone"]
    listed = accounts.list_accounts(connection, owner)
    rows = [row for row in listed if which.accounts is None or row["no"] in which.accounts]
    # Rows of an account that is opened while the file is written are not in it.
    which = replace(which, accounts=tuple(row["no"] for row in rows))
    exported = _collect_export(rows, catalogue, accounts.recorded_balances(connection, owner))
    full = exported
    if ask.is_whole and ask.format == "json":
        full = replace(exported, home=collect_home(connection, owner, exported.accounts))
    # The household is large and only the head tells of it, so the writer of the rows goes without.
    encode = _as_json if ask.format == "json" else _as_text
    head = encode(make(full).head())
    return _Begun(which, exported.counters.keys(), zone, head, make(exported), encode)


def _as_json(text: str) -> bytes:
    return escaped(text.encode())


def _as_text(text: str) -> bytes:
    # Rows of an older version may hold what the readers of every file leave out today.
    return visible_lines(text).encode()


async def _content(context: Context, begun: _Begun) -> AsyncGenerator[bytes, None]:
    yield begun.head
    page = _Page(b"", _BEFORE_ALL, is_last=False)
    while not page.is_last:
        next_page = partial(_page, begun=begun, after=page.ends)
        page = await context.store.read_in_turn(next_page, context.caller.credential)
        if page.text:
            yield page.text
    yield begun.encode(begun.writer.tail())


def _page(connection: Connection, begun: _Begun, after: _Place) -> _Page:
    """The next rows, written."""
    batch = table.oldest_first(connection, begun.which, after, PAGE)
    ends = (batch[-1]["day"], batch[-1]["no"]) if batch else after
    edits = words_of_rows(connection, [row["no"] for row in batch])
    rows = [_row(row, edits.get(row["no"], NO_WORD), begun.categories) for row in batch]
    text = begun.encode(begun.writer.body(rows))
    return _Page(text, ends, is_last=len(batch) < PAGE)


def _row(row: RowMapping, edit: RowWord, categories: Collection[str]) -> export.ExportedRow:
    # A row that was paired since is no longer for what the person said of it.
    parts = edit.parts if row["by_itself"] else ()

    def filed(category: str) -> str:
        # The head of the file knows of no category that is made while its rows are written.
        unknown = "uncategorized" if row["amount"] < 0 else "unknown_inflow"
        return category if category in categories else unknown

    return export.ExportedRow(
        account=row["account_id"],
        day=row["day"],
        amount=row["amount"],
        raw=row["raw"],
        external_id=row["external_id"],
        payee_key=row["payee_key"],
        payee=row["payee"],
        category=filed(row["category"]),
        source=row["source_kind"],
        ordinal=row["ordinal"],
        code=row["code"],
        transfer=row["transfer_id"],
        spends=bool(row["spends"]),
        remarks=remarks_of(edit),
        parts=tuple(
            export.ExportedPart(part.amount, filed(part.category), part.note) for part in parts
        ),
    )


def _collect_export(
    rows: Sequence[RowMapping], catalogue: Catalogue, balances: Sequence[tuple[int, int, int]]
) -> export.Exported:
    ids = {row["no"]: row["id"] for row in rows}
    recorded: dict[str, list[tuple[int, int]]] = {account_id: [] for account_id in ids.values()}
    for no, day, balance in balances:
        if no in ids:
            recorded[ids[no]].append((day, balance))
    return export.Exported(
        accounts={row["id"]: _account(row) for row in rows},
        counters={category.id: _counter(category) for category in catalogue.categories.values()},
        balances=recorded,
    )


def _account(row: RowMapping) -> StatementAccount:
    number: str | None = row["external_id"]
    if number is not None and number.startswith(BY_NAME):
        number = None
    elif number is not None and row["subtype"]:
        number = number.removesuffix(f" {row['subtype']}")
    institution = row["institution_name"]
    return StatementAccount(
        number,
        row["name"],
        row["currency"],
        None if institution == UNNAMED_INSTITUTION else institution,
        row["kind"],
        row["subtype"],
        row["id"],
    )


def _counter(category: Category) -> export.CounterAccount:
    """Where a category belongs in double entry: what is kept or moved is no expense."""
    name = category.label if category.custom else category.id.replace("_", " ")
    if category.flow in ("spending", "reimbursable"):
        return export.CounterAccount("expenses", name)
    if category.flow == "income" or category.id == "unknown_inflow":
        return export.CounterAccount("income", name)
    return export.CounterAccount("equity", name)
