"""One task directory: everything a trial needs, as relative paths and bytes, and its digests."""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import deflate

from generator.evidence.model import Rendered
from generator.families import family
from generator.families.base import Rows
from generator.harbor.digest import digest_of_files
from generator.harbor.files import EXECUTABLE, HarborTask, harbor_files
from generator.spec.case import Case
from generator.tasks import terms
from generator.tasks.criteria import build_contract
from generator.tasks.plan import build_plan
from generator.tasks.room import build_instruction, chat, check_files, mailbox, task_files
from generator.tasks.view import build_view
from generator.worlds.rows import meta_rows, office_rows
from generator.worlds.writer import write_world

SEED = "environment/seed/world.sqlite"
FILES = "environment/seed/files"
PLAN = "solution/plan.json"
CONTRACT = "tests/contract.json"
BASELINE = "tests/baseline.sqlite.gz"


@dataclass(frozen=True)
class TaskPackage:
    """files maps relative POSIX paths to content; digest is Harbor's digest of them; assets the sha256 of each
    native file."""

    task_id: str
    files: Mapping[str, bytes]
    digest: str
    assets: Mapping[str, str]


def build_package(case: Case, rows: Rows, files: tuple[Rendered, ...], version: str, image_prefix: str) -> TaskPackage:
    """Render one task. rows and files are the tenant's (worlds.rows.tenant_rows, room.tenant_files)."""
    room = (*files, *task_files(case, rows))
    check_files(case, room)
    world = world_bytes(case, rows, room)
    contract = build_contract(case, hashlib.sha256(world).hexdigest())
    content = {
        **harbor_files(harbor_task(case, version, image_prefix)),
        "instruction.md": build_instruction(case).encode(),
        SEED: world,
        BASELINE: bytes(deflate.gzip_compress(world, 9)),
        PLAN: json_bytes(build_plan(case).model_dump(mode="json")),
        CONTRACT: json_bytes(contract.model_dump(mode="json", exclude_defaults=False)),
        **{f"{FILES}/{r.document.name}": r.data for r in room},
    }
    return TaskPackage(
        task_id=case.task_id,
        files=content,
        digest=digest_of_files(content),
        assets={r.document.name: r.sha256 for r in room},
    )


def world_bytes(case: Case, rows: Rows, room: tuple[Rendered, ...]) -> bytes:
    """The seeded world as a SQLite file."""
    view = json.dumps(build_view(case), ensure_ascii=False, sort_keys=True)
    everything: Rows = {
        **meta_rows(case.tenant, case.task_id),
        "contracts": [{"task_id": case.task_id, "view": view}],
        **rows,
        **office_rows(case.tenant, mailbox(case), chat(case), room),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.sqlite"
        write_world(everything, path)
        return path.read_bytes()


def harbor_task(case: Case, version: str, image_prefix: str) -> HarborTask:
    profile = case.tenant.profile
    title = family(case.family).title
    return HarborTask(
        task_id=case.task_id,
        title=title,
        company=profile.company,
        family=case.family,
        description=(
            f"{title} at {profile.company} ({profile.industry}, {profile.site}): work out what the sources in force"
            " support, carry it out in the ERP as far as policy permits, log it and leave a handoff for review."
        ),
        keywords=("erp", case.family.replace("_", "-"), profile.slug),
        canary=terms.CANARY,
        version=version,
        image_prefix=image_prefix,
    )


def json_bytes(value: Any) -> bytes:
    """JSON with sorted keys, two spaces, a final line end; null members are left out by the reader's defaults."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def write_package(package: TaskPackage, folder: Path) -> None:
    """Write the files below folder, which must not exist, readable for the containers' users whatever the umask."""
    for name, data in package.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if name in EXECUTABLE else 0o644)
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(0o755)
