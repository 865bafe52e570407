"""What payees are filed as by themselves: by what is like them, by the bank's words and codes.

An answer files what is like it, says so, and goes when its teacher goes; a rule's is applied when
somebody looks, and not before it is answered.
"""

import logging
import re

import pytest
from sqlalchemy import Connection

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.decide import UNKNOWN_PAYEE
from finplan.model import category as categories
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import NotFound, StorageFull
from finplan.model.statement import ImportId
from finplan.model.task import CategorizePayee, TaskQuery
from finplan.model.transaction import SpendingQuery
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.categories import create_category, judge_suggestion, list_suggestions
from finplan.service.context import Caller, Context
from finplan.service.derived.household import load_ledger
from finplan.service.imports.imports import undo_import
from finplan.service.ledger import categorisation
from finplan.service.ledger.categorisation import categorise_unknown
from finplan.service.planning.tasks import list_tasks
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.spending import query_spending
from finplan.store.queries import payees, people
from finplan.store.queries.people import is_inference_due
from finplan.store.store import Store
from tests.service.conftest import bring, dump
from tests.service.own_money import csv
from tests.service.said import all_rows, questions

FILE = """Date,Description,Amount
2026-09-01,QUILLON ZWALDHOF,-25.00
2026-09-15,QUILLON ZWALDHOF WEXLIN,-60.00
2026-10-01,AMAZON.COM QUILLON ZWALDHOF,-30.00
2026-10-02,SAFEWAY,-80.00
2026-10-05,SAFEWAY,12.00
2026-10-07,TERRVIX,-9.00
"""


async def _reasons(context: Context) -> dict[str, tuple[str, str, str | None, str]]:
    """Each payee's category, and why: source, rule and sentence."""
    return {
        row.payee_key: (row.category, row.why.source, row.why.rule_id, row.why.text)
        for row in await all_rows(context)
    }


async def test_a_rule_files_what_is_like_it_and_says_why(context: Context) -> None:
    """A payee with the same name and more is filed with it at once, and names its teacher."""
    await bring(context, {"checking.csv": FILE})
    before = await _reasons(context)
    rule = await set_rule(
        context, categories.RuleRequest(payee_key="quillon zwaldhof", category="kids")
    )
    after = await _reasons(context)

    assert before["quillon zwaldhof wexlin"][:2] == ("uncategorized", "default")
    category, source, rule_id, text = after["quillon zwaldhof wexlin"]
    assert (category, source) == ("kids", "auto")
    assert "Like Quillon Zwaldhof" in text
    listed = {entry.id: entry for entry in await list_rules(context, Nothing())}
    assert rule_id is not None
    assert (listed[rule_id].source, listed[rule_id].category) == ("auto", "kids")
    assert after["quillon zwaldhof"][:3] == ("kids", "user", rule.id)
    unlike = ("amazon", "safeway", "terrvix")
    assert {key: after[key] for key in unlike} == {key: before[key] for key in unlike}


async def test_what_a_rule_taught_goes_with_it(context: Context) -> None:
    """Removing the rule leaves everything as it was before."""
    await bring(context, {"checking.csv": FILE})
    held = await dump(context)
    rule = await set_rule(
        context, categories.RuleRequest(payee_key="quillon zwaldhof", category="kids")
    )
    taught = await dump(context)
    await remove_rule(context, categories.RuleId(id=rule.id))

    assert taught["payee"] != held["payee"]
    assert taught["tx"] == held["tx"]
    assert await dump(context) == held


