"""A payee's prior as text, to be kept: what is known of the payee, and what is shipped of its name.

With it a rule of the person's is learnt from without reading the shipped data, which takes a hundred
times longer than the rule.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zlib import crc32

from finplan import __version__
from finplan.categorise.curated import CuratedMatch, Direction
from finplan.categorise.decide import Prior
from finplan.categorise.infer import Counts, shipped_evidence

_SHIPPED = ("curated.toml", "descriptor.toml", "codes.toml")


_ENCODER = json.JSONEncoder(check_circular=False, separators=(",", ":"))


class KeptPrior(NamedTuple):
    """A prior, and by direction the shipped counts of each part of the payee's name."""

    prior: Prior
    evidence: Mapping[Direction, Mapping[str, Counts]]


@cache
def edition() -> int:
    """A number of the shipped data and of this version; what was kept by another one is out of date."""
    number = crc32(__version__.encode())
    for name in _SHIPPED:
        number = crc32(files(__package__).joinpath(name).read_bytes(), number)
    return number


def write_prior(prior: Prior) -> str:
    """A prior with the shipped evidence of its name, as JSON."""
    evidence = [shipped_evidence("out", prior.key), shipped_evidence("in", prior.key)]
    return _ENCODER.encode([prior, *evidence])


def read_prior(text: str) -> KeptPrior:
    """A prior as `write_prior` wrote it."""
    fields, out, into = json.loads(text)
    prior = Prior(*fields)
    prior = prior._replace(out=_match(prior.out), into=_match(prior.into))
    return KeptPrior(prior, {"out": out, "in": into})


def _match(fields: object) -> CuratedMatch | None:
    if not isinstance(fields, list):
        return None
    match = CuratedMatch(*fields)
    return match._replace(alternatives=tuple(match.alternatives))
