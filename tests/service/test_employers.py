"""An employer and a shop of one name are one payee; money out and money in are judged apart.

What comes in a rhythm may be no pay all the same.
"""

import pytest

from finplan.categorise.decide import SUGGESTS_FROM
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.statement import ImportId
from finplan.model.task import CategorizePayee, TaskAnswer, TaskId, TaskQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.rules import list_rules, remove_rule, set_rule
from tests.service.conftest import bring
from tests.service.own_money import csv
from tests.service.said import all_rows, questions

MONTHS = range(5, 11)
SHOPPING = csv("2026-06-03,QUILLZWALD STORE 12,-20.00", "2026-06-21,QUILLZWALD STORE 7,-31.50")
UNSAID = csv(*(f"2026-{month:02}-28,QUILLZWALD,2400.00" for month in range(5, 11)))
SAID = csv(*(f"2026-{month:02}-28,QUILLZWALD PAYROLL PPD,2400.00" for month in range(5, 11)))
REFUND = csv("2026-06-25,QUILLZWALD STORE 12,20.00", "2026-07-11,QUILLZWALD,9.00")
GROCER = csv("2026-06-03,SAFEWAY #1711,-20.00", "2026-06-21,SAFEWAY #1711,-31.50")
GROCERS_PAY = csv(*(f"2026-{month:02}-28,SAFEWAY PAYROLL PPD,2400.00" for month in range(5, 11)))


async def _filed(context: Context, *, into: bool) -> set[tuple[str, str]]:
    """The payees and categories of money in, or of money out."""
    return {
        (row.payee_key, row.category) for row in await all_rows(context) if (row.amount > 0) == into
    }


async def _import_in_order(context: Context, files: dict[str, str], *, backwards: bool) -> None:
    for name in sorted(files, reverse=backwards):
        await bring(context, {name: files[name]})


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("shopping", "pay", "payee", "out"),
    [
        (SHOPPING, UNSAID, "quillzwald", "uncategorized"),
        (SHOPPING, SAID, "quillzwald", "uncategorized"),
        (GROCER, GROCERS_PAY, "safeway", "groceries"),
    ],
    ids=["by its rhythm", "by its words", "a well-known shop"],
)
async def test_pay_is_pay_where_one_shops_too(
    context: Context, shopping: str, pay: str, payee: str, out: str, *, backwards: bool
) -> None:
    """Pay is pay and charges are charges, whichever of the two was imported first."""
    files = {"a.csv": shopping, "b.csv": pay}
    await _import_in_order(context, files, backwards=backwards)

    assert await _filed(context, into=True) == {(payee, "wages")}
    assert await _filed(context, into=False) == {(payee, out)}


@pytest.mark.parametrize(
    ("paydays", "filed"), [(2, "unknown_inflow"), (3, "wages")], ids=["two", "three"]
)
async def test_three_paydays_are_a_rhythm(context: Context, paydays: int, filed: str) -> None:
    """Three make pay of a payer of whom nothing else is known, and two do not."""
    rows = UNSAID.splitlines(keepends=True)
    await bring(context, {"pay.csv": "".join(rows[: 1 + paydays])})
    assert await _filed(context, into=True) == {("quillzwald", filed)}


@pytest.mark.parametrize("backwards", [False, True])
async def test_small_refunds_do_not_hide_the_paydays(context: Context, *, backwards: bool) -> None:
    """An employer's shop that takes things back between the paydays still pays wages."""
    files = {"a.csv": SHOPPING, "b.csv": UNSAID, "c.csv": REFUND}
    await _import_in_order(context, files, backwards=backwards)

    assert await _filed(context, into=True) == {("quillzwald", "wages")}


async def test_a_refund_every_month_is_no_pay(context: Context) -> None:
    """Where about as much comes back in a rhythm as was spent, it lowers the spending."""
    months = range(5, 11)
    await bring(
        context,
        {
            "checking.csv": csv(
                *(f"2026-{month:02}-03,QUILLZWALD,-60.00" for month in months),
                *(f"2026-{month:02}-28,QUILLZWALD,45.00" for month in months),
            )
        },
    )

    assert await _filed(context, into=True) == {("quillzwald", "uncategorized")}


