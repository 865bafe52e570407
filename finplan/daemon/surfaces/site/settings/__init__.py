"""The pages of the settings: the account, people, what programs are let in by, and what happened."""
