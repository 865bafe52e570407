"""`finplan completions`: the script that makes a shell complete commands, options and your own names."""

import sys
from typing import Annotated, Literal

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.output import writing

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan completions bash > ~/.finplan-completions.bash    To be sourced",
        "finplan completions zsh > ~/.zfunc/_finplan    A folder of $fpath",
        "finplan completions fish > ~/.config/fish/completions/finplan.fish",
    )
)
def completions(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(metavar="SHELL", help="The shell that you type in."),
    ],
) -> None:
    """A script by which your shell completes commands, options and names.

    Categories, merchants, accounts and ids come from the daemon where it runs; pressing the key starts
    and changes nothing.
    """
    from finplan.cli.console.shell_scripts import SCRIPTS

    with writing():
        sys.stdout.write(SCRIPTS[shell])
