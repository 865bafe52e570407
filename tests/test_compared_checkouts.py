"""Two checkouts are measured in turns, and what their ratios are worth is told.

The interpreters here are scripts that answer figures; no product is measured.
"""

import sys
from pathlib import Path

import pytest

from benchmarks.compare import Checkout, alternate, left_out, lines_of, main
from benchmarks.intervals import interval_of
from tests.says import says

FAKE = """#!{python}
import json, os, sys
from pathlib import Path
log = Path({log!r})
took = {took!r}
name = sys.argv[sys.argv.index("--only") + 1]
with log.open("a") as file:
    file.write({side!r} + " " + name + "\\n")
if name not in took:
    sys.exit("It is too hot to measure " + name + ".")
product = {product!r} or os.environ["PYTHONPATH"].split(os.pathsep)[1]
assert (Path.cwd() / "benchmarks" / "compare.py").exists()
print(json.dumps({{"product": product + "/finplan", "figures": [
    {{"name": name + " " + what.strip(), "rows": {rows}, "kind": "time", "cost": cost}}
    for what, cost in took[name].items()]}}))
"""


class Sides:
    """Two checkouts whose interpreters answer what they are told to, and note that they were asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"

    def checkout(
        self, side: str, took: dict[str, dict[str, float]], product: str | None = None
    ) -> Checkout:
        path = self.folder / side
        path.mkdir()
        python = path / "python"
        python.write_text(
            FAKE.format(
                python=sys.executable,
                log=str(self.log),
                took=took,
                side=side,
                product=product,
                # The old checkout was measured yesterday, when the household had a row less.
                rows=1999 if side == "old" else 2000,
            ),
            "utf-8",
        )
        python.chmod(0o755)
        return Checkout(path, python)


@pytest.fixture
def sides(tmp_path: Path) -> Sides:
    return Sides(tmp_path)


def test_checkouts_take_turns(sides: Sides) -> None:
    """A round takes each measurement of both, and the other checkout begins the next round."""
    took = {"plan": {"a": 1.0}, "cli": {"a": 1.0}}
    old, new = sides.checkout("old", took), sides.checkout("new", took)
    assert alternate(old, new, ("plan", "cli"), 2, ()) == []
    assert sides.log.read_text("utf-8").splitlines() == [
        *("old plan", "new plan", "old cli", "new cli"),
        *("new plan", "old plan", "new cli", "old cli"),
    ]


def test_a_figure_that_only_one_has_is_left_out_by_name(sides: Sides) -> None:
    """What both have is compared, of however many rows; what got worse for sure is marked."""
    old = sides.checkout("old", {"plan": {"same": 1.0, "slow": 1.0, "gone": 1.0}})
    new = sides.checkout("new", {"plan": {"same": 1.0, "slow": 1.2, "fresh": 1.0}})
    alternate(old, new, ("plan",), 2, ())
    assert lines_of(old, new) == [
        ("plan same", "2,000", "1.00 s", "1.00 s", "1.00", "1.00 to 1.00", ""),
        ("plan slow", "2,000", "1.00 s", "1.20 s", "1.20", "1.20 to 1.20", "worse"),
    ]
    assert [line.rpartition(": ")[2] for line in left_out(old, new)] == [
        "plan gone, 1,999 rows",
        "plan fresh, 2,000 rows",
    ]


def test_sizes_of_one_figure_are_told_apart(sides: Sides) -> None:
    """A figure of one name that is measured of several sizes has a line for each."""
    sizes = {"a": 1.0, "a ": 3.0}
    old, new = sides.checkout("old", {"plan": sizes}), sides.checkout("new", {"plan": sizes})
    alternate(old, new, ("plan",), 2, ())
    assert [line[:3] for line in lines_of(old, new)] == [
        ("plan a", "2,000", "1.00 s"),
        ("plan a", "2,000", "3.00 s"),
    ]


def test_a_measurement_that_fails_is_told_and_the_others_go_on(sides: Sides) -> None:
    """A measurement that one checkout cannot take is asked of neither again."""
    old = sides.checkout("old", {"cli": {"a": 1.0}})
    new = sides.checkout("new", {"cli": {"a": 1.0}, "plan": {"a": 1.0}})
    (told,) = alternate(old, new, ("plan", "cli"), 2, ())
    assert says(told, "plan was not", f"{old.path}:", "too hot")
    assert [line[0] for line in lines_of(old, new)] == ["cli a"]
    assert sides.log.read_text("utf-8").count("plan") == 1


def test_another_product_is_never_measured_instead(sides: Sides) -> None:
    """An interpreter that finds an installed copy before the checkout's is found out."""
    old = sides.checkout("old", {"plan": {"a": 1.0}}, product="/elsewhere")
    (told,) = alternate(old, sides.checkout("new", {"plan": {"a": 1.0}}), ("plan",), 2, ())
    assert told.endswith(f"runs /elsewhere/finplan and not {old.path}.")


def test_the_command_prints_the_table(sides: Sides, capsys: pytest.CaptureFixture[str]) -> None:
    """Interpreters are named or found, and what was left out stands below the table."""
    old = sides.checkout("old", {"plan": {"a": 1.0, "gone": 1.0}})
    new = sides.checkout("new", {"plan": {"a": 0.5}})
    interpreters = ["--old-python", str(old.python), "--new-python", str(new.python)]
    places = [str(old.path), str(new.path)]
    assert main([*places, *interpreters, "--only", "plan", "--rounds", "3", "--markdown"]) == 0
    *_, figure, gone = capsys.readouterr().out.splitlines()
    cells = ["plan a", "2,000", "1.00 s", "500.0 ms", "0.50", "0.50 to 0.50", "", ""]
    assert [cell.strip() for cell in figure.split("|")[1:]] == cells
    assert gone.endswith("plan gone, 1,999 rows")
    with pytest.raises(SystemExit):
        main([*places, *interpreters, "--rounds", "1"])


def test_an_interval_has_the_width_of_students_t() -> None:
    """Paired ratios of 1 and 4 have the middle 2, and with one degree of freedom reach 2 ** 12.706."""
    interval = interval_of([1.0, 1.0], [1.0, 4.0])
    assert interval.ratio == pytest.approx(2)
    assert interval.high == pytest.approx(2 * 2**12.706)
    assert interval.low == pytest.approx(2 / 2**12.706)


def test_an_interval_turns_over_with_its_ratio() -> None:
    """New beside old is the inverse of old beside new, and what slows a pair alike cancels out."""
    old, new = [1.0, 2.0, 9.0], [1.5, 2.5, 10.0]
    there, back = interval_of(old, new), interval_of(new, old)
    assert there.ratio == pytest.approx(1 / back.ratio)
    assert (there.low, there.high) == pytest.approx((1 / back.high, 1 / back.low))
    slowed = interval_of([1.0, 20.0, 9.0], [1.5, 25.0, 10.0])
    assert (slowed.low, slowed.high) == pytest.approx((there.low, there.high))
    with pytest.raises(ValueError, match="One pair"):
        interval_of([1.0], [1.0])
