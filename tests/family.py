"""The family of the rows that only tests have."""

from finplan.operation import Family

MADE_UP = Family("Made up", "What no person can ask for.")
