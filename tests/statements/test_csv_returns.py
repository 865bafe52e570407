"""What comes in beside all that was spent: refunds, and payments of what is called a card."""

import pytest

from tests.statements.reading_files import ReadFile
from tests.statements.test_csv_direction import question_of, table

RETURNS = (
    "REFUND HARBOR BOOKS",
    "Remboursement Librairie",
    "退货 海边书店",
    "Vratka, knihy",
    "返金",
)


@pytest.mark.parametrize("text", RETURNS)
def test_a_refund_comes_in_where_all_else_was_spent(read_file: ReadFile, text: str) -> None:
    """Who says that amounts without a sign were spent does not mean those that a text calls a refund."""
    content = table(f'"{text}",,3.00', "SHOP,,5.00", "Harbor refund desk,,2.00")

    assert read_file(content, direction="out", currency="USD").amounts == [300, -500, -200]
    assert read_file(content, direction="in", currency="USD").amounts == [300, 500, 200]
    out, came_in = question_of(read_file, content).choices
    assert out.sample == f"5.00 “SHOP” out; 3.00 “{text}” in"
    assert came_in.sample == "5.00 “SHOP” in"


def test_a_refund_among_signs_is_read_as_printed(read_file: ReadFile) -> None:
    """Where some amounts have a minus, an answer is about the signs, of which a refund has its own."""
    content = table("SHOP,,5.00", "REFUND,,-3.00", "MORE,,2.00")
    assert read_file(content, direction="out").amounts == [-500, 300, -200]


@pytest.mark.parametrize(
    ("name", "amount"),
    [
        ("信用卡2026.csv", 300),
        ("Visa card.csv", 300),
        ("Konto.csv", -300),
        ("debit card.csv", -300),
    ],
)
@pytest.mark.parametrize(
    "text", ["信用卡还款 银行", "ONLINE PAYMENT 4471", "Card payment received"]
)
def test_a_payment_comes_in_on_what_is_called_a_card(
    read_file: ReadFile, name: str, amount: int, text: str
) -> None:
    """A bank account pays a card and a card is paid; a shop may have the single word in its name."""
    content = table("SHOP,,5.00", f"{text},,3.00", "PAYMENT PROTECTION LTD,,2.00")
    if "received" in text:
        amount = 300
    found = read_file(content, name=name, direction="out", currency="USD")
    assert found.amounts == [-500, amount, -200]
