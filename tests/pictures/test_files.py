"""Pictures alone in a file: whole, by day and by night, without anything from elsewhere."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from finplan.daemon.surfaces import pages
from finplan.pictures import sheet as style
from finplan.pictures.sheet import drawn_in, sheet
from tests.pictures import drawn

PAGE = Path(pages.__file__).with_name("plan.css").read_text(encoding="utf-8")


def _file() -> str:
    page = "".join(each.svg() for each in drawn.a_household())
    return sheet("Plan & pictures", list(drawn_in(page).values())).decode()


def test_a_file_loads_and_runs_nothing() -> None:
    """No script, no style or file from elsewhere, no link: only the name of SVG itself."""
    file = _file()
    root = ET.fromstring(file)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}

    assert file.count("http") == file.count('xmlns="http://www.w3.org/2000/svg"') == 1
    assert not re.search(r"url\(|@import|href|var\(", file)
    assert tags == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "text",
        "line",
        "g",
        "polyline",
        "polygon",
        "circle",
    }
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]


def test_each_picture_stands_below_the_one_before() -> None:
    """No picture covers another, each has its title above, and all are in the file."""
    root = ET.fromstring(_file())
    inner = [each for each in root if each.tag.endswith("}svg")]
    end = 0.0
    for each in inner:
        assert float(each.attrib["y"]) >= end + 20
        end = float(each.attrib["y"]) + float(each.attrib["height"])
    assert end <= float(root.attrib["viewBox"].split()[3])
    assert len(inner) == 5
    titles = [each.text for each in root if each.tag.endswith("}text")]
    assert titles == [
        "Income and spending",
        "Net worth",
        "The days ahead",
        "Where the money goes",
        "Bills ahead",
    ]


def test_the_colours_are_those_of_the_page() -> None:
    """A picture alone looks as it does on the plan's page, by day and by night."""
    by_day, by_night = (
        dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", part)) for part in PAGE.split("@media")[:2]
    )
    used = dict(re.findall(r"var\(--([a-z]+), (#[0-9a-f]{6})\)", style.style()))

    assert set(used) == set(style.DARK)
    assert used.items() <= by_day.items()
    assert style.DARK.items() <= by_night.items()
    assert "@media (prefers-color-scheme: dark)" in style.style_alone()


def test_the_same_values_make_the_same_bytes() -> None:
    """Nothing of a picture is of the moment that it is drawn in."""
    assert _file() == _file()
