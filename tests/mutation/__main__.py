"""`python -m tests.mutation`: small changes of the verifier's code, each of which a test must notice.

In: verifier/, its own tests and mutmut (locks/mutation.in) in the interpreter that runs this. Out: a line a module with
the mutants made, killed and survived, and the survivors' changes as a diff in the output folder. The exit code is 1
where more survive than EXPLAINED says.

    python -m tests.mutation --out DIR [--module text …]
"""

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.modules import MODULES, SHARED

ROOT = Path(__file__).parents[2]
SCHEMA = Path("images/world/erpbench_world/schema.sql")
EXPLAINED_FILE = Path(__file__).with_name("explained.json")
CONFTEST = """
from hypothesis import HealthCheck, settings
from tests.attack_table import seen

__all__ = ["seen"]
settings.register_profile(
    "mutation", max_examples=10, derandomize=True, deadline=None, database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutation")
"""
# The test of random damage takes seconds a run and pins no value.
PYTEST = "[pytest]\nmarkers =\n    attack: an attack\naddopts = -p no:cacheprovider -q -k 'not random_damage'\n"


@dataclass(frozen=True)
class Outcome:
    """What became of a module's mutants. Mutants that run for too long are noticed, and count as killed."""

    module: str
    total: int
    survived: tuple[str, ...]

    @property
    def killed(self) -> int:
        return self.total - len(self.survived)


def stage(module: str, folder: Path) -> None:
    """A folder that holds nothing but the verifier, the module's tests and mutmut's settings."""
    tests = MODULES[module]
    shutil.copytree(ROOT / "verifier", folder / "verifier", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "attack").mkdir(parents=True)
    (folder / SCHEMA).parent.mkdir(parents=True)
    shutil.copy(ROOT / SCHEMA, folder / SCHEMA)
    for name in (*SHARED, *tests):
        shutil.copy(ROOT / "tests" / name, folder / "tests" / name)
    (folder / "tests" / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text(PYTEST, encoding="utf-8")
    settings = {
        "source_paths": "verifier/",
        "only_mutate": f"verifier/{module}.py",
        "also_copy": "\n    images\n    tests",
        "pytest_add_cli_args_test_selection": "tests/",
    }
    lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
    (folder / "setup.cfg").write_text("[mutmut]\n" + lines, encoding="utf-8")


def mutate(module: str, folder: Path) -> Outcome:
    """Run every mutant of the module. Raises SystemExit where mutmut itself fails."""
    mutmut = [sys.executable, "-m", "mutmut"]
    log = folder / "mutmut.log"
    with log.open("w") as out:
        code = subprocess.run(
            [*mutmut, "run", "--max-children", "1"], cwd=folder, stdout=out, stderr=out, check=False
        ).returncode
    results = json.loads((folder / "mutants" / "verifier" / f"{module}.py.meta").read_text()) if not code else None
    if results is None:
        raise SystemExit(f"mutation: {module}: mutmut ended with {code}, see {log}")
    codes: dict[str, int | None] = results["exit_code_by_key"]
    survived = tuple(sorted(name for name, value in codes.items() if value in (0, 33, None)))
    diffs = [
        subprocess.run([*mutmut, "show", name], cwd=folder, capture_output=True, text=True).stdout for name in survived
    ]
    (folder / "survived.diff").write_text("\n".join(diffs), encoding="utf-8")
    return Outcome(module, len(codes), survived)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Mutate the verifier's code.")
    parser.add_argument("--out", type=Path, required=True, help="an empty or new folder for copies and survivors")
    parser.add_argument("--module", action="append", choices=sorted(MODULES), help="only these modules (all if none)")
    options = parser.parse_args()
    explained: dict[str, int] = json.loads(EXPLAINED_FILE.read_text(encoding="utf-8"))["survivors"]
    failed = False
    for module in options.module or MODULES:
        folder = options.out / module
        stage(module, folder)
        found = mutate(module, folder)
        allowed = explained.get(module, 0)
        failed |= len(found.survived) > allowed
        told = f"{found.total} mutants, {found.killed} killed, {len(found.survived)} survived, {allowed} explained"
        print(f"mutation: {module}: {told}; {folder / 'survived.diff'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
