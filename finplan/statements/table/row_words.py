"""What the words in a row's cells say of it, in the languages of banks.

Marks are the words and signs of a column that says which way each row's amount goes. A column of types
has what banks call their bookings, and which way the money of each kind goes; elsewhere words say that
a payment was received, which comes in, or that something was bought, which goes out. A column of states
says that a row is booked, waits, or was declined. And texts say of a row when it is no transaction:
that it states a balance or a sum.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Literal

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
_MARKING_SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}
INCOME = "收入"
"""How a row of a payment app is marked that came in."""

_INCOME, _EXPENSE = "收", "支"
_NEUTRAL = frozenset(
    ["", "/", "-", "--", "不计收支", "不計收支", "不计", "中性交易", "中性", "其他", "其它"]
)
"""What payment apps mark their own transfers with, and purchases of which all came back."""

_MARKS = {
    " ".join(words_of(token)): sign
    for listed, sign in ((_DEBIT_WORDS, -1), (_CREDIT_WORDS, 1))
    for token in listed.split()
}
"""What stands in a column that says which way a row's amount goes, in small letters without accents."""


def word_in(cell: str) -> str:
    """Give the word in a cell as it is listed in an answer: in one line, with single blanks."""
    return " ".join(cell.split())


@lru_cache(4096)
def mark_of(cell: str) -> int:
    """Give the direction of a cell in a column of marks: 1 in, -1 out, 0 when it says nothing."""
    sign = _MARKING_SIGNS.get(cell.strip()) or _MARKS.get(" ".join(words_of(cell)))
    return sign or _said_by_all(words_of(cell))


def _said_by_all(tokens: Sequence[str]) -> int:
    """Give the way that all words of a mark say, as both of “贷 Cr” do, 0 where they say two or none."""
    ways = {_MARKS.get(token, 0) for token in tokens}
    return ways.pop() if len(ways) == 1 else 0


def ways_beside_blanks(cells: Collection[str]) -> dict[str, int] | None:
    """Say which way each cell goes where one word stands in some rows and the others are blank.

    A bank that prints “CR” beside what comes in and nothing else has blanks beside what goes out. The
    word has to be a mark of more than a letter; None for other cells.
    """
    distinct = {cell.strip().casefold() for cell in cells}
    marks = distinct - {""}
    if "" not in distinct or len(marks) != 1:
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


_SPENT_KINDS = """
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

_RETURNED_KINDS = """
    refund|refunds|refunded|purchase refund|purchase return|merchandise return|ruckerstattung
    |rueckerstattung|erstattung|remboursement|reembolso|devolucion|devolucao|rimborso|terugbetaling
    |aterbetalning|tilbagebetaling|refusjon|tilbakebetaling|palautus|zwrot|vraceni platby|vratka
    |vratenie|visszaterites|rambursare|restituire|povrat|povrat novca|vracilo|tagastus|atmaksa
    |grazinimas|iade|возврат|повернення|επιστροφη|返金|返品|退款|退货|退貨|환불"""
_RECEIVED_KINDS = f"""
    deposit|deposits|direct deposit|cash deposit|check deposit|cheque deposit|mobile deposit
    |atm deposit|interest earned|interest credit|salary|payroll|bareinzahlung|lohn gehalt
    |gehalt|depot|salaire|abono|nomina|stipendio|storting|salaris|insattning|lon|innskudd|lonn
    |talletus|palkka|wplata gotowki|wynagrodzenie|vklad hotovosti|mzda
    |keszpenzbefizetes|depunere|polog|para yatirma|{_RETURNED_KINDS}"""
"""A deposit, a refund or pay: money comes in, whatever kind of account it is."""

_SALES_KINDS = (
    "sale|sales|charge|charges|vente|ventes|venta|ventas|vendita|vendite|verkoop|venda|vendas"
)
_SPENT_ON_CARD = f"""
    {_SALES_KINDS}|interest|balance transfer fee|zinsen|sollzinsen
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


