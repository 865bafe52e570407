"""Holds of money, their releases and mere authorisations, as PayPal lists them, are no transactions."""

import pytest

from finplan.statements.statement import AmbiguousStatement
from finplan.statements.table.contents import named_no_movement
from tests.statements.reading_files import ReadFile, Statement

HELD = "held or released, which moves no money"
NOTED = "authorised or noted, which moves no money"
HOLDS = (
    "Account Hold for Open Authorization", "Account Hold for ACH deposit", "General Hold",
    "Hold on Available Balance", "Payment Hold", "Payment Release", "Reserve Release ",
    "Reversal of General Account Hold", "Hold for Dispute Investigation", "General hold release",
    "Einbehaltung für offene Autorisierung", "Rückbuchung allgemeiner Einbehaltung",
    "Allgemeine Einbehaltung", "Freigabe allgemeiner Einbehaltung",
    "Suspension de compte pour autorisation en cours",
    "Annulation de suspension de compte standard", "Blocco conto per autorizzazione aperta",
    "Storno di blocco conto generico", "Retención de cuenta para autorización abierta",
    "Cancelación de retención de cuenta general",
    "Inhouding voor openstaande autorisatie", "Terugboeking van algemene inhouding op rekening",
    "Blokada środków dla otwartej autoryzacji", "Cofnięcie ogólnej blokady konta",
    "Retenção para autorização em aberto", "Authorization hold",
)  # fmt: skip
MEMOS = (
    "General Authorization", "Void of Authorization", "Allgemeine Autorisierung",
    "Autorisation standard", "Autorizzazione generica", "Annullamento autorizzazione",
    "Autorización general", "Desprovisto de autorización", "Algemene autorisatie",
)  # fmt: skip
PAYMENTS = (
    "", "PayPal Express-Zahlung", "Express Checkout Payment", "Bank Deposit to PP Account",
    "Holden Authorised Service", "Household Account General", "Retención IRPF",
    "Einbehaltung Kapitalertragsteuer", "Retención general", "Pago autorizado", "Payment Refund",
    "Autorizzazione pagamento POS", "Payment Release Fee", "General Currency Conversion",
    "Storno", "Autorisierte Lastschrift", "General Withdrawal - Bank Account", "On Hold Records",
    "Suspension de compteur",
)  # fmt: skip


@pytest.mark.parametrize("words", HOLDS)
def test_holds_and_their_releases_are_known_by_their_words(words: str) -> None:
    """Both halves of a hold are known in several languages, also in words that are not listed."""
    assert named_no_movement(words) == "hold"
    assert named_no_movement(words.upper()) == "hold"


@pytest.mark.parametrize("words", MEMOS)
def test_authorisations_are_known_by_their_words(words: str) -> None:
    """An authorisation and its void are told from the payment that follows."""
    assert named_no_movement(words) == "memo"


@pytest.mark.parametrize("words", PAYMENTS)
def test_what_moves_money_is_no_hold(words: str) -> None:
    """A payment, a withheld tax or a shop with such a name moves money."""
    assert named_no_movement(words) is None


HEADER = "Date,Name,Type,Status,Currency,Amount,Balance\n"
BEGUN = "18/06/2026,Ann,Mobile Payment,Completed,USD,100.00,100.00\n"
HOLD = "19/06/2026,PayPal,Account Hold for Open Authorization,Pending,USD,-13.21,86.79\n"
PAYMENT = "20/06/2026,Shop,Express Checkout Payment,Completed,USD,-13.21,73.58\n"
RELEASE = "20/06/2026,PayPal,Reversal of General Account Hold,Completed,USD,13.21,86.79\n"
RENAMED = RELEASE.replace("Reversal of General Account Hold", "Back")
ENDED = "21/06/2026,Cafe,Mobile Payment,Completed,USD,-6.79,80.00\n"


def notes(found: Statement) -> list[str]:
    """What a person should look at in the file."""
    return [note for part in found.parts for note in part.notes]


def test_a_hold_and_its_release_are_left_out(read_file: ReadFile) -> None:
    """Only the payment is money; both halves of its hold are counted, and the balance agrees."""
    found = read_file(HEADER + BEGUN + HOLD + PAYMENT + RELEASE + ENDED)

    assert found.amounts == [10000, -1321, -679]
    assert not any(row.pending for row in found.rows)
    assert found.left_out == {"Girokonto": {HELD: 2}}
    assert found.balances == {"Girokonto": (8000, 20260621)}
    assert found.fits == [True]
    assert notes(found) == []


def test_a_newest_first_file_with_holds_is_read_alike(read_file: ReadFile) -> None:
    """The release above its hold cancels it out as one below it."""
    found = read_file(HEADER + ENDED + RELEASE + PAYMENT + HOLD + BEGUN)

    assert found.amounts == [-679, -1321, 10000]
    assert (found.fits, notes(found)) == ([True], [])


