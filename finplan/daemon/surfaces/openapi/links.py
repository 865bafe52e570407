"""Where an answer leads: which operations take the ids that it names."""

from collections.abc import Iterable

from finplan.daemon.surfaces.openapi.shapes import Schema
from finplan.operation import Accepts, AnyOperation, Creates


def links_of(row: AnyOperation, rows: Iterable[AnyOperation]) -> dict[str, Schema]:
    """The links of a row's successes, by status; to rows that are not among `rows`, none."""
    if row.links is None:
        return {}
    value = {row.links.parameter: f"$response.body#{row.links.pointer}"}
    present = {each.name: each for each in rows}
    links = {
        name: {
            "operationId": name,
            "parameters": value,
            "description": present[name].summary,
        }
        for name in row.links.to
        if name in present
    }
    if isinstance(row.body, Accepts):
        return {"202": links}
    if not isinstance(row.body, Creates):
        return {"200": links}
    return dict.fromkeys(("200", "201") if row.body.again else ("201",), links)
