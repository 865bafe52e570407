"""Small files of each format, from which the fuzzers start, and the words that mean something in one."""

from collections.abc import Mapping, Sequence

_OFX_SGML = """\
OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><FI><ORG>First Bank<FID>1</FI>
</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260301<DTEND>20260331
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260304120000[-5:EST]<TRNAMT>-1.50<FITID>a1<NAME>SHOP &amp; CO<MEMO>x
<SIC>5411</STMTTRN>
<STMTTRN><TRNTYPE>CHECK<DTPOSTED>20260305<TRNAMT>-1,234.00<FITID>0<CHECKNUM>17
<PAYEE><NAME>Landlord<CITY>Here</PAYEE></STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>7.25<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
"""
_OFX_XML = """\
<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?>
<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF>
<CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM><!-- a note --><BANKTRANLIST>
<STMTTRN><DTPOSTED>20260304</DTPOSTED><TRNAMT>12.00</TRNAMT><FITID>b1</FITID>
<NAME><![CDATA[Caf\xe9 <b>]]></NAME></STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>-9.00</BALAMT><DTASOF>20260304</DTASOF></LEDGERBAL>
</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTRS><INVACCTFROM><ACCTID>9</ACCTID></INVACCTFROM></INVSTMTRS></INVSTMTMSGSRSV1>
</OFX>
"""
_QIF = """\
!Option:AutoSwitch
!Account
NGiro
TBank
/03/31/2026
$1,207.00
^
!Clear:AutoSwitch
!Account
NGiro
^
!Type:Bank
D01/31/2026
T1,000.00
POpening Balance
L[Giro]
^
D3/ 4'26
T-1.50
PShop
MCard 12
LFood
SFood
$-1.00
SHome
$-0.50
^
D03/15/2026
U208.50
N42
^
!Type:Invst
D03/16/2026
NBuy
^
"""
_QIF_EUROPE = (
    "!Type:CCard\r\nD31.12.2026\r\nT-1.234,56\r\nPB\xe4cker\r\n^\r\nD01.12.2026\r\nT5,00\r\n^\r\n"
)
_MT940 = """\
{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\r
:20:STARTUMS\r
:25:10020030/1234567\r
:28C:1/1\r
:60F:C260301EUR100,00\r
:61:2603040304DR1,50NMSCNONREF//REF000000001\r
/OCMT/EUR1,50/\r
:86:177?00ONLINE?20EREF+1?21SVWZ+Rent of March?22and more?32Landlord\r
:61:2603050305CR20,NTRFNONREF\r
:86:/TRTP/SEPA/NAME/J. Doe/REMI/USTD//Thanks/EREF/NOTPROVIDED/IBAN/NL91/\r
:61:2602300228C5,00NINT\r
:86:Interest, broken\r
over two lines\r
:62F:C260331EUR118,50\r
:64:C260331EUR118,50\r
-}\r
"""
_MT942 = """\
:20:REPORT
:25:NL91ABNA0417164300EUR
:28C:5/1
:34F:EURD0,
:13D:2603041200+0100
:61:260304D7,25NMSCNONREF
:86:Card payment
:NS:01Purpose
15Name
:90D:1EUR7,25
:90C:0EUR0,
-
"""
_CAMT = """\
<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><CreDtTm>2026-03-05T08:00:00</CreDtTm>
<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm><ToDtTm>2026-03-31T00:00:00</ToDtTm></FrToDt>
<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id><Ccy>EUR</Ccy><Nm>Giro</Nm>
<Svcr><FinInstnId><BIC>PBNKDEFF</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">9.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>
<Dt><Dt>2026-03-31</Dt></Dt></Bal>
<Ntry><NtryRef>1</NtryRef><Amt Ccy="EUR">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-03-04</Dt></BookgDt><ValDt><Dt>2026-03-05</Dt></ValDt><AcctSvcrRef>REF0000001</AcctSvcrRef>
<BkTxCd><Prtry><Cd>NMSC</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs>
<RltdPties><Cdtr><Nm>Shop</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Thanks &amp; bye</Ustrd></RmtInf>
</TxDtls><TxDtls><RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="USD">2</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts><Cd>PDNG</Cd></Sts>
<BookgDt><DtTm>2026-03-06T10:00:00+01:00</DtTm></BookgDt><AddtlNtryInf>Refund</AddtlNtryInf></Ntry>
</Stmt></BkToCstmrStmt></Document>
"""
_CAMT_054 = """\
<n:Document xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><n:BkToCstmrDbtCdtNtfctn>
<n:Ntfctn><n:CreDtTm>2026-03-05T08:00:00</n:CreDtTm><n:Acct><n:Id><n:Othr><n:Id>12</n:Id></n:Othr></n:Id>
</n:Acct><n:Ntry><n:Amt Ccy="CHF">3.00</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd>
<n:Sts><n:Cd>BOOK</n:Cd></n:Sts></n:Ntry></n:Ntfctn></n:BkToCstmrDbtCdtNtfctn></n:Document>
"""
_BANK = """\
Date,Description,Amount,Balance
03/04/2026,SHOP,-1.50,98.50
03/15/2026,"PAY, INC","1,000.00",1098.50
"""
_GERMAN = """\
\ufeffBuchungstag;Verwendungszweck;Soll;Haben;Währung
04.03.2026;Bäcker;1.234,56;;EUR
15.03.2026;Lohn;;2.000,00;EUR
Summe;;1.234,56;2.000,00;EUR
"""
_MARKED = """\
Account: 12345678
From 2026-03-01

Date\tDetails\tAmount\tCR/DR\tStatus
04 Mar 2026\tShop\t1.50\tDR\tPosted
05 Mar 2026\tShop\t(2.00)\tDR\tPending
"""
_OPEN = """\
sep=;
Date;Text;Amount
04/03/2026;A;1.000
05/03/2026;B;-2.000
"""
_BARE = """\
2026-03-04,-1.50,Shop,12.00
2026-03-05,3.00,Pay,15.00
"""
_YNAB = """\
"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo",\
"Outflow","Inflow","Cleared"
"Checking","","03/04/2026","Shop","Needs: Food","Needs","Food","Split (1/2) x",$1.50,$0.00,\
"Cleared"
"Checking","","03/04/2026","Shop","","","","Split (2/2)",$2.50,$0.00,"Cleared"
"""
_MINT = """\
"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name",\
"Labels","Notes"
"3/04/2026","Shop","SHOP 12","1.50","debit","Food","Checking","",""
"""
_MONARCH = """\
Date,Merchant,Category,Account,Original Statement,Notes,Amount,Tags
2026-03-04,Shop,Food,Checking (...12),SHOP 12,,-1.50,
"""
_COPILOT = """\
date,name,amount,status,category,parent category,excluded,tags,type,account,account mask,note,\
recurring
2026-03-04,Shop,1.50,posted,Food,,false,,regular,Checking,12,,
"""
_ACTUAL = """\
Account,Date,Payee,Notes,Category,Amount,Split_Amount,Cleared
Giro,2026-03-04,Shop,,Food,-1.50,0,Cleared
"""
_FIREFLY = """\
user_id,group_id,journal_id,created_at,updated_at,group_title,type,currency_code,amount,\
foreign_currency_code,foreign_amount,description,date,source_name,source_iban,source_type,\
destination_name,destination_iban,destination_type,reconciled,category
1,1,1,2026-03-04,2026-03-04,,Withdrawal,EUR,-1.50,,,Shop,2026-03-04T00:00:00+01:00,Giro,,\
Asset account,Shop,,Expense account,,Food
"""
_LUNCH_MONEY = """\
date,payee,original_name,amount,currency,category,account_name,notes,status
2026-03-04,Shop,SHOP 12,1.50,usd,Food,Checking,,cleared
"""
_TABLES = (
    _BANK,
    _GERMAN,
    _MARKED,
    _OPEN,
    _BARE,
    _YNAB,
    _MINT,
    _MONARCH,
    _COPILOT,
    _ACTUAL,
    _FIREFLY,
    _LUNCH_MONEY,
)
_HLEDGER = """\
; A journal.
account assets:bank  ; type: C
commodity 1.000,00 EUR
Y2026
alias kasse=assets:cash

2026/03/04=2026/03/05 * (12) Shop | food ; weekly
    expenses:food             1.234,56 EUR
    assets:bank

03-05 ! rent
    assets:bank              -1200,00 EUR = 12,00 EUR
    expenses:rent

2026-03-06 shares
    assets:broker             10 AAPL @ $5.50
    assets:cash               $-55.00  ; [2026-03-07]
    (budget:fun)              5,00 EUR

comment
2026-03-07 not there
end comment
~ monthly
    expenses:rent  5
    assets:cash
"""
_BEANCOUNT = """\
option "operating_currency" "USD"
plugin "x"
2026-01-01 open Assets:Bank:Checking USD
2026-01-01 commodity USD
pushtag #trip
2026-03-04 * "Shop" "Food" #tag ^link
  key: "value"
  Assets:Bank:Checking  -1,234.56 USD
  ! Expenses:Food
2026-03-05 txn "a \\"quoted\\" text"
  Assets:Bank:Checking  36 USD @ 1.10 EUR
  Equity:Opening
2026-03-06 balance Assets:Bank:Checking  12.00 USD
2026-03-06 pad Assets:Bank:Checking Equity:Opening
poptag #trip
"""
_JSON = (
    '{"finplan": 1,\n"accounts": [{"id": "acc_1", "number": "12", "name": "Giro", "currency": "EUR",'
    ' "kind": "depository", "subtype": null, "institutionName": null,'
    ' "balances": [{"date": "2026-03-05", "balance": 5050}]}],\n"transactions": [\n'
    '{"date": "2026-03-04", "accountId": "acc_1", "amount": -150, "raw": "Shop \\u00e9",'
    ' "externalId": "a", "payeeKey": "shop"},\n'
    '{"date": "2026-03-05", "accountId": "acc_1", "amount": 200, "raw": "x"}]}\n'
)
_IDENTITY = (
    '{"accountId": "acc_1", "accountKey": "12", "currency": "EUR", "date": "2026-03-04",'
    ' "amount": -150, "raw": "Shop", "externalId": null, "ordinal": 0, "pending": false}'
)
_HOME = (
    '{"finplan": 1, "exportVersion": 2,\n"household": {"keyRules": 2, "settings": {"currency": "EUR",'
    ' "timeZone": "Europe/Berlin", "budgetShares": {"essentials": 0.5, "discretionary": 0.3,'
    ' "savings": 0.2}, "targetMonths": 3, "monthlyIncome": 250000}, "connections": [{"id": "con_1",'
    ' "institutionName": "Bank", "createdAt": 1, "lastSyncedAt": null}], "categories": [{"id": "cat_1",'
    ' "name": "Garden", "line": "essential", "reimbursable": false, "createdAt": 1}],'
    ' "dismissedSuggestions": ["pets"], "rules": [{"id": "rule_1", "payeeKey": "shop", "amount": 150,'
    ' "category": "cat_1", "savedAt": 1}], "answers": [{"task": {"kind": "connect_missing_account",'
    ' "id": "task_1", "missing": "income", "reason": "No pay."}, "ruleId": null, "answeredAt": 1}],'
    f' "transfers": [{{"id": "trf_1", "verdict": "reject", "out": {_IDENTITY}, "in": {_IDENTITY},'
    ' "decidedAt": 1}], "recurring": [{"id": "ser_1", "kind": "charge", "payeeKey": "shop",'
    ' "amount": 150, "date": "2026-03-04", "cadence": "monthly", "intervalDays": 30,'
    ' "verdict": "dismiss", "decidedAt": 1}], "duplicates": [{"id": "dup_1", "kind": "rows",'
    f' "verdict": "same", "rows": [{_IDENTITY}, {_IDENTITY}], "accounts": null, "setAside":'
    ' {"accountId": "acc_1", "payeeKey": "shop", "date": "2026-03-05", "amount": -150, "raw": "S",'
    ' "externalId": null, "ordinal": 0, "source": "csv", "code": null}, "decidedAt": 1}],'
    ' "files": [{"signature": "a1", "columns": "Date,Amount", "encoding": null, "dateOrder": "dmy",'
    ' "decimalSign": null, "currency": null, "accountId": "acc_1", "savedAt": 1}],'
    ' "pending": [{"accountId": "acc_1", "payeeKey": "shop", "date": "2026-03-06", "amount": -1,'
    ' "raw": "S", "externalId": null}]},\n"payees": [\n{"key": "shop", "name": "Shop", "raw": "S",'
    ' "judged": {"out": "dining", "in": "unknown_inflow", "source": "curated", "confidence": 0.9,'
    ' "alternatives": [], "suggested": null, "why": "w"}}\n],\n"accounts": [\n{"id": "acc_1",'
    ' "name": "Giro", "number": "12", "institutionName": "Bank", "kind": "depository",'
    ' "subtype": null, "currency": "EUR", "balances": [{"date": "2026-03-05", "balance": 5050}],'
    ' "connectionId": "con_1", "externalId": "12", "mask": "0012", "balance": 5050,'
    ' "balanceDate": "2026-03-05", "creditLimit": null, "apr": 0.1, "minimumPayment": null,'
    ' "hidden": false, "coverage": [{"from": "2026-03-01", "to": null}], "corrected": ["balance"],'
    ' "sources": ["csv"]}\n],\n"transactions": [\n'
    '{"accountId": "acc_1", "date": "2026-03-04", "amount": -150, "currency": "EUR",'
    ' "payeeKey": "shop", "payee": "Shop", "raw": "S", "category": "dining", "externalId": null,'
    ' "source": "csv", "ordinal": 1, "code": "5411", "transferId": "trf_1", "spends": true}\n]}\n'
)
_OWN_TABLE = (
    "date,account,payee,description,category,amount,currency,transaction_id,payee_key,account_id,"
    "account_number,institution,kind,subtype\n"
    "2026-03-04,Giro,Shop,'=SHOP 12,dining,-1.50,EUR,a1,shop,acc_1,12,Bank,depository,checking\n"
    '2026-03-05,Giro,Pay,"PAY, INC\n""x""",wages,1000,EUR,,pay,acc_1,12,Bank,depository,checking\n'
)


