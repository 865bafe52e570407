"""What kind of account a table is of: told by evidence, or left to the person; see kinds.conclusion."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.intake.kinds import KINDS, KindFinding, conclude
from finplan.model.account import KindWord
from finplan.statements import kinds, statement
from finplan.statements.detect import read_as_likely
from tests.statements.golden_readings import READINGS, Golden, goldens, parts_of

SHARED = Path(
    os.environ.get("FINPLAN_SAMPLES", Path(__file__).parents[3] / "shared" / "samples")
).parent
SETS = ("samples", "samples2")
STATEMENTS = [golden for each in SETS for golden in goldens(each) if golden.verdict == "rows"]
NOT_YET = {
    "samples/simonmichael+hledger/examples/csv/apps/monefy.csv": "a purse gets pay",
    "samples2/cantino+reckon/spec/data_fixtures/harder_date_example.csv": "a salary comes in",
}
"""Files whose kind is told though nobody knows it, or not told though the file says it, and why."""

MISREAD = {
    line.split("\t", 1)[0] for line in (READINGS / "not_yet.txt").read_text("utf-8").splitlines()
}
"""Files whose rows themselves are not read as a person reads them."""

Read = Callable[..., KindFinding]


def kinds_of(
    parts: Sequence[statement.StatementPart], file_name: str
) -> dict[str, KindWord | None]:
    """The kind of each account of a file, by its name, from all that the file says."""
    clues: dict[str, list[statement.KindClue]] = {}
    told: dict[str, KindWord] = {}
    for part in parts:
        clues.setdefault(part.account.name, []).extend(part.kind_clues)
        if part.account.kind == "credit":
            told[part.account.name] = "credit"
    return {
        name: told.get(name)
        or conclude([*found, *kinds.clues_of_names((name, Path(file_name).stem))]).kind
        for name, found in clues.items()
    }


@pytest.mark.skipif(
    not all((SHARED / each / "index.tsv").exists() for each in SETS),
    reason=f"the samples are not in {SHARED} (FINPLAN_SAMPLES)",
)
@pytest.mark.parametrize("golden", STATEMENTS, ids=lambda golden: f"{golden.set_}/{golden.file}")
def test_a_kind_is_told_as_a_person_tells_it(golden: Golden) -> None:
    """A kind that the file tells is neither wrong nor asked; one that nobody knows is not told."""
    name = f"{golden.set_}/{golden.file}"
    try:
        parts = parts_of(golden, SHARED / golden.set_)
    except (statement.AmbiguousStatement, statement.UnreadableStatement):
        assert name in MISREAD
        return
    found = set(kinds_of(parts, golden.file).values())
    may_be_asked = {None} if "kind" in golden.open_ else set()

    is_told = found <= golden.kinds | may_be_asked
    assert is_told == (name not in NOT_YET) or name in MISREAD, found


@pytest.fixture
def kind_of(tmp_path: Path) -> Read:
    """Read lines as a file whose name says nothing; give what its one account's kind is."""

    def read(*lines: str, direction: str | None = None) -> KindFinding:
        path = tmp_path / "export.csv"
        path.write_text("\n".join((*lines, "")), encoding="utf-8")
        parsed, _ = read_as_likely(
            statement.SourceFile.of(path), statement.Hints(direction=direction)
        )
        assert parsed is not None
        parts = list(parsed.parts)
        assert len({part.account for part in parts}) == 1
        return conclude(clue for part in parts for clue in part.kind_clues)

    return read


