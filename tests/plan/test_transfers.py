"""Transfers: two rows that are one movement are paired, strangers with equal amounts are not.

Evidence is what the text of a row tells of one, and a role is what an account is to the plan.
"""

from datetime import date, timedelta

import pytest

from finplan.categorise.catalogue import Catalogue, Category
from finplan.model.account import AccountKind
from finplan.model.category import BudgetLine
from finplan.model.plan import Role
from finplan.plan.ledger.classes import counts_in_totals, is_savings_type, nature_of, role_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import beyond_schedule, evidence_of, names_bank, names_number
from finplan.plan.pairing.transfers import LoanPayment, Pair, find_pairs
from finplan.plan.pairing.twins import PayeePair
from tests.plan.own_accounts import (
    ABROAD,
    ACCOUNTS,
    BROKERAGE,
    CARD,
    CHECKING,
    JOINT,
    LOAN,
    SAVINGS,
    SECOND,
    Statement,
    account,
)

TO_SAVINGS = "Online Transfer to SAV ...2222"
FROM_CHECKING = "Online Transfer from CHK ...1111"
WITHOUT_A_NUMBER = ("Online Transfer to savings", "Online Transfer from checking")


def test_a_transfer_between_own_accounts_is_paired(rows: Statement) -> None:
    """Both banks say transfer, the amount is the same, a day lies between."""
    out = rows.row(CHECKING, "2025-03-03", -500_00, TO_SAVINGS, "savings")
    into = rows.row(SAVINGS, "2025-03-04", 500_00, FROM_CHECKING, "savings")
    assert find_pairs(rows.legs, ACCOUNTS) == [Pair(out, into, spends=False)]


@pytest.mark.parametrize(("line", "paired"), [("not_spending", True), ("discretionary", False)])
def test_an_own_category_goes_by_its_line(rows: Statement, line: BudgetLine, paired: bool) -> None:
    """What is filed under an own category that only moves may be half of a transfer."""
    own = Category.own("cat_jar", "Jar", line, reimbursable=False)
    out = rows.row(CHECKING, "2025-03-03", -500_00, WITHOUT_A_NUMBER[0], "cat_jar")
    into = rows.row(SAVINGS, "2025-03-04", 500_00, WITHOUT_A_NUMBER[1], "cat_jar")
    assert rows.pairs(catalogue=Catalogue.including([own])) == ([(out, into)] if paired else [])


def test_a_card_payment_is_paired(rows: Statement) -> None:
    """The payment from checking meets the card's thank-you."""
    out = rows.row(CHECKING, "2025-03-03", -812_40, "CHASE CREDIT CRD AUTOPAY", "unlinked_card")
    into = rows.row(CARD, "2025-03-05", 812_40, "AUTOMATIC PAYMENT - THANK YOU", "card_payment")
    assert rows.pairs() == [(out, into)]


def test_one_bank_saying_so_is_enough_for_the_only_pair(rows: Statement) -> None:
    """A cryptic row beside a plain one, with no other candidate."""
    out = rows.row(CHECKING, "2025-03-03", -500_00, "REF 88123 LM")
    into = rows.row(BROKERAGE, "2025-03-05", 500_00, "ELECTRONIC FUNDS TRANSFER RECEIVED")
    assert rows.pairs() == [(out, into)]


def test_a_deposit_on_savings_is_evidence_and_elsewhere_is_not(rows: Statement) -> None:
    """Savings banks say deposit and withdrawal; on checking accounts anybody deposits."""
    out = rows.row(CHECKING, "2025-03-03", -500_00, "REF 88123")
    into = rows.row(SAVINGS, "2025-03-04", 500_00, "DEPOSIT")
    rows.row(CHECKING, "2025-05-03", -500_00, "REF 88123")
    rows.row(JOINT, "2025-05-04", 500_00, "DEPOSIT")
    assert rows.pairs() == [(out, into)]


def test_ones_own_name_on_both_sides_tells(rows: Statement) -> None:
    """Where banks write names, sender and recipient are the same."""
    out = rows.row(CHECKING, "2025-03-03", -300_00, "Max Mustermann DE4412")
    into = rows.row(JOINT, "2025-03-04", 300_00, "MUSTERMANN, MAX")
    assert rows.pairs() == [(out, into)]


