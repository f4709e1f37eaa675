"""Snapshots whose rows or pages contradict themselves. Each scores 0 with its reason in two seconds of work at most."""

import sqlite3
from pathlib import Path

import pytest

from tests.attack.forgery import patch, put, rewrite, root_page
from tests.attack_table import Seen
from tests.contract_fixture import TASK, units
from tests.play_fixture import Stage, edit, reject, write_evidence

PAGE = 4096
OTHER = "import_all_lines_as_received"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("pages")
    return Stage(folder)


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


LOOSE = ("STRICT, WITHOUT ROWID", "/**/ WITHOUT ROWID")
CELLS: dict[str, tuple[str, str, str, str]] = {
    "a blob in a text column": ("posts", *LOOSE, "UPDATE posts SET text = x'00ff'"),
    "a fraction in an integer column": ("items", ") STRICT", ") /**/", "UPDATE items SET ListPrice = 0.5"),
    "text in an integer column": ("items", ") STRICT", ") /**/", "UPDATE items SET ListPrice = 'free'"),
    "infinity in an integer column": ("items", ") STRICT", ") /**/", "UPDATE items SET ListPrice = 9e999"),
    "null where none may be": ("decisions", "decision TEXT NOT NULL", "decision TEXT",
                               "UPDATE decisions SET decision = NULL"),
}  # fmt: skip


@pytest.mark.attack("verifier", "{name}", expected="score 0, integrity", flaw=7)
@pytest.mark.parametrize("name", CELLS)
def test_cell_that_the_schema_forbids(stage: Stage, folder: Path, seen: Seen, name: str) -> None:
    rewrite(folder, *CELLS[name])
    assert reject(stage, folder, seen)[0] == "integrity"


@pytest.mark.attack("verifier", "two decisions of the same task, one right", expected="score 0, integrity", flaw=6)
def test_two_rows_of_one_key(stage: Stage, folder: Path, seen: Seen) -> None:
    rewrite(
        folder, "decisions", "task_id TEXT PRIMARY KEY,", "task_id TEXT,",
        f"INSERT INTO decisions VALUES ('{TASK}', 'second', '{OTHER}', 's', 'r', 'x', '[]')",
        also=("source_refs TEXT NOT NULL\n", "source_refs TEXT NOT NULL, PRIMARY KEY (task_id, decision_id)\n"),
    )  # fmt: skip
    assert sqlite3.connect(folder / "world.sqlite").execute("SELECT count(*) FROM decisions").fetchone() == (2,)
    assert reject(stage, folder, seen)[0] in ("integrity", "malformed")


