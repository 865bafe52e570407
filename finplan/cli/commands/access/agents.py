"""`finplan agents`: programs that came without an account, and that their person has claimed."""

from typing import Annotated

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(epilog=examples("finplan agents", "finplan agents revoke ID", "finplan audit"))
def agents(context: typer.Context) -> None:
    """Agents that act for you since you claimed them: list, revoke.

    An agent comes by itself, tries a made-up household, and shows you a code; who enters it on the
    page /claim of this daemon lets the agent act for them.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_agents(context: typer.Context) -> None:
    """The agents that you have claimed, the newest first; the same as `finplan agents`."""
    _list(Session.of(context))


@app.command()
def revoke(
    context: typer.Context,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An id, or the beginning of one.")],
) -> None:
    """Take an agent's access back: it is refused from now on."""
    from finplan.model.access.client import AgentId
    from finplan.operations.credential import REVOKE_AGENT

    session = Session.of(context)
    revoked = session.answer(REVOKE_AGENT, AgentId(id=_agent_id(session, agent)))
    if revoked is not None:
        session.say(f"Took the access of the agent {revoked.id} back.")


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_AGENTS

    found = session.answer(LIST_AGENTS, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_agents

        session.print(draw_agents(found))


def _agent_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_AGENTS

    found = session.call(LIST_AGENTS, Nothing())
    candidates = [NamedId(each.id, ()) for each in found]
    return pick(text, candidates, "agent", "finplan agents list")
