"""What is learnt of names: from the shipped data, and from what the person filed.

What the person usually files raises guesses of other payees, and never files one; where a payee is,
and who owns it, say nothing of what it sells.
"""

from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given, strategies as st

from finplan.categorise import infer
from finplan.categorise.catalogue import BUILT_IN, Catalogue, Category
from finplan.categorise.curated import curated, find_merchant
from finplan.categorise.decide import Knowledge, PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.places import without_places
from tests.categorise.descriptors import DESCRIPTORS
from tests.present import present
from tests.says import says

LOFT = infer.LabelledPayee("blue heron loft", "Blue Heron Loft", "cat_stretching")
OWN = Catalogue.including(
    [Category.own("cat_stretching", "Stretching", "discretionary", reimbursable=False)]
)


def facts_of(key: str, debits: int = 3, credits_in: int = 0) -> PayeeFacts:
    return PayeeFacts(key, key.title(), key.upper(), debits, credits_in)


def knowledge(*taught: infer.LabelledPayee) -> Knowledge:
    return Knowledge(OWN, out=infer.train("out", taught), into=infer.train("in", ()))


def test_pieces_of_words_are_evidence() -> None:
    """A compound is like the word in it, whatever stands before."""
    for key, category in [
        ("sonnenapotheke", "health"),
        ("dorfbackerei", "dining"),
        ("landtierarztpraxis", "pets"),
    ]:
        assert present(infer.train("out", ()).guess(key)).category == category


def test_nothing_known_is_no_guess() -> None:
    """A name of which nothing was ever seen, or no name at all, is not guessed."""
    for key in ("qzx wvk", "12345", ""):
        assert infer.train("out", ()).guess(key) is None


def test_the_same_name_with_a_tail_is_filed_alike() -> None:
    """A payee whose whole name is a filed one's and more is filed with it, and the reason names it."""
    decision = decide(facts_of(f"{LOFT.key} annex"), knowledge(LOFT))
    assert (decision.out, decision.source) == ("cat_stretching", "auto")
    assert present(decision.confidence) >= infer.AUTO_FROM
    assert says(decision.text, "Blue Heron Loft,", "Stretching")


def test_without_its_teacher_a_payee_is_open_again() -> None:
    """What one rule taught goes with it; learning twice from nothing is the same."""
    facts = facts_of("blue heron annex")
    assert decide(facts, knowledge()) == decide(facts, knowledge())
    assert decide(facts, knowledge()).out == "uncategorized"


def test_one_shared_surname_is_not_enough() -> None:
    """A word that one filed payee has may be an owner or a place: it files nothing by itself."""
    baker = infer.LabelledPayee("huber augsburg", "Huber Augsburg", "dining")
    decision = decide(facts_of("qzx huber"), knowledge(baker))
    assert (decision.out, decision.source) == ("uncategorized", None)


@pytest.mark.parametrize("key", ["blue", "blue wexlin"])
def test_a_word_of_a_filed_name_is_not_the_name(key: str) -> None:
    """Whose name is one word of a filed name, or only shares it, is not even suggested alike."""
    assert decide(facts_of(key), knowledge(LOFT)) == decide(facts_of(key), knowledge())


def test_several_filed_payees_teach_a_word() -> None:
    """A word that the person filed alike again and again speaks for that category."""
    riding = [
        infer.LabelledPayee(f"{name} zwaldhof", f"{name.title()} Zwaldhof", "cat_stretching")
        for name in ("alder", "birch", "cedar", "elm")
    ]
    decision = decide(facts_of("zwaldhof qzx"), knowledge(*riding))
    assert "cat_stretching" in (decision.out, decision.suggested)


def test_a_shipped_rule_goes_before_what_was_learnt() -> None:
    """A well-known merchant stays what it is, whatever a like name was filed under."""
    other = infer.LabelledPayee("safeway yoga", "Safeway Yoga", "cat_stretching")
    decision = decide(facts_of("safeway"), knowledge(other))
    assert (decision.out, decision.source) == ("groceries", "curated")


