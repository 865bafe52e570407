"""The tools of the product server: what each asks, answers and says; none knows the protocol."""
