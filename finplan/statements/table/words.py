"""The words of table headers in the languages of banks: what a column means, and which language it is.

Each language has the words that banks write above columns and accounts. The one that knows most of a
header's words is the header's; where several know equally many, or another one knows one word less but
one of its own, it may be any of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from finplan.model.money import CODES
from finplan.statements.table.header_words import DEBTS, HEADER_WORDS, OTHER_NUMBERS, ColumnMeaning
from finplan.statements.text.currencies import currency_of

_LONGEST = 80
_REMEMBERED = 4096
"""How much of a name is read, and how many names are looked up but once."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WORD = re.compile(r"[^\w]+|_")


def words_of(name: str) -> list[str]:
    """Give a name's words in small letters without accents, also where only capitals part them."""
    split = _CAMEL.sub(" ", name[:_LONGEST])
    if split.isascii():
        # It has no accents, which take most of the time to look for.
        return _NO_WORD.sub(" ", split.lower()).split()
    letters = unicodedata.normalize("NFKD", split).casefold().replace("ł", "l").replace("ø", "o")
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NO_WORD.sub(" ", plain).split()


_RANKS: dict[ColumnMeaning, dict[str, int]] = {
    meaning: {
        # Of names that differ in accents alone, the first one counts, which comes last here.
        " ".join(words_of(phrase)): rank
        for rank, phrase in reversed(list(enumerate(" ".join(listed.split()).split("|"))))
    }
    for meaning, listed in HEADER_WORDS.items()
}
_AFTER_HINTS = 2000
_FIRST_VALUE_DATE = _RANKS["date"]["value date"]
_RANKS["date"] = {
    # The day of value gives a row its day only where nothing else may be a date, whatever its name.
    name: rank if rank < _FIRST_VALUE_DATE else rank + _AFTER_HINTS
    for name, rank in _RANKS["date"].items()
}
_DEBT_NAMES = [" ".join(words_of(name)) for name in " ".join(DEBTS.split()).split("|")]
_RANKS["balance"] |= {name: _AFTER_HINTS + rank for rank, name in enumerate(_DEBT_NAMES)}
_UNPARTED = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_PARTS: list[tuple[str, ColumnMeaning]] = [
    ("".join(phrase.split()), meaning)
    for meaning, ranks in _RANKS.items()
    for phrase in ranks
    if _UNPARTED.match(phrase) and len(phrase) > 1
]
"""Names in the scripts of East Asia and Thailand, which stand within longer ones without a blank."""

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
_HINTS = {meaning: frozenset(listed.split()) for meaning, listed in _HINT_WORDS.items()}
"""Words that suggest a meaning when they are only a part of a header."""
_OTHER = """
    original foreign local fee fees tax taxes vat gst rate exchange converted limit minimum cashback
    subtotal tip points target instructed quantity count entries refund discount shipping insurance
    start end starting ending beginning opening initial final anfang due birth release expiry from
    statement closing period card billing fx number nummer numero numer cislo
    intl international
    originala originale oorspronkelijk oorspronkelijke divisa devise walucie oryginalna utlandskt
    ursprungligt povodna puvodni opprinnelig oprindelig oprindeligt alkuperainen originalbetrag
    fremdwahrung fremdwahrungsbetrag originario originaria estera
"""
_OTHER_WITHIN = tuple(
    "".join(words_of(token))
    for token in ("外币", "外幣", "外貨", "原币", "해외", "외화", "ต่างประเทศ")
)
"""Such words in scripts that part none."""
_OTHER_SIDE = tuple(
    "".join(words_of(token))
    for token in ("对方", "對方", "交易对手", "相手", "상대", "收款", "付款")
)
"""Words of names that are of the other party, whose account is not the person's own."""
_OTHER_SUBJECTS = frozenset(_OTHER.split())
"""Words that say that a column is not about the row's own day, amount or balance."""
_CELLS_OF_A_NOTE = 2
_OTHER_NAMES = frozenset(
    " ".join(words_of(name)) for name in " ".join(OTHER_NUMBERS.split()).split("|")
)
_HINT_RANK = 1000
"""Behind all names of a meaning, however many they are."""
_CODE_RANK = 900
_EURO = frozenset(["euro", "euros"])
"""The currency that headers write out, as in “Addebiti (euro)”."""
_SIGN = re.compile(r"[^\w\s.,:;()/-]+")


