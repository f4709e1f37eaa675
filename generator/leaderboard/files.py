"""Files that a submitter wrote, read with care. In: paths. Out: text, JSON objects, labels; or LeaderboardError.

Whoever sends in a job or an entry chooses every byte of it: a file may be a link, a pipe without a writer, a device or
endless; JSON may nest past any depth or hold halves of characters that no file can be written with; a name may hold
what a table takes for its own marks.
"""

import json
import os
import stat
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

from generator.spec.errors import ErpbenchError

LONGEST_LABEL = 80
LONGEST_NOTE = 2000
LARGEST_FILE = 16 << 20
"""Bytes. Harbor's result.json of a hundred tasks at five attempts is below 1 MB."""


class LeaderboardError(ErpbenchError):
    """A job that is refused, or an entry that cannot be read: which trial or file, what was expected, what came."""

    code = "leaderboard"


def _label(text: str) -> str:
    return _line(text, LONGEST_LABEL)


def _note(text: str) -> str:
    return _line(text, LONGEST_NOTE)


def _line(text: str, most: int) -> str:
    if len(text) > most:
        raise ValueError(f"expected at most {most} characters, came {len(text)}")
    if not text.isprintable() or text != text.strip():
        raise ValueError(f"expected one line of printable characters, came {text[:most]!a}")
    return text


Label = Annotated[str, AfterValidator(_label)]
"""A name or a version: one line of printable characters, at most 80, no space around it."""
Note = Annotated[str, AfterValidator(_note)]
"""A reason, as the board shows it."""


def shown(text: str) -> str:
    """A name of a submitter's fit for one line of an error or a reason: short, and with nothing but what prints."""
    cut = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return cut if cut.isprintable() else ascii(cut)


def exists(path: Path) -> bool:
    """Whether anything lies there, a broken link too."""
    return os.path.lexists(path)


def read_text(path: Path) -> str:
    """The text of a regular file of a sensible size; nothing else is opened."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise LeaderboardError(f"{path}: missing") from None
    except (OSError, ValueError) as error:
        raise LeaderboardError(f"{path}: cannot be read ({error})") from None
    if not stat.S_ISREG(found.st_mode):
        raise LeaderboardError(f"{path}: expected a regular file, came {_kind(found.st_mode)}")
    if found.st_size > LARGEST_FILE:
        raise LeaderboardError(f"{path}: {found.st_size:,} bytes; expected at most {LARGEST_FILE:,}")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LeaderboardError(f"{path}: not UTF-8 ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise LeaderboardError(f"{path}: cannot be read ({error})") from None


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    text = read_text(path)
    try:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise LeaderboardError(f"{path}: holds half of a surrogate pair, which is no character") from None
    except RecursionError:
        raise LeaderboardError(f"{path}: not JSON of a sensible depth") from None
    except ValueError as error:
        raise LeaderboardError(f"{path}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise LeaderboardError(f"{path}: expected an object, came {type(value).__name__}")
    return value


def _kind(mode: int) -> str:
    kinds = (
        (stat.S_ISLNK, "a link"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    )
    return next((told for holds, told in kinds if holds(mode)), "a device")