def _names_of_kinds(listed: str) -> frozenset[str]:
    return frozenset(" ".join(words_of(name)) for name in " ".join(listed.split()).split("|"))


_ANYWHERE = {1: _names_of_kinds(_RECEIVED_KINDS), -1: _names_of_kinds(_SPENT_KINDS)}
_ON_CARD = {1: _names_of_kinds(_RECEIVED_ON_CARD), -1: _names_of_kinds(_SPENT_ON_CARD)}
_REMEMBERED = 4096


_SOLD = _names_of_kinds(_SALES_KINDS)
_BROUGHT_BACK = _names_of_kinds(_RETURNED_KINDS)
_PAID_OFF = frozenset(
    name for name in _ON_CARD[1] if " " in name or not name.isascii()
) | _names_of_kinds("信用卡还款|自动还款|转账还款|信用卡還款|自動還款|轉賬還款")
_LONGEST_NAME_OF_A_KIND = 3


def is_sale(kind: str) -> bool:
    """Say whether rows are called sales, which are spent on a card and earned in a shop's export."""
    return " ".join(words_of(kind)) in _SOLD


@lru_cache(_REMEMBERED)
def direction_of_kind(kind: str, *, is_card: bool) -> int:
    """Say which way rows go that a bank calls so: 1 in, -1 out, 0 where the name alone does not tell.

    `is_card` says that the account is known to be a credit card.
    """
    name = " ".join(words_of(kind))
    for by_way in (_ANYWHERE, _ON_CARD) if is_card else (_ANYWHERE,):
        for way, names in by_way.items():
            if name in names:
                return way
    return 0


@lru_cache(_REMEMBERED)
def comes_back(text: str, *, is_card: bool) -> bool:
    """Say whether a text begins with a bank's words for what comes in beside all that is spent.

    That is a refund, and on a card a payment of it; a single word for a payment may be of any.
    """
    tokens = words_of(text)
    beginnings = {" ".join(tokens[:length]) for length in range(1, _LONGEST_NAME_OF_A_KIND + 1)}
    names = _BROUGHT_BACK | _PAID_OFF if is_card else _BROUGHT_BACK
    return not names.isdisjoint(beginnings)


_OUTWARD_TYPES = """fee|purchase|purchase fee|cash advance|interest charge|finance charge|kauf|einkauf
    |achat|compra|acquisto|aankoop|kop|kjop|kob|zakup|nakup"""
_PAID = """payment payments pymt pmt paiement paiements pago pagos pagamento pagamenti zahlung betaling
    betalning platba platnosc maksu maksusuoritus suoritus makse maksajums mokejimas imoka placilo uplata
    plata odeme odemeniz befizetes befizetese torlesztes πληρωμη платеж платёж платіж оплата плащане
    плаќање уплата תשלום pembayaran bayaran"""
_RECEIVED = """thank thanks received recu merci erhalten dank recibido recibida gracias recebido recebida
    obrigado ricevuto ricevuta grazie ontvangen bedankt mottatt mottagen tack takk tak modtaget prijata
    prijato dekujeme dakujeme otrzymano dziekujemy kiitos kiitamme vastaanotettu tanan tanname laekunud
    paldies sanemts aciu dekojame gauta gautas hvala primljena primljeno prejeto prejeta multumim primita
    tesekkurler tesekkur alindi koszonjuk jovairva ευχαριστουμε εληφθη спасибо получен получено
    благодарим дякуємо отримано благодариме התקבל תודה diterima kasih"""
_RECEIPTS = """zahlungseingang einzahlung innbetaling inbetalning indbetaling wplata ontvangst"""
_UNPARTED_PAID = """入金 支払 还款 還款 付款 缴款 繳款 결제대금 입금 납부 ชำระ thanhtoán"""
_UNPARTED_RECEIVED = """ありがとう 谢谢 感谢 謝謝 感謝 收到 감사 ขอบคุณ ได้รับ cảmơn đãnhận"""
"""The same in languages whose words no blank parts, or whose blanks part syllables."""

