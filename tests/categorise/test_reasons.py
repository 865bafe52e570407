"""A row's reason quotes only words that stand in that row."""

import re
from collections import defaultdict

import pytest

from benchmarks.quality.world.household import household
from finplan.categorise.decide import PayeeFacts, decide, reason_for
from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

_QUOTED = re.compile(r"(?:words?|says) '([^']+)'")
_OTHERS = "By what other rows of this payee say"


@pytest.mark.parametrize(
    ("text", "raw", "said"),
    [
        ("Matches the words 'net pay'", "ACME NET PAY", "Matches the words 'net pay'"),
        ("Matches the words 'net pay'", "ACME PAY NET", _OTHERS),
        ("Money back. Matches the words 'cafe'", "ACME", f"Money back. {_OTHERS}"),
        (
            "Venmo pays people. The note says 'rent'",
            "RENT",
            "Venmo pays people. The note says 'rent'",
        ),
        (
            "Not sure enough. The word 'cafe' in its name speaks for dining",
            "X",
            f"Not sure enough. {_OTHERS}",
        ),
        (
            "Like O'Brien's, which you filed under pets",
            "X",
            "Like O'Brien's, which you filed under pets",
        ),
        ("Known merchant: groceries", "X", "Known merchant: groceries"),
    ],
)
def test_what_a_row_does_not_say_is_not_quoted(text: str, raw: str, said: str) -> None:
    """Words are quoted where the row has them one after the other; else other rows are named."""
    assert reason_for(text, raw) == said


@pytest.mark.thorough
@pytest.mark.parametrize(
    "seeds",
    [range(9_000, 9_020), range(9_020, 9_200)],
    ids=["some", "many"],
)
def test_no_row_of_a_household_is_explained_by_words_of_another(seeds: range) -> None:
    """Whichever row a payee was judged by, each row's reason quotes what that row says."""
    quoted = told_otherwise = 0
    keys: dict[str, str] = {}
    for seed in seeds:
        texts: dict[str, set[str]] = defaultdict(set)
        for row in household(seed, "noisy").rows:
            raw = without_long_numbers(row.raw)
            if raw not in keys:
                keys[raw] = payee_of(raw).key
            texts[keys[raw]].add(raw)
        for key, raws in texts.items():
            judged_by = max(raws, key=len)
            for debits in (0, 1):
                facts = PayeeFacts(key, key, judged_by, debits=debits, credits=1 - debits)
                text = decide(facts).text
                for raw in raws:
                    reason = reason_for(text, raw)
                    told_otherwise += _OTHERS in reason
                    for phrase in _QUOTED.findall(reason):
                        quoted += 1
                        assert f" {phrase} " in f" {' '.join(tokens_of(raw))} ", (reason, raw)
    assert quoted > 50 * len(seeds)
    assert told_otherwise > len(seeds)
