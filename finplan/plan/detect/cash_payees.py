"""Payees that are cash by their words: withdrawals come again, and nobody bills them.

What a bank writes for cash is in no category where the shipped data does not know it, so the words
decide here, whatever the category. A word for a machine says enough by itself; one for cash or for
taking it out only where the payee has no other name: "Cash Converters" is a shop.
"""

from functools import lru_cache

from finplan.categorise.tokens import tokens_of
from finplan.plan.ledger.ledger import LedgerPayee

_MACHINES = """
atm atms abm cashpoint cashpoints cashmachine geldautomat geldautomaten bankautomat bargeldautomat
geldmaat geldautomaat bankomat bankomatu bankomatem bankomata bankomaten minibank
haeveautomat pankkiautomaatti notemachine
"""
_CASH = """
cash bargeld bargeldauszahlung bargeldabhebung bargeldbezug barauszahlung barabhebung barbezug especes
liquide liquides efectivo contanti contante dinheiro numerario hotovost hotovosti hotove gotowka gotowki
gotovina gotovine kontant kontanter kontanten kontantuttag kontanthaevning kontanthevning kateinen
kateisnosto kasuttag keszpenz keszpenzfelvetel numerar nakit
"""
_TAKEN = """
withdrawal withdrawals withdraw withdrawn withdrwl withdrawl wd wdl wdrl wthdrwl wdraw retrait retraits
retiro retiros retirada retiradas reintegro reintegros disposicion prelievo prelievi prelevamento saque
saques levantamento levantamentos opname geldopname geldopnames uttag uttak haevning hevning nosto vyber
vybery vyplata wyplata wyplaty podizanje isplata felvetel keszpenzfelvet retragere cekme auszahlung
abhebung abhebungen geldabhebung
"""
_BESIDE = """
a al am an at au aus aut automatique automatic bancomat bank banque banco branch by cajero card carte
carta cartao kartou kartu karty karta karte karten counter couloir credit kreditni dab de debit del della
des desk distributeur do du en from fra fran gab guichet i in kasse kort la le machine made med mit na
no of on own par para pokladne por pos ret s schalter self service sportello teller tarjeta terminal the
til to uit v van vom with z za ze zu
"""
_MACHINE_WORDS = frozenset(_MACHINES.split())
_SAY_CASH = frozenset((*_CASH.split(), *_TAKEN.split()))
_KNOWN = _SAY_CASH | _MACHINE_WORDS | frozenset(_BESIDE.split())

_CITY_TRANSIT = "transport"
"""ATM is also what buses and trams of Milan and Barcelona call themselves."""


def is_cash_payee(payee: LedgerPayee, category: str) -> bool:
    """Whether a payee is cash by the words of its key or of its name."""
    if category == _CITY_TRANSIT:
        return False
    return _says_cash(payee.key) or _says_cash(payee.name)


@lru_cache(4096)
def _says_cash(text: str) -> bool:
    words = {word for word in tokens_of(text) if not word.isdigit()}
    if not _MACHINE_WORDS.isdisjoint(words):
        return True
    return words <= _KNOWN and not _SAY_CASH.isdisjoint(words)
