"""The 52 tools as data.

In: catalog.json. Out: tool specifications with compiled validators, looked up by either form of their names.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from erpbench_world.errors import SHOWN, InvalidArguments, shown

NameForm = Literal["dotted", "underscore"]
SERVERS = ("erpbench", "oracle_fusion", "gmail", "google_drive", "google_sheets", "slack")
MAX_TOOL_NAME = 64
"""Clients show a tool as mcp__<server>__<tool>; several refuse names above this length."""

_SORTED = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode
MAX_ARGUMENTS = 64 * 1024
MAX_DEPTH = 16
MAX_NUMBER = 10**15


@dataclass(frozen=True)
class ToolSpec:
    """One tool of the catalog. name is dotted and begins with the server: oracle_fusion.items.list."""

    name: str
    server: str
    description: str
    input_schema: Mapping[str, Any]
    read_only: bool
    idempotent: bool
    annotations: Mapping[str, bool]
    provider_operation: str | None
    validator: Draft202012Validator
    integers: tuple[str, ...]
    """Arguments of type integer: 2.0 is a valid one and is handed on as 2."""

    @property
    def underscored(self) -> str:
        """The form for clients that refuse dots, without the server's own prefix: items_list."""
        return self.name.removeprefix(f"{self.server}.").replace(".", "_")

    @property
    def writes(self) -> bool:
        return not self.read_only

    @property
    def takes_task(self) -> bool:
        return "task_id" in self.input_schema["properties"]

    def shown_as(self, form: NameForm) -> str:
        return self.name if form == "dotted" else self.underscored


class Catalog:
    """The tools by name. Lookup accepts both forms whichever is listed."""

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self.tools = tuple(tools)
        self._dotted = {tool.name: tool for tool in self.tools}
        self._underscored: dict[tuple[str, str], ToolSpec] = {}
        self._anywhere: dict[str, list[ToolSpec]] = {}
        for tool in self.tools:
            if (tool.server, tool.underscored) in self._underscored:
                raise ValueError(f"catalog: two tools of {tool.server} are underscored {tool.underscored}")
            if len(f"mcp__{tool.server}__{tool.underscored}") > MAX_TOOL_NAME:
                raise ValueError(f"catalog: {tool.name} is longer than {MAX_TOOL_NAME} characters with its prefix")
            self._underscored[tool.server, tool.underscored] = tool
            self._anywhere.setdefault(tool.underscored, []).append(tool)

    def of_server(self, server: str) -> tuple[ToolSpec, ...]:
        return tuple(tool for tool in self.tools if tool.server == server)

    def find(self, name: str, server: str | None = None) -> ToolSpec | None:
        """The tool of either name form; of this server only, or of any if server is None (then one must be meant)."""
        tool = self._dotted.get(name)
        if tool is None and server is not None:
            tool = self._underscored.get((server, name))
        if tool is None and server is None:
            candidates = self._anywhere.get(name, [])
            tool = candidates[0] if len(candidates) == 1 else None
        return tool if tool is None or server in (None, tool.server) else None


@lru_cache(maxsize=1)
def load() -> Catalog:
    """The package's catalog. Reading and compiling happen once a process."""
    document = json.loads(resources.files("erpbench_world").joinpath("catalog.json").read_text(encoding="utf-8"))
    return Catalog(_spec(entry) for entry in document["tools"])


def _spec(entry: dict[str, Any]) -> ToolSpec:
    schema = entry["input_schema"]
    Draft202012Validator.check_schema(schema)
    integers = tuple(name for name, part in schema["properties"].items() if part.get("type") == "integer")
    return ToolSpec(
        name=entry["name"],
        server=entry["server"],
        description=entry["description"],
        input_schema=schema,
        read_only=entry["read_only"],
        idempotent=entry["idempotent"],
        annotations=entry["annotations"],
        provider_operation=entry["provider_operation"],
        validator=Draft202012Validator(schema),
        integers=integers,
    )


