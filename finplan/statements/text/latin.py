"""Which code page of the Latin script bytes are in: by the words that banks write, else by letters.

The pages differ in letters that few languages have, and any of them reads any bytes. What tells them
apart are words: “Na čakanju” is Slovene, and the “Na èakanju” of another page is no language's. Without
them it is how likely a text is one of the languages that a page is for, by its letters and words:
“Dvořák” of one page is “Dvoøák” of another, letters of two languages, in places where none has them.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import NamedTuple

from finplan.statements.text.scripts import without_signs

_STRANGE_SHARE = 0.002
"""The share of letters of other languages in a text, as in the names of shops and persons."""

_BROKEN = -12.0
"""What a sign within a word counts, or a byte that the page lacks."""

_KNOWN_WORD, _MOST_WORDS = 1.5, 4
"""What a word of a bank in the language counts, and how many of them count."""

_LONGEST_RUN = 400
"""How many letters above ASCII are weighed; more of them tell nothing else."""

_VOWELS = frozenset("aeiouyæøœı")
_SIGN_IN_A_WORD = re.compile(
    r"(?<=[^\W\d_])[^\w\s'’.,:;/()&*+@#%\"“”„–—-](?=[^\W\d_])"
    r"|[¯ˇ¦¨¸˛˘¬±µ¶·¤¢©®¥£](?=[^\W\d_])|\ufffd|[\x80-\x9f]"
)
_LATIN_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Language:
    """A language: the logarithm of the share of each of its letters above ASCII, and banks' words."""

    shares: dict[str, float]
    words: frozenset[str]


def _language(letters: str, listed: str) -> _Language:
    counted = {share[0]: float(share[1:]) for share in letters.split()}
    total = sum(counted.values())
    shares = {letter: log(count / total) for letter, count in counted.items()}
    return _Language(shares, frozenset(listed.split()))


