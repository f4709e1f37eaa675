"""A rendered dataset in miniature for the Harbor tests: our own files around data that only has the right names."""

import json
from pathlib import Path

from generator.harbor.dataset import DatasetEntry, dataset_toml, registry
from generator.harbor.digest import task_digest
from generator.harbor.files import EXECUTABLE, HarborTask, harbor_files

CANARY = "ERPBENCH CANARY 0123-abcd: benchmark data, not for training"


def harbor_task(task_id: str = "erpbench-001") -> HarborTask:
    return HarborTask(
        task_id=task_id,
        title='Import the "consolidated" order',
        company="Northbridge Fastener Works",
        family="order_import",
        description="A customer's order against what was imported before.",
        keywords=("erp", "order_import"),
        canary=CANARY,
        version="1.0.0",
        image_prefix="erpbench100/",
    )


def write_task(dataset: Path, task_id: str = "erpbench-001") -> Path:
    """A task directory with all its files; the data files hold a few bytes each."""
    files = harbor_files(harbor_task(task_id)) | {
        "environment/seed/world.sqlite": b"world",
        "environment/seed/files/01-orders.xlsx": b"native",
        "instruction.md": b"Import the order.\n",
        "solution/plan.json": json.dumps({"canary": CANARY, "task_id": task_id, "calls": []}).encode(),
        "tests/contract.json": json.dumps({"canary": CANARY}).encode(),
        "tests/baseline.sqlite.gz": b"world",
    }
    directory = dataset / task_id
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if name in EXECUTABLE else 0o644)
    return directory


def write_dataset(dataset: Path, *task_ids: str) -> None:
    entries = [DatasetEntry(task_id, task_digest(write_task(dataset, task_id))) for task_id in task_ids]
    (dataset / "registry.json").write_text(registry(entries, "1.0.0", dataset.name), encoding="utf-8")
    (dataset / "dataset.toml").write_text(dataset_toml(entries, "1.0.0"), encoding="utf-8")
