"""What of a decided import is written: currency, accounts, news of them, and payees."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, strategies as st

from finplan.intake.files import ImportRun
from finplan.intake.postings import WriteFacts, Writes, decide_writes
from finplan.model.errors import BadRequest
from finplan.plan.ledger.classes import kind_owes
from tests.intake.homes import Home, OfFile, day, table

Decided = tuple[ImportRun, WriteFacts, Writes]

accounts = st.lists(
    st.builds(
        OfFile,
        st.just("an account"),
        st.integers(1, 3).map(lambda count: table([-7] * count)),
        st.sampled_from(["USD", "EUR"]),
        st.sampled_from(["Reed", "M-77", "Kelp 99", "12345678"]),
        st.sampled_from([None, "Alpha"]),
        st.sampled_from(["depository", "credit", "loan"]),
        st.none(),
        st.none() | st.tuples(st.integers(1, 30).map(day), st.integers(-50, 50)),
        st.just(value=True),
    ),
    max_size=4,
    unique_by=lambda each: each.number,
)
there = st.none() | st.tuples(
    st.none() | st.integers(1, 30).map(day), st.sampled_from([frozenset(), frozenset({"balance"})])
)
keys = st.sampled_from("abc")
payees = st.lists(st.tuples(keys, st.just("name"), st.text("xy", max_size=2)))
new_ones = st.none() | st.sets(st.integers(0, 5))
counts = st.lists(st.integers(0, 9), min_size=4, max_size=4)


@st.composite
def decisions(draw: st.DrawFn) -> Decided:
    """What is decided of an import of accounts each of which may be there, beside what is known."""
    home, told = Home(), draw(accounts)
    for each in told:
        known = draw(there)
        if known is not None:
            own = frozenset({"ofx"})
            told_of = each._replace(rows=[], balance=None)
            home.keep(told_of, balance_day=known[0], kept=known[1], sources=own)
    run = home.resolve(*told)
    assume(run.questions == ())
    run.staged.payees = draw(payees)
    rows, known_payees = dict(enumerate(draw(counts))), dict.fromkeys(draw(st.sets(keys)), 1)
    currency = draw(st.sampled_from([None, "EUR"]))
    facts = WriteFacts(currency, rows, known_payees, draw(new_ones), {})
    return run, facts, decide_writes(run, facts, "GBP")


@given(decisions())
def test_each_new_account_is_created_once(decided: Decided) -> None:
    """None that is there is, and each of the files learns its days and sources once."""
    run, _, writes = decided
    assert [each for each, _, _ in writes.created] == [each for each in run.accounts if each.new]
    assert [each.account for each in writes.news] == list(run.accounts)
    masks = {"Reed": None, "M-77": None, "Kelp 99": "lp99", "12345678": "5678"}
    for account, institution, known in writes.created:
        told = account.staged.account
        assert institution == (told.institution or "Statement files")
        assert (known["external_id"], known["mask"]) == (told.number, masks[str(told.number)])
        assert (known["currency"], known["kind"]) == (told.currency, told.kind)
    for news in writes.news:
        assert news.sources == ({"csv"} if news.account.new else {"csv", "ofx"})
        assert news.values["sources"] == " ".join(sorted(news.sources))
        assert [each.since for each in news.intervals] == [day(0)]


@given(decisions())
def test_the_first_import_brings_the_currency_of_most_rows(decided: Decided) -> None:
    """One of the files' is brought where there is none; accounts in another one do not count."""
    run, facts, writes = decided
    rows: dict[str, int] = {}
    for local, account in enumerate(run.accounts):
        rows[account.currency] = rows.get(account.currency, 0) + facts.rows[local]
    most = max(rows, key=lambda code: rows[code], default=None)
    assert writes.currency == (most if facts.currency is None else None)
    for local, account in enumerate(run.accounts):
        is_own = account.currency == (facts.currency or writes.currency)
        assert writes.counts[local] == (is_own and account.kind != "loan")


@given(decisions())
def test_balances_have_the_sign_of_their_kind(decided: Decided) -> None:
    """What is owed is turned; it is the account's unless a newer one or the person's own is there."""
    for news in decided[2].news:
        account, held = news.account, news.account.existing
        stated, on = account.staged.balance, account.staged.balance_day
        if stated is None or on is None:
            assert (news.balances, news.balance) == ({}, None)
            continue
        meant = -stated if kind_owes(account.kind) else stated
        assert news.balances == {on: meant}
        is_free = held is None or ("balance" not in held.kept and on >= (held.balance_day or 0))
        assert news.balance == ((on, meant) if is_free else None)
        assert news.values.get("balance", news.balance) == (meant if is_free else None)


@given(decisions())
def test_only_payees_that_nobody_knows_are_added(decided: Decided) -> None:
    """Each key of new rows once, under the first descriptor; a known one never."""
    run, facts, writes = decided
    local = range(len(run.staged.payees)) if facts.of_new_rows is None else facts.of_new_rows
    listed = [payee for place, payee in enumerate(run.staged.payees) if place in local]
    first = {payee[0]: payee for payee in listed[::-1] if payee[0] not in facts.payees}
    assert sorted(writes.payees) == sorted(first.values())


@given(st.sets(st.integers(9, 12).map(day)), st.none() | st.integers(9, 12).map(day))
def test_an_export_repeats_no_balance_and_a_balance_has_a_day(
    known: set[int], on: int | None
) -> None:
    """An account's own export states no days, and no balance of a day that is known."""
    told = OfFile("Reed", table([-7]), number="Reed")
    home = Home()
    home.keep(told)
    run = home.resolve(told)
    staged = run.accounts[0].staged
    staged.account = replace(staged.account, number=None, id="acc_1")
    staged.balance, staged.balance_day, staged.until = 5, on, None
    facts = WriteFacts("USD", {}, {}, None, {1: known})
    if on is None:
        with pytest.raises(BadRequest):
            decide_writes(run, facts, "GBP")
        return
    (news,) = decide_writes(run, facts, "GBP").news
    assert (news.intervals, news.balances) == ([], {on: 5} if on not in known else {})
