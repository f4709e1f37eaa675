"""The verifier's container: no network, its own contract and baseline read-only, missing evidence scores 0."""

import json

import pytest

from tests.e2e.stack import Stack

pytestmark = pytest.mark.engine


def test_it_has_only_the_loopback_interface(grading: Stack) -> None:
    assert grading.python("import json, os; print(json.dumps(os.listdir('/sys/class/net')))") == ["lo"]
    assert len(grading.run("cat", "/proc/net/route").splitlines()) <= 1
    assert grading.inspect()["HostConfig"]["NetworkMode"] == "none"


def test_it_is_unprivileged_and_reads_its_tests_only(grading: Stack) -> None:
    assert grading.run("id", "-u").strip() == "10003"
    mount = next(m for m in grading.inspect()["Mounts"] if m["Destination"] == "/tests")
    assert (mount["Type"], mount["RW"]) == ("bind", False)
    assert grading.inspect()["HostConfig"]["ReadonlyRootfs"] is True
    assert grading.inspect()["HostConfig"]["CapDrop"] == ["ALL"]


def test_it_holds_no_seed_and_no_solution(grading: Stack) -> None:
    found = grading.run("sh", "-c", "ls -d /seed /solution /opt/venv /opt/erpbench/erpbench_world 2>/dev/null || true")
    assert found == ""


def test_missing_evidence_scores_0_with_a_reason(grading: Stack) -> None:
    grading.run("mkdir", "-p", "/logs/verifier", user="0")
    grading.run("chmod", "777", "/logs/verifier", user="0")
    grading.run("bash", "/tests/test.sh")
    assert json.loads(grading.run("cat", "/logs/verifier/reward.json"))["reward"] == 0.0
    evidence = json.loads(grading.run("cat", "/logs/verifier/verdict.json"))["evidence"]
    assert evidence["ok"] is False
    assert evidence["reason"]
