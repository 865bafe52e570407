"""PayPal beside a German bank: what funds it is a movement, and what its own file names is the payee."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.transaction import SpendingQuery
from finplan.service.context import Context
from finplan.service.spending import query_spending
from tests.service.conftest import live_in
from tests.service.own_money import transfers

Import = Callable[..., Awaitable[Any]]

BANK = (
    "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;"
    "Beguenstigter/Zahlungspflichtiger;Kontonummer;BLZ;Betrag;Waehrung;Info"
)
PAYPAL = (
    '"Datum","Uhrzeit","Zeitzone","Beschreibung","Währung","Brutto","Entgelt","Netto","Guthaben",'
    '"Transaktionscode","Absender E-Mail-Adresse","Name","Name der Bank","Bankkonto"'
)


def booked(day: str, kind: str, text: str, payee: str, amount: str) -> str:
    return (
        f'"DE44 1234";"{day}";"{day}";"{kind}";"{text}";"{payee}";"";"";"{amount}";"EUR";"gebucht"'
    )


def paid(day: str, kind: str, amount: str, balance: str, name: str, code: str) -> str:
    return (
        f'"{day}","10:00:00","Europe/Berlin","{kind}","EUR","{amount}","0,00","{amount}","{balance}",'
        f'"{code}","","{name}","",""'
    )


def _files() -> dict[str, str]:
    bank, paypal = [BANK], [PAYPAL]
    for month in range(1, 11):
        shop, cents = ("eBay S.a.r.l.", "Thalia Bücher")[month % 2], f"{20 + month},50"
        bank.extend(
            booked(f"{day:02d}.{month:02d}.26", "KARTENZAHLUNG", "", "REWE MARKT", f"-{day + 3},17")
            for day in range(1, 28, 3)
        )
        bank.append(
            booked(
                f"09.{month:02d}.26",
                "FOLGELASTSCHRIFT",
                f"10000{month:08d}/PP.4711.PP/. {shop}, Ihr Einkauf bei {shop}",
                "PayPal Europe S.a.r.l. et Cie S.C.A",
                f"-{cents}",
            )
        )
        paypal.append(
            paid(
                f"07.{month:02d}.2026",
                "PayPal Express-Zahlung",
                f"-{cents}",
                f"-{cents}",
                shop,
                f"A{month}",
            )
        )
        paypal.append(
            paid(
                f"07.{month:02d}.2026",
                "Bankgutschrift auf PayPal-Konto",
                cents,
                "0,00",
                "",
                f"B{month}",
            )
        )
    paypal.append(paid("20.10.2026", "Handyzahlung", "80,00", "80,00", "Jo Weber", "C1"))
    paypal.append(
        paid("20.10.2026", "Von Nutzer eingeleitete Abbuchung", "-80,00", "0,00", "", "C2")
    )
    bank.append(
        booked("22.10.26", "GUTSCHRIFT", "PP ABBUCHUNG VOM PAYPAL-KONTO", "PayPal Europe", "80,00")
    )
    return {"umsaetze.csv": "\n".join([*bank, ""]), "Download.CSV": "\n".join([*paypal, ""])}


@pytest.mark.parametrize("first", ["umsaetze.csv", "Download.CSV"])
async def test_each_purchase_counts_once_at_its_shop(
    context: Context, import_texts: Import, first: str
) -> None:
    """Funding legs of both directions are paired, whichever file comes first."""
    await live_in(context, "EUR")
    files = _files()
    await import_texts({first: files.pop(first)})
    await import_texts(files)

    pairs = await transfers(context)
    assert [pair.status for pair in pairs] == ["paired"] * 11
    assert {pair.out.amount for pair in pairs} >= {-80_00, -21_50, -30_50}
    report = await query_spending(context, SpendingQuery(group_by="merchant"))
    spent = {group.label: (group.total, group.count) for group in report.groups}
    assert not [name for name in spent if "paypal" in name.lower()]
    assert sorted(count for name, (_, count) in spent.items() if "Rewe" not in name) == [5, 5]
    without_groceries = report.total - next(
        total for name, (total, _) in spent.items() if "Rewe" in name
    )
    assert without_groceries == sum((20 + month) * 100 + 50 for month in range(1, 11))
