"""A server with all that the protocol's own conformance suite asks for: tools, resources, prompts.

The suite names them and says what each must answer; nothing here is the product's.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp import types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import MISSING_REQUIRED_CLIENT_CAPABILITY

Asked = ServerRequestContext[Any, Any]
ToolAnswer = types.CallToolResult | types.InputRequiredResult
Answering = Callable[[Asked, types.CallToolRequestParams], Awaitable[ToolAnswer]]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NOTHING: Mapping[str, Any] = {"type": "object", "properties": {}}
STATE = "round 1"


def text(words: str) -> types.CallToolResult:
    return content({"type": "text", "text": words})


def content(*blocks: Mapping[str, Any], **more: Any) -> types.CallToolResult:
    return types.CallToolResult.model_validate({"content": list(blocks), **more})


def resource(uri: str, mime_type: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": words}}


def form(message: str, **properties: Any) -> dict[str, Any]:
    """A request that asks a person to fill in something."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": schema},
    }


def sampling(words: str, most: int) -> dict[str, Any]:
    """A request for some words of a model."""
    said = {"role": "user", "content": {"type": "text", "text": words}}
    return {"method": "sampling/createMessage", "params": {"messages": [said], "maxTokens": most}}


ROOTS: Mapping[str, Any] = {"method": "roots/list", "params": {}}
NAME = form("What is your name?", name={"type": "string"})


def needed(requests: Mapping[str, Any], state: str | None = None) -> types.InputRequiredResult:
    return types.InputRequiredResult.model_validate(
        {"inputRequests": requests, **({} if state is None else {"requestState": sealed(state)})}
    )


def sealed(state: str) -> str:
    return f"{state}.{hmac.new(b'fixture', state.encode(), hashlib.sha256).hexdigest()}"


def opened(sent: str | None) -> str:
    """What a state says, that came back as it was given."""
    state = (sent or "").rpartition(".")[0]
    if not hmac.compare_digest(sealed(state), sent or ""):
        raise MCPError(types.INVALID_PARAMS, "This requestState was not given by this server.")
    return state


def filled(params: types.CallToolRequestParams, key: str, field: str) -> Any:
    """What somebody has filled in; None where they have not, or with something else."""
    said = (params.input_responses or {}).get(key)
    return (said.content or {}).get(field) if isinstance(said, types.ElicitResult) else None