def test_equal_amounts_of_strangers_are_not_paired(rows: Statement) -> None:
    """A purchase and another person's credit of the same amount are no transfer."""
    rows.row(CHECKING, "2025-03-03", -42_17, "JOES DINER 0042")
    rows.row(JOINT, "2025-03-04", 42_17, "JOHN SMITH")
    assert rows.pairs() == []


def test_a_friends_share_of_a_card_purchase_is_not_paired(rows: Statement) -> None:
    """A dinner paid by card and the friend's repayment stay what they are, words or not."""
    rows.row(CARD, "2025-03-03", -42_00, "RISTORANTE DA MARIO")
    rows.row(CHECKING, "2025-03-04", 42_00, "ZELLE TRANSFER FROM JOHN SMITH")
    rows.row(CARD, "2025-05-03", -60_00, "TICKET OFFICE")
    rows.row(CHECKING, "2025-05-04", 60_00, "TRANSFER FROM JANE")
    assert rows.pairs() == []


def test_a_person_on_a_payment_service_is_not_an_own_account(rows: Statement) -> None:
    """Services on which people pay each other call everything a transfer."""
    rows.row(CHECKING, "2025-03-03", -80_00, "VENMO PAYMENT 1023", "uncategorized")
    rows.row(SAVINGS, "2025-03-04", 80_00, "VENMO CASHOUT TRANSFER")
    assert rows.pairs() == []


def test_a_merchant_is_no_transfer(rows: Statement) -> None:
    """A payee known as a shop is not paired, though the other row says transfer."""
    rows.row(CHECKING, "2025-03-03", -50_00, "WHOLE FOODS 123", "groceries")
    rows.row(SAVINGS, "2025-03-03", 50_00, "TRANSFER FROM CHECKING", "savings")
    assert rows.pairs() == []


def test_a_refund_on_a_card_is_not_its_payment(rows: Statement) -> None:
    """A shop's credit on the card is no money from checking."""
    rows.row(CHECKING, "2025-03-03", -59_90, "TRATTORIA")
    rows.row(CARD, "2025-03-04", 59_90, "OUTFITTERS RETURN", "shopping")
    assert rows.pairs() == []


def test_a_refund_to_a_card_of_what_checking_paid_is_no_payment(rows: Statement) -> None:
    """The same shop on both sides is a purchase and its return, not money moved to the card."""
    rows.row(CHECKING, "2025-03-03", -59_90, "OUTFITTERS 12")
    rows.row(CARD, "2025-03-04", 59_90, "OUTFITTERS 12")
    assert rows.pairs() == []


def test_pay_is_not_paired_by_an_equal_transfer(rows: Statement) -> None:
    """An inflow known as pay needs more than an equal outflow that says transfer."""
    rows.row(CHECKING, "2025-03-03", -1000_00, "TRANSFER TO SAVINGS", "savings")
    rows.row(JOINT, "2025-03-04", 1000_00, "ACME GMBH GEHALT", "wages")
    assert rows.pairs() == []


def test_another_accounts_number_rules_a_pair_out(rows: Statement) -> None:
    """A transfer that names the joint account did not go to savings."""
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER TO XXXX6666")
    rows.row(SAVINGS, "2025-03-03", 500_00, "TRANSFER")
    assert rows.pairs() == []


def test_the_number_of_an_account_decides_between_two(rows: Statement) -> None:
    """Of two savings accounts, the named one received the money."""
    out = rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER TO ...8888")
    rows.row(SAVINGS, "2025-03-03", 500_00, "DEPOSIT")
    into = rows.row(SECOND, "2025-03-04", 500_00, "DEPOSIT")
    assert rows.pairs() == [(out, into)]


def test_what_nothing_tells_apart_is_left_alone(rows: Statement) -> None:
    """One transfer out and two equal arrivals on different accounts: nobody knows which."""
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    rows.row(SAVINGS, "2025-03-03", 500_00, "TRANSFER")
    rows.row(SECOND, "2025-03-03", 500_00, "TRANSFER")
    assert rows.pairs() == []


