"""What the agent's container holds: nothing of the seed, the gold, the verifier or the trace, and no privileges."""

import json
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack

pytestmark = pytest.mark.engine

# Walks the whole filesystem with all rights; reports SQLite files, files that hold one of the needles, telling names.
SEARCH = """
import json, os, stat
needles = [bytes.fromhex(text) for text in {needles!r}]
names = {names!r}
found = []
count = 0
for folder, folders, files in os.walk("/"):
    if folder == "/":
        folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
    found += [os.path.join(folder, name) for name in folders + files if name in names]
    for name in files:
        path = os.path.join(folder, name)
        if not stat.S_ISREG(os.lstat(path).st_mode):
            continue
        with open(path, "rb") as file:
            content = file.read()
        count += 1
        if content.startswith(b"SQLite format 3\\0") or any(needle in content for needle in needles):
            found.append(path)
print(json.dumps([count, found]))
"""
NAMES = (
    "world.sqlite",
    "baseline.sqlite.gz",
    "contract.json",
    "plan.json",
    "erpbench_world",
    "verifier",
    "seed",
    "export",
)


def search(stack: Stack, needles: list[bytes]) -> tuple[int, list[str]]:
    program = SEARCH.format(needles=[needle.hex() for needle in needles], names=NAMES)
    count, found = stack.python(program, user="0", privileged=True)
    return count, found


def canary(task: Path) -> bytes:
    return str(json.loads((task / "solution" / "plan.json").read_text(encoding="utf-8"))["canary"]).encode()


@pytest.mark.attack(
    "agent", "search every file for seed, gold, verifier, trace, other tasks", expected="nothing found", flaw=2
)
def test_no_file_holds_seed_gold_verifier_or_trace(episode: Stack, task: Path, seen: Seen) -> None:
    seed_files = [path.read_bytes() for path in sorted((task / "environment" / "seed" / "files").iterdir())]
    others = [path.name.encode() for path in sorted(task.parent.glob("erpbench-[0-9]*")) if path != task]
    needles = [
        canary(task),
        b"erpbench_world",
        *others,
        *[content[:64] for content in seed_files if len(content) >= 64],
    ]
    count, found = search(episode, [needle for needle in needles if not needle.startswith((b"PK", b"%PDF"))])
    seen(f"{count} files, {len(needles)} needles: {found or 'nothing found'}")
    assert count > 1000
    assert len(others) >= 3
    assert found == []


def test_the_search_finds_what_is_there(episode: Stack, task: Path) -> None:
    """The control of the test above: a planted canary and a planted database are found."""
    plant = f"open('/tmp/a', 'wb').write({canary(task)!r}); open('/tmp/plan.json', 'w').write('x'); print('[]')"
    episode.python(plant)
    try:
        assert set(search(episode, [canary(task)])[1]) == {"/tmp/a", "/tmp/plan.json"}
    finally:
        episode.run("rm", "/tmp/a", "/tmp/plan.json")


@pytest.mark.attack("agent", "read its environment", expected="the world's address alone", flaw=2)
def test_the_environment_tells_only_the_worlds_address(episode: Stack, seen: Seen) -> None:
    variables = dict(line.split("=", 1) for line in episode.run("env").splitlines())
    known = {
        "PATH",
        "HOME",
        "HOSTNAME",
        "LANG",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
        "ERP_URL",
        "PWD",
        "SHLVL",
    }
    known |= {"GPG_KEY", "PYTHON_VERSION", "PYTHON_SHA256"}  # the official Python image's own
    seen(f"{len(variables)} variables, ERP_URL={variables['ERP_URL']}")
    assert set(variables) <= known
    assert variables["ERP_URL"] == "http://world:8000"


@pytest.mark.attack("agent", "look into what is mounted", expected="two empty volumes", flaw=2)
def test_nothing_is_mounted_but_two_empty_volumes(episode: Stack, seen: Seen) -> None:
    mounts = episode.inspect()["Mounts"]
    assert sorted((mount["Type"], mount["Destination"]) for mount in mounts) == [
        ("volume", "/logs"),
        ("volume", "/solution"),
    ]
    assert episode.run("find", "/logs", "/solution", "-type", "f", user="0") == ""
    seen("/logs and /solution, both empty")


@pytest.mark.attack(
    "agent", "rights of {service}", expected="its own user, no capability, no new privileges, read-only root", flaw=8
)
@pytest.mark.parametrize(("service", "user"), [("main", "10001"), ("world", "10002")])
def test_containers_are_unprivileged_and_read_only(episode: Stack, service: str, user: str, seen: Seen) -> None:
    status = dict(
        line.split(":\t", 1)
        for line in episode.run("cat", "/proc/self/status", service=service).splitlines()
        if ":\t" in line
    )
    assert status["Uid"].split() == [user] * 4
    assert status["Gid"].split() == [user] * 4
    assert status["NoNewPrivs"].strip() == "1"
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[kind], 16) == 0
    assert episode.inspect(service)["HostConfig"]["ReadonlyRootfs"] is True
    writing = (
        "import json\ntry:\n open('/usr/x', 'w')\n print('1')\nexcept OSError as e:\n print(json.dumps(e.strerror))"
    )
    assert episode.python(writing, user="0", service=service) == "Read-only file system"
    seen(f"uid {status['Uid'].split()[0]}, capabilities {status['CapBnd'].strip()}, root read-only also to root")


@pytest.mark.attack("agent", "gold in the world, or a seed that can be changed", expected="neither", flaw=2)
def test_the_worlds_seed_cannot_be_changed(episode: Stack, task: Path, seen: Seen) -> None:
    mount = next(m for m in episode.inspect("world")["Mounts"] if m["Destination"] == "/seed")
    assert (mount["Type"], mount["RW"]) == ("bind", False)
    program = SEARCH.format(needles=[canary(task).hex()], names=("contract.json", "plan.json", "baseline.sqlite.gz"))
    count, found = episode.python(program, user="0", service="world", privileged=True)
    found = [path for path in found if not path.endswith("/world.sqlite")]
    seen(f"seed mounted read-only; {count} files of the world: {found or 'no gold, no contract'}")
    assert found == []
