"""The `erpbench` command. A user's mistake is one line on stderr and exit code 2; nothing is left half-written."""

import importlib
import sys
from pathlib import Path

import click

from generator.harbor.commands import DATASET, TASKS, lint_command, oracle_command
from generator.images.commands import images
from generator.images.definition import project_version
from generator.spec.errors import ErpbenchError

EXAMPLES = """\b
Examples:
  erpbench dataset                                   render harbor_tasks/
  erpbench dataset --seed 7 --out twin/              render a private twin
  erpbench dataset --check                           rebuild and compare with dataset.lock
  erpbench tasks --spread                            name tasks that meet every tenant and family
  erpbench inspect erpbench-001 --open               show one task, with its files
  erpbench rules                                     check that every case is fair and hard
  erpbench audit                                     derive every task's answers again, in SQL, from its files
  erpbench audit --tasks erpbench-011,erpbench-012   the same for some tasks
  erpbench qualify                                   play every kind of episode on every task, and report
  erpbench qualify --tasks erpbench-001 --kinds "oracle;late reader;mutant"
  erpbench world --task erpbench-001                 serve one task's world on loopback
  erpbench replay harbor_tasks/erpbench-001/solution/plan.json --task erpbench-001
                                                     run a trajectory's calls against a fresh world
  erpbench grade jobs/…/evidence --task erpbench-001
                                                     grade a snapshot and explain each criterion
  erpbench images build                              build the container images
  erpbench images check                              check them
  erpbench oracle --tasks erpbench-001               run the oracle with the real Harbor
  erpbench oracle --agent nop --tasks all            run an agent that does nothing
  erpbench oracle --dataset twin --tasks erpbench-001
                                                     run a task of a twin, from the folder beside it
  erpbench lint                                      check the task directories
  erpbench attack --only verifier                    attack the verifier, and see what holds
  erpbench images sbom                               write a bill of materials for each image
  erpbench images pin                                record the digest of the official base image
  erpbench images audit                              ask for known vulnerabilities of the locks
  erpbench release --allow-dirty                     build dist/huggingface and dist/harbor
  erpbench verify-release dist                       rebuild a release and name every file that differs
  erpbench publish hf --repo ORG/NAME --dry-run      check what would be pushed to the Hugging Face hub
  erpbench publish harbor --dry-run                  check what would be published as a Harbor dataset
  erpbench leaderboard add jobs/2026-01-31__12-00-00
                                                     regrade a Harbor job and enter it, or say why not
  erpbench leaderboard show                          the table, with intervals
  erpbench interop --only inspect                    load all tasks with a tool that people use
  erpbench bench --report-only                       measure the figures that the project holds itself to
"""
TASK = click.option("--task", required=True, help="Task id, e.g. erpbench-001.")


LATER = {
    "release": "generator.release.commands:release_command",
    "publish": "generator.release.commands:publish",
    "verify-release": "generator.release.verify_command:verify_release_command",
    "leaderboard": "generator.leaderboard_command:leaderboard",
}
"""Commands that are imported only when they are called: what they need takes half a second to load."""


class Commands(click.Group):
    """Turns the project's errors into one line and exit code 2, with no traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *LATER})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in LATER:
            return super().get_command(ctx, name)
        module, attribute = LATER[name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ErpbenchError as error:
            message = str(error)
        except OSError as error:
            message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"erpbench: {message}", err=True)
        return ctx.exit(2)


@click.group(
    cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(project_version(), prog_name="erpbench")
def main() -> None:
    """ERPBench-100: render the dataset, try its worlds, build its images, run and grade its tasks."""


@main.command()
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("harbor_tasks"), show_default=True
)
@click.option(
    "--tenants", type=click.Path(path_type=Path), default=None, help="Folder of tenant specs, instead of the project's."
)
@click.option("--seed", type=int, default=None, help="Render a private twin: other names, numbers and variants.")
@click.option("--check", is_flag=True, help="Build beside and compare with the lock in --out; change nothing.")
def dataset(out: Path, tenants: Path | None, seed: int | None, check: bool) -> None:
    """Render every task directory, registry.json, dataset.toml and dataset.lock."""
    from generator.dataset_command import check_dataset, render_dataset
    from generator.spec.streams import RELEASE_SEED

    if seed is not None and seed != RELEASE_SEED and out == Path("harbor_tasks"):
        raise click.UsageError("a twin needs a folder of its own: --out DIR")
    seed = RELEASE_SEED if seed is None else seed
    if check:
        check_dataset(out, tenants, seed)
    else:
        render_dataset(out, tenants, seed)


@main.command()
@TASK
@DATASET
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option(
    "--tool-names",
    type=click.Choice(["dotted", "underscore"]),
    default="dotted",
    show_default=True,
    help="Form that is listed.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Folder for the world's data; kept afterwards.",
)
def world(task: str, dataset: Path, port: int, tool_names: str, keep: Path | None) -> None:
    """Serve one task's world on loopback, for a person or an agent to try. No container needed."""
    from generator.qualify.serve import serve_world

    serve_world(dataset, task, port, tool_names, keep)


@main.command()
@click.argument("trajectory", type=click.Path(path_type=Path))
@TASK
@DATASET
def replay(trajectory: Path, task: str, dataset: Path) -> None:
    """Run the calls of a trajectory against a fresh world and show each difference.

    TRAJECTORY is an oracle plan (solution/plan.json), a list of steps with tool, arguments and output, or a trial's
    trace.json. Exit code 1 if a result differs.
    """
    from generator.qualify.replay import replay_command

    sys.exit(replay_command(trajectory, task, dataset))


