"""One account's rows, written in every format that finplan reads or writes."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from finplan.model.money import to_text
from finplan.statements import export
from finplan.statements.journal.writer import BeancountWriter, HledgerWriter
from finplan.statements.statement import StatementAccount
from tests.statements.reading_files import Row, camt, mt940, qif

PAYEES = (
    ("Edeka Markt", -42_17), ("Netflix", -13_99), ("Stadtwerke", -87_00), ("Bakery Krause", -4_60),
    ("Landlord Meyer", -950_00), ("Acme Payroll", 2_750_00), ("Shell Station", -61_35),
)  # fmt: skip


def rows(count: int = 40, first: date = date(2026, 3, 2), account: int = 0) -> list[Row]:
    """Rows every other day, of which each seventh is income; `account` makes other amounts."""
    found = []
    for place in range(count):
        payee, amount = PAYEES[place % 7]
        cents = 0 if abs(amount) > 500_00 else 3 * (place // 7) + 101 * account
        sign = -1 if amount < 0 else 1
        found.append((first + timedelta(2 * place), amount + sign * cents, payee))
    return found


def bank_csv(written: Sequence[Row]) -> str:
    """A bank's table with one column of amounts."""
    lines = (f"{day},{text.upper()},{to_text(amount, 'EUR')}" for day, amount, text in written)
    return "\n".join(("Date,Description,Amount", *lines, ""))


def other_csv(written: Sequence[Row]) -> str:
    """Another table of the same account, which says money out and in apart and in other words."""
    lines = []
    for place, (day, amount, text) in enumerate(written):
        money = to_text(abs(amount), "EUR")
        sides = f"{money};" if amount < 0 else f";{money}"
        lines.append(f"{day:%d.%m.%Y};Karte {place:04d} {text};{sides}")
    return "\n".join(("Buchungstag;Verwendungszweck;Soll;Haben", *lines, ""))


def ofx(written: Sequence[Row]) -> str:
    """An OFX statement of a checking account."""
    listed = "".join(
        f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day:%Y%m%d}<TRNAMT>{to_text(amount, 'EUR')}"
        f"<FITID>F{place}<NAME>{text}</STMTTRN>"
        for place, (day, amount, text) in enumerate(written)
    )
    return (
        "OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>Alpha</FI></SONRS></SIGNONMSGSRSV1>"
        "<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>77001234"
        f"<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>{listed}</BANKTRANLIST>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )


def swift(written: Sequence[Row]) -> str:
    """An MT940 statement of the days from the first row to the last, with the balance at the end."""
    first, last = written[0][0], written[-1][0]
    closing = sum(amount for _, amount, _ in written)
    mark = "C" if closing >= 0 else "D"
    money = to_text(abs(closing), "EUR").replace(".", ",")
    return (
        mt940(written)
        .replace(":60F:C260101", f":60F:C{first:%y%m%d}")
        .replace(":62F:C260131EUR0,00", f":62F:{mark}{last:%y%m%d}EUR{money}")
    )


def journal(written: Sequence[Row]) -> str:
    """A journal that a person keeps."""
    return "".join(
        f"{day} {text}\n    assets:bank:giro  {to_text(amount, 'EUR')} EUR\n    expenses:other\n\n"
        for day, amount, text in written
    )


def _exported_by(
    make: Callable[[export.Exported], export.StatementWriter],
) -> Callable[[Sequence[Row]], str]:
    """An export of finplan from another home, whose account has an id that is not known here."""

    def write(written: Sequence[Row]) -> str:
        account = StatementAccount(
            None, "Old giro", "EUR", "Beta", "depository", "checking", "acc_" + "z" * 24
        )
        counters = {"other": export.CounterAccount("expenses", "other")}
        writer = make(export.Exported({str(account.id): account}, counters))
        own_id, category = str(account.id), "other"
        listed = [
            export.ExportedRow(
                own_id, int(f"{day:%Y%m%d}"), amount, text, None, text.lower(), text, category
            )
            for day, amount, text in written
        ]
        return writer.head() + writer.body(listed) + writer.tail()

    return write


FORMATS: dict[str, Callable[[Sequence[Row]], str]] = {
    "bank.csv": bank_csv,
    "other.csv": other_csv,
    "checking.ofx": ofx,
    "money.qif": qif,
    "statement.sta": swift,
    "statement.xml": camt,
    "home.journal": journal,
    "export.json": _exported_by(export.JsonWriter),
    "export.csv": _exported_by(export.CsvWriter),
    "export.hledger": _exported_by(HledgerWriter),
    "export.beancount": _exported_by(BeancountWriter),
}
"""A writer for each format, by the name of its file; an export of finplan begins with `export`."""
