"""The checksum of a task directory that Harbor puts into a trial's result.json (task_checksum).

In: a task directory. Out: 64 hexadecimal digits: SHA-256 over a directory's entries, each with its name and with the
digest of its bytes or, for a folder, of its own entries; sorted, with two NULs between. It is another digest than that
of dataset.lock, over the same files, so who changes one record of a job has the other to change too.
"""

import hashlib
from pathlib import Path


def task_checksum(directory: Path) -> str:
    """The checksum of a directory without links and without empty folders, as rendered task directories are."""
    entries = []
    for path in directory.iterdir():
        if path.is_dir():
            entries.append(f"dirhash:{task_checksum(path)}\0name:{path.name}")
        else:
            entries.append(f"data:{hashlib.sha256(path.read_bytes()).hexdigest()}\0name:{path.name}")
    return hashlib.sha256("\0\0".join(sorted(entries)).encode()).hexdigest()
