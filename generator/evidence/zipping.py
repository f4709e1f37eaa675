"""OOXML archives with the same bytes everywhere.

In: a zip that openpyxl or python-docx wrote. Out: a zip of the same members, [Content_Types].xml first, the root's
relationships next, the rest by name; every date 1980-01-01, every attribute fixed, the data deflated by libdeflate.
zlib's output differs between builds; that of the pinned `deflate` wheel does not.
"""

import io
import struct
import zipfile
from collections.abc import Mapping
from functools import lru_cache

import deflate

LEVEL = 9
_DATE_1980_01_01 = 1 << 5 | 1
_VERSION = 20
_UNIX = 3
_REGULAR_0644 = 0o100644 << 16
_DEFLATED = 8
_FIRST = ("[Content_Types].xml", "_rels/.rels")


@lru_cache(maxsize=64)
def deflated(data: bytes) -> bytes:
    """Raw DEFLATE. Cached, because most members of an office file (theme, style gallery) are the same in each."""
    return bytes(deflate.deflate_compress(data, LEVEL))


def member_order(name: str) -> tuple[int, str]:
    """Sorting key: readers want the content types first."""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def pack(members: Mapping[str, bytes]) -> bytes:
    """A zip of the members. Names are ASCII, as the parts of an office file are; other names raise UnicodeError."""
    body, directory = io.BytesIO(), io.BytesIO()
    for name in sorted(members, key=member_order):
        data = members[name]
        packed, raw_name, offset = deflated(data), name.encode("ascii"), body.tell()
        common = struct.pack(
            "<HHHHHIIIHH",
            _VERSION, 0, _DEFLATED, 0, _DATE_1980_01_01, deflate.crc32(data), len(packed), len(data), len(raw_name), 0,
        )
        body.write(b"PK\x03\x04" + common + raw_name + packed)
        directory.write(b"PK\x01\x02" + struct.pack("<BB", _VERSION, _UNIX) + common)
        directory.write(struct.pack("<HHHII", 0, 0, 0, _REGULAR_0644, offset) + raw_name)
    start, listing = body.tell(), directory.getvalue()
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(listing), start, 0)
    return body.getvalue() + listing + b"PK\x05\x06" + end


def repack(archive: bytes) -> bytes:
    """The zip written anew. Raises zipfile.BadZipFile for what is no zip."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return pack({name: source.read(name) for name in source.namelist()})
