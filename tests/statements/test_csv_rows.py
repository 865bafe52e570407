"""What a row of a table becomes: its state, its descriptor, its id, its account, its payee."""

import sys

import pytest
from hypothesis import given, strategies as st

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.text.descriptors import (
    are_folded,
    fold,
    holds_text,
    join_texts,
    names_party,
)
from tests.statements.reading_files import ReadFile


@pytest.mark.parametrize(
    "state", ["Declined", "FAILED", "Reverted", "Canceled", "Abgelehnt", "Denied", "voided"]
)
def test_declined_rows_are_left_out(read_file: ReadFile, state: str) -> None:
    """What never happened is no transaction."""
    content = f"Date,Text,Amount,Status\n2026-03-04,A,-1.00,{state}\n2026-03-05,B,-2.00,Completed\n"
    assert read_file(content).raws == ["B"]


@pytest.mark.parametrize(
    "state", ["Pending", "PROCESSING", "Umsatz vorgemerkt", "En attente", "Authorised"]
)
def test_pending_rows_are_marked(read_file: ReadFile, state: str) -> None:
    """What is not booked yet is kept and says so."""
    content = f"Date,Text,Amount,Status\n2026-03-04,A,-1.00,{state}\n2026-03-05,B,-2.00,Booked\n"
    assert [(row.raw, row.pending) for row in read_file(content).rows] == [
        ("A", True),
        ("B", False),
    ]


def test_a_pending_row_without_a_day_is_left_out(read_file: ReadFile) -> None:
    """A row whose date is the word pending comes again when it has one."""
    assert read_file("Date,Text,Amount\nPending,A,-1.00\n2026-03-05,B,-2.00\n").raws == ["B"]


@pytest.mark.parametrize(
    "words",
    [
        "Opening Balance",
        "Closing balance 31 March",
        "Opening balance as of 2026-03-01",
        "Saldo",
        "Likutis pradžiai",
        "Saldo inicial",
        "Apyvarta",
    ],
)
def test_balance_lines_are_no_payments(read_file: ReadFile, words: str) -> None:
    """A line that states a balance has a date and an amount and is still none."""
    content = f"Date,Text,Amount\n2026-03-01,{words},100.00\n2026-03-05,B,-2.00\n"
    assert read_file(content).raws == ["B"]


@pytest.mark.parametrize(
    "name",
    [
        "NEW BALANCE",
        "New Balance 1234 BOSTON MA",
        "BALANCE 1234",
        "BALANCE TRANSFER FEE",
        "TOTAL WINE",
        "OPENING BALANCE CAFE",
        "SALDO INICIAL TAPAS",
    ],
)
def test_shops_named_like_balances_are_payments(read_file: ReadFile, name: str) -> None:
    """A shop is not left out for its name."""
    assert read_file(f"Date,Text,Amount\n2026-03-05,{name},-2.00\n").raws == [name]


def test_an_opening_balance_of_nothing_is_no_payment(read_file: ReadFile) -> None:
    """A balance of zero is stated like any other."""
    content = (
        "Date,Text,Amount,Balance\n2026-05-01,Opening balance,0.00,0.00\n2026-05-03,B,-2.00,-2.00\n"
    )
    assert read_file(content).raws == ["B"]


@pytest.mark.parametrize("name", ["NEW BALANCE", "Saldo", "OPENING BALANCE CAFE"])
def test_a_payment_that_moves_the_balance_is_one(read_file: ReadFile, name: str) -> None:
    """Whatever a row is called, it is a payment when the balance beside it is not its amount."""
    content = (
        "Date,Text,Amount,Balance\n2026-05-01,A,-1.00,199.00\n"
        f"2026-05-03,{name},-89.99,109.01\n2026-05-04,B,-2.00,107.01\n"
    )
    assert read_file(content).raws == ["A", name, "B"]


def test_a_first_payment_to_a_shop_called_new_balance_is_one(read_file: ReadFile) -> None:
    """On a new card the first purchase is the balance, and no other row has that balance."""
    content = (
        "Date,Text,Amount,Balance\n2026-05-03,NEW BALANCE,-89.99,-89.99\n"
        "2026-05-04,B,-2.00,-91.99\n"
    )
    assert read_file(content).raws == ["NEW BALANCE", "B"]