def test_what_makes_no_difference_is_paired() -> None:
    """Two equal transfers to two accounts are paired either way; so are two on one day to one."""
    rows = Statement()
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    rows.row(SAVINGS, "2025-03-03", 500_00, "TRANSFER")
    rows.row(SECOND, "2025-03-03", 500_00, "TRANSFER")
    assert rows.pairs() == [(1, 3), (2, 4)]
    rows = Statement()
    for _ in range(2):
        rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
        rows.row(SAVINGS, "2025-03-03", 500_00, "TRANSFER")
    assert rows.pairs() == [(1, 2), (3, 4)]


def test_the_nearest_in_time_are_paired(rows: Statement) -> None:
    """Weekly transfers of one amount meet their own arrivals."""
    expected = []
    for week in range(10):
        day = date(2025, 3, 3) + timedelta(3 * week)
        expected.append(
            (
                rows.row(CHECKING, day, -50_00, "TRANSFER"),
                rows.row(SAVINGS, day + timedelta(1), 50_00, "TRANSFER"),
            )
        )
    assert rows.pairs() == expected


@pytest.mark.parametrize(
    ("left", "arrived", "paired"),
    [
        ("2025-03-03", "2025-03-07", True),
        ("2025-03-03", "2025-03-08", False),
        ("2025-03-03", "2025-03-02", True),
        ("2025-03-03", "2025-03-01", False),
        ("2025-02-27", "2025-03-03", True),
    ],
)
def test_four_days_are_the_most(rows: Statement, left: str, arrived: str, paired: object) -> None:
    """An arrival lies from one day before the departure to four days after it."""
    rows.row(CHECKING, left, -500_00, "TRANSFER")
    rows.row(SAVINGS, arrived, 500_00, "TRANSFER")
    assert bool(rows.pairs()) is paired


def test_the_same_number_in_another_currency_is_another_amount(rows: Statement) -> None:
    """Between two currencies an equal number is no evidence, as it is within one."""
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    rows.row(ABROAD, "2025-03-03", 500_00, "VIREMENT")
    assert rows.pairs() == []


def test_one_account_is_not_paired_with_itself(rows: Statement) -> None:
    """A reversed transfer on one account is no movement between two."""
    rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    rows.row(CHECKING, "2025-03-03", 500_00, "TRANSFER REVERSAL")
    assert rows.pairs() == []


def test_a_rejected_pair_never_comes_again(rows: Statement) -> None:
    """What the person parted stays parted, and the rows may meet others."""
    out = rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER")
    wrong = rows.row(SAVINGS, "2025-03-03", 500_00, "TRANSFER")
    assert rows.pairs() == [(out, wrong)]
    assert rows.pairs(rejected={(out, wrong)}) == []
    right = rows.row(SECOND, "2025-03-04", 500_00, "TRANSFER")
    assert rows.pairs(rejected={(out, wrong)}) == [(out, right)]


def test_a_fee_on_the_way_is_allowed_where_both_say_transfer() -> None:
    """Up to 3 % may be lost, to nobody's advantage, and only between the only two."""
    rows = Statement()
    out = rows.row(CHECKING, "2025-03-03", -500_00, "WIRE TRANSFER")
    into = rows.row(BROKERAGE, "2025-03-04", 485_00, "INCOMING TRANSFER")
    assert rows.pairs() == [(out, into)]
    rows.row(BROKERAGE, "2025-03-05", 490_00, "INCOMING TRANSFER")
    assert rows.pairs() == []
    for amount, raw in ((484_99, "TRANSFER"), (500_01, "TRANSFER"), (490_00, "DEPOSIT")):
        rows = Statement()
        rows.row(CHECKING, "2025-03-03", -500_00, "TRANSFER OUT")
        rows.row(BROKERAGE, "2025-03-04", amount, raw)
        assert rows.pairs() == []


@pytest.mark.parametrize(
    ("sent", "arrived", "paired"),
    [
        (300_00, 255_00, True),
        (300_00, 254_99, False),
        (900_00, 850_00, True),
        (900_00, 849_99, False),
    ],
)
def test_a_wire_may_lose_more(rows: Statement, sent: int, arrived: int, paired: bool) -> None:
    """Where a text says wire or fee, up to 15 % and 50 units may be lost; elsewhere 3 %."""
    out = rows.row(CHECKING, "2025-03-03", -sent, "WIRE TRANSFER OUT")
    into = rows.row(SAVINGS, "2025-03-04", arrived, "INCOMING TRANSFER")
    assert rows.pairs() == ([(out, into)] if paired else [])

    unsaid = Statement()
    unsaid.row(CHECKING, "2025-03-03", -sent, "TRANSFER OUT")
    unsaid.row(SAVINGS, "2025-03-04", arrived, "INCOMING TRANSFER")
    assert unsaid.pairs() == []


