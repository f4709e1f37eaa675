"""`erpbench verify-release`: a release folder against its manifest and against a rebuild; exit code 1 if it differs."""

from pathlib import Path

import click

from generator.release.verify import verify

SHOWN = 20


def one_line(text: str) -> str:
    """A file may have any name: what would break or hide a line is shown as its escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@click.command("verify-release")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
def verify_release_command(folder: Path) -> None:
    """Rebuild a release from its manifest and compare every file. DIR is dist, dist/harbor or dist/huggingface.

    Exit code 1 if anything differs, naming the files; 2 if DIR is no release.
    """
    found = verify(folder)
    for problem in found.problems[:SHOWN]:
        click.echo(one_line(problem), err=True)
    if len(found.problems) > SHOWN:
        click.echo(f"and {len(found.problems) - SHOWN} more", err=True)
    for note in found.notes:
        click.echo(f"note: {one_line(note)}")
    looked = ", ".join(f"{side}, {files} files" for side, files in found.sides.items())
    if found.problems:
        click.echo(f"verify-release: {folder} ({looked}): {len(found.problems)} problems", err=True)
        raise SystemExit(1)
    click.echo(f"verify-release: {folder} ({looked}): as its manifest and a rebuild have it")
