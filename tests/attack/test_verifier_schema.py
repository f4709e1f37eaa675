"""Snapshots whose schema or pages are forged with care: manifest and digest agree, and SQLite opens them.

Each scores 0 with its reason, in two seconds of work at most, and nothing that the schema names is ever run.
"""

import sqlite3
from pathlib import Path

import pytest

from tests.attack.forgery import enter, rewrite
from tests.attack_table import Seen
from tests.play_fixture import Stage, edit, reject, write_evidence
from verifier import evidence
from verifier.database import open_read_only


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("schema")
    return Stage(folder)


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


PLANTED: dict[str, tuple[str, str, str]] = {
    "a trigger that would empty the trace": (
        "trigger", "posts", "CREATE TRIGGER planted BEFORE DELETE ON posts BEGIN DELETE FROM trace; END",
    ),
    "a trigger that loads an extension": (
        "trigger", "posts",
        "CREATE TRIGGER planted AFTER INSERT ON posts BEGIN SELECT load_extension('/tmp/x.so'); END",
    ),
    "a view with an unknown function": ("view", "planted", "CREATE VIEW planted AS SELECT run('id')"),
    "a full-text table with a tokenizer of its own": (
        "table", "planted", "CREATE VIRTUAL TABLE planted USING fts5(a, tokenize = 'evil')",
    ),
    "a full-text table of the older kind": (
        "table", "planted", "CREATE VIRTUAL TABLE planted USING fts3(tokenize=simple, x)",
    ),
    "a virtual table of an unknown module": ("table", "planted", "CREATE VIRTUAL TABLE planted USING spawn('sh')"),
    "a table over another file": ("table", "planted", "CREATE VIRTUAL TABLE planted USING csv(filename='/etc/passwd')"),
}  # fmt: skip


@pytest.mark.attack("verifier", "schema with {name}", expected="score 0, other_schema; nothing of it runs", flaw=3)
@pytest.mark.parametrize("name", PLANTED)
def test_planted_entry_is_never_run(
    stage: Stage, folder: Path, seen: Seen, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, table, sql = PLANTED[name]
    enter(folder, kind, "planted", table, sql)
    executed, touched = watch(monkeypatch)
    code, reason = reject(stage, folder, seen)
    assert code == "other_schema"
    assert f"unexpected {kind} planted" in reason
    # The refusal comes before any table is read: SQLite ran one statement over its own list of objects.
    assert executed == ["SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"]
    assert touched == {"sqlite_master"}


def watch(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], set[str]]:
    """Statements that the reader's connection runs from here on, and the tables and functions they touch."""
    executed: list[str] = []
    touched: set[str] = set()
    reads = {sqlite3.SQLITE_READ: 0, sqlite3.SQLITE_FUNCTION: 1, sqlite3.SQLITE_INSERT: 0, sqlite3.SQLITE_DELETE: 0}

    def noted(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
        if action in reads:
            touched.add(str((first, second)[reads[action]]))
        if inner:
            touched.add(inner)
        return sqlite3.SQLITE_OK

    def watched(*arguments: object) -> sqlite3.Connection:
        db = open_read_only(*arguments)  # type: ignore[arg-type]
        db.set_authorizer(noted)
        db.set_trace_callback(executed.append)
        return db

    monkeypatch.setattr(evidence, "open_read_only", watched)
    return executed, touched


ALTERED: dict[str, tuple[str, str, str]] = {
    "a generated column": ("posts", "ts TEXT NOT NULL\n", "ts TEXT NOT NULL, g TEXT AS (upper(text)) VIRTUAL\n"),
    "a default that calls a function": ("posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL DEFAULT (load_extension('x'))"),
    "a check that calls an unknown function": ("posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL CHECK (run(ts))"),
    "a check that always holds": ("posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL CHECK (1)"),
    "a collation that does not exist": ("posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL COLLATE evil"),
    "a collation without case": ("posts", "text TEXT NOT NULL", "text TEXT NOT NULL COLLATE NOCASE"),
    "a table that is strict no more": ("posts", "STRICT, WITHOUT ROWID", "WITHOUT ROWID"),
    "a foreign key": ("posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL REFERENCES trace(idx) ON DELETE CASCADE"),
    "a comment in a table's definition": ("posts", "ts TEXT NOT NULL", "ts /* */ TEXT NOT NULL"),
    "a definition that is no SQL": ("posts", "CREATE TABLE posts", "CREATE TABLE posts ((("),
    "a table renamed in its definition only": ("posts", "CREATE TABLE posts", "CREATE TABLE trace"),
    "columns swapped by their names": ("decisions", "decision TEXT", "status TEXT"),
}


@pytest.mark.attack("verifier", "schema with {name}", expected="score 0, other_schema or unreadable_database", flaw=7)
@pytest.mark.parametrize("name", ALTERED)
def test_altered_definition(stage: Stage, folder: Path, seen: Seen, name: str) -> None:
    rewrite(folder, *ALTERED[name])
    assert reject(stage, folder, seen)[0] in ("other_schema", "unreadable_database")


@pytest.mark.attack("verifier", "schema with a million characters", expected="score 0, unreadable_database", flaw=7)
def test_definition_beyond_the_limits(stage: Stage, folder: Path, seen: Seen) -> None:
    rewrite(folder, "posts", "ts TEXT NOT NULL", "ts TEXT NOT NULL CHECK (" + "(" * 600_000 + "1" + ")" * 600_000 + ")")
    assert reject(stage, folder, seen)[0] == "unreadable_database"


@pytest.mark.attack("verifier", "ten thousand tables", expected="score 0, other_schema", flaw=7)
def test_thousands_of_tables(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder,
        "PRAGMA writable_schema = ON",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO sqlite_master"
        " SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || ' (a TEXT PRIMARY KEY)' FROM n",
    )
    assert reject(stage, folder, seen)[0] == "other_schema"


@pytest.mark.attack("verifier", "statistics for the planner", expected="score 0, other_schema", flaw=7)
def test_statistics(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "ANALYZE")
    assert reject(stage, folder, seen)[0] == "other_schema"