async def test_a_housemate_is_no_employer(context: Context) -> None:
    """A person who pays a share each month, and was paid now and then, pays no wages."""
    months = range(5, 11)
    await bring(
        context,
        {
            "checking.csv": csv(
                "2026-06-11,BRIAN TAYLOR,-70.00",
                *(f"2026-{month:02}-02,BRIAN TAYLOR,600.00" for month in months),
            )
        },
    )

    assert "wages" not in {category for _, category in await _filed(context, into=True)}


@pytest.mark.parametrize("pay", [UNSAID, SAID], ids=["by its rhythm", "by its words"])
async def test_pay_that_is_taken_back_lowers_the_pay(context: Context, pay: str) -> None:
    """A reversal of pay is no spending and no question; at a known shop it tells nothing of the shop."""
    back = csv("2026-06-29,QUILLZWALD PAYROLL REVERSAL,-2400.00")
    await bring(context, {"a.csv": pay, "b.csv": back, "c.csv": GROCER, "d.csv": GROCERS_PAY})
    await bring(context, {"e.csv": csv("2026-06-29,SAFEWAY PAYROLL REVERSAL,-2400.00")})

    assert await _filed(context, into=False) == {("quillzwald", "wages"), ("safeway", "groceries")}
    assert "categorize_payee" not in {task.kind for task in await list_tasks(context, TaskQuery())}


@pytest.mark.parametrize(
    "text",
    ["UEBERWEISUNG ANNA WEBER MIETE ANTEIL", "VIR SEPA RECU /DE MLLE CLAIRE DURAND /MOTIF LOYER"],
)
async def test_a_share_of_the_rent_is_no_pay(context: Context, text: str) -> None:
    """What a person sends each month for the rent is asked about, and is no income before."""
    await bring(context, {"a.csv": csv(*(f"2026-{month:02}-02,{text},400.00" for month in MONTHS))})

    assert {category for _, category in await _filed(context, into=True)} == {"unknown_inflow"}
    assert "categorize_payee" in {task.kind for task in await list_tasks(context, TaskQuery())}


@pytest.mark.parametrize(
    "text", ["R OSEI ROOM RENT FT", "KWAMENA OSEIX ROOM RENT", "AFFITTO ZORVATTI"]
)
async def test_rent_that_comes_in_every_month_is_no_pay(context: Context, text: str) -> None:
    """Money that says it is rent is asked about, and no rhythm makes it pay, whoever it is from."""
    await bring(context, {"a.csv": csv(*(f"2026-{month:02}-02,{text},250.00" for month in MONTHS))})

    assert {category for _, category in await _filed(context, into=True)} == {"unknown_inflow"}
    (asked,) = await questions(context)
    assert (asked.suggested, asked.confidence) == ("rent", 0.5)
    assert [each.category for each in asked.alternatives] == ["other_income", "transfer", "wages"]
    await set_rule(context, RuleRequest(payee_key=asked.payee_key, category="rent"))
    assert {category for _, category in await _filed(context, into=True)} == {"rent"}


@pytest.mark.parametrize("text", ["R OSEI DINNER AND DRINKS", "J PARKX HALF OF GAS"])
async def test_what_somebody_with_an_initial_shares_is_no_pay(context: Context, text: str) -> None:
    """An initial and a surname are a person, whose share of something is asked about."""
    await bring(context, {"a.csv": csv(*(f"2026-{month:02}-02,{text},40.00" for month in MONTHS))})

    assert "wages" not in {category for _, category in await _filed(context, into=True)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text", ["H QUILLZ", "LANGTON LETTINGS", "QUILLZWALD DINNER CLUB", "3 QUILLZ DINNER"]
)
async def test_an_employer_may_have_a_persons_or_bills_name(context: Context, text: str) -> None:
    """What arrives as pay does is pay where no person says what they share."""
    await bring(
        context, {"a.csv": csv(*(f"2026-{month:02}-28,{text},2400.00" for month in MONTHS))}
    )

    assert {category for _, category in await _filed(context, into=True)} == {"wages"}


async def test_the_rule_of_an_employer_names_its_pay(context: Context) -> None:
    """Of a payee that only pays, the rules list what its money is filed under, as sure as they say."""
    await bring(context, {"a.csv": GROCERS_PAY})
    (rule,) = await list_rules(context, Nothing())
    assert (rule.payee_key, rule.category) == ("safeway", "wages")

    await bring(context, {"b.csv": GROCER})
    (rule,) = await list_rules(context, Nothing())
    assert (rule.payee_key, rule.category) == ("safeway", "groceries")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["DEPOSIT MOBILE CHECK", "ATM CASH DEPOSIT", "EINZAHLUNG BARGELD"])
