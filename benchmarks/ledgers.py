"""Generated ledgers: ten years of one checking account in the formats of banks, the same for a seed.

Pay comes biweekly, rent, bills and transfers monthly, and everyday spending fills the rest: about
3,000 payees, a few of them visited often and most rarely, and 30 % of all descriptors distinct.
"""

import csv
from bisect import bisect
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.sax.saxutils import escape

from benchmarks.descriptors import dated, frequencies, shops
from finplan.model.money import to_text

YEARS = 10
DISTINCT = 0.3
"""The share of distinct descriptors, the same for every size, so that sizes can be compared."""

OPENING_BALANCE = 500_000
FEWEST_ROWS = 2_000
"""Below this the regular payments would be most of the ledger."""


class LedgerRow(NamedTuple):
    """A row: the day as YYYYMMDD, the amount in cents and positive when money comes in, the text."""

    day: int
    amount: int
    raw: str


class Monthly(NamedTuple):
    """A payment that recurs each month: its day, its text, its least amount and how far it varies."""

    day: int
    text: str
    least: int
    varies: int


MONTHLY = (
    Monthly(1, "ONLINE PAYMENT HARBOR PROPERTY MGMT RENT", 185_000, 0),
    Monthly(3, "CITY POWER & LIGHT DES:UTIL PMT ID:XXXXX4471", 6_000, 9_000),
    Monthly(5, "VERIZON WIRELESS PAYMENTS", 8_500, 900),
    Monthly(8, "COMCAST CABLE COMM 800-266-2278", 7_999, 0),
    Monthly(9, "NETFLIX.COM LOS GATOS CA", 1_549, 0),
    Monthly(12, "STATE FARM INSURANCE DES:INS PREM ID:XX 7786", 13_240, 0),
    Monthly(14, "SPOTIFY USA NEW YORK NY", 1_099, 0),
    Monthly(16, "CITY WATER DEPT UTILITY", 3_200, 2_800),
    Monthly(20, "ANYTIME FITNESS CLUB FEES", 4_200, 0),
    Monthly(22, "CHASE CREDIT CRD AUTOPAY PPD ID: 4760039224", 30_000, 60_000),
)


def generate(rows: int, until: date, seed: int = 1) -> list[LedgerRow]:
    """A ledger of exactly so many rows that ends on a day, in the order of the days."""
    if rows < FEWEST_ROWS:
        raise ValueError(f"A generated ledger has at least {FEWEST_ROWS:,} rows.")
    dice = Random(seed)
    days = _days(until)
    out = [*_monthly(days, dice), *_transfers(days, dice)]
    paydays = days[4::14]
    out += _everyday(rows - len(out) - len(paydays), days, dice)
    # What is earned covers what is spent, however many rows are asked for.
    pay = -sum(row.amount for row in out) * 27 // 25 // len(paydays)
    salary = "ACME ROBOTICS DES:PAYROLL ID:XXXXX7781 INDN:A PERSON CO ID:9111111101 PPD"
    out += [LedgerRow(day, pay, salary) for day in paydays]
    return sorted(out, key=lambda row: row.day)


def write_csv(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write a bank's CSV export: Date, Description, Amount, Balance."""
    balance = OPENING_BALANCE
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("Date", "Description", "Amount", "Balance"))
        for day, amount, raw in rows:
            balance += amount
            written = f"{day // 100 % 100:02d}/{day % 100:02d}/{day // 10000}"
            writer.writerow((written, raw, to_text(amount, "USD"), to_text(balance, "USD")))