_OUTWARD = frozenset(" ".join(_OUTWARD_TYPES.split()).split("|"))
"""What a bank calls rows whose money goes out for everyone; to a shop, a sale comes in."""

_PAYMENT, _THANKS, _BOTH = (
    frozenset("".join(words_of(token)) for token in listed.split())
    for listed in (_PAID, _RECEIVED, _RECEIPTS)
)
"""Words for a payment, for its having been received, and for both at once."""

_PAYMENT_PARTS, _THANKS_PARTS = (
    tuple("".join(words_of(part)) for part in parts.split())
    for parts in (_UNPARTED_PAID, _UNPARTED_RECEIVED)
)

_COLLECTED = ("lastschrift", "prelevement", "kartenzahlung", "kortbetalning", "korttiosto")
_CREDITED = ("gutschr", "virementrecu", "zahlungseingang")
_DIVIDEND, _OF_A_DIVIDEND = "dividend", ("tax", "steuer", "impot", "impuesto", "impost", "reinv")
_SENT_BACK = ("ruck", "rueck", "retour", "storn", "rejet")
"""Parts of words for what is debited, what is credited, dividends but not their taxes, and what is taken
back."""


@lru_cache(_REMEMBERED)
def spoken_direction(kind: str, text: str) -> int:
    """Say which way a row's words say that money goes: 1 in, -1 out, 0 when they do not.

    `kind` is what the bank calls the row.
    """
    kinds = words_of(kind)
    if " ".join(kinds) in _OUTWARD:
        return -1
    tokens = [*kinds, *words_of(text)]
    terms = set(tokens)
    if terms & _BOTH or (terms & _PAYMENT and terms & _THANKS) or _thanks_unparted("".join(tokens)):
        return 1
    sentence = " ".join(terms)
    if any(part in sentence for part in _SENT_BACK):
        return 0
    is_dividend = _DIVIDEND in sentence and not any(part in sentence for part in _OF_A_DIVIDEND)
    credited = is_dividend or any(part in sentence for part in _CREDITED)
    return credited - any(part in sentence for part in _COLLECTED)


def _thanks_unparted(text: str) -> bool:
    return any(part in text for part in _PAYMENT_PARTS) and any(
        part in text for part in _THANKS_PARTS
    )


RowState = Literal["booked", "pending", "declined"]

