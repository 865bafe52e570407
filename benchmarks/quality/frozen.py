"""What made the households of a report: a digest of the generator's sources and of the seeds."""

from hashlib import sha256
from pathlib import Path

_HERE = Path(__file__).parent


def generator_digest() -> str:
    """The first sixteen digits of the SHA-256 of all that makes households, in the order of names."""
    digest = sha256()
    for path in [*sorted((_HERE / "world").glob("*.py")), _HERE / "parts.py"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
