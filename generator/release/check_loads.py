"""What a user's libraries make of the published folder. In: its path as argument. Out: a line a table; exit code 1 with
one line for each difference between what it declares and what loads.

Run with the interpreter of .venv-release, which has `datasets` and `mlcroissant` and nothing that the project itself
needs: so this module imports nothing else of the project. It needs no network and leaves no cache behind.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SPLIT = "test"
NUMBERS = ("num_examples", "num_bytes")


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0])
    with tempfile.TemporaryDirectory(prefix="erpbench-loads-") as cache:
        # Read when the libraries are imported, hence before.
        os.environ.update(
            HF_HOME=cache, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TQDM_DISABLE="1"
        )
        os.environ["CROISSANT_CACHE"] = cache
        problems = [*datasets_problems(folder), *croissant_problems(folder)]
    for problem in problems:
        print(f"{folder}: {problem}", file=sys.stderr)
    return 1 if problems else 0


def datasets_problems(folder: Path) -> Iterator[str]:
    """Every configuration loaded with `datasets`, its counts and sizes beside the declared ones."""
    import datasets

    datasets.disable_progress_bars()
    declared = declared_splits(folder)
    for name in datasets.get_dataset_config_names(str(folder)):
        loaded = datasets.load_dataset(str(folder), name, split=SPLIT)
        came = loaded.info.splits[SPLIT]
        print(f"datasets: {name}: {came.num_examples} rows, {came.num_bytes} bytes")
        expected = declared.pop(name, {})
        for number in NUMBERS:
            if expected.get(number) != getattr(came, number):
                yield f"{name}: {number}: declared {expected.get(number)}, came {getattr(came, number)}"
    yield from (f"{name}: declared, but no configuration of that name loads" for name in declared)


def declared_splits(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The only split of each configuration, as the card's YAML declares it."""
    import yaml

    front = (folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    return {info["config_name"]: info["splits"][0] for info in yaml.safe_load(front)["dataset_info"]}


def croissant_problems(folder: Path) -> Iterator[str]:
    """croissant.json validated, and every record set read through it and counted."""
    import mlcroissant

    path = folder / "croissant.json"
    try:
        described = mlcroissant.Dataset(jsonld=path)
    except mlcroissant.ValidationError as error:
        yield f"croissant.json: {error}"
        return
    for warning in sorted(described.metadata.ctx.issues.warnings):
        yield f"croissant.json: {warning}"
    declared = declared_splits(folder)
    for record_set in json.loads(path.read_text(encoding="utf-8"))["recordSet"]:
        name = record_set["@id"]
        count = sum(1 for _ in described.records(name))
        print(f"mlcroissant: {name}: {count} records")
        expected = declared.get(name, {}).get("num_examples")
        if count != expected:
            yield f"croissant.json: {name}: declared {expected} records, came {count}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
