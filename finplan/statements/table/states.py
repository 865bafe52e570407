"""What a cell in a column of states says of its row: that it is booked, waits, or was declined."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from finplan.statements.table.words import words_of

RowState = Literal["booked", "pending", "declined"]

_WORDS: dict[RowState, str] = {
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

_UNPARTED = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_LONGEST = 80


def _folded(text: str) -> str:
    return " " + " ".join(words_of(text))


def _beginning(word: str) -> str:
    folded = _folded(word)
    # A blank would ask for the beginning of a word, of which these scripts show none.
    return folded.replace(" ", "") if _UNPARTED.search(folded) else folded


_BEGINNINGS: dict[RowState, tuple[str, ...]] = {
    state: tuple(dict.fromkeys(map(_beginning, " ".join(words.split()).split("|"))))
    for state, words in _WORDS.items()
}


def status_of(cell: str) -> RowState:
    """Say what a cell in a column of states means for its row, which is booked in any other words."""
    return known_state(cell) or "booked"


@lru_cache(maxsize=1000)
def known_state(cell: str) -> RowState | None:
    """Say which state a cell names, None where its words are no bank's for any."""
    text = _folded(cell[:_LONGEST])
    unparted = text.replace(" ", "")
    for state, beginnings in _BEGINNINGS.items():
        if any(each in (text if each[0] == " " else unparted) for each in beginnings):
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
