"""Lines fit their width, whatever stands in them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from finplan.cli.showing.layout import (
    bar,
    columns,
    ends,
    halves,
    page,
    printable,
    roomy,
    row,
    titled,
    wrapped,
)

texts = st.text(max_size=60)
widths = st.integers(20, 120)


@given(st.lists(st.tuples(texts, st.integers(1, 30), st.booleans()), min_size=1, max_size=5))
def test_a_row_is_as_wide_as_its_cells(cells: list[tuple[str, int, bool]]) -> None:
    """A row takes exactly the width of its cells and the spaces between, also with wide signs."""
    drawn = row(*((text, -width if right else width) for text, width, right in cells))
    assert drawn.cell_len == sum(width for _, width, _ in cells) + len(cells) - 1


@given(texts, st.text("0123456789$,.", max_size=12), widths)
def test_the_right_end_is_never_shortened(left: str, right: str, width: int) -> None:
    """Of two ends the left one gives way."""
    drawn = ends(left, right, width)
    assert drawn.cell_len == width
    assert drawn.plain.endswith(right)


@given(st.integers(-(10**12), 10**12), st.integers(-5, 10**12), st.integers(1, 60), st.booleans())
def test_a_bar_fills_its_cell(part: int, whole: int, width: int, rest: bool) -> None:
    """A bar is as wide as its cell; more than nothing always shows, nothing never does."""
    drawn = bar(part, whole, width, "cyan", rest=rest)
    assert drawn.cell_len == width
    assert any(sign in drawn.plain for sign in "━╸") == (part > 0 and whole > 0)


@given(st.integers(-1000, 1000), st.integers(0, 2000), st.integers(1, 60), st.integers(-5, 1000))
def test_what_is_due_fills_a_bar_after_the_part(
    part: int, whole: int, width: int, due: int
) -> None:
    """A part and what is due stand side by side; what is due shows unless the part takes the cell."""
    drawn = bar(part, whole, width, "cyan", rest=True, due=due).plain
    assert len(drawn) == width
    assert re.fullmatch("━*╸?╍*─*", drawn)
    alone = bar(part, whole, width, "cyan", rest=True).plain
    assert drawn.rstrip("╍─") == alone.rstrip("─")
    assert ("╍" in drawn) == (due > 0 and not re.fullmatch("━*╸?", alone))


@pytest.mark.parametrize(
    ("part", "due", "drawn"),
    [
        (0, 160, "╍╍╍╍╍╍╍╍"),
        (80, 80, "━━━━╍╍╍╍"),
        (80, 40, "━━━━╍╍──"),
        (80, 1, "━━━━╍───"),
        (160, 0, "━━━━━━━━"),
        (0, 0, "────────"),
    ],
)
def test_what_is_due_has_its_share_of_a_bar(part: int, due: int, drawn: str) -> None:
    """A part of 160 in a bar of eight, and what is due of it."""
    assert bar(part, 160, 8, "cyan", rest=True, due=due).plain == drawn


@given(st.text(max_size=300), widths, st.integers(0, 8))
def test_a_sentence_keeps_to_its_width(text: str, width: int, indent: int) -> None:
    """A wrapped sentence has no line over its width."""
    assert all(line.cell_len <= width for line in wrapped(text, width, indent=indent))


@given(st.lists(texts, max_size=5), st.lists(texts, max_size=5), widths)
def test_blocks_beside_each_other_fit(left: list[str], right: list[str], width: int) -> None:
    """Two blocks take the height of the higher one and no more than the width."""
    half, other = widths = halves(width, 0, (0, 0))
    blocks = [row((t, half)) for t in left], [row((t, other)) for t in right]
    lines = columns(*blocks, widths, width)
    assert len(lines) == max(len(left), len(right))
    assert all(line.cell_len <= width for line in lines)


@pytest.mark.parametrize(
    ("room", "needed", "widths", "wide"),
    [
        (80, (0, 0), (38, 38), 80),
        (80, (90, 90), (38, 38), 80),
        (110, (90, 40), (53, 40), 96),
        (1000, (38, 39), (38, 39), 80),
        (1000, (38, 40), (38, 40), 81),
        (1000, (90, 40), (90, 40), 133),
    ],
)
def test_a_block_takes_the_room_that_its_names_need(
    room: int, needed: tuple[int, int], widths: tuple[int, int], wide: int
) -> None:
    """Each block is half a page, and more where it needs more, up to half of the room there is."""
    assert halves(80, room, needed) == widths
    (line,) = columns([row(("a", widths[0]))], [row(("b", -widths[1]))], widths, 80)
    assert line.cell_len == wide


@pytest.mark.parametrize(
    ("room", "needed", "wide"),
    [(0, 200, 80), (80, 81, 80), (90, 81, 81), (90, 91, 90), (90, 9, 80)],
)
def test_a_line_is_longer_than_its_page_only_for_what_it_needs(
    room: int, needed: int, wide: int
) -> None:
    """A line takes its page's width, and as much of the room beyond that as it needs."""
    assert roomy(80, room, needed) == wide


@given(st.text())
def test_no_text_from_outside_commands_the_terminal(text: str) -> None:
    """No control character reaches a page, and no other character is lost."""
    cleaned = printable(text)
    assert cleaned.isprintable()
    assert len(cleaned) == len(text)
    assert "\x1b" not in page([Text(text)]).plain


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("Interest · Visa 1111", 20, "Interest · Visa 1111"),
        ("Interest · Visa 1111", 19, "Intere… · Visa 1111"),
        # What tells them apart takes half of the room at most, or is its last word.
        ("Interest on purchases · Visa 1111", 18, "Inter… · Visa 1111"),
        ("Interest on purchases · Visa 1111", 17, "Interest… · 1111"),
        ("Interest on purchases · Visa 1111", 9, "I… · 1111"),
        # Nothing tells it apart, so its end gives way as in any cell.
        ("Interest on purchases of this month", 20, "Interest on purchases of this month"),
    ],
)
def test_a_name_that_tells_its_account_keeps_it(name: str, width: int, shown: str) -> None:
    """Two names that differ only in their account differ in a narrow column, too."""
    assert titled(name, width) == shown


@given(texts, texts.filter(str.strip), widths)
def test_a_shortened_name_fits(name: str, account: str, width: int) -> None:
    """Whatever stands in it, a name that was shortened is no wider than its column."""
    whole = f"{name} · {account}"
    shown = titled(whole, width)
    assert shown == whole or Text(shown).cell_len <= width
