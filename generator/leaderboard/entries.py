"""The folder of entries. In: an entry, or the folder. Out: leaderboard/entries/NAME.json, or all entries there."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from generator.leaderboard.copies import copied_from
from generator.leaderboard.entry import Entry, entry_error, entry_text
from generator.leaderboard.entry_check import check_entry
from generator.leaderboard.files import LeaderboardError, read_text


def write_entry(entry: Entry, folder: Path, replace: bool = False) -> Path:
    """Write folder/NAME.json beside its place and rename it.

    Raises LeaderboardError if another entry has the name (another job's, or this job's with other content, unless
    replace says to put this one in its place), if the job is there under another name, or if the evidence is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{entry.name}.json"
    text = entry_text(entry)
    _check_others(entry, text, read_entries(folder), path, replace)
    beside = folder / f".{entry.name}.new"
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def _check_others(entry: Entry, text: str, there: Iterable[Entry], path: Path, replace: bool) -> None:
    others = list(there)
    for other in others:
        if other.job == entry.job and other.name != entry.name:
            raise LeaderboardError(f"{path.parent}: job {entry.job} is there already, as {other.name}")
        if other.name == entry.name and other.job != entry.job:
            raise LeaderboardError(f"{path}: of another job ({other.job}); choose a name with --name")
        if other.name == entry.name and not replace and entry_text(other) != text:
            raise LeaderboardError(
                f"{path}: there already with other content (agent {other.agent}); --replace puts this job in its place"
            )
    copied = copied_from(entry, others)
    if copied:
        raise LeaderboardError(f"{path}: over half of its evidence is that of {', '.join(copied)}; withdraw one first")


def read_entries(folder: Path) -> list[Entry]:
    """All entries in the order of their names. Raises LeaderboardError for a file that is none."""
    return [read_entry(path) for path in sorted(folder.glob("*.json"))]


def read_entry(path: Path) -> Entry:
    try:
        entry = Entry.model_validate_json(read_text(path))
    except ValidationError as error:
        raise entry_error(path, error) from None
    if entry.name != path.stem:
        raise LeaderboardError(f"{path}: of entry {entry.name}; expected the file's name")
    check_entry(entry, str(path))
    return entry