@pytest.mark.parametrize(
    "line",
    [
        "New balance,-3.00,-3.00",
        "New balance,-3.00,",
        "Closing balance of your account,-3.00,",
        "Closing balance of your account,-3.00,-3.00",
        "Saldo,-3.00,-3.00",
    ],
)
def test_a_line_that_repeats_the_balance_is_no_payment(read_file: ReadFile, line: str) -> None:
    """A line named like a balance whose amount is the balance of the row before states it again."""
    content = (
        "Date,Text,Amount,Balance\n2026-05-01,A,-1.00,-1.00\n2026-05-03,B,-2.00,-3.00\n"
        f"2026-05-31,{line}\n"
    )
    assert read_file(content).raws == ["A", "B"]


def test_a_line_without_an_amount_is_no_payment(read_file: ReadFile) -> None:
    """A balance line with a blank amount needs no particular words."""
    content = "Date,Text,Amount,Balance\n2026-05-01,NEW BALANCE,,9.00\n2026-05-03,B,-2.00,7.00\n"
    assert read_file(content).raws == ["B"]


def test_a_descriptor_joins_what_the_columns_say(read_file: ReadFile) -> None:
    """Payee and texts make the descriptor, said once; the payee is given apart too."""
    content = (
        "Date,Payee,Description,Memo,Amount\n2026-03-05,ACME,ACME  STORE 7,card 1,-2.00\n"
        "2026-03-06,,FEE,,-1.00\n"
    )
    assert [(row.raw, row.payee) for row in read_file(content).rows] == [
        ("ACME STORE 7 card 1", "ACME"),
        ("FEE", None),
    ]


def test_the_banks_own_words_are_the_descriptor(read_file: ReadFile) -> None:
    """Where an app exports a cleaned name beside the original, the original describes the row."""
    content = (
        "Date,Description,Original Description,Amount\n2026-03-05,Amazon,AMZN MKTP US*1,-2.00\n"
    )
    assert [(row.raw, row.payee) for row in read_file(content).rows] == [
        ("AMZN MKTP US*1", "Amazon")
    ]


def test_a_row_without_text_takes_its_type(read_file: ReadFile) -> None:
    """Something always says what a row was, where the file does."""
    content = (
        "Date,Type,Description,Amount\n2026-03-05,Interest,,2.00\n2026-03-06,Card,SHOP,-2.00\n"
    )
    assert read_file(content).raws == ["Interest", "SHOP"]


@pytest.mark.parametrize(
    ("ids", "kept"),
    [
        (["tx_00001", "tx_00002"], ["tx_00001", "tx_00002"]),
        (["1", "2"], [None, None]),
        (["tx_00001", "tx_00001"], [None, None]),
        (["MY RENT 7", "SALARY 12"], [None, None]),
    ],
    ids=["ids", "counted", "repeated", "words"],
)
def test_an_id_names_its_row(read_file: ReadFile, ids: list[str], kept: list[str | None]) -> None:
    """Row numbers, repeated references and words are no ids."""
    rows = "".join(f"2026-03-0{day},T,{day}.00,{name}\n" for day, name in enumerate(ids, 1))
    found = read_file(f"Date,Text,Amount,Transaction ID\n{rows}")
    assert [row.external_id for row in found.rows] == kept


def test_an_account_column_parts_the_rows(read_file: ReadFile) -> None:
    """Each account has its own rows and its own running balance."""
    content = (
        "Account,Date,Text,Amount,Balance\nChecking,2026-03-01,A,-1.00,9.00\n"
        "Savings,2026-03-01,B,5.00,105.00\nChecking,2026-03-02,C,-2.00,7.00\n"
        "Savings,2026-03-02,D,5.00,110.00\n"
    )
    found = read_file(content)
    assert [row.raw for row in found.rows_of("Checking")] == ["A", "C"]
    assert [row.raw for row in found.rows_of("Savings")] == ["B", "D"]
    assert found.balances == {"Checking": (700, 20260302), "Savings": (11000, 20260302)}


def test_a_currency_column_parts_the_rows(read_file: ReadFile) -> None:
    """One account in two currencies is two, each in its own minor units."""
    content = (
        "Date,Text,Amount,Currency\n2026-03-01,A,-1.50,usd\n2026-03-01,B,1500.00,JPY\n"
        "2026-03-02,C,-2.50,\n"
    )
    found = read_file(content, currency="CHF")
    assert [(part.account.currency, part.rows.amounts[0]) for part in found.parts if part.rows] == [
        ("USD", -150),
        ("JPY", 1500),
        ("CHF", -250),
    ]


