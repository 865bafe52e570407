"""The names of columns in the tables of banks, in their languages, and what each means.

Some are of columns of numbers that are none of the account's money, or a debt.
"""

from typing import Literal

ColumnMeaning = Literal[
    "date", "amount", "debit", "credit", "balance", "fee", "mark", "status", "currency",
    "account", "account name", "original", "description", "note", "payee", "payer",
    "place", "type", "id",
]  # fmt: skip
"""What a column can mean.

A mark says which way the amount of its row goes; the original is the bank's own description beside
one that an app has made more readable. A payee may be whoever the other side is, a payer only who pays.
"""

HEADER_WORDS: dict[ColumnMeaning, str] = {
    "date": """
        posting date|posted date|release date|datum obrade|post date|date posted|posted on
        |booking date|date booked|booked|buchungstag|buchungsdatum|buchung|date comptable
        |date de comptabilisation|fecha contable|data contabile|data contabilizzazione
        |data ksiegowania|bokforingsdag|bokforingsdatum|bogfort|bogforingsdato|bokforingsdato
        |boekdatum|boekingsdatum|kirjauspaiva|kirjauspvm|datum zauctovani|completed date
        |settlement date|date|datum|dato|data|fecha|tarih|paiva|kuupaev|data operacji
        |data operazione|data transakcji|date operation|date de l operation|date d operation
        |fecha operacion|fecha de operacion|data mov|data movimento|data do movimento
        |data lancamento|data do lancamento|transaktionsdatum|transaktionsdag|datum transakce
        |datum provedeni|transaction date|trans date|txn date|date of transaction|effective date
        |operation date|datetime|date time|transaction time|timestamp|created|created at|created utc
        |created date|order date|started date|time|available on|available on utc|date utc|date gmt
        |日付|取引日|お取引日|取扱日|年月日|利用日|ご利用日|ご利用年月日|交易日期|التاريخ|交易时间
        |交易時間|日期|记账日期|入账日期|交易日|记账日|银行记账日|入账日|記帳日|帳務日期|거래일
        |거래일자|거래일시|이용일|이용일자|날짜|일자|дата|дата операции|дата транзакции
        |дата проводки|дата платежа|дата операції|дата і час операції|дата и время операции
        |дата и час|датум|ημερομηνία|ημερομηνία συναλλαγής|תאריך|תאריך עסקה|תאריך רכישה|วันที่
        |วันที่ทำรายการ|วันที่รายการ|işlem tarihi|könyvelés dátuma|könyvelési dátum|tranzakció dátuma
        |dátum zaúčtovania|data tranzacției|uitvoeringsdatum|transactiedatum|accounting date
        |datum knjiženja|datum izvršenja|datum transakcije|datums|maksājuma datums|operacijos data
        |dagsetning|dags|ngày|ngày giao dịch|tanggal|tanggal transaksi|tarikh|tarikh transaksi
        |belegdatum|päivämäärä|pvm|makse kuupäev|darījuma datums|ημ νία|дата на транзакция
        |счетоводна дата|data procesării|kirjendamise kuupäev|grāmatošanas datums|value date|valuta
        |valutadatum|wertstellung|wertstellungstag|date valeur|date de valeur|data valuta|rentedatum
        |valor|fecha valor|вальор|תאריך ערך|értéknap|datum valute|f valor|valutadag|rentedato
        |valuteringsdato|valørdato|arvopäivä|väärtuspäev|valutēšanas datums|valiutavimo data
        |valör tarihi|ημερομηνία αξίας|ημερομηνία valeur|valeur|дата валютирования|дата валютування
        |起算日|起息日|기산일|יום ערך|tanggal valuta|ngày hiệu lực|ngày giá trị|วันที่มีผล
        |data waluty|datum valuty|data valutei|data valor|valutadato|data di valuta|date d effet
        |data de efetivacao""",
    "amount": """
        amount|billing amount|amount in rs|amount rs|transaction amount|net amount|net|netto
        |transaction net amount|amount total|total amount|betrag|umsatz|montant|montant operation
        |importe|importo|valor|bedrag|belop|belob|summa|suma|kwota|kwota operacji|kwota transakcji
        |castka|objem|osszeg|tutar|maara|value|amount in account|amt|gross|brutto|gross amount
        |item total|total|iznos|sum|金額|取引金額|利用金額|ご利用金額|金额|交易金额|交易金額|금액
        |거래금액|이용금액|сумма|сумма платежа|сумма пересчитанная в валюту счета
        |сумма в валюте счета|сумма операции|сумма транзакции|сума|сума операції|износ|стойност|ποσό
        |ποσό συναλλαγής|סכום|المبلغ|סכום חיוב|סכום עסקה|จำนวนเงิน|işlem tutarı|iznos transakcije
        |znesek|upphæð|quantia|số tiền|jumlah|nominal|amaun|čiastka|monto|cantidad|montante
        |transactiebedrag|buchungsbetrag|umsatzbetrag|montant de l operation|importe del movimiento
        |importo operazione|valor do movimento|kwota w walucie rachunku|castka transakce
        |tranzakcio osszege|valoare|transaktionsbelopp|transaktionsbelob|tehingu summa
        |darijuma summa|operacijos suma|сума в валюті картки|сума на транзакция|סכום העסקה|mutatie
        |ยอดเงิน|số tiền giao dịch|jumlah transaksi""",
    "debit": """
        debit|debits|debit amount|amount debit|settlement debit|dugovni iznos|funds out|belop ut
        |belob ud|مدين|dr|dr amount|debit dr|withdrawal|withdrawals|withdrawal amount|withdrawal amt
        |money out|paid out|out|outflow|soll|lastschrift|belastung|belastungsbetrag|debet|af|sortie
        |sorties|debito|cargo|cargos|salida|salidas|uscite|uscita|dare|addebiti|wydatki|obciazenia
        |obciazenie|spent|spending|expense|expenses|utgift|ut|ut fra konto|ut av konto
        |debit operation|importo debito|payments out|amount out|payments|payment|出金|出金額
        |出金金額|お引出し|お引き出し|お支払金額|お支払い金額|支払金額|支払い金額|払出し金額
        |払出金額|払い出し金額|お払出し金額|引出|引出額|引出金額|借方|支出|支出金额|支出金額|转出
        |提款|提出|借方金额|借方发生额|借方金額|출금|출금액|출금금액|지급금액|찾으신금액|расход
        |расходы|списание|дебет|сумма списания|витрати|списання|дебит|исплата|χρέωση|χρεώσεις
        |ανάληψη|חובה|בחובה|ถอน|ถอนเงิน|borç|borç tutarı|terhelés|suma debit|isplata|isplate|duguje
        |terećenje|zaduženje|breme|v breme|deebet|debets|debetas|úttekt|ghi nợ|số tiền ghi nợ|výdaje
        |výdavky|ausgaben|ausgabe|ausgang|abgang|abbuchung|abbuchungen|dépense|dépenses|retrait
        |retraits|décaissement|gasto|gastos|egreso|egresos|retiro|retiros|saída|saídas|despesa
        |despesas|débitos|prelievo|prelievi|addebito|uitgaven|uitgave|udgift|udgifter|hævet|uttak
        |utbetaling|utbetalinger|uttag|utgifter|utbetalning|menot|meno|otto|otot|veloitus
        |veloitukset|rozchód|rozchody|wypłata|wypłaty|výběr|výběry|výdaj|odchozí|na vrub|kiadás
        |kiadások|kifizetés|plăți|ieșiri|cheltuieli|разход|разходи|теглене|плащания|gider|giderler
        |çıkan|çekilen|αναλήψεις|έξοδα|väljaminek|väljaminekud|kulu|izdevumi|izmaksas|išlaidos
        |išmokos|odliv|odlivi|odljev|izdaci|chi|rút|rút tiền|keluar|pengeluaran|uang keluar
        |debet keluar|charges|charge|money spent|debe|ausgange|levantamentos|winien|wydatek|vydavok
        |odchadzajuce|ma dati|ud|çıkan tutar|видатки|เดบิต|phát sinh nợ|zahlungsbetrag ausgehend
        |rechnungsbetrag ausgehend|betrag ausgehend|ausgehend""",
    "credit": """
        credit|credits|credit amount|amount credit|settlement credit|potražni iznos|funds in
        |belop inn|belob ind|دائن|cr|cr amount|credit cr|deposit|deposits|deposit amount|deposit amt
        |money in|paid in|in|inflow|haben|gutschrift|gutschriftsbetrag|kredit|bij|entree|entrees
        |credito|abono|abonos|ingreso|ingresos|entrate|entrata|avere|accrediti|uznania|uznanie
        |received|income|insattning|inn|inn pa konto|credit operation|importo credito|payments in
        |amount in|入金|入金額|入金金額|お預入れ|お預け入れ|お預り金額|預かり金額|お預かり金額
        |預り金額|預入れ金額|預入金額|お預入れ金額|預入|預入額|貸方|收入|收入金额|收入金額|贷方
        |贷方金额|贷方发生额|貸方金額|存入|存款|转入|입금|입금액|입금금액|맡기신금액|приход|доходы
        |поступление|зачисление|кредит|надходження|зарахування|уплата|πίστωση|πιστώσεις|κατάθεση
        |זכות|בזכות|ฝาก|ฝากเงิน|alacak|alacak tutarı|jóváírás|suma credit|uplata|uplate|potražuje
        |odobrenje|dobro|v dobro|kreedit|kredīts|kreditas|innlegg|innborgun|ghi có|số tiền ghi có
        |příjmy|einnahmen|einnahme|eingang|zugang|gutschriften|recette|recettes|encaissement|dépôt
        |dépôts|depósito|depósitos|entrada|entradas|receita|receitas|créditos|versamento|versamenti
        |accredito|inkomsten|indtægt|indtægter|indsat|innskudd|innbetaling|innbetalinger
        |insättningar|inkomst|inkomster|tulot|tulo|panot|pano|hyvitys|hyvitykset|przychód|przychody
        |wpłata|wpłaty|wpływ|wpływy|vklad|vklady|příjem|příchozí|ve prospěch|bevétel|bevételek
        |befizetés|încasări|intrări|venituri|постъпления|вноски|приходи|gelir|gelirler|giren|yatan
        |καταθέσεις|έσοδα|sissetulek|sissetulekud|laekumine|laekumised|ieņēmumi|iemaksas|pajamos
        |įplaukos|priliv|prilivi|priljev|primici|thu|nạp|nạp tiền|masuk|pemasukan|uang masuk
        |payments received|money received|haber|versements|eingange|ma|dal|prichadzajuce|ind
        |giren tutar|доходи|存入金额|เครดิต|phát sinh có|zahlungsbetrag eingehend
        |rechnungsbetrag eingehend|betrag eingehend|eingehend""",
    "balance": """
        balance|الرصيد|partial balance|running balance|running bal|account balance|ledger balance
        |balance after|balance amount|running total|saldo|saldo nach buchung|kontostand|solde
        |saldo contabile|saldo po operacji|saldo po transakcji|zustatek|available balance
        |saldo disponible|likutis|egyenleg|bakiye|jaak|new balance|closing balance
        |saldo dopo operazione|残高|差引残高|お取引後残高|余额|账户余额|餘額|結餘|帳戶餘額|잔액
        |거래후잔액|거래 후 잔액|остаток|баланс|остаток на счете|залишок|салдо|состојба|стање
        |υπόλοιπο|λογιστικό υπόλοιπο|νέο υπόλοιπο|יתרה|ยอดคงเหลือ|คงเหลือ|könyvelt egyenleg|sold
        |sold final|stanje|staða|số dư|zostatok|atlikums|baki|solde progressif|saldo contabilistico
        |saldo final|saldo na mutatie|saldo na trn|saldo koncowe|zustatek po transakci
        |zostatok po transakcii|sold contabil|bokfort saldo|bogført saldo|tilin saldo|konta atlikums
        |saskaitos likutis|stanje racuna|kalan bakiye|остаток средств|залишок після операції
        |наличност|交易后余额|saldo akhir|số dư cuối|verfugbares guthaben|guthaben""",
    "fee": """
        fee|fees|gebuhr|gebuhren|commission|frais|comision|commissioni""",
    "mark": """
        d c|c d|dc|cd|dr cr|cr dr|drcr|crdr|debit credit|credit debit|credit or debit|type
        |transaction type|details|soll haben|s h|sh|af bij|indicator|direction|d k|k d
        |credit debit indicator|debit credit indicator|cdtdbtind|sign|debet credit|income expense
        |expense income|kind|transaction kind|dk|debetas kreditas|収支|收支|收 支|借贷|借贷标志|借貸
        |입출금구분|дебет кредит|sens|signo|segno|strona|směr platby|směr úhrady|irány|smjer|smer
        |cargo abono|debe haber|dare avere|débito crédito|obciążenie uznanie|terhelés jóváírás
        |inn ut|ind ud|otto pano|veloitus hyvitys|deebet kreedit|debets kredīts|breme dobro
        |duguje potražuje|borç alacak|χρέωση πίστωση|приход расход|списання зарахування|дебит кредит
        |入払区分|受払区分|入出金区分|billing amount sign|amount sign|cr dr indicator
        |dr cr indicator|חובה זכות|חיוב זיכוי|ถอน ฝาก|nợ có|soll haben kennzeichen|creditdebet""",
    "status": """
        status|state|state type|transaction status|etat|statut|estado|stato|buchungsstatus
        |umsatzstatus|booking status|payment status|contabilizzazione|info|状态|交易状态|当前状态
        |狀態|상태|статус|κατάσταση|סטטוס|สถานะ|durum|állapot|trạng thái|stav|situacao|stan|státusz
        |stare|tila|olek|statuss|būsena|状態|ステータス|מצב|tilstand|stanje naloga|статус операции
        |статус операції|состояние|stav transakce|buchungsstand""",
    "currency": """
        currency|ccy|curr|currency code|account currency|waehrung|wahrung|kontowahrung
        |buchungswahrung|zahlungswahrung|billing currency|valuta rekening|валюта счета|מטבע חיוב
        |devise|monnaie|monn|munteenheid|valutacode|iso currency code|moneda|divisa|valuta|valuutta
        |waluta|mena|valiuta|moeda|commodity|munt|muntsoort|valuutakood|transaction currency
        |kontovaluta|amount currency|通貨|币种|货币|幣別|통화|валюта|валюта платежа|валюта операции
        |νόμισμα|מטבע|สกุลเงิน|döviz|para birimi|pénznem|devizanem|валюта картки|валюта карти
        |валюта карты|gjaldmiðill|mynt|loại tiền|mata uang|matawang|devies|valuuta|валута""",
    "account": """
        account|auftragskonto|inhaberkonto|iban auftragskonto|iban kontoinhaber|account number
        |account no|account id|this party account|kliendi konto|klienta konts|iban|konto|kontonummer
        |kontonr|client account|account num|rachunek|nr rachunku|numero de compte|compte|cuenta
        |conto|rekening|rekeningnummer|iban bban|saskaitos nr|numer konta|cislo uctu|konto nr
        |口座番号|账号|卡号|帳號|계좌번호|номер счета|счет|рахунок|номер карты|λογαριασμός|חשבון
        |บัญชี|เลขที่บัญชี|hesap no|hesap|számlaszám|cont|račun|broj računa|sąskaita|konts|reikningur
        |số tài khoản|nomor rekening|účet|számla|numer rachunku|numero da conta|número de cuenta
        |numero conto|numero di conto|număr cont|konta numurs|sąskaitos numeris|številka računa
        |kontonummer|tilinumero|tili|hesap numarası|номер рахунку|сметка|номер на сметка|מספר חשבון
        |หมายเลขบัญชี|konto number|account iban|iban rachunku""",
    "account name": """
        account name|account label|name account|bezeichnung auftragskonto|kontoname|nazwa konta""",
    "original": """
        original description|original statement|statement description|bank description""",
    "description": """
        action|transaction description|description|operazione|dettagli|beschreibung|details
        |transaction details|narrative|narration|particulars|payment details|verwendungszweck
        |vorgang verwendungszweck|umsatztext|buchungstext|libelle|libelle operation|libelle complet
        |label|concepto|descripcion|descrizione|descrizione operazione|causale|movimiento
        |omschrijving|naam omschrijving|mededelingen|tekst|text|opis|opis operacji|opis transakcji
        |tytul|popis|poznamka|zprava pro prijemce|beskrivning|beskrivelse|selitys|viesti
        |paaiskinimai|memo|transaction|kozlemeny|aciklama|historico|descricao|remarque|objet|subject
        |remittance information|item title|title|betreff|摘要|内容|お取り扱い内容|お取引内容
        |取引内容|明細|交易摘要|说明|說明|交易说明|交易描述|用途|적요|내용|거래내용|거래내역
        |описание|описание операции|назначение|назначение платежа|основание|опис|опис операції
        |деталі операції|призначення|призначення платежу|сврха|αιτιολογία|περιγραφή|תיאור|الوصف
        |البيان|التفاصيل|תאור|פעולה|הפעולה|פרטים|รายการ|รายละเอียด|işlem|leírás|megnevezés|descriere
        |detalii|explicații|detalii tranzacție|svrha|svrha doznake|opis plaćanja|opis transakcije
        |namen|opis prometa|selgitus|kirjeldus|maksājuma mērķis|informācija saņēmējam|paskirtis
        |mokėjimo paskirtis|skýring|lýsing|texti|diễn giải|nội dung|mô tả|nội dung giao dịch
        |keterangan|uraian|butiran|deskripsi|summary|purpose|purpose of payment|payment purpose
        |detail|detail de l ecriture|detail operation|details operation|motif|nature
        |libelle simplifie|libelle interne|informations complementaires|information complementaire
        |descrizione estesa|descrizione completa|dettaglio|dettaglio movimento
        |descrizione del movimento|descripcion ampliada|mas informacion|detalle|detalles
        |detalle del movimiento|concepto ampliado|descricao detalhada|detalhe|detalhes
        |historico complementar|complemento|lancamento|transactie|transactie omschrijving
        |betalingskenmerk omschrijving|mededeling|boodschap|zprava|zprava pro me|zprava prijemci
        |zprava pro platce|uzivatelska identifikace|popis operace|popis transakce|popis pohybu
        |informacia pre prijemcu|sprava pre prijemcu|opis operacii|szczegoly transakcji
        |szczegoly operacji|szczegoly|tytulem|tytul operacji|tytul przelewu|zahlungszweck
        |zahlungsgrund|zahlungsreferenz text|buchungsinformationen|buchungsdetails|avisierungstext
        |mitteilung|weitere angaben|vwz|zusatzinformationen|umsatzinfo|meddelelse|melding|meddelande
        |rubrik|forklaring|otsikko|tapahtuma|tehingu selgitus|makuma merkis|mokejimo paskirtis
        |megjegyzes|narracio|namen placila|islem aciklamasi|extended details|transaction detail
        |transaction particulars|payment description|long description|extended description
        |additional information|statement narrative|appears on your statement as
        |nature de l operation|popis transakcie|popis operace|popis pohybu|transaktion
        |posteringstekst|postering|tekst|selite|viesti|apraksts|aprašymas|açıklama|açıklamalar
        |пояснение|основание за превода|תיאור הפעולה|תיאור|uraian transaksi|uraian
        |keterangan transaksi""",
    "note": """
        note|notes|payment reference|reference|referenz|zahlungsreferenz|transaction reference
        |comment|item|remarks|observaciones|bemerkung|備考|メモ|备注|備註|附言|비고|메모|комментарий
        |коментар|примечание|หมายเหตุ|הערות|σχόλια|bemerkungen|kommentar|comentario|comentarios
        |commentaire|commentaires|remark|notiz|notizen|notitie|notities|nota|notas|note e commenti
        |komentar|uwagi|poznamky|upresneni|anteckning|anteckningar|muistiinpano|notat|user note
        |comments""",
    "place": """
        place|city|town|merchant city|merchant place|merchant location|location|ort|ville|lieu
        |ciudad|lugar|citta|localita|luogo|plaats|stad|mesto|misto|miasto|lokalizacja|by|sted
        |paikka|city state|kaufort|transaktionsort|place of transaction|localidade|cidade""",
    "payee": """
        payee|merchant|merchant name|name|counterparty|counterparty name|counter party|empfanger
        |zahlungsempfanger in|zahlungsempfanger|auftraggeber empfanger
        |beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|name zahlungsbeteiligter
        |auftraggeber beguenstigter|auftraggeber begunstigter|empfanger name|partner name
        |beneficiary|beneficiaire|beneficiario|naam tegenpartij|naam van de tegenpartij
        |tegenrekeninghouder|naam tegenrekening|nazwa kontrahenta|nadawca odbiorca|kontrahent
        |gavejas|moketojas gavejas|mottaker|mottagare|modtager|saaja|saaja maksaja|recipient
        |contrepartie|name of partner|nazev protiuctu|partner|to|target name|payee name|counterpart
        |取引先|利用店名|ご利用店名|ご利用箇所|对方户名|对方账户名|对手信息|对方名称|交易对方|收款人
        |商户名称|對方戶名|거래처|받는분|가맹점명|가맹점|이용하신곳|получатель|контрагент
        |кореспондент|отправитель|отримувач|получател|наредител получател|прималац|δικαιούχος
        |שם בית העסק|בית עסק|ผู้รับ|alıcı|gönderen|karşı taraf|kedvezményezett|partner neve|beneficiar
        |plătitor beneficiar|primatelj|naziv primatelja|prejemnik|prejemnik plačnik
        |saaja maksja nimi|saņēmējs maksātājs|saņēmējs|mótaðili|viðtakandi|người nhận|penerima
        |príjemca|názov protistrany|protistrana|příjemce|other party|other party name
        |counterparty account name|counteraccount name|beneficiary name|recipient name|to name
        |dane kontrahenta|partener|motpart|modpart|udeleženec|karşı hesap adı|επωνυμία|お相手先
        |의뢰인 수취인|의뢰인|수취인|מוטב|ร้านค้า|người thụ hưởng|tên đối ứng|receiver|receiver name
        |vendor|shop|store|seller|handler|forretning|butikk|brukersted|commercant|commerce|comercio
        |establecimiento|esercente|negozio|estabelecimento|estabelecimento comercial|favorecido
        |contraparte|controparte|nome controparte|ragione sociale|tegenpartij|begunstigde
        |naam tegenpartij bevat|naam begunstigde|ontvanger|nazwa odbiorcy|odbiorca|kontrahent nazwa
        |nazwa i adres kontrahenta|nazov protiuctu|nazev protistrany|nazev protiuctu prijemce
        |jmeno protistrany|obchodnik|obchodni misto|vastapuoli|nimi|namn|navn|betalningsmottagare
        |modtager navn|mottakernavn|maksunsaaja|saajan nimi|kaupmees|gavejo pavadinimas
        |partnera nosaukums|kedvezmenyezett neve|ellenoldali nev|nume beneficiar|primalac|alici
        |alici adi|isyeri|name des zahlungsbeteiligten|zahlungsbeteiligter|haendler|handler name
        |name gegenkonto|gegenpartei|begunstigter|empfangername|auftraggeber zahlungsempfanger
        |zahlungsempfanger zahlungspflichtiger|contrepartie nom|nom contrepartie|nom du tiers
        |tiers""",
    "payer": """
        from|payer|payer name|sender|sender name|from name|originator|originator name|ordering party
        |ordering customer|remitter|remitter name|debtor|debtor name|auftraggeber|name auftraggeber
        |auftraggebername|zahlungspflichtiger|zahlungspflichtiger in|zahlungspflichtige r|zahlender
        |absender|ordonnateur|emetteur|donneur d ordre|ordenante|remitente|ordinante|mittente
        |remetente|pagador|opdrachtgever|nadawca|nazwa nadawcy|zleceniodawca|platce|platitel
        |odesilatel|odosielatel|betaler|avsender|avsandare|maksaja|maksja|moketojas|maksatajs|fizeto
        |fizeto neve|gonderen|ordonator|platitor|uplatitelj|platnik""",
    "type": """
        type|transaction type|booking type|operation|typ|umsatzart|transaktionstyp|art|categorie
        |type operation|code|typ operacji|mutatiesoort|reporting category|category|kategorie
        |取引種類|種別|取引区分|交易类型|类型|交易類型|거래구분|구분|거래종류|тип|тип операции
        |вид операции|категория|категорія|είδος|τύπος|סוג|סוג פעולה|ประเภท|ประเภทรายการ|işlem türü
        |típus|tip|vrsta|tegund|loại giao dịch|jenis transaksi|typ transakce|typ transakcie
        |tran type|trans type|txn type|transaction code|vorgang|buchungsart|transaktionsart
        |geschaftsvorfall|art der buchung|movement type|tipo|tipo movimento|tipo de movimiento
        |tipo operazione|tipo de operacion|tipo operacion|type d operation|soort|transactiesoort
        |typ transakcji|rodzaj transakcji|typ pohybu|tip tranzactie|transaktionstype|kontohaendelse
        |laji|tapahtumalaji|kod operacji""",
    "id": """
        transaction id|transactionid|txn id|txid|fitid|transaction number|transaction no
        |transaction reference number|reference number|reference no|ref number|ref no|ref|reference
        |id|operation number|operation id|balance transaction id|transferwise id|unique id|iraso nr
        |entry reference|archivierungsnummer|transaktionsnummer|numer transakcji|id operace
        |id transakce|order id|event id|external id|取引番号|交易号|交易流水号|流水号|订单号
        |거래번호|номер операции|номер документа|αριθμός συναλλαγής|אסמכתא|เลขที่อ้างอิง|dekont no
        |fiş no|tranzakció azonosító|mã giao dịch|số tham chiếu|no referensi""",
}
"""The names of each meaning, parted by bars; the earlier ones mean it more."""


