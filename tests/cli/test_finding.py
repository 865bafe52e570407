"""Finding rows and naming days at the command line: what is typed, what is asked, and what is said."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from finplan.cli.app import CALLED_OTHERWISE
from finplan.cli.console import typed_values
from finplan.cli.console.errors import BAD_INPUT, NO_BANK_YET, USAGE, CommandError
from finplan.cli.console.typed_values import sizes
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Run
from tests.cli.stub import Stub

ODD = b'{"not": "what any shape looks like"}'
TODAY = date(2026, 11, 25)


@pytest.fixture
def household(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> Stub:
    """A stub of a household in dollars, on a day that stands still."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Clock":
            return cls(2026, 11, 26, 3, tzinfo=tz or UTC)

    monkeypatch.setattr(typed_values, "datetime", Clock)
    settings = made_up.household_settings().model_copy(
        update={"currency": "USD", "time_zone": "America/New_York"}
    )
    stub.answer("GET", "/settings", settings)
    stub.answer("GET", "/transactions", ODD)
    stub.answer("GET", "/spending", ODD)
    stub.answer("GET", "/spending/months", ODD)
    stub.answer("GET", "/transfers", ODD)
    stub.answer("GET", "/export", ODD)
    return stub


@pytest.mark.parametrize(
    ("typed", "least", "most"),
    [
        ("40..60", 40_00, 60_00),
        (" 40 .. 60.5 ", 40_00, 60_50),
        ("42.50", 42_50, 42_50),
        ("40..", 40_00, None),
        ("..60", None, 60_00),
        ("1,000..2,000.01", 1_000_00, 2_000_01),
        ("0", 0, 0),
        ("7..7", 7_00, 7_00),
        ("100,000,000,000", 10**13, 10**13),
    ],
)
def test_a_size_is_exact(typed: str, least: int | None, most: int | None) -> None:
    """One amount, two with their ends, or one end that is left open."""
    assert sizes(typed, "USD") == (least, most)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("..", "is empty; write it like 42.50, 40..60, 40.. or ..60"),
        ("", "is empty"),
        ("40,50", "'40,50' is not an amount"),
        ("40-60", "'40-60' is not an amount; write it like 42.50, 40..60, 40.. or ..60"),
        ("1..2..3", "'1..2..3' is not an amount; write it like 42.50, 40..60"),
        ("40...60", "'40...60' is not an amount; write it like 42.50, 40..60"),
        ("$5..", "'$5..' is not an amount; write it like 42.50, 40..60"),
        ("4.567", "has more than the 2 decimals of USD"),
        ("-5", "has a minus"),
        ("-5..5", "has a minus"),
        ("60..40", "ends below where it starts"),
        ("1e3", "is not an amount"),
        ("100000000000.01", "is too large"),
    ],
)
def test_what_is_no_size_is_told(typed: str, told: str) -> None:
    """Nothing is guessed of an amount, whatever signs a country writes it with."""
    with pytest.raises(CommandError) as refused:
        sizes(typed, "USD")
    assert (refused.value.code, told in str(refused.value)) == (BAD_INPUT, True)


def test_words_and_sizes_are_asked_for(finplan: Run, household: Stub) -> None:
    """Words may be quoted or not; a size is asked for in minor units, beside the other filters."""
    line = [
        "transactions",
        "find",
        "whole",
        "foods market",
        "--amount",
        "40..60",
        "--posted",
        "--json",
    ]
    assert finplan(*line, "--from", "2026-02", "--limit", "7").out == ODD + b"\n"
    assert household.requests("GET", "/transactions")[0].query == {
        "text": ["whole foods market"],
        "minAmount": ["4000"],
        "maxAmount": ["6000"],
        "pending": ["false"],
        "from": ["2026-02-01"],
        "limit": ["7"],
        "total": ["true"],
    }


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("transactions --amount ..60", {"maxAmount": ["6000"]}),
        (
            "transactions find --amount 42.50",
            {"minAmount": ["4250"], "maxAmount": ["4250"], "total": ["true"]},
        ),
        ("transactions find cafe --cursor 5", {"text": ["cafe"], "cursor": ["5"]}),
        ("transactions list --limit 2", {"limit": ["2"]}),
        ("transactions", {}),
        ("transactions --profile default --limit 2", {"limit": ["2"]}),
        ("transactions --quiet --profile=default --json --limit 2", {"limit": ["2"]}),
        ("transactions --quiet list", {}),
        ("transactions --merchant find", {"merchant": ["find"]}),
    ],
)
def test_rows_are_listed_where_no_command_is_named(
    finplan: Run, household: Stub, line: str, asked: dict[str, list[str]]
) -> None:
    """The options of `list` stand behind the noun as well, also after those of every command."""
    ended = finplan(*line.split(), "--json")
    assert (ended.code, ended.out, ended.err) == (0, ODD + b"\n", "")
    assert household.requests("GET", "/transactions")[0].query == asked


