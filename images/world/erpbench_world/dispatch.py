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
from erpbench_world.errors import CallError, InvalidArguments, NoRoom, NotFound, Refused, UnknownTool, shown
from erpbench_world.registry import Tool
from erpbench_world.room import Kind, Room

Outcome = Literal["ok", "refused", "invalid", "unknown_tool"]
SUBMIT = "erpbench.submit_answer"
GET_SUBMISSION = "erpbench.get_submission"
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
        self._room = Room(self._db)
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

        Everything but a result leaves the world as it was, except for the trace row (see room.py for calls without).
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
                return self._failed(spec.server, spec.name, unreadable(arguments), error, reads=not spec.writes)
            call = Call(self._db, self._keys, facts=self._meta)
            try:
                checked = catalog.validate(spec, arguments)
                self._db.execute("BEGIN IMMEDIATE")
                self._admit(spec, checked, call, len(text))
                result = function(call, checked)
                saw, wrote = trace.keys_text(call.seen), trace.keys_text(call.written)
                kept = self._room.bounded(text, accepted=True)
                row = trace.Row(spec.server, spec.name, kept, "ok", None, saw, wrote)
                self._room.check(row, call.written, kind_of(spec))
                head = trace.append(self._db, self._head, *row)
                self._db.execute("COMMIT")
            except CallError as error:
                return self._failed(spec.server, spec.name, text, error, reads=not spec.writes)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                unexpected = InvalidArguments(UNEXPECTED)
                return self._failed(spec.server, spec.name, text, unexpected, reads=not spec.writes)
            self._head = head
            self._room.take(row, call.written, len(text))
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
        if spec.writes and spec.name != SUBMIT:
            self._room.check_written(size)

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
            return self._failed(server, clean(name)[:NAME_KEPT], text, UnknownTool(message), reads=False)

    def _failed(self, server: str, tool: str, arguments: str, error: CallError, reads: bool) -> CallResult:
        """Undo what the call did and write its trace row alone, where the trace has room for it."""
        message = clean(str(error))
        outcome = error.outcome
        kept = self._room.bounded(arguments, accepted=False)
        row = trace.Row(server, tool, kept, outcome, message[: trace.MAX_ERROR], "[]", "[]")
        traced = not isinstance(error, NoRoom) and self._room.traces_failed(row, reads)
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if traced:
                self._db.execute("BEGIN IMMEDIATE")
                head = trace.append(self._db, self._head, *row)
                self._db.execute("COMMIT")
                self._head = head
                self._room.take(row, [], len(arguments))
        except sqlite3.Error:
            traceback.print_exc(file=sys.stderr)
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return CallResult(False, None, message, outcome)


def kind_of(spec: catalog.ToolSpec) -> Kind:
    if spec.writes:
        return "submission" if spec.name == SUBMIT else "write"
    return "its reading back" if spec.name == GET_SUBMISSION else "read"


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
