"""The browser that the tests of a module share."""

from collections.abc import Iterator

import pytest

from tests.browser.chromium import LOOKS, Chromium, chromium
from tests.daemon.conftest import household

__all__ = ["household"]


@pytest.fixture(scope="module")
def started() -> Iterator[Chromium]:
    """The one browser of a module's tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def browser(started: Chromium) -> Chromium:
    """A browser that nobody has used."""
    started.forget()
    started.complaints()
    started.look(*LOOKS[-1])
    return started
