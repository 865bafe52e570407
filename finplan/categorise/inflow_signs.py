"""What kind of money in a payee sends, by its words: pay, a pension, a benefit, a payout, a windfall.

The words are those that categorise: `sign` in `curated.toml` and in the purposes of `descriptor.toml`.
No rhythm and no rule of the person's says it: two years of equal credits do not make a reward pay.
"""

from collections import Counter
from collections.abc import Iterable

from finplan.categorise.curated import InflowSign
from finplan.categorise.decide import APPLIES_FROM
from finplan.categorise.matching import match


def inflow_sign(key: str, texts: Iterable[str]) -> InflowSign | None:
    """The kind of money in that most texts of a payee's inflows say, of equals the first's.

    `texts` stand newest first. A text that says nothing is no evidence: employers often leave "salary"
    out.
    """
    signs = Counter(sign for text in texts if (sign := _sign_of(key, text)) is not None)
    return max(signs, key=signs.__getitem__, default=None)


def _sign_of(key: str, text: str) -> InflowSign | None:
    said = match(key, text, "in")
    return None if said is None or said.ask or said.confidence < APPLIES_FROM else said.sign
