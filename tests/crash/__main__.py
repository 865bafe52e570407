"""`python -m tests.crash`: kill a daemon at random moments, and see that nothing is lost or doubled.

It ends with one line, and with an exit code that is not 0 where anything was. The home of its daemons is
a folder of its own, which stays when something was found.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from random import randrange
from tempfile import mkdtemp

from tests.crash.kills import Run


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill the daemon so often; answers the exit code."""
    parser = argparse.ArgumentParser("python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=60, help="how often, 60 by default")
    parser.add_argument("--seed", type=int, help="of chance, another one each time by default")
    options = parser.parse_args(arguments)
    seed = randrange(1_000_000) if options.seed is None else options.seed
    print(f"Killing with the seed {seed} …", file=sys.stderr)
    home = Path(mkdtemp(prefix="finplan-crash-"))
    run = Run(home, seed)
    found = run.kill(options.kills).found
    for sentence in found.all:
        print(sentence)
    print(run.tally)
    if found.all:
        print(f"What is left lies in {home}.", file=sys.stderr)
        return 1
    shutil.rmtree(home)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
