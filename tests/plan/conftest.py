"""What tests of the plan begin with."""

import pytest

from tests.plan.own_accounts import Statement


@pytest.fixture
def rows() -> Statement:
    """Bank rows on own accounts, of which there are none yet."""
    return Statement()