def meanings_of(name: str) -> Mapping[ColumnMeaning, int]:
    """Say what a column with this header can mean; the lower the number, the more it does."""
    return _meanings(name[:_LONGEST])


@lru_cache(_REMEMBERED)
def _meanings(name: str) -> Mapping[ColumnMeaning, int]:
    tokens = [token for token in (token.rstrip("0123456789") for token in words_of(name)) if token]
    codes = [token for token in tokens if _is_code(token)]
    if codes and len(tokens) == len(codes):
        return {"amount": _CODE_RANK}
    phrase = " ".join(token for token in tokens if token not in codes)
    phrase = phrase.removesuffix(" in") if codes else phrase
    exact = {meaning: ranks[phrase] for meaning, ranks in _RANKS.items() if phrase in ranks}
    is_other = any(token in "".join(tokens) for token in _OTHER_WITHIN)
    if exact or is_other or phrase in _OTHER_NAMES or _OTHER_SUBJECTS.intersection(tokens):
        return exact
    if not phrase.isascii():
        return dict.fromkeys(_meanings_within("".join(phrase.split())), _HINT_RANK)
    return {meaning: _HINT_RANK for meaning, hints in _HINTS.items() if hints & set(tokens)}


def _is_code(text: str) -> bool:
    return text in _EURO or (text.upper() in CODES and text != "all")


def _meanings_within(name: str) -> set[ColumnMeaning]:
    """The meanings of the longest known names within one of a script that parts no words."""
    matches = [(len(phrase), meaning) for phrase, meaning in _PARTS if phrase in name]
    longest = max(matches, default=(0, None))[0]
    meanings = {meaning for length, meaning in matches if length == longest}
    is_of_other_side = any(term in name for term in _OTHER_SIDE)
    return meanings - {"account", "account name"} if is_of_other_side else meanings


@dataclass(frozen=True)
class ColumnName:
    """A column's name in a header, and what it tells; of a column without one the text is empty."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in small letters without accents."""
        return tuple(words_of(self.text))

    @property
    def plain(self) -> str:
        """These words with blanks between them, by which names are known."""
        return " ".join(self.words)

    @cached_property
    def meanings(self) -> Mapping[ColumnMeaning, int]:
        """What the column can mean; the lower the number, the more it does."""
        return meanings_of(self.text)

    def is_exact(self, meaning: ColumnMeaning) -> bool:
        """Say whether it is a name of a meaning, and does not only have a word that suggests it."""
        return self.meanings.get(meaning, _HINT_RANK) < _HINT_RANK

    @cached_property
    def currency(self) -> str | None:
        """The currency that it names, as "Betrag (EUR)" does."""
        texts = [*self.words, *_SIGN.findall(self.text)]
        codes = {code for text in texts if (code := currency_of(text)) is not None}
        return codes.pop() if len(codes) == 1 else None

    @property
    def is_of_other_numbers(self) -> bool:
        """Whether it names numbers that are no amounts, such as prices and rates of exchange."""
        is_other = self._without_codes in _OTHER_NAMES or not _OTHER_SUBJECTS.isdisjoint(self.words)
        return is_other and not self.meanings

    @property
    def is_debt(self) -> bool:
        """Whether it calls a balance what is owed."""
        return self._without_codes in _DEBT_NAMES

    @property
    def _without_codes(self) -> str:
        return " ".join(token for token in self.words if token.upper() not in CODES)


@lru_cache(_REMEMBERED)
def column_name(text: str) -> ColumnName:
    """A name, of which everything is found but once."""
    return ColumnName(text)


def is_labelled_value(cells: Sequence[str]) -> bool:
    """Say whether a row is a label that ends with a colon, and what it labels."""
    return len(list(filter(None, cells))) == 2 and cells[0].rstrip().endswith(":")


