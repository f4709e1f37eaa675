"""The `erp` command: the six MCP servers of the world from a shell. Standard library only.

In: arguments of the command line (or calls from Python: `Erp().call(tool, arguments)`), the address in ERP_URL.
Out: results as JSON on standard output; errors on standard error with exit code 1 (the tool refused), 2 (wrong use) or
3 (the world cannot be reached or answers nonsense).
"""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SERVERS = ("erpbench", "oracle_fusion", "gmail", "google_drive", "google_sheets", "slack")
PROTOCOL_VERSION = "2025-06-18"
DEFAULT_URL = "http://world:8000"
TIMEOUT_SECONDS = 60.0
MAX_ANSWER_BYTES = 64 * 1024 * 1024
IDLE_SECONDS = 2.0  # servers close a kept connection after five

EXAMPLES = """\
examples:
  erp servers                                        the six servers and their addresses
  erp list oracle_fusion                             the tools of one server
  erp describe oracle_fusion.items_list              one tool: what it does, its arguments
  erp call erpbench.get_task task_id=erpbench-001    arguments as key=value; the tool's schema decides their types
  erp call gmail.messages_list '{"q": "subject:order"}'
  erp call oracle_fusion.items_list "q=ItemNumber='A-100' and OrganizationCode='M1'"
  erp call slack.chat_postMessage - < message.json   arguments from standard input
  erp download FILE_ID statement.pdf                 a Drive file's own bytes ("-" writes to standard output)

A tool's name may be written with dots (oracle_fusion.items.list), with underscores behind its server
(oracle_fusion.items_list, mcp__oracle_fusion__items_list), or bare where only one server has it (items_list).
"""


class ErpError(Exception):
    """Base. exit_code is what the command ends with."""

    exit_code = 1


class ToolError(ErpError):
    """The world answered and said no; the message is the tool's own."""

    exit_code = 1


class UsageError(ErpError):
    """The command or the arguments make no sense; nothing was called."""

    exit_code = 2


class Unreachable(ErpError):
    """No world answers at the address, or what answers does not speak MCP."""

    exit_code = 3


def split_name(name: str) -> tuple[str | None, str]:
    """The server a tool's name tells, if it does, and the name to send. Names with inner dots are sent whole."""
    if name.startswith("mcp__"):
        server, separator, tool = name.removeprefix("mcp__").partition("__")
        if separator and server in SERVERS and tool:
            return server, tool
    server, separator, tool = name.partition(".")
    if separator and server in SERVERS and tool:
        return server, name if "." in tool else tool
    return None, name


