"""Stages import only earlier stages; the world and the verifier import nothing of the generator, nor of each other."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Each package of the generator, and the packages it may import from.
LAYERS = (
    "spec",
    "evidence",
    "audit",
    "families",
    "worlds",
    "tenants",
    "images",
    "harbor",
    "tasks",
    "dataset",
    "qualify",
    "bench",
    "attack",
    "release",
    "leaderboard",
    "interop",
    "cli",
)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", modules("images/world/erpbench_world"), ids=str)
def test_the_world_imports_neither_generator_nor_verifier(path: Path) -> None:
    assert not {name for name in imports(path) if name.split(".")[0] in ("generator", "verifier")}


@pytest.mark.parametrize("path", modules("verifier"), ids=str)
def test_the_verifier_stays_on_the_standard_library(path: Path) -> None:
    roots = {name.split(".")[0] for name in imports(path)}
    assert roots <= {*sys.stdlib_module_names, "verifier"}


@pytest.mark.parametrize("path", modules("generator/audit"), ids=str)
def test_the_audit_shares_nothing_with_what_it_audits(path: Path) -> None:
    """It reads rendered tasks; of the project it uses the readers of native files and the errors."""
    used = {name.split(".")[1] for name in imports(path) if name.startswith("generator.")}
    assert used <= {"audit", "evidence", "spec"}


@pytest.mark.parametrize("path", modules("generator"), ids=str)
def test_a_stage_imports_only_itself_and_earlier_ones(path: Path) -> None:
    layer = path.relative_to(ROOT / "generator").parts[0].removesuffix(".py").removesuffix("_command")
    if layer in ("__init__",):
        return
    used = {name.split(".")[1].removesuffix("_command") for name in imports(path) if name.startswith("generator.")}
    rank = LAYERS.index(layer)
    assert all(LAYERS.index(other) <= rank for other in used), f"{path} imports {used}"


RUNNERS = {"qualify", "bench", "leaderboard"}


@pytest.mark.parametrize("path", [p for p in modules("generator") if not RUNNERS & set(p.parts)], ids=str)
def test_only_qualification_bench_and_leaderboard_run_the_world_and_the_verifier(path: Path) -> None:
    assert not {name for name in imports(path) if name.split(".")[0] in ("erpbench_world", "verifier")}
