"""`python -m benchmarks.inference`: how often what is inferred is right, and how long it takes.

A person has answered a random half of the labelled payees, each with its label; the others are judged
by the shipped data and what these answers taught. Counted are payees that no shipped rule files, since
only those are inferred; `--all` counts the others too, as if no rule filed them. The
tuning part may be looked at as often as one likes; `--report` is for a figure that is reported, once.

What habits are worth is measured on persons whose payees lean to some categories: each has answered
some, and the others are guessed with and without what the answers say of usual kinds of shops.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from time import perf_counter
from typing import NamedTuple

from benchmarks.descriptors import CITIES, FIRST_WORDS, SECOND_WORDS
from benchmarks.quality.payee_table.rows import Part, read_rows
from finplan.categorise.decide import APPLIES_FROM, SUGGESTS_FROM, Knowledge, PayeeFacts, decide
from finplan.categorise.infer import AUTO_FROM, CategoryModel, LabelledPayee, train
from finplan.categorise.matching import match
from finplan.categorise.payee import payee_of

BANDS = (0.0, 0.3, 0.5, 0.7, 0.9, AUTO_FROM, 1.0)
SEEDS = range(20)
PAYEES = 4_000
RULES = 400
TARGET_SECONDS = 1.0

PERSONS = 100
ANSWERED = (5, 12, 30, 60)
ASKED = 30
LEANS = {"none": None, "some": 10.0, "strong": 4.0}
"""How far a person's shares of categories are from the table's: the less the number, the further."""


class Labelled(NamedTuple):
    """A payee as its first labelled descriptor shows it; `filed` tells that a shipped rule files it."""

    key: str
    name: str
    category: str
    filed: bool
    asked: bool


class Judged(NamedTuple):
    """One guess: how sure it was, None without one, and whether it was right."""

    confidence: float | None
    right: bool


def labelled_payees(*parts: Part) -> list[Labelled]:
    """The payees of some parts that money goes to and whose category can be known, each key once.

    Card payments are left out: they are told by their pair, not by their name.
    """
    payees: dict[str, Labelled] = {}
    for row in (row for part in parts for row in read_rows(part)):
        if row.direction != "out" or row.category in (None, "card_payment"):
            continue
        payee = payee_of(row.descriptor, row.name)
        said = match(payee.key, row.descriptor, "out")
        asked = said is not None and said.ask
        filed = said is not None and not asked and said.confidence >= APPLIES_FROM
        assert row.category is not None
        payees.setdefault(payee.key, Labelled(payee.key, payee.name, row.category, filed, asked))
    return list(payees.values())


def judge(payees: Sequence[Labelled], *, everything: bool) -> Iterator[Judged]:
    """Guess one half from the other, for each seed; marketplaces and rails are in neither half."""
    asked = [payee for payee in payees if not payee.asked]
    for seed in SEEDS:
        shuffled = list(asked)
        Random(seed).shuffle(shuffled)
        half = len(shuffled) // 2
        lessons = train("out", (LabelledPayee(*payee[:3]) for payee in shuffled[:half]))
        for payee in shuffled[half:]:
            if payee.filed and not everything:
                continue
            yield _judged(lessons, payee)


def calibration(judged: Sequence[Judged]) -> list[str]:
    """A line for each band of confidence: guesses per seed, the share that is right, the mean stated."""
    bands: dict[float, list[Judged]] = defaultdict(list)
    for each in judged:
        if each.confidence is not None:
            bands[max(band for band in BANDS if band <= each.confidence)].append(each)
    lines = [f"{'confidence':<14}{'guesses':>9}{'right':>8}{'stated':>8}"]
    for low, high in pairwise(BANDS):
        if found := bands[low]:
            right = sum(each.right for each in found) / len(found)
            stated = sum(each.confidence or 0.0 for each in found) / len(found)
            name = f"{low:.2f} to {high:.2f}"
            lines.append(f"{name:<14}{len(found) / len(SEEDS):>9.1f}{right:>8.2f}{stated:>8.2f}")
    return lines


def summary(judged: Sequence[Judged]) -> list[str]:
    """Accuracy and coverage: of all, of those at 0.9 and more, and of those filed by themselves."""
    total = len(judged)
    lines = [f"{total / len(SEEDS):.1f} payees per seed, {len(SEEDS)} seeds"]
    for what, least in (("best guess", 0.0), ("at 0.90", 0.9), ("filed by itself", AUTO_FROM)):
        found = [
            each for each in judged if each.confidence is not None and each.confidence >= least
        ]
        right = sum(each.right for each in found)
        share = f"{right / len(found):.3f} right" if found else "none"
        lines.append(f"{what:<16}{share}, {len(found) / max(1, total):.0%} of them")
    return lines


def person(
    dice: Random, payees: Sequence[Labelled], lean: float | None, size: int
) -> list[Labelled]:
    """So many payees of somebody whose shares of categories are drawn around those of the table."""
    left: dict[str, list[Labelled]] = defaultdict(list)
    for payee in dice.sample(payees, len(payees)):
        left[payee.category].append(payee)
    shares = {
        category: len(found)
        if lean is None
        else dice.gammavariate(lean * len(found) / len(payees), 1.0)
        for category, found in sorted(left.items())
    }
    drawn: list[Labelled] = []
    while len(drawn) < size:
        open_ones = [category for category, found in left.items() if found]
        weights = [shares[category] or 1e-9 for category in open_ones]
        drawn.append(left[dice.choices(open_ones, weights)[0]].pop())
    return drawn


def judge_habits(
    payees: Sequence[Labelled], lean: float | None, answered: int
) -> tuple[list[Judged], list[Judged]]:
    """Guesses of payees that no shipped rule files, without habits and with them, over all persons."""
    dice = Random(answered)
    known = [payee for payee in payees if not payee.asked]
    plain: list[Judged] = []
    usual: list[Judged] = []
    for _ in range(PERSONS):
        found = person(dice, known, lean, answered + ASKED)
        lessons = train("out", (LabelledPayee(*payee[:3]) for payee in found[:answered]))
        without = replace(lessons, habits={})
        for payee in found[answered:]:
            if not payee.filed:
                plain.append(_judged(without, payee))
                usual.append(_judged(lessons, payee))
    return plain, usual


def habits(payees: Sequence[Labelled]) -> list[str]:
    """A line for each lean and number of answers: what is right of all payees, and of what is shown."""
    lines = [f"{'lean':<8}{'answers':>9}{'right':>15}{'shown':>13}{'right of shown':>17}"]
    for name, lean in LEANS.items():
        for answered in ANSWERED:
            plain, usual = judge_habits(payees, lean, answered)
            shares = [sum(each.right for each in some) / len(some) for some in (plain, usual)]
            shown = [[each for each in some if _is_shown(each)] for some in (plain, usual)]
            right = [sum(each.right for each in some) / len(some) for some in shown]
            lines.append(
                f"{name:<8}{answered:>9}{shares[0]:>8.3f} {shares[1]:.3f}"
                f"{len(shown[0]):>7} {len(shown[1]):>5}{right[0]:>11.3f} {right[1]:.3f}"
            )
    return lines


def _is_shown(judged: Judged) -> bool:
    return judged.confidence is not None and judged.confidence >= SUGGESTS_FROM


def _judged(lessons: CategoryModel, payee: Labelled) -> Judged:
    guess = lessons.guess(payee.key)
    if guess is None:
        return Judged(None, right=False)
    return Judged(guess.confidence, guess.category == payee.category)


def rejudging(payees: int = PAYEES, rules: int = RULES) -> tuple[float, float]:
    """Seconds to learn some rules and judge so many unknown payees; and to split their names."""
    dice = Random(7)
    names = [
        f"{dice.choice(FIRST_WORDS)} {dice.choice(SECOND_WORDS)} {city.split()[0]} {number % 97}"
        for number, city in ((number, dice.choice(CITIES)) for number in range(payees))
    ]
    facts = [
        PayeeFacts(name.lower(), name.title(), f"{name} {number}", 3, 0)
        for number, name in enumerate(names)
    ]
    taught = [
        LabelledPayee(each.key, each.name, dice.choice(("dining", "kids", "hobbies")))
        for each in facts
    ]
    train("out", ())
    train("in", ())
    begun = perf_counter()
    knowledge = Knowledge(out=train("out", taught[:rules]), into=train("in", ()))
    for each in facts:
        decide(each, knowledge)
    judged = perf_counter()
    for name in names:
        name.lower().split()
    return judged - begun, perf_counter() - judged


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the calibration of a part, and the time that judging many payees takes."""
    parser = argparse.ArgumentParser("python -m benchmarks.inference", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, once a figure")
    parser.add_argument("--all", action="store_true", help="count well-known payees too")
    options = parser.parse_args(arguments)
    parts: tuple[Part, ...] = ("reporting",) if options.report else ("tuning", "abroad")
    payees = labelled_payees(*parts)
    judged = list(judge(payees, everything=options.all))
    print(f"{parts[0]} part")
    print("\n".join([*summary(judged), "", *calibration(judged), ""]))
    print(f"without and with habits, {PERSONS} persons a line")
    print("\n".join([*habits(payees), ""]))
    taken, floor = min(rejudging() for _ in range(3))
    print(
        f"{PAYEES:,} payees judged after a rule, {RULES} rules: {taken:.2f} s (target"
        f" {TARGET_SECONDS:g} s), {taken / floor:.0f} times splitting their names"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