def typed_arguments(pairs: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """key=value words as arguments. A value stays text where the schema says string, else it is JSON if it can be."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key:
            raise UsageError(f"expected key=value, one JSON object or -; came {pair!r}")
        if key in arguments:
            raise UsageError(f"the argument {key} came twice")
        arguments[key] = value
        if properties.get(key, {}).get("type") != "string":
            try:
                arguments[key] = json.loads(value)
            except ValueError:
                arguments[key] = value
    return arguments


def event_messages(text: str) -> Iterator[Any]:
    """The JSON messages of an event stream: the data lines of each event joined, events parted by empty lines."""
    data: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
        elif not line and data:
            yield json.loads("\n".join(data))
            data = []


class Erp:
    """A client of one world. Keeps one connection and opens each server's MCP session on its first use.

    Not for use by several threads at once.
    """

    def __init__(self, url: str | None = None, timeout: float = TIMEOUT_SECONDS) -> None:
        self.url = url or os.environ.get("ERP_URL") or DEFAULT_URL
        parts = urllib.parse.urlsplit(self.url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme != "http" or not parts.hostname or port == -1:
            raise UsageError(f"ERP_URL: expected http://HOST:PORT, came {self.url!r}")
        self._root = parts.path.rstrip("/")
        self._connection = http.client.HTTPConnection(parts.hostname, port or 80, timeout=timeout)
        self._sessions: dict[str, dict[str, str]] = {}
        self._tools: dict[str, list[dict[str, Any]]] = {}
        self._next_id = 0
        self._last_used = 0.0

    def _request(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        """One exchange, never repeated: a write must not happen twice. So an idle connection is renewed, not tried."""
        if time.monotonic() - self._last_used > IDLE_SECONDS:
            self._connection.close()
        try:
            self._connection.request(method, self._root + path, body, dict(headers))
            return self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise Unreachable(f"no world answers at {self.url}: {error}") from None
        finally:
            self._last_used = time.monotonic()

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        try:
            body = response.read(MAX_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise Unreachable(f"the answer from {self.url} broke off: {error}") from None
        if len(body) > MAX_ANSWER_BYTES:
            self._connection.close()
            raise Unreachable(f"the answer from {self.url} is larger than {MAX_ANSWER_BYTES} bytes")
        return body

    def _post(
        self, server: str, message: Mapping[str, Any], headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
        response = self._request("POST", f"/mcp/{server}", json.dumps(message).encode(), sent)
        return response, self._read(response)

    def _rpc(
        self, server: str, method: str, params: Mapping[str, Any], headers: Mapping[str, str]
    ) -> tuple[Any, str | None]:
        """A JSON-RPC request: its result and the session id that the answer carries."""
        self._next_id += 1
        number = self._next_id
        response, body = self._post(
            server, {"jsonrpc": "2.0", "id": number, "method": method, "params": params}, headers
        )
        try:
            text = body.decode("utf-8")
            stream = response.headers.get_content_type() == "text/event-stream"
            messages = list(event_messages(text)) if stream else [json.loads(text)]
        except ValueError:
            messages = []
        for message in messages:
            if isinstance(message, dict) and message.get("id") == number:
                if "error" in message:
                    raise ToolError(str(message["error"].get("message", message["error"])))
                return message.get("result"), response.headers.get("Mcp-Session-Id")
        raise Unreachable(f"{self.url}/mcp/{server} answered {response.status} without a result for {method}")

    def _session(self, server: str) -> dict[str, str]:
        """The headers of the server's session, after the handshake."""
        if server not in SERVERS:
            raise UsageError(f"unknown server {server!r}; the servers are {', '.join(SERVERS)}")
        if server not in self._sessions:
            hello = {
                "protocolVersion": PROTOCOL_VERSION,
                "capabilities": {},
                "clientInfo": {"name": "erp", "version": "1"},
            }
            result, session = self._rpc(server, "initialize", hello, {})
            headers = {"MCP-Protocol-Version": str(result["protocolVersion"])}
            if session:
                headers["Mcp-Session-Id"] = session
            self._post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, headers)
            self._sessions[server] = headers
        return self._sessions[server]

    def tools(self, server: str) -> list[dict[str, Any]]:
        """The server's tools as tools/list gives them (name, description, inputSchema, annotations)."""
        if server not in self._tools:
            listed: list[dict[str, Any]] = []
            cursor: dict[str, str] = {}
            while True:
                result, _ = self._rpc(server, "tools/list", cursor, self._session(server))
                listed += result["tools"]
                if not result.get("nextCursor"):
                    break
                cursor = {"cursor": result["nextCursor"]}
            self._tools[server] = listed
        return self._tools[server]

    def find(self, name: str) -> tuple[str, dict[str, Any]]:
        """The server and the listed tool that a name in any spelling means. Raises UsageError if none or several."""
        server, tool = split_name(name)
        bare = tool.removeprefix(f"{server}.") if server else tool
        wanted = {tool, bare, bare.replace(".", "_")}
        found: list[tuple[str, dict[str, Any]]] = []
        for candidate in (server,) if server else SERVERS:
            for listed in self.tools(candidate):
                own = str(listed["name"])
                if own in wanted or own.removeprefix(f"{candidate}.").replace(".", "_") in wanted:
                    found.append((candidate, listed))
        if len(found) > 1:
            raise UsageError(f"{name} is a tool of {' and of '.join(s for s, _ in found)}; put the server before it")
        if not found:
            raise UsageError(f"no tool {name}; `erp list` shows all")
        return found[0]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """The result of one tool call. Raises ToolError with the tool's message when the world says no."""
        server, tool = split_name(name)
        if server is None:
            server, listed = self.find(name)
            tool = str(listed["name"])
        result, _ = self._rpc(server, "tools/call", {"name": tool, "arguments": arguments}, self._session(server))
        text = "\n".join(str(part.get("text", "")) for part in result.get("content", []) if part.get("type") == "text")
        if result.get("isError"):
            raise ToolError(text or "the tool answered with an error and no message")
        if result.get("structuredContent") is not None:
            return result["structuredContent"]
        try:
            return json.loads(text)
        except ValueError:
            return text

    def download(self, file_id: str) -> bytes:
        """A Drive file's native bytes."""
        path = f"/drive/v3/files/{urllib.parse.quote(file_id, safe='')}?alt=media"
        response = self._request("GET", path, None, {})
        body = self._read(response)
        if response.status != 200:
            raise ToolError(error_text(body) or f"{file_id}: the world answered {response.status}")
        return body


