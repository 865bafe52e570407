"""Valid files, damaged as hypothesis chooses: each reader gives possible rows or refuses in a sentence.

Unlike atheris, hypothesis runs everywhere and knows what lines, words and encodings are.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.judge import judge
from tests.fuzz.seeds import SEEDS
from tests.fuzz.words import WORDS, WORDS_OF_ALL

Edit = Callable[[str], str]

places = st.floats(0, 1)
lengths = st.sampled_from([1, 2, 8, 40, 400])
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged") / "statement"


def _cut(start: float, length: int) -> Edit:
    return lambda text: text[: _at(start, text)] + text[_at(start, text) + length :]


def _repeat(start: float, length: int, times: int) -> Edit:
    def edit(text: str) -> str:
        place = _at(start, text)
        return text[:place] + text[place : place + length] * times + text[place + length :]

    return edit


def _put(start: float, word: str) -> Edit:
    return lambda text: text[: _at(start, text)] + word + text[_at(start, text) :]


def _move_line(start: float, target: float) -> Edit:
    def edit(text: str) -> str:
        lines = text.splitlines(keepends=True) or [text]
        line = lines.pop(min(int(start * len(lines)), len(lines) - 1))
        lines.insert(int(target * len(lines)), line)
        return "".join(lines)

    return edit


def _end_lines_with(ending: str) -> Edit:
    return lambda text: ending.join(text.splitlines())


def _at(share: float, text: str) -> int:
    return int(share * len(text))


def _edits(words: tuple[str, ...]) -> st.SearchStrategy[list[Edit]]:
    put = st.builds(_put, places, st.sampled_from(words) | st.text(max_size=3))
    return st.lists(
        put
        | st.builds(_cut, places, lengths)
        | st.builds(_repeat, places, lengths, st.sampled_from([2, 3, 30]))
        | st.builds(_move_line, places, places)
        | st.builds(_end_lines_with, st.sampled_from(["\n", "\r", "\r\n", "\n\n", ""])),
        min_size=1,
        max_size=6,
    )


@st.composite
def damaged_files(draw: st.DrawFn, wanted: str) -> bytes:
    """A seed of a format, or two one behind the other, edited and perhaps in another encoding."""
    # What is no UTF-8 comes as Latin-1, so that every byte of it is there.
    seeds = draw(st.lists(st.sampled_from(SEEDS[wanted]), min_size=1, max_size=2))
    text = "".join(_decoded(seed) for seed in seeds)
    for edit in draw(_edits((*WORDS[wanted], *WORDS_OF_ALL))):
        text = edit(text)
    return text.encode(draw(st.sampled_from(ENCODINGS)), "replace")


def _decoded(seed: bytes) -> str:
    try:
        return seed.decode()
    except UnicodeDecodeError:
        return seed.decode("latin-1")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("wanted", SEEDS)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(path: Path, wanted: str, data: st.DataObject) -> None:
    """By detection and by its own reader, a damaged file gives possible rows or one sentence."""
    content = data.draw(damaged_files(wanted))
    judge(wanted, content, path)
    judge("detection", content, path)


@pytest.mark.slow
@pytest.mark.parametrize("wanted", SEEDS)
@given(data=st.data())
def test_a_damaged_file_of_another_format_is_refused(
    path: Path, wanted: str, data: st.DataObject
) -> None:
    """A reader that is handed another format's file bears it as well, without detection before it."""
    other = data.draw(st.sampled_from([each for each in SEEDS if each != wanted]))
    judge(wanted, data.draw(damaged_files(other)), path)
