"""Sealing: what is sealed opens under its key, about the same thing, unchanged, and in no other way."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.data_key import KEY_BYTES
from finplan.store.sealing import CannotOpen, Sealer

some_key = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


def opens(sealer: Sealer, sealed: bytes, about: bytes) -> bool:
    try:
        sealer.open(sealed, about)
    except CannotOpen:
        return False
    return True


@given(key=some_key, content=st.binary(), about=st.binary())
def test_what_is_sealed_opens(key: bytes, content: bytes, about: bytes) -> None:
    """Any content comes back as it was."""
    sealer = Sealer(key)

    assert sealer.open(sealer.seal(content, about), about) == content


@given(
    key=some_key,
    other=some_key,
    content=st.binary(min_size=1),
    about=st.binary(),
    elsewhere=st.binary(),
    place=st.integers(min_value=0),
    flip=st.integers(1, 255),
)
def test_nothing_else_opens(
    key: bytes,
    other: bytes,
    content: bytes,
    about: bytes,
    elsewhere: bytes,
    place: int,
    flip: int,
) -> None:
    """Another key, another subject, a changed byte or a missing end is refused."""
    sealer = Sealer(key)
    sealed = sealer.seal(content, about)
    changed = bytearray(sealed)
    changed[place % len(sealed)] ^= flip

    assert opens(Sealer(other), sealed, about) == (other == key)
    assert opens(sealer, sealed, elsewhere) == (elsewhere == about)
    assert not opens(sealer, bytes(changed), about)
    assert not opens(sealer, sealed[: place % len(sealed)], about)


def test_equal_contents_are_sealed_differently() -> None:
    """What is sealed twice cannot be told to be the same, and the key is in no representation."""
    sealer = Sealer(b"k" * KEY_BYTES)

    assert sealer.seal(b"secret", b"") != sealer.seal(b"secret", b"")
    assert "kkkk" not in repr(sealer)
