"""Names of columns of numbers that are none of the account's money or a debt, in banks' languages."""

OTHER_NUMBERS = """
    price|unit price|price per unit|preis|stuckpreis|prix|prix unitaire|cours|precio|precio unitario
    |prezzo|preco|prijs|koers|cena|cena jednostkowa|cijena|pret|ár|pris|hinta|hind|kaina|fiyat|τιμή|цена
    |ціна|単価|单价|單價|단가|מחיר|ราคา|harga|đơn giá
    |quantity|qty|units|shares|stück|anzahl|nombre de titres|quantité|títulos|unidades|quantità
    |quantidade|aantal|ilość|liczba|množství|počet|množstvo|mennyiség|darab|cantitate|antal|antall
    |määrä kpl|kpl|kogus|daudzums|kiekis|količina|adet|ποσότητα|количество|кількість|数量|數量|수량|כמות
    |จำนวน|kuantitas|số lượng
    |exchange rate|rate|fx rate|conversion rate|wechselkurs|umrechnungskurs|devisenkurs|kurs
    |taux de change|taux|tipo de cambio|cambio|tasso di cambio|tasso|taxa de câmbio|taxa|cotação
    |wisselkoers|kurs wymiany|kurs waluty|směnný kurz|kurz|výmenný kurz|árfolyam|curs de schimb
    |curs valutar|växelkurs|valutakurs|vekslingskurs|vekselkurs|vaihtokurssi|kurssi|vahetuskurss|kurss
    |maiņas kurss|valiutos kursas|kursas|menjalni tečaj|tečaj|döviz kuru|kur|ισοτιμία|курс|обменен курс
    |курс обмена|курс обміну|換算レート|為替レート|レート|汇率|匯率|환율|שער|שער המרה|שער חליפין
    |อัตราแลกเปลี่ยน|tỷ giá
    |charges included|charges|entgelt|spesen|frais|comisiones|gastos|commissione|spese|tarifa|comissão
    |kosten|provisie|prowizja|opłata|poplatek|poplatok|jutalék|díj|comision|avgift|avgifter|gebyr|gebyrer
    |palkkio|kulut|teenustasu|komisija|mokestis|komisinis|provizija|naknada|komisyon|masraf|προμήθεια
    |έξοδα|комиссия|комісія|такса|手数料|手续费|手續費|수수료|עמלה|ค่าธรรมเนียม|biaya|biaya admin|phí
    |originalbetrag|fremdwährungsbetrag|betrag in fremdwährung|fremdwährung|montant d origine
    |montant en devise|montant initial|importe original|importe en divisa|importo originale
    |importo in valuta|importo in divisa|valor original|valor em moeda estrangeira|oorspronkelijk bedrag
    |bedrag vreemde valuta|kwota oryginalna|kwota w walucie|původní částka|pôvodná suma|eredeti összeg
    |suma originală|utländskt belopp|ursprungligt belopp|utenlandsk beløp|opprinnelig beløp
    |oprindeligt beløb|fremmed beløb|alkuperäinen summa|algne summa|sākotnējā summa|pradinė suma
    |izvirni znesek|izvorni iznos|orijinal tutar|αρχικό ποσό|сумма в валюте операции
    |сума у валюті операції|сума в валюті операції|оригинална сума|現地通貨額|外貨金額|原币金额|外币金额
    |현지금액|외화금액|סכום מקורי|סכום עסקה מקורי|จำนวนเงินต่างประเทศ|jumlah asing|số tiền gốc
"""
"""Prices, counts, rates of exchange, fees, and amounts in a foreign currency."""

DEBTS = """
    amount owed|balance owed|owed|outstanding balance|balance outstanding
    |balance due|amount due|offener betrag|geschuldeter saldo|solde dû|montant dû|saldo deudor
    |saldo adeudado
    |saldo dovuto|importo dovuto|saldo devedor|valor em dívida|openstaand saldo|verschuldigd bedrag
    |saldo zadłużenia|kwota zadłużenia|dlužná částka|dlžná suma|fennálló tartozás|sold datorat
    |utestående skuld|utestående gjeld|skyldig saldo|velkasaldo|velka|võlgnevus|parāds|skola|dolg
    |dugovanje|kalan borç|οφειλόμενο ποσό|задолженность|заборгованість|дължима сума|ご利用残高|欠款余额
    |결제예정잔액|יתרת חוב|ยอดหนี้คงค้าง|sisa tagihan|dư nợ
"""
"""What a card's balance is called where it is printed as what is owed."""
