"""The plan: pure arithmetic over a ledger; `today` is a parameter, nothing is read or written.

An amount is an integer in minor units of the household's currency, an average one such integer a month,
a number of months to divide by an exact fraction. A day is a `date` in results, and YYYYMMDD in bulk
rows or an ordinal (`date.toordinal`) between days, as each function says. Accounts and payees go by the
numbers under which the ledger holds them.
"""
