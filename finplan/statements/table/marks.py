"""Marks: the words and signs of a column that says which way each row's amount goes."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from finplan.statements.table.words import words_of

_DEBIT_WORDS = """d dr db dbt dbit debit debits debet debetas debito debiti debite s soll af out
    outflow o outgoing expense expenses withdrawal belastung lastschrift cargo dare uscita uscite
    spent debe sortie aus ausgang ausgabe abgang gasto egreso salida saida despesa wydatek
    obciazenie vydej vydaj vydavek uit ud ut utgift utgifter utbetaling meno otto ab tarhely
    terheles gider borc cikis расход hævet uttag uttak wyplata vyber kiadas retrait retiro saque
    prelievo opname kulu isplata plata zaduzenje valjaminek izdevumi islaidos dt дт теглене дебет
    дебит списание 支 支出 出金 支払 出 借 출금 지급 출 chi ra addebito addebiti odchozi odchadzajuca
    odchadzajuce vydavok vydavky veloitus veloitukset deebet debets breme odliv duguje iesire iesiri
    χρεωση χ списання חובה חיוב ถอน เดบิต keluar pengeluaran 払出 払出し 出 引出
    取款 转出 money_out paid_out cash_out payment_out transfer_out sent spend spending расходы витрата
    витрати разход разходи gastos egresos saidas despesas ausgaben auszahlung depense depenses wydatki
    vydaje uitgave uitgaven udgift udgifter spese rashod rashodi troskovi έξοδο έξοδα 지출 รายจ่าย
    khoản_chi uang_keluar הוצאה مدين سحب"""
_CREDIT_WORDS = """c cr crdt credit credits credite k kredit kreditas kreditai h haben bij in inflow
    i incoming income deposit gutschrift credito crediti abono avere entrata entrate received haber
    entree ein eingang einnahme zugang ingreso entrada receita wplyw uznanie prijem prijmy ind inn
    indsat innskudd wplata vklad bevetel depot deposito versamento storting tulu uplata incasare
    odobrenje laekumine ienemumi pajamos kt кт внасяне inntekt innbetaling insattning tulo pano zu
    jovairas gelir alacak giris приход кредит зачисление поступление 收 收入 入金 預入 入 贷 貸 입금
    입 thu vao accredito accrediti prichozi prichadzajuca prichadzajuce hyvitys hyvitykset kreedit
    kredits dobro priliv potrazuje intrare intrari πιστωση π зарахування זכות זיכוי ฝาก เครดิต
    masuk pemasukan 預入 預入れ 受取 存款 转入 money_in paid_in cash_in payment_in transfer_in incomes
    доход доходы пополнение дохід доходи надходження приходи ingresos receitas einnahmen einzahlung
    recette recettes revenu revenus przychod przychody wplywy inkomst inkomster inkomsten indtaegt
    indtægt indtægter prihod prihodi έσοδο έσοδα 수입 รายรับ khoản_thu uang_masuk הכנסה دائن إيداع"""
_SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}
INCOME = "收入"
"""How a row of a payment app is marked that came in."""

_INCOME, _EXPENSE = "收", "支"
_NEUTRAL = frozenset(
    ["", "/", "-", "--", "不计收支", "不計收支", "不计", "中性交易", "中性", "其他", "其它"]
)
"""What payment apps mark their own transfers with, and purchases of which all came back."""

_MARKS = {
    " ".join(words_of(word)): sign
    for words, sign in ((_DEBIT_WORDS, -1), (_CREDIT_WORDS, 1))
    for word in words.split()
}
"""What stands in a column that says which way a row's amount goes, in small letters without accents."""


def word_in(cell: str) -> str:
    """Give the word in a cell as it is listed in an answer: in one line, with single blanks."""
    return " ".join(cell.split())


@lru_cache(4096)
def mark_of(cell: str) -> int:
    """Give the direction of a cell in a column of marks: 1 in, -1 out, 0 when it says nothing."""
    known = _SIGNS.get(cell.strip()) or _MARKS.get(" ".join(words_of(cell)))
    return known or _said_by_all(words_of(cell))


def _said_by_all(words: Sequence[str]) -> int:
    """Give the way that all words of a mark say, as both of “贷 Cr” do, 0 where they say two or none."""
    ways = {_MARKS.get(word, 0) for word in words}
    return ways.pop() if len(ways) == 1 else 0


def ways_beside_blanks(cells: Collection[str]) -> dict[str, int] | None:
    """Say which way each cell goes where one word stands in some rows and the others are blank.

    A bank that prints “CR” beside what comes in and nothing else has blanks beside what goes out. The
    word has to be a mark of more than a letter; None for other cells.
    """
    words = {cell.strip().casefold() for cell in cells}
    marks = words - {""}
    if "" not in words or len(marks) != 1:
        return None
    (mark,) = marks
    way = mark_of(mark) if len(mark) > 1 else 0
    return {mark: way, "": -way} if way else None


def marks_neutral(name: str) -> bool:
    """Say whether a column of this name has rows of income, of expense and of neither, as in China."""
    return _INCOME in name and _EXPENSE in name


def is_neutral(cell: str) -> bool:
    """Say whether a mark in such a column says that the money neither came in nor went out."""
    return cell.strip() in _NEUTRAL
