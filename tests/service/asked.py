"""What an import asks before it goes on."""

from finplan.model.errors import Conflict


def open_question(refusal: Conflict) -> tuple[str, list[str]]:
    """What the one question of a refused import is about, and the values that answer it."""
    (question,) = (refusal.data or {})["questions"]
    return question["about"], [choice["value"] for choice in question["choices"]]
