"""Periods in words: each means the same days for everybody, and what is unclear is refused in words."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from finplan.periods.grammar import SpokenPeriod, UnclearPeriod
from finplan.periods.reading import LONGEST_TEXT, asks_for_paydays, read_period
from tests.says import says

DAYS = (date(2026, 4, 30), date(2027, 1, 1), date(2028, 2, 29))
LEAP_DAY = DAYS[2]
PAYDAYS = [date(y, m, d) for y in range(2025, 2029) for m in range(1, 13) for d in (1, 15)]
LINES = (Path(__file__).parent / "phrases.txt").read_text("utf-8").splitlines()
PHRASES = [line.split(" | ") for line in LINES if not line.startswith("#")]
WORDS = st.sampled_from(
    (
        *("last", "this", "next", "first", "week", "month", "year", "quarter", "half", "days", "3"),
        *("90", "march", "may", "2026", "2026-03", "q2", "since", "from", "to", "..", "until", "a"),
        *("before", "after", "friday", "pay", "period", "payday", "ago", "ytd", "29", "february"),
        *("so", "far", "of", "the", "-", "w53"),
    )
)


def shown(period: SpokenPeriod) -> str:
    """A period as the table writes it."""
    if period.since is None:
        return "all" if period.until is None else f"..{period.until}"
    whole = f"{period.since}..{period.until}"
    return f"{period.since}" if period.since == period.until else whole


@pytest.mark.parametrize(("phrase", "meant"), [(each[0], each[1:]) for each in PHRASES])
def test_a_phrase_means_its_days(phrase: str, meant: list[str]) -> None:
    """On a month's last day, a year's first and a leap day, also with the case and spaces of a shout."""
    found = [shown(read_period(phrase, today, PAYDAYS)) for today in DAYS]
    assert found == (meant if len(meant) > 1 else meant * 3)
    shouted = f"  {phrase.upper().replace(' ', '  ')} "
    assert [shown(read_period(shouted, today, PAYDAYS)) for today in DAYS] == found


def test_the_table_is_long() -> None:
    """At least 150 phrases are held to their days, none of them twice."""
    assert len({each[0] for each in PHRASES}) == len(PHRASES) >= 150


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("march", "2027-03-01 to 2027-03-31, the latest March"),
        ("29 february", "2028-02-29, the latest 29 February"),
        ("q2", "2027-04-01 to 2027-06-30, the latest Q2"),
        ("h2", "2027-07-01 to 2027-12-31, the latest H2"),
        ("week 12", "2027-03-22 to 2027-03-28, the latest week 12"),
        (
            "from november to february",
            "2027-11-01 to 2028-02-29, the latest February",
        ),
        ("since june", "2027-06-01 to 2028-02-29, the latest June"),
        ("march to 2028-01", "2027-03-01 to 2028-01-31, the latest March"),
        ("march to may 2020", "2020-03-01 to 2020-05-31"),
        ("november to march 2031", "2030-11-01 to 2031-03-31"),
        ("friday to 2027-06-30", "2027-06-25 to 2027-06-30"),
        ("before june", "all days until 2027-05-31, the latest June"),
        ("friday", "2028-02-25, the latest Friday"),
        ("last 3 months", "2027-11-01 to 2028-01-31, the full months before this one"),
        ("a week ago", "2028-02-21 to 2028-02-27, the full week"),
        ("last 1 month", "2028-01-01 to 2028-01-31"),
        ("last month", "2028-01-01 to 2028-01-31"),
        ("last 2 halves", "2027-01-01 to 2027-12-31, the full halves before this one"),
        ("3 days ago", "2028-02-26"),
        ("since 3 months ago", "2027-11-01 to 2028-02-29"),
        ("until 2 weeks ago", "all days until 2028-02-20"),
        ("after the last 3 weeks", "2028-02-28 to 2028-02-29"),
        ("before a month ago", "all days until 2027-12-31"),
        ("last 3 months to today", "2027-11-01 to 2028-02-29"),
        ("from 2 years ago to last year", "2026-01-01 to 2027-12-31"),
        ("3 months ago to friday", "2027-11-01 to 2028-02-25, the latest Friday"),
        ("all", "all days"),
    ],
)
def test_what_was_taken_of_several_is_told(phrase: str, told: str) -> None:
    """The days are told, and where a text could mean others, which ones were taken."""
    assert read_period(phrase, LEAP_DAY, PAYDAYS).told == told


@pytest.mark.parametrize(
    ("missed", "meant"),
    [
        ("last moth", "'last month'"),
        ("lst mnth", "'last month'"),
        ("last mnths", "'last month'"),
        ("lastmonth", "'last month'"),
        ("this yaer", "'this year'"),
        ("yesteday", "'yesterday'"),
        ("janury", "'january'"),
        ("sicne june", "'since june'"),
        ("from mrch to may", "'from march to may'"),
        ("lats 90 dyas", "'last 90 days'"),
        ("this quater", "'this quarter'"),
        ("previus week", "'previous week'"),
        ("this pay periud", "'this pay period'"),
        ("month", "'this month'"),
        ("last year month", "'last month'"),
    ],
)
def test_a_near_miss_is_told_what_it_misses(missed: str, meant: str) -> None:
    """A misspelled period is refused, never guessed, and what is spelled nearly so is named first."""
    with pytest.raises(UnclearPeriod) as refused:
        read_period(missed, LEAP_DAY)
    assert says(str(refused.value), f"period {missed!r}.", f"Did you mean {meant}")


@pytest.mark.parametrize(
    ("unclear", "told"),
    [
        ("fiscal year 2026", "Fiscal years differ by country. Write the days"),
        ("FY26", "Fiscal year"),
        ("the last tax year", "Fiscal year"),
        ("christmas", "holidays"),
        ("since easter", "holidays"),
        ("last summer", "like `june to august`."),
        ("past year", "Write `last year` or `last 90 days`."),
        ("in the past month", "the previous month, or the days until today"),
        ("last day", "Write `yesterday` or `today`."),
        ("half a year", "Write `last half` or `last 6 months`."),
        ("last fortnight", "`last 2 weeks` or `last 14 days`"),
        ("last few months", "like `last 3 months`."),
        ("a couple of weeks", "how many weeks"),
        ("letzten Monat", "in English: `last month`."),
        ("im vergangenen Jahr", "`last year`."),
        ("le mois dernier", "`last month`."),
        ("cette année", "`this year`."),
        ("l'an dernier", "`last year`."),
        ("la semana pasada", "`last week`."),
        ("quest'anno", "`this year`."),
        ("dit kwartaal", "`this quarter`."),
        ("gestern", "`yesterday`."),
        (
            "march and may",
            "two periods, or all days from one to the other. Write `from march to may`",
        ),
        ("from 2025 and 2026", "two periods, or all days"),
        ("03/04/2026", "Write YYYY-MM-DD"),
        ("3.4.2026", "not clear"),
        ("2026-13", "'2026-13' is not a date in the calendar."),
        ("2026-02-30", "not a date in the calendar"),
        ("0000", "not a date in the calendar"),
        ("30 february", "not a date in the calendar"),
        ("2026-w53 to 2027-w53", "not a date in the calendar"),
        ("last 9999 years", "not a date in the calendar"),
        ("after 9999", "not a date in the calendar"),
        ("before 0001", "not a date in the calendar"),
        ("last 0 days", "at least one day"),
        ("h3", "two halves"),
        ("2026-h4", "two halves"),
        ("2026-05..2026-03", "2026-05-01, after its end on 2026-03-31."),
        ("today to yesterday", "after its end on 2028-02-28"),
        ("today - 30 days", "30 days from the first day, or the days until today."),
        ("march to 90d", "`last 90d`"),
        ("since tomorrow", "2028-03-01, after today (2028-02-29)."),
        ("2029..", "after today"),
        ("after this month", "after today"),
        ("pay period", "found no regular pay"),
        ("since payday", "`finplan recurring`"),
        ("", "Write it like `last month`, `2026-Q3`, `march`"),
        ("26", "Write it like"),
        ("🤷", "Write it like"),
        ("x" * (LONGEST_TEXT + 1), "at most 100 characters"),
    ],
)
def test_what_is_unclear_is_refused_in_words(unclear: str, told: str) -> None:
    """What could mean several things, or nothing, is told what to write instead."""
    with pytest.raises(UnclearPeriod) as refused:
        read_period(unclear, LEAP_DAY)
    assert told in str(refused.value)


def test_a_text_of_exactly_the_longest_is_read() -> None:
    """Of a hundred characters a period is read, whatever of them are spaces."""
    assert LONGEST_TEXT == 100
    assert shown(read_period("last month".ljust(LONGEST_TEXT), LEAP_DAY)) == shown(
        read_period("last month", LEAP_DAY)
    )


def test_a_pay_period_has_two_known_ends() -> None:
    """What is not known of the days of pay is said: the pay before the last one, and the next."""
    past = (date(2028, 2, 1), date(2028, 2, 15))
    for phrase in ("this pay period", "next payday"):
        with pytest.raises(UnclearPeriod, match="next payday"):
            read_period(phrase, LEAP_DAY, past)
    with pytest.raises(UnclearPeriod, match="before 2028-02-15"):
        read_period("last pay period", LEAP_DAY, past[1:])
    assert read_period("last pay period", LEAP_DAY, past).until == date(2028, 2, 14)


def test_the_day_of_pay_begins_a_period() -> None:
    """On payday the new period has begun, whatever order the days are told in."""
    days = (date(2028, 3, 15), LEAP_DAY, date(2028, 2, 14))
    assert read_period("this pay period", LEAP_DAY, days)[:2] == (LEAP_DAY, date(2028, 3, 14))
    assert read_period("last pay period", LEAP_DAY, days)[:2] == (days[2], date(2028, 2, 28))


def test_only_pay_asks_for_its_days() -> None:
    """Nobody looks for paydays where the text does not speak of them."""
    asks = {each[0] for each in PHRASES if asks_for_paydays(each[0])}
    assert asks == {each[0] for each in PHRASES if "pay" in each[0]}


def refusal_of(text: str, today: date, paydays: list[date]) -> str:
    """What is said of a text that is unclear; of any other nothing, and its days are in order."""
    try:
        found = read_period(text, today, paydays)
    except UnclearPeriod as refusal:
        return str(refusal)
    assert found.since is None or found.until is None or found.since <= found.until
    return ""


@given(words=st.lists(WORDS, max_size=7), today=st.dates(date(1990, 1, 1), date(2100, 12, 31)))
def test_words_in_any_order_mean_days_or_nothing(words: list[str], today: date) -> None:
    """Whatever is said is days from a first to a last one, or a sentence; a suggestion can be read."""
    paydays = [today + timedelta(days) for days in (-14, 0, 14)]
    said = refusal_of(" ".join(words), today, paydays)
    assert said == "" or said.endswith((".", "?"))
    near = said.partition("Did you mean ")[2].rstrip("?").split(" or ")
    assert [refusal_of(each.strip("'"), today, paydays) for each in near if each] == [""] * len(
        list(filter(None, near))
    )


@given(text=st.text(max_size=LONGEST_TEXT))
def test_any_text_is_days_or_a_sentence(text: str) -> None:
    """No text makes anything but days or a refusal, in one line."""
    assert "\n" not in refusal_of(text, LEAP_DAY, [])
