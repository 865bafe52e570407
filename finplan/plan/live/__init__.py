"""The live view: what may be spent until payday, by the rows of today and the averages of a plan."""
