"""Tables of views as lists of things on the site."""

import re

from finplan.daemon.surfaces.pages.drawing import draw_things
from finplan.daemon.surfaces.pages.markup import button
from finplan.views.page import Page, Sentence, name, of as page_of, table
from tests.daemon.site.browsing import Page as Shown

THINGS: Page = page_of(
    table(
        ("name<", "last used", "", "id#"),
        [
            (name("<b>One\u202e"), "never", "yours", "key_one"),
            (name("Two", "gone"), "", "", "key_two"),
        ],
    ),
    Sentence("One was revoked: `finplan keys list --all`."),
)


def test_a_thing_is_called_by_its_first_cell_and_told_by_the_others() -> None:
    """With their heads, where they have some; what is empty is left out, and no name is markup."""
    drawn = draw_things(THINGS)
    assert "<b>" not in drawn
    assert "\u202e" not in drawn
    one, two = re.findall(r"<li.*?</li>", drawn)
    assert Shown(one).said.split() == ["<b>One", "last", "used", "never", "·", "yours"]
    assert Shown(two).said.split() == ["Two"]
    assert "<code>finplan keys list --all</code>" in drawn


def test_what_is_over_looks_so() -> None:
    assert re.findall(r'<li( class="ended")?>', draw_things(THINGS)) == ["", ' class="ended"']


def test_acts_stand_beside_the_thing_of_their_key() -> None:
    drawn = draw_things(THINGS, {"key_two": button("Revoke", "revoke-key")})
    one, two = re.findall(r"<li.*?</li>", drawn)
    assert ("revoke-key" in one, "revoke-key" in two) == (False, True)


def test_ids_are_shown_where_they_are_wanted() -> None:
    assert "key_one" not in draw_things(THINGS)
    assert "<code>key_one</code>" in draw_things(THINGS, ids=True)