def is_header(cells: Sequence[str]) -> bool:
    """Say whether a row names a column of dates and one of amounts.

    “Valuta: EUR” alone names none: it tells the currency. Neither does a label with its value.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    is_note = len(filled) <= _CELLS_OF_A_NOTE and any(cell.upper() in CODES for cell in filled)
    if is_note or is_labelled_value(cells):
        return False
    meanings = [meanings_of(cell) for cell in cells]
    money: set[ColumnMeaning] = {"amount", "debit", "credit"}
    return any("date" in ranks for ranks in meanings) and any(
        money & ranks.keys() for ranks in meanings
    )


_FEWEST = 2
"""How many words tell a language; one is another language's, too, by chance."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of banks: its currencies, the likeliest first, and its words.

    `with_comma` are those of the countries that print a decimal comma; empty for a language of so many
    countries that it says nothing of the currency.
    """

    currencies: tuple[str, ...]
    with_comma: tuple[str, ...]
    words: frozenset[str]


def _language(currencies: str, listed: str, with_comma: str = "") -> Language:
    codes = tuple(currencies.split())
    return Language(
        codes,
        tuple(with_comma.split()) or codes,
        _folded(listed),
    )


def _folded(listed: str) -> frozenset[str]:
    return frozenset(token for name in listed.split() for token in words_of(name))


_PORTUGUESE = """data valor descrição saldo débito crédito tipo conta documento movimento número nome
    categoria título lançamento lançamentos entrada entradas saída saídas estado beneficiário operação
    moeda"""
_SPANISH = """fecha concepto importe saldo cargo cargos abono abonos descripción movimiento divisa
    monto débito débitos crédito créditos operación detalle ingreso retiro retiros depósito
    depósitos cuenta referencia observaciones comercio"""
_FRENCH = """date libellé montant solde débit crédit opération valeur référence bénéficiaire devise
    compte remarque nature détail catégorie comptable comptabilisation"""
_POLISH = """data operacji waluty księgowania kwota saldo opis tytuł tytułem
    nadawca odbiorca rachunek transakcji typ konta kontrahenta nazwa
    wydatki wpływy obciążenia uznania waluta"""
_CZECH = """datum částka měna zůstatek protiúčet popis poznámka zaúčtování
    provedení název protiúčtu typ zpráva pro příjemce objem transakce účtu
    odesláno připsáno splatnost příchozí odchozí příjem výdaj směr platby úhrady kurz směnný dal má dáti
    valuty protistrana množství poplatek účet stav"""
_CROATIAN = """datum iznos opis stanje uplata isplata valuta primatelj platitelj
    primalac račun računa knjiženja izvršenja potražuje duguje saldo svrha"""

LANGUAGES = (
    _language("", """date description amount balance debit credit payee memo details
        transaction type posted posting withdrawal withdrawals deposit
        deposits account reference category check paid in out money narrative
        narration merchant status name note notes number post card particulars"""),
    _language("EUR CHF", """datum betrag buchungstag buchung wertstellung verwendungszweck
        empfänger auftraggeber umsatz saldo valuta buchungstext beschreibung
        konto kontonummer währung soll haben begünstigter zahlungspflichtiger
        gutschrift lastschrift belastung umsatzart kontostand text valutadatum
        buchungsdatum""", "EUR"),
    _language("EUR CHF CAD", _FRENCH, "EUR"),
    _language("CAD", _FRENCH + " retrait retraits dépôt dépôts succursale folio caisse"),
    _language("EUR CHF", """data contabile valuta operazione descrizione importo dare avere
        entrate uscite causale accrediti addebiti saldo divisa movimento
        dettagli contabilizzazione""", "EUR"),
    _language("EUR", """datum bedrag omschrijving rekening naam mededelingen tegenrekening
        tegenpartij af bij boekingsdatum valutadatum saldo munt begunstigde
        rekeningnummer boekdatum transactie"""),
    _language("EUR MXN ARS CLP COP PEN UYU CRC DOP GTQ", _SPANISH, "EUR ARS CLP COP UYU CRC"),
    _language("BRL", _PORTUGUESE + """ histórico identificador agência estorno dependência balancete
        estabelecimento parcela parcelas origem favorecido tarifa cotação situação"""),
    _language("EUR", _PORTUGUESE + " mov montante contabilístico descritivo comissão dívida"),
    _language("DKK", """dato tekst beløb saldo bogført bogføringsdato rentedato valør afstemt
        udført modtager indbetaling udbetaling kategori beskrivelse
        posteringsdato posteringstekst hævet indsat navn konto beløbet udgifter indtægter ud ind
        valuta modpart"""),
    _language("NOK", """dato forklaring rentedato beløp beløpet ut inn fra på konto bokført
        bokføringsdato tekst saldo beskrivelse valuteringsdato arkivref
        undertype melding mottaker avsender utført gjelder kontonummer
        transaksjonstype tittel innskudd uttak motpart konto valuta"""),
    _language("SEK", """datum belopp saldo beskrivning text bokföringsdag bokföringsdatum
        transaktionsdag transaktion valutadag reskontradatum insättning uttag
        mottagare avsändare meddelande rubrik kontonamn specifikation ort
        kontonummer transaktionsdatum bokförd valutadatum motpart debet kredit valuta
        utgifter inkomster insättningar konto"""),
    _language("EUR", """kirjauspäivä kirjauspvm määrä maksaja saaja saldo viesti viite
        viitenumero arvopäivä tapahtumapäivä selitys päivämäärä summa otsikko
        nimi tilinumero kuvaus tapahtuma euroa"""),
    _language("PLN", _POLISH),
    _language("CZK", _CZECH),
    _language("EUR", """dátum suma mena zostatok popis protistrana účet čiastka poznámka
        príjemca platiteľ zaúčtovania obrat transakcie účtu príjem výdavok názov protiúčtu
        valuty výmenný kurz prichádzajúce odchádzajúce smer platby množstvo poplatok stav"""),
    _language("HUF", """dátum összeg egyenleg közlemény könyvelés értéknap neve számlaszám
        terhelés jóváírás megnevezés típus pénznem tranzakció devizanem leírás
        kedvezményezett dátuma összege"""),
    _language("RON", """data descriere sumă suma debit credit sold detalii tranzacție
        tranzactie tranzacției tranzacţie valută beneficiar explicații
        explicaţii referință plătitor operațiune operaţiune"""),
    _language("TRY", """tarih açıklama tutar bakiye borç alacak işlem fiş dekont valör kanal
        gönderen alıcı tutarı tarihi etiket"""),
    _language("EUR RSD BAM HRK", _CROATIAN, "EUR RSD BAM HRK"),
    _language("EUR", """datum znesek breme dobro stanje namen prejemnik plačnik opis knjiženja
        valuta valute račun račun naziv"""),
    _language("EUR", """kuupäev summa selgitus saaja maksja saldo viitenumber konto valuuta
        tehing kirjeldus jääk arhiveerimistunnus deebet kreedit kliendi"""),
    _language("EUR", """datums summa saņēmējs maksātājs valūta maksājuma mērķis atlikums
        debets kredīts konts darījuma"""),
    _language("EUR", """data suma gavėjas mokėtojas paaiškinimai valiuta likutis paskirtis
        operacijos debetas kreditas sąskaitos mokėjimo įrašo"""),
    _language("ISK", """dagsetning upphæð skýring staða lýsing texti vaxtadagur
        mótaðili tilvísun viðtakandi dags"""),
    _language("VND", "ngày số tiền dư ghi nợ có diễn giải nội dung giao dịch mô tả"),
    _language("IDR", """tanggal keterangan jumlah saldo debet kredit uraian mutasi
        cabang nominal transaksi"""),
    _language("MYR", "tarikh butiran amaun baki keterangan debit kredit transaksi"),
    _language("RUB", """дата сумма приход расход назначение остаток счёт счет описание
        операции платежа зачисление списание валюта категория статус карты
        баланс дебет кредит комментарий контрагент комиссия курс цена количество"""),
    _language("UAH", """дата сума опис залишок рахунок призначення платежу валюта операції
        дебет кредит картки категорія надходження витрати баланс контрагент
        статус комісія курс ціна кількість видатки списання зарахування деталі"""),
    _language("EUR BGN", """дата сума основание салдо наредител получател сметка дебит кредит
        описание валута вальор стойност операция транзакция плащания постъпления
        пояснение наличност счетоводна статус такса курс цена количество контрагент час
        приход разход кореспондент системен"""),
    _language("RSD MKD", "датум износ опис стање уплата исплата валута сврха рачун примаоц состојба"),
)  # fmt: skip

_CROATIAN_ALONE = _folded(f"{_CROATIAN} hrk kn bam") - _folded(_POLISH + _CZECH)
_POLISH_OR_CZECH_ALONE = _folded(f"{_POLISH} {_CZECH} pln zł czk kč") - _folded(_CROATIAN)

_SCRIPTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("\u3040", "\u30ff", ("JPY",)),
    ("\uff66", "\uff9f", ("JPY",)),
    ("\uac00", "\ud7a3", ("KRW",)),
    ("\u0e00", "\u0e7f", ("THB",)),
    ("\u0590", "\u05ff", ("ILS",)),
    ("\u0370", "\u03ff", ("EUR",)),
    ("\u10a0", "\u10ff", ("GEL",)),
    ("\u0530", "\u058f", ("AMD",)),
    ("\u0900", "\u097f", ("INR",)),
)
"""Scripts of one country's banks, by their first and last character."""