_WESTERN = (
    _language(
        "é60 à12 è9 ê7 ç3 ô2 û1.5 î1.5 ù1.5 â1.5 œ.5 ï.5 ë.3",
        """date libelle montant solde operation valeur devise compte carte paiement achat virement
        retrait facture boulangerie pharmacie rue du des les aux""",
    ),
    _language(
        "ü45 ä27 ö15 ß12 é1",
        """datum betrag buchungstag wertstellung verwendungszweck umsatz saldo konto kontonummer text
        lastschrift gutschrift kartenzahlung gehalt miete strom und der die strasse""",
    ),
    _language(
        "ë35 é35 ï15 ü5 ö4 è3 ê2 ç1 á.5",
        """datum bedrag omschrijving rekening naam mededelingen tegenrekening saldo munt valuta
        betaling bakkerij apotheek winkel huur loon overschrijving van het""",
    ),
    _language(
        "ó35 í28 á22 é18 ñ13 ú7 ü.5",
        """fecha concepto importe saldo cargo abono movimiento divisa cuenta descripcion compra pago
        recibo transferencia farmacia del los las""",
    ),
    _language(
        "ã20 ç14 á14 é13 ê9 í8 ó7 õ5 ú3 â3 à3 ô1",
        """data valor descricao saldo movimento conta historico lancamento compra pagamento
        transferencia padaria farmacia dos das""",
    ),
    _language(
        "à35 è25 ò13 ù12 ì10 é5",
        """data importo descrizione causale valuta saldo operazione dare avere entrate uscite conto
        pagamento bonifico farmacia della""",
    ),
    _language(
        "å35 ø33 æ31 é1",
        """dato tekst saldo beskrivelse konto valuta kategori indbetaling udbetaling navn apotek
        overforsel""",
    ),
    _language(
        "å42 ø38 æ15 é2",
        """dato tekst forklaring saldo beskrivelse konto inn ut rentedato melding avtalegiro
        innbetaling utbetaling""",
    ),
    _language(
        "ä42 å31 ö26 é1.5",
        """datum text belopp saldo transaktion valutadag bokforingsdag konto beskrivning meddelande
        apotek och hyra""",
    ),
    _language(
        "ä85 ö13 å2",
        """summa saaja maksaja saldo viesti viite selitys tapahtuma tili apteekki vuokra palkka oy""",
    ),
    _language("á14 í13 ð16 ó8 þ7 ö9 é6 ú6 æ7 ý3", "dagsetning texti mynt dags"),
)
_CENTRAL = (
    _language(
        "í22 á16 ě11 é9 ř8 č7 ž7 ý7 š6 ů4 ú1.5 ó.3 ť.3 ď.2 ň.2",
        """datum popis castka mena zustatek typ operace nazev protiuctu poznamka platba platby karta
        karty nakup vyber ucet uctu lekarna najem mzda vyplata prevod""",
    ),
    _language(
        "á20 í12 č12 ý10 ž10 é9 š9 ú9 ť6 ľ4 ô2 ň2 ä1 ó1 ď1 ŕ.2 ĺ.2",
        """datum popis suma mena zostatok typ nazov poznamka platba karta nakup vyber ucet lekaren
        najom mzda obrat vyplata""",
    ),
    _language(
        "ł25 ą15 ę15 ó12 ż11 ś9 ć6 ń3 ź1",
        """data kwota opis saldo waluta tytul rachunek operacji typ kontrahent nadawca odbiorca platnosc
        przelew zakup czynsz wynagrodzenie apteka sklep karta nazwa""",
    ),
    _language(
        "á33 é32 ó11 ö10 ő8 í5 ü5 ú4 ű2",
        """datum osszeg egyenleg kozlemeny penznem megnevezes leiras tranzakcio vasarlas utalas
        kartya gyogyszertar kft zrt""",
    ),
    _language(
        "č35 š33 ž30 ć1 đ.5",
        """datum znesek namen breme dobro stanje prejemnik opis valuta racun trgovina lekarna placa
        placilo naziv""",
    ),
    _language(
        "č25 š25 ć20 ž18 đ8",
        """datum iznos opis stanje uplata isplata valuta racun primatelj svrha ljekarna placa trgovina
        naziv""",
    ),
    _language(
        "ă40 ş18 ţ18 î12 â12",
        """data suma descriere sold detalii tranzactie valuta beneficiar debit credit plata cumparare
        comision farmacie chirie salariu""",
    ),
)
_BALTIC = (
    _language(
        "ė25 š17 ų17 ž12 ą10 į10 ū8 č6 ę4",
        """data suma gavejas moketojas paskirtis valiuta likutis operacijos saskaita vaistine atlyginimas
        nuoma mokejimas""",
    ),
    _language(
        "ā40 ī18 ē17 š10 ņ6 ļ5 ū5 ķ3 ž2 č1.5 ģ1",
        """datums summa valuta merkis atlikums konts sanemejs maksatajs maksajums aptieka alga ire
        veikals""",
    ),
    _language(
        "ä33 õ30 ü22 ö10 š1 ž.5",
        """kuupaev summa selgitus saaja maksja konto valuuta tehing apteek palk uur kauplus makse""",
    ),
)
_TURKISH = (
    _language(
        "ı38 ü14 ş13 ç9 ğ8 ö6",
        """tarih tutar bakiye aciklama islem borc alacak dekont kanal market eczane kira maas odeme""",
    ),
)
_LANGUAGES = {
    "cp1252": (*_WESTERN, _BALTIC[2]),
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1257": _BALTIC,
    "cp1254": _TURKISH,
}
_RARE_PAGE = {"iso8859_2": -1.0, "cp1254": -2.0}
"""What a page counts that fewer banks use than the one that reads nearly the same letters."""


