"""What is learnt of names: from the shipped data, and from what the person filed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN, Catalogue, Category
from finplan.categorise.decide import Knowledge, PayeeFacts, decide
from finplan.categorise.infer import AUTO_FROM, LabelledPayee, train
from finplan.categorise.payee import payee_of
from tests.categorise.descriptors import DESCRIPTORS

LOFT = LabelledPayee("blue heron loft", "Blue Heron Loft", "cat_stretching")
OWN = Catalogue.including(
    [Category.own("cat_stretching", "Stretching", "discretionary", reimbursable=False)]
)


def facts_of(key: str, debits: int = 3, credits_in: int = 0) -> PayeeFacts:
    return PayeeFacts(key, key.title(), key.upper(), debits, credits_in)


def knowledge(*taught: LabelledPayee) -> Knowledge:
    return Knowledge(OWN, out=train("out", taught), into=train("in", ()))


def test_pieces_of_words_are_evidence() -> None:
    """A compound is like the word in it, whatever stands before."""
    for key, category in [
        ("sonnenapotheke", "health"),
        ("dorfbackerei", "dining"),
        ("landtierarztpraxis", "pets"),
    ]:
        guess = train("out", ()).guess(key)
        assert guess is not None
        assert guess.category == category


def test_nothing_known_is_no_guess() -> None:
    """A name of which nothing was ever seen, or no name at all, is not guessed."""
    for key in ("qzx wvk", "12345", ""):
        assert train("out", ()).guess(key) is None


def test_the_same_name_with_a_tail_is_filed_alike() -> None:
    """A payee whose whole name is a filed one's and more is filed with it, and the reason names it."""
    decision = decide(facts_of("blue heron loft annex"), knowledge(LOFT))
    assert (decision.out, decision.source) == ("cat_stretching", "auto")
    assert decision.confidence is not None
    assert decision.confidence >= AUTO_FROM
    assert decision.text == "Like Blue Heron Loft, which you filed under Stretching"


def test_without_its_teacher_a_payee_is_open_again() -> None:
    """What one rule taught goes with it; learning twice from nothing is the same."""
    facts = facts_of("blue heron annex")
    assert decide(facts, knowledge()) == decide(facts, knowledge())
    assert decide(facts, knowledge()).out == "uncategorized"


def test_one_shared_surname_is_not_enough() -> None:
    """A word that one filed payee has may be an owner or a place: it files nothing by itself."""
    baker = LabelledPayee("huber augsburg", "Huber Augsburg", "dining")
    decision = decide(facts_of("qzx huber"), knowledge(baker))
    assert (decision.out, decision.source) == ("uncategorized", None)


@pytest.mark.parametrize("key", ["blue", "blue wexlin"])
def test_a_word_of_a_filed_name_is_not_the_name(key: str) -> None:
    """Whose name is one word of a filed name, or only shares it, is not even suggested alike."""
    assert decide(facts_of(key), knowledge(LOFT)) == decide(facts_of(key), knowledge())


def test_several_filed_payees_teach_a_word() -> None:
    """A word that the person filed alike again and again speaks for that category."""
    riding = [
        LabelledPayee(f"{name} zwaldhof", f"{name.title()} Zwaldhof", "cat_stretching")
        for name in ("alder", "birch", "cedar", "elm")
    ]
    decision = decide(facts_of("zwaldhof qzx"), knowledge(*riding))
    assert "cat_stretching" in (decision.out, decision.suggested)


def test_a_shipped_rule_goes_before_what_was_learnt() -> None:
    """A well-known merchant stays what it is, whatever a like name was filed under."""
    other = LabelledPayee("safeway yoga", "Safeway Yoga", "cat_stretching")
    decision = decide(facts_of("safeway"), knowledge(other))
    assert (decision.out, decision.source) == ("groceries", "curated")


def test_marketplaces_and_rails_are_never_inferred() -> None:
    """Whatever was filed, what was bought on a marketplace or paid to a person stays a question."""
    filed = [
        LabelledPayee(f"amazon {name}", f"Amazon {name}", "cat_stretching")
        for name in ("one", "two", "six")
    ] + [LabelledPayee("zelle maria lopez", "Maria Lopez (Zelle)", "childcare")]
    for raw in ("AMAZON.COM", "AMZN MKTP US*2K4AB12C3", "ZELLE PAYMENT TO MARIA LOPEZ", "ETSY.COM"):
        payee = payee_of(raw)
        facts = PayeeFacts(payee.key, payee.name, raw, 9, 0)
        assert decide(facts, knowledge(*filed)) == decide(facts)


def test_an_unsure_guess_is_only_suggested() -> None:
    """Below the threshold nothing is filed: the question carries the guess and the next ones."""
    decision = decide(facts_of("copper lantern eatery qzx"), Knowledge(out=train("out", ())))
    assert decision.out in ("uncategorized", "dining")
    unsure = decide(facts_of("sonnenapotheke qzx"), Knowledge(out=train("out", ())))
    assert (unsure.out, unsure.source, unsure.suggested) == ("uncategorized", None, "health")
    assert unsure.confidence is not None
    assert unsure.confidence < AUTO_FROM
    assert len(unsure.alternatives) >= 2
    assert unsure.suggested not in unsure.alternatives


def test_money_in_is_learnt_apart() -> None:
    """Who pays the person teaches about payers only, and money out is never guessed to be income."""
    payer = LabelledPayee("qzx consulting partners", "Qzx Consulting Partners", "self_employment")
    learnt = Knowledge(out=train("out", ()), into=train("in", [payer]))
    paid = decide(facts_of("qzx consulting partners gmbh", 0, 2), learnt)
    assert (paid.into, paid.source) == ("self_employment", "auto")
    spent = decide(
        facts_of("qzx consulting partners gmbh", 2), Knowledge(out=train("out", [payer]))
    )
    assert spent.out == "uncategorized"
    assert spent.suggested != "self_employment"


@given(DESCRIPTORS, st.lists(st.tuples(DESCRIPTORS, st.sampled_from(sorted(BUILT_IN))), max_size=5))
def test_a_guess_is_always_sane(raw: str, filed: list[tuple[str, str]]) -> None:
    """Whatever was filed, a guess names a category with a share from 0 to 1, and others beside it."""
    taught = [LabelledPayee(payee_of(text).key, "X", category) for text, category in filed]
    guess = train("out", taught).guess(payee_of(raw).key)
    if guess is not None:
        assert guess.category in BUILT_IN
        assert 0 < guess.confidence < 1
        assert guess.category not in guess.alternatives


@given(st.permutations([LOFT, LabelledPayee("alder farm", "Alder Farm", "groceries")]))
def test_the_order_of_the_rules_does_not_matter(taught: list[LabelledPayee]) -> None:
    """The same rules teach the same, whichever was saved first."""
    guess = train("out", taught).guess("blue alder heron")
    again = train("out", taught[::-1]).guess("blue alder heron")
    assert guess == again
