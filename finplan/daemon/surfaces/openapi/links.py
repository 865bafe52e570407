"""Where an answer leads: which operations take the ids that it names."""

from collections.abc import Iterable, Mapping

from finplan.daemon.surfaces.openapi.shapes import Schema
from finplan.operation import Accepts, AnyOperation, Creates

_IDS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "link_connection": (
        "/connection/id",
        "id",
        ("show_connection", "sync_connection", "unlink_connection"),
    ),
    "list_connections": ("/0/connection/id", "id", ("show_connection", "sync_connection")),
    "import_files": ("/id", "id", ("undo_import",)),
    "list_imports": ("/0/id", "id", ("undo_import",)),
    "list_import_profiles": ("/0/id", "id", ("forget_import_profile",)),
    "list_accounts": ("/0/id", "id", ("show_account", "change_account")),
    "list_transfers": ("/0/id", "id", ("decide_transfer",)),
    "list_recurring": ("/0/id", "id", ("decide_recurring",)),
    "list_duplicates": ("/0/id", "id", ("decide_duplicate",)),
    "list_tasks": ("/0/id", "id", ("answer_task",)),
    "answer_task": ("/id", "id", ("undo_answer",)),
    "create_category": ("/category/category", "category", ("change_category", "remove_category")),
    "start_build": ("/id", "id", ("show_build",)),
    "set_rule": ("/id", "id", ("remove_rule",)),
    "list_transactions": ("/nextCursor", "cursor", ("list_transactions",)),
}
"""For a row: where its answer holds an id, and the parameter of the rows that take it."""


def links_of(row: AnyOperation, rows: Iterable[AnyOperation]) -> dict[str, Schema]:
    """The links of a row's successes, by status; of rows that are not there, none."""
    if row.name not in _IDS:
        return {}
    pointer, parameter, names = _IDS[row.name]
    present = {each.name: each for each in rows}
    links = {
        name: {
            "operationId": name,
            "parameters": {parameter: f"$response.body#{pointer}"},
            "description": present[name].summary,
        }
        for name in names
        if name in present
    }
    if isinstance(row.body, Accepts):
        return {"202": links}
    if not isinstance(row.body, Creates):
        return {"200": links}
    return dict.fromkeys(("200", "201") if row.body.again else ("201",), links)
