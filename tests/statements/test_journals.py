"""Journals of plain-text accounting: the rows of own accounts, and nothing of what is no cash."""

import csv
import io
import os
import subprocess
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.model.money import to_text
from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from tests.judges import judge_named
from tests.statements.reading_files import ReadFile, read_content, read_path

SAMPLES = Path(os.environ.get("FINPLAN_SAMPLES", Path(__file__).parents[3] / "shared" / "samples"))

HLEDGER = """\
; A household's journal.
account assets:bank:checking  ; type: C
account spaarpot              ; type: A
commodity $1,000.00
Y2024
alias kasse=assets:cash

2024/01/02=2024/01/05 * (123) Whole Foods | groceries ; weekly
    expenses:food             $25.00
    assets:bank:checking

01-05 ! rent
    assets:bank:checking     $-1,200.00
    expenses:rent

2024.1.7 buy shares
    assets:broker:stock       10 AAPL @ $5.50
    assets:broker:cash

2024-01-08 Müller
    assets:euro              -1.234,56 EUR
    expenses:x                1.234,56 EUR

2024-01-09 opening
    assets:bank:checking      $100
    equity:opening balances

2024-01-10 save
    spaarpot                  $1
    assets:bank:checking     $-1  ; [2024-01-12]
    (budget:fun)              $5
    [budget:envelope]         $5
    [budget:pot]             $-5

2024-01-11 cash
    kasse:wallet              $20.005
    liabilities:visa         $-20.005

comment
2024-01-12 not there
    assets:cash  $1
    income:x
end comment

~ monthly
    expenses:rent  $5
    assets:cash

2024-01-13 * assertion only
    assets:bank:checking      0 = $-1126
    equity:none               0
"""


def test_hledger(read_file: ReadFile) -> None:
    """Cash legs of own accounts are rows; dates, states, codes and comments mean what they mean."""
    found = read_file(HLEDGER)
    assert (found.format, len(found.rows)) == ("hledger", 8)
    rows = {
        account.name: [(r.day, r.amount, r.raw, r.pending) for r in found.rows_of(account.name)]
        for account in found.accounts
    }
    assert rows == {
        "assets:bank:checking": [
            (20240102, -2500, "Whole Foods groceries", False),
            (20240105, -120000, "rent", True),
            (20240112, -100, "save", False),
        ],
        "assets:broker:cash": [(20240107, -5500, "buy shares", False)],
        "assets:euro": [(20240108, -123456, "Müller", False)],
        "spaarpot": [(20240110, 100, "save", False)],
        "assets:cash:wallet": [(20240111, 2000, "cash", False)],
        "liabilities:visa": [(20240111, -2000, "cash", False)],
    }
    assert found.rows[0].payee == "Whole Foods"
    kinds = {account.name: account.kind for account in found.accounts}
    assert (kinds["liabilities:visa"], kinds["assets:broker:cash"]) == ("credit", "investment")
    currencies = {account.name: account.currency for account in found.accounts}
    assert (currencies["assets:euro"], currencies["spaarpot"]) == ("EUR", "USD")


BEANCOUNT = """\
option "title" "Household"
option "name_assets" "Vermoegen"
* A heading of org mode
2020-01-01 open Vermoegen:Giro EUR
2020-01-01 open Vermoegen:Depot
pushtag #trip

2024-01-02 * "Bäcker" "Brot; und ""#" #essen ^beleg
  Ausgaben:Essen   25.00 EUR
  Vermoegen:Giro

2024-01-03 ! "told
over lines"
  beleg: "x"
  Liabilities:Visa   -1,000.10 EUR ; a comment
    note: "y"
  Ausgaben:X

2024-01-05 txn "buy"
  Vermoegen:Depot   10 ACME {5.00 EUR, 2020-01-01, "lot"}
  Vermoegen:Giro

2024-01-06 * "sell"
  Vermoegen:Depot   -10 ACME {5.00 EUR} @ 6.00 EUR
  Vermoegen:Giro    60.00 EUR
  Ertrag:Gewinn

2024-01-07 * "abroad"
  Vermoegen:Giro    -92.00 EUR @@ 100 USD
  Vermoegen:Cash    100.00 USD

2024-02-01 balance Vermoegen:Giro 100 EUR
2024-02-01 pad Vermoegen:Giro Equity:Opening-Balances
2024-02-01 price ACME 7 EUR
2024-02-02 * "Opening"
  Vermoegen:Giro    1 EUR
  Equity:Opening-Balances
"""


