"""Sums of income, without a category, by account, means and the largest: what is counted and said.

Of days that no row reaches it is never $0.00 without a word.
"""

from typing import Any

import pytest
from mcp import Client
from mcp.types import TextContent

from tests.daemon.a2a.talking import asked, data_of
from tests.daemon.mcp.connected import (
    answer_to,
    connected,
    imported,
    refusal,
    rest,
    text_of,
    told_by,
)
from tests.daemon.running import RunningDaemon
from tests.present import present

INCOME = ("wages", "self_employment", "pension_benefits", "interest", "tax_refund", "other_income")
YEAR = {"from": "2025-03-01", "to": "2026-02-28"}


async def answer(client: Client, **given: Any) -> tuple[dict[str, Any], str]:
    return await answer_to(client, "query_spending", **given)


async def account_of(household: RunningDaemon, subtype: str) -> dict[str, Any]:
    return next(each for each in await rest(household, "/accounts") if each["subtype"] == subtype)


async def filed(running: RunningDaemon, **categories: str) -> None:
    """File each payee whose text begins with a word under a category."""
    for row in (await running.http.get("/api/v1/transactions")).json()["transactions"]:
        category = categories.get(row["raw"].split()[0].lower())
        if category is not None:
            rule = {"payeeKey": row["payeeKey"], "category": category}
            done = await running.http.put("/api/v1/categories/rules", json=rule)
            assert done.is_success, done.text


@pytest.mark.parametrize("word", [*INCOME, "salary", "income", "earnings"])
async def test_a_category_of_income_is_money_received(household: RunningDaemon, word: str) -> None:
    """Whatever else is asked, money received is told as such and never as nothing spent."""
    async with connected(household) as client:
        for given in (word, [word]):
            told, said = await answer(client, category=given)
            assert told["flow"] == "income"
            assert said.startswith("Received $")
            assert "Spent" not in said
        contrary, said = await answer(client, category=word, flow="spending")
        assert contrary["total"] == told["total"]
        assert "so this is income." in said
        spent, said = await answer(client, category="groceries", flow="income")
        assert (spent["flow"], said.split()[0]) == ("spending", "Spent")


async def test_income_beside_what_nobody_filed(daemon: RunningDaemon) -> None:
    """Money in that is in no category is in no sum of income, and is told beside it."""
    await imported(
        daemon,
        "2026-01-02,ACME PAYROLL,3000.00\n2026-01-20,COSTCO WHSE,-60.00\n"
        "2026-02-02,ACME PAYROLL,3100.00\n2026-02-03,QWXLE TRADERS,200.00\n",
    )
    await filed(daemon, acme="wages", costco="groceries")
    async with connected(daemon) as client:
        told, said = await answer(client, flow="income")
        assert (told["total"], told["count"]) == (6100_00, 2)
        assert (told["unfiled"], told["unfiledCount"]) == (200_00, 1)
        assert "Another $200.00 of money in (1 transaction)" in said
        assert "list_tasks" in said
        named, said = await answer(client, category="salary")
        assert (named["total"], named["unfiled"]) == (6100_00, 0)
        assert "Another" not in said
        unfiled, _ = await answer(client, category="unknown_inflow")
        assert (unfiled["flow"], unfiled["total"]) == ("income", 200_00)
        # A payee that was never paid is asked what it brought.
        payer, said = await answer(client, merchant="Acme")
        assert (payer["flow"], payer["total"]) == ("income", 6100_00)
        assert said.startswith("Received $6,100.00 of income")
        shop, _ = await answer(client, merchant="Costco")
        assert (shop["flow"], shop["total"]) == ("spending", 60_00)


@pytest.mark.parametrize(
    ("word", "category"),
    [
        ("eating out", "dining"),
        ("takeout", "dining"),
        ("petrol", "transport"),
        ("food shopping", "groceries"),
        ("salary", "wages"),
    ],
)
async def test_words_mean_alike_by_a2a(household: RunningDaemon, word: str, category: str) -> None:
    """One word has one sum on both faces, and what is only a part of a category is said on both."""
    async with connected(household) as client:
        told, said = await answer(client, category=word, **YEAR)
        named, _ = await answer(client, category=category, **YEAR)
    assert told["total"] == named["total"] > 0
    spoken = data_of(await asked(household, f"{word} from 2025-03-01 to 2026-02-28"))
    assert (spoken["total"], spoken["count"]) == (told["total"], told["count"])
    is_part = word in ("takeout", "petrol")
    assert (f"`{word}` is part of" in said) == is_part


