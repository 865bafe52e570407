"""`python -m finplan.daemon`: how the client starts the daemon, and how a service manager may."""

import argparse
import json
import signal
import sys
from collections.abc import Sequence

from finplan.model.characters import visible_lines
from finplan.setting_values import SettingsError
from finplan.settings import load_settings, read_settings

BAD_SETTINGS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the daemon of one profile until it is told to stop; answers the exit code."""
    parser = argparse.ArgumentParser("python -m finplan.daemon", description=main.__doc__)
    parser.add_argument(
        "--profile", help="profile to serve (default: FINPLAN_PROFILE, or `default`)"
    )
    parser.add_argument("--foreground", action="store_true", help="also write the log to stderr")
    parser.add_argument(
        "--check-store", action="store_true", help="only check the store, and print the result"
    )
    parser.add_argument("--backups", metavar="VERB", help="list, create, verify or restore backups")
    parser.add_argument("--copy", metavar="NAME", help="name of the backup")
    parser.add_argument(
        "--lock", type=int, help="file descriptor of the lock, passed by the parent process"
    )
    options = parser.parse_args(arguments)
    # As long as nobody is served, Ctrl-C ends the process as SIGTERM does: at once, without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        # Whether a store is whole hangs on no setting but on where it is.
        settings = (
            read_settings(options.profile)[0]
            if options.check_store or options.backups
            else load_settings(options.profile)
        )
    except SettingsError as error:
        sys.stderr.write(f"{visible_lines(str(error))}\n")
        return BAD_SETTINGS
    if options.check_store:
        from finplan.daemon.maintenance import check_store

        sys.stdout.write(f"{json.dumps(check_store(settings.places))}\n")
        return 0
    if options.backups:
        from finplan.daemon.maintenance import BACKUP_VERBS, run_backup_tool

        if options.backups not in BACKUP_VERBS:
            parser.error(f"Unknown verb for --backups. Choose one of: {', '.join(BACKUP_VERBS)}.")
        answer = run_backup_tool(settings.places, options.backups, options.copy)
        sys.stdout.write(f"{answer}\n")
        return 0
    # Loaded late, so that --help and a bad setting are told at once.
    from finplan.daemon.process import run

    return run(settings, options.foreground, options.lock)


if __name__ == "__main__":
    raise SystemExit(main())