def likeness(lines: bytes, beside: bytes, page: str) -> float:
    """Weigh how likely lines with letters above ASCII are a text of a language of a page.

    `beside` are lines of the same file that may have words in ASCII alone. A logarithm: three more is
    twenty times as likely.
    """
    text = _small(lines.decode(page, "replace"))
    broken = _BROKEN * len(_SIGN_IN_A_WORD.findall(text))
    letters = Counter[str]()
    shape = 0.0
    # A name that comes in many rows says no more than once.
    for token in dict.fromkeys(_LATIN_WORD.findall(text)):
        if not token.isascii() and letters.total() < _LONGEST_RUN:
            letters.update(letter for letter in token if letter > "\x7f")
            shape += _fit_of_word(token)
    tokens = {_without_marks(token) for token in _LATIN_WORD.findall(text)}
    tokens |= set(_LATIN_WORD.findall(beside.decode("ascii", "replace").lower()))
    best = max(_weighed_as(language, letters, tokens) for language in _LANGUAGES[page])
    return best + shape + broken + _RARE_PAGE.get(page, 0.0)


def _weighed_as(language: _Language, letters: Counter[str], tokens: set[str]) -> float:
    strange = log(_STRANGE_SHARE)
    score = sum(count * language.shares.get(letter, strange) for letter, count in letters.items())
    return score + _KNOWN_WORD * min(_MOST_WORDS, len(tokens & language.words))


@lru_cache(4096)
def _fit_of_word(token: str) -> float:
    """Weigh how letters above ASCII stand in a word: vowels beside consonants, and the reverse."""
    fit = 0.0
    kinds = [_without_marks(letter)[:1] in _VOWELS for letter in token]
    for index, letter in enumerate(token):
        if letter <= "\x7f":
            continue
        before = kinds[index - 1] if index else None
        after = kinds[index + 1] if index + 1 < len(token) else None
        for beside, counts in ((before, 0.9), (after, 0.6)):
            if beside is not None:
                fit += counts / 2 if beside != kinds[index] else -counts
    return fit


def _small(text: str) -> str:
    # The Turkish capital would become two characters.
    return text.replace("İ", "i").lower()


def _without_marks(text: str) -> str:
    parted = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("ø", "o"))
    return "".join(letter for letter in parted if not unicodedata.combining(letter))


_PAGES = ("cp1252", "cp1250", "iso8859_2", "cp1257", "cp1254")
"""The pages, of which the first one is meant where several read the words alike."""
_EURO_SIGN = "iso8859_15"
"""A page of the Western languages besides, known by its euro sign alone."""
LATIN_PAGES = (*_PAGES, _EURO_SIGN)

_CLEARLY = 2.0
"""By how much the best page has to be likelier than one with other letters: seven times."""
_LETTERS_IN_A_ROW = re.compile(r"[^\W\d_]+")
_WORDS_OF_BANKS = """
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
_BEGINNINGS = tuple(token for token in _WORDS_OF_BANKS.split() if not token.isascii())
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
    page, alternative = "cp1252", None
    if not plain.isascii():
        counts = {page: _known_words(plain, page) for page in _PAGES}
        most = max(counts.values())
        ranked = sorted(
            ((likeness(plain, beside, page), page) for page in _PAGES if counts[page] == most),
            key=lambda weighed: -weighed[0],
        )
        (best, page), *others = ranked
        text = plain.decode(page, "replace")
        alternative = next(
            (
                name
                for weight, name in others
                if best - weight < _CLEARLY and plain.decode(name, "replace") != text
            ),
            None,
        )
    is_iso = _LONE_EURO.search(lines) is not None and _NOT_ISO.search(lines) is None
    return LatinPage(_EURO_SIGN if page == "cp1252" and is_iso else page, alternative)


def _known_words(lines: bytes, page: str) -> int:
    """How many different words of banks, with a letter above ASCII, a page reads."""
    text = lines.decode(page, "replace").lower()
    tokens = {token for token in _LETTERS_IN_A_ROW.findall(text) if not token.isascii()}
    return sum(token.startswith(_BEGINNINGS) for token in tokens)
