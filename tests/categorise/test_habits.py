"""What the person usually files raises guesses of other payees, and never files one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN, Catalogue, Category
from finplan.categorise.decide import Knowledge, PayeeFacts, decide
from finplan.categorise.infer import AUTO_FROM, CategoryModel, LabelledPayee, train
from finplan.categorise.payee import payee_of
from tests.categorise.descriptors import DESCRIPTORS

NAMELESS = ("zwxv", "vqqk", "zzjw", "kwvz", "vjwk", "vqkv", "xqjw", "kjvj", "xkwj", "jqqz", "jwvx")
"""Payees whose names say nothing, so that only what they are filed under can teach."""


def _who_files(category: str, payees: int = len(NAMELESS)) -> CategoryModel:
    """What somebody teaches who filed so many payees under one category."""
    return train("out", (LabelledPayee(name, name, category) for name in NAMELESS[:payees]))


def _guessed(model: CategoryModel, key: str) -> tuple[str, float]:
    guess = model.guess(key)
    assert guess is not None
    return guess.category, guess.confidence


def test_a_name_of_two_meanings_is_of_the_usual_kind() -> None:
    """Lessons are a child's for who files a child's things, and a hobby for who files hobbies."""
    nobody = train("out", ())
    assert _guessed(nobody, "quillon lessons")[0] == "hobbies"
    children = _guessed(_who_files("kids"), "quillon lessons")
    assert children[0] == "kids"
    assert children[1] > 0.5
    own = _guessed(_who_files("hobbies"), "quillon lessons")
    assert own[0] == "hobbies"
    assert own[1] > _guessed(nobody, "quillon lessons")[1]


def test_more_payees_of_a_kind_raise_it_more() -> None:
    """Each further payee of the category makes the guess surer; the first one is no habit."""
    sure = [_guessed(_who_files("dining", count), "quillon house")[1] for count in (0, 1, 2, 5, 11)]
    assert sure[0] == sure[1] < sure[2] < sure[3] < sure[4]


def test_habits_of_another_kind_raise_nothing() -> None:
    """Who files many payees as pets, and one as dining, is no surer of a restaurant, and not told so."""
    many = [LabelledPayee(name, name, "pets") for name in NAMELESS]
    guess = train("out", [*many, LabelledPayee("wkqz", "Wkqz", "dining")]).guess("quillon house")
    assert guess is not None
    assert (guess.category, guess.habit) == ("dining", 0)
    assert guess.confidence <= _guessed(train("out", ()), "quillon house")[1]


@pytest.mark.parametrize("category", ["kids", "rent", "groceries", "cat_own"])
def test_a_habit_says_nothing_where_the_name_does_not(category: str) -> None:
    """A pharmacy stays one, and a name that nothing is known of stays without a guess."""
    model = _who_files(category)
    assert _guessed(model, "sonnenapotheke")[0] == "health"
    assert model.guess("qzx wvk") is None


def test_money_in_has_no_habits() -> None:
    """Who is paid by many clients has another employer no less."""
    clients = [LabelledPayee(name, name, "self_employment") for name in NAMELESS]
    assert not train("in", clients).habits


@given(
    DESCRIPTORS,
    st.lists(st.tuples(DESCRIPTORS, st.sampled_from(sorted(BUILT_IN))), min_size=2, max_size=8),
    st.sampled_from(sorted(BUILT_IN)),
)
def test_what_is_filed_does_not_depend_on_habits(
    raw: str, filed: list[tuple[str, str]], usual: str
) -> None:
    """A payee is filed by itself with habits exactly if it is without them, and alike."""
    taught = [LabelledPayee(payee_of(text).key, "X", category) for text, category in filed]
    taught += [LabelledPayee(name, name, usual) for name in NAMELESS]
    model = train("out", taught)
    plain = replace(model, habits={})
    for key in (payee_of(raw).key, *(each.key + " annex" for each in taught)):
        with_habits, without = model.guess(key), plain.guess(key)
        sure = without is not None and without.confidence >= AUTO_FROM
        assert sure == (with_habits is not None and with_habits.confidence >= AUTO_FROM)
        assert not sure or with_habits == without


def test_the_strongest_habit_only_suggests() -> None:
    """However much is filed under an own category, a payee of one word of it is still asked about."""
    own = Catalogue.including(
        [Category.own("cat_own", "Sailing", "discretionary", reimbursable=False)]
    )
    taught = [LabelledPayee(f"zwaldhof {name}", name, "cat_own") for name in NAMELESS[:2]]
    taught += [LabelledPayee(f"{name}{end}", name, "cat_own") for name in NAMELESS for end in "xyz"]
    model = train("out", taught)
    decision = decide(_facts("zwaldhof quillon"), Knowledge(own, out=model))
    plain = decide(_facts("zwaldhof quillon"), Knowledge(own, out=replace(model, habits={})))
    assert plain.source is None
    assert (decision.source, decision.suggested) == (None, "cat_own")
    assert decision.confidence is not None
    assert plain.confidence is not None
    assert plain.confidence < decision.confidence < AUTO_FROM


def test_the_reason_names_the_habit() -> None:
    """Where habit raised a guess its reason says how many payees were filed there, and else not."""
    text = decide(_facts("quillon lessons"), Knowledge(out=_who_files("kids"))).text
    assert text == (
        "Not sure enough to file it. The word 'lessons' in its name speaks for kids' activities,"
        " where you filed 11 payees"
    )
    assert "you filed" not in decide(_facts("quillon camp"), Knowledge(out=_who_files("pets"))).text


def _facts(key: str) -> PayeeFacts:
    return PayeeFacts(key, key.title(), key.upper(), 3, 0)