CARDS = {
    "Chase": (
        "Transaction Date,Post Date,Description,Category,Type,Amount,Memo",
        "07/13/2026,07/14/2026,HARBOR BOOKS,Shopping,Sale,-24.10,",
        "07/20/2026,07/21/2026,TRAIN TICKETS,Travel,Sale,-61.00,",
    ),
    "Capital One": (
        "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit",
        "2026-07-13,2026-07-14,4471,HARBOR BOOKS,Merchandise,24.10,",
        "2026-07-20,2026-07-21,4471,BOOKS RETURNED,Merchandise,,12.05",
    ),
    "Citi": (
        "Status,Date,Description,Debit,Credit",
        "Cleared,07/13/2026,HARBOR BOOKS,24.10,",
        "Cleared,07/20/2026,BOOKS RETURNED,,12.05",
    ),
    "Bank of America": (
        "Posted Date,Reference Number,Payee,Address,Amount",
        "07/13/2026,24692160000000000001,HARBOR BOOKS,PORTLAND ME,-24.10",
        "07/20/2026,24692160000000000002,TRAIN TICKETS,BOSTON MA,-61.00",
    ),
    "Apple": (
        "Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By",
        "07/13/2026,07/14/2026,HARBOR BOOKS,Harbor Books,Shopping,Purchase,24.10,Iris",
        "07/20/2026,07/21/2026,TRAIN TICKETS,Trains,Travel,Purchase,61.00,Iris",
    ),
    "Bank Norwegian": (
        "TransactionDate,Text,Type,Currency Amount,Currency Rate,Currency,Amount,Merchant Area",
        "2026-07-13,BOKHANDEL,Kjøp,-241.00,1,NOK,-241.00,OSLO",
        "2026-07-20,TOG,Kjøp,-610.00,1,NOK,-610.00,OSLO",
    ),
    "DKB": (
        "Belegdatum;Wertstellung;Status;Beschreibung;Umsatztyp;Betrag (€);Fremdwährungsbetrag",
        "13.07.26;14.07.26;Gebucht;BUCHHANDLUNG;Im Geschäft;-24,10 €;",
        "20.07.26;21.07.26;Gebucht;BAHN;Online;-61,00 €;",
    ),
    "American Express, in German": (
        "Datum,Beschreibung,Karteninhaber,Konto #,Betrag",
        '13/07/2026,BUCHHANDLUNG,IRIS HALM,-71005,"24,10"',
        '20/07/2026,ZAHLUNG ERHALTEN. BESTEN DANK.,IRIS HALM,-71005,"-24,10"',
    ),
    "ASB": (
        "Date Processed,Date of Transaction,Unique Id,Tran Type,Reference,Description,Amount",
        "2026/07/14,2026/07/13,2026071401,DEBIT,4471,BOOK ROOM,24.10",
        "2026/07/21,2026/07/20,2026072101,CREDIT,4471,PAYMENT RECEIVED THANK YOU,-24.10",
    ),
    "UBS, by its cards": (
        "Kontonummer;Kartennummer;Einkaufsdatum;Buchungstext;Betrag;Währung;Belastung;Gutschrift",
        "0234 0012;4471 XXXX XXXX 9920;13.07.2026;BUCHHANDLUNG;24.10;CHF;24.10;",
        "0234 0012;4471 XXXX XXXX 9920;20.07.2026;RÜCKGABE;12.05;CHF;;12.05",
    ),
    "a bank without a header, masked": (
        "2026-07-13,HARBOR BOOKS,24.10,,4500********9920",
        "2026-07-14,TRAIN TICKETS,61.00,,4500********9920",
        "2026-07-20,BOOKS RETURNED,,12.05,4500********9920",
    ),
    "Tangerine": (
        "Transaction date,Transaction,Name,Memo,Amount",
        "7/13/2026,DEBIT,HARBOR BOOKS,,-24.10",
        "7/20/2026,CREDIT,BOOKS RETURNED,,12.05",
    ),
    "words alone": (
        "Date,Text,Amount",
        "2026-07-13,HARBOR BOOKS,-24.10",
        "2026-07-20,PAYMENT - THANK YOU,24.10",
        "2026-07-21,PURCHASE INTEREST,-1.10",
    ),
    "lines above": (
        "Kreditkarte;Gold 4471",
        "",
        "Datum;Text;Betrag",
        "13.07.2026;BUCHHANDLUNG;-24,10",
        "20.07.2026;BAHN;-61,00",
    ),
    "a balance that is owed": (
        "Date,Text,Amount,Balance",
        "2026-07-13,HARBOR BOOKS,24.10,124.10",
        "2026-07-14,TRAIN TICKETS,61.00,185.10",
        "2026-07-15,PAYMENT RECEIVED,-100.00,85.10",
        "2026-07-16,HARBOR BOOKS,11.00,96.10",
    ),
}

CHECKING = {
    "Chase": (
        "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #",
        "DEBIT,07/13/2026,HARBOR BOOKS,-24.10,MISC_DEBIT,975.90,",
        "DEBIT,07/20/2026,Payment to card ending in 4471,-61.00,LOAN_PMT,914.90,",
    ),
    "one that pays a card": (
        "Date,Description,Amount",
        "2026-07-01,ASHGROVE PAYROLL,2400.00",
        "2026-07-13,HARBOR BOOKS,-24.10",
        "2026-07-20,CREDIT CARD PAYMENT 4471,-610.00",
        "2026-07-21,AMEX EPAYMENT,-61.00",
    ),
    "one of a German bank that pays a card": (
        "Buchungstag;Verwendungszweck;Betrag;IBAN",
        "13.07.2026;Dauerauftrag Miete;-840,00;DE89370400440532013000",
        "20.07.2026;Kreditkartenabrechnung VISA;-61,00;DE02120300000000202051",
    ),
    "Starling": (
        "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes",
        "13/07/2026,Harbour Books,BOOKS,CARD,-24.10,975.90,SHOPPING,",
        "20/07/2026,Trains,TICKET,CARD,-61.00,914.90,TRANSPORT,",
    ),
    "cheques and cash": (
        "Date,Text,Amount",
        "2026-07-13,CHECK # 311,-24.10",
        "2026-07-20,ATM WITHDRAWAL ELM ST,-60.00",
        "2026-07-21,REFUND,4.00",
    ),
}