_WORDS_OF_STATES: dict[RowState, str] = {
    "declined": """
        declin|not approved|not accepted|not authori|non approvat|non autorizzat
        |fail|revert|cancel|reject|refus|denied|expired|void|removed|unsuccessful|abgelehnt
        |zurückgewiesen|storn|annul|anul|rechaz|denegad|cancelad|caducad|rifiut|respint|recusad
        |rejeitad|estornad|geweiger|geannul|afgewezen|mislukt|odrzuc|niezrealizowan|zamítnut|zrušen
        |zamietnut|neprovedeno|neuskutočnen|elutasít|törölt|törölve|sikertelen|visszautasít|respins
        |eșuat|nekad|nekat|avbruten|avbrutt|avböjd|avvist|avvisad|avvisat|avslått|avslag|makuler|misslyck|mislykk
        |kanseller|afvist|fejlet|hylät|perut|peruut|epäonnistu|tagasi lükat|tühistat|ebaõnnestu
        |noraidīt|atcelt|neizdev|atmest|atšaukt|nepavyk|zavrnj|preklican|neuspeš|neuspješ|odbijen
        |otkazan|poništen|reddedil|iptal|başarısız|απορρίφθ|απορριπτ|ακυρ|αποτυχ|ανεπιτυχ|отклон
        |отмен|отказ|аннул|анул|неуспеш|сторн|відхил|скасов|неуспіш|відмов|отхвърл
        |одбијен|отказан|取消|失敗|却下|不成立|キャンセル|无效|失败|拒绝|撤销|已撤|交易关闭
        |交易關閉|已关闭|無效|拒絕|취소|거절|실패|오류|נדח|בוטל|סורב|נכשל|ยกเลิก|ล้มเหลว|ปฏิเสธ
        |ไม่สำเร็จ|gagal|dibatal|ditolak|thất bại|không thành công|đã hủy|đã huỷ
        |hủy|từ chối""",
    "pending": """
        pending|authori|processing|in process|in progress|on hold|held|unposted|not posted
        |not booked|not yet|unsettled|outstanding|awaiting|waiting|scheduled|vorgem|offen
        |ausstehend|in bearbeitung|noch nicht|nicht gebucht|angekündigt|en attente|à venir
        |en cours|non comptabilis|pas encore|pendiente|en proceso|en curso|en tránsito|retenid
        |no contabiliz|por liquidar|in attesa|in corso|in lavorazione|in elaborazione
        |non contabilizzat|da contabilizzare|autorizzat|pendente|em processamento|em curso
        |em andamento|por processar|aguarda|a aguardar|cativo|não contabiliz|in behandeling
        |in afwachting|in verwerking|nog niet|niet geboekt|gereserv|reserv|rezerv|rezerw|oczekuj
        |nierozlicz|niezaksięg|w trakcie|w realizacji|blokad|zablokowan|czeka|nezaúčt|neproveden
        |čeká|čaká|v procesu|blokac|blokován|zpracovává|függő|várakoz|várható|könyvelésre vár
        |feldolgozásra vár|nem könyvelt
        |feldolgozás alatt|folyamatban|zárol|în așteptare|în curs|neprocesat|nedecontat
        |nefinalizat|blocat|vänta|avvakta|preliminär|ej bokför|pågå|venter|ventende|avventer
        |ikke bokf|ikke bogf
        |under behandling|afvent|foreløbig|odott|kateva|varau|käsittel|kesken|ei kirjat|ootel|ootab
        |broneer|töötlemis|gaida|apstrād|laukia|vykdom|apdoroj|neįvykd|v teku|na čakanj|v obdelav
        |na čekanj|u obrad|u tijeku|u toku|neproknjiž|bekle|provizyon|işlemde|askıda|εκκρεμ
        |σε εξέλιξη|σε επεξεργασία|δεσμευ|αναμ|в обработ|обрабат|ожида|в ожидани|в процесс|не обработ
        |не провед|не исполн|холд|зарезервир|неподтвержд|авториз|в обробці|обробля|очік|в очікуванні
        |в процесі|зарезервов|не проведен|необробл|чака|изчак|необраб|неосчетов|в процес|блокиран
        |на чекању|у обради|未確定|未決済|未処理|処理中|保留|速報|处理中|待入账
        |待处理|待确认|待付款|待支付|等待|未入账|未完成|进行中|交易中|處理中|進行中|未入帳|대기|처리중|진행중|미확정
        |미매입|미처리|보류|ממתי|בתהליך|בעיבוד|טרם|בהמתנה|עתידי|รอดำเนินการ|รอการ|รอตัดบัญชี|กำลังดำเนินการ|อยู่ระหว่าง|tertunda
        |menunggu|diproses|dalam proses|belum|đang|chờ|chưa""",
    "booked": """
        booked|posted|complete|cleared|settled|processed|success|paid|executed|done|confirmed|final
        |reconciled|approved|gebucht|verbucht|gutgeschrieben|ausgeführt|abgeschlossen|erledigt
        |comptabilis|exécut|effectu|trait|réglé|validé|contabiliz|completad|liquidad|realizad
        |ejecutad|finalizad|eseguit|completat|registrat|efetuad|efectuad|concluíd|processad
        |executad|geboekt|verwerkt|uitgevoerd|voltooid|zaksięg|rozliczon|zrealizow|wykonan|zaúčt
        |proveden|dokončen|zpracován|realizovan|spracovan|vykonan|könyvelt|lekönyvelt|teljesül
        |végrehajt|sikeres|procesat|finalizat|efectuat|bokför|genomför|utför|bokfør|gjennomfør
        |utfør|bogfør|udfør|gennemfør|kirjat|suorit|toteut|täidet|kinnitat|izpildīt|iegrāmatot
        |įvykdyt|atlikt|įskaityt|izveden|knjižen|proknjižen|izvršen|realiziran|tamamlan|gerçekleş
        |başarılı|onaylan|ολοκληρ|καταχωρ|εκτελ|исполн|проведен|выполн|успешн|заверш|обработан
        |виконан|успішн|осчетовод|изпълнен|приключ|прокњижен|извршен|確定|完了|済|成功|完成|已入账
        |已记账|已入帳|완료|승인|정상|확정|בוצע|נקלט|אושר|הושלם|สำเร็จ|เรียบร้อย|berhasil|selesai
        |sukses|thành công|hoàn thành|hoàn tất|đã hạch toán""",
}
"""Beginnings of words, as banks write them; in the scripts that part no words, what stands within."""

