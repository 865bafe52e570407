"""Sentences put together of pieces whose meaning is known: in whatever order, each keeps its own."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from finplan.questions.question import SpokenQuestion
from finplan.questions.reading import read_question
from tests.questions.test_questions import KNOWN, TODAY

LEADS = (
    *("", "how much did i spend", "what have we spent", "show me", "total", "what was my spending"),
    *("can you tell me how much i spent", "spending", "hey um how much did we pay"),
)
CATEGORIES = {
    "on groceries": "groceries",
    "for eating out": "dining",
    "on vacations": "travel",
    "for the vet": "pets",
    "cash withdrawals": "cash",
    "on food shopping": "groceries",
    "on clothes": "shopping",
    "for meds": "health",
}
MERCHANTS = {
    "at amazon": "Amazon",
    "at Costco": "Costco",
    "at trader joes": "Trader Joe's",
    "at h and m": "H&M",
    "at the target": "Target",
}
PERIODS = {
    "last month": ("2026-10-01", "2026-10-31"),
    "in march": ("2026-03-01", "2026-03-31"),
    "in 2025": ("2025-01-01", "2025-12-31"),
    "since june": ("2026-06-01", "2026-11-23"),
    "over the last 3 months": ("2026-08-01", "2026-10-31"),
    "from april to may": ("2026-04-01", "2026-05-31"),
    "since christmas": ("2025-12-25", "2026-11-23"),
    "last weekend": ("2026-11-21", "2026-11-22"),
    "on 24.12.2025": ("2025-12-24", "2025-12-24"),
    "in the first half of 2026": ("2026-01-01", "2026-06-30"),
}
MANNERS = {
    "": ("sum", None, None),
    "on average a month": ("mean", "month", None),
    "average per week": ("mean", "week", None),
    "by month": ("sum", None, "month"),
    "split by merchant": ("sum", None, "merchant"),
    "over $50": ("size", 5001, None),
    "under 20 dollars": ("size", None, 1999),
}


@st.composite
def composed(draw: st.DrawFn) -> tuple[str, tuple[object, ...]]:
    """A sentence and what it means."""
    category = draw(st.sampled_from([None, *CATEGORIES]))
    merchant = draw(st.sampled_from([None, *MERCHANTS]))
    period, manner = draw(st.sampled_from([*PERIODS])), draw(st.sampled_from([*MANNERS]))
    lead = draw(st.sampled_from(LEADS if category or merchant else LEADS[1:3]))
    pieces = [each for each in (category, merchant, period, manner) if each]
    sentence = " ".join((lead, *draw(st.permutations(pieces)))).strip()
    sentence = draw(st.sampled_from([sentence, sentence.upper(), f"{sentence}?", f" {sentence} !"]))
    return sentence, (
        (CATEGORIES[category],) if category else (),
        (MERCHANTS[merchant],) if merchant else (),
        PERIODS[period],
        MANNERS[manner],
    )


@given(composed())
def test_each_piece_keeps_its_meaning(asked: tuple[str, tuple[object, ...]]) -> None:
    """Names, days and the manner are read from anywhere in a sentence, and nothing else is added."""
    sentence, meant = asked
    question = read_question(sentence, KNOWN, TODAY)
    assert isinstance(question, SpokenQuestion)
    manner: tuple[object, ...] = ("sum", None, question.group_by)
    if question.measure is not None:
        manner = (question.measure.kind, question.measure.unit, question.group_by)
    elif question.size is not None:
        manner = ("size", question.size.least, question.size.most)
    assert meant == (
        tuple(each.value for each in question.categories),
        tuple(each.value for each in question.merchants),
        tuple(each.isoformat() for each in question.days if isinstance(each, date)),
        manner,
    )
    assert question.subject == "spending"