def test_a_journals_categories_are_no_accounts(read_file: ReadFile) -> None:
    """Of a journal's two legs only the one in an account is a row."""
    content = (
        "txnidx,date,description,account,amount,commodity\n1,2026-03-01,PAY,assets:checking,9.00,$\n"
        "1,2026-03-01,PAY,income:salary,-9.00,$\n2,2026-03-02,SAVE,assets:savings,5.00,$\n"
        "2,2026-03-02,SAVE,assets:checking,-5.00,$\n"
    )
    found = read_file(content)
    assert {
        account.name: [row.amount for row in found.rows_of(account.name)]
        for account in found.accounts
    } == {"assets:checking": [900, -500], "assets:savings": [500]}


@pytest.mark.parametrize(
    ("above", "number", "kind"),
    [
        ('"Girokonto";"DE02120300000000202051"', "DE02120300000000202051", None),
        ("IBAN;DE12 5001 0517 0000 0000 00", "DE12 5001 0517 0000 0000 00", None),
        ("Account Number : 08088804068;;", "08088804068", None),
        ("Credit Card Number: 1234XXXXXXXX7890", "1234XXXXXXXX7890", "credit"),
        ("Kontonummer:;0235 00123456.40", "0235 00123456.40", None),
    ],
)
def test_the_account_may_be_named_above_the_table(
    read_file: ReadFile, above: str, number: str, kind: str | None
) -> None:
    """Statements begin with whose they are."""
    (account,) = read_file(f"{above}\n\nDate;Text;Amount\n13.03.2026;A;-1,00\n").accounts
    assert (account.number, account.kind) == (number, kind)


def test_the_other_sides_account_is_not_the_own(read_file: ReadFile) -> None:
    """A column of other people's account numbers does not part the rows."""
    rows = "".join(f"2026-03-0{day},T{day},DE{day:020},-{day}.00\n" for day in range(1, 7))
    assert len(read_file(f"Date,Text,Account Number,Amount\n{rows}").accounts) == 1


@pytest.mark.parametrize(
    ("content", "currency"),
    [
        ("Date;Text;Betrag (EUR)\n13.03.2026;A;-1,00\n", "EUR"),
        ("Date;Text;Betrag (€)\n13.03.2026;A;-1,00\n", "EUR"),
        ("Date;Text;Amount\n13.03.2026;A;-1,00 zł\n", "PLN"),
        ("Date;Text;Amount\n13.03.2026;A;£-1.00\n", "GBP"),
        ("Currency;CHF\n\nDate;Text;Amount\n13.03.2026;A;-1,00\n", "CHF"),
        ("Date;Text;CAD$\n13.03.2026;A;-1.00\n", "CAD"),
        ("Date;Text;Amount\n13.03.2026;A;-1,00\n", "NOK"),
    ],
)
def test_the_currency_is_found_or_assumed(read_file: ReadFile, content: str, currency: str) -> None:
    """A header, a sign beside the amounts or a line above names it; else it is the assumed one."""
    (account,) = read_file(content, currency="NOK").accounts
    assert account.currency == currency


def test_a_sign_of_many_currencies_is_asked_about(read_file: ReadFile) -> None:
    """Dollars cannot be euros; which dollars they are, only the person knows."""
    content = "Date,Text,Amount\n2026-03-01,A,-$1.00\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content, currency="EUR")
    (question,) = asked.value.questions
    assert question.about == "currency"
    assert question.allows("USD")
    assert read_file(content, currency="CAD").accounts[0].currency == "CAD"


def test_an_account_is_named_after_its_file_otherwise(read_file: ReadFile) -> None:
    """A table that names no account is called what the person calls the file."""
    (account,) = read_file(
        "Date,Text,Amount\n2026-03-01,A,-1.00\n", name="Savings 2026.csv"
    ).accounts
    assert (account.number, account.name) == (None, "Savings 2026")


def test_thousands_of_accounts_are_refused(read_file: ReadFile) -> None:
    """A column that was mistaken for accounts does not fill the memory."""
    rows = "".join(f"A{max(0, number - 400)},2026-03-01,T,-1.00\n" for number in range(2000))
    with pytest.raises(UnreadableStatement, match="thousand accounts"):
        read_file(f"Account,Date,Text,Amount\n{rows}")


def test_lines_of_balances_and_turnovers_are_no_rows_without_names(read_file: ReadFile) -> None:
    """A bank that lists them among its rows calls them so in its own language."""
    found = read_file(
        "Datums;Saņēmējs;Informācija saņēmējam;Summa;Valūta;Debets/Kredīts\n"
        "01.03.2026;;Sākuma atlikums;100,00;EUR;K\n13.03.2026;VEIKALS;Pirkums;25,10;EUR;D\n"
        "31.03.2026;;Apgrozījums;25,10;EUR;D\n31.03.2026;;Beigu atlikums;74,90;EUR;K\n",
        direction="",
    )
    assert found.money == [(20260313, -2510)]
    assert sum(map(sum, (each.values() for each in found.left_out.values()))) == 3


