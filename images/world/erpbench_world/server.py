"""The world over HTTP: six MCP servers, the native Drive path and a health check in one ASGI application.

In: an open World and which form of the tools' names to list. Out: an ASGI application. MCP is stateless streamable
HTTP with plain JSON answers; every answer to a tool call is a result, wrong calls included (isError).
"""

import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from erpbench_world import __version__, drive
from erpbench_world.catalog import SERVERS, NameForm, ToolSpec
from erpbench_world.dispatch import CallResult, World
from erpbench_world.intake import MAX_BODY, Front, Intake, LowerCaseHost, Room

_SORTED = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
DEFAULT_HOSTS = ("world", "world:8000", "localhost", "localhost:*", "127.0.0.1", "127.0.0.1:*")
INSTRUCTIONS = {
    "erpbench": "What the task asks for, the decision on record and the final answer. Start with get_task.",
    "oracle_fusion": "The company's ERP: orders, shipments, receivables, stock, purchasing, payables and people.",
    "gmail": "The mailbox. Mail can be read and drafted; nothing is ever sent.",
    "google_drive": "The shared drive with policies, lists, documents and logs.",
    "google_sheets": "The operations workbook: tabs Register and Customers.",
    "slack": "The company's channels. Posts are for review only.",
}


def build_app(world: World, tool_names: NameForm = "underscore", hosts: Sequence[str] = DEFAULT_HOSTS) -> ASGIApp:
    """The application over an open world. hosts are the Host headers that are answered, whatever their case; others
    get 421."""
    security = TransportSecuritySettings(allowed_hosts=[host.lower() for host in hosts])
    room = Room()
    managers = {
        name: StreamableHTTPSessionManager(
            build_server(world, name, tool_names),
            json_response=True,
            stateless=True,
            security_settings=security,
            max_request_body_size=MAX_BODY,
        )
        for name in SERVERS
    }

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            for manager in managers.values():
                await stack.enter_async_context(manager.run())
            yield

    endpoints = {f"/mcp/{name}": Intake(manager.handle_request, room) for name, manager in managers.items()}
    rest = Starlette(
        routes=[
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in endpoints.items()),
            Route("/drive/v3/files/{file_id}", _native_route(world, security), methods=["GET"]),
            Route("/healthz", _health(world), methods=["GET"]),
        ],
        lifespan=lifespan,
    )
    return LowerCaseHost(Front(endpoints, rest))


def build_server(world: World, name: str, tool_names: NameForm) -> Server[Any]:
    """One low-level MCP server with the catalog's tools of that name."""
    listing = types.ListToolsResult(tools=[_listed(spec, tool_names) for spec in world.catalog.of_server(name)])

    async def list_tools(
        context: ServerRequestContext[Any], parameters: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listing

    async def call_tool(context: ServerRequestContext[Any], parameters: types.CallToolRequestParams) -> dict[str, Any]:
        return _answer(world.call(parameters.name, parameters.arguments or {}, name))

    def input_schema(tool: str) -> dict[str, Any] | None:
        spec = world.catalog.find(tool, name)
        return None if spec is None else dict(spec.input_schema)

    server: Server[Any] = Server(
        name,
        version=__version__,
        instructions=INSTRUCTIONS[name],
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
    # The SDK's only default middleware opens a telemetry span a request; nothing here collects them.
    server.middleware.clear()
    return server


def _listed(spec: ToolSpec, form: NameForm) -> types.Tool:
    hints = spec.annotations
    return types.Tool(
        name=spec.shown_as(form),
        description=spec.description,
        input_schema=dict(spec.input_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=hints["readOnlyHint"],
            destructive_hint=hints["destructiveHint"],
            idempotent_hint=hints["idempotentHint"],
            open_world_hint=hints["openWorldHint"],
        ),
    )


def _answer(result: CallResult) -> dict[str, Any]:
    """The wire form of a CallToolResult: the result as JSON text with sorted keys, or the error's message.

    A plain dictionary, which the SDK validates once, where a model would be built, dumped and validated. There is no
    structured content: it would say the same twice, and clients show both to their models. resultType is of the newest
    protocol; older ones leave it out.
    """
    text = _SORTED(result.result) if result.ok else str(result.error)
    return {"content": [{"type": "text", "text": text}], "isError": not result.ok, "resultType": "complete"}


def _native_route(world: World, security: TransportSecuritySettings) -> Any:
    """GET /drive/v3/files/{id}?alt=media: the native bytes, traced as files.download; without alt the metadata."""
    guard = TransportSecurityMiddleware(security)
    download = world.catalog.find("google_drive.files.download")
    metadata = world.catalog.find("google_drive.files.get")
    if download is None or metadata is None:
        raise ValueError("catalog: expected google_drive.files.download and google_drive.files.get")
    read = partial(drive.native, files=world.files)

    async def native(request: Request) -> Response:
        denied = await guard.validate_request(request)
        if denied is not None:
            return denied
        if request.method == "HEAD":
            # A GET route takes HEAD too; it would be traced as a read of what it does not return.
            return Response(status_code=405, headers={"allow": "GET"})
        arguments = {"fileId": request.path_params["file_id"]}
        alt = request.query_params.get("alt", "json")
        if alt not in ("json", "media"):
            return _problem(400, f"alt: expected media or json, came {alt[:40]}")
        if alt == "json":
            found = world.run(metadata, arguments, world.functions[metadata.name])
            return JSONResponse(found.result) if found.ok else _problem(404, str(found.error))
        found = world.run(download, arguments, read)
        if not found.ok or found.result is None:
            return _problem(404, str(found.error))
        return Response(
            found.result["data"],
            media_type=None,
            headers={
                "content-type": found.result["mimeType"],
                "content-disposition": f'attachment; filename="{found.result["name"]}"',
            },
        )

    return native


def _health(world: World) -> Any:
    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok", "task_id": world.task_id, "world_version": __version__})

    return health


def _problem(status: int, message: str) -> Response:
    """An error in the shape of the provider's."""
    return JSONResponse({"error": {"code": status, "message": message}}, status_code=status)
