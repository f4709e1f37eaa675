"""The verifier's container: no network, its own contract and baseline read-only, missing evidence scores 0."""

import json

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack

pytestmark = pytest.mark.engine


@pytest.mark.attack("verifier", "a way out of the verifier's container", expected="loopback alone", flaw=8)
def test_it_has_only_the_loopback_interface(grading: Stack, seen: Seen) -> None:
    assert grading.python("import json, os; print(json.dumps(os.listdir('/sys/class/net')))") == ["lo"]
    assert len(grading.run("cat", "/proc/net/route").splitlines()) <= 1
    assert grading.inspect()["HostConfig"]["NetworkMode"] == "none"
    seen("lo alone, no route")


@pytest.mark.attack("verifier", "rights of the verifier", expected="a third user, no capability, limits", flaw=8)
def test_it_is_unprivileged_and_reads_its_tests_only(grading: Stack, seen: Seen) -> None:
    assert grading.run("id", "-u").strip() == "10003"
    mount = next(m for m in grading.inspect()["Mounts"] if m["Destination"] == "/tests")
    assert (mount["Type"], mount["RW"]) == ("bind", False)
    assert grading.inspect()["HostConfig"]["ReadonlyRootfs"] is True
    host = grading.inspect()["HostConfig"]
    assert (host["CapAdd"], host["CapDrop"], host["SecurityOpt"]) == (None, ["ALL"], ["no-new-privileges:true"])
    assert (host["PidsLimit"], host["Memory"], host["MemorySwap"]) == (64, 512 << 20, 512 << 20)
    lines = [line.split() for line in grading.run("cat", "/proc/mounts").splitlines()]
    mounts = {line[1]: line[2:4] for line in lines if line[1] in ("/tmp", "/logs", "/var/lib/world")}
    sizes = {path: options.split("size=")[1].split(",")[0] for path, (_, options) in mounts.items()}
    seen(f"uid 10003, 64 processes, 512 MiB, disk {sizes}")
    assert {kind for kind, _ in mounts.values()} == {"tmpfs"}
    assert sizes == {"/tmp": "131072k", "/logs": "65536k", "/var/lib/world": "294912k"}


def test_it_holds_no_seed_and_no_solution(grading: Stack) -> None:
    found = grading.run("sh", "-c", "ls -d /seed /solution /opt/venv /opt/erpbench/erpbench_world 2>/dev/null || true")
    assert found == ""


@pytest.mark.attack(
    "verifier",
    "a reward and a snapshot that lie ready, and no evidence",
    expected="score 0, reward written over",
    flaw=7,
)
def test_missing_evidence_scores_0_with_a_reason(grading: Stack, seen: Seen) -> None:
    """What an agent left in its artifacts reaches the verifier's /logs/artifacts; a reward there is nobody's."""
    grading.run("mkdir", "-p", "/logs/verifier", "/logs/artifacts/var/lib/world/export", user="0")
    grading.run("chmod", "-R", "777", "/logs", user="0")
    forged = '{"reward": 1.0, "erp_score": 100.0, "strict": 1}'
    for folder in ("verifier", "artifacts", "artifacts/verifier"):
        grading.run("sh", "-c", f"mkdir -p /logs/{folder} && echo '{forged}' >/logs/{folder}/reward.json")
    grading.run("sh", "-c", "gzip -dc /tests/baseline.sqlite.gz >/logs/artifacts/var/lib/world/export/world.sqlite")
    grading.run("bash", "/tests/test.sh")
    assert json.loads(grading.run("cat", "/logs/verifier/reward.json"))["reward"] == 0.0
    evidence = json.loads(grading.run("cat", "/logs/verifier/verdict.json"))["evidence"]
    seen(f"reward 0.0, {evidence['reason']}")
    assert evidence["ok"] is False
    assert evidence["reason"]
