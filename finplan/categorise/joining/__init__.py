"""Which payees of a household are one: names turned round, cut off, or with a place behind them.

A descriptor alone does not tell whether "Fundy Tide Chow" is cut off and "Gasthaus Krone Isny" closes
with a town. Beside the household's other payees it does: a name is another writing of one of them if
nothing else there may be meant.
"""
