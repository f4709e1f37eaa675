"""Push the published folder to a dataset repository. In: the folder, ORG/NAME. Out: what the repository then holds.

What is pushed is what the folder's manifest.json lists and that file itself: a folder that holds anything else, or
less, is refused.

Run with the interpreter of .venv-release, which has `huggingface_hub` and nothing of the project's own needs: so this
module imports nothing else of the project. Endpoint and token are found as that library finds them (HF_ENDPOINT,
HF_TOKEN or a login); the token is never printed. A push that was interrupted goes on: what the hub has is not
sent again.
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TYPE = "dataset"
REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
MANIFEST = "manifest.json"
KEPT = ".gitattributes"
"""The hub's own file, which says what it stores apart."""

REFUSED = 2
HINTS = {401: "the token is not accepted", 403: "the token may not write there", 404: "no such place"}


class PushError(Exception):
    """A push cannot be made; the message is for the user."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("repository")
    parser.add_argument("--message", default="Release")
    parser.add_argument("--private", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    asked = parser.parse_args(arguments)
    # Read when the library is imported, hence before. Bars are for a terminal only.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")
    if not sys.stderr.isatty():
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        print(dry_run(asked.folder, asked.repository) if asked.dry_run else push(asked))
    except PushError as error:
        print(f"erpbench: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("erpbench: interrupted; the same command goes on where it stopped", file=sys.stderr)
        return 130
    return 0


def dry_run(folder: Path, repository: str) -> str:
    """What would be pushed; asks nobody."""
    check_name(repository)
    return f"publish: would push {amount(local_files(folder))} to {place(repository)}"


def amount(files: Mapping[str, Path]) -> str:
    return f"{len(files)} files, {sum(path.stat().st_size for path in files.values()) / 1e6:.1f} MB,"


def place(repository: str) -> str:
    from huggingface_hub import constants

    return f"{repository} at {constants.ENDPOINT}"


def push(asked: argparse.Namespace) -> str:
    """Create the repository if it is not there, upload, and compare every file with what the hub then has."""
    check_name(asked.repository)
    import httpx2
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants, get_token
    from huggingface_hub.errors import HfHubHTTPError

    token = get_token()
    if not token:
        raise PushError("no token for the hub: set HF_TOKEN, or log in with `.venv-release/bin/hf auth login`")
    api = HfApi(token=token)
    files = local_files(asked.folder)
    print(f"publish: pushing {amount(files)} to {place(asked.repository)}", flush=True)
    try:
        api.create_repo(asked.repository, repo_type=TYPE, private=asked.private or None, exist_ok=True)
        check_visibility(api, asked)
        remote = remote_files(api, asked.repository)
        check_target(remote, files, asked.repository)
        gone = [name for name in remote if name not in files and name != KEPT]
        commit = api.create_commit(
            asked.repository,
            [
                *(CommitOperationDelete(name, is_folder=False) for name in gone),
                *(CommitOperationAdd(name, path) for name, path in files.items()),
            ],
            commit_message=asked.message,
            repo_type=TYPE,
        )
        problems = differences(files, remote_files(api, asked.repository))
    except HfHubHTTPError as error:
        raise PushError(f"{constants.ENDPOINT}: {told(error, token)}") from None
    except (OSError, ValueError, httpx2.HTTPError) as error:
        raise PushError(f"{constants.ENDPOINT}: {one_line(str(error) or type(error).__name__, token)}") from None
    if problems:
        raise PushError(f"{asked.repository}: after the push it is not the release: {'; '.join(problems[:3])}")
    return f"publish: {asked.repository} holds the release: {len(files)} files, commit {commit.oid}"


def check_name(repository: str) -> None:
    """Raises PushError for anything but ORG/NAME as the hub takes it."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(repository)
    except HFValidationError as error:
        raise PushError(f"--repo {repository}: {one_line(str(error), '')}") from None
    if not REPOSITORY.fullmatch(repository):
        raise PushError(f"--repo {repository}: expected ORG/NAME, e.g. erpbench/erpbench100")


def check_visibility(api: Any, asked: argparse.Namespace) -> None:
    """Raises PushError if a private push would land in a public repository: the hub does not change what exists."""
    if asked.private and not api.repo_info(asked.repository, repo_type=TYPE).private:
        raise PushError(f"{asked.repository}: is public already, and --private was asked for; nothing was pushed")


def check_target(remote: Mapping[str, Any], files: Mapping[str, Path], repository: str) -> None:
    """Raises PushError for a repository with files of other origin, since a push removes what is not of the release."""
    ours = {name.split("/")[0] for name in files} | {KEPT}
    strange = sorted(name for name in remote if name.split("/")[0] not in ours)
    if strange:
        raise PushError(
            f"{repository}: holds {strange[0]}, which is of no release; expected a new repository or an earlier release"
        )


def local_files(folder: Path) -> dict[str, Path]:
    """The files of the manifest and the manifest, by their path in the repository.

    Raises PushError unless the folder holds exactly these, each as a plain file.
    """
    try:
        listed = {*json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"], MANIFEST}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise PushError(
            f"{folder / MANIFEST}: expected the manifest of a release, came {one_line(repr(error), '')}"
        ) from None
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if not is_folder(path)}
    for name in sorted(listed ^ found.keys()):
        raise PushError(f"{folder / name}: {'missing' if name in listed else f'not in {MANIFEST}'}; nothing was pushed")
    for path in found.values():
        if path.is_symlink() or not path.is_file():
            raise PushError(f"{path}: a link or a special file; nothing was pushed")
    return found


def is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def remote_files(api: Any, repository: str) -> dict[str, Any]:
    """Every file of the repository's main branch."""
    tree = api.list_repo_tree(repository, repo_type=TYPE, recursive=True)
    return {entry.path: entry for entry in tree if hasattr(entry, "blob_id")}


def differences(files: Mapping[str, Path], remote: Mapping[str, Any]) -> list[str]:
    """Files that the hub has not, has in other bytes, or has beyond the release."""
    found = [f"{name}: is not there" for name in files if name not in remote]
    found += [f"{name}: is not of the release" for name in remote if name not in files and name != KEPT]
    return found + [
        f"{name}: has other bytes" for name in files if name in remote and not same(files[name], remote[name])
    ]


def same(path: Path, entry: Any) -> bool:
    """By SHA-256 where the hub stores a file apart, else by git's own digest of a file."""
    data = path.read_bytes()
    if entry.lfs is not None:
        return bool(hashlib.sha256(data).hexdigest() == entry.lfs.sha256)
    return bool(hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() == entry.blob_id)


def told(error: Any, token: str) -> str:
    """A refusal of the hub in one line: its status, what it says, and what may help."""
    status = int(error.response.status_code)
    hint = HINTS.get(status, "")
    said = one_line(error.server_message or "", token) or one_line(str(error), token)
    return f"answered {status}: {said}{f' ({hint})' if hint else ''}"


def one_line(text: str, token: str) -> str:
    flat = " ".join(text.split())[:300]
    return flat.replace(token, "***") if token else flat


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
