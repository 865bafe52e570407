"""The words of table headers in the languages of banks, and what a column under them means."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from finplan.statements.text.currencies import CODES, currency_of

ColumnMeaning = Literal[
    "date", "amount", "debit", "credit", "balance", "fee", "mark", "status", "currency",
    "account", "account name", "original", "description", "note", "payee", "payer",
    "place", "type", "id",
]  # fmt: skip
"""What a column can mean.

A mark says which way the amount of its row goes; the original is the bank's own description beside
one that an app has made more readable. A payee may be whoever the other side is, a payer only who pays.
"""

_WORDS: dict[ColumnMeaning, str] = {
    "date": """
        posting date|posted date|post date|date posted|posted on|booking date|date booked|booked
        |buchungstag|buchungsdatum|buchung|date comptable|date de comptabilisation
        |fecha contable|data contabile|data contabilizzazione|data ksiegowania|bokforingsdag
        |bokforingsdatum|bogfort|bogforingsdato|bokforingsdato|boekdatum|boekingsdatum
        |kirjauspaiva|kirjauspvm|datum zauctovani|completed date|settlement date|date
        |datum|dato|data|fecha|tarih|paiva|kuupaev|data operacji|data operazione|data transakcji
        |date operation|date de l operation|date d operation|fecha operacion|fecha de operacion
        |fecha valor|data mov|data movimento|data do movimento|data lancamento|transaktionsdatum
        |transaktionsdag|datum transakce|datum provedeni|transaction date|trans date|txn date
        |date of transaction|effective date|operation date|datetime|date time|transaction time
        |timestamp|created|created at|created utc|created date|order date|started date|time
        |value date|valuta|valutadatum|wertstellung|wertstellungstag|date valeur|date de valeur
        |data valuta|rentedatum|valor|available on|available on utc|date utc|date gmt""",
    "amount": """
        amount|transaction amount|net amount|net|netto|amount total|total amount|betrag|umsatz
        |montant|montant operation|importe|importo|valor|bedrag|belop|belob|summa|suma|kwota
        |kwota operacji|kwota transakcji|castka|objem|osszeg|tutar|maara|value|amount in account
        |amt|gross|brutto|gross amount|item total|total|iznos|sum""",
    "debit": """
        debit|debits|debit amount|amount debit|withdrawal|withdrawals|withdrawal amount
        |withdrawal amt|money out|paid out|out|outflow|soll|lastschrift|belastung|belastungsbetrag
        |debet|af|sortie|sorties|debito|cargo|cargos|salida|salidas|uscite|uscita|dare|addebiti
        |wydatki|obciazenia|obciazenie|spent|spending|expense|expenses|utgift|ut|ut fra konto|ut av konto
        |debit operation|importo debito|payments out|amount out|payments|payment""",
    "credit": """
        credit|credits|credit amount|amount credit|deposit|deposits|deposit amount|deposit amt
        |money in|paid in|in|inflow|haben|gutschrift|gutschriftsbetrag|kredit|bij|entree|entrees
        |credito|abono|abonos|ingreso|ingresos|entrate|entrata|avere|accrediti|uznania|uznanie
        |received|income|insattning|inn|inn pa konto|credit operation|importo credito|payments in
        |amount in""",
    "balance": """
        balance|running balance|running bal|account balance|ledger balance|balance after
        |balance amount|running total|saldo|saldo nach buchung|kontostand|solde|saldo contabile
        |saldo po operacji|saldo po transakcji|zustatek|available balance|saldo disponible
        |likutis|egyenleg|bakiye|jaak|new balance|closing balance|saldo dopo operazione""",
    "fee": "fee|fees|gebuhr|gebuhren|commission|frais|comision|commissioni",
    "mark": """
        d c|c d|dc|cd|dr cr|cr dr|drcr|crdr|debit credit|credit debit|credit or debit|type
        |transaction type|details|soll haben|s h|sh|af bij|indicator|direction|d k|k d
        |credit debit indicator|debit credit indicator|cdtdbtind|sign|debet credit|income expense
        |expense income|kind|transaction kind|dk|debetas kreditas""",
    "status": """
        status|state|state type|transaction status|etat|statut|estado|stato|buchungsstatus
        |umsatzstatus|booking status|payment status|contabilizzazione|info""",
    "currency": """
        currency|ccy|curr|currency code|account currency|waehrung|wahrung|kontowahrung|devise
        |moneda|divisa|valuta|valuutta|waluta|mena|valiuta|moeda|commodity|munt|muntsoort
        |valuutakood|transaction currency|kontovaluta|amount currency""",
    "account": """
        account|account number|account no|account id|iban|konto|kontonummer|kontonr|auftragskonto
        |iban auftragskonto|iban kontoinhaber|account num|rachunek|nr rachunku|numero de compte
        |compte|cuenta|conto|rekening|rekeningnummer|iban bban|saskaitos nr|numer konta
        |cislo uctu|konto nr""",
    "account name": """
        account name|account label|name account|bezeichnung auftragskonto|kontoname|nazwa konta""",
    "original": "original description|original statement|statement description|bank description",
    "description": """
        action|transaction description|description|operazione|dettagli|beschreibung|details
        |transaction details|narrative|narration|particulars|payment details|verwendungszweck
        |vorgang verwendungszweck|umsatztext|buchungstext|libelle|libelle operation
        |libelle complet|label|concepto|descripcion|descrizione|descrizione operazione|causale
        |movimiento|omschrijving|naam omschrijving|mededelingen|tekst|text|opis|opis operacji
        |opis transakcji|tytul|popis|poznamka|zprava pro prijemce|beskrivning|beskrivelse
        |selitys|viesti|paaiskinimai|memo|transaction|kozlemeny|aciklama|historico|descricao
        |remarque|objet|subject|remittance information|item title|title|betreff
        |summary|purpose|purpose of payment|payment purpose|detail
        |detail de l ecriture|detail operation|details operation|motif|nature
        |libelle simplifie|libelle interne|informations complementaires|information complementaire
        |descrizione estesa|descrizione completa|dettaglio|dettaglio movimento|descrizione del movimento
        |descripcion ampliada|mas informacion|detalle|detalles|detalle del movimiento|concepto ampliado
        |descricao detalhada|detalhe|detalhes|historico complementar|complemento|lancamento
        |transactie|transactie omschrijving|betalingskenmerk omschrijving|mededeling|boodschap
        |zprava|zprava pro me|zprava prijemci|zprava pro platce|uzivatelska identifikace|popis operace
        |popis transakce|popis pohybu|informacia pre prijemcu|sprava pre prijemcu|opis operacii
        |szczegoly transakcji|szczegoly operacji|szczegoly|tytulem|tytul operacji|tytul przelewu
        |zahlungszweck|zahlungsgrund|zahlungsreferenz text|buchungsinformationen|buchungsdetails
        |avisierungstext|mitteilung|beschreibung 1|weitere angaben|vwz|zusatzinformationen|umsatzinfo
        |meddelelse|melding|meddelande|rubrik|forklaring|otsikko|tapahtuma|tehingu selgitus|selgitus
        |makuma merkis|paskirtis|mokejimo paskirtis|megjegyzes|narracio|explicatii|detalii
        |detalii tranzactie|descriere|opis transakcije|svrha|svrha doznake|namen|namen placila
        |islem aciklamasi
        |extended details|transaction detail|transaction particulars|payment description|long description
        |extended description|additional information|statement narrative|appears on your statement as""",
    "note": """
        note|notes|payment reference|reference|transaction reference|comment|item|remarks
        |observaciones|bemerkung|bemerkungen|kommentar|comentario|comentarios|commentaire|commentaires
        |remark|notiz|notizen|notitie|notities|nota|notas|note e commenti|komentar|uwagi|poznamky
        |upresneni|anteckning|anteckningar|muistiinpano|notat|user note|comments|particulars 2""",
    "place": """
        place|city|town|merchant city|merchant place|merchant location|location|ort|ville|lieu|ciudad
        |lugar|citta|localita|luogo|plaats|stad|mesto|misto|miasto|lokalizacja|by|sted|paikka
        |city state|kaufort|transaktionsort|place of transaction|localidade|cidade""",
    "payee": """
        payee|merchant|merchant name|name|counterparty|counterparty name|counter party|empfanger
        |zahlungsempfanger in|zahlungsempfanger|auftraggeber empfanger
        |beguenstigter zahlungspflichtiger
        |begunstigter zahlungspflichtiger|name zahlungsbeteiligter
        |auftraggeber beguenstigter|auftraggeber begunstigter|empfanger name|partner name
        |beneficiary|beneficiaire|beneficiario|naam tegenpartij|naam tegenrekening
        |nazwa kontrahenta|nadawca odbiorca|kontrahent|gavejas|moketojas gavejas|mottaker
        |mottagare|modtager|saaja|saaja maksaja|recipient|contrepartie|name of partner
        |nazev protiuctu|partner|to|target name|payee name|counterpart|other party|other party name
        |counterparty account name|beneficiary name|recipient name|to name|receiver|receiver name
        |vendor|shop|store|seller|handler|forretning|butikk|brukersted|commercant|commerce|comercio
        |establecimiento|esercente|negozio|estabelecimento|estabelecimento comercial|favorecido
        |contraparte|controparte|nome controparte|ragione sociale|tegenpartij|begunstigde
        |naam tegenpartij bevat|naam begunstigde|ontvanger|nazwa odbiorcy|odbiorca|kontrahent nazwa
        |nazwa i adres kontrahenta|protistrana|nazov protistrany|nazov protiuctu|nazev protistrany
        |nazev protiuctu prijemce|prijemce|jmeno protistrany|obchodnik|obchodni misto|vastapuoli|nimi
        |namn|navn|betalningsmottagare|modtager navn|mottakernavn|maksunsaaja|saajan nimi|kaupmees
        |sanemejs|gavejo pavadinimas|partnera nosaukums|kedvezmenyezett|kedvezmenyezett neve
        |ellenoldali nev|partner neve|beneficiar|nume beneficiar|primatelj|primalac|prejemnik
        |alici|alici adi|isyeri|name des zahlungsbeteiligten|zahlungsbeteiligter|haendler|handler name
        |name gegenkonto|gegenpartei|begunstigter|empfangername|auftraggeber zahlungsempfanger
        |zahlungsempfanger zahlungspflichtiger|contrepartie nom|nom contrepartie|nom du tiers|tiers""",
    "payer": """
        from|payer|payer name|sender|sender name|from name|originator|originator name|ordering party
        |ordering customer|remitter|remitter name|debtor|debtor name|auftraggeber|name auftraggeber
        |zahlungspflichtiger|zahlungspflichtiger in|zahlungspflichtige r|zahlender|absender
        |ordonnateur|emetteur|donneur d ordre|ordenante|remitente|ordinante|mittente|remetente|pagador
        |opdrachtgever|nadawca|nazwa nadawcy|zleceniodawca|platce|platitel|odesilatel|odosielatel
        |betaler|avsender
        |avsandare|maksaja|maksja|moketojas|maksatajs|fizeto|fizeto neve|gonderen|ordonator|platitor
        |uplatitelj|platnik""",
    "type": """
        type|transaction type|booking type|operation|typ|umsatzart|transaktionstyp|art|categorie
        |type operation|tran type|trans type|txn type|transaction code|vorgang|buchungsart
        |transaktionsart|geschaftsvorfall|art der buchung|movement type|tipo|tipo movimento
        |tipo de movimiento|tipo operazione|tipo de operacion|tipo operacion|type d operation
        |soort|transactiesoort|typ transakcji|rodzaj transakcji|typ pohybu|typ transakce|tip
        |tip tranzactie|transaktionstype|kontohaendelse|laji|tapahtumalaji|kod operacji
        |code|typ operacji|mutatiesoort|reporting category|category|kategorie""",
    "id": """
        transaction id|transactionid|txn id|txid|fitid|transaction number|transaction no
        |transaction reference number|reference number|reference no|ref number|ref no|ref
        |reference|id|operation number|operation id|balance transaction id|transferwise id
        |unique id|iraso nr|entry reference|archivierungsnummer|transaktionsnummer
        |numer transakcji|id operace|id transakce|order id|event id|external id""",
}
_RANKS: dict[ColumnMeaning, dict[str, int]] = {
    meaning: {
        " ".join(phrase.split()): rank
        for rank, phrase in enumerate(" ".join(words.split()).split("|"))
    }
    for meaning, words in _WORDS.items()
}
_HINT_WORDS: dict[ColumnMeaning, str] = {
    "date": "date datum data fecha dato",
    "amount": "amount betrag montant importe importo kwota bedrag belopp suma",
    "debit": "debit withdrawal withdrawals soll debito",
    "credit": "credit deposit deposits haben credito",
    "balance": "balance saldo solde kontostand",
    "currency": "currency wahrung waehrung devise moneda",
    "description": "description beschreibung verwendungszweck libelle details memo",
    "payee": "payee merchant beneficiary counterparty empfanger",
}
_HINTS = {meaning: frozenset(words.split()) for meaning, words in _HINT_WORDS.items()}
"""Words that suggest a meaning when they are only a part of a header."""
_OTHER = """
    original foreign local fee fees tax taxes vat gst rate exchange converted limit minimum cashback
    subtotal tip points target instructed quantity count entries refund discount shipping insurance
    start end starting ending beginning opening initial final anfang due birth release expiry from
    statement closing period card billing fx
