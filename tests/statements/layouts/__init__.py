"""Layouts of CSV statements drawn at random, labelled from first principles, and the judge of a reader.

`truth` draws what happened on an account, `layout` how a bank prints it, `writing` prints it, `labels`
says what a careful person can know from the file, and `judge` compares a reading with the truth. Only
`judge` and `adapter` know the reader: what is provable must not be what it happens to prove.
"""
