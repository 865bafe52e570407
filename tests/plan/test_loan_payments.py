"""Loan payments: every month has its scheduled one, and what is not it is beyond it."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.pairing.transfers import LoanPayment, on_schedule

payments = st.lists(
    st.builds(
        LoanPayment,
        st.sampled_from([20250103, 20250117, 20250203, 20250228, 20250401]),
        st.sampled_from([300_00, 150_00, 1000_00, 299_99]),
        st.booleans(),
    ),
    max_size=12,
)


@given(payments)
def test_every_month_that_is_paid_has_a_scheduled_payment(paid: list[LoanPayment]) -> None:
    """Each month with a payment that is not called extra has one amount on schedule, and only one."""
    flags = on_schedule(paid)
    on = {(one.day // 100, one.amount) for one, flag in zip(paid, flags, strict=True) if flag}
    months = {one.day // 100 for one in paid if not one.extra}
    assert sorted(month for month, _ in on) == sorted(months)


@given(payments, st.randoms(use_true_random=False))
def test_the_order_of_payments_is_no_matter(paid: list[LoanPayment], order: object) -> None:
    """The flags follow the payments."""
    places = list(range(len(paid)))
    order.shuffle(places)  # type: ignore[attr-defined]
    shuffled = on_schedule([paid[place] for place in places])
    flags = on_schedule(paid)
    assert shuffled == [flags[place] for place in places]


def test_the_usual_payment_tells_which_is_beyond() -> None:
    """In a month with two, the one nearest the usual amount is on schedule."""
    usual = [LoanPayment(20250105, 300_00), LoanPayment(20250205, 300_00)]
    assert on_schedule([*usual, LoanPayment(20250305, 310_00), LoanPayment(20250320, 900_00)]) == [
        True,
        True,
        True,
        False,
    ]
    assert on_schedule([]) == []


def test_without_a_repeated_amount_the_middle_one_is_usual() -> None:
    """Three different payments: in a month of two, the one nearer to their median is on schedule."""
    paid = [LoanPayment(20250105, 240_00), LoanPayment(20250205, 250_00)]
    assert on_schedule([*paid, LoanPayment(20250210, 9000_00)]) == [True, True, False]


def test_what_is_called_extra_does_not_make_the_usual_payment() -> None:
    """Extra principal every month leaves the schedule what it is."""
    extra = [LoanPayment(20250100 + day, 500_00, extra=True) for day in (10, 11, 12)]
    paid = [
        LoanPayment(20250105, 300_00),
        LoanPayment(20250206, 480_00),
        LoanPayment(20250205, 300_00),
    ]
    assert on_schedule([*paid, *extra])[:3] == [True, False, True]