async def test_paper_that_is_paid_in_is_no_pay(context: Context, text: str) -> None:
    """Cash and cheques are asked about, however regularly they are paid in."""
    await bring(context, {"a.csv": csv(*(f"2026-{month:02}-14,{text},120.00" for month in MONTHS))})

    assert {category for _, category in await _filed(context, into=True)} == {"unknown_inflow"}


async def test_a_person_may_be_an_employer(context: Context) -> None:
    """What a person pays in a rhythm and for nothing that is shared is pay."""
    text = "UEBERWEISUNG ANNA WEBER"
    await bring(
        context, {"a.csv": csv(*(f"2026-{month:02}-02,{text},1400.00" for month in MONTHS))}
    )

    assert {category for _, category in await _filed(context, into=True)} == {"wages"}


async def test_without_its_pay_an_employer_is_a_shop_again(context: Context) -> None:
    """Undoing the import of the pay takes its evidence back."""
    await bring(context, {"a.csv": GROCER})
    report = await bring(context, {"b.csv": GROCERS_PAY})
    await undo_import(context, ImportId(id=report.id))
    await bring(context, {"c.csv": csv("2026-07-01,SAFEWAY #1711,12.00")})

    assert await _filed(context, into=True) == {("safeway", "groceries")}


@pytest.mark.parametrize("backwards", [False, True])
async def test_a_shops_code_says_nothing_of_pay(context: Context, *, backwards: bool) -> None:
    """The bank's code of the charges files the charges, that of the credits the credits."""
    files = {"a.ofx": _statement("QUILLZWALD", "-20.00", "5812", day="03")}
    files["b.csv"] = SAID
    await _import_in_order(context, files, backwards=backwards)

    assert await _filed(context, into=True) == {("quillzwald", "wages")}
    assert await _filed(context, into=False) == {("quillzwald", "dining")}


def _statement(name: str, amount: str, code: str, *, day: str) -> str:
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>"
        "<CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>4111<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20260901<DTEND>20260930<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202609{day}"
        f"<TRNAMT>{amount}<FITID>F1<NAME>{name}<SIC>{code}</STMTTRN></BANKTRANLIST></STMTRS>"
        "</STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


@pytest.mark.parametrize("backwards", [False, True])
async def test_filing_a_shops_charges_keeps_its_pay(context: Context, *, backwards: bool) -> None:
    """A person's rule of spending files what an employer's shop sells, not what the employer pays."""
    files = {"a.csv": GROCER, "b.csv": GROCERS_PAY}
    await _import_in_order(context, files, backwards=backwards)
    await set_rule(context, RuleRequest(payee_key="safeway", category="shopping"))

    assert await _filed(context, into=True) == {("safeway", "wages")}
    assert await _filed(context, into=False) == {("safeway", "shopping")}
    assert await _reasons(context) == {("shopping", "user"), ("wages", "curated")}


async def test_a_rule_before_the_first_pay_leaves_it_alone(context: Context) -> None:
    """It is the same when the shop was filed before the employer paid."""
    await bring(context, {"a.csv": SHOPPING})
    await set_rule(context, RuleRequest(payee_key="quillzwald", category="hobbies"))
    await bring(context, {"b.csv": UNSAID})

    assert await _filed(context, into=True) == {("quillzwald", "wages")}
    assert await _filed(context, into=False) == {("quillzwald", "hobbies")}


async def test_a_question_about_an_employers_marketplace_decides_no_pay(context: Context) -> None:
    """What was bought at a marketplace that is the employer, too, is answered without its pay."""
    months = range(5, 11)
    bought = [f"2026-{month:02}-09,AMAZON MKTPL*2K4JD82H3,-80.00" for month in months]
    paid = [f"2026-{month:02}-15,AMAZON.COM SVCS PAYROLL PPD,2480.00" for month in months]
    await bring(context, {"checking.csv": csv(*bought, *paid)})
    (task,) = await questions(context)
    await answer_task(context, TaskAnswer(id=task.id, answer="shopping"))

    assert await _filed(context, into=True) == {("amazon", "wages")}
    assert await _filed(context, into=False) == {("amazon", "shopping")}
    await undo_answer(context, TaskId(id=task.id))
    assert await _filed(context, into=True) == {("amazon", "wages")}