def test_a_fee_needs_no_word_where_a_row_names_the_other_account(rows: Statement) -> None:
    """What is judged as pay by its rhythm is paired where texts tie it, and real pay is not."""
    out = rows.row(CHECKING, "2025-03-03", -1015_00, "INTERNATIONAL PAYMENT TO CHASE 8888")
    into = rows.row(SECOND, "2025-03-04", 1000_00, "INWARD PAYMENT FROM 1111", "wages")
    assert rows.pairs() == [(out, into)]

    pay = Statement()
    pay.row(CHECKING, "2025-03-03", -1015_00, "SOFIA ROSSI BANQUE")
    pay.row(SECOND, "2025-03-04", 1000_00, "PAYROLL SOFIA ROSSI", "wages")
    assert pay.pairs() == []


def test_the_same_fee_again_and_again_needs_one_tie(rows: Statement) -> None:
    """Both texts hold one name: once that is a question, three times it is a standing order."""
    pairs = []
    for month in range(1, 4):
        day = f"2025-0{month}-03"
        out = rows.row(CHECKING, day, -600_00, "ORDER SOFIA ROSSI", payee=1)
        into = rows.row(JOINT, day, 597_00, "SOFIA ROSSI ORDER", payee=2)
        pairs.append((out, into))
        assert rows.pairs() == (pairs if month == 3 else [])
    assert rows.pairs(pairs_made={PayeePair(1, 2, -600_00, 597_00): 2}) == pairs


WALLET_ROWS = [
    (
        -25_00,
        "PAYPAL EUROPE S.A.R.L. 1012345678901 PP.1111.PP . SHOP",
        "BANKGUTSCHRIFT AUF PAYPAL-KONTO",
    ),
    (-25_00, "PAYPAL *SHOP", "Bank Deposit to PP Account"),
    (-25_00, "PAYPAL EUROPE 1012345678901 SHOP", "KREDITKARTE 1012345678901"),
    (25_00, "PAYPAL EUROPE ABBUCHUNG VOM PAYPAL-KONTO", "Von Nutzer eingeleitete Abbuchung"),
    (25_00, "PAYPAL TRANSFER", "User Initiated Withdrawal"),
]


ELSEWHERE = 9

RENTS = [
    ("STO J MILLER RENT", "uncategorized"), ("J MILLER", "uncategorized"),
    ("FASTER PAYMENT TO J MILLER", "uncategorized"), ("SO J MILLER FLAT 4", "uncategorized"),
    ("STANDING ORDER OAK LETTINGS", "rent"), ("DAUERAUFTRAG MIETE MEIER", "uncategorized"),
    ("TRANSFER TO J MILLER", "uncategorized"),
]  # fmt: skip
HELP = [
    "FASTER PAYMENT FROM MRS A SHAW", "MUM HELP", "TRANSFER FROM A SHAW", "FPI A SHAW RENT HELP",
    "UEBERWEISUNG ANNA SHAW", "GUTSCHRIFT ANNA SHAW", "A SHAW FERNBANK", "BANK TRANSFER MUM",
]  # fmt: skip


@pytest.mark.parametrize("fee", [0, 10_00])
@pytest.mark.parametrize(("rent", "category"), RENTS)
@pytest.mark.parametrize("help_", HELP)
def test_help_on_the_day_of_the_rent_is_no_transfer(
    rows: Statement, rent: str, category: str, help_: str, fee: int
) -> None:
    """A relative sends the rent to one account when the landlord is paid from another: never a pair."""
    accounts = {**ACCOUNTS, ELSEWHERE: account("depository", "checking", "9191", "Fernbank")}
    for month in range(1, 13):
        day = date(2025, month, 3)
        rows.row(CHECKING, day, -650_00, rent, category, payee=1)
        rows.row(ELSEWHERE, day, 650_00 - fee, help_, payee=2)
    assert find_pairs(rows.legs, accounts) == []


