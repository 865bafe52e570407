"""What evidence of an account's kind adds up to: a kind that is certain enough, or a question.

Each piece of evidence has points: SURE for what the file says itself and for a bank's own columns,
LIKELY for what hardly stands in files of other kinds, HINT for what only leans to one. A kind is
concluded when it has at least LIKELY points more than every other kind. Checking and savings accounts
are one kind in this, since much speaks for both alike; between them the larger number decides. Where it
is even, what names and columns say goes before what single rows do, and checking before savings.
"""

from collections.abc import Iterable
from typing import NamedTuple

from finplan.model.account import KindWord
from finplan.statements.statement import KindClue

SURE, LIKELY, HINT = 4, 2, 1

KINDS: tuple[KindWord, ...] = ("checking", "savings", "credit", "loan", "investment")
"""The kinds that a person is asked about, in the order of how many accounts are of them."""

DEPOSITORY: tuple[KindWord, ...] = ("checking", "savings")


class KindFinding(NamedTuple):
    """The kind that is concluded, None where it has to be asked; all kinds, the likeliest first; why.

    `reasons` are the clauses that speak for the likeliest kind, the strongest first.
    """

    kind: KindWord | None
    likeliest: tuple[KindWord, ...]
    reasons: tuple[str, ...]


def conclude(clues: Iterable[KindClue]) -> KindFinding:
    """Weigh all evidence of one account's kind; what is said twice counts once."""
    distinct = sorted(dict.fromkeys(clues), key=lambda clue: -clue.points)
    points = {kind: sum(each.points for each in distinct if kind in each.kinds) for kind in KINDS}
    said = {
        kind: sum(each.points for each in distinct if kind in each.kinds and not each.by_direction)
        for kind in DEPOSITORY
    }
    ranked = tuple(sorted(KINDS, key=lambda kind: (-points[kind], -said.get(kind, 0))))
    best = ranked[0]
    rivals = [kind for kind in KINDS if not _is_one_kind(kind, best)]
    lead = points[best] - max(points[kind] for kind in rivals)
    reasons = tuple(dict.fromkeys(each.why for each in distinct if best in each.kinds))
    return KindFinding(best if lead >= LIKELY else None, ranked, reasons)


def _is_one_kind(kind: KindWord, other: KindWord) -> bool:
    return kind == other or (kind in DEPOSITORY and other in DEPOSITORY)
