"""What made the households of a report: a digest of the generator's sources and of the seeds."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

_HERE = Path(__file__).parent
_JUDGES = {"__main__.py", "judging.py", "again.py"}


def generator_digest() -> str:
    """The first sixteen digits of the SHA-256 of all that makes households, in the order of names."""
    return _digest([*sorted((_HERE / "world").glob("*.py")), _HERE / "parts.py"])


def lives_digest() -> str:
    """The same of the lives that change, which are made of the parts of these households."""
    lives = [path for path in (_HERE / "lives").glob("*.py") if path.name not in _JUDGES]
    return _digest([*sorted((_HERE / "world").glob("*.py")), *sorted(lives)])


def rough_digest() -> str:
    """The same of the rough households."""
    rough = [path for path in (_HERE / "rough").glob("*.py") if path.name not in _JUDGES]
    return _digest([*sorted((_HERE / "world").glob("*.py")), *sorted(rough)])


def _digest(paths: Iterable[Path]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