_ENDLESS = "9" * 5000
"""More digits than Python turns into a number."""


def _encoded(*texts: str) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in texts)


SEEDS: Mapping[str, Sequence[bytes]] = {
    "OFX": (
        *_encoded(_OFX_SGML, _OFX_XML, _OFX_SGML.replace("7.25", _ENDLESS)),
        _OFX_XML.encode("utf-16"),
        _OFX_SGML.lower().encode(),
    ),
    "CAMT": _encoded(_CAMT, _CAMT_054),
    "MT940": _encoded(_MT940, _MT942, _MT940 + _MT942),
    "QIF": (*_encoded(_QIF, _QIF.replace("208.50", _ENDLESS)), _QIF_EUROPE.encode("cp1252")),
    "finplan-json": _encoded(
        _JSON, _JSON.replace("-150", _ENDLESS), _JSON.replace("\n", ""), _HOME
    ),
    "finplan-csv": _encoded(_OWN_TABLE),
    "beancount": _encoded(_BEANCOUNT, _BEANCOUNT.replace("12.00", _ENDLESS)),
    "hledger": _encoded(
        _HLEDGER, _HLEDGER.replace("1200,00", _ENDLESS), _HLEDGER.replace("\n", "\r\n")
    ),
    "CSV": (
        *_encoded(*_TABLES, _TABLES[0].replace("98.50", _ENDLESS)),
        _TABLES[1].encode("cp1252", "ignore"),
        _TABLES[0].encode("utf-16"),
    ),
}


