"""Which way money goes by the words of a row: a payment received comes in, a purchase goes out."""

from functools import lru_cache

from finplan.statements.table.words import words_of

_OUTWARD_TYPES = """fee|purchase|purchase fee|cash advance|interest charge|finance charge|kauf|einkauf
    |achat|compra|acquisto|aankoop|kop|kjop|kob|zakup|nakup"""
_PAID = """payment payments pymt pmt paiement paiements pago pagos pagamento pagamenti zahlung betaling
    betalning platba platnosc maksu"""
_RECEIVED = """thank thanks received recu merci erhalten dank recibido recibida gracias recebido recebida
    obrigado ricevuto ricevuta grazie ontvangen bedankt mottatt mottagen tack takk tak modtaget prijata
    prijato dekujeme otrzymano dziekujemy kiitos"""
_RECEIPTS = """zahlungseingang einzahlung innbetaling inbetalning indbetaling wplata ontvangst"""
_OUTWARD = frozenset(" ".join(_OUTWARD_TYPES.split()).split("|"))
"""What a bank calls rows whose money goes out for everyone; to a shop, a sale comes in."""

_PAYMENT, _THANKS, _BOTH = (frozenset(words.split()) for words in (_PAID, _RECEIVED, _RECEIPTS))
"""Words for a payment, for its having been received, and for both at once."""

_COLLECTED = ("lastschrift", "prelevement", "kartenzahlung", "kortbetalning", "korttiosto")
_CREDITED = ("gutschr", "virementrecu", "zahlungseingang")
_RETURNED = ("ruck", "rueck", "retour", "storn", "rejet")
"""Parts of words for what is debited, what is credited, and what is taken back."""

_REMEMBERED = 4096


@lru_cache(_REMEMBERED)
def spoken_direction(kind: str, text: str) -> int:
    """Say which way a row's words say that money goes: 1 in, -1 out, 0 when they do not.

    `kind` is what the bank calls the row.
    """
    kinds = words_of(kind)
    if " ".join(kinds) in _OUTWARD:
        return -1
    words = {*kinds, *words_of(text)}
    if words & _BOTH or (words & _PAYMENT and words & _THANKS):
        return 1
    whole = " ".join(words)
    if any(part in whole for part in _RETURNED):
        return 0
    credited = any(part in whole for part in _CREDITED)
    return credited - any(part in whole for part in _COLLECTED)
