"""The currency of imported files: asked of who has none, and never a reason for a second account."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.errors import Conflict
from finplan.model.statement import ImportReport
from finplan.service.context import Context
from finplan.service.people import show_settings
from finplan.store.queries import accounts
from tests.statements.test_ofx import sgml, statement

Import = Callable[..., Awaitable[ImportReport]]

BARE = "Date,Description,Amount\n2026-01-02,RENT,-1200.00\n2026-01-03,SHOP,-3.50\n"
ROWS = "".join(f"2026-01-{day:02d};LADEN {day};-{day},50\n" for day in range(1, 13))
FILE = f"Datum;Text;Summe\n{ROWS}"
GERMAN = f"Datum;Buchungstext;Betrag\n{ROWS}"


async def held(context: Context) -> list[tuple[str, str]]:
    """The name and the currency of each account."""
    owner = context.caller.owner
    rows = await context.store.read(lambda c: accounts.list_accounts(c, owner))
    return sorted((row["name"], row["currency"]) for row in rows)


async def asked(importing: Awaitable[ImportReport]) -> dict[str, Any]:
    """The one question of a refused import."""
    with pytest.raises(Conflict) as question:
        await importing
    assert question.value.data is not None
    (only,) = question.value.data["questions"]
    return dict(only)


async def test_a_newcomer_is_asked_and_has_the_currency_then(
    newcomer: Context, import_texts: Import
) -> None:
    """Nothing is imported until the currency is said; it is the household's, and the next file's."""
    question = await asked(import_texts({"export.csv": BARE}, account_kind="checking"))
    assert question["about"] == "currency"
    assert {"USD", "EUR", "GBP"} <= {choice["value"] for choice in question["choices"]}
    assert await held(newcomer) == []

    await import_texts({"export.csv": BARE}, currency="GBP")
    other = "Day,Text,Amount\n2026-02-02,FARE,-2.00\n"
    report = await import_texts({"other.csv": other})

    assert (await show_settings(newcomer, Nothing())).currency == "GBP"
    assert [account.currency for account in report.files[0].accounts] == ["GBP"]
    assert [account.currency_assumed for account in report.files[0].accounts] == [True]


async def test_a_file_that_tells_its_currency_asks_nothing(
    newcomer: Context, import_texts: Import
) -> None:
    """A newcomer's file with a language, a sign or an IBAN is read without a question."""
    await import_texts({"konto.csv": GERMAN})
    assert await held(newcomer) == [("konto", "EUR")]


async def test_rows_that_are_kept_in_another_currency_are_asked_about(
    context: Context, import_texts: Import
) -> None:
    """The same rows in a currency that is read better make no second account; both ways out work."""
    await import_texts({"konto.csv": FILE}, currency="USD")

    question = await asked(import_texts({"konto.csv": GERMAN}))
    assert question["about"] == "account"
    assert "konto is read in EUR, but konto has its rows in USD" in question["text"]
    assert question["choices"][0]["label"] == "it is Statement files konto, in USD"
    assert "undo" in question["text"]
    assert await held(context) == [("konto", "USD")]

    report = await import_texts({"konto.csv": GERMAN}, account="konto")
    assert (report.files[0].new, report.files[0].known) == (0, 12)
    assert await held(context) == [("konto", "USD")]


async def test_rows_of_their_own_are_no_question(context: Context, import_texts: Import) -> None:
    """An account in another currency with other rows is a second account without a word."""
    await import_texts({"konto.csv": FILE.replace(",50", ",75")}, currency="USD")
    await import_texts({"konto.csv": GERMAN})
    assert await held(context) == [("konto", "EUR"), ("konto", "USD")]


async def test_a_known_account_brings_its_currency(context: Context, import_texts: Import) -> None:
    """A file that names no currency and goes to a named account is in that account's."""
    await import_texts({"may.csv": BARE.replace("Amount", "Amount (SEK)")}, account="Lön")
    report = await import_texts({"june.csv": BARE.replace("2026-01", "2026-06")}, account="Lön")
    assert [account.currency for account in report.files[0].accounts] == ["SEK"]


async def test_what_one_file_names_is_offered_first_for_the_others(
    newcomer: Context, import_texts: Import
) -> None:
    """A statement in a currency beside tables that name none makes it the first choice, told by whom."""
    files = {"a.csv": BARE, "b.ofx": sgml(statement(currency="<CURDEF>NOK"))}
    with pytest.raises(Conflict) as refused:
        await import_texts(files, account_kind="checking")
    assert refused.value.data is not None
    (question,) = refused.value.data["questions"]
    codes = [choice["value"] for choice in question["choices"]]
    assert codes[:2] == ["NOK", "USD"]
    assert len(set(codes)) == len(codes)
    assert question["choices"][0]["label"] == "NOK, as b.ofx says"


async def test_dates_of_another_country_are_asked_about(
    newcomer: Context, import_texts: Import
) -> None:
    """In a household of euros, dates with the month first speak of dollars; an answer settles it."""
    await import_texts({"konto.csv": GERMAN})
    american = "Date,Description,Amount\n03/13/2026,SHOP,-5.00\n03/14/2026,PAYROLL DEP,90.00\n"
    question = await asked(import_texts({"us.csv": american}, account_kind="checking"))
    assert [choice["value"] for choice in question["choices"]] == ["USD", "EUR"]
    report = await import_texts({"us.csv": american}, account_kind="checking", currency="EUR")
    assert [account.currency for account in report.files[0].accounts] == ["EUR"]
    british = american.replace("03/13", "13/03").replace("03/14", "14/03").replace("-5", "-6")
    report = await import_texts({"uk.csv": british}, account_kind="checking")
    (account,) = report.files[0].accounts
    assert account.assumed == (
        (
            "The file names no currency; EUR is assumed. If it is another, import it with"
            " `--currency CODE`."
        ),
    )
