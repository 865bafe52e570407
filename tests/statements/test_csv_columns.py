"""Which columns of a table are read: its own names first, and of two the one that is the account's."""

from itertools import accumulate

import pytest

from finplan.statements.statement import AmbiguousStatement
from tests.statements.reading_files import ReadFile


def test_sides_are_as_named_below_a_date_of_unknown_name(read_file: ReadFile) -> None:
    """Named debits and credits say the way, although nothing but its cells shows the column of days."""
    found = read_file(
        "Kiedy;Za co;Uznania;Obciążenia\n2026-03-13;SKLEP;;12,50\n2026-03-14;PENSJA;900,00;\n",
        direction=None,
        currency="PLN",
    )
    assert found.money == [(20260313, -1250), (20260314, 90000)]


def test_the_named_amounts_count_below_a_date_of_unknown_name(read_file: ReadFile) -> None:
    """A column called the amounts has them, beside another one of numbers."""
    found = read_file(
        "Kiedy;Za co;Kwota;Punkty\n2026-03-13;SKLEP;-12,50;3\n2026-03-14;PENSJA;900,00;7\n",
        currency="PLN",
    )
    assert found.amounts == [-1250, 90000]


def test_a_hint_alone_names_no_amounts(read_file: ReadFile) -> None:
    """A name that only has a word of amounts in it elects none where no column of days is named."""
    with pytest.raises(AmbiguousStatement, match="columns hold numbers"):
        read_file(
            "Quando;Testo;Importo A;Voto\n13/03/2026;NEGOZIO;12,50;41,30\n14/03/2026;BAR;9,00;7,10\n"
        )


PURCHASES = (
    "Date;Texte;Montant;Monnaie originale;Monnaie;Débit;Crédit\n"
    "13.03.2026;HOTEL;110.00;USD;CHF;99.40;{zero}\n"
    "14.03.2026;EPICERIE;12.50;CHF;CHF;12.50;{zero}\n"
    "15.03.2026;VERSEMENT;300.00;CHF;CHF;{zero};300.00\n"
)


@pytest.mark.parametrize("zero", ["", "0.00"])
def test_sides_tell_more_than_an_amount_without_signs(read_file: ReadFile, zero: str) -> None:
    """Where each row fills a debit or a credit, a bare amount beside them is the purchase's own."""
    found = read_file(PURCHASES.format(zero=zero), direction=None)
    assert found.amounts == [-9940, -1250, 30000]
    assert {account.currency for account in found.accounts} == {"CHF"}


def test_an_amount_with_signs_needs_no_sides(read_file: ReadFile) -> None:
    """A full column of amounts that prints a minus says it all."""
    found = read_file(
        "Date;Text;Amount;Debit;Credit\n2026-03-13;A;-5.00;5.00;\n2026-03-14;B;-6.00;;6.00\n"
    )
    assert found.amounts == [-500, -600]


@pytest.mark.parametrize("row", ["2026-03-14;B;6.00;;", "2026-03-14;B;6.00;6.00;6.00"])
def test_sides_that_rows_lack_or_fill_both_tell_nothing(read_file: ReadFile, row: str) -> None:
    """Debits and credits are the money only where every row with an amount fills just one of them."""
    with pytest.raises(AmbiguousStatement, match="money going out or"):
        read_file(
            f"Date;Text;Amount;Debit;Credit\n2026-03-13;A;5.00;5.00;\n{row}\n", direction=None
        )


def test_a_row_without_any_money_leaves_the_sides_as_they_are(read_file: ReadFile) -> None:
    """An amount of zero fills neither side."""
    found = read_file(
        "Date;Text;Amount;Debit;Credit\n2026-03-13;A;5.00;5.00;\n2026-03-14;B;0.00;;\n"
        "2026-03-15;C;7.00;;7.00\n"
    )
    assert (20260313, -500) in found.money
    assert (20260315, 700) in found.money


def test_of_two_amounts_of_one_name_the_full_one_counts(read_file: ReadFile) -> None:
    """The amount abroad stands under the same name in the few rows that have one."""
    found = read_file(
        "Datum;Text;Fremdwährung;Betrag;Kurs;Betrag;Währung\n"
        "13.03.2026;HOTEL;USD;- 110,00;1,10670;- 99,40;EUR\n"
        "14.03.2026;LADEN;;;;- 12,50;EUR\n"
        "15.03.2026;ERSTATTUNG;;;;4,00;EUR\n"
    )
    assert found.amounts == [-9940, -1250, 400]


def test_the_first_of_two_full_amounts_of_one_name_counts(read_file: ReadFile) -> None:
    """Nothing shows that a later one is another amount of the same rows."""
    found = read_file(
        "Date,Text,Amount,Amount\n2026-03-13,A,-5.00,-1.00\n2026-03-14,B,-6.00,-2.00\n"
    )
    assert found.amounts == [-500, -600]


def test_a_name_above_currencies_is_of_the_numbers_beside_them(read_file: ReadFile) -> None:
    """Brokers write a currency below the name and its amount below none."""
    found = read_file(
        "Datum,Omschrijving,Mutatie,,Saldo,\n"
        '16-03-2026,KOSTEN,EUR,"-2,00",EUR,"98,00"\n'
        '15-03-2026,STORTING,EUR,"70,00",EUR,"100,00"\n'
        '14-03-2026,DIVIDEND,EUR,"10,00",EUR,"30,00"\n'
        '13-03-2026,STORTING,EUR,"20,00",EUR,"20,00"\n'
    )
    assert found.amounts == [-200, 7000, 1000, 2000]
    assert found.balances["Girokonto"] == (9800, 20260316)