UNNAMED_ROWS = [row for row in WALLET_ROWS if "KREDITKARTE" not in row[2]]


@pytest.mark.parametrize(("amount", "bank", "paypal"), UNNAMED_ROWS)
def test_paypals_words_need_no_name(rows: Statement, amount: int, bank: str, paypal: str) -> None:
    """An account that is named after its file is known for PayPal's by what its statement calls rows."""
    one = rows.row(CHECKING, "2025-03-10", amount, bank, "shopping")
    other = rows.row(JOINT, "2025-03-09", -amount, paypal, "uncategorized")
    rows.row(SECOND, "2025-03-09", -amount, "PAYPAL *SHOP", "shopping")
    assert rows.pairs() == [(one, other) if amount < 0 else (other, one)]


@pytest.mark.parametrize(("amount", "bank", "paypal"), WALLET_ROWS)
@pytest.mark.parametrize("late", [-4, -1, 0, 3])
def test_a_wallet_is_funded_by_the_banks_row(
    rows: Statement, amount: int, bank: str, paypal: str, late: int
) -> None:
    """What a payment service takes from a bank or sends there is a movement, whatever shop it names."""
    accounts = {**ACCOUNTS, 9: account("depository", "paypal", None, "PayPal", name="PayPal")}
    day = date(2025, 3, 10)
    one = rows.row(CHECKING, day, amount, bank, "shopping")
    other = rows.row(9, day + timedelta(late), -amount, paypal, "uncategorized")
    rows.row(9, day + timedelta(late), -25_00, "SHOP", "shopping")
    expected = (one, other) if amount < 0 else (other, one)
    assert [(pair.out, pair.into) for pair in find_pairs(rows.legs, accounts)] == [expected]


def test_a_refund_at_a_wallet_is_not_funded_by_a_bank(rows: Statement) -> None:
    """A shop's credit on the service's own statement is no movement, though a purchase was as large."""
    accounts = {**ACCOUNTS, 9: account("depository", "paypal", None, "PayPal", name="PayPal")}
    rows.row(CHECKING, "2025-03-10", -25_00, "PAYPAL *SHOP", "shopping")
    rows.row(9, "2025-03-11", 25_00, "SHOP REFUND", "shopping")
    assert find_pairs(rows.legs, accounts) == []


def test_what_the_person_says_is_a_transfer_is_paired_with_its_twin() -> None:
    """A rule of the person's pairs both legs, unless the other row says or is said to be something."""
    for twin, filed, raw, expected in (
        ("unknown_inflow", False, "77 QX", True),
        ("wages", False, "77 QX", True),
        ("wages", True, "77 QX", False),
        ("wages", False, "PAYROLL 77", False),
        ("transfer", True, "77 QX", True),
    ):
        rows = Statement()
        out = rows.row(CHECKING, "2025-03-03", -730_00, "REF 88123 LM", "transfer", filed=True)
        into = rows.row(JOINT, "2025-03-04", 730_00, raw, twin, filed=filed)
        assert rows.pairs() == ([(out, into)] if expected else [])


def test_a_row_that_names_the_bank_it_comes_from_is_paired(rows: Statement) -> None:
    """Either text may name the other account's bank; one that says rent or pay is no transfer."""
    out = rows.row(SECOND, "2025-03-03", -730_00, "REF 88123 LM")
    into = rows.row(ELSEWHERE, "2025-03-04", 730_00, "FROM LARKMOOR 77")
    accounts = {**ACCOUNTS, ELSEWHERE: account("depository", "checking", "9191", "Fernbank")}
    assert [(pair.out, pair.into) for pair in find_pairs(rows.legs, accounts)] == [(out, into)]

    pay = Statement()
    pay.row(SECOND, "2025-03-03", -730_00, "REF 88123 LM")
    pay.row(ELSEWHERE, "2025-03-04", 730_00, "SALARY LARKMOOR 77")
    assert find_pairs(pay.legs, accounts) == []


