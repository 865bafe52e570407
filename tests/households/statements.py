"""Statement files as banks export them, made of made-up rows."""

from collections.abc import Iterator
from datetime import date

from tests.households.money import Money, Row


def _plain(amount: int) -> str:
    return f"{amount / 100:.2f}"


def _comma(amount: int) -> str:
    return f"{amount / 100:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def _balanced(money: Money) -> Iterator[tuple[Row, int]]:
    """The rows, oldest first, each with the balance after it."""
    balance = money.opening()
    for row in money.ordered():
        balance += row.amount
        yield row, balance


def _lines(head: str, lines: list[str]) -> str:
    return "\n".join((head, *lines, ""))


def us_checking(money: Money) -> str:
    """A big bank of the United States: newest first, with a running balance."""
    lines = [
        f'{"CREDIT" if row.amount > 0 else "DEBIT"},{row.day:%m/%d/%Y},"{row.text}",'
        f"{_plain(row.amount)},{'ACH_CREDIT' if row.amount > 0 else 'ACH_DEBIT'},{_plain(balance)},,"
        for row, balance in _balanced(money)
    ]
    head = "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #"
    return _lines(head, lines[::-1])


def us_card(money: Money) -> str:
    """The same bank's card, which names no balance."""
    lines = [
        f"{row.day:%m/%d/%Y},{row.day:%m/%d/%Y},{row.text},,"
        f"{'Payment' if row.amount > 0 else 'Sale'},{_plain(row.amount)},"
        for row in money.ordered()
    ]
    return _lines("Transaction Date,Post Date,Description,Category,Type,Amount,Memo", lines[::-1])


def british_bank(money: Money) -> str:
    """A British current account: one column for money out and one for money in."""
    lines = [
        f"{row.day:%d/%m/%Y},{'DD' if 'DIRECT' in row.text else 'DEB'},'11-22-33,44556677,"
        f"{row.text},{_plain(-row.amount) if row.amount < 0 else ''},"
        f"{_plain(row.amount) if row.amount > 0 else ''},{_plain(balance)}"
        for row, balance in _balanced(money)
    ]
    head = (
        "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,"
        "Debit Amount,Credit Amount,Balance"
    )
    return _lines(head, lines[::-1])


def british_app(money: Money) -> str:
    """A British bank that is an app, which names the currency of its amounts."""
    lines = [
        f"{row.day:%d/%m/%Y},{row.text},{row.text},"
        f"{'FASTER PAYMENT'},{_plain(row.amount)},{_plain(balance)}"
        for row, balance in _balanced(money)
    ]
    return _lines("Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)", lines)


def german_savings_bank(money: Money) -> str:
    """A German savings bank: semicolons and decimal commas, `payee|purpose` in a row's text."""
    lines = []
    for row in money.ordered():
        payee, _, purpose = row.text.partition("|")
        kind = "GUTSCHR. UEBERWEISUNG" if row.amount > 0 else "FOLGELASTSCHRIFT"
        lines.append(
            f'"DE11222233334444555566";"{row.day:%d.%m.%y}";"{row.day:%d.%m.%y}";"{kind}";'
            f'"{purpose}";"{payee}";"DE99888877776666555544";"XXXXDEFFXXX";"{_comma(row.amount)}";'
            '"EUR";"Umsatz gebucht"'
        )
    head = (
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";'
        '"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"'
    )
    return _lines(head, lines[::-1])


def quicken(money: Money, kind: str = "Bank") -> str:
    """A file for Quicken, which names neither account nor balance."""
    lines = [
        f"D{row.day:%m/%d/%Y}\nT{_plain(row.amount)}\nP{row.text}\n^" for row in money.ordered()
    ]
    return _lines(f"!Type:{kind}", lines)


def broker(money: Money) -> str:
    """The cash movements of a broker, without a balance."""
    lines = [f"{row.day:%m/%d/%Y},{row.text},{_plain(row.amount)}" for row in money.ordered()]
    return _lines("Run Date,Action,Amount ($)", lines[::-1])


def ofx_bank(money: Money, number: str, kind: str, since: date, currency: str = "USD") -> str:
    """A download of a bank account, with the days that it covers and the balance of the last."""
    account = f"<BANKACCTFROM><BANKID>1<ACCTID>{number}<ACCTTYPE>{kind}</BANKACCTFROM>"
    body = _ofx_body(money, account, since, currency, money.closing)
    return _ofx(f"<BANKMSGSRSV1><STMTTRNRS><STMTRS>{body}</STMTRS></STMTTRNRS></BANKMSGSRSV1>")


def ofx_card(money: Money, number: str, since: date) -> str:
    """A download of a card: what is owed is a balance below zero."""
    account = f"<CCACCTFROM><ACCTID>{number}</CCACCTFROM>"
    body = _ofx_body(money, account, since, "USD", money.closing)
    return _ofx(
        "<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>"
        f"{body}</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>"
    )


def _ofx_body(money: Money, account: str, since: date, currency: str, balance: int) -> str:
    listed = "".join(
        f"<STMTTRN><TRNTYPE>{'CREDIT' if row.amount > 0 else 'DEBIT'}<DTPOSTED>{row.day:%Y%m%d}"
        f"<TRNAMT>{_plain(row.amount)}<FITID>{place}<NAME>{row.text[:32]}"
        f"{f'<MEMO>{row.text[32:]}' if row.text[32:] else ''}</STMTTRN>"
        for place, row in enumerate(money.ordered())
    )
    return (
        f"<CURDEF>{currency}{account}<BANKTRANLIST><DTSTART>{since:%Y%m%d}"
        f"<DTEND>{money.until:%Y%m%d}{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{_plain(balance)}<DTASOF>{money.until:%Y%m%d}</LEDGERBAL>"
    )


def _ofx(body: str) -> str:
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        f"COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX>{body}</OFX>\n"
    )
