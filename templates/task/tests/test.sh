#!/bin/bash
# {{ task.canary }}
# Grades the collected snapshot against this folder's contract. The grader exits non-zero and writes no reward if the fault
# is its own; evidence that is missing or doctored scores 0 with the reason in verdict.json.
set -euo pipefail
exec erpbench-grade \
  --contract /tests/contract.json \
  --baseline /tests/baseline.sqlite.gz \
  --evidence /var/lib/world/export \
  --out /logs/verifier
