"""Prompts: what a person often asks of an agent, worded so that it uses the tools as they are meant."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from mcp import types
from mcp.shared.exceptions import MCPError

from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.model.characters import visible

LONGEST = 200
"""Characters that a person may fill in."""


@dataclass(frozen=True, slots=True)
class Blank:
    """What a person may fill in, and what stands there where they do not."""

    name: str
    description: str
    otherwise: str


@dataclass(frozen=True, slots=True)
class PlannedPrompt:
    """A prompt, the tools that it names, and its words around what is filled in."""

    name: str
    title: str
    description: str
    tools: tuple[str, ...]
    say: Callable[[str], str]
    blank: Blank | None = None


def _review(period: str) -> str:
    return (
        f"Review my spending of this period: {period}. Ask query_spending for it by category, and for as"
        " long a time before it; tell me what stands out, in amounts, and which merchants are behind it."
        " Then tell me from get_plan whether that fits my plan, and the one thing worth changing."
    )


def _questions(_filled: str) -> str:
    return (
        "Go through my open questions with me, the most money first (list_tasks). Put one at a time,"
        " with its rows; never answer one for me. Preview my answer with answer_task, tell me what it"
        " moves, and store it once I agree. Stop when I say so."
    )


def _afford(purchase: str) -> str:
    return (
        f"Can I afford this: {purchase}. Look at get_snapshot for what is safe to spend until payday, at"
        " get_forecast for the lowest day ahead, and at get_plan for what else the money is meant for."
        " Say yes or no first, then the figures that decide it, and what is not known."
    )


def _charges(_filled: str) -> str:
    return (
        "Which regular charges could I do without? Read them from get_plan (recurring), see with"
        " query_spending what each cost in the last 12 months, and name those that rose or that I hardly"
        " use. Sort by what I would save in a year. Change nothing."
    )


PROMPTS: Mapping[str, PlannedPrompt] = {
    prompt.name: prompt
    for prompt in (
        PlannedPrompt(
            "review_spending",
            "Review a month",
            "Where the money of a period went, beside the one before, and what to change.",
            ("query_spending", "get_plan"),
            _review,
            Blank(
                "period", "Such as last month, march or 2026-Q3; last month if empty.", "last month"
            ),
        ),
        PlannedPrompt(
            "answer_questions",
            "Answer my open questions",
            "What only you know, one question at a time, with what each answer moves.",
            ("list_tasks", "answer_task"),
            _questions,
        ),
        PlannedPrompt(
            "can_i_afford",
            "Can I afford it?",
            "Whether a purchase fits, by what is safe to spend and the days ahead.",
            ("get_snapshot", "get_forecast", "get_plan"),
            _afford,
            Blank("purchase", "What, and for how much.", "what I name next"),
        ),
        PlannedPrompt(
            "trim_charges",
            "Which charges could go?",
            "Subscriptions and other regular charges, by what leaving them would save.",
            ("get_plan", "query_spending"),
            _charges,
        ),
    )
}


def offered(scopes: Collection[str]) -> types.ListPromptsResult:
    """The prompts whose every tool a credential of these scopes may use."""
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=_arguments(prompt),
            )
            for prompt in PROMPTS.values()
            if _may_use(prompt, scopes)
        ]
    )


def filled_in(
    scopes: Collection[str], name: str, given: Mapping[str, str]
) -> types.GetPromptResult:
    """A prompt with what the person filled in, which is one line of at most 200 characters.

    Raises MCPError for one that is not offered, and for what it has no place for.
    """
    prompt = PROMPTS.get(name)
    if prompt is None or not _may_use(prompt, scopes):
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name[:80]!r}.")
    blank = prompt.blank
    strange = sorted(set(given) - ({blank.name} if blank else set()))
    if strange:
        takes = f"takes {blank.name} only" if blank else "takes nothing"
        raise MCPError(types.INVALID_PARAMS, f"{prompt.name} {takes}, not {strange[0][:80]!r}.")
    filled = visible(given.get(blank.name, "")) if blank else ""
    if len(filled) > LONGEST:
        raise MCPError(types.INVALID_PARAMS, f"Say it in {LONGEST} characters at most.")
    said = prompt.say(filled or (blank.otherwise if blank else ""))
    return types.GetPromptResult(
        description=prompt.description,
        messages=[
            types.PromptMessage(role="user", content=types.TextContent(type="text", text=said))
        ],
    )


def _arguments(prompt: PlannedPrompt) -> list[types.PromptArgument] | None:
    if prompt.blank is None:
        return None
    blank = prompt.blank
    return [types.PromptArgument(name=blank.name, description=blank.description, required=False)]


def _may_use(prompt: PlannedPrompt, scopes: Collection[str]) -> bool:
    return all(TOOLS[name].scope in scopes for name in prompt.tools)