@pytest.mark.parametrize("lines", CARDS.values(), ids=CARDS)
def test_a_card_is_a_card_under_any_name(kind_of: Read, lines: Sequence[str]) -> None:
    """Columns of cards, masked numbers, words of cards, and what is owed tell a card."""
    assert kind_of(*lines).kind == "credit"


@pytest.mark.parametrize("lines", CHECKING.values(), ids=CHECKING)
def test_an_account_that_pays_cards_stays_checking(kind_of: Read, lines: Sequence[str]) -> None:
    """Payments to cards go out; pay, cheques and cash are a bank account's."""
    assert kind_of(*lines).kind == "checking"


def test_interest_and_transfers_are_savings(kind_of: Read) -> None:
    """An account without a purchase, which bears interest, is for savings."""
    rows = ("2026-07-01,INTEREST PAID,2.10", "2026-07-02,TRANSFER TO CHK 1029,-50.00")
    more = ("2026-07-03,HARBOR BOOKS,-24.10",)

    assert kind_of("Date,Text,Amount", *rows).kind == "savings"
    assert kind_of("Date,Text,Amount", *rows, *more).kind is None


@pytest.mark.parametrize(
    "rows",
    [
        ("2026-07-13,HARBOR BOOKS,-24.10", "2026-07-20,TRAIN TICKETS,-61.00"),
        ("2026-07-13,HARBOR BOOKS,-24.10", "2026-07-20,MARTA WEBER,61.00"),
        ("2026-07-13,PAYMENT THANK YOU,-24.10", "2026-07-20,HARBOR BOOKS,-61.00"),
        ("2026-07-13,PAYMENT THANK YOU,24.10", "2026-07-20,PAYMENT THANK YOU,61.00"),
        ("2026-07-13,PAYMENT THANK YOU,24.10", "2026-07-20,ATM WITHDRAWAL,-60.00"),
        ("2026-07-13,PAYROLL SERVICES INC,-24.10", "2026-07-20,REFUND,4.00"),
        ("2026-07-13,CHECK RETURNED,24.10", "2026-07-20,HARBOR BOOKS,-61.00"),
    ],
    ids=[
        "purchases",
        "a person",
        "thanks going out",
        "nothing spent",
        "a contradiction",
        "pay going out",
        "a cheque coming in",
    ],
)
def test_what_is_not_certain_is_left_to_the_person(kind_of: Read, rows: Sequence[str]) -> None:
    """Purchases alone, words on the wrong side and words that contradict each other tell no kind."""
    assert kind_of("Date,Text,Amount", *rows, direction="in").kind is None


def test_a_card_in_some_rows_is_no_card(kind_of: Read) -> None:
    """A bank account names the card of a row that was paid by card; a card's export does in each."""
    head = "Date,Text,Card Number,Amount"
    rows = ("2026-07-13,HARBOR BOOKS,4471,-24.10", "2026-07-20,TRAIN TICKETS,,-61.00")

    assert kind_of(head, *rows).kind is None
    assert kind_of(head, *(row.replace(",,", ",4471,") for row in rows)).kind == "credit"


@pytest.mark.parametrize("name", ["card_id", "Card Number"])
def test_the_cards_of_a_shops_customers_make_no_card(kind_of: Read, name: str) -> None:
    """A shop's payments name the cards that it was paid by, beside customers or as many as these."""
    rows = [f"2026-07-{day},BOOKS {day},447{day},-{day}.10" for day in range(11, 16)]
    assert kind_of(f"Date,Text,{name},Amount", *rows[:4]).kind == "credit"
    assert kind_of(f"Date,Text,{name},Amount", *rows).kind is None
    several = [row.replace(f"447{day}", "4471") for day, row in enumerate(rows, start=11)]
    assert kind_of(f"Date,Text,{name},Amount", *several).kind == "credit"
    beside = [row.replace("BOOKS ", "BOOKS,cus_7") for row in rows[:2]]
    assert kind_of(f"Date,Text,customer_id,{name},Amount", *beside).kind is None


def test_many_masked_numbers_are_no_card(kind_of: Read) -> None:
    """A household has few cards; the masked numbers of a shop's customers are many."""
    rows = [f"2026-07-{day},BOOKS {day},-{day}.10,************44{day}" for day in range(11, 16)]
    assert kind_of("Date,Text,Amount,Paid by", *rows[:4]).reasons
    assert not kind_of("Date,Text,Amount,Paid by", *rows).reasons


