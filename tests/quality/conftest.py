"""Generated households that several tests look at."""

import pytest

from benchmarks.quality.world.household import household
from benchmarks.quality.world.truth import Household

# These seeds are in neither part, so that no test looks at what is reported.
SEEDS = range(50)


@pytest.fixture(scope="session")
def noisy() -> list[Household]:
    return [household(seed, "noisy") for seed in SEEDS]


@pytest.fixture(scope="session")
def clean() -> list[Household]:
    return [household(seed, "clean") for seed in SEEDS]
