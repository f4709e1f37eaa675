"""One call from name and arguments to result and trace row: each call is one transaction, with its trace row inside.

In: a tool's name in either form, JSON arguments, and the server it was called on. Out: a CallResult; no exception
leaves a call.
"""

import sqlite3
import sys
import threading
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from erpbench_world import catalog, store, tools, trace
from erpbench_world.call import Call
from erpbench_world.errors import CallError, InvalidArguments, NotFound, Refused, UnknownTool, shown
from erpbench_world.registry import Tool

Outcome = Literal["ok", "refused", "invalid", "unknown_tool"]
SUBMIT = "erpbench.submit_answer"
NAME_KEPT = 128
"""How much of the name of a tool that does not exist the trace keeps."""

UNEXPECTED = "the call could not be carried out and changed nothing; please check the arguments"


@dataclass(frozen=True)
class CallResult:
    """result is the tool's JSON object if ok, error the message for the caller if not."""

    ok: bool
    result: dict[str, Any] | None
    error: str | None
    outcome: Outcome


class World:
    """A tenant's world over its database and its native files. Calls are carried out one after the other."""

    def __init__(self, database: Path, files: Path) -> None:
        """Opens the database; raises StoreError if it is none of this schema version."""
        self.database = database
        self.files = files
        self.catalog = catalog.load()
        self.functions = tools.functions(self.catalog)
        self._db = store.connect(database)
        self._keys = store.primary_keys(self._db)
        self._head = trace.head(self._db)
        self._kept = trace.kept_arguments(self._db)
        self._written = trace.written_arguments(self._db)
        self._meta: dict[str, str] = dict(map(tuple, self._db.execute("SELECT name, value FROM meta")))
        self._lock = threading.Lock()

    @property
    def meta(self) -> dict[str, str]:
        return self._meta

    @property
    def task_id(self) -> str:
        return self._meta["task_id"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def call(self, tool: str, arguments: dict[str, Any], server: str | None = None) -> CallResult:
        """Carry out a call. With a server the tool must be one of its own; without, any server's.

        Everything but a result leaves the world as it was, except for the trace row.
        """
        spec = self.catalog.find(tool, server)
        if spec is None:
            return self._unknown(str(tool), arguments, server or "")
        return self.run(spec, arguments, self.functions[spec.name])

    def run(self, spec: catalog.ToolSpec, arguments: dict[str, Any], function: Tool) -> CallResult:
        """Carry out a call of the tool by this function, which is the registered one unless the route is another."""
        with self._lock:
            try:
                text = catalog.serialise(arguments)
            except InvalidArguments as error:
                return self._failed(spec.server, spec.name, unreadable(arguments), error)
            call = Call(self._db, self._keys, facts=self._meta)
            try:
                checked = catalog.validate(spec, arguments)
                self._db.execute("BEGIN IMMEDIATE")
                self._admit(spec, checked, call, len(text))
                result = function(call, checked)
                saw, wrote = trace.keys_text(call.seen), trace.keys_text(call.written)
                kept = trace.bounded(text, self._kept, accepted=True)
                head = trace.append(self._db, self._head, spec.server, spec.name, kept, "ok", None, saw, wrote)
                self._db.execute("COMMIT")
            except CallError as error:
                return self._failed(spec.server, spec.name, text, error)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                return self._failed(spec.server, spec.name, text, InvalidArguments(UNEXPECTED))
            self._head = head
            self._kept += len(kept)
            self._written += len(text) if call.written else 0
            return CallResult(True, result, None, "ok")

    def _admit(self, spec: catalog.ToolSpec, arguments: dict[str, Any], call: Call, size: int) -> None:
        """Refuse a foreign task, any write after the accepted submission, and more than a world has room for."""
        task = arguments.get("task_id")
        if task is not None and task != self.task_id:
            message = f"task_id: unknown task {shown(task)}; this world holds {self.task_id}"
            raise Refused(message, "task_id") if spec.writes else NotFound(message, "task_id")
        if spec.writes and call.row("SELECT task_id FROM submissions LIMIT 1") is not None:
            if spec.name == SUBMIT:
                raise Refused("the answer has been submitted already; the first submission stands")
            raise Refused("the task is closed by its submission; nothing can be written any more")
        if spec.writes and spec.name != SUBMIT and self._written + size > trace.MAX_WRITTEN:
            raise Refused(f"all writes of a task together may have {trace.MAX_WRITTEN} characters; these are used up")

    def _unknown(self, name: str, arguments: Any, server: str) -> CallResult:
        elsewhere = self.catalog.find(name)
        if server and elsewhere is not None:
            message = f"{server} has no tool {shown(name)}; it is a tool of {elsewhere.server}"
        else:
            where = f"{server} has" if server else "there is"
            message = f"{where} no tool {shown(name)}"
        with self._lock:
            try:
                text = catalog.serialise(arguments)
            except InvalidArguments:
                text = unreadable(arguments)
            return self._failed(server, clean(name)[:NAME_KEPT], text, UnknownTool(message))

    def _failed(self, server: str, tool: str, arguments: str, error: CallError) -> CallResult:
        """Undo what the call did and write its trace row alone."""
        message = clean(str(error))
        outcome = error.outcome
        kept = trace.bounded(arguments, self._kept, accepted=False)
        told = message[: trace.MAX_ERROR]
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._db.execute("BEGIN IMMEDIATE")
            head = trace.append(self._db, self._head, server, tool, kept, outcome, told, "[]", "[]")
            self._db.execute("COMMIT")
            self._head = head
            self._kept += len(kept)
        except sqlite3.Error:
            traceback.print_exc(file=sys.stderr)
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return CallResult(False, None, message, outcome)


def clean(message: str) -> str:
    """The message as text that can be stored: a caller's value repeated in it may hold half a surrogate pair."""
    return message.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def unreadable(arguments: Any) -> str:
    """What the trace keeps of arguments that are too large or no JSON: {"truncated": n}, n characters of them."""
    try:
        size = len(repr(arguments))
    except (ValueError, RecursionError):
        size = 0
    return trace.truncated(size)