OTHER_NUMBERS = """
    price|unit price|price per unit|preis|stuckpreis|prix|prix unitaire|cours|precio|precio unitario
    |prezzo|preco|prijs|koers|cena|cena jednostkowa|cijena|pret|ár|pris|hinta|hind|kaina|fiyat|τιμή
    |цена|ціна|単価|单价|單價|단가|מחיר|ราคา|harga|đơn giá|qty|units|shares|stück|anzahl
    |nombre de titres|quantité|títulos|unidades|quantità|quantidade|aantal|ilość|liczba|množství
    |počet|množstvo|mennyiség|darab|cantitate|antal|antall|määrä kpl|kpl|kogus|daudzums|kiekis
    |količina|adet|ποσότητα|количество|кількість|数量|數量|수량|כמות|จำนวน|kuantitas|số lượng
    |wechselkurs|umrechnungskurs|devisenkurs|kurs|taux de change|taux|tipo de cambio|cambio
    |tasso di cambio|tasso|taxa de câmbio|taxa|cotação|wisselkoers|kurs wymiany|kurs waluty
    |směnný kurz|kurz|výmenný kurz|árfolyam|curs de schimb|curs valutar|växelkurs|valutakurs
    |vekslingskurs|vekselkurs|vaihtokurssi|kurssi|vahetuskurss|kurss|maiņas kurss|valiutos kursas
    |kursas|menjalni tečaj|tečaj|döviz kuru|kur|ισοτιμία|курс|обменен курс|курс обмена|курс обміну
    |換算レート|為替レート|レート|汇率|匯率|환율|שער|שער המרה|שער חליפין|อัตราแลกเปลี่ยน|tỷ giá
    |charges included|charges|entgelt|spesen|frais|comisiones|gastos|commissione|spese|tarifa
    |comissão|kosten|provisie|prowizja|opłata|poplatek|poplatok|jutalék|díj|comision|avgift|avgifter
    |gebyr|gebyrer|palkkio|kulut|teenustasu|komisija|mokestis|komisinis|provizija|naknada|komisyon
    |masraf|προμήθεια|έξοδα|комиссия|комісія|такса|手数料|手续费|手續費|수수료|עמלה|ค่าธรรมเนียม
    |biaya|biaya admin|phí|montant d origine|importo in valuta|valor em moeda estrangeira
    |bedrag vreemde valuta|eredeti összeg|utenlandsk beløp|fremmed beløb|algne summa|sākotnējā summa
    |pradinė suma|izvirni znesek|izvorni iznos|orijinal tutar|αρχικό ποσό|сумма в валюте операции
    |сума у валюті операції|сума в валюті операції|оригинална сума|現地通貨額|外貨金額|原币金额
    |外币金额|현지금액|외화금액|סכום מקורי|סכום עסקה מקורי|จำนวนเงินต่างประเทศ|jumlah asing
    |số tiền gốc
"""
"""Prices, counts, rates of exchange, fees, and amounts in a foreign currency."""

DEBTS = """
    amount owed|balance owed|owed|outstanding balance|balance outstanding|balance due|amount due
    |offener betrag|geschuldeter saldo|solde dû|montant dû|saldo deudor|saldo adeudado|saldo dovuto
    |importo dovuto|saldo devedor|valor em dívida|openstaand saldo|verschuldigd bedrag
    |saldo zadłużenia|kwota zadłużenia|dlužná částka|dlžná suma|fennálló tartozás|sold datorat
    |utestående skuld|utestående gjeld|skyldig saldo|velkasaldo|velka|võlgnevus|parāds|skola|dolg
    |dugovanje|kalan borç|οφειλόμενο ποσό|задолженность|заборгованість|дължима сума|ご利用残高
    |欠款余额|결제예정잔액|יתרת חוב|ยอดหนี้คงค้าง|sisa tagihan|dư nợ
"""
"""What a card's balance is called where it is printed as what is owed."""
