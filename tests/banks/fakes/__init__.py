"""Banks for tests: servers that speak the wire of SimpleFIN, Plaid and Enable Banking over TLS.

    world = World(date(2026, 3, 2))
    bank = world.bank("Harbour Bank")
    checking = world.open(bank, "Everyday Checking", opening=120_000)
    world.book(checking, -450, "CORNER CAFE 12")
    held = world.hold(checking, -2_000, "TRATTORIA", posts=date(2026, 3, 4), tip=-300)

    async with serving(SimplefinBridge(world), authority) as bridge:
        token = bridge.setup_token()          # what a person would paste
        bridge.misbehave(Cut(), "*/accounts", nth=2)
        ...                                   # the provider under test syncs
        world.advance(date(2026, 3, 4))       # the dinner posts, with its tip, under another id
        assert bridge.asked("*/accounts")     # every request, as it arrived

`world` holds the truth and no wire: what a store must end with is `world.rows_of(account)` and
`world.balance_of(account)`. Each server shows it in its own signs, dates, ids and errors. What goes
wrong is said in two places: what a bank does to its rows (tips, other ids, rows that vanish, sign-in,
new account ids) is a method of the world, and what happens to an answer on its way is a fault of
`faults`, given to `misbehave` with the route (a glob) and the requests that it strikes. Nothing
waits on a clock: a slow answer waits until the test lets it go. `life` draws a household's days by
dice, with everything that banks do to rows.

`serving` runs a server in the test's own loop, `hosting` in a thread of its own, for tests that are
not async or that run a daemon as a process. Amounts are minor units, positive when money comes in;
an account's balance is what it is worth, below zero when it owes.
"""