@pytest.mark.parametrize(
    ("shown", "total", "said"),
    [
        (3, {"rows": 3, "sums": [["USD", -150_96]]}, "3 transactions, -$150.96 in total."),
        (1, {"rows": 1, "sums": [["USD", 5_00]]}, "1 transaction, +$5.00 in total."),
        (2, {"rows": 2, "sums": [["USD", 0]]}, "2 transactions, $0.00 in total."),
        (
            5,
            {"rows": 1_145, "pending": 2, "sums": [["EUR", -1], ["JPY", 70]]},
            "1,145 transactions, -€0.01 and +¥70 in total without 2 pending; newest 5 shown.",
        ),
        (1, {"rows": 2, "pending": 2}, "2 transactions, all pending; newest shown."),
    ],
)
def test_how_much_was_found_is_said(
    finplan: Run, household: Stub, shown: int, total: dict[str, Any], said: str
) -> None:
    """Below the rows, of all pages; money in has a plus sign, and each currency its own sum."""
    row = made_up_bank.transactions()[0]
    sums = [{"currency": code, "amount": amount} for code, amount in total.get("sums", ())]
    page: dict[str, Any] = {"transactions": [row] * shown, "nextCursor": None}
    page["total"] = {"rows": total["rows"], "pending": total.get("pending", 0), "sums": sums}
    household.answer("GET", "/transactions", page)
    household.answer("GET", "/categories", [])
    assert finplan("transactions", "find", "x").out.decode().splitlines()[-1] == said
    assert finplan("transactions", "find", "x", "--why").out.decode().splitlines()[-1] == said


@pytest.mark.parametrize(
    "line",
    [
        "transactions",
        "transactions find x",
        "spending",
        "spending --monthly",
    ],
)
def test_what_to_do_next_is_said_where_nothing_is(finplan: Run, household: Stub, line: str) -> None:
    """A home without accounts is told to bring some; words that stand nowhere, to look for less."""
    spending = {"from": f"{TODAY}", "to": f"{TODAY}", "total": 0, "groups": []}
    household.answer(
        "GET", "/transactions", {"transactions": [], "nextCursor": None, "total": None}
    )
    household.answer("GET", "/spending", {**spending, "groupBy": "category", "count": 0})
    months = {"groupBy": "category", "months": ["2026-11"], "totals": [0]}
    household.answer("GET", "/spending/months", {**spending, **months})
    household.answer("GET", "/accounts/records", [])
    ended = finplan(*line.split())
    assert b"No " in ended.out
    assert ended.err == f"{NO_BANK_YET}\n"
    assert finplan(*line.split(), "--quiet").err == ""
    household.answer("GET", "/accounts/records", made_up_bank.accounts())
    less = "All words must match. Try fewer words, or only part of a word.\n"
    assert finplan(*line.split()).err == (less if "find" in line else "")
    assert finplan(*line.split(), "--from", "2026-01").err == ""


def test_days_that_have_not_begun_are_called_so(finplan: Run, household: Stub) -> None:
    """Nothing is booked in days to come, so that an empty page is told from one without rows."""
    for words, days in (("tomorrow", "2026-11-26"), ("next month", "2026-12-01 to 2026-12-31")):
        ended = finplan("spending", "--json", "--period", words)
        assert ended.err.startswith(f"{words!r}: {days}.\n")
        assert "`finplan forecast`" in ended.err
    for words in ("today", "this month", "until 2030", "2026-11-25..2026-12-05"):
        assert "begun;" not in finplan("spending", "--json", "--period", words).err