def always(answer: ToolAnswer) -> Answering:
    async def tool(_asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
        return answer

    return tool


async def logs(asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await asked.session.send_log_message("info", words, related_request_id=asked.request_id)
        await asyncio.sleep(0.05)
    return text("Logged.")


async def progresses(asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
    for done in (0, 50, 100):
        await asked.session.report_progress(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(0.05)
    return text("Done.")


async def samples(asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    words = types.TextContent(type="text", text=str((params.arguments or {}).get("prompt", "")))
    said = await asked.session.create_message(
        messages=[types.SamplingMessage(role="user", content=words)],
        max_tokens=100,
        related_request_id=asked.request_id,
    )
    assert isinstance(said.content, types.TextContent)
    return text(f"LLM response: {said.content.text}")


def elicits(schema: Mapping[str, Any], message: str | None = None) -> Answering:
    async def tool(asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
        words = message or str((params.arguments or {}).get("message", ""))
        said = await asked.session.elicit_form(words, dict(schema), asked.request_id)
        return text(f"User response: action={said.action}, content={said.content}")

    return tool


async def reconnects(asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
    if asked.close_sse_stream is not None:
        await asked.close_sse_stream()
        await asyncio.sleep(0.2)
    return text("Reconnected.")


async def greets(_asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    name = filled(params, "user_name", "name")
    return text(f"Hello, {name}!") if isinstance(name, str) else needed({"user_name": NAME})


def once_there_is(key: str, request: Mapping[str, Any]) -> Answering:
    async def tool(_asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
        said = (params.input_responses or {}).get(key)
        return needed({key: request}) if said is None else text(said.model_dump_json())

    return tool


async def keeps_state(_asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    if params.request_state is None:
        return needed({"confirm": form("Please confirm", ok={"type": "boolean"})}, STATE)
    opened(params.request_state)
    return text("state-ok")


async def asks_much(_asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    asks = {
        "user_name": NAME,
        "greeting": sampling("Generate a greeting", 50),
        "client_roots": ROOTS,
    }
    if set(asks) - set(params.input_responses or {}):
        return needed(asks, STATE)
    opened(params.request_state)
    return text("All is there.")


async def asks_twice(_asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    if params.request_state is None:
        return needed({"step1": form("Step 1: What is your name?", name={"type": "string"})}, STATE)
    if opened(params.request_state) == STATE:
        color = form("Step 2: What is your favorite color?", color={"type": "string"})
        return needed({"step2": color}, "round 2")
    return text("Both rounds are done.")


async def asks_who_can(asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
    able = asked.session.client_capabilities or types.ClientCapabilities()
    asks = {"words": sampling("Generate a greeting", 50)} if able.sampling is not None else {}
    return needed({**asks, **({"user_name": NAME} if able.elicitation is not None else {})})


async def needs_sampling(asked: Asked, _params: types.CallToolRequestParams) -> ToolAnswer:
    if (asked.session.client_capabilities or types.ClientCapabilities()).sampling is None:
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool asks a model.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return text("It can be asked.")


def choice(*values: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(values), **more}


def titled(**titles: str) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in titles.items()]


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


ANSWER = {**fields(response={"type": "string"}), "required": ["response"]}
DEFAULTS = fields(
    name={"type": "string", "default": "John Doe"},
    age={"type": "integer", "default": 30},
    score={"type": "number", "default": 95.5},
    status=choice("active", "inactive", "pending", default="active"),
    verified={"type": "boolean", "default": True},
)
ENUMS = fields(
    untitledSingle=choice("option1", "option2", "option3"),
    titledSingle={"type": "string", "oneOf": titled(value1="First", value2="Second")},
    legacyEnum=choice("opt1", "opt2", enumNames=["Option One", "Option Two"]),
    untitledMulti={"type": "array", "items": choice("option1", "option2", "option3")},
    titledMulti={"type": "array", "items": {"anyOf": titled(value1="First", value2="Second")}},
)
RICH: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            **fields(street={"type": "string"}, city={"type": "string"}),
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": choice("phone", "email"),
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADED = {
    **fields(region={"type": "string", "x-mcp-header": "Region"}, query={"type": "string"}),
    "required": ["region"],
}
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}

TOOLS: Mapping[str, tuple[Mapping[str, Any], Answering]] = {
    "test_simple_text": (NOTHING, always(text("This is a simple text response for testing."))),
    "test_image_content": (NOTHING, always(content(IMAGE))),
    "test_audio_content": (
        NOTHING,
        always(content({"type": "audio", "data": WAV, "mimeType": "audio/wav"})),
    ),
    "test_embedded_resource": (
        NOTHING,
        always(
            content(
                resource(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content.",
                )
            )
        ),
    ),
    "test_multiple_content_types": (
        NOTHING,
        always(
            content(
                {"type": "text", "text": "Multiple content types test:"},
                IMAGE,
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    '{"test":"data","value":123}',
                ),
            )
        ),
    ),
    "test_error_handling": (
        NOTHING,
        always(
            content(
                {"type": "text", "text": "This tool intentionally returns an error for testing"},
                isError=True,
            )
        ),
    ),
    "test_tool_with_logging": (NOTHING, logs),
    "test_logging_tool": (NOTHING, logs),
    "test_tool_with_progress": (NOTHING, progresses),
    "test_sampling": (fields(prompt={"type": "string"}), samples),
    "test_elicitation": (fields(message={"type": "string"}), elicits(ANSWER)),
    "test_elicitation_sep1034_defaults": (NOTHING, elicits(DEFAULTS, "Who are you?")),
    "test_elicitation_sep1330_enums": (NOTHING, elicits(ENUMS, "What do you choose?")),
    "test_reconnection": (NOTHING, reconnects),
    "test_custom_headers": (HEADED, always(text("Here."))),
    "json_schema_2020_12_tool": (RICH, always(text("Written to."))),
    "test_missing_capability": (NOTHING, needs_sampling),
    "test_streaming_elicitation": (NOTHING, greets),
    "test_input_required_result_elicitation": (NOTHING, greets),
    "test_input_required_result_sampling": (
        NOTHING,
        once_there_is("capital_question", sampling("What is the capital of France?", 100)),
    ),
    "test_input_required_result_list_roots": (NOTHING, once_there_is("client_roots", ROOTS)),
    "test_input_required_result_request_state": (NOTHING, keeps_state),
    "test_input_required_result_tampered_state": (NOTHING, keeps_state),
    "test_input_required_result_multiple_inputs": (NOTHING, asks_much),
    "test_input_required_result_multi_round": (NOTHING, asks_twice),
    "test_input_required_result_capabilities": (NOTHING, asks_who_can),
}


async def list_tools(
    _asked: Asked, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name=name, description=f"The suite's {name}.", input_schema=dict(schema))
            for name, (schema, _) in TOOLS.items()
        ]
    )


async def call_tool(asked: Asked, params: types.CallToolRequestParams) -> ToolAnswer:
    if params.name not in TOOLS:
        raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.")
    return await TOOLS[params.name][1](asked, params)


RESOURCES: Mapping[str, Mapping[str, str]] = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PNG},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched resource content"},
}
TEMPLATE = "test://template/{id}/data"


async def list_resources(
    _asked: Asked, _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=uri,
                name=uri.partition("//")[2],
                description="One of the suite's.",
                mime_type=held["mimeType"],
            )
            for uri, held in RESOURCES.items()
        ]
    )


async def list_templates(
    _asked: Asked, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template=TEMPLATE, name="template", description="By id.")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(
    _asked: Asked, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri, (before, after) = str(params.uri), TEMPLATE.split("{id}")
    held = RESOURCES.get(uri)
    if held is None and uri.startswith(before) and uri.endswith(after):
        told = f'{{"id":"{uri[len(before) : -len(after)]}","templateTest":true}}'
        held = {"mimeType": "application/json", "text": told}
    if held is None:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})
    return types.ReadResourceResult.model_validate({"contents": [{"uri": uri, **held}]})


async def take_note(_asked: Asked, _params: Any) -> types.EmptyResult:
    return types.EmptyResult()


PROMPTS: Mapping[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def list_prompts(
    _asked: Asked, _params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description=f"The suite's {name}.",
                arguments=[types.PromptArgument(name=each, required=True) for each in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def get_prompt(
    _asked: Asked, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    given = params.arguments or {}
    if params.name == "test_input_required_result_prompt" and not params.input_responses:
        question = form("What context should the prompt use?", context={"type": "string"})
        return needed({"user_context": question})
    blocks: Mapping[str, tuple[Mapping[str, Any], ...]] = {
        "test_simple_prompt": ({"type": "text", "text": "This is a simple prompt for testing."},),
        "test_prompt_with_arguments": (
            {
                "type": "text",
                "text": f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'",
            },
        ),
        "test_prompt_with_embedded_resource": (
            resource(
                given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."
            ),
            {"type": "text", "text": "Please process the embedded resource above."},
        ),
        "test_prompt_with_image": (
            IMAGE,
            {"type": "text", "text": "Please analyze the image above."},
        ),
        "test_input_required_result_prompt": ({"type": "text", "text": "In this context."},),
    }
    return types.GetPromptResult.model_validate(
        {"messages": [{"role": "user", "content": each} for each in blocks[params.name]]}
    )


async def complete(_asked: Asked, _params: types.CompleteRequestParams) -> types.CompleteResult:
    return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))


def make_everything() -> Server[Any]:
    """Make the server that the suite asks; nothing of it is kept between two requests."""
    return Server(
        "everything",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=take_note,
        on_unsubscribe_resource=take_note,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
        on_set_logging_level=take_note,
        get_tool_input_schema=lambda name: dict(TOOLS[name][0]) if name in TOOLS else None,
    )