def test_a_balance_that_does_not_count_holds_agrees(read_file: ReadFile) -> None:
    """Where the balance stands still beside a hold, it is followed without the holds."""
    rows = (HOLD + PAYMENT + RELEASE).replace("86.79", "0.00").replace("73.58", "86.79")
    rows = rows.replace("-13.21,0.00", "-13.21,100.00").replace(",13.21,0.00", ",13.21,86.79")
    found = read_file(
        HEADER + BEGUN + rows + ENDED + "22/06/2026,Cafe,Mobile Payment,Completed,USD,-1.00,79.00\n"
    )

    assert found.amounts == [10000, -1321, -679, -100]
    assert (found.fits, notes(found)) == ([True], [])


def test_a_row_that_breaks_the_balance_is_told_beside_holds(read_file: ReadFile) -> None:
    """A hold hides no missing row."""
    found = read_file(
        HEADER + BEGUN + HOLD + PAYMENT + RELEASE + ENDED.replace("80.00", "70.00") + "".join(
            f"2{n}/06/2026,Cafe,Mobile Payment,Completed,USD,-1.00,{71 - n}.00\n"
            for n in range(2, 9)
        )
    )  # fmt: skip
    assert found.fits == [False]
    assert ["contradicts the amounts" in note for note in notes(found)] == [True]


def test_an_open_hold_is_left_out_and_told(read_file: ReadFile) -> None:
    """What is held and not released is no transaction; the report says how much, in case it was."""
    found = read_file(HEADER + BEGUN + HOLD)

    assert found.amounts == [10000]
    assert found.left_out == {"Girokonto": {HELD: 1}}
    (note,) = notes(found)
    assert "13.21 USD is held and not released" in note
    assert "would count as money in" in note


def test_a_release_of_an_earlier_hold_is_left_out_and_told(read_file: ReadFile) -> None:
    """The release of a hold that an earlier file has brings no money."""
    found = read_file(HEADER + PAYMENT + RELEASE + ENDED)

    assert found.amounts == [-1321, -679]
    (note,) = notes(found)
    assert "13.21 USD is released and was not held" in note
    assert "would count as spent" in note


def test_a_half_that_is_called_otherwise_is_told(read_file: ReadFile) -> None:
    """Where only one half of a hold is known, the other one counts, and the report says so."""
    found = read_file(
        HEADER
        + BEGUN
        + HOLD
        + PAYMENT
        + RELEASE.replace("Reversal of General Account Hold", "Back")
        + ENDED
    )

    assert 1321 in found.amounts
    assert len(notes(found)) == 1


def test_authorisations_are_left_out_and_no_part_of_the_balance(read_file: ReadFile) -> None:
    """An authorisation stands beside the payment that it allows, before and after it is booked."""
    noted = "20/06/2026,Shop,General Authorization,{},USD,-13.21,{}\n"
    found = read_file(
        HEADER + BEGUN + noted.format("Pending", "100.00") + PAYMENT.replace("73.58", "86.79")
        + noted.format("Completed", "86.79") + ENDED
    )  # fmt: skip

    assert found.amounts == [10000, -1321, -679]
    assert found.left_out == {"Girokonto": {NOTED: 2}}
    assert (found.fits, notes(found)) == ([True], [])


def test_a_row_without_effect_on_the_balance_is_left_out(read_file: ReadFile) -> None:
    """A column that tells each row's effect on the balance says “Memo” of one that has none."""
    found = read_file(
        "Datum,Name,Typ,Status,Währung,Netto,Auswirkung auf Guthaben\n"
        '18.06.2026,A,Zahlung,Abgeschlossen,EUR,"-5,00",Soll\n'
        '19.06.2026,B,Bestellung,Abgeschlossen,EUR,"-7,00",Memo\n'
        '20.06.2026,C,Zahlung,Abgeschlossen,EUR,"9,00",Haben\n'
    )
    assert found.amounts == [-500, 900]
    assert found.left_out == {"Girokonto": {NOTED: 1}}


def test_memos_count_in_no_other_column(read_file: ReadFile) -> None:
    """“Memo” is a text like any other elsewhere."""
    found = read_file("Date,Text,Amount\n2026-03-04,Memo,-1.00\n2026-03-05,B,-2.00\n")
    assert found.amounts == [-100, -200]


def test_kinds_of_booking_are_known_in_a_column_of_descriptions(read_file: ReadFile) -> None:
    """PayPal's other report has no column of types and no states: its descriptions are the types."""
    found = read_file(
        "Data,Descrizione,Valuta,Lordo,Nome\n"
        '01/02/2026,Blocco conto per autorizzazione aperta,EUR,"-4,72",\n'
        '02/02/2026,Pagamento Express Checkout,EUR,"-4,72",Negozio\n'
        '02/02/2026,Storno di blocco conto generico,EUR,"4,72",\n'
        '28/02/2026,Pagamento generico,EUR,"10,00",Mario\n'
    )
    assert found.amounts == [-472, 1000]
    assert found.left_out == {"Girokonto": {HELD: 2}}