def test_what_to_find_must_be_said(finplan: Run, household: Stub) -> None:
    """Without words and size nothing is looked for, and an unknown command is no word to find."""
    for line in (["transactions", "find"], ["transactions", "find", " "]):
        ended = finplan(*line)
        assert (ended.code, "word, --amount or --tag" in ended.err) == (USAGE, True)
    ended = finplan("transactions", "coffee")
    assert (ended.code, "No such command 'coffee'" in ended.err) == (USAGE, True)
    assert household.requests("GET", "/transactions") == []


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("jobs", "'daemon jobs'"),
        ("job", "'daemon jobs'"),
        ("subscription", "'recurring'"),
        ("banks", "'connections' or 'connect'"),
        ("budgets", "'plan show'"),
        ("version", "'--version'"),
        ("task", "'tasks'"),
        ("acounts", "'accounts'"),
    ],
)
def test_commands_are_found_by_what_people_call_them(finplan: Run, typed: str, near: str) -> None:
    """A word of the field names the command that is meant, a slip of one as well."""
    ended = finplan(typed)
    assert (ended.code, ended.out) == (USAGE, b"")
    assert f"No such command {typed!r}. Did you mean {near}?" in ended.err


@pytest.mark.parametrize(
    "line", sorted({line for each in CALLED_OTHERWISE.values() for line in each})
)
def test_what_is_named_instead_is_there(finplan: Run, line: str) -> None:
    """Whatever is offered in place of a command that does not exist is one, or an option."""
    assert finplan(*line.split(), "--help").code == 0


def test_an_export_takes_what_is_found(finplan: Run, household: Stub, tmp_path: Path) -> None:
    """What can be looked for can be taken along, and the file says that it is not all."""
    ended = finplan("export", str(tmp_path / "some.json"), "--text", "cafe", "--amount", "40..")
    assert ended.code == 0, ended.err
    asked = household.requests("GET", "/export")[0].query
    assert asked == {"format": ["json"], "text": ["cafe"], "minAmount": ["4000"]}
    assert "transactions that match the filters" in ended.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("spending --json", "/spending"),
        ("spending --monthly --json", "/spending/months"),
        ("transactions --json", "/transactions"),
        ("transactions find x --json", "/transactions"),
        ("transfers list --json", "/transfers"),
        ("export --json", "/export"),
    ],
)
def test_days_are_said_in_words(finplan: Run, household: Stub, line: str, path: str) -> None:
    """Wherever days can be given; what was understood is said on stderr, once, and --quiet hushes it.

    Today is the household's, whose evening may be tomorrow elsewhere.
    """
    ended = finplan(*line.split(), "--period", "last month")
    assert (ended.code, ended.err) == (0, "'last month': 2026-10-01 to 2026-10-31.\n")
    asked = household.requests("GET", path)[0].query
    assert (asked["from"], asked["to"]) == (["2026-10-01"], ["2026-10-31"])
    assert finplan(*line.split(), "--period", "today", "--quiet").err == ""
    assert household.requests("GET", path)[1].query["to"] == [f"{TODAY}"]
    finplan(*line.split(), "--period", "until 2026-03")
    assert "from" not in household.requests("GET", path)[2].query
    for other in ("--from", "--to"):
        refused = finplan(*line.split(), "--period", "last month", other, "2026-01")
        assert (refused.code, "--from and --to, not both" in refused.err) == (USAGE, True)
    missed = finplan(*line.split(), "--period", "last moth")
    assert (missed.code, "Did you mean 'last month'?" in missed.err) == (USAGE, True)