async def test_a_person_may_say_what_pay_is(context: Context) -> None:
    """A rule that names no spending, and one for a payee that only pays, hold for the money in."""
    await bring(context, {"a.csv": GROCER, "b.csv": GROCERS_PAY, "c.csv": UNSAID})
    await set_rule(context, RuleRequest(payee_key="safeway", category="other_income"))
    await set_rule(context, RuleRequest(payee_key="quillzwald", category="rent"))

    assert await _filed(context, into=True) == {("safeway", "other_income"), ("quillzwald", "rent")}


async def test_pay_from_what_is_asked_about_is_said_to_be_pay(context: Context) -> None:
    """The reason of a credit names where money in goes, unless it is the payee's only reason."""
    bought = "2026-05-09,AMAZON MKTPL*2K4JD82H3,-80.00"
    paid = "2026-05-15,AMAZON.COM SVCS PAYROLL PPD,2480.00"
    await bring(context, {"checking.csv": csv(bought, paid, "2026-05-16,QUILLZWALD,9.00")})
    said = {row.payee_key: row.why.text for row in await all_rows(context) if row.amount > 0}

    assert said["amazon"].endswith(": pay.")
    assert "Money in" not in said["quillzwald"]


async def _reasons(context: Context) -> set[tuple[str, str]]:
    """The categories of the rows, each with who says so."""
    return {(row.category, row.why.source) for row in await all_rows(context)}


ALTERNATIVES = "SELECT alternatives FROM payee WHERE key = 'quillzwald expenses'"


async def test_a_rule_on_a_payer_is_offered_for_what_is_told_apart(context: Context) -> None:
    """What the person said of an employer files its pay alone, and is offered for its expenses."""
    months = range(5, 11)
    rows = [f"2026-{month:02}-28,QUILLZWALD PAYROLL PPD,2400.00" for month in months]
    rows += [f"2026-{month:02}-09,QUILLZWALD EXP REIMB,80.00" for month in months]
    await bring(context, {"checking.csv": csv(*rows)})
    await set_rule(context, RuleRequest(payee_key="quillzwald", category="self_employment"))

    assert await _filed(context, into=True) == {
        ("quillzwald", "self_employment"),
        ("quillzwald expenses", "work_expenses"),
    }
    kept = await context.store.read(lambda c: c.exec_driver_sql(ALTERNATIVES).scalar_one())
    assert kept.split()[0] == "self_employment"
    await set_rule(context, RuleRequest(payee_key="quillzwald", category="work_expenses"))
    rules = {rule.payee_key: rule for rule in await list_rules(context, Nothing())}
    assert "work_expenses" not in rules["quillzwald expenses"].alternatives


async def test_a_rule_on_a_payer_is_suggested_where_a_purpose_is_asked(context: Context) -> None:
    """What is paid for a purpose is asked with the payer's category first, and why; income never."""
    rows = [f"2026-{month:02}-28,TERRVIX,-90.00" for month in range(5, 11)]
    rows += [f"2026-{month:02}-09,TERRVIX EXPENSES,-80.00" for month in range(5, 11)]
    await bring(context, {"checking.csv": csv(*rows)})
    before = await _asked(context, "terrvix expenses")
    rule = await set_rule(context, RuleRequest(payee_key="terrvix", category="hobbies"))

    asked, why = await _asked(context, "terrvix expenses")
    assert (asked.payee_key, asked.suggested, asked.confidence) == (
        "terrvix expenses",
        "hobbies",
        SUGGESTS_FROM,
    )
    assert "hobbies" not in [each.category for each in asked.alternatives]
    assert "Terrvix in Sport" in why
    await set_rule(context, RuleRequest(payee_key="terrvix", category="wages"))
    assert await _asked(context, "terrvix expenses") == before
    await remove_rule(context, RuleId(id=rule.id))
    assert await _asked(context, "terrvix expenses") == before


