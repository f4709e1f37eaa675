"""The yardstick: one low-level `mcp` server over SQLite as its documentation shows it, with no world around it.

`python bare_server.py SEED DATABASE HOST PORT`. SEED is copied to DATABASE if that does not exist. Two tools over the
table items: `items_list` reads an organisation's items, `items_update` sets one item's status. Stateless, with plain
JSON answers, as the world is. It runs by itself, beside the world on loopback and in the skeleton's container.
"""

import contextlib
import json
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

PATH = "/mcp/bare"
HOSTS = ["world:8000", "127.0.0.1:*"]
TEXT = {"type": "string"}
TOOLS = [
    types.Tool(
        name="items_list",
        description="The items of an organisation.",
        input_schema={"type": "object", "properties": {"organization": TEXT}, "required": ["organization"]},
    ),
    types.Tool(
        name="items_update",
        description="Set the status of one item.",
        input_schema={"type": "object", "properties": {"item": TEXT, "status": TEXT}, "required": ["item", "status"]},
    ),
]


class Endpoint:
    """The MCP endpoint as an ASGI application: a route takes a function for something else."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self.manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.manager.handle_request(scope, receive, send)


def bare_app(database: sqlite3.Connection) -> Starlette:
    async def list_tools(
        context: ServerRequestContext[Any], parameters: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=TOOLS)

    async def call_tool(
        context: ServerRequestContext[Any], parameters: types.CallToolRequestParams
    ) -> types.CallToolResult:
        result = run_tool(database, parameters.name, parameters.arguments or {})
        return types.CallToolResult(content=[types.TextContent(text=json.dumps(result))])

    server: Server[Any] = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, security_settings=TransportSecuritySettings(allowed_hosts=HOSTS)
    )

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    return Starlette(
        routes=[Route("/healthz", health), Route(PATH, Endpoint(manager), methods=["POST"])], lifespan=lifespan
    )


def run_tool(database: sqlite3.Connection, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One statement a call; raises KeyError for an argument that is missing, ValueError for another tool."""
    if name == "items_list":
        query = "SELECT * FROM items WHERE OrganizationCode = ? ORDER BY ItemNumber"
        items = [dict(row) for row in database.execute(query, (arguments["organization"],))]
        return {"count": len(items), "items": items}
    if name == "items_update":
        change = "UPDATE items SET ItemStatusValue = ? WHERE ItemNumber = ?"
        return {"updated": database.execute(change, (arguments["status"], arguments["item"])).rowcount}
    raise ValueError(f"no tool {name}")


def open_database(seed: Path, path: Path) -> sqlite3.Connection:
    if not path.exists():
        shutil.copyfile(seed, path)
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA journal_mode=WAL")
    return database


def main(seed: str, path: str, host: str, port: str) -> None:
    app = bare_app(open_database(Path(seed), Path(path)))
    uvicorn.run(app, host=host, port=int(port), log_level="warning", access_log=False, timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main(*sys.argv[1:5])