WORDS: Mapping[str, Sequence[str]] = {
    "OFX": (
        "<OFX>", "</OFX>", "<STMTRS>", "</STMTRS>", "<CCSTMTRS>", "<INVSTMTRS>", "<STMTTRN>",
        "</STMTTRN>", "<!--", "-->", "<![CDATA[", "]]>", "<DTPOSTED>20260304", "<TRNAMT>-1.50",
        "<NAME>", "<MEMO>", "<PAYEE>", "</PAYEE>", "<ACCTID>12", "<BANKACCTFROM>",
        "</BANKACCTFROM>", "<LEDGERBAL>", "<BALAMT>7", "<CURDEF>USD", "<CURSYM>", "<SIC>5411",
        "&#x110000;", "&#55296;", "&amp;", "CHARSET:1252", "CHARSET:NONE", "ENCODING:UTF-8",
        "<STATUS>", "<SEVERITY>ERROR",
    ),
    "CAMT": (
        "<Ntry>", "</Ntry>", "<NtryDtls>", "</NtryDtls>", "<TxDtls>", "</TxDtls>", "<Stmt>",
        "</Stmt>", "<Rpt>", "<Amt>", "<Sts>", "<Cd>", "<Ntry/>", "<TxDtls/>", "<Bal>", "<![CDATA[",
        "]]>", "<!--", "-->", "<?x?>", "&#xD800;", "&#1;", "&lol;", "<!DOCTYPE", "xmlns=",
        'encoding="', "PDNG", "INFO", "1e9999", "NaN",
    ),
    "MT940": (
        ":20:", ":25:", ":25P:", ":28C:", ":60F:", ":61:", ":62F:", ":64:", ":86:", ":NS:",
        ":90D:", ":34F:", ":13D:", "\n-", "-}", "{4:", "?20", "?32", "?00", "SVWZ+", "EREF+",
        "/NAME/", "/REMI/", "/CNTP/", "//", "C260301EUR", "RD", "EC", "260230", "9" * 20,
    ),
    "QIF": (
        "!Type:Bank", "!Type:CCard", "!Type:Invst", "!Account", "!Option:AutoSwitch",
        "!Clear:AutoSwitch", "\n^\n", "\nD", "\nT", "\nP", "\nL[", "\nU", "\n$", "\nS", "'26",
        "Opening Balance",
    ),
    "finplan-json": (
        '"finplan"', '"accounts"', '"transactions"', "[", "]", "{", "}", ":", ",", "\\ud800",
        "\\u0000", "NaN", "1e999", "null", "true", '"amount"', '"balances"', "[" * 40,
        '{"a":' * 30, "9" * 40,
    ),
    "finplan-csv": (
        '"', '""', ",", "\n", "\r", "'=", "EUR", "XXX", "2026-02-30", "9" * 20, "1.23456",
    ),
    "beancount": (
        "open", "close", "balance", "pad", "commodity", "txn", " * ", " ! ", '"', "Assets:",
        "Liabilities:", "@ ", "@@ ", "{", "}", "{{", "#tag", "^link", "pushtag", "option ",
        "plugin ", "include ", "(", ")", "/ 0", "1 / 3", "*" * 20, "(" * 40, "\n  ",
    ),
    "hledger": (
        "account ", "commodity ", "alias ", "alias /(.*)*x/=\\1", "alias /(/=", "apply account ",
        "end", "comment\n", "Y2026", "D $1,000.00", "= /x/", "~ monthly", "include ",
        "decimal-mark ,", "assets:", "liabilities:", "; type: C", "@ ", "@@ ", "{", "[2026-03-04]",
        "; id: ", "(", ")", "* ", "! ", "=", "$", "EUR", "1.000,00", "\n    ", "  ",
    ),
    "CSV": (
        ",", ";", "\t", "|", '"', '""', "sep=;", "Date", "Amount", "Debit", "Credit", "Balance",
        "Status", "Currency", "Account", "Description", "Pending", "declined", "04/03/2026",
        "2026-02-30", "Mar", "1.000", "1,5", "(2.00)", "12 DR", "CR", "USD", "EUR", "$", "kr",
        "Total", "=1+1", "9" * 30,
    ),
}  # fmt: skip

WORDS_OF_ALL = (
    "\n", "\r", "\r\n", "\x00", "\ufeff", "\x1f", "\x85", "\u2028", "\u0663", "\xb2", "\xe9", "<",
    "&", "'",
)  # fmt: skip
"""Characters with a meaning in many formats; some are digits or ends of lines for Unicode alone."""