@pytest.mark.parametrize(
    ("header", "row", "text"),
    [
        ("Libellé;Détail de l'écriture", "CARTE X1234;CARTE X1234 12/09 CAFE", "CARTE X1234 12/09 CAFE"),
        ("Descrizione;Descrizione estesa", "PAGAMENTO POS;ESSELUNGA", "PAGAMENTO POS ESSELUNGA"),
        ("Name;Zahlungszweck 1;Zahlungszweck 2", "ACME;Nr;4711 vom Mai", "ACME Nr 4711 vom Mai"),
        ("Concepto;Movimiento;Observaciones", "Nómina;Abono;ACME", "Nómina Abono ACME"),
        ("Merchant;Merchant City;Merchant Country", "Apple;Cork;IRL", "Apple Cork"),
        ("Description;;", "TITLE;MORE OF IT;AND THE END", "TITLE MORE OF IT AND THE END"),
        ("Text;Unheard of", "SHOP;a gift for Ben", "SHOP a gift for Ben"),
        ("Text;Notes", "NOTPROVIDED;for Ben", "for Ben"),
        ("Text;Name", "lunch;ANNA", "ANNA lunch"),
        ("Name;Text;Place", "ANNA;-------------------;/", "ANNA"),
        ("Name;Text", "ANNA;No Description", "ANNA"),
    ],
)  # fmt: skip
def test_all_texts_describe_the_row(read_file: ReadFile, header: str, row: str, text: str) -> None:
    """The other party comes first, then what for, then the rest; nothing is said twice."""
    blank = ";" * (header.count(";") + 1)
    content = f"Date;{header};Amount\n2026-03-04;{row};-4.50\n2026-03-15;{blank}-1.00\n"
    assert read_file(content, currency="EUR").raws[0] == text


def test_a_column_with_fillers_in_most_rows_describes_the_others(read_file: ReadFile) -> None:
    """Where a program has nothing to say it may print a slash or dashes; the other cells count."""
    content = (
        "Date,Name,Goods,Amount\n2026-03-04,ANNA,green tea,-4.50\n2026-03-05,BEN,/,-1.00\n"
        "2026-03-06,BEN,----------,-2.00\n2026-03-15,ANNA,/,-1.00\n"
    )
    assert read_file(content).raws == ["ANNA green tea", "BEN", "BEN", "ANNA"]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("IBAN", "DE89370400440532013000"),
        ("BIC", "GENODEM1GLS"),
        ("Mandatsreferenz", "MANDATE OF MAY"),
        ("Kundenreferenz", "NOTPROVIDED"),
        ("Card", "4111 11XX XXXX 1111"),
        ("Anything", "DE89 3704 0044 0532 0130 00"),
        ("Anything", "COBADEFFXXX"),
        ("Anything", "425125******1234"),
        ("Anything", "Nej"),
        ("Anything", "DEU"),
        ("Anything", "55.00 USD"),
        ("Anything", "A1B2C3D4E5"),
        ("Lieferadresse", "High Street"),
        ("Category", "Groceries"),
        ("Month Billed", "September"),
        ("付款方式", "零钱通余额"),
        ("商家订单号", "merchant-order"),
        ("对方账号", "anna@example.com"),
        ("Cardholder Name Owner", "ANNA MILLER"),
    ],
)
def test_numbers_and_codes_are_no_text(read_file: ReadFile, name: str, cell: str) -> None:
    """What only a bank or a program needs is left out."""
    content = (
        f"Date,Description,{name},Amount\n2026-03-04,TEA,{cell},-4.50\n2026-03-15,BUN,,-1.00\n"
    )
    assert read_file(content).raws == ["TEA", "BUN"]


def test_what_stands_in_every_row_is_no_text(read_file: ReadFile) -> None:
    """A column under an unknown name with one text, or with a few that sort the rows, describes none."""
    rows = "".join(
        f"2026-03-{day:02d},SHOP {'ABCDEFGH'[day % 8]},The Bank,{['red', 'blue'][day % 2]},-{day}.00\n"
        for day in range(11, 20)
    )
    found = read_file(f"Date,Description,House,Colour,Amount\n{rows}")
    assert all(raw.startswith("SHOP ") and len(raw) == 6 for raw in found.raws)