def test_an_account_of_holds_alone_is_none(read_file: ReadFile) -> None:
    """A currency in which money was only held is no account; its holds are told with the first one."""
    held = (HOLD.replace("86.79", "-13.21") + RELEASE.replace("86.79", "0.00")).replace(
        "USD", "EUR"
    )
    rest = ENDED.replace("80.00", "93.21")
    found = read_file(HEADER + BEGUN + held + rest + rest.replace("93.21", "86.42"))

    assert {account.currency for account in found.accounts} == {"USD"}
    assert found.left_out == {"Girokonto": {HELD: 2}}
    assert (found.balances, notes(found)) == ({"Girokonto": (8642, 20260621)}, [])

    still_held = read_file(HEADER + BEGUN + HOLD.replace("USD", "EUR") + rest)
    assert (still_held.amounts, notes(still_held)) == ([10000, -679], [])


@pytest.mark.parametrize("others", [1, 30])
@pytest.mark.parametrize("name", ["Description", "Text", "Memo", "Payee", "Vorbel", ""])
def test_a_shop_may_be_called_like_a_hold(read_file: ReadFile, others: int, name: str) -> None:
    """What describes a row is no kind of booking, however few or many texts the column has."""
    rows = "".join(f"2026-03-04,Shop {number},-1.00\n" for number in range(others))
    header = f"Date,{name},Amount\n" if name else ""
    found = read_file(f"{header}{rows}2026-03-05,Payment Hold,-2.00\n")
    assert found.amounts[-1] == -200


@pytest.mark.parametrize("others", [1, 30])
@pytest.mark.parametrize("name", ["Type", "Typ", "Transaction Type", "Status"])
def test_a_column_of_types_may_have_many(read_file: ReadFile, others: int, name: str) -> None:
    """A hold is known below the name of a type, however few or many types the file has."""
    rows = "".join(f"2026-03-04,A,Shop {number},-1.00\n" for number in range(others))
    content = f"Date,Text,{name},Amount\n{rows}2026-03-05,B,Payment Hold,-2.00\n"
    found = read_file(content)
    assert found.amounts == [-100] * others
    assert found.left_out == {"Girokonto": {HELD: 1}}


def test_descriptions_are_types_in_the_report_of_paypal_alone(read_file: ReadFile) -> None:
    """Its header has gross amounts beside names and currencies; without one of them it is another."""
    names = ["Date", "Description", "Currency", "Gross", "Name"]
    rows = "2026-02-01,{},EUR,-4.72,{}\n"
    content = rows.format("Payment", "Shop") + rows.format("Payment Hold", "")
    assert read_file(",".join(names) + "\n" + content).amounts == [-472]
    for name, other in (("Gross", "Amount"), ("Name", "City"), ("Currency", "City")):
        header = ",".join(other if each == name else each for each in names)
        assert read_file(header + "\n" + content).amounts == [-472, -472]


def test_the_texts_of_holds_speak_of_no_direction(read_file: ReadFile) -> None:
    """A release has the text of its purchase and the other sign, which contradicts no payment."""
    found = read_file(
        "Date,Text,Type,Amount\n2026-03-01,Kartenzahlung,Payment,-5.00\n"
        "2026-03-02,,Temporary hold,-5.00\n2026-03-02,,Temporary hold,-5.00\n"
        "2026-03-03,Kartenzahlung,Reversal of General Account Hold,5.00\n"
        "2026-03-03,Kartenzahlung,Reversal of General Account Hold,5.00\n",
        direction=None,
    )
    assert found.amounts == [-500]


def test_holds_of_each_currency_are_told_apart(read_file: ReadFile) -> None:
    """What is held in one currency is not released in another."""
    found = read_file(HEADER + BEGUN + HOLD + (BEGUN + RELEASE).replace("USD", "EUR"))
    assert len(notes(found)) == 2


def test_a_hold_far_below_is_left_out(read_file: ReadFile) -> None:
    """Holds are looked for in all rows of a long file, not in the first ones alone."""
    row = "18/06/2026,Ann,Mobile Payment,Completed,USD,1.00,\n"
    found = read_file(HEADER + row * 9000 + HOLD + PAYMENT + RELEASE)
    assert len(found.rows) == 9001
    assert found.left_out == {"Girokonto": {HELD: 2}}


def test_a_declined_hold_was_declined(read_file: ReadFile) -> None:
    """A state that says that nothing happened is the reason, whatever the row is called."""
    found = read_file(HEADER + BEGUN + HOLD.replace("Pending", "Denied") + ENDED)
    assert found.left_out == {"Girokonto": {"declined": 1}}
    assert found.amounts == [10000, -679]


def test_a_hold_is_no_example_of_a_question(read_file: ReadFile) -> None:
    """What is asked of a file is shown by its transactions."""
    rows = "2026-03-01,PayPal,Temporary Hold,5.00\n2026-03-02,Shop,Thing,7.00\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("Date,Name,Type,Amount\n" + rows, direction=None)
    assert asked.value.questions[0].choices[0].sample.startswith("7.00 “Shop")
