"""The language of a table's header, and the currencies of the countries that speak it.

Each language has the words that banks write above columns and accounts. The one that knows most of a
header's words is the header's; where several know equally many, or another one knows one word less but
one of its own, it may be any of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from finplan.statements.table.words import words_of

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


def _language(currencies: str, words: str, with_comma: str = "") -> Language:
    codes = tuple(currencies.split())
    return Language(
        codes,
        tuple(with_comma.split()) or codes,
        _folded(words),
    )


def _folded(words: str) -> frozenset[str]:
    return frozenset(word for name in words.split() for word in words_of(name))


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
    words = {word for name in listed for word in words_of(name)}
    known = [words & language.words for language in LANGUAGES]
    best = max(known, key=len)
    if len(best) < _FEWEST:
        return ()
    found = [
        language
        for language, own in zip(LANGUAGES, known, strict=True)
        if len(own) == len(best) or (len(own) == len(best) - 1 and own - best)
    ]
    spoken = [each.with_comma if decimal_comma else each.currencies for each in found]
    return tuple(dict.fromkeys(code for codes in spoken for code in codes)) if all(spoken) else ()


def speaks_croatian(texts: Iterable[str]) -> bool | None:
    """Say whether words of a file are Croatian and not Polish or Czech, None where nothing tells."""
    words = {word for text in texts for word in words_of(text)}
    balance = len(words & _CROATIAN_ALONE) - len(words & _POLISH_OR_CZECH_ALONE)
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
    if letters & _JAPANESE or any(word in text for word in _JAPANESE_WORDS):
        return ("JPY",)
    return ("TWD", "HKD") if letters & _TRADITIONAL_OR_JAPANESE else ()
