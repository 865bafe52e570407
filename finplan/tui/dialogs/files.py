"""Picking statement files: typed, dropped on the terminal as a path, or found in folders."""

import shlex
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import DirectoryTree, Input, Static

from finplan.tui.drawing.lines import CAUTION, FAINT, styled


class FilesDialog(ModalScreen[tuple[Path, ...] | None]):
    """Answers the files, None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, begins_at: Path) -> None:
        super().__init__()
        self._begins_at = begins_at

    def compose(self) -> ComposeResult:
        """A line for paths, and the folders below here."""
        with Vertical(classes="dialog"):
            yield Static(styled("Which statement files?", "bold"))
            yield Input(placeholder="Type a path, or drop files here")
            yield Static(
                styled("Enter takes what is typed; Tab goes to the folders.", FAINT), id="hint"
            )
            yield DirectoryTree(self._begins_at)

    @on(DirectoryTree.FileSelected)
    def _add(self, chosen: DirectoryTree.FileSelected) -> None:
        line = self.query_one(Input)
        line.value = f"{line.value} {shlex.quote(str(chosen.path))}".strip()
        line.focus()

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        hint = self.query_one("#hint", Static)
        try:
            files = paths(typed.value)
        except ValueError as error:
            hint.update(styled(str(error), CAUTION))
            return
        missing = [each for each in files if not each.is_file()]
        if missing:
            hint.update(styled(f"There is no file {missing[0]}.", CAUTION))
        elif files:
            self.dismiss(files)
        else:
            hint.update(styled("No file is named yet; Tab goes to the folders.", CAUTION))


def paths(typed: str) -> tuple[Path, ...]:
    """The files that a line names, written as a shell would have them or as a terminal drops them.

    Raises ValueError for a quote that is not closed. A whole line that is a file is one, spaces and all.
    """
    whole = Path(typed.strip()).expanduser()
    if typed.strip() and whole.is_file():
        return (whole,)
    try:
        words = shlex.split(typed)
    except ValueError:
        raise ValueError("A quote is not closed.") from None
    return tuple(_path(each) for each in words)


def _path(word: str) -> Path:
    if word.startswith("file://"):
        return Path(unquote(word.removeprefix("file://")))
    return Path(word).expanduser()
