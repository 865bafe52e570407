"""Which way the words of a row say that money goes, in the languages of banks."""

import pytest

from finplan.statements.table.row_words import spoken_direction

RECEIVED = [
    "PAYMENT RECEIVED - THANK YOU", "Online payment, thank you", "PAIEMENT RECU MERCI", "PAGO RECIBIDO",
    "Pagamento recebido", "ZAHLUNG ERHALTEN DANKE", "Zahlungseingang", "PLATBA PŘIJATA DĚKUJEME",
    "Platba prijatá - ďakujeme", "KÖSZÖNJÜK A BEFIZETÉST, BEFIZETÉS JÓVÁÍRVA", "MAKSE LAEKUNUD - TÄNAME",
    "MAKSĀJUMS SAŅEMTS", "MOKĖJIMAS GAUTAS", "PLAČILO PREJETO", "UPLATA PRIMLJENA", "ÖDEMENİZ ALINDI",
    "ΠΛΗΡΩΜΗ ΕΛΗΦΘΗ", "ПЛАТЁЖ ПОЛУЧЕН", "ПЛАТІЖ ОТРИМАНО", "ПОЛУЧЕНО ПЛАЩАНЕ",
    "ご入金ありがとうございました",
    "お支払いありがとうございました 支払", "收到还款", "您的付款已收到 谢谢", "결제대금 입금 감사합니다",
    "ได้รับชำระเงินแล้ว", "ชำระแล้ว ขอบคุณ", "PEMBAYARAN DITERIMA", "ĐÃ NHẬN THANH TOÁN", "תשלום התקבל",
]  # fmt: skip
SILENT = [
    "THANK YOU CAFE", "PAYMENT 4711", "ありがとう食堂", "入金", "谢谢茶楼", "付款", "ชำระเงิน", "ขอบคุณ",
    "감사 식당", "입금", "CAM ON", "THANH TOAN", "Obrigado Bar", "",
]  # fmt: skip


@pytest.mark.parametrize("text", RECEIVED)
def test_a_payment_that_was_received_comes_in(text: str) -> None:
    """Words for a payment beside words for thanks or receipt mean money in; capitals do not matter."""
    assert (spoken_direction("", text), spoken_direction(text.lower(), "")) == (1, 1)


@pytest.mark.parametrize("text", SILENT)
def test_either_word_alone_says_nothing(text: str) -> None:
    """A shop may be called by a word of thanks, and anybody may be paid."""
    assert spoken_direction("", text) == 0


@pytest.mark.parametrize(
    ("kind", "text", "direction"),
    [
        ("Purchase", "SHOP", -1),
        ("Kauf", "GUTSCHRIFT", -1),
        ("", "SEPA-Lastschrift Strom", -1),
        ("Gutschrift", "LOHN", 1),
        ("DIV", "ORDINARY DIVIDEND~CSKO", 1),
        ("", "Dividende Siemens AG", 1),
        ("", "Dividend tax", 0),
        ("Reinvestment", "DIVIDEND VTI", 0),
        ("Rücklastschrift", "STROM", 0),
        ("", "Storno Gutschrift", 0),
        ("Retour", "PRELEVEMENT", 0),
    ],
)
def test_what_a_bank_calls_a_row(kind: str, text: str, direction: int) -> None:
    """A purchase and a debit go out, a credit comes in; what was taken back says neither."""
    assert spoken_direction(kind, text) == direction
