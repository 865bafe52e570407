"""A page's texts are escaped, and show nothing that a person cannot see."""

import pytest

from finplan.daemon.surfaces.pages.markup import text


@pytest.mark.parametrize(
    ("content", "shown"),
    [("A & <B>", "A &amp; &lt;B&gt;"), ("a\x1b\u202eb\u2066c", "a bc"), ("a\x9bb", "a b"),
     ("می‌خواهم é 東京", "می‌خواهم é 東京")],
)  # fmt: skip
def test_a_name_from_a_stranger_is_only_text(content: str, shown: str) -> None:
    """Nothing in it is markup, turns round what stands after it, or commands anything."""
    assert text(content) == shown
