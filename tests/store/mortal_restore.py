"""`python -m tests.store.mortal_restore STORE COPY STEP`: restore a copy, and die at a step on the way.

A step is a file copied, renamed, removed or synced. The exit code is 0 where the restore ended first.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from finplan.store.examination import finds_nothing
from finplan.store.restoring import restore


def main() -> None:
    """Count the steps down, and end the process as by `kill -9`."""
    store, copy, left = Path(sys.argv[1]), Path(sys.argv[2]), [int(sys.argv[3])]

    def dying(act: Callable[..., Any]) -> Callable[..., Any]:
        def do(*words: Any, **more: Any) -> Any:
            if not left[0]:
                os._exit(9)
            left[0] -= 1
            return act(*words, **more)

        return do

    Path.replace = dying(Path.replace)  # type: ignore[method-assign]
    Path.unlink = dying(Path.unlink)  # type: ignore[method-assign]
    shutil.copyfile = dying(shutil.copyfile)
    os.fsync = dying(os.fsync)
    restore(store, copy, "then", finds_nothing)


if __name__ == "__main__":
    main()
