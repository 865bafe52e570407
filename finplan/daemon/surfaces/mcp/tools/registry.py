"""The tools, in the order in which they are listed: what is asked most stands first."""

from collections.abc import Mapping

from finplan.daemon.surfaces.mcp.tools import (
    banks,
    money,
    plans,
    questions,
    rules,
    spending,
    transactions,
)
from finplan.daemon.surfaces.mcp.tools.tool import Tool

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        spending.QUERY,
        plans.GET_PLAN,
        plans.BUILD_PLAN,
        plans.EXPLAIN,
        money.SNAPSHOT,
        money.FORECAST,
        money.WEALTH,
        money.ACCOUNTS,
        transactions.TRANSACTIONS,
        questions.TASKS,
        questions.ANSWER,
        rules.RULES,
        transactions.CHANGE,
        banks.CONNECTIONS,
        banks.LINK,
        banks.SYNC,
    )
}