def test_one_row_cannot_tell_what_stands_in_every_row(read_file: ReadFile) -> None:
    """What two rows have in common is left out; of a single row everything is told."""
    row = "2026-03-{:02d},SHOP {},BANK,-1.00\n"
    head = "Date,Description,House,Amount\n"
    assert read_file(head + row.format(14, "A") + row.format(15, "B")).raws == ["SHOP A", "SHOP B"]
    assert read_file(head + row.format(14, "A")).raws == ["SHOP A BANK"]


def test_how_a_row_was_booked_says_little(read_file: ReadFile) -> None:
    """It is told where nothing but a party stands, and not beside what for."""
    found = read_file(
        "Date,Type,Name,Memo,Amount\n2026-03-04,Card payment,TEA,,-4.50\n"
        "2026-03-05,Card payment,BAKER,bread,-2.00\n2026-03-15,Interest,,,0.50\n"
    )
    assert found.raws == ["TEA Card payment", "BAKER bread", "Interest"]


def test_where_most_rows_have_only_a_category_it_is_text(read_file: ReadFile) -> None:
    """An app in which nobody writes descriptions tells what for by the category."""
    found = read_file(
        "Date,Category,Description,Amount\n2026-03-14,Food,,-4.50\n2026-03-15,Rent,,-2.00\n"
        "2026-03-16,Gifts,for Ben,-1.00\n"
    )
    assert found.raws == ["Food", "Rent", "for Ben Gifts"]


FROM_TO = "Date,From,To,Note,Amount\n"


def test_the_person_is_no_payee(read_file: ReadFile) -> None:
    """The name that pays and is paid, in most rows, is the person's: the other one is the payee."""
    found = read_file(
        FROM_TO + "2026-03-14,Me Myself,Ben,tea,-4.50\n2026-03-15,Ann,Me Myself,rent,20.00\n"
        "2026-03-16,ME MYSELF,Ann,back,-1.00\n2026-03-17,Me Myself,Ben,charged,3.00\n"
    )
    assert [row.payee for row in found.rows] == ["Ben", "Ann", "Ann", "Ben"]
    assert found.raws == ["Ben tea", "Ann rent", "Ann back", "Ben charged"]


def test_of_two_strangers_the_money_tells_the_payee(read_file: ReadFile) -> None:
    """Where no name shows to be the person's, money goes to one and comes from the other."""
    found = read_file(FROM_TO + "2026-03-14,Ann,Ben,tea,-4.50\n2026-03-15,Cy,Dee,rent,20.00\n")
    assert [row.payee for row in found.rows] == ["Ben", "Cy"]
    assert found.raws == ["Ben tea", "Cy rent"]


def test_a_transfer_to_oneself_has_no_payee(read_file: ReadFile) -> None:
    """Where only the person stands, the text says so, and nobody is the payee."""
    found = read_file(
        FROM_TO + "2026-03-14,Me,Ben,tea,-4.50\n2026-03-15,Ann,Me,rent,20.00\n"
        "2026-03-16,Me,Me,savings,-9.00\n2026-03-17,Me,Cy,bun,-1.00\n"
    )
    assert (found.rows[2].payee, found.raws[2]) == (None, "Me savings")


def test_an_employer_in_every_row_is_not_the_person(read_file: ReadFile) -> None:
    """Who only ever pays is the other party, however often."""
    rows = "".join(f"2026-{month:02d}-28,ACME,Me,pay,100.00\n" for month in range(1, 7))
    assert {row.payee for row in read_file(FROM_TO + rows).rows} == {"ACME"}


@pytest.mark.parametrize(
    "cell",
    ["NOTPROVIDED", "n/a", "-", "DE89 3704 0044 0532 0130 00", "4111 11XX XXXX 1111", "****1234",
     "VISA 4111********1111", "1234567890", "Card ending in *1234", "FI12 1234 5600 0007 85"],
)  # fmt: skip
def test_a_number_or_a_filler_is_no_payee(read_file: ReadFile, cell: str) -> None:
    """A row with such a payee is named by its text; where that is all, it stays the text."""
    found = read_file(
        f"Date,Payee,Memo,Amount\n2026-03-14,{cell},tea,-4.50\n2026-03-15,ANN,,-1.00\n"
    )
    assert [row.payee for row in found.rows] == [None, "ANN"]
    assert found.raws == ["tea", "ANN"]
    alone = read_file(f"Date,Payee,Amount\n2026-03-14,{cell},-4.50\n2026-03-15,ANN,-1.00\n")
    assert [row.payee for row in alone.rows] == [None, "ANN"]
    assert alone.raws == [cell, "ANN"]