async def test_a_word_for_several_categories_is_asked_back(household: RunningDaemon) -> None:
    """`food` is groceries and restaurants; both are named."""
    async with connected(household) as client:
        said = await refusal(client, "query_spending", {"category": "food"})
        assert "Use one of these ids: groceries, dining." in said
        told, _ = await answer(client, category=["groceries", "eating out"], groupBy="category")
        assert {each["key"] for each in told["groups"]} == {"groceries", "dining"}


async def test_one_name_needs_no_list(household: RunningDaemon) -> None:
    """Whatever takes names takes a single one by itself, in both tools."""
    account = (await account_of(household, "checking"))["name"]
    shop = (await rest(household, "/spending", groupBy="merchant"))["groups"][0]["label"]
    names = {"category": "mortgage", "except": "mortgage", "merchant": shop, "account": account}
    async with connected(household) as client:
        for field, name in names.items():
            tools = ("query_spending", "list_transactions")
            for tool in tools[: 1 if field == "except" else 2]:
                plain = await told_by(client, tool, **{field: name})
                assert plain == await told_by(client, tool, **{field: [name]})


async def test_a_total_without_a_category(household: RunningDaemon) -> None:
    """What is left out and the rest add up to all, in each arrangement."""
    async with connected(household) as client:
        whole, _ = await answer(client, **YEAR)
        housing, _ = await answer(client, category="mortgage", **YEAR)
        rest_of_it, _ = await answer(client, **{"except": ["mortgage"]}, **YEAR)
        assert rest_of_it["total"] + housing["total"] == whole["total"]
        assert rest_of_it["count"] + housing["count"] == whole["count"]
        grouped, _ = await answer(
            client, **{"except": "mortgage"}, groupBy="category", limit=100, **YEAR
        )
        assert grouped["total"] == rest_of_it["total"] == sum(g["total"] for g in grouped["groups"])
        assert "mortgage" not in {each["key"] for each in grouped["groups"]}
        few, _ = await answer(
            client, **{"except": "mortgage"}, category=["mortgage", "groceries"], **YEAR
        )
        only, _ = await answer(client, category="groceries", **YEAR)
        assert few["total"] == only["total"]
        earned, _ = await answer(client, **{"except": "salary"}, **YEAR)
        assert earned["flow"] == "income"


async def test_by_account_adds_up(household: RunningDaemon) -> None:
    """Accounts add up to all, months of each to the months of all; those of no total are left out."""
    async with connected(household) as client:
        whole, _ = await answer(client, **YEAR)
        told, said = await answer(client, groupBy="account", **YEAR)
        assert told["total"] == whole["total"] == sum(each["total"] for each in told["groups"])
        assert told["count"] == sum(each["count"] for each in told["groups"])
        totals = [each["total"] for each in told["groups"]]
        assert totals == sorted(totals, reverse=True)
        months, _ = await answer(client, groupBy="account", byMonth=True, **YEAR)
        assert len(months["months"]) == 12
        assert [sum(each["totals"]) for each in months["groups"]] == totals
        assert months["totals"] == [
            sum(column) for column in zip(*(g["totals"] for g in months["groups"]), strict=True)
        ]
        first, _ = await answer(client, groupBy="account", limit=1, **YEAR)
        assert first["leftOut"]["total"] == whole["total"] - totals[0]
        for each in told["groups"]:
            one, _ = await answer(
                client, account=each["key"], groupBy="category", limit=100, **YEAR
            )
            assert one["total"] == each["total"] == sum(g["total"] for g in one["groups"])
            assert each["label"] in said


async def test_of_split_rows_the_parts_count(daemon: RunningDaemon) -> None:
    """By account, among the largest and without a category: of a split row what is asked for."""
    await imported(
        daemon,
        "2026-01-05,COSTCO WHSE,-120.00\n2026-01-06,COSTCO WHSE,30.00\n"
        "2026-02-05,COSTCO WHSE,-50.00\n",
    )
    await filed(daemon, costco="groceries")
    rows = (await rest(daemon, "/transactions", minAmount=12000))["transactions"]
    parts = [{"amount": -4000, "category": "pets"}, {"amount": -8000, "category": "savings"}]
    done = await daemon.http.put(f"/api/v1/transactions/{rows[0]['id']}", json={"splits": parts})
    assert done.is_success, done.text
    async with connected(daemon) as client:
        by_account, _ = await answer(client, groupBy="account")
        assert by_account["total"] == by_account["groups"][0]["total"] == 60_00
        largest, said = await answer(client, largest=3)
        assert [each["amount"] for each in largest["largest"]] == [50_00, 40_00]
        assert (largest["total"], largest["count"]) == (90_00, 2)
        assert said.startswith("The 2 largest transactions, together $90.00")
        assert "refunds excluded" in said
        pets, _ = await answer(client, **{"except": "groceries"})
        assert pets["total"] == 40_00
        visit, said = await answer(client, mean="purchase", category="groceries")
        assert (visit["mean"], visit["units"], visit["total"]) == (10_00, 2, 20_00)
        assert said.startswith("On average $10.00 a purchase: $20.00 over 2 purchases")


