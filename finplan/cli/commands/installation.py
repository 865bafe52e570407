"""`finplan doctor`, `config`, `secrets` and `completions`: finplan on this machine.

What is wrong with it, how it is set up and why, and where the key is kept under which secrets in the
store are sealed. Where it is kept and moving it are about the file that holds the choice, in the
person's own session: a daemon that was started elsewhere may not reach the keyring that the person does.
What is sealed under it only the daemon knows. The scripts that make a shell ask finplan evaluate nothing
of what they are answered.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from finplan import operations, views
from finplan.cli.console.errors import INTERNAL, CommandError, exit_code
from finplan.cli.console.options import CommandApp, argument, examples
from finplan.cli.console.output import writing
from finplan.cli.console.session import Session
from finplan.settings import describe

doctor_app = CommandApp()


@doctor_app.command()
def doctor(context: typer.Context) -> None:
    """Check the installation for problems.

    This command changes nothing and starts nothing. The exit code is 1 if something is broken.
    """
    from finplan.cli.commands.checkup import findings

    session = Session.with_any_settings(context)
    results = []
    if session.options.json:
        results = list(findings(session.settings, session.faults))
        session.print_own([asdict(finding) for finding in results])
    else:
        for finding in findings(session.settings, session.faults):
            results.append(finding)
            session.show(views.installation.finding(finding))
    if any(finding.state == "bad" for finding in results):
        raise typer.Exit(INTERNAL)


config_app = CommandApp()


@config_app.command()
def config(context: typer.Context) -> None:
    """Settings on this machine, and where each value comes from.

    An environment variable such as FINPLAN_PORT overrides finplan.toml in the configuration folder,
    which overrides the default. If a value is invalid, finplan reports it and uses the default. The
    list ends with file locations. Secrets are not shown.
    """
    session = Session.with_any_settings(context)
    session.tell_faults()
    settings, places = session.settings, session.settings.places
    entries = describe(settings)
    paths = {
        "configuration": places.configuration / "finplan.toml",
        "database": places.database,
        "backups": places.backups,
        "log": places.log,
        "plaid secret": places.plaid_secret,
        "enablebanking key": places.enablebanking_key,
        "google secret": places.google_client_secret,
    }
    if session.options.json:
        session.print_own(
            {
                "profile": settings.profile,
                "settings": [
                    {"name": name, "value": getattr(settings, name), "origin": origin}
                    for name, _, origin in entries
                ],
                "faults": [asdict(fault) for fault in session.faults],
                "places": {name.replace(" ", "_"): str(path) for name, path in paths.items()},
            }
        )
        return
    session.show(views.settings.config(settings, entries, paths))


secrets_app = CommandApp(invoke_without_command=True)

_WHAT_KEEPING_MEANS = {
    "keyring": (
        "Commands that run from cron or over ssh often cannot read the keyring. If such a command"
        " needs a secret, it fails with exit code 6. Move the key back to a file: `finplan secrets"
        " move file`."
    ),
    "file": "Anyone who can read both this file and the store can decrypt the secrets in the store.",
}
_OF_COPIES = (
    "Older backups hold secrets that finplan can no longer decrypt. After restoring such a"
    " backup, link your banks again."
)


@secrets_app.callback(
    epilog=examples(
        "finplan secrets",
        "finplan secrets status",
        "finplan secrets rotate",
        "finplan secrets move keyring",
    )
)
def secrets(context: typer.Context) -> None:
    """Show, rotate or move the key that encrypts stored secrets."""
    if context.invoked_subcommand is None:
        from finplan.data_key import source_of

        session = Session.of(context)
        file = session.settings.places.data_key
        _tell_keeping(session, _told_as_by_daemon(source_of, file), file)


@secrets_app.command(epilog=examples("finplan secrets status", "finplan secrets status --json"))
def status(context: typer.Context) -> None:
    """Show where the key is, its age, and whether it decrypts every secret."""
    row = operations.credential.SHOW_DATA_KEY
    Session.of(context).tell(row, lambda: views.installation.secrets, money=False)


@secrets_app.command(epilog=examples("finplan secrets rotate"))
def rotate(context: typer.Context) -> None:
    """Replace the key and re-encrypt every stored secret.

    The new key is stored in the same place, and the old key stops working. If finplan is interrupted,
    no secret is lost: the next start finishes the rotation.
    """
    session = Session.of(context)
    row = operations.credential.ROTATE_DATA_KEY
    if session.tell(row, lambda: views.installation.describe_rotation, money=False) is not None:
        session.say(_OF_COPIES)


@secrets_app.command(epilog=examples("finplan secrets move keyring", "finplan secrets move file"))
def move(
    context: typer.Context,
    target: Annotated[
        Literal["keyring", "file"], argument("PLACE", "`keyring` (the system keyring) or `file`.")
    ],
) -> None:
    """Move the key to the system keyring or to a file.

    The key itself stays the same: no secret is lost, and the background service keeps running.
    """
    from finplan.data_key import move_data_key

    session = Session.of(context)
    file = session.settings.places.data_key
    with session.busy("Asking the keyring"):
        moved = _told_as_by_daemon(move_data_key, file, target)
    _tell_keeping(session, target, file)
    nothing = "Nothing changed: the key was already in this place."
    session.say(_WHAT_KEEPING_MEANS[target] if moved else nothing)


def _told_as_by_daemon(do: "Callable[..., Any]", *args: object) -> Any:
    """Do something with the key; what is wrong with it is told as the daemon would."""
    from finplan.model.errors import Fault

    try:
        return do(*args)
    except Fault as fault:
        raise CommandError(fault.message, exit_code(fault.status, fault.code)) from fault


def _tell_keeping(session: Session, source: str, file: "Path") -> None:
    if session.options.json:
        session.print_own({"dataKey": {"source": source, "file": str(file)}})
        return
    session.show(views.installation.describe_key(source, str(file), None, views.locale.here()))


completions_app = CommandApp()


@completions_app.command(
    epilog=examples(
        "finplan completions bash > ~/.finplan-completions.bash    Source this file",
        "finplan completions zsh > ~/.zfunc/_finplan    A folder in $fpath",
        "finplan completions fish > ~/.config/fish/completions/finplan.fish",
    )
)
def completions(
    shell: Annotated[Literal["bash", "zsh", "fish"], argument("SHELL", "Your shell.")],
) -> None:
    """Print a completion script for your shell.

    The shell completes categories, merchants, accounts and ids only while the background service is
    running. Completion starts nothing and changes nothing.
    """
    with writing():
        sys.stdout.write(SCRIPTS[shell])


BASH = """\
# finplan completions for bash, generated by `finplan completions bash`.
# Source this file, or save it as ~/.local/share/bash-completion/completions/finplan.
_finplan() {
    local value description
    COMPREPLY=()
    while IFS=$'\\t' read -r value description; do
        printf -v value '%q' "$value"
        COMPREPLY+=("$value")
    done < <(finplan __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
    if [ "${#COMPREPLY[@]}" -eq 0 ]; then
        compopt -o default
    fi
}
complete -F _finplan finplan
"""

ZSH = """\
#compdef finplan
# finplan completions for zsh, generated by `finplan completions zsh`.
# Save this file as _finplan in a folder of $fpath, or source it after compinit.
_finplan() {
    local -a found
    local line
    for line in "${(@f)$(finplan __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
        [[ -n "$line" ]] || continue
        found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
    done
    if (( ${#found} )); then
        _describe -V finplan found
    else
        _files
    fi
}
if [[ "${funcstack[1]}" = "_finplan" ]]; then
    _finplan "$@"
else
    compdef _finplan finplan
fi
"""

FISH = """\
# finplan completions for fish, generated by `finplan completions fish`.
# Save this file as ~/.config/fish/completions/finplan.fish.
function __finplan_complete
    set -l words (commandline -opc)
    set -l found (finplan __complete $words[2..-1] (commandline -ct) 2> /dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c finplan -f -a '(__finplan_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