def test_beancount(read_file: ReadFile) -> None:
    """Only transactions give rows, and of those only what moves cash in own accounts."""
    found = read_file(BEANCOUNT.replace('""#"', '#"'))
    assert found.format == "beancount"
    rows = [(row.day, row.amount, row.raw, row.pending) for row in found.rows_of("Vermoegen:Giro")]
    assert rows == [
        (20240102, -2500, "Bäcker Brot; und #", False),
        (20240105, -5000, "buy", False),
        (20240106, 6000, "sell", False),
        (20240107, -9200, "abroad", False),
    ]
    (card,) = found.rows_of("Liabilities:Visa")
    assert (card.amount, card.raw, card.pending) == (
        -100010, "told over lines", False,
    )  # fmt: skip
    assert [(a.name, a.currency) for a in found.accounts if "Cash" in a.name] == [
        ("Vermoegen:Cash", "USD")
    ]
    assert found.rows[0].payee == "Bäcker"


@pytest.mark.parametrize(
    ("amount", "minor", "currency"),
    [
        ("$10", 1000, "USD"), ("-$10.5", -1050, "USD"), ("$-10.50", -1050, "USD"),
        ("$ 1,234,567.00", 123456700, "USD"), ("10.00 EUR", 1000, "EUR"), ("EUR 10.00", 1000, "EUR"),
        ("10,00 €", 1000, "EUR"), ("-€1.234,56", -123456, "EUR"), ("1 234,56 EUR", 123456, "EUR"),
        ("1.234.567 EUR", 123456700, "EUR"), ("1'234.50 CHF", 123450, "CHF"), (".5 EUR", 50, "EUR"),
        ("10. EUR", 1000, "EUR"), ('10.00 "EUR"', 1000, "EUR"), ("500 JPY", 500, "JPY"),
        ("1.2345 KWD", 1234, "KWD"), ("0.005 EUR", 0, "EUR"), ("+3.00 GBP", 300, "GBP"),
        ("£3.00 = £100.00", 300, "GBP"), ("3.00 GBP == 5.00 GBP", 300, "GBP"), ("1E2 EUR", 10000, "EUR"),
        ("3.00 GBP @ $1.25", 300, "GBP"), ("3.00 GBP @@ $3.75 = 9.00 GBP", 300, "GBP"),
        ("10.00 EUR {$1.10} [2024-01-01] (lot) @ $1.20", 1000, "EUR"), ("−3.00 GBP", -300, "GBP"),
    ],
)  # fmt: skip
def test_an_amount(read_file: ReadFile, amount: str, minor: int, currency: str) -> None:
    """Signs, commodities on either side, groups, prices, lots and assertions are understood."""
    journal = f"2024-01-02 x\n    assets:a  {amount}\n    assets:b  1.11 USD\n    income:c\n"
    found = read_file(journal)
    amounts = [(r.amount, a.currency) for a in found.accounts for r in found.rows_of(a.name)]
    assert amounts == ([(minor, currency)] if minor else []) + [(111, "USD")]


DIRECTIVES = {
    "decimal-mark ,": 100,
    "commodity 1,000.00 EUR": 100000,
    "commodity EUR\n  format 1.000,00 EUR": 100,
}
"""What a journal says of its numbers, and what 1,000 EUR is below it."""


def test_an_open_decimal_sign_is_asked_for(read_file: ReadFile) -> None:
    """1,000 may be one or a thousand: another amount, a directive or the person decides."""
    journal = "2024-01-02 x\n    assets:a  1,000 EUR\n    income:b\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(journal)
    (question,) = asked.value.questions
    assert (question.about, [each.value for each in question.choices]) == (
        "decimal_sign",
        [".", ","],
    )
    assert read_file(journal, decimal_sign=",").amounts == [100]
    assert read_file(journal, decimal_sign=".").amounts == [100000]
    for directive, amount in DIRECTIVES.items():
        assert read_file(f"{directive}\n\n{journal}").amounts == [amount]
    assert read_file(journal + "\n2024-01-03 y\n    assets:a  2.5 EUR\n    income:b\n").amounts == [
        100000, 250,
    ]  # fmt: skip


