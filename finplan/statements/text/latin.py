"""Which code page of the Latin script bytes are in: by the words that banks write, else by letters.

The pages differ in letters that few languages have, and any of them reads any bytes. What tells them
apart are words: “Na čakanju” is Slovene, and the “Na èakanju” of another page is no language's.
"""

import re
from typing import NamedTuple

from finplan.statements.text.latin_languages import likeness
from finplan.statements.text.scripts import without_signs

_PAGES = ("cp1252", "cp1250", "iso8859_2", "cp1257", "cp1254")
"""The pages, of which the first one is meant where several read the words alike."""
_EURO_SIGN = "iso8859_15"
"""A page of the Western languages besides, known by its euro sign alone."""
LATIN_PAGES = (*_PAGES, _EURO_SIGN)

_CLEARLY = 2.0
"""By how much the best page has to be likelier than one with other letters: seven times."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = """
    débit crédit libellé opération référence bénéficiaire catégorie dépôt dépens dépense reçu numéro
    prélèvement chèque détail exécuté comptabilisé refusé annulé état dû quantité février août
    décembre société intérêt
    descripción operación débito crédito depósito número comisión título código día interés último
    descrição histór lançamento saída situaç conclu preço câmbio cotação agência cartão cartões
    transação transferência operação comissão não são março contabilístic beneficiário
    disponibilità quantità attività società città
    währung empfänger gebühr überweisung gläubiger für zurück verfügbar rück märz straße stück
    beløb beløp bogfør bokfør udført utført valør køb kjøp løn lønn på hævet afvist gennemfør
    överför insättning väntande genomförd bokför växelkurs utländsk för från belopp
    määrä päivä yhteensä kirjauspäivä arvopäivä hylätty lähettäjä
    upphæð skýring færsla úttekt viðtakandi
    částk účet účt zaúčt nezaúčt zůstat měna směr příj přích výdaj převod protiúč poznámk zpráv název
    číslo směnn množství počet původ dlužn úhrad zrušen zamítnut čeká čekaj února března května června
    července září října prosinc děkuj kč provedeno
    čiastk dátum výdav príj prích odchádz zúčt názov čaká čakaj zostat pôvodn dlžn ďakuj platiteľ
    odosielateľ množstv zamietnuté zrušené
    księg tytuł obciąż wpływ wypłat wpłat zaksięg oczekując ilość opłat zadłuż końcow wrześ październik
    złot zł dziękuj płatnoś należnoś środk szczegół
    könyvel értéknap közlemény összeg jóváír kiadás bevétel terhelés pénznem megnevezés leírás számla
    törölve törölt teljesült függő elutasít mennyiség árfolyam összesen köszönjük kedvezményezett
    tranzakció jutalék díj típus
    račun čakanj čekanj knjižen proknjižen neproknjižen izvršen plačil plaćanj tečaj količin udeležen
    potražuj številk neuspešn neuspješn siječ ožujk završen poništen
    tranzacţ sumă explicaţ valută preţ aşteptare ieşir plăţ plăt încasăr intrăr număr procesată
    finalizată respinsă anulată operaţiun referinţ mulţumim
    mokėt gavėj sąskait aprašym paaiškin įplauk išlaid įvykd atšaukt mokėjim būsen pradinė rugpjū
    rugsėj birželi gegužė balandž lapkrič gruodž
    saņēmēj maksātāj maksājum darījum iegrāmat grāmatoj izpildīt kredīt parād valūt rezervēt noraidīt
    sākotnēj kopā maiņas janvār februār jūnij jūlij valutēš ieņēmum
    väärtuspäev kuupäev väljaminek täidetud tühistatud tühistat võlg jääk
    açıklam işlem çıkan alıc tamamland gerçekleşt şubat ağustos mayıs kasım aralık karş değer
"""
_BEGINNINGS = tuple(word for word in _WORDS.split() if not word.isascii())
"""Beginnings of what banks write above columns and in them, with the letters that the pages part."""

_LONE_EURO = re.compile(rb"(?<![A-Za-z\x80-\xff])\xa4(?=[ \xa0(+\-]*\d)|(?<=\d)[ \xa0]?\xa4")
_NOT_ISO = re.compile(rb"[\x80-\x9f]")


class LatinPage(NamedTuple):
    """A page, and the next likely one where its letters are others and hardly less likely, else None."""

    name: str
    other: str | None


def latin_page(lines: bytes, beside: bytes) -> LatinPage:
    """The page in which lines are a text of a Latin language; Western where nothing tells.

    The words of banks tell it, and where several pages read as many of them, the letters of languages;
    `beside` are lines of the file with words of ASCII.
    """
    plain = without_signs(lines)
    page, other = "cp1252", None
    if not plain.isascii():
        counts = {page: _known_words(plain, page) for page in _PAGES}
        most = max(counts.values())
        ranked = sorted(
            ((likeness(plain, beside, page), page) for page in _PAGES if counts[page] == most),
            key=lambda each: -each[0],
        )
        (best, page), *others = ranked
        text = plain.decode(page, "replace")
        other = next(
            (
                name
                for weight, name in others
                if best - weight < _CLEARLY and plain.decode(name, "replace") != text
            ),
            None,
        )
    is_iso = _LONE_EURO.search(lines) is not None and _NOT_ISO.search(lines) is None
    return LatinPage(_EURO_SIGN if page == "cp1252" and is_iso else page, other)


def _known_words(lines: bytes, page: str) -> int:
    """How many different words of banks, with a letter above ASCII, a page reads."""
    text = lines.decode(page, "replace").lower()
    words = {word for word in _LETTERS.findall(text) if not word.isascii()}
    return sum(word.startswith(_BEGINNINGS) for word in words)
