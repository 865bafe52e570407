"""What banks call their bookings in a column of types, and which way the money of each kind goes."""

from functools import lru_cache

from finplan.statements.table.words import words_of

_SPENT = """
    purchase|purchases|card purchase|debit card purchase|debit purchase|pos purchase|pos debit
    |purchase fee|cash advance|cash advance fee|interest charge|interest charged|finance charge
    |fee|fees|bank fee|bank fees|service fee|service charge|account fee|monthly fee|annual fee
    |late fee|atm fee|foreign transaction fee|overdraft fee|withdrawal|withdrawals|withdraw
    |cash withdrawal|atm withdrawal
    |kauf|einkauf|abhebung|bargeldabhebung|bargeldauszahlung|gebuhr|gebuhren|gebuehr|entgelt
    |entgelte|achat|achats|retrait|retraits|retrait dab|frais|compra|compras|retiro|retiros
    |retirada|comision|comisiones|levantamento|saque|tarifa|comissao|acquisto|acquisti|prelievo
    |prelievi|prelievo bancomat|commissione|commissioni|aankoop|opname|geldopname|kop
    |uttag|kontantuttag|avgift|kjop|varekjop|uttak|gebyr|kob|hævning|kontanthævning|osto
    |ostot|kortosto|korttiosto|nosto|kateisnosto|palvelumaksu|zakup|zakupy|wyplata|wyplata z bankomatu
    |wyplata gotowki|oplata|prowizja|nakup|nakupy|vyber|vyber hotovosti|vyber z bankomatu|poplatek
    |poplatky|vasarlas|kartyas vasarlas|keszpenzfelvetel|dij|cumparare|cumparatura|retragere
    |retragere numerar|comision|kupnja|kupovina|podizanje gotovine|naknada|dvig|dvig gotovine
    |provizija|ost|sularaha valjavotmine|pirkums|skaidras naudas iznemsana|komisija|pirkimas|pirkinys
    |grynuju isemimas|komisinis mokestis|alışveriş|para cekme|ucret|komisyon|покупка|снятие наличных
    |снятие|комиссия|купівля|зняття готівки|комісія|αγορα|αναληψη|προμηθεια|ショッピング|消费|消費
    |取款|手续费|手續費"""
"""A purchase, a fee or cash: money goes out, whatever kind of account it is."""

_RETURNED = """
    refund|refunds|refunded|purchase refund|purchase return|merchandise return|ruckerstattung
    |rueckerstattung|erstattung|remboursement|reembolso|devolucion|devolucao|rimborso|terugbetaling
    |aterbetalning|tilbagebetaling|refusjon|tilbakebetaling|palautus|zwrot|vraceni platby|vratka
    |vratenie|visszaterites|rambursare|restituire|povrat|povrat novca|vracilo|tagastus|atmaksa
    |grazinimas|iade|возврат|повернення|επιστροφη|返金|返品|退款|退货|退貨|환불"""
_RECEIVED = f"""
    deposit|deposits|direct deposit|cash deposit|check deposit|cheque deposit|mobile deposit
    |atm deposit|interest earned|interest credit|salary|payroll|bareinzahlung|lohn gehalt
    |gehalt|depot|salaire|abono|nomina|stipendio|storting|salaris|insattning|lon|innskudd|lonn
    |talletus|palkka|wplata gotowki|wynagrodzenie|vklad hotovosti|mzda
    |keszpenzbefizetes|depunere|polog|para yatirma|{_RETURNED}"""
"""A deposit, a refund or pay: money comes in, whatever kind of account it is."""

_SALES = "sale|sales|charge|charges|vente|ventes|venta|ventas|vendita|vendite|verkoop|venda|vendas"
_SPENT_ON_CARD = f"""
    {_SALES}|interest|balance transfer fee|zinsen|sollzinsen
    |interets|intereses|juros|interessi|rente|ranta|renter|korko|odsetki
    |urok|uroky|kamat|dobanda|kamata|obresti|faiz"""
_RECEIVED_ON_CARD = """
    payment|payments|payment received|card payment received|autopay|automatic payment|online payment
    |mobile payment|return|returns|zahlung|paiement|paiements|pago|pagos|pagamento|pagamenti|betaling
    |betalning|inbetalning|innbetaling|indbetaling|platba|platnosc|splata|splatka|retour
    |maksu|suoritus|fizetes|befizetes|torlesztes|placilo|makse|maksajums|mokejimas|odeme
    |πληρωμη|платеж|платёж|платіж|погашение|погашення|还款|還款|入金"""
"""What goes one way on a card and the other, or either, elsewhere: a bank account's payments go out, a
shop's sales come in, interest is charged or earned."""


def _names(listed: str) -> frozenset[str]:
    return frozenset(" ".join(words_of(name)) for name in " ".join(listed.split()).split("|"))


_ANYWHERE = {1: _names(_RECEIVED), -1: _names(_SPENT)}
_ON_CARD = {1: _names(_RECEIVED_ON_CARD), -1: _names(_SPENT_ON_CARD)}
_REMEMBERED = 4096


_SOLD = _names(_SALES)
_BROUGHT_BACK = _names(_RETURNED)
_PAID_OFF = frozenset(name for name in _ON_CARD[1] if " " in name or not name.isascii()) | _names(
    "信用卡还款|自动还款|转账还款|信用卡還款|自動還款|轉賬還款"
)
_LONGEST_NAME = 3


def is_sale(kind: str) -> bool:
    """Say whether rows are called sales, which are spent on a card and earned in a shop's export."""
    return " ".join(words_of(kind)) in _SOLD


@lru_cache(_REMEMBERED)
def direction_of_kind(kind: str, *, is_card: bool) -> int:
    """Say which way rows go that a bank calls so: 1 in, -1 out, 0 where the name alone does not tell.

    `is_card` says that the account is known to be a credit card.
    """
    name = " ".join(words_of(kind))
    for known in (_ANYWHERE, _ON_CARD) if is_card else (_ANYWHERE,):
        for way, names in known.items():
            if name in names:
                return way
    return 0


@lru_cache(_REMEMBERED)
def comes_back(text: str, *, is_card: bool) -> bool:
    """Say whether a text begins with a bank's words for what comes in beside all that is spent.

    That is a refund, and on a card a payment of it; a single word for a payment may be of any.
    """
    words = words_of(text)
    beginnings = {" ".join(words[:length]) for length in range(1, _LONGEST_NAME + 1)}
    known = _BROUGHT_BACK | _PAID_OFF if is_card else _BROUGHT_BACK
    return not known.isdisjoint(beginnings)