def test_a_shared_sign_is_asked_for(read_file: ReadFile) -> None:
    """A dollar sign is the household's dollar, and a question where there is none."""
    journal = "2024-01-02 x\n    assets:a  $1.00\n    income:b\n"
    assert read_file(journal, currency="CAD").accounts[0].currency == "CAD"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(journal, currency="EUR")
    assert [question.about for question in asked.value.questions] == ["currency"]


@pytest.mark.parametrize(
    ("journal", "words"),
    [
        ("include other.journal\n", "includes another file"),
        ("2024-01-02 x\n    assets:a  1 EUR\n    b\n\ninclude 2023.j\n", "includes another file"),
        ('include "2023.beancount"\n', "includes another file"),
        ("2024-01-02 x\n  assets:a  1 EUR\n  b\n\nalias /x/=y\n", "by a pattern"),
        ("2024-01-02 x\n    assets:a  \n    assets:b\n    c  1 EUR\n", "only one posting"),
        ("2024-02-30 x\n    assets:a  1 EUR\n    c\n", "needs a date"),
        ("02-03 x\n    assets:a  1 EUR\n    c\n", "needs a date"),
        ("2024-01-02 x\n    assets:a  (2 * 3 EUR)\n    c  1\n", "is not an amount"),
        ("2024-01-02 x\n    assets:a  1..2 EUR\n    c\n", "is not an amount"),
        ("2024-01-02 x\n    assets:a  99999999999999 EUR\n    c\n", "too large"),
        ("2024-01-02 x\n    expenses:a  1 EUR\n    income:c\n", "under assets or liabilities"),
        ("2024-01-02 x\n    assets:a  1 AAPL\n    income:c\n", "only investments"),
        (
            '2024-01-02 * "x"\n  Assets:A  1 USD\n  Income:C\n2024-13-02 * "y"\n',
            "not a possible date",
        ),
        ('2024-01-02 * "x"\n  Assets:A  1 USD\n  Income:C\n2024-01-03 * "y\n', "never closed"),
        ('2024-01-02 * "x"\n  Assets:B  1 ACME {}\n  Assets:A\n', "both are missing"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(read_file: ReadFile, journal: str, words: str) -> None:
    """The sentence says what is wrong, in which line, and what to do where something can be done."""
    with pytest.raises(UnreadableStatement, match=words):
        read_file(journal)


def test_a_default_account_balances(read_file: ReadFile) -> None:
    """Ledger's bucket takes what a transaction with one posting leaves open."""
    found = read_file("bucket assets:bank\n\n2024-01-02 x\n    expenses:a  1.00 EUR\n")
    assert [(a.name, found.amounts) for a in found.accounts] == [("assets:bank", [-100])]


BELOW_ASSETS = (
    "apply account assets\n\n2024-01-02 x\n    bank  1.00 EUR\n    c  -1.00 EUR\n\n"
    "end apply account\n\n2024-01-03 y\n    bank  2.00 EUR\n    assets:d  -2.00 EUR\n"
)


def test_accounts_below_another(read_file: ReadFile) -> None:
    """Within `apply account` the names stand below that account."""
    found = read_file(BELOW_ASSETS)
    assert [(a.name, r.amount) for a in found.accounts for r in found.rows_of(a.name)] == [
        ("assets:bank", 100), ("assets:c", -100), ("assets:d", -200),
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_change_nothing(read_file: ReadFile, ending: str) -> None:
    """A journal from another system reads the same."""
    for journal in (HLEDGER, BEANCOUNT.replace('""#"', '#"')):
        assert read_file(journal.replace("\n", ending)).money == read_file(journal).money


def test_hledger_reads_the_same(tmp_path: Path) -> None:
    """The program itself finds the same days, amounts and accounts in the journal."""
    program = judge_named("hledger")
    path = tmp_path / "all.journal"
    # It reads an alias only before its account is used, and asserts balances that are made up here.
    path.write_text(HLEDGER, encoding="utf-8")
    run = subprocess.run(
        [program, "-f", path, "print", "--ignore-assertions", "-O", "csv"],
        capture_output=True, check=True, env={"LANG": "C.UTF-8", "PATH": str(Path(program).parent)},
    )  # fmt: skip
    theirs = [
        (row["account"], Decimal(row["amount"].replace(",", ".")))
        for row in csv.DictReader(io.StringIO(run.stdout.decode()))
        if row["account"].startswith(("assets", "liabilities", "spaarpot"))
        and row["commodity"] != "AAPL"
        and row["description"] not in ("opening", "assertion only")
    ]
    found = read_path(path)
    ours = [
        (account.name, Decimal(to_text(row.amount, account.currency)))
        for account in found.accounts
        for row in found.rows_of(account.name)
    ]
    assert sorted(ours) == sorted((name, round(amount, 2)) for name, amount in theirs)


@pytest.mark.skipif(
    not (SAMPLES / "index.tsv").exists(), reason=f"the samples are not in {SAMPLES}"
)
def test_another_importers_journals(tmp_path: Path) -> None:
    """Journals that another importer made are read to the amounts that it notes beside them."""
    files = sorted(SAMPLES.glob("*/_golden/**/import_results.beancount"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        noted = text.count('"source_account": "Assets:') + text.count('"source_account": "Liabil')
        try:
            found = read_path(file)
        except UnreadableStatement as refusal:
            sentence, rows = str(refusal), 0
        else:
            sentence, rows = "", len(found.rows)
        refused = any(words in sentence for words in ("both are missing", "only investments"))
        assert rows >= noted or refused, (file, sentence)


PIECES = [
    "2024-01-02", "2024/1/2", "01-05", " * ", " ! ", "(code)", ' "payee"', ' "', "narration", "|", ";",
    "\n", "\n    ", "\n  ", "assets:a", "Assets:A", "expenses:b", "Liabilities:C", "  ", "\t", "10.00",
    "1,000", "$", "EUR", " EUR", "-", "@", "@@", "{", "}", "{{", "=", "==", "(", ")", "[2024-01-03]",
    "Y2024", "D $1,000.00", "commodity ", "account ", "include x.journal", "apply account ", "end ",
    "alias a=b", "option ", 'option "name_assets" "X"', "open ", "txn", "date:", "type: C", "comment",
    "finplan-id: ", '"acc_1"', "finplan-text: ", "A a", "decimal-mark ,", "99999999999999", "١", "\0",
    "9" * 60, "*", "=", "~ monthly", "\r", "pushtag #x", "1E5", "1E999", "\ufeff", "\x85", "\u2028",
]  # fmt: skip
contents = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
beginnings = st.sampled_from(
    ["", HLEDGER, BEANCOUNT, "2024-01-02 x\n    a  1 EUR\n", '2024-01-02 * "x"\n  Assets:A  1 USD\n']
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("journals")


@given(beginning=beginnings, content=contents, where=st.integers(0, 2000))
def test_only_two_refusals_exist(folder: Path, beginning: str, content: str, where: int) -> None:
    """Whatever stands in a journal, it is read or refused in a sentence."""
    sentence = "Everything is read."
    try:
        read_content(folder / "any", beginning[:where] + content + beginning[where:])
    except (UnreadableStatement, AmbiguousStatement) as refusal:
        sentence = str(refusal)
    assert sentence.endswith((".", "”", "?"))
    assert "\n" not in sentence


entries = st.lists(
    st.tuples(
        st.dates(date(1990, 1, 1), date(2049, 12, 31)),
        st.integers(-(10**9), 10**9).filter(bool),
        st.sampled_from(["USD", "EUR", "JPY", "KWD"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=10,
)


@given(written=entries, beancount=st.booleans())
def test_a_plain_journal_is_read_to_its_rows(
    folder: Path, written: list[tuple[date, int, str, bool]], beancount: bool
) -> None:
    """Whether the own account or the other one has its amount left out, its row is the same."""
    text = ""
    for day, amount, currency, elided in written:
        printed = f"{to_text(-amount, currency)} {currency}"
        own = "" if elided else f"{to_text(amount, currency)} {currency}"
        text += f'{day} * "x" "y"\n  Assets:A  {own}\n  Income:B  {printed}\n\n'
    if not beancount:
        text = "decimal-mark .\n" + text.replace('"x" "y"', "x").replace("A", "a").replace("I", "i")
    found = read_content(folder / "plain", text, Hints(household="USD"))
    assert found.format == ("beancount" if beancount else "hledger")
    ours = [
        (row.day, row.amount, part.account.currency) for part in found.parts for row in part.rows
    ]
    assert sorted(ours) == sorted(
        (int(day.strftime("%Y%m%d")), amount, currency) for day, amount, currency, _ in written
    )
