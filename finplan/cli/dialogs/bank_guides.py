"""What each bank needs before it is linked, and where a person gets it."""

from finplan.settings import PLAID_SECRET_VARIABLE, Places

BANKS = {
    "demo": "the made-up household",
    "simplefin": "banks in the US and Canada, through the SimpleFIN Bridge",
    "plaid": "banks in the US and Canada, through Plaid, with keys of your own",
    "enablebanking": "banks in Europe, through Enable Banking, with an application of your own",
}
"""What can be linked, and what it is."""

BY_PAGE = frozenset({"plaid"})
"""Those whose page tells by itself what came of it; elsewhere the person brings what it led to."""

IN_EUROPE = "enablebanking"

SIMPLEFIN = """\
SimpleFIN Bridge shares what your banks tell with programs of yours; finplan only ever reads.
  1. Sign up at https://bridge.simplefin.org and add your banks there ($1.50 a month or $15 a year).
  2. Make a setup token: https://bridge.simplefin.org/simplefin/create
  3. Paste it here. It is good for one use; what finplan gets for it is kept sealed on this machine."""


def guide(bank: str, places: Places) -> str:
    """What a bank that is linked at a page needs on this machine."""
    assert bank == "plaid"
    return f"""\
Plaid reads banks with keys of your own; finplan only ever reads. What Plaid asks for a linked bank is
between you and Plaid: look at the prices of your plan first.
  1. Sign up at https://dashboard.plaid.com/signup, and ask for production access to Transactions
     (and to Liabilities, by which rates and least payments come).
  2. Copy the client id and the production secret: https://dashboard.plaid.com/developers/keys
  3. Write the id into {places.configuration / "finplan.toml"}:
         plaid_client_id = "…"
     and the secret, alone, into {places.plaid_secret} (chmod 600), or into
     the variable {PLAID_SECRET_VARIABLE}.
  4. `finplan daemon stop`, so that the daemon reads them, then `finplan connect plaid` again.
With `plaid_environment = "sandbox"` and the sandbox secret all banks are made up, and nothing is
paid."""
