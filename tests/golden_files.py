"""Kept files of what people see, compared with what they see now."""

import os
from collections.abc import Callable
from pathlib import Path

Golden = Callable[[str, str], None]
"""Compares a text with the kept file of a name."""


def kept_in(folder: str, ending: str = "txt") -> Golden:
    """Compare with the files of a folder; `GOLDEN=write pytest …` writes them, to be read like code."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / folder / f"{name}.{ending}"
        if os.environ.get("GOLDEN") == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare
