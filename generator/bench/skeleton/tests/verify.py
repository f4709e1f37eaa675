"""The skeleton's grade: the snapshot is whole, item B-2 is inactive and nothing else has changed."""

import hashlib
import json
import sqlite3
from pathlib import Path

EXPORT = Path("/var/lib/world/export")
REWARD = Path("/logs/verifier/reward.json")
EXPECTED = {"B-1": "Active", "B-2": "Inactive", "B-3": "Active"}


def reward(export: Path) -> float:
    """1.0 or 0.0; evidence that is missing or damaged is 0.0."""
    try:
        manifest = json.loads((export / "manifest.json").read_text(encoding="utf-8"))
        whole = hashlib.sha256((export / "items.sqlite").read_bytes()).hexdigest() == manifest["sha256"]
        database = sqlite3.connect(f"file:{export}/items.sqlite?mode=ro&immutable=1", uri=True)
        found = dict(database.execute("SELECT ItemNumber, ItemStatusValue FROM items"))
        database.close()
    except (OSError, ValueError, KeyError, sqlite3.DatabaseError):
        return 0.0
    return float(whole and found == EXPECTED)


if __name__ == "__main__":
    REWARD.write_text(json.dumps({"reward": reward(EXPORT)}), encoding="utf-8")
