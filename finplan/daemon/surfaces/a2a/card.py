"""The agent card: what finplan is to an agent that knows its address alone."""

from collections.abc import Mapping
from typing import Any, Final

from finplan import __version__
from finplan.daemon.surfaces.authorization_server import AUTHORIZE, TOKEN
from finplan.daemon.surfaces.openapi.published import DOCS_PATH
from finplan.service.authorization.scopes import SCOPES

A2A: Final = "/a2a"
"""Where calls are taken."""

AGENT_CARD: Final = "/.well-known/agent-card.json"
AGENT_CARD_TYPE: Final = "application/json"
PROTOCOL_VERSION: Final = "1.0"
TEXT: Final = "text/plain"
JSON: Final = "application/json"
SKILL: Final = "query_spending"

DESCRIPTION: Final = (
    "A person's own finance planner. Ask about spending in plain English: finplan answers with "
    "exact totals and says how it understood the question. Needs OAuth or an API key."
)

_SCOPE = "service:read"
_SECURITY = [{"schemes": {"apiKey": {"list": []}}}, {"schemes": {"oauth": {"list": [_SCOPE]}}}]


def agent_card(site_url: str) -> Mapping[str, Any]:
    """The card of a site (A2A 1.0, 4.4.1)."""
    return {
        "name": "finplan",
        "description": DESCRIPTION,
        "version": __version__,
        "documentationUrl": f"{site_url}{DOCS_PATH}",
        "supportedInterfaces": [
            {
                "url": f"{site_url}{A2A}",
                "protocolBinding": "JSONRPC",
                "protocolVersion": PROTOCOL_VERSION,
            }
        ],
        "capabilities": {
            "streaming": False,
            "pushNotifications": False,
            "extendedAgentCard": False,
        },
        "securitySchemes": {
            "apiKey": {"apiKeySecurityScheme": {"location": "header", "name": "x-api-key"}},
            "oauth": {
                "oauth2SecurityScheme": {
                    "flows": {
                        "authorizationCode": {
                            "authorizationUrl": f"{site_url}{AUTHORIZE}",
                            "tokenUrl": f"{site_url}{TOKEN}",
                            "refreshUrl": f"{site_url}{TOKEN}",
                            "scopes": {_SCOPE: SCOPES[_SCOPE]},
                            "pkceRequired": True,
                        }
                    },
                    "oauth2MetadataUrl": (
                        f"{site_url}/.well-known/oauth-authorization-server/auth"
                    ),
                }
            },
        },
        "securityRequirements": _SECURITY,
        "defaultInputModes": [TEXT],
        "defaultOutputModes": [TEXT, JSON],
        "skills": [
            {
                "id": SKILL,
                "name": "Ask about spending",
                "description": (
                    "Answers one question in plain English with exact figures for spending or "
                    "income. Category rules and refunds are included. Use the names of categories "
                    "and merchants, and write days in words, such as last month. The answer is "
                    "totals by category, merchant or month, averages, the number of transactions, "
                    "or the largest transactions. If finplan does not understand a word, it asks "
                    "you in the same task. It never ignores a word."
                ),
                "tags": ["finance", "spending", "budget"],
                "examples": [
                    "groceries last quarter by month",
                    "How much did I spend at restaurants in March?",
                    "spending by category this year",
                    "average groceries a month",
                    "How much did I earn last month?",
                ],
                "inputModes": [TEXT],
                "outputModes": [TEXT, JSON],
                "securityRequirements": _SECURITY,
            }
        ],
    }
