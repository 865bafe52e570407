"""Which way money goes by the words of a row: a payment received comes in, a purchase goes out."""

from functools import lru_cache

from finplan.statements.table.words import words_of

_OUTWARD_TYPES = """fee|purchase|purchase fee|cash advance|interest charge|finance charge|kauf|einkauf
    |achat|compra|acquisto|aankoop|kop|kjop|kob|zakup|nakup"""
_PAID = """payment payments pymt pmt paiement paiements pago pagos pagamento pagamenti zahlung betaling
    betalning platba platnosc maksu maksusuoritus suoritus makse maksajums mokejimas imoka placilo uplata
    plata odeme odemeniz befizetes befizetese torlesztes πληρωμη платеж платёж платіж оплата плащане
    плаќање уплата תשלום pembayaran bayaran"""
_RECEIVED = """thank thanks received recu merci erhalten dank recibido recibida gracias recebido recebida
    obrigado ricevuto ricevuta grazie ontvangen bedankt mottatt mottagen tack takk tak modtaget prijata
    prijato dekujeme dakujeme otrzymano dziekujemy kiitos kiitamme vastaanotettu tanan tanname laekunud
    paldies sanemts aciu dekojame gauta gautas hvala primljena primljeno prejeto prejeta multumim primita
    tesekkurler tesekkur alindi koszonjuk jovairva ευχαριστουμε εληφθη спасибо получен получено
    благодарим дякуємо отримано благодариме התקבל תודה diterima kasih"""
_RECEIPTS = """zahlungseingang einzahlung innbetaling inbetalning indbetaling wplata ontvangst"""
_UNPARTED_PAID = """入金 支払 还款 還款 付款 缴款 繳款 결제대금 입금 납부 ชำระ thanhtoán"""
_UNPARTED_RECEIVED = """ありがとう 谢谢 感谢 謝謝 感謝 收到 감사 ขอบคุณ ได้รับ cảmơn đãnhận"""
"""The same in languages whose words no blank parts, or whose blanks part syllables."""

_OUTWARD = frozenset(" ".join(_OUTWARD_TYPES.split()).split("|"))
"""What a bank calls rows whose money goes out for everyone; to a shop, a sale comes in."""

_PAYMENT, _THANKS, _BOTH = (
    frozenset("".join(words_of(word)) for word in words.split())
    for words in (_PAID, _RECEIVED, _RECEIPTS)
)
"""Words for a payment, for its having been received, and for both at once."""

_PAYMENT_PARTS, _THANKS_PARTS = (
    tuple("".join(words_of(part)) for part in parts.split())
    for parts in (_UNPARTED_PAID, _UNPARTED_RECEIVED)
)

_COLLECTED = ("lastschrift", "prelevement", "kartenzahlung", "kortbetalning", "korttiosto")
_CREDITED = ("gutschr", "virementrecu", "zahlungseingang")
_DIVIDEND, _OF_A_DIVIDEND = "dividend", ("tax", "steuer", "impot", "impuesto", "impost", "reinv")
_RETURNED = ("ruck", "rueck", "retour", "storn", "rejet")
"""Parts of words for what is debited, what is credited, dividends but not their taxes, and what is taken
back."""

_REMEMBERED = 4096


@lru_cache(_REMEMBERED)
def spoken_direction(kind: str, text: str) -> int:
    """Say which way a row's words say that money goes: 1 in, -1 out, 0 when they do not.

    `kind` is what the bank calls the row.
    """
    kinds = words_of(kind)
    if " ".join(kinds) in _OUTWARD:
        return -1
    said = [*kinds, *words_of(text)]
    words = set(said)
    if words & _BOTH or (words & _PAYMENT and words & _THANKS) or _thanks_unparted("".join(said)):
        return 1
    whole = " ".join(words)
    if any(part in whole for part in _RETURNED):
        return 0
    is_dividend = _DIVIDEND in whole and not any(part in whole for part in _OF_A_DIVIDEND)
    credited = is_dividend or any(part in whole for part in _CREDITED)
    return credited - any(part in whole for part in _COLLECTED)


def _thanks_unparted(whole: str) -> bool:
    return any(part in whole for part in _PAYMENT_PARTS) and any(
        part in whole for part in _THANKS_PARTS
    )