async def test_what_a_loan_charged(household: RunningDaemon) -> None:
    """A loan enters no total: asked for alone it tells its own rows, whatever category is named."""
    loan = await account_of(household, "auto")
    page = await rest(household, "/transactions", account=loan["id"], limit=500)
    charged = [row for row in page["transactions"] if row["amount"] < 0 and not row["transferId"]]
    async with connected(household) as client:
        for given in ({"account": loan["name"]}, {"account": "car loan"}, {"account": loan["id"]}):
            told, said = await answer(client, **given)
            assert told["total"] == -sum(row["amount"] for row in charged) > 0
            assert told["count"] == len(charged)
            assert told["outsideTotals"] == [loan["name"]]
            assert said.startswith(f"Charged on `{loan['name']}`: $")
            assert "No other total of spending or income includes them." in said
        interest, said = await answer(client, account="car loan", category="interest")
        assert (interest["flow"], interest["total"]) == ("spending", told["total"])
        assert "so `category` was ignored" in said
        for by in ("merchant", "month", "category", "account"):
            grouped, said = await answer(client, account="car loan", groupBy=by)
            assert sum(each["total"] for each in grouped["groups"]) == told["total"], by
            assert "Not yet known" not in said
        largest, said = await answer(client, account="car loan", largest=2)
        assert [each["category"] for each in largest["largest"]] == ["", ""]
        assert "Not yet known" not in said
        mean, _ = await answer(client, account="car loan", mean="month", **YEAR)
        assert mean["units"] == 12
        refused = {"account": "car loan", "byMonth": True}
        assert "Use 'groupBy' month" in await refusal(client, "query_spending", refused)
        checking = (await account_of(household, "checking"))["name"]
        both, said = await answer(client, account=[checking, "car loan"])
        alone, _ = await answer(client, account=checking)
        assert (both["total"], both["outsideTotals"]) == (alone["total"], [])
        assert f"Excluded from totals: `{loan['name']}`" in said


async def test_rows_of_loans_name_their_account(household: RunningDaemon) -> None:
    """They carry it in the text, and nobody is told that they are not yet known."""
    loans = {
        each["id"]: each["name"]
        for each in await rest(household, "/accounts")
        if each["kind"] == "loan"
    }
    assert len(loans) == 2
    async with connected(household) as client:
        for key, name in loans.items():
            result = await client.call_tool("list_transactions", {"account": key, "limit": 50})
            lines = text_of(result).splitlines()[1:]
            assert lines
            assert all(f", on `{name}`, not in totals" in line for line in lines)
            assert all("ot yet known" not in line for line in lines)
        seen, cursor = set(), None
        for word in ("Not yet known", ["uncategorized", "unknown_inflow"]):
            given = {"category": word, "limit": 50, **({"cursor": cursor} if cursor else {})}
            told = (await client.call_tool("list_transactions", given)).structured_content
            seen |= {row["accountId"] for row in present(told)["transactions"]}
        assert seen
        assert seen.isdisjoint(loans)
        plain = await client.call_tool("list_transactions", {"category": "groceries", "limit": 5})
        assert "not in totals" not in text_of(plain)


async def test_no_month_to_come_is_listed(household: RunningDaemon) -> None:
    """By month, in a table and by account: the months until today's, also those without rows."""
    until_now = [f"2026-{month:02d}" for month in (1, 2, 3)]
    async with connected(household) as client:
        for flow in ("spending", "income"):
            told, said = await answer(client, period="2026", groupBy="month", flow=flow)
            assert [each["key"] for each in told["groups"]] == until_now
            assert "2026-04" not in said
            for by in ("category", "account"):
                table, said = await answer(
                    client, period="2026", groupBy=by, byMonth=True, flow=flow
                )
                assert table["months"] == until_now
                assert len(table["totals"]) == 3
                assert all(len(each["totals"]) == 3 for each in table["groups"])
                assert sum(table["totals"]) == table["total"] == told["total"]
                assert "2026-04" not in said
        ahead, _ = await answer(client, period="next month", groupBy="month")
        assert ahead["groups"] == []
    spoken = data_of(await asked(household, "spending by month in 2026"))
    assert [each["key"] for each in spoken["groups"]] == until_now


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"largest": 5, "groupBy": "merchant"},
            "For the largest groups use 'groupBy' with 'limit'",
        ),
        ({"largest": 5, "mean": "month"}, "Remove 'mean'"),
        ({"mean": "month", "groupBy": "category"}, "Remove 'groupBy' and 'byMonth'"),
        ({"mean": "month", "period": "this month"}, "no complete past month"),
        ({"mean": "purchase", "period": "2019"}, "Use other days"),
        ({"category": "pets", "except": "pets"}, "Remove categories"),
        ({"except": ["salary", "pets"]}, "Pay is not spending"),
        ({"except": "pets", "flow": "income"}, "Pets is not income"),
        ({"groupBy": "payee"}, "'category', 'merchant', 'tag', 'month' or 'account'"),
        ({"flow": "in"}, "This must be 'spending' or 'income'"),
        ({"exclude": "rent"}, "did you mean except?"),
    ],
)
async def test_a_refusal_names_what_to_pass(
    household: RunningDaemon, given: dict[str, Any], said: str
) -> None:
    """Ways that exclude each other are refused with the one that is meant."""
    async with connected(household) as client:
        assert said in await refusal(client, "query_spending", given)