@pytest.mark.attack("verifier", "a unique index taken out of the schema", expected="score 0", flaw=7)
def test_index_taken_out(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_items_1'")
    assert reject(stage, folder, seen)[0] in ("other_schema", "unreadable_database")


@pytest.mark.attack("verifier", "an index that disagrees with its table", expected="score 0, integrity", flaw=7)
def test_index_disagrees(stage: Stage, folder: Path, seen: Seen) -> None:
    place = (root_page(folder, "sqlite_autoindex_items_1") - 1) * PAGE

    def rename(data: bytearray) -> None:
        found = data.index(b"FST-M8-40", place, place + PAGE)
        data[found : found + 9] = b"FST-M8-41"

    patch(folder, rename)
    assert reject(stage, folder, seen)[0] == "integrity"


@pytest.mark.attack("verifier", "two tables that share a page", expected="score 0, integrity", flaw=7)
def test_shared_page(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder, "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'drafts')"
        " WHERE name = 'posts'",
    )  # fmt: skip
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database")


@pytest.mark.attack("verifier", "a table whose first page is {page}", expected="score 0", flaw=7)
@pytest.mark.parametrize("page", [0, -1, 1, 999_999, 2**40])
def test_first_page_elsewhere(stage: Stage, folder: Path, seen: Seen, page: int) -> None:
    edit(folder, "PRAGMA writable_schema = ON", f"UPDATE sqlite_master SET rootpage = {page} WHERE name = 'posts'")
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database", "other_schema")


@pytest.mark.attack("verifier", "overflow pages in a ring", expected="score 0, integrity", flaw=7)
def test_overflow_ring(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    play = stage.play(stage.oracle(post=lambda play: play.post("x" * 20_000)))
    folder = write_evidence(play, tmp_path / "evidence")

    def tie(data: bytearray) -> None:
        full = [n for n in range(len(data) // PAGE) if data[n * PAGE + 4 : n * PAGE + 900] == b"x" * 896]
        # The second of the overflow pages names the first as the next one.
        data[full[1] * PAGE : full[1] * PAGE + 4] = (full[0] + 1).to_bytes(4, "big")

    patch(folder, tie)
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database")


@pytest.mark.attack("verifier", "a page that is its own child", expected="score 0, integrity", flaw=7)
def test_page_ring(stage: Stage, folder: Path, seen: Seen) -> None:
    page = root_page(folder, "trace")
    # An interior table page without cells whose only child is itself.
    put(folder, (page - 1) * PAGE, b"\x05\0\0\0\0\x10\0\0" + page.to_bytes(4, "big"))
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database")


@pytest.mark.attack("verifier", "a list of free pages in a ring", expected="score 0, integrity", flaw=7)
def test_free_list_ring(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "DELETE FROM slack_messages", "VACUUM")

    def tie(data: bytearray) -> None:
        last = len(data) // PAGE + 1
        data += last.to_bytes(4, "big") + b"\0" * (PAGE - 4)
        data[28:32] = last.to_bytes(4, "big")
        data[32:36] = last.to_bytes(4, "big")
        data[36:40] = (1 << 30).to_bytes(4, "big")

    patch(folder, tie)
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database")


HEADERS: dict[str, tuple[int, bytes]] = {
    "four thousand million pages": (28, b"\xff\xff\xff\xfe"),
    "no pages": (28, b"\0\0\0\0"),
    "a page of one byte": (16, b"\0\x03"),
    "bytes reserved on each page": (20, b"\xf0"),
    "a fraction of payload that no page has": (21, b"\xff"),
    "text in UTF-16": (56, b"\0\0\0\2"),
    "another name": (0, b"SQLite format 4\0"),
    "a schema format of the future": (44, b"\0\0\0\x63"),
}


@pytest.mark.attack("verifier", "a header with {name}", expected="score 0, bad_header or unreadable_database", flaw=7)
@pytest.mark.parametrize("name", HEADERS)
def test_header(stage: Stage, folder: Path, seen: Seen, name: str) -> None:
    put(folder, *HEADERS[name])
    assert reject(stage, folder, seen)[0] in ("bad_header", "unreadable_database")


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.attack("verifier", "a submission nested 100,000 deep", expected="graded, no answer counts", flaw=6)
def test_deep_submission(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    play = stage.play(stage.oracle(submission=lambda play: play.submit(answers=_deep(100_000))))
    verdict = stage.grader.grade_evidence(write_evidence(play, tmp_path / "evidence"))
    seen(f"score {verdict.score}, failed {verdict.failed}")
    assert (verdict.fault, verdict.failed, verdict.score) == (None, (16, 17, 18, 19, 20, 21), 65)


@pytest.mark.attack("verifier", "sources and a cell nested 100,000 deep", expected="no credit, no crash", flaw=6)
def test_deep_cells(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder, f"UPDATE decisions SET source_refs = '{_deep(100_000)}'",
        f"UPDATE cells SET value = '{_deep(100_000)}' WHERE cell = 'Register!A21'",
    )  # fmt: skip
    verdict = stage.grader.grade_evidence(folder)
    seen(f"score {verdict.score}, failed {verdict.failed}")
    # Source, register row and decision record: 100 - 5 - 3 - 3.
    assert (verdict.fault, verdict.failed, verdict.score) == (None, (22, 25, 26), 89)


@pytest.mark.attack("verifier", "a price changed that no call wrote", expected="score 0, unclaimed_change", flaw=7)
def test_price_that_no_call_wrote(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, f"UPDATE items SET ListPrice = {units('0.80')} WHERE ItemNumber = 'FST-M8-40'")
    assert reject(stage, folder, seen)[0] == "unclaimed_change"