async def test_the_person_overrules_what_was_inferred(context: Context) -> None:
    """A rule of the person's own replaces an inferred one, and is not changed by later lessons."""
    await bring(context, {"checking.csv": FILE})
    await set_rule(
        context, categories.RuleRequest(payee_key="quillon zwaldhof wexlin", category="hobbies")
    )
    await set_rule(context, categories.RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    after = await _reasons(context)

    assert after["quillon zwaldhof wexlin"][:2] == ("hobbies", "user")
    assert after["quillon zwaldhof"][:2] == ("kids", "user")


async def test_habits_suggest_and_go_with_their_rules(context: Context) -> None:
    """Rules of one kind raise what another payee's question suggests; without them it is as before."""
    names = ("ZWXV", "VQQK", "ZZJW", "KWVZ", "VJWK", "VQKV", "XQJW", "KJVJ")
    rows = [f"2026-09-{day:02},{name},-25.00" for day, name in enumerate(names, start=1)]
    await bring(context, {"checking.csv": csv(*rows, "2026-09-20,QUILLON LESSONS,-90.00")})
    asked = await _asked(context, "quillon lessons")
    held = await dump(context)
    rules = [
        await set_rule(context, categories.RuleRequest(payee_key=name.lower(), category="kids"))
        for name in names
    ]
    taught = await _asked(context, "quillon lessons")
    why = (await _reasons(context))["quillon lessons"]
    for rule in rules:
        await remove_rule(context, categories.RuleId(id=rule.id))

    assert asked.confidence is None
    assert (taught.suggested, taught.confidence is None) == ("kids", False)
    assert why[0] == "uncategorized"
    assert "Kids' activities" in why[3]
    assert "8 payees" in why[3]
    assert await _asked(context, "quillon lessons") == asked
    assert await dump(context) == held


async def _asked(context: Context, key: str) -> CategorizePayee:
    """The open question about a payee, as somebody who looks is shown it."""
    tasks = await list_tasks(context, TaskQuery())
    (asked,) = (
        task for task in tasks if isinstance(task, CategorizePayee) and task.payee_key == key
    )
    return asked


async def test_what_was_learnt_files_later_rows(context: Context) -> None:
    """A payee that comes after the rule is filed by what it taught."""
    rows = FILE.splitlines(keepends=True)
    await bring(context, {"checking.csv": "".join(rows[:2])})
    await set_rule(context, categories.RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    await bring(context, {"checking.csv": FILE})

    assert (await _reasons(context))["quillon zwaldhof wexlin"][:2] == ("kids", "auto")


async def test_every_transaction_says_why(context: Context) -> None:
    """Each source has its sentence and its rule; only what nothing is known of has none."""
    await bring(context, {"checking.csv": FILE})
    for row in await all_rows(context):
        assert row.why.text.endswith(".")
        assert (row.why.rule_id is None) == (row.why.source in ("default", "transfer"))
    known = await _reasons(context)
    assert known["safeway"][1] == "curated"
    assert known["safeway"][3].endswith("Known merchant: groceries.")
    assert known["amazon"][3].startswith("Amazon sells many")


ROWS = csv(
    *(
        f"2026-{month:02}-{day:02},{payee},-{20 + day}.00"
        for month in range(6, 10)
        for day, payee in enumerate(("QUILLON ZWALDHOF", "QUILLON ZWALDHOF WEXLIN"), start=3)
    )
)


@pytest.fixture
async def household(context: Context) -> Context:
    """Two unknown payees with names alike."""
    await bring(context, {"checking.csv": ROWS})
    return context


async def _due(context: Context) -> bool:
    return await context.store.read(lambda c: is_inference_due(c, context.caller.owner))


async def _inferred(context: Context) -> list[categories.CategoryRule]:
    return [rule for rule in await list_rules(context, Nothing()) if rule.source == "auto"]


async def _file(context: Context) -> categories.CategoryRule:
    return await set_rule(
        context, categories.RuleRequest(payee_key="quillon zwaldhof", category="kids")
    )


async def test_a_rule_teaches_later(household: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting and removing one judges no other payee; the next look does, once for both."""
    judged = []

    def count(*asked: object) -> None:
        judged.append(asked)
        categorise_unknown(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(categorisation, "categorise_unknown", count)
    rule = await _file(household)
    await remove_rule(household, categories.RuleId(id=rule.id))
    await _file(household)
    assert await _due(household)
    assert judged == []

    await _inferred(household)
    await _inferred(household)
    assert len(judged) == 1
    assert not await _due(household)


async def test_whoever_looks_next_sees_what_was_learnt(household: Context) -> None:
    """Sums and rules alike know the payee that is like the one that was filed."""
    await _file(household)
    report = await query_spending(household, SpendingQuery(group_by="category"))

    learnt = await _inferred(household)
    assert [rule.payee_key for rule in learnt] == ["quillon zwaldhof wexlin"]
    assert {group.key for group in report.groups} == {"kids"}


async def test_a_file_that_comes_before_the_look_is_told_apart_alike(household: Context) -> None:
    """An import applies what is due before its own payees are judged."""
    await _file(household)
    await bring(
        household, {"more.csv": csv("2026-10-03,QUILLON ZWALDHOF OSTREY,-9.00")}, account="more"
    )

    assert not await _due(household)
    keys = {rule.payee_key for rule in await _inferred(household)}
    assert keys == {"quillon zwaldhof wexlin", "quillon zwaldhof ostrey"}


async def test_a_full_disk_keeps_nobody_from_looking(
    household: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be applied stays due, and is told in the log."""
    await _file(household)

    async def refuse(*_args: object) -> None:
        raise StorageFull("no room")

    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(household.store, "write", refuse)
        assert await _inferred(household) == []
    assert "newest rules" in caplog.text

    assert len(await _inferred(household)) == 1


async def test_hiding_an_account_makes_what_its_payees_teach_due(household: Context) -> None:
    """A payee that was filed teaches by the rows that count, so other ones are judged again."""
    await bring(household, {"other.csv": csv("2026-10-03,SAFEWAY,-9.00")}, account="Other")
    await _file(household)
    await _inferred(household)
    accounts = {each.name: each.id for each in await list_accounts(household, Nothing())}

    await change_account(household, AccountChange(id=accounts["Other"], hidden=True))
    assert not await _due(household)
    await change_account(household, AccountChange(id=accounts["checking"], hidden=True))
    assert await _due(household)


MONTHS = range(5, 11)
HOUSEHOLD = csv(
    *(f"2026-{month:02}-03,TEACHERS PENSIONS BGC,1650.00" for month in MONTHS),
    *(f"2026-{month:02}-05,QUILLZWALD LTD SALARY,2400.00" for month in MONTHS),
    *(f"2026-{month:02}-09,STRIPE TRANSFER ST-A{month}B2,310.00" for month in MONTHS),
    *(f"2026-{month:02}-12,BLUE HERON COLLECTIVE,95.00" for month in MONTHS),
    "2026-05-20,DWP JSA,170.00",
    "2026-09-20,DWP STATE PENSION,880.00",
    "2026-10-18,DWP STATE PENSION,880.00",
    "2026-06-21,TESCO STORES 3345,-31.50",
)


async def _signs(context: Context) -> dict[str, str | None]:
    owner = context.caller.owner
    ledger = await context.store.read(lambda connection: load_ledger(connection, owner))
    return {payee.key: payee.inflow_sign for payee in ledger.payees.values()}


async def test_payees_carry_what_their_newest_credits_say(context: Context) -> None:
    """By words alone: a rhythm says nothing, and who drew a benefit before draws a pension now."""
    await bring(context, {"current.csv": HOUSEHOLD})
    assert await _signs(context) == {
        "teachers pensions": "pension",
        "quillzwald": "pay",
        "stripe": "payout",
        "blue heron collective": None,
        "dwp": "pension",
        "tesco": None,
    }


async def test_a_rule_to_another_income_changes_no_sign(context: Context) -> None:
    """A pension that somebody calls pay still says that it is a pension."""
    await bring(context, {"current.csv": HOUSEHOLD})
    await set_rule(context, categories.RuleRequest(payee_key="teachers pensions", category="wages"))
    await set_rule(
        context, categories.RuleRequest(payee_key="blue heron collective", category="wages")
    )
    signs = await _signs(context)
    assert (signs["teachers pensions"], signs["blue heron collective"]) == ("pension", None)


async def test_the_newest_credits_are_read(context: Context) -> None:
    """As many as are asked for, newest first, and none of money out."""
    await bring(context, {"current.csv": HOUSEHOLD})
    owner = context.caller.owner
    numbers = await context.store.read(lambda c: payees.numbers_of(c, owner))
    asked = [numbers["dwp"], numbers["tesco"]]
    texts = await context.store.read(lambda c: payees.newest_inflows(c, owner, asked, 2))
    assert texts == {numbers["dwp"]: ["DWP STATE PENSION", "DWP STATE PENSION"]}


def _card(*rows: tuple[str, str, str]) -> str:
    """An OFX card statement with rows of a name, an amount and a code; "" gives no code."""
    booked = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>2026090{place}<TRNAMT>{amount}<FITID>F{name}{place}"
        f"<NAME>{name}" + (f"<SIC>{code}" if code else "") + "</STMTTRN>"
        for place, (name, amount, code) in enumerate(rows, 1)
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>"
        "<CURDEF>USD<CCACCTFROM><ACCTID>4111</CCACCTFROM><BANKTRANLIST><DTSTART>20260901"
        f"<DTEND>20260930{booked}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>"
    )


async def _texts_of_reasons(context: Context) -> dict[str, tuple[str, str]]:
    return {row.payee_key: (row.category, row.why.text) for row in await all_rows(context)}


async def test_a_code_files_whom_no_name_does(context: Context) -> None:
    """An unknown merchant goes where its trade goes; a well-known one keeps what it is known for."""
    await bring(
        context,
        {
            "card.ofx": _card(
                ("QUILLZWALD", "-25.00", "5812"),
                ("TERRVIXOL", "-9.00", ""),
                ("NETFLIX", "-15.49", "5812"),
            )
        },
    )
    found = await _texts_of_reasons(context)

    assert found["quillzwald"][0] == "dining"
    assert found["quillzwald"][1].endswith("5812: restaurants and coffee.")
    assert found["terrvixol"][0] == "uncategorized"
    assert found["netflix"][0] == "subscriptions"


async def test_most_charges_tell_the_trade(context: Context) -> None:
    """Of two codes the one that more charges carry counts."""
    rows = [("QUILLZWALD", "-25.00", code) for code in ("5812", "8011", "8011")]
    await bring(context, {"card.ofx": _card(*rows)})

    assert (await _texts_of_reasons(context))["quillzwald"][0] == "health"


async def test_undo_takes_the_code_back(context: Context) -> None:
    """A payee that had no code before an import has none after it is undone."""
    await bring(context, {"checking.csv": "Date,Description,Amount\n2026-08-01,QUILLZWALD,-5.00\n"})
    before, was = await _texts_of_reasons(context), await dump(context)
    report = await bring(context, {"card.ofx": _card(("QUILLZWALD", "-25.00", "5812"))})
    between = await _texts_of_reasons(context)
    await undo_import(context, ImportId(id=report.id))

    assert (before["quillzwald"][0], between["quillzwald"][0]) == ("uncategorized", "dining")
    assert (await _texts_of_reasons(context), await dump(context)) == (before, was)


CARD = """Transaction Date,Post Date,Description,Category,Type,Amount,Memo
10/03/2026,10/04/2026,QUILLZWALD,Food & Drink,Sale,-20.50,
10/13/2026,10/14/2026,QUILLZWALD,Food & Drink,Sale,-27.25,
10/14/2026,10/15/2026,QUILLZWALD,Shopping,Sale,-12.00,
10/15/2026,10/16/2026,NETFLIX,Food & Drink,Sale,-15.49,
10/17/2026,10/18/2026,TERRVIXOL,Professional Services,Sale,-40.00,
"""


async def test_a_banks_category_is_suggested_and_files_nothing(context: Context) -> None:
    """The question offers what most rows were sorted under, and the row says why; nothing is filed."""
    await bring(context, {"card.csv": CARD}, account_kind="credit", currency="USD")
    said = {row.payee_key: (row.category, row.why.text) for row in await all_rows(context)}
    assert {payee: category for payee, (category, _) in said.items()} == {
        "quillzwald": "uncategorized",
        "netflix": "subscriptions",
        "terrvixol": "uncategorized",
    }
    assert re.search("'Food & Drink'.*: restaurants", said["quillzwald"][1])
    assert said["terrvixol"][1].startswith(UNKNOWN_PAYEE)
    (asked,) = [task for task in await questions(context) if task.payee_key == "quillzwald"]
    assert (asked.suggested, asked.confidence) == ("dining", 0.6)


FILE_OF_A_CAR = "Date,Description,Amount\n" + "".join(
    f"2026-{month:02d}-{day:02d},{name},-{amount}.00\n"
    for month in (8, 9, 10)
    for day, name, amount in (
        (1, "SAFEWAY #1234", 300),
        (5, "JIFFY LUBE #99", 40),
        (9, "SHELL OIL 5744", 35),
        (28, "SAFEWAY #1234", 200),
    )
)
FILE_OF_A_CAR += "2026-11-02,SAFEWAY #1234,-300.00\n"


def _named(
    found: tuple[categories.CategorySuggestion, ...],
) -> dict[str, categories.CategorySuggestion]:
    return {each.name: each for each in found}


@pytest.mark.usefixtures("demo")
async def test_a_suggestion_can_be_taken(context: Context) -> None:
    """The demo household has one; its merchants can be filed by name, and then it is gone for good."""
    before = (await query_spending(context, SpendingQuery())).total
    suggestion, *others = await list_suggestions(context, Nothing())
    payees = tuple(merchant.payee for merchant in suggestion.merchants)

    made = await create_category(
        context, categories.NewCategory(name=suggestion.name, line="essential", payee_keys=payees)
    )

    assert made.answer.merchants == len(suggestion.merchants)
    assert made.answer.charges >= suggestion.charges
    left = await list_suggestions(context, Nothing())
    assert suggestion.name not in _named(left)
    assert set(_named(tuple(others))) <= set(_named(left))
    assert (await query_spending(context, SpendingQuery())).total == before


async def test_the_figures_are_the_windows(context: Context) -> None:
    """Charges, totals and means are those of the months that the plan averages."""
    await bring(context, {"checking.csv": FILE_OF_A_CAR})

    (suggestion,) = await list_suggestions(context, Nothing())

    assert (suggestion.theme, suggestion.line) == ("vehicle", "needs")
    assert (suggestion.charges, suggestion.total, suggestion.monthly) == (6, 225_00, 75_00)
    assert [(each.payee, each.charges, each.total) for each in suggestion.merchants] == [
        ("Jiffy Lube", 3, 120_00),
        ("Shell", 3, 105_00),
    ]
    assert [(home.label, home.charges) for home in suggestion.now_in] == [
        (BUILT_IN["car"].label, 3),
        (BUILT_IN["transport"].label, 3),
    ]


async def test_what_an_exact_amount_files_is_left_there(context: Context) -> None:
    """A rule of the payee would not move those charges, so no suggestion counts them."""
    await bring(context, {"checking.csv": FILE_OF_A_CAR})
    await set_rule(
        context, categories.RuleRequest(payee_key="shell", category="work_expenses", amount=35_00)
    )
    assert await list_suggestions(context, Nothing()) == ()

    await set_rule(
        context, categories.RuleRequest(payee_key="shell", category="hobbies", amount=35_00)
    )
    assert await list_suggestions(context, Nothing()) == ()


async def test_a_dismissed_suggestion_stays_away_until_it_is_wanted(context: Context) -> None:
    """A dismissal lasts, is nobody else's, and can be taken back; an unknown name is told."""
    await bring(context, {"checking.csv": FILE_OF_A_CAR})
    before = await list_suggestions(context, Nothing())
    verdict = categories.SuggestionVerdict(name="CAR COSTS", dismissed=True)

    assert await judge_suggestion(context, verdict) == ()
    assert await judge_suggestion(context, verdict) == ()
    assert await list_suggestions(context, Nothing()) == ()
    back = await judge_suggestion(
        context, categories.SuggestionVerdict(name="Car costs", dismissed=False)
    )
    assert back == before
    with pytest.raises(NotFound, match="Car costs"):
        await judge_suggestion(
            context, categories.SuggestionVerdict(name="car cost", dismissed=True)
        )


@pytest.mark.thorough
async def test_nothing_linked_is_nothing_suggested(context: Context, store: Store) -> None:
    """A new person, and one whose housemate has charges, is asked nothing."""
    assert await list_suggestions(context, Nothing()) == ()
    await link_connection(context, LinkRequest(provider="demo"))

    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    scopes = context.caller.scopes
    other = Context(
        Caller(await store.write(add), scopes, "session"), store, context.banks, context.now
    )
    assert await list_suggestions(other, Nothing()) == ()
    for name in _named(await list_suggestions(context, Nothing())):
        await judge_suggestion(other, categories.SuggestionVerdict(name=name, dismissed=True))
    assert await list_suggestions(context, Nothing()) != ()