def test_a_cash_advance_is_a_transfer_only_by_its_own_words(rows: Statement) -> None:
    """Money out of a card is a purchase unless the card's row says transfer."""
    out = rows.row(CARD, "2025-03-03", -700_00, "BALANCE TRANSFER TO CHECKING")
    into = rows.row(CHECKING, "2025-03-05", 700_00, "DEPOSIT")
    assert rows.pairs() == [(out, into)]


def test_a_loan_payment_meets_only_loans(rows: Statement) -> None:
    """A mortgage payment does not arrive on savings."""
    rows.row(CHECKING, "2025-03-03", -900_00, "HOME LOAN PAYMENT", "mortgage")
    rows.row(SAVINGS, "2025-03-04", 900_00, "TRANSFER")
    assert rows.pairs() == []


class TestLoans:
    """What a loan is paid: its schedule is spending, what goes beyond it is not."""

    def payments(self, *paid: tuple[str, int], raw: str = "DRIVEWELL AUTO LOAN") -> Statement:
        rows = Statement()
        for day, amount in paid:
            rows.row(CHECKING, day, -amount, raw, "loan_payment")
            rows.row(LOAN, day, amount, "PAYMENT RECEIVED")
        return rows

    def spends(self, rows: Statement, **given: object) -> list[bool]:
        return [pair.spends for pair in find_pairs(rows.legs, ACCOUNTS, **given)]  # type: ignore[arg-type]

    def test_the_scheduled_payment_is_spending(self) -> None:
        """One payment a month is the schedule, whatever it is."""
        rows = self.payments(("2025-01-05", 300_00), ("2025-02-05", 300_00), ("2025-03-05", 320_00))
        assert self.spends(rows) == [True, True, True]

    def test_what_goes_beyond_it_is_not(self) -> None:
        """A second, other payment in a month that has the scheduled one is extra principal."""
        rows = self.payments(
            ("2025-01-05", 300_00), ("2025-02-03", 1000_00), ("2025-02-05", 300_00)
        )
        assert self.spends(rows) == [True, False, True]

    def test_half_payments_are_the_schedule(self) -> None:
        """A loan paid twice a month is paid on schedule."""
        rows = self.payments(("2025-01-05", 150_00), ("2025-01-20", 150_00))
        assert self.spends(rows) == [True, True]

    def test_what_is_called_extra_is_extra(self) -> None:
        """The bank's word counts, in a month of its own too."""
        rows = self.payments(("2025-01-05", 300_00), raw="DRIVEWELL EXTRA PRINCIPAL")
        assert self.spends(rows) == [False]

    def test_earlier_payments_are_remembered(self) -> None:
        """A payment that was paired before makes the newly arrived one extra."""
        rows = self.payments(("2025-02-20", 500_00))
        earlier = {LOAN: [LoanPayment(20250105, 300_00), LoanPayment(20250205, 300_00)]}
        assert self.spends(rows) == [True]
        assert self.spends(rows, earlier=earlier) == [False]

    def test_a_loan_paid_out_is_no_spending(self, rows: Statement) -> None:
        """Money from a loan to checking is a pair that spends nothing."""
        rows.row(LOAN, "2025-03-03", -9000_00, "DISBURSEMENT TRANSFER")
        rows.row(CHECKING, "2025-03-04", 9000_00, "DRIVEWELL LOAN PROCEEDS")
        assert self.spends(rows) == [False]


@pytest.mark.parametrize("paid_in", ["BARGELDEINZAHLUNG", "CHEQUE PAID IN", "VERSEMENT ESPECES"])
def test_cash_paid_in_is_no_transfer(rows: Statement, paid_in: str) -> None:
    """Money sent to somebody does not come back over the counter."""
    rows.row(CHECKING, "2025-03-03", -250_00, "UEBERWEISUNG DANIEL WEBER")
    rows.row(SAVINGS, "2025-03-04", 250_00, paid_in)
    assert rows.pairs() == []


def test_money_for_investments_does_not_arrive_elsewhere(rows: Statement) -> None:
    """A transfer to a brokerage that is not linked is not what a friend paid in."""
    rows.row(CHECKING, "2025-03-03", -250_00, "TRANSFER TO BROKERAGE 22915495")
    rows.row(SAVINGS, "2025-03-04", 250_00, "GUTSCHRIFT JANE DOE")
    out = rows.row(CHECKING, "2025-05-03", -250_00, "TRANSFER TO BROKERAGE 22915496")
    into = rows.row(BROKERAGE, "2025-05-04", 250_00, "FUNDS RECEIVED")
    assert rows.pairs() == [(out, into)]


