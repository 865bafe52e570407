"""What of a text a test holds: the figures and names that carry it, in their order."""

import re


def says(text: str, *pieces: str) -> bool:
    """Whether a text has all of these pieces, one after another."""
    return re.search(".*".join(map(re.escape, pieces)), text, re.DOTALL) is not None