@pytest.mark.parametrize("name", ["Currency", "Währung"])
@pytest.mark.parametrize("begun", [20, -300])
def test_a_name_of_currencies_stays_above_them(read_file: ReadFile, name: str, begun: int) -> None:
    """Beside nameless amounts and their nameless balance it names neither, whatever the balance is."""
    moved = [45, -11, -12, -13] * 3
    held = accumulate([begun + moved[0], *moved[1:]])
    rows = [
        f"2026-03-{day:02},SHOP,EUR,{amount}.00,{balance}.00\n"
        for day, (amount, balance) in enumerate(zip(moved, held, strict=True), start=1)
    ]
    found = read_file(f"Date,Text,{name},,\n{''.join(rows)}", direction=None)
    assert found.amounts == [amount * 100 for amount in moved]


def test_a_name_of_amounts_in_a_currency_is_of_the_numbers(read_file: ReadFile) -> None:
    """“Currency amount” above currencies names the amounts beside them, of which no other is named."""
    found = read_file(
        "Date,Text,Currency amount,,Stand\n2026-03-13,A,EUR,-5.00,17\n2026-03-14,B,EUR,-6.00,12\n"
    )
    assert found.amounts == [-500, -600]


def test_numbers_of_orders_are_no_amounts(read_file: ReadFile) -> None:
    """What is called a number counts nothing, however alone it stands beside a price."""
    with pytest.raises(AmbiguousStatement, match="money going out or") as asked:
        read_file(
            "Ticket,Price,Order date,Order number\n"
            "SINGLE,25.50,2026-03-13,12345678\nDAY PASS,14.00,2026-03-14,12345679\n"
            "SINGLE,27.00,2026-03-15,12345680\n",
            direction=None,
        )
    assert "25.50" in asked.value.questions[0].choices[0].sample


def test_the_account_is_the_one_that_is_called_ones_own(read_file: ReadFile) -> None:
    """In a file of one row nothing but the name tells the person's account from the other's."""
    found = read_file(
        "Auftragskonto;Buchungstag;Verwendungszweck;Kontonummer;Betrag;Waehrung\n"
        "DE02120300000000202051;13.03.26;RECHNUNG;DE02500105170137075030;-24,14;EUR\n"
    )
    assert [account.number for account in found.accounts] == ["DE02120300000000202051"]


@pytest.mark.parametrize(("currency", "found"), [("USD", ["ILS", "USD"]), ("ILS", ["ILS"])])
def test_a_blank_currency_is_the_countrys_own(
    read_file: ReadFile, currency: str, found: list[str]
) -> None:
    """Some cards name the currency of what is paid abroad alone, some leave a cell of theirs blank."""
    read = read_file(
        "תאריך עסקה,שם בית העסק,סכום חיוב,מטבע חיוב\n13/03/2026,A,-5.00,\n"
        f"14/03/2026,B,-6.00,{currency}\n"
    )
    assert sorted(account.currency for account in read.accounts) == found


def test_amounts_and_currency_are_both_the_accounts(read_file: ReadFile) -> None:
    """Beside the amount of the purchase, the one in the account's currency counts, and its currency."""
    found = read_file(
        "Дата операции;Сумма операции;Валюта операции;Сумма пересчитанная в валюту счета;"
        "Валюта счета;Основание\n"
        "2026-03-13;-4,50;EUR;-436,15;RUR;КАФЕ\n2026-03-14;-300,00;RUR;-300,00;RUR;МАГАЗИН\n"
    )
    assert found.amounts == [-43615, -30000]
    assert [account.currency for account in found.accounts] == ["RUB"]


def test_what_goes_out_and_comes_in_is_named_in_german(read_file: ReadFile) -> None:
    """The sides of the payment count, not those of the card's bill in another currency."""
    found = read_file(
        "Datum der Transaktion,Referenz,Rechnungsbetrag ausgehend,Rechnungsbetrag eingehend,"
        "Zahlungsbetrag ausgehend,Zahlungsbetrag eingehend,Zahlungswährung\n"
        '"14.03.26, 13:56",Anna Beispiel,90.00,0.00,84.12,0.00,EUR\n'
        '"13.03.26, 16:30",Bernd Muster,0.00,40.00,0.00,37.50,EUR\n',
        direction=None,
    )
    assert found.amounts == [-8412, 3750]
    assert found.raws == ["Anna Beispiel", "Bernd Muster"]


def test_an_amount_that_looks_like_a_day_is_an_amount_below_its_name(read_file: ReadFile) -> None:
    """Eight digits may be a day; in the one filled cell of the deposits they are money."""
    found = read_file(
        "Date;Currency;Withdrawals;Details;Deposits\n"
        "2023.01.04;KRW;45421;SHOP;\n2023.01.03;KRW;;PAY;27112636\n2023.01.03;KRW;82;BAR;\n"
    )
    assert found.amounts == [-45421, 27112636, -82]


def test_a_negative_balance_and_a_fee_in_turns_are_no_sides(read_file: ReadFile) -> None:
    """Where a full column explains the steps of the one with minus signs, that one is the balance."""
    with pytest.raises(AmbiguousStatement, match="columns hold numbers"):
        read_file(
            "-386.17,HOTEL,2021-01-04,40.20,0.00,Lund\n,PAY,2021-01-04,+9.08,1.50,Brook\n"
            "-355.05,MARKET,2021-01-03,312.51,0.00,Dune\n-42.54,BAR,2021-01-02,69.00,0.00,Reed\n"
        )
