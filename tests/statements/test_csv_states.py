"""States of rows in the languages of banks, and the columns of states and days that no name tells.

Holds of money, their releases and mere authorisations, as PayPal lists them, are no transactions.
"""

import pytest

from finplan.statements.statement import HELD, ONLY_NOTED as NOTED, AmbiguousStatement
from finplan.statements.table.contents import named_no_movement
from finplan.statements.table.filter import any_waits, says_it_waits
from finplan.statements.table.row_words import known_state, status_of
from tests.statements.reading_files import ReadFile, Statement

PENDING = (
    "À venir", "En proceso", "Non contabilizzato", "Em processamento", "In behandeling",
    "Oczekująca", "Nierozliczona", "Nezaúčtováno", "Könyvelésre vár", "În așteptare", "Väntande",
    "Venter", "Afventer", "Katevaraus", "Broneeritud", "Rezervēts", "Laukiama", "V teku",
    "Na čekanju", "Provizyonda", "Εκκρεμεί", "В обработке", "Очікує", "Чакаща", "未確定", "待入账",
    "처리중", "בתהליך", "รอดำเนินการ", "Menunggu", "Đang xử lý",
)  # fmt: skip
DECLINED = (
    "Not approved", "Non approvato",
    "Anulado", "Rifiutato", "Recusado", "Geweigerd", "Odrzucona", "Zamítnuto", "Zrušené",
    "Elutasítva", "Respinsă", "Nekad", "Avvist", "Afvist", "Hylätty", "Tühistatud", "Noraidīts",
    "Atšaukta", "Zavrnjeno", "Odbijeno", "Reddedildi", "Ακυρώθηκε", "Отклонено", "Скасовано",
    "Отказана", "失敗", "交易关闭", "거절", "נדחה", "ไม่สำเร็จ", "Gagal", "Thất bại",
)  # fmt: skip
BOOKED = (
    "Comptabilisé", "Contabilizado", "Eseguito", "Concluído", "Geboekt", "Zaksięgowana",
    "Zaúčtováno", "Könyvelt", "Procesată", "Bokförd", "Udført", "Kirjattu", "Izpildīts", "Atlikta",
    "Tamamlandı", "Исполнено", "確定", "交易成功", "완료", "สำเร็จ", "Selesai", "Thành công",
)  # fmt: skip


@pytest.mark.parametrize("word", PENDING)
def test_a_word_of_any_bank_says_that_a_row_waits(word: str) -> None:
    """A state is known in the languages of banks, also where it negates another one."""
    assert status_of(word) == "pending"
    assert status_of(f"Status: {word.upper()}") == "pending"


@pytest.mark.parametrize("word", DECLINED)
def test_a_word_of_any_bank_says_that_a_row_was_declined(word: str) -> None:
    """What never happened is known as such in the languages of banks."""
    assert status_of(word) == "declined"


@pytest.mark.parametrize("word", BOOKED)
def test_a_word_of_any_bank_says_that_a_row_is_booked(word: str) -> None:
    """A booked state is told from words that are none."""
    assert known_state(word) == "booked"


@pytest.mark.parametrize(
    "word", ["", "Városi bolt", "Čekovna", "Vente", "Klarna", "X", "招待", "Avviso"]
)
def test_other_words_are_no_states(word: str) -> None:
    """A word that only begins like a state is none, and its row counts as booked."""
    assert known_state(word) is None
    assert status_of(word) == "booked"


WAITING = (
    "Kiosk ZAKUP PRZY UŻYCIU KARTY transakcja nierozliczona", "PENDING - HARBOR BOOKS",
    "Harbor Books (Pending)", "[pending] Harbor Books", "Pending: Harbor Books", "**Pending** BOOKS",
    "Pending transaction HARBOR BOOKS", "Harbor Books - not yet booked.", "Pending transaction",
    "Vorgemerkt: Bäckerei", "Bäckerei noch nicht verbucht", "Librairie | en attente",
    "Operación pendiente LIBRERÍA", "Libreria non contabilizzato", "Boekhandel, nog niet verwerkt",
    "Knihy (nezaúčtováno)", "Könyvesbolt függő tétel", "Bokhandel – väntande", "Boghandel: reserveret",
    "Книги (холд)", "書店 未確定", "书店消费未入账", "Kiosk [nierozliczona ]",
)  # fmt: skip
NOT_WAITING = (
    "HARBOR BOOKS", "Pending", "The Pending Tray Cafe", "Harbor Pending", "Hold Steady Records",
    "Hotel reservation - Lisbon", "Pendingtransaction", "Spending transaction fees",
    "PAYMENT FOR PENDING TRANSACTIONS LIST", "Tandarts in behandeling", "Household: Pendleton",
    "", "()", "店の処理", "Vorgemerktes Zimmer",
)  # fmt: skip