def test_marketplaces_and_rails_are_never_inferred() -> None:
    """Whatever was filed, what was bought on a marketplace or paid to a person stays a question."""
    filed = [
        infer.LabelledPayee(f"amazon {name}", f"Amazon {name}", "cat_stretching")
        for name in ("one", "two", "six")
    ] + [infer.LabelledPayee("zelle maria lopez", "Maria Lopez (Zelle)", "childcare")]
    for raw in ("AMAZON.COM", "AMZN MKTP US*2K4AB12C3", "ZELLE PAYMENT TO MARIA LOPEZ", "ETSY.COM"):
        payee = payee_of(raw)
        facts = PayeeFacts(payee.key, payee.name, raw, 9, 0)
        assert decide(facts, knowledge(*filed)) == decide(facts)


def test_an_unsure_guess_is_only_suggested() -> None:
    """Below the threshold nothing is filed: the question carries the guess and the next ones."""
    decision = decide(facts_of("copper lantern eatery"), Knowledge(out=infer.train("out", ())))
    assert decision.out in ("uncategorized", "dining")
    unsure = decide(facts_of("sonnenapotheke qzx"), Knowledge(out=infer.train("out", ())))
    assert (unsure.out, unsure.source, unsure.suggested) == ("uncategorized", None, "health")
    assert present(unsure.confidence) < infer.AUTO_FROM
    assert len(unsure.alternatives) >= 2
    assert unsure.suggested not in unsure.alternatives


def test_money_in_is_learnt_apart() -> None:
    """Who pays the person teaches about payers only, and money out is never guessed to be income."""
    payer = infer.LabelledPayee(
        "qzx consulting partners", "Qzx Consulting Partners", "self_employment"
    )
    learnt = Knowledge(out=infer.train("out", ()), into=infer.train("in", [payer]))
    paid = decide(facts_of(f"{payer.key} gmbh", 0, 2), learnt)
    assert (paid.into, paid.source) == ("self_employment", "auto")
    spent = decide(facts_of(f"{payer.key} gmbh", 2), Knowledge(out=infer.train("out", [payer])))
    assert spent.out == "uncategorized"
    assert spent.suggested != "self_employment"


@given(DESCRIPTORS, st.lists(st.tuples(DESCRIPTORS, st.sampled_from(sorted(BUILT_IN))), max_size=5))
def test_a_guess_is_always_sane(raw: str, filed: list[tuple[str, str]]) -> None:
    """Whatever was filed, a guess names a category with a share from 0 to 1, and others beside it."""
    taught = [infer.LabelledPayee(payee_of(text).key, "X", category) for text, category in filed]
    guess = infer.train("out", taught).guess(payee_of(raw).key)
    if guess is not None:
        assert guess.category in BUILT_IN
        assert 0 < guess.confidence < 1
        assert guess.category not in guess.alternatives


@given(st.permutations([LOFT, infer.LabelledPayee("alder farm", "Alder Farm", "groceries")]))
def test_the_order_of_the_rules_does_not_matter(taught: list[infer.LabelledPayee]) -> None:
    """The same rules teach the same, whichever was saved first."""
    guess = infer.train("out", taught).guess("blue alder heron")
    again = infer.train("out", taught[::-1]).guess("blue alder heron")
    assert guess == again


NAMELESS = ("zwxv", "vqqk", "zzjw", "kwvz", "vjwk", "vqkv", "xqjw", "kjvj", "xkwj", "jqqz", "jwvx")
"""Payees whose names say nothing, so that only what they are filed under can teach."""


def _who_files(category: str, payees: int = len(NAMELESS)) -> infer.CategoryModel:
    """What somebody teaches who filed so many payees under one category."""
    return infer.train(
        "out", (infer.LabelledPayee(name, name, category) for name in NAMELESS[:payees])
    )


def _guessed(model: infer.CategoryModel, key: str) -> tuple[str, float]:
    guess = present(model.guess(key))
    return guess.category, guess.confidence


def test_a_name_of_two_meanings_is_of_the_usual_kind() -> None:
    """Lessons are a child's for who files a child's things, and a hobby for who files hobbies."""
    nobody = infer.train("out", ())
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
    many = [infer.LabelledPayee(name, name, "pets") for name in NAMELESS]
    guess = infer.train("out", [*many, infer.LabelledPayee("wkqz", "Wkqz", "dining")]).guess(
        "quillon house"
    )
    assert guess is not None
    assert (guess.category, guess.habit) == ("dining", 0)
    assert guess.confidence <= _guessed(infer.train("out", ()), "quillon house")[1]