def validate(tool: ToolSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments for the tool's function. Raises InvalidArguments: which argument, what was expected, what came."""
    check(tool.validator, arguments, tool.name)
    whole = {name: int(arguments[name]) for name in tool.integers if isinstance(arguments.get(name), float)}
    return {**arguments, **whole} if whole else arguments


def check(validator: Draft202012Validator, value: dict[str, Any], subject: str, prefix: str = "") -> None:
    """Raises InvalidArguments unless the value fits the schema. Its message calls the whole value subject, and its
    parts by their path after the prefix."""
    if validator.is_valid(value):
        return
    messages: list[str] = []
    for error in sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.path]):
        message = _message(error, subject, prefix)
        if message not in messages:
            messages.append(message)
    raise InvalidArguments("; ".join(messages[:5]), messages[0].split(":")[0])


def _message(error: ValidationError, subject: str, prefix: str) -> str:
    where = argument_path([*([prefix] if prefix else []), *error.path])
    given: Any = error.instance
    schema: Any = error.schema
    if error.validator == "required":
        missing = [name for name in schema["required"] if name not in given]
        return f"{', '.join(missing)}: required by {subject}, not given"
    if error.validator == "additionalProperties":
        extra = sorted(str(name)[:60] for name in given if name not in schema["properties"])
        known = ", ".join(sorted(schema["properties"])) or "none"
        return f"{', '.join(extra[:10])}: not known to {subject}, which takes {known}"
    if error.validator == "type":
        return f"{where}: expected {kind(error.validator_value)}, came {shown(given)}"
    if error.validator == "enum":
        return f"{where}: expected one of {', '.join(map(str, schema['enum']))}, came {shown(given)}"
    return f"{where}: expected {error.validator} {shown(error.validator_value)}, came {shown(given)}"


def argument_path(path: Iterable[str | int]) -> str:
    """lines[2].Quantity, or arguments for the whole object."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.lstrip(".") or "arguments"


def kind(name: Any) -> str:
    """A JSON type in words: an integer, an array, text."""
    words = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
    return words.get(str(name), f"an {name}")


def serialise(arguments: Any) -> str:
    """The arguments as the JSON text that the trace keeps, sorted by key.

    Raises InvalidArguments for what is no JSON object within bounds: another type, NaN or infinity, a number of
    10^15 or more in size, a NUL or half a surrogate pair in a text, nesting above 16, or more than 64 KiB in all.
    """
    if not isinstance(arguments, dict):
        raise InvalidArguments(f"arguments: expected an object, came {shown(arguments)}")
    _check(arguments, "", 1)
    text = _SORTED(arguments)
    size = len(text.encode("utf-8"))
    if size > MAX_ARGUMENTS:
        raise InvalidArguments(f"arguments: expected at most {MAX_ARGUMENTS} bytes of JSON, came {size}")
    return text


def _check(value: Any, path: str, depth: int) -> None:
    where = path.lstrip(".") or "arguments"
    if depth > MAX_DEPTH:
        raise InvalidArguments(f"{where[:SHOWN]}: expected at most {MAX_DEPTH} levels of nesting")
    if isinstance(value, str):
        if "\x00" in value or not _encodable(value):
            raise InvalidArguments(f"{where}: expected text without NUL characters and unpaired surrogates", where)
    elif isinstance(value, dict):
        for name, part in value.items():
            if not isinstance(name, str):
                raise InvalidArguments(f"{where}: expected names that are text", where)
            _check(name, f"{path}.name", depth + 1)
            _check(part, f"{path}.{name}", depth + 1)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _check(part, f"{path}[{index}]", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidArguments(f"{where}: expected a finite number, came {value}", where)
    elif isinstance(value, int | float) and abs(value) >= MAX_NUMBER:
        raise InvalidArguments(f"{where}: expected a number below 10^15 in size", where)
    elif value is not None and not isinstance(value, bool | int | float):
        raise InvalidArguments(f"{where}: expected JSON, came {type(value).__name__}", where)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
