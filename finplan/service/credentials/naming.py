"""What a person is called, and the address that they sign in by: whoever changes it is on record."""

from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict, Forbidden
from finplan.model.user import User, UserChange
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.people import email_key, shown_user
from finplan.store.queries import people as table


async def change_me(context: Context, ask: UserChange) -> User:
    """Change the caller's name or email; what is absent stays.

    Raises BadRequest, Forbidden and Conflict for an address.
    """
    owner, now = context.caller.owner, context.milliseconds()

    def change(connection: Connection) -> User:
        values = ask.model_dump(exclude_unset=True, by_alias=False)
        if values.get("email", "") is None:
            raise BadRequest("An email address cannot be removed; give another one instead.")
        if "email" in values and context.caller.kind != "session":
            raise Forbidden(
                "By the address one signs in, so no program changes it. Change it yourself, with"
                " `finplan me set --email` or under Settings, Account."
            )
        former = table.get_person(connection, owner)["email"]
        if "email" in values:
            values["email_key"] = _free_key(connection, owner, values["email"])
        table.change_person(connection, owner, values)
        if values.get("email", former) != former:
            # Who comes in from now on does so by the new one; the former tells who it was.
            said = f"Changed the e-mail address from {former} to {values['email']}."
            audit.note(connection, context.caller, "email.changed", said, now)
        table.raise_generation(connection, owner, rows=False)
        return shown_user(table.get_person(connection, owner))

    return await context.commit(change)


def _free_key(connection: Connection, owner: int, email: str) -> str:
    key = email_key(email)
    holder = table.person_of_email(connection, key)
    if holder is not None and holder["no"] != owner:
        raise Conflict(f"{email} is the address of another account here. Give another one.")
    return key
