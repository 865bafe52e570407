"""What is typed about single files of an import: `--answer FILE:ABOUT=VALUE`, `--account FILE=NAME`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from finplan.cli.console.errors import USAGE, CommandError
from finplan.model.characters import visible


def parse_answers(typed: Sequence[str], files: Sequence[Path]) -> list[dict[str, Any]]:
    """Read `FILE:ABOUT=VALUE` as the answers that an import takes. Raises CommandError."""
    return [_answer(each, files) for each in typed]


def parse_accounts(
    typed: Sequence[str], files: Sequence[Path]
) -> tuple[str | None, list[tuple[int, str]]]:
    """Read `--account` as the account of all files, or as `FILE=ACCOUNT` for single ones.

    Raises CommandError for two accounts of all files, for a file that is none of these, and where a
    name is that of two files.
    """
    whole, single = [], []
    for each in typed:
        places, account = _split(each, "=", files)
        if not places:
            _refuse_other_file(each, files)
            whole.append(each)
        else:
            single.append((_only(places, each, files), account))
    if len(whole) > 1:
        raise CommandError(
            "--account is given more than once; write --account FILE=ACCOUNT for each file.", USAGE
        )
    return next(iter(whole), None), single


def _refuse_other_file(typed: str, files: Sequence[Path]) -> None:
    """Refuse an account that begins like the name of a file which is not among these."""
    name, equals, _ = typed.partition("=")
    kinds = {file.suffix.casefold() for file in files} - {""}
    if equals and Path(name).suffix.casefold() in kinds:
        names = ", ".join(map(str, files))
        raise CommandError(f"--account {typed!r}: no file is {name!r}; they are {names}.", USAGE)


def _answer(typed: str, files: Sequence[Path]) -> dict[str, Any]:
    from finplan.model.question import QuestionAbout

    places, answer = _split(typed, ":", files)
    about, equals, value = answer.partition("=")
    if not (places and equals and value):
        names = ", ".join(map(str, files))
        raise CommandError(
            f"--answer {typed!r} is not FILE:ABOUT=VALUE, as in {files[0].name}:direction=out; the"
            f" files are {names}.",
            USAGE,
        )
    if about not in get_args(QuestionAbout):
        known = ", ".join(get_args(QuestionAbout))
        raise CommandError(
            f"--answer {typed!r}: nothing is called {about!r}; an answer is about one of {known}.",
            USAGE,
        )
    return {"file": _only(places, typed, files), "about": about, "value": value}


def _split(typed: str, sign: str, files: Sequence[Path]) -> tuple[list[int], str]:
    """The places of the files that a text begins with, by path or else by name, and what follows.

    A name may be typed as it is shown, without what nobody sees of it.
    """
    shown = [visible(file.name) for file in files]
    for names in ([str(file) for file in files], [file.name for file in files], shown):
        begun = [name for name in names if typed.startswith(f"{name}{sign}")]
        if begun:
            name = max(begun, key=len)
            return [place for place, each in enumerate(names) if each == name], typed[
                len(name) + 1 :
            ]
    return [], ""


def _only(places: Sequence[int], typed: str, files: Sequence[Path]) -> int:
    if len(places) > 1:
        names = ", ".join(str(files[place]) for place in places)
        raise CommandError(
            f"{typed!r} may be about any of {len(places)} files; write the whole path: {names}.",
            USAGE,
        )
    return places[0]
