"""The command group `erpbench images`: build, check."""

from pathlib import Path

import click

from generator.images.build import build_images
from generator.images.check import check_images, world_health
from generator.images.definition import image_prefix, image_tag, project_version
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
def check(task: Path) -> None:
    """Check that the images are there, of this tree, unprivileged, small and clean, and that a world starts."""
    prefix, version = image_prefix(), project_version()
    problems = check_images(prefix, version)
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
