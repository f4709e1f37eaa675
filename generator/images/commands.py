"""The command group `erpbench images`: build, check, pin, sbom, audit."""

from pathlib import Path

import click

from generator.images.advisories import audit_locks, audit_program
from generator.images.build import build_images
from generator.images.check import check_images, world_health
from generator.images.definition import image_prefix, image_tag, project_version
from generator.images.engine import connect, inspect
from generator.images.official import record_digest, release_problems
from generator.images.sbom import write_bills
from generator.spec.errors import EngineError


@click.group()
def images() -> None:
    """The four container images (base, agent, world, verifier)."""


@images.command()
@click.option(
    "--base",
    "choice",
    default="auto",
    envvar="ERPBENCH_BASE",
    show_default=True,
    metavar="CHOICE",
    help="auto, official, stand-in, or an image of your own to build on.",
)
def build(choice: str) -> None:
    """Build the images whose inputs changed."""
    count = build_images(image_prefix(), project_version(), choice, click.echo)
    click.echo(f"images: {count} built" if count else "images: nothing to build")


@images.command()
@click.option(
    "--task",
    "task",
    type=click.Path(path_type=Path),
    default=Path("harbor_tasks/erpbench-001"),
    show_default=True,
    help="The task on whose seed a world is started.",
)
@click.option("--release", is_flag=True, help="Also that their base is the official image, by the digest on record.")
def check(task: Path, release: bool) -> None:
    """Check that the images are there, of this tree, unprivileged, small and clean, and that a world starts."""
    prefix, version = image_prefix(), project_version()
    problems = check_images(prefix, version)
    if release:
        problems += release_problems(inspect(connect(), image_tag("base", prefix, version)))
    seed = task / "environment" / "seed"
    if not problems and (seed / "world.sqlite").is_file():
        seconds, problem = world_health(image_tag("world", prefix, version), seed)
        problems += [problem] if problem else []
        click.echo(f"world healthy after {seconds:.1f} s" if not problem else "world not healthy")
    elif not problems:
        problems.append(f"{seed}/world.sqlite is missing: run `make dataset`, so that a world can be started on it")
    for line in problems:
        click.echo(line, err=True)
    if problems:
        raise EngineError(f"images: {len(problems)} problems")
    click.echo("images: in order")


@images.command()
def pin() -> None:
    """Record the digest of the official base image in images/base/official.json; needs a registry that answers."""
    click.echo(f"images/base/official.json: {record_digest(connect())}; run `erpbench images build --base official`")


@images.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/sbom"), show_default=True)
def sbom(out: Path) -> None:
    """Write a bill of materials (CycloneDX 1.6) for each image: what Debian and Python packages it holds."""
    for path in write_bills(image_prefix(), project_version(), out):
        click.echo(f"{path}  {path.stat().st_size} bytes")


@images.command()
@click.option("--strict", is_flag=True, help="Exit code 1 also where a package could not be looked up.")
def audit(strict: bool) -> None:
    """Ask for known vulnerabilities of all that the locks pin. Exit code 1 if one is known."""
    outcomes = audit_locks(audit_program())
    for outcome in outcomes:
        click.echo(outcome.line)
        for finding in outcome.findings:
            click.echo(f"  {finding}")
    if any(outcome.findings or (strict and outcome.skipped) for outcome in outcomes):
        raise SystemExit(1)