_WORDS_OF_A_HEADING = 4

_UNPARTED_SCRIPTS = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_STATE = 80


def _folded_state(text: str) -> str:
    return " " + " ".join(words_of(text))


def _beginning_of_state(text: str) -> str:
    folded = _folded_state(text)
    # A blank would ask for the beginning of a word, of which these scripts show none.
    return folded.replace(" ", "") if _UNPARTED_SCRIPTS.search(folded) else folded


_BEGINNINGS_OF_STATES: dict[RowState, tuple[str, ...]] = {
    state: tuple(dict.fromkeys(map(_beginning_of_state, " ".join(listed.split()).split("|"))))
    for state, listed in _WORDS_OF_STATES.items()
}


def status_of(cell: str) -> RowState:
    """Say what a cell in a column of states means for its row, which is booked in any other words."""
    return known_state(cell) or "booked"


@lru_cache(maxsize=1000)
def known_state(cell: str) -> RowState | None:
    """Say which state a cell names, None where its words are no bank's for any."""
    text = _folded_state(cell[:_LONGEST_STATE])
    unparted = text.replace(" ", "")
    for state, beginnings in _BEGINNINGS_OF_STATES.items():
        if any(start in (text if start[0] == " " else unparted) for start in beginnings):
            return state
    return None


def state_in_heading(row: Sequence[str]) -> RowState | None:
    """Say of which state the rows below are, where a row is a heading that says it, as “Pending” alone.

    A row of which more than one cell is filled is none.
    """
    filled = [cell for cell in row if cell.strip()]
    if len(filled) != 1 or len(words_of(filled[0])) > _WORDS_OF_A_HEADING:
        return None
    return known_state(filled[0])


