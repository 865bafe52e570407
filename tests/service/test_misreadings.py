"""Imports that read their file wrongly: nothing is added beside their rows until they are undone."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.statement import ImportId, Misreading
from finplan.service.context import Context
from finplan.service.imports.imports import list_imports, undo_import
from finplan.service.imports.misreadings import MisreadImports

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

HEAD = "Date,Description,Amount\n"
ROWS = [("2026-05-02", "RENT", -900), ("2026-05-09", "BAKER", -3), ("2026-05-12", "PAY", 2000)]
WRONGLY: dict[Misreading, list[tuple[str, str, int]]] = {
    "signs": [(day, text, -amount) for day, text, amount in ROWS],
    "amounts": [(day, text, 5000 + amount) for day, text, amount in ROWS],
    "days": [(f"2026-{day[8:]}-05", text, amount) for day, text, amount in ROWS],
}


def _csv(rows: list[tuple[str, str, int]]) -> str:
    return HEAD + "".join(f"{day},{text},{amount}.00\n" for day, text, amount in rows)


async def _misread(context: Context) -> dict[str, Misreading | None]:
    return {each.id: each.misread for each in await list_imports(context, Nothing())}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", WRONGLY)
async def test_what_was_read_wrongly_is_undone_first(
    context: Context, import_texts: Import, dump: Dump, how: Misreading
) -> None:
    """The preview says which import, the import is refused, and after undoing it everything is right."""
    wrong = await import_texts({"card.csv": _csv(WRONGLY[how])})
    held = (await dump())["tx"]

    preview = await import_texts({"card.csv": _csv(ROWS)}, dry_run=True)
    assert await _misread(context) == {wrong.id: None}
    with pytest.raises(MisreadImports) as refused:
        await import_texts({"card.csv": _csv(ROWS)})

    assert preview.files[0].notes[-1] == str(refused.value)
    assert f"`finplan imports undo {wrong.id}`" in str(refused.value)
    assert str(refused.value).startswith("card.csv was imported on 21 November 2026 with ")
    assert (await dump())["tx"] == held
    assert await _misread(context) == {wrong.id: how}
    undone = await undo_import(context, ImportId(id=wrong.id))
    assert (undone.misread, undone.undone_at is not None) == (how, True)
    right = await import_texts({"card.csv": _csv(ROWS)})
    assert right.files[0].new == 3
    assert not any("imported on" in note for note in right.files[0].notes)


async def test_another_currency_is_another_reading(context: Context, import_texts: Import) -> None:
    """A file that was taken for dollars and is in yen would be an account beside its own."""
    wrong = await import_texts({"card.csv": _csv(ROWS)}, currency="USD")
    with pytest.raises(MisreadImports, match="in another currency"):
        await import_texts({"card.csv": _csv(ROWS)}, currency="JPY")
    assert await _misread(context) == {wrong.id: "currency"}


async def test_a_few_wrong_rows_among_right_ones_are_seen(import_texts: Import) -> None:
    """Where only refunds were taken for purchases, the file and the rows within its days still tell."""
    right = [(f"2026-05-{day}", f"SHOP {day}", -day) for day in range(10, 20)]
    wrong = [(day, text, abs(n) if n in {-12, -14} else n) for day, text, n in right]
    await import_texts({"card.csv": _csv(wrong)})
    with pytest.raises(MisreadImports):
        await import_texts({"other.csv": _csv(right)}, account="card")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "later",
    [
        [*ROWS, ("2026-05-12", "BAKER", 3), ("2026-05-12", "RENT", 900)],
        [("2026-05-12", "REFUND OF BAKER", 3)],
        [("2026-05-12", "PAY", 2000), ("2026-05-13", "PAY", 300), ("2026-05-14", "BAKER", -4)],
        [("2026-06-02", "RENT", -900), ("2026-06-09", "BAKER", -4), ("2026-06-12", "PAY", 2100)],
        [("2026-05-09", "BAKER", -4)],
        [("2026-05-09", "BAKER", -number) for number in (4, 5, 6)],
    ],
)
async def test_new_rows_are_no_other_reading(
    context: Context, import_texts: Import, later: list[tuple[str, str, int]]
) -> None:
    """Refunds of the day, other prices and the next month are added as they always were."""
    await import_texts({"card.csv": _csv(ROWS)})
    report = await import_texts({"later.csv": _csv(later)}, account="card")
    assert report.files[0].new == len([row for row in later if row not in ROWS])
    assert set((await _misread(context)).values()) == {None}


async def test_every_import_with_wrong_rows_is_named(import_texts: Import) -> None:
    """Where several imports brought the rows, all of them are to be undone."""
    wrong = WRONGLY["signs"] + [(f"2026-05-{day}", f"SHOP {day}", day) for day in range(20, 26)]
    first = await import_texts({"card.csv": _csv(wrong[:5])})
    second = await import_texts({"card.csv": _csv(wrong[5:])})
    with pytest.raises(MisreadImports) as refused:
        await import_texts({"card.csv": _csv([(day, text, -n) for day, text, n in wrong])})
    assert [each.id for each in refused.value.found] == [first.id, second.id]


HEAD_IN_CURRENCIES = "Date,Description,Amount,Currency\n"
IN_TWO = HEAD_IN_CURRENCIES + "2026-05-02,RENT,-900.00,USD\n2026-05-09,BAKER,3.00,EUR\n"
IN_ONE = HEAD_IN_CURRENCIES + "2026-05-02,RENT,-900.00,USD\n2026-05-09,BAKER,3.00,USD\n"


async def test_rows_of_an_account_that_is_there_may_have_been_read_in_another_currency(
    context: Context, import_texts: Import
) -> None:
    """A file whose rows were divided between two currencies is known by its name and its length."""
    wrong = await import_texts({"card.csv": IN_TWO})
    with pytest.raises(MisreadImports, match="in another currency"):
        await import_texts({"card.csv": IN_ONE})
    assert await _misread(context) == {wrong.id: "currency"}


async def test_an_account_in_two_currencies_may_have_equal_rows(
    context: Context, import_texts: Import
) -> None:
    """A fee that both accounts of one name pay is no wrong reading of either, though it is the only row.

    The account in euros is one of the file's own, so that its rows are compared with its own alone.
    """
    fees = "2026-05-09,FEE,-3.00,EUR\n"
    await import_texts({"card.csv": HEAD_IN_CURRENCIES + "2026-05-02,RENT,-9.00,USD\n" + fees})
    later = HEAD_IN_CURRENCIES + "2026-05-09,FEE,-3.00,USD\n2026-05-10,CAFE,-4.00,EUR\n"
    assert (await import_texts({"card.csv": later})).files[0].new == 2
    assert set((await _misread(context)).values()) == {None}


async def test_another_file_proves_no_other_currency_by_a_row_or_two(
    context: Context, import_texts: Import
) -> None:
    """A single row that another currency's account has, too, is new in a file of another length."""
    await import_texts({"card.csv": IN_TWO})
    later = "2026-05-20,CAFE,-4.00,USD\n"
    await import_texts({"card.csv": HEAD_IN_CURRENCIES + later})
    assert (await import_texts({"card.csv": IN_ONE + later})).files[0].new == 1
    assert set((await _misread(context)).values()) == {None}


async def test_rows_of_a_new_account_may_have_been_read_in_the_currency_of_the_other_one(
    context: Context, import_texts: Import
) -> None:
    """Rows that were all taken for euros, and of which some are dollars, are found in the euros."""
    wrong = await import_texts({"card.csv": IN_ONE.replace("USD", "EUR")})
    with pytest.raises(MisreadImports, match="in another currency"):
        await import_texts({"card.csv": IN_TWO})
    assert await _misread(context) == {wrong.id: "currency"}


async def test_an_account_of_another_name_is_no_other_reading(
    context: Context, import_texts: Import
) -> None:
    """Equal rows of an account that is called otherwise say nothing, whatever the file is called."""
    rent = "2026-05-02,RENT,-900.00,USD\n"
    await import_texts({"card.csv": HEAD_IN_CURRENCIES + rent})
    await import_texts({"card.csv": IN_ONE.replace("USD", "EUR")}, account="Trip")
    assert (await import_texts({"card.csv": IN_ONE})).files[0].new == 1
    assert set((await _misread(context)).values()) == {None}
