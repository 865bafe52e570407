"""Inference: what the person's rules teach of other payees is applied when somebody looks next.

A rule files its payee and is answered. To judge every payee that no shipped rule files takes a hundred
times longer, and of several rules in a row it is done once.
"""

import logging
from functools import partial
from typing import Generic, NamedTuple

from sqlalchemy import Connection

from finplan.model.errors import StorageFull, StoreDamaged
from finplan.service.context import Context
from finplan.service.ledger.categorisation import categorise_unknown
from finplan.store.offload import Answer, Work
from finplan.store.queries import people

log = logging.getLogger(__name__)


class _Looked(NamedTuple, Generic[Answer]):
    answer: Answer


async def read_inferred(context: Context, work: Work[Answer], *, in_turn: bool = False) -> Answer:
    """As `context.store.read`, of payees to which all that the person's rules teach is applied.

    With `in_turn` as `context.store.read_in_turn`.
    """
    in_this_turn = partial(context.store.read_in_turn, whose=context.caller.credential)
    read = in_this_turn if in_turn else context.store.read
    looked = await read(partial(_unless_due, owner=context.caller.owner, work=work))
    if looked is not None:
        return looked.answer
    await _infer(context)
    return await read(work)


async def compute_inferred(context: Context, work: Work[Answer]) -> Answer:
    """As `context.store.compute`, of payees to which all that the person's rules teach is applied."""
    unless_due = partial(_unless_due, owner=context.caller.owner, work=work)
    looked = await context.store.compute(unless_due)
    if looked is not None:
        return looked.answer
    await _infer(context)
    return await context.store.compute(work)


def apply_inference(connection: Connection, owner: int) -> None:
    """Apply what is due, in the transaction of a change that rests on what payees are for."""
    if people.is_inference_due(connection, owner):
        categorise_unknown(connection, owner)
        people.set_inference_due(connection, owner, due=False)
        people.raise_generation(connection, owner, rows=False)


async def _infer(context: Context) -> None:
    try:
        await context.store.write(partial(apply_inference, owner=context.caller.owner))
    except StorageFull:
        log.warning("The disk is full: what the last rules teach is not applied to other payees.")
    except StoreDamaged:
        # The daemon tells of it by itself, and who looks has its answer all the same.
        return


def _unless_due(connection: Connection, owner: int, work: Work[Answer]) -> _Looked[Answer] | None:
    return None if people.is_inference_due(connection, owner) else _Looked(work(connection))
