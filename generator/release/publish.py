"""`erpbench publish hf`: a built dist/huggingface, held against its manifest, then pushed. Out: an exit code."""

import subprocess
from pathlib import Path

from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import Bindings, ReleaseError
from generator.release.environment import run_in_release
from generator.release.manifest import folder_problems, read_manifest
from generator.release.released import check_released


def publish_huggingface(folder: Path, repository: str, dry_run: bool, private: bool, untagged: bool) -> int:
    """Raises ReleaseError for a folder that is not built, was altered, is not the release's, or of no tagged commit."""
    if not folder.is_dir():
        raise ReleaseError(f"{folder}: not built; run `make release`")
    manifest = read_manifest(folder)
    problems = folder_problems(folder, manifest)
    if problems:
        more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
        raise ReleaseError(f"{folder}: altered since it was built: {problems[0]}{more}; run `make release`")
    check_released(manifest.bindings, folder)
    if not (dry_run or untagged):
        check_tagged(manifest.bindings)
    arguments = [str(folder.absolute()), repository, "--message", f"ERPBench-100 {manifest.bindings.version}"]
    switches = [*(["--dry-run"] if dry_run else []), *(["--private"] if private else [])]
    return run_in_release("push_folder", *arguments, *switches)


def check_tagged(bindings: Bindings, root: Path = PROJECT_ROOT) -> None:
    """Raises ReleaseError unless it was built from a clean tree at the commit that carries the version's tag."""
    if bindings.dirty:
        raise ReleaseError(f"built with changes that were not committed ({bindings.commit}); build from a clean tree")
    tag = f"v{bindings.version}"
    command = ["git", "tag", "--points-at", bindings.commit]
    tags = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.split()
    if tag not in tags:
        raise ReleaseError(f"built from commit {bindings.commit}, which does not carry the tag {tag}")