@pytest.mark.parametrize("text", WAITING)
def test_a_text_says_that_its_row_waits(text: str) -> None:
    """A bank's phrase at either end of a text, or a word set off there, says that the row waits."""
    assert says_it_waits(text)
    assert any_waits(["Kiosk", text])
    assert any_waits({f" {text} "})


@pytest.mark.parametrize("text", NOT_WAITING)
def test_a_shop_named_like_a_state_does_not_wait(text: str) -> None:
    """A single word, and a phrase in the midst of a text, may be anybody's."""
    assert not says_it_waits(text)
    assert not any_waits([text])


@pytest.mark.parametrize(("late", "left"), [("Tea (pending)", 6_000), ("Closing balance", 5_999)])
def test_what_waits_is_seen_late_in_a_file_too(read_file: ReadFile, late: str, left: int) -> None:
    """After thousands of rows of the same shops, a text that is new is looked at, and each time."""
    rows = [f"2026-03-05,Shop {number % 7},-1.00" for number in range(5_998)]
    rows += [f"2026-03-06,{late},-1.00", "2026-03-07,Shop 1,-1.00"]
    found = read_file("\n".join(("Date,Text,Amount", *rows, ""))).rows
    assert len(found) == left
    assert [row.day for row in found if row.pending] == ([20260306] if left == 6_000 else [])


def test_texts_tell_of_rows_that_wait_where_no_column_does(read_file: ReadFile) -> None:
    """Rows whose text says so wait; the column of states knows better where there is one."""
    rows = [
        "2026-03-06,Kiosk transakcja nierozliczona,-3.00",
        "2026-03-05,Book shop,-2.00",
        "2026-03-04,Tea (pending),-1.00",
    ]
    found = read_file("\n".join(("Date,Text,Amount", *rows, ""))).rows
    assert [row.pending for row in found] == [True, False, True]
    assert [row.amount for row in found] == [-300, -200, -100]

    stated = [f"{row},Booked" for row in rows]
    found = read_file("\n".join(("Date,Text,Amount,Status", *stated, ""))).rows
    assert [row.pending for row in found] == [False, False, False]


def test_states_are_found_without_a_name(read_file: ReadFile) -> None:
    """A column in which nothing but states stands is one of states, whatever its header says."""
    content = (
        "Date,Text,Amount,Zustandsfeld\n2026-03-04,A,-1.00,Vorgemerkt\n"
        "2026-03-05,B,-2.00,Gebucht\n2026-03-06,C,-3.00,Abgelehnt\n"
    )
    assert [(row.raw, row.pending) for row in read_file(content).rows] == [
        ("A", True),
        ("B", False),
    ]


def test_texts_that_name_no_other_state_are_texts(read_file: ReadFile) -> None:
    """A shop named like a state is no state, since the other rows name none."""
    content = "Date,Text,Amount\n2026-03-04,Cancelled Order Cafe,-1.00\n2026-03-05,Lidl,-2.00\n"
    assert read_file(content).raws == ["Cancelled Order Cafe", "Lidl"]


def test_a_state_counts_where_the_header_names_no_amounts(read_file: ReadFile) -> None:
    """Names of a header count one by one: that of the amounts may be unknown."""
    content = (
        "Datum;Verwendungszweck;Xyzbetragsfeld;Status\n04.03.2026;A;-1,00;Vorgemerkt\n"
        "15.03.2026;B;-2,00;Gebucht\n16.03.2026;C;-2,50;Gebucht\n"
    )
    assert [row.pending for row in read_file(content).rows] == [True, False, False]


def test_the_day_of_booking_is_known_without_a_header(read_file: ReadFile) -> None:
    """Of two columns of dates without names the day of booking runs in order and is never blank."""
    rest = "2026-03-07,2026-03-06,B,-2.00\n2026-03-10,2026-03-08,C,-3.00\n"
    rows = f"2026-03-09,2026-03-05,A,-1.00\n{rest}"
    assert [row.day for row in read_file(rows).rows] == [20260305, 20260306, 20260308]
    blank = f",2026-03-05,A,-1.00\n{rest}"
    assert [row.day for row in read_file(blank).rows] == [20260305, 20260306, 20260308]


