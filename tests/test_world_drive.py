"""Files of the drive: listing, metadata, text and native bytes."""

import hashlib
from functools import partial
from pathlib import Path

import pytest
from erpbench_world import drive
from erpbench_world.dispatch import CallResult, World

from tests.world_fixture import make_world, ok, refused, table

DATA = b"native \x00 bytes"
FILES = [
    {"id": "F2", "name": "02-b.csv", "mimeType": "text/csv", "version": 1, "modifiedTime": "2026-02-03T10:00:00Z",
     "isCurrentAuthority": 0, "description": "Old", "owner": "Dana W", "path": "02-b.csv", "size": 14,
     "sha256": hashlib.sha256(DATA).hexdigest(), "content": "a,b\r\n"},
    {"id": "F1", "name": "01-a.md", "mimeType": "text/markdown", "version": 2, "modifiedTime": "2026-02-09T06:00:00Z",
     "isCurrentAuthority": 1, "description": "", "owner": "Lee", "path": "../secret", "sha256": "", "content": "# A"},
]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "02-b.csv").write_bytes(DATA)
    (tmp_path / "secret").write_bytes(b"")
    return make_world(tmp_path, {"drive_files": FILES})


def native(world: World, file_id: str) -> CallResult:
    spec = world.catalog.find("google_drive.files.download")
    assert spec is not None
    return world.run(spec, {"fileId": file_id}, partial(drive.native, files=world.files))


def test_a_listing_is_by_name_and_shows_metadata(world: World) -> None:
    assert ok(world.call("google_drive.files.list", {"q": ""})) == {
        "files": [
            {"id": "F1", "isCurrentAuthority": True, "mimeType": "text/markdown",
             "modifiedTime": "2026-02-09T06:00:00Z", "name": "01-a.md", "version": 2},
            {"id": "F2", "isCurrentAuthority": False, "mimeType": "text/csv",
             "modifiedTime": "2026-02-03T10:00:00Z", "name": "02-b.csv", "version": 1},
        ]
    }  # fmt: skip
    assert table(world, "trace")[0]["saw"] == '[["drive_meta","F1"],["drive_meta","F2"]]'


def test_metadata_of_one_file(world: World) -> None:
    assert ok(world.call("google_drive.files.get", {"fileId": "F2"})) == {
        "description": "Old",
        "id": "F2",
        "isCurrentAuthority": False,
        "mimeType": "text/csv",
        "modifiedTime": "2026-02-03T10:00:00Z",
        "name": "02-b.csv",
        "nativePath": "/drive/v3/files/F2?alt=media",
        "owners": [{"displayName": "Dana W"}],
        "sha256": hashlib.sha256(DATA).hexdigest(),
        "size": 14,
        "version": 1,
    }
    assert table(world, "trace")[0]["saw"] == '[["drive_meta","F2"]]'


def test_a_download_is_content_and_no_metadata(world: World) -> None:
    assert ok(world.call("google_drive.files.download", {"fileId": "F2"})) == {
        "content": "a,b\r\n",
        "id": "F2",
        "isCurrentAuthority": False,
        "mimeType": "text/csv",
        "name": "02-b.csv",
    }
    assert table(world, "trace")[0]["saw"] == '[["drive_content","F2"]]'


def test_native_bytes_count_as_a_download(world: World) -> None:
    assert ok(native(world, "F2")) == {"name": "02-b.csv", "mimeType": "text/csv", "data": DATA}
    (row,) = table(world, "trace")
    assert (row["tool"], row["saw"]) == ("google_drive.files.download", '[["drive_content","F2"]]')


def test_bytes_that_are_not_those_of_the_digest_are_not_served(world: World) -> None:
    (world.files / "02-b.csv").write_bytes(b"other")
    assert "do not agree with their digest" in refused(native(world, "F2"), "invalid")
    (world.files / "02-b.csv").unlink()
    assert "are not stored" in refused(native(world, "F2"), "invalid")
    assert [row["saw"] for row in table(world, "trace")] == ["[]", "[]"]


def test_a_path_out_of_the_directory_is_not_served(world: World) -> None:
    assert "are not stored" in refused(native(world, "F1"), "invalid")


@pytest.mark.parametrize("tool", ["google_drive.files.get", "google_drive.files.download"])
def test_an_unknown_file(world: World, tool: str) -> None:
    assert refused(world.call(tool, {"fileId": "F9"}), "invalid") == 'fileId: no file "F9"'