def write_ofx(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as OFX 1.02 in SGML, each row with a FITID."""
    balance = OPENING_BALANCE + sum(row.amount for row in rows)
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(_OFX_HEAD.format(first=rows[0].day, last=rows[-1].day))
        file.writelines(_ofx_rows(rows))
        file.write(_OFX_TAIL.format(balance=to_text(balance, "USD"), last=rows[-1].day))


def write_qif(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as a bank's QIF."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("!Type:Bank\r\n")
        file.writelines(
            f"D{day // 100 % 100:02d}/{day % 100:02d}/{day // 10000}\r\n"
            f"T{to_text(amount, 'USD')}\r\nP{raw}\r\nC*\r\n^\r\n"
            for day, amount, raw in rows
        )


def write_mt940(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as one MT940 statement in the form of German banks."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(":20:STARTUMS\r\n:25:10020030/1234567\r\n:28C:1/1\r\n")
        file.write(f":60F:{_swift_balance(rows[0].day, OPENING_BALANCE)}\r\n")
        for place, (day, amount, raw) in enumerate(rows):
            day_text = str(day)
            direction = "D" if amount < 0 else "C"
            money = to_text(abs(amount), "USD").replace(".", ",")
            file.write(
                f":61:{day_text[2:]}{day_text[4:]}{direction}D{money}NMSCNONREF//{day}{place:07d}\r\n"
            )
            purpose = "".join(
                f"?2{piece}{raw[27 * piece : 27 * piece + 27]}"
                for piece in range(-(-len(raw) // 27))
            )
            file.write(f":86:177?00ONLINE-UEBERWEISUNG?109310{purpose}\r\n")
        balance = OPENING_BALANCE + sum(row.amount for row in rows)
        file.write(f":62F:{_swift_balance(rows[-1].day, balance)}\r\n-\r\n")


def write_camt(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as one CAMT.053 statement, version 8."""
    balance = OPENING_BALANCE + sum(row.amount for row in rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(_CAMT_HEAD)
        file.write(_camt_balance(balance, rows[-1].day))
        for place, (day, amount, raw) in enumerate(rows):
            file.write(
                f'<Ntry><Amt Ccy="USD">{to_text(abs(amount), "USD")}</Amt>'
                f"<CdtDbtInd>{'DBIT' if amount < 0 else 'CRDT'}</CdtDbtInd>"
                f"<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{_dashed(day)}</Dt></BookgDt>"
                f"<ValDt><Dt>{_dashed(day)}</Dt></ValDt><AcctSvcrRef>{day}{place:07d}</AcctSvcrRef>"
                "<BkTxCd><Prtry><Cd>NMSC</Cd></Prtry></BkTxCd><NtryDtls><TxDtls>"
                "<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>"
                f"<RmtInf><Ustrd>{escape(raw)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n"
            )
        file.write("</Stmt></BkToCstmrStmt></Document>\n")


def write_hledger(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as a journal of hledger, as a person keeps one."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(
            f"{_dashed(day)} {raw}\n    assets:checking  ${to_text(amount, 'USD')}\n    expenses:all\n\n"
            for day, amount, raw in rows
        )


def write_beancount(rows: Sequence[LedgerRow], path: Path) -> None:
    """Write the same as a journal of beancount."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{_dashed(rows[0].day)} open Assets:Checking USD\n")
        file.write(f"{_dashed(rows[0].day)} open Expenses:All USD\n\n")
        file.writelines(
            f'{_dashed(day)} * "{raw}"\n'
            f"  Assets:Checking  {to_text(amount, 'USD')} USD\n  Expenses:All\n\n"
            for day, amount, raw in rows
        )


def _swift_balance(day: int, balance: int) -> str:
    money = to_text(abs(balance), "USD").replace(".", ",")
    return f"{'D' if balance < 0 else 'C'}{str(day)[2:]}USD{money}"


def _camt_balance(balance: int, day: int) -> str:
    return (
        "<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>"
        f'<Amt Ccy="USD">{to_text(abs(balance), "USD")}</Amt>'
        f"<CdtDbtInd>{'DBIT' if balance < 0 else 'CRDT'}</CdtDbtInd>"
        f"<Dt><Dt>{_dashed(day)}</Dt></Dt></Bal>\n"
    )


def _dashed(day: int) -> str:
    return f"{day // 10000}-{day // 100 % 100:02d}-{day % 100:02d}"


def _days(until: date) -> list[int]:
    first = until.replace(year=until.year - YEARS, day=min(until.day, 28)) + timedelta(1)
    count = (until - first).days + 1
    every = (first + timedelta(place) for place in range(count))
    return [day.year * 10000 + day.month * 100 + day.day for day in every]


def _monthly(days: Sequence[int], dice: Random) -> Iterator[LedgerRow]:
    for day in days:
        for payment in MONTHLY:
            if day % 100 == payment.day:
                amount = payment.least + dice.randrange(payment.varies + 1)
                yield LedgerRow(day, -amount, payment.text)


def _transfers(days: Sequence[int], dice: Random) -> Iterator[LedgerRow]:
    for day in days:
        if day % 100 == 2:
            number = dice.randrange(10**10, 10**11)
            text = f"Online Transfer to SAV ...4321 transaction#: {number}"
            yield LedgerRow(day, -40_000, text)


def _everyday(count: int, days: Sequence[int], dice: Random) -> list[LedgerRow]:
    visited, added_up = shops(dice), frequencies()
    total, last = added_up[-1], len(visited) - 1
    texts: set[str] = set()
    rows: list[LedgerRow] = []
    for place in range(count):
        shop = visited[min(last, bisect(added_up, dice.random() * total))]
        text = dice.choice(shop.branches)
        day = days[dice.randrange(len(days))]
        if len(texts) < DISTINCT * place:
            text = dated(text, day, dice)
        texts.add(text)
        rows.append(LedgerRow(day, -(shop.typical // 2 + dice.randrange(shop.typical)), text))
    return rows


def _ofx_rows(rows: Sequence[LedgerRow]) -> Iterator[str]:
    for place, (day, amount, raw) in enumerate(rows):
        name, memo = map(escape, _name_and_memo(raw))
        sort = "CREDIT" if amount > 0 else "DEBIT"
        yield (
            f"<STMTTRN>\r\n<TRNTYPE>{sort}\r\n<DTPOSTED>{day}120000[0:GMT]\r\n"
            f"<TRNAMT>{to_text(amount, 'USD')}\r\n<FITID>{day}{place:07d}\r\n<NAME>{name}\r\n"
        )
        if memo:
            yield f"<MEMO>{memo}\r\n"
        yield "</STMTTRN>\r\n"


def _name_and_memo(raw: str) -> tuple[str, str]:
    """A NAME has at most 32 characters; the words beyond go on in the MEMO."""
    if len(raw) <= 32:
        return raw, ""
    name = raw[:33].rpartition(" ")[0]
    return name, raw[len(name) + 1 :]


_OFX_HEAD = (
    "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\n"
    "CHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n"
    "<OFX>\r\n<SIGNONMSGSRSV1>\r\n<SONRS>\r\n<STATUS>\r\n<CODE>0\r\n<SEVERITY>INFO\r\n</STATUS>\r\n"
    "<DTSERVER>{last}\r\n<LANGUAGE>ENG\r\n<FI>\r\n<ORG>First Example Bank\r\n<FID>1001\r\n</FI>\r\n"
    "</SONRS>\r\n</SIGNONMSGSRSV1>\r\n<BANKMSGSRSV1>\r\n<STMTTRNRS>\r\n<TRNUID>1\r\n<STATUS>\r\n"
    "<CODE>0\r\n<SEVERITY>INFO\r\n</STATUS>\r\n<STMTRS>\r\n<CURDEF>USD\r\n<BANKACCTFROM>\r\n"
    "<BANKID>021000021\r\n<ACCTID>000123456789\r\n<ACCTTYPE>CHECKING\r\n</BANKACCTFROM>\r\n"
    "<BANKTRANLIST>\r\n<DTSTART>{first}\r\n<DTEND>{last}\r\n"
)
_OFX_TAIL = (
    "</BANKTRANLIST>\r\n<LEDGERBAL>\r\n<BALAMT>{balance}\r\n<DTASOF>{last}\r\n</LEDGERBAL>\r\n"
    "</STMTRS>\r\n</STMTTRNRS>\r\n</BANKMSGSRSV1>\r\n</OFX>\r\n"
)

_CAMT_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>'
    "<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>000123456789</Id></Othr>"
    "</Id><Ccy>USD</Ccy></Acct>\n"
)

WRITERS = {
    "csv": write_csv,
    "ofx": write_ofx,
    "qif": write_qif,
    "sta": write_mt940,
    "xml": write_camt,
    "journal": write_hledger,
    "beancount": write_beancount,
}
"""How a ledger is written, by the suffix of the file."""