@pytest.mark.parametrize("category", ["kids", "rent", "groceries", "cat_own"])
def test_a_habit_says_nothing_where_the_name_does_not(category: str) -> None:
    """A pharmacy stays one, and a name that nothing is known of stays without a guess."""
    model = _who_files(category)
    assert _guessed(model, "sonnenapotheke")[0] == "health"
    assert model.guess("qzx wvk") is None


def test_money_in_has_no_habits() -> None:
    """Who is paid by many clients has another employer no less."""
    clients = [infer.LabelledPayee(name, name, "self_employment") for name in NAMELESS]
    assert not infer.train("in", clients).habits


@given(
    DESCRIPTORS,
    st.lists(st.tuples(DESCRIPTORS, st.sampled_from(sorted(BUILT_IN))), min_size=2, max_size=8),
    st.sampled_from(sorted(BUILT_IN)),
)
def test_habits_change_nothing_of_it(raw: str, filed: list[tuple[str, str]], usual: str) -> None:
    """A payee is filed by itself with habits exactly if it is without them, and alike."""
    taught = [infer.LabelledPayee(payee_of(text).key, "X", category) for text, category in filed]
    taught += [infer.LabelledPayee(name, name, usual) for name in NAMELESS]
    model = infer.train("out", taught)
    plain = replace(model, habits={})
    for key in (payee_of(raw).key, *(each.key + " annex" for each in taught)):
        with_habits, without = model.guess(key), plain.guess(key)
        sure = without is not None and without.confidence >= infer.AUTO_FROM
        assert sure == (with_habits is not None and with_habits.confidence >= infer.AUTO_FROM)
        assert not sure or with_habits == without


def test_the_strongest_habit_only_suggests() -> None:
    """However much is filed under an own category, a payee of one word of it is still asked about."""
    own = Catalogue.including(
        [Category.own("cat_own", "Sailing", "discretionary", reimbursable=False)]
    )
    taught = [infer.LabelledPayee(f"zwaldhof {name}", name, "cat_own") for name in NAMELESS[:2]]
    taught += [
        infer.LabelledPayee(f"{name}{end}", name, "cat_own") for name in NAMELESS for end in "xyz"
    ]
    model = infer.train("out", taught)
    decision = decide(_facts("zwaldhof quillon"), Knowledge(own, out=model))
    plain = decide(_facts("zwaldhof quillon"), Knowledge(own, out=replace(model, habits={})))
    assert plain.source is None
    assert (decision.source, decision.suggested) == (None, "cat_own")
    assert decision.confidence is not None
    assert present(plain.confidence) < decision.confidence < infer.AUTO_FROM


def test_the_reason_names_the_habit() -> None:
    """Where habit raised a guess its reason says how many payees were filed there, and else not."""
    text = decide(_facts("quillon lessons"), Knowledge(out=_who_files("kids"))).text
    assert says(text, "“lessons”", "Kids' activities,", "you put 11 payees")
    assert "you put" not in decide(_facts("quillon camp"), Knowledge(out=_who_files("pets"))).text


def _facts(key: str) -> PayeeFacts:
    return PayeeFacts(key, key.title(), key.upper(), 3, 0)


TOWNS = files("finplan.categorise").joinpath("towns.txt").read_text("ascii").splitlines()
TRADES = grammar().trades.union(*(phrases.words() for phrases in curated().phrases.values()))
"""Words that say what is sold, of which a few are a town's whole name."""


def _guessed_of(key: str, *taught: infer.LabelledPayee) -> tuple[str, float] | None:
    guess = infer.train("out", taught).guess(key)
    return None if guess is None else (guess.category, guess.confidence)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "name", ["qzxw vkj", "copper lantern bakery", "quill dental", "sonnenapotheke qzx"]
)
def test_a_town_changes_no_guess(name: str) -> None:
    """A name with any town behind it is guessed as without, unless the town's one word is a trade."""
    shipped = infer.train("out", ())
    cities = {" ".join(city) for named in grammar().cities.values() for city in named}
    places = {*TOWNS, *cities} - TRADES
    assert len(places) > 25_000
    assert len(TRADES & {*TOWNS, *cities}) < 50
    alone = shipped.guess(name)
    assert [town for town in sorted(places) if shipped.guess(f"{name} {town}") != alone] == []