_JAPANESE = frozenset("払込残円")
_JAPANESE_WORDS = ("日付", "取引", "入金", "出金", "引出", "預入", "利用")
_SIMPLIFIED = frozenset("额账币时间类对进转结单备记户")
_TRADITIONAL = frozenset("餘戶幣轉單號匯")
_TRADITIONAL_OR_JAPANESE = frozenset("帳額類備")


def currencies_spoken(names: Iterable[str], *, decimal_comma: bool) -> tuple[str, ...]:
    """The currencies that the language of some column names suggests, the likeliest first.

    Empty where the language is that of too many countries, or is not known. A decimal comma leaves
    those of the countries that print one.
    """
    listed = list(names)
    scripts = _of_script("".join(listed))
    if scripts:
        return scripts
    tokens = {token for name in listed for token in words_of(name)}
    shared = [tokens & language.words for language in LANGUAGES]
    best = max(shared, key=len)
    if len(best) < _FEWEST:
        return ()
    matches = [
        language
        for language, own in zip(LANGUAGES, shared, strict=True)
        if len(own) == len(best) or (len(own) == len(best) - 1 and own - best)
    ]
    spoken = [match.with_comma if decimal_comma else match.currencies for match in matches]
    return tuple(dict.fromkeys(code for codes in spoken for code in codes)) if all(spoken) else ()