def test_a_few_words_of_shops_tell_nothing(kind_of: Read) -> None:
    """A shop may be called like what banks do; of a card's rows hardly any are."""
    shops = [f"2026-07-{day:02d},HARBOR BOOKS,-{day}.10" for day in range(1, 29)]
    wire = "2026-07-30,THE WIRE CAFE,-4.00"
    back = "2026-07-31,REFUND,4.00"

    assert kind_of("Date,Text,Amount", *shops, wire, back).kind is None
    assert kind_of("Date,Text,Amount", shops[0], wire, back).kind == "checking"


def test_a_balance_tells_whose_money_it_is(kind_of: Read) -> None:
    """A proven balance that is never above zero is a card's; one above it alone tells nothing."""
    amounts = (-24_10, -61_00, 40_00, -11_00)

    def lines(start: int) -> list[str]:
        rows, balance = ["Date,Text,Amount,Balance"], start
        for day, amount in enumerate(amounts, start=13):
            balance += amount
            rows.append(f"2026-07-{day},SHOP {day},{amount / 100:.2f},{balance / 100:.2f}")
        return rows

    assert kind_of(*lines(-10_00)).kind == "credit"
    assert kind_of(*lines(24_10)).kind == "credit"
    assert kind_of(*lines(50_00)).kind is None
    assert kind_of(*lines(900_00)).kind is None
    (reason,) = kind_of(*lines(900_00)).reasons
    assert "never below zero" in reason
    assert kind_of(*lines(50_00)).reasons == ()


def clue(kind: KindWord, points: int, why: str = "it says so") -> statement.KindClue:
    return statement.KindClue((kind,), points, why)


def test_a_kind_leads_by_two_points() -> None:
    """One hint tells nothing, two or one likely sign do; a contradiction has to be outweighed."""
    assert conclude([]).kind is None
    assert conclude([clue("credit", kinds.HINT)]).kind is None
    assert (
        conclude([clue("credit", kinds.HINT, "a"), clue("credit", kinds.HINT, "b")]).kind
        == "credit"
    )
    assert conclude([clue("credit", kinds.HINT), clue("credit", kinds.HINT)]).kind is None
    assert conclude([clue("credit", kinds.LIKELY), clue("loan", kinds.HINT)]).kind is None
    assert conclude([clue("credit", kinds.SURE), clue("checking", kinds.LIKELY)]).kind == "credit"
    assert conclude([clue("credit", kinds.SURE), clue("checking", kinds.SURE)]).kind is None


def test_checking_and_savings_are_one_kind_against_others() -> None:
    """What speaks for both decides against a card; between them the larger number does."""
    both = statement.KindClue(("checking", "savings"), kinds.LIKELY, "an IBAN")

    assert conclude([both]).kind == "checking"
    assert conclude([both, clue("savings", kinds.HINT)]).kind == "savings"
    assert conclude([both, clue("credit", kinds.LIKELY)]).kind is None


def test_a_name_goes_before_rows_between_checking_and_savings() -> None:
    """Where as much speaks for either, what the account is called decides, not what single rows do."""
    rows = statement.KindClue(("checking",), kinds.LIKELY, "a direct debit", by_direction=True)

    assert conclude([rows, *kinds.clues_of_names(["My savings account"])]).kind == "savings"
    assert conclude([rows, *kinds.clues_of_names(["Girokonto"])]).kind == "checking"
    assert (
        conclude([clue("checking", kinds.LIKELY), clue("savings", kinds.LIKELY)]).kind == "checking"
    )
    paid = statement.KindClue(("checking",), kinds.SURE, "pay comes in", by_direction=True)
    assert conclude([paid, *kinds.clues_of_names(["My savings account"])]).kind == "checking"


_clues = st.lists(
    st.builds(
        statement.KindClue,
        st.sampled_from(KINDS).map(lambda kind: (kind,)),
        st.sampled_from((kinds.HINT, kinds.LIKELY, kinds.SURE)),
        st.sampled_from("abcdef"),
    ),
    max_size=8,
)


@given(_clues, st.randoms(use_true_random=False))
def test_the_order_of_evidence_says_nothing(
    clues: list[statement.KindClue], random: object
) -> None:
    """Evidence may come in any order, and twice; every kind stays a possible answer."""
    shuffled = [*clues, *clues]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = conclude(clues)

    assert conclude(shuffled).kind == found.kind
    assert conclude(shuffled).likeliest == found.likeliest
    assert set(found.likeliest) == set(KINDS)
    assert found.kind in (None, found.likeliest[0])
