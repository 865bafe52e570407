"""What the text of a table's row tells, and who its payee is."""

import pytest

from finplan.statements.text.descriptors import holds_text, joined, names_party
from tests.statements.reading_files import ReadFile


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
def test_all_cells_that_describe_a_row_are_its_text(
    read_file: ReadFile, header: str, row: str, text: str
) -> None:
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
def test_numbers_codes_and_sorting_words_are_no_text(
    read_file: ReadFile, name: str, cell: str
) -> None:
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
    row = "2026-03-{:02d},SHOP {},The Bank,-1.00\n"
    head = "Date,Description,House,Amount\n"
    assert read_file(head + row.format(14, "A") + row.format(15, "B")).raws == ["SHOP A", "SHOP B"]
    assert read_file(head + row.format(14, "A")).raws == ["SHOP A The Bank"]


def test_how_a_row_was_booked_says_little(read_file: ReadFile) -> None:
    """It is told where nothing but a party stands, and not beside what for."""
    found = read_file(
        "Date,Type,Name,Memo,Amount\n2026-03-04,Card payment,TEA ROOM,,-4.50\n"
        "2026-03-05,Card payment,BAKER,bread,-2.00\n2026-03-15,Interest,,,0.50\n"
    )
    assert found.raws == ["TEA ROOM Card payment", "BAKER bread", "Interest"]


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


def test_labels_tell_the_payee(read_file: ReadFile) -> None:
    """Polish banks put a label before each of several cells without a name."""
    found = read_file(
        '"Data operacji","Kwota","Opis transakcji","",""\n'
        '"2026-03-28","-28.50","Tytuł: 0004 748","Lokalizacja: Miasto: Y Adres: CAFE","Karta: 42**34"\n'
        '"2026-03-27","+100.00","Rachunek nadawcy: 12 34","Nazwa nadawcy: ACME","Tytuł: pensja"\n'
        '"2026-03-26","-1.00","Tytuł: ZAKUP","",""\n'
    )
    assert [row.payee for row in found.rows] == ["CAFE", "ACME", None]
    assert found.raws == [
        "Lokalizacja: Miasto: Y Adres: CAFE", "Nazwa nadawcy: ACME Tytuł: pensja", "Tytuł: ZAKUP"
    ]  # fmt: skip


def test_an_apostrophe_at_the_beginning_is_the_banks(read_file: ReadFile) -> None:
    """Only before an id it keeps spreadsheets from reading a number."""
    found = read_file(
        "Date,Transaction ID,Payee,Memo,Amount\n2026-03-04,'77001,'t Hoekje,'s avonds,-4.50\n"
        "2026-03-05,'77002,ANN,,-1.00\n"
    )
    assert found.raws == ["'t Hoekje 's avonds", "ANN"]
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
    assert joined(texts) == whole