@pytest.mark.parametrize(
    "name", ["H&M", "7-Eleven 123", "Cafe 2000", "3M", "X", "1&1", "Studio 54", "Master 123"]
)
def test_shops_with_numbers_are_payees(name: str) -> None:
    """A name may have digits."""
    assert names_party(name)


@pytest.mark.parametrize(
    ("cell", "is_text"),
    [("MY_NOTE", True), ("In1", True), ("a1", False), ("GIFT 2026 05", True), ("GIFT2026", False),
     ("GIFT202", True), ("oui", False), ("oui oui", True), ("DE", False), ("dé", True), ("*Ab", False)],
)  # fmt: skip
def test_what_holds_text(cell: str, is_text: bool) -> None:
    """A word tells something; codes, flags and countries do not."""
    assert holds_text(cell) is is_text


LABELLED = (
    '"Data operacji","Kwota","Opis transakcji","",""\n'
    '"2026-03-28","-28.50","Tytuł: 0004 748","Lokalizacja: Miasto: Y Adres: CAFE","Karta: 42**34"\n'
    '"2026-03-27","+100.00","Rachunek nadawcy: 12 34","Nazwa nadawcy: ACME","Tytuł: pensja"\n'
    '"2026-03-26","-1.00","Tytuł: ZAKUP","",""\n'
)


SAID_BY_LABELS = [
    "Lokalizacja: Miasto: Y Adres: CAFE",
    "Nazwa nadawcy: ACME Tytuł: pensja",
    "Tytuł: ZAKUP",
]


def test_labels_tell_the_payee(read_file: ReadFile) -> None:
    """Polish banks put a label before each of several cells without a name."""
    found = read_file(LABELLED)
    assert [row.payee for row in found.rows] == ["CAFE", "ACME", None]
    assert found.raws == SAID_BY_LABELS


def test_an_apostrophe_at_the_beginning_is_the_banks(read_file: ReadFile) -> None:
    """Only before an id it keeps spreadsheets from reading a number."""
    found = read_file(
        "Date,Transaction ID,Payee,Memo,Amount\n2026-03-04,'77001,'t Hoekje,'s,-4.50\n"
        "2026-03-05,'77002,ANN,,-1.00\n"
    )
    assert found.raws == ["'t Hoekje 's", "ANN"]
    assert [(row.payee, row.external_id) for row in found.rows] == [
        ("'t Hoekje", "77001"), ("ANN", "77002")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        (["Kauf", "Kaufhaus"], "Kauf Kaufhaus"),
        (["haus", "Kaufhaus"], "haus Kaufhaus"),
        (["STARBUCKS STO 12", "STARBUCKS STO 123"], "STARBUCKS STO 123"),
        (["STARBUCKS ST 12", "STARBUCKS ST 123"], "STARBUCKS ST 12 STARBUCKS ST 123"),
        (["SHOP", "SHOP, Berlin"], "SHOP, Berlin"),
        (["a SHOP here", "SHOP"], "a SHOP here"),
        (["A", "", "B", "A"], "A B"),
        (["ab", "abab ab"], "abab ab"),
    ],
)
def test_a_text_is_not_said_twice(texts: list[str], whole: str) -> None:
    """What stands in another text word by word is left out; a part of a word is another word."""
    assert join_texts(texts) == whole


TEXTS = st.lists(st.text(st.sampled_from("ab |'\t\u2003é"), max_size=5), max_size=4)


@given(TEXTS)
def test_what_is_said_to_be_folded_is(texts: list[str]) -> None:
    """Texts are said to be folded where folding leaves each of them as it is."""
    assert are_folded(texts) == all(fold(text) == text for text in texts)


def test_two_blanks_are_not_folded() -> None:
    """Blanks in a row are folded to one, and two texts beside each other are two."""
    assert not are_folded(["a b", "a  b"])
    assert are_folded(["a b", "", "a|b", "a | b"])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_white_space_is_known(place: int) -> None:
    """No white space of Unicode but a single blank inside a text is taken for folded."""
    spaces = [sign for sign in map(chr, range(sys.maxunicode + 1)) if sign.isspace()]
    assert len(spaces) > 20
    for space in spaces:
        text = f"{'ab'[:place]}{space}{'ab'[place:]}"
        assert are_folded([text]) == (space == " " and place == 1)
