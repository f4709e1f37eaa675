"""`erpbench publish harbor`: everything up to the login. In: a rendered dataset. Out: a checked folder, and commands.

Publishing needs an account, so the last step is a person's: the commands are printed, none of them is run.
"""

import subprocess
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from generator.harbor.commands import DATASET
from generator.harbor.program import harbor_program, quiet_environment
from generator.images.definition import DEFAULT_PREFIX, PREFIX_VARIABLE, PROJECT_ROOT
from generator.images.official import release_problems
from generator.release.bindings import Bindings, ReleaseError, local_images, read_bindings
from generator.release.harbor_side import METRIC, build_harbor_side
from generator.release.manifest import folder_problems, read_manifest
from generator.release.released import check_released

DATASET_TOML = "dataset.toml"


@dataclass(frozen=True)
class Publication:
    """A folder that is ready, what its reader should know, and the commands that are left to give, in order."""

    tasks: int
    notes: tuple[str, ...]
    commands: tuple[str, ...]


def prepare_harbor(dataset: Path, out: Path, allow_dirty: bool, dry_run: bool) -> Publication:
    """Build the Harbor side, hold it against its manifest and let Harbor work its digests out.

    A dry run builds beside and leaves nothing; a base image that keeps the release back is only noted then. Raises
    ReleaseError or HarborError for what is not in order.
    """
    bindings = read_bindings(dataset, allow_dirty)
    check_released(bindings, dataset)
    base = base_note(bindings)
    if base and not dry_run:
        raise ReleaseError(base)
    program = harbor_program()
    with tempfile.TemporaryDirectory(prefix="erpbench-publish-") as place:
        folder = Path(place) / out.name if dry_run else out
        build_harbor_side(dataset, folder, bindings)
        problems = folder_problems(folder, read_manifest(folder))
        if problems:
            raise ReleaseError(f"{folder}: changed while it was built: {problems[0]}")
        tasks = check_with_harbor(folder, program)
    notes = ([base] if base else []) + list(publication_notes(bindings))
    return Publication(tasks, tuple(notes), publication_commands(bindings, out))


def base_note(bindings: Bindings, root: Path = PROJECT_ROOT) -> str | None:
    """Why images of this tree may not be published as they are, in one line; None if their base is the official one."""
    images = local_images(bindings.image_prefix, bindings.version) or {}
    problems = release_problems(images.get("base"), root)
    return f"the images may not be published: {'; '.join(problems)}" if problems else None


def check_with_harbor(folder: Path, program: Path) -> int:
    """Let `harbor sync` set the digests anew, in a folder of links, and compare; the number of tasks.

    Raises ReleaseError naming the task or file whose digest Harbor has otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="erpbench-sync-") as place:
        synced = Path(place)
        for path in folder.iterdir():
            if path.is_dir():
                (synced / path.name).symlink_to(path.resolve(), target_is_directory=True)
        for name in (DATASET_TOML, METRIC):
            (synced / name).write_bytes((folder / name).read_bytes())
        command = [str(program), "sync", str(synced)]
        result = subprocess.run(command, env=quiet_environment(), capture_output=True, text=True, check=False)
        if result.returncode != 0:
            told = " ".join((result.stderr or result.stdout).split())[-200:]
            raise ReleaseError(f"harbor sync ended with {result.returncode}: {told}")
        ours, theirs = digests(folder / DATASET_TOML), digests(synced / DATASET_TOML)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            raise ReleaseError(f"{name}: {DATASET_TOML} has {ours.get(name)}, harbor sync {theirs.get(name)}")
    return len(ours) - 1


def digests(manifest: Path) -> dict[str, str]:
    """The digests of a dataset.toml by name of task and of file."""
    parsed = tomllib.loads(manifest.read_text(encoding="utf-8"))
    tasks = {str(task["name"]): str(task["digest"]) for task in parsed["tasks"]}
    return {**tasks, **{str(file["path"]): str(file["digest"]) for file in parsed.get("files", [])}}


def publication_notes(bindings: Bindings) -> tuple[str, ...]:
    """What would keep others from running what is published."""
    notes = []
    if bindings.dirty:
        notes.append("built with changes that are not committed: for a trial only, not to be published")
    if bindings.image_prefix == DEFAULT_PREFIX:
        notes.append(
            f"the tasks name images under {DEFAULT_PREFIX}; for another registry render with {PREFIX_VARIABLE} set and"
            " commit the lock"
        )
    absent = [image.tag for image in bindings.images if image.id is None]
    if absent:
        why = "no engine answers" if bindings.images_seen != "engine" else "missing, or built from other inputs"
        notes.append(f"not to be pushed from here ({why}): {', '.join(absent)}; `make images` builds them")
    return tuple(notes)


def publication_commands(bindings: Bindings, out: Path) -> tuple[str, ...]:
    pushes = [f"docker push {image.tag}" for image in bindings.images if image.name != "base"]
    publish = f"harbor publish {out} --tag v{bindings.version} --public"
    return (*pushes, "harbor auth login", publish)


def told(publication: Publication, out: Path, dry_run: bool) -> Sequence[str]:
    where = f"{out} (dry run, nothing written)" if dry_run else str(out)
    head = f"publish harbor: {where}: {publication.tasks} tasks, every digest as harbor sync has it"
    notes = [f"note: {note}" for note in publication.notes]
    return [head, *notes, "left to run:", *(f"  {command}" for command in publication.commands)]


@click.command("harbor")
@DATASET
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/harbor"), show_default=True)
@click.option("--allow-dirty", is_flag=True, help="Build from changes that are not committed; for trials only.")
@click.option("--dry-run", is_flag=True, help="Build and check in a temporary folder; write nothing.")
def publish_harbor_command(dataset: Path, out: Path, allow_dirty: bool, dry_run: bool) -> None:
    """Build and check dist/harbor, and print the commands that publish it. Needs `make harbor`."""
    for line in told(prepare_harbor(dataset, out, allow_dirty, dry_run), out, dry_run):
        click.echo(line)
