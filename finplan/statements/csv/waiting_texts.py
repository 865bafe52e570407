"""Texts that say at their beginning or end that their row waits to be booked, where no column does."""

import re
from collections.abc import Collection
from functools import lru_cache

from finplan.statements.text.descriptors import fold

_PHRASES = """
    pending transaction|pending transactions|transaction pending|transaction is pending
    |pending purchase|pending card purchase|pending debit card purchase|pending authorization
    |pending authorisation|not yet booked|not yet posted|not booked yet
    |vorgemerkter umsatz|vorgemerkte buchung|umsatz vorgemerkt|noch nicht gebucht
    |noch nicht verbucht|buchung ausstehend
    |opération en attente|transaction en attente|paiement en attente|opération à venir
    |en attente de comptabilisation|non encore comptabilisé|non comptabilisée|non comptabilisé
    |operación pendiente|movimiento pendiente|transacción pendiente|pendiente de contabilizar
    |no contabilizado
    |operazione in attesa|movimento non contabilizzato|non contabilizzato|non contabilizzata
    |da contabilizzare|operazione in corso
    |transação pendente|movimento pendente|ainda não contabilizado
    |nog niet verwerkt|nog niet geboekt|transactie in behandeling
    |transakcja nierozliczona|operacja nierozliczona|transakcja oczekująca|operacja oczekująca
    |transakcja niezaksięgowana|operacja niezaksięgowana|transakcja w trakcie realizacji
    |blokada na karcie|blokada środków
    |nezaúčtovaná transakce|nezaúčtovaná platba|nezaúčtovaný pohyb|transakce čeká na zaúčtování
    |čeká na zaúčtování|nezaúčtovaná transakcia|čaká na zaúčtovanie
    |könyvelésre vár|függő tétel|függőben lévő tranzakció|nem könyvelt tétel
    |tranzacție în așteptare|tranzacție nedecontată|în curs de procesare
    |ej bokförd|ej bokfört|ännu ej bokförd|preliminär transaktion|reserverat belopp
    |ikke bokført|ikke bogført|reservert beløp|reserveret beløb|afventer bogføring
    |katevaraus|ei vielä kirjattu|odottaa kirjausta
    |broneeritud summa|rezervēta summa|rezervuota suma
    |v čakanju na knjiženje|transakcija na čekanju|rezervirana sredstva
    |provizyon işlemi|bekleyen işlem|provizyonda
    |σε εκκρεμότητα|συναλλαγή σε εκκρεμότητα
    |операция в обработке|операция не проведена|не обработана|в обработке|операція в обробці
    |в обробці|необработена транзакция
    |未确认交易|待入账|未入账|未確定|売上未確定|処理中|승인대기|매입대기
"""
_MARKED = """
    pending|unposted|unsettled|vorgemerkt|en attente|à venir|pendiente|in attesa|pendente|nierozliczona
    |oczekująca|in behandeling|nezaúčtováno|függő|în așteptare|väntande|reserverad|reservert|reserveret
    |afventer|venter|hold|bekliyor|provizyon|εκκρεμεί|холд|в обработке|очікує|未確定|未入账|待入账
"""
"""Words that mean it only in brackets, or parted from the rest by a colon, a dash, a bar or stars."""


_FIRST_UNPARTED = 0x3000
_REMEMBERED = 4096


def _is_unparted(phrase: str) -> bool:
    """Say whether a phrase is in a script that parts no words by blanks."""
    return ord(phrase.strip()[0]) > _FIRST_UNPARTED


def _either(listed: str) -> str:
    phrases = (fold(each).casefold() for each in " ".join(listed.split()).split("|"))
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


_PHRASE, _WORD = _either(_PHRASES), _either(_MARKED)
_UNPARTED_PHRASE = _either("|".join(each for each in _PHRASES.split("|") if _is_unparted(each)))
_BEGINS = re.compile(
    rf"[\[(*]*\s*(?:(?:{_PHRASE})(?!\w)|{_UNPARTED_PHRASE})|[\[(]\s*(?:{_WORD})\s*[\])]|\**(?:{_WORD})\**\s*(?::|\*|\||\s[-–—]\s)"
)
_ENDS = re.compile(
    rf"(?:(?<!\w)(?:{_PHRASE})|{_UNPARTED_PHRASE}|[\[(]\s*(?:{_WORD})\s*|(?:[:|*]\s*|\s[-–—]\s+)(?:{_WORD}))[\])*.!]*$"
)


_WORDS = [each.split() for each in f"{_PHRASES}|{_MARKED}".split("|")]
_EDGES = frozenset(fold(word).casefold() for words in _WORDS for word in (words[0], words[-1]))
_UNPARTED = tuple(filter(_is_unparted, _EDGES))
_PARTS = re.compile(r"\W+")


@lru_cache(_REMEMBERED)
def says_it_waits(text: str) -> bool:
    """Say whether a text begins or ends with a bank's words for a row that is not booked yet.

    A single word, which may be a shop's name, has to be set off from the rest.
    """
    folded = fold(text).casefold()
    return _BEGINS.match(folded) is not None or _ENDS.search(folded) is not None


def any_waits(texts: Collection[str]) -> bool:
    """Say whether any of some texts does, looking closely only where a first or last word may be one."""
    words = {text.lstrip("[(* ").partition(" ")[0] for text in texts}
    words |= {text.rstrip(" ])*.!").rpartition(" ")[2] for text in texts}
    joined = " ".join(words).casefold()
    may_wait = not _EDGES.isdisjoint(_PARTS.split(joined)) or any(
        map(joined.__contains__, _UNPARTED)
    )
    return may_wait and any(map(says_it_waits, texts))