_BALANCE_WORDS = (
    "balance", "saldo", "solde", "likutis", "apyvarta", "brought forward", "carried forward",
    "kontostand", "stanje", "sold ", "apgrozījums", "käive", "zůstatek", "zostatok", "egyenleg",
    "bakiye", "atlikums", "остаток", "залишок",
    "салдо", "υπόλοιπο", "残高", "余额", "餘額", "잔액", "יתרה", "ยอดคงเหลือ", "số dư",
)  # fmt: skip
_ASCII_BALANCE_WORDS = tuple(filter(str.isascii, _BALANCE_WORDS))
_SUM_BEGINNINGS = tuple(
    " ".join(words_of(name)) + " "
    for name in (
        "totale", "totalt", "totais", "totales", "summa", "celkem", "spolu", "összesen", "i alt",
        "kokku", "kopā", "iš viso", "skupaj", "ukupno", "toplam", "genel toplam", "σύνολο", "итого",
        "всего", "разом", "усього", "общо", "всичко", "укупно", "合計", "小計", "合计", "总计", "小计",
        "總計", "합계", "총계", "סך הכל", "סה כ", "รวม", "ยอดรวม", "tổng cộng", "jumlah", "samtals",
    )
)  # fmt: skip
"""What a sum is called in front of everything else, where a word within a text might be any other."""
_SUM_WORDS = {"total", "totals", "sum", "summe", "gesamt", "totaal", "razem", "yhteensa", "suma"}
_BALANCE_BEGINNINGS = (
    "opening balance", "closing balance", "beginning balance", "ending balance", "starting balance",
    "balance brought forward", "balance carried forward", "likutis pradziai", "likutis pabaigai",
    "saldo inicial", "saldo final", "saldo iniziale", "saldo poczatkowe", "saldo koncowe",
    "solde initial", "solde final", "ingaende saldo", "utgaende saldo",
    "open balance", "saldo awal", "saldo akhir", "baki awal", "baki akhir",
    *(
        " ".join(words_of(name))
        for name in (
            "sākuma atlikums", "beigu atlikums", "algsaldo", "lõppsaldo", "alkusaldo", "loppusaldo",
            "startsaldo", "slutsaldo", "inngående saldo", "počáteční zůstatek", "konečný zůstatek",
            "počiatočný zostatok", "konečný zostatok", "nyitó egyenleg", "záró egyenleg",
            "sold initial", "sold final", "početno stanje", "završno stanje", "začetno stanje",
            "končno stanje", "açılış bakiyesi", "kapanış bakiyesi", "devreden bakiye",
            "входящий остаток", "исходящий остаток", "остаток на начало", "остаток на конец",
            "вхідний залишок", "вихідний залишок", "начално салдо", "крайно салдо",
            "υπόλοιπο έναρξης", "υπόλοιπο λήξης", "số dư đầu kỳ", "số dư cuối kỳ",
        )
    ),
)  # fmt: skip
_BALANCE_LINES = frozenset(
    ["balance", "saldo", "solde", "apyvarta", "apgrozijums", "kaive", "balance b f", "balance c f",
     "brought forward", "carried forward",
     "balance forward", "previous balance", "saldo anterior",
     "anfangssaldo", "endsaldo", "saldovortrag", "kontostand", "beginsaldo", "eindsaldo",
     "ancien solde", "nouveau solde", *_BALANCE_BEGINNINGS]
)  # fmt: skip
_SHOP_WITH_SUCH_A_NAME = "new balance"
_DATE_WORD = re.compile(
    r"[0-3]?[0-9]|(?:19|20)[0-9]{2}(?:[0-9]{4})?|on|at|as|of|am|vom|zum|per|au|le|al|del|em|dzien"
    r"|jan\w*|feb\w*|mar(?:ch|zo)?|apr\w*|may|mai|june?|july?|aug\w*|sep\w*|oct\w*|okt\w*|nov\w*|de[cz]\w*"
)

BalanceName = Literal["whole", "begun", "shop", "none"]
"""How much of a text names a balance: all but a date, its beginning, or a shop's name, or nothing."""


def mentions_balance(text: str) -> bool:
    """Say quickly whether a text in small letters may hold the name of a balance."""
    terms = _ASCII_BALANCE_WORDS if text.isascii() else _BALANCE_WORDS
    return any(term in text for term in terms)


def names_sum(text: str) -> bool:
    """Say whether a text names a balance or a sum, which has an amount and needs no date."""
    tokens = words_of(text)
    if " ".join(tokens[:2]) == _SHOP_WITH_SUCH_A_NAME and not all(
        map(_DATE_WORD.fullmatch, tokens[2:])
    ):
        return False
    begins = " ".join([*tokens, ""]).startswith(_SUM_BEGINNINGS)
    return begins or mentions_balance(text.lower()) or not _SUM_WORDS.isdisjoint(tokens)


def balance_name(text: str) -> BalanceName:
    """Say how much of a description names an opening or closing balance or a turnover.

    Only the row's money can tell whether “New balance” is one, because a shop has that name.
    """
    tokens = words_of(text)
    while tokens and " ".join(tokens) not in _BALANCE_LINES and _DATE_WORD.fullmatch(tokens[-1]):
        tokens.pop()
    phrase = " ".join(tokens)
    if phrase in _BALANCE_LINES:
        return "whole"
    if phrase == _SHOP_WITH_SUCH_A_NAME:
        return "shop"
    return "begun" if phrase.startswith(_BALANCE_BEGINNINGS) else "none"
