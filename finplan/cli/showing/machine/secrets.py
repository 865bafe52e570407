"""What is sealed under the data key, as lines."""

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, listing
from finplan.model import figures
from finplan.model.access.data_key import (
    DataKeyRotation,
    DataKeyStatus,
    SealedCount,
    SealedKind,
)

KEPT = {
    "file": "The data key is kept in {file}",
    "keyring": "The data key is kept in the keyring",
}
GIVEN = "The data key is given by {source}"

_WORDS: dict[SealedKind, tuple[str, str]] = {
    "bank_access": ("access to a bank", "accesses to banks"),
    "bank_link": ("begun link to a bank", "begun links to banks"),
    "webhook_secret": ("secret of a webhook", "secrets of webhooks"),
    "signing_key": ("key that signs", "keys that sign"),
    "kept_reply": ("reply kept for a day", "replies kept for a day"),
}
_NAMELESS: dict[SealedKind, str] = {
    "bank_access": "those banks",
    "webhook_secret": "those webhooks",
}
_TO_DO: dict[SealedKind, str] = {
    "bank_access": "Link {lost} anew: `finplan connections` says how.",
    "bank_link": "A link that does not open is begun again by `finplan connect`.",
    "webhook_secret": "Give {lost} a new secret: `finplan webhooks rotate`.",
    "signing_key": "Other keys are made where one is needed; what these signed holds no more.",
    "kept_reply": "Replies that do not open are forgotten within a day.",
}


def kept_line(source: str, file: str, since: int | None = None) -> Text:
    """Where the key is; a path that is broken between lines could not be copied."""
    told = KEPT.get(source, GIVEN).format(source=source, file=file)
    day = "" if since is None else f", since {figures.long_date(figures.last_day(since))}"
    return Text(f"{told}{day}.", no_wrap=True, overflow="ignore")


def draw_status(status: DataKeyStatus) -> RenderableType:
    """Where the key is kept, and what is sealed under it."""
    lines: list[RenderableType] = [kept_line(status.source, status.file, status.since)]
    if status.unfinished:
        said = (
            "It was being made anew when that was broken off: two keys are in use."
            " `finplan secrets rotate` brings it to its end."
        )
        lines.append(Text(said, style="yellow"))
    if status.trouble is not None:
        lines.append(Text(status.trouble, style="red"))
    if not status.sealed:
        return Group(*lines, Text("Nothing is sealed under it yet.", style="dim"))
    rows = ((str(each.count), _words(each), _opens(each)) for each in status.sealed)
    lines += ["", listing((Column("", figures=True), Column("sealed"), Column("")), rows)]
    if any(each.closed for each in status.sealed):
        lines.append("")
    lines += [Text(_to_do(each)) for each in status.sealed if each.closed]
    return Group(*lines)


def draw_rotation(done: DataKeyRotation) -> RenderableType:
    """What came of making the key anew."""
    sealed = figures.count(done.sealed, "secret")
    lines = [Text(f"There is a new data key, and {sealed} {_is(done.sealed)} sealed under it.")]
    if done.closed:
        said = (
            f"{figures.count(done.closed, 'secret')} could not be opened and"
            f" {_is(done.closed)} as before: `finplan secrets status`."
        )
        lines.append(Text(said, style="yellow"))
    return Group(*lines)


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _words(counted: SealedCount) -> str:
    one, several = _WORDS[counted.kind]
    return one if counted.count == 1 else several


def _opens(counted: SealedCount) -> Text:
    if counted.closed is None:
        return Text("nobody knows", style="yellow")
    if not counted.closed:
        return Text("opens" if counted.count == 1 else "all open", style="green")
    told = "does not open" if counted.count == 1 else f"{counted.closed} do not open"
    return Text("1 does not open" if counted.closed == 1 < counted.count else told, style="red")


def _to_do(counted: SealedCount) -> str:
    lost = ", ".join(counted.lost) or _NAMELESS.get(counted.kind, "")
    return _TO_DO[counted.kind].format(lost=lost)
