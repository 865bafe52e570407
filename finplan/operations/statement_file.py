"""The rows of statement files: brought in, undone, and how they are read."""

from finplan.model import statement as statements
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation, Upload

# A table is easier to read with few lines for each row.
# fmt: off

FILES = Family("Statement files", (
    "Imports of bank statements and of files exported from other programs."
))

IMPORT_FILES = Operation(FILES, "import_files", "POST", "/imports",
    statements.ImportRequest, statements.ImportReport, "write",
    (
        "Import statement files; imports all of them or none, and with `dryRun` only shows a preview."
    ), Upload(),
    faults=(Conflict,), links=Links("/id", to=("undo_import",)))
LIST_IMPORTS = Operation(FILES, "list_imports", "GET", "/imports",
    Nothing, tuple[statements.ImportRecord, ...], "read",
    "List your imports; the newest comes first.", Derived(), links=Links("/0/id", to=("undo_import",)))
UNDO_IMPORT = Operation(FILES, "undo_import", "DELETE", "/imports/{id}",
    statements.ImportId, statements.ImportRecord, "write",
    "Undo an import; finplan removes its transactions and restores everything as it was before.",
    faults=(NotFound, Conflict))
CANCEL_IMPORT = Operation(FILES, "cancel_import", "DELETE", "/imports/running/{id}",
    statements.ImportId, Nothing, "write",
    "Cancel an import that is still running.",
    faults=(NotFound, Conflict))
LIST_IMPORT_PROFILES = Operation(FILES, "list_import_profiles", "GET", "/imports/profiles",
    Nothing, tuple[statements.ImportProfile, ...], "read",
    "List the saved answers that finplan reuses for later CSV files, one entry for "
    "each header.", Derived(),
    links=Links("/0/id", to=("forget_import_profile",)))
FORGET_IMPORT_PROFILE = Operation(FILES, "forget_import_profile", "DELETE", "/imports/profiles/{id}",
    statements.ProfileId, statements.ImportProfile, "write",
    "Forget your answers about CSV files with one header.",
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT, CANCEL_IMPORT, LIST_IMPORT_PROFILES,
    FORGET_IMPORT_PROFILE,
)
# fmt: on
