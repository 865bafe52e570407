"""The plan's own sections: what a household owns, owes, earns and spends, and what follows from it."""
