"""CSV and its like: a bank's table is looked at as a whole before any row is converted.

`reader` finds the table, and `layout` how it is read: its columns, their order of dates, their decimal
sign and which way money goes; what banks' own tables look like is data (`layouts`). Then `rows` converts
it run by run: `filter` tells which rows are transactions, `accounts` whose they are, and `balances`
whether the printed balance bears them out. Any other reader that meets dates or amounts reads them here.
"""
