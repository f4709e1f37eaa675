"""What a refusal says: one line, what the snapshot holds cut to 80 characters; and every step has the deadline."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.attack.forgery import patch, put, root_page
from tests.contract_fixture import TASK
from tests.play_fixture import Play, Stage, edit, reject, reseal, write_evidence
from verifier import evidence
from verifier.deadline import Deadline
from verifier.tables import Budget

PAGE = 4096
LONG, CUT = "x" * 100, "x" * 80


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("words")
    return Stage(folder)


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


@pytest.mark.parametrize(
    ("statement", "code", "reason"),
    [
        (f"UPDATE meta SET value = '{LONG}' WHERE name = 'task_id'", "other_task",
         f"the world is of task {CUT}, not {TASK}"),
        (f"UPDATE meta SET value = '{LONG}' WHERE name = 'schema_version'", "other_build",
         f"the world has schema version {CUT}, not 1"),
        (f"UPDATE meta SET value = '{LONG}' WHERE name = 'tenant'", "other_world",
         f"the world has tenant {CUT}, not NBR"),
        (f"INSERT INTO meta VALUES ('{LONG}', 'a')", "frozen_table",
         f"meta {CUT} differs, and the world never writes meta"),
    ],
)  # fmt: skip
def test_what_the_world_holds_is_cut(stage: Stage, folder: Path, statement: str, code: str, reason: str) -> None:
    edit(folder, statement)
    assert reject(stage, folder) == (code, reason)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ((LONG, "1"), f"call 28 claims to have written {CUT}, which is no table"),
        (("posts", LONG), f"call 28 claims to have written posts {CUT}, which never was"),
    ],
)
def test_what_a_call_claims_is_cut(stage: Stage, tmp_path: Path, claim: tuple[str, str], reason: str) -> None:
    play = stage.play([*stage.oracle(), lambda play: play.call("slack.chat_postMessage", (), [claim])])
    assert reject(stage, write_evidence(play, tmp_path / "evidence")) == ("false_claim", reason)


def test_a_row_that_no_call_wrote_is_cut(stage: Stage, tmp_path: Path) -> None:
    play = stage.play(stage.oracle())
    play.insert("posts", LONG, TASK, "#ops-nbr", "text", "draft_for_review", "2026-02-09")
    assert reject(stage, write_evidence(play, tmp_path / "evidence")) == (
        "unclaimed_change", f"posts {CUT} differs, and no accepted call wrote it",
    )  # fmt: skip


def test_arguments_that_the_world_no_longer_kept_may_have_cleared_something(stage: Stage, tmp_path: Path) -> None:
    def clear(play: Play) -> None:
        tool = "google_sheets.spreadsheets.values.update"
        play.call(tool, (), [("cells", "Register!A30")], arguments={"truncated": 70_000})

    folder = write_evidence(stage.play([*stage.oracle(), clear]), tmp_path / "evidence")
    assert reject(stage, folder) == (None, "")


def test_what_sqlite_finds_is_told_in_one_line(stage: Stage, folder: Path) -> None:
    page = root_page(folder, "trace")
    put(folder, (page - 1) * PAGE, b"\x05\0\0\0\0\x10\0\0" + page.to_bytes(4, "big"))
    assert reject(stage, folder) == (
        "integrity",
        f"world.sqlite fails SQLite's integrity check: On tree page {page} cell 0: 2nd reference to page {page}",
    )


def test_what_sqlite_finds_in_an_index_is_told_as_it_is(stage: Stage, folder: Path) -> None:
    place = (root_page(folder, "sqlite_autoindex_items_1") - 1) * PAGE

    def rename(data: bytearray) -> None:
        found = data.index(b"FST-M8-40", place, place + PAGE)
        data[found : found + 9] = b"FST-M8-41"

    patch(folder, rename)
    assert reject(stage, folder) == (
        "integrity",
        "world.sqlite fails SQLite's integrity check: row 1 missing from index sqlite_autoindex_items_1",
    )


def test_every_step_over_the_trace_has_the_deadline(
    stage: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, object] = {}

    def noting(name: str) -> Callable[..., Any]:
        real = getattr(evidence, name)

        def step(*arguments: Any) -> Any:
            given[name] = arguments[-1]
            return real(*arguments)

        return step

    names = ("build_trace", "check_arguments", "broken_link", "differences")
    for name in names:
        monkeypatch.setattr(evidence, name, noting(name))
    assert reject(stage, folder) == (None, "")
    assert {name: type(given[name]) for name in names} == dict.fromkeys(names, Deadline)
    assert len({id(deadline) for deadline in given.values()}) == 1


def test_reading_has_the_deadline_too(stage: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[tuple[int, int, Deadline]] = []

    def noted(rows: int, characters: int, deadline: Deadline) -> Budget:
        budgets.append((rows, characters, deadline))
        return Budget(rows, characters, deadline)

    monkeypatch.setattr(evidence, "Budget", noted)
    assert reject(stage, folder) == (None, "")
    assert [(rows, characters, type(deadline)) for rows, characters, deadline in budgets] == [
        (20_000, 8 << 20, Deadline),
        (20_000, 8 << 20, Deadline),
    ]


def test_another_name_of_the_file(stage: Stage, folder: Path) -> None:
    (folder.parent / "other").hardlink_to(folder / "world.sqlite")
    reason = "world.sqlite has other names, under which it may change meanwhile"
    assert reject(stage, folder) == ("not_a_file", reason)


def test_another_size(stage: Stage, folder: Path) -> None:
    with open(folder / "world.sqlite", "ab") as file:
        file.write(b"x")
    size = (folder / "world.sqlite").stat().st_size
    assert reject(stage, folder) == ("wrong_size", f"world.sqlite has {size} bytes, the manifest says {size - 1}")


def test_an_index_that_is_lacking(stage: Stage, folder: Path) -> None:
    edit(folder, "PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_items_1'")
    reason = "world.sqlite has another schema than the world: no index sqlite_autoindex_items_1"
    assert reject(stage, folder) == ("other_schema", reason)


def test_text_that_is_not_utf8(stage: Stage, folder: Path) -> None:
    edit(folder, f"UPDATE posts SET text = CAST(x'ff41' AS TEXT) WHERE id = 'POST-{TASK}'")
    code, reason = reject(stage, folder)
    assert code == "not_utf8"
    assert reason.startswith("world.sqlite cannot be read: Could not decode to UTF-8 column 'text'")


def test_a_message_of_sqlite_that_is_not_utf8(stage: Stage, folder: Path) -> None:
    edit(
        folder, "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT), sql = 'CREATE' WHERE name = 'posts'",
    )  # fmt: skip
    assert reject(stage, folder) == ("not_utf8", "world.sqlite holds text that is not UTF-8")


KEYS = "bytes, schema_version, sha256, task_id, trace_head, trace_rows, world_version"


@pytest.mark.parametrize(
    ("changes", "code", "reason"),
    [
        ({"extra": 1}, "bad_manifest", f"manifest.json does not have exactly the keys {KEYS}"),
        ({"sha256": 5}, "bad_manifest", "manifest.json: sha256 is not text"),
        ({"trace_rows": -1}, "bad_manifest", "manifest.json: trace_rows is no count"),
        ({"schema_version": 2}, "bad_manifest", "manifest.json has schema version 2, not 1"),
        ({"task_id": LONG}, "other_task", f"the evidence is of {CUT}, not of {TASK}"),
    ],
)
def test_what_is_wrong_with_a_manifest(
    stage: Stage, folder: Path, changes: dict[str, object], code: str, reason: str
) -> None:
    reseal(folder, **changes)
    assert reject(stage, folder) == (code, reason)


def test_a_manifest_that_is_no_json(stage: Stage, folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"{")
    assert reject(stage, folder) == ("bad_manifest", "manifest.json is no JSON")
