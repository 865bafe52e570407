"""Doubts: what a person is asked about is what could be a transfer, and nothing else."""

from datetime import date, timedelta
from random import Random

from finplan.plan.pairing.transfers import find_doubtful_pairs, find_pairs, within_fee_of_another
from tests.plan.own_accounts import ACCOUNTS, CARD, CHECKING, JOINT, SAVINGS, SECOND, Statement


def _doubts(rows: Statement, **given: object) -> list[tuple[int, int, str]]:
    """The doubts about what is not paired, by the rows' numbers."""
    paired = {number for pair in find_pairs(rows.legs, ACCOUNTS, **given) for number in pair[:2]}  # type: ignore[arg-type]
    alone = [leg for leg in rows.legs if leg.number not in paired]
    return [
        (doubt.out.number, doubt.into.number, doubt.reason)
        for doubt in find_doubtful_pairs(alone, ACCOUNTS, **given)  # type: ignore[arg-type]
    ]


def test_equal_rivals_are_all_named() -> None:
    """Two departures fit one arrival: the person is shown both pairs."""
    rows = Statement()
    first = rows.row(CHECKING, "2025-03-03", -300_00, "TRANSFER OUT")
    second = rows.row(JOINT, "2025-03-03", -300_00, "TRANSFER OUT")
    into = rows.row(SAVINGS, "2025-03-04", 300_00, "TRANSFER IN")

    assert sorted(_doubts(rows)) == [(first, into, "rivals"), (second, into, "rivals")]


def test_a_wordless_pair_is_named_only_if_no_other_fits() -> None:
    """Equal amounts without a word are a question once, and noise where there are several."""
    rows = Statement()
    out = rows.row(CHECKING, "2025-03-03", -730_00, "REF 88123 LM")
    into = rows.row(JOINT, "2025-03-04", 730_00, "77 QX")
    for day in ("2025-05-03", "2025-05-04"):
        rows.row(CHECKING, day, -50_00, "REF 5")
        rows.row(JOINT, day, 50_00, "QX 5")

    assert _doubts(rows) == [(out, into, "wordless")]


def test_what_comes_again_is_named_though_others_fit() -> None:
    """Three equal pairs of two payees are a question each, the nearest rows of them; two are none."""
    rows = Statement()
    expected = []
    for month in range(1, 4):
        day = f"2025-0{month}-03"
        out = rows.row(CHECKING, day, -900_00, "T ASHWORTH FT", payee=1)
        into = rows.row(JOINT, day, 900_00, "77 QX", payee=2)
        rows.row(SECOND, f"2025-0{month}-05", 900_00, f"OTHER {month}", payee=2 + month)
        expected.append((out, into, "repeated"))
        assert sorted(_doubts(rows)) == (expected if month == 3 else [])


def test_a_fee_is_a_question_where_several_fit() -> None:
    """Two arrivals may be what is left of one departure."""
    rows = Statement()
    out = rows.row(CHECKING, "2025-03-03", -1000_00, "WIRE TRANSFER OUT")
    first = rows.row(SAVINGS, "2025-03-04", 990_00, "WIRE TRANSFER IN")
    second = rows.row(SECOND, "2025-03-04", 985_00, "WIRE TRANSFER IN")

    assert sorted(_doubts(rows)) == [(out, first, "fee"), (out, second, "fee")]


def test_a_purchase_and_a_friends_share_are_no_question() -> None:
    """What is ruled out for finding pairs is ruled out for asking too."""
    rows = Statement()
    rows.row(CARD, "2025-03-03", -42_00, "RISTORANTE DA MARIO")
    rows.row(CHECKING, "2025-03-04", 42_00, "ZELLE FROM JOHN SMITH")
    rows.row(CHECKING, "2025-04-03", -42_00, "CORNER GROCER", "groceries")
    rows.row(JOINT, "2025-04-04", 42_00, "REF 4")

    assert _doubts(rows) == []


def test_a_rejected_pair_is_no_question() -> None:
    """The person has said so already."""
    rows = Statement()
    out = rows.row(CHECKING, "2025-03-03", -730_00, "REF 88123 LM")
    into = rows.row(JOINT, "2025-03-04", 730_00, "77 QX")

    assert _doubts(rows, rejected={(out, into)}) == []


def test_rows_near_enough_for_a_fee_are_found_without_their_texts() -> None:
    """Exactly those rows that lie within days and a fee of one on another account, at any scale."""
    dice = Random(7)
    start = date(2024, 12, 20)
    rows = []
    for number in range(1, 600):
        when = start + timedelta(dice.randrange(40))
        amount = dice.randrange(100_00, 140_00) * dice.choice((1, -1))
        rows.append((number, dice.randrange(3), int(f"{when:%Y%m%d}"), amount))

    def ordinal(day: int) -> int:
        return date(day // 10000, day // 100 % 100, day % 100).toordinal()

    expected = {
        number
        for out in rows
        for into in rows
        if out[3] < 0 < into[3]
        and out[1] != into[1]
        and -1 <= ordinal(into[2]) - ordinal(out[2]) <= 4
        and 0 < -out[3] - into[3] <= max(-0.03 * out[3], min(-0.15 * out[3], 50_00))
        for number in (out[0], into[0])
    }
    assert expected
    assert within_fee_of_another(rows, dict.fromkeys(range(3), "USD")) == expected