@main.command()
@click.argument("evidence", type=click.Path(path_type=Path))
@TASK
@DATASET
@click.option("--failed", is_flag=True, help="Only the criteria that failed.")
def grade(evidence: Path, task: str, dataset: Path, failed: bool) -> None:
    """Grade a snapshot (a folder with world.sqlite and manifest.json) and explain each criterion."""
    from generator.qualify.explain import grade_command

    grade_command(evidence, task, dataset, failed)


@main.command()
@click.argument("task")
@DATASET
@click.option("--open", "unpack", is_flag=True, help="Unpack its 28 files into a folder to look at.")
@click.option("--svg", "pictures", type=click.Path(path_type=Path, file_okay=False), help="Folder for pictures of it.")
def inspect(task: str, dataset: Path, unpack: bool, pictures: Path | None) -> None:
    """Show one task to a person: request, sources, gold, where each mistake leads, the criteria."""
    from generator.qualify.inspect import inspect_command

    inspect_command(task, dataset, unpack, pictures)


@main.command()
@click.option("--seed", type=int, default=None, help="Cases of a private twin instead of the release's.")
def rules(seed: int | None) -> None:
    """Check the rules that make tasks fair and hard, over all cases. Exit code 1 if one does not hold."""
    from generator.qualify.rules_command import rules_command
    from generator.spec.streams import RELEASE_SEED

    sys.exit(rules_command(RELEASE_SEED if seed is None else seed))


@main.command()
@TASKS
@DATASET
def audit(tasks: str, dataset: Path) -> None:
    """Derive each task's answers, option and status again from its rendered evidence. Exit code 1 if one differs."""
    from generator.qualify.audit_command import audit_command

    sys.exit(audit_command(dataset, tasks))


@main.command()
@TASKS
@click.option("--kinds", default="all", show_default=True, help="Kinds or their beginnings with ; between, or all.")
@DATASET
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/qualification"), show_default=True
)
@click.option("--fresh", is_flag=True, help="Play everything again, also what an earlier run has done.")
@click.option("--readme", is_flag=True, help="Put the table into README.md, between its marks.")
def qualify(tasks: str, kinds: str, dataset: Path, out: Path, fresh: bool, readme: bool) -> None:
    """Play every kind of episode on every task in process: oracle, mistakes, mutants, variations. Exit code 1 if a line
    of the table does not hold. A run that was interrupted goes on where it stopped."""
    from generator.images.definition import PROJECT_ROOT
    from generator.qualify.qualify_command import Request, qualify_command

    request = Request(dataset, out, tasks, kinds, fresh, PROJECT_ROOT / "README.md" if readme else None)
    sys.exit(qualify_command(request))


@main.command()
@click.option("--spread", is_flag=True, help="Only enough to meet every tenant and every family once.")
@DATASET
def tasks(spread: bool, dataset: Path) -> None:
    """List the tasks of a rendered dataset, with commas between."""
    from generator.dataset import read_lock, spread_tasks

    names = sorted(read_lock(dataset))
    click.echo(",".join(spread_tasks(names) if spread else names))


@main.command()
@DATASET
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/bench"), show_default=True)
@click.option("--only", "parts", multiple=True, metavar="PART", help="A part alone, e.g. calls; may be repeated.")
@click.option("--harbor", is_flag=True, help="Run Harbor trials too: needs an engine, the images and `make harbor`.")
@click.option("--runs", type=click.IntRange(1, 100), default=5, show_default=True, help="Runs of each measurement.")
@click.option("--report-only", is_flag=True, help="Exit code 0 even if a goal is missed.")
def bench(dataset: Path, out: Path, parts: tuple[str, ...], harbor: bool, runs: int, report_only: bool) -> None:
    """Measure time, memory and size beside their goals; write bench.json and bench.md. Exit code 1 if one is missed."""
    from generator.bench.run import PARTS, BenchRequest, bench_command

    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise click.UsageError(f"--only {unknown[0]}: expected one of {', '.join(PARTS)}")
    request = BenchRequest(dataset, out, parts or PARTS, harbor, runs)
    sys.exit(bench_command(request, report_only, click.echo))


@main.command()
@click.option("--only", "places", multiple=True, metavar="PLACE", help="A place alone, e.g. world; may be repeated.")
@click.option("--no-containers", is_flag=True, help="Leave out the attacks on real containers.")
@click.option("--long", is_flag=True, help="Fuzz for as long as a release is fuzzed, not only as long as a check is.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/attack"), show_default=True
)
def attack(places: tuple[str, ...], no_containers: bool, long: bool, out: Path) -> None:
    """Attack the containers, the world, the verifier and the scoring; write attacks.json and attacks.md.

    Exit code 1 unless every attack is held. Needs an engine and the images, but for --no-containers.
    """
    from generator.attack.table import ORDER
    from generator.attack_command import attack_command

    unknown = sorted(set(places) - set(ORDER))
    if unknown:
        raise click.UsageError(f"--only {unknown[0]}: expected one of {', '.join(ORDER)}")
    sys.exit(attack_command(places, not no_containers, long, out))


@main.command()
@click.option("--only", "names", multiple=True, metavar="NAME", help="A consumer alone, e.g. nemo; may be repeated.")
@DATASET
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist/interop"), show_default=True
)
def interop(names: tuple[str, ...], dataset: Path, out: Path) -> None:
    """Load all tasks offline with four tools that people use, each in an environment of its own. Exit code 1 unless
    each of them loads every task with what it says."""
    from generator.interop_command import interop_command

    sys.exit(interop_command(names, dataset, out))


main.add_command(images)
main.add_command(oracle_command)
main.add_command(lint_command)


if __name__ == "__main__":
    main()
