"""The shared drive: files to find, describe and read, as text or as their native bytes.

Metadata and content are separate records in the trace: drive_meta for a listing or files.get, drive_content for a
download, whichever path served it.
"""

import hashlib
from pathlib import Path
from typing import Any

from erpbench_world.call import Call, Row
from erpbench_world.drive_query import matcher
from erpbench_world.errors import NotFound, shown
from erpbench_world.registry import tool

LISTED = ("id", "isCurrentAuthority", "mimeType", "modifiedTime", "name", "version")


@tool("google_drive.files.list")
def list_files(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    matches = matcher(arguments["q"])
    found = [row for row in call.rows("SELECT * FROM drive_files ORDER BY name") if matches(row)]
    for row in found:
        call.saw("drive_meta", row["id"])
    return {"files": [_listed(row) for row in found]}


@tool("google_drive.files.get")
def get_file(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = _file(call, arguments["fileId"])
    call.saw("drive_meta", row["id"])
    return {
        **_listed(row),
        "description": row["description"],
        "nativePath": f"/drive/v3/files/{row['id']}?alt=media",
        "owners": [{"displayName": row["owner"]}],
        "sha256": row["sha256"],
        "size": row["size"],
    }


@tool("google_drive.files.download")
def download(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = _file(call, arguments["fileId"])
    call.saw("drive_content", row["id"])
    return {
        "content": row["content"],
        "id": row["id"],
        "isCurrentAuthority": bool(row["isCurrentAuthority"]),
        "mimeType": row["mimeType"],
        "name": row["name"],
    }


def native(call: Call, arguments: dict[str, Any], files: Path) -> dict[str, Any]:
    """The file's name, mimeType and native bytes (data), read from the files directory.

    Raises NotFound if there is no such file, or if its bytes are not those that the database has the digest of.
    """
    row = _file(call, arguments["fileId"])
    path = (files / row["path"]).resolve()
    if not path.is_relative_to(files.resolve()) or not path.is_file():
        raise NotFound(f"fileId: the native bytes of {row['id']} are not stored", "fileId")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != row["sha256"]:
        raise NotFound(f"fileId: the native bytes of {row['id']} do not agree with their digest", "fileId")
    call.saw("drive_content", row["id"])
    return {"name": row["name"], "mimeType": row["mimeType"], "data": data}


def _file(call: Call, file_id: str) -> Row:
    row = call.row("SELECT * FROM drive_files WHERE id = ?", (file_id,))
    if row is None:
        raise NotFound(f"fileId: no file {shown(file_id)}", "fileId")
    return row


def _listed(row: Row) -> dict[str, Any]:
    return {key: bool(row[key]) if key == "isCurrentAuthority" else row[key] for key in LISTED}
