"""Words that mean something in a format, for the fuzzers to put where they like."""

from collections.abc import Mapping, Sequence

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
