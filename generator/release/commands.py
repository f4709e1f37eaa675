"""`erpbench release` and `erpbench publish`. In: a rendered dataset and its qualification. Out: dist/harbor,
dist/huggingface."""

import sys
import time
from pathlib import Path

import click

from generator.harbor.commands import DATASET
from generator.release.bindings import ReleaseError, read_bindings
from generator.release.environment import release_python, run_in_release
from generator.release.harbor_publish import publish_harbor_command
from generator.release.harbor_side import build_harbor_side
from generator.release.huggingface import build_huggingface
from generator.release.manifest import read_manifest
from generator.release.publish import publish_huggingface
from generator.release.qualification import read_qualification
from generator.release.released import check_released

HARBOR, HUGGINGFACE = "harbor", "huggingface"
FOLDER = click.Path(path_type=Path, file_okay=False)


def build_release(dataset: Path, qualification: Path, out: Path, allow_dirty: bool) -> list[str]:
    """Both sides of the release, each moved into place only when it is whole; what was built, a line each."""
    bindings = read_bindings(dataset, allow_dirty)
    check_released(bindings, dataset)
    lines = read_qualification(qualification, dataset)
    build_huggingface(dataset, out / HUGGINGFACE, bindings, lines)
    build_harbor_side(dataset, out / HARBOR, bindings)
    told = []
    for side in (HUGGINGFACE, HARBOR):
        entries = read_manifest(out / side).files.values()
        told.append(f"{out / side}: {len(entries)} files, {sum(entry.size for entry in entries) / 1e6:.1f} MB")
    return told


@click.command("release")
@DATASET
@click.option("--qualification", type=FOLDER, default=Path("dist/qualification"), show_default=True)
@click.option("--out", type=FOLDER, default=Path("dist"), show_default=True)
@click.option("--allow-dirty", is_flag=True, help="Build from changes that are not committed; for trials only.")
@click.option("--check", is_flag=True, help="Load the result with datasets and mlcroissant; needs make release-env.")
def release_command(dataset: Path, qualification: Path, out: Path, allow_dirty: bool, check: bool) -> None:
    """Build dist/huggingface and dist/harbor from the rendered dataset and its qualification.

    Exit code 2 without a clean tree, the release's whole dataset or its qualification; nothing is left half-written.
    """
    if check:
        release_python()
    started = time.monotonic()
    for line in build_release(dataset, qualification, out, allow_dirty):
        click.echo(f"release: {line}")
    click.echo(f"release: built in {time.monotonic() - started:.1f} s")
    if check and run_in_release("check_loads", str((out / HUGGINGFACE).absolute())):
        raise ReleaseError(f"{out / HUGGINGFACE}: does not load as it declares")


@click.group()
def publish() -> None:
    """Publish what `erpbench release` built."""


@publish.command("hf")
@click.option("--repo", "repository", required=True, metavar="ORG/NAME", help="The dataset repository.")
@click.option("--folder", type=FOLDER, default=Path("dist") / HUGGINGFACE, show_default=True)
@click.option("--dry-run", is_flag=True, help="Check everything and say what would be pushed; ask nobody.")
@click.option("--private", is_flag=True, help="Create the repository private; refuse a public one.")
@click.option("--untagged", is_flag=True, help="Push a build of a commit without the version's tag; for trials only.")
def publish_hf_command(repository: str, folder: Path, dry_run: bool, private: bool, untagged: bool) -> None:
    """Push dist/huggingface to the Hugging Face hub. Needs `make release-env` and a token (HF_TOKEN or a login).

    An interrupted push goes on when the command is given again. HF_ENDPOINT names another hub.
    """
    sys.exit(publish_huggingface(folder, repository, dry_run, private, untagged))


publish.add_command(publish_harbor_command)