async def test_an_account_by_its_kind(household: RunningDaemon) -> None:
    """A kind names all accounts of it, and the answer says which they are."""
    cards = [each for each in await rest(household, "/accounts") if each["kind"] == "credit"]
    async with connected(household) as client:
        told, _ = await answer(client, account="checking account", groupBy="account")
        (group,) = told["groups"]
        assert group["key"] == (await account_of(household, "checking"))["id"]
        told, said = await answer(
            client, account="credit card", groupBy="account", period="all time"
        )
        assert {group["key"] for group in told["groups"]} <= {each["id"] for each in cards}
        assert told["groups"]
        assert len(cards) == 1 or all(f"`{each['name']}`" in said for each in cards)


async def test_an_account_in_another_currency_has_no_sum(daemon: RunningDaemon) -> None:
    """Its rows are in another currency than sums are, and where they are listed is said."""
    await imported(daemon, "2026-01-05,COSTCO WHSE,-120.00\n")
    await imported(daemon, "2026-01-06,BISTRO,-9.00\n", "Abroad", currency="EUR")
    await daemon.http.patch("/api/v1/settings", json={"currency": "USD"})
    async with connected(daemon) as client:
        said = await refusal(client, "query_spending", {"account": "Abroad"})
        assert "'Abroad' is in EUR, but sums are in USD." in said
        everything, _ = await answer(client)
        assert everything["total"] == 120_00


FIRST, LAST = "our first transaction is on {from}.", "our last transaction is on {to}."
NO_DATA = "No data for these days: y"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("by_month", [False, True])
@pytest.mark.parametrize(
    ("asks", "said"),
    [
        ({"period": "next month"}, (NO_DATA + LAST,)),
        ({"from": "2030-01-01", "to": "2030-01-31"}, (NO_DATA + LAST,)),
        ({"period": "2019"}, (NO_DATA + FIRST,)),
        ({"from": "2024-01-01", "to": "2026-12-31"}, (f"Y{FIRST}", f"Y{LAST}")),
        ({"period": "2025"}, None),
        ({}, None),
    ],
)
async def test_days_beyond_the_rows(
    household: RunningDaemon, asks: dict[str, str], said: tuple[str, ...] | None, by_month: bool
) -> None:
    """The first and the last row are named, in the text and in the data, by month and without."""
    async with connected(household) as client:
        result = await client.call_tool("query_spending", {**asks, "byMonth": by_month})
    beyond = present(result.structured_content)["beyondRows"]
    (text,) = (each.text for each in result.content if isinstance(each, TextContent))
    if said is None:
        assert beyond is None
        assert "transaction is on" not in text
    else:
        assert beyond in text.splitlines()
        # Which day is the first differs between made-up households.
        recorded = (await household.http.get("/api/v1/spending")).json()["recorded"]
        assert all(each.format_map(recorded) in beyond for each in said), beyond


async def test_rest_tells_which_days_are_known(household: RunningDaemon) -> None:
    """The days of the first and last row that counts, whatever is asked; null where there is none."""
    for path in ("/spending", "/spending/months"):
        everything = (await household.http.get(f"/api/v1{path}")).json()
        days = {"from": everything["from"], "to": everything["to"]}
        asks = {"from": "2019-01-01", "to": "2019-12-31", "category": "pets"}
        narrow = (await household.http.get(f"/api/v1{path}", params=asks)).json()
        assert everything["recorded"] == narrow["recorded"] == days


async def test_rest_of_an_empty_home(daemon: RunningDaemon) -> None:
    """Without rows no days are known."""
    assert (await daemon.http.get("/api/v1/spending")).json()["recorded"] is None
