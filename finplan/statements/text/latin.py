"""Which code page of the Latin script bytes are in: by the words that banks write, else by letters.

The pages differ in letters that few languages have, and any of them reads any bytes. What tells them
apart are words: “Na čakanju” is Slovene, and the “Na èakanju” of another page is no language's.
"""

import re

from charset_normalizer import from_bytes

from finplan.statements.text.scripts import without_signs

_PAGES = ("cp1252", "cp1250", "iso8859_2", "cp1257", "cp1254")
"""The pages, of which the first one is meant where several read the words alike."""
_EURO_SIGN = "iso8859_15"
"""A page of the Western languages besides, known by its euro sign alone."""
LATIN_PAGES = (*_PAGES, _EURO_SIGN)

_GUESSED_PAGES = ["cp1252", "cp1250", "cp1257"]
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

_WESTERN_LETTERS = [set("àèêùûïœæ"), set("ñ"), set("ãàêõ"), set("åæø"), set("àèòù")]
"""Letters that cp1250 reads otherwise: French, Spanish, Portuguese, Nordic languages, Italian.

Letters that Czech or Hungarian text shows just as often (ì, and õ or û alone) prove nothing.
"""
_TELLING_LETTERS = set("àèêñãåæø")
_TURKISH_ALONE = set("ðýþ")
"""What cp1252 makes of ğ, ı and ş, which stand in Icelandic, too, but there beside æ, á or í."""
_TURKISH = _TURKISH_ALONE | set("çöü")
_ICELANDIC = set("áðéíóúýþæö")
_SIGN_IN_A_WORD = re.compile(r"(?<=[^\W\d_])[ˇ¦©«¬®±µ¶»](?=[^\W\d_])")
"""Signs of cp1250 that are letters of ISO 8859-2."""
_POLISH_ALONE = set("ęłżśćńź")
_CZECH_OR_CROATIAN = set("áčďěíňřťúůýžđľĺŕ")
_LONE_EURO = re.compile(rb"(?<![A-Za-z\x80-\xff])\xa4(?=[ \xa0(+\-]*\d)|(?<=\d)[ \xa0]?\xa4")
_NOT_ISO = re.compile(rb"[\x80-\x9f]")


def latin_page(lines: bytes) -> str:
    """The page in which lines are a text of a Latin language; Western where nothing tells."""
    plain = without_signs(lines)
    if plain.isascii():
        page = "cp1252"
    else:
        counts = {page: _known_words(plain, page) for page in _PAGES}
        most = max(counts.values())
        best = [page for page in _PAGES if counts[page] == most]
        likely = _page_by_letters(plain)
        page = likely if likely in best else best[0]
    is_iso = _LONE_EURO.search(lines) is not None and _NOT_ISO.search(lines) is None
    return _EURO_SIGN if page == "cp1252" and is_iso else page


def _known_words(lines: bytes, page: str) -> int:
    """How many different words of banks, with a letter above ASCII, a page reads."""
    text = lines.decode(page, "replace").lower()
    words = {word for word in _LETTERS.findall(text) if not word.isascii()}
    return sum(word.startswith(_BEGINNINGS) for word in words)


def _page_by_letters(lines: bytes) -> str:
    """The page whose letters look most like those of a language that has them."""
    guess = from_bytes(lines, cp_isolation=_GUESSED_PAGES).best()
    name = guess.encoding if guess is not None else "cp1252"
    western = lines.decode("cp1252", "replace")
    differing = {
        ours.lower()
        for ours, theirs in zip(western, lines.decode(name, "replace"), strict=True)
        if ours != theirs
    }
    is_western = any(differing <= letters for letters in _WESTERN_LETTERS)
    if not differing or (is_western and differing & _TELLING_LETTERS) or _is_icelandic(western):
        name = "cp1252"
    if _is_turkish(western):
        return "cp1254"
    return "iso8859_2" if name == "cp1250" and _is_iso_latin_2(lines) else name


def _is_iso_latin_2(lines: bytes) -> bool:
    """Say whether a text read by cp1250 has signs within words, or a Polish letter among Czech ones."""
    if _NOT_ISO.search(lines):
        return False
    text = lines.decode("cp1250", "replace")
    letters = {letter for letter in text.lower() if letter > "\x7f"}
    is_odd = "ą" in letters and not letters & _POLISH_ALONE and letters & _CZECH_OR_CROATIAN
    return bool(_SIGN_IN_A_WORD.search(text) or is_odd)


def _is_icelandic(western: str) -> bool:
    """Say whether a text read as a Western one has Icelandic letters, and no other language's."""
    letters = {letter.lower() for letter in western if letter > "\x7f" and letter.isalpha()}
    return letters <= _ICELANDIC and bool(letters & set("ðþ")) and bool(letters & set("áéíóúýö"))


def _is_turkish(western: str) -> bool:
    """Say whether a text that is read as a Western one has Turkish letters, and no language's others."""
    letters = {letter.lower() for letter in western if letter > "\x7f" and letter.isalpha()}
    return letters <= _TURKISH and len(letters & _TURKISH_ALONE) > 0 and len(letters) > 1
