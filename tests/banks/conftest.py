"""What tests of banks share: an authority for the fake banks' certificates."""

import pytest

from tests.banks.fakes.wire import HOST
from tests.webhooks.receiver import Authority, make_authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("banks"), HOST, "localhost")
