"""The steps of a running balance: from one row's balance to the next, each by that row's amount."""

from itertools import pairwise
from operator import neg, sub

BOTH = (1, -1)
"""The directions in which rows may follow each other: later ones below, or above."""

LEAST_STEPS = 3
"""Of how many steps at least a running balance is a proof."""

_PROOF = 0.95
"""Which share of the steps the amounts have to explain in a proof."""


def is_proof(explained: int, steps: int) -> bool:
    """Say whether so many steps that are explained, of all, prove how a table is read."""
    return explained >= max(LEAST_STEPS, _PROOF * steps)


def signs_of_steps(amounts: list[int], balances: list[int], direction: int) -> list[int]:
    """Say which way the balance moves by each row's amount: 1 up, -1 down, 0 where nothing shows it.

    The oldest row has no balance before it, so nothing shows the way of that one.
    """
    moved = [later - earlier for earlier, later in pairwise(balances)]
    steps = [0, *moved] if direction > 0 else [*map(neg, moved), 0]
    return [
        (step > 0) - (step < 0) if abs(step) == abs(amount) else 0
        for step, amount in zip(steps, amounts, strict=True)
    ]


def steps_explained(amounts: list[int], balances: list[int], direction: int) -> tuple[int, int]:
    """Count the balance's steps that the rows' amounts explain, and all steps; zeros prove nothing."""
    if not balances:
        return 0, 0
    moved = map(sub, balances[1:], balances)
    expected = amounts[1:] if direction > 0 else list(map(neg, amounts[:-1]))
    explained = [amount for step, amount in zip(moved, expected, strict=True) if step == amount]
    return sum(map(bool, explained)), sum(map(bool, expected))


def explained_steps(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that amounts explain, from above or from below, where most are."""
    if len(amounts) != len(balances):
        return 0
    counted = [steps_explained(amounts, balances, direction) for direction in BOTH]
    return max(explained if 2 * explained > steps else 0 for explained, steps in counted)


def explained_sizes(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that are as large as amounts, whichever way these go.

    From above or from below, where they prove which column has the amounts, else 0.
    """
    counted = _moved_sizes(amounts, balances)
    return max((each for each, steps in counted if is_proof(each, steps)), default=0)


def sizes_moved(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that are as large as amounts, be they a proof or not."""
    return max((explained for explained, _ in _moved_sizes(amounts, balances)), default=0)


def _moved_sizes(amounts: list[int], balances: list[int]) -> list[tuple[int, int]]:
    """The steps as large as amounts, and all steps, from above and from below."""
    if len(amounts) != len(balances):
        return []
    sizes = list(map(abs, amounts))
    steps = [abs(later - earlier) for earlier, later in pairwise(balances)]
    counted = []
    for expected in (sizes[1:], sizes[:-1]):
        moved = [(step, size) for step, size in zip(steps, expected, strict=True) if size or step]
        counted.append((sum(step == size for step, size in moved), len(moved)))
    return counted