def test_one_reference_number_tells_even_with_a_fee(rows: Statement) -> None:
    """Both rows hold the number of one order, so one word for it is enough."""
    out = rows.row(CHECKING, "2025-03-03", -1000_00, "INTERNATIONAL PAYMENT 2337313354")
    into = rows.row(SAVINGS, "2025-03-05", 990_00, "INWARD TRANSFER 2337313354")
    rows.row(CHECKING, "2025-05-03", -1000_00, "INTERNATIONAL PAYMENT 2337313355")
    rows.row(SAVINGS, "2025-05-05", 990_00, "INWARD TRANSFER 2337313356")
    assert rows.pairs() == [(out, into)]


def test_a_returned_purchase_is_no_payment_to_the_card(rows: Statement) -> None:
    """Bought with one card and returned to another: the text is the same, and no payment."""
    rows.row(CHECKING, "2025-03-03", -59_90, "CARD PAYMENT TO OUTFITTERS ON 03-03-2025")
    rows.row(CARD, "2025-03-04", 59_90, "CARD PAYMENT TO OUTFITTERS ON 03-03-2025")
    assert rows.pairs() == []


@pytest.mark.parametrize(
    "raw",
    [
        TO_SAVINGS,
        "INTERNET XFER 8831",
        "Umbuchung auf Tagesgeld",
        "VIREMENT VERS LIVRET A",
        "ÜBERWEISUNG",
        "from savings",
        "e-Transfer sent",
    ],
)
def test_transfer_words_are_read_in_many_languages(raw: str) -> None:
    """A bank's word for a transfer is one wherever it stands."""
    assert evidence_of(raw).transfer


@pytest.mark.parametrize("raw", ["TRANSFERWISE", "SHOP 12", "XFERRIS WHEEL", "", "VIRGINIA INN"])
def test_words_that_only_look_like_transfers_are_none(raw: str) -> None:
    """A part of a word is not the word."""
    assert not evidence_of(raw).transfer


@pytest.mark.parametrize(
    "raw", ["AUTOPAY 123", "PAYMENT - THANK YOU", "EPAY CRCARDPMT", "CARD PYMT"]
)
def test_payment_words_are_no_transfer_words(raw: str) -> None:
    """A payment may be anybody's; only cards and loans make it a movement."""
    text = evidence_of(raw)
    assert text.payment
    assert not text.transfer


def test_deposits_and_withdrawals_are_words_of_the_cash_desk() -> None:
    """What a savings bank writes for money that comes or goes is no transfer word."""
    text = evidence_of("WITHDRAWAL 12")
    assert text.cash_desk
    assert not text.transfer
    assert not evidence_of("SHOP").cash_desk


def test_services_between_people_are_known() -> None:
    """A transfer on such a service goes to a person."""
    assert evidence_of("ZELLE TRANSFER FROM JOHN").person
    assert not evidence_of("TRANSFER FROM JOHN").person


@pytest.mark.parametrize(
    ("raw", "endings"),
    [
        ("TO XXXX1234", {"1234"}),
        ("to ...1234 from *5678", {"1234", "5678"}),
        ("CARD ENDING 1234", {"1234"}),
        ("REF 88121234", set()),
        ("INV1234", set()),
        ("12345", set()),
    ],
)
def test_endings_are_four_digits_alone_or_behind_a_mask(raw: str, endings: set[str]) -> None:
    """The last digits of a longer number are no account's."""
    assert evidence_of(raw).endings == endings


def test_an_account_is_named_by_its_number_or_its_bank() -> None:
    """Numbers and institutions are told apart, and an account without a number is never named."""
    text = evidence_of("LARKMOOR CARD AUTOPAY 231120 XXXX1234")
    held = LedgerAccount("a", "c", "Larkmoor Bank", "A", "1234", "credit", None, "USD", 0)
    other = LedgerAccount("b", "c", "Chase", "B", None, "credit", None, "USD", 0)
    assert names_number(text, held)
    assert names_bank(text, held)
    assert not names_number(text, other)
    assert not names_bank(text, other)


