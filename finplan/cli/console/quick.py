"""What keeps a command quick: what Python and libraries would do at its beginning and end for nobody."""

import atexit
import gc
import os
import sys

RARELY = 100_000


def be_quick() -> None:
    """Spare a short run what only a long one is paid back for; called before anything is imported.

    Together this is a third of the time of `finplan accounts --json` on a warm daemon.
    """
    # Nearly all that a command allocates are modules, which are never garbage.
    gc.set_threshold(RARELY)
    # At its end Python would look for garbage in all of it, before the system takes it back whole.
    atexit.register(gc.freeze)
    # httpx has a command line of its own and would load click, rich and pygments for it. It goes
    # without when that module cannot be imported, and None is how Python is told so.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # As its manual says.
    # pydantic would look through every installed package for plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
