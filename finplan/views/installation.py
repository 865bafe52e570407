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
        state = page.TextSpan("not responding" if status.running else "not running", "strong warn")
    not_yet = page.soft("not started; enable it with `finplan daemon install`")
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
            job.name,
            _next_run(job.next_at, how),
            how.age(job.last_at),
            _RESULTS[job.last_result],
            job.schedule,
        )
        for job in listed
    )
    failures = (f"{job.name}: {job.error}" for job in listed if job.error is not None)
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
            backup.id,
            _BACKUP_KINDS.get(backup.kind, backup.kind),
            how.minute(backup.made_at),
            f"{backup.size / 1e6:,.1f} MB",
            page.TextSpan(_state_of_backup(backup, how), _BACKUP_TONES.get(backup.state, "")),
        )
        for backup in listed
    )
    kind, created = page.col("kind", drops=1), page.col("made", drops=1)
    return page.of(page.table(("backup", kind, created, "size>", ""), rows))


def _state_of_backup(backup: Backup, how: Locale) -> str:
    if backup.state != "good" or backup.verified_at is None:
        return backup.state
    return f"verified {how.minute(backup.verified_at)[:10]}"


_KEPT = {
    "file": "The data key is in {file}",
    "keyring": "The data key is in the keyring",
}
_SEALED: dict[SealedKind, tuple[str, str]] = {
    "bank_access": ("bank credential", "bank credentials"),
    "bank_link": ("unfinished bank link", "unfinished bank links"),
    "webhook_secret": ("webhook secret", "webhook secrets"),
    "signing_key": ("signing key", "signing keys"),
    "kept_reply": ("reply saved for a day", "replies saved for a day"),
}
_NAMELESS: dict[SealedKind, str] = {
    "bank_access": "those banks",
    "webhook_secret": "those webhooks",
}
_TO_DO: dict[SealedKind, str] = {
    "bank_access": "Link {lost} again: see `finplan connections`.",
    "bank_link": "Start unreadable links again with `finplan connect`.",
    "webhook_secret": "Rotate the secret of {lost}: `finplan webhooks rotate`.",
    "signing_key": "finplan creates new signing keys as needed; old signatures are no longer valid.",
    "kept_reply": "Unreadable replies are deleted within a day.",
}


def describe_key(source: str, file: str, since: int | None, how: Locale) -> page.Page:
    """Where the data key is, on one line, so that a path in it can be copied."""
    where = _KEPT.get(source, "The data key comes from {source}").format(source=source, file=file)
    day = f", since {figures.long_date(figures.last_day(since, how.zone))}" if since else ""
    return page.of(page.Sentence(f"{where}{day}.", whole=True))


def secrets(status: DataKeyStatus, how: Locale) -> page.Page:
    """Where the key is kept, and what is sealed under it."""
    unfinished = (
        "A key rotation was interrupted, so two keys are in use. Finish the rotation with"
        " `finplan secrets rotate`."
    )
    about = describe_key(status.source, status.file, status.since, how) + page.of(
        page.sentences([unfinished] if status.unfinished else [], "warn"),
        page.sentences([status.trouble] if status.trouble else [], "bad"),
    )
    if not status.sealed:
        return about + page.of(page.Sentence("Nothing is encrypted with this key yet.", "soft"))
    rows = (
        (str(seal.count), _SEALED[seal.kind][seal.count != 1], _opens(seal))
        for seal in status.sealed
    )
    to_do = [_TO_DO[seal.kind].format(lost=_lost(seal)) for seal in status.sealed if seal.closed]
    return about + page.of(
        page.spaced(page.table((">", "encrypted", ""), rows)), page.spaced(*page.sentences(to_do))
    )


def _lost(counted: SealedCount) -> str:
    return ", ".join(counted.lost) or _NAMELESS.get(counted.kind, "")


def _opens(counted: SealedCount) -> page.TextSpan:
    if counted.closed is None:
        return page.TextSpan("unknown", "warn")
    if not counted.closed:
        return page.TextSpan("readable" if counted.count == 1 else "all readable", "good")
    many = "" if counted.count == 1 else f"{counted.closed} "
    return page.TextSpan(f"{many}not readable", "bad")


def describe_rotation(done: DataKeyRotation, _how: Locale) -> page.Page:
    """What came of making the key anew."""
    closed = (
        f"{figures.count(done.closed, 'secret')} could not be decrypted and {_is(done.closed)}"
        " unchanged: see `finplan secrets status`."
    )
    sealed = figures.count(done.sealed, "secret")
    return page.of(
        page.Sentence(f"Rotated the data key and encrypted {sealed} with it."),
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