def error_text(body: bytes) -> str:
    """The message in an error answer: the provider's {"error": {"message": …}}, {"error": …} or plain text."""
    text = body[:2000].decode("utf-8", errors="replace").strip()
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return text
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)


def read_arguments(erp: Erp, tool: str, words: Sequence[str]) -> dict[str, Any]:
    """The arguments from the command line: nothing, one JSON object, - for standard input, or key=value words."""
    if not words:
        return {}
    if len(words) == 1 and (words[0] == "-" or words[0].lstrip().startswith("{")):
        text = sys.stdin.read() if words[0] == "-" else words[0]
        try:
            value = json.loads(text)
        except ValueError as error:
            raise UsageError(f"the arguments are not JSON: {error}") from None
        if not isinstance(value, dict):
            raise UsageError(f"expected a JSON object of arguments, came {type(value).__name__}")
        return value
    _, listed = erp.find(tool)
    return typed_arguments(words, listed.get("inputSchema", {}))


def list_lines(erp: Erp, servers: Sequence[str]) -> Iterator[str]:
    for server in servers:
        for tool in erp.tools(server):
            name = str(tool["name"]).removeprefix(f"{server}.")
            kind = "read " if tool.get("annotations", {}).get("readOnlyHint") else "write"
            summary = str(tool.get("description", "")).strip().split("\n")[0].split(". ")[0].rstrip(".")
            yield f"{kind}  {server}.{name}  {summary}"


def print_json(value: Any) -> None:
    print(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2))


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="erp",
        description="Call the tools of the ERP world from a shell.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("servers", help="the servers, one a line, with the number of their tools")
    listing = commands.add_parser("list", help="the tools, one a line: read or write, name, summary")
    listing.add_argument("server", nargs="?", metavar="SERVER")
    describe = commands.add_parser("describe", help="one tool in full, as JSON")
    describe.add_argument("tool", metavar="TOOL")
    call = commands.add_parser("call", help="call one tool and print its result as JSON")
    call.add_argument("tool", metavar="TOOL")
    call.add_argument("arguments", nargs="*", metavar="JSON | KEY=VALUE | -")
    download = commands.add_parser("download", help="write a Drive file's own bytes to PATH")
    download.add_argument("file_id", metavar="FILE_ID")
    download.add_argument("path", nargs="?", metavar="PATH", help="default: the file's id; - for standard output")
    return top


def run(options: argparse.Namespace) -> None:
    erp = Erp()
    if options.command == "servers":
        for server in SERVERS:
            print(f"{server}  {erp.url}/mcp/{server}  {len(erp.tools(server))} tools")
    elif options.command == "list":
        print("\n".join(list_lines(erp, (options.server,) if options.server else SERVERS)))
    elif options.command == "describe":
        print_json(erp.find(options.tool)[1])
    elif options.command == "call":
        print_json(erp.call(options.tool, read_arguments(erp, options.tool, options.arguments)))
    else:
        content = erp.download(options.file_id)
        if options.path == "-":
            sys.stdout.buffer.write(content)
        else:
            path = Path(options.path or Path(options.file_id).name)
            path.write_bytes(content)
            print(f"{path}: {len(content)} bytes")


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        run(options)
    except ErpError as error:
        print(f"erp: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"erp: {error}", file=sys.stderr)
        return UsageError.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
