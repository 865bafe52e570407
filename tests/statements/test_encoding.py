"""Encodings told from bytes, in files of any size."""

from pathlib import Path

import pytest

from finplan.statements.statement import SourceFile, UnreadableStatement
from finplan.statements.text.encoding import BLOCK, Charset, find_charset, texts
from tests.statements.reading_files import ReadFile

HEADER = "Date;Description;Amount\n"


def table(text: str) -> str:
    return HEADER + f"2026-03-04;{text};-4.50\n"


FRENCH = "Café à la crème, déjà vu"
SPANISH = "Año nuevo en España"
PORTUGUESE = "Pão de açúcar às três"
CZECH = "Částka převodu, příkaz k úhradě"
POLISH = "Żabka Łódź, opłata za księgę"
LITHUANIAN = "Mokestis už lėšų įskaitymą, ąžuolų gatvė"
RUSSIAN = "Оплата за услуги связи"


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (FRENCH, "utf-8", "utf-8"),
        (FRENCH, "utf-8-sig", "utf-8-sig"),
        (FRENCH, "utf-16", "utf-16"),
        (FRENCH, "utf-16-le", "utf-16-le"),
        (FRENCH, "utf-16-be", "utf-16-be"),
        (FRENCH, "utf-32", "utf-32"),
        (FRENCH, "cp1252", "cp1252"),
        (SPANISH, "cp1252", "cp1252"),
        (PORTUGUESE, "cp1252", "cp1252"),
        ("12,50 €", "cp1252", "cp1252"),
        (CZECH, "cp1250", "cp1250"),
        (POLISH, "cp1250", "cp1250"),
        (LITHUANIAN, "cp1257", "cp1257"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("COFFEE", "ascii", "utf-8"),
    ],
)
def test_an_encoding_is_told_from_the_bytes(
    read_file: ReadFile, text: str, encoding: str, name: str
) -> None:
    """Text comes out as it was written, and the file's encoding is shown."""
    found = read_file(table(text), encoding=encoding)
    assert (found.raws, found.encoding) == ([text], name)


@pytest.mark.parametrize(
    ("hint", "text"), [("cp1250", "č"), ("cp1252", "è"), ("latin-1", "è"), ("UTF8", None)]
)
def test_the_persons_word_overrules(
    read_file: ReadFile, hint: str, text: str | None, tmp_path: Path
) -> None:
    """A named encoding is used, and refused where the file is not in it."""
    path = tmp_path / "a.csv"
    path.write_bytes(table("è").encode("cp1252"))
    source = SourceFile.of(path)
    if text is None:
        with pytest.raises(UnreadableStatement, match="not in the encoding utf-8"):
            find_charset(source, hint)
    else:
        assert "".join(texts(path, find_charset(source, hint))) == table(text)


@pytest.mark.parametrize("hint", ["klingon", "base64", "idna", "utf-7", "\0"])
def test_an_unknown_encoding_is_refused(read_file: ReadFile, tmp_path: Path, hint: str) -> None:
    """A name that is no encoding of files is said to be none."""
    path = tmp_path / "a.csv"
    path.write_bytes(table("è").encode())
    with pytest.raises(UnreadableStatement, match="not an encoding"):
        find_charset(SourceFile.of(path), hint)


def test_padding_is_dropped(read_file: ReadFile) -> None:
    """Zero bytes that fill a file up, at its end or in it, are no text."""
    content = table("CAFÉ").encode() + b"\0" * 5000
    assert read_file(content).raws == ["CAFÉ"]
    assert read_file(content.replace(b"CAF", b"C\0A\0F")).raws == ["CAFÉ"]


def test_one_broken_character_does_not_change_the_rest(read_file: ReadFile) -> None:
    """A bank that cuts a text inside a character still writes UTF-8."""
    lines = "".join(f"2026-03-04;{FRENCH};-4.50\n" for _ in range(20))
    content = (HEADER + lines).encode() + b"2026-03-05;Caf\xc3;-1.00\n"
    assert read_file(content).raws == [FRENCH] * 20 + ["Caf\ufffd"]


@pytest.mark.parametrize("place", [70_000, 3 * BLOCK + 17, 40 * BLOCK])
def test_a_late_letter_of_a_code_page_is_read(tmp_path: Path, place: int) -> None:
    """A file may be ASCII for long before its first accent shows the code page."""
    path = tmp_path / "late.csv"
    path.write_bytes(b"x" * place + "\nCafé à la crème\n".encode("cp1252") + b"y" * BLOCK)
    text = "".join(texts(path, find_charset(SourceFile.of(path), None)))
    assert text[place : place + 17] == "\nCafé à la crème\n"


@pytest.mark.parametrize("place", [70_000, BLOCK - 1, 40 * BLOCK - 1])
def test_a_late_letter_of_utf8_is_read(tmp_path: Path, place: int) -> None:
    """A letter of two bytes may lie across any border at which the file is looked at."""
    path = tmp_path / "late.csv"
    path.write_bytes(b"x" * place + "é".encode() * 20 + b"y" * 100)
    text = "".join(texts(path, find_charset(SourceFile.of(path), None)))
    assert text == "x" * place + "é" * 20 + "y" * 100


def test_a_broken_end_of_utf8_is_replaced(tmp_path: Path) -> None:
    """A file that is cut inside its last character is read up to there."""
    path = tmp_path / "cut.csv"
    path.write_bytes(("é" * 200).encode() + b"\xc3")
    assert "".join(texts(path, Charset("utf-8"))) == "é" * 200 + "\ufffd"


def test_a_huge_file_is_not_read_to_find_its_encoding(tmp_path: Path) -> None:
    """Some windows of a file tell its encoding, however long it is."""
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"2026-03-04;COFFEE;-4.50\n" * 4000)
        file.truncate(1 << 36)
    assert find_charset(SourceFile.of(path), None) == Charset("utf-8")
