"""Payments among a card's amounts without a sign: what a bank account paid comes in, and is told."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.errors import Conflict
from finplan.model.statement import ImportReport
from finplan.service.context import Context

Import = Callable[..., Awaitable[Any]]
HEADER = "Date,Description,Amount\n"
SPENT = [
    "2026-02-03,GROCER,41.20", "2026-02-17,FILLING STATION,35.05", "2026-03-04,GROCER,28.80",
    "2026-03-19,BOOKSHOP,77.10", "2026-04-02,GROCER,51.35", "2026-04-20,HARDWARE,12.99",
]  # fmt: skip
PAID = ["2026-02-27,XQ SETTLED 4421,76.25", "2026-03-30,XQ SETTLED 4421,105.90"]
BANK = [
    "2026-01-30,ACME PAYROLL,2000.00,2500.00", "2026-02-25,CARD CO EPAY,-76.25,2423.75",
    "2026-03-01,RENT,-900.00,1523.75", "2026-03-31,CARD CO EPAY,-105.90,1417.85",
    "2026-05-20,ACME PAYROLL,2000.00,3417.85",
]  # fmt: skip


def card(*rows: str) -> str:
    return HEADER + "".join(f"{row}\n" for row in sorted(rows))


def bank(*rows: str) -> str:
    return "Date,Description,Amount,Balance\n" + "".join(f"{row}\n" for row in rows)


def files(paid: list[str] = PAID, there: list[str] = BANK) -> dict[str, str]:
    return {"bank.csv": bank(*there), "card.csv": card(*SPENT, *paid)}


SAID: dict[str, Any] = {
    "answers": [
        {"file": "card.csv", "about": "direction", "value": "out"},
        {"file": "card.csv", "about": "accountKind", "value": "credit"},
        {"file": "bank.csv", "about": "accountKind", "value": "checking"},
    ],
    "currency": "USD",
}


def _came_in(report: ImportReport) -> tuple[int, int]:
    account = report.files[-1].accounts[0]
    return account.money_in, account.money_out


TOTAL, TURNED = 24_649, 18_215
"""What was spent, and what was paid."""


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_what_another_account_paid_comes_in(import_texts: Import, dry_run: bool) -> None:
    """Whatever its text is; the preview shows the sums as they are stored, and says why."""
    report = await import_texts(files(), dry_run=dry_run, **SAID)
    assert _came_in(report) == (TURNED, TOTAL)
    assert (
        "2 rows like “XQ SETTLED 4421” come in, though amounts were said to be spent: “bank” paid"
        " exactly those just then." in report.files[1].notes
    )
    assert not any("XQ SETTLED" in note for note in report.files[0].notes)


@pytest.mark.usefixtures("context")
async def test_the_next_file_and_the_same_one_are_read_alike(
    import_texts: Import, context: Context
) -> None:
    """One payment of the next month comes in with those before, and no row is stored twice."""
    await import_texts(files(), **SAID)
    again = await import_texts(
        {"card.csv": card(*SPENT, *PAID)}, **SAID | {"answers": SAID["answers"][:2]}
    )
    assert [(file.new, file.known) for file in again.files] == [(0, 8)]
    later = {
        "bank.csv": bank(
            BANK[-1], "2026-05-28,CARD CO EPAY,-64.34,3353.51", "2026-06-20,X,-1.00,3352.51"
        ),
        "card.csv": card(
            *SPENT, *PAID, "2026-05-03,GROCER,9.00", "2026-05-29,XQ SETTLED 4421,64.34"
        ),
    }
    report = await import_texts(later, **SAID)
    assert report.files[1].new == 2
    assert _came_in(report) == (TURNED + 6_434, TOTAL + 900)


def _of_one_size(row: str) -> str:
    return row.replace("105.90", "76.25")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("paid", "there"),
    [
        (PAID[:1], BANK),
        ([PAID[0], _of_one_size(PAID[1])], list(map(_of_one_size, BANK))),
        ([*PAID, "2026-04-11,XQ SETTLED 4421,5.00"], BANK),
        ([PAID[0], PAID[1].replace("03-30", "04-04")], BANK),
        (PAID, [BANK[0], *BANK[2:]]),
    ],
    ids=["one", "of one size", "another that nobody paid", "four days apart", "one of two"],
)  # fmt: skip
@pytest.mark.usefixtures("context")
async def test_less_than_that_is_chance(
    import_texts: Import, paid: list[str], there: list[str]
) -> None:
    """One payment, one size over and over, or one row of the payee that nobody paid turns nothing."""
    assert _came_in(await import_texts(files(paid, there), **SAID))[0] == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("day", "is_turned"),
    [("02-01", True), ("02-02", False), ("04-29", False), ("04-30", True), ("05-25", True)],
)
@pytest.mark.usefixtures("context")
async def test_days_that_no_bank_file_has_tell_nothing(
    import_texts: Import, day: str, is_turned: bool
) -> None:
    """A payment outside the days of the bank's rows, or near their edge, is one like the others."""
    there = [*BANK[:4], "2026-05-02,ACME PAYROLL,2000.00,3417.85"]
    report = await import_texts(files([*PAID, f"2026-{day},XQ SETTLED 4421,5.00"], there), **SAID)
    assert _came_in(report)[0] == (TURNED + 500 if is_turned else 0)