@pytest.mark.parametrize("region", ["west yorkshire", "new hampshire", "california", "toscana"])
def test_a_region_changes_no_guess(region: str) -> None:
    """A county, a state or a country is where a payee is, too."""
    assert infer.train("out", ()).guess(f"qzxw {region}") == infer.train("out", ()).guess("qzxw")


def test_a_place_in_a_merchants_name_is_no_evidence() -> None:
    """A well-known water company of a town makes no water company of a restaurant there."""
    assert find_merchant("san jose water") is not None
    guess = present(infer.train("out", ()).guess("cheesecake san jose"))
    assert (guess.category, guess.token) == ("dining", "cheesecake")
    assert _guessed_of("san jose") is None


@pytest.mark.parametrize("name", ["emma thompson", "emma", "jack", "melissa"])
def test_a_given_name_is_no_evidence(name: str) -> None:
    """A shop called by a given name ("Emma") makes no shop of everybody of that name."""
    assert _guessed_of(name) is None


def test_a_given_name_that_is_a_trade_is_evidence() -> None:
    """A harbour called "Marina" is one."""
    assert _guessed_of("quillon marina") is not None


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("the house of quillon and sons", ["house", "quillon", "sons"]),
        ("la boutique de quillon", ["boutique", "quillon"]),
        ("quillon 44 b quillon card", ["quillon"]),
        ("emma quillon bakery san jose", ["quillon", "bakery"]),
    ],
)
def test_words_that_may_tell_what_is_sold(key: str, words: list[str]) -> None:
    """Articles, joining words, numbers, letters, how it was paid, persons and places tell nothing."""
    assert infer.telling_words(key) == words


def test_a_filed_place_teaches_nothing() -> None:
    """Neither several shops of one town nor a payee called by the town alone speak for others there.

    The whole name that was filed still speaks for the same name with a tail, its town included.
    """
    shops = [
        infer.LabelledPayee(f"{name} san jose", name, "kids") for name in ("qzxw", "vkjq", "wqzk")
    ]
    town = infer.LabelledPayee("san jose", "San Jose", "taxes")
    assert _guessed_of("zkwv san jose", *shops, town) is None
    assert (
        _guessed_of("san jose", *shops, infer.LabelledPayee("san jose qzxw", "Qzxw", "kids"))
        is None
    )
    again = present(_guessed_of(f"{shops[0].key} annex", *shops))
    assert again[0] == "kids"
    assert again[1] >= infer.AUTO_FROM


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("quill san jose", "quill"),
        ("quill market drayton", "quill"),
        ("quill garden city kitchen", "quill kitchen"),
        ("quill kew gardens hills", "quill"),
        ("kew gardens", "gardens"),
        ("quill market kitchen", "quill market kitchen"),
        ("quill yorkshire america", "quill"),
        ("quill tours", "quill tours"),
        ("san jose", ""),
        ("", ""),
    ],
)
def test_what_is_left_without_places(name: str, left: str) -> None:
    """Towns go with all their words; a trade stays where it is no part of one, or all of the name."""
    assert without_places(name.split()) == left.split()


def test_a_word_that_is_listed_as_a_trade_counts_in_full() -> None:
    """Only what merchants alone have is a brand; a word of the shipped phrases is evidence by itself."""
    shipped = infer.train("out", ()).shipped
    listed = [
        shipped.get(f"{infer.WHOLE_NAME}{word}", {}) for word in curated().phrases["out"].words()
    ]
    assert min(sum(counts.values()) for counts in listed if counts) == 1


@pytest.mark.thorough
def test_a_word_of_one_merchant_files_nothing() -> None:
    """A word that a single well-known merchant has may be a brand: beside unknown words it is a hint."""
    holders: dict[str, set[str]] = {}
    for merchant in curated().by_phrase.values():
        for word in merchant.key.split():
            holders.setdefault(word, set()).add(merchant.key)
    single = {word for word, keys in holders.items() if len(keys) == 1} - TRADES
    assert len(single) > 5_000
    guesses = [_guessed_of(f"qzxw vkj {word}") for word in sorted(single)]
    sure = [guess for guess in guesses if guess is not None and guess[1] >= 0.5]
    assert len(sure) < len(single) / 2
    assert all(confidence < infer.AUTO_FROM for _, confidence in sure)