@pytest.mark.parametrize(
    ("booking", "value"),
    [
        ("Datum", "Valutadatum"), ("Datum", "Valutadag"), ("Operacijos data", "Valiutavimo data"),
        ("Data", "Data waluty"), ("วันที่", "วันที่มีผล"), ("Dátum zaúčtovania", "Dátum valuty"),
        ("Счетоводна дата", "Вальор"), ("Päivämäärä", "Arvopäivä"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_first", [True, False])
def test_the_day_of_value_comes_last_in_any_language(
    read_file: ReadFile, booking: str, value: str, is_first: bool
) -> None:
    """A column of the day of value gives no row its day where the day of booking stands beside it."""
    names, days = (booking, value), ("2026-03-04", "2026-03-06")
    order = slice(None, None, 1 if is_first else -1)
    content = f"{','.join(names[order])},Text,Amount (EUR)\n{','.join(days[order])},A,-1.00\n"
    assert [row.day for row in read_file(content).rows] == [20260304]


def test_dashes_are_no_money(read_file: ReadFile) -> None:
    """A column of amounts may be filled with dashes nearly everywhere."""
    content = (
        "Date,Text,Debit,Credit\n2026-03-14,A,1.00,-\n2026-03-15,B,2.00,–\n2026-03-16,C,—,3.00\n"
    )
    assert [row.amount for row in read_file(content).rows] == [-100, -200, 300]


@pytest.mark.parametrize(
    "name",
    [
        "Summa",
        "Celkem",
        "Kokku",
        "Összesen",
        "I alt",
        "Разом",
        "Итого",
        "合計",
        "합계",
        "รวม",
        "Tổng cộng",
    ],
)
def test_a_sum_below_the_table_is_no_lost_row(read_file: ReadFile, name: str) -> None:
    """A sum is known by its name where it differs from what the rows add up to."""
    content = f"Date,Text,Amount\n2026-03-14,A,-1.00\n2026-03-15,B,3.00\n,{name},4.00\n"
    assert read_file(content).raws == ["A", "B"]


def test_a_table_of_tabs_is_no_journal(read_file: ReadFile) -> None:
    """A row whose first cell is blank is no posting of the dated one above it."""
    content = "Date,Text,Debit,Credit\n2026/3/4,A,1.00,\n2026/3/5,B,,2.00\n,Total,1.00,2.00\n"
    assert [row.amount for row in read_file(content.replace(",", "\t")).rows] == [-100, 200]


def test_years_in_front_keep_the_days_together(read_file: ReadFile) -> None:
    """Two digits in front are the year where any other reading scatters the days over years."""
    content = "Date,Text,Amount\n24-09-03,A,-1.00\n24-09-21,B,-2.00\n24-08-30,C,-3.00\n"
    assert [row.day for row in read_file(content).rows] == [20240903, 20240921, 20240830]


def test_years_behind_keep_the_days_together(read_file: ReadFile) -> None:
    """Two digits behind are the year where any other reading scatters the days over years."""
    content = "Date,Text,Amount\n03-09-24,A,-1.00\n21-09-24,B,-2.00\n30-08-24,C,-3.00\n"
    assert [row.day for row in read_file(content).rows] == [20240903, 20240921, 20240830]


def test_a_year_at_either_end_is_asked_about(read_file: ReadFile) -> None:
    """One day of two digits at both ends may be of either year, and only the person knows it."""
    with pytest.raises(AmbiguousStatement) as caught:
        read_file("Date,Text,Amount\n24-09-16,A,-1.00\n24-09-16,B,-2.00\n")
    (question,) = caught.value.questions
    assert question.about == "date_order"
    assert [choice.value for choice in question.choices] == ["dmy", "ymd"]


@pytest.mark.parametrize("sign", ["\u00a0", "’"])
def test_a_sign_between_groups_is_no_letter(read_file: ReadFile, sign: str) -> None:
    """A Western apostrophe or fixed blank within a number proves no Cyrillic code page."""
    rows = "".join(f"2026-03-{day},A,-{day}{sign}123.45\n" for day in range(14, 20))
    content = f"Date,Text,Amount\n{rows}".encode("cp1252")
    assert [row.amount for row in read_file(content).rows][:2] == [-1412345, -1512345]


def test_amounts_that_lose_rows_are_asked_about(read_file: ReadFile) -> None:
    """A column that is blank in rows with another number is no sure column of amounts."""
    content = "Datum,Text,Betrag fremd,Zzz\n"
    content += "2026-03-14,A,,-1.00\n2026-03-15,B,2.20,2.00\n2026-03-16,C,,-3.00\n"
    with pytest.raises(AmbiguousStatement) as caught:
        read_file(content, currency="EUR")
    assert [question.about for question in caught.value.questions] == ["amount_column"]
    rows = read_file(content, currency="EUR", amount_column="Zzz").rows
    assert [row.amount for row in rows] == [-100, 200, -300]


def test_a_currency_above_the_table_is_no_header(read_file: ReadFile) -> None:
    """“Valuta” is a day of value in some tables, and the currency in a line of two cells."""
    content = "Valuta:;NOK\nSaldo;Rentedato;Dato;Tekst;Beløp\n"
    content += "10,00;2026-03-16;2026-03-14;A;-1,00\n9,00;2026-03-16;2026-03-15;B;-2,00\n"
    assert [(row.day, row.amount) for row in read_file(content).rows] == [
        (20260314, -100),
        (20260315, -200),
    ]


def test_a_name_that_hints_at_a_date_comes_before_the_day_of_value(read_file: ReadFile) -> None:
    """Of an unknown name with the word for date and a day of value, the former is the row's day."""
    content = "Data valutei,Data xyz,Text,Amount (EUR)\n2026-03-16,2026-03-14,A,-1.00\n"
    assert [row.day for row in read_file(content).rows] == [20260314]


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
    assert ["does not match" in note for note in notes(found)] == [True]


def test_an_open_hold_is_left_out_and_told(read_file: ReadFile) -> None:
    """What is held and not released is no transaction; the report says how much, in case it was."""
    found = read_file(HEADER + BEGUN + HOLD)

    assert found.amounts == [10000]
    assert found.left_out == {"Girokonto": {HELD: 1}}
    (note,) = notes(found)
    assert "13.21 USD in holds" in note
    assert "as money in" in note


def test_a_release_of_an_earlier_hold_is_left_out_and_told(read_file: ReadFile) -> None:
    """The release of a hold that an earlier file has brings no money."""
    found = read_file(HEADER + PAYMENT + RELEASE + ENDED)

    assert found.amounts == [-1321, -679]
    (note,) = notes(found)
    assert "13.21 USD in releases" in note
    assert "as spending" in note


def test_a_half_that_is_called_otherwise_is_told(read_file: ReadFile) -> None:
    """Where only one half of a hold is known, the other one counts, and the report says so."""
    back = RELEASE.replace(RELEASE.split(",")[2], "Back")
    found = read_file(HEADER + BEGUN + HOLD + PAYMENT + back + ENDED)

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


OTHER_REPORT = (
    "Data,Descrizione,Valuta,Lordo,Nome\n"
    '01/02/2026,Blocco conto per autorizzazione aperta,EUR,"-4,72",\n'
    '02/02/2026,Pagamento Express Checkout,EUR,"-4,72",Negozio\n'
    '02/02/2026,Storno di blocco conto generico,EUR,"4,72",\n'
    '28/02/2026,Pagamento generico,EUR,"10,00",Mario\n'
)


def test_kinds_of_booking_are_known_in_a_column_of_descriptions(read_file: ReadFile) -> None:
    """PayPal's other report has no column of types and no states: its descriptions are the types."""
    found = read_file(OTHER_REPORT)
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
    assert read_file(f"{header}{rows}2026-03-05,Payment Hold,-2.00\n").amounts[-1] == -200


@pytest.mark.parametrize("others", [1, 30])
@pytest.mark.parametrize("name", ["Type", "Typ", "Transaction Type", "Status"])
def test_a_column_of_types_may_have_many(read_file: ReadFile, others: int, name: str) -> None:
    """A hold is known below the name of a type, however few or many types the file has."""
    rows = "".join(f"2026-03-04,A,Shop {number},-1.00\n" for number in range(others))
    found = read_file(f"Date,Text,{name},Amount\n{rows}2026-03-05,B,Payment Hold,-2.00\n")
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


RELEASED = (
    "Date,Text,Type,Amount\n2026-03-01,Kartenzahlung,Payment,-5.00\n"
    "2026-03-02,,Temporary hold,-5.00\n2026-03-02,,Temporary hold,-5.00\n"
    "2026-03-03,Kartenzahlung,Reversal of General Account Hold,5.00\n"
    "2026-03-03,Kartenzahlung,Reversal of General Account Hold,5.00\n"
)


def test_the_texts_of_holds_speak_of_no_direction(read_file: ReadFile) -> None:
    """A release has the text of its purchase and the other sign, which contradicts no payment."""
    found = read_file(RELEASED, direction=None)
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
