"""The person's own word on one transaction: a category, a note, or what its parts are for."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import BadRequest, Conflict
from finplan.model.figures import money
from finplan.model.transaction import SplitPart, Transaction, TransactionWord
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of
from finplan.service.ids import new_id
from finplan.service.ledger.inference import apply_inference
from finplan.service.ledger.rematching import heed_word
from finplan.service.lookup import find_category
from finplan.service.transactions.transactions import drawn, find_row
from finplan.store.queries import people, single_words
from finplan.store.queries.single_words import NO_WORD, RowNumber, RowWord, WordPart
from finplan.store.queries.verdicts import transfer_verdicts


async def change_transaction(context: Context, ask: TransactionWord) -> Transaction:
    """Keep the person's word on one transaction, or take it back; answers how it stands now.

    What is left out stays. Raises NotFound for no transaction of the person's, BadRequest for a word
    that contradicts itself or does not add up, and Conflict on a transfer that the person confirmed.
    """
    if not ask.model_fields_set & {"category", "note", "splits"}:
        raise BadRequest("Give a category, a note or splits; null takes one of them back.")
    if ask.category is not None and ask.splits is not None:
        raise BadRequest(
            "Give either one category for the whole of it or splits, not both: each part of a split has"
            " a category of its own."
        )
    return await context.commit(partial(_change, asker=context.asker, ask=ask), event=True)


def _change(connection: Connection, asker: Asker, ask: TransactionWord) -> Transaction:
    owner = asker.owner
    number, row = find_row(connection, owner, ask.id)
    present = single_words.word_on(connection, number)
    before = NO_WORD if present is None else present[1]
    word = _said(ask, before)
    _check(connection, owner, row, word, is_split_now=ask.splits is not None)
    if word.files:
        _check_is_no_confirmed_transfer(connection, owner, number)
    if word != before:
        now = asker.milliseconds()
        single_words.set_word(connection, owner, new_id("word"), number, word, now)
        moved = not number.pending and heed_word(connection, owner, number.no, before, word)
        people.raise_generation(connection, owner, rows=moved)
    apply_inference(connection, owner)
    return drawn(connection, owner, number)


def _said(ask: TransactionWord, before: RowWord) -> RowWord:
    """The word as it is to be: what is given in place of what there was."""
    given = ask.model_fields_set
    category = ask.category if "category" in given else before.category
    parts = _parts(ask.splits or ()) if "splits" in given else before.parts
    if ask.category is not None:
        parts = ()
    if ask.splits is not None:
        category = None
    return RowWord(category, ask.note if "note" in given else before.note, parts)


def _parts(splits: Sequence[SplitPart]) -> tuple[WordPart, ...]:
    return tuple(WordPart(part.amount, part.category, part.note) for part in splits)


def _check(
    connection: Connection, owner: int, row: RowMapping, word: RowWord, *, is_split_now: bool
) -> None:
    """Raise BadRequest for a category that is not there, an empty part, and parts that do not add up.

    Earlier parts may not, of a row that was posted larger than it waited; a note can be added all the
    same.
    """
    catalogue = catalogue_of(connection, owner)
    if word.category is not None:
        find_category(catalogue, word.category)
    for part in word.parts:
        find_category(catalogue, part.category)
        if part.amount == 0:
            raise BadRequest("A part of a split has an amount other than 0. Leave this part out.")
    total = sum(part.amount for part in word.parts)
    if is_split_now and total != row["amount"]:
        raise BadRequest(_odds(total, row["amount"], row["currency"]))


def _odds(total: int, amount: int, currency: str) -> str:
    """How much is missing from parts of a row, or too much, counted in the direction of the row."""
    left = amount - total
    is_missing = left < 0 if amount < 0 else left > 0
    what = (
        "is missing. Add a part of that"
        if is_missing
        else "is too much. Make a part that much smaller"
    )
    return (
        f"The parts add up to {money(total, currency)}, but the transaction is"
        f" {money(amount, currency)}: {money(abs(left), currency)} {what}, or change the others."
    )


def _check_is_no_confirmed_transfer(connection: Connection, owner: int, number: RowNumber) -> None:
    if number.pending:
        return
    for verdict in transfer_verdicts(connection, owner):
        if verdict.verdict == "confirm" and number.no in (verdict.out, verdict.into):
            raise Conflict(
                "You confirmed that this is a transfer between two accounts of yours, so it is for"
                f" nothing else. `finplan transfers reject {verdict.id}` parts the two; a note can be"
                " added as it is."
            )
