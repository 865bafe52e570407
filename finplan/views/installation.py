"""What is of the machine, and nobody's money.

How it stands with the daemon, what it does by itself, backups, what is sealed under the data key, and
what the doctor found.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from finplan.model import figures
from finplan.model.credential import DataKeyRotation, DataKeyStatus, SealedCount, SealedKind
from finplan.model.installation import Backup, Finding, Status, for_profile, sentence_of
from finplan.model.job import Job, JobResult
from finplan.views import page
from finplan.views.locale import Locale


def daemon(status: Status, how: Locale, login: Path | None = None) -> page.Page:
    """Whether the daemon answers, and where; `login` is the file that starts it at login."""
    state = page.TextSpan("running", "strong good")
    if not status.answering:
        state = page.TextSpan("does not answer" if status.running else "not running", "strong warn")
    not_yet = page.soft("not started; `finplan daemon install` changes that")
    notice = status.notice and for_profile(sentence_of(status.notice), status.profile)
    return page.of(
        page.labelled(
            ("profile", status.profile),
            ("daemon", state),
            ("", page.mentioning(status.reason)) if status.reason else None,
            ("notice", page.TextSpan(notice, "strong warn")) if notice else None,
            ("address", status.site_url) if status.site_url else None,
            *(
                (
                    ("process", f"{status.pid}, version {status.version}"),
                    ("since", how.age(status.started_at)),
                )
                if status.answering
                else ()
            ),
            ("at login", f"started by {login}" if login else not_yet),
            ("log", str(status.log)),
        )
    )


_RESULTS: Mapping[JobResult | None, page.TextSpan] = {
    None: page.TextSpan(""),
    "ok": page.TextSpan("ok", "good"),
    "failed": page.TextSpan("failed", "bad"),
    "skipped": page.soft("nothing to do"),
}


def jobs(listed: Sequence[Job], how: Locale) -> page.Page:
    """What is done by itself, with the next and the last run of each; why one failed stands below."""
    rows = (
        (
            each.name,
            _next_run(each.next_at, how),
            how.age(each.last_at),
            _RESULTS[each.last_result],
            each.schedule,
        )
        for each in listed
    )
    failures = (f"{each.name}: {each.error}" for each in listed if each.error is not None)
    return page.of(
        page.table(
            ("job", "next", page.col("last", drops=1), "", page.col("when+~", floor=15)), rows
        ),
        page.sentences(failures, "warn"),
    )


def _next_run(at: int | None, how: Locale) -> str | page.TextSpan:
    if at is None:
        return page.soft("–")
    if at <= how.now.timestamp() * 1000:
        return "now"
    # The words of when it is due are of the household's zone, which need not be this one.
    return f"{figures.moment(at, how.zone):%Y-%m-%d %H:%M %Z}"


_BACKUP_KINDS = {"before_migration": "update"}
_BACKUP_TONES = {"good": "good", "damaged": "strong bad", "unverified": "soft"}


def backups(listed: Sequence[Backup], how: Locale) -> page.Page:
    """Backups, the newest first."""
    rows = (
        (
            each.id,
            _BACKUP_KINDS.get(each.kind, each.kind),
            how.minute(each.made_at),
            f"{each.size / 1e6:,.1f} MB",
            page.TextSpan(_state_of_backup(each, how), _BACKUP_TONES.get(each.state, "")),
        )
        for each in listed
    )
    kind, made = page.col("kind", drops=1), page.col("made", drops=1)
    return page.of(page.table(("backup", kind, made, "size>", ""), rows))


def _state_of_backup(backup: Backup, how: Locale) -> str:
    if backup.state != "good" or backup.verified_at is None:
        return backup.state
    return f"verified {how.minute(backup.verified_at)[:10]}"


_KEPT = {
    "file": "The data key is kept in {file}",
    "keyring": "The data key is kept in the keyring",
}
_SEALED: dict[SealedKind, tuple[str, str]] = {
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


def kept(source: str, file: str, since: int | None, how: Locale) -> page.Page:
    """Where the data key is, on one line, so that a path in it can be copied."""
    where = _KEPT.get(source, "The data key is given by {source}").format(source=source, file=file)
    day = f", since {figures.long_date(figures.last_day(since, how.zone))}" if since else ""
    return page.of(page.Sentence(f"{where}{day}.", whole=True))


def secrets(status: DataKeyStatus, how: Locale) -> page.Page:
    """Where the key is kept, and what is sealed under it."""
    unfinished = (
        "It was being made anew when that was broken off: two keys are in use."
        " `finplan secrets rotate` brings it to its end."
    )
    about = kept(status.source, status.file, status.since, how) + page.of(
        page.sentences([unfinished] if status.unfinished else [], "warn"),
        page.sentences([status.trouble] if status.trouble else [], "bad"),
    )
    if not status.sealed:
        return about + page.of(page.Sentence("Nothing is sealed under it yet.", "soft"))
    rows = (
        (str(each.count), _SEALED[each.kind][each.count != 1], _opens(each))
        for each in status.sealed
    )
    to_do = [_TO_DO[each.kind].format(lost=_lost(each)) for each in status.sealed if each.closed]
    return about + page.of(
        page.spaced(page.table((">", "sealed", ""), rows)), page.spaced(*page.sentences(to_do))
    )


def _lost(counted: SealedCount) -> str:
    return ", ".join(counted.lost) or _NAMELESS.get(counted.kind, "")


def _opens(counted: SealedCount) -> page.TextSpan:
    if counted.closed is None:
        return page.TextSpan("nobody knows", "warn")
    if not counted.closed:
        return page.TextSpan("opens" if counted.count == 1 else "all open", "good")
    many = "" if counted.count == 1 else f"{counted.closed} "
    return page.TextSpan(f"{many}{'does' if counted.closed == 1 else 'do'} not open", "bad")


def rotated(done: DataKeyRotation, _how: Locale) -> page.Page:
    """What came of making the key anew."""
    closed = (
        f"{figures.count(done.closed, 'secret')} could not be opened and {_is(done.closed)} as before:"
        " `finplan secrets status`."
    )
    sealed = f"{figures.count(done.sealed, 'secret')} {_is(done.sealed)}"
    return page.of(
        page.Sentence(f"There is a new data key, and {sealed} sealed under it."),
        page.sentences([closed] if done.closed else [], "warn"),
    )


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


_CHECK_TONES = {"ok": "good", "warn": "warn", "bad": "strong bad"}


def finding(check: Finding) -> page.Page:
    """One finding, with what to do about it below."""
    tone = _CHECK_TONES[check.state]
    columns = (page.col("", least=5), page.col("", least=12), "+")
    advice = (page.RowPart(page.mentioning(check.advice, tone), indent=13),) if check.advice else ()
    cells = (page.TextSpan(check.state, tone), check.name, page.mentioning(check.text))
    return page.of(page.table(columns, [page.TableRow(cells, below=advice)], gap=1))