def speaks_croatian(texts: Iterable[str]) -> bool | None:
    """Say whether words of a file are Croatian and not Polish or Czech, None where nothing tells."""
    tokens = {token for text in texts for token in words_of(text)}
    balance = len(tokens & _CROATIAN_ALONE) - len(tokens & _POLISH_OR_CZECH_ALONE)
    return balance > 0 if balance else None


def is_east_asian(text: str) -> bool:
    """Say whether a text is Chinese, Japanese or Korean, in whose countries the year leads a date."""
    return any("\u3040" <= letter <= "\u9fff" or "가" <= letter <= "힣" for letter in text)


def _of_script(text: str) -> tuple[str, ...]:
    """The currencies of a text's script, empty for the scripts of many countries."""
    if text.isascii():
        return ()
    for first, last, currencies in _SCRIPTS:
        # The Greek letter mu is also the sign for a millionth part, which stands alone.
        if sum(first <= letter <= last for letter in text) >= _FEWEST:
            return currencies
    letters = set(text)
    # “支出金额” and “存入金額” are Chinese, although “出金” and “入金” are Japanese words.
    if letters & _SIMPLIFIED:
        return ("CNY",)
    if letters & _TRADITIONAL:
        return ("TWD", "HKD")
    if letters & _JAPANESE or any(term in text for term in _JAPANESE_WORDS):
        return ("JPY",)
    return ("TWD", "HKD") if letters & _TRADITIONAL_OR_JAPANESE else ()
