"""Two texts of one row, and rows that are told apart though their texts are put together otherwise."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.row_evidence import Wording, wordings_agree
from finplan.service.imports.row_matching import pair_left_overs
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.queries.staged_rows import LeftOver

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]


@pytest.mark.parametrize(
    ("read", "stored", "are_one"),
    [
        (Wording("ACME Lohn Mai"), Wording("lohn ACME"), True),
        (Wording("ACME"), Wording("ACME Lohn"), True),
        (Wording(""), Wording("ACME"), True),
        (Wording("ACME"), Wording(""), True),
        (Wording("Cafe Nord"), Wording("Cafe Sud"), False),
        (Wording("Cafe"), Wording("Cafeteria"), False),
        (Wording("Albert", "Card payment"), Wording("Card payment"), True),
        (Wording("Albert", "Card payment"), Wording("Albert payment"), True),
        (Wording("Albert", "Card payment"), Wording("Berta payment"), False),
        (Wording("SHOP"), Wording("SH\u202eOP"), True),
        (Wording("A", external_id="1001"), Wording("A", external_id="1002"), False),
        (Wording("A", external_id="99"), Wording("A", external_id="100"), False),
        (Wording("A", external_id="4f9e-11"), Wording("A", external_id="b0-77ac"), False),
        (Wording("A", external_id="100"), Wording("A", external_id="100"), True),
        (Wording("A", external_id="TRX-77812"), Wording("A", external_id="100"), True),
        (Wording("A", external_id="100"), Wording("A"), True),
        (Wording("A"), Wording("A", external_id="100"), True),
    ],
)
def test_texts_of_one_row(read: Wording, stored: Wording, *, are_one: bool) -> None:
    """All words of one stand in the other or beside it, and no ids of one kind tell the rows apart."""
    assert wordings_agree(read, stored) is are_one


def _rows(*texts: str) -> list[LeftOver]:
    return [LeftOver(number, text, "", None) for number, text in enumerate(texts)]


def _paired(read: list[LeftOver], stored: list[LeftOver]) -> set[tuple[str, str]]:
    return {(one.raw, other.raw) for one, other in pair_left_overs(read, stored)}


def test_as_many_rows_are_one_as_there_are() -> None:
    """A stored row is one row of the file at most."""
    assert len(pair_left_overs(_rows("A", "A", "A"), _rows("A x", "A y"))) == 2
    assert len(pair_left_overs(_rows("A x"), _rows("A", "A", "A"))) == 1


def test_the_likest_rows_are_one() -> None:
    """Equal words go first, then the most words in common; a blank text takes what is left."""
    read = _rows("", "A B", "A B C", "D")
    assert _paired(read, _rows("A", "B A", "A B X", "E")) == {("A B", "B A"), ("A B C", "A")} | {
        ("", "A B X")
    }
    assert _paired(_rows("A", "A B"), _rows("A B C")) == {("A B", "A B C")}


def test_very_many_equal_rows_are_paired_all_the_same() -> None:
    """Of thousands of rows of one day and amount each has its own, without comparing all with all."""
    texts = [f"FEE {number}" for number in range(3000)]
    assert len(pair_left_overs(_rows(*texts), _rows(*texts))) == 3000


FORMER = (
    "Date,Purpose,Amount\n2026-05-01,COFFEE,-3.00\n2026-05-01,BAKER,-3.00\n"
    "2026-05-02,RENT,-900.00\n"
)
AFTER = (
    "Date,Payee,Purpose,Amount\n2026-05-01,NORTH,COFFEE,-3.00\n2026-05-01,SOUTH,BAKER,-3.00\n"
    "2026-05-01,EAST,TEA,-3.00\n2026-05-02,Landlord,RENT,-900.00\n"
)


async def test_a_row_that_says_more_is_known(import_texts: Import, dump: Dump) -> None:
    """Texts that have grown add nothing; a row whose text says something else is new."""
    await import_texts({"a.csv": FORMER})
    held = (await dump())["tx"]
    report = await import_texts({"a.csv": AFTER})

    assert (report.files[0].known, report.files[0].new) == (3, 1)
    assert [row for row in (await dump())["tx"] if row in held] == held
    again = await import_texts({"a.csv": FORMER})
    assert (again.files[0].known, again.files[0].new) == (3, 0)


async def test_two_files_of_a_batch_know_the_same_row(import_texts: Import) -> None:
    """Each file of a batch may hold the stored row in its own words."""
    await import_texts({"a.csv": FORMER})
    report = await import_texts({"b.csv": FORMER, "c.csv": AFTER}, account="a")
    assert [(file.known, file.new) for file in report.files] == [(3, 0), (3, 1)]


async def test_another_name_and_other_words_are_the_same_account(import_texts: Import) -> None:
    """A file that names no account is asked about also when their texts are put otherwise."""
    days = range(11, 29)
    former = "".join(f"2026-05-{day},SHOP {day},-{day}.00\n" for day in days)
    after = "".join(f"2026-05-{day},ANN {day},SHOP {day},-{day}.00\n" for day in days)
    await import_texts({"a.csv": f"Date,Purpose,Amount\n{former}"})
    other = {"b.csv": f"Date,Payee,Purpose,Amount\n{after}"}
    with pytest.raises(Conflict, match="“b” has mostly the same rows as “a”"):
        await import_texts(other)
    report = await import_texts(other, same_account="a")
    assert [(file.known, file.new) for file in report.files] == [(18, 0)]
    assert [account.name for account in report.files[0].accounts] == ["a"]


async def test_a_row_that_was_set_aside_stays_so(context: Context, import_texts: Import) -> None:
    """The person's word that a row is a copy holds when its file says more of it."""
    head, rows = "Date,Purpose,Amount\n", "2026-09-01,BAKERY,-3.10\n2026-09-09,CAFE,-4.00\n"
    await import_texts({"a.csv": f"{head}2026-09-05,PLUMBER BILL,-120.00\n{rows}"}, account="c")
    copy = f"{head}2026-09-06,PLUMBER INVOICE,-120.00\n{rows}"
    await import_texts({"b.csv": copy}, account="c")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    grown = copy.replace("Purpose,", "Payee,Purpose,").replace(",PLUMBER", ",Joe,PLUMBER")
    grown = grown.replace(",BAKERY", ",,BAKERY").replace(",CAFE", ",,CAFE")

    report = await import_texts({"b.csv": grown}, account="c")

    assert (report.files[0].known, report.files[0].new) == (3, 0)
    assert len((await list_transactions(context, TransactionQuery())).transactions) == 3