@pytest.mark.parametrize(
    "raw", ["EXTRA PRINCIPAL", "ADDL PRIN PMT", "PRINCIPAL ONLY", "Sondertilgung"]
)
def test_a_payment_beyond_the_schedule_is_called_so(raw: str) -> None:
    """Banks say when a payment is principal alone."""
    assert beyond_schedule(raw)
    assert not beyond_schedule("PRINCIPAL AND INTEREST PAYMENT")


@pytest.mark.parametrize(
    "raw",
    [
        "CARD PAYMENT TO CORNER SHOP ON 10-11-2025",
        "PAIEMENT CB LIBRAIRIE PARIS",
        "PAGO CON TARJETA FARMACIA",
    ],
)
def test_a_purchase_by_card_is_no_payment_of_the_card(raw: str) -> None:
    """Some banks call what a card buys a payment too."""
    assert not evidence_of(raw).payment


@pytest.mark.parametrize(
    "raw", ["CHEQUE PAID IN", "BARGELDEINZAHLUNG", "VERSEMENT ESPECES", "MOBILE CHECK DEPOSIT"]
)
def test_cash_and_cheques_are_paper(raw: str) -> None:
    """What is paid in at a counter did not come by transfer."""
    assert evidence_of(raw).paper
    assert not evidence_of("TRANSFER TO CHECKING").paper


def test_only_long_numbers_are_references() -> None:
    """A day or a shop's number is shared by strangers; a number of nine digits is an order's."""
    text = evidence_of("WIRE 2337313354 ON 20260103 STORE 4471")
    assert text.references == {"2337313354"}
    assert text.endings == {"4471"}


def account_of_kind(
    kind: AccountKind, subtype: str | None = None, *, currency: str = "USD", hidden: bool = False
) -> LedgerAccount:
    """An account of a kind and subtype."""
    return LedgerAccount(
        "acc_1", "con_1", "Bank", "Account", None, kind, subtype, currency, 0, hidden=hidden
    )


@pytest.mark.parametrize(
    ("kind", "subtype", "role", "counts"),
    [
        ("depository", "checking", "cash", True),
        ("depository", None, "cash", True),
        ("depository", "money market", "cash", True),
        ("depository", "HSA", "investment", False),
        ("depository", "fsa", "investment", False),
        ("depository", "529", "investment", False),
        ("depository", "CD", "investment", False),
        ("credit", "credit card", "debt", True),
        ("loan", "mortgage", "debt", False),
        ("investment", "401k", "investment", False),
        ("other", "Real Estate", "investment", False),
        ("other", "vehicle", "investment", False),
        ("other", None, "none", False),
    ],
)
def test_a_role_follows_from_kind_and_subtype(
    kind: AccountKind, subtype: str | None, role: Role, counts: object
) -> None:
    """Only cash and cards count; what is set aside is an investment, whatever the bank calls it."""
    assert role_of(account_of_kind(kind, subtype), "USD") == role
    assert counts_in_totals(account_of_kind(kind, subtype), "USD") is counts


def test_a_foreign_currency_has_no_role_and_counts_nowhere() -> None:
    """Another currency is left out of totals, though its nature is known."""
    abroad = account_of_kind("depository", "checking", currency="EUR")
    assert role_of(abroad, "USD") == "none"
    assert nature_of(abroad) == "cash"
    assert not counts_in_totals(abroad, "USD")
    assert counts_in_totals(abroad, "EUR")


def test_a_hidden_account_keeps_its_role_and_counts_nowhere() -> None:
    """Hiding takes an account's rows out of totals."""
    assert role_of(account_of_kind("credit", hidden=True), "USD") == "debt"
    assert not counts_in_totals(account_of_kind("credit", hidden=True), "USD")


@pytest.mark.parametrize(
    ("kind", "subtype", "savings"),
    [
        ("depository", "savings", True),
        ("depository", "MONEYMRKT", True),
        ("depository", "money_market", True),
        ("depository", "checking", False),
        ("depository", "cd", False),
        ("investment", "savings", False),
    ],
)
def test_which_accounts_are_savings(kind: AccountKind, subtype: str, savings: object) -> None:
    """Money on a bank's savings or money market account is put aside."""
    assert is_savings_type(account_of_kind(kind, subtype)) is savings