@pytest.mark.parametrize(("spent", "turned"), [(1, 0), (2, TURNED)])
@pytest.mark.usefixtures("context")
async def test_more_is_spent_than_paid(import_texts: Import, spent: int, turned: int) -> None:
    """What was paid is at most half of what was said to be spent."""
    few = files() | {"card.csv": card(*SPENT[:spent], *PAID)}
    assert _came_in(await import_texts(few, **SAID))[0] == turned


@pytest.mark.usefixtures("context")
async def test_rows_of_the_account_itself_are_no_payments(import_texts: Import) -> None:
    """Where most of what was spent left another account, the files are of one account."""
    there = [
        f"{row.rpartition(',')[0].replace('GROCER', 'SHOP')},-{row.rpartition(',')[2]},{3000 - place}.00"
        for place, row in enumerate(sorted([*SPENT, *PAID]))
    ]
    few = {"bank.csv": bank(*there), "card.csv": card(*SPENT[:1], *PAID)}
    try:
        report = await import_texts(few, same_account="new", **SAID)
    except Conflict as asked:
        pytest.fail(str(asked.data))
    assert _came_in(report)[0] == 0


@pytest.mark.usefixtures("context")
async def test_only_what_was_said_to_be_spent_is_turned(import_texts: Import) -> None:
    """Another answer, and signs that are printed, stay as they are."""
    kinds = SAID["answers"][1:]
    came_in = {"file": "card.csv", "about": "direction", "value": "in"}
    told = SAID | {"answers": [came_in, *kinds]}
    assert _came_in(await import_texts(files(), dry_run=True, **told)) == (TOTAL + TURNED, 0)
    rows = [*(row.rpartition(",") for row in [*SPENT, *PAID]), ("2026-04-21,REFUND", ",", "-3.00")]
    printed = card(*(f"{text},{-float(amount):.2f}" for text, _, amount in rows))
    report = await import_texts(files() | {"card.csv": printed}, **SAID | {"answers": kinds})
    assert _came_in(report) == (300, TOTAL + TURNED)


@pytest.mark.usefixtures("context")
async def test_an_account_in_another_currency_paid_nothing(import_texts: Import) -> None:
    """Equal numbers of two currencies are no payment."""
    euros = "Date,Description,Amount (EUR),Balance\n" + bank(*BANK).split("\n", 1)[1]
    said = SAID | {"currency": None}
    said["answers"] = [*SAID["answers"], {"file": "card.csv", "about": "currency", "value": "USD"}]
    report = await import_texts(files() | {"bank.csv": euros}, **said)
    assert [file.accounts[0].currency for file in report.files] == ["EUR", "USD"]
    assert _came_in(report)[0] == 0


@pytest.mark.usefixtures("context")
async def test_months_of_a_card_count_together(import_texts: Import) -> None:
    """Each file has one payment, which would be chance; joined, they are two."""
    months = {
        f"card-{month}.csv": card(*(row for row in [*SPENT, *PAID] if row[5:7] == month))
        for month in ("02", "03")
    }
    about = {"direction": "out", "accountKind": "credit"}
    answers = [
        {"file": name, "about": each, "value": value}
        for name in months
        for each, value in about.items()
    ]
    answers.append({"file": "card-03.csv", "about": "sameAccount", "value": "card-02"})
    report = await import_texts(
        {"bank.csv": bank(*BANK), **months},
        currency="USD",
        answers=[*answers, SAID["answers"][2]],
    )
    assert [file.accounts[0].money_in for file in report.files[1:]] == [7_625, 10_590]
