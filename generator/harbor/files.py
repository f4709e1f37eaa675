"""The files of a task directory that are not data. In: a HarborTask. Out: relative path to bytes, always the same.

    erpbench-NNN/
    ├── task.toml
    ├── README.md
    ├── environment/docker-compose.yaml
    ├── solution/solve.sh, run_plan.py
    └── tests/docker-compose.yaml, test.sh

The data files (instruction.md, environment/seed/, solution/plan.json, tests/contract.json, baseline.sqlite.gz) are the
task renderer's. A canary line stands in every file that holds gold or leads to it, and in no file the agent reads.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "task"
MCP_SERVERS = ("erpbench", "oracle_fusion", "gmail", "google_drive", "google_sheets", "slack")
RENDERED = (
    "README.md",
    "environment/docker-compose.yaml",
    "solution/solve.sh",
    "task.toml",
    "tests/docker-compose.yaml",
    "tests/test.sh",
)
PLAN_RUNNER = "solution/run_plan.py"
EXECUTABLE = ("solution/solve.sh", "tests/test.sh")
"""The paths to write with mode 0755: test.sh runs from a read-only mount, where no later chmod can help."""


@dataclass(frozen=True)
class HarborTask:
    """What a task directory says of its task. image_prefix is e.g. erpbench100/, version that of the images too.

    description is one paragraph for reviewers without gold; canary one line without a line break.
    """

    task_id: str
    title: str
    company: str
    family: str
    description: str
    keywords: tuple[str, ...]
    canary: str
    version: str
    image_prefix: str

    def __post_init__(self) -> None:
        if "\n" in self.canary or not self.canary:
            raise ValueError(f"{self.task_id}: a canary is one line, came {self.canary!r}")


def toml_value(value: str | tuple[str, ...]) -> str:
    """A string or a list of strings as TOML. JSON's escapes are TOML's, but for DEL, which JSON leaves bare."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,
    )
    environment.filters["toml"] = toml_value
    return environment


@cache
def _plan_runner() -> str:
    return (TEMPLATES / PLAN_RUNNER).read_text(encoding="utf-8")


def harbor_files(task: HarborTask) -> dict[str, bytes]:
    """Relative path to content, in path order. Raises ValueError if a template leaves the canary out of a gold file."""
    context: dict[str, Any] = {"task": task, "servers": MCP_SERVERS}
    files = {name: _environment().get_template(name).render(context) for name in RENDERED}
    files[PLAN_RUNNER] = f"# {task.canary}\n{_plan_runner()}"
    for name, text in files.items():
        if (task.canary in text) is not holds_gold(name):
            raise ValueError(f"{task.task_id}/{name}: the canary belongs into gold files, and only there")
    return {name: files[name].encode() for name in sorted(files)}


def holds_gold(path: str) -> bool:
    """Whether a file of the task directory holds gold or says where it is."""
    return path.startswith(("solution/", "tests/")) or path == "README.md"