async def test_what_a_purpose_suggests_comes_after_the_payers_rule(context: Context) -> None:
    """What the name suggests is the next answer; a payer whose whole name is telling says so itself."""
    rows = [
        f"2026-{month:02}-{day},{name},-90.00" for month in range(5, 11) for day, name in _SHOPS
    ]
    await bring(context, {"checking.csv": csv(*rows)})
    for key in ("optical", "quillzwald"):
        await set_rule(context, RuleRequest(payee_key=key, category="kids"))

    asked, why = await _asked(context, "optical expenses")
    assert (asked.suggested, asked.alternatives[0].category) == ("kids", "health")
    assert "Optical in Kids'" in why
    asked, why = await _asked(context)
    assert asked.suggested == "kids"
    assert asked.confidence is not None
    assert asked.confidence > SUGGESTS_FROM
    assert "Like Quillzwald" in why


_SHOPS = (
    ("11", "OPTICAL"),
    ("12", "OPTICAL EXPENSES"),
    ("13", "QUILLZWALD"),
    ("14", "QUILLZWALD EXPENSES"),
)


async def _asked(context: Context, key: str = "quillzwald expenses") -> tuple[CategorizePayee, str]:
    """The open question about expenses, and why their rows are where they are."""
    (asked,) = (task for task in await questions(context) if task.payee_key == key)
    (why,) = {row.why.text for row in await all_rows(context) if row.payee_key == asked.payee_key}
    return asked, why


MONTHS_OF_PAY = range(4, 11)


def monthly(text: str, amount: int, day: int = 28) -> list[str]:
    return [f"2026-{month:02}-{day:02},{text},{amount}.00" for month in MONTHS_OF_PAY]


SALARY = monthly("QUILLZWALD LTD SALARY", 2400)


async def _filed_by_payee(context: Context) -> dict[str, str]:
    return {row.payee_key: row.category for row in await all_rows(context)}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("BLUE HERON COLLECTIVE", "wages"),
        ("BLUE HERON LOYALTY POINTS", "other_income"),
        ("BLUE HERON PATRONAGE", "other_income"),
        ("BLUE HERON ASSOCIATION PAYOUT", "other_income"),
        ("ANGLERVEREIN REIHERSEE AUSZAHLUNG", "other_income"),
        ("BLUE HERON CASH BACK REWARD", "interest"),
        ("REFUND BLUE HERON COLLECTIVE", "uncategorized"),
    ],
)
async def test_words_can_say_it_is_no_pay(context: Context, text: str, category: str) -> None:
    """A reward, a refund and an association's payout are as regular as pay, and none."""
    await bring(context, {"a.csv": csv(*SALARY, *monthly(text, 300, day=3))})
    filed = await _filed_by_payee(context)
    assert filed.pop("quillzwald") == "wages"
    assert list(filed.values()) == [category]


@pytest.mark.parametrize(("amount", "category"), [(24, "other_income"), (25, "wages")])
@pytest.mark.parametrize("salary_first", [True, False])
async def test_less_than_a_hundredth_of_the_income_is_no_pay(
    context: Context, amount: int, category: str, *, salary_first: bool
) -> None:
    """Below one percent of what is earned meanwhile, whichever is imported first."""
    texts = [csv(*SALARY), csv(*monthly("BLUE HERON COLLECTIVE", amount))]
    for place, text in enumerate(texts if salary_first else reversed(texts)):
        await bring(context, {f"{place}.csv": text})
    assert await _filed_by_payee(context) == {
        "quillzwald": "wages",
        "blue heron collective": category,
    }


async def test_small_pay_is_pay_where_it_is_all_of_the_income(context: Context) -> None:
    """It is judged by its share: once the salary is gone again, it is all there is."""
    await bring(context, {"small.csv": csv(*monthly("BLUE HERON COLLECTIVE", 20))})
    assert await _filed_by_payee(context) == {"blue heron collective": "wages"}
    salary = await bring(context, {"salary.csv": csv(*SALARY)})
    assert (await _filed_by_payee(context))["blue heron collective"] == "other_income"
    await undo_import(context, ImportId(id=salary.id))
    assert await _filed_by_payee(context) == {"blue heron collective": "wages"}


async def test_a_house_sold_makes_no_salary_small(context: Context) -> None:
    """What came once is no income that pay is a share of."""
    rows = monthly("BLUE HERON COLLECTIVE", 2400)
    await bring(context, {"a.csv": csv(*rows, "2026-06-15,HOUSE SALE PROCEEDS,700000.00")})
    assert (await _filed_by_payee(context))["blue heron collective"] == "wages"