def paid(
    stub: Stub,
    payday: date | None,
    due: date | None,
    *rows: tuple[date, int],
    began: date = date(2026, 11, 20),
) -> None:
    """Let a household be paid on some days, and expect its pay on `due`, beside other income.

    The period of which is told what is safe to spend `began` on a day.

    Of that some is larger but comes each quarter; some is larger while it is not what payday is of.
    """
    snapshot = made_up.snapshot()
    allowance = snapshot.allowance.model_copy(update={"payday": payday})
    period = snapshot.period.model_copy(update={"since": began})
    live = snapshot.model_copy(update={"allowance": allowance, "period": period})
    stub.answer("GET", "/snapshot", live)
    base = made_up_bank.recurring()[0].model_copy(
        update={"kind": "income", "payee_key": "acme", "interval_days": 14, "amount": 1_000_00}
    )
    other = base.model_copy(update={"interval_days": 90, "monthly": 10**9, "payee_key": "rare"})
    small = base.model_copy(
        update={
            "payee_key": "sideline",
            "monthly": 10**6 if due == payday else 1,
            "next_date": TODAY + timedelta(1),
        }
    )
    main = base.model_copy(update={"next_date": due, "monthly": 10**5})
    stub.answer("GET", "/recurring", [other, small, main] if due is not None else [])
    row = made_up_bank.transactions()[0]
    found = [row.model_copy(update={"date": day, "amount": amount}) for day, amount in rows]
    stub.answer("GET", "/transactions", {"transactions": found, "nextCursor": None})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("this pay period", "2026-11-20 to 2026-12-03"),
        ("last pay period", "2026-11-06 to 2026-11-19"),
        ("since payday", "2026-11-20 to 2026-11-25"),
    ],
)
def test_a_pay_period_begins_with_pay(finplan: Run, household: Stub, words: str, told: str) -> None:
    """By the rows of the pay that payday is of: parts of one pay are one, and small sums are none."""
    payday = date(2026, 12, 4)
    paid(
        household,
        payday,
        payday,
        *(
            (date(2026, 11, 21), 600_00),
            (date(2026, 11, 20), 1_000_00),
            (date(2026, 11, 13), 499_00),
        ),
        *(
            (date(2026, 11, 6), 500_00),
            (date(2026, 10, 23), 1_000_00),
            (date(2026, 10, 24), -900_00),
        ),
    )
    assert finplan("spending", "--json", "--period", words).err == f"{words!r}: {told}.\n"
    (asked,) = household.requests("GET", "/transactions")
    assert asked.query["merchant"] == ["acme"]


def test_late_pay_begins_its_period_on_its_day(finplan: Run, household: Stub) -> None:
    """As safe to spend has it: a period does not wait for the money."""
    paid(household, date(2026, 12, 4), date(2026, 11, 20), (date(2026, 11, 6), 1_000_00))
    told = finplan("spending", "--json", "--period", "this pay period").err
    assert told == "'this pay period': 2026-11-20 to 2026-12-03.\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("this pay period", "2026-11-15 to 2026-12-14"),
        ("last pay period", "2026-10-15 to 2026-11-14"),
    ],
)
def test_early_pay_begins_its_period(finplan: Run, household: Stub, words: str, told: str) -> None:
    """Statements of some weeks ago make no period of two: safe to spend is spread over one."""
    paid(
        household,
        date(2026, 12, 15),
        date(2026, 12, 15),
        *((date(2026, month, 15), 1_000_00) for month in (8, 9, 10)),
        began=date(2026, 11, 15),
    )
    assert finplan("spending", "--json", "--period", words).err == f"{words!r}: {told}.\n"


@pytest.mark.parametrize(("payday", "due"), [(None, TODAY), (date(2026, 12, 4), None)])
def test_without_regular_pay_a_sentence_says_so(
    finplan: Run, household: Stub, payday: date | None, due: date | None
) -> None:
    """Where no pay is known nothing is taken for one."""
    paid(household, payday, due, (date(2026, 11, 6), 1_000_00))
    ended = finplan("spending", "--period", "this pay period")
    assert (ended.code, "found no regular pay" in ended.err) == (
        USAGE,
        True,
    )


@pytest.mark.parametrize(
    ("line", "path", "nothing"),
    [
        ("transfers", "/transfers", []),
        ("recurring", "/recurring", []),
        ("duplicates", "/duplicates", []),
        ("tasks", "/tasks", []),
    ],
)
def test_an_empty_home_says_what_brings_rows(
    finplan: Run, household: Stub, line: str, path: str, nothing: object
) -> None:
    """Where no account is there, an empty list says how to begin; where one is, it does not."""
    household.answer("GET", path, nothing)
    household.answer("GET", "/accounts/records", [])
    assert NO_BANK_YET in finplan(line).err
    household.answer("GET", "/accounts/records", made_up_bank.accounts()[:1])
    assert NO_BANK_YET not in finplan(line).err
