"""The plan's own sections: pure functions of the books, as plan-semantics defines them."""
