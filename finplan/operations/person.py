"""The rows of you: who you are, and how your household is planned."""

from finplan.model import user as users
from finplan.model.base import Nothing
from finplan.operation import AnyOperation, Family, Operation

# A table is easier to read with few lines for each row.
# fmt: off

YOU = Family("You", "Your profile and your household's settings.")

SHOW_ME = Operation(YOU, "show_me", "GET", "/me",
    Nothing, users.User, "read",
    "Show your name and email.")
CHANGE_ME = Operation(YOU, "change_me", "PATCH", "/me",
    users.UserChange, users.User, "write",
    "Change your name or email.")
DELETE_ME = Operation(YOU, "delete_me", "DELETE", "/me",
    Nothing, users.DeletedPerson, "session",
    "Delete your account and all its data; every credential stops working at once.")
SHOW_SETTINGS = Operation(YOU, "show_settings", "GET", "/settings",
    Nothing, users.HouseholdSettings, "read",
    (
        "Show the household's settings: currency, time zone, budget targets and emergency fund target."
    ))
CHANGE_SETTINGS = Operation(YOU, "change_settings", "PATCH", "/settings",
    users.SettingsChange, users.HouseholdSettings, "write",
    "Change the household's settings.")

ROWS: tuple[AnyOperation, ...] = (
    SHOW_ME, CHANGE_ME, DELETE_ME, SHOW_SETTINGS, CHANGE_SETTINGS,
)
# fmt: on
