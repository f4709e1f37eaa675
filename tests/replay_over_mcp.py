"""Replay a trajectory against a task's world over MCP, with the official client that offers protocol 2025-06-18.

Arguments: the task directory and the trajectory. Prints each difference and a closing line.
"""

import asyncio
import contextlib
import json
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import mcp.client.session
import uvicorn
from erpbench_world.catalog import SERVERS
from erpbench_world.dispatch import CallResult, World
from erpbench_world.server import build_app
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent, Tool

from generator.qualify.episode import fresh_world
from generator.qualify.replay import compare
from generator.qualify.trajectory import Step, read_trajectory

OFFERED = "2025-06-18"
HINTS = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")
mcp.client.session.LATEST_HANDSHAKE_VERSION = OFFERED


@contextlib.contextmanager
def served(world: World) -> Iterator[str]:
    """The world on a loopback port, in a thread of its own."""
    with contextlib.closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(build_app(world, "dotted"), log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.asynccontextmanager
async def session(url: str, server: str) -> AsyncIterator[tuple[ClientSession, str]]:
    async with (
        streamable_http_client(f"{url}/mcp/{server}") as (read, write),
        ClientSession(read, write) as opened,
    ):
        answered = await opened.initialize()
        yield opened, str(answered.protocol_version)


async def call(opened: ClientSession, step: Step) -> CallResult:
    answer = await opened.call_tool(step.tool, dict(step.arguments))
    content = answer.content[0]
    assert isinstance(content, TextContent)
    if answer.is_error:
        return CallResult(False, None, content.text, "refused")
    return CallResult(True, json.loads(content.text), None, "ok")


async def replay(url: str, world: World, steps: tuple[Step, ...]) -> int:
    tools: list[Tool] = []
    protocols: set[str] = set()
    different = 0
    async with contextlib.AsyncExitStack() as stack:
        opened: dict[str, ClientSession] = {}
        for server in SERVERS:
            opened[server], protocol = await stack.enter_async_context(session(url, server))
            protocols.add(protocol)
            tools.extend((await opened[server].list_tools()).tools)
        for tool in tools:
            hints = tool.annotations
            assert hints is not None, tool.name
            assert all(getattr(hints, hint) is not None for hint in HINTS), f"{tool.name}: hints"
        for number, step in enumerate(steps, start=1):
            verdict, detail = compare(step, await call(opened[step.tool.split(".")[0]], step), world)
            if verdict == "differs":
                different += 1
                print(f"step {number}, {step.tool}: {detail}")
    writes = sum(tool.annotations is not None and tool.annotations.read_only_hint is False for tool in tools)
    protocol = ", ".join(sorted(protocols))
    print(f"protocol {protocol}, {len(tools)} tools, {writes} writes, {len(steps)} calls, {different} differ")
    return different


def main(task: Path, trajectory: Path) -> int:
    with fresh_world(task) as world, served(world) as url:
        return asyncio.run(replay(url, world, read_trajectory(trajectory)))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
