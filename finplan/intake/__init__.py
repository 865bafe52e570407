"""What arrives, decided: whose it is, of which kind, what is new in it, and what to ask.

An import of files goes in three acts. The service *loads* facts (`facts`): accounts as values, and
look-ups of rows, which are too many to be loaded. This room *decides*, purely: it sees no database and
no clock, so that every law of it is tested without a store. The service *writes* what was decided in one
transaction.

`accounts` tells which account each one of the files is, by `candidates`, `evidence` of rows and
`continuations`; `kinds` of which kind a new one is; `unsigned` which way amounts go that a file leaves
open; `rows` which of them are there already, and `misreadings` which were read otherwise before;
`reports` says what came of it. `files` is what all of them are handed, `questions` what is left to ask.

A sync of a bank goes the same way, page by page: `listed_accounts` tells whose the accounts are that the
bank lists, then `pages` what becomes of their rows.
"""
