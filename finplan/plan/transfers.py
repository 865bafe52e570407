"""Which rows are two legs of one movement between own accounts, and which loan payments are spending.

No row is ever made up: two rows that exist are paired, or none. Legs are of opposite sign, on two own
accounts of one currency, of the same amount, and at most four days apart, the money leaving no later
than a day after it arrives. A pair must be the only one possible, or be told by words that both banks
wrote: a wrong pair makes spending and income vanish together, which is worse than a missing one.
Amounts are minor units, positive when money comes in; days are YYYYMMDD.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from finplan.categorise.catalogue import BUILT_IN
from finplan.plan.days import ORDINAL
from finplan.plan.evidence import Evidence, evidence_of
from finplan.plan.ledger import LedgerAccount
