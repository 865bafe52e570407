"""Statement files that a reader might stumble over: huge, deep, unclosed, or tried again and again.

Each is made for a size in bytes, about, so that a small one shows what a large one would do. A benchmark
that uploads them to a daemon reads `HOSTILE_FILES` alone.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from random import Random
from typing import NamedTuple

Content = Callable[[int], str | bytes]
MEGABYTE = 1_000_000
FIELD = 900_000
"""Nearly as long as a line, a field or a record may be."""


class HostileFile(NamedTuple):
    """A file by its name's ending, what makes its content for a size, and the size at the limit."""

    ending: str
    content: Content
    size: int


def made(name: str, size: int) -> tuple[str, bytes]:
    """A hostile file of about so many bytes: its name and its content."""
    file = HOSTILE[name]
    content = file.content(size)
    return f"{name}.{file.ending}", content if isinstance(content, bytes) else content.encode()


def filled(text: str, size: int) -> str:
    """A text repeated until it is so long."""
    return (text * (size // len(text) + 1))[:size]


def csv_row(text: str, amount: str = "-1.50", day: str = "2026-03-04") -> str:
    """A table of one short row and one with this text."""
    return f"Date,Description,Amount\n2026-03-03,Shop,-2.50\n{day},{text},{amount}\n"


def csv_cell(piece: str, most: int = 130_000) -> Callable[[int], str]:
    """A cell full of a text; the reader's own limit for one is 131,072 characters."""
    return lambda size: csv_row(filled(piece, min(size, most)))


def csv_cells(piece: str, length: int) -> Content:
    """Rows of which each has a long text."""
    row = f"2026-03-04,{filled(piece, length)},-1.50\n"
    return lambda size: "Date,Description,Amount\n" + row * max(1, size // len(row))


def ofx(*transactions: str) -> str:
    """A bank statement of some transactions."""
    return (
        "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR"
        "<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>"
        f"{''.join(transactions)}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def booking(text: str, more: str = "") -> str:
    """A transaction of OFX."""
    return f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260304<TRNAMT>-1.50<FITID>1<NAME>{text}{more}</STMTTRN>"


def mt940(information: str, lines: str = "") -> str:
    """A statement of one line with what is said of it."""
    return (
        ":20:REF\n:25:12345678/1234567890\n:28C:1/1\n:60F:C260303EUR100,00\n"
        f":61:2603040304D1,50NTRFNONREF\n:86:{information}\n{lines}:62F:C260304EUR98,50\n-\n"
    )


def qif(*records: str) -> str:
    """A bank account's records."""
    return "!Type:Bank\nD2026-03-03\nT-2.50\nPShop\n^\n" + "".join(records)


def camt(entries: str, head: str = "") -> str:
    """A statement of CAMT.053 with these entries."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>'
        f"<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>{head}{entries}"
        "</Stmt></BkToCstmrStmt></Document>"
    )


def entry(texts: str = "<Ustrd>Shop</Ustrd>", amount: str = "1.50", day: str = "2026-03-04") -> str:
    """An entry of CAMT with what its payer wrote."""
    return (
        f'<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>{day}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf>{texts}</RmtInf></TxDtls>"
        "</NtryDtls></Ntry>"
    )


def beancount(text: str, more: str = "") -> str:
    """A journal of beancount with one transaction."""
    return (
        "2026-01-01 open Assets:Bank EUR\n2026-01-01 open Expenses:Food\n\n"
        f'2026-03-04 * "{text}"\n  Assets:Bank  -1.50 EUR\n  Expenses:Food\n{more}\n'
    )


def hledger(text: str, amount: str = "EUR -1.50") -> str:
    """A journal of hledger with one transaction."""
    return f"2026-03-04 {text}\n    assets:bank  {amount}\n    expenses:food\n"


def own_json(transactions: str, accounts: str = "") -> str:
    """An export of finplan's own, of a version without a household."""
    account = '{"id": "acc_1", "name": "Bank", "currency": "EUR", "kind": "depository"}'
    return (
        f'{{"finplan": 1, "accounts": [{accounts or account}], "transactions": [{transactions}]}}'
    )


def own_row(text: str) -> str:
    """A row of such an export."""
    return json.dumps(
        {"accountId": "acc_1", "date": "2026-03-04", "amount": -150, "raw": text, "payeeKey": text}
    )


def repeated(make: Callable[[str], str], piece: str, before: str = "", after: str = "") -> Content:
    """A format's file with a text that is filled with a piece."""
    return lambda size: make(before + filled(piece, size) + after)


def many(make: Callable[[str], str], piece: str) -> Content:
    """A format's file with something that stands there again and again, always whole."""
    return lambda size: make(piece * max(1, size // len(piece)))


def distinct(size: int) -> str:
    """A table of texts of which no two have a word in common."""
    dice = Random(size)
    words = ("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(size // 8))
    texts = (" ".join(islice(words, 500)) for _ in range(size // 4000 + 1))
    return HEADER + "".join(f"2026-03-04,{text} end,-1.50\n" for text in texts)


HEADER = "Date,Description,Amount\n"
ROW = "2026-03-04,Shop,-1.50\n"
OWN_HEADER = (
    "date,account,payee,description,category,amount,currency,transaction_id,payee_key,account_id,"
    "account_number,institution,kind,subtype\n"
)

BALANCE = "<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp></Bal>"


def own_csv_row(text: str) -> str:
    """An export as a table, with one row."""
    return f"{OWN_HEADER}2026-03-04,A,,{text},,-1.50,EUR,,,acc_1,,,,\n"


HOSTILE: Mapping[str, HostileFile] = {
    # Tables.
    "csv one letter": HostileFile("csv", csv_cell("x"), 130_000),
    "csv digits": HostileFile("csv", csv_cell("1"), 130_000),
    "csv digits and slashes": HostileFile("csv", csv_cell("12/34 "), 130_000),
    "csv masks": HostileFile("csv", csv_cell("X*•."), 130_000),
    "csv masked transfer": HostileFile(
        "csv", lambda size: csv_row("transfer " + filled("x", min(size, 130_000))), 50_000
    ),
    "csv distinct texts": HostileFile("csv", distinct, 3 * MEGABYTE),
    "csv words": HostileFile("csv", csv_cell("transfer to account ending in "), 130_000),
    "csv labels": HostileFile("csv", csv_cell("co: name: ben "), 130_000),
    "csv stars": HostileFile("csv", csv_cell("SQ *"), 130_000),
    "csv towns": HostileFile("csv", csv_cell("NEW A-CITY OF "), 130_000),
    "csv marks of places": HostileFile("csv", csv_cell("A>1 "), 130_000),
    "csv dashes": HostileFile("csv", csv_cell(" - "), 130_000),
    "csv blanks": HostileFile("csv", csv_cell(" \t"), 130_000),
    "csv accents": HostileFile("csv", csv_cell("é"), 60_000),
    "csv combining": HostileFile("csv", csv_cell("a\u0301\u0301\u0301"), 60_000),
    "csv many long texts": HostileFile("csv", csv_cells("Pay 12/34 ref ", 15_000), 3 * MEGABYTE),
    "csv longest texts": HostileFile("csv", csv_cells("X1 ", 120_000), 3 * MEGABYTE),
    "csv one line": HostileFile("csv", lambda size: csv_row(filled("x", size)), 60 * MEGABYTE),
    "csv no line's end": HostileFile("csv", partial(filled, "2026-03-04,A,-1.50,"), 60 * MEGABYTE),
    "csv quoted cell": HostileFile(
        "csv", lambda size: csv_row('"' + filled("x", size) + '"'), 3 * MEGABYTE
    ),
    "csv quoted lines": HostileFile(
        "csv", lambda size: csv_row('"' + filled("x\n", size) + '"'), 3 * MEGABYTE
    ),
    "csv open quote": HostileFile(
        "csv", lambda size: HEADER + 'a,"' + ROW * (size // 22), 3 * MEGABYTE
    ),
    "csv quotes": HostileFile(
        "csv", lambda size: csv_row(filled('"', min(size, 130_000))), 130_000
    ),
    "csv columns": HostileFile(
        "csv", lambda size: csv_row("A" + filled(",", min(size, 900_000))), FIELD
    ),
    "csv headers": HostileFile(
        "csv",
        lambda size: ",".join(["Date", "Amount", *["Text"] * (size // 5)]) + "\n" + ROW,
        FIELD,
    ),
    "csv lines above": HostileFile(
        "csv", lambda size: "Note\n" * (size // 5) + HEADER + ROW, 3 * MEGABYTE
    ),
    "csv short lines": HostileFile("csv", lambda size: HEADER + ROW + "\n" * size, 3 * MEGABYTE),
    "csv short rows": HostileFile(
        "csv", lambda size: HEADER + ROW + ",\n" * (size // 2), 3 * MEGABYTE
    ),
    "csv huge amount": HostileFile(
        "csv", lambda size: csv_row("A", "9" * min(size, 130_000)), 130_000
    ),
    "csv exponent": HostileFile("csv", lambda _size: csv_row("A", "1e999999999"), 100),
    "csv groups": HostileFile(
        "csv", lambda size: csv_row("A", '"1' + filled(",234", min(size, 130_000)) + '"'), 130_000
    ),
    "csv huge date": HostileFile(
        "csv", lambda size: csv_row("A", day=filled("2026-", min(size, 130_000))), 130_000
    ),
    "csv utf-16": HostileFile("csv", lambda size: csv_cell("1/")(size).encode("utf-16"), 130_000),
    "csv utf-32": HostileFile("csv", lambda size: csv_cell("1/")(size).encode("utf-32"), 130_000),
    "csv marks": HostileFile(
        "csv", lambda size: b"\xef\xbb\xbf" * (size // 3) + csv_row("A").encode(), MEGABYTE
    ),
    "csv invalid bytes": HostileFile(
        "csv", lambda size: csv_row("A").encode() + b"\xff\xfe\x80," * (size // 4), MEGABYTE
    ),
    "csv zero bytes": HostileFile(
        "csv", lambda size: csv_row("A").encode() + b"\0" * size, 10 * MEGABYTE
    ),
    "csv code page": HostileFile(
        "csv",
        lambda size: HEADER.encode() + "2026-03-04,Übung,-1\n".encode("cp1252") * (size // 20),
        MEGABYTE,
    ),
    # OFX.
    "ofx name": HostileFile("ofx", repeated(lambda text: ofx(booking(text)), "1/"), FIELD),
    "ofx references": HostileFile("ofx", repeated(lambda text: ofx(booking(text)), "&amp;"), FIELD),
    "ofx half references": HostileFile(
        "ofx", repeated(lambda text: ofx(booking(text)), "&#"), FIELD
    ),
    "ofx unclosed": HostileFile("ofx", many(lambda text: ofx(booking("A", text)), "<NAME>"), FIELD),
    "ofx unclosed transactions": HostileFile("ofx", many(ofx, "<STMTTRN>"), 3 * MEGABYTE),
    "ofx tags": HostileFile(
        "ofx", many(lambda text: ofx(booking("A", text)), "<X>1"), 3 * MEGABYTE
    ),
    "ofx open tag": HostileFile(
        "ofx", repeated(lambda text: ofx(booking("A", text)), "<"), 3 * MEGABYTE
    ),
    "ofx comment": HostileFile("ofx", repeated(ofx, "x", "<!--"), 10 * MEGABYTE),
    "ofx comments": HostileFile("ofx", many(ofx, "<!---->"), 3 * MEGABYTE),
    "ofx statements": HostileFile("ofx", many(ofx, "<STMTRS></STMTRS>"), 3 * MEGABYTE),
    "ofx one line": HostileFile("ofx", repeated(ofx, "x", "<NAME>"), 60 * MEGABYTE),
    "ofx amount": HostileFile(
        "ofx", lambda size: ofx(booking("A").replace("-1.50", "9" * size)), FIELD
    ),
    "ofx date": HostileFile(
        "ofx", lambda size: ofx(booking("A").replace("20260304", "2" * size)), FIELD
    ),
    # MT940.
    "mt940 field": HostileFile("sta", repeated(mt940, "x"), FIELD),
    "mt940 digits": HostileFile("sta", repeated(mt940, "1/"), FIELD),
    "mt940 lines": HostileFile("sta", repeated(mt940, "A 1\n"), FIELD),
    "mt940 subfields": HostileFile(
        "sta", many(lambda text: mt940(f"166?00A{text}"), "?20x"), FIELD
    ),
    "mt940 signs": HostileFile("sta", repeated(lambda text: mt940(f"166?00A{text}"), "?"), FIELD),
    "mt940 codes": HostileFile("sta", many(mt940, "/NAME/A/REMI/B"), FIELD),
    "mt940 marks": HostileFile("sta", many(lambda text: mt940(f"166?20{text}"), "SVWZ+ "), FIELD),
    "mt940 fields": HostileFile("sta", many(lambda text: mt940("A", text), ":86:B\n"), FIELD),
    "mt940 old fields": HostileFile("sta", many(lambda text: mt940("", text), ":NS:01B\n"), FIELD),
    "mt940 supplement": HostileFile(
        "sta", lambda size: mt940("A").replace("NONREF\n", f"NONREF\n{'x' * size}\n"), FIELD
    ),
    "mt940 decimals": HostileFile(
        "sta", lambda size: mt940("A").replace("D1,50", f"D1,{'5' * size}"), FIELD
    ),
    "mt940 statements": HostileFile(
        "sta", many(lambda text: mt940("A") + text, ":20:R\n:25:1\n"), 3 * MEGABYTE
    ),
    "mt940 one line": HostileFile("sta", repeated(mt940, "x"), 60 * MEGABYTE),
    # QIF.
    "qif payee": HostileFile(
        "qif", repeated(lambda text: qif(f"D2026-03-04\nT-1\nP{text}\n^\n"), "1/"), FIELD
    ),
    "qif splits": HostileFile(
        "qif", many(lambda text: qif(f"D2026-03-04\nT-1\nPA\n{text}^\n"), "SA\n$1\n"), FIELD
    ),
    "qif endless record": HostileFile("qif", many(qif, "SA\n$1\n"), 10 * MEGABYTE),
    "qif heads": HostileFile("qif", many(qif, "!Type:Bank\n"), FIELD),
    "qif empty records": HostileFile("qif", many(qif, "^\n"), 3 * MEGABYTE),
    "qif amount": HostileFile("qif", lambda size: qif(f"D2026-03-04\nT{'9' * size}\n^\n"), FIELD),
    "qif date": HostileFile("qif", lambda size: qif(f"D{filled('1/ ', size)}\nT1\n^\n"), FIELD),
    # CAMT.
    "camt text": HostileFile(
        "xml", repeated(lambda text: camt(entry(f"<Ustrd>{text}</Ustrd>")), "1/"), FIELD
    ),
    "camt texts": HostileFile(
        "xml",
        lambda size: camt(entry("".join(f"<Ustrd>{n}</Ustrd>" for n in range(size // 20)))),
        FIELD,
    ),
    "camt details": HostileFile(
        "xml",
        many(lambda text: camt(entry(f"</RmtInf></TxDtls>{text}<TxDtls><RmtInf>")), "<TxDtls/>"),
        3 * MEGABYTE,
    ),
    "camt deep": HostileFile(
        "xml", lambda size: camt("<a>" * (size // 7) + "</a>" * (size // 7)), FIELD
    ),
    "camt deep texts": HostileFile("xml", lambda size: camt(entry("<a>" * (size // 3))), FIELD),
    "camt head": HostileFile(
        "xml", lambda size: camt(entry() * (size // 600), "<x/>" * (size // 8)), 3 * MEGABYTE
    ),
    "camt balances": HostileFile("xml", many(lambda text: camt(entry(), text), BALANCE), FIELD),
    "camt attribute": HostileFile("xml", repeated(camt, "x", '<Ntry a="', '"/>'), 3 * MEGABYTE),
    "camt attributes": HostileFile(
        "xml",
        lambda size: camt("<Ntry " + " ".join(f'a{n}=""' for n in range(size // 10)) + "/>"),
        FIELD,
    ),
    "camt comment": HostileFile("xml", repeated(camt, "x", "<!--", "-->"), 10 * MEGABYTE),
    "camt amount": HostileFile("xml", lambda size: camt(entry(amount="9" * size)), FIELD),
    "camt date": HostileFile("xml", lambda size: camt(entry(day="2" * size)), FIELD),
    "camt entities": HostileFile("xml", repeated(lambda text: camt(entry(text)), "&lt;"), FIELD),
    # Journals.
    "beancount text": HostileFile("beancount", repeated(beancount, "1/"), 60_000),
    "beancount escapes": HostileFile("beancount", repeated(beancount, '\\"'), 60_000),
    "beancount open string": HostileFile(
        "beancount", lambda size: beancount("A", '2026-03-05 * "' + filled('\\"', size)), FIELD
    ),
    "beancount quotes": HostileFile("beancount", repeated(beancount, '" "'), 60_000),
    "beancount postings": HostileFile(
        "beancount", many(lambda text: beancount("A", text), "  Assets:Bank  1 EUR\n"), FIELD
    ),
    "beancount tags": HostileFile(
        "beancount", many(lambda text: beancount("A", text), '  finplan-row: "x"\n'), FIELD
    ),
    "beancount strings of lines": HostileFile("beancount", repeated(beancount, "x\n"), FIELD),
    "hledger text": HostileFile("journal", repeated(hledger, "1/"), FIELD),
    "hledger blanks": HostileFile("journal", repeated(lambda text: hledger("A", text), " "), FIELD),
    "hledger amount": HostileFile("journal", repeated(lambda text: hledger("A", text), "9"), FIELD),
    "hledger quotes": HostileFile(
        "journal", repeated(lambda text: hledger(f"A ; {text}"), '"'), FIELD
    ),
    "hledger comments": HostileFile(
        "journal", many(lambda text: hledger("A") + text, "; a\n"), 3 * MEGABYTE
    ),
    "hledger tags": HostileFile(
        "journal", repeated(lambda text: hledger(f"A ; {text}"), "a:b,"), FIELD
    ),
    # Exports of finplan's own.
    "own json text": HostileFile(
        "json", repeated(lambda text: own_json(own_row(text)), "1/"), 3 * MEGABYTE
    ),
    "own json deep": HostileFile("json", repeated(own_json, "["), FIELD),
    "own json number": HostileFile(
        "json", lambda size: own_json(own_row("A").replace("-150", "9" * size)), FIELD
    ),
    "own json exponent": HostileFile(
        "json", lambda _size: own_json(own_row("A").replace("-150", "1e999999999")), 300
    ),
    "own json names": HostileFile(
        "json", many(lambda text: own_json(f"{{{text}}}"), '"a":1,'), FIELD
    ),
    "own json blanks": HostileFile("json", repeated(own_json, " "), 10 * MEGABYTE),
    "own json string": HostileFile("json", repeated(own_json, "x", '"'), 60 * MEGABYTE),
    "own csv text": HostileFile(
        "csv", lambda size: own_csv_row(filled("1/", min(size, 130_000))), 130_000
    ),
    "own csv line": HostileFile("csv", lambda size: OWN_HEADER + filled("x", size), 60 * MEGABYTE),
    # What is no statement at all.
    "html comments": HostileFile("html", many(lambda text: text, "<!-- x --> "), FIELD),
    "html head": HostileFile(
        "html", lambda size: "<html>" + filled("<td>1</td>", size), 10 * MEGABYTE
    ),
    "zeros": HostileFile("csv", lambda size: b"\0" * size, 60 * MEGABYTE),
    "blanks": HostileFile("txt", partial(filled, " \n"), 10 * MEGABYTE),
}
"""Every hostile file by its name."""

HOSTILE_FILES: Mapping[str, Callable[[], tuple[str, bytes]]] = {
    name: partial(made, name, file.size) for name, file in HOSTILE.items()
}
"""The same at the limits of what is taken: each by its name, with the name and content of its file."""
