"""`python -m benchmarks.quality.arrival`: learn how likely a recurring charge is to come again.

The weights of `finplan/plan/detect/arrival.toml` are fitted to the tuning part by logistic regression,
with a little pull towards nothing, and rounded to whole hundredths of log-odds. They are to be fitted
anew, and the calibration of `python -m benchmarks.quality` looked at, whenever detection changes.
"""

import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from math import exp
from pathlib import Path

from benchmarks.quality.calibration import coming_of, is_as_large, is_on_its_day
from benchmarks.quality.chain import expected_of
from benchmarks.quality.parts import PARTS
from benchmarks.quality.rough import parts as rough
from benchmarks.quality.rough.again import expected_again_of
from benchmarks.quality.rough.household import rough_household
from benchmarks.quality.world.household import household
from benchmarks.quality.world.truth import Household
from finplan.plan.detect import series as arrival

_ROUNDS = 25
_PULL = 1.0
"""How strongly weights are drawn towards nothing, so that a sign seen a few times gets little."""

_HEADING = """\
# How much each sign of a recurring charge says of its next one: hundredths of log-odds, learnt from the
# tuning parts by `python -m benchmarks.quality.arrival`. `day` decides what is recurring, and was learnt
# from usual households alone: that it comes on its day. `next` is the same in rough ones, too; `amount`:
# that it is within a tenth of the expected amount if it does; `again`: that what came once comes after a
# year. A sign without a weight says nothing.
"""

Seen = tuple[Mapping[str, int], bool]
"""The signs of a series, and whether what is to be learnt was true of its next charge."""

SeenNext = tuple[Mapping[str, int], bool, bool]
"""The signs of a series, and whether its next charge comes on its day and is as large."""


def main() -> int:
    """Fit the weights and write them."""
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        seen = list(chain.from_iterable(pool.map(_seen, PARTS["tuning"])))
        parts = list(pool.map(_seen_rough, rough.PARTS["tuning"]))
    rougher = list(chain.from_iterable(regular for regular, _ in parts))
    once = list(chain.from_iterable(single for _, single in parts))
    path = Path(arrival.__file__).with_name("arrival.toml")
    day = tomllib.loads(path.read_text("utf-8"))["day"]
    tables = {"day": day, **learnt_tables(seen, rougher, once)}
    text = _HEADING + "".join(
        f"\n[{name}]\n" + "".join(f'"{sign}" = {weight}\n' for sign, weight in weights.items())
        for name, weights in tables.items()
    )
    path.write_text(text, "utf-8")
    sys.stdout.write(f"Learnt from {len(seen) + len(rougher)} series.\n{text}")
    return 0


def learnt_tables(
    seen: Sequence[SeenNext], rougher: Sequence[SeenNext], once: Sequence[Seen]
) -> Mapping[str, Mapping[str, int]]:
    """The tables of weights in hundredths; what is on a card is learnt from rough households alone."""
    both = [*rougher, *(one for one in seen if not one[0]["on a card"])]
    return {
        name: {sign: round(100 * weight) for sign, weight in fitted(shown).items()}
        for name, shown in (
            ("next", [(signs, on_day) for signs, on_day, _ in both]),
            ("amount", [(signs, as_large) for signs, on_day, as_large in both if on_day]),
            ("again", once),
        )
    }


def _seen(seeds: Sequence[int]) -> list[SeenNext]:
    made = (household(seed, "noisy") for seed in seeds)
    return list(chain.from_iterable(map(_seen_of, made)))


def _seen_rough(seeds: Sequence[int]) -> tuple[list[SeenNext], list[Seen]]:
    """The same of rough households, and the signs of what came once and whether it comes again."""
    regular, single = [], []
    for seed in seeds:
        made = rough_household(seed)
        regular += _seen_of(made)
        single += [(one.signs, one.comes) for one in expected_again_of(made)]
    return regular, single


def _seen_of(made: Household) -> list[SeenNext]:
    """The signs of each series, and whether its next charge comes on its day and is as large."""
    found = []
    for series, claim in expected_of(made):
        if series.signs is not None:
            coming = coming_of(made, claim)
            on_day = coming is not None and is_on_its_day(claim, coming)
            as_large = coming is not None and is_as_large(claim, coming)
            found.append((series.signs, on_day, as_large))
    return found


def fitted(seen: Sequence[Seen]) -> dict[str, float]:
    """The weight of each sign, by name, that makes what came most likely (Newton's method)."""
    names = sorted({sign for signs, _ in seen for sign in signs})
    rows = [
        [(names.index(sign), value) for sign, value in signs.items() if value] for signs, _ in seen
    ]
    weights = [0.0] * len(names)
    for _ in range(_ROUNDS):
        slope = [-_PULL * weight for weight in weights]
        bend = [
            [_PULL * (one == other) for other in range(len(names))] for one in range(len(names))
        ]
        for row, (_, came) in zip(rows, seen, strict=True):
            likely = 1 / (1 + exp(-sum(weights[at] * value for at, value in row)))
            for at, value in row:
                slope[at] += (came - likely) * value
                for other, factor in row:
                    bend[at][other] += likely * (1 - likely) * value * factor
        weights = [
            weight + step for weight, step in zip(weights, _solved(bend, slope), strict=True)
        ]
    return dict(zip(names, weights, strict=True))


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of linear equations by elimination; the matrix is symmetric and positive."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = [value / rows[at][at] for value in rows[at]]
        rows[at] = pivot
        for other, row in enumerate(rows):
            if other != at:
                rows[other] = [
                    value - row[at] * part for value, part in zip(row, pivot, strict=True)
                ]
    return [row[-1] for row in rows]


if __name__ == "__main__":
    sys.exit(main())
