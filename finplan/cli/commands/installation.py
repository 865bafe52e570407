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
    """Look for what is wrong with the installation.

    Nothing is changed and nothing started. The exit code is 1 when something is broken.
    """
    from finplan.cli.commands.checkup import findings

    session = Session.with_any_settings(context)
    found = []
    if session.options.json:
        found = list(findings(session.settings, session.faults))
        session.print_own([asdict(finding) for finding in found])
    else:
        for finding in findings(session.settings, session.faults):
            found.append(finding)
            session.show(views.installation.finding(finding))
    if any(finding.state == "bad" for finding in found):
        raise typer.Exit(INTERNAL)


config_app = CommandApp()


@config_app.command()
def config(context: typer.Context) -> None:
    """How finplan is set up on this machine, and why.

    A value comes from an environment variable such as FINPLAN_PORT, else from finplan.toml in the
    configuration folder, else it is the default. One that cannot be is shown as its default, and told.
    Below stand the places of files; the secrets in some of them are not shown.
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
        "What is started by cron or over ssh mostly reaches no keyring: what needs a secret fails there"
        " with exit code 6, and all else goes on. `finplan secrets move file` takes the key back."
    ),
    "file": "Whoever can read this file and the store can read the secrets in it.",
}
_OF_COPIES = (
    "Copies of the store from before hold secrets that open no more: from such a copy banks have to be"
    " linked anew."
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
    """Where the key to the secrets in the store is kept."""
    if context.invoked_subcommand is None:
        from finplan.data_key import source_of

        session = Session.of(context)
        file = session.settings.places.data_key
        _tell_keeping(session, _told_as_by_daemon(source_of, file), file)


@secrets_app.command(epilog=examples("finplan secrets status", "finplan secrets status --json"))
def status(context: typer.Context) -> None:
    """Where the key is, since when, what is sealed under it, and whether each of these opens."""
    row = operations.credential.SHOW_DATA_KEY
    Session.of(context).tell(row, lambda: views.installation.secrets, money=False)


@secrets_app.command(epilog=examples("finplan secrets rotate"))
def rotate(context: typer.Context) -> None:
    """Make a new key, and seal every secret in the store anew under it.

    The new key is kept where the former one was, which opens nothing then. Whatever ends finplan on the
    way, one of the two opens everything, and the next start goes on.
    """
    session = Session.of(context)
    row = operations.credential.ROTATE_DATA_KEY
    if session.tell(row, lambda: views.installation.rotated, money=False) is not None:
        session.say(_OF_COPIES)


@secrets_app.command(epilog=examples("finplan secrets move keyring", "finplan secrets move file"))
def move(
    context: typer.Context,
    place: Annotated[
        Literal["keyring", "file"], argument("PLACE", "`keyring`, that of the system, or `file`.")
    ],
) -> None:
    """Keep the key in the keyring of the system, or in a file.

    The key stays the same, so nothing that is sealed is lost, and a running daemon goes on with it.
    """
    from finplan.data_key import move_data_key

    session = Session.of(context)
    file = session.settings.places.data_key
    with session.busy("Asking the keyring"):
        moved = _told_as_by_daemon(move_data_key, file, place)
    _tell_keeping(session, place, file)
    session.say(_WHAT_KEEPING_MEANS[place] if moved else "It was kept there already.")


def _told_as_by_daemon(do: "Callable[..., Any]", *given: object) -> Any:
    """Do something with the key; what is wrong with it is told as the daemon would."""
    from finplan.model.errors import Fault

    try:
        return do(*given)
    except Fault as fault:
        raise CommandError(fault.message, exit_code(fault.status, fault.code)) from fault


def _tell_keeping(session: Session, source: str, file: "Path") -> None:
    if session.options.json:
        session.print_own({"dataKey": {"source": source, "file": str(file)}})
        return
    session.show(views.installation.kept(source, str(file), None, views.locale.here()))


completions_app = CommandApp()


@completions_app.command(
    epilog=examples(
        "finplan completions bash > ~/.finplan-completions.bash    To be sourced",
        "finplan completions zsh > ~/.zfunc/_finplan    A folder of $fpath",
        "finplan completions fish > ~/.config/fish/completions/finplan.fish",
    )
)
def completions(
    shell: Annotated[
        Literal["bash", "zsh", "fish"], argument("SHELL", "The shell that you type in.")
    ],
) -> None:
    """A script by which your shell completes commands, options and names.

    Categories, merchants, accounts and ids come from the daemon where it runs; pressing the key starts
    and changes nothing.
    """
    with writing():
        sys.stdout.write(SCRIPTS[shell])


BASH = """\
# Completions of finplan for bash, made by `finplan completions bash`.
# Source this file, or keep it as ~/.local/share/bash-completion/completions/finplan.
_finplan() {
    local value told
    COMPREPLY=()
    while IFS=$'\\t' read -r value told; do
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
# Completions of finplan for zsh, made by `finplan completions zsh`.
# Keep this file as _finplan in a folder of $fpath, or source it after compinit.
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
# Completions of finplan for fish, made by `finplan completions fish`.
# Keep this file as ~/.config/fish/completions/finplan.fish.
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