"""
_OTHER_SUBJECTS = frozenset(_OTHER.split())
"""Words that say that a column is not about the row's own day, amount or balance."""
_HINT_RANK = 100
_CODE_RANK = 90
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SIGN = re.compile(r"[^\w\s.,:;()/-]+")
_NO_WORD = re.compile(r"[^\w]+|_")


def meanings_of(name: str) -> dict[ColumnMeaning, int]:
    """Say what a column with this header can mean; the lower the number, the more it does."""
    words = [word for word in (word.rstrip("0123456789") for word in words_of(name)) if word]
    codes = [word for word in words if word.upper() in CODES and word != "all"]
    if codes and len(words) == len(codes):
        return {"amount": _CODE_RANK}
    phrase = " ".join(word for word in words if word not in codes)
    phrase = phrase.removesuffix(" in") if codes else phrase
    exact = {meaning: ranks[phrase] for meaning, ranks in _RANKS.items() if phrase in ranks}
    if exact or _OTHER_SUBJECTS.intersection(words):
        return exact
    return {meaning: _HINT_RANK for meaning, hints in _HINTS.items() if hints & set(words)}


def is_exact(name: str, meaning: ColumnMeaning) -> bool:
    """Say whether a header is a name of a meaning, and does not only have a word that suggests it."""
    return meanings_of(name).get(meaning, _HINT_RANK) < _HINT_RANK


def currency_in(name: str) -> str | None:
    """Find the currency that a header names, as in "Betrag (EUR)"."""
    texts = [*words_of(name), *_SIGN.findall(name)]
    codes = {code for text in texts if (code := currency_of(text)) is not None}
    return codes.pop() if len(codes) == 1 else None


def is_header(cells: Sequence[str]) -> bool:
    """Say whether a row names a column of dates and one of amounts."""
    meanings = [meanings_of(cell) for cell in cells]
    money: set[ColumnMeaning] = {"amount", "debit", "credit"}
    return any("date" in each for each in meanings) and any(
        money & each.keys() for each in meanings
    )


def words_of(name: str) -> list[str]:
    """Give a name's words in small letters without accents, also where only capitals part them."""
    split = _CAMEL.sub(" ", name[:80])
    letters = unicodedata.normalize("NFKD", split).casefold().replace("ł", "l").replace("ø", "o")
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NO_WORD.sub(" ", plain).split()
