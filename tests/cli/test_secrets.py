"""`finplan secrets`: the person moves the key, is told what it means, and why when it cannot be."""

import json
from collections.abc import Iterator

import pytest

from finplan.cli.showing.installation import draw_rotation, draw_secrets
from finplan.data_key import data_key, key_at_start
from finplan.model.credential import DataKeyRotation, DataKeyStatus, SealedCount, SealedKind
from finplan.settings import load_settings
from tests.cli.conftest import Draw, Run
from tests.data_key.keyrings import Safe, preferring
from tests.golden_files import Golden


@pytest.fixture
def safe() -> Iterator[Safe]:
    with preferring(Safe()) as safe:
        yield safe


@pytest.fixture
def key(finplan: Run) -> bytes:
    """The key of a profile whose daemon has started before."""
    file = load_settings().places.data_key
    file.parent.mkdir(parents=True)
    made = key_at_start(file, {})
    assert made is not None
    return made


def test_there_and_back(finplan: Run, key: bytes, safe: Safe) -> None:
    """Each way says where the key is, and what that means; the key is the same all the time."""
    file = load_settings().places.data_key

    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (0, b"The data key is kept in the keyring.\n")
    assert "cron or over ssh" in there.err
    assert "exit code 6" in there.err
    assert data_key(file, {}) == key
    assert json.loads(finplan("secrets", "--json").out) == {
        "dataKey": {"source": "keyring", "file": str(file)}
    }

    back = finplan("secrets", "move", "file")
    assert (back.code, back.out) == (0, f"The data key is kept in {file}.\n".encode())
    assert data_key(file, {}) == key
    again = finplan("secrets", "move", "file")
    assert (again.code, again.err) == (0, "It was kept there already.\n")


def test_a_keyring_that_gives_nothing_is_exit_code_6(finplan: Run, key: bytes, safe: Safe) -> None:
    """Neither way goes on without the keyring; a sentence says that the key stays."""
    safe.locked = True
    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (6, b"")
    assert "the data key stays in" in there.err
    safe.locked = False
    finplan("secrets", "move", "keyring")
    safe.locked = True

    back = finplan("secrets", "move", "file")

    assert (back.code, back.out) == (6, b"")
    assert "keyring of the system" in back.err


def test_before_the_first_start_there_is_no_key(finplan: Run, safe: Safe) -> None:
    """Nothing is made by looking, or by moving."""
    assert (finplan("secrets").code, finplan("secrets", "move", "keyring").code) == (4, 4)
    assert not load_settings().places.data.exists()


def test_another_place_is_a_usage_error(finplan: Run, key: bytes) -> None:
    """There are two places, and the help names both."""
    ended = finplan("secrets", "move", "pocket")

    assert ended.code == 2
    assert "keyring" in ended.err


def counted(kind: SealedKind, count: int, closed: int | None, *lost: str) -> SealedCount:
    return SealedCount(kind=kind, count=count, closed=closed, lost=lost)


FILE = "/home/ada/.local/share/finplan/default/data_key.json"
WHOLE = DataKeyStatus(
    source="file",
    file=FILE,
    since=1_788_214_980_000,
    unfinished=False,
    trouble=None,
    sealed=(
        counted("bank_access", 1, 0),
        counted("webhook_secret", 2, 0),
        counted("signing_key", 3, 0),
        counted("kept_reply", 12, 0),
    ),
)


def test_the_status(draw: Draw, golden: Golden) -> None:
    """Where the key is, since when, what is sealed, whether it opens, and what to do if not."""
    told = (
        WHOLE,
        WHOLE.model_copy(
            update={
                "unfinished": True,
                "since": None,
                "sealed": (
                    counted("bank_access", 2, 1, "Harbour Bank"),
                    counted("webhook_secret", 1, 1, "https://hooks.example.com/"),
                    counted("signing_key", 3, 3),
                    counted("kept_reply", 12, 2),
                ),
            }
        ),
        WHOLE.model_copy(
            update={
                "source": "keyring",
                "trouble": "The data key is in the keyring of the system, which does not give it.",
                "sealed": (counted("bank_access", 2, None),),
            }
        ),
        WHOLE.model_copy(update={"source": "FINPLAN_DATA_KEY", "sealed": ()}),
    )
    golden("secrets-status", "\n".join(draw(draw_secrets(each)) for each in told))


def test_a_key_made_anew(draw: Draw, golden: Golden) -> None:
    """How many secrets are sealed under it now, and how many opened no more before."""
    told = (
        DataKeyRotation(since=1, sealed=18, closed=0),
        DataKeyRotation(since=1, sealed=1, closed=1),
    )
    golden("secrets-rotated", "\n".join(draw(draw_rotation(each)) for each in told))
